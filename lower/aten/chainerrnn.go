package aten

// This file lowers Chainer's recurrent functions: steps to arithmetic, whole sequences to LSTM, GRU and RNN, one node for
// each layer.

import (
	"slices"

	"shapecheck/infer/graph"
	"shapecheck/onnx"
)

var chainerRecurrentRecords = []Record{
	{Op: chainerFunctions + "lstm", Lower: func(c *Call) {
		cell := c.Tensor("c_prev")
		x := c.Tensor("x")
		g := c.interleaved(x)
		rows := c.Op("Shape", In(x), onnx.IntAttr("end", 1))
		kept := c.Op("Slice", In(cell, c.I64(0), rows, c.I64(0)))
		next := c.add(c.mul(c.tanh(g[0]), c.sigmoid(g[1])), c.mul(c.sigmoid(g[2]), kept))
		h := c.mul(c.sigmoid(g[3]), c.tanh(next))
		if !c.sameRows(c.Type("c_prev"), c.Type("x")) { // the rows of sequences that have ended stay
			next = c.Concat(0, next, c.Op("Slice", In(cell, rows, c.I64(1<<62), c.I64(0))))
		}
		c.Return(next, h)
	}},
	{Op: chainerFunctions + "slstm", Lower: func(c *Call) {
		x, y := c.interleaved(c.Tensor("x1")), c.interleaved(c.Tensor("x2"))
		side := func(g []V, cell string) V {
			return c.add(c.mul(c.tanh(g[0]), c.sigmoid(g[1])), c.mul(c.sigmoid(g[2]), c.Tensor(cell)))
		}
		next := c.add(side(x, "c_prev1"), side(y, "c_prev2"))
		c.Return(next, c.mul(c.sigmoid(c.add(x[3], y[3])), c.tanh(next)))
	}},
	{Op: chainerFunctions + "tree_lstm", Lower: func(c *Call) {
		list := c.List("inputs")
		cells := list[:len(list)-1]
		g := c.splitEven(list[len(cells)], 1, 3+len(cells))
		next := c.mul(c.tanh(g[0]), c.sigmoid(g[1]))
		for i, cell := range cells {
			next = c.add(next, c.mul(c.sigmoid(g[3+i]), cell))
		}
		c.Return(next, c.mul(c.sigmoid(g[2]), c.tanh(next)))
	}},
	{Op: chainerFunctions + "n_step_lstm " + chainerFunctions + "n_step_bilstm", Lower: nStep("LSTM", []int{0, 3, 1, 2})}, // Chainer: i f a o
	{Op: chainerFunctions + "n_step_gru " + chainerFunctions + "n_step_bigru",
		Lower: nStep("GRU", []int{1, 0, 2}, onnx.IntAttr("linear_before_reset", 1))},
	{Op: chainerFunctions + "_n_step_rows " + chainerFunctions + "_n_step_sequence " + chainerFunctions + "_n_step_state",
		None: "the lengths of the sequences are not numbers, of which n_step_lstm and the like take"},
	{Op: chainerFunctions + "n_step_rnn " + chainerFunctions + "n_step_birnn", Lower: nStep("RNN", []int{0})},
}

func (c *Call) tanh(x V) V    { return c.Op("Tanh", In(x)) }
func (c *Call) sigmoid(x V) V { return c.Op("Sigmoid", In(x)) }

// interleaved are the four gates, of which each unit has one after the other.
func (c *Call) interleaved(x V) []V {
	shape := c.Shape(x)
	units := c.Op("Div", In(c.Slice(shape, 0, 1, 2, 1), c.I64(4)))
	x = c.ReshapeTo(x, c.Concat(0, c.Slice(shape, 0, 0, 1, 1), units, c.I64(4), c.Slice(shape, 0, 2, 1<<62, 1)))
	gates := make([]V, 4)
	for i := range gates {
		gates[i] = c.Op("Gather", In(x, c.I64Scalar(int64(i))), onnx.IntAttr("axis", 2))
	}
	return gates
}

// sameRows reports whether two types have the same first size.
func (c *Call) sameRows(x, y *graph.TensorType) bool {
	return x.Ranked && y.Ranked && x.Shape[0].Expr != nil && x.Shape[0].Expr == y.Shape[0].Expr
}

