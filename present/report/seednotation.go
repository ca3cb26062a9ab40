package report

// This file writes types in the notation "seed" (--notation=seed): as the inference engine of chainer-compiler wrote them,
// for those who compare the two. Examples are ndarray(float32, (2, 3, None)), int list, optional(int), 57 (height // 4).
// What that engine had no form for is written as in our own notation: a size without a value is its expression alone.

import (
	"strconv"
	"strings"

	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// Bounds of what is written: nesting, and values in all, since containers that share parts are written as often as they are met.
const (
	maxSeedDepth  = 8
	maxSeedValues = 4096
)

// A seedType is a type of chainer-compiler's engine. Types are kept apart in parts until they are written, since
// the elements of a list are joined to one type. A type without a kind is joined only with one that
// is written alike.
type seedType struct {
	// kind is the constructor: "num", "list", "tuple", "dict", "optional", "none", a tensor's
	// name, or empty for what is only a text.
	kind string
	// text is the whole type where it has no parts, or a tensor's dtype.
	text string
	num  int // the index of a number's kind in numKinds
	// parts are the types inside: of a list's elements or an optional's value one, of a dict key and value, of a tuple all.
	parts []*seedType
	// dims are the sizes of a tensor's type, and sizes says how each is written.
	dims  []symshape.Dim
	sizes seedSizes
}

// numKinds are the kinds of numbers. One of several kinds has the last of them: a bool is an int, an int is a float.
var numKinds = []string{"bool", "int", "float"}

// numberType is the type of a number of a kind, written as text: its kind, or a size with its expression.
func numberType(kind int, text string) *seedType {
	return &seedType{kind: "num", num: kind, text: text}
}

// seedString writes the type of a value.
func seedString(v value.Value, sizes seedSizes) string {
	w := seedWriter{maxSeedValues, sizes}
	return w.typeOf(v, 0).String()
}

// A seedWriter makes types of values; left is how many it may still look at. It is made anew for
// each type that is written, so that the bound holds for one type.
type seedWriter struct {
	left  int
	sizes seedSizes
}

// typeOf gives the type of a value in the notation of the seed. The number of values and their depth are bounded; beyond
// that a type is "...".
func (w *seedWriter) typeOf(v value.Value, depth int) *seedType {
	if w.left--; w.left < 0 || depth > maxSeedDepth {
		return &seedType{text: "..."}
	}
	each := func(list []value.Value) []*seedType {
		out := make([]*seedType, len(list))
		for i, e := range list {
			out[i] = w.typeOf(e, depth+1)
		}
		return out
	}
	switch v := v.(type) {
	case value.NoneType:
		return &seedType{kind: "none", text: "NoneType"}
	case value.Bool, *value.SymBool:
		return numberType(0, numKinds[0])
	case value.Int, *value.BigInt:
		return numberType(1, numKinds[1])
	case *value.SymInt:
		if v.D.Expr == nil {
			return numberType(1, numKinds[1])
		}
		return numberType(1, w.sizes.of(v.D))
	case value.Float, *value.SymFloat:
		return numberType(2, numKinds[2])
	case value.Str:
		// Texts have no values here: the notation of that engine has the class alone.
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
		// A list is written with one type for its elements; an element that stands for the rest of
		// a list of unknown length is one more. Without a common type the elements of a known list
		// are written one by one.
		elems := each(v.Elems)
		if v.Open != nil {
			elems = append(elems, w.typeOf(v.Open.Elem, depth+1))
		}
		if e := joinTypes(elems); e != nil {
			return &seedType{kind: "list", parts: []*seedType{e}}
		}
		if v.Open == nil {
			return &seedType{text: "[" + seedList(elems) + "]"}
		}
	case *value.Dict:
		var keys, values []*seedType
		// The count is cut before the loop, or a large dictionary would be walked through for "..."
		// alone.
		for i := range min(v.Len(), max(w.left, 1)) {
			keys, values = append(keys, w.typeOf(v.Key(i), depth+1)), append(values, w.typeOf(v.At(i), depth+1))
		}
		// A dictionary of unknown keys, or of values without a common type, keeps our notation.
		if k, x := joinTypes(keys), joinTypes(values); v.Open == nil && k != nil && x != nil {
			return &seedType{kind: "dict", parts: []*seedType{k, x}}
		}
	// One of two values, as after a branch, has the type that both have in common, or both types.
	case *value.Choice:
		a, b := w.typeOf(v.Then, depth+1), w.typeOf(v.Else, depth+1)
		if t := joinTwoTypes(a, b); t != nil {
			return t
		}
		return &seedType{text: a.String() + " | " + b.String()}
	case *value.Instance:
		// An instance of a subclass of a builtin type is written as its plain value.
		if v.Payload != nil {
			return w.typeOf(v.Payload, depth+1)
		}
		return &seedType{text: "class " + v.Class.Name}
	case nil:
		return &seedType{text: "<unbound>"}
	}
	return &seedType{text: v.String()}
}

// tensorType is a tensor's type; ours where its rank or dtype is not known. The classes are ndarray
// for arrays, Variable for those of Chainer, and torch.Tensor.
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

// joinTypes is what several types have in common; nil where that is none of them. An empty list has
// no type of its elements: the result is nil for it, too.
func joinTypes(list []*seedType) *seedType {
	var out *seedType
	for i, t := range list {
		if i == 0 {
			out = t
		} else if out = joinTwoTypes(out, t); out == nil {
			return nil
		}
	}
	return out
}

// joinTwoTypes is the type of what is either of two: NoneType and T give optional(T), numbers the larger
// kind, sizes that differ None. It is nil where there is none.
func joinTwoTypes(a, b *seedType) *seedType {
	switch {
	case a.kind == "none" && b.kind == "none":
		return a
	case a.kind == "none":
		a, b = b, a
		fallthrough
	// Of a type that is only a text it is not known whether it can be optional.
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
		if t := joinTwoTypes(a, b); t != nil {
			return &seedType{kind: "optional", parts: []*seedType{t}}
		}
		return nil
	// Equal text is an equal type: all that a type says is in its text.
	case a.String() == b.String():
		return a
	case a.kind != b.kind || len(a.parts) != len(b.parts) || len(a.dims) != len(b.dims):
		return nil
	// Numbers of which values differ lose them: two numbers join to their kind.
	case a.kind == "num":
		k := max(a.num, b.num)
		return numberType(k, numKinds[k])
	case a.kind == "tuple":
		out := &seedType{kind: a.kind}
		// Tuples are joined element by element, if they are of the same length.
		for i := range a.parts {
			t := joinTwoTypes(a.parts[i], b.parts[i])
			if t == nil {
				return nil
			}
			out.parts = append(out.parts, t)
		}
		return out
	// A list of int and a list of float have no common list, since either could be appended to.
	case len(a.dims) == 0 || a.text != b.text: // lists and dicts are invariant
		return nil
	}
	out := &seedType{kind: a.kind, text: a.text, dims: make([]symshape.Dim, len(a.dims)), sizes: a.sizes}
	for i, d := range a.dims {
		// A size that differs is None, which is the zero Dim; the dtypes are equal here.
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
	// A size with a value but without an expression is the number; one with neither is None.
	for i, d := range t.dims {
		if sizes[i] = t.sizes.of(d); d.Expr == nil && d.Known {
			sizes[i] = strconv.FormatInt(d.Val, 10)
		} else if d.Unknown() {
			sizes[i] = "None"
		}
	}
	return t.kind + "(" + t.text + ", " + seedTuple(strings.Join(sizes, ", "), len(sizes)) + ")"
}

// seedList writes types in a row, as within a tuple.
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
