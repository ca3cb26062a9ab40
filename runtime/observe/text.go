package observe

// This file writes what the elements of a value are like.

import (
	"fmt"
	"strings"

	"shapecheck/runtime/tensor"
)

// shown is how many elements of a tensor are written.
const shown = 6

// Describe writes the first elements of a tensor and, of floating-point ones, the least, the
// largest and the mean, after two spaces. It is empty for other values.
func Describe(v tensor.Value) string {
	t, ok := v.(*tensor.Tensor)
	if !ok || t.Len() == 0 || tensor.IsComplex(t.DType()) {
		return ""
	}
	text := make([]string, 0, shown)
	for i := range min(t.Len(), shown) {
		text = append(text, Element(t, i))
	}
	if t.Len() > shown {
		text = append(text, "…")
	}
	out := "  " + strings.Join(text, " ")
	if tensor.IsFloat(t.DType()) && t.Len() > 1 {
		lo, hi, sum := t.Float(0), t.Float(0), 0.0
		for i := range t.Len() {
			f := t.Float(i)
			lo, hi, sum = min(lo, f), max(hi, f), sum+f
		}
		out += fmt.Sprintf("  (min %.6g, max %.6g, mean %.6g)", lo, hi, sum/float64(t.Len()))
	}
	return out
}

// Element writes an element.
func Element(t *tensor.Tensor, i int) string {
	switch {
	case tensor.IsFloat(t.DType()):
		return fmt.Sprintf("%.6g", t.Float(i))
	case t.DType() == tensor.Bool:
		return fmt.Sprint(t.Int(i) != 0)
	case t.DType() == tensor.Uint64:
		return fmt.Sprint(uint64(t.Int(i)))
	}
	return fmt.Sprint(t.Int(i))
}
