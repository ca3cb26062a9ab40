package aten

// This file lowers recurrent networks to LSTM, GRU and RNN, one node for each
// layer, and their cells to arithmetic.

import (
	"shapecheck/infer/graph"
	"shapecheck/onnx"
)

var rnnRecords = []Record{
	{Op: "torch.lstm", Lower: recurrent("LSTM", []int{0, 3, 1, 2})}, // PyTorch: i f g o, ONNX: i o f c
	{Op: "torch.gru", Lower: recurrent("GRU", []int{1, 0, 2}, onnx.IntAttr("linear_before_reset", 1))},
	{Op: "torch.rnn_tanh", Lower: recurrent("RNN", []int{0})},
	{Op: "torch.rnn_relu", Lower: recurrent("RNN", []int{0})},
	{Op: "torch.lstm_cell", Lower: lstmCell},
	{Op: "torch.gru_cell", Lower: gruCell},
	{Op: "torch.rnn_tanh_cell", Lower: plainCell("Tanh")},
	{Op: "torch.rnn_relu_cell", Lower: plainCell("Relu")},
}

// recurrent lowers a network of layers. order lists, for each of ONNX's gates,
// the number of PyTorch's.
func recurrent(op string, order []int, attrs ...*onnx.Attr) func(c *Call) {
	return func(c *Call) {
		e := c.emit
		x, mask, lengths := c.sequences()
		states := c.List("hx")
		for i := range states { // PyTorch promotes a cell state of integers
			states[i] = e.Cast(states[i], x.DType)
		}
		params, types := c.List("params"), c.Items("params")
		dirs, each := 1, 2
		direction := "forward"
		if c.Bool("bidirectional") {
			dirs, direction = 2, "bidirectional"
		}
		if c.Bool("has_biases") {
			each = 4
		}
		layers := int(c.Int("num_layers"))
		if len(params) != layers*dirs*each {
			failf("projections of the hidden state have no form in ONNX")
		}
		hh := types[1].(*graph.Value).Type
		hidden, ok := hh.Shape[1].Const()
		if !ok {
			failf("the size of the hidden state must be known when the model is exported")
		}
		attrs := append([]*onnx.Attr{onnx.IntAttr("hidden_size", hidden), onnx.StringAttr("direction", direction)}, attrs...)
		if c.Node.Op == "torch.rnn_relu" {
			names := []string{"Relu", "Relu"}
			attrs = append(attrs, onnx.StringsAttr("activations", names[:dirs]...))
		}
		last := make([][]V, len(states))
		for layer := range layers {
			if p := c.Float("dropout"); layer > 0 && c.Bool("train") && p != 0 {
				x = e.Op("Dropout", In(x, e.Scalar(x.DType, p), e.Scalar(boolType, 1)))
			}
			var w [4][]V // of both directions: weights of input and state, biases of both
			for dir := range dirs {
				first := (layer*dirs + dir) * each
				for k := range each {
					w[k] = append(w[k], e.gates(params[first+k], order))
				}
			}
			ins := []V{x, e.directions(w[0]), e.directions(w[1]), {}, lengths}
			if each == 4 {
				var b []V
				for dir := range dirs {
					b = append(b, e.Concat(0, w[2][dir], w[3][dir]))
				}
				ins[3] = e.directions(b)
			}
			for _, s := range states {
				if layers > 1 {
					s = e.Slice(s, 0, int64(layer*dirs), int64((layer+1)*dirs), 1)
				}
				ins = append(ins, s)
			}
			outs := e.Ops(op, 1+len(states), ins, attrs...)
			for i := range states {
				last[i] = append(last[i], outs[1+i])
			}
			if x = outs[0]; dirs == 1 { // length, directions, batch, hidden
				x = e.Squeeze(x, 1)
			} else {
				x = e.Op("Reshape", In(e.Transpose(x, 0, 2, 1, 3), e.I64(0, 0, 2*hidden)))
			}
		}
		switch {
		case mask.Name != "":
			x = e.packed(x, mask)
		case c.Bool("batch_first"):
			x = e.Transpose(x, 1, 0, 2)
		}
		res := []V{x}
		for _, l := range last {
			if len(l) == 1 {
				res = append(res, l[0])
			} else {
				res = append(res, e.Concat(0, l...))
			}
		}
		c.Return(res...)
	}
}

// sequences gives the input with the steps first, and of a packed sequence the mask and the
// lengths.
func (c *Call) sequences() (x, mask, lengths V) {
	e := c.emit
	if c.Has("batch_sizes") {
		x, mask = c.Tensor("data"), c.packing()
		steps := e.Op("Shape", In(mask), onnx.IntAttr("start", 0), onnx.IntAttr("end", 1))
		return e.unpacked(x, mask, steps, e.Scalar(x.DType, 0)), mask, e.Cast(e.count(mask, 0), onnx.Int32)
	}
	if c.Rank("input") != 3 {
		failf("the input has no batch")
	}
	x = c.Tensor("input")
	if c.Bool("batch_first") {
		x = e.Transpose(x, 1, 0, 2)
	}
	return x, V{}, V{}
}

// gates puts the gates, which lie behind one another in dimension 0, in order.
func (e *Emitter) gates(w V, order []int) V {
	if len(order) == 1 {
		return w
	}
	parts := e.splitEven(w, 0, len(order))
	sorted := make([]V, len(order))
	for i, from := range order {
		sorted[i] = parts[from]
	}
	return e.Concat(0, sorted...)
}

// directions puts the weights of the directions on one another.
func (e *Emitter) directions(list []V) V {
	up := make([]V, len(list))
	for i, v := range list {
		up[i] = e.Unsqueeze(v, 0)
	}
	if len(up) == 1 {
		return up[0]
	}
	return e.Concat(0, up...)
}

// fromInput and fromState are the two summands of a cell's gates.
func (c *Call) fromInput() V { return c.cellPart(c.first(), "w_ih", "b_ih") }

func (c *Call) fromState(h V) V { return c.cellPart(h, "w_hh", "b_hh") }

func (c *Call) cellPart(x V, weight, bias string) V {
	e := c.emit
	y := e.matMul(x, e.Transpose(c.Tensor(weight), 1, 0))
	if c.Has(bias) {
		y = e.add(y, c.Tensor(bias))
	}
	return y
}

func lstmCell(c *Call) {
	e := c.emit
	states := c.List("hx")
	g := e.splitEven(e.add(c.fromInput(), c.fromState(states[0])), int64(c.Rank("input")-1), 4)
	sigmoid := func(x V) V { return e.Op("Sigmoid", In(x)) }
	cell := e.add(e.mul(sigmoid(g[1]), states[1]), e.mul(sigmoid(g[0]), e.Op("Tanh", In(g[2]))))
	c.Return(e.mul(sigmoid(g[3]), e.Op("Tanh", In(cell))), cell)
}

func gruCell(c *Call) {
	e := c.emit
	h, axis := c.Tensor("hx"), int64(c.Rank("input")-1)
	x, s := e.splitEven(c.fromInput(), axis, 3), e.splitEven(c.fromState(h), axis, 3)
	reset := e.Op("Sigmoid", In(e.add(x[0], s[0])))
	update := e.Op("Sigmoid", In(e.add(x[1], s[1])))
	next := e.Op("Tanh", In(e.add(x[2], e.mul(reset, s[2]))))
	c.Return(e.add(next, e.mul(update, e.sub(h, next))))
}

func plainCell(op string) func(c *Call) {
	return func(c *Call) { c.Return(c.emit.Op(op, In(c.emit.add(c.fromInput(), c.fromState(c.Tensor("hx")))))) }
}
