package ir

// This file holds constants: their elements, each content once, and the values that stand
// for them.

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash/maphash"
	"slices"

	"shapecheck/onnx"
	"shapecheck/onnx/inference"
	"shapecheck/symshape"
)

// A content is what equal constants have in common. The seed of its sum differs from process to
// process, so that nobody can make many constants whose sums are equal.
type content struct {
	elem  onnx.DType
	bytes int
	sum   uint64
}

// Add puts a tensor into the store, or finds the constant with the same content. The
// elements must be in the message; they are kept as raw data and must not change. It returns an error if they are in
// another file, are strings, or are not as many as the dimensions say.
func (s *Store) Add(t *onnx.Tensor) (*Const, error) {
	raw, err := t.RawData()
	if err != nil {
		return nil, err
	}
	if s.contents == nil {
		s.contents, s.seed = map[content][]*Const{}, maphash.MakeSeed()
	}
	key := content{t.DType, len(raw), maphash.Bytes(s.seed, raw)}
	for _, c := range s.contents[key] {
		if slices.Equal(c.Tensor.Dims, t.Dims) && bytes.Equal(c.Tensor.Raw, raw) {
			return c, nil
		}
	}
	c := &Const{Bytes: int64(len(raw)), ID: int32(len(s.List)), Tensor: &onnx.Tensor{DType: t.DType, Dims: t.Dims, Raw: raw, HasRaw: true}}
	s.List = append(s.List, c)
	s.contents[key] = append(s.contents[key], c)
	s.Bytes += c.Bytes
	return c, nil
}

// Sum names a constant's content in texts: the SHA-256 of element type, dimensions and elements.
func (c *Const) Sum() [32]byte {
	h := sha256.New()
	var head []byte
	head = binary.AppendVarint(head, int64(c.Tensor.DType))
	head = binary.AppendVarint(head, int64(len(c.Tensor.Dims)))
	for _, n := range c.Tensor.Dims {
		head = binary.AppendVarint(head, n)
	}
	h.Write(head)
	h.Write(c.Tensor.Raw)
	return [32]byte(h.Sum(nil))
}

// maxElems bounds how many elements of an integer constant are kept as expressions: more
// are no sizes, axes or paddings.
const maxElems = 1024

// AddConst makes a value of a constant. It fails where Store.Add does; the error names the constant.
func (m *Module) AddConst(name string, t *onnx.Tensor) (*Value, error) {
	c, err := m.Consts.Add(t)
	if err != nil {
		if name != "" {
			err = fmt.Errorf("constant %q: %w", name, err)
		}
		return nil, err
	}
	v := m.value(m.ConstType(c))
	v.Name, v.Const = name, c
	v.Elems = m.elems(c)
	return v, nil
}

// ConstType is the type of a constant.
func (m *Module) ConstType(c *Const) inference.Type {
	t := inference.Type{Kind: onnx.TensorType, Elem: c.Tensor.DType, Ranked: true}
	for _, d := range c.Tensor.Dims {
		t.Dims = append(t.Dims, m.Pool.Const(d))
	}
	return t
}

// elems are the elements of a constant as sizes, if it is a vector or a number of integers with
// at most maxElems elements: it may be an operand of Reshape. nil for others.
func (m *Module) elems(c *Const) []*symshape.Expr {
	switch c.Tensor.DType {
	case onnx.Int64, onnx.Int32:
	default:
		return nil
	}
	if n, err := c.Tensor.Count(); err != nil || n > maxElems || len(c.Tensor.Dims) > 1 {
		return nil
	}
	list, err := c.Tensor.Ints()
	if err != nil {
		return nil
	}
	out := make([]*symshape.Expr, len(list))
	for i, x := range list {
		out[i] = m.Pool.Const(x)
	}
	return out
}
