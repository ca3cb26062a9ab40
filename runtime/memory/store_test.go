package memory

import (
	"math/rand/v2"
	"testing"
)

func TestStoreGivesWhatNobodyUses(t *testing.T) {
	var s Store
	r := rand.New(rand.NewPCG(1, 1))
	type own struct {
		b    *Buffer
		mark byte
	}
	var live []own
	used, peak := int64(0), int64(0)
	for n := range 4000 {
		if len(live) > 0 && r.IntN(2) == 0 {
			k := r.IntN(len(live))
			x := live[k]
			for _, at := range []int{0, len(x.b.Bytes) / 2, len(x.b.Bytes) - 1} {
				if x.b.Bytes[at] != x.mark {
					t.Fatal("a buffer that is in use was given to somebody else")
				}
			}
			used -= int64(len(x.b.Bytes))
			s.Give(x.b)
			live[k] = live[len(live)-1]
			live = live[:len(live)-1]
			continue
		}
		size := int64(1 + r.IntN(1<<(5+r.IntN(17))))
		b, err := s.Take(size)
		if err != nil || int64(len(b.Bytes)) < size {
			t.Fatalf("%v, %d bytes instead of %d", err, len(b.Bytes), size)
		}
		x := own{b, byte(n)}
		for _, at := range []int{0, len(b.Bytes) / 2, len(b.Bytes) - 1} {
			b.Bytes[at] = x.mark
		}
		used += int64(len(b.Bytes))
		peak = max(peak, used)
		live = append(live, x)
		if s.Held() > peak+slack {
			t.Fatalf("%d bytes are held, %d were used at most", s.Held(), peak)
		}
	}
	for _, x := range live {
		s.Give(x.b)
	}
	if s.Free(); s.Held() != 0 {
		t.Errorf("%d bytes are held after Free", s.Held())
	}
}

func TestStoreReusesEqualSizes(t *testing.T) {
	var s Store
	a, err := s.Take(1000)
	if err != nil {
		t.Fatal(err)
	}
	p := &a.Bytes[0]
	s.Give(a)
	if b, err := s.Take(1000); err != nil || &b.Bytes[0] != p {
		t.Errorf("another buffer, %v", err)
	}
}

func TestPoisonFillsWhatIsFree(t *testing.T) {
	s := Store{Poison: true}
	for range 2 { // new memory, then used memory
		b, err := s.Take(100)
		if err != nil {
			t.Fatal(err)
		}
		for i, x := range b.Bytes {
			if x != 0xff {
				t.Fatalf("byte %d is %d", i, x)
			}
			b.Bytes[i] = 1
		}
		s.Give(b)
		if b.Bytes[50] != 0xff {
			t.Error("what was given back has its bytes")
		}
	}
}
