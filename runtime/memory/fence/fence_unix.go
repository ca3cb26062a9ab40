//go:build unix

package fence

import (
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

// fenced maps pages for more than n bytes, inner, between two that nobody may touch.
func fenced(t testing.TB, n int) (all, inner []byte) {
	page := os.Getpagesize()
	end := n/page*page + 2*page
	all, err := unix.Mmap(-1, 0, end+page, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	for _, fence := range [][]byte{all[:page], all[end:]} {
		if err := unix.Mprotect(fence, unix.PROT_NONE); err != nil {
			t.Fatal(err)
		}
	}
	return all, all[page:end:end]
}

func release(t testing.TB, all []byte) {
	if err := unix.Munmap(all); err != nil {
		t.Error(err)
	}
}
