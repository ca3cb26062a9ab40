package differential

// This file compares values: in bits, or as far as roundings can change them.

import (
	"fmt"
	"math"
	"slices"

	"shapecheck/onnx"
	"shapecheck/onnx/eval"
	"shapecheck/runtime/tensor"
)

// toTensor makes an evaluator's value one of the machine.
func toTensor(v eval.Value) (tensor.Value, error) {
	switch v := v.(type) {
	case *eval.Tensor:
		raw, err := v.AppendRaw(nil, 0, v.Len())
		if err != nil {
			return nil, err
		}
		return tensor.FromProto(&onnx.Tensor{DType: v.DType, Dims: v.Dims, Raw: raw, HasRaw: true})
	case *eval.Sequence:
		var list []tensor.Value
		for _, x := range v.Items {
			y, err := toTensor(x)
			if err != nil {
				return nil, err
			}
			list = append(list, y)
		}
		return tensor.NewSequence(list...), nil
	case *eval.Optional:
		if v.Of == nil {
			return &tensor.Optional{}, nil
		}
		y, err := toTensor(v.Of)
		return &tensor.Optional{Of: y}, err
	}
	return nil, fmt.Errorf("%T has no form outside", v)
}

// fromTensor is the inverse of toTensor.
func fromTensor(v tensor.Value) (eval.Value, error) {
	switch v := v.(type) {
	case *tensor.Tensor:
		return eval.FromONNX(v.Proto(""))
	case *tensor.Sequence:
		out := &eval.Sequence{}
		for _, x := range v.All {
			y, err := fromTensor(x)
			if err != nil {
				return nil, err
			}
			out.Items = append(out.Items, y)
		}
		return out, nil
	case *tensor.Optional:
		if v.Of == nil {
			return &eval.Optional{}, nil
		}
		y, err := fromTensor(v.Of)
		return &eval.Optional{Of: y}, err
	}
	return nil, fmt.Errorf("%T is no value", v)
}

func fromTensors(list []tensor.Value) ([]eval.Value, error) {
	var out []eval.Value
	for _, v := range list {
		t, err := fromTensor(v)
		if err != nil {
			return nil, err
		}
		out = append(out, t)
	}
	return out, nil
}

// A bound says how far a value may be from what the evaluator gives: what it gives when each
// operand of a node that rounds is changed by some units of its last place, several times. Where
// these differ in more than numbers, as an index does that two nearly equal elements decide,
// nothing can be compared.
type bound struct{ around []eval.Value }

// differ compares a value with the evaluator's; with a nil bound in bits, but any NaN is one. It
// says where they differ, or nothing.
func differ(got, want eval.Value, may *bound) string {
	switch w := want.(type) {
	case *eval.Tensor:
		g, ok := got.(*eval.Tensor)
		if may != nil && !may.sameShape(w) {
			return ""
		}
		if !ok || g.DType != w.DType || !slices.Equal(g.Dims, w.Dims) {
			return fmt.Sprintf("%s instead of %s", describe(got), describe(want))
		}
		return may.elements(g, w)
	case *eval.Sequence:
		g, ok := got.(*eval.Sequence)
		if may != nil && !may.sameLen(len(w.Items)) {
			return ""
		}
		if !ok || len(g.Items) != len(w.Items) {
			return fmt.Sprintf("%s instead of %s", describe(got), describe(want))
		}
		for i := range w.Items {
			if s := differ(g.Items[i], w.Items[i], may.item(i)); s != "" {
				return fmt.Sprintf("item %d: %s", i, s)
			}
		}
	case *eval.Optional:
		g, ok := got.(*eval.Optional)
		if may != nil && !may.sameFill(w.Of != nil) {
			return ""
		}
		if !ok || (g.Of == nil) != (w.Of == nil) {
			return fmt.Sprintf("%s instead of %s", describe(got), describe(want))
		}
		if w.Of != nil {
			return differ(g.Of, w.Of, may.inner())
		}
	}
	return ""
}

func describe(v eval.Value) string {
	switch v := v.(type) {
	case *eval.Tensor:
		return fmt.Sprintf("%s%v", v.DType, v.Dims)
	case *eval.Sequence:
		return fmt.Sprintf("a sequence of %d", len(v.Items))
	case *eval.Optional:
		return fmt.Sprintf("an optional of %v", v.Of)
	}
	return fmt.Sprintf("%T", v)
}

func (b *bound) all(ok func(eval.Value) bool) bool {
	return !slices.ContainsFunc(b.around, func(v eval.Value) bool { return !ok(v) })
}

