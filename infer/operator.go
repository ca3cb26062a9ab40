package infer

// This file dispatches operators: to symbolic and builtin values, to tensor
// records, and to the dunder methods of classes. The order is that of CPython: a subclass on the
// right first, then the left, then the right; tensors come before, since their records know the
// other operand. A name in the tables without the prefix is that of a record. Values that are not
// known give values derived from them, so that reports can say why.

import (
	"strings"

	"shapecheck/infer/ops"
	"shapecheck/infer/ops/catalog"
	"shapecheck/infer/ops/chainer"
	"shapecheck/infer/ops/torch"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/parser/ast"
)

// A binaryNames has the names by which an operator is found: those of Python's methods, and those of the
// records of tensors. The records of arrays have Python's names.
type binaryNames struct {
	method, reflected, inPlace string
	// tensor operations by record name, without the prefix torch.Tensor.
	tensor, tensorReflected, tensorInPlace string
}

var binaryTable = [...]binaryNames{
	ast.Add:      {"__add__", "__radd__", "__iadd__", "add", "__radd__", "add_"},
	ast.Sub:      {"__sub__", "__rsub__", "__isub__", "sub", "__rsub__", "sub_"},
	ast.Mult:     {"__mul__", "__rmul__", "__imul__", "mul", "__rmul__", "mul_"},
	ast.MatMult:  {"__matmul__", "__rmatmul__", "__imatmul__", "matmul", "__rmatmul__", ""},
	ast.Div:      {"__truediv__", "__rtruediv__", "__itruediv__", "div", "__rtruediv__", "div_"},
	ast.Mod:      {"__mod__", "__rmod__", "__imod__", "remainder", "__rmod__", "remainder_"},
	ast.Pow:      {"__pow__", "__rpow__", "__ipow__", "__pow__", "__rpow__", "pow_"},
	ast.LShift:   {"__lshift__", "__rlshift__", "__ilshift__", "__lshift__", "__rlshift__", "__ilshift__"},
	ast.RShift:   {"__rshift__", "__rrshift__", "__irshift__", "__rshift__", "__rrshift__", "__irshift__"},
	ast.BitOr:    {"__or__", "__ror__", "__ior__", "__or__", "__ror__", "__ior__"},
	ast.BitXor:   {"__xor__", "__rxor__", "__ixor__", "__xor__", "__rxor__", "__ixor__"},
	ast.BitAnd:   {"__and__", "__rand__", "__iand__", "__and__", "__rand__", "__iand__"},
	ast.FloorDiv: {"__floordiv__", "__rfloordiv__", "__ifloordiv__", "__floordiv__", "__rfloordiv__", "__ifloordiv__"},
}

