package retrace

// This file writes the arguments of traced calls for reports.

import (
	"slices"
	"strings"

	"shapecheck/infer/value"
)

// WrittenTexts are the texts of a call's arguments that a prelude wrote; "?" where one is not known.
func WrittenTexts(texts value.Value) []string {
	list, _ := value.AsSequence(texts)
	out := make([]string, len(list))
	for i, a := range list {
		s, ok := value.AsStr(a)
		if !ok {
			s = "?"
		}
		out[i] = s
	}
	return out
}

// ArgumentTexts are the texts of a call's arguments, types of tensors and values of Python.
func ArgumentTexts(th value.Thread, args []value.Value, kw []value.Kw) []string {
	w := argumentWriter{th: th, left: maxArgumentParts}
	out := w.all(args, 0)
	for _, k := range kw {
		out = append(out, k.Name+"="+w.text(k.Value, 0))
	}
	return out
}

const (
	// maxArgumentParts bounds the values that are written of the arguments of a call.
	maxArgumentParts = 1000
	// maxArgumentDepth bounds the nesting of these values: a list may hold itself.
	maxArgumentDepth = 16
)

// An argumentWriter writes arguments; left bounds their parts.
type argumentWriter struct {
	th   value.Thread
	left int
}

func (w *argumentWriter) all(list []value.Value, depth int) []string {
	out := make([]string, 0, min(len(list), maxArgumentParts))
	for _, v := range list {
		if w.left == 0 {
			return append(out, "…")
		}
		w.left--
		out = append(out, w.text(v, depth))
	}
	return out
}

// text is the type of a tensor or array, what repr gives of numbers and texts, and the name of another object
// or of its class; "?" where it is not known.
func (w *argumentWriter) text(v value.Value, depth int) string {
	switch x := v.(type) {
	case *value.Tensor:
		return x.String()
	case value.Bool, value.Int, value.Float, value.Str, value.NoneType, *value.BigInt, *value.SymInt, *value.SymFloat, *value.SymBool:
		if s, ok := w.th.Repr(v); ok {
			return s
		}
		return "?"
	case *value.Unknown, *value.Choice, *value.Abstract:
		return "?"
	case *value.Tuple:
		return "(" + w.inside(x.Elems, depth) + ")"
	case *value.List:
		if x.Open != nil {
			return "?"
		}
		return "[" + w.inside(x.Elems, depth) + "]"
	}
	if hasAttrs(w.th, v, "dtype", "shape") {
		return v.String()
	}
	if n, ok, err := w.th.LookupAttr(v, "__name__"); ok && err == nil {
		if s, ok := value.AsStr(n); ok {
			return s
		}
	}
	return w.th.TypeOf(v).Name
}

// inside are the elements of a list or tuple.
func (w *argumentWriter) inside(list []value.Value, depth int) string {
	if depth == maxArgumentDepth && len(list) > 0 {
		return "…"
	}
	return strings.Join(w.all(list, depth+1), ", ")
}

// hasAttrs reports whether v has all of the attributes.
func hasAttrs(th value.Thread, v value.Value, names ...string) bool {
	return !slices.ContainsFunc(names, func(name string) bool {
		_, ok, err := th.LookupAttr(v, name)
		return !ok || err != nil
	})
}
