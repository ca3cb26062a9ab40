package main

import (
	"bytes"
	"errors"
	"fmt"
	"go/format"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"unicode/utf8"
)

// pythonName is a name that a distribution, a folder and an import statement write in the same way.
var pythonName = regexp.MustCompile(`^[a-z][a-z0-9]*$`)

// renamePython gives the Python package another name: its folder, and the word wherever a text of
// the repository has it. It returns how many files it rewrote. A name that some text has already is
// refused: afterwards nobody could tell which of the two is meant.
func renamePython(dir, old, name string) (int, error) {
	if !pythonName.MatchString(name) {
		return 0, fmt.Errorf("%q is no name of a Python package in lower case", name)
	}
	from, to := filepath.Join(dir, "python", old), filepath.Join(dir, "python", name)
	if info, err := os.Stat(from); err != nil {
		return 0, err
	} else if !info.IsDir() {
		return 0, fmt.Errorf("%s is no folder", from)
	}
	if _, err := os.Lstat(to); err == nil {
		return 0, fmt.Errorf("%s is there already", to)
	}
	word, taken := regexp.MustCompile(`\b`+old+`\b`), regexp.MustCompile(`\b`+name+`\b`)
	changed := map[string][]byte{}
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == ".git" || d.Name() == "node_modules"):
			return fs.SkipDir
		case !d.Type().IsRegular():
			return nil
		}
		text, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		if bytes.IndexByte(text, 0) >= 0 || !utf8.Valid(text) {
			return nil // no text
		}
		if taken.Match(text) {
			return fmt.Errorf("the word %s is in %s already", name, p)
		}
		if !word.Match(text) {
			return nil
		}
		out := word.ReplaceAll(text, []byte(name))
		if strings.HasSuffix(p, ".go") && isFormatted(text) { // what is aligned may have moved
			if out, err = format.Source(out); err != nil {
				return err
			}
		}
		changed[p] = out
		return nil
	})
	if err != nil {
		return 0, err
	}
	var faults []error
	for p, text := range changed {
		faults = append(faults, os.WriteFile(p, text, 0o666))
	}
	return len(changed), errors.Join(append(faults, os.Rename(from, to))...)
}
