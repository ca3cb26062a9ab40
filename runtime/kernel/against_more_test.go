package kernel

import (
	"math"
	"math/rand/v2"

	"shapecheck/codegen/isa"
	"shapecheck/runtime/tensor"
)

// This file draws operands of attention, interpolation, regions, places of extremes and counts.

func init() {
	generators = append(generators, moreGenerators...)
}

var moreGenerators = []generator{
	{"DFT", func(r *rand.Rand, op string) sample {
		d := append(dimsOf(r, 1+r.IntN(3), 4), pick[int64](r, 1, 2))
		axis := r.IntN(len(d) - 1)
		d[axis] = pick(r, 1, 2, 1+r.Int64N(70), 1+r.Int64N(70), 128, 400)
		inverse, half := int64(r.IntN(2)), int64(r.IntN(2))
		s := sample{op: op, tol: 2e-6, attrs: []*isa.Attr{isa.IntAttrOf("inverse", inverse), isa.IntAttrOf("onesided", half)}}
		if inverse == 1 && half == 1 {
			d[axis] = max(d[axis], 2)
		}
		s.in = []*tensor.Tensor{filled(r, tensor.Float32, false, d...), nil, nil}
		if r.IntN(3) == 0 {
			s.in[1] = tensor.Scalar(1 + r.Int64N(60))
		}
		if axis != len(d)-2 || r.IntN(2) == 0 {
			s.in[2] = tensor.Scalar(int64(pick(r, axis, axis-len(d))))
		}
		return s
	}},
	{"STFT", func(r *rand.Rand, op string) sample {
		n := 1 + r.Int64N(60)
		s := sample{op: op, tol: 2e-6, attrs: []*isa.Attr{isa.IntAttrOf("onesided", int64(r.IntN(2)))}}
		s.in = []*tensor.Tensor{filled(r, tensor.Float32, false, int64(r.IntN(4)), n+r.Int64N(200), pick[int64](r, 1, 2)),
			tensor.Scalar(1 + r.Int64N(20)), nil, tensor.Scalar(n)}
		if r.IntN(2) == 0 {
			s.in[2] = filled(r, tensor.Float32, false, pick(r, n, 1+r.Int64N(n)))
			if s.in[2].Dims()[0] == n && r.IntN(2) == 0 {
				s.in[3] = nil
			}
		}
		return s
	}},
	{"LRN", func(r *rand.Rand, op string) sample {
		x := filled(r, tensor.Float32, true, dimsOf(r, 2+r.IntN(3), pick(r, 7, 25))...)
		remote(r, x, 1e25)
		s := sample{op: op, tol: 2e-6, in: []*tensor.Tensor{x}, attrs: []*isa.Attr{isa.IntAttrOf("size", 1+r.Int64N(6))}}
		if r.IntN(2) == 0 {
			s.attrs = append(s.attrs, isa.FloatAttrOf("alpha", pick(r, 0.5, 2)), isa.FloatAttrOf("beta", pick(r, 0.5, 0.75, 1)),
				isa.FloatAttrOf("bias", pick(r, 0.0, 2)))
		}
		return s
	}},
	{"BitShift", func(r *rand.Rand, op string) sample {
		d := pick(r, tensor.Uint8, tensor.Uint16, tensor.Uint32, tensor.Uint64)
		a, b := stretchable(r)
		x, z := filled(r, d, false, a...), filled(r, d, false, b...)
		for i := range x.Len() {
			x.SetInt(i, r.Int64()&(1<<d.Bits()-1))
		}
		for i := range z.Len() {
			z.SetInt(i, r.Int64N(int64(d.Bits())+3))
		}
		return sample{op: op, in: []*tensor.Tensor{x, z}, attrs: []*isa.Attr{isa.StringAttrOf("direction", pick(r, "LEFT", "RIGHT"))}}
	}},
	{"RotaryEmbedding", func(r *rand.Rand, op string) sample {
		batch, length, heads, half, rest := int64(r.IntN(3)), 1+r.Int64N(9), 1+r.Int64N(4), 1+r.Int64N(20), r.Int64N(3)
		size := 2*half + rest
		s := sample{op: op, attrs: []*isa.Attr{isa.IntAttrOf("interleaved", r.Int64N(2))}}
		dims := []int64{batch, heads, length, size}
		if r.IntN(2) == 0 {
			dims = []int64{batch, length, heads * size}
			s.attrs = append(s.attrs, isa.IntAttrOf("num_heads", heads))
		}
		if rest > 0 {
			s.attrs = append(s.attrs, isa.IntAttrOf("rotary_embedding_dim", 2*half))
		}
		angles := []int64{batch, length, half}
		var ids *tensor.Tensor
		if r.IntN(2) == 0 {
			most := 1 + r.Int64N(20)
			angles = []int64{most, half}
			ids = filled(r, tensor.Int64, false, batch, length)
			for i := range ids.Len() {
				ids.SetInt(i, r.Int64N(2*most)-most)
			}
		}
		s.in = []*tensor.Tensor{filled(r, tensor.Float32, true, dims...), filled(r, tensor.Float32, true, angles...),
			filled(r, tensor.Float32, true, angles...), ids}
		return s
	}},
	{"ArgMax ArgMin", func(r *rand.Rand, op string) sample {
		d := dimsOf(r, 1+r.IntN(4), 30)
		axis := r.IntN(len(d))
		d[axis] = max(d[axis], 1)
		x := filled(r, pick(r, tensor.Float32, tensor.Float64, tensor.Int64, tensor.Int32), true, d...)
		if r.IntN(2) == 0 { // equal ones
			for i := range x.Len() {
				x.CopyElem(i, x, i%3)
			}
		}
		return sample{op: op, in: []*tensor.Tensor{x}, attrs: []*isa.Attr{isa.IntAttrOf("axis", int64(pick(r, axis, axis-len(d)))),
			isa.IntAttrOf("keepdims", int64(r.IntN(2))), isa.IntAttrOf("select_last_index", int64(r.IntN(2)))}}
	}},
	{"Elu Selu Celu ThresholdedRelu IsInf", func(r *rand.Rand, op string) sample {
		s := sample{op: op, tol: 2e-6, in: []*tensor.Tensor{filled(r, pick(r, tensor.Float32, tensor.Float64), true,
			dimsOf(r, r.IntN(4), 30)...)}}
		switch {
		case op == "IsInf":
			s.attrs = []*isa.Attr{isa.IntAttrOf("detect_negative", int64(r.IntN(2))), isa.IntAttrOf("detect_positive", int64(r.IntN(2)))}
		case r.IntN(2) == 0:
			s.attrs = []*isa.Attr{isa.FloatAttrOf("alpha", pick(r, 0.5, 1.5))}
		}
		return s
	}},
	{"Col2Im", func(r *rand.Rand, op string) sample {
		n := 1 + r.IntN(3)
		image, block, strides, dilations, pads := make([]int64, n), make([]int64, n), make([]int64, n), make([]int64, n), make([]int64, 2*n)
		places, spots, written := int64(1), int64(1), r.IntN(4) > 0
		for i := range n {
			block[i], strides[i], dilations[i], pads[i], pads[n+i] = int64(1+r.IntN(3)), int64(1+r.IntN(3)), int64(1+r.IntN(2)), int64(r.IntN(3)),
				int64(r.IntN(3))
			if !written {
				strides[i], dilations[i], pads[i], pads[n+i] = 1, 1, 0, 0
			}
			reach := (block[i]-1)*dilations[i] + 1
			image[i] = max(1, reach-pads[i]-pads[n+i]) + int64(r.IntN(12))
			if n < 3 && r.IntN(8) == 0 {
				image[i] += 150 // several bands
			}
			places *= block[i]
			spots *= (image[i]+pads[i]+pads[n+i]-reach)/strides[i] + 1
		}
		s := sample{op: op, tol: 2e-6, abs: 1e-5, in: []*tensor.Tensor{filled(r, tensor.Float32, r.IntN(4) == 0, int64(r.IntN(3)),
			places*int64(r.IntN(4)), spots), intsTensor(image...), intsTensor(block...)}}
		if written {
			s.attrs = []*isa.Attr{isa.IntsAttrOf("strides", strides...), isa.IntsAttrOf("dilations", dilations...), isa.IntsAttrOf("pads", pads...)}
		}
		return s
	}},
	{"Mod", func(r *rand.Rand, op string) sample {
		a, b := stretchable(r)
		d := pick(r, tensor.Float32, tensor.Float64)
		return sample{op: op, attrs: []*isa.Attr{isa.IntAttrOf("fmod", 1)},
			in: []*tensor.Tensor{filled(r, d, true, a...), filled(r, d, true, b...)}}
	}},
	{"RoiAlign", func(r *rand.Rand, op string) sample {
		x, n := dimsOf(r, 4, 9), int64(r.IntN(5))
		x[0], x[2], x[3] = max(x[0], 1), max(x[2], 1), max(x[3], 1)
		if r.IntN(4) == 0 {
			x[1] = 500 // several tiles
		}
		ratio := int64(r.IntN(4))
		boxes, images := filled(r, tensor.Float32, ratio > 0 && r.IntN(4) == 0, n, 4), filled(r, tensor.Int64, false, n)
		for i := range boxes.Len() {
			boxes.SetFloat(i, boxes.Float(i)*pick(r, 1, 4.)+float64(i/2%2)*4)
		}
		for i := range images.Len() {
			images.SetInt(i, r.Int64N(2*x[0])-x[0])
		}
		return sample{op: op, in: []*tensor.Tensor{filled(r, tensor.Float32, r.IntN(4) == 0, x...), boxes, images}, attrs: []*isa.Attr{
			isa.IntAttrOf("output_height", int64(1+r.IntN(4))), isa.IntAttrOf("output_width", int64(1+r.IntN(4))),
			isa.IntAttrOf("sampling_ratio", ratio),
			isa.FloatAttrOf("spatial_scale", pick(r, 1, 0.5, 0.3125)), isa.StringAttrOf("mode", pick(r, "avg", "max")),
			isa.StringAttrOf("coordinate_transformation_mode", pick(r, "half_pixel", "output_half_pixel"))}}
	}},
	// rows behind each other, in blocks
	{"ReduceSum ReduceMean ReduceMax ReduceMin ReduceSumSquare ReduceL1 ReduceL2", func(r *rand.Rand, op string) sample {
		d, axes := []int64{int64(65 + r.IntN(200)), int64(2 + r.IntN(50))}, []int64{0}
		switch r.IntN(20) {
		case 0:
			d = []int64{int64(65 + r.IntN(4)), 2100}
		case 1, 2, 3, 4, 5, 6:
			d, axes = []int64{int64(1 + r.IntN(9)), int64(1 + r.IntN(4)), int64(10 + r.IntN(90)), int64(2 + r.IntN(30))}, []int64{0, 2}
		case 7, 8:
			d, axes = []int64{2, 3, 65, 1, 5, 3}, []int64{1, 2, 4}
		}
		x := filled(r, tensor.Float32, r.IntN(6) == 0, d...)
		s := sample{op: op, tol: 2e-6, in: []*tensor.Tensor{x, intsTensor(axes...)},
			attrs: []*isa.Attr{isa.IntAttrOf("keepdims", int64(r.IntN(2)))}}
		switch op { // sums of terms that cancel
		case "ReduceSum":
			s.abs = 1e-7 * float64(x.Len())
		case "ReduceMean":
			s.abs = 1e-6 * remote(r, x, 2e37)
		}
		return s
	}},
	{"TopK", func(r *rand.Rand, op string) sample {
		d := dimsOf(r, 1+r.IntN(3), 70)
		axis := r.IntN(len(d))
		x := filled(r, pick(r, tensor.Float32, tensor.Float64, tensor.Int64, tensor.Int32, tensor.Uint8, tensor.Int8), true, d...)
		return sample{op: op, outs: 2, attrs: []*isa.Attr{isa.IntAttrOf("axis", int64(pick(r, axis, axis-len(d)))),
			isa.IntAttrOf("largest", int64(r.IntN(2)))},
			in: []*tensor.Tensor{x, intsTensor(r.Int64N(pick(r, d[axis]+1, d[axis]/8+1)))}}
	}},
	{"CumSum", func(r *rand.Rand, op string) sample {
		d := dimsOf(r, 1+r.IntN(3), pick(r, 9, 40))
		if r.IntN(5) == 0 {
			d[len(d)-1] = 600
		}
		axis := r.IntN(len(d))
		x := filled(r, pick(r, tensor.Float32, tensor.Float64, tensor.Int64, tensor.Int32), true, d...)
		return sample{op: op, tol: 1e-6, attrs: []*isa.Attr{isa.IntAttrOf("exclusive", int64(r.IntN(2))),
			isa.IntAttrOf("reverse", int64(r.IntN(2)))},
			in: []*tensor.Tensor{x, tensor.Scalar(int64(pick(r, axis, axis-len(d))))}}
	}},
	{"OneHot", func(r *rand.Rand, op string) sample {
		d := dimsOf(r, r.IntN(4), 9)
		n := r.Int64N(12)
		axis := r.IntN(len(d) + 1)
		return sample{op: op, attrs: []*isa.Attr{isa.IntAttrOf("axis", int64(pick(r, axis, axis-len(d)-1)))},
			in: []*tensor.Tensor{filled(r, pick(r, tensor.Int64, tensor.Int32), false, d...), tensor.Scalar(n),
				filled(r, pick(r, numberTypes...), false, 2)}}
	}},
	{"GatherElements ScatterElements", func(r *rand.Rand, op string) sample {
		d := dimsOf(r, 1+r.IntN(3), pick(r, 7, 40))
		axis := r.IntN(len(d))
		d[axis] = max(d[axis], 1)
		of := append([]int64{}, d...)
		for i := range of {
			if i == axis || r.IntN(2) == 0 && of[i] > 0 {
				of[i] = 1 + r.Int64N(max(of[i], 1))
			}
		}
		of[axis] += r.Int64N(9)
		idx := filled(r, pick(r, tensor.Int64, tensor.Int32), false, of...)
		for i := range idx.Len() {
			idx.SetInt(i, r.Int64N(2*d[axis])-d[axis])
		}
		types := append([]tensor.DType{tensor.Complex128, tensor.Bool}, numberTypes...)
		s := sample{op: op, attrs: []*isa.Attr{isa.IntAttrOf("axis", int64(pick(r, axis, axis-len(d))))}}
		if op == "ScatterElements" && r.IntN(2) == 0 {
			s.attrs = append(s.attrs, isa.StringAttrOf("reduction", pick(r, "add", "mul", "max", "min")))
			types, s.tol = []tensor.DType{tensor.Float32, tensor.Float64, tensor.Int64, tensor.Int32, tensor.Uint8, tensor.Int8}, 1e-5
		}
		t := pick(r, types...)
		s.in = []*tensor.Tensor{filled(r, t, false, d...), idx}
		if op == "ScatterElements" {
			s.in = append(s.in, filled(r, t, false, of...))
		}
		return s
	}},
	{"GatherND ScatterND", func(r *rand.Rand, op string) sample {
		d := dimsOf(r, 1+r.IntN(4), 8)
		for i := range d {
			d[i] = max(d[i], 1)
		}
		if r.IntN(4) == 0 { // slices that several tiles share
			d[len(d)-1] = 9000
		}
		b := 0
		if op == "GatherND" {
			b = r.IntN(len(d))
		}
		k := r.IntN(len(d)-b) + pick(r, 0, 1)
		of := append(append([]int64{}, d[:b]...), dimsOf(r, pick(r, 1, 2), 5)...)
		idx := filled(r, pick(r, tensor.Int64, tensor.Int32), false, append(of, int64(k))...)
		for i := range idx.Len() {
			n := d[b+i%k]
			idx.SetInt(i, r.Int64N(2*n)-n)
		}
		types := append([]tensor.DType{tensor.Complex128, tensor.Bool}, numberTypes...)
		s := sample{op: op}
		if b > 0 {
			s.attrs = append(s.attrs, isa.IntAttrOf("batch_dims", int64(b)))
		}
		if op == "ScatterND" && r.IntN(2) == 0 {
			s.attrs = append(s.attrs, isa.StringAttrOf("reduction", pick(r, "add", "mul", "max", "min")))
			types, s.tol = []tensor.DType{tensor.Float32, tensor.Float64, tensor.Int64, tensor.Int32, tensor.Uint8, tensor.Int8}, 1e-5
		}
		t := pick(r, types...)
		s.in = []*tensor.Tensor{filled(r, t, false, d...), idx}
		if op == "ScatterND" {
			s.in = append(s.in, filled(r, t, false, append(of, d[k:]...)...))
		}
		return s
	}},
	{"Range", func(r *rand.Rand, op string) sample {
		step := int64(pick(r, 1, -1, 3, -4))
		return sample{op: op, in: []*tensor.Tensor{tensor.Scalar(int64(r.IntN(20) - 10)), tensor.Scalar(int64(r.IntN(60) - 30)),
			tensor.Scalar(step)}}
	}},
	{"Resize", func(r *rand.Rand, op string) sample {
		d := dimsOf(r, 1+r.IntN(4), 20)
		for i := range d {
			d[i] = max(d[i], 1)
		}
		mode := pick(r, "nearest", "linear", "cubic")
		s := sample{op: op, tol: 1e-5, abs: 1e-5, attrs: []*isa.Attr{isa.StringAttrOf("mode", mode),
			isa.StringAttrOf("coordinate_transformation_mode",
				pick(r, "half_pixel", "align_corners", "asymmetric", "pytorch_half_pixel", "half_pixel_symmetric"))}}
		if mode == "nearest" {
			s.attrs = append(s.attrs, isa.StringAttrOf("nearest_mode", pick(r, "floor", "ceil", "round_prefer_floor", "round_prefer_ceil")))
		} else if r.IntN(2) == 0 {
			s.attrs = append(s.attrs, isa.IntAttrOf("antialias", 1))
		}
		if mode == "cubic" && r.IntN(2) == 0 {
			s.attrs = append(s.attrs, isa.IntAttrOf("exclude_outside", 1), isa.FloatAttrOf("cubic_coeff_a", -0.5))
		}
		n := min(len(d), 2)
		whole := r.IntN(2) == 0 // all axes are written
		if !whole {
			axes := []int64{-1, int64(len(d)) - 2}[:n]
			s.attrs = append(s.attrs, isa.IntsAttrOf("axes", axes...))
		}
		var sizes []int64
		var scales []float32
		for i := range d {
			if whole && i < len(d)-n {
				sizes, scales = append(sizes, d[i]), append(scales, 1)
			} else if whole || len(sizes) < n {
				sizes, scales = append(sizes, int64(1+r.IntN(40))), append(scales, pick[float32](r, 0.5, 1, 2, 0.6, 0.7, 1.7, 3))
			}
		}
		s.in = []*tensor.Tensor{filled(r, tensor.Float32, false, d...), nil, nil, intsTensor(sizes...)}
		if r.IntN(2) == 0 {
			s.in = []*tensor.Tensor{s.in[0], nil, tensor.Of(scales, int64(len(scales)))}
		}
		return s
	}},
	{"Attention", func(r *rand.Rand, op string) sample {
		batch, kv, per, length, keys, size, value := int64(1+r.IntN(2)), int64(1+r.IntN(2)), int64(1+r.IntN(3)), int64(1+r.IntN(60)),
			int64(1+r.IntN(150)), int64(1+r.IntN(70)), int64(1+r.IntN(70))
		of := func(heads, length, size int64) []int64 { return []int64{batch, heads, length, size} }
		s := sample{op: op, abs: 2e-5, tol: 1e-4}
		if r.IntN(2) == 0 { // heads in rows
			of = func(heads, length, size int64) []int64 { return []int64{batch, length, heads * size} }
			s.attrs = append(s.attrs, isa.IntAttrOf("q_num_heads", kv*per), isa.IntAttrOf("kv_num_heads", kv))
		}
		special := r.IntN(4) == 0
		s.in = []*tensor.Tensor{filled(r, tensor.Float32, false, of(kv*per, length, size)...),
			filled(r, tensor.Float32, false, of(kv, keys, size)...), filled(r, tensor.Float32, false, of(kv, keys, value)...)}
		for _, x := range s.in[1:] { // also in keys that are not seen
			if special {
				x.SetFloat(r.IntN(x.Len()), pick(r, math.NaN(), math.Inf(1), math.Inf(-1)))
			}
		}
		if r.IntN(2) == 0 {
			s.attrs = append(s.attrs, isa.IntAttrOf("is_causal", 1))
		}
		s.attrs = append(s.attrs, isa.FloatAttrOf("scale", pick(r, 0.125, 0.3)))
		if m := []int64{pick(r, 1, batch), pick(r, 1, kv*per), pick(r, 1, length), keys}[r.IntN(4):]; r.IntN(3) > 0 {
			d := pick(r, tensor.Bool, tensor.Float32)
			mask := filled(r, d, false, m...)
			for i := range mask.Len() {
				if d == tensor.Float32 && r.IntN(4) == 0 || i/int(keys)%5 == 4 { // some rows see nothing
					if d == tensor.Float32 {
						mask.SetFloat(i, math.Inf(-1))
					} else {
						mask.SetInt(i, 0)
					}
				}
			}
			s.in = append(s.in, mask)
		}
		return s
	}},
}
