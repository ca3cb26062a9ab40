package infer

// This file makes the programs of torch.export in a script and runs them beside the model;
// exported.go has what a run of the body notes.

import (
	"errors"
	"slices"
	"strconv"

	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/internal/source"
	"shapecheck/symshape"
)

// An ExportOutcome is what torch.export says of a module in one of its two modes.
type ExportOutcome struct {
	Strict bool
	// Inputs are the tensors among the arguments with their sizes, and other arguments.
	Inputs []ExportInput
	Ranges []ExportRange
	// Error is what it refuses; nil: it makes a program.
	Error *ExportError
}

// An ExportInput is an argument: the sizes of a tensor as texts, or what else it is.
type ExportInput struct {
	Name  string
	Sizes []string
	Text  string // of what is no tensor
}

// An ExportRange bounds a symbol; symshape.NegInf and PosInf: it does not.
type ExportRange struct {
	Name   string
	Lo, Hi int64
}

// An ExportError is why there is no program.
type ExportError struct {
	Type, Message string
	// Kind is "constraints violated", "data-dependent guard", "data-dependent size", "data-dependent
	// branch", "unsupported" or "other".
	Kind string
	// At is where in the program; it may be invalid.
	At source.Span
	// Fixes are the declarations of sizes that the module takes, as torch.export suggests them; Further those that it leaves to find.
	Fixes, Further []string

	exception error // of the program itself
}

// An exported is a program that was made.
type exported struct {
	call   *RetraceCall
	target value.Value
	state  []value.Change // what the program's objects held before
	body   *TracedCall
	notes  *exporting
	args   []value.Value // with symbols
	kw     []value.Kw
	given  []value.Value // as they were given
	leaves []*exportLeaf
	roots  map[*symshape.Expr]bool // as those of exporting
}

// NotSuggested ends a note with a declaration that torch.export does not suggest.
const NotSuggested = ", which torch.export does not say at once"

// Finding is the error for people, at the call of torch.export unless it has a place of its own.
func (e *ExportError) Finding(call source.Span) *diag.Diagnostic {
	code := diag.DataDecides
	if e.Kind == "constraints violated" || e.Kind == "other" {
		code = diag.RestrictedDim
	}
	at := e.At
	if !at.IsValid() {
		at = call
	}
	d := diag.New(code, at, "torch.export: "+e.Message)
	for _, f := range e.Fixes {
		d.Notes = append(d.Notes, "declare "+f)
	}
	for _, f := range e.Further {
		d.Notes = append(d.Notes, "declare "+f+NotSuggested)
	}
	return d
}

// exportTraced implements export_trace(module, arguments, keywords, names and specs, strict, texts, name, why dynamic_shapes does not fit
// or None, whether it has an axis that a tensor has not): it gives the number of the program.
func (in *Interp) exportTraced(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
	if len(args) != 9 {
		return nil, in.Raise("TypeError", "export_trace takes 9 arguments")
	}
	r := &in.retraces
	given, ok := value.AsSequence(args[1])
	kwargs, dict := args[2].(*value.Dict)
	specs, also := value.AsSequence(args[3])
	if !ok || !dict || !also {
		return nil, in.Raise("TypeError", "export_trace takes a tuple, a dict and a list")
	}
	c := in.jitCall(value.Str("export"), args[6], args[5])
	c.Framework = "export"
	x, m := in.newExported(args[0], given, kwargs, specs, false)
	x.call = c
	if text, ok := value.AsStr(args[7]); ok {
		m.err = &ExportError{Type: userError, Kind: "other", Message: text, At: in.Here()}
	}
	strict := args[4] == value.Bool(true)
	c.Exports = make([]*ExportOutcome, 2)
	if m.err != nil {
		for i := range c.Exports {
			c.Exports[i] = &ExportOutcome{Strict: strict != (i == 1), Error: m.err}
		}
		return nil, in.exportRefused(c, m.err)
	}
	own := in.ownState(x.target)
	for i := range c.Exports {
		mode := strict != (i == 1)
		if args[8] == value.Bool(true) && !mode { // strict mode does not look at it
			c.Exports[i] = &ExportOutcome{Error: &ExportError{Type: "IndexError", Kind: "other",
				Message: "list assignment index out of range: dynamic_shapes has an axis that the tensor has not", At: in.Here()}}
			continue
		}
		notes := &exporting{strict: mode}
		var body *TracedCall
		var err error
		run := func() {
			effects := in.effectsOf(func() { body, err = in.exportBody(x, notes) })
			if i == 0 {
				c.Effects = effects
			}
			c.Exports[i] = in.exportOutcome(m, x, body, notes)
		}
		if i == 0 && !mode { // the module's attributes are as before, what else the body wrote is not
			facts := in.path.facts
			run()
			in.path.facts = facts
			for _, s := range own {
				if _, ok := s.Obj.(*value.Attrs); ok {
					in.heap.Replace(s.Obj, s.Contents)
				}
			}
		} else {
			in.takeBack(nil, run)
		}
		if err != nil {
			return nil, err
		}
		if i == 0 {
			x.body, x.notes = body, notes
		}
	}
	out := c.Exports[0]
	if out == nil {
		x.notes = nil
		r.exported = append(r.exported, x)
		return value.Int(len(r.exported) - 1), nil
	}
	if e := out.Error; e != nil {
		if e.exception != nil {
			return nil, in.jitEnds(c, e.exception)
		}
		return nil, in.exportRefused(c, e)
	}
	r.exported = append(r.exported, x)
	return value.Int(len(r.exported) - 1), nil
}

