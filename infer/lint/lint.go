// Package lint finds operations that are legal and yet hardly meant: samples of a
// batch mixed with each other, a softmax over the batch, broadcasting that makes
// both operands larger.
//
// It runs once, after the entry, over the typed graph. A first pass gives every
// axis of every tensor its provenance: the axes that it is made of, each with the
// place of its birth (axis.go, trace.go). What is known of the batch follows from
// that (batch.go). The rules then look at single nodes. A rule is a row of the
// table below and a function in the file of its group; a rule that lacks the
// provenance it needs says nothing. Which operations it looks at is said by their
// forms and traits (package graph), never by their names.
//
//	lint.go       the table of rules, reading arguments   literal.go  what the source writes
//	axis.go       origins of axes       trace.go      provenance through the graph
//	steps.go      its steps by form     align.go      axes before and after a reshape
//	batch.go      what the batch is     tied.go       conditions on it: SC408, SC411
//	reshape.go    SC401, SC402, SC408   broadcast.go  SC403, SC404
//	softmax.go    SC405 to SC407, SC409, SC410, SC415
//	attention.go  SC414                 reduced.go    SC405, SC411, SC414 of the wrong axis
//	along.go      SC411, SC413 and SC414 of two axes that should be one
//	indices.go    SC413                 lossweights.go  SC404 of weights without effect
//	trail.go      the lines besides
package lint

import (
	"slices"

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
	// Batches are the tensors of one batch of a loader each: their first axes are one.
	Batches [][]*graph.Value
	// Called are sizes that the program itself gives a name of a batch, as in b, t = x.shape.
	Called map[*symshape.Expr]bool
	// Text gives the source text of a place.
	Text func(source.Span) string
	// Assigned gives the statement that gave a tensor a name; nil knows none.
	Assigned func(*graph.Value) source.Span
	Report   func(*diag.Diagnostic)
	// Spend is told of work that is about to be done; it may end the lint by a panic.
	Spend func(n int)
}

// A rule looks at the nodes of some operations: those of one of the forms, if there
// are any, with all of the traits.
type rule struct {
	code  diag.Code
	forms []graph.Form
	is    graph.Traits
	// lib says that the rule also looks at calls made inside library code, as by
	// nn.MSELoss for the user.
	lib   bool
	check func(l *linter, n *graph.Node)
}

