package infer

// This file evaluates expressions.
//
// It also makes the templates of t-strings; their classes are Python, in the prelude's
// module _templates. evalOp returns the faults of its operation as errors; eval settles them: what
// a handler of the program may catch goes on as an error, what nobody catches is reported, and the
// value is unknown. Names and constants are taken apart in eval since they are most of all
// expressions.

import (
	"fmt"
	"strings"

	"shapecheck/infer/lib"
	"shapecheck/infer/value"
	"shapecheck/parser/ast"
	"shapecheck/parser/resolve"
)

// eval evaluates e. A fault of a library operation that nobody catches is
// reported here, and gives Unknown: what does not depend on it goes on. The error is an exception
// of the program, or ends the run.
func (in *Interp) eval(f *frame, e ast.Expr) (value.Value, error) {
	switch e := e.(type) {
	case *ast.Name:
		v, err := in.load(f, e)
		if err != nil {
			return in.settle(f, v, err)
		}
		return v, nil
	case *ast.Constant:
		return constant(e), nil
	}
	// The budget is accounted for after a number of steps.
	if in.spent.steps++; in.spent.steps >= in.spent.check || in.spent.alarm.due.Load() {
		if err := in.spent.step(0); err != nil {
			return nil, err
		}
	}
	v, err := in.evalOp(f, e)
	if err != nil {
		return in.settle(f, v, err)
	}
	// A choice whose condition has been decided is its alternative.
	if c, ok := v.(*value.Choice); ok {
		return decided(in, c), nil
	}
	return v, nil
}

