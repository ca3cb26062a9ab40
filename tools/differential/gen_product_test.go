package differential

// This file makes products, convolutions, pools and recurrences.

import (
	"shapecheck/onnx"
	"shapecheck/onnx/eval"
)

func roundTo(d onnx.DType, x float64) float64 { return eval.Round(d, x) }

var productMakers = []maker{{9, matMul}, {4, gemm}, {2, einsum}, {10, conv}, {3, convTranspose}, {6, pool}, {2, recurrent},
	{2, attention}, {2, integerProduct}, {2, images}}

func matMul(b *builder) {
	x := b.pick(rankAtLeast(1, aFloat))
	if x == nil {
		return
	}
	k := x.dims()[len(x.dims())-1]
	var y *val
	switch b.IntN(4) {
	case 0:
		y = b.pick(func(v *val) bool {
			d := v.dims()
			return v.dtype() == x.dtype() && len(d) > 0 && d[max(0, len(d)-2)] == k
		})
	case 1: // X · Xᵀ, and products with operands that are transposed
		if len(x.dims()) < 2 {
			return
		}
		perm := make([]int64, len(x.dims()))
		for i := range perm {
			perm[i] = int64(i)
		}
		n := len(perm)
		perm[n-1], perm[n-2] = perm[n-2], perm[n-1]
		if y = b.add("Transpose", []*val{x}, onnx.IntsAttr("perm", perm...)); y != nil && b.IntN(3) == 0 {
			x, y = y, x
		}
	default:
		y = b.drawnConst(x.dtype(), k, int64(1+b.IntN(9)))
	}
	if y == nil {
		return
	}
	z := b.add("MatMul", []*val{x, y})
	if z != nil && b.IntN(2) == 0 && len(z.dims()) > 0 {
		b.add("Add", b.swapped(z, b.drawnConst(z.dtype(), z.dims()[len(z.dims())-1])))
	}
}

func gemm(b *builder) {
	x := b.pick(rankIs(2, aFloat))
	if x == nil {
		return
	}
	ta, tb := b.IntN(2), b.IntN(2)
	m, k := x.dims()[0], x.dims()[1]
	if ta == 1 {
		m, k = k, m
	}
	n := int64(1 + b.IntN(9))
	w := []int64{k, n}
	if tb == 1 {
		w = []int64{n, k}
	}
	ins := []*val{x, b.drawnConst(x.dtype(), w...)}
	if b.IntN(5) == 0 {
		ins[1], n = x, m
		tb = 1 - ta
	}
	if b.IntN(3) > 0 {
		ins = append(ins, b.drawnConst(x.dtype(), [][]int64{{}, {n}, {m, 1}, {m, n}, {1, n}}[b.IntN(5)]...))
	}
	attrs := []*onnx.Attr{onnx.IntAttr("transA", int64(ta)), onnx.IntAttr("transB", int64(tb))}
	if b.IntN(3) == 0 {
		attrs = append(attrs, onnx.FloatAttr("alpha", 0.5), onnx.FloatAttr("beta", 2))
	}
	b.add("Gemm", ins, attrs...)
}

func einsum(b *builder) {
	x := b.pick(rankIs(2, aFloat))
	y := b.pick(rankIs(3, aFloat))
	switch k := b.IntN(5); {
	case k == 0 && x != nil:
		b.add("Einsum", []*val{x, b.drawnConst(x.dtype(), x.dims()[1], 3)}, onnx.StringAttr("equation", "ij,jk->ki"))
	case k == 1 && x != nil:
		b.add("Einsum", []*val{x, x}, onnx.StringAttr("equation", "ij,kj->ik"))
	case k == 2 && y != nil:
		b.add("Einsum", []*val{y, b.drawnConst(y.dtype(), y.dims()[1], y.dims()[2], 2)}, onnx.StringAttr("equation", "bhd,hdo->bo"))
	case k == 3 && y != nil:
		b.add("Einsum", []*val{y, y}, onnx.StringAttr("equation", "bij,bkj->bik"))
	case y != nil:
		b.add("Einsum", []*val{y}, onnx.StringAttr("equation", []string{"bij->b", "bij->jib", "...j->...", "bij->bj"}[b.IntN(4)]))
	}
}

