package record

// This file writes values as JSON in the form of the recorded traces: a tensor
// is its type string, Python numbers, booleans and None are themselves, lists are
// lists, and everything else is an object with one telling key. The form was defined by the
// recorder that ran models of the first version of this project, and the comparison with its traces
// still reads it, so a change here is a change of the JSON document. Value is the only way in for
// other packages; argument is for those of calls.

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"shapecheck/infer/value"
	"shapecheck/internal/inorder"
	"shapecheck/symshape/dtype"
)

// object is a JSON object with its keys in order. Go's maps would write their keys in alphabetical
// order, but a reader expects the telling key first.
type object []field

type field struct {
	key string
	val any
}

// MarshalJSON writes the fields in their order. It returns an error where a value cannot be encoded.
func (o object) MarshalJSON() ([]byte, error) {
	var b strings.Builder
	b.WriteByte('{')
	for i, f := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		k, err := json.Marshal(f.key)
		if err != nil {
			return nil, err
		}
		v, err := json.Marshal(f.val)
		if err != nil {
			return nil, err
		}
		b.Write(k)
		b.WriteByte(':')
		b.Write(v)
	}
	b.WriteByte('}')
	return []byte(b.String()), nil
}

// maxDepth is the nesting at which the traces stop, too. Deeper values are named by their type.
const maxDepth = 6

// Value gives the JSON form of v.
func Value(v value.Value) any { return newEncoder().encode(v, 0) }

// An encoder writes one value. Parts that occur many times are named by their types alone after a
// number of them. value.Visit counts how often a part was entered, which bounds the size of the
// text for values that share parts, and ends at cycles.
type encoder struct{ visit value.Visit }

func newEncoder() *encoder { return &encoder{value.Visit{Repeats: value.SomeRepeats}} }

// encode gives the JSON form of a value. A tensor is the text of its type; None, booleans, finite numbers and lists of
// known length have JSON's own form; other values are objects whose first key names the kind, so that a reader can tell
// them apart.
func (w *encoder) encode(v value.Value, depth int) any {
	list := func(elems []value.Value) []any {
		out := make([]any, len(elems))
		for i, e := range elems {
			out[i] = w.encode(e, depth+1)
		}
		return out
	}
	switch v := v.(type) {
	case nil, value.NoneType:
		return nil
	case *value.Tensor:
		return v.String()
	case value.Bool:
		return bool(v)
	case value.Int:
		return int64(v)
	// As a number of any length.
	case *value.BigInt:
		return json.Number(v.V.String())
	// A size without an expression has the value of the example; one with an expression is a text,
	// also where the example is known.
	case *value.SymInt:
		if v.D.Expr == nil && v.D.Known {
			return v.D.Val
		}
		return object{{"int", v.D.String()}}
	case *value.SymBool:
		if v.Known {
			return v.Val
		}
		return object{{"bool", "?"}}
	case value.Float:
		// JSON has no infinity and no NaN.
		if f := float64(v); math.IsInf(f, 0) || math.IsNaN(f) {
			return object{{"float", value.FloatRepr(f)}}
		}
		return float64(v)
	case *value.SymFloat:
		if v.Known {
			return v.Val
		}
		return object{{"float", "?"}}
	case value.Str:
		return object{{"str", string(v)}}
	// The traces have no value for it.
	case value.Complex:
		return object{{"obj", "complex"}}
	case *value.Abstract:
		if v.Class.Name == "str" && v.Class.Module == "builtins" { // of which the text is not known
			return object{{"str", "?"}}
		}
	case value.DType:
		return object{{"dtype", v.D.String()}}
	// The name of a device is left out.
	case value.Device:
		return object{{"device", 1}}
	case value.EllipsisType:
		return object{{"ellipsis", 1}}
	case *value.Unknown:
		return object{{"unknown", v.Cause.Reason}}
	// A value that is one of two has both forms, unless they are equal.
	case *value.Choice:
		forms := w.oneOf(nil, v, depth+1)
		if len(forms) == 1 {
			return forms[0]
		}
		return object{{"one_of", forms}}
	}
	// Only what has parts comes here.
	if depth > maxDepth || !w.visit.Enter(v) {
		return object{{"obj", typeName(v)}}
	}
	defer w.visit.Leave()
	switch v := v.(type) {
	case *value.Tuple:
		return w.tuple(v, list, depth)
	case *value.List:
		// A list of unknown length is the form of its element and its length.
		if v.Open != nil {
			return object{{"list_of", w.encode(v.Open.Elem, depth+1)}, {"len", v.Open.Len.String()}}
		}
		return list(v.Elems)
	case *value.Dict:
		o := make(object, 0, v.Len())
		times := make(map[string]int, v.Len())
		for i := range v.Len() {
			k, ok := value.AsStr(v.Key(i))
			if !ok {
				k = keyText(v.Key(i))
			}
			if times[k]++; times[k] > 1 { // keys such as modules may read the same
				k = fmt.Sprintf("%s #%d", k, times[k])
			}
			o = append(o, field{k, w.encode(v.At(i), depth+1)})
		}
		return object{{"dict", o}}
	// Of a set with unknown elements only the type is written.
	case *value.Set:
		if v.Open == nil { // of one that a loop over data fills, the elements are not known
			return object{{"set", list(v.Inserted())}}
		}
	case *value.Range:
		return object{{"range", list([]value.Value{v.Start, v.Stop, v.Step})}}
	case *value.Slice:
		return object{{"slice", list([]value.Value{v.Start, v.Stop, v.Step})}}
	// A function, a builtin and a class are named alike, since libraries replace one by the other.
	case *value.Func:
		return object{{"callable", v.Qualname}}
	case *value.Builtin:
		return object{{"callable", v.Name[strings.LastIndexByte(v.Name, '.')+1:]}}
	case *value.Class:
		return object{{"callable", v.Qualname}}
	case *value.Instance:
		return w.instance(v, depth)
	}
	return object{{"obj", typeName(v)}}
}