// evalOp evaluates an expression that is neither a name nor a constant. It sets f.at to the expression just before its
// own operation runs, so that a finding points there and not at an operand.
func (in *Interp) evalOp(f *frame, e ast.Expr) (value.Value, error) {
	switch e := e.(type) {
	case *ast.Attribute:
		v, err := in.eval(f, e.Value)
		if err != nil {
			return nil, err
		}
		f.at = e.Span()
		// Tracers are told before and after the operation.
		for _, t := range in.tracers.all {
			t.Evaluate(f, e)
		}
		x, err := in.GetAttr(v, mangle(f, e.Attr.Name))
		for _, t := range in.tracers.all {
			t.Evaluated(f, e, x)
		}
		return x, err
	case *ast.Call:
		return in.evalCall(f, e)
	case *ast.Subscript:
		v, err := in.eval(f, e.Value)
		if err != nil {
			return nil, err
		}
		i, err := in.eval(f, e.Index)
		if err != nil {
			return nil, err
		}
		f.at = e.Span()
		for _, t := range in.tracers.all {
			t.Evaluate(f, e)
		}
		x, err := in.GetItem(v, i)
		for _, t := range in.tracers.all {
			t.Evaluated(f, e, x)
		}
		return x, err
	case *ast.BinOp:
		return in.evalBinOp(f, e)
	case *ast.UnaryOp:
		v, err := in.eval(f, e.Operand)
		if err != nil {
			return nil, err
		}
		f.at = e.Span()
		// not of a tensor in a graph is an operation of it.
		if e.Op == ast.Not {
			if in.tracing.graphTruth(f, v) != nil {
				return in.CallMethod(v, "__shapecheck_not__")
			}
			t, err := in.Truth(v)
			if err != nil {
				return nil, err
			}
			return negated(in, t), nil
		}
		return in.Unary(e.Op, v)
	case *ast.Compare:
		return in.evalCompare(f, e)
	case *ast.BoolOp:
		return in.evalBoolOp(f, e, 0)
	// An expression with a symbolic test is a choice, or an If of the graph.
	case *ast.IfExp:
		t, err := in.eval(f, e.Test)
		if err != nil {
			return nil, err
		}
		f.at = e.Test.Span()
		t = in.deciding.flipped(f, e.Test, t)
		if b := in.tracing.graphTruth(f, t); b != nil {
			t = b
		}
		t = in.deciding.decidesConditional(f, e, t)
		return in.flow.branch(f, t, func() (value.Value, error) { return in.eval(f, e.Body) },
			func() (value.Value, error) { return in.eval(f, e.Else) })
	case *ast.Tuple:
		// A starred element of unknown length makes the whole open.
		elems, err := in.evalAll(f, e.Elts)
		if err != nil {
			return nil, err
		}
		return in.tupleOf(elems), nil
	case *ast.List:
		elems, err := in.evalAll(f, e.Elts)
		if err != nil {
			return nil, err
		}
		return newListOf(in, elems), nil
	// A set is made by its class, then gets the order of CPython.
	case *ast.Set:
		elems, err := in.evalAll(f, e.Elts)
		if err != nil {
			return nil, err
		}
		v, err := in.Call(in.world.Class("set"), []value.Value{newListOf(in, elems)}, nil)
		if s, ok := v.(*value.Set); ok && err == nil {
			orderOf(in, s, e)
		}
		return v, err
	case *ast.Dict:
		return in.evalDict(f, e)
	case *ast.Lambda:
		return in.makeFunc(f, "<lambda>", e, e.Params, e.Scope)
	case *ast.ListComp:
		return in.listComp(f, e)
	case *ast.SetComp:
		return in.setComp(f, e)
	case *ast.DictComp:
		return in.dictComp(f, e)
	case *ast.GeneratorExp:
		return in.generatorExp(f, e)
	case *ast.JoinedStr:
		return in.joinedStr(f, e)
	case *ast.FormattedValue:
		return in.formatted(f, e)
	case *ast.TemplateStr:
		return in.templateStr(f, e)
	// The value is assigned in the scope that the resolver chose.
	case *ast.NamedExpr:
		v, err := in.eval(f, e.Value)
		if err != nil {
			return nil, err
		}
		in.rec.line(f, e, e.Target, v)
		return v, in.store(f, e.Target, v)
	case *ast.Slice:
		return in.evalSlice(f, e)
	// The parser refuses most of these.
	case *ast.Starred:
		return nil, in.Raise("SyntaxError", "can't use starred expression here")
	case *ast.Yield:
		return in.evalYield(f, e)
	case *ast.YieldFrom:
		return in.evalYieldFrom(f, e)
	case *ast.Await:
		v, err := in.eval(f, e.Value)
		if err != nil {
			return nil, err
		}
		f.at = e.Span()
		return await(v)
	case *ast.Name, *ast.Constant:
		return in.eval(f, e)
	}
	return nil, fmt.Errorf("infer: expression %T", e)
}

