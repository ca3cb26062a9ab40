package chainer

// This file holds the recurrent functions: single steps, and whole sequences through
// several layers. Batches of sequences come step by step: xs[0] has a row for each sequence, and
// later steps one for each sequence that is long enough, so that the numbers of rows do not grow.

import (
	"slices"

	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
)

// recurrent lists recurrent functions. A step of an LSTM needs four times as many channels in x as in the
// cell, and at most as many examples; it returns the cell and the output of one type. The records that
// begin with _n_step describe what sequences of unknown lengths become.
func recurrent() []ops.Op {
	const sig = "(n_layers, dropout_ratio, hx, ws, bs, xs"
	return []ops.Op{
		// A step of an LSTM: x has the four gates as channels.
		fn("lstm", "LSTM", "(c_prev, x)", func(k *call) value.Value {
			// The cell is (examples, size, …) of a float dtype and x (examples, 4·size, …) of the
			// same dtype. The cell that is returned has the type of c_prev, the output has as many
			// examples as x.
			if !k.apply("c_prev", "x") || !k.expect("c_prev.dtype.kind == f", "x.dtype == c_prev.dtype", "c_prev.ndim >= 2", "x.ndim >= 2",
				"c_prev.ndim == x.ndim",
				"x.shape[0] <= c_prev.shape[0]", "x.shape[1] == 4 * c_prev.shape[1]", "x.shape[2:] == c_prev.shape[2:]") {
				return nil
			}
			c := k.s("c_prev")
			return value.NewTuple(k.Out(k.d("c_prev"), c), k.Out(k.d("c_prev"), ops.With(c, 0, k.s("x")[0])))
		}, "a step of an LSTM: cell and output").With(ops.Op{Is: graph.OneTensor}),
		// Two cells of equal size, each with an input of its own of four times its channels, and as
		// many examples everywhere. The result is the cell and the output, both of the type of
		// c_prev1.
		fn("slstm", "SLSTM", "(c_prev1, c_prev2, x1, x2)", func(k *call) value.Value {
			if !k.apply("c_prev1", "c_prev2", "x1", "x2") || !k.expect("c_prev1.dtype.kind == f", "c_prev2.dtype == c_prev1.dtype",
				"x1.dtype == c_prev1.dtype", "x2.dtype == c_prev1.dtype",
				"c_prev1.ndim >= 2", "c_prev2.ndim >= 2", "x1.ndim >= 2", "x2.ndim >= 2", "c_prev1.ndim == x1.ndim", "c_prev1.ndim == c_prev2.ndim",
				"c_prev1.ndim == x2.ndim",
				"c_prev1.shape[0] == x1.shape[0]", "c_prev1.shape[0] == c_prev2.shape[0]", "c_prev1.shape[0] == x2.shape[0]",
				"x1.shape[1] == 4 * c_prev1.shape[1]", "x2.shape[1] == 4 * c_prev2.shape[1]", "x1.shape[2:] == c_prev1.shape[2:]",
				"x2.shape[2:] == c_prev2.shape[2:]", "x1.shape[2:] == x2.shape[2:]") {
				return nil
			}
			if !k.expect("c_prev1.shape[1] == c_prev2.shape[1]") {
				return nil
			}
			return value.NewTuple(k.Out(k.d("c_prev1"), k.s("c_prev1")), k.Out(k.d("c_prev1"), k.s("c_prev1")))
		}, "a step of an LSTM with two cells"),
		fn("tree_lstm", "TreeLSTM", "(*inputs)", treeLSTMRule, "a step of an LSTM with a cell for each child"),
		fn("n_step_lstm", "NStepLSTM|?", "(n_layers, dropout_ratio, hx, cx, ws, bs, xs)", steps(8, 1), "an LSTM over sequences, by steps"),
		fn("n_step_bilstm", "NStepBiLSTM|?", "(n_layers, dropout_ratio, hx, cx, ws, bs, xs)", steps(8, 2),
			"an LSTM over sequences in both directions"),
		fn("n_step_gru", "NStepGRU|?", sig+")", steps(6, 1), "a GRU over sequences, by steps"),
		fn("n_step_bigru", "NStepBiGRU|?", sig+")", steps(6, 2), "a GRU over sequences in both directions"),
		fn("n_step_rnn", "NStepRNN|?", sig+", activation='tanh')", steps(2, 1), "a recurrent network over sequences, by steps"),
		fn("n_step_birnn", "NStepBiRNN|?", sig+", activation='tanh', **others)", steps(2, 2),
			"a recurrent network over sequences in both directions"),
		// Sequences whose lengths are not numbers are not transposed one by one: these records
		// stand for their steps.
		fn("_n_step_rows", "TransposeSequence|?", "(x, n)", func(k *call) value.Value {
			n := k.number("n")
			if !k.apply("x") || !k.expect("x.ndim == 2") {
				return nil
			}
			return k.out(k.d("x"), n, k.s("x")[1])
		}, "a step of n sequences like x, whose lengths are not numbers"),
		fn("_n_step_sequence", "TransposeSequence|?", "(y, x)", func(k *call) value.Value {
			if !k.apply("y", "x") || !k.expect("x.ndim == 2", "y.ndim == 2") {
				return nil
			}
			return k.out(k.d("y"), k.s("x")[0], k.s("y")[1])
		}, "the outputs for the sequence x, of which y has a step"),
		// The state has the type of h: it does not depend on the number of steps.
		fn("_n_step_state", "Permutate|?", "(h, *xs)", func(k *call) value.Value {
			if !k.apply("h") {
				return nil
			}
			return k.like("h")
		}, "the state h after all steps of xs"),
	}
}

