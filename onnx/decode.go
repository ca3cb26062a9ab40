package onnx

// This file reads models from protobuf's wire format. The bytes of tensors are
// not copied: they stay slices of what was read.
//
// The decoder is written by hand, with protowire for the tags, instead of generated from
// onnx.proto: generated code copies each tensor's bytes, needs the descriptors, and drops or
// hides what it does not know. Here fields that are not known are kept as bytes (Extra) and
// written back, so that a model of a newer format passes through unchanged. The numbers in the
// switches are the field numbers of onnx.proto3.
//
// What the wire format allows is accepted: fields in any order, scalars that stand twice (the
// last one counts), messages that stand twice (they are merged), repeated numbers packed or not.
// Whether the model makes sense is asked by package check.

import (
	"errors"
	"fmt"
	"math"

	"google.golang.org/protobuf/encoding/protowire"
)

// maxDepth bounds how deep messages nest: graphs within attributes within
// graphs, types within types.
const maxDepth = 200

// Unmarshal reads a model. The result shares memory with b. It returns an error if b is no valid message, if messages
// nest more than maxDepth deep, or if the model has no graph. A model that is read this way must
// not outlive changes of b, as with a file that is mapped into memory.
func Unmarshal(b []byte) (*Model, error) {
	var d decoder
	m := &Model{}
	if err := d.model(b, m); err != nil {
		return nil, invalid(err)
	}
	if m.Graph == nil {
		return nil, errNoGraph
	}
	return m, nil
}

var errNoGraph = errors.New("not a valid ONNX file: there is no graph in it")

// invalid wraps what the decoder says; nil stays nil. The prefix says to a user that the file
// itself is at fault.
func invalid(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("not a valid ONNX file: %w", err)
}

// UnmarshalTensor reads a TensorProto on its own, as test data has it. It returns an error if b is no valid message.
func UnmarshalTensor(b []byte) (*Tensor, error) {
	var d decoder
	t := &Tensor{}
	if err := d.tensor(b, t); err != nil {
		return nil, fmt.Errorf("not a valid ONNX tensor: %w", err)
	}
	return t, nil
}

// depth counts messages within messages, in all kinds together.
type decoder struct{ depth int }

// A field is a field of a message as it stands on the wire. u has the value of varints and fixed
// numbers, b that of bytes and messages, without a copy.
type field struct {
	num protowire.Number
	typ protowire.Type
	u   uint64
	b   []byte
}

var errWire = errors.New("a field has another wire type than its number says")

// each calls f for the fields of a message; those that f does not know are kept
// in extra. A group (wire types 3 and 4, which ONNX does not use) is skipped as a whole and kept.
// The error is of the wire format: a cut or wrong tag, a length beyond the end, nesting beyond
// maxDepth.
func (d *decoder) each(b []byte, extra *[]byte, f func(field) (known bool, err error)) error {
	if d.depth++; d.depth > maxDepth {
		return fmt.Errorf("messages nest deeper than %d", maxDepth)
	}
	defer func() { d.depth-- }()
	for len(b) > 0 {
		start := b
		num, typ, n := protowire.ConsumeTag(b)
		if n < 0 {
			return protowire.ParseError(n)
		}
		b = b[n:]
		fd := field{num: num, typ: typ}
		switch typ {
		case protowire.VarintType:
			fd.u, n = protowire.ConsumeVarint(b)
		case protowire.Fixed32Type:
			var u uint32
			u, n = protowire.ConsumeFixed32(b)
			fd.u = uint64(u)
		case protowire.Fixed64Type:
			fd.u, n = protowire.ConsumeFixed64(b)
		case protowire.BytesType:
			fd.b, n = protowire.ConsumeBytes(b)
		default:
			n = protowire.ConsumeFieldValue(num, typ, b)
		}
		if n < 0 {
			return protowire.ParseError(n)
		}
		b = b[n:]
		known, err := f(fd)
		if err != nil {
			return err
		}
		if !known {
			*extra = append(*extra, start[:len(start)-len(b)]...)
		}
	}
	return nil
}

func (f field) text(to *string) (bool, error) {
	if f.typ != protowire.BytesType {
		return false, errWire
	}
	*to = string(f.b)
	return true, nil
}

func (f field) texts(to *[]string) (bool, error) {
	if f.typ != protowire.BytesType {
		return false, errWire
	}
	*to = append(*to, string(f.b))
	return true, nil
}

func (f field) bytes(to *[]byte) (bool, error) {
	if f.typ != protowire.BytesType {
		return false, errWire
	}
	*to = f.b
	return true, nil
}

