package infer

// This file records which way a program went at each place that decides: what a tracer
// would keep of it. It is off unless Config.Trace is set.

import (
	"slices"
	"strconv"
	"strings"

	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/ops/catalog"
	"shapecheck/infer/ops/numpy"
	"shapecheck/infer/value"
	"shapecheck/internal/source"
	"shapecheck/parser/ast"
	"shapecheck/symshape"
)

// A deciding goes with a run whose decisions are recorded, or taken as in another run.
type deciding struct {
	*base
	*entryRun
	in *Interp
}

// A DecisionKind says what decides.
type DecisionKind string

// The kinds of decisions. Each operand of and and or but the last is one.
const (
	DecisionIf            DecisionKind = "if"
	DecisionWhile         DecisionKind = "while"
	DecisionFor           DecisionKind = "for"
	DecisionAnd           DecisionKind = "and"
	DecisionOr            DecisionKind = "or"
	DecisionConditional   DecisionKind = "ifexp"
	DecisionAssert        DecisionKind = "assert"
	DecisionComprehension DecisionKind = "comprehension-if"
	// DecisionCase is a case of a match statement, or its guard; DecisionTry a try statement: 1 where its body raises nothing that it
	// catches.
	DecisionCase DecisionKind = "case"
	DecisionTry  DecisionKind = "try"
)

// A Decision is a place that decides which way the program goes, and how it did.
type Decision struct {
	Kind DecisionKind
	// At is the statement or expression, Test its condition; of a for loop what it goes over.
	At, Test source.Span
	// Function is the name of the function around it, "<module>" outside of functions.
	Function string
	// Original is, of a place in code that is built in, the file of the library whose place it is, as
	// "torch/optim/lr_scheduler.py", and OriginalLine its line there.
	Original     string
	OriginalLine int
	// Ways are the outcomes in their order: 1 where the condition held, 0 where it did not;
	// of a for loop the number of iterations. NoWay: not known.
	Ways []int
	// Then and Else are the sides of an if statement or conditional expression; Else has no
	// length where there is none.
	Then, Else source.Span
	// Raises says of the ways of an if statement or assert, 0 and 1, whether they end in a raise.
	Raises [2]bool
	// Conds are the conditions on sizes, where these are what decides: the first maxDecisionConds that differ, of a place that is met
	// several times.
	Conds []*symshape.Cond
	// OnSizes says that sizes of the inputs decide, OnData that the values of tensors do, OnDrawn that random ones are among them.
	OnSizes, OnData, OnDrawn bool
	// Drawn is a number that Python draws, or the time, which decides; nil: none does.
	Drawn *symshape.Expr
}

// maxDecisionConds bounds the conditions on sizes that are kept of one place.
const maxDecisionConds = 6

// by notes a condition on sizes that decides.
func (d *Decision) by(c *symshape.Cond) {
	if len(d.Conds) < maxDecisionConds && !slices.Contains(d.Conds, c) {
		d.Conds = append(d.Conds, c)
	}
}

// NoWay stands for an outcome that is not known.
const NoWay = -1

// decisions is what a run records.
type decisions struct {
	Nop
	in   *Interp
	list []*Decision
	at   map[decisionKey]*Decision
	// numbers are the symbols that stand for numbers out of tensors.
	numbers map[*symshape.Expr]bool
	// maybe has also what runs under conditions that the path does not decide.
	maybe bool
	// kept are the ways that places go whatever decides there; nil: none are kept.
	kept map[decisionKey][]int
	// tries are those that try statements went.
	tries map[decisionKey][]int
	// takesNumbers says that a size of the inputs or a tensor was handed to a function of
	// Python, such as int, len or range, whose result a tracer may keep as a number.
	takesNumbers bool
	// with hears the run that is recorded, as torch.jit.trace or torch.export do; nil: none does.
	with Tracer
}

type decisionKey struct {
	kind     DecisionKind
	at, test source.Pos
}

