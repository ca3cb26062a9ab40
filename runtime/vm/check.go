package vm

// This file observes kernels: their names and tiles for hooks, and their results beside the
// reference's.

import (
	"fmt"
	"math"
	"time"

	"shapecheck/codegen/isa"
	"shapecheck/runtime/tensor"
)

// A Tolerance says how far floating-point elements may be apart: by Abs and Rel times the largest
// finite element of the tensor that is right. Other elements must be equal.
type Tolerance struct{ Rel, Abs float64 }

// names tells the hooks what computes the instruction.
func (f *frame) names(kernel string) {
	if h := f.m.cfg.Hooks; h != nil && h.Kernel != nil {
		h.Kernel(f.pc, kernel)
	}
}

// timed makes run tell the hooks about its tiles.
func (f *frame) timed(run func(worker, tile int)) func(worker, tile int) {
	h := f.m.cfg.Hooks
	if h == nil || h.Tile == nil {
		return run
	}
	return func(worker, tile int) {
		begin := time.Now()
		run(worker, tile)
		h.Tile(f.pc, worker, begin, time.Now())
	}
}

// checkReference computes an instruction with the reference and compares what a kernel has made of it.
func (f *frame) checkReference(i *isa.Instruction, op isa.Op, got []tensor.Value) error {
	want, err := f.reference(i, op)
	if err != nil {
		return fmt.Errorf("the reference, with which the kernel is compared: %w", err)
	}
	for k := range want {
		if want[k] == nil || k >= len(got) || got[k] == nil {
			continue
		}
		if why := Differ(got[k], want[k], *f.m.cfg.CheckReference); why != "" {
			return f.fail(CodeDiffers, fmt.Errorf("result %d, %s, is not the reference's: %s", k, got[k].Type(), why))
		}
	}
	return nil
}

// Differ says how got is not want within the tolerance; empty: it is. NaN equals NaN.
func Differ(got, want tensor.Value, tol Tolerance) string {
	g, isTensor := got.(*tensor.Tensor)
	w, wantsTensor := want.(*tensor.Tensor)
	if !isTensor || !wantsTensor {
		if tensor.Equal(got, want) {
			return ""
		}
		return "the values differ"
	}
	if g.Type() != w.Type() {
		return "it should be " + w.Type()
	}
	if !tensor.IsFloat(w.DType()) {
		if tensor.Equal(g, w) {
			return ""
		}
		for i := range w.Len() {
			if !tensor.IsComplex(w.DType()) && g.Int(i) != w.Int(i) {
				return fmt.Sprintf("element %d is %d, not %d", i, g.Int(i), w.Int(i))
			}
		}
		return "elements differ"
	}
	largest := 0.0
	for i := range w.Len() {
		if x := math.Abs(w.Float(i)); !math.IsInf(x, 0) && !math.IsNaN(x) {
			largest = max(largest, x)
		}
	}
	limit, worst, at, wrong := tol.Abs+tol.Rel*largest, 0.0, -1, 0
	for i := range w.Len() {
		a, b := g.Float(i), w.Float(i)
		if a == b || math.IsNaN(a) && math.IsNaN(b) {
			continue
		}
		d := math.Abs(a - b)
		if math.IsNaN(d) {
			d = math.Inf(1)
		}
		if d <= limit {
			continue
		}
		if wrong++; d > worst {
			worst, at = d, i
		}
	}
	if wrong == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %d elements differ by more than %.3g; element %d is %v, not %v", wrong, w.Len(), limit, at, g.Float(at),
		w.Float(at))
}