func (f field) int(to *int64) (bool, error) {
	if f.typ != protowire.VarintType {
		return false, errWire
	}
	*to = int64(f.u)
	return true, nil
}

func (f field) int32(to *int32) (bool, error) {
	if f.typ != protowire.VarintType {
		return false, errWire
	}
	*to = int32(f.u)
	return true, nil
}

// list reads an element of a repeated number, or all of them when packed. Protobuf demands of
// parsers that they take both forms. Fixed numbers are counted beforehand, so that a large list
// is allocated once.
func list[T any](f field, to *[]T, typ protowire.Type, conv func(uint64) T) (bool, error) {
	if f.typ == typ {
		*to = append(*to, conv(f.u))
		return true, nil
	}
	if f.typ != protowire.BytesType {
		return false, errWire
	}
	b := f.b
	switch typ { // grow once
	case protowire.Fixed32Type:
		*to = append(make([]T, 0, len(*to)+len(b)/4), *to...)
	case protowire.Fixed64Type:
		*to = append(make([]T, 0, len(*to)+len(b)/8), *to...)
	}
	for len(b) > 0 {
		var u uint64
		var n int
		switch typ {
		case protowire.VarintType:
			u, n = protowire.ConsumeVarint(b)
		case protowire.Fixed32Type:
			var x uint32
			x, n = protowire.ConsumeFixed32(b)
			u = uint64(x)
		default:
			u, n = protowire.ConsumeFixed64(b)
		}
		if n < 0 {
			return false, protowire.ParseError(n)
		}
		*to = append(*to, conv(u))
		b = b[n:]
	}
	return true, nil
}

func toInt64(u uint64) int64    { return int64(u) }
func toInt32(u uint64) int32    { return int32(u) }
func toUint64(u uint64) uint64  { return u }
func toFloat(u uint64) float32  { return math.Float32frombits(uint32(u)) }
func toDouble(u uint64) float64 { return math.Float64frombits(u) }

// one reads a message into the place that *to points to. The error is a wrong wire type, or that
// of read.
func one[T any](f field, to **T, read func([]byte, *T) error) (bool, error) {
	if f.typ != protowire.BytesType {
		return false, errWire
	}
	if *to == nil { // a message that stands twice is merged
		*to = new(T)
	}
	return true, read(f.b, *to)
}

// many reads a message and appends it. Each message stands for one element of the repeated field.
func many[T any](f field, to *[]*T, read func([]byte, *T) error) (bool, error) {
	if f.typ != protowire.BytesType {
		return false, errWire
	}
	x := new(T)
	*to = append(*to, x)
	return true, read(f.b, x)
}

// model decodes a ModelProto. Like the decoders below it has a case for each field number of the
// message in onnx.proto, and keeps what is not known in Extra.
func (d *decoder) model(b []byte, m *Model) error {
	return d.each(b, &m.Extra, func(f field) (bool, error) {
		switch f.num {
		case 1:
			return f.int(&m.IRVersion)
		case 2:
			return f.text(&m.ProducerName)
		case 3:
			return f.text(&m.ProducerVersion)
		case 4:
			return f.text(&m.Domain)
		case 5:
			return f.int(&m.ModelVersion)
		case 6:
			return f.text(&m.Doc)
		case 7:
			return one(f, &m.Graph, d.graph)
		case 8:
			return d.opset(f, &m.Opsets)
		case 14:
			return d.entry(f, &m.Metadata)
		case 25:
			return many(f, &m.Functions, d.function)
		}
		return false, nil
	})
}

func (d *decoder) opset(f field, to *[]Opset) (bool, error) {
	if f.typ != protowire.BytesType {
		return false, errWire
	}
	var o Opset
	err := d.each(f.b, &o.Extra, func(f field) (bool, error) {
		switch f.num {
		case 1:
			return f.text(&o.Domain)
		case 2:
			return f.int(&o.Version)
		}
		return false, nil
	})
	*to = append(*to, o)
	return true, err
}

// Metadata and the places of external tensors are such pairs.
func (d *decoder) entry(f field, to *[]Entry) (bool, error) {
	if f.typ != protowire.BytesType {
		return false, errWire
	}
	var e Entry
	err := d.each(f.b, &e.Extra, func(f field) (bool, error) {
		switch f.num {
		case 1:
			return f.text(&e.Key)
		case 2:
			return f.text(&e.Value)
		}
		return false, nil
	})
	*to = append(*to, e)
	return true, err
}

