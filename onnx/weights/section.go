package weights

// This file reads elements in pieces: a run of a file as it is, and arrays whose
// elements lie in another order than that of their indices.

import (
	"errors"
	"fmt"
	"io"
	"math/bits"
	"slices"

	"shapecheck/internal/inorder"
)

// pieceSize is the size of the pieces in which elements are copied.
const pieceSize = 1 << 20

// slabSize is the memory in which elements are put in order. A variable for the
// tests.
var slabSize int64 = 32 << 20

// copyRun writes n bytes at off.
func copyRun(w io.Writer, r io.ReaderAt, off, n int64) (int64, error) {
	return copyStream(w, io.NewSectionReader(r, off, n), n, nil)
}

// copyStream writes n bytes that r gives, after alter has changed them; nil: as they are. alter gets whole
// elements: pieceSize is a multiple of the size of each type.
func copyStream(w io.Writer, r io.Reader, n int64, alter alteration) (int64, error) {
	done := int64(0)
	buf := make([]byte, min(n, pieceSize))
	for done < n {
		b := buf[:min(n-done, int64(len(buf)))]
		if _, err := io.ReadFull(r, b); err != nil {
			return done, unexpected(err)
		}
		if alter != nil {
			alter(b)
		}
		k, err := w.Write(b)
		if done += int64(k); err != nil {
			return done, err
		}
	}
	return done, nil
}