// newExported makes the arguments with which a module is exported, or traced by torch.jit.trace. specs has name and dynamic sizes of each.
func (in *Interp) newExported(target value.Value, given []value.Value, kwargs *value.Dict, specs []value.Value, jit bool) (*exported,
	*exportMaker) {
	m := &exportMaker{in: in, visit: value.Visit{Repeats: value.SomeRepeats}, jit: jit}
	x := &exported{target: target, state: in.programState(target)}
	spec := func(i int) (string, value.Value) {
		if i < len(specs) {
			if pair, ok := value.AsSequence(specs[i]); ok && len(pair) == 2 {
				name, _ := value.AsStr(pair[0])
				return name, pair[1]
			}
		}
		return "arg" + strconv.Itoa(i), value.None
	}
	for i, v := range given {
		name, s := spec(i)
		x.args, x.given = append(x.args, m.value(name, v, s)), append(x.given, v)
	}
	for i := range kwargs.Len() {
		key, _ := value.AsStr(kwargs.Key(i))
		name, s := spec(len(given) + i)
		x.kw = append(x.kw, value.Kw{Name: key, Value: m.value(name, kwargs.At(i), s)})
		x.given = append(x.given, kwargs.At(i))
	}
	x.leaves, x.roots = m.leaves, m.roots
	return x, m
}

// exportRefused is the exception of torch.export.
func (in *Interp) exportRefused(c *RetraceCall, e *ExportError) error {
	return in.jitEnds(c, in.Fail(e.Type, e.Finding(in.Here())))
}

// ownState is what the objects hold that a value leads to.
func (in *Interp) ownState(v value.Value) []value.Change {
	s := &stateWalk{in: in, seen: map[any]bool{}}
	s.all(v)
	return s.list
}

// exportBody runs the body of a module as torch.export does.
func (in *Interp) exportBody(x *exported, notes *exporting) (*TracedCall, error) {
	notes.in, notes.roots = in, x.roots
	r := sideRun{target: x.target, args: x.args, kw: x.kw, tracer: notes}
	switch {
	case notes.jit:
	case notes.guards || notes.compile:
		r.exporting = "compile"
	case notes.strict:
		r.exporting = "strict"
	default:
		r.exporting = "export"
	}
	return in.runBeside(r)
}

