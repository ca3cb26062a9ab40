package mcp

// This file makes the texts of files with an edit.

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"shapecheck/internal/fix"
	"shapecheck/internal/localfile"
	"shapecheck/internal/source"
	"shapecheck/parser"
)

// edited gives the texts of the files that an edit changes, by absolute path, and the files.
func (s *Server) edited(a *arguments) (texts map[string]string, files []string, err error) {
	texts = map[string]string{}
	text := func(path string) (file, text string, err error) {
		if file, err = s.file(path); err != nil {
			return "", "", err
		}
		if changed, ok := texts[filepath.Join(s.root, file)]; ok {
			return file, changed, nil
		}
		data, err := localfile.Read(file, source.MaxFileSize)
		if err != nil {
			return "", "", err
		}
		text, err = parser.Decode(data)
		files = append(files, file)
		return file, text, err
	}
	if a.Diff != "" {
		if a.Path+a.Old+a.New != "" {
			return nil, nil, errors.New("give either diff, or path, old and new")
		}
		for _, p := range fix.Patches(a.Diff) {
			file, before, err := text(p.Path)
			if err != nil {
				return nil, nil, err
			}
			if texts[filepath.Join(s.root, file)], err = p.Apply(before); err != nil {
				return nil, nil, fmt.Errorf("%s: %w", p.Path, err)
			}
		}
		if len(texts) == 0 {
			return nil, nil, errors.New("the diff has no line +++ FILE")
		}
		return texts, files, nil
	}
	file, before, err := text(a.Path)
	if err != nil {
		return nil, nil, err
	}
	switch n := strings.Count(before, a.Old); {
	case a.Old == "":
		return nil, nil, errors.New("old is empty: give the text that is replaced, or a diff")
	case n != 1:
		return nil, nil, fmt.Errorf("%s has the text of old %d times; it must have it once", a.Path, n)
	}
	texts[filepath.Join(s.root, file)] = strings.Replace(before, a.Old, a.New, 1)
	return texts, files, nil
}