// Binary gives a op b. An error is a TypeError where neither operand takes the other, or what their methods or the
// operation raise. NotImplemented of one side asks the other.
func (in *Interp) Binary(op ast.BinOperator, a, b value.Value) (value.Value, error) {
	// Small enough that nothing can overflow.
	if x, ok := a.(value.Int); ok { // the hot case
		if y, ok := b.(value.Int); ok && -1<<31 < x && x < 1<<31 && -1<<31 < y && y < 1<<31 {
			switch op {
			case ast.Add:
				return x + y, nil
			case ast.Sub:
				return x - y, nil
			case ast.Mult:
				return x * y, nil
			}
		}
	}
	// A function of which a decorator is not known is what that made: unknown.
	a, b = value.AsDecorated(a), value.AsDecorated(b)
	if value.IsUnknown(a) {
		return value.Derived(a), nil
	}
	if value.IsUnknown(b) {
		return value.Derived(b), nil
	}
	if c, ok := a.(*value.Choice); ok {
		return in.distribute(c, func(v value.Value) (value.Value, error) { return in.Binary(op, v, b) })
	}
	if c, ok := b.(*value.Choice); ok {
		return in.distribute(c, func(v value.Value) (value.Value, error) { return in.Binary(op, a, v) })
	}
	// A tracer may count the repetition of a list.
	if op == ast.Mult {
		for _, t := range in.tracers.all {
			a, b = t.Repeat(a, b)
		}
	}
	if op == ast.Mod && formats(in, a, b) {
		v, err := in.world.Percent(in, a, b)
		in.losses.caused(v, "an operation", a, b)
		return v, err
	}
	names := &binaryTable[op]
	// Variables of Chainer and arrays of NumPy have dispatch of their own, as they take operands
	// that tensors do not.
	if v, ok, err := in.variables.variableBinary(op, a, b); ok || err != nil {
		return v, err
	}
	if v, ok, err := in.arrayBinary(op, a, b); ok || err != nil {
		return v, err
	}
	if v, ok, err := in.tensorBinary(names.tensor, names.tensorReflected, a, b); ok || err != nil {
		return v, err
	}
	// A subclass on the right goes first, as in Python.
	ta, tb := in.TypeOf(a), in.TypeOf(b)
	if userClass(tb) && ta != tb && tb.IsSubclass(ta) {
		if v, ok, err := in.dunder(b, names.reflected, a); ok || err != nil {
			return v, err
		}
	}
	if userClass(ta) {
		if v, ok, err := in.dunder(a, names.method, b); ok || err != nil {
			return v, err
		}
	}
	if userClass(tb) && (ta != tb || in.unknownBase(tb) != nil) { // operands of one type have no reflected call
		if v, ok, err := in.dunder(b, names.reflected, a); ok || err != nil {
			return v, err
		}
	}
	// World makes a value for builtin operands. What the operation requires becomes a branch where a try statement would catch its fault (attempt).
	ok := false
	v, err := in.flow.attempt(func() (v value.Value, err error) {
		v, ok, err = in.world.Binary(in, op, value.Plain(a), value.Plain(b))
		return v, err
	})
	if ok || err != nil {
		in.losses.caused(v, "an operation", a, b)
		return v, err
	}
	if op == ast.BitOr && isTypeLike(a) && isTypeLike(b) { // int | None in annotations
		return &value.GenericAlias{Origin: value.Constant{Name: "types.UnionType"}, Args: []value.Value{a, b}}, nil
	}
	// A base that is not known may define the operator.
	if u := in.unknownBase(ta); u != nil {
		return u, nil
	}
	if u := in.unknownBase(tb); u != nil {
		return u, nil
	}
	return nil, in.Raise("TypeError", "unsupported operand types for %s: '%s' and '%s'", op, ta.Name, tb.Name)
}

// formats reports whether a % b is the formatting of a text: str and bytes have a remainder for every
// operand, so that the reflected method of b counts only in a subclass of theirs. A subclass of str
// on the right with an __rmod__ of its own goes first.
func formats(th value.Thread, a, b value.Value) bool {
	switch a.(type) {
	case value.Str, value.Bytes:
	default:
		return false
	}
	ta, tb := th.TypeOf(a), th.TypeOf(b)
	return ta == tb || !tb.IsSubclass(ta)
}

// isTypeLike reports whether a value may stand in a union of types.
func isTypeLike(v value.Value) bool {
	switch v.(type) {
	case *value.Class, *value.GenericAlias, value.NoneType, value.Str, value.Constant:
		return true
	}
	return false
}

// userClass reports whether a class is defined in Python source, so that its
// dunder methods must be looked for. Classes that World implements without methods are none.
func userClass(c *value.Class) bool {
	return c.At.IsValid() || c.UnknownBase != nil || c.Layout == value.ObjectLayout
}

// unknownBase gives Unknown for an operation on an instance of a class whose
// base is unknown. It is nil where all bases are known.
func (in *Interp) unknownBase(c *value.Class) value.Value {
	for _, k := range c.MRO {
		if k.UnknownBase != nil {
			return in.losses.unknown(k.UnknownBase)
		}
	}
	return nil
}

// dunder calls a method of v's class when it exists and does not give NotImplemented. ok is false
// where there is no such method or it gives NotImplemented; an error is that of the method.
func (in *Interp) dunder(v value.Value, name string, args ...value.Value) (value.Value, bool, error) {
	m, ok := in.TypeOf(v).Lookup(name)
	if !ok || m == value.None {
		return nil, false, nil
	}
	fn, err := in.bindAttr(m, v, in.TypeOf(v))
	if err != nil {
		return nil, false, err
	}
	r, err := in.Call(fn, args, nil)
	if err != nil || r == value.NotImplemented {
		return nil, false, err
	}
	return r, true, nil
}

