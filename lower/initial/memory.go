package initial

// This file keeps the memory of tensors.

import (
	"errors"
	"fmt"

	"shapecheck/infer/graph"
	"shapecheck/onnx"
	"shapecheck/onnx/eval"
)

// A storage is the memory of a root. Missing counts the elements that nothing wrote.
type storage struct {
	t       *eval.Tensor
	written []bool // nil: all are
	missing int
	unknown string // why the elements are not known; "" where they are
}

// A view is a tensor over a storage: its sizes, and the place of each element there.
type view struct {
	of   *storage
	dims []int64
	at   []int64 // nil: all of them, in order
}

// fresh is memory that nothing wrote yet.
func fresh(v *graph.Value) (*view, error) {
	t, err := newTensor(v)
	if err != nil {
		return nil, err
	}
	return &view{of: &storage{t: t, written: make([]bool, t.Len()), missing: t.Len()}, dims: t.Dims}, nil
}

// full is memory with elements.
func full(t *eval.Tensor) *view { return &view{of: &storage{t: t}, dims: t.Dims} }

var errMissing = errors.New("it has elements that nothing sets: memory of torch.empty and the like holds anything")

// read gives the elements of a view.
func (v *view) read(blind bool) (*eval.Tensor, error) {
	if v.of.unknown != "" && !blind {
		return nil, fmt.Errorf("its elements are not known: %s", v.of.unknown)
	}
	src := v.of.t
	if v.at == nil {
		if v.of.missing > 0 && !blind {
			return nil, errMissing
		}
		t := *src
		t.Dims = v.dims
		if src.F != nil { // later writes do not change what was read
			t.F = append([]float64(nil), src.F...)
		} else {
			t.I = append([]int64(nil), src.I...)
		}
		return &t, nil
	}
	t, err := eval.New(src.DType, v.dims)
	if err != nil {
		return nil, err
	}
	for i, p := range v.at {
		if v.of.missing > 0 && !v.of.written[p] && !blind {
			return nil, errMissing
		}
		if t.F != nil {
			t.F[i] = src.F[p]
		} else {
			t.I[i] = src.I[p]
		}
	}
	return t, nil
}

// write sets the elements of a view; those of t are broadcast already.
func (v *view) write(t *eval.Tensor) error {
	t = t.Cast(v.of.t.DType)
	n := v.of.t.Len()
	if v.at != nil {
		n = len(v.at)
	}
	if t.Len() != n {
		return fmt.Errorf("%d elements are written where there are %d", t.Len(), n)
	}
	dst := v.of.t
	if v.at == nil {
		copy(dst.F, t.F)
		copy(dst.I, t.I)
		v.of.written, v.of.missing, v.of.unknown = nil, 0, ""
		return nil
	}
	for i, p := range v.at {
		if dst.F != nil {
			dst.F[p] = t.F[i]
		} else {
			dst.I[p] = t.I[i]
		}
		if v.of.missing > 0 && !v.of.written[p] {
			v.of.written[p] = true
			v.of.missing--
		}
	}
	return nil
}

// places are the places of a view's elements as a tensor.
func (v *view) places() *eval.Tensor {
	at := v.at
	if at == nil {
		at = make([]int64, v.of.t.Len())
		for i := range at {
			at[i] = int64(i)
		}
	}
	return &eval.Tensor{DType: onnx.Int64, Dims: v.dims, I: at}
}
