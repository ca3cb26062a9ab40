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
	diag.ShapeMismatch: true, diag.RankMismatch: true, diag.DimOutOfRange: true, diag.InvalidSize: true, diag.ReshapeMismatch: true, diag.DTypeMismatch: true,
}

// operands describes the tensors that a fault is about: those that Blame named,
// or else all tensors among the arguments.
func (c *Call) operands() []diag.Operand {
	if c.sig == nil {
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
		o := diag.Operand{Name: name, Type: t.String(), Axes: axesOf(shortName(c.Op.Names[0]), name, rank), Fault: axis}
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
		for i, a := range c.args {
			if t, ok := a.(*value.Tensor); ok {
				add(t, c.sig.Params[i].Name, -1)
			}
		}
	}
	return out
}

// nameOf is the parameter that a tensor was passed for: "weight", "tensors[1]".
func (c *Call) nameOf(t *value.Tensor) string {
	for i, a := range c.args {
		if a == value.Value(t) {
			return c.sig.Params[i].Name
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
				return c.sig.Params[i].Name + "[" + strconv.Itoa(j) + "]"
			}
		}
	}
	return ""
}

// An axisNames is a row of the table of what axes are called. A first name that
// ends in "…" stands for any number of axes.
type axisNames struct {
	op    string // beginning of the op's name; "" for all
	param string
	names string
}

var axisTable = [...]axisNames{
	{"linear", "input", "… features"},
	{"linear", "weight", "out_features in_features"},
	{"linear", "bias", "out_features"},
	{"conv_transpose1d", "weight", "in_channels out_channels/groups kW"},
	{"conv_transpose2d", "weight", "in_channels out_channels/groups kH kW"},
	{"conv_transpose3d", "weight", "in_channels out_channels/groups kD kH kW"},
	{"conv1d", "weight", "out_channels in_channels/groups kW"},
	{"conv2d", "weight", "out_channels in_channels/groups kH kW"},
	{"conv3d", "weight", "out_channels in_channels/groups kD kH kW"},
	{"conv", "bias", "out_channels"},
	{"conv_transpose1d", "input", "N C W"}, {"conv1d", "input", "N C W"},
	{"conv_transpose1d", "input", "C W"}, {"conv1d", "input", "C W"},
	{"conv_transpose2d", "input", "N C H W"}, {"conv2d", "input", "N C H W"},
	{"conv_transpose2d", "input", "C H W"}, {"conv2d", "input", "C H W"},
	{"conv_transpose3d", "input", "N C D H W"}, {"conv3d", "input", "N C D H W"},
	{"conv_transpose3d", "input", "C D H W"}, {"conv3d", "input", "C D H W"},
	{"batch_norm", "input", "N C"}, {"batch_norm", "input", "N C W"}, {"batch_norm", "input", "N C H W"}, {"batch_norm", "input", "N C D H W"},
	{"instance_norm", "input", "N C W"}, {"instance_norm", "input", "N C H W"}, {"instance_norm", "input", "N C D H W"},
	{"group_norm", "input", "N C"}, {"group_norm", "input", "N C W"}, {"group_norm", "input", "N C H W"}, {"group_norm", "input", "N C D H W"},
	{"batch_norm", "running_mean", "C"}, {"batch_norm", "weight", "C"}, {"batch_norm", "bias", "C"},
	{"max_pool1d", "input", "N C W"}, {"avg_pool1d", "input", "N C W"},
	{"max_pool2d", "input", "N C H W"}, {"avg_pool2d", "input", "N C H W"},
	{"embedding", "weight", "num_embeddings embedding_dim"},
	{"cross_entropy", "input", "N classes"}, {"cross_entropy", "input", "N classes L"}, {"cross_entropy", "input", "N classes H W"},
	{"cross_entropy", "target", "N"}, {"cross_entropy", "target", "N L"}, {"cross_entropy", "target", "N H W"},
	{"nll_loss", "input", "N classes"}, {"nll_loss", "target", "N"},
	{"matmul", "self", "… rows columns"}, {"matmul", "input", "… rows columns"}, {"matmul", "other", "… rows columns"},
	{"mm", "self", "rows columns"}, {"mm", "input", "rows columns"}, {"mm", "mat2", "rows columns"},
	{"bmm", "self", "batch rows columns"}, {"bmm", "input", "batch rows columns"}, {"bmm", "mat2", "batch rows columns"},
	{"scaled_dot_product_attention", "query", "… L E"},
	{"scaled_dot_product_attention", "key", "… S E"},
	{"scaled_dot_product_attention", "value", "… S Ev"},
}

// axesOf are the names of the axes of an operand; nil when there are none.
func axesOf(op, param string, rank int) []string {
	if rank == 0 {
		return nil
	}
	for i := range axisTable {
		r := &axisTable[i]
		if r.op != op && !(r.op == "conv" && strings.HasPrefix(op, "conv")) || r.param != param {
			continue
		}
		names := strings.Fields(r.names)
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