// tensorBinary applies a tensor record when one operand is a tensor. ok is false where neither is
// one, or the rule gave NotImplemented.
func (in *Interp) tensorBinary(name, reflected string, a, b value.Value) (value.Value, bool, error) {
	if t, ok := a.(*value.Tensor); ok {
		// An object beside a tensor may have the reflected method, as PyTorch's operators give
		// NotImplemented for it.
		if !tensorOperand(b) {
			if v, ok, err := in.dunder(b, reflected, a); ok || err != nil {
				return v, true, err
			}
		}
		if ops.IsArray(t) {
			switch b.(type) {
			case value.NoneType, value.Str: // their rules gave NotImplemented
				return nil, false, nil
			}
		}
		v, err := in.applyTensor(name, t, b)
		return v, v != value.NotImplemented, err
	}
	if t, ok := b.(*value.Tensor); ok {
		// The object's own method goes first.
		if userClass(in.TypeOf(a)) && !tensorOperand(a) {
			return nil, false, nil
		}
		v, err := in.applyTensor(reflected, t, a)
		return v, v != value.NotImplemented, err
	}
	return nil, false, nil
}

// tensorOperand reports whether PyTorch's operators take v beside a tensor.
func tensorOperand(v value.Value) bool {
	switch value.Plain(v).(type) {
	case *value.Tensor, value.Int, value.Float, value.Bool, value.Complex, *value.SymInt, *value.SymFloat, *value.SymBool, *value.BigInt:
		return true
	}
	return false
}

// applyTensor applies the record torch.Tensor.name, or numpy.ndarray.name. The name may be a
// method's or an operator's.
func (in *Interp) applyTensor(name string, args ...value.Value) (value.Value, error) {
	full := tensorPrefix(args[0]) + name
	op, ok := catalog.Lookup(full)
	if !ok {
		return in.losses.noRecord(full), nil
	}
	return in.applyOp(op, full, args, nil)
}

// noRecord gives Unknown for a library function without a record, with one
// diagnostic. It is reported once for each function. Unsure says that the library may not even have
// such a function.
func (l *losses) noRecord(name string) value.Value {
	at := l.stack.currentSpan()
	i := max(strings.LastIndexByte(name, '.'), 0)
	has, _ := torch.ModuleHas(l.versions.torchVersion(), name[:i], strings.TrimPrefix(name[i:], "."))
	c := &value.Cause{At: at, Reason: "no rule for " + name, Unsure: !has && !torch.KnownAPI(name)}
	if !l.rec.reportedOps[name] {
		l.rec.reportedOps[name] = true
		l.explain(c, diag.New(diag.UnknownFunction, at, "no rule for "+name+": its result is unknown", name))
	}
	return l.unknown(c)
}

// InPlace gives the result of a op= b, changing a where Python does. InPlace changes lists, sets
// and tensors in place; other operands go through Binary. An error is that of the operation.
func (in *Interp) inPlace(op ast.BinOperator, a, b value.Value) (value.Value, error) {
	a = value.AsDecorated(a)
	if value.IsUnknown(a) {
		return value.Derived(a), nil
	}
	if c, ok := a.(*value.Choice); ok {
		return in.distribute(c, func(v value.Value) (value.Value, error) { return in.inPlace(op, v, b) })
	}
	names := &binaryTable[op]
	// The array's reflected method decides.
	if _, isList := a.(*value.List); isList && ops.IsArray(b) {
		return in.Binary(op, a, b) // a list has no += of numbers, and the array's + comes before the list's
	}
	if t, ok := a.(*value.Tensor); ok {
		if value.IsUnknown(b) {
			return value.Derived(b), nil
		}
		if chainer.IsVariable(b) {
			return in.Binary(op, a, b)
		}
		if v, ok, err := in.arrayInPlace(op, a, b); ok || err != nil {
			return v, err
		}
		// An in-place operation with an array of NumPy gives a new value.
		if !catalog.IsTorch(a) || ops.IsArray(b) || chainer.IsVariable(b) {
			return in.Binary(op, a, b)
		}
		if names.tensorInPlace != "" && tensorOperand(b) {
			return in.applyTensor(names.tensorInPlace, t, b)
		}
		return in.Binary(op, a, b)
	}
	if userClass(in.TypeOf(a)) {
		if v, ok, err := in.dunder(a, names.inPlace, b); ok || err != nil {
			return v, err
		}
		return in.Binary(op, a, b)
	}
	// A choice on the right is distributed by Binary.
	if _, ok := b.(*value.Choice); !ok {
		if v, ok, err := in.world.InPlace(in, op, a, b); ok || err != nil {
			return v, err
		}
	}
	return in.Binary(op, a, b)
}

