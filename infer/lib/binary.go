package lib

// This file dispatches arithmetic operators on builtin values. The order is: numbers, sequences,
// sets and dicts, texts with %, and last values of which only the class is known. What is left is a
// TypeError with the words of CPython. Operators with an operand that is foreign go to the dunder
// methods, which the interpreter calls.

import (
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/parser/ast"
)

// foreign reports whether operators on v are not this package's: then dunder
// methods decide. Tensors and instances have methods of their own, and what is unknown or one of
// two is taken apart by the interpreter. An instance with a payload is of a subclass of a builtin
// type, and computes as the payload does; a class with a metaclass may define | in it.
func foreign(v value.Value) bool {
	switch v := v.(type) {
	case *value.Instance:
		return v.Payload == nil
	case *value.Tensor, *value.Unknown, *value.Choice:
		return true
	case *value.Class:
		return v.Meta != nil
	}
	return false
}

// Binary gives a op b. ok is false when one of them is not a builtin value. err is a TypeError where the two have no
// such operation, or what the operation raises, as a ZeroDivisionError.
func (w *World) Binary(th value.Thread, op ast.BinOperator, a, b value.Value) (v value.Value, ok bool, err error) {
	if foreign(a) || foreign(b) {
		if v, ok, err := w.repeatByIndex(th, op, a, b); ok || err != nil {
			return v, ok, err
		}
		return nil, false, nil
	}
	return w.binary(th, op, a, b, "")
}

// repeatByIndex is sequence * x for an object x with __index__, which has no __mul__ of its own for
// it. The error is that of __index__.
func (w *World) repeatByIndex(th value.Thread, op ast.BinOperator, a, b value.Value) (value.Value, bool, error) {
	if op != ast.Mult {
		return nil, false, nil
	}
	if isSequence(b) {
		a, b = b, a
	}
	x, isInst := b.(*value.Instance)
	if !isSequence(a) || !isInst {
		return nil, false, nil
	}
	if _, ok := x.Class.Lookup("__index__"); !ok {
		return nil, false, nil
	}
	v, err := w.repeat(th, a, b)
	return v, true, err
}

// binary is Binary for values that are not foreign. inPlace is "=" for the
// message of an augmented assignment.
func (w *World) binary(th value.Thread, op ast.BinOperator, a, b value.Value, inPlace string) (value.Value, bool, error) {
	// Members of an enumeration and instances of subclasses compute as their plain values do.
	a, b = value.Plain(a), value.Plain(b)
	if v, ok, err := w.arith(th, op, a, b); ok || err != nil {
		return v, true, err
	}
	if v, ok, err := w.sequenceBinary(th, op, a, b); ok || err != nil {
		return v, true, err
	}
	// The cases that go on below are those whose operands are of other types: then the operator may
	// still be that of a value of which only the class is known, or is an error.
	switch op {
	case ast.BitOr:
		if x, ok := a.(*value.Dict); ok {
			if y, ok := b.(*value.Dict); ok {
				v, err := w.dictUnion(th, x, y)
				return v, true, err
			}
		}
		if isType(a) && isType(b) && (a != value.None || b != value.None) {
			return w.unionOf(a, b), true, nil
		}
		// A set also has |, like the other operators of sets.
		fallthrough
	case ast.BitAnd, ast.BitXor, ast.Sub:
		if x, ok := a.(*value.Set); ok {
			if y, ok := b.(*value.Set); ok {
				v, err := w.setBinary(th, op, x, y, false)
				return v, true, err
			}
		}
	case ast.Mod:
		switch a.(type) {
		case value.Str, value.Bytes:
			v, err := w.Percent(th, a, b)
			return v, true, err
		}
	}
	if v, ok := w.abstractBinary(th, op, a, b); ok {
		return v, true, nil
	}
	sign := op.String() + inPlace
	if op == ast.Pow {
		sign = "** or pow()"
		if inPlace != "" {
			sign = "**="
		}
	}
	// With a list on the right, a fact says that the left operand is none, for the explanation.
	err := th.Raise("TypeError", "unsupported operand type(s) for %s: '%s' and '%s'", sign, w.TypeOf(a).Name, w.TypeOf(b).Name)
	if sign == "+" && w.TypeOf(b).Name == "list" {
		err = value.Saying(err, diag.Fact{Kind: diag.NotList, Of: w.TypeOf(a).Name})
	}
	return nil, true, err
}

