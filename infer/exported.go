package infer

// This file runs the body of a module as torch.export does: sizes that Dim makes dynamic are
// symbols, and what Python asks of them is decided by the example and kept as a condition;
// elements of tensors are not known, and nothing may be decided by them. exportruns.go makes and
// runs exported programs, exportsizes.go says what the conditions leave of the sizes.
//
// The rules are those of torch 2.15, found by experiments: sizes of 0 and 1 are never symbols, a
// size that an operation makes is taken not to be 1, and is asked to be at least 2 where the
// tensor has no other.

import (
	"slices"
	"strings"

	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/ops/catalog"
	"shapecheck/infer/ops/numpy"
	"shapecheck/infer/value"
	"shapecheck/internal/source"
	"shapecheck/symshape"
	"shapecheck/trace/jit"
)

// exporting is what a body run for torch.export notes.
type exporting struct {
	Nop
	in *Interp
	// strict says that Dynamo runs the body, which keeps more of Python than a plain run does.
	strict bool
	// jit says that torch.jit.trace runs it: that keeps more numbers, asks nothing of sizes itself and goes on where elements
	// decide, at the places in values.
	jit    bool
	values []KeptValue
	// compile says that it is torch.compile for which Dynamo runs it, which leaves RNN, GRU and LSTM to Python.
	compile bool
	// guards says that the conditions are those of a graph under torch.compile, with what PyTorch asks to choose what computes it.
	guards bool
	// conds are the conditions on sizes on which the run relies, in their order.
	conds []exportCond
	// apart are conditions that sizes made by operations are not 1.
	apart []*symshape.Cond
	// unseen are conditions that always hold, which torch.export does not see: no more than a size is selected of it.
	unseen []unseenBound
	// roots are the symbols of Dims of which sizes are made and that are none themselves. They are taken to be at least 2, but the
	// program is refused where the conditions in later do not hold: that what is made of them is not 1.
	roots map[*symshape.Expr]bool
	later []*symshape.Cond
	// data are the numbers and sizes that the elements of tensors decide.
	data  []exportNumber
	fault *exportFault
	// missed says that something of which nothing is known decided.
	missed bool
}

type exportCond struct {
	c  *symshape.Cond
	at source.Span
}

// An unseenBound is a number that is no more than a size.
type unseenBound struct{ k, size *symshape.Expr }

type exportNumber struct {
	sym    *symshape.Expr // nil: a float or truth value
	lo, hi int64
	// size says that it is a size that an operation made, which was known to be at least least.
	size  bool
	least int64
}

// someNumber is a number of which nothing is known.
var someNumber = exportNumber{lo: symshape.NegInf, hi: symshape.PosInf}

// An exportFault is what torch.export does not take.
type exportFault struct {
	class, kind, text string
	at                source.Span
}

// keeps notes that a trace of torch.jit.trace keeps what elements decide, or the number that is taken out of a tensor.
func (x *exporting) keeps(in *Interp, number bool) {
	at := in.Here()
	if !slices.ContainsFunc(x.values, func(v KeptValue) bool { return v.At == at }) {
		x.values = append(x.values, KeptValue{at, number})
	}
}

// fails notes the first thing that cannot be exported.
func (x *exporting) fails(in *Interp, class, kind, text string) {
	if x.jit {
		x.keeps(in, false)
		return
	}
	if x.fault == nil {
		x.fault = &exportFault{class, kind, text, in.Here()}
	}
}

const guardError = "torch.fx.experimental.symbolic_shapes.GuardOnDataDependentSymNode"
const userError = "torch._dynamo.exc.UserError"
const unsupportedError = "torch._dynamo.exc.Unsupported"

