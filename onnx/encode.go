package onnx

// This file writes models in protobuf's wire format. Nested messages need their
// length first; to hold no weights twice a message is built as a list of parts,
// of which large ones are the caller's own memory or a Source.
//
// A model is written in two passes over its messages that are one here: each message is encoded
// into a list of parts, and its length is the sum of theirs. Only small parts are copied, so the
// memory of writing is that of the graph without its weights. Fields are written in the order of
// their numbers, and default values are left out, as protobuf's own writers do, so that equal
// models have equal bytes.

import (
	"fmt"
	"io"
	"math"

	"google.golang.org/protobuf/encoding/protowire"
)

// A Source produces the elements of a tensor, little endian, when the model is
// written. It may be asked for Size more than once, and is written once.
type Source interface {
	// Size is the number of bytes that WriteTo writes.
	Size() int64
	io.WriterTo
}

// MaxMessage is the size that a protobuf message may have.
const MaxMessage = math.MaxInt32

// copyBelow is the size up to which bytes are copied into the buffer instead of
// becoming a part of their own.
const copyBelow = 4096

type part struct {
	data []byte
	src  Source
}

// An encoder collects the parts of a message; the last one is buf. most is how the writer finds
// models that others cannot read, before anything is written.
type encoder struct {
	parts []part
	buf   []byte
	done  int64 // size of parts
	depth int   // how many messages are around this one
	most  int   // the largest depth of those in it
}

// maxNesting is how deep messages may nest for protobuf's own readers, those of C++, Python and JavaScript.
const maxNesting = 100

// Size returns the length of the model in bytes.
func Size(m *Model) int64 {
	var e encoder
	e.model(m)
	return e.size()
}

// Marshal returns the model in wire format. It fails where Write does: the model is larger than a message may be, or
// nests too deep.
func Marshal(m *Model) ([]byte, error) {
	var w sliceWriter
	_, err := Write(&w, m)
	return w, err
}

// MarshalTensor returns a tensor whose elements are held in wire format, as test data has it. The error is ErrExternal,
// of a tensor whose elements a Source gives.
func MarshalTensor(t *Tensor) ([]byte, error) {
	if t.Source != nil {
		return nil, ErrExternal
	}
	var e encoder
	e.tensor(t)
	var b []byte
	for _, p := range append(e.parts, part{data: e.buf}) {
		b = append(b, p.data...)
	}
	return b, nil
}

type sliceWriter []byte

// Write appends; it never fails.
func (w *sliceWriter) Write(b []byte) (int, error) {
	*w = append(*w, b...)
	return len(b), nil
}

// Write writes the model in wire format and returns the number of bytes. It
// fails, before anything is written, when the model is larger than a message may
// be (its weights must then be external) or has conditions and loops so deep in each
// other that others could not read it. Errors of w are returned as they are, with the number of
// bytes that were written until then.
func Write(w io.Writer, m *Model) (int64, error) {
	var e encoder
	e.model(m)
	if n := e.size(); n > MaxMessage {
		return 0, fmt.Errorf("the model has %d bytes, more than the 2 GiB that a protobuf message may have: its tensors must be external", n)
	}
	if e.most > maxNesting {
		return 0, fmt.Errorf("conditions and loops nest too deep: messages of the model have %d levels, and readers of protobuf take %d",
			e.most, maxNesting)
	}
	var n int64
	for _, p := range append(e.parts, part{data: e.buf}) {
		if p.src == nil {
			k, err := w.Write(p.data)
			if n += int64(k); err != nil {
				return n, err
			}
			continue
		}
		k, err := p.src.WriteTo(w)
		if n += k; err != nil {
			return n, err
		}
		if k != p.src.Size() {
			return n, fmt.Errorf("a tensor's data has %d bytes instead of %d", k, p.src.Size())
		}
	}
	return n, nil
}

func (e *encoder) size() int64 { return e.done + int64(len(e.buf)) }

