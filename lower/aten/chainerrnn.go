package aten

// This file lowers Chainer's recurrent functions: steps to arithmetic, whole sequences to LSTM, GRU and RNN, one node for
// each layer.
//
// ONNX's order of the gates and of the operands differs from Chainer's, and ONNX wants one tensor
// [steps, rows, features] with lengths, where Chainer has a list of steps with fewer and fewer
// rows. Sequences are sorted by length in Chainer, longest first, so that step i has the first
// rows.

import (
	"slices"

	"shapecheck/infer/graph"
	"shapecheck/onnx"
)

var chainerRecurrentRecords = []Record{
	{Op: chainerFunctions + "lstm", Lower: func(c *Call) {
		e := c.emit
		cell := c.Tensor("c_prev")
		x := c.Tensor("x")
		g := e.interleaved(x)
		rows := e.Op("Shape", In(x), onnx.IntAttr("end", 1))
		kept := e.Op("Slice", In(cell, e.I64(0), rows, e.I64(0)))
		next := e.add(e.mul(e.tanh(g[0]), e.sigmoid(g[1])), e.mul(e.sigmoid(g[2]), kept))
		h := e.mul(e.sigmoid(g[3]), e.tanh(next))
		if !sameRows(c.Type("c_prev"), c.Type("x")) { // the rows of sequences that have ended stay
			next = e.Concat(0, next, e.Op("Slice", In(cell, rows, e.I64(1<<62), e.I64(0))))
		}
		c.Return(next, h)
	}},
	{Op: chainerFunctions + "slstm", Lower: func(c *Call) {
		e := c.emit
		x, y := e.interleaved(c.Tensor("x1")), e.interleaved(c.Tensor("x2"))
		side := func(g []V, cell string) V {
			return e.add(e.mul(e.tanh(g[0]), e.sigmoid(g[1])), e.mul(e.sigmoid(g[2]), c.Tensor(cell)))
		}
		next := e.add(side(x, "c_prev1"), side(y, "c_prev2"))
		c.Return(next, e.mul(e.sigmoid(e.add(x[3], y[3])), e.tanh(next)))
	}},
	{Op: chainerFunctions + "tree_lstm", Lower: func(c *Call) {
		e := c.emit
		list := c.List("inputs")
		cells := list[:len(list)-1]
		g := e.splitEven(list[len(cells)], 1, 3+len(cells))
		next := e.mul(e.tanh(g[0]), e.sigmoid(g[1]))
		for i, cell := range cells {
			next = e.add(next, e.mul(e.sigmoid(g[3+i]), cell))
		}
		c.Return(next, e.mul(e.sigmoid(g[2]), e.tanh(next)))
	}},
	{Op: chainerFunctions + "n_step_lstm " + chainerFunctions + "n_step_bilstm", Lower: nStep("LSTM", []int{0, 3, 1, 2})}, // Chainer: i f a o
	{Op: chainerFunctions + "n_step_gru " + chainerFunctions + "n_step_bigru",
		Lower: nStep("GRU", []int{1, 0, 2}, onnx.IntAttr("linear_before_reset", 1))},
	{Op: chainerFunctions + "_n_step_rows " + chainerFunctions + "_n_step_sequence " + chainerFunctions + "_n_step_state",
		None: "the lengths of the sequences are not numbers, of which n_step_lstm and the like take"},
	{Op: chainerFunctions + "n_step_rnn " + chainerFunctions + "n_step_birnn", Lower: nStep("RNN", []int{0})},
}

// tanh and sigmoid are the activations of gates.
func (e *Emitter) tanh(x V) V    { return e.Op("Tanh", In(x)) }
func (e *Emitter) sigmoid(x V) V { return e.Op("Sigmoid", In(x)) }

// interleaved are the four gates, of which each unit has one after the other. x is [rows,
// 4·units, …]: gate k of unit u is at 4·u + k.
func (e *Emitter) interleaved(x V) []V {
	shape := e.Shape(x)
	units := e.Op("Div", In(e.Slice(shape, 0, 1, 2, 1), e.I64(4)))
	x = e.ReshapeTo(x, e.Concat(0, e.Slice(shape, 0, 0, 1, 1), units, e.I64(4), e.Slice(shape, 0, 2, 1<<62, 1)))
	gates := make([]V, 4)
	for i := range gates {
		gates[i] = e.Op("Gather", In(x, e.I64Scalar(int64(i))), onnx.IntAttr("axis", 2))
	}
	return gates
}

// sameRows reports whether two types have the same first size.
func sameRows(x, y *graph.TensorType) bool {
	return x.Ranked && y.Ranked && x.Shape[0].Expr != nil && x.Shape[0].Expr == y.Shape[0].Expr
}

