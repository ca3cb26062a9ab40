package chainer

// This file knows which function class makes the result of a record: its label, as Chainer's graphs show it.

import (
	"strconv"
	"strings"

	"shapecheck/infer/ops"
	"shapecheck/infer/value"
)

// A record's label may say after a bar what makes its result where that is not the class that checks the types:
// another label, a star behind it where the inputs are not the arrays of the call, the sign of an operator, or one of
// these words.
const (
	severalMake  = "?"          // several functions, or one that the arguments decide
	noneMakes    = "none"       // a new Variable is made of an array
	ofMatrix     = "matrix"     // the class itself where x has two axes; else x is reshaped
	ofNoWeights  = "unweighted" // the class itself without weights
	signs        = "+-*/**"
	reflectedBar = "r" // before a sign: the operands are exchanged
)

// A Creator is what is known of the function that made a Variable.
type Creator struct {
	Label string // empty where it is not known
	None  bool   // no function is kept: the result is a new Variable
	// Inputs says that the function's inputs are the arrays and Variables of the call.
	Inputs bool
}

// splitLabel divides the label of a record into that of its type check and what makes its result.
func splitLabel(text string) (label, creator string) {
	label, creator, other := strings.Cut(text, "|")
	if !other {
		creator = label
	}
	return label, creator
}

// CreatorOf gives the creator of what a record makes of its arguments.
func CreatorOf(op *ops.Op, args []value.Value, kw []value.Kw) Creator {
	made := op.Creator
	label, arguments := strings.CutSuffix(made, "*")
	sign := strings.TrimPrefix(made, reflectedBar)
	switch {
	case made == "" || made == severalMake:
		return Creator{}
	case made == noneMakes:
		return Creator{None: true}
	case made == ofMatrix:
		var of value.Value
		if len(args) > 0 {
			of = args[0]
		}
		for _, k := range kw {
			if k.Name == "x" {
				of = k.Value
			}
		}
		if x, ok := of.(*value.Tensor); !ok || !x.Type().Ranked || len(x.Type().Shape) != 2 {
			return Creator{}
		}
		return Creator{Label: "LinearFunction", Inputs: true}
	case made == ofNoWeights:
		if len(args) > 2 || len(kw) > 0 && len(args)+len(kw) > 2 {
			return Creator{}
		}
		return Creator{Label: "Mean", Inputs: true}
	case strings.Contains(signs, sign):
		if len(args) > 2 {
			return Creator{Label: "MultiAdd", Inputs: true}
		}
		return Creator{Label: operatorLabel(sign, sign != made, args), Inputs: true}
	}
	return Creator{Label: label, Inputs: !arguments}
}

// operatorLabel is the label of an operator, "" where the other operand is no array, Variable or number.
func operatorLabel(sign string, reflected bool, args []value.Value) string {
	if len(args) < 2 {
		return ""
	}
	if _, ok := args[1].(*value.Tensor); ok {
		return "_ " + sign + " _"
	}
	var n float64
	var text func(float64) string
	switch v := args[1].(type) {
	case value.Int:
		n, text = float64(v), func(n float64) string { return strconv.FormatInt(int64(n), 10) }
	case value.Float:
		n, text = float64(v), value.FloatRepr
	default:
		return ""
	}
	if sign == "/" && !reflected { // times the reciprocal
		sign, n, text = "*", 1/n, value.FloatRepr
	}
	constant := func(n float64) string {
		if n < 0 {
			return "(" + text(n) + ")"
		}
		return text(n)
	}
	switch {
	case sign == "-" && !reflected:
		return "_ + " + constant(-n)
	case reflected:
		return constant(n) + " " + sign + " _"
	}
	return "_ " + sign + " " + constant(n)
}
