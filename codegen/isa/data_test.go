package isa

import (
	"bytes"
	"crypto/sha256"
	"io"
	"math/rand/v2"
	"testing"
)

func TestADataIsItsPiecesAndZeros(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 50 {
		var d Data
		var want []byte
		for range r.IntN(6) {
			b := make([]byte, 1+r.IntN(200))
			for i := range b {
				b[i] = byte(r.UintN(256))
			}
			at := d.Add(b)
			if at%segmentAlign != 0 || at < int64(len(want)) {
				t.Fatalf("a piece is at %d behind %d bytes", at, len(want))
			}
			want = append(append(want, make([]byte, at-int64(len(want)))...), b...)
		}
		got, err := io.ReadAll(d.Reader())
		if err != nil || !bytes.Equal(got, want) || d.Length != int64(len(want)) {
			t.Fatalf("%d bytes are read of %d, %v", len(got), len(want), err)
		}
		if sum, err := d.Sum(); err != nil || [32]byte(sum) != sha256.Sum256(want) {
			t.Errorf("the sum is another one, %v", err)
		}
		for range 100 {
			lo := r.Int64N(d.Length + 1)
			n := r.Int64N(d.Length - lo + 1)
			if !bytes.Equal(d.Slice(lo, n), want[lo:lo+n]) {
				t.Fatalf("%d bytes at %d differ", n, lo)
			}
		}
		for _, p := range d.Pieces {
			if x := d.Slice(p.Offset+1, int64(len(p.Bytes))-1); len(x) > 0 && &x[0] != &p.Bytes[1] {
				t.Error("a part of a piece is copied")
			}
		}
		for _, bad := range [][2]int64{{-1, 1}, {0, -1}, {0, d.Length + 1}, {d.Length, 1}, {1, 1<<63 - 1}} {
			if d.Slice(bad[0], bad[1]) != nil {
				t.Errorf("%d bytes at %d of %d are there", bad[1], bad[0], d.Length)
			}
		}
	}
}
