package memory

import (
	"errors"
	"math"
	"testing"
)

// limited sets the limit for a test, so many bytes above what is in use.
func limited(t *testing.T, more int64) {
	t.Helper()
	before := SetLimit(1 << 50)
	SetLimit(Used() + more)
	t.Cleanup(func() { SetLimit(before) })
}

func TestMemoryOfTheProcessIsBounded(t *testing.T) {
	limited(t, 256<<20)
	var full *FullError
	for _, n := range []int64{-1, math.MaxInt64, math.MinInt64, 1 << 47, 1 << 40, 257 << 20} {
		if err := Ask(n); !errors.As(err, &full) || full.Bytes != n {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
	if err := Ask(1 << 20); err != nil {
		t.Error(err)
	}
	a, err := Alloc(150 << 20)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Alloc(150 << 20); !errors.As(err, &full) {
		t.Errorf("twice 150 MB of 256: %v", err)
	}
	a.Free()
	for range 20 {
		b, err := Alloc(150 << 20)
		if err != nil {
			t.Fatal("what was given back is gone: ", err)
		}
		b.Free()
	}
}

var sink []byte

func TestGarbageMakesRoom(t *testing.T) {
	limited(t, 256<<20)
	for range 20 { // a tenth of that is more than the limit
		if err := Ask(100 << 20); err != nil {
			t.Fatal(err)
		}
		sink = make([]byte, 100<<20)
	}
	sink = nil
	var keep [][]byte
	for len(keep) < 1000 && Ask(1<<20) == nil {
		keep = append(keep, make([]byte, 1<<20))
	}
	if n := len(keep); n < 150 || n > 260 {
		t.Errorf("%d MB of 256 were given", n)
	}
}

func TestIdleMemoryMakesRoom(t *testing.T) {
	limited(t, 256<<20)
	var s Store
	var list []*Buffer
	for range 4 {
		b, err := s.Take(50 << 20)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, b)
	}
	for _, b := range list {
		s.Give(b)
	}
	b, err := s.Take(180 << 20)
	if err != nil {
		t.Fatal(err)
	}
	s.Give(b)
	s.Free()
	var z Slabs
	x, err1 := z.Take(100 << 20)
	y, err2 := z.Take(90 << 20)
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	z.Give(x)
	z.Give(y)
	if x, err1 = z.Take(200 << 20); err1 != nil {
		t.Fatal(err1)
	}
	x.Free()
}

func TestNoLimitIsNone(t *testing.T) {
	defer SetLimit(SetLimit(0))
	if Limit() != 0 {
		t.Error(Limit())
	}
	if err := errors.Join(Ask(1<<46), Ask(1<<46)); err != nil {
		t.Error(err)
	}
	if Ask(1<<48) == nil {
		t.Error("more than there are addresses")
	}
}

func TestAskingTakesNoTime(t *testing.T) {
	limited(t, 1<<40)
	if n := testing.AllocsPerRun(1000, func() {
		if err := Ask(1 << 20); err != nil {
			t.Fatal(err)
		}
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkAsk(b *testing.B) {
	for b.Loop() {
		if err := Ask(1 << 16); err != nil {
			b.Fatal(err)
		}
	}
}