// not has no method: it is the opposite of the truth.
var unaryMethods = [...]string{ast.Invert: "__invert__", ast.Not: "", ast.UAdd: "__pos__", ast.USub: "__neg__"}
var unaryTensor = [...]string{ast.Invert: "__invert__", ast.Not: "", ast.UAdd: "positive", ast.USub: "neg"}

// Unary gives op a. An error is a TypeError where a has no such operator, or what its method or the operation raises.
func (in *Interp) Unary(op ast.UnaryOperator, a value.Value) (value.Value, error) {
	// A function is true, whatever a decorator made of it.
	if op != ast.Not {
		a = value.AsDecorated(a)
	}
	switch x := a.(type) {
	case *value.Unknown:
		return x.Derived(), nil
	case *value.Choice:
		return in.distribute(x, func(v value.Value) (value.Value, error) { return in.Unary(op, v) })
	case *value.Tensor:
		if op == ast.Not {
			break
		}
		if chainer.IsVariable(x) {
			return in.variables.variableUnary(op, x)
		}
		if ops.IsArray(x) {
			return in.applyTensor(unaryMethods[op], x)
		}
		return in.applyTensor(unaryTensor[op], x)
	case *value.Instance:
		// NumPy's scalars have the records of arrays.
		if op != ast.Not && ops.IsNumpyScalar(x) {
			return in.applyTensor(unaryMethods[op], x)
		}
	}
	if op == ast.Not {
		t, err := in.Truth(a)
		if err != nil {
			return nil, err
		}
		return negated(in, t), nil
	}
	if userClass(in.TypeOf(a)) {
		if v, ok, err := in.dunder(a, unaryMethods[op]); ok || err != nil {
			return v, err
		}
	}
	// Builtin numbers.
	if v, ok, err := in.world.Unary(in, op, value.Plain(a)); ok || err != nil {
		in.losses.caused(v, "an operation", a)
		return v, err
	}
	if u := in.unknownBase(in.TypeOf(a)); u != nil {
		return u, nil
	}
	return nil, in.Raise("TypeError", "bad operand type for unary %s: '%s'", op, in.TypeOf(a).Name)
}

// A reflected comparison is the one with the operands exchanged.
type compareNames struct{ method, reflected, tensor, tensorReflected string }

var compareTable = [...]compareNames{
	ast.Eq:    {"__eq__", "__eq__", "eq", "eq"},
	ast.NotEq: {"__ne__", "__ne__", "ne", "ne"},
	ast.Lt:    {"__lt__", "__gt__", "lt", "gt"},
	ast.LtE:   {"__le__", "__ge__", "le", "ge"},
	ast.Gt:    {"__gt__", "__lt__", "gt", "lt"},
	ast.GtE:   {"__ge__", "__le__", "ge", "le"},
	ast.NotIn: {},
}

// Compare gives a op b: a bool, or whatever __eq__ and its kin return. An error is a TypeError where the two have no
// such order, or what their methods or the operation raise. One of Python's own types and a class of a missing module are never the same.
func (in *Interp) Compare(op ast.CmpOperator, a, b value.Value) (value.Value, error) {
	v, err := in.compare(op, a, b)
	if t, ok := v.(*value.SymBool); ok && err == nil && (isChance(a, b) || isChance(b, a)) {
		in.rec.byChance(t.Cond)
	}
	return v, err
}

// isChance reports whether the order of two numbers may be either: of one that is drawn from 0 to 1, and one between these.
func isChance(a, b value.Value) bool {
	x, drawn := a.(*value.SymFloat)
	p, ok := b.(value.Float)
	return drawn && ok && x.Chance && 0 < p && p < 1
}

