//go:build !linux

package memory

// This file is for systems on which files are not mapped.

import "os"

// MapFile gives nil: files are read here.
func MapFile(*os.File, int64) *Buffer { return nil }

// Forget does nothing: nothing is mapped.
func (*Buffer) Forget(int64, int64) {}

// Populate does nothing: nothing is mapped.
func (*Buffer) Populate(int64, int64) {}
