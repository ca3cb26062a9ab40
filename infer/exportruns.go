package infer

// This file makes the programs of torch.export in a script and runs them beside the model;
// trace/export has what a run of the body notes.

import (
	"errors"
	"slices"

	"shapecheck/infer/value"
	"shapecheck/trace/export"
	"shapecheck/trace/retrace"
)

// An exported is a program that was made.
type exported struct {
	*export.Program
	call  *retrace.Call
	state []value.Change // what the program's objects held before
	body  *TracedCall
	run   *export.Run // nil: what the program relies on is not known
}

// exportTraced implements export_trace(module, arguments, keywords, names and specs, strict, texts, name, why dynamic_shapes does not fit
// or None, whether it has an axis that a tensor has not): it gives the number of the program.
func (in *Interp) exportTraced(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
	if len(args) != 9 {
		return nil, in.Raise("TypeError", "export_trace takes 9 arguments")
	}
	rs := &in.retraces
	given, ok := value.AsSequence(args[1])
	kwargs, dict := args[2].(*value.Dict)
	specs, also := value.AsSequence(args[3])
	if !ok || !dict || !also {
		return nil, in.Raise("TypeError", "export_trace takes a tuple, a dict and a list")
	}
	c := in.jitCall(value.Str("export"), args[6], args[5])
	c.Framework = "export"
	x := &exported{call: c, state: in.programState(args[0])}
	x.Program = export.NewProgram(exportHost{in}, args[0], given, kwargs, specs, false)
	refused := x.Refused
	if text, ok := value.AsStr(args[7]); ok {
		refused = &export.Error{Type: export.UserError, Kind: export.OtherError, Message: text, At: in.Here()}
	}
	strict := args[4] == value.Bool(true)
	c.Exports = make([]*export.Outcome, 2)
	if refused != nil {
		for i := range c.Exports {
			c.Exports[i] = &export.Outcome{Strict: strict != (i == 1), Error: refused}
		}
		return nil, in.exportRefused(c, refused)
	}
	own := in.ownState(x.Target)
	for i := range c.Exports {
		mode := strict != (i == 1)
		if args[8] == value.Bool(true) && !mode { // strict mode does not look at it
			c.Exports[i] = &export.Outcome{Error: &export.Error{Type: "IndexError", Kind: export.OtherError,
				Message: "list assignment index out of range: dynamic_shapes has an axis that the tensor has not", At: in.Here()}}
			continue
		}
		r := export.NewRun(exportHost{in}, x.Program, export.Plain)
		if mode {
			r = export.NewRun(exportHost{in}, x.Program, export.Strict)
		}
		var body *TracedCall
		var err error
		run := func() {
			effects := in.effectsOf(func() { body, err = in.exportBody(x.Program, r) })
			if i == 0 {
				c.Effects = effects
			}
			c.Exports[i] = x.Outcome(r, body.Error)
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
			x.body, x.run = body, r
		}
	}
	out := c.Exports[0]
	if out == nil {
		x.run = nil
		rs.exported = append(rs.exported, x)
		return value.Int(len(rs.exported) - 1), nil
	}
	if e := out.Error; e != nil {
		if e.Raised != nil {
			return nil, in.jitEnds(c, e.Raised)
		}
		return nil, in.exportRefused(c, e)
	}
	rs.exported = append(rs.exported, x)
	return value.Int(len(rs.exported) - 1), nil
}

// exportRefused is the exception of torch.export.
func (in *Interp) exportRefused(c *retrace.Call, e *export.Error) error {
	e.Reported = e.Finding(in.Here())
	return in.jitEnds(c, in.Fail(e.Type, e.Reported))
}

// ownState is what the objects hold that a value leads to.
func (in *Interp) ownState(v value.Value) []value.Change {
	s := &stateWalk{in: in, seen: map[any]bool{}}
	s.all(v)
	return s.list
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
	kw := keywordsOf(kwargs)
	refused := func(class, text string) (value.Value, error) {
		e := in.Raise(class, "%s", text)
		_ = errors.As(e, &c.Error)
		return nil, in.jitEnds(c, e)
	}
	b := x.Bind(given, kw, x.run)
	switch {
	case b.OtherStructure:
		return refused("ValueError", "the arguments have another structure than those of the export")
	case b.Guard != "":
		return refused("AssertionError", "Guard failed: "+b.Guard)
	}
	var replay *TracedCall
	if x.run != nil && !b.Unsure {
		keptKw := slices.Clone(x.Kw)
		for i := range keptKw {
			keptKw[i].Value = b.Args[len(given)+i]
		}
		var err error
		if replay, err = in.exportReplay(x, b.Args[:len(given)], keptKw); err != nil {
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
	again := sideRun{target: x.Target, args: given, kw: kw}
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
		c, err = in.runBeside(sideRun{target: x.Target, args: args, kw: kw, kept: x.body.Decisions, exporting: "again"})
		for _, t := range tensors {
			written = append(written, value.Change{Obj: t, Contents: value.ContentsOf(t)})
		}
	})
	for _, w := range written {
		in.heap.Replace(w.Obj, w.Contents)
	}
	return c, err
}

// exportNatives defines what the prelude of torch.export uses.
func (in *Interp) exportNatives(def func(string, value.NativeFunc)) {
	def("export_trace", in.exportTraced)
	def("export_run", in.exportRuns)
}

// keywordsOf are the keyword arguments that a dict holds.
func keywordsOf(d *value.Dict) []value.Kw {
	var kw []value.Kw
	for i := range d.Len() {
		key, _ := value.AsStr(d.Key(i))
		kw = append(kw, value.Kw{Name: key, Value: d.At(i)})
	}
	return kw
}
