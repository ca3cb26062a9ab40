// Package trace reports what a tracer would keep of a model and what it would lose: each
// place that decided which way a call went, what it depends on, and what did not run.
// trace.go makes the report, text.go prints it, marks.go marks the lines, influence.go follows what branches gave, fixes.go
// makes edits, propose.go adds those that a run shows to help: wrapperfixes.go those of what wrappers are told, exportfixes.go of what
// exports keep, conds.go those that keep both sides of a branch; places.go finds where they go. calls.go and
// findings.go are about the calls of functions that tf.function and jax.jit trace, jit.go about those of torch.jit.trace,
// export.go about those of torch.export, compile.go about those of torch.compile. sizes.go tells which sizes of an entry
// share a trace. values.go computes numbers.
package trace

import (
	"slices"
	"strings"

	"shapecheck/check/record"
	"shapecheck/infer"
	"shapecheck/infer/ops"
	"shapecheck/infer/ops/catalog"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/internal/source"
)

// A Document is the report of an entry that was called several times. What is not known is
// null or left out.
type Document struct {
	*record.Document
	Framework string   `json:"framework"`
	Inputs    []string `json:"inputs"`
	Branches  []Branch `json:"branches"`
	// Cases are those of match statements, and try statements: whether nothing was raised that they catch.
	Cases []Branch `json:"cases,omitempty"`
	// Ops are the calls of operations in the project's code: file, line, name; repeated
	// ones once.
	Ops [][3]any `json:"ops"`
	// StateChangesOps says that a second call with the same inputs does other operations.
	StateChangesOps *bool `json:"state_changes_ops"`
	// Error ended the first call.
	Error *Error `json:"error,omitempty"`
	// Others are the calls with other inputs, up to the first of which it is not known
	// what it does.
	Others []Other `json:"others"`
}

// A Branch is a place that decides, in the order in which the first call met them.
type Branch struct {
	File     string             `json:"file"`
	Line     int                `json:"line"`
	Col      int                `json:"col"`
	Kind     infer.DecisionKind `json:"kind"`
	Function string             `json:"fn"`
	Test     string             `json:"test"`
	Times    *int               `json:"times"`
	// Values are the first six outcomes: truth values, of a for loop numbers of iterations.
	Values []any `json:"values"`
	// Depends is of "shape", "state" (random numbers, too) and "value"; null: not known.
	Depends []string `json:"depends"`
	// TakenBy is the condition on the sizes s1, s2, … of the inputs that decides.
	TakenBy string `json:"taken_by,omitempty"`
	// AlsoBy are those that decide when the place is met again, where they differ from it: of all the first six.
	AlsoBy []string `json:"also_taken_by,omitempty"`
	// OtherWayFor are inputs for which it goes another way.
	OtherWayFor []string `json:"other_way_for,omitempty"`
	// NotExecuted are the first and last lines of what did not run.
	NotExecuted [][2]int `json:"not_executed,omitempty"`
	// Verdict is "wrong" where Witness shows that a trace loses the way not taken, or where later calls with the same inputs
	// go another way and give something else; "harmless" where nothing that may change decides, or where the inputs for which it alone goes
	// another
	// way give the same as a trace; left out where that is not known.
	Verdict string   `json:"verdict,omitempty"`
	Witness *Witness `json:"witness,omitempty"`
	// Reaches are the operations that use what the place gave: file, line, name; of the first mostReaches places that inputs or state decide.
	Reaches [][3]any `json:"reaches,omitempty"`

	met   int  // its number among all that the first call met
	drawn bool // random numbers decide
}

// A Witness is a pair of inputs: a trace made with the one, in which each place keeps its way,
// gives another outcome for the other than the model.
type Witness struct {
	Traced []string `json:"traced"`
	Other  []string `json:"other"`
	// Difference is "shape", "dtype", "values", "error" (the model raises, the trace gives a result) or
	// "refused" (the trace raises, the model gives a result).
	Difference string `json:"difference"`
	// TracedResult and ModelResult are types, or names of exceptions.
	TracedResult string `json:"traced_result"`
	ModelResult  string `json:"model_result"`
}

