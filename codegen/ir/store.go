package ir

// This file holds constants: their elements, each content once, and the values that stand
// for them.

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"

	"shapecheck/internal/onnx"
	"shapecheck/internal/onnx/inference"
	"shapecheck/symshape"
)

// Hash names a constant's content: the SHA-256 of element type, dimensions and elements.
func Hash(d onnx.DType, dims []int64, raw []byte) [32]byte {
	h := sha256.New()
	var head []byte
	head = binary.AppendVarint(head, int64(d))
	head = binary.AppendVarint(head, int64(len(dims)))
	for _, n := range dims {
		head = binary.AppendVarint(head, n)
	}
	h.Write(head)
	h.Write(raw)
	return [32]byte(h.Sum(nil))
}

// Add puts a tensor into the store, or finds the constant with the same content. The
// elements must be in the message; they are kept as raw data and must not change.
func (s *Store) Add(t *onnx.Tensor) (*Const, error) {
	raw, err := t.RawData()
	if err != nil {
		return nil, err
	}
	key := Hash(t.DType, t.Dims, raw)
	if c := s.ByHash[key]; c != nil {
		return c, nil
	}
	c := &Const{
		Hash: key, Bytes: int64(len(raw)), ID: int32(len(s.List)),
		Tensor: &onnx.Tensor{DType: t.DType, Dims: t.Dims, Raw: raw, HasRaw: true},
	}
	s.List = append(s.List, c)
	s.ByHash[key] = c
	s.Bytes += c.Bytes
	return c, nil
}

// maxElems bounds how many elements of an integer constant are kept as expressions: more
// are no sizes, axes or paddings.
const maxElems = 1024

// AddConst makes a value of a constant.
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
