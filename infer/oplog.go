package infer

// This file keeps the log of op applications, for comparison with recorded runs
// of PyTorch. It is off unless Config.LogOps is set.

import (
	"strings"

	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/ops/catalog"
	"shapecheck/infer/ops/chainer"
	"shapecheck/infer/value"
	"shapecheck/internal/source"
)

// An OpCall is the call of a torch function, method or property.
type OpCall struct {
	// Name is the name in use: "torch.Tensor.__add__", "torch.cat".
	Name string
	// At is the user's expression.
	At source.Span
	// Lib says that library code made the call.
	Lib bool
	In  []value.Value // as they were before the call
	Kw  []value.Kw
	Out value.Value // nil when it raised
	// Maybe says that the run does not decide whether the call is made.
	Maybe bool
	// Loops are the loops of unknown length around the call, outermost first: it
	// stands for one call in each iteration.
	Loops []int
}

// enterLoop begins an iteration that stands for all of a loop; what it returns
// ends it.
func (cf *controlFlow) enterLoop() (leave func()) {
	outer := cf.loops
	cf.loopCount++
	cf.loops = append(outer[:len(outer):len(outer)], cf.loopCount)
	return func() { cf.loops = outer }
}

// enterOnce is enterLoop for what runs once for all elements, such as the element of a
// comprehension.
func (cf *controlFlow) enterOnce() (leave func()) {
	cf.forSeveral()
	ended := cf.enterLoop()
	end, done := cf.heap.Iterate(cf.loopCount)
	return func() {
		cf.forSeveral()
		end()
		done()
		ended()
	}
}

// forSeveral makes the writes to objects that stand for several what they are: each may
// have changed another one.
func (cf *controlFlow) forSeveral() {
	for _, ch := range cf.heap.Several() {
		now := value.Contents(ch.Obj)
		if value.SameContents(ch.Contents, now, sameInLoop) {
			continue
		}
		c := cf.in.DataBool(nil).Cond
		j := cf.in.newJoiner(c)
		cf.heap.Replace(ch.Obj, value.JoinContents(ch.Obj, ch.Contents, now, j))
		if len(j.phis) > 0 {
			cf.build.Incomplete(cf.in.Here(), "which of several objects is written to is not shown")
			j.emit(graph.Cond{Cond: c}, &graph.Region{}, &graph.Region{})
		}
	}
}

// opSteps is about what it takes to apply the record of a library function.
const opSteps = 64

// applyOp calls a record and logs it.
func (in *Interp) applyOp(op *ops.Op, name string, args []value.Value, kw []value.Kw) (value.Value, error) {
	if err := in.spent.charge(opSteps); err != nil {
		return nil, err
	}
	if err := in.Enter(""); err != nil {
		return nil, err
	}
	defer in.Leave()
	if f := in.stack.frame; f != nil {
		outer := f.op
		f.op = name
		defer func() { f.op = outer }()
	}
	if in.stack.frame != nil && in.stack.frame.prelude {
		defer markLib(in.build.Region(), in.build.Mark())
	}
	if !in.cfg.LogOps || in.rec.inOp {
		return in.flow.attempt(func() (value.Value, error) { return in.applyRecord(op, name, args, kw) })
	}
	i := in.startOp(name, args, kw)
	v, err := in.flow.attempt(func() (value.Value, error) { return in.applyRecord(op, name, args, kw) })
	in.endOp(i, v, err)
	return v, err
}

