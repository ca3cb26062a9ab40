// Package read turns an ONNX model into the compiler's form: operators in the newest
// version, local functions replaced by their nodes, constants in the store, subgraphs
// closed, every value typed by the rules of onnx/inference.
//
//	read.go   Model, errors      ports.go   inputs, symbols, contract
//	graph.go  graphs and nodes   control.go nodes with subgraphs
//	flex.go   FlexAttention as its body
package read

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"shapecheck/codegen/ir"
	"shapecheck/onnx"
	"shapecheck/onnx/check"
	"shapecheck/onnx/inference"
	"shapecheck/onnx/inline"
	"shapecheck/onnx/schema"
	"shapecheck/symshape"
)

// Options say how a model is read. The zero value reads it as it is.
type Options struct {
	// Load gives the elements of a tensor that is in another file, or in a source; nil: such
	// tensors are errors.
	Load func(*onnx.Tensor) (*onnx.Tensor, error)
	// Bind gives symbols of the inputs' types values: a program for these sizes alone.
	Bind map[string]int64
	// Keep names values of the model that become outputs, beside its own.
	Keep []string
}

// An Error is something in the model that cannot be compiled.
type Error struct {
	Node, Op, Value string
	Source          string // the line of the source that the node comes from: net.py:12
	Reason          string
	Cause           error // of memory that there is not, or of a context that has ended; else it may be nil
}

// Unwrap gives the cause. It is an error of memory or of the context, or nil.
func (e *Error) Unwrap() error { return e.Cause }

func (e *Error) Error() string {
	return (&check.Error{Node: e.Node, Op: e.Op, Value: e.Value, Source: e.Source, Reason: e.Reason}).Error()
}

// maxErrors bounds the list of errors.
const maxErrors = 50

// Model reads a model, which must not be used afterwards. The error joins all that was
// found, each an *Error.
func Model(ctx context.Context, m *onnx.Model, o Options) (*ir.Module, error) {
	r := &reader{ctx: ctx, model: m, opts: o, pool: symshape.NewPool(), solutions: map[string]*symshape.Expr{}}
	for _, e := range check.Model(m) {
		if !e.NoRank {
			r.fail(&Error{Node: e.Node, Op: e.Op, Value: e.Value, Source: e.Source, Reason: e.Reason})
		}
	}
	if len(r.errs) > 0 {
		return nil, r.err()
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	kept, err := inline.Model(ctx, m)
	if err != nil {
		return nil, err
	}
	for _, f := range kept {
		r.fail(&Error{Value: f.Name, Reason: "the function's operators are of other versions than the model's, so that it cannot be replaced by its nodes"})
	}
	r.module = ir.NewModule(m.Graph.Name, r.pool)
	r.session = inference.NewSession(r.pool)
	r.names = takenNames(m.Graph)
	r.read()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if len(r.errs) > 0 {
		return nil, r.err()
	}
	if err := r.module.BindSymbols(); err != nil {
		return nil, err
	}
	return r.module, nil
}

type reader struct {
	ctx     context.Context
	model   *onnx.Model
	opts    Options
	pool    *symshape.Pool
	module  *ir.Module
	session *inference.Session
	names   map[string]bool // of values, which no new one may have
	fresh   int
	nest    int
	errs    []*Error
	// solutions are what symbols are by dimensions that bind them, and require what these then need.
	solutions map[string]*symshape.Expr
	require   []ir.Condition
}

func (r *reader) fail(e *Error) {
	for _, x := range r.errs {
		a, b := *x, *e
		if a.Cause, b.Cause = nil, nil; a == b {
			return
		}
	}
	if len(r.errs) < maxErrors {
		r.errs = append(r.errs, e)
	}
}

func (r *reader) failAt(n *onnx.Node, format string, args ...any) {
	r.fail(&Error{Node: n.Name, Op: n.Op, Source: onnx.SourceOf(n), Reason: fmt.Sprintf(format, args...)})
}

func (r *reader) err() error {
	list := make([]error, len(r.errs))
	for i, e := range r.errs {
		list[i] = e
	}
	return errors.Join(list...)
}

// read fills the module.
func (r *reader) read() {
	s := &scope{g: r.module.Main, vals: map[string]*ir.Value{}}
	r.initializers(s, r.model.Graph)
	r.inputs(s)
	r.contract()
	if len(r.errs) > 0 {
		return
	}
	r.nodes(s, r.model.Graph.Nodes)
	if len(r.errs) > 0 {
		return
	}
	out := func(name string) {
		v := s.vals[name]
		if v == nil {
			r.fail(&Error{Value: name, Reason: "no node makes this output"})
			return
		}
		s.g.AddResult(v)
		r.module.Outs = append(r.module.Outs, ir.Port{Name: name, Type: v.Type})
	}
	for _, o := range r.model.Graph.Outputs {
		out(o.Name)
	}
	for _, name := range r.opts.Keep {
		out(name)
	}
	for _, e := range r.model.Metadata {
		if e.Key != "contract" && e.Key != "ranges" {
			r.module.Metadata = append(r.module.Metadata, onnx.Entry{Key: e.Key, Value: e.Value})
		}
	}
}

// takenNames are the names of all values of a graph and its subgraphs.
func takenNames(g *onnx.Graph) map[string]bool {
	out := map[string]bool{}
	var graph func(*onnx.Graph)
	graph = func(g *onnx.Graph) {
		for _, v := range g.Inputs {
			out[v.Name] = true
		}
		for _, t := range g.Initializers {
			out[t.Name] = true
		}
		for _, n := range g.Nodes {
			for _, o := range n.Outputs {
				out[o] = true
			}
			n.Subgraphs(func(_ string, sub *onnx.Graph) { graph(sub) })
		}
	}
	graph(g)
	return out
}

// freshName makes a name that no value has.
func (r *reader) freshName(hint string) string {
	for {
		r.fresh++
		if s := hint + "." + strconv.Itoa(r.fresh); !r.names[s] {
			r.names[s] = true
			return s
		}
	}
}

// place splits net.py:12.
func place(s string) (file string, line int, ok bool) {
	at := strings.LastIndexByte(s, ':')
	if at < 0 || strings.ContainsRune(s, '\n') || strings.Trim(s[at+1:], "0123456789") != "" {
		return "", 0, false
	}
	line, err := strconv.Atoi(s[at+1:])
	return s[:at], line, err == nil
}

// origin says where a node comes from.
func (r *reader) origin(n *onnx.Node) ir.Origin {
	var o ir.Origin
	if file, line, ok := place(onnx.SourceOf(n)); ok {
		o.Places = []ir.PlaceID{r.module.Places.Add(ir.Place{File: file, Line: line})}
	}
	name := n.Name
	for i := 0; name == "" && i < len(n.Outputs); i++ {
		name = n.Outputs[i]
	}
	if name == "" {
		name = n.Op
	}
	o.Nodes = []string{name}
	return o
}

// version is that of a domain that the model imports.
func (r *reader) version(domain string) int64 {
	v := r.model.Opset(domain)
	if v == 0 && onnx.StandardDomain(domain) == schema.Chainer {
		v = schema.NewestOf(schema.Chainer)
	}
	return v
}
