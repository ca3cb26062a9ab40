package memory

import "golang.org/x/sys/unix"

// maps says that mapPages may succeed.
const maps = true

// mapPages maps n bytes and what it takes to align them, and asks for huge pages; nil: not possible.
func mapPages(n int) []byte {
	m, err := unix.Mmap(-1, 0, n+hugePage, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		return nil
	}
	_ = unix.Madvise(m, unix.MADV_HUGEPAGE) // only faster: without it pages are small
	return m
}

// mapSmall maps n bytes of ordinary pages; nil: not possible.
func mapSmall(n int) []byte {
	m, err := unix.Mmap(-1, 0, n, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		return nil
	}
	return m
}

func unmapPages(m []byte) {
	if err := unix.Munmap(m); err != nil {
		panic("memory: " + err.Error()) // m is not what mapPages gave
	}
}

// mayMap reports whether the system would map n bytes more: the address space may be limited, where memory that was
// given back still counts, and Go's heap ends the process when it cannot grow.
func mayMap(n int64) bool {
	if int64(int(n)) != n {
		return false
	}
	m, err := unix.Mmap(-1, 0, int(n), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		return false
	}
	unmapPages(m)
	return true
}