// evalAll evaluates a list of expressions, spreading starred ones. A starred
// operand of unknown length gives a single *spread at its place. The error is that of evaluating or
// of iterating.
func (in *Interp) evalAll(f *frame, list []ast.Expr) ([]value.Value, error) {
	out := make([]value.Value, 0, len(list))
	for _, e := range list {
		s, ok := e.(*ast.Starred)
		if !ok {
			v, err := in.eval(f, e)
			if err != nil {
				return nil, err
			}
			out = append(out, v)
			continue
		}
		v, err := in.eval(f, s.Value)
		if err != nil {
			return nil, err
		}
		f.at = s.Span()
		if out, err = spread(in, out, v); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// spread appends the elements of v. When their number is not known the whole
// of what follows is: it appends an openElems marker. What was appended before an unknown length
// shows is taken back.
func spread(th value.Thread, out []value.Value, v value.Value) ([]value.Value, error) {
	n := len(out)
	err := th.Iterate(v, func(x value.Value) error {
		out = append(out, x)
		return th.Step(1)
	})
	if open, ok := err.(*value.OpenError); ok {
		return append(out[:n], &openElems{open: open.Open}), nil
	}
	return out, err
}

// openElems stands in a list of elements for an unknown number of them. It never
// leaves this package.
type openElems struct {
	value.Unknown
	open *value.Open
}

// tupleOf and listOf make containers of elements that may hold openElems. An unknown length makes a
// tuple of unknown length.
func (in *Interp) tupleOf(elems []value.Value) value.Value {
	for _, e := range elems {
		if _, ok := e.(*openElems); ok {
			return in.world.OpenTuple(in, openElemsOf(in, elems))
		}
	}
	return &value.Tuple{Elems: elems}
}

// newListOf makes a list of elements of which one may be a starred value of unknown length; then the whole has
// that.
func newListOf(th value.Thread, elems []value.Value) value.Value {
	for _, e := range elems {
		if _, ok := e.(*openElems); ok {
			return th.Heap().NewOpenList(openElemsOf(th, elems))
		}
	}
	return th.Heap().NewList(elems)
}

// openElemsOf joins elements of which some stand for an unknown number. The length is the sum, and
// the element what all have in common.
func openElemsOf(th value.Thread, elems []value.Value) *value.Open {
	var elem value.Value
	n := th.Pool().ConstDim(0)
	for _, e := range elems {
		x := e
		k := th.Pool().ConstDim(1)
		if o, ok := e.(*openElems); ok {
			x, k = o.open.Elem, o.open.Len
		}
		if elem == nil {
			elem = x
		} else {
			elem = th.Join(elem, x)
		}
		n = th.Pool().DimAdd(n, k)
	}
	return &value.Open{Elem: elem, Len: n}
}

// constant is the value of a literal.
func constant(e *ast.Constant) value.Value {
	switch e.Kind {
	case ast.NoneConst:
		return value.None
	case ast.TrueConst:
		return value.Bool(true)
	case ast.FalseConst:
		return value.Bool(false)
	case ast.EllipsisConst:
		return value.Ellipsis
	case ast.IntConst:
		if e.Big != nil {
			return value.FromBig(e.Big)
		}
		return value.Int(e.Int)
	case ast.FloatConst:
		return value.Float(e.Float)
	case ast.ComplexConst:
		return value.Complex(complex(0, e.Float))
	case ast.BytesConst:
		return value.Bytes(e.Str)
	}
	return value.Str(e.Str)
}

// evalBinOp evaluates a chain from the left. A fault in the middle is settled there, so that the
// rest is still evaluated.
func (in *Interp) evalBinOp(f *frame, e *ast.BinOp) (value.Value, error) {
	// A long chain a + b + c … nests to the left; walk it without recursion.
	chain := []*ast.BinOp{e}
	for {
		l, ok := chain[len(chain)-1].Left.(*ast.BinOp)
		if !ok {
			break
		}
		chain = append(chain, l)
	}
	v, err := in.eval(f, chain[len(chain)-1].Left)
	if err != nil {
		return nil, err
	}
	for i := len(chain) - 1; i >= 0; i-- {
		b := chain[i]
		r, err := in.eval(f, b.Right)
		if err != nil {
			return nil, err
		}
		f.at = b.Span()
		left := v
		v, err = in.Binary(b.Op, left, r)
		if err != nil {
			in.adviseBinary(f, b, left, r, err)
			if v, err = in.settle(f, v, err); err != nil {
				return nil, err
			}
		}
	}
	return v, nil
}

// evalCompare is a chain of comparisons: each operand is evaluated once, and none after one that is
// false. The comparison that was made last is noted, for asserts.
func (in *Interp) evalCompare(f *frame, e *ast.Compare) (value.Value, error) {
	left, err := in.eval(f, e.Left)
	if err != nil {
		return nil, err
	}
	return in.compareFrom(f, e, left, 0)
}

// compareFrom evaluates a chain of comparisons from the i-th on; left is what
// stands before it. The result is the last comparison's value, or the conjunction where several are
// symbolic.
func (in *Interp) compareFrom(f *frame, e *ast.Compare, left value.Value, first int) (value.Value, error) {
	var result value.Value
	for i := first; i < len(e.Ops); i++ {
		op := e.Ops[i]
		right, err := in.eval(f, e.Comparators[i])
		if err != nil {
			return nil, err
		}
		f.at = e.Span()
		in.compared = compared{op, e.Left, e.Comparators[i], left, right}
		if i > 0 {
			in.compared.leftOf = e.Comparators[i-1]
		}
		v, err := in.Compare(op, left, right)
		if err != nil {
			return nil, err
		}
		last := i == len(e.Ops)-1
		// A single comparison may give anything, as a tensor.
		if last && result == nil {
			return v, nil
		}
		// a < b < c is "a < b and b < c"
		t := in.tracing.graphTruth(f, v)
		_, isTensor := v.(*value.Tensor)
		if isTensor = isTensor || t != nil; t == nil {
			if t, err = in.Truth(v); err != nil {
				return nil, err
			}
		}
		if isTensor && !last {
			if _, known := in.Holds(t); !known { // the result is this tensor, or what follows
				return in.flow.branch(f, t, func() (value.Value, error) { return in.compareFrom(f, e, right, i+1) },
					func() (value.Value, error) { return v, nil })
			}
		}
		if result == nil {
			result = v
		} else if result, err = bothTrue(in, result, v); err != nil {
			return nil, err
		}
		// The first that is false is the result.
		if val, known := in.Holds(t); known && !val {
			return v, nil
		}
		left = right
	}
	return result, nil
}

// bothTrue combines two truth values that were both evaluated. The result is one of the two, or
// their conjunction. The error is that of asking for a truth.
func bothTrue(th value.Thread, a, b value.Value) (value.Value, error) {
	ta, err := th.Truth(a)
	if err != nil {
		return nil, err
	}
	if val, known := th.Holds(ta); known {
		if val {
			return b, nil
		}
		return a, nil
	}
	tb, err := th.Truth(b)
	if err != nil {
		return nil, err
	}
	ca, cb := cond(th, ta), cond(th, tb)
	return &value.SymBool{Cond: th.Pool().And(ca, cb)}, nil
}

// evalBoolOp gives one of the operands, as and and or do. Where the truth of one is not known both ways are
// followed, and the rest is evaluated in one of them only. i is the operand that is next.
func (in *Interp) evalBoolOp(f *frame, e *ast.BoolOp, i int) (value.Value, error) {
	op := e.Op
	v, err := in.eval(f, e.Values[i])
	if err != nil || i == len(e.Values)-1 {
		return v, err
	}
	f.at = e.Values[i].Span()
	t := in.tracing.graphTruth(f, v)
	if t == nil {
		t, err = in.Truth(v)
	}
	// A fault of the truth is settled as that of a value.
	if err != nil {
		if t, err = in.settle(f, nil, err); err != nil {
			return nil, err
		}
	}
	t = in.deciding.decidesOperand(f, e, i, t)
	rest := func() (value.Value, error) { return in.evalBoolOp(f, e, i+1) }
	short := func() (value.Value, error) { return v, nil }
	if val, known := in.Holds(t); known {
		if val == (op == ast.And) {
			return rest()
		}
		return v, nil
	}
	if op == ast.And {
		return in.flow.branch(f, t, rest, short)
	}
	return in.flow.branch(f, t, short, rest)
}

// evalDict evaluates keys and values from the left; a mapping with ** goes in at its place, so that later keys
// win. The order of evaluation is Python's: key, then value.
func (in *Interp) evalDict(f *frame, e *ast.Dict) (value.Value, error) {
	d := in.heap.NewDict()
	d.Grow(len(e.Keys))
	for i, k := range e.Keys {
		if k == nil { // **mapping
			v, err := in.eval(f, e.Values[i])
			if err != nil {
				return nil, err
			}
			f.at = e.Values[i].Span()
			if err := mergeInto(in, d, v); err != nil {
				return nil, err
			}
			continue
		}
		key, err := in.eval(f, k)
		if err != nil {
			return nil, err
		}
		v, err := in.eval(f, e.Values[i])
		if err != nil {
			return nil, err
		}
		f.at = k.Span()
		if err := in.SetItem(d, key, v); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// mergeInto copies the entries of a mapping into d. An unknown mapping makes d open. What is no
// dict is asked for keys() and items. The error is that of these.
func mergeInto(th value.Thread, d *value.Dict, v value.Value) error {
	switch v := v.(type) {
	case *value.Dict:
		d.Grow(v.Len())
		for i := range v.Len() {
			if err := th.SetItem(d, v.Key(i), v.At(i)); err != nil {
				return err
			}
		}
		if v.Open != nil {
			th.Heap().Touch(d)
			d.Open = v.Open
		}
		return nil
	case *value.Unknown:
		th.Heap().Touch(d)
		d.Open = &value.Open{Key: v, Elem: v}
		return nil
	}
	keys, err := th.CallMethod(v, "keys")
	if err != nil {
		return err
	}
	return th.Iterate(keys, func(k value.Value) error {
		x, err := th.GetItem(v, k)
		if err != nil {
			return err
		}
		return th.SetItem(d, k, x)
	})
}

// evalSlice evaluates the three parts; those left out are None.
func (in *Interp) evalSlice(f *frame, e *ast.Slice) (value.Value, error) {
	part := func(x ast.Expr) (value.Value, error) {
		if x == nil {
			return value.None, nil
		}
		return in.eval(f, x)
	}
	lo, err := part(e.Lower)
	if err != nil {
		return nil, err
	}
	hi, err := part(e.Upper)
	if err != nil {
		return nil, err
	}
	step, err := part(e.Step)
	if err != nil {
		return nil, err
	}
	return &value.Slice{Start: lo, Stop: hi, Step: step}, nil
}

// joinedStr is an f-string. One with a part that is not known is not known, but keeps the text as far as it is,
// as an example, and what it was computed from: equal parts give equal texts. The text is bounded;
// a longer one is not known.
func (in *Interp) joinedStr(f *frame, e *ast.JoinedStr) (value.Value, error) {
	var b strings.Builder
	known := true
	var lost value.Value // the first part that is not known
	var parts []value.Value
	for _, part := range e.Values {
		var v value.Value
		var err error
		if c, ok := part.(*ast.Constant); ok {
			v = value.Str(c.Str)
		} else if v, err = in.formatted(f, part.(*ast.FormattedValue)); err != nil {
			return nil, err
		}
		parts = append(parts, v)
		s, ok := value.AsStr(v)
		if a, abstract := v.(*value.Abstract); abstract {
			s = a.Text
			if lost == nil {
				lost = a
			}
		}
		// Where a part is not known, or the text too long.
		known = known && ok && b.Len()+len(s) <= lib.MaxText
		if err := in.Alloc(len(s)); err != nil {
			return nil, err
		}
		if b.Len()+len(s) <= lib.MaxText {
			b.WriteString(s)
		}
	}
	if !known {
		return value.Computed(in.abstractStr(e, b.String(), lost), "+", parts...), nil
	}
	return value.Str(b.String()), nil
}

// formatted evaluates one replacement field of an f-string: the value, its conversion, the format that its
// specification gives. The text is abstract where the value or the specification is. The error is
// that of evaluating and of __format__.
func (in *Interp) formatted(f *frame, e *ast.FormattedValue) (value.Value, error) {
	v, err := in.eval(f, e.Value)
	if err != nil {
		return nil, err
	}
	f.at = e.Span()
	if in.printed != nil && f.prelude {
		*in.printed = append(*in.printed, v)
	}
	if value.IsUnknown(v) {
		return in.abstractStr(e, "?", v), nil
	}
	for _, t := range in.tracers.all {
		v = t.Format(f, v)
	}
	// The conversion comes before the format.
	switch e.Conversion {
	case 's', 'r', 'a':
		text, known := in.Repr(v)
		if e.Conversion == 's' {
			text, known = in.Str(v)
		}
		if !known {
			return in.abstractStr(e, text, v), nil
		}
		if e.Conversion == 'a' {
			text = lib.ASCII(text)
		}
		v = value.Str(text)
	}
	spec := ""
	if e.FormatSpec != nil {
		s, err := in.joinedStr(f, e.FormatSpec)
		if err != nil {
			return nil, err
		}
		var ok bool
		// A specification that is not known: the text without it is the example.
		if spec, ok = value.AsStr(s); !ok {
			text, _ := in.Str(v)
			return in.abstractStr(e, text, v), nil
		}
	}
	s, err := in.format(v, spec)
	if err == nil {
		in.losses.caused(s, formatting, v)
	}
	return s, err
}

// formatting names in causes what an f-string does.
const formatting = "formatting"

// abstractStr is a str that is made of values that are not known; text is what it looks
// like. A value of nil is none.
func (in *Interp) abstractStr(e ast.Node, text string, of value.Value) value.Value {
	s := &value.Abstract{Class: in.world.Class("str"), Cause: &value.Cause{At: e.Span(), Reason: "text of an abstract value", Vague: true},
		Text: value.ShownText(text)}
	if of != nil {
		in.losses.caused(s, formatting, of)
	}
	return s
}

// mangle gives the private name of an attribute or variable inside a class. Names with two leading
// underscores in a class, as Python has it.
func mangle(f *frame, name string) string {
	if len(name) < 3 || name[:2] != "__" || f.code == nil || f.code.scope.ClassName == "" {
		return name
	}
	return resolve.Mangle(f.code.scope.ClassName, name)
}

// orderOf gives the set of a display the order that it has in CPython, which makes
// displays of constants when it compiles. Elements that are not constants are added one by one, in
// the order in which they stand.
func orderOf(th value.Thread, s *value.Set, e *ast.Set) {
	constant := len(e.Elts) > 2 // fewer are added one by one
	for _, x := range e.Elts {
		if _, ok := x.(*ast.Starred); ok {
			s.LoseOrder(th.Heap())
			return
		}
		ast.Inspect(x, func(n ast.Node) bool {
			switch n.(type) {
			case nil, *ast.Constant, *ast.UnaryOp, *ast.BinOp:
			default:
				constant = false
			}
			return constant
		})
	}
	if constant {
		s.Settle(th.Heap())
	}
}

// The module of the prelude with the classes of templates.
const templates = "_templates"

// templateStr evaluates a t-string: its values are kept, not formatted. There is a text before,
// between and after all fields.
func (in *Interp) templateStr(f *frame, e *ast.TemplateStr) (value.Value, error) {
	texts := []value.Value{value.Str("")}
	var fields []value.Value
	for _, part := range e.Values {
		switch part := part.(type) {
		case *ast.Constant:
			if err := in.Alloc(len(part.Str)); err != nil {
				return nil, err
			}
			texts[len(texts)-1] = value.Str(part.Str) // texts that follow each other are one
		case *ast.Interpolation:
			field, err := in.interpolation(f, part)
			if err != nil {
				return nil, err
			}
			fields, texts = append(fields, field), append(texts, value.Str(""))
		}
	}
	f.at = e.Span()
	return callTemplates(in, "_template", value.NewTuple(texts...), value.NewTuple(fields...))
}

// interpolation evaluates a field of a t-string: its value first, then its format. The format of a
// field is evaluated but not applied.
func (in *Interp) interpolation(f *frame, e *ast.Interpolation) (value.Value, error) {
	v, err := in.eval(f, e.Value)
	if err != nil {
		return nil, err
	}
	conversion, spec := value.Value(value.None), value.Value(value.Str(""))
	if e.Conversion != 0 {
		conversion = value.Str(string(e.Conversion))
	}
	if e.FormatSpec != nil {
		if spec, err = in.joinedStr(f, e.FormatSpec); err != nil {
			return nil, err
		}
	}
	f.at = e.Span()
	return callTemplates(in, "_interpolation", v, value.Str(e.Text), conversion, spec)
}

// callTemplates calls a function of that module.
func callTemplates(th value.Thread, name string, args ...value.Value) (value.Value, error) {
	m, err := th.Import(templates)
	if err != nil {
		return nil, err
	}
	return th.CallMethod(m, name, args...)
}
