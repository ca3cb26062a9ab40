// Package fence gives tests memory that lies against pages which nobody may touch: a read or a write outside of it
// ends the test with a fault, also one whose result would have been thrown away.
package fence

import (
	"bytes"
	"testing"
	"unsafe"
)

// A Side says which end of the memory lies against a fence.
type Side bool

const (
	After  Side = false // an address behind the last byte faults
	Before Side = true  // an address before the first byte faults
)

// A Memory hands out pieces that lie against fences on one side.
type Memory struct {
	t     testing.TB
	side  Side
	all   [][]byte // what the system gave
	other [][]byte // what lies on the sides without a fence
}

// New makes a Memory, whose pieces are gone when the test ends or at Free.
func New(t testing.TB, side Side) *Memory {
	m := &Memory{t: t, side: side}
	t.Cleanup(m.Free)
	return m
}

// Bytes gives n bytes, of which all bits are set. Their fenced end is that of a page; nothing else about their address is promised.
func (m *Memory) Bytes(n int) []byte {
	all, inner := fenced(m.t, n)
	for i := range inner {
		inner[i] = 0xff
	}
	m.all = append(m.all, all)
	rest := len(inner) - n
	if m.side == Before {
		m.other = append(m.other, inner[n:])
		return inner[:n:n]
	}
	m.other = append(m.other, inner[:rest])
	return inner[rest:]
}

// Floats gives n elements, which are NaN.
func (m *Memory) Floats(n int) []float32 {
	b := m.Bytes(4 * n)
	return unsafe.Slice((*float32)(unsafe.Pointer(unsafe.SliceData(b))), n)
}

// Whole reports whether what lies on the sides without a fence is as it was.
func (m *Memory) Whole() bool {
	for _, b := range m.other {
		if len(bytes.TrimLeft(b, "\xff")) != 0 {
			return false
		}
	}
	return true
}

// Free gives all pieces back.
func (m *Memory) Free() {
	for _, b := range m.all {
		release(m.t, b)
	}
	m.all, m.other = nil, nil
}