func (b *bound) sameShape(w *eval.Tensor) bool {
	return b.all(func(v eval.Value) bool { t, ok := v.(*eval.Tensor); return ok && slices.Equal(t.Dims, w.Dims) })
}

func (b *bound) sameLen(n int) bool {
	return b.all(func(v eval.Value) bool { s, ok := v.(*eval.Sequence); return ok && len(s.Items) == n })
}

func (b *bound) sameFill(full bool) bool {
	return b.all(func(v eval.Value) bool { o, ok := v.(*eval.Optional); return ok && (o.Of != nil) == full })
}

func (b *bound) item(i int) *bound {
	if b == nil {
		return nil
	}
	out := &bound{}
	for _, v := range b.around {
		out.around = append(out.around, v.(*eval.Sequence).Items[i])
	}
	return out
}

func (b *bound) inner() *bound {
	if b == nil {
		return nil
	}
	out := &bound{}
	for _, v := range b.around {
		out.around = append(out.around, v.(*eval.Optional).Of)
	}
	return out
}

// spread is how many times as far as the changed runs are from the evaluator's a value may be.
const spread = 8

// unit is the distance of 1 from the next number of the type.
func unit(d onnx.DType) float64 {
	switch d {
	case onnx.Float16:
		return 0x1p-10
	case onnx.BFloat16:
		return 0x1p-7
	case onnx.Double:
		return 0x1p-52
	}
	return 0x1p-23
}

func (b *bound) elements(g, w *eval.Tensor) string {
	for i := range w.I {
		if g.I[i] != w.I[i] && (b == nil || b.all(func(v eval.Value) bool { return v.(*eval.Tensor).I[i] == w.I[i] })) {
			return fmt.Sprintf("element %d of %s is %d instead of %d", i, describe(w), g.I[i], w.I[i])
		}
	}
	most := 0.0 // how far any element is moved
	if b != nil {
		for i, x := range w.F {
			for _, v := range b.around {
				if d := math.Abs(v.(*eval.Tensor).F[i] - x); d < math.Inf(1) {
					most = max(most, d)
				}
			}
		}
	}
	for i, x := range w.F {
		y := g.F[i]
		if math.Float64bits(x) == math.Float64bits(y) || math.IsNaN(x) && math.IsNaN(y) {
			continue
		}
		may := 0.0
		if b != nil {
			for _, v := range b.around {
				d := math.Abs(v.(*eval.Tensor).F[i] - x)
				if math.IsNaN(d) || math.IsInf(d, 0) { // the kinds of numbers change
					d = math.Inf(1)
				}
				may = max(may, d)
			}
			if math.Abs(x) > huge(w.DType) && math.Abs(y) > huge(w.DType) || math.IsNaN(x) && overflows(b, i) {
				continue // what is too large for the type is so by another order of the same steps
			}
			if math.IsInf(x, 0) || math.IsNaN(x) {
				if may > 0 && may == may && !b.all(func(v eval.Value) bool { return sameKind(v.(*eval.Tensor).F[i], x) }) {
					continue
				}
				may = 0
			} else {
				if may > math.Abs(x)/64 && may > 64*unit(w.DType)*largestOf(w) {
					continue // chaos: samples say nothing of how far it goes
				}
				may = spread*(may+unit(w.DType)*math.Abs(x)) + most/16 + 1e-37
				if w.DType == onnx.Double {
					may = spread*(may+unit(w.DType)*math.Abs(x)) + most/16
				}
			}
		}
		if b == nil || !(math.Abs(x-y) <= may) {
			return fmt.Sprintf("element %d of %s is %v instead of %v (at most %.3g off)", i, describe(w), y, x, may)
		}
	}
	return ""
}

// largestOf is the largest number of a tensor.
func largestOf(w *eval.Tensor) float64 {
	most := 0.0
	for _, x := range w.F {
		if a := math.Abs(x); a < math.Inf(1) {
			most = max(most, a)
		}
	}
	return most
}

// huge is where sums begin to overflow on the way.
func huge(d onnx.DType) float64 {
	switch d {
	case onnx.Float16:
		return 1e3
	case onnx.Double:
		return 1e290
	}
	return 1e30
}

// overflows reports whether the element is sometimes a number.
func overflows(b *bound, i int) bool {
	return !b.all(func(v eval.Value) bool { return math.IsNaN(v.(*eval.Tensor).F[i]) })
}

func sameKind(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }
