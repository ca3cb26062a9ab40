// This file prints binary64 expressions.

package symshape

import "strings"

// real prints a binary64 expression.
func (w *printer) real(n *realNode, prec int) {
	binary := func(own int, op string) {
		if prec > own {
			w.WriteByte('(')
			defer w.WriteByte(')')
		}
		w.real(n.x, own)
		w.op(op)
		w.real(n.y, own+1)
	}
	switch n.op {
	case OpInt:
		w.expr(n.e, prec)
	case OpConst:
		s := n.dec.String()
		if !strings.Contains(s, ".") {
			s += ".0"
		}
		if n.f < 0 && prec > precSum {
			s = "(" + s + ")"
		}
		w.WriteString(s)
	case OpAdd:
		binary(precSum, "+")
	case OpSub:
		binary(precSum, "-")
	case OpMul:
		binary(precProd, "*")
	case OpDiv:
		binary(precProd, "/")
	case OpFDiv:
		binary(precProd, "//")
	case OpMod:
		binary(precProd, "%")
	case OpNeg:
		if prec > precSum {
			w.WriteByte('(')
			defer w.WriteByte(')')
		}
		w.WriteByte('-')
		w.real(n.x, precUnary)
	case OpPow:
		if prec > precPow {
			w.WriteByte('(')
			defer w.WriteByte(')')
		}
		w.real(n.x, precAtom)
		w.WriteString("**")
		w.real(n.y, precAtom)
	case OpSqrt:
		w.WriteString("sqrt(")
		w.real(n.x, precSum)
		w.WriteByte(')')
	case OpMin, OpMax:
		w.WriteString(map[RealOp]string{OpMin: "min(", OpMax: "max("}[n.op])
		w.real(n.x, precSum)
		w.WriteByte(',')
		if !w.compact {
			w.WriteByte(' ')
		}
		w.real(n.y, precSum)
		w.WriteByte(')')
	}
}

// String prints r as a Python expression; unknown is `?`.
func (r Real) String() string {
	if r.n == nil {
		return "?"
	}
	var w printer
	w.real(r.n, precSum)
	return w.String()
}
