package lib

// This file gives the builtin classes their operator methods (int.__add__,
// list.__getitem__ …), which derived classes call through super(). They do what
// the operators do, but give NotImplemented where the other operand is of a
// wrong type. One function serves a whole family of methods: the tables below give the operator for
// the name, and c.p.name tells which method is called. The records of the classes take their
// methods from here with dunders and join, so that int.__add__ and the operator + on ints cannot
// give different results.

import (
	"strings"

	"shapecheck/infer/value"
	"shapecheck/parser/ast"
)

// A reflected method (__radd__) is found by leaving out its r, see binaryDunder.
var binaryDunders = map[string]ast.BinOperator{
	"__add__": ast.Add, "__sub__": ast.Sub, "__mul__": ast.Mult, "__truediv__": ast.Div, "__floordiv__": ast.FloorDiv,
	"__mod__": ast.Mod, "__pow__": ast.Pow, "__lshift__": ast.LShift, "__rshift__": ast.RShift,
	"__and__": ast.BitAnd, "__or__": ast.BitOr, "__xor__": ast.BitXor,
}

// Comparisons have no reflected names: CPython exchanges the operands and takes the mirrored
// operator.
var compareDunders = map[string]ast.CmpOperator{
	"__eq__": ast.Eq, "__ne__": ast.NotEq, "__lt__": ast.Lt, "__le__": ast.LtE, "__gt__": ast.Gt, "__ge__": ast.GtE,
}

var unaryDunders = map[string]ast.UnaryOperator{"__neg__": ast.USub, "__pos__": ast.UAdd, "__invert__": ast.Invert}

// dunders makes procs of the same function and parameters. names are separated by blanks.
func dunders(fn func(c *call) (value.Value, error), params, names string) []proc {
	var list []proc
	for _, n := range strings.Fields(names) {
		list = append(list, proc{name: n, params: params, fn: fn})
	}
	return list
}

// The order is kept.
func join(lists ...[]proc) []proc {
	var out []proc
	for _, l := range lists {
		out = append(out, l...)
	}
	return out
}

// The groups of names follow what CPython's number, sequence and mapping slots hold for each class;
// a class takes the groups that it has.
const (
	arithNames   = "__add__ __radd__ __sub__ __rsub__ __mul__ __rmul__ __truediv__ __rtruediv__ __pow__ __rpow__"
	realNames    = "__floordiv__ __rfloordiv__ __mod__ __rmod__"
	bitNames     = "__lshift__ __rlshift__ __rshift__ __rrshift__ __and__ __rand__ __or__ __ror__ __xor__ __rxor__"
	orderNames   = "__eq__ __ne__ __lt__ __le__ __gt__ __ge__"
	equalNames   = "__eq__ __ne__"
	setOpNames   = "__and__ __rand__ __or__ __ror__ __xor__ __rxor__ __sub__ __rsub__"
	setInPlace   = "__iand__ __ior__ __ixor__ __isub__"
	signNames    = "__neg__ __pos__"
	reprNames    = "__repr__ __str__"
	containerish = "__len__ __iter__"
)

// fits reports whether an operator of class cls takes other as its other operand. For the classes
// of numbers other must be a number that converts to cls without loss: an int takes ints only, a
// float ints and floats, a complex all. Sets take sets of either kind; other classes take values of
// their own class and of derived ones. The two exceptions stand for every class: a sequence times
// an int, and a text or bytes on the left of %, which takes anything. Values of classes that this
// library does not know never fit, which leaves the decision to their own methods.
func (c *call) fits(self, other value.Value, arithmetic bool) bool {
	self, other = value.Plain(self), value.Plain(other)
	if foreign(other) {
		return false
	}
	if c.cls == nil {
		return true
	}
	k := kindOf(other)
	switch c.cls {
	case c.w.int_, c.w.bool_:
		return k == intKind || k == symIntKind
	case c.w.float_:
		return k != notNumber && k != complexKind
	case c.w.complex_:
		return k != notNumber
	}
	if arithmetic && (c.p.name == "__mul__" || c.p.name == "__rmul__") {
		return k == intKind || k == symIntKind
	}
	if arithmetic && c.p.name == "__mod__" {
		return true
	}
	a, b := c.w.TypeOf(self), c.w.TypeOf(other)
	if a.Layout == value.SetLayout {
		return b.Layout == value.SetLayout
	}
	return b.IsSubclass(c.cls)
}

// An operand of an unfit type gives NotImplemented, so that the reflected method of the other
// operand has its turn; an unknown operand gives an unknown result, because either could happen.
func binaryDunder(c *call) (value.Value, error) {
	name := c.p.name
	a, b := c.self, c.args[0]
	if !c.fits(a, b, true) {
		if value.IsUnknown(b) {
			return value.Derived(b), nil
		}
		return value.NotImplemented, nil
	}
	op, ok := binaryDunders[name]
	if !ok {
		// __radd__ is __add__ with the operands exchanged. A name that is in neither form belongs
		// to an operator that the class lacks.
		op, ok = binaryDunders["__"+name[3:]]
		if !ok {
			return value.NotImplemented, nil
		}
		a, b = b, a
	}
	v, ok, err := c.w.binary(c.th, op, a, b, "")
	if !ok && err == nil {
		return value.NotImplemented, nil
	}
	return v, err
}