// An Other is a call with other inputs.
type Other struct {
	Inputs  []string `json:"inputs"`
	SameOps bool     `json:"same_ops"`
	Result  *string  `json:"result"`
	Error   *Error   `json:"error,omitempty"`
}

// An Error is an exception that ended a call.
type Error struct {
	Type string `json:"type"`
	// Message is that of a fault of a library call.
	Message string `json:"message,omitempty"`
	File    string `json:"file,omitempty"`
	Line    int    `json:"line,omitempty"`
}

// failure is what ended a call; nil: it returned.
func failure(r *infer.Result, c *infer.TracedCall) *Error {
	if c.Error == nil {
		return nil
	}
	e := &Error{Type: c.Error.Value.Class.Name}
	if c.Error.Diag != nil {
		e.Message = c.Error.Diag.Msg
	}
	if c.Error.At.Start.IsValid() {
		at := r.Files.Position(c.Error.At.Start)
		e.File, e.Line = at.File.Name, at.Line
	}
	return e
}

// shownValues is how many outcomes of a place are listed.
const shownValues = 6

// Of makes the report of a result that has calls.
func Of(r *infer.Result) *Document {
	t := r.Traced
	d := &Document{Framework: "branch", Branches: []Branch{}, Ops: [][3]any{}, Others: []Other{}}
	if t == nil || t.First == nil {
		d.Document = record.Short(r)
		return d
	}
	d.Inputs, d.Error = types(t.First.Inputs), failure(r, t.First)
	reaching := 0
	for _, x := range t.First.Decisions {
		b := branch(r, x)
		if x.Original == "" && known(x) && len(b.Depends) > 0 && reaching < mostReaches {
			reaching++
			b.Reaches = places(r, influenced(r, t.First, []*infer.Decision{x}))
		}
		b.met = len(d.Branches) + len(d.Cases)
		if f := finding(x, b); f != nil && f.Severity > diag.Info || slices.Contains(t.Kept, x.Test) {
			b.Verdict = "wrong"
		}
		switch x.Kind {
		case infer.DecisionCase, infer.DecisionTry:
			d.Cases = append(d.Cases, b)
		default:
			d.Branches = append(d.Branches, b)
		}
	}
	d.Document = record.Short(r)
	first := operations(r, t.First)
	d.Ops = append(d.Ops, places(r, first)...)
	if len(t.Again) > 0 && certain(t.First) && certain(t.Again[0]) {
		changes := !slices.Equal(first, operations(r, t.Again[0]))
		d.StateChangesOps = &changes
	}
	for _, c := range t.Others {
		if !certain(t.First) || !certain(c) {
			break
		}
		o := Other{Inputs: types(c.Inputs), SameOps: slices.Equal(first, operations(r, c))}
		if o.Error = failure(r, c); o.Error == nil && c.Output != nil {
			text := c.Output.String()
			o.Result = &text
		}
		d.Others = append(d.Others, o)
	}
	return d
}

// mostReaches bounds the places whose operations are followed one by one.
const mostReaches = 64

// places are operations by file, line and name; those of a library's model that the project does not call itself have none.
func places(r *infer.Result, list []operation) [][3]any {
	var out [][3]any
	for _, o := range list {
		if o.at.Start.IsValid() {
			at := r.Files.Position(o.at.Start)
			out = append(out, [3]any{at.File.Name, at.Line, o.name})
		}
	}
	return out
}

// finding is a warning of a place of the project where a trace is wrong, with a witness; nil: there is none. What state decides the run
// reports.
func finding(x *infer.Decision, b Branch) *diag.Diagnostic {
	if x.Original != "" {
		return nil
	}
	if w := b.Witness; x.IsCheck() && (w == nil && len(b.Depends) > 0 || w != nil && w.Difference == "error") {
		d := diag.New(diag.LostCheck, x.Test, "this check is not in a trace")
		if w == nil {
			d.Severity = diag.Info
			return d
		}
		d.Notes = append(d.Notes, givesResult(w.Traced, w.Other, w.ModelResult))
		return d
	}
	if w := b.Witness; w != nil {
		code, what := diag.SizeBranch, "sizes"
		if slices.Contains(b.Depends, "value") {
			code, what = diag.DataBranch, "values"
		}
		d := diag.New(code, x.Test, "this condition on "+what+" is decided by the trace")
		d.Notes = append(d.Notes, "traced with "+strings.Join(w.Traced, ", ")+", it is wrong for "+strings.Join(w.Other, ", "))
		return d
	}
	return nil
}