// arith is a op b for numbers; ok is false where one is none. Both are brought to the wider of
// their kinds. Errors are those of the operation, as a division by zero.
func (w *World) arith(th value.Thread, op ast.BinOperator, a, b value.Value) (value.Value, bool, error) {
	// Most numbers are small. Two bools give a bool by &, | and ^, and compute as the numbers 0 and
	// 1 otherwise.
	if x, ok := smallInt(a); ok {
		if y, ok := smallInt(b); ok {
			if v, ok := boolBinary(op, a, b); ok {
				return v, true, nil
			}
			return w.intBinary(th, op, x, y)
		}
	}
	ka, kb := kindOf(a), kindOf(b)
	switch k := max(ka, kb); {
	case min(ka, kb) == notNumber:
		return nil, false, nil
	case k == intKind:
		x, _ := bigInt(a)
		y, _ := bigInt(b)
		return w.bigBinary(th, op, x, y)
	// Truth values that depend on sizes are joined as conditions.
	case k == symIntKind:
		if x, ok := truthValue(a); ok {
			if y, ok := truthValue(b); ok {
				switch op {
				case ast.BitAnd:
					return w.andBool(th, x, y), true, nil
				case ast.BitOr:
					return w.orBool(th, x, y), true, nil
				case ast.BitXor:
					// x ^ y is (x and not y) or (not x and y), as conditions have no exclusive or.
					return w.orBool(th, w.andBool(th, x, w.notBool(th, y)), w.andBool(th, w.notBool(th, x), y)), true, nil
				}
			}
		}
		return w.symIntBinary(th, op, a, b)
	// Floats that are known; with a size beside one the result is an expression.
	case k == floatKind && ka != symIntKind && kb != symIntKind:
		x, _, err := asFloat(th, a)
		if err != nil {
			return nil, true, err
		}
		y, _, err := asFloat(th, b)
		if err != nil {
			return nil, true, err
		}
		return w.floatBinary(th, op, x, y)
	case k == floatKind || k == symFloatKind:
		return w.symFloatBinary(th, op, a, b)
	}
	// One of them is complex: a real number is taken as one without an imaginary part.
	x, ok1, err := asComplex(th, a)
	if err != nil {
		return nil, true, err
	}
	y, ok2, err := asComplex(th, b)
	if err != nil {
		return nil, true, err
	}
	// A complex number that is not known.
	if !ok1 || !ok2 {
		switch op {
		case ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Pow:
			return w.abstract(th, w.complex_), true, nil
		}
		return nil, false, nil
	}
	return complexBinary(th, op, x, y)
}

// A numKind orders the kinds of numbers by how they combine. The result of an operation is computed
// in the larger kind of its operands, but for a float and a size, which together give an expression
// of the size.
type numKind uint8

const (
	notNumber numKind = iota
	intKind
	symIntKind
	floatKind
	symFloatKind
	complexKind
)

// kindOf sorts numbers by how they compute: constants, expressions of sizes, floats, floats that depend on
// sizes, complex numbers.
func kindOf(v value.Value) numKind {
	switch v := v.(type) {
	// In this order: the larger kind is that of the result.
	case value.Int, value.Bool, *value.BigInt:
		return intKind
	case *value.SymInt, *value.SymBool:
		return symIntKind
	case value.Float:
		return floatKind
	case *value.SymFloat:
		return symFloatKind
	case value.Complex:
		return complexKind
	case *value.Abstract:
		if v.Class.Name == "complex" && v.Class.Module == "builtins" {
			return complexKind
		}
	}
	return notNumber
}

// truthValue returns v when its type is bool, also where a condition on sizes decides it.
func truthValue(v value.Value) (value.Value, bool) {
	switch v.(type) {
	case value.Bool, *value.SymBool:
		return v, true
	}
	return nil, false
}

// boolBinary is &, | and ^ of two bools, which give bools; all else of bools computes as of ints.
func boolBinary(op ast.BinOperator, a, b value.Value) (value.Value, bool) {
	x, ok := a.(value.Bool)
	y, ok2 := b.(value.Bool)
	if !ok || !ok2 {
		return nil, false
	}
	switch op {
	case ast.BitAnd:
		return x && y, true
	case ast.BitOr:
		return x || y, true
	case ast.BitXor:
		return value.Bool(x != y), true
	}
	return nil, false
}

// abstractBinary handles str, bytes and containers of which only the class is known: the class of
// the result, where texts are added, repeated and formatted. ok is false where Python raises. A
// text times a number may be a size of the program too. Of + on a text and something else nothing
// is given, which is the TypeError of the caller.
func (w *World) abstractBinary(th value.Thread, op ast.BinOperator, a, b value.Value) (value.Value, bool) {
	x, ok1 := a.(*value.Abstract)
	y, ok2 := b.(*value.Abstract)
	if !ok1 && !ok2 {
		return nil, false
	}
	ca, cb := w.TypeOf(a), w.TypeOf(b)
	text := ca == w.str || ca == w.bytes
	switch {
	case text && op == ast.Mod:
		return percentText(w.abstract(th, ca), a, b), true
	case op == ast.Add && ca == cb && ca == w.str:
		return value.Computed(w.abstractStr(th, textOf(a)+textOf(b)), "+", a, b), true
	case op == ast.Add && ca == cb && text:
		return w.abstract(th, ca), true
	case op == ast.Mult && text && kindOf(b) <= symIntKind && kindOf(b) != notNumber:
		return w.abstract(th, ca), true
	case op == ast.Mult && (cb == w.str || cb == w.bytes) && kindOf(a) <= symIntKind && kindOf(a) != notNumber:
		return w.abstract(th, cb), true
	case text || cb == w.str || cb == w.bytes:
		return nil, false
	}
	// Of other classes nothing is known.
	c := x
	if c == nil {
		c = y
	}
	return &value.Unknown{Cause: c.Cause}, true
}

