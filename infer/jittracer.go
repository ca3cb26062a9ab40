package infer

// This file runs functions as torch.jit.trace does. A tracer runs the body once with example
// inputs and keeps what ran: the ways that conditions went, and numbers that Python took out of
// sizes and tensors. What a trace gives for other inputs is found by running the body as it was
// then, with the ways and numbers that were kept (tracer.replays); which of them depend on the
// inputs is found by a run with symbols for all sizes and unknown values (tracer.looks).

import (
	"slices"
	"strings"

	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/ops/numpy"
	"shapecheck/infer/value"
	"shapecheck/internal/source"
	"shapecheck/symshape"
)

// A TracerSite is a place at which a tracer makes a number, truth value, list or array of
// Python out of a size or tensor, and says so in a warning.
type TracerSite struct {
	At source.Span
	// Kind is what the warning tells: bool, int, float, number (item), list (tolist), numpy,
	// len, iterate, torch.tensor, from_numpy, as_tensor.
	Kind string
	// Verdict is "wrong" where a run shows that the trace gives something else than the model,
	// "harmless" where the runs show no difference, else "unknown".
	Verdict string
	// ShownBy is the run that shows it; nil: none.
	ShownBy *RetraceCall
	// OnData says that the elements of tensors decide, not sizes alone.
	OnData bool
	// Check says that it is an assert or the condition of a raise, Raises what the model raises in the run that shows it to be wrong,
	// where the trace gives a result; empty: it does not.
	Check  bool
	Raises string

	test source.Pos // of the condition that decides; 0: it is no condition of a statement
}

type tracerMode uint8

const (
	tracerFirst   tracerMode = iota // the run with the example inputs: numbers are noted
	tracerLooks                     // with symbols: what depends on inputs is noted
	tracerReplays                   // with other inputs: what depends on inputs is kept
)

// A tracer is what one trace keeps, besides the ways that places went.
type tracer struct {
	Nop
	in    *Interp
	mode  tracerMode
	taken map[takenKey][]value.Value
	// inputs are the takers that depend on the inputs; the others do again what they do.
	inputs map[takenKey]bool
	count  map[takenKey]int
	// answers are those of isinstance for sizes, which are tensors in a trace, where they are not those for numbers: by the
	// key of the call and how often it was called before. asked says that a run with symbols added one.
	answers map[answerKey]bool
	asked   bool
	// example is a tensor among the inputs; nil: there is none.
	example value.Value
	// wraps is the call of a function of numpy that ran last whose result, made of a size, is a tensor.
	wraps source.Span
	sites []*TracerSite
	// busy is the frame whose taker runs: what that calls takes nothing for itself.
	busy *frame
	// missed says that something which the trace keeps is not known, state that what changes at
	// each call had a part in it.
	missed, state bool
	// refused is a place at which Python does not take the tensor that stands for a size; invalid: there is none.
	refused source.Span
	refusal string // Python's message
	// elsewhere says that the tracer warns in the lines of a library.
	elsewhere bool
}

type takenKey struct {
	at   source.Pos
	what string
}

type answerKey struct {
	takenKey
	n int
}

// next is the key of a taker that the frame now calls, and how often it was called before.
func (t *tracer) next(f *frame, what string) (takenKey, int) {
	k := takenKey{f.at.Start, what}
	n := t.count[k]
	t.count[k]++
	return k, n
}

// site notes a warning of the tracer.
func (t *tracer) site(at source.Span, kind string, test source.Pos) {
	for _, s := range t.sites {
		if s.At == at && s.Kind == kind {
			return
		}
	}
	t.sites = append(t.sites, &TracerSite{At: at, Kind: kind, test: test})
}

// Decide notes the truth value of a condition, which is asked for.
func (t *tracer) Decide(_ DecisionKind, test source.Span, v value.Value) {
	in := t.in
	if t.mode != tracerLooks || !in.ofInputs(v) {
		return
	}
	t.site(test, "bool", test.Start)
	onData := true
	if b, ok := v.(*value.SymBool); ok {
		_, data := in.decisions.decidedBy(in, b.Cond.Symbols())
		onData = data || b.Source != nil
	}
	for _, s := range t.sites {
		if s.test == test.Start {
			s.OnData = s.OnData || onData
		}
	}
}

// ofInputs reports whether sizes or tensors decide a value.
func (in *Interp) ofInputs(v value.Value) bool {
	for x := range value.Walk(v, value.Deep, value.Sequences) {
		if in.ofInput(x) {
			return true
		}
	}
	return false
}

