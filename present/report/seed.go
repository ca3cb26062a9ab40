package report

// This file writes types as the inference engine of chainer-compiler wrote them:
// ndarray(float32, (2, 3, None)), int list, optional(int), 57 (height // 4). What that
// engine had no form for keeps ours: a size without a value is its expression alone.

import (
	"strconv"
	"strings"

	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// Bounds of what is written: nesting, and values in all, for containers may share parts.
const (
	maxSeedDepth  = 8
	maxSeedValues = 4096
)

// A seedType is a type of that engine.
type seedType struct {
	// kind is the constructor: "num", "list", "tuple", "dict", "optional", "none", a tensor's
	// name, or empty for what is only a text.
	kind string
	// text is the whole type where it has no parts, or a tensor's dtype.
	text  string
	num   int // the place of a number's kind in numKinds
	parts []*seedType
	dims  []symshape.Dim
	sizes seedSizes
}

// numKinds are the kinds of numbers, each within the next.
var numKinds = []string{"bool", "int", "float"}

func number(kind int, text string) *seedType { return &seedType{kind: "num", num: kind, text: text} }

// seedString writes the type of a value.
func seedString(v value.Value, sizes seedSizes) string {
	w := seedWriter{maxSeedValues, sizes}
	return w.of(v, 0).String()
}

// A seedWriter makes types of values; left is how many it may still look at.
type seedWriter struct {
	left  int
	sizes seedSizes
}

// of gives the type of a value in the notation of the seed. The number of values and their depth are bounded; beyond
// that a type is "...".
func (w *seedWriter) of(v value.Value, depth int) *seedType {
	if w.left--; w.left < 0 || depth > maxSeedDepth {
		return &seedType{text: "..."}
	}
	each := func(list []value.Value) []*seedType {
		out := make([]*seedType, len(list))
		for i, e := range list {
			out[i] = w.of(e, depth+1)
		}
		return out
	}
	switch v := v.(type) {
	case value.NoneType:
		return &seedType{kind: "none", text: "NoneType"}
	case value.Bool, *value.SymBool:
		return number(0, numKinds[0])
	case value.Int, *value.BigInt:
		return number(1, numKinds[1])
	case *value.SymInt:
		if v.D.Expr == nil {
			return number(1, numKinds[1])
		}
		return number(1, w.sizes.of(v.D))
	case value.Float, *value.SymFloat:
		return number(2, numKinds[2])
	case value.Str:
		return &seedType{kind: "string", text: "string"}
	case *value.Abstract:
		if v.Class.Name == "str" {
			return &seedType{kind: "string", text: "string"}
		}
	case value.DType:
		if v.D.Numpy() != "" {
			return &seedType{kind: "dtype", text: "dtype(" + v.D.Numpy() + ")"}
		}
	case *value.Tensor:
		return w.tensorType(v)
	case *value.Tuple:
		if v.Class == nil {
			return &seedType{kind: "tuple", parts: each(v.Elems)}
		}
	case *value.List:
		elems := each(v.Elems)
		if v.Open != nil {
			elems = append(elems, w.of(v.Open.Elem, depth+1))
		}
		if e := joinAll(elems); e != nil {
			return &seedType{kind: "list", parts: []*seedType{e}}
		}
		if v.Open == nil {
			return &seedType{text: "[" + seedList(elems) + "]"}
		}
	case *value.Dict:
		var keys, values []*seedType
		for i := range min(v.Len(), max(w.left, 1)) {
			keys, values = append(keys, w.of(v.Key(i), depth+1)), append(values, w.of(v.At(i), depth+1))
		}
		if k, x := joinAll(keys), joinAll(values); v.Open == nil && k != nil && x != nil {
			return &seedType{kind: "dict", parts: []*seedType{k, x}}
		}
	case *value.Choice:
		a, b := w.of(v.Then, depth+1), w.of(v.Else, depth+1)
		if t := join(a, b); t != nil {
			return t
		}
		return &seedType{text: a.String() + " | " + b.String()}
	case *value.Instance:
		if v.Payload != nil {
			return w.of(v.Payload, depth+1)
		}
		return &seedType{text: "class " + v.Class.Name}
	case nil:
		return &seedType{text: "<unbound>"}
	}
	return &seedType{text: v.String()}
}

// tensorType is a tensor's type; ours where its rank or dtype is not known.
func (w *seedWriter) tensorType(t *value.Tensor) *seedType {
	ty := t.Type()
	name := ty.DType.Numpy()
	if !ty.Ranked || name == "" || ty.DType == dtype.Unknown {
		return &seedType{text: t.String()}
	}
	kind := "torch.Tensor"
	if ops.IsArray(t) {
		kind = "ndarray"
	} else if t.Class != nil && ops.IsVariableClass(t.Class) {
		kind = "Variable"
	}
	return &seedType{kind: kind, text: name, dims: ty.Shape, sizes: w.sizes}
}

// joinAll is what several types have in common; nil where that is none of them.
func joinAll(list []*seedType) *seedType {
	var out *seedType
	for i, t := range list {
		if i == 0 {
			out = t
		} else if out = join(out, t); out == nil {
			return nil
		}
	}
	return out
}

// join is the type of either of two: NoneType and T give optional(T), numbers the larger
// kind, sizes that differ None. It is nil where there is none.
func join(a, b *seedType) *seedType {
	switch {
	case a.kind == "none" && b.kind == "none":
		return a
	case a.kind == "none":
		a, b = b, a
		fallthrough
	case b.kind == "none":
		if a.kind == "" {
			return nil
		}
		if a.kind == "optional" {
			return a
		}
		return &seedType{kind: "optional", parts: []*seedType{a}}
	case a.kind == "optional" || b.kind == "optional":
		if a.kind == "optional" {
			a = a.parts[0]
		}
		if b.kind == "optional" {
			b = b.parts[0]
		}
		if t := join(a, b); t != nil {
			return &seedType{kind: "optional", parts: []*seedType{t}}
		}
		return nil
	case a.String() == b.String():
		return a
	case a.kind != b.kind || len(a.parts) != len(b.parts) || len(a.dims) != len(b.dims):
		return nil
	case a.kind == "num":
		k := max(a.num, b.num)
		return number(k, numKinds[k])
	case a.kind == "tuple":
		out := &seedType{kind: a.kind}
		for i := range a.parts {
			t := join(a.parts[i], b.parts[i])
			if t == nil {
				return nil
			}
			out.parts = append(out.parts, t)
		}
		return out
	case len(a.dims) == 0 || a.text != b.text: // lists and dicts are invariant
		return nil
	}
	out := &seedType{kind: a.kind, text: a.text, dims: make([]symshape.Dim, len(a.dims)), sizes: a.sizes}
	for i, d := range a.dims {
		if d.String() == b.dims[i].String() {
			out.dims[i] = d
		} else if e := b.dims[i]; d.Known && e.Known && d.Val == e.Val { // the expressions are lost
			out.dims[i] = symshape.Dim{Val: d.Val, Known: true}
		}
	}
	return out
}

// String writes the type.
func (t *seedType) String() string {
	switch {
	case t.kind == "list":
		return t.parts[0].String() + " list"
	case t.kind == "optional":
		return "optional(" + t.parts[0].String() + ")"
	case t.kind == "dict":
		return "{" + t.parts[0].String() + " : " + t.parts[1].String() + "}"
	case t.kind == "tuple":
		return seedTuple(seedList(t.parts), len(t.parts))
	case t.kind == "" || t.kind == "num" || t.kind == "none" || t.kind == "string" || t.kind == "dtype":
		return t.text
	}
	sizes := make([]string, len(t.dims))
	for i, d := range t.dims {
		if sizes[i] = t.sizes.of(d); d.Expr == nil && d.Known {
			sizes[i] = strconv.FormatInt(d.Val, 10)
		} else if d.Unknown() {
			sizes[i] = "None"
		}
	}
	return t.kind + "(" + t.text + ", " + seedTuple(strings.Join(sizes, ", "), len(sizes)) + ")"
}

func seedList(list []*seedType) string {
	texts := make([]string, len(list))
	for i, t := range list {
		texts[i] = t.String()
	}
	return strings.Join(texts, ", ")
}

// seedTuple writes a tuple of n elements as Python does.
func seedTuple(elems string, n int) string {
	if n == 1 {
		elems += ","
	}
	return "(" + elems + ")"
}