// An in-place method such as list.__iadd__ or set.__ior__ changes its object and returns it. Lists
// take any iterable for += and any int for *=, and dicts any mapping or pairs for |=, so their
// operands are not compared with the class here; InPlace does it.
func inPlaceDunder(c *call) (value.Value, error) {
	op := binaryDunders["__"+c.p.name[3:]]
	if op != ast.Add && op != ast.Mult && !(op == ast.BitOr && c.w.TypeOf(c.self).Layout == value.DictLayout) &&
		!c.fits(c.self, c.args[0], true) {
		return value.NotImplemented, nil
	}
	v, ok, err := c.w.InPlace(c.th, op, c.self, c.args[0])
	if err == nil && !ok {
		return value.NotImplemented, nil
	}
	return v, err
}

// == and != never raise for builtin values, but compare as unequal; the order gives NotImplemented
// where the classes have none, as between an int and a str. Subclasses are unwrapped first, since
// super().__eq__ compares the wrapped values.
func compareDunder(c *call) (value.Value, error) {
	op := compareDunders[c.p.name]
	a, b := value.Plain(c.self), value.Plain(c.args[0])
	if !c.fits(a, b, false) {
		if value.IsUnknown(b) {
			return value.Derived(b), nil
		}
		return value.NotImplemented, nil
	}
	switch op {
	case ast.Eq:
		return c.w.equal(c.th, a, b)
	case ast.NotEq:
		v, err := c.w.equal(c.th, a, b)
		if err != nil {
			return nil, err
		}
		return c.w.notBool(c.th, v), nil
	}
	v, ok, err := c.w.order(c.th, op, a, b)
	if err == nil && !ok {
		return value.NotImplemented, nil
	}
	return v, err
}

// The class has the method only where the operator exists, so Unary always succeeds or fails with
// an exception.
func unaryDunder(c *call) (value.Value, error) {
	v, _, err := c.w.Unary(c.th, unaryDunders[c.p.name], value.Plain(c.self))
	return v, err
}

// TypeError for a value that is not hashable.
func hashDunder(c *call) (value.Value, error) { return c.w.hash(c.th, value.Plain(c.self)) }

// It is never called for a value without length, since only classes with a length have the method.
func lenDunder(c *call) (value.Value, error) {
	v, _, err := c.w.Len(c.th, c.self)
	return v, err
}

// TypeError where the value has no iterator.
func iterDunder(c *call) (value.Value, error) {
	it, ok, err := c.w.Iter(c.th, c.self)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, value.Single(c.th, "'%s' object is not iterable", c.w.TypeOf(c.self).Name)
	}
	return it, nil
}

// Whether an unknown value is in a container is unknown; where the comparison with an element is
// not decided, the answer is a bool that depends on data.
func containsDunder(c *call) (value.Value, error) {
	if value.IsUnknown(c.args[0]) {
		return c.args[0], nil
	}
	v, ok, err := c.w.contains(c.th, c.args[0], c.self)
	if err == nil && !ok {
		return c.th.DataBool(nil), nil
	}
	return v, err
}

// IndexError and KeyError come from GetItem with CPython's texts.
func getItemDunder(c *call) (value.Value, error) {
	if d, ok := c.self.(*value.Dict); ok && d.Class != nil {
		// super().__getitem__(k) looks for __missing__, too.
		return c.w.dictItem(c.th, d, c.args[0])
	}
	v, _, err := c.w.GetItem(c.th, c.self, c.args[0])
	return v, err
}

// What SetItem does for lists and dicts of the builtin layout, without the __setitem__ of a derived
// class that called it.
func setItemDunder(c *call) (value.Value, error) {
	_, err := c.w.SetItem(c.th, c.self, c.args[0], c.args[1])
	return value.None, err
}

// Like setItemDunder for del.
func delItemDunder(c *call) (value.Value, error) {
	_, err := c.w.DelItem(c.th, c.self, c.args[0])
	return value.None, err
}

// The result may be a bool that is not known.
func boolDunder(c *call) (value.Value, error) {
	v, _, err := c.w.Truth(c.th, value.Plain(c.self))
	return v, err
}

// It serves __repr__ and __str__. A text that is not known becomes an abstract str that keeps it
// for messages.
func reprDunder(c *call) (value.Value, error) {
	if c.p.name == "__str__" {
		s, known := c.w.Str(c.th, c.self)
		return c.w.strResult(c.th, s, known), nil
	}
	s, known := c.w.Repr(c.th, c.self)
	return c.w.strResult(c.th, s, known), nil
}

// TypeError for a specification that is not a str, ValueError for one that the type does not
// understand.
func formatDunder(c *call) (value.Value, error) {
	spec, ok := value.AsStr(c.args[0])
	if !ok {
		if _, abstract := value.Plain(c.args[0]).(*value.Abstract); abstract || value.IsUnknown(c.args[0]) {
			return c.w.abstractStr(c.th, ""), nil
		}
		return nil, c.th.Raise("TypeError", "__format__() argument must be str, not %s", c.w.TypeOf(c.args[0]).Name)
	}
	return c.w.formatPlain(c.th, c.self, spec)
}

// classGetItem is C[args] for the classes that can be parametrised. A tuple gives several
// arguments, but a namedtuple or torch.Size counts as one. Nothing checks their number, because
// CPython does not either for the builtin classes.
func classGetItem(c *call) (value.Value, error) {
	args := []value.Value{c.args[0]}
	if t, ok := c.args[0].(*value.Tuple); ok && t.Class == nil {
		args = t.Elems
	}
	return &value.GenericAlias{Origin: c.self, Args: args}, nil
}

var genericProc = []proc{{name: "__class_getitem__", params: "item", kind: classProc, fn: classGetItem}}
