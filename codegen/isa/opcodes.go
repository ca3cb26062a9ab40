package isa

// This file holds opcodes and what is known of them: the table of schemas that the
// verifier, the assembler and the documentation read.

import (
	"slices"
	"sync"
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
	Reorder   Op = 8
	Bind      Op = 9
	Jmp       Op = 10
	Jmpt      Op = 11
	Jmpf      Op = 12
	LoopBegin Op = 13
	LoopNext  Op = 14
	LoopEnd   Op = 15
	SeqStack  Op = 16
	CtxMake   Op = 17
	CtxGet    Op = 18
	Sizes     Op = 19
	GroupOp   Op = 20
	Conv      Op = 21
	MatMul    Op = 22
)

// Kinds is a set of kinds of values.
type Kinds uint8

// The kinds, as bits.
const (
	Tensors Kinds = 1 << iota
	Sequences
	Optionals
	Opaques

	AnyKind = Tensors | Sequences | Optionals | Opaques
)

// Has reports whether a type of kind k is in the set.
func (s Kinds) Has(k Type_Kind) bool { return k > Type_NONE && k <= Type_OPAQUE && s&(1<<(k-1)) != 0 }

// An Elems restricts the element type of an operand or result.
type Elems uint8

// The restrictions.
const (
	AnyElem   Elems = iota
	BoolElem        // bool
	Int64Elem       // i64
	IntElem         // i32 or i64
	FloatElem       // f16, bf16, f32, f64
	SameElem        // that of the first operand
)

// An Operand is what an opcode says of an operand or a result.
type Operand struct {
	Name     string
	Kinds    Kinds
	Elems    Elems
	Optional bool // may be absent, or, at the end, not written at all
	Variadic bool // the last one: any number of them, also none
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
	// Known says that In, Out and Attrs are known; otherwise nothing of them is checked.
	Known bool
	Doc   string
}

// MachineDomain is the Domain of opcodes that are not operators of ONNX.
const MachineDomain = "vm"

type nameKey struct{ domain, name string }

// table is built at the first use, as nothing may happen at start-up.
var table = sync.OnceValue(func() (t struct {
	byOp   map[Op]*Info
	byName map[nameKey]*Info
	byText map[string]*Info
	all    []*Info
}) {
	t.byOp, t.byName, t.byText = map[Op]*Info{}, map[nameKey]*Info{}, map[string]*Info{}
	add := func(i *Info) {
		t.all = append(t.all, i)
		t.byOp[i.Op] = i
		t.byName[nameKey{i.Domain, i.Name}] = i
		t.byText[i.Name] = i
	}
	for i := range machineOps {
		machineOps[i].Domain, machineOps[i].Known = MachineDomain, true
		add(&machineOps[i])
	}
	for _, d := range []struct {
		domain string
		list   []numbered
	}{{"", standardOps}, {TrainingDomain, trainingOps}, {ChainerDomain, chainerOps}} {
		for _, n := range d.list {
			add(&Info{Op: n.op, Name: n.name, Domain: d.domain})
		}
	}
	slices.SortFunc(t.all, func(a, b *Info) int { return int(a.Op) - int(b.Op) })
	return t
})

// Info gives the schema of an opcode, or nil for a number that is none.
func (o Op) Info() *Info { return table().byOp[o] }

// String is the name in the text form.
func (o Op) String() string {
	if i := o.Info(); i != nil {
		return i.Name
	}
	return "op?"
}

// Lookup finds the opcode of an operator of ONNX ("" or "ai.onnx", TrainingDomain,
// ChainerDomain) or of the machine (MachineDomain); 0 when it is none.
func Lookup(domain, name string) Op {
	if domain == "ai.onnx" {
		domain = ""
	}
	if i := table().byName[nameKey{domain, name}]; i != nil {
		return i.Op
	}
	return 0
}

// Ops lists all opcodes in the order of their numbers.
func Ops() []*Info { return slices.Clone(table().all) }

// Attr is the spec of an attribute, or nil.
func (i *Info) Attr(name string) *AttrSpec {
	for k := range i.Attrs {
		if i.Attrs[k].Name == name {
			return &i.Attrs[k]
		}
	}
	return nil
}