// exportRuns implements export_run(number, arguments, keywords, texts): it runs a program beside
// the model and gives what the program does.
func (in *Interp) exportRuns(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
	n := -1
	if len(args) == 4 {
		k, _ := value.AsInt(args[0])
		n = int(k)
	}
	if n < 0 || n >= len(in.retraces.exported) {
		return nil, in.Raise("TypeError", "export_run takes the number of a program and arguments")
	}
	x := in.retraces.exported[n]
	given, _ := value.AsSequence(args[1])
	kwargs, _ := args[2].(*value.Dict)
	if kwargs == nil {
		return nil, in.Raise("TypeError", "export_run takes a dict of keywords")
	}
	c := in.jitCall(value.Str("run"), value.Str(x.call.Function), args[3])
	c.Framework = "export"
	all := slices.Clone(given)
	var kw []value.Kw
	for i := range kwargs.Len() {
		key, _ := value.AsStr(kwargs.Key(i))
		kw = append(kw, value.Kw{Name: key, Value: kwargs.At(i)})
		all = append(all, kwargs.At(i))
	}
	refused := func(class, text string) (value.Value, error) {
		e := in.Raise(class, "%s", text)
		_ = errors.As(e, &c.Error)
		return nil, in.jitEnds(c, e)
	}
	same := len(given) == len(x.args) && len(kw) == len(x.kw)
	for i := range kw {
		same = same && kw[i].Name == x.kw[i].Name
	}
	b := &exportBinder{in: in, visit: value.Visit{Repeats: value.SomeRepeats}, x: x, sizes: map[string]int64{}}
	kept := make([]value.Value, len(all))
	for i := range all {
		if same {
			kept[i], same = b.value(x.given[i], all[i])
		}
	}
	switch {
	case !same:
		return refused("ValueError", "the arguments have another structure than those of the export")
	case b.guard != "":
		return refused("AssertionError", "Guard failed: "+b.guard)
	case x.notes == nil || b.unsure:
	default:
		if text := in.exportGuards(x, b); text != "" {
			return refused("AssertionError", "Guard failed: "+text)
		}
	}
	var replay *TracedCall
	if x.notes != nil && !b.unsure {
		keptKw := slices.Clone(x.kw)
		for i := range keptKw {
			keptKw[i].Value = kept[len(given)+i]
		}
		var err error
		if replay, err = in.exportReplay(x, kept[:len(given)], keptKw); err != nil {
			return nil, err
		}
		if e := replay.Error; e != nil {
			if e.Value.Class.Name == "AssertionError" { // of tensors: that of sizes is a guard
				return refused("RuntimeError", "assertion error")
			}
			c.Error = e
			return nil, in.jitEnds(c, e)
		}
		if replay.Output != nil {
			c.Result = replay.Output.String()
		}
	}
	again := sideRun{target: x.target, args: given, kw: kw}
	if replay == nil {
		again.findings = findingsIfFails
	}
	eager, err := in.runBeside(again)
	if err != nil {
		return nil, err
	}
	if replay == nil {
		return in.Unknown("what an exported program gives"), nil
	}
	if eager.Error == nil {
		if same, known := in.sameOutcome(replay, eager); known {
			c.Equal = &same
		}
	}
	return replay.Output, nil
}

// exportReplay runs the body as it ran when it was exported, with the tensors of the module as
// they are now. What it writes to tensors stays.
func (in *Interp) exportReplay(x *exported, args []value.Value, kw []value.Kw) (c *TracedCall, err error) {
	var tensors []value.Mutable
	for _, v := range args {
		if t, ok := v.(*value.Tensor); ok {
			tensors = append(tensors, t)
		}
	}
	var state []value.Change
	for _, s := range x.state {
		switch s.Obj.(type) {
		case *value.Tensor, *value.Storage:
			tensors = append(tensors, s.Obj)
		default:
			state = append(state, s)
		}
	}
	var written []value.Change
	in.takeBack(state, func() {
		c, err = in.runBeside(sideRun{target: x.target, args: args, kw: kw, kept: x.body.Decisions, exporting: "again"})
		for _, t := range tensors {
			written = append(written, value.Change{Obj: t, Contents: value.ContentsOf(t)})
		}
	})
	for _, w := range written {
		in.heap.Replace(w.Obj, w.Contents)
	}
	return c, err
}

// exportGuards is the first condition that sizes do not meet; empty: they meet all.
func (in *Interp) exportGuards(x *exported, b *exportBinder) string {
	env := func(s string) (int64, bool) { n, ok := b.sizes[s]; return n, ok }
	for _, c := range x.notes.conds {
		if v, err := c.c.Eval(env); err == nil && !v {
			return c.c.String()
		}
	}
	for _, c := range slices.Concat(x.notes.apart, x.notes.later) {
		if v, err := c.Eval(env); err == nil && !v {
			return c.String()
		}
	}
	return ""
}

// exportNatives defines what the prelude of torch.export uses.
func (in *Interp) exportNatives(def func(string, value.NativeFunc)) {
	def("export_trace", in.exportTraced)
	def("export_run", in.exportRuns)
}