// branch makes the report's entry of a decision. What takes one of its ways, and which inputs take another, comes from
// other runs, in which the same decision is looked up.
func branch(r *infer.Result, x *infer.Decision) Branch {
	at := r.Files.Position(x.At.Start)
	b := Branch{File: at.File.Name, Line: at.Line, Col: at.Col, Kind: x.Kind, Function: x.Function, Depends: depends(r.Traced, x),
		drawn: x.OnDrawn,
		Test:  strings.Join(strings.Fields(at.File.Slice(x.Test)), " ")}
	if x.Kind == infer.DecisionTry {
		b.Test = ""
	}
	if x.Original != "" {
		b.File, b.Line, b.Col = x.Original, x.OriginalLine, 0
	}
	if known(x) {
		n := len(x.Ways)
		b.Times = &n
		b.Values = []any{}
		for _, w := range x.Ways[:min(n, shownValues)] {
			if x.Kind == infer.DecisionFor {
				b.Values = append(b.Values, w)
			} else {
				b.Values = append(b.Values, w == 1)
			}
		}
		if x.Kind != infer.DecisionFor {
			for side, span := range []source.Span{x.Else, x.Then} {
				if span.End > span.Start && !slices.Contains(x.Ways, side) && x.Original == "" {
					b.NotExecuted = append(b.NotExecuted, [2]int{r.Files.Position(span.Start).Line, r.Files.Position(span.End).Line})
				}
			}
		}
	}
	for _, c := range r.Traced.Symbolic {
		if s := same(c, x); s != nil && len(s.Conds) > 0 {
			b.TakenBy = s.Conds[0].String()
			for _, also := range s.Conds[1:] {
				b.AlsoBy = append(b.AlsoBy, also.String())
			}
			break
		}
	}
	for _, c := range slices.Concat(r.Traced.Others, r.Traced.Found) {
		if flips(x, same(c, x)) {
			b.OtherWayFor = types(c.Inputs)
			break
		}
	}
	b.Witness = witness(r.Traced, x, b.Depends)
	switch {
	case b.Witness != nil:
		b.Verdict = "wrong"
	case harmless(r.Traced, x, b.Depends):
		b.Verdict = "harmless"
	}
	return b
}

// witness shows that a trace is wrong because of a place that sizes or values decide: there is
// an input for which this place goes another way, and no other place that both calls meet. It
// is nil where state or numbers that the trace keeps may have a part in it, and where the
// results have one type and their numbers are the same or not known.
func witness(t *infer.Traced, x *infer.Decision, depends []string) *Witness {
	forced := x.Kind != infer.DecisionFor && x.Kind != infer.DecisionTry // others cannot be made to go as in the trace
	if !forced || len(depends) == 0 || slices.Contains(depends, "state") || len(t.Symbolic) == 0 || t.First.Output == nil {
		return nil
	}
	for _, c := range t.Again {
		if c.Output == nil || c.Output.String() != t.First.Output.String() || !slices.Equal(turned(t.First, c), nil) {
			return nil
		}
	}
	if t.Symbolic[len(t.Symbolic)-1].Error != nil || slices.ContainsFunc(append(t.Symbolic, t.First),
		func(c *infer.TracedCall) bool { return c.TakesNumbers }) {
		return nil
	}
	for _, c := range slices.Concat(t.Others, t.Found) {
		if !slices.EqualFunc(c.Inputs, t.First.Inputs, sameRank) {
			continue // tracers refuse these
		}
		if c.Kept == nil || c.TakesNumbers || !certain(c) || !certain(c.Kept) || !slices.Equal(turned(t.First, c), []*infer.Decision{x}) {
			continue
		}
		w := &Witness{Traced: types(t.First.Inputs), Other: types(c.Inputs), TracedResult: outcomeOf(c.Kept), ModelResult: outcomeOf(c)}
		switch {
		case c.Same != nil && !*c.Same && w.TracedResult != "" && w.TracedResult == w.ModelResult:
			w.Difference = "values"
		case c.Error != nil && c.Kept.Error != nil || w.TracedResult == w.ModelResult || w.TracedResult == "" || w.ModelResult == "":
			continue
		case c.Error != nil:
			w.Difference = "error"
		case c.Kept.Error != nil:
			w.Difference = "refused"
		default:
			w.Difference = "shape"
			a, ok := c.Output.(*value.Tensor)
			b, also := c.Kept.Output.(*value.Tensor)
			if ok && also && a.Type().Shape.String() == b.Type().Shape.String() {
				w.Difference = "dtype"
			}
		}
		return w
	}
	return nil
}

