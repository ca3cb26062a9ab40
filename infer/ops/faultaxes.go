package ops

// This file describes the operands of a fault: their types, what their axes are
// called, and which axis is at fault.

import (
	"strconv"
	"strings"

	"shapecheck/infer/value"
	"shapecheck/internal/diag"
)

// maxOperands bounds the operands shown with a fault.
const maxOperands = 4

// shapeCodes are the codes of faults that depend on the shapes of operands.
var shapeCodes = map[diag.Code]bool{
	diag.ShapeMismatch: true, diag.RankMismatch: true, diag.DimOutOfRange: true, diag.InvalidSize: true, diag.ReshapeMismatch: true,
	diag.DTypeMismatch: true,
}

// operands describes the tensors that a fault is about: those that Blame named,
// or else all tensors among the arguments.
func (c *Call) operands() []diag.Operand {
	if c.Sig == nil {
		return nil
	}
	var out []diag.Operand
	index := map[*value.Tensor]int{}
	add := func(t *value.Tensor, name string, axis int) {
		if t == nil || name == "" {
			return
		}
		if i, ok := index[t]; ok {
			if out[i].Fault < 0 {
				out[i].Fault = axis
			}
			return
		}
		if len(out) == maxOperands || !t.Type().Ranked {
			return
		}
		rank := t.Type().Rank()
		if axis >= rank {
			axis = -1
		}
		o := diag.Operand{Name: name, Type: t.String(), Axes: axesOf(c.Op.Axes, name, rank), Fault: axis}
		if axis >= 0 {
			o.Size = t.Type().Shape[axis].String()
		}
		index[t] = len(out)
		out = append(out, o)
	}
	for _, r := range c.blame {
		add(r.Tensor, c.nameOf(r.Tensor), r.Axis)
	}
	if len(out) == 0 {
		for i, a := range c.Args {
			if t, ok := a.(*value.Tensor); ok {
				add(t, c.Sig.Params[i].Name, -1)
			}
		}
	}
	return out
}

// nameOf is the parameter that a tensor was passed for: "weight", "tensors[1]".
func (c *Call) nameOf(t *value.Tensor) string {
	for i, a := range c.Args {
		if a == value.Value(t) {
			return c.Sig.Params[i].Name
		}
		var elems []value.Value
		switch a := a.(type) {
		case *value.Tuple:
			elems = a.Elems
		case *value.List:
			elems = a.Elems
		}
		for j, e := range elems {
			if e == value.Value(t) {
				return c.Sig.Params[i].Name + "[" + strconv.Itoa(j) + "]"
			}
		}
	}
	return ""
}

// axesOf are the names of the axes of an operand, as Op.Axes gives them; nil when
// there are none.
func axesOf(table, param string, rank int) []string {
	if rank == 0 || table == "" {
		return nil
	}
	for _, row := range strings.Split(table, "; ") {
		p, list, _ := strings.Cut(row, ": ")
		if p != param {
			continue
		}
		names := strings.Fields(list)
		if names[0] != "…" {
			if len(names) == rank {
				return names
			}
			continue
		}
		names = names[1:]
		if rank < len(names) {
			continue
		}
		out := make([]string, 0, rank)
		for i := range rank - len(names) {
			switch {
			case i == 0:
				out = append(out, "batch")
			default:
				out = append(out, "…")
			}
		}
		return append(out, names...)
	}
	return nil
}
