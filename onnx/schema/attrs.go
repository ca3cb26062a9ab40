package schema

// This file decodes the attributes of nodes.

import (
	"fmt"
	"slices"
	"strings"

	"shapecheck/onnx"
)

// Attrs are the attributes of a node, checked, with references resolved and defaults
// filled in.
//
// The accessors give the value that was given, else the default, else zero; Has tells
// whether there is one. An attribute that this version of the operator lacks has the
// default of the first version that has it, which is what an operator did before (but
// for RoiAlign before opset 16), so that one rule serves all versions; Has is then
// false. Asking for one that no version has, or with another type, is a mistake of the
// caller and panics.
type Attrs struct {
	op *Op
	// vals holds for each of op.Attrs the value: given, default, or nil.
	vals  []*onnx.Attr
	given uint64 // a bit for each of op.Attrs
}

// Decode reads the attributes of a node of this version. References to attributes of
// the function that the node is in are resolved in fn, the attributes of the call and
// the function's defaults; what the call leaves out is as if the node did not have it.
// An unknown name, a wrong type, a missing required attribute and a value that the
// specification does not have are errors. Names that begin with two underscores, which
// are for the use of tools, and what chainer-compiler adds to all nodes pass unread.
func (op *Op) Decode(n *onnx.Node, fn []*onnx.Attr) (Attrs, error) {
	a := Attrs{op: op, vals: make([]*onnx.Attr, len(op.Attrs))}
	for i := range op.Attrs {
		a.vals[i] = op.Attrs[i].Default
	}
	for _, x := range n.Attrs {
		if strings.HasPrefix(x.Name, "__") || strings.HasPrefix(x.Name, "chainer_") {
			continue
		}
		i := op.attr(x.Name)
		if i < 0 {
			return a, fmt.Errorf("the operator has no attribute %s%s", x.Name, op.since(x.Name))
		}
		if a.given>>i&1 != 0 {
			return a, fmt.Errorf("attribute %s is given twice", x.Name)
		}
		def := &op.Attrs[i]
		if err := def.hasType(x); err != nil {
			return a, err
		}
		if x.Ref != "" {
			ref := x.Ref
			if x = find(fn, ref); x == nil {
				continue
			}
			if err := def.hasType(x); err != nil {
				return a, fmt.Errorf("%w (it is the function's attribute %s)", err, ref)
			}
		}
		if err := def.check(x); err != nil {
			return a, err
		}
		a.vals[i] = x
		a.given |= 1 << i
	}
	for i := range op.Attrs {
		if op.Attrs[i].Required && a.vals[i] == nil {
			return a, fmt.Errorf("the attribute %s is missing", op.Attrs[i].Name)
		}
	}
	return a, nil
}

// Default gives the attributes of a node that has none, not even those that are
// required.
func (op *Op) Default() Attrs {
	a := Attrs{op: op, vals: make([]*onnx.Attr, len(op.Attrs))}
	for i := range op.Attrs {
		a.vals[i] = op.Attrs[i].Default
	}
	return a
}

func find(list []*onnx.Attr, name string) *onnx.Attr {
	for _, a := range list {
		if a.Name == name {
			return a
		}
	}
	return nil
}

// Attr gives the description of an attribute; nil when this version has none of that
// name.
func (op *Op) Attr(name string) *AttrDef {
	if i := op.attr(name); i >= 0 {
		return &op.Attrs[i]
	}
	return nil
}

func (op *Op) attr(name string) int {
	for i := range op.Attrs {
		if op.Attrs[i].Name == name {
			return i
		}
	}
	return -1
}

// since says in a message which other versions have an attribute.
func (op *Op) since(name string) string {
	for _, e := range op.family.versions {
		if v := e.get(); v.attr(name) >= 0 {
			if v.Since > op.Since {
				return fmt.Sprintf(" before version %d", v.Since)
			}
			return fmt.Sprintf(" from version %d on", op.Since)
		}
	}
	return ""
}

// hasType checks the type of a given attribute. Files of the first IR versions do not
// say it.
func (d *AttrDef) hasType(x *onnx.Attr) error {
	if x.Type != d.Type && x.Type != onnx.AttrUndefined {
		return fmt.Errorf("attribute %s is of type %s; expected %s", d.Name, x.Type, d.Type)
	}
	return nil
}