// undecided notes a condition of the program that sizes do not decide.
func (x *exporting) undecided(in *Interp, kind DecisionKind, t value.Value) {
	b, ok := t.(*value.SymBool)
	if !ok || !in.onElements(b) || b.Source == nil && !slices.ContainsFunc(b.Cond.Symbols(), x.isData(in)) {
		x.missed = true
		return
	}
	what := "the elements of a tensor decide here, which are not known while a graph is made: torch.cond keeps both ways, torch._check states what holds"
	switch {
	case !x.strict:
		x.fails(in, guardError, "data-dependent guard", what)
	case kind == DecisionAssert:
	case b.Source != nil && b.Source.Kind == graph.TensorKind: // not what a number of it decides
		x.fails(in, unsupportedError, "data-dependent branch", what)
	default:
		x.fails(in, userError, "data-dependent guard", what)
	}
}

// isData reports whether a symbol is a number or size that elements decide, as a random number of Python is not.
func (x *exporting) isData(in *Interp) func(*symshape.Expr) bool {
	return func(s *symshape.Expr) bool {
		return in.decisions.numbers[s] || slices.ContainsFunc(x.data, func(n exportNumber) bool { return n.sym == s })
	}
}

// onElements reports whether elements of tensors decide a truth value.
func (in *Interp) onElements(b *value.SymBool) bool {
	if b.Source != nil {
		return true
	}
	for _, s := range b.Cond.Symbols() {
		if s.IsFresh() && !in.rec.random[s] && !in.guessed(b.Cond) {
			return true
		}
	}
	return false
}

// exportTakers are functions of Python that make a number of a size: whether a plain run fixes
// the size to its example then, and whether Dynamo does.
var exportTakers = map[string][2]bool{"int": {true, false}, "float": {true, false}, "complex": {true, true}, "range": {true, true},
	"len":       {true, false},
	"math.sqrt": {true, false}, "math.ceil": {}, "math.floor": {}, "math.trunc": {}, "math.prod": {}, "math.gcd": {true, true}}

// fixes tells whether a function of Python fixes the sizes that it is given.
func (x *exporting) fixes(name string) bool {
	mode := 0
	if x.jit {
		if strings.HasPrefix(name, "math.") {
			return name != "math.prod"
		}
		return exportTakers[strings.TrimPrefix(name, "builtins.")][0] || strings.HasPrefix(name, numpy.Library.Prefix)
	}
	if x.strict {
		mode = 1
	}
	name = strings.TrimPrefix(name, "builtins.")
	if k, ok := exportTakers[name]; ok {
		return k[mode]
	}
	if x.strict && catalog.RecordOf(name).Trace.Has(ops.TakesSizes) {
		return false
	}
	return strings.HasPrefix(name, "math.") || strings.HasPrefix(name, numpy.Library.Prefix)
}

