package infer

// This file lets package trace/dynamo hear a call of a compiled function: it is the interpreter for that package.

import (
	"shapecheck/infer/graph"
	"shapecheck/infer/value"
	"shapecheck/internal/source"
	"shapecheck/parser/ast"
	"shapecheck/parser/resolve"
	"shapecheck/trace/dynamo"
	"shapecheck/trace/export"
)

// A dynamoTracer hears a run for torch.compile, which has the events itself.
type dynamoTracer struct {
	*dynamo.Run
	quiet
}

// Name notes that a variable is read.
func (t dynamoTracer) Name(f *Frame, n *ast.Name, b resolve.Binding, v value.Value) {
	t.Run.Name(f, n, b, v)
}

// Write notes that a variable is bound.
func (t dynamoTracer) Write(f *Frame, b resolve.Binding, name string) { t.Run.Write(f, b, name) }

// Evaluate notes which expression is evaluated.
func (t dynamoTracer) Evaluate(f *Frame, e ast.Expr) { t.Run.Evaluate(f, e) }

// Evaluated notes what it gave.
func (t dynamoTracer) Evaluated(f *Frame, e ast.Expr, v value.Value) { t.Run.Evaluated(f, e, v) }

// Format notes what is written into a text.
func (t dynamoTracer) Format(f *Frame, v value.Value) value.Value { return t.Run.Format(f, v) }

// Arguments notes a call of the program.
func (t dynamoTracer) Arguments(f *Frame, e *ast.Call, fn value.Value, args []value.Value, kw []value.Kw) {
	t.Run.Arguments(f, e, fn, args, kw)
}

// Enter notes that a function runs.
func (t dynamoTracer) Enter(f *Frame) (leave func()) { return t.Run.Enter(f) }

// Iterate notes a turn of a loop.
func (t dynamoTracer) Iterate(f *Frame, over ast.Expr, turn int) { t.Run.Iterate(f, over, turn) }

// Assert notes what an assertion asks for. The error is that of test.
func (t dynamoTracer) Assert(_ *Frame, test func() (value.Value, error)) (value.Value, error) {
	return t.Run.Assert(test)
}

// setDynamo has a call of a compiled function hear the run, instead of another one; nil: none does.
func (in *Interp) setDynamo(d *dynamo.Run) {
	if in.dynamo != nil {
		in.tracers = in.tracers.leavingOut(func(t Tracer) bool { return t == dynamoTracer{Run: in.dynamo} })
	}
	if in.dynamo = d; d != nil {
		in.tracers = in.tracers.with(dynamoTracer{Run: d})
	}
}

// A dynamoHost is the interpreter for trace/dynamo.
type dynamoHost struct{ exportHost }

var _ dynamo.Host = dynamoHost{}

func (h dynamoHost) InLibrary() bool { return h.stack.inPrelude() }

func (h dynamoHost) Certain() bool { return len(h.path.conds)+len(h.loops) == 0 }

func (h dynamoHost) Recording() bool { return h.decisions != nil }

// Setting is an attribute of torch._dynamo.config; ok is false where it has none, or where nothing has imported it: nothing was set
// then.
func (h dynamoHost) Setting(name string) (v value.Value, ok bool) {
	m, ok := h.modules["torch._dynamo"]
	if !ok {
		return nil, false
	}
	config, err := h.GetAttr(m, "config")
	if err != nil {
		return nil, false
	}
	v, ok, err = h.LookupAttr(config, name)
	return v, ok && err == nil
}

func (h dynamoHost) BuiltinName(fn value.Value) string { return h.builtinName(fn) }

// Key is the key of a dict that a value is. The error is that of its __hash__.
func (h dynamoHost) Key(v value.Value) (key any, ok bool, err error) {
	return h.world.HashKey(h.Interp, v)
}

func (h dynamoHost) MadeInInference(v *graph.Value) bool { return h.rec.grads.inference[v] }

func (h dynamoHost) InferenceMode() bool { return h.grads.inferenceMode() }

// RunIn runs a program in a state and takes back what it does. The error is one that ends the run.
func (h dynamoHost) RunIn(state []value.Change, p *export.Program, r *export.Run) (err error) {
	h.takeBack(state, func() { _, err = h.exportBody(p, r) })
	return err
}

// branchesOf are the places that a call recorded.
func branchesOf(list []*Decision) []dynamo.Branch {
	out := make([]dynamo.Branch, len(list))
	for i, d := range list {
		out[i] = dynamo.Branch{Kind: string(d.Kind), At: d.At, Test: d.Test, Ways: d.Ways}
	}
	return out
}

var _ dynamo.Frame = (*frame)(nil)

// InLibrary reports whether a library's code runs.
func (f *frame) InLibrary() bool { return f.prelude }

// CalledByProgram reports whether the program's own code called the function.
func (f *frame) CalledByProgram() bool { return f.caller != nil && !f.caller.prelude }

// CallSite is where the program's innermost code stands that called the function.
func (f *frame) CallSite() source.Span {
	for c := f.caller; c != nil; c = c.caller {
		if !c.prelude && c.at.IsValid() {
			return c.at
		}
	}
	return source.Span{}
}

// Func is the function that runs, or nil.
func (f *frame) Func() *value.Func { return f.fn }

// Code is what runs.
func (f *frame) Code() dynamo.Code { return f.code }

// InLibrary reports whether it is a library's.
func (c *code) InLibrary() bool { return c.prelude }

// Body is the statements of a def.
func (f *frame) Body() []ast.Stmt { return f.code.body }

// Definition is the node of the function, class body or comprehension.
func (f *frame) Definition() ast.Node { return f.code.node }

// Variables are the values by slot.
func (f *frame) Variables() []value.Value { return f.V }

// Cells are those of the variables that other functions see, by slot.
func (f *frame) Cells() []*value.Cell { return f.cells }

// Free are the cells of variables of the functions around it.
func (f *frame) Free() []*value.Cell { return f.free }

// Binding is what a name means.
func (f *frame) Binding(n *ast.Name) resolve.Binding { return f.unit.info.Names[n.Index] }