// rules is the table of all rules.
var rules = [...]rule{
	{code: diag.BatchMixed, forms: []graph.Form{graph.Reshape}, check: batchMixed},
	{code: diag.ReshapeReorders, forms: []graph.Form{graph.Reshape}, check: reshapeReorders},
	{code: diag.FixedBatch, is: graph.SizesGiven, check: fixedBatch},
	{code: diag.BothGrow, forms: []graph.Form{graph.Arithmetic, graph.Comparison, graph.Logic}, check: bothGrow},
	{code: diag.LossBroadcast, forms: []graph.Form{graph.PairLoss}, lib: true, check: lossBroadcast},
	{code: diag.LossBroadcast, forms: []graph.Form{graph.Arithmetic}, is: graph.Multiplies, check: weightsOfOne},
	{code: diag.AcrossBatch, is: graph.AlongDim, lib: true, check: acrossBatch},
	{code: diag.OnlyScore, forms: []graph.Form{graph.Softmax}, lib: true, check: onlyScore},
	{code: diag.ImplicitDim, is: graph.ImplicitDim, lib: true, check: implicitDim},
	{code: diag.SqueezeBatch, forms: []graph.Form{graph.Squeeze}, check: squeezeBatch},
	{code: diag.SequenceIsBatch, is: graph.TimeFirst, lib: true, check: sequenceIsBatch},
	{code: diag.Coincidence, forms: []graph.Form{graph.Concat}, check: joinsOne},
	{code: diag.Coincidence, forms: []graph.Form{graph.MatMul}, check: sameOrder},
	{code: diag.BothGrow, forms: []graph.Form{graph.GetItem}, check: columnsForAll},
	{code: diag.SequenceIsBatch, forms: []graph.Form{graph.Arithmetic}, is: graph.Commutes, check: rowsForSamples},
	{code: diag.ProbabilityLoss, forms: []graph.Form{graph.CrossEntropy, graph.NLL, graph.LogitEntropy}, lib: true, check: probabilityLoss},
	{code: diag.UnsummedWeights, forms: []graph.Form{graph.Sampling}, check: drawnOtherwise},
	{code: diag.Coincidence, forms: []graph.Form{graph.CrossEntropy, graph.NLL, graph.PairLoss}, lib: true, check: otherOrder},
	{code: diag.UnsummedWeights, forms: []graph.Form{graph.MatMul, graph.Einsum}, check: unsummedWeights},
	{code: diag.Coincidence, forms: []graph.Form{graph.Arithmetic}, check: sumsBesideRows},
	{code: diag.AcrossBatch, forms: []graph.Form{graph.Gather}, check: placesInBatch},
	{code: diag.UnsummedWeights, forms: []graph.Form{graph.Softmax}, check: otherClasses},
	{code: diag.UnsummedWeights, forms: []graph.Form{graph.NoForm}, check: bestOfOthers},
	{code: diag.UnsummedWeights, forms: []graph.Form{graph.Gather}, check: pickedOtherwise},
	{code: diag.DrawnIndices, forms: []graph.Form{graph.Gather}, check: placesOutside},
	{code: diag.Coincidence, forms: []graph.Form{graph.Gather}, check: firstOfEach},
	{code: diag.Coincidence, forms: []graph.Form{graph.Arithmetic}, check: totalBesideRows},
	{code: diag.Coincidence, forms: []graph.Form{graph.Arithmetic}, check: dividedOtherwise},
	{code: diag.Coincidence, forms: []graph.Form{graph.Arithmetic, graph.Concat}, check: crossedSizes},
	{code: diag.DrawnIndices, forms: []graph.Form{graph.CrossEntropy, graph.NLL, graph.Embedding, graph.Gather, graph.OneHot}, lib: true,
		check: drawnIndices},
}

// applies reports whether the rule looks at n.
func (r *rule) applies(n *graph.Node) bool {
	return n.Is.Has(r.is) && (len(r.forms) == 0 || slices.Contains(r.forms, n.Form))
}

// A linter is one run of the rules.
type linter struct {
	Input
	axes    map[*graph.Value][]axis
	symbols map[*symshape.Expr]*origin // symbols of the arguments
	crossed map[*origin]bool           // those that a reshape mixed with others
	batch   map[*origin]bool
	// layered are the batches that are so by a layer, shown those and the ones that are so by what the program calls their size.
	layered, shown map[*origin]bool
	// normed are the axes in front of what a batch norm takes with its other axes.
	normed map[*origin]bool
	loaded []*origin // batches of loaders
	// ofLoader are the tensors of those batches.
	ofLoader map[*graph.Value]bool
	// nodes are all nodes, those of regions after their owner's arguments.
	nodes []*graph.Node
	// entropies are those of them that are cross entropies.
	entropies []*graph.Node
	uses      map[*graph.Value][]*graph.Node
}

// Run applies all rules to a graph.
func Run(in Input) {
	l := &linter{Input: in, axes: map[*graph.Value][]axis{}, symbols: map[*symshape.Expr]*origin{}, crossed: map[*origin]bool{},
		ofLoader: map[*graph.Value]bool{}}
	l.trace()
	l.findBatch()
	l.tiedBatch()
	for _, n := range l.nodes {
		if n.Form == graph.CrossEntropy {
			l.entropies = append(l.entropies, n)
		}
	}
	for _, n := range l.nodes {
		l.Spend(len(rules))
		for i := range rules {
			if r := &rules[i]; r.applies(n) && (!n.Lib || r.lib) {
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
	case graph.Int:
		return int(o), true
	case graph.Dim:
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