// check tests the value of a given attribute.
func (d *AttrDef) check(x *onnx.Attr) error {
	switch {
	case d.Type == onnx.AttrGraph && x.Graph == nil, d.Type == onnx.AttrTensor && x.Tensor == nil,
		d.Type == onnx.AttrSparseTensor && x.SparseTensor == nil, d.Type == onnx.AttrTypeProto && x.TypeProto == nil:
		return fmt.Errorf("the attribute %s has no value", d.Name)
	case d.OneOf != nil && d.Type == onnx.AttrString && !slices.Contains(d.OneOf, string(x.String)):
		return fmt.Errorf("attribute %s is %q; expected one of %s", d.Name, x.String, strings.Trim(strings.Join(d.OneOf, ", "), ", "))
	case d.HasMin && d.Type == onnx.AttrInt && x.Int < d.Min:
		return fmt.Errorf("attribute %s is %d; it must be at least %d", d.Name, x.Int, d.Min)
	case d.DType && (x.Int != 0 || d.Required) && (x.Int != int64(int32(x.Int)) || !onnx.DType(x.Int).Valid()):
		return fmt.Errorf("attribute %s is %d, which is no element type", d.Name, x.Int)
	case d.HasMin && d.Type == onnx.AttrInts:
		for i, v := range x.Ints {
			if v < d.Min {
				return fmt.Errorf("attribute %s has %d at position %d; all must be at least %d", d.Name, v, i, d.Min)
			}
		}
	}
	return nil
}

// Op gives the operator.
func (a Attrs) Op() *Op { return a.op }

// def finds the description of an attribute: this version's, or that of the first
// version that has it; nil when none has.
func (a Attrs) def(name string) *AttrDef {
	if d := a.op.Attr(name); d != nil {
		return d
	}
	for _, e := range a.op.family.versions {
		if d := e.get().Attr(name); d != nil {
			return d
		}
	}
	return nil
}

// must is def for an attribute of some version.
func (a Attrs) must(name string) *AttrDef {
	d := a.def(name)
	if d == nil {
		panic(fmt.Sprintf("schema: no version of %s has an attribute %s", a.op.Name, name))
	}
	return d
}

// Knows reports whether some version of the operator has an attribute. Rules that
// serve several operators ask it.
func (a Attrs) Knows(name string) bool {
	return a.def(name) != nil
}

// Has reports whether an attribute has a value, given or default.
func (a Attrs) Has(name string) bool {
	if i := a.op.attr(name); i >= 0 {
		return a.vals[i] != nil
	}
	a.must(name)
	return false
}

// Given reports whether the node itself has an attribute.
func (a Attrs) Given(name string) bool {
	if i := a.op.attr(name); i >= 0 {
		return a.given>>i&1 != 0
	}
	return a.Has(name)
}

// zero stands for the value of an attribute that has none; nobody changes it.
var zero onnx.Attr

// value finds the value of an attribute; see Attrs.
func (a Attrs) value(name string, t onnx.AttrType) *onnx.Attr {
	def := a.must(name)
	if def.Type != t {
		panic(fmt.Sprintf("schema: attribute %s of %s is of type %s and was asked for as %s", name, a.op.Name, def.Type, t))
	}
	v := def.Default
	if i := a.op.attr(name); i >= 0 {
		v = a.vals[i]
	}
	if v == nil {
		return &zero
	}
	return v
}

// IntsN gives a list that must have n elements; where the node leaves it out, all have
// the default, and an empty one counts as left out. It returns an error if the list has another length, or if it is
// left out and has no default.
func (a Attrs) IntsN(name string, n int) ([]int64, error) {
	list := a.Ints(name)
	if len(list) == n {
		return list, nil
	}
	def := a.must(name)
	if len(list) > 0 {
		return nil, fmt.Errorf("attribute %s has %d elements; expected %d", name, len(list), n)
	}
	if !def.HasEach {
		return nil, fmt.Errorf("the attribute %s is missing", name)
	}
	return slices.Repeat([]int64{def.Each}, n), nil
}

// The accessors of values. What they give must not be changed.

func (a Attrs) Int(name string) int64              { return a.value(name, onnx.AttrInt).Int }
func (a Attrs) Bool(name string) bool              { return a.value(name, onnx.AttrInt).Int != 0 }
func (a Attrs) DType(name string) onnx.DType       { return onnx.DType(a.value(name, onnx.AttrInt).Int) }
func (a Attrs) Float(name string) float32          { return a.value(name, onnx.AttrFloat).Float }
func (a Attrs) String(name string) string          { return string(a.value(name, onnx.AttrString).String) }
func (a Attrs) Ints(name string) []int64           { return a.value(name, onnx.AttrInts).Ints }
func (a Attrs) Floats(name string) []float32       { return a.value(name, onnx.AttrFloats).Floats }
func (a Attrs) Strings(name string) [][]byte       { return a.value(name, onnx.AttrStrings).Strings }
func (a Attrs) Tensor(name string) *onnx.Tensor    { return a.value(name, onnx.AttrTensor).Tensor }
func (a Attrs) Graph(name string) *onnx.Graph      { return a.value(name, onnx.AttrGraph).Graph }
func (a Attrs) Tensors(name string) []*onnx.Tensor { return a.value(name, onnx.AttrTensors).Tensors }
func (a Attrs) TypeProto(name string) *onnx.Type   { return a.value(name, onnx.AttrTypeProto).TypeProto }
func (a Attrs) SparseTensor(name string) *onnx.SparseTensor {
	return a.value(name, onnx.AttrSparseTensor).SparseTensor
}