// sameRank reports whether two inputs have as many axes, where they are tensors.
func sameRank(a, b value.Value) bool {
	x, ok := a.(*value.Tensor)
	y, also := b.(*value.Tensor)
	return !ok || !also || x.Type().Rank() == y.Type().Rank()
}

// harmless reports whether a trace loses nothing at a place: nothing that may change decides there, or it goes another way in
// calls with other inputs, alone, and a trace gives there what the model gives.
func harmless(t *infer.Traced, x *infer.Decision, depends []string) bool {
	if depends == nil || slices.Contains(depends, "state") {
		return false
	}
	if len(depends) == 0 {
		return true
	}
	turns := false
	for _, c := range slices.Concat(t.Others, t.Found) {
		if !flips(x, same(c, x)) {
			continue
		}
		if turns = true; c.Same == nil || !*c.Same || c.TakesNumbers || !slices.Equal(turned(t.First, c), []*infer.Decision{x}) {
			return false
		}
	}
	return turns
}

// turned are the places of a call that go other ways in another call.
func turned(a, b *infer.TracedCall) []*infer.Decision {
	var out []*infer.Decision
	for _, x := range a.Decisions {
		if y := same(b, x); y != nil && !slices.Equal(x.Ways, y.Ways) {
			out = append(out, x)
		}
	}
	return out
}

// outcomeOf is the type of a call's result or the name of its exception; empty: not known.
func outcomeOf(c *infer.TracedCall) string {
	switch {
	case c.Error != nil:
		return c.Error.Value.Class.Name
	case c.Output != nil && infer.Known(c.Output):
		return c.Output.String()
	}
	return ""
}

// depends says what a decision depends on; nil: not known.
func depends(t *infer.Traced, x *infer.Decision) []string {
	list := []string{}
	add := func(what string, is bool) {
		if is && !slices.Contains(list, what) {
			list = append(list, what)
		}
	}
	add("value", x.OnData)
	add("shape", x.OnSizes)
	add("state", x.OnDrawn)
	for _, o := range operands(t.First, x) {
		d := depends(t, o)
		if d == nil {
			return nil
		}
		add("value", slices.Contains(d, "value"))
		add("shape", slices.Contains(d, "shape"))
		add("state", slices.Contains(d, "state"))
	}
	everywhere := true // whether each run with symbols came there
	for _, c := range t.Symbolic {
		s := same(c, x)
		everywhere = everywhere && s != nil
		add("value", s != nil && s.OnData)
		add("shape", s != nil && s.OnSizes)
	}
	if !known(x) && len(list) == 0 {
		return nil
	}
	for _, c := range t.Others {
		if len(list) == 0 && flips(x, same(c, x)) {
			add("shape", !slices.Equal(types(c.Inputs), types(t.First.Inputs)))
			add("value", len(list) == 0)
		}
	}
	for _, c := range t.Again {
		y := same(c, x)
		add("state", known(x) && (y == nil || known(y) && !slices.Equal(x.Ways, y.Ways)))
	}
	if len(list) == 0 && (!everywhere || x.Kind == infer.DecisionTry) {
		return nil // no run says that sizes do not decide it
	}
	slices.Sort(list)
	return list
}

