package compare

// This file reads the parameters of recurrent layers as the products of single gates, so that Chainer's, which has a
// matrix for each gate, and PyTorch's, which has those of a layer one below the other, are the same
// where their numbers are. A piece is named by what it multiplies, such as "layer 0, weight of the
// input, gate forget"; equal names of both models are compared by type and initial value. What one
// layer has and the other lacks is a difference.

import (
	"fmt"
	"strconv"
	"strings"

	"shapecheck/infer"
	"shapecheck/infer/graph"
	"shapecheck/infer/value"
	"shapecheck/internal/lazyregexp"
	"shapecheck/symshape"
)

// A recurrence is how a class of layers computes its steps and holds its parameters. gates is their
// number, which also tells LSTM, GRU and plain networks apart.
type recurrence struct {
	torch bool
	gates int
	// cell is that the layer computes one step.
	cell bool
	// after is that the reset gate multiplies the state before the product, as Chainer's GRU of single steps does and no layer of PyTorch.
	after bool
}

// By the name of the class in chainer.links.
var chainerRecurrences = map[string]recurrence{
	"NStepLSTM": {gates: 4}, "NStepBiLSTM": {gates: 4}, "NStepGRU": {gates: 3}, "NStepBiGRU": {gates: 3},
	"NStepRNNTanh": {gates: 1}, "NStepRNNReLU": {gates: 1}, "NStepBiRNNTanh": {gates: 1}, "NStepBiRNNReLU": {gates: 1},
	"LSTM": {gates: 4, cell: true}, "StatelessLSTM": {gates: 4, cell: true},
	"GRU": {gates: 3, cell: true, after: true}, "StatefulGRU": {gates: 3, cell: true, after: true},
	"StatelessGRU": {gates: 3, cell: true, after: true},
}

// By the name of the class in torch.nn.
var torchRecurrences = map[string]recurrence{
	"LSTM": {torch: true, gates: 4}, "GRU": {torch: true, gates: 3}, "RNN": {torch: true, gates: 1},
	"LSTMCell": {torch: true, gates: 4, cell: true}, "GRUCell": {torch: true, gates: 3, cell: true},
	"RNNCell": {torch: true, gates: 1, cell: true},
}

// recurrenceOf says how the layer of a call computes, nil for others than recurrent ones.
// Subclasses of these layers count.
func recurrenceOf(m *infer.ModuleCall) *recurrence {
	for _, k := range m.Class.MRO {
		table := torchRecurrences
		switch {
		case strings.HasPrefix(k.Module, "chainer.links"):
			table = chainerRecurrences
		case !strings.HasPrefix(k.Module, "torch.nn"):
			continue
		}
		if r, ok := table[k.Name]; ok {
			return &r
		}
	}
	return nil
}

// hasTorchRecurrence reports whether a model calls a recurrent layer of PyTorch. side is 0 or 1.
func (c *comparison) hasTorchRecurrence(side int) bool {
	for _, m := range c.runs[side].Calls {
		if r := recurrenceOf(m); r != nil && r.torch {
			return true
		}
	}
	return false
}

// gateNames are the gates in the order of PyTorch's rows and of NStep's matrices, which is cuDNN's.
var gateNames = map[int][]string{4: {"input", "forget", "cell", "output"}, 3: {"reset", "update", "new"}, 1: {""}}

// interleaved are the places of those of an LSTM among the four rows of a unit in Chainer's LSTM of single steps.
var interleaved = []int{1, 2, 0, 3}

// A piece is a gate's part of a parameter.
type piece struct {
	place string // what it multiplies, in words: the same for the same part of another layer
	parameter
}

// The keys of parameters: NStep's links are numbered, with w0… and b0…; PyTorch's are named by
// layer; Chainer's single steps have two links.
var (
	nstepKey = lazyregexp.New(`^(\d+)\.([wb])(\d+)$`)
	torchKey = lazyregexp.New(`^(weight|bias)_(ih|hh)(?:_l(\d+)(_reverse)?)?$`)
	stepKey  = lazyregexp.New(`^(upward|lateral)\.([Wb])$`)
)

// pieces splits the parameters of a recurrent layer; nil where one is not known to belong to a
// gate. The rows of PyTorch's matrices are divided by the number of gates.
func (c *comparison) pieces(side int, r *recurrence, x *call) []piece {
	var out []piece
	directions := 1
	// The links of both directions take turns.
	if v, _ := x.Module.Attrs.Get("direction"); v == value.Int(2) {
		directions = 2
	}
	add := func(p parameter, layer int, reverse, recurrent, bias bool, gate int) {
		place := fmt.Sprintf("layer %d", layer)
		if reverse {
			place += " backwards"
		}
		of := "input"
		if recurrent {
			of = "state"
		}
		what := "weight"
		if bias {
			what = "bias"
		}
		out = append(out, piece{strings.TrimSuffix(fmt.Sprintf("%s, %s of the %s, gate %s", place, what, of, gateNames[r.gates][gate]),
			", gate "), p})
	}
	for _, p := range x.own {
		t := p.tensor.Type()
		if !t.Ranked || len(t.Shape) == 0 {
			return nil
		}
		if m := nstepKey.FindStringSubmatch(p.key); m != nil && !r.torch && !r.cell {
			link, _ := strconv.Atoi(m[1])
			j, _ := strconv.Atoi(m[3])
			if j >= 2*r.gates {
				return nil
			}
			add(p, link/directions, link%directions == 1, j >= r.gates, m[2] == "b", j%r.gates)
			continue
		}
		m, s := torchKey.FindStringSubmatch(p.key), stepKey.FindStringSubmatch(p.key)
		if (m == nil || !r.torch) && (s == nil || r.torch || !r.cell || r.gates != 4) {
			return nil
		}
		pool := c.sizes.pools[side]
		rows := t.Shape[0].Expr
		if rows == nil {
			return nil
		}
		// The number of rows of one gate.
		size := pool.FloorDiv(rows, pool.Const(int64(r.gates)))
		for gate := range r.gates {
			part := p
			shape := append(symshape.Shape{symshape.MakeDim(size)}, t.Shape[1:]...)
			part.rowsType = &graph.TensorType{DType: t.DType, Ranked: true, Shape: shape}
			switch {
			case m == nil:
				// Chainer's LSTM has the gates of each unit one after the other.
				part.rows = fmt.Sprintf("[%d::4]", interleaved[gate])
				add(part, 0, false, s[1] == "lateral", s[2] == "b", gate)
				continue
			case r.gates > 1:
				part.rows = fmt.Sprintf("[%s:%s]", pool.Mul(pool.Const(int64(gate)), size), pool.Mul(pool.Const(int64(gate+1)), size))
			}
			layer, _ := strconv.Atoi(m[3])
			add(part, layer, m[4] != "", m[2] == "hh", m[1] == "bias", gate)
		}
	}
	return out
}