// nStep lowers a network over steps, of which each has the rows of the sequences that have not ended. order lists, for each of
// ONNX's gates, the number of Chainer's. The steps are filled up to the rows of the first; the rows of the states that no
// sequence has stay as they are.
func nStep(op string, order []int, attrs ...*onnx.Attr) func(c *Call) {
	return func(c *Call) {
		ratio := c.Float("dropout_ratio")
		steps, types := c.List("xs"), c.Items("xs")
		states := []V{c.Tensor("hx")}
		if op == "LSTM" {
			states = append(states, c.Tensor("cx"))
		}
		hidden := c.ConstDim("hx", 2)
		layers, dirs := int(c.Int("n_layers")), 1
		direction := "forward"
		if name := lastName(c.Node.Op); name == "n_step_bilstm" || name == "n_step_bigru" || name == "n_step_birnn" {
			dirs, direction = 2, "bidirectional"
		}
		attrs := append([]*onnx.Attr{onnx.IntAttr("hidden_size", hidden), onnx.StringAttr("direction", direction)}, attrs...)
		if op == "RNN" {
			name := map[string]string{"tanh": "Tanh", "relu": "Relu"}[c.Str("activation")]
			attrs = append(attrs, onnx.StringsAttr("activations", slices.Repeat([]string{name}, dirs)...))
		}
		first := &types[0].(*graph.Value).Type
		rowsOf := func(x V) V { return c.Op("Shape", In(x), onnx.IntAttr("end", 1)) }
		rows, even := rowsOf(steps[0]), true
		var lengths V
		padded := make([]V, len(steps))
		for i, x := range steps {
			t := &types[i].(*graph.Value).Type
			if !c.sameRows(first, t) {
				even = false
				more := c.Concat(0, c.I64(0, 0), c.sub(rows, rowsOf(x)), c.I64(0))
				x = c.Op("Pad", In(x, more, c.Scalar(x.DType, 0)), onnx.StringAttr("mode", "constant"))
			}
			padded[i] = c.Unsqueeze(x, 0)
		}
		x := c.Concat(0, padded...)
		if !even { // how many steps each row has
			row := c.rangeTo(c.scalar0(rows))
			for i := range steps {
				has := c.Cast(c.Op("Less", In(row, c.scalar0(rowsOf(steps[i])))), onnx.Int32)
				if lengths.Name == "" {
					lengths = has
				} else {
					lengths = c.add(lengths, has)
				}
			}
		}
		last := make([][]V, len(states))
		for layer := range layers {
			var w, r, b []V
			for dir := range dirs {
				at := layer*dirs + dir
				ws, bs := c.row("ws", at), c.row("bs", at)
				n := len(order)
				if len(ws) != 2*n || len(bs) != 2*n {
					c.Failf("the weights of a layer are not known one by one")
				}
				pick := func(list []V) []V {
					out := make([]V, n)
					for i, from := range order {
						out[i] = list[from]
					}
					return out
				}
				w, r = append(w, c.Concat(0, pick(ws[:n])...)), append(r, c.Concat(0, pick(ws[n:])...))
				b = append(b, c.Concat(0, append(pick(bs[:n]), pick(bs[n:])...)...))
			}
			// In training each direction of a further layer gets its own part of the last one's output.
			apart := 1
			if layer > 0 && ratio != 0 {
				apart = dirs
			}
			ys := make([]V, apart)
			for part := range apart {
				from, to, in := part*dirs/apart, (part+1)*dirs/apart, x
				if layer > 0 && ratio != 0 {
					in = c.mul(x, c.dropMask(x, ratio))
				}
				ins := []V{in, c.directions(w[from:to]), c.directions(r[from:to]), c.directions(b[from:to]), lengths}
				for _, s := range states {
					s = c.Slice(s, 0, int64(layer*dirs+from), int64(layer*dirs+to), 1)
					ins = append(ins, c.Op("Slice", In(s, c.I64(0), rows, c.I64(1))))
				}
				outs := c.Ops(op, 1+len(states), ins, ofDirections(attrs, from, to, dirs)...)
				for i := range states {
					last[i] = append(last[i], outs[1+i])
				}
				ys[part] = outs[0]
			}
			if x = ys[0]; apart > 1 {
				x = c.Concat(1, ys...)
			}
			if dirs == 1 { // steps, directions, rows, hidden
				x = c.Squeeze(x, 1)
			} else {
				x = c.Op("Reshape", In(c.Transpose(x, 0, 2, 1, 3), c.I64(0, 0, 2*hidden)))
			}
		}
		var res []V
		for i, l := range last {
			s := c.Concat(0, l...)
			name := [...]string{"hx", "cx"}[i]
			if t := c.Type(name); t.Shape[1].Expr == nil || first.Shape[0].Expr != t.Shape[1].Expr {
				whole := c.Slice(states[i], 0, 0, int64(layers*dirs), 1)
				s = c.Concat(1, s, c.Op("Slice", In(whole, rows, c.I64(1<<62), c.I64(1))))
			}
			res = append(res, s)
		}
		for i, step := range steps {
			y := c.Squeeze(c.Slice(x, 0, int64(i), int64(i)+1, 1), 0)
			if !c.sameRows(first, &types[i].(*graph.Value).Type) {
				y = c.Op("Slice", In(y, c.I64(0), rowsOf(step), c.I64(0)))
			}
			res = append(res, y)
		}
		c.Return(res...)
	}
}

// ofDirections are the attributes of a layer's directions from one to another of all.
func ofDirections(attrs []*onnx.Attr, from, to, all int) []*onnx.Attr {
	if to-from == all {
		return attrs
	}
	out := make([]*onnx.Attr, len(attrs))
	for i, a := range attrs {
		switch a.Name {
		case "direction":
			a = onnx.StringAttr("direction", []string{"forward", "reverse"}[from])
		case "activations":
			a = onnx.StringsAttr("activations", string(a.Strings[from]))
		}
		out[i] = a
	}
	return out
}

// row are the tensors of one list in a list of lists.
func (c *Call) row(name string, at int) []V {
	lists := c.Items(name)
	if at >= len(lists) {
		c.Failf("%s has no weights of layer and direction %d", name, at)
	}
	var out []V
	for _, o := range operandList(lists[at]) {
		v, ok := o.(*graph.Value)
		if !ok || v.Kind != graph.TensorKind {
			c.Failf("%s is no list of lists of arrays", name)
		}
		out = append(out, c.Value(name, v))
	}
	return out
}
