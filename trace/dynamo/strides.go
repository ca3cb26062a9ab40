package dynamo

// This file guards the strides of tensors that a graph of torch.compile reads. Where nothing of a tensor varies they are
// numbers. Else a stride is 0 or 1, the product of another axis' size and stride where it is that in the example, or left open; and
// the graph relies on whether the tensor is contiguous.

import (
	"cmp"
	"slices"

	"shapecheck/infer/graph"
)

// stridesOf are the sizes and strides of a type; ok is false where they are not numbers.
func stridesOf(t *graph.TensorType) (sizes, strides []int64, ok bool) {
	if !t.Ranked {
		return nil, nil, false
	}
	n := len(t.Shape)
	sizes, strides = make([]int64, n), make([]int64, n)
	step := int64(1)
	for i := n - 1; i >= 0; i-- {
		if sizes[i], ok = t.Shape[i].Const(); !ok {
			return nil, nil, false
		}
		strides[i] = step
		if t.Strides != nil {
			if strides[i], ok = t.Strides[i].Const(); !ok {
				return nil, nil, false
			}
		}
		step *= max(sizes[i], 1)
	}
	return sizes, strides, true
}

// isContiguous reports whether elements lie row by row.
func isContiguous(sizes, strides []int64) bool {
	step := int64(1)
	for i := len(sizes) - 1; i >= 0; i-- {
		if sizes[i] != 1 && strides[i] != step {
			return false
		}
		step *= sizes[i]
	}
	return true
}

// strideDiffers says why the strides of a read of now are not those that a graph was made for; GuardNone: they are. Its
// sizes are known to serve.
func (was *guardedRead) strideDiffers(now *guardedRead, open bool) GuardKind {
	sizes, strides, ok := stridesOf(was.typ)
	sizesNow, stridesNow, also := stridesOf(now.typ)
	if !ok || !also || len(strides) != len(stridesNow) {
		return GuardNone
	}
	if !open {
		for i, n := range strides {
			if n != stridesNow[i] && sizes[i] > 1 {
				return GuardStride
			}
		}
		return GuardNone
	}
	order := make([]int, len(strides))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(strides[a], strides[b]) })
	for k, i := range order {
		if strides[i] < 2 {
			if stridesNow[i] != strides[i] && sizesNow[i] > 1 {
				return GuardStride
			}
			continue
		}
		for _, j := range order[:k] {
			if sizes[j]*strides[j] == strides[i] {
				if sizesNow[j]*stridesNow[j] != stridesNow[i] {
					return GuardSizeCondition
				}
				break
			}
		}
	}
	if isContiguous(sizes, strides) != isContiguous(sizesNow, stridesNow) {
		return GuardSizeCondition
	}
	return GuardNone
}
