package initial

// This file gives the elements of large tensors when a file is written.

import (
	"fmt"
	"io"

	"shapecheck/infer/graph"
	"shapecheck/lower"
	"shapecheck/onnx"
	"shapecheck/onnx/eval"
)

// chunk is the number of elements that are made at a time.
const chunk = 1 << 13

// A stream draws elements one after the other.
type stream struct {
	fill  *filling
	dtype onnx.DType
	n     int64
	size  int64
}

func (s *stream) Size() int64 { return s.size }

// WriteTo draws the elements and writes them. It returns an error if the type cannot be written, and that of w.
func (s *stream) WriteTo(w io.Writer) (int64, error) {
	r := s.fill.d.random(s.fill.node)
	part := &eval.Tensor{DType: onnx.Double, F: make([]float64, min(s.n, chunk))}
	var buf []byte
	total := int64(0)
	for at := int64(0); at < s.n; at += chunk {
		k := min(chunk, s.n-at)
		part.F = part.F[:k]
		for i := range part.F {
			part.F[i] = s.fill.next(r, at+int64(i))
		}
		var err error
		if buf, err = part.Cast(s.dtype).AppendRaw(buf[:0], 0, int(k)); err != nil {
			return total, err
		}
		m, err := w.Write(buf)
		total += int64(m)
		if err != nil {
			return total, err
		}
	}
	return total, nil
}

// A lazy tensor is computed again.
type lazy struct {
	d    *Drawer
	v    *graph.Value
	plan []int
	size int64
}

func (l *lazy) Size() int64 { return l.size }

// WriteTo computes the value again and writes it. It returns an error if that fails or gives another number of bytes
// than Size, and that of w.
func (l *lazy) WriteTo(w io.Writer) (int64, error) {
	t, err := l.d.run(l.v, l.plan)
	if err != nil {
		return 0, err
	}
	var buf []byte
	total := int64(0)
	for at := 0; at < t.Len(); at += chunk {
		if buf, err = t.AppendRaw(buf[:0], at, min(at+chunk, t.Len())); err != nil {
			return total, err
		}
		m, err := w.Write(buf)
		total += int64(m)
		if err != nil {
			return total, err
		}
	}
	if total != l.size {
		return total, fmt.Errorf("%d bytes were made instead of %d", total, l.size)
	}
	return total, nil
}

// stream finds a value all of whose elements one node draws, each for itself.
func (d *Drawer) stream(v *graph.Value, plan []int) (*filling, bool, error) {
	root := d.root(v)
	if !d.coversRoot(v, root) {
		return nil, false, nil
	}
	list := d.writers[root]
	if len(list) == 0 {
		return nil, false, nil
	}
	i := list[len(list)-1]
	n := d.nodes[i]
	if len(plan) == 0 || !d.overwrites(n, root) {
		return nil, false, nil
	}
	dims, dt, err := typeOf(root)
	if err != nil {
		return nil, false, err
	}
	if _, vt, err := typeOf(v); err != nil || vt != dt {
		return nil, false, err
	}
	var f *filling
	if kind, ok := isInit(n); ok {
		if fills[kind] == nil {
			return nil, false, nil
		}
		f, err = d.initFill(n, kind, i, dims)
	} else if native[n.Op] != nil {
		f, _, _, err = d.nativeFill(n, i, native[n.Op])
	}
	if err != nil {
		return nil, false, &lower.Error{At: n.At, Reason: err.Error()}
	}
	return f, f != nil && f.next != nil, nil
}
