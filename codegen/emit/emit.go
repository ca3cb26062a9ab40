// Package emit writes a module of the compiler (codegen/ir) as a program of the machine: the format is that of
// codegen/isa, and runtime/vm runs it. Passes have chosen the operators before; emit only numbers values and
// writes tables, and refuses what has no form.
//
//	emit.go   Program, the tables    code.go  nodes, lives of values    control.go  If and Loop
//	sizes.go  the table of sizes
package emit

import (
	"fmt"
	"io"

	"shapecheck/codegen/ir"
	"shapecheck/codegen/isa"
	"shapecheck/onnx"
	"shapecheck/onnx/inference"
)

// A Result is a program and the contents of its segments.
type Result struct {
	Program *isa.Program
	// Segments are the contents of the embedded segments, in their order. They refer to the bytes of
	// the module's constants, which are not copied.
	Segments []*isa.Data
}

// Write writes the program's file. It returns an error if w fails, if the tables refer to what is not there, or if a
// segment has another length than the program says.
func (r *Result) Write(w io.Writer) error {
	if err := r.Program.Seal(r.Segments); err != nil {
		return err
	}
	list := make([]io.Reader, len(r.Segments))
	for i, s := range r.Segments {
		list[i] = s.Reader()
	}
	return isa.Write(w, r.Program, list)
}

// maxSmall is the size in bytes of the largest constant that stands in the message itself;
// larger ones are in a segment.
const maxSmall = 256

// An Error is something that a program cannot express.
type Error struct {
	Node   *ir.Node
	Reason string
}

func (e *Error) Error() string {
	if e.Node == nil {
		return e.Reason
	}
	return fmt.Sprintf("%s: %s", e.Node.Op.Name, e.Reason)
}

// Program writes a module that has passed Verify. producer is what the program says that
// made it. It returns an *Error if the module has what a program cannot express: an operator that a pass should have
// rewritten, a type or an attribute that has no form there, a size that nothing binds, or a tensor of more than
// isa.MaxRank dimensions.
func Program(m *ir.Module, producer string) (res *Result, err error) {
	e := &emitter{m: m, p: &isa.Program{Major: isa.Major, Producer: producer, Name: m.Name}, ids: map[*ir.Value]int32{},
		outer: map[*ir.Value]*ir.Value{}, consts: map[*ir.Const]int32{}, symbols: map[string]uint32{}, sizes: map[sizeKey]uint32{},
		origins: map[string]uint32{}}
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *Error:
			res, err = nil, r
		default:
			panic(r)
		}
	}()
	e.tables()
	e.main()
	e.p.Values = uint32(e.values)
	e.segment()
	e.p.Canonicalize()
	return &Result{e.p, e.segments}, nil
}

// An emitter fills a program. The maps number what stands in its tables: an index each, but for origins, whose
// numbers begin with 1, as 0 says that there is none.
type emitter struct {
	m       *ir.Module
	p       *isa.Program
	ids     map[*ir.Value]int32     // the machine's values
	outer   map[*ir.Value]*ir.Value // what the parameters of bodies that are captured stand for
	values  int32
	consts  map[*ir.Const]int32
	symbols map[string]uint32
	sizes   map[sizeKey]uint32
	origins map[string]uint32
	debug   uint32   // of the node that is written
	node    *ir.Node // that is written, for errors

	data     isa.Data // the constants larger than maxSmall
	segments []*isa.Data
}

// failf ends Program with an *Error about the node that is written.
func (e *emitter) failf(format string, args ...any) {
	panic(&Error{e.node, fmt.Sprintf(format, args...)})
}

// tables writes symbols, the contract, ports and metadata.
func (e *emitter) tables() {
	for i, s := range e.m.Syms {
		name, _ := s.Expr.IsSymbol()
		e.symbols[name] = uint32(i)
		lo, hi := e.m.Facts.Range(s.Expr)
		sym := &isa.Symbol{Name: name, Lo: max(lo, 0)}
		if hi < 1<<62 {
			sym.Hi = hi
		}
		e.p.Symbols = append(e.p.Symbols, sym)
	}
	for i, s := range e.m.Syms {
		if s.Upper != nil {
			e.p.Symbols[i].Upper = e.size(s.Upper) + 1
		}
	}
	for _, c := range e.m.Contract {
		e.p.Contract = append(e.p.Contract, &isa.Condition{Cond: c.Cond.String(), Because: c.Because})
	}
	for _, x := range e.m.Ins {
		e.p.Inputs = append(e.p.Inputs, &isa.Port{Name: x.Name, Type: e.typ(&x.Type), State: uint32(x.State)})
	}
	for _, x := range e.m.Outs {
		e.p.Outputs = append(e.p.Outputs, &isa.Port{Name: x.Name, Type: e.typ(&x.Type)})
	}
	for _, x := range e.m.Metadata {
		e.p.Metadata = append(e.p.Metadata, &isa.Entry{Key: x.Key, Value: x.Value})
	}
	for _, at := range e.m.Places.List {
		if e.p.Debug == nil {
			e.p.Debug = &isa.Debug{}
		}
		e.p.Debug.Places = append(e.p.Debug.Places, &isa.Place{File: at.File, Line: uint32(at.Line), Module: at.Module})
	}
}