// newDecisions is an empty record of a run that another tracer hears, too; nil: none does.
func (dc *deciding) newDecisions(maybe bool, with Tracer) *decisions {
	return &decisions{in: dc.in, at: map[decisionKey]*Decision{}, numbers: map[*symshape.Expr]bool{}, maybe: maybe, with: with}
}

// during runs what is recorded, instead of another record that there is.
func (d *decisions) during(run func()) {
	in := d.in
	before, outer := in.tracers, in.decisions
	if outer != nil {
		in.tracers = before.leavingOut(outer.hears)
	}
	if d.with != nil {
		in.tracers = in.tracers.with(d.with)
	}
	in.tracers, in.decisions = in.tracers.with(d), d
	run()
	in.tracers, in.decisions = before, outer
}

// hears reports whether a tracer is the record, or hears the run with it.
func (d *decisions) hears(t Tracer) bool { return t == d || t == d.with }

// pause ends the record until what it returns is called.
func (d *decisions) pause() (resume func()) {
	in := d.in
	before := in.tracers
	in.tracers, in.decisions = before.leavingOut(d.hears), nil
	return func() { in.tracers, in.decisions = before, d }
}

// Enter pauses where a function runs that torch.jit.script compiled: a tracer keeps all ways of it.
func (d *decisions) Enter(f *Frame) (leave func()) {
	if !d.in.retraces.scripted[f.fn] {
		return nil
	}
	return d.pause()
}

// Load pauses while a module runs: what a call imports is there before it in a program that ran once.
func (d *decisions) Load(*value.Module) (leave func()) {
	in := d.in
	resume, inOp := d.pause(), in.rec.inOp
	in.rec.inOp = true
	return func() {
		resume()
		in.rec.inOp = inOp
	}
}

// Call notes what functions of Python take.
func (d *decisions) Call(fn value.Value, args []value.Value) { d.noteCall(d.in, fn, args) }

// Perform gives numbers that Python draws symbols. The error is that of do.
func (d *decisions) Perform(fn value.Value, args []value.Value, do CallFunc) (value.Value, error) {
	v, err := do(args)
	if b, ok := fn.(*value.Builtin); ok && err == nil {
		v = d.in.drawn(b, args, v)
	}
	return v, err
}

// Number notes that a symbol is a number out of a tensor.
func (d *decisions) Number(e *symshape.Expr) {
	for _, s := range e.Symbols() {
		d.numbers[s] = true
	}
}

// of is the record of a place, made when it is first met; nil where nothing is recorded.
func (d *decisions) of(in *Interp, f *frame, kind DecisionKind, at, test source.Span) *Decision {
	if d == nil || len(in.path.conds) > 0 && !d.maybe {
		return nil
	}
	key := decisionKey{kind, at.Start, test.Start}
	if x := d.at[key]; x != nil {
		return x
	}
	line := 0
	if f.prelude {
		if line = in.deciding.originalLine(at.Start); line == 0 {
			return nil
		}
	}
	x := &Decision{Kind: kind, At: at, Test: test, Function: "<module>", OriginalLine: line}
	if f.prelude {
		x.Original = strings.ReplaceAll(f.globals.Name, ".", "/") + ".py"
	}
	if f.fn != nil {
		x.Function = f.fn.Name
	}
	d.list = append(d.list, x)
	d.at[key] = x
	return x
}

// originalMark begins the comment of a line of built-in code that decides as a line of the library does: its number follows.
const originalMark = "#: "

// originalLine is the line of a library that a line of built-in code stands for; 0: it stands for none.
func (dc *deciding) originalLine(p source.Pos) int {
	n, known := dc.originals[p]
	if !known {
		if dc.originals == nil {
			dc.originals = map[source.Pos]int{}
		}
		n = originalLine(dc.files.Position(p))
		dc.originals[p] = n
	}
	return n
}

