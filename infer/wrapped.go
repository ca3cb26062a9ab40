package infer

// This file knows the arrays of libraries that the preludes write in Python (TensorFlow's, JAX's): how two of them
// meet behind a branch, and what functions of numpy make of them. Such an array is an object with
// the elements as an array of NumPy (_a), the dtype's name (_d), and flags of its library. Joins go
// attribute by attribute, so that the result is an array of the same class.

import (
	"strings"

	"shapecheck/infer/ops"
	"shapecheck/infer/ops/catalog"
	"shapecheck/infer/ops/numpy"
	"shapecheck/infer/value"
)

// arrayMark is the attribute of the classes of arrays that are written in Python: their
// elements are the array _a, their dtype's name _d.
const arrayMark = "__shapecheck_array__"

// isWrapped reports whether a value is such an array.
func isWrapped(v value.Value) (*value.Instance, bool) {
	i, ok := v.(*value.Instance)
	if !ok || !i.Class.Prelude {
		return nil, false
	}
	_, ok = i.Class.Lookup(arrayMark)
	return i, ok
}

// wrapped joins two arrays of one class of the preludes; nil: they are of different types. j is the
// join that meets them; two arrays of different classes or dtypes have no join.
func (j *joiner) wrapped(a, b value.Value) value.Value {
	x, ok := isWrapped(a)
	if !ok {
		return nil
	}
	y, ok := isWrapped(b)
	if !ok || x.Class != y.Class {
		return nil
	}
	in := j.in
	get := func(i *value.Instance, name string) value.Value {
		v, _ := i.Attrs.Get(name)
		return v
	}
	dx, _ := value.AsStr(get(x, "_d"))
	dy, _ := value.AsStr(get(y, "_d"))
	if dx != dy {
		return nil
	}
	tx, xok := get(x, "_a").(*value.Tensor)
	ty, yok := get(y, "_a").(*value.Tensor)
	// TensorFlow refuses a loop whose variables change shape.
	if xok && yok && j.loop != nil && !in.retraces.vary && tx.Type().Ranked && ty.Type().Ranked {
		if p, q := tx.Type().Shape.String(), ty.Type().Shape.String(); p != q && constantShape(tx) && constantShape(ty) {
			j.graphFault("ValueError", "a value has shape "+p+" before the loop and shape "+q+" after one iteration")
		}
	}
	attrs := in.heap.NewAttrs()
	changed := false
	// set notes whether the join differs from the first array.
	set := func(name string, old, v value.Value) {
		changed = changed || !sameInLoop(old, v)
		attrs.Set(&in.heap, name, v)
	}
	for k := range x.Attrs.Len() {
		name := x.Attrs.Name(k)
		v, w := get(x, name), get(y, name)
		if w == nil {
			w = v
		}
		// Flags: one that is set on one way is set.
		if name != "_a" && !same(v, w) { // whether it is weak, or is part of a trace
			if p, ok := v.(value.Bool); ok {
				if q, ok := w.(value.Bool); ok {
					set(name, v, p || q)
					continue
				}
			}
		}
		set(name, v, j.value(v, w))
	}
	// The array itself, so that a loop settles.
	if !changed {
		return x
	}
	return &value.Instance{Class: x.Class, Attrs: attrs}
}

// graphDTypes notes where a value is of one dtype on one way and of another on the other: a
// graph holds numbers of Python as tensors, too. It is for tf.cond and loops in a graph.
func (j *joiner) graphDTypes(a, b value.Value) {
	if !j.in.retraces.graph {
		return
	}
	x, y := graphDType(a), graphDType(b)
	// Numbers of Python among the variables of a loop were converted.
	if j.loop != nil { // the variables of a loop are tensors, see loopVariables
		_, p := isWrapped(a)
		_, q := isWrapped(b)
		if !p || !q {
			return
		}
	}
	switch {
	case x == "" || y == "" || x == y:
	case x == "none" || y == "none":
		j.graphFault("ValueError", "a value is None on one way and "+strings.TrimPrefix(x+y, "none")+" on the other")
	default:
		j.graphFault("TypeError", "a value has dtype "+x+" on one way and dtype "+y+" on the other")
	}
}

// graphDType is the dtype that a value has in a graph; empty: none that is known here. Numbers have
// the dtypes that TensorFlow gives them.
func graphDType(v value.Value) string {
	switch v.(type) {
	case value.Int, *value.SymInt:
		return "int32"
	case value.Float, *value.SymFloat:
		return "float32"
	case value.NoneType:
		return "none"
	}
	if i, ok := isWrapped(v); ok {
		d, _ := i.Attrs.Get("_d")
		s, _ := value.AsStr(d)
		return s
	}
	return ""
}

