package tensor

// This file makes inputs from type strings.

import (
	"context"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"strconv"
	"strings"

	"shapecheck/onnx"
)

// FromType makes a tensor from a type string such as f32[1,3,224,224], whose sizes are
// numbers. Its elements are drawn from the seed and the name alone, the same on every
// machine: floats are multiples of 2^-23 between -1 and 1, rounded to their type, integers
// and bools are 0 or 1, which are legal as indices, classes and masks nearly everywhere. When ctx ends, the error is its.
func FromType(ctx context.Context, s, name string, seed uint64) (*Tensor, error) {
	elem, rest, ok := strings.Cut(strings.TrimSpace(s), "[")
	list, end := strings.CutSuffix(rest, "]")
	d, known := onnx.DTypeOf(elem)
	if !ok || !end || !known {
		return nil, fmt.Errorf("%q is no type string of a tensor such as f32[2,3]", s)
	}
	var dims []int64
	if strings.TrimSpace(list) != "" {
		for _, word := range strings.Split(list, ",") {
			n, err := strconv.ParseInt(strings.TrimSpace(word), 10, 64)
			if err != nil || n < 0 {
				return nil, fmt.Errorf("in %q the size %q is no number", s, strings.TrimSpace(word))
			}
			dims = append(dims, n)
		}
	}
	t, err := New(d, dims...)
	if err != nil {
		return nil, err
	}
	h := fnv.New64a()
	h.Write([]byte(name))
	if err := t.fill(ctx, rand.NewPCG(seed, h.Sum64())); err != nil {
		return nil, err
	}
	return t, nil
}

// drawPiece is how many elements are drawn between two looks at the context.
const drawPiece = 1 << 18

// fill draws the elements: floats evenly from -1 to 1, in steps that binary32 has exactly,
// integers and bools 0 or 1. It returns the context's error, at which it looks now and then.
func (t *Tensor) fill(ctx context.Context, r *rand.PCG) error {
	// unit draws from -1 to 1.
	unit := func() float64 { return float64(int64(r.Uint64()>>40)-1<<23) / (1 << 23) }
	for i := range t.Len() {
		if i%drawPiece == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		switch {
		case t.dtype == Float8E8M0: // has powers of two only
			t.SetFloat(i, 1+unit())
		case IsFloat(t.dtype):
			t.SetFloat(i, unit())
		case IsComplex(t.dtype):
			re := unit()
			t.SetComplex(i, re, unit())
		default:
			t.SetInt(i, int64(r.Uint64()>>63))
		}
	}
	return nil
}
