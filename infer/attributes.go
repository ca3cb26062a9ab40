package infer

// This file gives the entry's object what only a running program knows: attributes and
// the types of parameters (Config.Attributes).

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/ops/chainer"
	"shapecheck/infer/value"
	"shapecheck/internal/closest"
)

// An Attribute is the value of an attribute of the entry's object.
type Attribute struct {
	// Path leads there from the object: "encoder.layers.0.scale", or with "/" as Chainer's
	// files have it. A number is a key of a list, a tuple or a container of modules.
	Path string
	// Value is nil, a bool, a json.Number, a string, a []any of such values, or an *Array.
	Value any
}

// An Array is an array or tensor of which an Attribute says the type.
type Array struct {
	// DType and Dims are written as in an argument: "f32", {"V", "3"}.
	DType string
	Dims  []string
	// Elems are the elements in row-major order, integers; nil: they are not known.
	Elems []int64
}

// setAttributes applies Config.Attributes to the entry's object. What cannot be set is a
// *UsageError.
func (ar *arguments) setAttributes() error {
	if len(ar.cfg.Attributes) == 0 {
		return nil
	}
	if ar.rec.root == nil {
		return usagef("--attributes: %s is no object with attributes", ar.entryRun.entryName)
	}
	for _, a := range ar.cfg.Attributes {
		err := ar.setAttribute(a)
		var e *value.Exception
		if errors.As(err, &e) {
			return usagef("--attributes %s: %s", a.Path, ar.exceptionText(e))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// exceptionText is what an exception says.
func (ar *arguments) exceptionText(e *value.Exception) string {
	if e.Diag != nil {
		return e.Diag.Msg
	}
	var text string
	_, _ = ar.host.quietly(func() (value.Value, error) {
		text, _ = ar.host.Str(e.Value)
		return nil, nil
	})
	return e.Value.Class.Name + ": " + text
}

// setAttribute replaces an attribute of the model, or a part of a container in it, by the value of an --attributes
// option. A parameter keeps its identity and gets a shape and dtype only, so that all modules that share it see the
// change.
func (ar *arguments) setAttribute(a Attribute) error {
	parts := strings.FieldsFunc(a.Path, func(c rune) bool { return c == '.' || c == '/' })
	if len(parts) == 0 {
		return usagef("--attributes: %q is no path of attributes", a.Path)
	}
	var owner, old value.Value = nil, ar.rec.root
	for i, part := range parts {
		owner = old
		var ok bool
		var err error
		if old, ok, err = ar.stepPath(owner, part); err != nil {
			return err
		}
		if !ok {
			above := strings.Join(parts[:i], ".")
			if above != "" {
				above += "."
			}
			near := closest.Identifier(part, partNames(owner))
			if near != "" {
				near = "; did you mean " + above + near + "?"
			}
			return usagef("--attributes %s: %s has no attribute %s%s", a.Path, ar.host.TypeOf(owner).Name, part, near)
		}
		if u, ok := old.(*value.Unknown); ok && i+1 < len(parts) {
			return usagef("--attributes %s: %s is not known: %s", a.Path, strings.Join(parts[:i+1], "."), u.Cause.Reason)
		}
	}
	v, err := ar.attributeValue(a.Path, a.Value)
	if err != nil {
		return err
	}
	last := parts[len(parts)-1]
	if t, ok := old.(*value.Tensor); ok && (t.V.Param || ops.IsVariableClass(ar.host.TypeOf(t))) {
		x, ok := v.(*value.Tensor)
		if !ok {
			return usagef("--attributes %s: it is a parameter: give its shape and dtype", a.Path)
		}
		giveType(ar.host, t, x)
		return nil
	}
	if key := partKey(owner, last); key != nil {
		return ar.host.SetItem(owner, key, v)
	}
	return ar.host.SetAttr(owner, last, v)
}

// giveType gives a parameter the type of x, also one that waited for it; it stays made where it was.
func giveType(th value.Thread, t, x *value.Tensor) {
	th.Heap().Touch(t)
	v := th.Graph().NewValue(graph.TensorKind, *x.Type(), t.V.At)
	v.Name, v.Param = t.V.Name, t.V.Param
	t.V = v
	t.SetContents(x.Contents())
	if t.Attrs != nil {
		t.Attrs.Delete(th.Heap(), chainer.Pending)
	}
	if t.Class != nil { // what PyTorch's lazy modules fill has a class of its own until then
		if c, ok := t.Class.Lookup("cls_to_become"); ok {
			if c, ok := c.(*value.Class); ok {
				t.Class = c
			}
		}
	}
}

// stepPath gives one step of a path: an attribute, an element or an entry.
func (ar *arguments) stepPath(owner value.Value, part string) (value.Value, bool, error) {
	key := partKey(owner, part)
	if _, isDict := owner.(*value.Dict); isDict && key == nil {
		return nil, false, nil
	}
	if i, ok := owner.(*value.Instance); ok && ar.variables.isLink(i) { // a ChainList's children are its elements
		if n, err := strconv.Atoi(part); err == nil {
			key = value.Int(n)
		}
	}
	if key == nil {
		return ar.host.LookupAttr(owner, part)
	}
	v, err := ar.host.GetItem(owner, key)
	if errors.As(err, new(*value.Exception)) {
		return nil, false, nil
	}
	return v, err == nil, err
}

// partKey is the index or key that a step of a path is for a list, a tuple or a dict; nil
// where it is none.
func partKey(owner value.Value, part string) value.Value {
	n, err := strconv.Atoi(part)
	switch o := owner.(type) {
	case *value.List, *value.Tuple:
		if err == nil {
			return value.Int(n)
		}
	case *value.Dict:
		for i := range o.Len() {
			k := o.Key(i)
			if s, ok := value.AsStr(k); ok && s == part || err == nil && k == value.Value(value.Int(n)) {
				return k
			}
		}
	}
	return nil
}

// partNames are the names that a path may go on with.
func partNames(v value.Value) []string {
	var names []string
	add := func(d *value.Dict) {
		for i := range d.Len() {
			if s, ok := value.AsStr(d.Key(i)); ok {
				names = append(names, s)
			}
		}
	}
	if d, ok := v.(*value.Dict); ok {
		add(d)
	}
	if a := attrsOf(v); a != nil {
		for i := range a.Len() {
			names = append(names, a.Name(i))
			switch a.Name(i) {
			case "_parameters", "_buffers", "_modules":
				if d, ok := a.At(i).(*value.Dict); ok {
					add(d)
				}
			}
		}
	}
	return names
}

// attributeValue makes the value that an attribute gets.
func (ar *arguments) attributeValue(path string, v any) (value.Value, error) {
	switch v := v.(type) {
	case nil:
		return value.None, nil
	case bool:
		return value.Bool(v), nil
	case string:
		return value.Str(v), nil
	case json.Number:
		if n, err := strconv.ParseInt(string(v), 10, 64); err == nil {
			return value.Int(n), nil
		}
		x, err := v.Float64()
		if err != nil || !strings.ContainsAny(string(v), ".eE") {
			return nil, usagef("--attributes %s: the number %s is too large", path, v)
		}
		return value.Float(x), nil
	case []any:
		elems := make([]value.Value, len(v))
		for i, e := range v {
			var err error
			if elems[i], err = ar.attributeValue(path, e); err != nil {
				return nil, err
			}
		}
		return ar.heap.NewList(elems), nil
	case *Array:
		x, err := ar.tensorArg(path, v.DType, strings.Join(v.Dims, ","))
		if err != nil {
			return nil, usagef("--attributes %s: %v", path, err)
		}
		t, ok := x.(*value.Tensor)
		if ok && v.Elems != nil {
			elems := make([]value.Value, len(v.Elems))
			for i, e := range v.Elems {
				elems[i] = value.Int(e)
			}
			t.SetContents(elems)
		}
		return x, nil
	}
	return nil, usagef("--attributes %s: %T is no value", path, v)
}
