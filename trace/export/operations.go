package export

// This file is about operations: the sizes that they fix or compare, and those that they make.
// torch.export and torch.compile trace a program with symbolic sizes and note guards where the
// program, or an operation inside PyTorch, compares a size. Run repeats that: for each operation of
// this program's own run it notes what the tracer would have noted. The records of operations say
// by op.Trace what they do with sizes (ops.FixesNumbers and so on). What cannot be followed sets missed, and then the outcome is not known.

import (
	"slices"

	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/ops/catalog"
	"shapecheck/infer/ops/numpy"
	"shapecheck/infer/value"
	"shapecheck/symshape"
)

// before notes what an operation does with sizes. It is called before the rule of the operation
// runs, as the tracer sees the arguments first. fixed makes a size a number, as the tracer does
// where it needs one.
func (x *Run) before(op *ops.Op, args []value.Value) {
	if len(args) == 0 {
		return
	}
	// torch.jit.trace follows tensors, and fixes only numbers that an operation keeps as such.
	if x.jit {
		if op.Trace.Has(ops.KeepsNumbers) || op.Trace.Has(ops.KeepsParts) {
			for _, v := range args[1:] {
				x.fixed(v)
			}
		}
		return
	}
	// NumPy is traced through torch in strict mode, which looks at elements.
	if x.strict && catalog.LibraryOf(op.Names[0]) == numpy.Library {
		x.elements(op, args)
	}
	// Asking for contiguity compares every size with the strides.
	if t, ok := args[0].(*value.Tensor); ok && x.strict && catalog.IsTorch(t) && op.Trace.Has(ops.AsksContiguity) {
		x.sizes(t, nil, nil, symshape.PosInf, true)
	}
	switch {
	case op.Trace.Has(ops.FixesNumbers):
		for _, v := range args {
			if n, ok := v.(*value.SymInt); ok {
				x.fixed(n)
			}
		}
	case op.Trace.Has(ops.FixesSizes):
		for _, v := range args {
			if t, ok := v.(*value.Tensor); ok && t.Type().Ranked {
				for _, size := range t.Type().Shape {
					x.fixed(value.FromDim(size))
				}
			}
		}
	case op.Trace.Has(ops.FixesLength):
		// The last of three axes.
		x.fixedAxis(args[0], 2)
	case op.Form == graph.Recurrent: // the number of steps
		if x.mode == Compile {
			x.fails(UnsupportedError, Unsupported, "torch.compile leaves RNN, GRU and LSTM to Python")
			return
		}
		axis := 0
		// The ninth argument of the recurrent functions.
		if len(args) > 8 && args[8] == value.Bool(true) { // batch_first
			axis = 1
		}
		x.fixedAxis(args[0], axis)
	}
}

// fixedAxis makes a number of a size of a tensor. Nothing is fixed where the rank is not known.
func (x *Run) fixedAxis(v value.Value, axis int) {
	if t, ok := v.(*value.Tensor); ok && t.Type().Ranked && axis < len(t.Type().Shape) {
		x.fixed(value.FromDim(t.Type().Shape[axis]))
	}
}

// made notes the sizes that an operation made. A result may be a tuple or list of tensors.
func (x *Run) made(op *ops.Op, name string, args []value.Value, v value.Value) {
	for part := range value.Walk(v, value.Deep, value.Sequences) {
		x.madePart(op, name, args, part)
	}
}

