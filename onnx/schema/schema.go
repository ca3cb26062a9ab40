// Package schema describes the operators of ONNX as data: for each operator and
// version the inputs and outputs, the types that they may have, and the attributes
// with their types, defaults and checks. What knows operators (the inference, the
// evaluation, the checker, the compiler) asks here, so that a default, a name or a
// limit is written once.
//
//	schema.go   Op and its parts, Lookup          parse.go    the text form
//	attrs.go    Decode: the attributes of a node  types.go    sets of types
//	attrs_text.go  attributes taken apart         results.go  element types of results
//	upgrade.go  nodes of old versions in the newest form; its rules are in upgrade_*.go
//
// The operators are text and not Go literals, which would be compiled into every program and initialised at its start.
//
// operators.txt is written by schema.py from the definitions of PyPI's onnx 1.23.2
// (all domains, all versions); chainer.txt holds the operators of org.chainer, by
// hand, in the same form:
//
//	types N T…                    set number N: element types; seq(T), opt(T), opt(seq(T)), sparse(T), map(K,V)
//	op DOMAIN NAME SINCE [deprecated] [experimental] [inputs=N,…] [outputs=N,…]
//	                              what follows is of this operator; "-" is the standard domain; the counts are those
//	                              that are taken, where not all between the least and the most are
//	var NAME N                    a type variable: all that have it have the same type, one of set N
//	in NAME[?|*M[~]] VAR|N        an input, by position: ? optional, *M the last one, M times or more, ~ of different types
//	out NAME[?|*M[~]] VAR|N       an output
//	attr NAME TYPE[!] [= VALUE] [| CHECK]   an attribute: ! required, VALUE its default, of a list whose length depends
//	                              on the node "each N", of a tensor its type and element
package schema

import (
	"cmp"
	"fmt"
	"slices"

	"shapecheck/onnx"
)

// Newest is the newest version of the standard operators that is known.
const Newest = 28

// Chainer is the domain of ONNX+, the operators that chainer-compiler adds.
const Chainer = "org.chainer"

// NewestOf gives the newest version of a domain; 0 of one that is not known.
func NewestOf(domain string) int64 { return newest[onnx.StandardDomain(domain)] }

var newest = map[string]int64{"": Newest, "ai.onnx.ml": 5, "ai.onnx.preview": 1, "ai.onnx.preview.training": 1, Chainer: 9}

// An Op is one version of an operator. It must not be changed.
type Op struct {
	Domain, Name string
	// Since is the first version of the domain that has this form.
	Since        int64
	Deprecated   bool // from Since on the operator may not be used
	Experimental bool
	Inputs       []Param
	Outputs      []Param
	Vars         []Var
	Attrs        []AttrDef // by name
	// InCounts and OutCounts are the numbers of inputs and outputs that are taken, where
	// not all between the least and the most are; else nil.
	InCounts, OutCounts []int
	family              *family
}

// A Param is a formal input or output. The inputs beyond those listed are more of
// the last one when that is variadic.
type Param struct {
	Name string
	// Var is the type variable, or empty where the type does not depend on others.
	Var      string
	Types    *Types
	Optional bool
	Variadic bool
	// Mixed says of a variadic one that its types may differ.
	Mixed bool
	Min   int // of a variadic one, how many there must be
}

// A Var is a type variable of an operator.
type Var struct {
	Name  string
	Types *Types
}

// An AttrDef describes an attribute.
type AttrDef struct {
	Name     string
	Type     onnx.AttrType
	Required bool
	Default  *onnx.Attr // nil: none
	Each     int64      // with HasEach, the default of each element of a list
	HasEach  bool
	OneOf    []string // the values that a string, or each of a list, may have; nil: any
	Min      int64    // what an integer, or each of a list, must be at least, with HasMin
	HasMin   bool
	DType    bool // the integer is the number of an element type; 0, where not required, is none
}

// A family is all versions of an operator.
type family struct {
	versions []*entry // in the order of their versions
}

type opKey struct{ domain, name string }

// Lookup gives the version of an operator that is in force at a version of its
// domain: the newest that is not newer. It is nil for an operator that does not exist
// there; a deprecated one is given, with its mark.
func Lookup(domain, name string, opset int64) *Op {
	f := index()[opKey{onnx.StandardDomain(domain), name}]
	if f == nil {
		return nil
	}
	for i := len(f.versions) - 1; i >= 0; i-- {
		if f.versions[i].since <= opset {
			return f.versions[i].get()
		}
	}
	return nil
}

// First gives the first version of a domain that has an operator; 0 when none has.
func First(domain, name string) int64 {
	if f := index()[opKey{onnx.StandardDomain(domain), name}]; f != nil {
		return f.versions[0].since
	}
	return 0
}

// Last gives the newest version of an operator in its domain; nil for one that is not
// known.
func Last(domain, name string) *Op {
	f := index()[opKey{onnx.StandardDomain(domain), name}]
	if f == nil {
		return nil
	}
	return f.last()
}

func (f *family) last() *Op { return f.versions[len(f.versions)-1].get() }