// replaceArguments gives the arguments with which a function of Python or torch goes on.
func (x *exporting) replaceArguments(in *Interp, fn value.Value, args []value.Value) []value.Value {
	if in.stack.frame == nil || in.stack.frame.prelude {
		return args
	}
	name := ""
	switch fn := fn.(type) {
	case *value.Builtin:
		name = fn.Name
	case *value.Class:
		if name = fn.Name; in.world.Class(name) != fn {
			return args
		}
	}
	if strings.HasPrefix(name, "torch.") {
		x.asks(in, catalog.RecordOf(name))
		return args
	}
	plain := strings.TrimPrefix(name, "builtins.")
	if all, ok := dictMethods[plain]; ok && !all && len(args) > 1 {
		args = slices.Clone(args)
		args[1] = x.index(in, args[0], args[1])
		return args
	}
	if x.strict {
		switch {
		case strings.HasPrefix(name, "random."): // Dynamo draws at each run, which an exported program cannot
			x.fails(in, "AssertionError", "other", "a random number of Python is drawn while exporting")
			x.fault.at = source.Span{}
		case jit.IsClock(name):
			x.fails(in, unsupportedError, "unsupported", "a clock is read while exporting")
		}
	}
	if x.jit && (plain == "min" || plain == "max") {
		return x.picks(in, plain == "min", args)
	}
	var out []value.Value
	for i, v := range args {
		if t, ok := v.(*value.Tensor); ok && catalog.IsTorch(t) && t.Contents() == nil {
			switch plain {
			case "int", "float", "bool", "range", "complex":
				switch {
				case x.jit && plain != "bool" && plain != "range":
					x.keeps(in, true)
				case !x.strict || plain == "bool" || plain == "range":
					x.onNumber(in, plain)
				case plain == "int" && t.Type().DType.IsIntegral(): // its item
					if n, err := in.CallMethod(t, "item"); err == nil {
						out = slices.Clone(args)
						out[i] = n
					}
				case plain == "int" || plain == "float":
					x.data = append(x.data, someNumber)
				}
			case "len":
				if out == nil {
					out = slices.Clone(args)
				}
				if !t.Type().Ranked || len(t.Type().Shape) == 0 {
					continue
				}
				size := value.FromDim(t.Type().Shape[0])
				switch {
				case !in.isNumber(size):
					if x.fixes(plain) {
						x.fixed(in, size)
					}
				case x.jit:
					x.keeps(in, true)
				case !x.strict:
					x.onNumber(in, plain)
				}
			}
			continue
		}
		if in.isNumber(v) && (plain == "range" || !x.strict && (plain == "int" || plain == "float" || plain == "bool")) {
			x.onNumber(in, plain)
			continue
		}
		if x.fixes(name) {
			if out == nil {
				out = slices.Clone(args)
			}
			out[i] = x.fixed(in, v)
		}
	}
	if out == nil {
		return args
	}
	return out
}

// asks notes functions whose result is a number, a truth value or an array, which is no part of a graph.
func (x *exporting) asks(in *Interp, op *ops.Op) {
	switch {
	case op.Trace.Has(ops.TakesItem):
		if x.jit {
			x.keeps(in, true)
		}
	case op.Trace.Has(ops.AsksTruth):
		if x.strict {
			x.fails(in, unsupportedError, "unsupported", "a truth value that the elements of tensors decide")
		} else {
			x.fails(in, "torch._subclasses.fake_tensor.DataDependentOutputException", "other", "a truth value that the elements of tensors decide")
		}
	case op.Trace.Has(ops.TakesArray):
		if x.jit {
			x.keeps(in, true)
		} else if !x.strict {
			x.fails(in, "RuntimeError", "other", ".numpy() is not supported for tensor subclasses.")
		}
	}
}

// isNumber reports whether a value is a number that the elements of tensors decide.
func (in *Interp) isNumber(v value.Value) bool {
	var symbols []*symshape.Expr
	switch v := v.(type) {
	case *value.SymInt:
		if v.D.Expr == nil {
			return v.Source != nil
		}
		symbols = v.D.Expr.Symbols()
	case *value.SymFloat:
		if v.Source != nil {
			return true
		}
		symbols = v.R.Symbols()
	case *value.SymBool:
		return in.onElements(v)
	}
	return slices.ContainsFunc(symbols, func(s *symshape.Expr) bool {
		return s.IsFresh() && (!in.rec.random[s] || in.decisions.numbers[s])
	})
}

// picks decides by the example which of two sizes min or max gives, as Python does under torch.jit.trace: the second where it is less or
// larger.
func (x *exporting) picks(in *Interp, least bool, args []value.Value) []value.Value {
	if len(args) != 2 {
		return args
	}
	var sizes [2]*symshape.Expr
	for i, v := range args {
		switch v := v.(type) {
		case value.Int:
			sizes[i] = in.pool.Const(int64(v))
		case *value.SymInt:
			sizes[i] = v.D.Expr
		}
		if sizes[i] == nil {
			return args
		}
	}
	c := in.pool.Gt(sizes[1], sizes[0])
	if least {
		c = in.pool.Lt(sizes[1], sizes[0])
	}
	holds, ok := in.example(c)
	if v, known := c.Const(); known {
		holds, ok = v, true
	}
	pick := args[0]
	switch {
	case !ok:
		return args
	case holds:
		pick = args[1]
	default:
		c = in.pool.Not(c)
	}
	in.Require(c, "")
	return []value.Value{pick, pick}
}