// Small bytes before it become a part of their own, so that the order stays.
func (e *encoder) add(p part, n int64) {
	if len(e.buf) > 0 {
		e.parts = append(e.parts, part{data: e.buf})
		e.done += int64(len(e.buf))
		e.buf = nil
	}
	e.parts = append(e.parts, p)
	e.done += n
}

func (e *encoder) raw(b []byte) {
	if len(b) < copyBelow {
		e.buf = append(e.buf, b...)
		return
	}
	e.add(part{data: b}, int64(len(b)))
}

// message writes a field that is a message. The message is encoded first, since its length stands
// before it; its large parts are taken over without a copy.
func (e *encoder) message(num protowire.Number, f func(*encoder)) {
	sub := encoder{depth: e.depth + 1, most: e.depth + 1}
	f(&sub)
	e.most = max(e.most, sub.most)
	e.buf = protowire.AppendTag(e.buf, num, protowire.BytesType)
	e.buf = protowire.AppendVarint(e.buf, uint64(sub.size()))
	for _, p := range sub.parts {
		if p.src != nil {
			e.add(p, p.src.Size())
		} else {
			e.raw(p.data)
		}
	}
	e.raw(sub.buf)
}

func (e *encoder) bytes(num protowire.Number, b []byte) {
	e.buf = protowire.AppendTag(e.buf, num, protowire.BytesType)
	e.buf = protowire.AppendVarint(e.buf, uint64(len(b)))
	e.raw(b)
}

// str and int write a field unless it has the default value.
func (e *encoder) str(num protowire.Number, s string) {
	if s != "" {
		e.buf = protowire.AppendTag(e.buf, num, protowire.BytesType)
		e.buf = protowire.AppendString(e.buf, s)
	}
}

func (e *encoder) int(num protowire.Number, i int64) {
	if i != 0 {
		e.varint(num, uint64(i))
	}
}

func (e *encoder) varint(num protowire.Number, u uint64) {
	e.buf = protowire.AppendTag(e.buf, num, protowire.VarintType)
	e.buf = protowire.AppendVarint(e.buf, u)
}

// strs writes a repeated string: empty ones count.
func (e *encoder) strs(num protowire.Number, list []string) {
	for _, s := range list {
		e.buf = protowire.AppendTag(e.buf, num, protowire.BytesType)
		e.buf = protowire.AppendString(e.buf, s)
	}
}

// packed writes a packed field of n elements. An empty list has no field.
func packed[T any](e *encoder, num protowire.Number, list []T, one func([]byte, T) []byte) {
	if len(list) == 0 {
		return
	}
	var b []byte
	for _, x := range list {
		b = one(b, x)
	}
	e.bytes(num, b)
}

func appendInt64(b []byte, i int64) []byte { return protowire.AppendVarint(b, uint64(i)) }
func appendInt32(b []byte, i int32) []byte { return protowire.AppendVarint(b, uint64(int64(i))) }
func appendFloat(b []byte, f float32) []byte {
	return protowire.AppendFixed32(b, math.Float32bits(f))
}
func appendDouble(b []byte, f float64) []byte {
	return protowire.AppendFixed64(b, math.Float64bits(f))
}

// model encodes a ModelProto. Like the encoders below it writes the fields in the order of their
// numbers, and Extra at the end, as it came from the file.
func (e *encoder) model(m *Model) {
	e.int(1, m.IRVersion)
	e.str(2, m.ProducerName)
	e.str(3, m.ProducerVersion)
	e.str(4, m.Domain)
	e.int(5, m.ModelVersion)
	e.str(6, m.Doc)
	if m.Graph != nil {
		e.message(7, func(e *encoder) { e.graph(m.Graph) })
	}
	e.opsets(8, m.Opsets)
	e.entries(14, m.Metadata)
	for _, f := range m.Functions {
		e.message(25, func(e *encoder) { e.function(f) })
	}
	e.raw(m.Extra)
}

