package infer

// This file records which way a program went at each place that decides: what a tracer
// would keep of it. It is off unless Config.Trace is set.

import (
	"slices"

	"shapecheck/infer/value"
	"shapecheck/internal/source"
	"shapecheck/parser/ast"
	"shapecheck/symshape"
)

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
)

// A Decision is a place that decides which way the program goes, and how it did.
type Decision struct {
	Kind DecisionKind
	// At is the statement or expression, Test its condition; of a for loop what it goes over.
	At, Test source.Span
	// Function is the name of the function around it, "<module>" outside of functions.
	Function string
	// Ways are the outcomes in their order: 1 where the condition held, 0 where it did not;
	// of a for loop the number of iterations. NoWay: not known.
	Ways []int
	// Then and Else are the sides of an if statement or conditional expression; Else has no
	// length where there is none.
	Then, Else source.Span
	// Cond is the condition on sizes, where that is what decides.
	Cond *symshape.Cond
	// OnSizes says that sizes of the inputs decide, OnData that the values of tensors do.
	OnSizes, OnData bool
}

// NoWay stands for an outcome that is not known.
const NoWay = -1

// decisions is what a run records.
type decisions struct {
	list []*Decision
	at   map[decisionKey]*Decision
	// numbers are the symbols that stand for numbers out of tensors.
	numbers map[*symshape.Expr]bool
	// maybe has also what runs under conditions that the path does not decide.
	maybe bool
}

type decisionKey struct {
	kind     DecisionKind
	at, test source.Pos
}

// of is the record of a place, made when it is first met; nil where nothing is recorded.
func (d *decisions) of(in *Interp, f *frame, kind DecisionKind, at, test source.Span) *Decision {
	if d == nil || f.prelude || len(in.path.conds) > 0 && !d.maybe {
		return nil
	}
	key := decisionKey{kind, at.Start, test.Start}
	if x := d.at[key]; x != nil {
		return x
	}
	x := &Decision{Kind: kind, At: at, Test: test, Function: "<module>"}
	if f.fn != nil {
		x.Function = f.fn.Name
	}
	d.list = append(d.list, x)
	d.at[key] = x
	return x
}

// decides records how a condition comes out, of which t is the truth value.
func (in *Interp) decides(f *frame, kind DecisionKind, at, test source.Span, t value.Value) *Decision {
	d := in.decisions.of(in, f, kind, at, test)
	if d == nil {
		return nil
	}
	way := NoWay
	if val, known := in.Holds(t); known && val {
		way = 1
	} else if known {
		way = 0
	}
	d.Ways = append(d.Ways, way)
	if s, ok := t.(*value.SymBool); ok {
		sizes, data := in.decisions.decidedBy(in, s.Cond.Symbols())
		d.OnSizes, d.OnData = d.OnSizes || sizes, d.OnData || data || s.Source != nil
		if sizes && !data && d.Cond == nil {
			d.Cond = s.Cond
		}
	}
	return d
}

// between notes the sides of a decision.
func (d *Decision) between(then, otherwise source.Span) {
	if d != nil {
		d.Then, d.Else = then, otherwise
	}
}

// blockSpan is where statements stand.
func blockSpan(list []ast.Stmt) source.Span {
	if len(list) == 0 {
		return source.Span{}
	}
	return source.Span{Start: list[0].Span().Start, End: list[len(list)-1].Span().End}
}

// decidesOperand records how an operand of and or or comes out.
func (in *Interp) decidesOperand(f *frame, e *ast.BoolOp, i int, t value.Value) {
	kind := DecisionAnd
	if e.Op == ast.Or {
		kind = DecisionOr
	}
	in.decides(f, kind, e.Span(), e.Values[i].Span(), t)
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

// fromTensor notes that a symbol is a number out of a tensor.
func (d *decisions) fromTensor(e *symshape.Expr) {
	if d == nil {
		return
	}
	for _, s := range e.Symbols() {
		d.numbers[s] = true
	}
}

// A tripCount counts the iterations of a for loop; nil counts nothing.
type tripCount struct {
	d *Decision
	i int
}

// trips begins to count the iterations of a loop over seq.
func (in *Interp) trips(f *frame, s *ast.For, seq value.Value) *tripCount {
	d := in.decisions.of(in, f, DecisionFor, s.Span(), s.Iter.Span())
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
				sizes, data := in.decisions.decidedBy(in, n.D.Expr.Symbols())
				d.OnSizes, d.OnData = d.OnSizes || sizes, d.OnData || data
			}
		}
	}
	d.Ways = append(d.Ways, 0)
	return &tripCount{d, len(d.Ways) - 1}
}

func (t *tripCount) add() {
	if t != nil {
		t.d.Ways[t.i]++
	}
}

// unknown says that how often the loop runs is not known.
func (t *tripCount) unknown() {
	if t != nil {
		t.d.Ways[t.i] = NoWay
	}
}

// record runs what records decisions and calls of operations, and returns what it recorded.
func (in *Interp) record(maybe bool, run func()) ([]*Decision, []*OpCall) {
	d := &decisions{at: map[decisionKey]*Decision{}, numbers: map[*symshape.Expr]bool{}, maybe: maybe}
	outer, ops := in.decisions, len(in.rec.ops)
	in.decisions = d
	run()
	in.decisions = outer
	return d.list, slices.Clone(in.rec.ops[min(ops, len(in.rec.ops)):])
}