// compare is Compare without what is noted of its result.
func (in *Interp) compare(op ast.CmpOperator, a, b value.Value) (value.Value, error) {
	switch op {
	case ast.Is, ast.IsNot, ast.Eq, ast.NotEq:
		if in.foreignPair(a, b) {
			return value.Bool(op == ast.IsNot || op == ast.NotEq), nil
		}
	}
	switch op {
	case ast.Is, ast.IsNot:
		v, err := in.Identical(a, b)
		if err == nil && op == ast.IsNot {
			v = negated(in, v)
		}
		return v, err
	case ast.In, ast.NotIn:
		v, err := in.contains(a, b)
		if err == nil && op == ast.NotIn {
			v = negated(in, v)
		}
		return v, err
	}
	// A function can be compared for equality as it is.
	if op != ast.Eq && op != ast.NotEq {
		a, b = value.AsDecorated(a), value.AsDecorated(b)
	}
	if value.IsUnknown(a) {
		return value.Derived(a), nil
	}
	if value.IsUnknown(b) {
		return value.Derived(b), nil
	}
	if c, ok := a.(*value.Choice); ok {
		return in.distribute(c, func(v value.Value) (value.Value, error) { return in.Compare(op, v, b) })
	}
	if c, ok := b.(*value.Choice); ok {
		return in.distribute(c, func(v value.Value) (value.Value, error) { return in.Compare(op, a, v) })
	}
	names := &compareTable[op]
	if v, ok, err := in.variables.variableCompare(op, a, b); ok || err != nil {
		return v, err
	}
	if v, ok, err := in.arrayCompare(op, a, b); ok || err != nil {
		return v, err
	}
	// A tensor beside a number or tensor.
	ta, aok := a.(*value.Tensor)
	tb, bok := b.(*value.Tensor)
	if aok && tensorOperand(b) {
		return in.applyTensor(names.tensor, ta, b)
	}
	if bok && tensorOperand(a) {
		return in.applyTensor(names.tensorReflected, tb, a)
	}
	// The methods of both classes.
	ca, cb := in.TypeOf(a), in.TypeOf(b)
	if userClass(ca) {
		if v, ok, err := in.compareMethod(a, ca, names.method, b); ok || err != nil {
			return v, err
		}
	}
	if userClass(cb) {
		if v, ok, err := in.compareMethod(b, cb, names.reflected, a); ok || err != nil {
			return v, err
		}
	}
	if v, ok, err := in.world.Compare(in, op, value.Plain(a), value.Plain(b)); ok || err != nil {
		in.losses.caused(v, "a comparison", a, b)
		return v, err
	}
	// Equality falls back to identity, an order does not.
	if op == ast.Eq || op == ast.NotEq {
		if u := in.unknownBase(ca); u != nil {
			return u, nil
		}
		v, err := in.Identical(a, b)
		if err == nil && op == ast.NotEq {
			v = negated(in, v)
		}
		return v, err
	}
	if u := in.unknownBase(ca); u != nil {
		return u, nil
	}
	return nil, in.Raise("TypeError", "'%s' not supported between instances of '%s' and '%s'", op, ca.Name, cb.Name)
}

// compareMethod calls a comparison that a class defines itself. __ne__ falls
// back to the opposite of __eq__. The methods of object do not count. ok is false where the class
// has none.
func (in *Interp) compareMethod(v value.Value, c *value.Class, name string, arg value.Value) (value.Value, bool, error) {
	object := in.world.Class("object")
	defined := func(name string) bool {
		for _, k := range c.MRO {
			if k == object {
				return false
			}
			if _, ok := k.Attrs.Get(name); ok {
				return true
			}
		}
		return false
	}
	if defined(name) {
		return in.dunder(v, name, arg)
	}
	// As Python 3 defines __ne__.
	if name == "__ne__" && defined("__eq__") {
		r, ok, err := in.dunder(v, "__eq__", arg)
		if !ok || err != nil {
			return nil, ok, err
		}
		t, err := in.Truth(r)
		if err != nil {
			return nil, false, err
		}
		return negated(in, t), true, nil
	}
	return nil, false, nil
}