// originalLine is the line of the library that a comment at the end of a line of built-in code names; 0: there is none.
func originalLine(at source.Position) int {
	line := at.File.Line(at.Line)
	i := strings.LastIndex(line, originalMark)
	if i < 0 {
		return 0
	}
	n, err := strconv.Atoi(line[i+len(originalMark):])
	if err != nil {
		return 0
	}
	return n
}

// decides records how a condition comes out, of which t is the truth value. It returns the
// truth value by which the run goes on: t, or that of the way which is kept.
func (dc *deciding) decides(f *frame, kind DecisionKind, at, test source.Span, t value.Value) (*Decision, value.Value) {
	d := dc.decisions.of(dc.in, f, kind, at, test)
	if d == nil {
		return nil, t
	}
	for _, tr := range dc.tracers.all {
		tr.Decide(kind, test, t)
	}
	// what an export does not decide is a check that it keeps
	if ways := dc.decisions.kept[decisionKey{kind, at.Start, test.Start}]; len(d.Ways) < len(ways) && ways[len(d.Ways)] != NoWay {
		way := ways[len(d.Ways)]
		d.Ways = append(d.Ways, way)
		return d, value.Bool(way == 1)
	}
	var open *symshape.Cond
	s, symbolic := t.(*value.SymBool)
	if symbolic {
		open = dc.pool.SubstCond(s.Cond, dc.in.path.facts.Simplify) // a size that an operation before fixed does not decide
	}
	way := NoWay
	if val, known := dc.in.Holds(t); known && val {
		way = 1
	} else if known {
		way = 0
	}
	d.Ways = append(d.Ways, way)
	if way == NoWay {
		for _, tr := range dc.tracers.all {
			tr.Undecided(kind, t)
		}
	}
	if symbolic {
		sizes, data := dc.decisions.decidedBy(dc.in, open.Symbols())
		d.OnSizes, d.OnData = d.OnSizes || sizes, d.OnData || data || s.Source != nil
		if way == NoWay {
			for _, x := range open.Symbols() {
				if dc.in.rec.drawnAt[x].IsValid() {
					d.Drawn = x
				}
			}
			d.OnDrawn = d.OnDrawn || d.Drawn != nil || ofDrawn(s.Source)
		}
		if sizes && !data {
			d.by(s.Cond)
		}
	}
	return d, t
}

// maxDrawnSteps bounds the operations that are gone through for those that draw random numbers.
const maxDrawnSteps = 256

// ofDrawn reports whether random numbers have a part in a value.
func ofDrawn(v *graph.Value) bool {
	met, todo := map[*graph.Value]bool{}, []*graph.Value{v}
	for len(todo) > 0 && len(met) < maxDrawnSteps {
		v := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if v == nil || met[v] {
			continue
		}
		met[v] = true
		if v.Def == nil {
			continue
		}
		if v.Def.Is.Has(graph.Drawn) {
			return true
		}
		for _, a := range v.Def.Args {
			if x, ok := a.Value.(*graph.Value); ok {
				todo = append(todo, x)
			}
		}
	}
	return false
}

// between notes the sides of a decision.
func (d *Decision) between(then, otherwise source.Span) {
	if d != nil {
		d.Then, d.Else = then, otherwise
	}
}

// IsCheck reports whether a place is an assert, or an if statement with a way that ends in a raise.
func (d *Decision) IsCheck() bool { return d.Raises != [2]bool{} }

// guards notes the blocks of an if statement.
func (d *Decision) guards(then, otherwise []ast.Stmt) {
	if d == nil {
		return
	}
	d.between(blockSpan(then), blockSpan(otherwise))
	for way, list := range [][]ast.Stmt{otherwise, then} {
		if len(list) > 0 {
			_, d.Raises[way] = list[len(list)-1].(*ast.Raise)
		}
	}
}

