package lint

// This file finds out which axes of the arguments are the batch.
//
// A layer whose first axis can be nothing else (convolutions, pooling and batch
// norm of tensors with all their dimensions, losses of classes) names the axis of
// the argument that comes to it alone and in front. So does the user, who calls a
// size B or batch. In both cases the axis must come through to a result of the
// entry, or to a loss: what is summed up on the way (the instances of a bag, the
// nodes of a graph) are no samples. An argument with the axis twice (an adjacency
// matrix) denies it.

import (
	"strings"

	"shapecheck/infer/graph"
	"shapecheck/symshape"
)

// batchFirst are the operations whose first axis is the batch, with the number of
// dimensions of a batch; 0 stands for any of three or more. Two dimensions are no
// evidence: batch norm also goes over nodes, points and items of a list.
var batchFirst = map[string]int{
	"torch.nn.functional.conv1d": 3, "torch.nn.functional.conv2d": 4, "torch.nn.functional.conv3d": 5,
	"torch.nn.functional.conv_transpose1d": 3, "torch.nn.functional.conv_transpose2d": 4, "torch.nn.functional.conv_transpose3d": 5,
	"torch.nn.functional.max_pool1d": 3, "torch.nn.functional.max_pool2d": 4, "torch.nn.functional.max_pool3d": 5,
	"torch.nn.functional.avg_pool1d": 3, "torch.nn.functional.avg_pool2d": 4, "torch.nn.functional.avg_pool3d": 5,
	"torch.nn.functional.adaptive_avg_pool1d": 3, "torch.nn.functional.adaptive_avg_pool2d": 4, "torch.nn.functional.adaptive_avg_pool3d": 5,
	"torch.nn.functional.batch_norm": 0, "torch.nn.functional.instance_norm": 0, "torch.nn.functional.group_norm": 0,
	"torch.nn.functional.interpolate": 0,
}

// logitLosses are the losses of classes, the samples in front.
var logitLosses = []string{"torch.nn.functional.cross_entropy", "torch.nn.functional.nll_loss"}

// declared are the names by which users call the size of a batch.
var declared = map[string]bool{
	"b": true, "bs": true, "bsz": true, "bsize": true, "batch": true, "batch_size": true, "batchsize": true, "nbatch": true,
}

// isLoss reports whether an operation reduces a batch to one number.
func isLoss(op string) bool {
	return strings.HasPrefix(op, "torch.nn.functional.") && strings.HasSuffix(op, "_loss")
}

// findBatch collects the origins that are batches.
func (l *linter) findBatch() {
	l.batch = map[*origin]bool{}
	found := map[*origin]bool{}
	through := map[*origin]bool{}
	for _, o := range l.symbols {
		if declared[strings.ToLower(o.size.Expr.String())] {
			found[o] = true
		}
	}
	evidence := func(a []axis) {
		if len(a) < 2 {
			return
		}
		if o := a[0].single(); o != nil && o.birth == argument && o.index == 0 {
			found[o] = true
		}
	}
	carried := func(a []axis) {
		for _, x := range a {
			for _, o := range x {
				through[o] = true
			}
		}
	}
	for _, n := range l.nodes {
		in := subject(n)
		if in == nil {
			continue
		}
		if rank, ok := batchFirst[n.Op]; ok && (rank == in.Type.Rank() || rank == 0 && in.Type.Rank() >= 3) {
			evidence(l.of(in))
		}
		switch {
		case n.Op == logitLosses[0] || n.Op == logitLosses[1]:
			evidence(l.of(in))
			carried(l.of(in))
		case isLoss(n.Op) || n.Op == "torch.nn.functional.binary_cross_entropy" || n.Op == "torch.binary_cross_entropy_with_logits":
			carried(l.of(in))
		}
	}
	for _, v := range l.Outputs {
		carried(l.of(v))
	}
	for o := range found {
		if (through[o] || l.crossed[o]) && !o.within {
			l.batch[o] = true
		}
	}
}

// isBatch reports whether an axis is the batch and nothing else.
func (l *linter) isBatch(a axis) bool { return a.single() != nil && l.batch[a[0]] }

// hasBatch reports whether an axis holds the batch, alone or with others.
func (l *linter) hasBatch(a axis) bool {
	for _, o := range a {
		if l.batch[o] {
			return true
		}
	}
	return false
}

// consumers calls f for all nodes that use v directly.
func (l *linter) consumers(v *graph.Value, f func(*graph.Node)) {
	if l.uses == nil {
		l.uses = map[*graph.Value][]*graph.Node{}
		for _, n := range l.nodes {
			for _, a := range n.Args {
				graph.Operands(a.Value, func(u *graph.Value) { l.uses[u] = append(l.uses[u], n) })
			}
			if n.Op == "if" {
				l.throughIf(n)
			}
		}
	}
	for _, n := range l.uses[v] {
		f(n)
	}
}

// throughIf makes an If a user of what its branches result in.
func (l *linter) throughIf(n *graph.Node) {
	for _, r := range n.Regions {
		for _, o := range r.Results {
			graph.Operands(o, func(u *graph.Value) { l.uses[u] = append(l.uses[u], n) })
		}
	}
}

// tested reports whether the program asks for the size of a batch by itself, so
// that it knows that it may be 1, or the user vouches that it is not.
func (l *linter) tested(o *origin) bool {
	var known symshape.Facts
	for _, c := range l.Assumed {
		if f, ok := known.Assume(c); ok {
			known = f
		}
	}
	if known.Decide(l.Pool.Eq(o.size.Expr, l.Pool.Const(1))).Answer == symshape.No {
		return true
	}
	for _, n := range l.nodes {
		if n.Op != "if" {
			continue
		}
		if c, ok := arg(n, "cond").(*symshape.Cond); ok {
			for _, s := range c.Symbols() {
				if s == o.size.Expr {
					return true
				}
			}
		}
	}
	return false
}
