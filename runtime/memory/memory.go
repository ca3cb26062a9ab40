// Package memory allocates the memory of programs: large buffers outside of Go's heap, in huge
// pages where the system has them. It bounds the memory of the process, and counts that of runs.
//
// What lives for long lies outside of Go's heap because the heap grows to twice of what is alive before it is collected.
//
//	memory.go  Alloc, Buffer, Budget     map_*.go  pages of the system     file_*.go  files in memory
//	limit.go   Ask, SetLimit: the limit of the process     limit_*.go  its default, by what the system has
//	store.go   buffers that are used again    arena.go  what is given back all at once
//	plan.go    where values lie whose lives are known
package memory

import (
	"math"
	"unsafe"
)

// Align is the alignment of all buffers.
const Align = 64

// large is the size from which a buffer is mapped: below it Go's heap is as good.
const large = 1 << 20

// largest is the size of the largest buffer: addresses have no more bits.
const largest = 1 << 47

// A Buffer is memory that Free gives back. It is zero at first.
type Buffer struct {
	Bytes  []byte
	mapped []byte // what the system gave; nil: Go's heap
	file   bool   // it is a file's, of which the system can take pages back
}

// Alloc makes a buffer of n bytes. The error is a *FullError: the process may not have as much, or the system has no more.
func Alloc(n int64) (*Buffer, error) {
	if int64(int(n)) != n {
		return nil, &FullError{Bytes: n, Limit: math.MaxInt}
	}
	if err := Ask(n); err != nil {
		return nil, err
	}
	if n >= large && maps {
		if b := mapped(n); b != nil {
			return b, nil
		}
		return nil, &FullError{Bytes: n, Used: Used(), Limit: Limit()} // Go's heap would end the process
	}
	b := make([]byte, n+Align-1)
	skip := int(-uintptr(unsafe.Pointer(unsafe.SliceData(b))) & (Align - 1))
	return &Buffer{Bytes: b[skip : skip+int(n) : skip+int(n)]}, nil
}

// apart is the size from which kept is mapped.
const apart = 64 << 10

// kept makes a buffer for what is there for long: in Go's heap it would count as what is alive, of which the heap grows to twice as much
// before it is collected.
func kept(n int64) (*Buffer, error) {
	if n >= apart && n < large && maps {
		if err := Ask(n); err != nil {
			return nil, err
		}
		if m := mapSmall(int(n)); m != nil {
			process.mapped.Add(n)
			return &Buffer{Bytes: m[:n:n], mapped: m}, nil
		}
	}
	return Alloc(n)
}

// mapped makes a buffer of the system's pages; nil: it has none.
func mapped(n int64) *Buffer {
	m := mapPages(int(n))
	if m == nil {
		return nil
	}
	process.mapped.Add(n)
	skip := int(-uintptr(unsafe.Pointer(unsafe.SliceData(m))) & (hugePage - 1))
	return &Buffer{Bytes: m[skip : skip+int(n) : skip+int(n)], mapped: m}
}

// Free gives the memory back. Nobody may use it afterwards. It may be called twice.
func (b *Buffer) Free() {
	if b.mapped != nil {
		unmapPages(b.mapped)
		if !b.file {
			process.mapped.Add(-int64(len(b.Bytes)))
		}
	}
	b.Bytes, b.mapped = nil, nil
}

// hugePage is the size of a huge page, to which mapped buffers are aligned.
const hugePage = 2 << 20

// A Budget counts the values of one run, on whose goroutine it counts, and bounds them. The zero Budget counts without a bound.
type Budget struct {
	Limit      int64 // bytes; 0: none
	used, peak int64
}

// Take counts n bytes, or reports false and counts nothing when they are more than is left.
func (b *Budget) Take(n int64) bool {
	used := b.used + n
	if n < 0 || used < b.used || b.Limit > 0 && used > b.Limit {
		return false
	}
	b.used, b.peak = used, max(b.peak, used)
	return true
}

// Give counts n bytes back.
func (b *Budget) Give(n int64) { b.used -= n }

// Used is what is counted now, Peak the most that was.
func (b *Budget) Used() int64 { return b.used }

// Peak is the most that was counted at one time.
func (b *Budget) Peak() int64 { return b.peak }
