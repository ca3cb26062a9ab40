package chainer

// This file knows which function class makes the result of a record: its label, as Chainer's graphs show it.

import (
	"strconv"
	"strings"

	"shapecheck/infer/ops"
	"shapecheck/infer/value"
)

// labels has the label of the function class of each record, by the record's first name.
var labels = map[string]string{}

// otherLabels are those of records whose result another function class makes than the one that checks the types; "" where
// several functions do, or another one by the arguments.
var otherLabels = map[string]string{
	"selu": "", "deformable_convolution_2d_sampler": "", "average": "", "det": "", "n_step_lstm": "", "n_step_gru": "", "n_step_rnn": "",
	"n_step_bilstm": "", "n_step_bigru": "", "n_step_birnn": "", "batch_renormalization": "", "broadcast": "",
	"arctan2": "arctan2", "batch_det": "det", "cholesky": "cholesky", "polygamma": "polygamma", "zeta": "zeta", "fmod": "fmod",
}

// otherInputs are the functions that have other inputs than the arrays of their call.
var otherInputs = map[string]bool{"get_item": true, "permutate": true, "where": true, "softmax_cross_entropy": true,
	"connectionist_temporal_classification": true, "zeta": true, "upsampling_2d": true}

// A Creator is what is known of the function that made a Variable.
type Creator struct {
	Label string // empty where it is not known
	None  bool   // no function is kept: the result is a new Variable
	// Inputs says that the function's inputs are the arrays and Variables of the call.
	Inputs bool
}

// CreatorOf gives the creator of what a record makes of args.
func CreatorOf(op *ops.Op, args []value.Value) Creator {
	full := op.Names[0]
	if method, ok := strings.CutPrefix(full, "chainer.Variable."); ok {
		if label := operatorLabel(method, args); label != "" {
			return Creator{Label: label, Inputs: true}
		}
	}
	name := full[strings.LastIndexByte(full, '.')+1:]
	switch name {
	case "ceil", "floor", "fix", "sign":
		return Creator{None: true}
	case "linear":
		if x, ok := args[0].(*value.Tensor); !ok || !x.Type().Ranked || len(x.Type().Shape) != 2 {
			return Creator{} // it is reshaped before, or after
		}
	case "add":
		if len(args) != 2 {
			return Creator{Label: "MultiAdd", Inputs: true}
		}
	}
	label, other := otherLabels[name]
	if !other {
		label = labels[full]
	}
	return Creator{Label: label, Inputs: !otherInputs[name]}
}

// operatorLabel is the label of an operator of Variables, "" where the method is none or the other operand is not known.
func operatorLabel(method string, args []value.Value) string {
	switch method {
	case "__neg__":
		return "__neg__"
	case "__abs__":
		return "|_|"
	}
	plain, reflected := strings.CutPrefix(method, "__r")
	if reflected {
		plain = "__" + plain
	}
	sign, ok := map[string]string{"__add__": "+", "__sub__": "-", "__mul__": "*", "__truediv__": "/", "__div__": "/", "__pow__": "**"}[plain]
	if !ok || len(args) < 2 {
		return ""
	}
	if _, ok := args[1].(*value.Tensor); ok {
		return "_ " + sign + " _"
	}
	c := constantText(args[1], false)
	switch {
	case c == "":
		return ""
	case reflected && (sign == "-" || sign == "/" || sign == "**"):
		return c + " " + sign + " _"
	case sign == "-":
		return "_ + " + constantText(args[1], true)
	case sign == "/":
		return "" // a constant's reciprocal, as Python writes it
	}
	return "_ " + sign + " " + c
}

// constantText writes a whole number as labels have it, negated if asked for; "" for all else.
func constantText(v value.Value, negate bool) string {
	n, ok := v.(value.Int)
	if !ok {
		return ""
	}
	k := int64(n)
	if negate {
		k = -k
	}
	if k < 0 {
		return "(" + strconv.FormatInt(k, 10) + ")"
	}
	return strconv.FormatInt(k, 10)
}
