package memory

// This file maps files.

import (
	"os"

	"golang.org/x/sys/unix"
)

// MapFile maps the first n bytes of a file; nil: that is not possible. What is written there stays the process's own.
// A file that somebody makes shorter meanwhile ends the process: this is for files that nobody else may write.
func MapFile(f *os.File, n int64) *Buffer {
	if n <= 0 || int64(int(n)) != n {
		return nil
	}
	m, err := unix.Mmap(int(f.Fd()), 0, int(n), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE)
	if err != nil {
		return nil
	}
	return &Buffer{Bytes: m, mapped: m, file: true}
}

// Forget lets the pages of a part of a mapped file go, which come again when they are touched.
func (b *Buffer) Forget(from, n int64) {
	page := int64(os.Getpagesize())
	first, end := (from+page-1)/page*page, (from+n)/page*page
	if first < end && end <= int64(len(b.mapped)) {
		_ = unix.Madvise(b.mapped[first:end], unix.MADV_DONTNEED) // only less memory
	}
}

// Populate brings the pages of a part of a mapped file into the process at once; otherwise each comes when it is touched.
func (b *Buffer) Populate(from, n int64) {
	page := int64(os.Getpagesize())
	first := from / page * page
	if end := min(from+n, int64(len(b.mapped))); first < end {
		_ = unix.Madvise(b.mapped[first:end], unix.MADV_POPULATE_READ) // only faster
	}
}