// oneOf adds the forms of the values of which v is one, each of them once. Choices within choices
// are flattened.
func (w *encoder) oneOf(forms []any, v value.Value, depth int) []any {
	if c, ok := v.(*value.Choice); ok {
		return w.oneOf(w.oneOf(forms, c.Then, depth), c.Else, depth)
	}
	form := w.encode(v, depth)
	if slices.ContainsFunc(forms, func(f any) bool { return reflect.DeepEqual(f, form) }) {
		return forms
	}
	return append(forms, form)
}

// argument gives the form of an argument of a call. That of a tensor that may be None is
// the tensor's, with optional set. The second result tells that None is possible, so that the type
// of the tensor can stand alone.
func argument(v value.Value) (form any, optional bool) {
	w := newEncoder()
	form = w.encode(v, 0)
	// The only form left is that of a tensor.
	if c, ok := v.(*value.Choice); ok {
		forms := slices.DeleteFunc(w.oneOf(nil, c, 1), func(f any) bool { return f == nil })
		if t, isText := forms[0].(string); isText && len(forms) == 1 { // the form of tensors alone
			return t, t != form
		}
	}
	return form, false
}

// torch.Size, named tuples, and the results of functions such as torch.max, which PyTorch names by
// no class that users know, are told apart.
func (w *encoder) tuple(v *value.Tuple, list func([]value.Value) []any, depth int) any {
	c := v.Class
	switch {
	case c == nil:
		return object{{"tuple", list(v.Elems)}}
	case c.Name == "Size":
		return object{{"size", list(v.Elems)}}
	case c.Module == "torch.return_types":
		return object{{"tuple", list(v.Elems)}}
	case len(c.Fields) == len(v.Elems) && len(v.Elems) > 0:
		o := make(object, len(v.Elems))
		for i, e := range v.Elems {
			o[i] = field{c.Fields[i], w.encode(e, depth+1)}
		}
		return object{{"namedtuple", c.Name}, {"fields", o}}
	}
	return object{{"tuple", list(v.Elems)}}
}

// An object that wraps a number or a text is that value; a module is named by its class; other
// objects are written with their attributes only if one of them is a tensor, since then they are
// the output of a model, as those of transformers.
func (w *encoder) instance(v *value.Instance, depth int) any {
	if v.Payload != nil {
		return w.encode(v.Payload, depth)
	}
	if isModule(v.Class) {
		return object{{"module", ClassName(v.Class)}}
	}
	if base, ok := flatBase(v); ok {
		return w.flat(base)
	}
	var o object
	tensors := false
	for i := range v.Attrs.Len() {
		x := v.Attrs.At(i)
		if _, ok := x.(*value.Tensor); ok {
			tensors = true
		}
		o = append(o, field{v.Attrs.Name(i), w.encode(x, depth+1)})
	}
	if tensors {
		if _, dataclass := v.Class.Lookup("__dataclass_fields__"); !dataclass { // attributes have no order, fields have
			inorder.StableBy(o, func(a, b field) int { return strings.Compare(a.key, b.key) })
		}
		return object{{"obj", v.Class.Name}, {"fields", o}}
	}
	return object{{"obj", v.Class.Name}}
}