func (in *Interp) ofInput(v value.Value) bool {
	d := in.decisions
	switch v := v.(type) {
	case *value.Tensor:
		return isTorch(v)
	case *value.SymInt:
		if v.Source != nil {
			return true
		}
		if v.D.Expr != nil {
			sizes, data := d.decidedBy(in, v.D.Expr.Symbols())
			return sizes || data
		}
	case *value.SymFloat:
		sizes, data := d.decidedBy(in, v.R.Symbols())
		return sizes || data
	case *value.SymBool:
		sizes, data := d.decidedBy(in, v.Cond.Symbols())
		return sizes || data || v.Source != nil
	}
	return false
}

// A takerKind says what a function of Python does with what it takes out of a tensor.
type takerKind struct {
	// warns is the kind of the tracer's warning; empty: there is none in the program's lines.
	warns string
	// goesOn says that the trace has its result as it has any other.
	goesOn bool
	// picks says that the result is one of the arguments, state that it is not made of them;
	// always that it warns of whatever it is given.
	picks, state, always bool
}

// pythonTakers are functions of Python by their names. A tensor's __index__ gives no warning.
var pythonTakers = map[string]takerKind{"int": {warns: "int"}, "float": {warns: "float"}, "complex": {warns: "number"}, "bool": {warns: "bool"}, "range": {},
	"min": {warns: "bool", picks: true}, "max": {warns: "bool", picks: true}}

// stateModules are modules whose functions give something else at each call.
var stateModules = []string{"random.", "time.", "secrets.", "uuid.", numpy.Library.Prefix + "random."}

// taker tells whether a call takes something out of a tensor or size, or out of the world.
func (in *Interp) taker(fn value.Value, args []value.Value) (string, takerKind, bool) {
	name := ""
	switch fn := fn.(type) {
	case *value.Builtin:
		name = fn.Name
	case *value.Class:
		if name = fn.Name; in.world.Class(name) != fn {
			return "", takerKind{}, false
		}
	}
	last := name[strings.LastIndexByte(name, '.')+1:]
	if k, ok := pythonTakers[strings.TrimPrefix(name, "builtins.")]; ok {
		return name, k, true
	}
	switch {
	case last == "len" && !strings.HasPrefix(name, "torch."):
		if len(args) == 1 {
			t, ok := args[0].(*value.Tensor)
			return name, takerKind{warns: "len"}, ok && isTorch(t)
		}
		return "", takerKind{}, false
	case strings.HasPrefix(name, "torch."):
		op := recordOf(name)
		k := takerKind{warns: op.Warns.String(), goesOn: op.Warns == ops.WarnsTensor, always: op.Warns == ops.WarnsFromArray}
		return name, k, op.Trace.Has(ops.TakesConstant)
	case strings.HasPrefix(name, "math."):
		return name, takerKind{warns: "float"}, last != "prod"
	case strings.HasPrefix(name, numpy.Library.Prefix) && !ofState(name):
		return name, takerKind{}, true
	}
	return name, takerKind{state: true}, ofState(name)
}

// ofState reports whether a function of Python or numpy gives something else at each call.
func ofState(name string) bool {
	return slices.ContainsFunc(stateModules, func(p string) bool { return strings.HasPrefix(name, p) })
}

// ofClock reports whether a function tells the time.
func ofClock(name string) bool { return strings.HasPrefix(name, "time.") }

// unitNumber is how many numbers random.random() chooses from: the integers below it, divided by it.
const unitNumber = 1 << 53

// drawn gives a number of Python that is not known a symbol, where a function that gives something else at each call, or what
// makes a number of a random array, made it: two runs that use it differ.
func (in *Interp) drawn(fn *value.Builtin, args []value.Value, v value.Value) value.Value {
	x, ok := v.(*value.SymFloat)
	if !ok || x.R.Known() || !ofState(fn.Name) && !slices.ContainsFunc(args, isDrawn) {
		return v
	}
	lo, hi := int64(symshape.NegInf), int64(symshape.PosInf)
	switch {
	case fn.Name == "random.random" || strings.HasPrefix(fn.Name, numpy.Library.Prefix) && recordOf(fn.Name).Trace.Has(ops.DrawsUnit):
		lo, hi = 0, unitNumber-1
	case ofClock(fn.Name):
		lo = 1
	}
	e := in.pool.FreshIn("r", lo, hi)
	in.rec.random[e], in.rec.drawnAt[e] = true, in.Here()
	if ofClock(fn.Name) {
		in.rec.clock[e] = true
	}
	return &value.SymFloat{R: in.pool.RealDiv(in.pool.RealFromInt(e), in.pool.RealFromInt(in.pool.Const(unitNumber)))}
}