// textOf is what a str looks like in a message: its text, or the example of one that is not known.
func textOf(v value.Value) string {
	switch v := v.(type) {
	case value.Str:
		return string(v)
	case *value.Abstract:
		return v.Text
	}
	return ""
}

// isType reports whether v may stand in a union of types. These are classes, None, generic aliases
// such as list[int], and typing.Any.
func isType(v value.Value) bool {
	switch v := v.(type) {
	case *value.Class, value.NoneType:
		return true
	case *value.GenericAlias:
		return true
	case value.Constant:
		return v.Name == "typing.Any"
	}
	return false
}

// unionOf makes X | Y; nested unions are flattened and repetitions dropped. None stands for its
// class. X | X is X itself, without a union.
func (w *World) unionOf(parts ...value.Value) value.Value {
	var args []value.Value
	seen := map[value.Value]bool{}
	add := func(v value.Value) {
		if !seen[v] {
			seen[v] = true
			args = append(args, v)
		}
	}
	for _, v := range parts {
		if g, ok := v.(*value.GenericAlias); ok && g.Origin == value.Value(w.union) {
			for _, x := range g.Args {
				add(x)
			}
			continue
		}
		if v == value.None {
			v = w.none
		}
		add(v)
	}
	if len(args) == 1 {
		return args[0]
	}
	return &value.GenericAlias{Origin: w.union, Args: args}
}

// InPlace gives a op= b, changing a where Python does. err is as in Binary, or, where a list or dict takes the elements
// of b, what b raises as they are read.
func (w *World) InPlace(th value.Thread, op ast.BinOperator, a, b value.Value) (v value.Value, ok bool, err error) {
	// Lists, dicts and sets change themselves; all others make a new value.
	switch x := a.(type) {
	case *value.List:
		switch op {
		case ast.Add:
			err := w.listExtend(th, x, b)
			return x, true, err
		// Repetition replaces the elements in place, so that other names of the list see it; a
		// result that is no list is bound in its place.
		case ast.Mult:
			if kindOf(value.Plain(b)) == intKind || kindOf(value.Plain(b)) == symIntKind {
				r, err := w.repeatList(th, x, b)
				if err != nil {
					return nil, true, err
				}
				l, isList := r.(*value.List)
				if !isList {
					return r, true, nil
				}
				th.Heap().Touch(x)
				x.Elems, x.Open = l.Elems, l.Open
				return x, true, nil
			}
		}
	case *value.Dict:
		if op == ast.BitOr {
			err := w.dictUpdate(th, x, b)
			return x, true, err
		}
	case *value.Set:
		y, isSet := b.(*value.Set)
		// A frozenset makes a new set, which the name is bound to, and a set with another iterable
		// has no such operator.
		if x.Frozen || !isSet {
			break
		}
		switch op {
		case ast.BitOr, ast.BitAnd, ast.Sub, ast.BitXor:
			return x, true, w.setInPlace(th, op, x, y, false)
		}
	}
	if foreign(a) || foreign(b) {
		return nil, false, nil
	}
	return w.binary(th, op, a, b, "=")
}

// Unary gives op a. err is a TypeError where a is a builtin value without such an operator, or that
// of Truth. ok is false for values whose dunder methods decide. not asks for the truth value of
// every kind of object, and gives a condition where that depends on sizes.
func (w *World) Unary(th value.Thread, op ast.UnaryOperator, a value.Value) (v value.Value, ok bool, err error) {
	if op == ast.Not {
		t, ok, err := w.Truth(th, a)
		if !ok || err != nil {
			return nil, ok, err
		}
		return w.notBool(th, t), true, nil
	}
	if foreign(a) {
		return nil, false, nil
	}
	a = value.Plain(a)
	switch x := a.(type) {
	case value.Int, value.Bool, *value.BigInt:
		return intUnary(op, a), true, nil
	case value.Float:
		switch op {
		case ast.USub:
			return -x, true, nil
		case ast.UAdd:
			return x, true, nil
		}
	case *value.SymInt, *value.SymBool, *value.SymFloat:
		if v, ok := w.symUnary(th, op, a); ok {
			return v, true, nil
		}
	case value.Complex:
		switch op {
		case ast.USub:
			return -x, true, nil
		case ast.UAdd:
			return x, true, nil
		}
	case *value.Abstract:
		if x.Class == w.complex_ && op != ast.Invert {
			return x, true, nil
		}
	}
	return nil, true, th.Raise("TypeError", "bad operand type for unary %s: '%s'", op, w.TypeOf(a).Name)
}
