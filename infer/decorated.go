package infer

// This file makes up for decorators that are not known. What they decorate is taken to stay as
// it is: nearly all register it or wrap it without touching shapes. But they may give it
// attributes (click's command, ray's remote), supply its arguments, and make the __init__ of
// a class that has none (attrs, pydantic, chex, flax.struct).

import (
	"fmt"
	"slices"
	"strings"

	"shapecheck/infer/lib"
	"shapecheck/infer/value"
)

// decoratedBy notes on a function or class that is being defined that a decorator is not known.
func (in *Interp) decoratedBy(v value.Value, c *value.Cause) {
	switch v := v.(type) {
	case *value.Func:
		if v.Decorated == nil {
			v.Decorated = c
		}
	case *value.Class:
		if v.Decorated == nil {
			v.Decorated = c
		}
		if m, ok := v.Lookup("__init__"); v.UnknownBase == nil && (!ok || in.isObjects(m, "__init__")) {
			v.UnknownBase = c
		}
	}
}

// decoratedAttr is an attribute that v does not have itself, but a decorator that is not
// known may have given it; nil: there is none. Special names are not given so, but for what functools.wraps sets.
func (in *Interp) decoratedAttr(v value.Value, name string) value.Value {
	if strings.HasPrefix(name, "__") && name != "__wrapped__" {
		return nil
	}
	switch v := v.(type) {
	case *value.Func:
		if v.Decorated != nil {
			return in.losses.unknown(v.Decorated)
		}
	case *value.BoundMethod:
		return in.decoratedAttr(v.Func, name)
	case *value.Class:
		for _, k := range v.MRO {
			if k.Decorated != nil {
				return in.losses.unknown(k.Decorated)
			}
		}
	}
	return nil
}

// decoratedArgs are the arguments beyond those of a call without any, which a decorator may
// supply: that of a command does. Nil: none.
func (in *Interp) decoratedArgs(fn *value.Func, args []value.Value, kw []value.Kw) *openArgs {
	if fn.Decorated == nil || fn.Params.KwArg == nil || len(args)+len(kw) > 0 || len(fn.Params.PosOnly)+len(fn.Params.Args) > 0 {
		return nil
	}
	return &openArgs{kw: in.losses.unknown(fn.Decorated)}
}

// fillFields gives a new object the arguments of an __init__ that is not known, as all makers of
// classes from annotated fields do: by the names, or where all bases are known by the order, of the
// fields. What else the arguments, or a method that is called after, may have set is unknown.
func (in *Interp) fillFields(obj value.Value, c *value.Class, args []value.Value, kw []value.Kw, lost *value.Unknown) {
	a := attrsOf(obj)
	if a == nil {
		return
	}
	var names []string
	ordered := true
	for _, k := range slices.Backward(c.MRO) {
		if k.UnknownBase != nil && k.Decorated == nil {
			ordered = false
		}
		d, _ := k.Attrs.Get("__annotations__")
		fields, ok := d.(*value.Dict)
		if !ok {
			continue
		}
		ordered = ordered && fields.Open == nil
		for i := range fields.Len() {
			if name, ok := fields.Key(i).(value.Str); ok && !slices.Contains(names, string(name)) &&
				!strings.Contains(fmt.Sprint(fields.At(i)), "ClassVar") {
				names = append(names, string(name))
			}
		}
	}
	open := len(args) > 0 && (!ordered || len(args) > len(names))
	for _, name := range [...]string{"__post_init__", "__attrs_post_init__", "model_post_init"} {
		if _, ok := c.Lookup(name); ok {
			open = true
		}
	}
	if open {
		lib.OpenAttrs(in, a, c, lost)
		return
	}
	for i, v := range args {
		a.Set(&in.heap, names[i], v)
	}
	for _, k := range kw {
		if slices.Contains(names, k.Name) {
			a.Set(&in.heap, k.Name, k.Value)
		} else {
			a.Set(&in.heap, k.Name, lost)
		}
	}
}