// decidesCase records whether a case of a match statement, or its guard, holds.
func (dc *deciding) decidesCase(f *frame, c *ast.MatchCase, at source.Span, t value.Value) value.Value {
	d, t := dc.decides(f, DecisionCase, at, at, t)
	d.between(blockSpan(c.Body), source.Span{})
	return t
}

// tries records how a try statement comes out: 1 where nothing is raised that it catches, 0 where e is. before is what was
// known when it began: what its body needs of sizes decides. goesOn says that e is raised nevertheless: an operation raises it
// in the run of a trace, which has no handler for it.
func (dc *deciding) tries(f *frame, s *ast.Try, way int, e *value.Exception, before symshape.Facts) (goesOn bool) {
	test := source.Span{Start: s.Span().Start, End: s.Span().Start + 3}
	d := dc.decisions.of(dc.in, f, DecisionTry, s.Span(), test)
	if d == nil {
		return false
	}
	if ways := dc.decisions.tries[decisionKey{DecisionTry, s.Span().Start, test.Start}]; len(d.Ways) < len(ways) && ways[len(d.Ways)] != way {
		if goesOn = way == 0 && e.Diag != nil && e.Value.Class.Name == "RuntimeError"; goesOn {
			way = 1
		} else {
			for _, tr := range dc.tracers.all {
				tr.Diverge(DecisionTry)
			}
		}
	}
	d.Ways = append(d.Ways, way)
	handlers := source.Span{}
	if n := len(s.Handlers); n == 1 || n > 1 && !slices.Contains(d.Ways, 0) { // of several that are not all passed by, one ran
		handlers = source.Span{Start: s.Handlers[0].Span().Start, End: s.Handlers[n-1].Span().End}
	}
	d.between(blockSpan(s.Else), handlers)
	var needs []*symshape.Cond
	for _, c := range dc.in.path.facts.Conds() {
		if sizes, data := dc.decisions.decidedBy(dc.in, c.Symbols()); sizes && !data && before.Decide(c).Answer != symshape.Yes {
			needs = append(needs, c)
		}
	}
	if d.OnSizes = d.OnSizes || len(needs) > 0; len(needs) > 0 && way == 1 {
		d.by(dc.pool.And(needs...))
	}
	return goesOn
}

// blockSpan is where statements stand.
func blockSpan(list []ast.Stmt) source.Span {
	if len(list) == 0 {
		return source.Span{}
	}
	return source.Span{Start: list[0].Span().Start, End: list[len(list)-1].Span().End}
}

// decidesOperand records how an operand of and or or comes out.
func (dc *deciding) decidesOperand(f *frame, e *ast.BoolOp, i int, t value.Value) value.Value {
	kind := DecisionAnd
	if e.Op == ast.Or {
		kind = DecisionOr
	}
	_, t = dc.decides(f, kind, e.Span(), e.Values[i].Span(), t)
	return t
}

// decidesConditional records how a conditional expression comes out.
func (dc *deciding) decidesConditional(f *frame, e *ast.IfExp, t value.Value) value.Value {
	if dc.decisions == nil {
		return t
	}
	b, err := dc.in.Truth(t)
	if err != nil {
		return t
	}
	d, t := dc.decides(f, DecisionConditional, e.Span(), e.Test.Span(), b)
	d.between(e.Body.Span(), e.Else.Span())
	return t
}

// decidedBy reports whether symbols are sizes of the inputs, and whether they are numbers out
// of tensors. Others, such as random numbers, are neither.
func (d *decisions) decidedBy(in *Interp, symbols []*symshape.Expr) (sizes, data bool) {
	for _, s := range symbols {
		name, _ := s.IsSymbol()
		_, size := in.examples[name]
		sizes, data = sizes || size, data || d.numbers[s]
	}
	return sizes, data
}

// A tripCount counts the iterations of a for loop; nil counts nothing.
type tripCount struct {
	d *Decision
	i int
}