// onNumber notes that Python makes a number of what the elements of tensors decide.
func (x *exporting) onNumber(in *Interp, what string) {
	text := what + " of what the elements of tensors decide, which are not known while a graph is made"
	switch {
	case !x.strict:
		x.fails(in, guardError, "data-dependent guard", text)
	case what == "bool":
		x.fails(in, userError, "data-dependent guard", text)
	default:
		x.fails(in, userError, "data-dependent size", text)
	}
}

// fixed is a size that Python makes a number of: its example, which is a condition from then on.
func (x *exporting) fixed(in *Interp, v value.Value) value.Value {
	var e *symshape.Expr
	switch v := v.(type) {
	case *value.SymInt:
		e = v.D.Expr
	case *value.SymFloat:
		if n, ok := v.R.Int(); ok {
			e = n
		}
	}
	if e == nil {
		return v
	}
	n, err := e.Eval(func(s string) (int64, bool) { n, ok := in.examples[s]; return n, ok })
	if err != nil {
		return v
	}
	if in.Require(in.pool.Eq(e, in.pool.Const(n)), "") == symshape.No {
		return v
	}
	return value.Int(n)
}

// index is the index of a list, tuple or text, or what is looked for in a dict or set, which is a number of Python.
func (x *exporting) index(in *Interp, v, index value.Value) value.Value {
	switch v.(type) {
	case *value.List, *value.Tuple, *value.Dict, *value.Set, value.Str:
	default:
		return index
	}
	if in.isNumber(index) {
		x.onNumber(in, "an index")
		return index
	}
	return x.fixed(in, index)
}

// repeats is how often a sequence is repeated.
func (x *exporting) repeats(in *Interp, a, b value.Value) (value.Value, value.Value) {
	sequence := func(v value.Value) bool {
		switch v.(type) {
		case *value.List, *value.Tuple, value.Str:
			return true
		}
		return false
	}
	if sequence(a) {
		b = x.fixed(in, b)
	}
	if sequence(b) {
		a = x.fixed(in, a)
	}
	return a, b
}

// before notes what an operation does with sizes.
func (x *exporting) before(in *Interp, op *ops.Op, args []value.Value) {
	if len(args) == 0 {
		return
	}
	if x.jit {
		if op.Trace.Has(ops.KeepsNumbers) || op.Trace.Has(ops.KeepsParts) {
			for _, v := range args[1:] {
				x.fixed(in, v)
			}
		}
		return
	}
	if x.strict && catalog.LibraryOf(op.Names[0]) == numpy.Library {
		x.elements(in, op, args)
	}
	if t, ok := args[0].(*value.Tensor); ok && x.strict && catalog.IsTorch(t) && op.Trace.Has(ops.AsksContiguity) {
		x.sizes(in, t, nil, nil, symshape.PosInf, true)
	}
	switch {
	case op.Trace.Has(ops.FixesNumbers):
		for _, v := range args {
			if n, ok := v.(*value.SymInt); ok {
				x.fixed(in, n)
			}
		}
	case op.Trace.Has(ops.FixesSizes):
		for _, v := range args {
			if t, ok := v.(*value.Tensor); ok && t.Type().Ranked {
				for _, size := range t.Type().Shape {
					x.fixed(in, value.FromDim(size))
				}
			}
		}
	case op.Trace.Has(ops.FixesLength):
		x.fixedAxis(in, args[0], 2)
	case op.Form == graph.Recurrent: // the number of steps
		if x.compile {
			x.fails(in, unsupportedError, "unsupported", "torch.compile leaves RNN, GRU and LSTM to Python")
			return
		}
		axis := 0
		if len(args) > 8 && args[8] == value.Bool(true) { // batch_first
			axis = 1
		}
		x.fixedAxis(in, args[0], axis)
	}
}