// isDrawn reports whether a value is a random array.
func isDrawn(v value.Value) bool {
	t, ok := v.(*value.Tensor)
	return ok && !isTorch(t) && t.V.Def != nil && t.V.Def.Is.Has(graph.Drawn)
}

// torchFunction is the record of a function of torch; it is empty for anything else.
func torchFunction(fn value.Value) *ops.Op {
	b, ok := fn.(*value.Builtin)
	if !ok || !strings.HasPrefix(b.Name, "torch.") {
		return &noRecord
	}
	return recordOf(b.Name)
}

// keeps runs a function that keeps the numbers that it is given and how many tensors it gives.
func (t *tracer) keeps(in *Interp, fn value.Value, op *ops.Op, args []value.Value, run func() (value.Value, error)) (v value.Value, done bool, err error) {
	f := in.frame
	outer := t.busy
	t.busy = f
	defer func() { t.busy = outer }()
	key, n := t.next(f, "keeps "+op.Names[0])
	pieces := func(v value.Value) value.Value {
		if list, ok := sequenceOf(v); ok && op.Trace.Has(ops.GivesPieces) {
			return value.Int(len(list))
		}
		return value.None
	}
	var numbers []value.Value
	for _, a := range args {
		switch a.(type) {
		case value.Int, *value.SymInt:
			numbers = append(numbers, a)
		}
	}
	if t.mode == tracerFirst {
		if v, err = run(); err == nil {
			t.taken[key] = append(t.taken[key], &value.Tuple{Class: in.world.Class("tuple"), Elems: append(numbers, pieces(v))})
		}
		return v, true, err
	}
	if n >= len(t.taken[key]) {
		t.missed = true
		return nil, false, nil
	}
	kept := t.taken[key][n].(*value.Tuple).Elems
	if len(kept) != len(numbers)+1 {
		t.missed = true
		return nil, false, nil
	}
	if t.mode == tracerLooks {
		for _, x := range numbers {
			if in.ofInputs(x) {
				t.inputs[key] = true
				t.elsewhere = t.elsewhere || op.Trace.Has(ops.WarnsInLibrary)
			}
		}
	}
	if t.inputs[key] {
		args = slices.Clone(args)
		i := 0
		for j, a := range args {
			switch a.(type) {
			case value.Int, *value.SymInt:
				args[j] = kept[i]
				i++
			}
		}
		v, err = in.Call(fn, args, nil)
	} else {
		v, err = run()
	}
	if was := kept[len(kept)-1]; err == nil && t.mode == tracerReplays && was != pieces(v) {
		return nil, true, in.Raise("RuntimeError", "the trace takes %s pieces, there are %s", was, pieces(v))
	}
	return v, true, err
}

// tensorRefused are functions of Python that take no tensor, with what they say of one.
var tensorRefused = map[string]string{"round": "type Tensor doesn't define __round__ method", "divmod": "unsupported operand type(s) for divmod(): a tensor, which stands for a size"}

// Perform performs a call of the program, or gives what the trace keeps of it.
func (t *tracer) Perform(fn value.Value, args []value.Value, do CallFunc) (value.Value, error) {
	run := func() (value.Value, error) { return do(args) }
	if v, done, err := t.takes(t.in, fn, args, run); done {
		return v, err
	}
	return do(args)
}

