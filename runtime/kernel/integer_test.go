package kernel

// This file draws calls of operators on integers of a scale.

import (
	"math/rand/v2"
	"strings"

	"shapecheck/codegen/isa"
	"shapecheck/runtime/tensor"
)

var integerGenerators = []generator{
	{"MatMulInteger QLinearMatMul ConvInteger QLinearConv", func(r *rand.Rand, op string) sample {
		types := []tensor.DType{tensor.Int8, tensor.Uint8}
		tx, tw, groups := pick(r, types...), pick(r, types...), int64(1)
		full := func(d tensor.DType, dims ...int64) *tensor.Tensor {
			x := filled(r, d, false, dims...)
			for i := range x.Bytes() {
				x.Bytes()[i] = byte(r.IntN(256))
			}
			return x
		}
		k, n := 1+r.Int64N(70), 1+r.Int64N(150)
		var x, w *tensor.Tensor
		var attrs []*isa.Attr
		outs := n
		if strings.Contains(op, "MatMul") {
			x, w = full(tx, append(dimsOf(r, 1+r.IntN(2), 9), k)...), full(tw, k, n)
		} else {
			groups = pick[int64](r, 1, 1, 2)
			k, n = 1+r.Int64N(20), 1+r.Int64N(70)
			kh, kw := 1+r.Int64N(3), 1+r.Int64N(3)
			x, w, outs = full(tx, 1+r.Int64N(2), k*groups, 3+r.Int64N(12), 3+r.Int64N(12)), full(tw, n*groups, k, kh, kw), n*groups
			attrs = []*isa.Attr{isa.IntAttrOf("group", groups), isa.IntsAttrOf("pads", r.Int64N(2), r.Int64N(2), r.Int64N(2), r.Int64N(2)),
				isa.IntsAttrOf("strides", 1+r.Int64N(2), 1+r.Int64N(2))}
		}
		wide := func(each bool) []int64 {
			if each {
				return []int64{outs}
			}
			return nil
		}
		each := r.IntN(3) == 0
		zx, zw := full(tx), full(tw, wide(each && strings.Contains(op, "MatMul"))...)
		switch r.IntN(3) {
		case 0: // weights that are centred
			for i := range zw.Len() {
				zw.SetInt(i, map[tensor.DType]int64{tensor.Int8: 0, tensor.Uint8: 128}[tw])
			}
		case 1:
			zw = nil
		}
		if !strings.HasPrefix(op, "QLinear") {
			if r.IntN(3) == 0 {
				zx = nil
			}
			return sample{op: op, attrs: attrs, konst: []int{1, 3}, in: []*tensor.Tensor{x, w, zx, zw}}
		}
		if zw == nil {
			zw = full(tw)
		}
		ty := pick(r, types...)
		scale := func(dims ...int64) *tensor.Tensor { return positive(filled(r, tensor.Float32, false, dims...)) }
		scaleW := scale(wide(each)...)
		if each && zw.Len() == 1 && strings.Contains(op, "Conv") {
			v := zw.Int(0)
			zw = full(tw, outs)
			for i := range zw.Len() {
				zw.SetInt(i, v)
			}
		}
		s := sample{op: op, attrs: attrs, konst: []int{3, 4, 5}, in: []*tensor.Tensor{x, scale(), zx, w, scaleW, zw, nil, full(ty)}}
		s.in[6] = scale()
		s.in[6].SetFloat(0, s.in[6].Float(0)*float64(k)*1e3)
		if op == "QLinearConv" && r.IntN(2) == 0 {
			s.in = append(s.in, filled(r, tensor.Int32, false, outs))
		}
		return s
	}},
	{"QuantizeLinear DequantizeLinear DynamicQuantizeLinear", func(r *rand.Rand, op string) sample {
		d := dimsOf(r, 1+r.IntN(3), 30)
		if r.IntN(6) == 0 {
			d = []int64{3, 9000}
		}
		if strings.HasPrefix(op, "Dynamic") {
			return sample{op: op, outs: 3, in: []*tensor.Tensor{filled(r, tensor.Float32, r.IntN(4) == 0, d...)}}
		}
		var of []int64
		axis := r.IntN(len(d))
		if r.IntN(2) == 0 {
			of = d[axis : axis+1]
		}
		whole := pick(r, tensor.Int8, tensor.Uint8)
		x := filled(r, tensor.Float32, true, d...)
		if op == "DequantizeLinear" {
			x = filled(r, whole, false, d...)
		}
		s := sample{op: op, attrs: []*isa.Attr{isa.IntAttrOf("axis", int64(axis-len(d)))},
			in: []*tensor.Tensor{x, positive(filled(r, tensor.Float32, false, of...)), filled(r, whole, false, of...)}}
		if s.in[1].Len() > 0 {
			s.in[1].SetFloat(0, s.in[1].Float(0)/30) // where results saturate
		}
		if r.IntN(4) == 0 && (op == "DequantizeLinear" || whole == tensor.Uint8) {
			s.in = s.in[:2]
		}
		return s
	}},
}
