package reads

// This file defines where files come from, and the disk.

import (
	"io/fs"
	"os"
	"path/filepath"
)

// An FS is where files come from: the disk, an editor's open buffers over it, a
// browser's memory, an archive. Paths are the operating system's; relative ones
// start at Getwd. Errors are those of package io/fs. An FS is safe for concurrent
// use.
type FS interface {
	ReadFile(path string) ([]byte, error)
	// Stat says what a path is after links are followed.
	Stat(path string) (fs.FileInfo, error)
	// ReadDir gives what is in a folder, in the order of names.
	ReadDir(path string) ([]fs.DirEntry, error)
	// EvalSymlinks gives the path without links; it must exist.
	EvalSymlinks(path string) (string, error)
	Abs(path string) (string, error)
	Getwd() (string, error)
}

// Or is f, or the disk where f is nil.
func Or(f FS) FS {
	if f == nil {
		return Disk{}
	}
	return f
}

// Disk is the file system of the operating system.
type Disk struct{}

func (Disk) ReadFile(path string) ([]byte, error)       { return os.ReadFile(path) }
func (Disk) Stat(path string) (fs.FileInfo, error)      { return os.Stat(path) }
func (Disk) ReadDir(path string) ([]fs.DirEntry, error) { return os.ReadDir(path) }
func (Disk) EvalSymlinks(path string) (string, error)   { return filepath.EvalSymlinks(path) }
func (Disk) Abs(path string) (string, error)            { return filepath.Abs(path) }
func (Disk) Getwd() (string, error)                     { return os.Getwd() }
