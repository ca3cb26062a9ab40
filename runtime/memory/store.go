package memory

import (
	"cmp"
	"slices"
	"sync"
)

// A Store keeps buffers that were given back for those who ask for about as much: new memory is
// zeroed page by page, which takes longer than most operations on it. It is safe for concurrent use; the
// zero Store is empty.
type Store struct {
	// Poison fills buffers when they are taken and when they are given back.
	Poison bool
	mu     sync.Mutex
	idle   []*Buffer // by size
	// held is what buffers have together, idle or not, used what those have that are not idle, and peak the
	// most of it.
	held, used, peak int64
}

// slack is what a store may hold above its peak before it gives idle buffers back.
const slack = 16 << 20

// Take gives a buffer of at least n bytes; what is in it is not defined. Its Bytes have all that it holds. The error is
// that of Alloc, once all idle buffers were given back in vain.
func (s *Store) Take(n int64) (*Buffer, error) {
	b, err := s.take(n)
	if err == nil && s.Poison {
		Poison(b.Bytes)
	}
	return b, err
}

// take gives an idle buffer that is not more than a quarter larger than asked, or a new one.
// Before that idle ones are freed as long as the store would hold more than its peak use and some
// slack. It returns an error if there is no memory even after all idle ones were freed.
func (s *Store) take(n int64) (*Buffer, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n = (max(n, 1) + Align - 1) / Align * Align
	k, _ := slices.BinarySearchFunc(s.idle, n, func(b *Buffer, n int64) int { return int(b.size() - n) })
	if k < len(s.idle) && s.idle[k].size() <= n+n/4+4096 {
		b := s.idle[k]
		s.idle = slices.Delete(s.idle, k, k+1)
		s.use(b.size())
		return b, nil
	}
	for len(s.idle) > 0 && s.held+n > max(s.peak, s.used+n)+slack {
		s.freeLast()
	}
	b, err := Alloc(n)
	for err != nil && len(s.idle) > 0 { // what nobody uses makes room
		s.freeLast()
		b, err = Alloc(n)
	}
	if err != nil {
		return nil, err
	}
	s.held += b.size()
	s.use(b.size())
	return b, nil
}

// freeLast gives the largest idle buffer back to the system.
func (s *Store) freeLast() {
	last := len(s.idle) - 1
	s.held -= s.idle[last].size()
	s.idle[last].Free()
	s.idle = s.idle[:last]
}

// Poison fills memory whose contents are not defined with what changes any result that they get into: all
// bits are set, which is NaN in every floating-point type and −1 or the largest of the integers.
func Poison(b []byte) {
	for i := range b {
		b[i] = 0xff
	}
}

func (s *Store) use(n int64) {
	s.used += n
	s.peak = max(s.peak, s.used)
}

// Give takes a buffer back that Take gave. Nobody may use it afterwards.
func (s *Store) Give(b *Buffer) {
	if s.Poison {
		Poison(b.Bytes)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.used -= b.size()
	k, _ := slices.BinarySearchFunc(s.idle, b.size(), func(x *Buffer, n int64) int { return int(x.size() - n) })
	s.idle = slices.Insert(s.idle, k, b)
}

// Free gives all idle buffers back to the system.
func (s *Store) Free() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, b := range s.idle {
		s.held -= b.size()
		b.Free()
	}
	s.idle = nil
}

// Held is the bytes of all buffers that were taken and not given back to the system.
func (s *Store) Held() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.held
}

func (b *Buffer) size() int64 { return int64(len(b.Bytes)) }

// Slabs keeps buffers of which each user has one. It is safe for concurrent use; the zero Slabs is empty.
type Slabs struct {
	mu   sync.Mutex
	idle []*Buffer // by size
}

// Take gives a buffer of at least n bytes, the smallest that suits; what is in it is not defined. Where none suits the largest one is
// given back to the system: so there are never more than were in use at one time. An error says that the system has no more memory.
func (s *Slabs) Take(n int64) (*Buffer, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	k, _ := slices.BinarySearchFunc(s.idle, n, func(b *Buffer, n int64) int { return cmp.Compare(b.size(), n) })
	if k < len(s.idle) {
		b := s.idle[k]
		s.idle = slices.Delete(s.idle, k, k+1)
		return b, nil
	}
	if last := len(s.idle) - 1; last >= 0 {
		s.idle[last].Free()
		s.idle = s.idle[:last]
	}
	b, err := kept(n)
	for err != nil && len(s.idle) > 0 {
		s.idle[0].Free()
		s.idle = s.idle[1:]
		b, err = kept(n)
	}
	return b, err
}

// Give takes a buffer back that Take gave. Nobody may use it afterwards.
func (s *Slabs) Give(b *Buffer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	k, _ := slices.BinarySearchFunc(s.idle, b.size(), func(x *Buffer, n int64) int { return cmp.Compare(x.size(), n) })
	s.idle = slices.Insert(s.idle, k, b)
}

// Free gives all idle buffers back to the system.
func (s *Slabs) Free() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, b := range s.idle {
		b.Free()
	}
	s.idle = nil
}

// Held is the bytes of idle buffers.
func (s *Slabs) Held() (n int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, b := range s.idle {
		n += b.size()
	}
	return n
}