// treeLSTMRule takes any number of cells of children and an input of all gates: three, and one forget gate for
// each child. Each cell is (examples, size, …) and x (examples, (3+n)·size, …) for n cells, all of
// one float dtype. The result is the cell and the output of the type of c0. Without a cell it is an
// error of the call.
func treeLSTMRule(k *call) value.Value {
	in := k.Rest()
	if len(in) < 2 {
		return k.Errorf(InvalidType, diag.BadCall, "tree_lstm(): needs a cell at least, and an input")
	}
	n := len(in) - 1
	// The inputs by the names that messages show: c0, c1 … and x.
	k.bind("x", k.asInput("x", in[n]))
	for i, v := range in[:n] {
		k.bind("c"+itoa(i), k.asInput("c"+itoa(i), v))
	}
	k.let("gates", k.Const(int64(3+n)))
	if !k.expect("x.ndim >= 2") {
		return nil
	}
	for i := range n {
		c := "c" + itoa(i)
		if !k.expect(c+".dtype.kind == f", "x.dtype == "+c+".dtype", c+".ndim >= 2", c+".ndim == x.ndim", "x.shape[0] == "+c+".shape[0]",
			"x.shape[1] == gates * "+c+".shape[1]",
			"x.shape[2:] == "+c+".shape[2:]") {
			return nil
		}
	}
	return value.NewTuple(k.Out(k.d("c0"), k.s("c0")), k.Out(k.d("c0"), k.s("c0")))
}