func (d *decoder) graph(b []byte, g *Graph) error {
	return d.each(b, &g.Extra, func(f field) (bool, error) {
		switch f.num {
		case 1:
			return many(f, &g.Nodes, d.node)
		case 2:
			return f.text(&g.Name)
		case 5:
			return many(f, &g.Initializers, d.tensor)
		case 10:
			return f.text(&g.Doc)
		case 11:
			return many(f, &g.Inputs, d.valueInfo)
		case 12:
			return many(f, &g.Outputs, d.valueInfo)
		case 13:
			return many(f, &g.Values, d.valueInfo)
		case 15:
			return many(f, &g.SparseInitializers, d.sparse)
		case 16:
			return d.entry(f, &g.Metadata)
		}
		return false, nil
	})
}

func (d *decoder) valueInfo(b []byte, v *ValueInfo) error {
	return d.each(b, &v.Extra, func(f field) (bool, error) {
		switch f.num {
		case 1:
			return f.text(&v.Name)
		case 2:
			return one(f, &v.Type, d.typ)
		case 3:
			return f.text(&v.Doc)
		case 4:
			return d.entry(f, &v.Metadata)
		}
		return false, nil
	})
}

// Errors within attributes name the node, which stands before them in all files that are written
// in the order of fields.
func (d *decoder) node(b []byte, n *Node) error {
	return d.each(b, &n.Extra, func(f field) (bool, error) {
		switch f.num {
		case 1:
			return f.texts(&n.Inputs)
		case 2:
			return f.texts(&n.Outputs)
		case 3:
			return f.text(&n.Name)
		case 4:
			return f.text(&n.Op)
		case 5:
			ok, err := many(f, &n.Attrs, d.attr)
			if err != nil {
				err = fmt.Errorf("node %q (%s): %w", n.Name, n.Op, err)
			}
			return ok, err
		case 6:
			return f.text(&n.Doc)
		case 7:
			return f.text(&n.Domain)
		case 8:
			return f.text(&n.Overload)
		case 9:
			return d.entry(f, &n.Metadata)
		}
		return false, nil
	})
}

// attr decodes an attribute, with whichever fields are there; which of them counts says its type, and is looked
// at by those who ask for it.
func (d *decoder) attr(b []byte, a *Attr) error {
	return d.each(b, &a.Extra, func(f field) (bool, error) {
		switch f.num {
		case 1:
			return f.text(&a.Name)
		case 2:
			if f.typ != protowire.Fixed32Type {
				return false, errWire
			}
			a.Float = toFloat(f.u)
			return true, nil
		case 3:
			return f.int(&a.Int)
		case 4:
			return f.bytes(&a.String)
		case 5:
			return one(f, &a.Tensor, d.tensor)
		case 6:
			return one(f, &a.Graph, d.graph)
		case 7:
			return list(f, &a.Floats, protowire.Fixed32Type, toFloat)
		case 8:
			return list(f, &a.Ints, protowire.VarintType, toInt64)
		case 9:
			if f.typ != protowire.BytesType {
				return false, errWire
			}
			a.Strings = append(a.Strings, f.b)
			return true, nil
		case 10:
			return many(f, &a.Tensors, d.tensor)
		case 11:
			return many(f, &a.Graphs, d.graph)
		case 13:
			return f.text(&a.Doc)
		case 14:
			return one(f, &a.TypeProto, d.typ)
		case 15:
			return many(f, &a.TypeProtos, d.typ)
		case 20:
			var t int32
			ok, err := f.int32(&t)
			a.Type = AttrType(t)
			return ok, err
		case 21:
			return f.text(&a.Ref)
		case 22:
			return one(f, &a.SparseTensor, d.sparse)
		case 23:
			return many(f, &a.SparseTensors, d.sparse)
		}
		return false, nil
	})
}

func (d *decoder) function(b []byte, x *Function) error {
	return d.each(b, &x.Extra, func(f field) (bool, error) {
		switch f.num {
		case 1:
			return f.text(&x.Name)
		case 4:
			return f.texts(&x.Inputs)
		case 5:
			return f.texts(&x.Outputs)
		case 6:
			return f.texts(&x.Attrs)
		case 7:
			return many(f, &x.Nodes, d.node)
		case 8:
			return f.text(&x.Doc)
		case 9:
			return d.opset(f, &x.Opsets)
		case 10:
			return f.text(&x.Domain)
		case 11:
			return many(f, &x.Defaults, d.attr)
		case 12:
			return many(f, &x.Values, d.valueInfo)
		case 13:
			return f.text(&x.Overload)
		case 14:
			return d.entry(f, &x.Metadata)
		}
		return false, nil
	})
}

