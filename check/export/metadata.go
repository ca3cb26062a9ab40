package export

// This file writes what a run knows of the sizes into a model's metadata. onnx/inference/contract.go reads it.

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

// sizeEntries makes the entries "contract", the conditions on the sizes, and "ranges", the
// bounds of each symbol of the inputs, one on each line, as inference.Conditions reads
// them. There is one entry of a key: ONNX's checker refuses repeated ones.
func sizeEntries(res *infer.Result) []onnx.Entry {
	conds := contract.Of(res).Conditions
	var out []onnx.Entry
	for _, e := range []struct {
		key   string
		lines []string
	}{{"contract", formatConditions(res, conds)}, {"ranges", formatRanges(res, conds)}} {
		if len(e.lines) > 0 {
			out = append(out, onnx.Entry{Key: e.key, Value: strings.Join(e.lines, "\n")})
		}
	}
	return out
}

// formatConditions writes each condition, followed by the lines of the source that need it.
func formatConditions(res *infer.Result, conds []contract.Condition) []string {
	var out []string
	for _, c := range conds {
		out = append(out, inference.Condition{Cond: c.Cond, Because: record.Reasons(res.Files, c.Because)}.String())
	}
	return out
}

// formatRanges writes the bounds of each symbol of the inputs. They follow from the conditions and from what the user
// assumes (Result.Assumed).
func formatRanges(res *infer.Result, conds []contract.Condition) []string {
	facts := symshape.Facts{}
	assume := func(c *symshape.Cond) {
		if f, ok := facts.Assume(c); ok {
			facts = f
		}
	}
	for _, c := range res.Assumed {
		assume(c)
	}
	for _, c := range conds {
		assume(c.Cond)
	}
	seen := map[*symshape.Expr]bool{}
	var out []string
	for _, v := range res.Graph.Inputs {
		for _, d := range v.Type.Shape {
			if d.Expr == nil {
				continue
			}
			for _, s := range d.Expr.Symbols() {
				if !seen[s] {
					seen[s] = true
					out = append(out, formatRange(facts, s))
				}
			}
		}
	}
	return out
}

// formatRange writes the bounds of a symbol: "32 <= H <= 512", "B >= 0", "C == 3".
func formatRange(facts symshape.Facts, s *symshape.Expr) string {
	lo, hi := facts.Range(s)
	switch {
	case lo == hi:
		return fmt.Sprintf("%s == %d", s, lo)
	case hi < symshape.PosInf:
		return fmt.Sprintf("%d <= %s <= %d", lo, s, hi)
	}
	return fmt.Sprintf("%s >= %d", s, lo)
}
