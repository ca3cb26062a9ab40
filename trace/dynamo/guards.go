package dynamo

// This file makes guards of what a compiled function reads, and says which of them a later read
// fails. A graph is used again if none of its guards fails; Dynamo checks them in the order of the
// reads. differs compares a read of an earlier call with that of the present one and gives the kind
// of guard that fails first. Sizes and numbers are compared elsewhere, since they may have become
// symbols.

import (
	"reflect"
	"strconv"
	"strings"

	"shapecheck/infer/ops/catalog"
	"shapecheck/infer/value"
	"shapecheck/parser/ast"
)

// readOf is what there is to say of a value that is read, by each of the functions that are
// running; nil: nothing. The latest tensor is kept, since several functions read the same one.
func (d *Run) readOf(src string, v value.Value) *guardedRead {
	t, ok := v.(*value.Tensor)
	if !ok {
		return readOf(d.host, src, v)
	}
	// The same object may stand for another value after an operation in place, so both are
	// compared.
	if d.tensor.id != t || d.tensor.value != t.V {
		d.tensor = *readOf(d.host, src, v)
	}
	// A copy is handed out, since the source differs from read to read.
	r := d.tensor
	r.source = src
	return &r
}

// readOf is what there is to say of a value that is read; nil: nothing. Its cases follow the kinds
// of guards that Dynamo makes: tensors by their properties, numbers, texts and constants by value,
// sequences by length and class, objects by class, and code by identity. It is nil for a value of
// which nothing is known that a guard would look at: lists and sets of unknown length, and methods
// that are not written in Python.
func readOf(h Host, src string, v value.Value) *guardedRead {
	r := &guardedRead{source: src}
	switch v := v.(type) {
	case *value.Tensor: // an array is taken as a tensor
		typ := *v.Type()
		// What a guard of a tensor looks at: dtype and rank, gradient, class, dispatch keys and the
		// marks of its axes.
		r.kind, r.typ, r.id, r.value = readTensor, &typ, v, v.V
		r.grad, r.class = h.RequiresGrad(v), v.Class
		r.static, r.dynamic = markedAxes(v, "_dynamo_static_indices"), markedAxes(v, "_dynamo_dynamic_indices")
		r.maybe = markedAxes(v, "_dynamo_weak_dynamic_indices")
		switch {
		case h.MadeInInference(v.V):
			r.keys = keysOfInference
		case h.InferenceMode():
			r.keys = keysInInference
		}
	case value.Int, value.Float, value.Bool, value.Str:
		r.kind, r.scalar = readScalar, v
	case *value.Slice:
		r.kind = readSlice
	// Constants of these types are compared by their text, since not all of them compare with ==.
	case value.Complex, value.Bytes, value.DType, value.Device, value.Constant, value.EllipsisType, *value.Range:
		r.kind, r.scalar = readScalar, value.Str(v.String())
	case value.NoneType:
		r.kind = readNone
	case *value.List:
		if v.Open != nil {
			return nil
		}
		r.kind, r.length = readList, len(v.Elems)
	case *value.Tuple:
		// Of a value of unknown parts no guard is known.
		r.kind, r.length, r.class = readTuple, len(v.Elems), v.Class
	case *value.Dict:
		r.kind = readDict
	case *value.Set:
		if v.Open != nil {
			return nil
		}
		r.kind, r.scalar = readSet, literals(v)
	case *value.Instance:
		r.kind, r.class = readObject, v.Class
		// A deque is guarded by its length, as a list is.
		if items, ok := dequeItems(v); ok {
			r.kind, r.length = readList, len(items)
		}
		if _, enum := v.Class.Lookup("_member_map_"); enum { // its members are the same at each call
			r.kind, r.id = readCode, v
		}
	// A function is made anew by each run of its def, so that its code stands for it, as the node
	// of the syntax tree.
	case *value.Func:
		r.kind, r.id = readCode, v.Node
	case *value.BoundMethod:
		f, ok := v.Func.(*value.Func)
		if !ok {
			return nil
		}
		r.kind, r.id = readCode, f.Node
	case *value.Builtin:
		r.kind, r.id = readCode, v.Name
	case *value.Class:
		r.kind, r.id = readCode, v
	default:
		return nil
	}
	return r
}

// markedAxes are the axes that mark_dynamic or mark_static noted as an attribute of a tensor, nil
// without marks. The axes are those that stand in the list, as they were given; an entry that is no
// known number is left out.
func markedAxes(t *value.Tensor, name string) map[int64]bool {
	if t.Attrs == nil {
		return nil
	}
	v, ok := t.Attrs.Get(name)
	if !ok {
		return nil
	}
	l, ok := v.(*value.List)
	if !ok {
		return nil
	}
	out := map[int64]bool{}
	for _, e := range l.Elems {
		if n, ok := value.AsInt(e); ok {
			out[int64(n)] = true
		}
	}
	return out
}

