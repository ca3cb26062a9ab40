// Package localfile opens the files that a user names, within limits: only regular ones, for a pipe would wait for its
// writer and a device may have no end. Files that another file names come through a reads.Gate, which asks this package
// for how they must be spelled.
//
//	localfile.go  CheckName     read.go  OpenRegular, Read     links_unix.go, links_other.go  how many names a file has
//	own_unix.go, own_other.go  whose files are
package localfile

// This file holds the rules for names.

import (
	"errors"
	"fmt"
	"path"
	"strings"
)

// CheckName reports what is wrong with the name of a file in a folder: an absolute one, "..", other spellings of a path
// ("./a", "a//b", backslashes, drive letters). It looks at no file. It also returns an error for an empty name, one of
// more than 4096 bytes and one with a zero byte.
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