// flatBase is the array over which numpy's x.flat goes.
func flatBase(v *value.Instance) (*value.Tensor, bool) {
	if v.Class.Name != "flatiter" || v.Class.Module != "numpy" {
		return nil, false
	}
	base, _ := v.Attrs.Get("base")
	t, ok := base.(*value.Tensor)
	return t, ok
}

// flat gives the form of numpy's x.flat, an iterator with a length: its elements, as the recorded
// traces have it. With an unknown number of elements it is a list of unknown length.
func (w *encoder) flat(base *value.Tensor) any {
	ty := base.Type()
	elem := elementForm(ty.DType)
	count := int64(1)
	// The product stops before it can overflow.
	for _, d := range ty.Shape {
		n, ok := d.Const()
		if count *= n; !ok || count > value.MaxElems {
			return object{{"list_of", elem}, {"len", "?"}}
		}
	}
	if !ty.Ranked {
		return object{{"list_of", elem}, {"len", "?"}}
	}
	known := base.Contents()
	out := make([]any, count)
	for i := range out {
		if out[i] = elem; i < len(known) {
			out[i] = w.encode(known[i], 1)
		}
	}
	return out
}

// elementForm is the form of an element of which the value is not known. In the same form as a
// value that is not known.
func elementForm(d dtype.DType) any {
	switch {
	case d == dtype.Bool:
		return object{{"bool", "?"}}
	case d.IsIntegral():
		return object{{"int", "?"}}
	case d.IsFloat():
		return object{{"float", "?"}}
	case d.IsComplex():
		return object{{"obj", "complex"}}
	}
	return object{{"unknown", "the dtype is not known"}}
}

// keyText is a key of a dict that is no str, as Python would write it. A symbolic key has the text
// behind the name of its kind, as in int=3.
func keyText(v value.Value) string {
	return keyTextIn(&value.Visit{Repeats: value.SomeRepeats}, v)
}

// Texts in a tuple are quoted, others are not escaped, since keys are for reading.
func keyTextIn(w *value.Visit, v value.Value) string {
	if t, ok := v.(*value.Tuple); ok && w.Enter(t) {
		defer w.Leave()
		parts := make([]string, len(t.Elems))
		for i, e := range t.Elems {
			if s, ok := value.AsStr(e); ok {
				parts[i] = "'" + s + "'"
			} else {
				parts[i] = keyTextIn(w, e)
			}
		}
		if len(parts) == 1 {
			parts[0] += ","
		}
		return "(" + strings.Join(parts, ", ") + ")"
	}
	s := v.String()
	if _, val, ok := strings.Cut(s, "="); ok {
		return val
	}
	return s
}

// The name of the class for objects, and a plain word for builtin kinds.
func typeName(v value.Value) string {
	switch v := v.(type) {
	case *value.Instance:
		return v.Class.Name
	case *value.Abstract:
		return v.Class.Name
	case *value.Iterator:
		return v.Name
	case *value.Set:
		return "set"
	case *value.Range:
		return "range"
	case *value.Module:
		return "module"
	case value.Constant:
		return v.Type()[strings.LastIndexByte(v.Type(), '.')+1:]
	}
	return "object"
}

// The class itself is looked for by name, since this package knows no library.
func isModule(c *value.Class) bool {
	for _, k := range c.MRO {
		if k.Name == "Module" && k.Module == "torch.nn.modules.module" {
			return true
		}
	}
	return false
}

// ClassName gives the full name of a class as users of its library write it:
// torch.nn.Conv2d for torch.nn.modules.conv.Conv2d. Users import a class from the package that
// exports it, not from the file in which it is written.
func ClassName(c *value.Class) string {
	m := c.Module
	switch {
	case strings.HasPrefix(m, "torch.nn.modules."):
		m = "torch.nn"
	case strings.HasPrefix(m, "chainer.links.") && !strings.HasPrefix(c.Qualname, "_"):
		m = "chainer.links"
	case m == "chainer.link", m == "chainer.sequential":
		m = "chainer"
	}
	if m == "" {
		return c.Qualname
	}
	return m + "." + c.Qualname
}
