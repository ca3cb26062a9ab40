package infer

// This file writes the arguments of traced calls for reports.

import (
	"slices"
	"strings"

	"shapecheck/infer/value"
)

// argumentTexts are the texts of a call's arguments; "?" where one is not known.
func argumentTexts(texts value.Value) []string {
	list, _ := sequenceOf(texts)
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

// argumentsTexts are the texts of a call's arguments, types of tensors and values of Python.
func (in *Interp) argumentsTexts(args []value.Value, kw []value.Kw) []string {
	out := make([]string, 0, len(args)+len(kw))
	for _, a := range args {
		out = append(out, in.argumentText(a))
	}
	for _, k := range kw {
		out = append(out, k.Name+"="+in.argumentText(k.Value))
	}
	return out
}

// argumentText is the type of a tensor or array, what repr gives of numbers and texts, and the name of another object
// or of its class; "?" where it is not known.
func (in *Interp) argumentText(v value.Value) string {
	switch x := v.(type) {
	case *value.Tensor:
		return x.String()
	case value.Bool, value.Int, value.Float, value.Str, value.NoneType, *value.BigInt, *value.SymInt, *value.SymFloat, *value.SymBool:
		if s, ok := in.Repr(v); ok {
			return s
		}
		return "?"
	case *value.Unknown, *value.Choice, *value.Abstract:
		return "?"
	case *value.Tuple:
		return "(" + strings.Join(in.argumentsTexts(x.Elems, nil), ", ") + ")"
	case *value.List:
		if x.Open != nil {
			return "?"
		}
		return "[" + strings.Join(in.argumentsTexts(x.Elems, nil), ", ") + "]"
	}
	if in.hasAttrs(v, "dtype", "shape") {
		return v.String()
	}
	if n, ok, err := in.LookupAttr(v, "__name__"); ok && err == nil {
		if s, ok := value.AsStr(n); ok {
			return s
		}
	}
	return in.TypeOf(v).Name
}

// hasAttrs reports whether v has all of the attributes.
func (in *Interp) hasAttrs(v value.Value, names ...string) bool {
	return !slices.ContainsFunc(names, func(name string) bool {
		_, ok, err := in.LookupAttr(v, name)
		return !ok || err != nil
	})
}

// keywordsOf are the keyword arguments that a dict holds.
func keywordsOf(d *value.Dict) []value.Kw {
	var kw []value.Kw
	for i := range d.Len() {
		key, _ := value.AsStr(d.Key(i))
		kw = append(kw, value.Kw{Name: key, Value: d.At(i)})
	}
	return kw
}