// differs says why a read of now is not what a graph was made for, but for sizes and numbers;
// GuardNone: it is. Reads of different kinds fail by the guard of the earlier one: None and code
// are compared by identity, all others by their type first.
func (was *guardedRead) differs(now *guardedRead) GuardKind {
	if was.ofModule && was.layer != now.layer { // they are kept in other places
		return GuardOther
	}
	if was.kind != now.kind {
		switch was.kind {
		case readNone:
			return GuardIdentityOrAliasing
		case readCode:
			return GuardIdentity
		}
		return GuardType
	}
	switch was.kind {
	// In the order in which Dynamo compares.
	case readTensor:
		switch {
		case was.class != now.class: // a parameter, where a tensor was
			return GuardType
		case was.typ.DType != now.typ.DType:
			return GuardDType
		case was.keys != now.keys:
			return GuardDispatchKeys
		case was.grad != now.grad:
			return GuardGrad
		// Sizes are not looked at here: they are compared, and become symbols, elsewhere.
		case was.typ.Ranked && now.typ.Ranked && len(was.typ.Shape) != len(now.typ.Shape):
			return GuardRank
		}
	case readSet:
		if was.scalar != nil && was.scalar != now.scalar {
			return GuardValue
		}
	case readList, readTuple:
		switch {
		case was.class != now.class: // a named tuple of another class
			return GuardType
		case was.length != now.length:
			return GuardLength
		}
	// That an attribute is absent from the object's own dictionary is guarded; that it is there is
	// not.
	case readOwn:
		if !was.has && now.has {
			return GuardKeys
		}
	// With missing set, the value itself was asked for too, as by getattr with a default, and its
	// absence fails another guard than that of the answer.
	case readAttribute:
		switch {
		case was.has == now.has:
		case was.has && was.missing:
			return GuardOther
		default:
			return GuardAttribute
		}
	case readKey:
		switch {
		case was.has == now.has:
		case !was.has && was.missing: // an exception guards nothing
		case was.missing:
			return GuardOther
		default:
			return GuardKeys
		}
	// A dictionary's keys: first how many, then which, where both are known.
	case readKeys:
		switch {
		case was.length != now.length:
			return GuardLength
		case was.scalar != nil && now.scalar != nil && was.scalar != now.scalar:
			return GuardKeys
		}
	case readObject:
		switch {
		case was.class == now.class:
		case was.class.Module == "numpy" && now.class.Module == "numpy": // numbers, which are tensors of a graph
			return GuardDType
		default:
			return GuardType
		}
	case readCode:
		switch {
		case was.id == now.id:
		case inPython(was.id) && !inPython(now.id): // its code is asked for
			return GuardOther
		default:
			return GuardIdentity
		}
	}
	return GuardNone
}

// inPython reports whether a function, by what stands for it, is written in Python: of
// torch.nn.functional most are. For functions of PyTorch id is the name, and the record of the
// catalog says which are in Python; other names are built in, and so are ids of other types.
func inPython(id any) bool {
	switch id := id.(type) {
	case *ast.FunctionDef, *ast.Lambda:
		return true
	case string:
		return strings.HasPrefix(id, "torch.nn.functional.") && catalog.RecordOf(id).IsPython(id)
	}
	return false
}

// marked reports whether axes are marked that a graph's tensor has no marks of: none at all will
// do. Dynamo compares whether the marks of the present tensor are a subset of those of the earlier
// one.
func marked(was, now map[int64]bool) bool {
	for axis := range now {
		if !was[axis] {
			return true
		}
	}
	return false
}

// isLazy reports whether a graph does not look at a number or text.
func (r *guardedRead) isLazy() bool { return r.lazy != nil && r.lazy.isLazy(r.name) }

// isUnused reports whether a graph does not even ask for the type of a number or text.
func (r *guardedRead) isUnused() bool { return r.lazy != nil && r.lazy.isUnused(r.name) }

// scalarDiffers says why a number or text of now is not what a graph was made for, which leaves it
// open or not: an open one, and one that is not looked at, is compared by its type alone. Where the
// type is guarded apart from the value (typed), a number of another type fails by its type and not
// by its value.
func (was *guardedRead) scalarDiffers(now *guardedRead, open bool) GuardKind {
	if !open && !was.isLazy() && !(was.typed && reflect.TypeOf(was.scalar) != reflect.TypeOf(now.scalar)) {
		if was.kind != now.kind || was.scalar != now.scalar {
			return GuardValue
		}
		return GuardNone
	}
	if was.kind != now.kind || reflect.TypeOf(was.scalar) != reflect.TypeOf(now.scalar) {
		return GuardType
	}
	return GuardNone
}

// text is what a read value is, in a few words; empty: there are none. It is shown to the user
// beside the guard that failed, for the earlier and the present value.
func (r *guardedRead) text() string {
	switch r.kind {
	case readTensor:
		text := r.typ.String()
		if r.class != nil {
			text = r.class.Name + " " + text
		}
		if r.grad {
			text += " that requires a gradient"
		}
		return text
	case readNone:
		return "None"
	case readScalar:
		if _, text, ok := strings.Cut(r.scalar.String(), "="); ok { // after its type
			return text
		}
		return r.scalar.String()
	case readList, readTuple, readKeys:
		return "of " + strconv.Itoa(r.length) + " elements"
	case readKey, readAttribute:
		if r.has {
			return "True"
		}
		return "False"
	case readObject:
		return r.class.Name
	case readCode:
		switch id := r.id.(type) {
		case *ast.FunctionDef:
			return id.Name.Name
		case *ast.Lambda:
			return "a lambda"
		case *value.Class:
			return id.Name
		case string:
			return id
		}
	}
	return ""
}
