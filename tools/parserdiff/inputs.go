package main

// This file finds the sources to compare.

import (
	"archive/zip"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
)

// findInputs reads the .py files below the paths, those of zip archives and the
// programs of recorded files, in the order of the paths and without repetitions.
func findInputs(paths []string) ([]input, error) {
	var files []input
	seen := map[string]bool{}
	for _, p := range paths {
		var err error
		switch filepath.Ext(p) {
		case ".zip", ".whl":
			files, err = addArchive(files, p)
		case ".txt":
			files, err = addRecorded(files, p)
		default:
			files, err = addFolder(files, p, seen)
		}
		if err != nil {
			return nil, err
		}
	}
	return files, nil
}

// addFolder adds the files below a folder, or one file.
func addFolder(files []input, folder string, seen map[string]bool) ([]input, error) {
	err := filepath.WalkDir(folder, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.Type().IsRegular() && (strings.HasSuffix(name, ".py") || name == folder) && !seen[name] {
			seen[name] = true
			if data, err := os.ReadFile(name); err == nil {
				files = append(files, input{name, data})
			}
		}
		return nil
	})
	return files, err
}

// addArchive adds the Python files in a zip archive, such as a wheel.
func addArchive(files []input, name string) ([]input, error) {
	r, err := zip.OpenReader(name)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	for _, f := range r.File {
		if !strings.HasSuffix(f.Name, ".py") {
			continue
		}
		in, err := f.Open()
		if err != nil {
			return nil, err
		}
		data, err := io.ReadAll(in)
		in.Close()
		if err != nil {
			return nil, err
		}
		files = append(files, input{path.Join(filepath.ToSlash(name), f.Name), data})
	}
	return files, nil
}

// addRecorded adds the programs of a file that record writes.
func addRecorded(files []input, name string) ([]input, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	for i, line := range strings.Split(string(data), "\n") {
		if text, ok := recordedProgram(line); ok {
			files = append(files, input{name + ":" + strconv.Itoa(i+1), []byte(text)})
		}
	}
	return files, nil
}
