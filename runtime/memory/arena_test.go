package memory

import (
	"math/rand/v2"
	"testing"
	"unsafe"
)

func TestArenasGiveMemoryThatNobodyElseHas(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 20 {
		var a Arena
		var list [][]byte
		asked := int64(0)
		for k := range 200 {
			n := int64(1) << r.IntN(21)
			n = r.Int64N(n + 1)
			b, err := a.Take(n)
			if err != nil || int64(len(b)) != n || int64(cap(b)) != n {
				t.Fatalf("%d bytes, capacity %d, instead of %d, %v", len(b), cap(b), n, err)
			}
			if n > 0 && uintptr(unsafe.Pointer(&b[0]))%Align != 0 {
				t.Fatalf("%d bytes at %p", n, &b[0])
			}
			for i := range b {
				if b[i] != 0 {
					t.Fatal("the memory is not zero")
				}
				b[i] = byte(k + 1)
			}
			list, asked = append(list, b), asked+n
		}
		for k, b := range list {
			for i := range b {
				if b[i] != byte(k+1) {
					t.Fatal("somebody else has the memory, too")
				}
			}
		}
		if a.total > 3*asked+firstChunk {
			t.Errorf("%d bytes are taken for %d", a.total, asked)
		}
		if a.Free(); a.total != 0 || len(a.chunks) != 0 {
			t.Error("memory is left after Free")
		}
	}
	var a Arena
	for _, n := range []int64{-1, 1 << 62, 1<<63 - 1} {
		if _, err := a.Take(n); err == nil {
			t.Errorf("%d bytes are taken", n)
		}
	}
}