// madePart notes of a result what torch.export would guard or refuse: the sizes that an operation compares or fixes,
// memory order, and numbers that come out of a tensor. It forgets the contents of a tensor where the operation does not
// keep them.
func (x *Run) madePart(op *ops.Op, name string, args []value.Value, v value.Value) {
	switch v := v.(type) {
	case *value.Tensor:
		// The tracer does not know the elements of most results, so neither may the run that
		// repeats it.
		if (v.Elems != nil || v.V.Elems != nil) && !op.Trace.Has(ops.KeepsContents) {
			x.host.Heap().Touch(v)
			v.SetContents(nil)
			v.V.Elems = nil
		}
		var given []*symshape.Expr
		for _, a := range args {
			given = sizesIn(given, a)
		}
		// The length of nonzero's result, for example, is at most the number of elements.
		most := int64(symshape.PosInf) // of a size that elements decide: the number of elements
		if t := firstTensor(args); t != nil && t.Type().Ranked {
			if n, ok := x.pool.Numel(t.Type().Shape).Const(); ok {
				most = n
			}
		}
		elementwise := x.elementwise(op, v, args)
		var sliced symshape.Shape
		// Sizes of a slice are decided by comparisons with the size of what is sliced.
		if t := firstTensor(args); t != nil && (op.Form == graph.GetItem || op.Trace.Has(ops.Slices)) {
			sliced = t.Type().Shape
		}
		switch {
		// A convolution on the CPU chooses a kernel by its sizes, and with it a memory order.
		case op.Form == graph.Conv:
			x.kernelChosen(op, args)
			x.channelsLast(v, firstTensor(args))
		case elementwise && !x.jit:
			keepsOrder(v, firstTensor(args))
		}
		x.sizes(v, sliced, given, most, x.compares(op, name, args, elementwise))
		x.comparesGiven(op, args)
		x.numbers(op, v, args, given, elementwise)
		x.contiguity(v, args, elementwise)
		x.reshaped(op, firstTensor(args), v)
		x.copies(op, v, firstTensor(args))
	case *value.Tuple:
		x.selects(op, args)
	// An item that is an int becomes a symbol of its own in the graph.
	case *value.SymInt:
		if v.D.Expr != nil && v.D.Expr.IsFresh() && op.Trace.Has(ops.TakesItem) {
			x.number(number{sym: v.D.Expr, lo: symshape.NegInf, hi: symshape.PosInf})
		}
	// A float or a bool that is taken from a tensor is data as well.
	case *value.SymFloat:
		if op.Trace.Has(ops.TakesItem) {
			x.data = append(x.data, someNumber)
		}
	case *value.SymBool:
		if op.Trace.Has(ops.TakesItem) {
			x.data = append(x.data, number{hi: 1})
		}
	}
}

// selects notes that a number of elements is selected that is made of a size. topk with a k that is
// computed from a size has a bound that is checked when the graph runs, and that the tracer does
// not see.
func (x *Run) selects(op *ops.Op, args []value.Value) {
	t := firstTensor(args)
	if !op.Trace.Has(ops.SelectsNumber) || t == nil || !t.Type().Ranked || len(args) < 2 {
		return
	}
	axis := -1
	if len(args) > 2 {
		n, ok := value.AsInt(args[2])
		if !ok {
			return
		}
		axis = int(n)
	}
	// The axis is the last one by default.
	if axis < 0 {
		axis += len(t.Type().Shape)
	}
	k := sizesIn(nil, args[1])
	if axis < 0 || axis >= len(t.Type().Shape) || len(k) != 1 || t.Type().Shape[axis].Expr == nil {
		return
	}
	// A polynomial in the sizes is compared by the tracer itself.
	if !k[0].IsPolynomial() { // an extreme or quotient
		x.unseen = append(x.unseen, unseenBound{k[0], t.Type().Shape[axis].Expr})
	}
}

// sizesIn adds the sizes that an argument of an operation gives: a number, or the bounds of slices.
// They are the sizes that the caller asked for, so the tracer knows them.
func sizesIn(out []*symshape.Expr, v value.Value) []*symshape.Expr {
	add := func(v value.Value) {
		if n, ok := v.(*value.SymInt); ok && n.D.Expr != nil {
			out = append(out, n.D.Expr)
		}
	}
	for x := range value.Walk(v, value.Deep, value.TupleElems) {
		add(x)
		if s, ok := x.(*value.Slice); ok {
			add(s.Start)
			add(s.Stop)
		}
	}
	return out
}

// elementwise reports whether an operation has a result with the sizes of an argument, but is no
// layer over windows. Shapes are compared by their text, which is equal for equal expressions.
func (x *Run) elementwise(op *ops.Op, t *value.Tensor, args []value.Value) bool {
	if op.Form == graph.Conv || op.Trace.Has(ops.Windows) {
		return false
	}
	return slices.ContainsFunc(args, func(v value.Value) bool {
		a, ok := v.(*value.Tensor)
		return ok && a.Type().Ranked && a.Type().Shape.String() == t.Type().Shape.String()
	})
}

// number notes a number that elements of tensors decide, once. It is the same number where its
// symbol is the same.
func (x *Run) number(n number) {
	if !slices.ContainsFunc(x.data, func(o number) bool { return o.sym == n.sym }) {
		x.data = append(x.data, n)
	}
}