// nStep lowers a network over steps, of which each has the rows of the sequences that have not
// ended. order lists, for each of ONNX's gates, the number of Chainer's. The steps are filled up
// to the rows of the first; the rows of the states that no sequence has stay as they are. Results
// are the last states and the list of outputs of the steps, cut to their rows again. Lengths are
// an operand only if they differ. Dropout between layers is drawn once for each direction where
// the ratio is not 0, as Chainer does; it fails if the weights are not known one by one.
func nStep(op string, order []int, attrs ...*onnx.Attr) func(c *Call) {
	return func(c *Call) {
		e := c.emit
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
		rowsOf := func(x V) V { return e.Op("Shape", In(x), onnx.IntAttr("end", 1)) }
		rows, even := rowsOf(steps[0]), true
		var lengths V
		padded := make([]V, len(steps))
		for i, x := range steps {
			t := &types[i].(*graph.Value).Type
			if !sameRows(first, t) {
				even = false
				more := e.Concat(0, e.I64(0, 0), e.sub(rows, rowsOf(x)), e.I64(0))
				x = e.Op("Pad", In(x, more, e.Scalar(x.DType, 0)), onnx.StringAttr("mode", "constant"))
			}
			padded[i] = e.Unsqueeze(x, 0)
		}
		x := e.Concat(0, padded...)
		if !even { // how many steps each row has
			row := e.rangeTo(e.scalar0(rows))
			for i := range steps {
				has := e.Cast(e.Op("Less", In(row, e.scalar0(rowsOf(steps[i])))), onnx.Int32)
				if lengths.Name == "" {
					lengths = has
				} else {
					lengths = e.add(lengths, has)
				}
			}
		}
		// A layer's input is the last one's output, with the directions side by side.
		last := make([][]V, len(states))
		for layer := range layers {
			var w, r, b []V
			for dir := range dirs {
				at := layer*dirs + dir
				ws, bs := c.row("ws", at), c.row("bs", at)
				n := len(order)
				if len(ws) != 2*n || len(bs) != 2*n {
					failf("the weights of a layer are not known one by one")
				}
				pick := func(list []V) []V {
					out := make([]V, n)
					for i, from := range order {
						out[i] = list[from]
					}
					return out
				}
				w, r = append(w, e.Concat(0, pick(ws[:n])...)), append(r, e.Concat(0, pick(ws[n:])...))
				b = append(b, e.Concat(0, append(pick(bs[:n]), pick(bs[n:])...)...))
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
					in = e.mul(x, e.dropMask(x, ratio))
				}
				ins := []V{in, e.directions(w[from:to]), e.directions(r[from:to]), e.directions(b[from:to]), lengths}
				for _, s := range states {
					s = e.Slice(s, 0, int64(layer*dirs+from), int64(layer*dirs+to), 1)
					ins = append(ins, e.Op("Slice", In(s, e.I64(0), rows, e.I64(1))))
				}
				outs := e.Ops(op, 1+len(states), ins, ofDirections(attrs, from, to, dirs)...)
				for i := range states {
					last[i] = append(last[i], outs[1+i])
				}
				ys[part] = outs[0]
			}
			if x = ys[0]; apart > 1 {
				x = e.Concat(1, ys...)
			}
			if dirs == 1 { // steps, directions, rows, hidden
				x = e.Squeeze(x, 1)
			} else {
				x = e.Op("Reshape", In(e.Transpose(x, 0, 2, 1, 3), e.I64(0, 0, 2*hidden)))
			}
		}
		var res []V
		for i, l := range last {
			s := e.Concat(0, l...)
			name := [...]string{"hx", "cx"}[i]
			if t := c.Type(name); t.Shape[1].Expr == nil || first.Shape[0].Expr != t.Shape[1].Expr {
				whole := e.Slice(states[i], 0, 0, int64(layers*dirs), 1)
				s = e.Concat(1, s, e.Op("Slice", In(whole, rows, e.I64(1<<62), e.I64(1))))
			}
			res = append(res, s)
		}
		for i, step := range steps {
			y := e.Squeeze(e.Slice(x, 0, int64(i), int64(i)+1, 1), 0)
			if !sameRows(first, &types[i].(*graph.Value).Type) {
				y = e.Op("Slice", In(y, e.I64(0), rowsOf(step), e.I64(0)))
			}
			res = append(res, y)
		}
		c.Return(res...)
	}
}

// ofDirections are the attributes of a layer's directions from one to another of all. A single
// direction of two becomes an operator of its own, forward or reverse.
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

// row are the tensors of one list in a list of lists. It fails if the list has no such entry or
// no tensors.
func (c *Call) row(name string, at int) []V {
	lists := c.Items(name)
	if at >= len(lists) {
		failf("%s has no weights of layer and direction %d", name, at)
	}
	var out []V
	for _, o := range operandList(lists[at]) {
		v, ok := o.(*graph.Value)
		if !ok || v.Kind != graph.TensorKind {
			failf("%s is no list of lists of arrays", name)
		}
		out = append(out, c.Value(name, v))
	}
	return out
}