// graphFault notes what a graph of TensorFlow refuses. Only the first fault is kept.
func (j *joiner) graphFault(kind, text string) {
	if r := &j.in.retraces; r.graph {
		r.fault = r.fault.or(graphFault{kind: kind, text: text})
	}
}

// dtypeMark is the attribute of the classes of dtypes that are written in Python: their name
// is name. np.zeros(2, tf.float32) passes one.
const dtypeMark = "__shapecheck_dtype__"

// ofWrapped applies a function of numpy to arrays of other libraries: by their method of that
// name, or to what their __array__ gives. done is false where there are none. A function of NumPy
// that calls a method of its argument calls theirs. Errors are those of the method or of __array__.
func (in *Interp) ofWrapped(name string, args []value.Value, kw []value.Kw) (v value.Value, done bool, err error) {
	found := false
	for _, a := range args {
		found = found || holdsWrapped(a)
	}
	for _, k := range kw {
		found = found || holdsWrapped(k.Value)
	}
	if !found {
		return nil, false, nil
	}
	if err := in.Enter(""); err != nil {
		return nil, false, err
	}
	defer in.Leave()
	if op := catalog.RecordOf(name); len(args) > 0 && op.Has(ops.CallsMethod) && strings.Count(name, ".") == 1 {
		if i, ok := isWrapped(args[0]); ok {
			f, found, err := in.LookupAttr(i, strings.TrimPrefix(op.Names[0], numpy.Library.Prefix))
			if err != nil {
				return nil, true, err
			}
			if found {
				v, err := in.Call(f, args[1:], kw)
				return v, true, err
			}
		}
	}
	// All others get arrays of NumPy.
	plain := make([]value.Value, len(args))
	for i, a := range args {
		if plain[i], err = unwrapped(in, a); err != nil {
			return nil, true, err
		}
	}
	named := make([]value.Kw, len(kw))
	for i, k := range kw {
		named[i].Name = k.Name
		if named[i].Value, err = unwrapped(in, k.Value); err != nil {
			return nil, true, err
		}
	}
	v, err = in.opFunc(name).Fn(in, plain, named)
	return v, true, err
}

// holdsWrapped reports whether an argument is such an array or dtype, or holds one.
func holdsWrapped(v value.Value) bool {
	switch v := v.(type) {
	case *value.Instance:
		if _, ok := isWrapped(v); ok {
			return true
		}
		_, ok := v.Class.Lookup(dtypeMark)
		return ok && v.Class.Prelude
	case *value.List:
		for _, x := range v.Elems {
			if _, ok := isWrapped(x); ok {
				return true
			}
		}
	case *value.Tuple:
		for _, x := range v.Elems {
			if _, ok := isWrapped(x); ok {
				return true
			}
		}
	}
	return false
}

// unwrapped is an array of numpy for one of another library, and the name of a dtype. Lists and
// tuples are converted if they hold one.
func unwrapped(th value.Thread, v value.Value) (value.Value, error) {
	switch x := v.(type) {
	case *value.Instance:
		if !holdsWrapped(x) {
			return v, nil
		}
		if _, ok := isWrapped(x); ok {
			return th.CallMethod(x, "__array__")
		}
		return th.GetAttr(x, "name")
	case *value.List:
		if !holdsWrapped(x) {
			return v, nil
		}
		elems, err := unwrappedAll(th, x.Elems)
		return th.Heap().NewList(elems), err
	case *value.Tuple:
		if !holdsWrapped(x) {
			return v, nil
		}
		elems, err := unwrappedAll(th, x.Elems)
		return value.NewTuple(elems...), err
	}
	return v, nil
}

// unwrappedAll converts each element, at the cost of a step.
func unwrappedAll(th value.Thread, list []value.Value) ([]value.Value, error) {
	if err := th.Enter(""); err != nil {
		return nil, err
	}
	defer th.Leave()
	out := make([]value.Value, len(list))
	for i, x := range list {
		var err error
		if err = th.Step(1); err != nil {
			return nil, err
		}
		if out[i], err = unwrapped(th, x); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// constantShape reports whether all sizes are numbers.
func constantShape(t *value.Tensor) bool {
	for _, d := range t.Type().Shape {
		if _, ok := d.Expr.Const(); !ok {
			return false
		}
	}
	return true
}