// trips begins to count the iterations of a loop over seq.
func (dc *deciding) trips(f *frame, s *ast.For, seq value.Value) *tripCount {
	d := dc.decisions.of(dc.in, f, DecisionFor, s.Span(), s.Iter.Span())
	if d == nil {
		return nil
	}
	switch seq := seq.(type) {
	case *value.Tensor:
		d.OnSizes = true
	case *value.Range:
		for _, v := range []value.Value{seq.Start, seq.Stop, seq.Step} {
			if n, ok := v.(*value.SymInt); ok {
				if n.D.Expr == nil {
					d.OnData = d.OnData || n.Source != nil
					continue
				}
				sizes, data := dc.decisions.decidedBy(dc.in, n.D.Expr.Symbols())
				d.OnSizes, d.OnData = d.OnSizes || sizes, d.OnData || data
			}
		}
	}
	d.Ways = append(d.Ways, 0)
	return &tripCount{d, len(d.Ways) - 1}
}

func (t *tripCount) add() {
	if t != nil && t.d.Ways[t.i] != NoWay {
		t.d.Ways[t.i]++
	}
}

// unknown says that how often the loop runs is not known.
func (t *tripCount) unknown() {
	if t != nil {
		t.d.Ways[t.i] = NoWay
	}
}

// keep has places other than loops over sequences go the ways that were recorded.
func (d *decisions) keep(list []*Decision) {
	d.kept, d.tries = map[decisionKey][]int{}, map[decisionKey][]int{}
	for _, x := range list {
		switch key := (decisionKey{x.Kind, x.At.Start, x.Test.Start}); x.Kind {
		case DecisionFor:
		case DecisionTry:
			d.tries[key] = x.Ways
		default:
			d.kept[key] = x.Ways
		}
	}
}

// sameWays reports whether two records are of the same places, which all went the same known
// ways.
func sameWays(a, b []*Decision) bool {
	return slices.EqualFunc(a, b, func(x, y *Decision) bool {
		return x.Kind == y.Kind && x.At == y.At && x.Test == y.Test && slices.Equal(x.Ways, y.Ways) && !slices.Contains(x.Ways, NoWay)
	})
}

// harmlessTakers are functions of Python that make no number of what they are given.
var harmlessTakers = []string{"isinstance", "hasattr", "getattr", "print", "type", "id", "callable"}

// noteCall notes that a function of Python is called with arguments.
func (d *decisions) noteCall(in *Interp, fn value.Value, args []value.Value) {
	if f := in.stack.frame; d.takesNumbers || f == nil || f.prelude {
		return
	}
	if b, ok := fn.(*value.Builtin); ok {
		last := b.Name[strings.LastIndexByte(b.Name, '.')+1:]
		keeps := func() bool {
			return strings.HasPrefix(b.Name, numpy.Library.Prefix) || catalog.RecordOf(b.Name).Trace.Has(ops.ReadsNumber)
		}
		if in.opFuncs[b.Name] == b && !keeps() || slices.Contains(harmlessTakers, last) {
			return
		}
	}
	for _, v := range args {
		switch v := v.(type) {
		case *value.SymInt:
			if v.D.Expr != nil {
				sizes, _ := d.decidedBy(in, v.D.Expr.Symbols())
				d.takesNumbers = d.takesNumbers || sizes
			}
		case *value.SymFloat, *value.Tensor:
			d.takesNumbers = true
		}
	}
}

// record runs what records decisions and calls of operations, with the ways of kept, and puts
// what it recorded into c.
func (dc *deciding) record(c *TracedCall, kept []*Decision, maybe bool, run func()) {
	d := dc.newDecisions(maybe, nil)
	if kept != nil {
		d.keep(kept)
	}
	ops := len(dc.in.rec.ops)
	d.during(run)
	c.Decisions, c.TakesNumbers = d.list, d.takesNumbers
	c.Ops = slices.Clone(dc.in.rec.ops[min(ops, len(dc.in.rec.ops)):])
}
