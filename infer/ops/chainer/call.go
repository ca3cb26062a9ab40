package chainer

// This file defines the call of a function as its rule sees it: its inputs, by the names
// that Chainer's type checks use, and its other arguments with Python's types.

import (
	"errors"
	"fmt"

	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// A call is one application of a record. Once something failed its methods do nothing.
type call struct {
	// The call of the kernel, whose faults and losses are also those of this one.
	*ops.Call
	// label is the name of Chainer's function class, which its messages show ("LinearFunction").
	label string
	// env are the inputs and sizes that expressions name, in the order in which the rule read them.
	env []binding
	// asksTruth says that the type check asks for the truth of an expression, which Chainer refuses with a RuntimeError
	// once something does not hold.
	asksTruth bool
}

// A binding is a name of a type check's expressions: an operand, or a number that the rule has set.
type binding struct {
	name string
	t    *value.Tensor
	n    symshape.Dim
}

// input reads an argument as the input of a function: a Variable or an array.
func (k *call) input(name string) *value.Tensor { return k.asInput(name, k.Value(name)) }

// asInput takes a Variable or an array as operand, as chainer.FunctionNode.apply does. A parameter whose shape
// is not known before the first call has no array yet.
func (k *call) asInput(name string, v value.Value) *value.Tensor {
	if !k.OK() {
		return nil
	}
	// A tensor may be a Variable, an array of NumPy, or one of PyTorch, which Chainer refuses.
	switch v := v.(type) {
	case *value.Tensor:
		switch {
		case value.IsUnknown(waitsFor(v)):
			k.Lose("the parameter '%s' has the shape of an array in a file", name)
			return nil
		case IsPending(v):
			k.Errorf("AttributeError", diag.TypeMismatch, "%s(): the parameter '%s' has no shape yet", k.Short(), name)
			return nil
		case IsVariable(v), ops.IsArray(v):
			return v
		}
		k.Errorf("TypeError", diag.TypeMismatch, "%s(): '%s' is a tensor of PyTorch, not a Variable or an array (%s)", k.Short(), name, k.label)
		return nil
	case *value.Unknown, *value.Choice, *value.Abstract:
		k.Lose("argument '%s' is not known", name)
		return nil
	}
	k.Errorf("TypeError", diag.TypeMismatch,
		"%s(): incompatible array types are mixed in the forward input (%s): '%s' is %s, not a Variable or an array",
		k.Short(), k.label, name, ops.TypeName(v))
	return nil
}

// apply reads the inputs of those names, and makes them known to expressions. One that
// ends with a question mark may be None.
func (k *call) apply(names ...string) bool {
	for _, name := range names {
		if n := len(name) - 1; name[n] == '?' {
			if name = name[:n]; !k.Has(name) {
				continue
			}
		}
		k.bind(name, k.input(name))
	}
	return k.OK()
}

// list reads a sequence of inputs; they are known as x0, x1 … and as what[0], what[1] …
func (k *call) list(name string) []*value.Tensor {
	if !k.OK() {
		return nil
	}
	v := k.Value(name)
	// An array is asked for its truth before its rows are read; without elements it is an empty
	// list.
	switch x := v.(type) {
	case *value.Tensor:
		if n, known := k.Numel(k.Shape(x)).Const(); known && n == 0 && !IsVariable(x) {
			return nil
		}
		if !k.asTruth(name, x) {
			return nil
		}
	case *value.Tuple, *value.List, *value.Unknown, *value.Choice, *value.Abstract, *value.Instance:
	// Any other iterable is run to its end, whose side effects and exceptions are those of the
	// program.
	default:
		var elems []value.Value
		err := k.Th.Iterate(v, func(e value.Value) error {
			elems = append(elems, e)
			return k.Th.Step(1)
		})
		var open *value.OpenError
		if errors.As(err, &open) {
			k.Lose("the length of '%s' is not known", name)
			return nil
		}
		if k.SetErr(err); err != nil {
			return nil
		}
		v = value.NewTuple(elems...)
	}
	elems, ok := k.sequence(name, v)
	if !ok {
		return nil
	}
	// The rows are bound by position: the type check names them so where it takes several.
	ts := make([]*value.Tensor, 0, len(elems))
	for i, e := range elems {
		at := fmt.Sprintf("x%d", i)
		t := k.asInput(at, e)
		if t == nil {
			return nil
		}
		k.bind(at, t)
		ts = append(ts, t)
	}
	return ts
}

// asTruth checks an array that is given as the inputs: Chainer asks for its truth first, which only
// one element has. A Variable has none. It reports whether there was no fault.
func (k *call) asTruth(name string, t *value.Tensor) bool {
	if IsVariable(t) {
		k.Errorf("TypeError", diag.TypeMismatch, "%s(): '%s' must be a list or tuple: a Variable has no truth value", k.Short(), name)
	} else if s := k.Shape(t); k.OK() {
		if _, ok := k.Same(k.Numel(s), k.Const(1)); !ok {
			k.Errorf("ValueError", diag.RankMismatch,
				"%s(): '%s' must be a list or tuple: the truth value of an array with several elements is ambiguous: %s",
				k.Short(), name, t)
		}
	}
	return k.OK()
}

// sequence reads what Python's loops take: a list, a tuple, or an array or Variable by its rows.
// The second result is false after a fault (TypeError for what cannot be iterated, which a 0-d
// array is) and after a loss: an unknown length, or more rows than are worth the memory.
func (k *call) sequence(name string, v value.Value) ([]value.Value, bool) {
	switch v := v.(type) {
	case *value.Tuple:
		return v.Elems, true
	case *value.List:
		if v.Open != nil {
			k.Lose("the length of '%s' is not known", name)
			return nil, false
		}
		return v.Elems, true
	case *value.Unknown, *value.Choice, *value.Abstract, *value.Instance:
		k.Lose("argument '%s' is not known", name)
		return nil, false
	case *value.Tensor:
		s := k.Shape(v)
		if !k.OK() {
			return nil, false
		}
		if len(s) == 0 {
			k.Errorf("TypeError", diag.RankMismatch, "%s(): iteration over a 0-d array: '%s'", k.Short(), name)
			return nil, false
		}
		n, known := ops.DimVal(s[0])
		if !known || n > 1024 {
			k.Lose("the number of rows of '%s' is not known", name)
			return nil, false
		}
		rows := make([]value.Value, n)
		for i := range rows {
			rows[i] = k.row(v)
		}
		return rows, true
	}
	k.Errorf("TypeError", diag.TypeMismatch, "%s(): '%s' must be a sequence, not %s", k.Short(), name, ops.TypeName(v))
	return nil, false
}

// row is one element along the first axis, an array or Variable as the whole is. Which row it is
// does not matter: only its type is asked for.
func (k *call) row(t *value.Tensor) *value.Tensor {
	r := k.DelegateTensor("torch.select", []value.Value{t, value.Int(0), value.Int(0)})
	if r == nil {
		return nil
	}
	r.Class = t.Class
	return r
}

// bind makes an operand known to expressions by a name; nil, which a fault left, is not.
func (k *call) bind(name string, t *value.Tensor) {
	if t != nil {
		k.env = append(k.env, binding{name: name, t: t})
	}
}

// let makes a size known to expressions.
func (k *call) let(name string, n symshape.Dim) { k.env = append(k.env, binding{name: name, n: n}) }

// find gives what an expression names, or nil. The list is short, so that it is searched.
func (k *call) find(name string) *binding {
	for i := range k.env {
		if k.env[i].name == name {
			return &k.env[i]
		}
	}
	return nil
}

// t is an input that apply read; nil for one that is None.
func (k *call) t(name string) *value.Tensor {
	if b := k.find(name); b != nil {
		return b.t
	}
	return nil
}

// s is the shape of an input.
func (k *call) s(name string) symshape.Shape { return k.Shape(k.t(name)) }

// d is the dtype of an input.
func (k *call) d(name string) dtype.DType {
	if t := k.t(name); t != nil {
		return t.Type().DType
	}
	return dtype.Unknown
}

// like makes a result of the type of an input: its dtype and its shape, which may be unknown.
func (k *call) like(name string) value.Value {
	if !k.OK() {
		return nil
	}
	return k.Like(k.t(name), k.d(name))
}

// out makes a result of a dtype and sizes, none for a scalar. Sizes are copied, since rules pass
// parts of the shapes of inputs.
func (k *call) out(d dtype.DType, s ...symshape.Dim) value.Value {
	if !k.OK() {
		return nil
	}
	return k.Out(d, append(symshape.Shape{}, s...))
}

// number reads an int, which may be a symbol; float and the like are refused.
func (k *call) number(name string) symshape.Dim { return k.asInt(name, k.Value(name)) }

// asInt reads an int: Python's, NumPy's, or an array of one element, as operator.index does. Other
// types are a TypeError; what is not known is a loss. The result may be a symbol.
func (k *call) asInt(name string, v value.Value) symshape.Dim {
	if !k.OK() {
		return symshape.Dim{}
	}
	switch x := value.Plain(v).(type) {
	case value.Int, *value.SymInt, value.Bool, *value.BigInt:
		if d, ok := value.AsDim(k.P, x); ok {
			return d
		}
	case *value.SymBool, *value.Unknown, *value.Choice, *value.Abstract:
		k.Lose("argument '%s' is not known", name)
		return symshape.Dim{}
	}
	if i, ok := v.(*value.Instance); ok && ops.IsNumpyScalar(i) {
		if d, ok := value.AsDim(k.P, i.Payload); ok {
			return d
		}
	}
	if t, ok := v.(*value.Tensor); ok && ops.IsArray(t) && t.Type().Ranked && len(t.Type().Shape) == 0 && t.Type().DType.IsIntegral() {
		if e := t.Contents(); len(e) == 1 {
			if d, ok := value.AsDim(k.P, e[0]); ok {
				return d
			}
		}
		k.Lose("the value of '%s' is not known", name)
		return symshape.Dim{}
	}
	k.Errorf("TypeError", diag.TypeMismatch, "%s(): '%s' must be an int, not %s", k.Short(), name, ops.TypeName(v))
	return symshape.Dim{}
}

// integer is number for what must be concrete, as the number of an axis is: a symbol is a loss.
func (k *call) integer(name string) int {
	d := k.number(name)
	if !k.OK() {
		return 0
	}
	n, ok := ops.DimVal(d)
	if !ok {
		k.Lose("the value of '%s' is not known", name)
	}
	return int(n)
}

// real checks that an argument is a number (TypeError). An array without dimensions passes, and so
// does what is not known.
func (k *call) real(name string) {
	if !k.OK() {
		return
	}
	v := k.Value(name)
	if t, ok := v.(*value.Tensor); ok && ops.IsArray(v) && t.Type().Ranked && len(t.Type().Shape) == 0 { // computes like a number
		return
	}
	if !isNumber(v) && !value.IsUnknown(v) {
		k.Errorf("TypeError", diag.TypeMismatch, "%s(): '%s' must be a number, not %s", k.Short(), name, ops.TypeName(v))
	}
}

// isNumber reports whether a value is a number of Python or a scalar of NumPy.
func isNumber(v value.Value) bool {
	if ops.IsNumpyScalar(v) {
		return true
	}
	return ops.NumberKind(value.Plain(v)) != dtype.KindInvalid
}

// ratio checks 0 <= v < 1, the probability of dropping an element (ValueError).
func (k *call) ratio(name string) {
	k.real(name)
	if f, known := k.Float(name); k.OK() && known && !(0 <= f && f < 1) {
		k.Errorf("ValueError", diag.BadValue, "%s(): %s must be in the range [0, 1), but is %v", k.Short(), name, f)
	}
}

// several reads an int or a sequence of n ints, as Chainer's pairs. It always gives n sizes, so
// that rules may index them after a fault.
func (k *call) several(name string, n int) []symshape.Dim {
	return k.asSeveral(name, k.Value(name), n)
}

// asSeveral reads a number for each axis, or one for all (chainer.utils.conv_nd's as_tuple).
// Another number of elements than n is a ValueError.
func (k *call) asSeveral(name string, v value.Value, n int) []symshape.Dim {
	out := make([]symshape.Dim, n)
	if !k.OK() {
		return out
	}
	elems, isSeq := []value.Value(nil), false
	switch x := v.(type) {
	case *value.Tuple, *value.List:
		elems, isSeq = k.sequence(name, x)
		if !k.OK() {
			return out
		}
	// An array of one dimension is a sequence, too.
	case *value.Tensor:
		if e := x.Contents(); e != nil && x.Type().Rank() == 1 {
			elems, isSeq = e, true
		}
	}
	if !isSeq {
		if k.unpacks(name, v, n); !k.OK() {
			return out
		}
	}
	if isSeq && len(elems) != n {
		k.Errorf("ValueError", diag.BadValue, "%s(): '%s' must have %s, but has %d", k.Short(), name, ops.CountWord(n, "element"), len(elems))
		return out
	}
	for i := range out {
		if isSeq {
			v = elems[i]
		}
		out[i] = k.asInt(name, v)
	}
	return out
}

// sizes reads a sequence of ints: a shape. Negative ones are not refused here.
func (k *call) sizes(name string) symshape.Shape {
	if !k.OK() {
		return nil
	}
	elems, ok := k.sequence(name, k.Value(name))
	if !ok {
		return nil
	}
	out := make(symshape.Shape, len(elems))
	for i, e := range elems {
		out[i] = k.asInt(name, e)
	}
	return out
}

// axis reads the number of an axis, and checks it in Chainer's words.
func (k *call) axis(name, of string) int {
	n := k.integer(name)
	return k.wrap(n, of)
}

// wrap counts an axis of an input from 0. Out of range is a fault in the notation of the type
// check.
func (k *call) wrap(n int, of string) int {
	s := k.s(of)
	if !k.OK() {
		return 0
	}
	if n >= len(s) || n < -len(s) {
		k.invalid(diag.DimOutOfRange, fmt.Sprintf("-%s.ndim <= axis < %s.ndim", of, of), fmt.Sprintf("axis %d, %s.ndim %d", n, of, len(s)))
		return 0
	}
	if n < 0 {
		n += len(s)
	}
	return n
}

// axes reads None, an int or a tuple of ints as axes of an input, counted from 0; all is true for
// None. A list is a TypeError in Chainer, and a repeated axis a ValueError. A symbol loses the
// result.
func (k *call) axes(name, of string) (axes []int, all bool) {
	if !k.OK() {
		return nil, false
	}
	v := k.Value(name)
	if v == value.None {
		for i := range k.s(of) {
			axes = append(axes, i)
		}
		return axes, true
	}
	list := []value.Value{v}
	if t, ok := v.(*value.Tuple); ok {
		list = t.Elems
	} else if ops.IsSequence(v) {
		k.Errorf("TypeError", diag.TypeMismatch, "%s(): '%s' must be None, an int or a tuple of ints, not %s", k.Short(), name, ops.TypeName(v))
		return nil, false
	}
	raw := map[int]bool{}
	for _, e := range list {
		if _, isBool := e.(value.Bool); isBool || ops.IsNumpyScalar(e) { // only Python's ints are ints here
			k.Errorf("TypeError", diag.TypeMismatch, "%s(): '%s' must be None, an int or a tuple of ints, not %s", k.Short(), name, ops.TypeName(e))
			return nil, false
		}
		n, ok := ops.DimVal(k.asInt(name, e))
		if !k.OK() {
			return nil, false
		}
		if !ok {
			k.Lose("the value of '%s' is not known", name)
			return nil, false
		}
		if raw[int(n)] {
			k.Errorf("ValueError", diag.DimOutOfRange, "%s(): duplicate value in axis: %d", k.Short(), int(n))
			return nil, false
		}
		raw[int(n)] = true
		axes = append(axes, k.wrap(int(n), of))
	}
	// An axis may also be named from both ends, as 1 and -1 of two.
	seen := map[int]bool{}
	for _, a := range axes {
		if seen[a] && k.OK() {
			k.Errorf("ValueError", diag.DimOutOfRange, "%s(): duplicate value in axis: %d", k.Short(), a)
		}
		seen[a] = true
	}
	return axes, false
}

// flag is the truth of an argument; false after a fault, and where it is not known, which is a
// loss.
func (k *call) flag(name string) bool { return k.OK() && k.Bool(name) }

// oneOf checks that a text is one of several and gives it, or "" after a fault, which has the given
// class. A text that is not known is a loss: the shape of the result depends on it.
func (k *call) oneOf(name, class string, allowed ...string) string {
	if !k.OK() {
		return ""
	}
	v := k.Value(name)
	if value.IsUnknown(v) {
		k.Lose("argument '%s' is not known", name)
		return ""
	}
	s, ok := value.AsStr(v)
	for _, a := range allowed {
		if ok && s == a {
			return s
		}
	}
	k.Errorf(class, diag.BadValue, "%s(): only %q are valid for '%s', but %s is given", k.Short(), allowed, name, v)
	return ""
}

// reduction checks the argument reduce, and says whether there is one: whether it is another text
// than none. Other texts are a ValueError.
func (k *call) reduction(none string, others ...string) bool {
	return k.oneOf("reduce", "ValueError", append([]string{none}, others...)...) != none
}
