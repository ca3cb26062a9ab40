package export

// This file writes what a run knows of the sizes into a model's metadata.

import (
	"fmt"
	"strings"

	"shapecheck/check/record"
	"shapecheck/contract"
	"shapecheck/infer"
	"shapecheck/onnx"
	"shapecheck/onnx/inference"
	"shapecheck/symshape"
)

// metadata are the entries "contract", the conditions on the sizes, and "ranges", the
// bounds of each symbol of the inputs, one on each line, as inference.Conditions reads
// them: a condition is followed by the lines of the source that need it. There is one entry
// of a key: ONNX's checker refuses repeated ones.
func metadata(res *infer.Result) []onnx.Entry {
	var out []onnx.Entry
	facts := symshape.Facts{}
	assume := func(c *symshape.Cond) {
		if f, ok := facts.Assume(c); ok {
			facts = f
		}
	}
	for _, c := range res.Assumed {
		assume(c)
	}
	var conds []string
	for _, c := range contract.Of(res).Conditions {
		conds = append(conds, inference.Condition{Cond: c.Cond, Because: record.Reasons(res.Files, c.Because)}.String())
		assume(c.Cond)
	}
	if len(conds) > 0 {
		out = append(out, onnx.Entry{Key: "contract", Value: strings.Join(conds, "\n")})
	}
	seen := map[*symshape.Expr]bool{}
	var ranges []string
	for _, v := range res.Graph.Inputs {
		for _, d := range v.Type.Shape {
			if d.Expr == nil {
				continue
			}
			for _, s := range d.Expr.Symbols() {
				if !seen[s] {
					seen[s] = true
					ranges = append(ranges, rangeOf(facts, s))
				}
			}
		}
	}
	if len(ranges) > 0 {
		out = append(out, onnx.Entry{Key: "ranges", Value: strings.Join(ranges, "\n")})
	}
	return out
}

// rangeOf writes the bounds of a symbol: "32 <= H <= 512", "B >= 0", "C == 3".
func rangeOf(facts symshape.Facts, s *symshape.Expr) string {
	lo, hi := facts.Range(s)
	switch {
	case lo == hi:
		return fmt.Sprintf("%s == %d", s, lo)
	case hi < symshape.PosInf:
		return fmt.Sprintf("%d <= %s <= %d", lo, s, hi)
	}
	return fmt.Sprintf("%s >= %d", s, lo)
}
