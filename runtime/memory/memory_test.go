package memory

import (
	"testing"
	"unsafe"
)

func TestBuffersAreAlignedZeroAndWritable(t *testing.T) {
	for _, n := range []int64{0, 1, 63, 64, 1000, apart - 1, apart, apart + 1, large - 1, large, large + 1, 5 << 20} {
		for _, make := range []func(int64) (*Buffer, error){Alloc, kept} {
			b, err := make(n)
			if err != nil {
				t.Fatal(err)
			}
			checkBuffer(t, b, n)
		}
	}
	for _, n := range []int64{-1, 1 << 62} {
		if _, err := Alloc(n); err == nil {
			t.Errorf("%d bytes are allocated", n)
		}
	}
}

func checkBuffer(t *testing.T, b *Buffer, n int64) {
	t.Helper()
	if int64(len(b.Bytes)) != n || int64(cap(b.Bytes)) != n {
		t.Errorf("%d bytes, capacity %d, instead of %d", len(b.Bytes), cap(b.Bytes), n)
	}
	if n > 0 && uintptr(unsafe.Pointer(&b.Bytes[0]))%Align != 0 {
		t.Errorf("%d bytes at %p", n, &b.Bytes[0])
	}
	for i := range b.Bytes {
		if b.Bytes[i] != 0 {
			t.Fatalf("byte %d of %d is %d", i, n, b.Bytes[i])
		}
		b.Bytes[i] = 1
	}
	b.Free()
	b.Free()
	if b.Bytes != nil {
		t.Error("a freed buffer has bytes")
	}
}

func TestBudgetIsKept(t *testing.T) {
	b := Budget{Limit: 100}
	for range 3 {
		taken := int64(0)
		for b.Take(30) {
			if taken += 30; b.Used() != taken {
				t.Errorf("%d are used, %d were taken", b.Used(), taken)
			}
		}
		if taken != 90 {
			t.Errorf("%d of 100 were taken by 30", taken)
		}
		b.Give(taken)
	}
	if b.Used() != 0 || b.Peak() != 90 {
		t.Errorf("used %d, peak %d", b.Used(), b.Peak())
	}
	if b.Take(-1) || b.Take(101) || b.Take(1<<63-1) || !b.Take(100) || b.Take(1) {
		t.Error("the limit is not kept")
	}
}
