package export

// This file is about operations: the sizes that they fix or compare, and those that they make.

import (
	"slices"

	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/ops/catalog"
	"shapecheck/infer/ops/numpy"
	"shapecheck/infer/value"
	"shapecheck/symshape"
)

// before notes what an operation does with sizes.
func (x *Run) before(op *ops.Op, args []value.Value) {
	if len(args) == 0 {
		return
	}
	if x.jit {
		if op.Trace.Has(ops.KeepsNumbers) || op.Trace.Has(ops.KeepsParts) {
			for _, v := range args[1:] {
				x.fixed(v)
			}
		}
		return
	}
	if x.strict && catalog.LibraryOf(op.Names[0]) == numpy.Library {
		x.elements(op, args)
	}
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
		x.fixedAxis(args[0], 2)
	case op.Form == graph.Recurrent: // the number of steps
		if x.mode == Compile {
			x.fails(UnsupportedError, Unsupported, "torch.compile leaves RNN, GRU and LSTM to Python")
			return
		}
		axis := 0
		if len(args) > 8 && args[8] == value.Bool(true) { // batch_first
			axis = 1
		}
		x.fixedAxis(args[0], axis)
	}
}

// fixedAxis makes a number of a size of a tensor.
func (x *Run) fixedAxis(v value.Value, axis int) {
	if t, ok := v.(*value.Tensor); ok && t.Type().Ranked && axis < len(t.Type().Shape) {
		x.fixed(value.FromDim(t.Type().Shape[axis]))
	}
}

// made notes the sizes that an operation made.
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
		if (v.Elems != nil || v.V.Elems != nil) && !op.Trace.Has(ops.KeepsContents) {
			x.host.Heap().Touch(v)
			v.SetContents(nil)
			v.V.Elems = nil
		}
		var given []*symshape.Expr
		for _, a := range args {
			given = sizesIn(given, a)
		}
		most := int64(symshape.PosInf) // of a size that elements decide: the number of elements
		if t := firstTensor(args); t != nil && t.Type().Ranked {
			if n, ok := x.pool.Numel(t.Type().Shape).Const(); ok {
				most = n
			}
		}
		elementwise := x.elementwise(op, v, args)
		var sliced symshape.Shape
		if t := firstTensor(args); t != nil && (op.Form == graph.GetItem || op.Trace.Has(ops.Slices)) {
			sliced = t.Type().Shape
		}
		switch {
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
	case *value.SymInt:
		if v.D.Expr != nil && v.D.Expr.IsFresh() && op.Trace.Has(ops.TakesItem) {
			x.number(number{sym: v.D.Expr, lo: symshape.NegInf, hi: symshape.PosInf})
		}
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

// selects notes that a number of elements is selected that is made of a size.
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
	if axis < 0 {
		axis += len(t.Type().Shape)
	}
	k := sizesIn(nil, args[1])
	if axis < 0 || axis >= len(t.Type().Shape) || len(k) != 1 || t.Type().Shape[axis].Expr == nil {
		return
	}
	if !k[0].IsPolynomial() { // an extreme or quotient
		x.unseen = append(x.unseen, unseenBound{k[0], t.Type().Shape[axis].Expr})
	}
}

// sizesIn adds the sizes that an argument of an operation gives: a number, or the bounds of slices.
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
// layer over windows.
func (x *Run) elementwise(op *ops.Op, t *value.Tensor, args []value.Value) bool {
	if op.Form == graph.Conv || op.Trace.Has(ops.Windows) {
		return false
	}
	return slices.ContainsFunc(args, func(v value.Value) bool {
		a, ok := v.(*value.Tensor)
		return ok && a.Type().Ranked && a.Type().Shape.String() == t.Type().Shape.String()
	})
}

// number notes a number that elements of tensors decide, once.
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
		if s := slices.IndexFunc(symbols, (*symshape.Expr).IsFresh); s >= 0 {
			x.host.Require(x.pool.Ge(d.Expr, x.pool.Const(0)), "")
			if d.Expr == symbols[s] {
				lo, hi := x.host.Facts().Range(d.Expr)
				x.number(number{d.Expr, symshape.NegInf, min(hi, most), true, lo})
			}
			continue
		}
		e := d.Expr
		if sliced != nil && !slices.Contains(given, e) && !slices.Contains(given, x.pool.Neg(e)) {
			if e = x.decided(e, sliced); e != d.Expr {
				if !own {
					typ.Shape, own = slices.Clone(typ.Shape), true
				}
				typ.Shape[i] = x.host.ExampleDim(symshape.MakeDim(e))
			}
		}
		_, plain := e.IsSymbol()
		if c := x.pool.Ne(e, x.pool.Const(1)); slices.ContainsFunc(e.Symbols(), func(s *symshape.Expr) bool { return x.roots[s] }) &&
			x.host.Decide(c) == symshape.Yes && (symshape.Facts{}).Decide(c).Answer != symshape.Yes && !slices.Contains(x.later, c) {
			x.later = append(x.later, c)
		}
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
		case n == 1:
			if compared {
				x.host.Require(x.pool.Eq(e, one), "")
			}
		case len(typ.Shape) == 1 && (compared || !x.guards):
			x.host.Require(x.pool.Gt(e, one), "")
		default:
			if c := x.pool.Ne(e, one); compared && x.host.Decide(c) != symshape.Yes && !slices.Contains(x.Apart, c) {
				x.Apart = append(x.Apart, c)
			}
		}
	}
}

// numbers notes what a graph of torch.compile asks of sizes that ints of Python give, which may be 0 or 1 otherwise.
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