// applyRecord applies a record to what autocast makes of the arguments.
func (in *Interp) applyRecord(op *ops.Op, name string, args []value.Value, kw []value.Kw) (value.Value, error) {
	for _, a := range args {
		if i, ok := a.(*value.Instance); ok {
			if _, own := i.Class.Lookup("__torch_function__"); own {
				return in.Unknown("what __torch_function__ of " + i.Class.Name + " makes of " + name), nil
			}
		}
	}
	in.tracing.asksElements(op, args)
	return in.native.autocast(op, name, args, kw, func(args []value.Value, kw []value.Kw) (value.Value, error) {
		apply := func(args []value.Value, kw []value.Kw) (value.Value, error) {
			if len(in.tracers.ops) == 0 {
				return in.applyNative(op, name, args, kw)
			}
			return in.tracers.op(op, name, args, kw, func(args []value.Value) (value.Value, error) { return in.applyNative(op, name, args, kw) })
		}
		if in.rec.backprop != nil && strings.HasPrefix(name, chainer.Library.Prefix) {
			return in.variables.variableFunction(op, args, kw, apply)
		}
		return in.grads.autograd(op, name, args, kw, apply)
	})
}

// applyNative applies a record, which may be left where a limit is reached.
func (in *Interp) applyNative(op *ops.Op, name string, args []value.Value, kw []value.Kw) (v value.Value, err error) {
	if err := in.chargeAxes(args, kw); err != nil {
		return nil, err
	}
	outer := in.spent.enterNative()
	defer in.spent.leaveNative(outer, &err)
	in.suite.noteOp()
	apply := func() (value.Value, error) { return catalog.Apply(in, op, name, args, kw) }
	if v, done, err := in.rankTrials.ofAnyRank(args, kw, apply); done {
		return v, err
	}
	return apply()
}

const (
	axesPerStep = 64 // that are compared
	axisBytes   = 24 // of an axis in a shape
)

// chargeAxes charges what rules do with the axes of arguments that have very many: they compare them with each other, and
// make a shape for each.
func (in *Interp) chargeAxes(args []value.Value, kw []value.Kw) error {
	rank, length := 0, len(args)
	note := func(v value.Value) {
		if t, ok := v.(*value.Tensor); ok {
			rank = max(rank, t.Type().Rank())
		}
	}
	noteAll := func(v value.Value) {
		var list []value.Value
		switch v := v.(type) {
		case *value.Tensor:
			note(v)
		case *value.Tuple:
			list = v.Elems
		case *value.List:
			list = v.Elems
		}
		for _, e := range list {
			note(e)
		}
		length = max(length, len(list))
	}
	for _, v := range args {
		noteAll(v)
	}
	for _, k := range kw {
		noteAll(k.Value)
	}
	if rank <= ops.ManyAxes {
		return nil
	}
	if err := in.spent.charge(rank * (rank + length) / axesPerStep); err != nil {
		return err
	}
	return in.Alloc(rank * length * axisBytes)
}

// startOp begins an entry of the log; what is called inside is part of it.
func (in *Interp) startOp(name string, args []value.Value, kw []value.Kw) int {
	c := &OpCall{Name: name, At: in.Here(), Lib: in.stack.frame != nil && in.stack.frame.prelude,
		Maybe: len(in.path.conds) > 0, Loops: in.loops}
	for _, a := range args {
		c.In = append(c.In, Snapshot(a))
	}
	for _, k := range kw {
		c.Kw = append(c.Kw, value.Kw{Name: k.Name, Value: Snapshot(k.Value)})
	}
	in.rec.ops = append(in.rec.ops, c)
	in.rec.inOp = true
	return len(in.rec.ops) - 1
}

func (in *Interp) endOp(i int, v value.Value, err error) {
	in.rec.inOp = false
	if i < len(in.rec.ops) && err == nil {
		in.rec.ops[i].Out = Snapshot(v)
	}
}

// logsFunc reports whether the call of a function of the prelude is an entry of
// its own: user code calls a function that PyTorch has under that name.
func (in *Interp) logsFunc(fn *value.Func) (string, bool) {
	if !in.cfg.LogOps || in.rec.inOp || fn.Module == nil || !fn.Module.Prelude || in.stack.frame == nil || in.stack.frame.prelude {
		return "", false
	}
	switch fn.Module.Name { // none of these calls the user's code
	case "torch", "torch.functional", "torch.nn.functional", "torch.linalg", "torch.special", "torch.fft":
		return fn.Module.Name + "." + fn.Name, true
	}
	return "", false
}
