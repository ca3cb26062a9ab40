package cli

// This file says where environments are on the user's machine: what the shell has activated.

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"

	"shapecheck/internal/reads"
	"shapecheck/project/pyenv"
)

// findEnvironment completes where the packages of a target may be installed.
func (t *target) findEnvironment() error {
	s := &t.Run.Environment
	if err := pyenv.Check(reads.Disk{}, s.Python); err != nil {
		return errors.New("--python " + err.Error())
	}
	s.Discover, s.Active, s.Base = true, nil, ""
	if dir := os.Getenv("VIRTUAL_ENV"); dir != "" {
		s.Active = append(s.Active, dir)
	}
	if dir := os.Getenv("CONDA_PREFIX"); dir != "" {
		if os.Getenv("CONDA_DEFAULT_ENV") == "base" {
			s.Base = dir
		} else {
			s.Active = append(s.Active, dir)
		}
	}
	s.Poetry = poetryFolder()
	return nil
}

// poetryFolder is where poetry keeps environments, by its variables and else by its
// defaults; empty where the user has no home.
func poetryFolder() string {
	if dir := os.Getenv("POETRY_VIRTUALENVS_PATH"); dir != "" {
		return dir
	}
	dir := os.Getenv("POETRY_CACHE_DIR")
	if dir == "" {
		caches, err := os.UserCacheDir()
		if err != nil {
			return ""
		}
		dir = filepath.Join(caches, "pypoetry")
		if runtime.GOOS == "windows" {
			dir = filepath.Join(dir, "Cache")
		}
	}
	return filepath.Join(dir, "virtualenvs")
}