// contains gives "x in c": __contains__ of a user's class, the rule of a builtin container or tensor, else a comparison
// with each element. Where an element's comparison is not known, or the length of c, the result is
// undecided. An error is that of comparing, or a TypeError of what is no container.
func (in *Interp) contains(x, c value.Value) (value.Value, error) {
	c = value.AsDecorated(c)
	if value.IsUnknown(c) {
		return value.Derived(c), nil
	}
	switch v := c.(type) {
	case *value.Choice:
		return in.distribute(v, func(v value.Value) (value.Value, error) { return in.contains(x, v) })
	case *value.Tensor:
		// Chainer compares no Variables.
		if chainer.IsVariable(v) {
			if n, ok := ops.DimVal(in.pool.Numel(v.Type().Shape)); v.Type().Ranked && (ok && n == 0 || len(v.Type().Shape) == 0) {
				return value.Bool(false), nil
			}
			return nil, in.Raise("TypeError", "Variables are not compared, and so 'in' finds nothing in one")
		}
		if _, several := x.(*value.Choice); several {
			return in.DataBool(nil), nil
		}
		return in.applyTensor("__contains__", v, x)
	}
	if ch, ok := x.(*value.Choice); ok {
		return in.distribute(ch, func(v value.Value) (value.Value, error) { return in.contains(v, c) })
	}
	// Tracers see the search, as it may guard keys.
	for _, t := range in.tracers.all {
		x = t.Contains(c, x)
	}
	tc := in.TypeOf(c)
	if userClass(tc) {
		if v, ok, err := in.dunder(c, "__contains__", x); ok || err != nil {
			return truthOr(in, v, err)
		}
	}
	if value.IsUnknown(x) {
		return value.Derived(x), nil
	}
	if d := inWays(c); d != nil {
		return in.eachWay(d, func() (value.Value, error) { return in.contains(x, c) })
	}
	if v, ok, err := in.world.Compare(in, ast.In, x, c); ok || err != nil {
		in.losses.caused(v, "a search", x, c)
		return v, err
	}
	if u := in.unknownBase(tc); u != nil {
		return u, nil
	}
	// Any iterable: compare with each element.
	var found value.Value = value.Bool(false)
	// Identity first, as in CPython.
	err := in.Iterate(c, func(e value.Value) error {
		eq, err := in.Identical(x, e)
		if err != nil {
			return err
		}
		if eq != value.Bool(true) {
			if eq, err = in.Compare(ast.Eq, x, e); err != nil {
				return err
			}
			if eq, err = in.Truth(eq); err != nil {
				return err
			}
		}
		if val, known := in.Holds(eq); known {
			if val {
				found = value.Bool(true)
				return value.ErrStop
			}
			return nil
		}
		// An element that may be equal leaves the answer to data, unless a later one is equal.
		found = in.DataBool(nil)
		return nil
	})
	if _, ok := err.(*value.OpenError); ok {
		return in.DataBool(nil), nil
	}
	return found, err
}

// truthOr is the truth of a result, or the error.
func truthOr(th value.Thread, v value.Value, err error) (value.Value, error) {
	if err != nil {
		return nil, err
	}
	return th.Truth(v)
}

// Identical decides "a is b". The error is always nil. Of a choice it is decided by its condition.
// Numbers and texts that are equal count as identical, as small ones are in CPython.
func (in *Interp) Identical(a, b value.Value) (value.Value, error) {
	c, ok := a.(*value.Choice)
	other := b
	if !ok {
		c, ok = b.(*value.Choice)
		other = a
	}
	if ok {
		x, err := in.Identical(c.Then, other)
		if err != nil {
			return nil, err
		}
		y, err := in.Identical(c.Else, other)
		if err != nil {
			return nil, err
		}
		return choose(in, c, x, y), nil
	}
	switch {
	case value.IsUnknown(a):
		return value.Derived(a), nil
	case value.IsUnknown(b):
		return value.Derived(b), nil
	}
	// Values of Go that have no identity.
	switch x := a.(type) {
	case value.Int, value.Bool, value.Str, value.NoneType, value.EllipsisType, value.NotImplementedType, value.DType, value.Device,
		value.Constant:
		return value.Bool(a == b), nil
	case *value.SymBool:
		if y, ok := b.(value.Bool); ok {
			if y {
				return x, nil
			}
			return negated(in, x), nil
		}
		return value.Bool(a == b), nil
	case value.Float, value.Complex, value.Bytes:
		return value.Bool(a == b), nil
	}
	if x, ok := a.(*value.Tensor); ok && ops.IsArray(x) && in.rec.backprop != nil { // the array of a Variable is made again each time
		if y, ok := b.(*value.Tensor); ok && ops.IsArray(y) {
			if b := in.rec.backprop; b.arrayOf(x.V) == b.arrayOf(y.V) && (x == y || b.known(x.V)) {
				return value.Bool(true), nil
			}
		}
	}
	// A bound method is made anew at each access.
	if x, ok := a.(*value.BoundMethod); ok {
		if y, ok := b.(*value.BoundMethod); ok {
			return value.Bool(x.Self == y.Self && x.Func == y.Func), nil
		}
	}
	return value.Bool(a == b), nil
}

// choose gives x under the choice's condition and y otherwise. A Bool of both is the condition
// itself, or its opposite.
func choose(th value.Thread, c *value.Choice, x, y value.Value) value.Value {
	if x == y {
		return x
	}
	bx, xok := x.(value.Bool)
	by, yok := y.(value.Bool)
	if xok && yok {
		t := &value.SymBool{Cond: c.Cond}
		if bool(bx) && !bool(by) {
			return t
		}
		return negated(th, t)
	}
	return oneOfTwo(th, c.Cond, x, y)
}