// recurrent compares two recurrent layers that hold their parameters in different ways; compared is
// false where they are no such layers. f is nil where they are the same.
func (c *comparison) recurrent(where string, a, b *call) (f *finding, compared bool) {
	calls := [2]*call{a, b}
	var kinds [2]*recurrence
	for i, x := range calls {
		if kinds[i] = recurrenceOf(x.ModuleCall); kinds[i] == nil {
			return nil, false
		}
	}
	// Layers of the same library are compared parameter by parameter elsewhere.
	if kinds[0].torch == kinds[1].torch {
		return nil, false
	}
	differ := func(format string, args ...any) *finding {
		f := &finding{Different, Difference{What: where + fmt.Sprintf(format, args...)}}
		for i, x := range calls {
			f.Places[i] = c.places(i, "", x.At, x.own[0].tensor.V.At)
		}
		return f
	}
	if kinds[0].gates != kinds[1].gates {
		return differ("%s and %s compute different steps", a.Class.Name, b.Class.Name), true
	}
	if kinds[0].after || kinds[1].after {
		return differ("Chainer's GRU of single steps multiplies the state by the reset gate before its product, PyTorch's after it: the same parameters give other numbers"), true
	}
	var parts [2][]piece
	var at [2]map[string]parameter
	for i, x := range calls {
		if parts[i] = c.pieces(i, kinds[i], x); parts[i] == nil {
			return nil, false
		}
		at[i] = map[string]parameter{}
		for _, p := range parts[i] {
			at[i][p.place] = p.parameter
		}
	}
	for _, p := range parts[0] {
		other, ok := at[1][p.place]
		if !ok {
			continue
		}
		if f := c.match(p.parameter, other); f != nil {
			f.What = where + f.What
			return f, true
		}
	}
	// A parameter without a counterpart.
	for i, which := range []string{"first", "second"} {
		for _, p := range parts[i] {
			if _, ok := at[1-i][p.place]; ok {
				continue
			}
			if other := kinds[1-i]; other.cell && !other.torch && strings.Contains(p.place, "bias of the state") {
				return differ("only the %s model has the parameter %s, which is 0 in a port: Chainer's %s has one bias; its rows [1::4], [2::4], [0::4], [3::4] are PyTorch's four blocks",
					which, p.name, calls[1-i].Class.Name), true
			}
			return differ("only the %s model has the parameter %s%s, %s", which, p.name, p.rows, p.place), true
		}
	}
	return c.states(where, kinds, calls), true
}

// states compares the states that two recurrent layers give, where both give them with the same
// axes. The results are not compared, since the libraries order their axes differently.
func (c *comparison) states(where string, kinds [2]*recurrence, calls [2]*call) *finding {
	var of [2][]value.Value
	for i, x := range calls {
		list := sequence(x.Out)
		switch {
		case list == nil:
			list = []value.Value{x.Out} // of a layer that keeps its state
		case kinds[i].torch && !kinds[i].cell && len(list) == 2: // output, (h, c)
			if list = sequence(list[1]); list == nil {
				list = []value.Value{sequence(x.Out)[1]}
			}
		case !kinds[i].torch && kinds[i].cell && len(list) == 2: // c, h
			list = []value.Value{list[1], list[0]}
		}
		of[i] = list
	}
	for k := range min(len(of[0]), len(of[1])) {
		x, ok := of[0][k].(*value.Tensor)
		y, both := of[1][k].(*value.Tensor)
		if !ok || !both || !x.Type().Ranked || !y.Type().Ranked || len(x.Type().Shape) != len(y.Type().Shape) {
			break
		}
		if f := c.tensors(x, y, ""); f != nil {
			f.What = where + "it gives the state " + f.What
			for i, x := range calls {
				f.Places[i] = c.places(i, text(x.Out), x.At)
			}
			return f
		}
	}
	return nil
}

// sequence gives the elements of a tuple or list, nil for others. nil also for lists of unknown
// length.
func sequence(v value.Value) []value.Value {
	if v == nil || kindOf(v) != aSequence || open(v) != nil {
		return nil
	}
	return elements(v)
}
