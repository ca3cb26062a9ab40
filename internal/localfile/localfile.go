// Package localfile opens files of unknown origin. read.go reads those that a user
// names, within limits; localfile.go opens those that another file names: the
// shards of a weights index, the external data of an ONNX model. Such a name is the
// word of whoever made that file, so it must not lead anywhere but to a file beside
// it.
//
//	localfile.go  Open     read.go  OpenRegular, Read     links_unix.go, links_other.go  how many names a file has
//	own_unix.go, own_other.go  whose files are
package localfile

// This file holds the rules and Open.

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"
)

// Open opens the regular file with a name relative to dir. Refused are absolute
// names, "..", other spellings of a path ("./a", "a//b", backslashes, drive
// letters), a symbolic link in any component, and a file that has further names:
// a hard link made by an archive may be one to a file outside dir, and nothing
// in the file system tells which of its names was the first. dir itself is the
// caller's and may be a link.
func Open(dir, name string) (*os.File, error) {
	if err := CheckName(name); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	f, err := open(root, name)
	if err := errors.Join(err, root.Close()); err != nil {
		if f != nil {
			err = errors.Join(err, f.Close())
		}
		return nil, fmt.Errorf("%q: %w", name, err)
	}
	return f, nil
}

// CheckName reports what is wrong with a name, without looking at files.
func CheckName(name string) error {
	switch {
	case name == "":
		return errors.New("the name of a file is empty")
	case len(name) > 4096:
		return errors.New("the name of a file is longer than 4096 bytes")
	case strings.ContainsRune(name, 0):
		return fmt.Errorf("%q: a file name has no zero byte", name)
	case strings.Contains(name, `\`):
		return fmt.Errorf("%q: backslashes are not allowed: the parts of a path are separated by /", name)
	case strings.HasPrefix(name, "/") || len(name) > 1 && name[1] == ':':
		return fmt.Errorf("%q: absolute paths are not allowed", name)
	case strings.Contains("/"+name+"/", "/../"):
		return fmt.Errorf(`%q: ".." is not allowed`, name)
	case path.Clean(name) != name || name == ".":
		return fmt.Errorf("%q: not a plain relative path", name)
	}
	return nil
}

func open(root *os.Root, name string) (*os.File, error) {
	var last fs.FileInfo
	for i := 0; i <= len(name); i++ {
		if i < len(name) && name[i] != '/' {
			continue
		}
		info, err := root.Lstat(name[:i])
		if err != nil {
			return nil, plain(err)
		}
		if info.Mode()&fs.ModeSymlink != 0 {
			return nil, fmt.Errorf("%q is a symbolic link: links are not followed here", name[:i])
		}
		last = info
	}
	if !last.Mode().IsRegular() { // before it is opened: that of a pipe waits
		return nil, fmt.Errorf("is %s, not a regular file", Kind(last.Mode()))
	}
	f, err := root.Open(name)
	if err != nil {
		return nil, plain(err)
	}
	info, err := f.Stat()
	switch {
	case err != nil:
	case !os.SameFile(last, info): // somebody put a link there meanwhile
		err = errors.New("the file was replaced while it was opened")
	case links(info) > 1:
		err = errors.New("the file has other names (hard links), which may be outside of the directory: make a copy")
	}
	return f, err
}

// plain drops the operation and the path of an error, which are in the message.
func plain(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}
