package dynamo

// This file notes the floats that a graph of torch.compile has as numbers: a symbol stands for a float where an operation takes any
// scalar, but where its schema says float, as of a probability or an epsilon, PyTorch takes the number and guards it.

import (
	"slices"
	"strings"

	"shapecheck/infer/ops"
	"shapecheck/infer/value"
)

// symbolicMath are the functions of math that keep a symbol a symbol.
var symbolicMath = []string{"sqrt", "cos", "cosh", "sin", "sinh", "tan", "tanh", "asin", "acos", "atan", "log2", "floor", "ceil", "trunc",
	"isnan", "isinf", "isfinite"}

// takesFloats notes the floats of which an operation takes the numbers.
func (d *Run) takesFloats(op *ops.Op, args []value.Value, kw []value.Kw) {
	if d.node == nil {
		return
	}
	for _, sig := range op.Signatures() {
		found := false
		for i := range sig.Params {
			p := &sig.Params[i]
			if !op.TakesFloat(p) {
				continue
			}
			if found = true; i < len(args) {
				d.fixes(args[i])
			}
			for _, k := range kw {
				if k.Name == p.Name {
					d.fixes(k.Value)
				}
			}
		}
		if found {
			return
		}
	}
}

// fixes notes a float of which the number is taken.
func (d *Run) fixes(v value.Value) {
	if d.node == nil {
		return
	}
	for x := range value.Walk(v, value.Deep, value.Sequences) {
		f, ok := x.(value.Float)
		for p := d.node; ok && p != nil; p = p.parent {
			p.events = append(p.events, event{fixed: f})
		}
	}
}

// takesOfMath notes the floats that a function of math fixes.
func (d *Run) takesOfMath(name string, args []value.Value) {
	if last, ok := strings.CutPrefix(name, "math."); ok && !slices.Contains(symbolicMath, last) {
		for _, a := range args {
			d.fixes(a)
		}
	}
}