// window draws the attributes of a convolution or pool over the axes behind the first two.
func (b *builder) window(x *val, dilated bool) (kernel []int64, attrs []*onnx.Attr) {
	n := len(x.dims()) - 2
	pads, strides, dil := make([]int64, 2*n), make([]int64, n), make([]int64, n)
	for i := range n {
		kernel = append(kernel, int64(1+b.IntN(3)))
		strides[i], dil[i] = int64(1+b.IntN(2)), 1
		if dilated && b.IntN(4) == 0 {
			dil[i] = 2
		}
		for _, j := range []int{i, n + i} {
			if kernel[i] > 1 {
				pads[j] = int64(b.IntN(2))
			}
		}
	}
	if b.IntN(2) == 0 {
		attrs = append(attrs, onnx.IntsAttr("strides", strides...))
	}
	if dilated && b.IntN(2) == 0 {
		attrs = append(attrs, onnx.IntsAttr("dilations", dil...))
	}
	switch b.IntN(5) {
	case 0:
		attrs = append(attrs, onnx.StringAttr("auto_pad", []string{"SAME_UPPER", "SAME_LOWER", "VALID"}[b.IntN(3)]))
	case 1, 2, 3:
		attrs = append(attrs, onnx.IntsAttr("pads", pads...))
	}
	return kernel, attrs
}

// images are values with a channel and one to three other axes.
func anImage(v *val) bool {
	return aFloat(v) && v.tensor().Len() > 0 && len(v.dims()) >= 3 && len(v.dims()) <= 5 && v.dims()[1] > 0
}

// image finds one, or makes one of another value.
func (b *builder) image() *val {
	if x := b.pick(anImage); x != nil {
		return x
	}
	if x := b.pick(rankIs(2, aFloat)); x != nil {
		return b.add("Unsqueeze", []*val{x, b.ints([][]int64{{0}, {0, 1}, {1}}[b.IntN(3)]...)})
	}
	return nil
}

func conv(b *builder) {
	x := b.image()
	if x == nil {
		return
	}
	d, c := x.dtype(), x.dims()[1]
	group := int64(1)
	if b.IntN(3) == 0 {
		group = []int64{c, 2, 3}[b.IntN(3)]
	}
	if group == 0 || c%group != 0 {
		return
	}
	out := group * int64(1+b.IntN(4))
	pad := b.IntN(6) == 0
	if pad { // a Pad that a rule may take into the convolution
		pads := make([]int64, 2*len(x.dims()))
		for i := range pads {
			if i%len(x.dims()) > 1 || b.IntN(12) == 0 {
				pads[i] = int64(b.IntN(2))
			}
		}
		if y := b.add("Pad", []*val{x, b.ints(pads...)}); y != nil && y.dims()[1] == c {
			x = y
		}
	}
	kernel, attrs := b.window(x, true)
	ins := []*val{x, b.drawnConst(d, append([]int64{out, c / group}, kernel...)...)}
	if b.IntN(2) == 0 {
		ins = append(ins, b.drawnConst(d, out))
	}
	y := b.add("Conv", ins, append(attrs, onnx.IntAttr("group", group))...)
	for range b.IntN(3) { // what rules take into it, or must not
		if y == nil {
			return
		}
		one := make([]int64, len(y.dims())-1)
		for i := range one {
			one[i] = 1
		}
		one[0] = out
		switch b.IntN(6) {
		case 0, 1:
			y = b.batchNorm(y)
		case 2:
			y = b.add("Mul", b.swapped(y, b.drawnConst(d, one...)))
		case 3:
			y = b.add("Add", b.swapped(y, b.drawnConst(d, one...)))
		case 4:
			y = b.add("Add", b.swapped(y, b.drawnConst(d, y.dims()[len(y.dims())-1])))
		default:
			y = b.add("Relu", []*val{y})
		}
	}
}

func convTranspose(b *builder) {
	x := b.image()
	if x == nil {
		return
	}
	d, c := x.dtype(), x.dims()[1]
	group := int64(1)
	if b.IntN(3) == 0 && c%2 == 0 {
		group = 2
	}
	kernel, attrs := b.window(x, true)
	ins := []*val{x, b.drawnConst(d, append([]int64{c, int64(1 + b.IntN(3))}, kernel...)...)}
	if b.IntN(2) == 0 {
		ins = append(ins, b.drawnConst(d, group*ins[1].dims()[1]))
	}
	y := b.add("ConvTranspose", ins, append(attrs, onnx.IntAttr("group", group))...)
	if y != nil && b.IntN(2) == 0 {
		b.batchNorm(y)
	}
}

func pool(b *builder) {
	x := b.image()
	if x == nil {
		return
	}
	if b.IntN(4) == 0 {
		b.add([]string{"GlobalAveragePool", "GlobalMaxPool", "GlobalLpPool"}[b.IntN(3)], []*val{x})
		return
	}
	kernel, attrs := b.window(x, true)
	attrs = append(attrs, onnx.IntsAttr("kernel_shape", kernel...))
	if b.IntN(3) == 0 {
		attrs = append(attrs, onnx.IntAttr("ceil_mode", 1))
	}
	switch b.IntN(5) {
	case 0, 1:
		b.addN("MaxPool", []*val{x}, 1+b.IntN(2), attrs...)
	case 2, 3:
		b.add("AveragePool", []*val{x}, append(attrs, onnx.IntAttr("count_include_pad", int64(b.IntN(2))))...)
	default:
		b.add("LpPool", []*val{x}, attrs...)
	}
}

