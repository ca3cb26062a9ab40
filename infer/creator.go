package infer

// This file tells of the functions behind Chainer's Variables: creator, with its label, rank and inputs.

import (
	"shapecheck/infer/ops"
	"shapecheck/infer/ops/chainer"
	"shapecheck/infer/value"
)

// A creator is the function that made a Variable, as far as it is known.
type creator struct {
	none   bool        // the Variable keeps no function
	own    value.Value // of the program's own, else nil
	label  string      // empty where it is not known
	inputs []*value.Tensor
	// exact says that inputs are all it has, and nothing else.
	exact bool
	rank  int // how many functions lie before it, unknownRank where that is not known
	// node is what the program sees, made when it asks.
	node value.Value
}

const unknownRank = -1

// creatorOf is what is known before a record is applied.
func (vr *variables) creatorOf(op *ops.Op, args []value.Value, kw []value.Kw) creator {
	of := chainer.CreatorOf(op, args, kw)
	c := creator{none: of.None, label: of.Label, exact: of.Inputs, rank: vr.deepest(args, kw)}
	if of.Label != "" {
		all := tensorsIn(args, withoutState(kw), func(t *value.Tensor) { c.inputs = append(c.inputs, t) })
		c.exact = c.exact && all
	}
	return c
}

// withoutState leaves out the arguments that a function keeps as attributes: they are no inputs of its own.
func withoutState(kw []value.Kw) []value.Kw {
	var out []value.Kw
	for _, k := range kw {
		switch k.Name {
		case "running_mean", "running_var", "running_projection", "mask":
		default:
			out = append(out, k)
		}
	}
	return out
}

// deepest is the rank of a function of the Variables in args.
func (vr *variables) deepest(args []value.Value, kw []value.Kw) int {
	rank := 0
	all := tensorsIn(args, kw, func(t *value.Tensor) {
		switch r := vr.rec.backprop.rank(t); {
		case !chainer.IsVariable(t) || rank == unknownRank:
		case r == unknownRank:
			rank = r
		default:
			rank = max(rank, r)
		}
	})
	if !all {
		return unknownRank
	}
	return rank
}

// rank is how many functions lie before a Variable.
func (b *backprop) rank(t *value.Tensor) int {
	m := b.made[t.V]
	own, isOwn := b.own[t.V]
	switch {
	case own.several || m == nil && !isOwn:
		return unknownRank
	case m == nil || m.function.none:
		return 0
	case m.function.rank == unknownRank || m.unsure && m.function.own == nil || m.function.own == nil && m.function.label == "":
		return unknownRank
	}
	return m.function.rank + 1
}

// rankOf is Variable.rank of Chainer: how many functions lie before it, which is not known after loops.
func (vr *variables) rankOf(t *value.Tensor) (value.Value, error) {
	r := vr.rec.backprop.rank(t)
	if r == unknownRank {
		return vr.host.DataInt("rank", 0, nil), nil
	}
	return value.Int(r), nil
}

// functionBehind gives the attribute creator.
func (vr *variables) functionBehind(t *value.Tensor) (value.Value, error) {
	b := vr.rec.backprop
	m := b.made[t.V]
	own, isOwn := b.own[t.V]
	switch {
	case own.several || m == nil && !isOwn:
		return vr.host.Unknown("whether a function made the Variable is not known"), nil
	case m == nil || m.function.none:
		return value.None, nil
	}
	f := &m.function
	switch {
	case f.own != nil:
		return f.own, nil
	case m.unsure:
		return vr.host.Unknown("whether a function made the Variable is not known"), nil
	case f.label == "":
		return vr.host.Unknown("the function that made the Variable is not modelled"), nil
	case f.node != nil:
		return f.node, nil
	}
	inputs := value.Value(vr.host.Unknown("the inputs of the function " + f.label))
	if f.exact {
		elems := make([]value.Value, len(f.inputs))
		for i, x := range f.inputs {
			elems[i] = x
			if !chainer.IsVariable(x) {
				v := chainer.NewVariable(&vr.heap, vr.host.Class("chainer.Variable"), x)
				v.V = vr.anotherVariable(x.V)
				b.ownVariable(v.V, true)
				elems[i] = v
			}
		}
		inputs = value.NewTuple(elems...)
	}
	rank := value.Value(value.Int(f.rank))
	if f.rank == unknownRank {
		rank = vr.host.DataInt("rank", 0, nil)
	}
	made, err := vr.host.Import("chainer.function_node")
	if err != nil {
		return nil, err
	}
	v, err := vr.host.CallMethod(made, "_made_by", value.Str(f.label), rank, inputs)
	if err == nil {
		f.node = v
	}
	return v, err
}