// takes runs a function of Python or a library that the program calls, or gives what the trace
// keeps of it. done is false where a trace has the call like any other.
func (t *tracer) takes(in *Interp, fn value.Value, args []value.Value, run func() (value.Value, error)) (v value.Value, done bool, err error) {
	f := in.frame
	if f == nil || f.prelude || t.busy == f {
		return nil, false, nil
	}
	if op := torchFunction(fn); op.Trace.Has(ops.KeepsNumbers) {
		return t.keeps(in, fn, op, args, run)
	}
	if b, ok := fn.(*value.Builtin); ok && strings.TrimPrefix(b.Name, "builtins.") == "isinstance" && len(args) == 2 {
		return t.isInstance(in, fn, args, run)
	}
	name, kind, ok := in.taker(fn, args)
	if !ok {
		if b, ok := fn.(*value.Builtin); ok && t.mode == tracerLooks && slices.ContainsFunc(args, in.isSize) {
			if why := tensorRefused[strings.TrimPrefix(b.Name, "builtins.")]; why != "" {
				if !t.refused.IsValid() {
					t.refused, t.refusal = f.at, why
				}
				return nil, false, nil
			}
		}
		if t.mode == tracerLooks {
			parts := torchFunction(fn).Trace.Has(ops.KeepsParts) && slices.ContainsFunc(args, in.isSize)
			t.missed = t.missed || parts || in.asksOfSizes(fn, args)
		}
		return nil, false, nil
	}
	outer := t.busy
	t.busy = f
	defer func() { t.busy = outer }()
	key, n := t.next(f, name)
	switch t.mode {
	case tracerFirst:
		if v, err = run(); err != nil {
			return nil, true, err
		}
		kept := v
		if kind.picks {
			kept = pickOf(args, v)
		}
		t.taken[key], t.state = append(t.taken[key], kept), t.state || kind.state && !ofClock(name)
		return v, true, nil
	case tracerLooks:
		tainted := kind.state || kind.always || kind.warns != "" && t.wraps.IsValid() && f.at.Start < t.wraps.Start && f.at.End == t.wraps.End+1
		for _, a := range args {
			tainted = tainted || in.ofInputs(a)
		}
		if !tainted {
			return nil, false, nil
		}
		if kind.warns != "" && !kind.state {
			t.site(f.at, kind.warns, 0)
		}
		if strings.HasPrefix(name, numpy.Library.Prefix) && !kind.state {
			if t.elsewhere = true; recordOf(name).Trace.Has(ops.GivesTensor) {
				t.wraps = f.at
			}
		}
		if kind.goesOn {
			return nil, false, nil
		}
		t.inputs[key] = true
	case tracerReplays:
		if !t.inputs[key] {
			return nil, false, nil
		}
	}
	if list := t.taken[key]; n < len(list) && list[n] != nil {
		if !kind.picks {
			return list[n], true, nil
		}
		if all := picked(args); int(list[n].(value.Int)) < len(all) {
			return all[list[n].(value.Int)], true, nil
		}
	}
	t.missed = true
	return nil, false, nil
}

// isInstance answers isinstance of a size as a trace does, where it is a tensor.
func (t *tracer) isInstance(in *Interp, fn value.Value, args []value.Value, run func() (value.Value, error)) (v value.Value, done bool, err error) {
	key, n := t.next(in.frame, "isinstance")
	if answer, ok := t.answers[answerKey{key, n}]; ok {
		return value.Bool(answer), true, nil
	}
	if t.mode != tracerLooks || !in.isSize(args[0]) {
		return nil, false, nil
	}
	if t.example == nil {
		t.missed = true
		return nil, false, nil
	}
	if v, err = run(); err != nil {
		return nil, true, err
	}
	w, err := in.Call(fn, []value.Value{t.example, args[1]}, nil)
	if err != nil {
		return nil, true, err
	}
	was, ok := v.(value.Bool)
	is, also := w.(value.Bool)
	if !ok || !also {
		t.missed = true
	} else if was != is {
		t.answers[answerKey{key, n}], t.asked = bool(is), true
	}
	return w, true, nil
}

// sizeTakers are functions of Python that do with a size, a tensor in a trace, what they do with a number.
var sizeTakers = []string{"append", "extend", "insert", "print", "str", "repr", "format", "slice", "setattr", "getattr", "hasattr", "callable", "id", "abs", "pow", "prod"}

// asksOfSizes reports whether a size is given to a function of Python that may do something else with
// the tensor that stands for it in a trace: round, the get of a dict.
func (in *Interp) asksOfSizes(fn value.Value, args []value.Value) bool {
	name := ""
	switch fn := fn.(type) {
	case *value.Builtin:
		if name = fn.Name; in.opFuncs[name] == fn || strings.HasPrefix(name, "torch.") {
			return false
		}
	case *value.Class:
		if name = fn.Name; in.world.Class(name) != fn {
			return false
		}
	}
	return !slices.Contains(sizeTakers, name[strings.LastIndexByte(name, '.')+1:]) && slices.ContainsFunc(args, in.isSize)
}

// isSize reports whether a value is a number that sizes or tensors decide.
func (in *Interp) isSize(v value.Value) bool {
	switch v.(type) {
	case *value.SymInt, *value.SymFloat:
		return in.ofInputs(v)
	}
	return false
}

