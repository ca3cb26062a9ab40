// Package lint finds operations that are legal and yet hardly meant: samples of a
// batch mixed with each other, a softmax over the batch, broadcasting that makes
// both operands larger.
//
// It runs once, after the entry, over the typed graph. A first pass gives every
// axis of every tensor its provenance: the axes that it is made of, each with the
// place of its birth (axis.go, trace.go). What is known of the batch follows from
// that (batch.go). The rules then look at single nodes. A rule is a row of the
// table below and a function in the file of its group; a rule that lacks the
// provenance it needs says nothing.
package lint

import (
	"shapecheck/infer/graph"
	"shapecheck/internal/diag"
	"shapecheck/internal/source"
	"shapecheck/symshape"
)

// An Input is what the run knows at its end.
type Input struct {
	Graph *graph.Graph
	Pool  *symshape.Pool
	Facts symshape.Facts
	// Assumed is what the user vouches for.
	Assumed []*symshape.Cond
	// Needs are the conditions on the sizes that operations need on every path.
	Needs []Need
	// Demanded are those of the program's own asserts and guards.
	Demanded []*symshape.Cond
	// Outputs are the tensors that the entry returned.
	Outputs []*graph.Value
	// Text gives the source text of a place.
	Text   func(source.Span) string
	Report func(*diag.Diagnostic)
}

// A rule looks at the nodes of some operations.
type rule struct {
	code diag.Code
	ops  []string
	// lib says that the rule also looks at calls made inside library code, as by
	// nn.MSELoss for the user.
	lib   bool
	check func(l *linter, n *graph.Node)
}

// rules is the table of all rules.
var rules = [...]rule{
	{code: diag.BatchMixed, ops: reshapes, check: batchMixed},
	{code: diag.ReshapeReorders, ops: reshapes, check: reshapeReorders},
	{code: diag.FixedBatch, ops: sized, check: fixedBatch},
	{code: diag.BothGrow, ops: binaries, check: bothGrow},
	{code: diag.LossBroadcast, ops: pairLosses, lib: true, check: lossBroadcast},
	{code: diag.AcrossBatch, ops: normalizers, lib: true, check: acrossBatch},
	{code: diag.ImplicitDim, ops: softmaxes, lib: true, check: implicitDim},
	{code: diag.SqueezeBatch, ops: []string{"torch.squeeze"}, check: squeezeBatch},
	{code: diag.SequenceIsBatch, ops: sequenceLayers, lib: true, check: sequenceIsBatch},
	{code: diag.Coincidence, ops: []string{"torch.cat"}, check: joinsOne},
	{code: diag.Coincidence, ops: []string{"torch.matmul", "torch.bmm", "torch.mm"}, check: sameOrder},
	{code: diag.BothGrow, ops: []string{"torch.Tensor.__getitem__"}, check: columnsForAll},
	{code: diag.SequenceIsBatch, ops: []string{"torch.add", "torch.mul"}, check: rowsForSamples},
	{code: diag.ProbabilityLoss, ops: logitLosses, lib: true, check: probabilityLoss},
}

// A linter is one run of the rules.
type linter struct {
	Input
	axes    map[*graph.Value][]axis
	symbols map[*symshape.Expr]*origin // symbols of the arguments
	crossed map[*origin]bool           // those that a reshape mixed with others
	batch   map[*origin]bool
	// nodes are all nodes, those of regions after their owner's arguments.
	nodes []*graph.Node
	uses  map[*graph.Value][]*graph.Node
}

// Run applies all rules to a graph.
func Run(in Input) {
	wanted := map[string][]*rule{}
	for i := range rules {
		for _, op := range rules[i].ops {
			wanted[op] = append(wanted[op], &rules[i])
		}
	}
	l := &linter{Input: in, axes: map[*graph.Value][]axis{}, symbols: map[*symshape.Expr]*origin{}, crossed: map[*origin]bool{}}
	l.trace()
	l.findBatch()
	l.tiedBatch()
	for _, n := range l.nodes {
		for _, r := range wanted[n.Op] {
			if !n.Lib || r.lib {
				r.check(l, n)
			}
		}
	}
}

// report adds a finding at a node.
func (l *linter) report(code diag.Code, n *graph.Node, msg string, notes ...string) *diag.Diagnostic {
	d := diag.New(code, n.At, msg)
	d.Notes = notes
	l.Report(d)
	return d
}

// arg returns an argument of a node by its name, or nil.
func arg(n *graph.Node, name string) graph.Operand {
	for i := range n.Args {
		if n.Args[i].Name == name {
			return n.Args[i].Value
		}
	}
	return nil
}

// tensorOf returns an operand that is a tensor of known rank, or nil.
func tensorOf(o graph.Operand) *graph.Value {
	v, ok := o.(*graph.Value)
	if !ok || v == nil || !v.Type.Ranked || v.Kind != graph.TensorKind {
		return nil
	}
	return v
}

// tensorArg returns a tensor of known rank among the arguments, or nil.
func tensorArg(n *graph.Node, name string) *graph.Value { return tensorOf(arg(n, name)) }

// subject returns the tensor that a function works on: self or input.
func subject(n *graph.Node) *graph.Value {
	if len(n.Args) == 0 {
		return nil
	}
	return tensorOf(n.Args[0].Value)
}

// result returns the only result of a node, if its rank is known.
func result(n *graph.Node) *graph.Value {
	if len(n.Outputs) == 0 || !n.Outputs[0].Type.Ranked {
		return nil
	}
	return n.Outputs[0]
}

// intArg returns a constant integer argument.
func intArg(n *graph.Node, name string) (int, bool) {
	return intOf(arg(n, name))
}

func intOf(o graph.Operand) (int, bool) {
	switch o := o.(type) {
	case int64:
		return int(o), true
	case symshape.Dim:
		if c, ok := o.Const(); ok {
			return int(c), true
		}
	}
	return 0, false
}

// axisArg returns a dim argument counted from 0.
func axisArg(n *graph.Node, name string, rank int) (int, bool) {
	i, ok := intArg(n, name)
	if i < 0 {
		i += rank
	}
	return i, ok && i >= 0 && i < rank
}