// typ decodes a type; types nest, and so does this function, to a bound. Which of the fields is
// there is the type's kind (a oneof). Fields of the inner messages that the specification does
// not have are kept with the type.
func (d *decoder) typ(b []byte, t *Type) error {
	return d.each(b, &t.Extra, func(f field) (bool, error) {
		sub := func(kind TypeKind, g func(field) (bool, error)) (bool, error) {
			if f.typ != protowire.BytesType {
				return false, errWire
			}
			t.Kind = kind
			return true, d.each(f.b, &t.Extra, g)
		}
		elem := func(to *DType) func(field) (bool, error) {
			return func(f field) (bool, error) {
				var i int32
				ok, err := f.int32(&i)
				*to = DType(i)
				return ok, err
			}
		}
		tensor := func(f field) (bool, error) {
			switch f.num {
			case 1:
				return elem(&t.Elem)(f)
			case 2:
				return one(f, &t.Shape, d.shape)
			}
			return true, nil // nothing else is in the specification
		}
		switch f.num {
		case 1:
			return sub(TensorType, tensor)
		case 4:
			return sub(SequenceType, func(f field) (bool, error) {
				if f.num == 1 {
					return one(f, &t.Of, d.typ)
				}
				return true, nil
			})
		case 5:
			return sub(MapType, func(f field) (bool, error) {
				switch f.num {
				case 1:
					return elem(&t.Key)(f)
				case 2:
					return one(f, &t.Of, d.typ)
				}
				return true, nil
			})
		case 6:
			return f.text(&t.Denotation)
		case 7:
			t.Kind = OpaqueType
			return false, nil
		case 8:
			return sub(SparseTensorType, tensor)
		case 9:
			return sub(OptionalType, func(f field) (bool, error) {
				if f.num == 1 {
					return one(f, &t.Of, d.typ)
				}
				return true, nil
			})
		}
		return false, nil
	})
}

// A dimension is a number or a name; a name may be empty, which says that nothing is known. Of
// both the last one counts, as in a oneof.
func (d *decoder) shape(b []byte, s *Shape) error {
	return d.each(b, &s.Extra, func(f field) (bool, error) {
		if f.num != 1 {
			return false, nil
		}
		if f.typ != protowire.BytesType {
			return false, errWire
		}
		var dim Dim
		err := d.each(f.b, &dim.Extra, func(f field) (bool, error) {
			switch f.num {
			case 1:
				dim.Known, dim.Param = true, ""
				return f.int(&dim.Value)
			case 2:
				dim.Known, dim.Value = false, 0
				return f.text(&dim.Param)
			case 3:
				return f.text(&dim.Denotation)
			}
			return false, nil
		})
		s.Dims = append(s.Dims, dim)
		return true, err
	})
}

// tensor decodes a tensor. Raw elements stay where they lie in the bytes of the file. Elements
// are in one of several fields, by the element type; raw_data has precedence where it is there
// (HasRaw), even when it is empty.
func (d *decoder) tensor(b []byte, t *Tensor) error {
	return d.each(b, &t.Extra, func(f field) (bool, error) {
		switch f.num {
		case 1:
			return list(f, &t.Dims, protowire.VarintType, toInt64)
		case 2:
			var i int32
			ok, err := f.int32(&i)
			t.DType = DType(i)
			return ok, err
		case 4:
			return list(f, &t.Floats, protowire.Fixed32Type, toFloat)
		case 5:
			return list(f, &t.Int32s, protowire.VarintType, toInt32)
		case 6:
			if f.typ != protowire.BytesType {
				return false, errWire
			}
			t.Strings = append(t.Strings, f.b)
			return true, nil
		case 7:
			return list(f, &t.Int64s, protowire.VarintType, toInt64)
		case 8:
			return f.text(&t.Name)
		case 9:
			t.HasRaw = true
			return f.bytes(&t.Raw)
		case 10:
			return list(f, &t.Doubles, protowire.Fixed64Type, toDouble)
		case 11:
			return list(f, &t.Uint64s, protowire.VarintType, toUint64)
		case 12:
			return f.text(&t.Doc)
		case 13:
			return d.entry(f, &t.External)
		case 14:
			var i int32
			ok, err := f.int32(&i)
			t.IsExternal = i == 1
			return ok, err
		case 16:
			return d.entry(f, &t.Metadata)
		}
		return false, nil
	})
}

// Values and indices are tensors of their own.
func (d *decoder) sparse(b []byte, t *SparseTensor) error {
	return d.each(b, &t.Extra, func(f field) (bool, error) {
		switch f.num {
		case 1:
			return one(f, &t.Values, d.tensor)
		case 2:
			return one(f, &t.Indices, d.tensor)
		case 3:
			return list(f, &t.Dims, protowire.VarintType, toInt64)
		}
		return false, nil
	})
}