// operands are the places of a call that are operands of a place's condition, but the last ones: which of them decides differs
// from input to input.
func operands(c *infer.TracedCall, x *infer.Decision) []*infer.Decision {
	var out []*infer.Decision
	whole := false // whether the condition is an and or or itself
	for _, o := range c.Decisions {
		operand := (o.Kind == infer.DecisionAnd || o.Kind == infer.DecisionOr) && o.At != o.Test && o != x
		if operand && x.Kind != infer.DecisionAnd && x.Kind != infer.DecisionOr && x.Test.Start <= o.At.Start && o.At.End <= x.Test.End {
			whole = whole || o.At == x.Test
			out = append(out, o)
		}
	}
	if !whole {
		return nil
	}
	return out
}

// same is the record of a call of the same place; nil: the call did not come there.
func same(c *infer.TracedCall, x *infer.Decision) *infer.Decision {
	if c == nil {
		return nil
	}
	for _, d := range c.Decisions {
		if d.Kind == x.Kind && d.At == x.At && d.Test == x.Test {
			return d
		}
	}
	return nil
}

// flips reports whether a place goes another way in another call.
func flips(x, y *infer.Decision) bool {
	if y == nil || !known(x) || !known(y) {
		return false
	}
	if x.Kind == infer.DecisionFor {
		return !slices.Equal(x.Ways, y.Ways)
	}
	for way := range 2 {
		if slices.Contains(x.Ways, way) != slices.Contains(y.Ways, way) {
			return true
		}
	}
	return false
}

// known reports whether all outcomes of a place are known.
func known(x *infer.Decision) bool { return !slices.Contains(x.Ways, infer.NoWay) }

// certain reports whether it is known what a call did.
func certain(c *infer.TracedCall) bool {
	for _, d := range c.Decisions {
		if !known(d) {
			return false
		}
	}
	for _, o := range c.Ops {
		if o.Maybe || len(o.Loops) > 0 {
			return false
		}
	}
	return true
}

// An operation is a call of a library function in the project's code.
type operation struct {
	at   source.Span
	name string
}

// torchNames are those that PyTorch's own functions have which methods of Python's operators stand for.
var torchNames = map[string]string{"__radd__": "add", "__rmul__": "mul", "__rtruediv__": "__rdiv__", "__pow__": "pow", "eq": "__eq__",
	"__abs__":  "abs",
	"__rand__": "bitwise_and", "__ror__": "bitwise_or", "__rxor__": "bitwise_xor", "__ifloordiv__": "floor_divide_"}

// operationOf is the operation of a call and reports whether it computes.
func operationOf(o *infer.OpCall) (x operation, computes bool) {
	name := o.Name[strings.LastIndexByte(o.Name, '.')+1:]
	if other := torchNames[name]; other != "" {
		name = other
	}
	switch record, known := catalog.Lookup(o.Name); {
	case known && record.Trace.Has(ops.ComputesNothing):
		return operation{o.At, name}, false
	// get is of a property, such as torch.Tensor.shape.get
	case name == "get", name == "__getattr__", name == "__setattr__", name == "__delattr__":
		return operation{o.At, name}, false
	}
	return operation{o.At, name}, true
}

// operations are those of a call in their order; what is repeated is there once.
func operations(r *infer.Result, c *infer.TracedCall) []operation {
	var out []operation
	for _, o := range c.Ops {
		x, computes := operationOf(o)
		if !computes || len(out) > 0 && out[len(out)-1] == x {
			continue
		}
		out = append(out, x)
	}
	return out
}

// types are the types of values, those in tuples one by one.
func types(list []value.Value) []string {
	return typesIn(&value.Visit{Repeats: value.SomeRepeats}, []string{}, list)
}

func typesIn(w *value.Visit, out []string, list []value.Value) []string {
	for _, v := range list {
		if t, ok := v.(*value.Tuple); ok && w.Enter(t) {
			out = typesIn(w, out, t.Elems)
			w.Leave()
			continue
		}
		out = append(out, v.String())
	}
	return out
}
