package torch

// This file holds the kernels behind nn.RNN, nn.LSTM, nn.GRU and their cells
// (aten/src/ATen/native/RNN.cpp). Packed sequences come as their data. Shapes: the input is (time,
// batch, features), with batch_first (batch, time, features), or without a batch (time, features);
// a packed sequence is (rows, features). States are (layers·directions, batch, hidden). The output
// has hidden·directions features. With a projection the hidden state of an lstm is smaller than its
// cell state.

import (
	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// Each kernel has two overloads, which are told apart by their arguments: one for padded input, one
// for the data of a packed sequence with the number of rows of each step.
const (
	rnnSig = "(Tensor input, Tensor hx, Tensor[] params, bool has_biases, int num_layers, float dropout, bool train, bool bidirectional, bool batch_first) | " +
		"(Tensor data, Tensor batch_sizes, Tensor hx, Tensor[] params, bool has_biases, int num_layers, float dropout, bool train, bool bidirectional)"
	lstmSig = "(Tensor input, Tensor[] hx, Tensor[] params, bool has_biases, int num_layers, float dropout, bool train, bool bidirectional, bool batch_first) | " +
		"(Tensor data, Tensor batch_sizes, Tensor[] hx, Tensor[] params, bool has_biases, int num_layers, float dropout, bool train, bool bidirectional)"
	cellSig     = "(Tensor input, Tensor hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, Tensor? b_hh=None)"
	lstmCellSig = "(Tensor input, Tensor[] hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, Tensor? b_hh=None)"
)

// lstm has four gates, gru three, and a simple network computes its state alone.
var rnnOps = [...]ops.Op{
	{Names: vfNames("lstm"), Sig: lstmSig, Rule: recurrent(4),
		Form: graph.Recurrent, Is: graph.TimeFirst | graph.OneTensor,
		Doc: "long short-term memory: output, last hidden and last cell state"},
	{Names: vfNames("gru"), Sig: rnnSig, Rule: recurrent(3),
		Form: graph.Recurrent, Is: graph.TimeFirst | graph.OneTensor, Doc: "gated recurrent unit: output and last hidden state"},
	{Names: vfNames("rnn_tanh"), Sig: rnnSig, Rule: recurrent(1),
		Form: graph.Recurrent, Is: graph.TimeFirst | graph.OneTensor, Doc: "Elman network: output and last hidden state"},
	{Names: vfNames("rnn_relu"), Sig: rnnSig, Rule: recurrent(1),
		Form: graph.Recurrent, Is: graph.TimeFirst, Doc: "Elman network: output and last hidden state"},
	{Names: vfNames("lstm_cell"), Sig: lstmCellSig, Rule: cell(4), Form: graph.Cell, Doc: "one step of lstm: hidden and cell state"},
	{Names: vfNames("gru_cell"), Sig: cellSig, Rule: cell(3), Form: graph.Cell, Doc: "one step of gru: hidden state"},
	{Names: vfNames("rnn_tanh_cell"), Sig: cellSig, Rule: cell(1), Form: graph.Cell, Doc: "one step of an Elman network: hidden state"},
	{Names: vfNames("rnn_relu_cell"), Sig: cellSig, Rule: cell(1), Form: graph.Cell, Doc: "one step of an Elman network: hidden state"},
}

// vfNames are the two names under which Python's modules call a kernel.
func vfNames(name string) []string { return []string{"torch." + name, "torch._VF." + name} }

// recurrent gives the rule of a network whose weights have so many gates: the rows of each weight
// are gates·hidden. The results are the output and the last states, in a tuple: of the dtype of the
// input. The sizes of the states come from hx, and so does the number of hidden features, since the
// weights may be of an unknown number of layers.
func recurrent(gates int64) func(*ops.Call) value.Value {
	return func(c *ops.Call) value.Value {
		x := recurrentInput(c)
		states := states(c, gates)
		layers, two := c.Dim("num_layers"), c.Bool("bidirectional")
		params := c.Tensors("params")
		xs := c.Shape(x)
		if !c.OK() {
			return nil
		}
		packed := c.HasParam("batch_sizes")
		lead := 2 // axes before the features: time and batch
		if packed || len(xs) == 2 {
			lead = 1
		}
		name := c.Short()
		switch {
		case packed && len(xs) != 2:
			return c.FixingRank().Errorf("RuntimeError", diag.RankMismatch,
				"%s: the data of a packed sequence must have 2 dimensions, but it is %s", name, x)
		case len(xs) != lead+1:
			return c.FixingRank().Errorf("RuntimeError", diag.RankMismatch,
				"%s: the input must have 3 dimensions (or 2 without a batch), but it is %s", name, x)
		}
		// The rows of a state. Layers and directions share the first axis of a state.
		dirs := int64(1)
		if two {
			dirs = 2
		}
		rows := c.P.DimMul(layers, c.Const(dirs))
		if packed && !packedSizes(c, xs[0]) {
			return nil
		}
		if !rnnParams(c, x, states, params, layers, dirs, gates) {
			return nil
		}
		// A packed sequence has a number of sequences that only batch_sizes tells.
		batch, hasBatch := c.Const(0), false
		if lead == 2 {
			axis := 1
			if c.Bool("batch_first") {
				axis = 0
			}
			// An empty sequence has no last state.
			batch, hasBatch = xs[axis], true
			if !need(c, xs[1-axis], 1, "%s: the sequence in the input %s is empty", name, x) {
				return nil
			}
		}
		for i, h := range states {
			if !rnnState(c, x, h, i, rows, batch, hasBatch, packed) {
				return nil
			}
		}
		hs := states[0].Type().Shape
		hidden := hs[len(hs)-1]
		out := ops.With(xs, len(xs)-1, c.P.DimMul(hidden, c.Const(dirs)))
		res := []value.Value{c.Out(x.Type().DType, out)}
		if len(out) == 3 && c.Bool("batch_first") { // computed with the time first, and transposed
			d, one := out[2].Expr, c.P.Const(1)
			c.SetStrides(res[0].(*value.Tensor), []*symshape.Expr{d, c.P.Mul(out[0].Expr, d), one})
		}
		// All states have as many rows and as large a batch as the hidden one.
		for _, h := range states {
			s := ops.With(h.Type().Shape, 0, hs[0])
			if len(s) == 3 {
				s[1] = hs[1]
			}
			res = append(res, c.Out(x.Type().DType, s))
		}
		return value.NewTuple(res...)
	}
}

// packedSizes checks batch_sizes of a packed sequence with so many rows: an int64 vector that adds
// up to them. It reports whether there is neither fault nor loss.
func packedSizes(c *ops.Call, rows symshape.Dim) bool {
	t := c.Tensor("batch_sizes")
	if t == nil || !c.Rank(t, "batch_sizes", 1) || !wantDType(c, t, "batch_sizes", 1<<dtype.I64) {
		return false
	}
	sum := c.Const(0)
	elems := t.Contents()
	for _, e := range elems {
		d, ok := value.AsDim(c.P, e)
		// An element that is not known leaves the sum open.
		if !ok {
			return true
		}
		sum = c.P.DimAdd(sum, d)
	}
	// What PyTorch gives for data of another number of rows is not followed.
	if n, ok := ops.DimVal(rows); ok && elems != nil && sum.Known && sum.Val != n {
		c.Lose("batch_sizes add up to %d, but the data has %d rows", sum.Val, n)
	}
	return c.OK()
}

// recurrentInput: a packed sequence passes its data, a tensor of all steps, in place of the input.
func recurrentInput(c *ops.Call) *value.Tensor {
	if c.HasParam("data") {
		return c.Tensor("data")
	}
	return c.Tensor("input")
}

// states reads hx: the hidden state, and for lstm the cell state. It gives nil, or an incomplete
// list, after a fault.
func states(c *ops.Call, gates int64) []*value.Tensor {
	var list []*value.Tensor
	if gates == 4 {
		list = c.Tensors("hx")
		if c.OK() && len(list) != 2 {
			c.Errorf("RuntimeError", diag.BadCall, "%s: hx must hold the hidden and the cell state, but it has %d elements",
				c.Short(), diag.Count(len(list)))
		}
	} else if h := c.Tensor("hx"); h != nil {
		list = []*value.Tensor{h}
	}
	for _, h := range list {
		c.Shape(h)
	}
	return list
}

// rnnParams checks the weights and biases of every layer and direction: [w_ih,
// w_hh, b_ih, b_hh], without biases the first two, and for lstm with a
// projection w_hr at the end.
func rnnParams(c *ops.Call, x *value.Tensor, states, params []*value.Tensor, layers symshape.Dim, dirs, gates int64) bool {
	name := c.Short()
	// With an unknown number of layers only the first weight is looked at.
	n, ok := layers.Const()
	if !ok {
		return len(params) == 0 || rnnInput(c, x, params[0])
	}
	each := int64(2)
	if c.Bool("has_biases") {
		each = 4
	}
	// The last size of a tensor, the number of its features. The zero Dim stands for that of a
	// tensor without axes.
	last := func(t *value.Tensor) symshape.Dim {
		if s := t.Type().Shape; len(s) > 0 {
			return s[len(s)-1]
		}
		return symshape.Dim{}
	}
	// hidden is the size of the gates, out that of the output, which a projection makes smaller.
	hidden, out := last(states[0]), last(states[0])
	if len(states) == 2 {
		hidden = last(states[1])
		// With a projection each layer and direction has one more weight.
		if int64(len(params)) == n*dirs*(each+1) {
			each++
		}
	}
	if int64(len(params)) != n*dirs*each {
		c.Errorf("RuntimeError", diag.BadCall, "%s: %d layers in %d directions have %d weights and biases, but %d were given", name, n, dirs,
			n*dirs*each,
			len(params))
		return false
	}
	rows := c.P.DimMul(hidden, c.Const(gates))
	in := last(x)
	// The input of the first layer is the network's, that of others the output of all directions
	// before it.
	for i, p := range params {
		j := int64(i) % each
		if int64(i) >= dirs*each {
			in = c.P.DimMul(out, c.Const(dirs))
		}
		if i == 0 && !rnnInput(c, x, p) || !matchDType(c, x, "the input", p, "a weight or bias") {
			return false
		}
		var want symshape.Shape
		switch {
		case j == 0:
			want = symshape.Shape{rows, in}
		case j == 1:
			want = symshape.Shape{rows, out}
		case j == 4 || j == 2 && each == 3:
			want = symshape.Shape{out, hidden}
		default:
			if !broadcastable(c, p, "a bias", symshape.Shape{{}, rows}) {
				return false
			}
			continue
		}
		if p.Type().Ranked && !fitsExactly(c, p, want) {
			c.Shapef("%s: parameter %d must have shape %s for the input %s and hidden size %s, but it is %s", name, i, want, x, hidden, p)
			return false
		}
	}
	return c.OK()
}

// rnnInput checks the input's features against the first weight, and reports whether they fit. A
// weight of another rank is refused elsewhere. A mismatch is said with the sizes, so that a message
// can propose the layer's number.
func rnnInput(c *ops.Call, x, w *value.Tensor) bool {
	ws, xs := w.Type().Shape, x.Type().Shape
	if w.Type().Rank() != 2 {
		return true
	}
	c.Blame(ops.Ref{Tensor: x, Axis: len(xs) - 1}, ops.Ref{Tensor: w, Axis: 1})
	if _, ok := c.Same(xs[len(xs)-1], ws[1]); !ok {
		c.Saying(c.OfSizes(diag.UnfitSize, xs[len(xs)-1], ws[1]))
		c.Shapef("%s: input has %s features in its last dimension but the weight %s expects %s", c.Short(), xs[len(xs)-1], ws, ws[1])
		return false
	}
	c.Blame()
	return matchDType(c, x, "the input", w, "the weight")
}

// rnnState checks state number i, 0 for the hidden and 1 for the cell state, against the rows that the layers
// need (layers times directions) and against the batch. Without a batch axis in the input the state has none
// either. A packed input has no batch axis but batches, so its state always has three dimensions.
func rnnState(c *ops.Call, x, h *value.Tensor, i int, rows, batch symshape.Dim, hasBatch, packed bool) bool {
	what := [...]string{"the hidden state", "the cell state"}[i]
	s, name := h.Type().Shape, c.Short()
	rank := 3
	if !hasBatch && !packed {
		rank = 2
	}
	if len(s) != rank {
		c.Errorf("RuntimeError", diag.RankMismatch, "%s: %s must have %d dimensions for the input %s, but it is %s", name, what, rank, x, h)
		return false
	}
	c.Blame(ops.Ref{Tensor: h, Axis: 0})
	// Only of the hidden state another number of rows is an error.
	if _, ok := c.Same(s[0], rows); !ok && i == 0 {
		c.Shapef("%s: dimension 0 of %s %s must be layers·directions = %s", name, what, h, rows)
		return false
	}
	if hasBatch && !(i == 1 && ops.IsConst(s[1], 1)) { // a single cell state is broadcast
		c.Blame(ops.Ref{Tensor: h, Axis: 1}, ops.Ref{Tensor: x, Axis: 1})
		if _, ok := c.Same(s[1], batch); !ok {
			c.Shapef("%s: %s %s has batch size %s but the input %s has %s", name, what, h, s[1], x, batch)
			return false
		}
	}
	c.Blame()
	// The cell state is added to: it is promoted.
	return i == 1 && dtype.Promote(h.Type().DType, x.Type().DType) == x.Type().DType || matchDType(c, x, "the input", h, what)
}

// cell gives the rule of one step: input (batch, features) or (features), states (batch, hidden) or
// (hidden). Each weight has gates·hidden rows. The results have the types of the states.
func cell(gates int64) func(*ops.Call) value.Value {
	return func(c *ops.Call) value.Value {
		x, wi, wh := c.Tensor("input"), c.Tensor("w_ih"), c.Tensor("w_hh")
		states := states(c, gates)
		xs, ws, hw := c.Shape(x), c.Shape(wi), c.Shape(wh)
		if !c.OK() {
			return nil
		}
		name := c.Short()
		if len(xs) < 1 || len(ws) != 2 || len(hw) != 2 {
			return c.FixingRank().Errorf("RuntimeError", diag.RankMismatch,
				"%s: the weights must have 2 dimensions and the input must have features, but they are %s, %s and %s", name, wi, wh, x)
		}
		if !rnnInput(c, x, wi) {
			return nil
		}
		for i, h := range states {
			what := [...]string{"the hidden state", "the cell state"}[i]
			s := h.Type().Shape
			if len(s) != len(xs) {
				return c.Errorf("RuntimeError", diag.RankMismatch, "%s: %s must have as many dimensions as the input %s, but it is %s", name, what, x,
					h)
			}
			// All axes but the features are the batch.
			for j := range len(s) - 1 {
				c.Blame(ops.Ref{Tensor: x, Axis: j}, ops.Ref{Tensor: h, Axis: j})
				if _, ok := c.Same(s[j], xs[j]); !ok {
					return c.Shapef("%s: %s %s has batch size %s but the input %s has %s", name, what, h, s[j], x, xs[j])
				}
			}
			c.Blame(ops.Ref{Tensor: h, Axis: len(s) - 1}, ops.Ref{Tensor: wh, Axis: 1})
			if _, ok := c.Same(s[len(s)-1], hw[1]); !ok {
				return c.Shapef("%s: %s %s has %s features but the weight %s expects %s", name, what, h, s[len(s)-1], hw, hw[1])
			}
			c.Blame()
			// The dtype of the results is then not followed.
			if i == 1 && h.Type().DType != x.Type().DType {
				return c.Lose("the cell state has another dtype than the input")
			}
			if !matchDType(c, x, "the input", h, what) {
				return nil
			}
		}
		rows := c.P.DimMul(hw[1], c.Const(gates))
		for _, w := range [...]*value.Tensor{wi, wh} {
			if _, ok := c.Same(w.Type().Shape[0], rows); !ok {
				return c.Shapef("%s: the weight %s must have %d·hidden = %s rows", name, w, gates, rows)
			}
			if !matchDType(c, x, "the input", w, "a weight") {
				return nil
			}
		}
		for _, b := range [...]string{"b_ih", "b_hh"} {
			t := c.Tensor(b)
			if !broadcastable(c, t, b, ops.With(xs, len(xs)-1, rows)) || !matchDType(c, x, "the input", t, b) {
				return nil
			}
		}
		var res []value.Value
		for _, h := range states {
			res = append(res, c.Out(x.Type().DType, h.Type().Shape))
		}
		if len(res) == 1 {
			return res[0]
		}
		return value.NewTuple(res...)
	}
}
