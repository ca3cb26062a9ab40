package check

// This file asks the dimension lint again where an argument's sizes are numbers: numbers that are equal by chance, or divide each
// other, say nothing of what the axes are. A second run has symbols in their place, with the numbers as example sizes.

import (
	"context"
	"slices"

	"shapecheck/infer"
	"shapecheck/infer/graph"
	"shapecheck/internal/diag"
	"shapecheck/internal/lazyregexp"
	"shapecheck/symshape"
)

// ofOrigins are the warnings that tell axes apart by where they come from.
var ofOrigins = []diag.Code{diag.BatchMixed, diag.ReshapeReorders, diag.BothGrow, diag.LossBroadcast, diag.AcrossBatch}

// numberInType is a number above 1 in the type of a tensor, with more than one size.
var numberInType = lazyregexp.New(`\[(?:[^][]*,)?\s*(?:[2-9]|[1-9]\d+)\s*[],]`)

// maxOpenSteps is how many steps a run may have taken that is made again with symbols, some 50 ms.
const maxOpenSteps = 100_000

// openSizes adds the warnings that a run finds whose arguments have symbols in place of numbers.
func openSizes(ctx context.Context, cfg infer.Config, res *infer.Result) error {
	if cfg.Script != nil || cfg.Trace != nil || cfg.Trial || res.Steps > maxOpenSteps || res.Graph == nil ||
		!slices.ContainsFunc(cfg.Args, numberInType.MatchString) || hasErrors(res.Diagnostics) || !tellsApart(res.Graph) {
		return nil
	}
	cfg.SizesOpen, cfg.Trial, cfg.Ahead, cfg.LogOps, cfg.Explore = true, true, false, false, false
	cfg.MaxSteps = 4 * maxOpenSteps
	open, err := infer.Run(cfg)
	if err != nil {
		return ctx.Err()
	}
	if hasErrors(open.Diagnostics) {
		return nil
	}
	for _, d := range open.Diagnostics {
		if d.Severity == diag.Warning && slices.Contains(ofOrigins, d.Code) && !slices.ContainsFunc(res.Diagnostics, func(x *diag.Diagnostic) bool {
			return x.At == d.At && x.Severity >= diag.Warning
		}) {
			d.Notes = append(d.Notes, "sizes of arguments may be any here, as x_1 of dimension 1 of x, so that numbers which are equal by chance are told apart")
			res.Diagnostics = append(res.Diagnostics, d)
		}
	}
	return nil
}

func hasErrors(list []*diag.Diagnostic) bool {
	return slices.ContainsFunc(list, func(d *diag.Diagnostic) bool { return d.Severity == diag.Error })
}

// tellsApart reports whether a graph has operations of the program's own of which the dimension lint asks where their axes come from.
func tellsApart(g *graph.Graph) bool {
	var in func(r *graph.Region) bool
	in = func(r *graph.Region) bool {
		for _, n := range r.Nodes {
			if slices.ContainsFunc(n.Regions, in) {
				return true
			}
			switch {
			case n.Form == graph.PairLoss, !n.Lib && (n.Form == graph.Arithmetic || n.Form == graph.Comparison):
				if !agree(n) {
					return true
				}
			case !n.Lib && (n.Form == graph.Reshape || n.Is.Has(graph.AlongDim)):
				return true
			}
		}
		return false
	}
	return in(g.Body)
}

// agree reports whether the tensors that an operation takes have one shape: nothing is broadcast then.
func agree(n *graph.Node) bool {
	var first *graph.Value
	for _, a := range n.Args {
		v, ok := a.Value.(*graph.Value)
		if !ok || v == nil {
			continue
		}
		if first == nil {
			first = v
		} else if !v.Type.Ranked || !slices.EqualFunc(v.Type.Shape, first.Type.Shape, sameNumber) {
			return false
		}
	}
	return true
}

func sameNumber(a, b symshape.Dim) bool {
	n, ok := a.Const()
	if !ok {
		return false
	}
	m, ok := b.Const()
	return ok && n == m
}