func (e *encoder) opsets(num protowire.Number, list []Opset) {
	for _, o := range list {
		e.message(num, func(e *encoder) {
			e.str(1, o.Domain)
			e.int(2, o.Version)
			e.raw(o.Extra)
		})
	}
}

func (e *encoder) entries(num protowire.Number, list []Entry) {
	for _, x := range list {
		e.message(num, func(e *encoder) {
			e.str(1, x.Key)
			e.str(2, x.Value)
			e.raw(x.Extra)
		})
	}
}

func (e *encoder) graph(g *Graph) {
	for _, n := range g.Nodes {
		e.message(1, func(e *encoder) { e.node(n) })
	}
	e.str(2, g.Name)
	for _, t := range g.Initializers {
		e.message(5, func(e *encoder) { e.tensor(t) })
	}
	e.str(10, g.Doc)
	e.values(11, g.Inputs)
	e.values(12, g.Outputs)
	e.values(13, g.Values)
	for _, t := range g.SparseInitializers {
		e.message(15, func(e *encoder) { e.sparse(t) })
	}
	e.entries(16, g.Metadata)
	e.raw(g.Extra)
}

func (e *encoder) values(num protowire.Number, list []*ValueInfo) {
	for _, v := range list {
		e.message(num, func(e *encoder) {
			e.str(1, v.Name)
			if v.Type != nil {
				e.message(2, func(e *encoder) { e.typ(v.Type) })
			}
			e.str(3, v.Doc)
			e.entries(4, v.Metadata)
			e.raw(v.Extra)
		})
	}
}

func (e *encoder) node(n *Node) {
	e.strs(1, n.Inputs)
	e.strs(2, n.Outputs)
	e.str(3, n.Name)
	e.str(4, n.Op)
	for _, a := range n.Attrs {
		e.message(5, func(e *encoder) { e.attr(a) })
	}
	e.str(6, n.Doc)
	e.str(7, n.Domain)
	e.str(8, n.Overload)
	e.entries(9, n.Metadata)
	e.raw(n.Extra)
}

func (e *encoder) attr(a *Attr) {
	e.str(1, a.Name)
	if a.Ref == "" {
		e.attrValue(a)
	}
	e.str(13, a.Doc)
	e.int(20, int64(a.Type))
	e.str(21, a.Ref)
	e.raw(a.Extra)
}

// attrValue writes what the type says; of an attribute without a type, as old
// files have them, whatever is there.
func (e *encoder) attrValue(a *Attr) {
	is := func(t AttrType) bool { return a.Type == t }
	old := a.Type == AttrUndefined
	if is(AttrFloat) || old && a.Float != 0 {
		e.buf = protowire.AppendTag(e.buf, 2, protowire.Fixed32Type)
		e.buf = protowire.AppendFixed32(e.buf, math.Float32bits(a.Float))
	}
	if is(AttrInt) || old && a.Int != 0 {
		e.varint(3, uint64(a.Int))
	}
	if is(AttrString) || old && len(a.String) > 0 {
		e.bytes(4, a.String)
	}
	if a.Tensor != nil {
		e.message(5, func(e *encoder) { e.tensor(a.Tensor) })
	}
	if a.Graph != nil {
		e.message(6, func(e *encoder) { e.graph(a.Graph) })
	}
	for _, f := range a.Floats { // not packed: proto2
		e.buf = protowire.AppendTag(e.buf, 7, protowire.Fixed32Type)
		e.buf = protowire.AppendFixed32(e.buf, math.Float32bits(f))
	}
	for _, i := range a.Ints {
		e.varint(8, uint64(i))
	}
	for _, s := range a.Strings {
		e.bytes(9, s)
	}
	for _, t := range a.Tensors {
		e.message(10, func(e *encoder) { e.tensor(t) })
	}
	for _, g := range a.Graphs {
		e.message(11, func(e *encoder) { e.graph(g) })
	}
	if a.TypeProto != nil {
		e.message(14, func(e *encoder) { e.typ(a.TypeProto) })
	}
	for _, t := range a.TypeProtos {
		e.message(15, func(e *encoder) { e.typ(t) })
	}
	if a.SparseTensor != nil {
		e.message(22, func(e *encoder) { e.sparse(a.SparseTensor) })
	}
	for _, t := range a.SparseTensors {
		e.message(23, func(e *encoder) { e.sparse(t) })
	}
}