func recurrent(b *builder) {
	x := b.pick(filled(rankIs(3, aFloat)))
	if x == nil {
		return
	}
	d, in, hidden := x.dtype(), x.dims()[2], int64(1+b.IntN(3))
	op := []string{"RNN", "GRU", "LSTM"}[b.IntN(3)]
	gates := map[string]int64{"RNN": 1, "GRU": 3, "LSTM": 4}[op]
	dirs, way := int64(1), "forward"
	switch b.IntN(3) {
	case 0:
		dirs, way = 2, "bidirectional"
	case 1:
		way = "reverse"
	}
	ins := []*val{x, b.drawnConst(d, dirs, gates*hidden, in), b.drawnConst(d, dirs, gates*hidden, hidden)}
	if b.IntN(2) == 0 {
		ins = append(ins, b.drawnConst(d, dirs, 2*gates*hidden))
	}
	attrs := []*onnx.Attr{onnx.IntAttr("hidden_size", hidden), onnx.StringAttr("direction", way)}
	if op == "GRU" {
		attrs = append(attrs, onnx.IntAttr("linear_before_reset", int64(b.IntN(2))))
	}
	b.addN(op, ins, 2, attrs...)
}

func attention(b *builder) {
	q := b.pick(filled(rankIs(4, aFloat)))
	if q == nil {
		return
	}
	k := b.pick(func(v *val) bool {
		d, e := v.dims(), q.dims()
		return v.dtype() == q.dtype() && len(d) == 4 && v.tensor().Len() > 0 && d[0] == e[0] && d[1] == e[1] && d[3] == e[3]
	})
	if k == nil {
		return
	}
	b.add("Attention", []*val{q, k, k}, onnx.IntAttr("is_causal", int64(b.IntN(2))))
}

func integerProduct(b *builder) {
	x := b.pick(rankAtLeast(2, func(v *val) bool { return v.dtype() == onnx.Uint8 || v.dtype() == onnx.Int8 }))
	if x == nil {
		return
	}
	d := x.dtype()
	if anChannel := len(x.dims()) == 4 && b.IntN(2) == 0; anChannel {
		b.add("ConvInteger", []*val{x, b.drawnConst(d, 3, x.dims()[1], 2, 2), b.number(d, 1)}, onnx.IntsAttr("pads", 1, 0, 1, 0))
		return
	}
	w := b.drawnConst(d, x.dims()[len(x.dims())-1], 3)
	if b.IntN(2) == 0 {
		b.add("MatMulInteger", []*val{x, w, b.number(d, 2), b.number(d, 1)})
		return
	}
	s := func(f float64) *val { return b.number(onnx.Float, f) }
	b.add("QLinearMatMul", []*val{x, s(0.1), b.number(d, 2), w, s(0.25), b.number(d, 1), s(0.5), b.number(d, 3)})
}

func images(b *builder) {
	x := b.pick(filled(rankIs(4, aFloat)))
	if x == nil {
		return
	}
	c, h := x.dims()[1], x.dims()[2]
	switch b.IntN(5) {
	case 0:
		if c%4 == 0 {
			b.add("DepthToSpace", []*val{x}, onnx.IntAttr("blocksize", 2), onnx.StringAttr("mode", []string{"DCR", "CRD"}[b.IntN(2)]))
		}
	case 1:
		if h%2 == 0 && x.dims()[3]%2 == 0 {
			b.add("SpaceToDepth", []*val{x}, onnx.IntAttr("blocksize", 2))
		}
	case 2:
		grid, mode := b.drawnConst(x.dtype(), x.dims()[0], 2, 3, 2), []string{"zeros", "border", "reflection"}[b.IntN(3)]
		b.add("GridSample", []*val{x, grid}, onnx.IntAttr("align_corners", int64(b.IntN(2))), onnx.StringAttr("padding_mode", mode))
	case 3:
		b.add("CenterCropPad", []*val{x, b.ints(3, 4)}, onnx.IntsAttr("axes", 2, 3))
	default:
		mode := []string{"nearest", "linear", "cubic"}[b.IntN(3)]
		how := []string{"half_pixel", "asymmetric", "align_corners", "pytorch_half_pixel"}[b.IntN(4)]
		scales := b.constant(&eval.Tensor{DType: onnx.Float, Dims: []int64{4}, F: []float64{1, 1, []float64{2, 1.5, 0.5}[b.IntN(3)], 2}})
		b.add("Resize", []*val{x, nil, scales}, onnx.StringAttr("mode", mode), onnx.StringAttr("coordinate_transformation_mode", how))
	}
}
