package inference

// This file holds the element types that operators take: types.txt, which schema.py
// writes from ONNX's own schemas.

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"

	"shapecheck/internal/onnx"
)

//go:embed types.txt
var typesText string

// typesUntil is the last opset that types.txt knows. Later versions of operators take
// more types, so that nothing is said of models that use them.
const typesUntil = 17

// An allowance is what one version of an operator takes.
type allowance struct {
	since  int64
	inputs [][]onnx.DType // nil: any
	more   bool           // the last is for all further ones, too
}

// allowances reads the table: by operator, from the first version.
func allowances() map[string][]allowance {
	out := map[string][]allowance{}
	for _, line := range strings.Split(typesText, "\n") {
		words := strings.Fields(line)
		if len(words) < 3 || words[0] == "#" {
			continue
		}
		since, err := strconv.ParseInt(words[1], 10, 64)
		if err != nil {
			continue
		}
		a := allowance{since: since}
		for _, w := range words[2:] {
			w, a.more = strings.CutSuffix(w, "+")
			var list []onnx.DType
			if w != "*" {
				for _, s := range strings.Split(w, ",") {
					if n, err := strconv.ParseInt(s, 10, 32); err == nil {
						list = append(list, onnx.DType(n))
					}
				}
			}
			a.inputs = append(a.inputs, list)
		}
		out[words[0]] = append(out[words[0]], a)
	}
	return out
}

// allowed checks the element types of a node's inputs.
func (c *call) allowed() {
	if c.version > typesUntil {
		return
	}
	var a *allowance
	for i, x := range c.e.allowances[c.n.Op] {
		if x.since <= c.version {
			a = &c.e.allowances[c.n.Op][i]
		}
	}
	if a == nil {
		return
	}
	for i, v := range c.ins {
		k := i
		if k >= len(a.inputs) {
			if !a.more {
				return
			}
			k = len(a.inputs) - 1
		}
		if list := a.inputs[k]; v != nil && !v.absent && list != nil && v.Kind == onnx.TensorType && v.Elem != onnx.Undefined && !slices.Contains(list, v.Elem) {
			var names []string
			for _, d := range list {
				names = append(names, d.String())
			}
			c.errorAt(i, "element type %s; in opset %d the operator takes %s there", v.Elem, c.version, strings.Join(names, ", "))
			return
		}
	}
}