// Ops lists all versions of all operators, by domain, name and version.
func Ops() []*Op {
	var out []*Op
	for _, f := range index() {
		for _, e := range f.versions {
			out = append(out, e.get())
		}
	}
	slices.SortFunc(out, func(a, b *Op) int {
		return cmp.Or(cmp.Compare(a.Domain, b.Domain), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Since, b.Since))
	})
	return out
}

// New makes a record that is in no table, for operators of a compiler's own.
func New(op Op) *Op {
	f := &family{}
	op.family = f
	e := &entry{since: op.Since, family: f, op: &op}
	e.once.Do(func() {})
	f.versions = []*entry{e}
	return &op
}

// Input gives the formal input at a position; nil beyond the last.
func (op *Op) Input(i int) *Param { return paramAt(op.Inputs, i) }

// Output gives the formal output at a position; nil beyond the last.
func (op *Op) Output(i int) *Param { return paramAt(op.Outputs, i) }

func paramAt(list []Param, i int) *Param {
	switch n := len(list); {
	case i < n:
		return &list[i]
	case n > 0 && list[n-1].Variadic:
		return &list[n-1]
	}
	return nil
}

// InputLimits gives the least and the most inputs, -1 for no limit; absent ones
// before the last count, as the checker of ONNX counts them.
func (op *Op) InputLimits() (least, most int) { return limits(op.Inputs) }

// OutputLimits is InputLimits for outputs.
func (op *Op) OutputLimits() (least, most int) { return limits(op.Outputs) }

func limits(list []Param) (least, most int) {
	for i, p := range list {
		switch {
		case p.Variadic:
			return i + p.Min, -1
		case !p.Optional:
			least = i + 1
		}
	}
	return least, len(list)
}

// Takes lists the element types that a tensor at an input may have; nil when it may
// have any, when something else than a tensor is meant, or when there is no such input.
func (op *Op) Takes(input int) []onnx.DType {
	if op == nil {
		return nil
	}
	p := op.Input(input)
	if p == nil || p.Types.Tensors == 0 || p.Types.Sequences|p.Types.Optionals != 0 || len(p.Types.Maps) > 0 {
		return nil
	}
	return p.Types.Tensors.List()
}

// Rejects reports whether a tensor at an input surely cannot have that element type.
func (op *Op) Rejects(input int, d onnx.DType) bool {
	if op == nil || d == onnx.Undefined {
		return false
	}
	p := op.Input(input)
	return p != nil && !p.Types.Tensors.Has(d)
}

// Took lists the element types that a tensor at an input may have in any version of the
// operator: new versions take fewer now and then, and what is written in the newest form
// keeps the meaning of the one that it comes from.
func (op *Op) Took(input int) DTypes {
	return op.ever(op.Input(input), func(o *Op) []Param { return o.Inputs })
}

// Made lists the element types that a tensor at an output may have in any version.
func (op *Op) Made(output int) DTypes {
	return op.ever(op.Output(output), func(o *Op) []Param { return o.Outputs })
}

// ever joins the types of a parameter over the versions.
func (op *Op) ever(p *Param, list func(*Op) []Param) DTypes {
	if p == nil {
		return 0
	}
	set := p.Types.Tensors
	for _, e := range op.family.versions {
		for _, q := range list(e.get()) {
			if q.Name == p.Name {
				set |= q.Types.Tensors
			}
		}
	}
	return set
}

// CheckCounts checks the numbers of a node's inputs and outputs, and that those which
// must be there are. Empty names at the end of the list are taken as left out. The error names the number that is
// expected, or the required input that is missing.
func (op *Op) CheckCounts(n *onnx.Node) error {
	ins := len(n.Inputs)
	for ins > 0 && n.Inputs[ins-1] == "" {
		ins--
	}
	least, most := op.InputLimits()
	switch {
	case len(n.Inputs) < least:
		return fmt.Errorf("the operator takes at least %d inputs; the node has %d", least, len(n.Inputs))
	case most >= 0 && ins > most:
		return fmt.Errorf("the operator takes at most %d inputs; the node has %d", most, ins)
	case op.InCounts != nil && !slices.Contains(op.InCounts, ins):
		return fmt.Errorf("the operator takes %v inputs; the node has %d", op.InCounts, ins)
	}
	for i, name := range n.Inputs {
		if p := op.Input(i); name == "" && p != nil && !p.Optional && !p.Variadic {
			return fmt.Errorf("input %d (%s) is missing", i, p.Name)
		}
	}
	least, most = op.OutputLimits()
	switch outs := len(n.Outputs); {
	case outs < least:
		return fmt.Errorf("the operator has at least %d results; the node has %d", least, outs)
	case most >= 0 && outs > most:
		return fmt.Errorf("the operator has at most %d results; the node has %d", most, outs)
	case op.OutCounts != nil && !slices.Contains(op.OutCounts, outs):
		return fmt.Errorf("the operator has %v results; the node has %d", op.OutCounts, outs)
	}
	return nil
}