// fixedAxis makes a number of a size of a tensor.
func (x *exporting) fixedAxis(in *Interp, v value.Value, axis int) {
	if t, ok := v.(*value.Tensor); ok && t.Type().Ranked && axis < len(t.Type().Shape) {
		x.fixed(in, value.FromDim(t.Type().Shape[axis]))
	}
}

// made notes the sizes that an operation made.
func (x *exporting) made(in *Interp, op *ops.Op, name string, args []value.Value, v value.Value) {
	for part := range value.Walk(v, value.Deep, value.Sequences) {
		x.madePart(in, op, name, args, part)
	}
}

// madePart notes of a result what torch.export would guard or refuse: the sizes that an operation compares or fixes,
// memory order, and numbers that come out of a tensor. It forgets the contents of a tensor where the operation does not
// keep them.
func (x *exporting) madePart(in *Interp, op *ops.Op, name string, args []value.Value, v value.Value) {
	switch v := v.(type) {
	case *value.Tensor:
		if (v.Elems != nil || v.V.Elems != nil) && !op.Trace.Has(ops.KeepsContents) {
			in.heap.Touch(v)
			v.SetContents(nil)
			v.V.Elems = nil
		}
		var given []*symshape.Expr
		for _, a := range args {
			given = sizesIn(given, a)
		}
		most := int64(symshape.PosInf) // of a size that elements decide: the number of elements
		if t := firstTensor(args); t != nil && t.Type().Ranked {
			if n, ok := in.pool.Numel(t.Type().Shape).Const(); ok {
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
			x.kernelChosen(in, op, args)
			x.channelsLast(in, v, firstTensor(args))
		case elementwise && !x.jit:
			keepsOrder(v, firstTensor(args))
		}
		x.sizes(in, v, sliced, given, most, x.compares(op, name, args, elementwise))
		x.comparesGiven(in, op, args)
		x.numbers(in, op, v, args, given, elementwise)
		x.contiguity(in, v, args, elementwise)
		x.reshaped(in, op, firstTensor(args), v)
		x.copies(in, op, v, firstTensor(args))
	case *value.Tuple:
		x.selects(in, op, args)
	case *value.SymInt:
		if v.D.Expr != nil && v.D.Expr.IsFresh() && op.Trace.Has(ops.TakesItem) {
			x.number(exportNumber{sym: v.D.Expr, lo: symshape.NegInf, hi: symshape.PosInf})
		}
	case *value.SymFloat:
		if op.Trace.Has(ops.TakesItem) {
			x.data = append(x.data, someNumber)
		}
	case *value.SymBool:
		if op.Trace.Has(ops.TakesItem) {
			x.data = append(x.data, exportNumber{hi: 1})
		}
	}
}

// selects notes that a number of elements is selected that is made of a size.
func (x *exporting) selects(in *Interp, op *ops.Op, args []value.Value) {
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
func (x *exporting) elementwise(op *ops.Op, t *value.Tensor, args []value.Value) bool {
	if op.Form == graph.Conv || op.Trace.Has(ops.Windows) {
		return false
	}
	return slices.ContainsFunc(args, func(v value.Value) bool {
		a, ok := v.(*value.Tensor)
		return ok && a.Type().Ranked && a.Type().Shape.String() == t.Type().Shape.String()
	})
}

// number notes a number that elements of tensors decide, once.
func (x *exporting) number(n exportNumber) {
	if !slices.ContainsFunc(x.data, func(o exportNumber) bool { return o.sym == n.sym }) {
		x.data = append(x.data, n)
	}
}

// sizes notes those of a tensor that an operation made.
//
// Dynamo compares the sizes of several axes with 1 in element-wise operations only: those whose
// result has the sizes of an argument. sliced are the sizes of what is sliced, by which those of the result are decided, but for one
// that is given.
func (x *exporting) sizes(in *Interp, t *value.Tensor, sliced symshape.Shape, given []*symshape.Expr, most int64, compared bool) {
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
			in.Require(in.pool.Ge(d.Expr, in.pool.Const(0)), "")
			if d.Expr == symbols[s] {
				lo, hi := in.path.facts.Range(d.Expr)
				x.number(exportNumber{d.Expr, symshape.NegInf, min(hi, most), true, lo})
			}
			continue
		}
		e := d.Expr
		if sliced != nil && !slices.Contains(given, e) && !slices.Contains(given, in.pool.Neg(e)) {
			if e = x.decided(in, e, sliced); e != d.Expr {
				if !own {
					typ.Shape, own = slices.Clone(typ.Shape), true
				}
				typ.Shape[i] = in.args.exampleDim(symshape.MakeDim(e))
			}
		}
		_, plain := e.IsSymbol()
		if c := in.pool.Ne(e, in.pool.Const(1)); slices.ContainsFunc(e.Symbols(), func(s *symshape.Expr) bool { return x.roots[s] }) &&
			in.Decide(c) == symshape.Yes && (symshape.Facts{}).Decide(c).Answer != symshape.Yes && !slices.Contains(x.later, c) {
			x.later = append(x.later, c)
		}
		if lo, _ := in.path.facts.Range(e); len(e.Symbols()) == 0 || plain && lo >= 0 { // a size of an argument; others are numbers
			continue
		}
		if x.guards && in.ofNumbers(e) {
			continue
		}
		n, err := e.Eval(func(s string) (int64, bool) { n, ok := in.examples[s]; return n, ok })
		one := in.pool.Const(1)
		switch {
		case err != nil:
			x.missed = true
		case n == 1:
			if compared {
				in.Require(in.pool.Eq(e, one), "")
			}
		case len(typ.Shape) == 1 && (compared || !x.guards):
			in.Require(in.pool.Gt(e, one), "")
		default:
			if c := in.pool.Ne(e, one); compared && in.Decide(c) != symshape.Yes && !slices.Contains(x.apart, c) {
				x.apart = append(x.apart, c)
			}
		}
	}
}

