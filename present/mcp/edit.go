package mcp

// This file makes the texts of files with an edit.

import (
	"errors"
	"fmt"
	"path/filepath"

	"shapecheck/internal/fix"
	"shapecheck/internal/localfile"
	"shapecheck/internal/source"
	"shapecheck/parser"
)

// edited gives the texts of the files that an edit changes, by absolute path, and the files.
func (s *Server) edited(a *arguments) (texts map[string]string, files []string, err error) {
	patches := fix.Patches(a.Diff)
	switch {
	case a.Diff == "":
		patches = []fix.Patch{fix.Exchange(a.Path, a.Old, a.New)}
	case a.Path+a.Old+a.New != "":
		return nil, nil, errors.New("give either diff, or path, old and new")
	case len(patches) == 0:
		return nil, nil, errors.New("the diff has no line +++ FILE")
	}
	texts = map[string]string{}
	for _, p := range patches {
		file, err := s.file(p.Path)
		if err != nil {
			return nil, nil, err
		}
		name := filepath.Join(s.root, file)
		text, changed := texts[name]
		if !changed {
			data, err := localfile.Read(file, source.MaxFileSize)
			if err != nil {
				return nil, nil, err
			}
			if text, err = parser.Decode(data); err != nil {
				return nil, nil, err
			}
			files = append(files, file)
		}
		if texts[name], err = p.Apply(text); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", p.Path, err)
		}
	}
	return texts, files, nil
}