// readAt fills b.
func readAt(r io.ReaderAt, b []byte, off int64) (int, error) {
	n, err := r.ReadAt(b, off)
	if n == len(b) {
		return n, nil
	}
	if err == io.EOF || err == nil {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

// A layout says where the elements of an array are: element (i, j, …) is at off
// + i·strides[0] + j·strides[1] + …, in elements of elem bytes.
type layout struct {
	dims, strides []int64
	off           int64
	elem          int64
	alter         alteration // what makes the elements of those of the file; nil: they are the same
}

// check reports whether all elements are among the first n.
func (l *layout) check(n int64) error {
	if len(l.strides) != len(l.dims) {
		return fmt.Errorf("%d strides for %d dimensions", len(l.strides), len(l.dims))
	}
	if l.off < 0 {
		return errors.New("a negative offset")
	}
	last, empty := uint64(l.off), false
	for i, d := range l.dims {
		s := l.strides[i]
		if d < 0 || s < 0 {
			return errors.New("a negative dimension or stride")
		}
		if d == 0 {
			empty = true
			continue
		}
		hi, lo := bits.Mul64(uint64(d-1), uint64(s))
		sum, carry := bits.Add64(last, lo, 0)
		if hi != 0 || carry != 0 {
			return errors.New("strides beyond the storage")
		}
		last = sum
	}
	if !empty && last >= uint64(n) {
		return fmt.Errorf("element %d of a storage of %d", last, n)
	}
	return nil
}

// contiguous reports whether the elements are in row-major order.
func (l *layout) contiguous() bool {
	want := int64(1)
	for i := len(l.dims) - 1; i >= 0; i-- {
		if l.dims[i] != 1 && l.strides[i] != want {
			return slices.Contains(l.dims, 0)
		}
		want *= l.dims[i]
	}
	return true
}

// fortran gives the strides of the column-major order.
func fortran(dims []int64) []int64 {
	strides, n := make([]int64, len(dims)), int64(1)
	for i, d := range dims {
		strides[i] = n
		n *= d
	}
	return strides
}

// writeTo writes the elements in row-major order; base is where the storage
// starts in r.
func (l *layout) writeTo(w io.Writer, r io.ReaderAt, base int64) (int64, error) {
	n := l.elem
	for _, d := range l.dims {
		n *= d
	}
	if l.contiguous() {
		return copyStream(w, io.NewSectionReader(r, base+l.off*l.elem, n), n, l.alter)
	}
	g := gather{w: w, r: r, base: base, elem: l.elem, alter: l.alter}
	err := g.slabs(l.dims, l.strides, l.off)
	return g.done, err
}

// A gather puts elements in order, one slab of the result after the other.
type gather struct {
	w     io.Writer
	r     io.ReaderAt
	base  int64
	elem  int64
	alter alteration
	done  int64
	slab  []byte
	run   []byte
}

// slabs splits an array at its first dimension until a part fits in a slab.
func (g *gather) slabs(dims, strides []int64, off int64) error {
	row := g.elem
	for _, d := range dims[min(1, len(dims)):] {
		row *= d
	}
	if len(dims) > 0 && row > slabSize {
		for i := range dims[0] {
			if err := g.slabs(dims[1:], strides[1:], off+i*strides[0]); err != nil {
				return err
			}
		}
		return nil
	}
	if len(dims) == 0 {
		return g.write(nil, nil, off)
	}
	step := max(1, slabSize/max(row, 1))
	for i := int64(0); i < dims[0]; i += step {
		part := slices.Clone(dims)
		part[0] = min(step, dims[0]-i)
		if err := g.write(part, strides, off+i*strides[0]); err != nil {
			return err
		}
	}
	return nil
}

// An axis is a dimension of a slab: its size, its step in the storage and its
// step in the slab, in elements.
type axis struct{ n, from, to int64 }

// write reads one slab, in ascending order of the storage, and writes it.
func (g *gather) write(dims, strides []int64, off int64) error {
	axes := make([]axis, len(dims))
	n := int64(1)
	for i := len(dims) - 1; i >= 0; i-- {
		axes[i] = axis{dims[i], strides[i], n}
		n *= dims[i]
	}
	if int64(len(g.slab)) < n*g.elem {
		g.slab = make([]byte, n*g.elem)
	}
	// The innermost of the loops is over the smallest step: a run of the storage.
	inorder.StableBy(axes, func(a, b axis) int {
		if a.from == b.from {
			return 0
		}
		if a.from > b.from {
			return -1
		}
		return 1
	})
	if err := g.fill(axes, off, 0); err != nil {
		return err
	}
	if g.alter != nil {
		g.alter(g.slab[:n*g.elem])
	}
	k, err := g.w.Write(g.slab[:n*g.elem])
	g.done += int64(k)
	return err
}

// fill gathers elements with strides, in reads of at most pieceSize bytes: what spans less is
// read at once and scattered, otherwise the outermost axis is split.
func (g *gather) fill(axes []axis, from, to int64) error {
	span := int64(1)
	for _, a := range axes {
		span += (a.n - 1) * a.from
	}
	if span*g.elem <= pieceSize { // a part of the storage that is read at once
		if int64(len(g.run)) < span*g.elem {
			g.run = make([]byte, pieceSize)
		}
		if _, err := readAt(g.r, g.run[:span*g.elem], g.base+from*g.elem); err != nil {
			return err
		}
		g.scatter(axes, 0, to)
		return nil
	}
	a := axes[0]
	if len(axes) == 1 && a.from*g.elem < pieceSize { // in pieces of many elements
		k := pieceSize / (a.from * g.elem)
		for i := int64(0); i < a.n; i += k {
			if err := g.fill([]axis{{min(k, a.n-i), a.from, a.to}}, from+i*a.from, to+i*a.to); err != nil {
				return err
			}
		}
		return nil
	}
	for i := range a.n {
		if err := g.fill(axes[1:], from+i*a.from, to+i*a.to); err != nil {
			return err
		}
	}
	return nil
}

// scatter puts what was read into its places.
func (g *gather) scatter(axes []axis, from, to int64) {
	if len(axes) == 0 {
		copy(g.slab[to*g.elem:(to+1)*g.elem], g.run[from*g.elem:(from+1)*g.elem])
		return
	}
	a := axes[0]
	if len(axes) == 1 {
		for range a.n {
			copy(g.slab[to*g.elem:(to+1)*g.elem], g.run[from*g.elem:])
			from, to = from+a.from, to+a.to
		}
		return
	}
	for i := range a.n {
		g.scatter(axes[1:], from+i*a.from, to+i*a.to)
	}
}