// Diverge notes that a run does not go as the one that is traced did.
func (t *tracer) Diverge(DecisionKind) { t.missed = true }

// Assert gives the condition of an assert in built-in code, torch._assert: a trace does not have it. It warns in the library's lines.
func (t *tracer) Assert(f *Frame, test func() (value.Value, error)) (value.Value, error) {
	v, err := test()
	if err != nil || !f.prelude {
		return v, err
	}
	key, _ := t.next(f, "assert")
	switch t.mode {
	case tracerFirst:
		return v, nil
	case tracerLooks:
		if !t.in.ofInputs(v) {
			return v, nil
		}
		t.inputs[key], t.elsewhere = true, true
	case tracerReplays:
		if !t.inputs[key] {
			return v, nil
		}
	}
	return value.Bool(true), nil
}

// Repeat notes a sequence that is repeated as often as a size says: the trace keeps the number.
func (t *tracer) Repeat(a, b value.Value) (value.Value, value.Value) {
	in := t.in
	if t.mode != tracerLooks || in.frame == nil || in.frame.prelude {
		return a, b
	}
	sequence := func(v value.Value) bool {
		switch v.(type) {
		case *value.List, *value.Tuple, value.Str:
			return true
		}
		return false
	}
	t.missed = t.missed || sequence(a) && in.isSize(b) || sequence(b) && in.isSize(a)
	return a, b
}

// picked are what min and max choose from; nil: not known.
func picked(args []value.Value) []value.Value {
	if len(args) == 1 {
		list, _ := sequenceOf(args[0])
		return list
	}
	return args
}

// pickOf is the index of what min or max chose; nil: not known.
func pickOf(args []value.Value, v value.Value) value.Value {
	for i, a := range picked(args) {
		if a == v {
			return value.Int(i)
		}
	}
	return nil
}

// Iterator gives the iterator over a tensor: as many rows as there were when the trace was made.
func (t *tracer) Iterator(v value.Value) (*value.Iterator, error) {
	in := t.in
	f := in.frame
	x, ok := v.(*value.Tensor)
	if !ok || f == nil || f.prelude || !isTorch(x) || !x.Type().Ranked || len(x.Type().Shape) == 0 {
		return nil, nil
	}
	key, n := t.next(f, "__iter__")
	rows := value.Value(value.FromDim(x.Type().Shape[0]))
	switch t.mode {
	case tracerFirst:
		t.taken[key] = append(t.taken[key], rows)
		return nil, nil
	case tracerLooks:
		t.site(f.at, "iterate", 0)
		t.inputs[key] = true
	}
	if n >= len(t.taken[key]) {
		t.missed = true
		return nil, nil
	}
	kept, ok := t.taken[key][n].(value.Int)
	if !ok {
		t.missed = true
		return nil, nil
	}
	if t.mode == tracerReplays {
		if rows != kept {
			return nil, in.Raise("RuntimeError", "the trace goes over %d rows, there are %s", kept, rows)
		}
		return nil, nil
	}
	if _, sized := x.Type().Shape[0].Expr.Const(); sized || x.Type().Shape[0].Known {
		return nil, nil
	}
	it := &value.Iterator{Header: in.heap.Header(), Name: "tensor_iterator"}
	it.Next = func(value.Thread) (value.Value, bool, error) {
		if it.Pos >= int(kept) {
			return nil, false, nil
		}
		v, err := in.applyTensor("__getitem__", x, value.Int(it.Pos))
		in.heap.Touch(it)
		it.Pos++
		return v, true, err
	}
	return it, nil
}

// Index gives the index of a list, tuple or text: the trace keeps the number. A dict has no such key.
func (t *tracer) Index(v, index value.Value) value.Value {
	in := t.in
	f := in.frame
	if f == nil || f.prelude {
		return index
	}
	key, n := t.next(f, "__index__")
	switch t.mode {
	case tracerFirst:
		t.taken[key] = append(t.taken[key], index)
		return index
	case tracerLooks:
		if !in.ofInputs(index) {
			return index
		}
		if _, ok := v.(*value.Dict); ok {
			t.missed = true
		}
		t.inputs[key] = true
	case tracerReplays:
		if !t.inputs[key] {
			return index
		}
	}
	if n < len(t.taken[key]) {
		return t.taken[key][n]
	}
	t.missed = true
	return index
}