// steps is the rule of recurrent networks over sequences: xs by step, weights and biases by layer
// and direction, each a list of so many. hx is (layers·directions, sequences, size); the result has
// the states after the last step and a tuple with the outputs of each step, size·directions wide.
// gates is the number of weights of a layer in one direction, of which one half reads the input and
// the other half the state: 2 of a plain network, 6 of a GRU, 8 of an LSTM, which has a cell cx
// too. The weights of the input are (size, input), those of the state (size, size), and a bias is
// (size).
func steps(gates, directions int) rule {
	return func(k *call) value.Value {
		if k.HasParam("activation") {
			k.oneOf("activation", "ValueError", "tanh", "relu")
		}
		layers := k.integer("n_layers")
		// Dropout lies between layers, so that a single one does not look at its ratio.
		if v := k.Value("dropout_ratio"); k.OK() && layers > 1 {
			k.ratioOf(v)
		}
		if layers == 1 || !k.training() {
			k.applied("dropout_ratio", 0)
		}
		names := []string{"hx"}
		cell := k.HasParam("cx")
		if cell {
			names = append(names, "cx")
		}
		for _, n := range names {
			if v := k.Value(n); k.OK() && !IsVariable(v) && !value.IsUnknown(v) {
				if t, ok := v.(*value.Tensor); !ok || !ops.IsArray(t) {
					return k.Errorf("AttributeError", diag.TypeMismatch, "%s(): '%s' must be a Variable, not %s", k.Short(), n, ops.TypeName(v))
				}
			}
		}
		if !k.apply(names...) {
			return nil
		}
		elems, ok := k.sequence("xs", k.Value("xs"))
		if !ok {
			return nil
		}
		if len(elems) == 0 {
			return k.Errorf("IndexError", diag.BadIndex, "%s(): xs has no steps", k.Short())
		}
		xs := make([]*value.Tensor, len(elems))
		for i, e := range elems {
			xs[i] = k.asInput("xs["+itoa(i)+"]", e)
		}
		h := k.s("hx")
		if !k.OK() {
			return nil
		}
		if len(h) != 3 {
			k.invalid(diag.RankMismatch, "hx.ndim == 3", itoa(len(h))+" != 3")
			return nil
		}
		// There is a state for each layer and direction; further ones are left out.
		need := int64(layers * directions)
		for _, n := range names {
			if s := k.s(n); k.OK() && (len(s) == 0 || !k.holds(">=", s[0], k.Const(need))) {
				return k.Errorf("IndexError", diag.ShapeMismatch, "%s(): %s has no state for each of %d layers and directions: %s", k.Short(), n,
					need, k.t(n))
			}
		}
		if layers <= 0 {
			return k.Errorf(InvalidType, diag.BadValue, "%s(): n_layers is %d", k.Short(), layers)
		}
		if cell && !k.expect("cx.ndim == 3", "cx.dtype == hx.dtype", "hx.shape[2] == cx.shape[2]") {
			return nil
		}
		// The sizes of the state, and the number of sequences.
		size, rows := h[2], h[1]
		k.bind("x", xs[0])
		if !k.expect(floating, "x.ndim == 2", "hx.dtype == x.dtype") {
			return nil
		}
		base := len(k.env)
		for i, x := range xs {
			name := "x" + itoa(i)
			k.bind(name, x)
			if !k.expect(name+".dtype == x.dtype", name+".ndim == 2", name+".shape[1] == x.shape[1]") {
				return nil
			}
			if n := k.Shape(x)[0]; !cell && ops.IsConst(rows, 1) { // one state is added to the rows of a step, which are the state then
				rows = n
				continue
			}
			if k.let("rows", rows); !k.expect(name+".shape[0] <= rows") || cell && !k.expect(name+".shape[0] <= cx.shape[1]") {
				return nil
			}
		}
		k.env = k.env[:base]
		ws, bs := k.weights("ws", int(need), gates), k.weights("bs", int(need), gates)
		if !k.OK() {
			return nil
		}
		// The first layer reads the input, others the outputs of all directions.
		for i := range ws {
			in := k.Shape(xs[0])[1]
			if i >= directions {
				in = k.P.DimMul(size, k.Const(int64(directions)))
			}
			// The first half of the gates reads the input, the second the state.
			for j := range gates {
				k.env = k.env[:base]
				k.bind("w", ws[i][j])
				k.bind("b", bs[i][j])
				k.bind("first", ws[i][j/(gates/2)*(gates/2)])
				k.let("size", size)
				k.let("in", in)
				width := "w.shape[1] == in"
				if j >= gates/2 {
					width = "w.shape[1] == size"
				}
				if !k.expect("w.dtype.kind == f", "w.ndim == 2", width, "b.dtype == x.dtype", "b.ndim == 1", "b.shape[0] == w.shape[0]",
					"w.shape[0] == size") || gates > 2 && !k.expect("w.dtype == first.dtype") { // those of a half are joined
					return nil
				}
			}
		}
		width := k.P.DimMul(size, k.Const(int64(directions)))
		ys := make([]value.Value, len(xs))
		state := ops.With(ops.With(h, 0, k.Const(need)), 1, rows)
		out := []value.Value{k.Out(k.d("hx"), state)}
		if cell {
			out = append(out, k.Out(k.d("cx"), ops.With(k.s("cx"), 0, k.Const(need))))
		}
		for i, x := range xs {
			ys[i] = k.Out(k.d("hx"), dims(k.Shape(x)[0], width))
		}
		return value.NewTuple(append(out, value.NewTuple(ys...))...)
	}
}

// ratioOf checks a ratio of dropout: a number from 0 to below 1.
func (k *call) ratioOf(v value.Value) {
	if !isNumber(v) && !value.IsUnknown(v) {
		k.Errorf("TypeError", diag.TypeMismatch, "%s(): the ratio must be a number, not %s", k.Short(), ops.TypeName(v))
		return
	}
	if f, ok := value.AsFloat(v); ok && !(0 <= f && f < 1) {
		k.Errorf("ValueError", diag.BadValue, "%s(): the ratio must be in the range [0, 1), but is %v", k.Short(), f)
	}
}

// weights reads lists of inputs: so many, each of that length; nil after a fault. Longer lists are
// cut, as Chainer takes what it needs.
func (k *call) weights(name string, layers, gates int) [][]*value.Tensor {
	outer, ok := k.sequence(name, k.Value(name))
	if !ok {
		return nil
	}
	if len(outer) < layers {
		k.Errorf("IndexError", diag.BadIndex, "%s(): %s has %s, but there are %d layers and directions", k.Short(), name,
			ops.CountWord(len(outer),
				"element"), layers)
		return nil
	}
	out := make([][]*value.Tensor, layers)
	for i := range out {
		inner, ok := k.sequence(name, outer[i])
		if !ok {
			return nil
		}
		if len(inner) < gates || gates == 2 && len(inner) > gates {
			k.Errorf("IndexError", diag.BadIndex, "%s(): %s[%d] has %s, not %d", k.Short(), name, i, ops.CountWord(len(inner), "element"), gates)
			return nil
		}
		for j, v := range inner[:gates] {
			t := k.asInput(name+"["+itoa(i)+"]["+itoa(j)+"]", v)
			if t == nil {
				return nil
			}
			out[i] = append(out[i], t)
		}
	}
	return slices.Clip(out)
}