// id is the machine's number of a value.
func (e *emitter) id(v *ir.Value) int32 {
	if id, ok := e.ids[v]; ok {
		return id
	}
	id := e.temp()
	e.ids[v] = id
	return id
}

// temp is a number that no value has.
func (e *emitter) temp() int32 {
	e.values++
	return e.values - 1
}

// resolve gives what a parameter that is captured stands for; others are themselves.
func (e *emitter) resolve(v *ir.Value) *ir.Value {
	for v != nil && e.outer[v] != nil {
		v = e.outer[v]
	}
	return v
}

// operand is how an instruction names a value.
func (e *emitter) operand(v *ir.Value) int32 {
	switch v = e.resolve(v); {
	case v == nil:
		return isa.Absent
	case v.Const != nil:
		return isa.ConstOperand(int(e.constant(v.Const)))
	}
	return e.id(v)
}

// constant puts a constant into the table when it is used first.
func (e *emitter) constant(c *ir.Const) int32 {
	if id, ok := e.consts[c]; ok {
		return id
	}
	id := int32(len(e.p.Constants))
	e.consts[c] = id
	t := e.m.ConstType(c)
	k := &isa.Constant{Type: e.typ(&t)}
	if c.Bytes <= maxSmall {
		k.Data = c.Tensor.Raw
	} else {
		k.Segment, k.Offset = 1, uint64(e.data.Add(c.Tensor.Raw))
	}
	e.p.Constants = append(e.p.Constants, k)
	return id
}

// tensor puts the elements of an attribute into the table of constants.
func (e *emitter) tensor(t *onnx.Tensor) uint32 {
	c, err := e.m.Consts.Add(t)
	if err != nil {
		e.failf("%v", err)
	}
	return uint32(e.constant(c))
}

// segment writes the segment of the large constants.
func (e *emitter) segment() {
	if e.data.Length == 0 {
		return
	}
	e.p.Segments = []*isa.Segment{{Kind: "data", Length: uint64(e.data.Length)}}
	e.segments = []*isa.Data{&e.data}
	e.p.Layout()
}

// typ writes a type.
func (e *emitter) typ(t *inference.Type) *isa.Type {
	switch t.Kind {
	case onnx.TensorType:
		if len(t.Dims) > isa.MaxRank {
			e.failf("a tensor has %d dimensions, more than %d", len(t.Dims), isa.MaxRank)
		}
		out := &isa.Type{Kind: isa.Type_TENSOR, Elem: uint32(t.Elem), Unranked: !t.Ranked}
		for _, d := range t.Dims {
			out.Dims = append(out.Dims, e.size(d))
		}
		return out
	case onnx.SequenceType:
		return &isa.Type{Kind: isa.Type_SEQUENCE, Of: e.typ(t.Of)}
	case onnx.OptionalType:
		return &isa.Type{Kind: isa.Type_OPTIONAL, Of: e.typ(t.Of)}
	}
	e.failf("values of type %s cannot be held", t)
	return nil
}

// unranked is a tensor's type without its dimensions.
func unranked(t *inference.Type) *inference.Type {
	if t.Kind != onnx.TensorType {
		return t
	}
	return &inference.Type{Kind: onnx.TensorType, Elem: t.Elem}
}

// origin puts an origin (the lines, nodes and pass that an instruction comes from) into the table and gives its
// number, 0 for an empty one.
func (e *emitter) origin(o ir.Origin) uint32 {
	if o.Empty() {
		return 0
	}
	key := fmt.Sprint(o.Places, o.Nodes, o.Pass)
	if id, ok := e.origins[key]; ok {
		return id
	}
	if e.p.Debug == nil {
		e.p.Debug = &isa.Debug{}
	}
	x := &isa.Origin{Nodes: o.Nodes, Pass: o.Pass}
	for _, at := range o.Places {
		x.Places = append(x.Places, uint32(at))
	}
	e.p.Debug.Origins = append(e.p.Debug.Origins, x)
	id := uint32(len(e.p.Debug.Origins))
	e.origins[key] = id
	return id
}