// numbers notes what a graph of torch.compile asks of sizes that ints of Python give, which may be 0 or 1 otherwise.
func (x *exporting) numbers(in *Interp, op *ops.Op, t *value.Tensor, args []value.Value, given []*symshape.Expr, elementwise bool) {
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
			if n, err := e.Eval(func(s string) (int64, bool) { n, ok := in.examples[s]; return n, ok }); err == nil && in.ofNumbers(e) {
				in.Require(in.pool.Eq(e, in.pool.Const(n)), "")
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
		if d.Expr == nil || !in.ofNumbers(d.Expr) {
			continue
		}
		n, err := d.Expr.Eval(func(s string) (int64, bool) { n, ok := in.examples[s]; return n, ok })
		if err != nil {
			x.missed = true
			continue
		}
		for _, special := range []int64{0, 1} {
			switch c := in.pool.Eq(d.Expr, in.pool.Const(special)); {
			case n == special:
				in.Require(c, "")
			case special == 0 && op.Trace.Has(ops.AllowsZero):
			case !slices.Contains(x.apart, in.pool.Not(c)):
				x.apart = append(x.apart, in.pool.Not(c))
			}
		}
	}
}

// ofNumbers reports whether a size is made of ints that are arguments alone.
func (in *Interp) ofNumbers(e *symshape.Expr) bool {
	symbols := e.Symbols()
	return len(symbols) > 0 && !slices.ContainsFunc(symbols, func(s *symshape.Expr) bool {
		lo, _ := (symshape.Facts{}).Range(s)
		return lo >= 0
	})
}

// firstTensor is the first tensor among arguments; nil: there is none.
func firstTensor(args []value.Value) *value.Tensor {
	for _, v := range args {
		if t, ok := v.(*value.Tensor); ok {
			return t
		}
	}
	return nil
}
