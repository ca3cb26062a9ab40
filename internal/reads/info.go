package reads

// This file describes files that are on no disk.

import (
	"io/fs"
	"time"
)

// FileInfo describes a file that has no time of change: it is in memory, or in a commit.
func FileInfo(name string, size int64, mode fs.FileMode) fs.FileInfo { return info{name, size, mode} }

type info struct {
	name string
	size int64
	mode fs.FileMode
}

func (i info) Name() string       { return i.name }
func (i info) Size() int64        { return i.size }
func (i info) Mode() fs.FileMode  { return i.mode }
func (i info) ModTime() time.Time { return time.Time{} }
func (i info) IsDir() bool        { return i.mode.IsDir() }
func (i info) Sys() any           { return nil }