func (e *encoder) function(f *Function) {
	e.str(1, f.Name)
	e.strs(4, f.Inputs)
	e.strs(5, f.Outputs)
	e.strs(6, f.Attrs)
	for _, n := range f.Nodes {
		e.message(7, func(e *encoder) { e.node(n) })
	}
	e.str(8, f.Doc)
	e.opsets(9, f.Opsets)
	e.str(10, f.Domain)
	for _, a := range f.Defaults {
		e.message(11, func(e *encoder) { e.attr(a) })
	}
	e.values(12, f.Values)
	e.str(13, f.Overload)
	e.entries(14, f.Metadata)
	e.raw(f.Extra)
}

// typ writes one of the kinds of a type, which are fields of a oneof.
func (e *encoder) typ(t *Type) {
	tensor := func(e *encoder) {
		e.int(1, int64(t.Elem))
		if t.Shape != nil {
			e.message(2, func(e *encoder) { e.shape(t.Shape) })
		}
	}
	of := func(num protowire.Number) func(e *encoder) {
		return func(e *encoder) {
			if t.Kind == MapType {
				e.int(1, int64(t.Key))
			}
			if t.Of != nil {
				e.message(num, func(e *encoder) { e.typ(t.Of) })
			}
		}
	}
	switch t.Kind {
	case TensorType:
		e.message(1, tensor)
	case SequenceType:
		e.message(4, of(1))
	case MapType:
		e.message(5, of(2))
	case SparseTensorType:
		e.message(8, tensor)
	case OptionalType:
		e.message(9, of(1))
	}
	e.str(6, t.Denotation)
	e.raw(t.Extra)
}

func (e *encoder) shape(s *Shape) {
	for _, d := range s.Dims {
		e.message(1, func(e *encoder) {
			if d.Known {
				e.varint(1, uint64(d.Value))
			}
			e.str(2, d.Param)
			e.str(3, d.Denotation)
			e.raw(d.Extra)
		})
	}
	e.raw(s.Extra)
}

// tensor writes the field that has the elements. A Source in place of raw data is not read here
// but when the message is written out.
func (e *encoder) tensor(t *Tensor) {
	packed(e, 1, t.Dims, appendInt64)
	e.int(2, int64(t.DType))
	packed(e, 4, t.Floats, appendFloat)
	packed(e, 5, t.Int32s, appendInt32)
	for _, s := range t.Strings {
		e.bytes(6, s)
	}
	packed(e, 7, t.Int64s, appendInt64)
	e.str(8, t.Name)
	switch {
	case t.HasRaw:
		e.bytes(9, t.Raw)
	case t.Source != nil && !t.IsExternal:
		e.buf = protowire.AppendTag(e.buf, 9, protowire.BytesType)
		e.buf = protowire.AppendVarint(e.buf, uint64(t.Source.Size()))
		e.add(part{src: t.Source}, t.Source.Size())
	}
	packed(e, 10, t.Doubles, appendDouble)
	packed(e, 11, t.Uint64s, protowire.AppendVarint)
	e.str(12, t.Doc)
	e.entries(13, t.External)
	if t.IsExternal {
		e.varint(14, 1)
	}
	e.entries(16, t.Metadata)
	e.raw(t.Extra)
}

func (e *encoder) sparse(t *SparseTensor) {
	if t.Values != nil {
		e.message(1, func(e *encoder) { e.tensor(t.Values) })
	}
	if t.Indices != nil {
		e.message(2, func(e *encoder) { e.tensor(t.Indices) })
	}
	packed(e, 3, t.Dims, appendInt64)
	e.raw(t.Extra)
}