// sizes notes those of a tensor that an operation made.
//
// Dynamo compares the sizes of several axes with 1 in element-wise operations only: those whose
// result has the sizes of an argument. sliced are the sizes of what is sliced, by which those of the result are decided, but for one
// that is given.
func (x *Run) sizes(t *value.Tensor, sliced symshape.Shape, given []*symshape.Expr, most int64, compared bool) {
	typ := t.Type()
	if x.jit {
		return
	}
	if !typ.Ranked {
		x.missed = x.missed || catalog.IsTorch(t)
		return
	}
	if !catalog.IsTorch(t) {
		return
	}
	own := false
	for i, d := range typ.Shape {
		if d.Expr == nil {
			x.missed = true
			continue
		}
		symbols := d.Expr.Symbols()
		if len(symbols) == 0 {
			continue
		}
		// A size that elements decide (a fresh symbol) is at least 0, and the tracer makes an
		// unbacked symbol of it.
		if s := slices.IndexFunc(symbols, (*symshape.Expr).IsFresh); s >= 0 {
			x.host.Require(x.pool.Ge(d.Expr, x.pool.Const(0)), "")
			if d.Expr == symbols[s] {
				lo, hi := x.host.Facts().Range(d.Expr)
				x.number(number{d.Expr, symshape.NegInf, min(hi, most), true, lo})
			}
			continue
		}
		e := d.Expr
		// The tracer computes the length of a slice by min and max, which it decides by guards; an
		// expression that was given as an argument is no such length.
		if sliced != nil && !slices.Contains(given, e) && !slices.Contains(given, x.pool.Neg(e)) {
			if e = x.decided(e, sliced); e != d.Expr {
				if !own {
					typ.Shape, own = slices.Clone(typ.Shape), true
				}
				typ.Shape[i] = x.host.ExampleDim(symshape.MakeDim(e))
			}
		}
		// The program is refused where a size that is made of those of roots is 1, which is asked at the end.
		_, plain := e.IsSymbol()
		if c := x.pool.Ne(e, x.pool.Const(1)); slices.ContainsFunc(e.Symbols(), func(s *symshape.Expr) bool { return x.roots[s] }) &&
			x.host.Decide(c) == symshape.Yes && (symshape.Facts{}).Decide(c).Answer != symshape.Yes && !slices.Contains(x.later, c) {
			x.later = append(x.later, c)
		}
		// Sizes of arguments are known to the tracer from the start.
		if lo, _ := x.host.Facts().Range(e); len(e.Symbols()) == 0 || plain && lo >= 0 { // a size of an argument; others are numbers
			continue
		}
		if x.guards && ofNumbers(e) {
			continue
		}
		n, err := e.Eval(x.host.Example)
		one := x.pool.Const(1)
		switch {
		case err != nil:
			x.missed = true
		// A size of 1 makes the tracer specialise.
		case n == 1:
			if compared {
				x.host.Require(x.pool.Eq(e, one), "")
			}
		// A vector is compared with 1 for its contiguity.
		case len(typ.Shape) == 1 && (compared || !x.guards):
			x.host.Require(x.pool.Gt(e, one), "")
		// Conditions of this kind are kept apart from the guards.
		default:
			if c := x.pool.Ne(e, one); compared && x.host.Decide(c) != symshape.Yes && !slices.Contains(x.Apart, c) {
				x.Apart = append(x.Apart, c)
			}
		}
	}
}

// numbers notes what a graph of torch.compile asks of sizes that ints of Python give, which may be
// 0 or 1 otherwise. op decides which sizes are compared: those of the result, of the operand, of
// repeats, or none.
func (x *Run) numbers(op *ops.Op, t *value.Tensor, args []value.Value, given []*symshape.Expr, elementwise bool) {
	if !x.guards || !t.Type().Ranked {
		return
	}
	sizes := t.Type().Shape
	switch {
	case op.Trace.Has(ops.AsksContiguity):
		if t = firstTensor(args); t == nil || !t.Type().Ranked {
			return
		}
		sizes = t.Type().Shape
	// An operation that takes a size as its argument fixes it.
	case op.Trace.Has(ops.FixesGiven):
		for _, e := range given {
			if n, err := e.Eval(x.host.Example); err == nil && ofNumbers(e) {
				x.host.Require(x.pool.Eq(e, x.pool.Const(n)), "")
			}
		}
		return
	case op.Trace.Has(ops.ComparesRepeats):
		sizes = nil
		for _, e := range given {
			sizes = append(sizes, symshape.MakeDim(e))
		}
	case !elementwise && !op.Trace.Has(ops.ComparesNumbers):
		return
	}
	for _, d := range sizes {
		if d.Expr == nil || !ofNumbers(d.Expr) {
			continue
		}
		n, err := d.Expr.Eval(x.host.Example)
		if err != nil {
			x.missed = true
			continue
		}
		// The tracer specialises 0 and 1 and otherwise assumes that the number is neither.
		for _, special := range []int64{0, 1} {
			switch c := x.pool.Eq(d.Expr, x.pool.Const(special)); {
			case n == special:
				x.host.Require(c, "")
			case special == 0 && op.Trace.Has(ops.AllowsZero):
			case !slices.Contains(x.Apart, x.pool.Not(c)):
				x.Apart = append(x.Apart, x.pool.Not(c))
			}
		}
	}
}
