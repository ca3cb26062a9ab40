package isa

// This file holds opcodes and what is known of them: the table of schemas that the
// verifier, the assembler and the documentation read.

import (
	"slices"
	"sync"

	"shapecheck/onnx"
	"shapecheck/onnx/schema"
)

// An Op is an opcode. Numbers are given by hand and never change.
type Op uint16

// Opcodes of the machine itself. Those of ONNX's operators are in ops_onnx.go; Lookup finds them by name.
const (
	In        Op = 1
	Out       Op = 2
	Free      Op = 3
	Copy      Op = 4
	Const     Op = 5
	Fill      Op = 6
	View      Op = 7
	Bind      Op = 9
	Jmp       Op = 10
	Jmpt      Op = 11
	Jmpf      Op = 12
	LoopBegin Op = 13
	LoopNext  Op = 14
	LoopEnd   Op = 15
	SeqStack  Op = 16
	Sizes     Op = 19
	Conv      Op = 21
	MatMul    Op = 22
)

// reserved are numbers of opcodes that programs had once: no other opcode gets them.
var reserved = []Op{8, 17, 18, 20}

// Kinds is a set of kinds of values.
type Kinds uint8

// The kinds, as bits.
const (
	Tensors Kinds = 1 << iota
	Sequences
	Optionals

	AnyKind = Tensors | Sequences | Optionals
)

// Has reports whether a type of kind k is in the set.
func (s Kinds) Has(k Type_Kind) bool { return k > Type_NONE && k <= Type_OPTIONAL && s&(1<<(k-1)) != 0 }

// Sets of element types that the machine's own opcodes take.
const (
	boolElem  = schema.DTypes(1 << onnx.Bool)
	int64Elem = schema.DTypes(1 << onnx.Int64)
	intElem   = schema.DTypes(1<<onnx.Int64 | 1<<onnx.Int32)
	floatElem = schema.DTypes(1<<onnx.Float | 1<<onnx.Double | 1<<onnx.Float16 | 1<<onnx.BFloat16)
)

// An Operand is what an opcode says of an operand or a result.
type Operand struct {
	Name  string
	Kinds Kinds
	// Elem are the element types that a tensor may have; 0: any.
	Elem schema.DTypes
	// Var names what has the same element type: all tensors whose Var is the same; empty: none.
	Var      string
	Optional bool // may be absent, or, at the end, not written at all
	Variadic bool // the last one: Min of them or more
	Mixed    bool // of a variadic one: the element types may differ
	Min      int
	Constant bool // must be a constant
}

// An AttrKind is the form of an attribute's value.
type AttrKind uint8

// The forms.
const (
	IntAttr AttrKind = iota + 1
	FloatAttr
	StringAttr
	IntsAttr
	FloatsAttr
	StringsAttr
	TypeAttr
	SizesAttr
	ConstantAttr
)

// An AttrSpec is what an opcode says of an attribute. An attribute that is not written
// has the value that its opcode's Doc names: 0, none, or what is usual for it.
type AttrSpec struct {
	Name     string
	Kind     AttrKind
	Required bool
	Enum     []string // the values of a string; nil: any
	Lo, Hi   int64    // the range of an integer, of all of a list's, when Hi > Lo
}

// An Info is the schema of an opcode.
type Info struct {
	Op     Op
	Name   string // in the text form; of ONNX's operators the operator's name
	Domain string // of ONNX's operators; "vm" for the machine's own
	In     []Operand
	Out    []Operand
	Attrs  []AttrSpec
	// Alias says that the first result may have the memory of the first operand, because it is
	// a view of it.
	Alias bool
	// InPlace lists operands whose memory the first result may take over when they die here.
	InPlace []int
	Doc     string
}

// MachineDomain is the Domain of opcodes that are not operators of ONNX.
const MachineDomain = "vm"

type nameKey struct{ domain, name string }

// An opTable finds opcodes. The schemas of ONNX's operators are read when they are asked for.
type opTable struct {
	byOp   map[Op]func() *Info
	byName map[nameKey]Op
	byText map[string]Op
	names  map[Op]string
	order  []Op
}

// table is built at the first use, as nothing may happen at start-up.
var table = sync.OnceValue(func() *opTable {
	t := &opTable{map[Op]func() *Info{}, map[nameKey]Op{}, map[string]Op{}, map[Op]string{}, nil}
	add := func(o Op, domain, name string, info func() *Info) {
		t.byOp[o], t.byName[nameKey{domain, name}], t.byText[name], t.names[o] = info, o, o, name
		t.order = append(t.order, o)
	}
	for _, row := range machineOps() {
		row.Domain = MachineDomain
		add(row.Op, MachineDomain, row.Name, func() *Info { return &row })
	}
	for _, d := range onnxDomains {
		for _, n := range d.list {
			add(n.op, d.domain, n.name, sync.OnceValue(func() *Info { return fromSchema(n.op, d.domain, n.name) }))
		}
	}
	slices.Sort(t.order)
	return t
})

// Info gives the schema of an opcode, or nil for a number that is none. It must not be changed.
func (o Op) Info() *Info {
	if f := table().byOp[o]; f != nil {
		return f()
	}
	return nil
}

// String is the name in the text form.
func (o Op) String() string {
	if name, ok := table().names[o]; ok {
		return name
	}
	return "op?"
}

// Known reports whether an opcode has a name in the text form.
func Known(name string) bool { return table().byText[name] != 0 }

// Lookup finds the opcode of an operator of ONNX ("" or "ai.onnx", TrainingDomain,
// schema.Chainer) or of the machine (MachineDomain); 0 when it is none.
func Lookup(domain, name string) Op {
	return table().byName[nameKey{onnx.StandardDomain(domain), name}]
}

// Ops lists all opcodes in the order of their numbers.
func Ops() []*Info {
	var out []*Info
	for _, o := range table().order {
		out = append(out, o.Info())
	}
	return out
}

// Attr is the spec of an attribute, or nil.
func (i *Info) Attr(name string) *AttrSpec {
	for k := range i.Attrs {
		if i.Attrs[k].Name == name {
			return &i.Attrs[k]
		}
	}
	return nil
}
