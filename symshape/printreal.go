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
	case realInt:
		w.expr(n.e, prec)
	case realConst:
		s := n.dec.String()
		if !strings.Contains(s, ".") {
			s += ".0"
		}
		if n.f < 0 && prec > precSum {
			s = "(" + s + ")"
		}
		w.WriteString(s)
	case realAdd:
		binary(precSum, "+")
	case realSub:
		binary(precSum, "-")
	case realMul:
		binary(precProd, "*")
	case realDiv:
		binary(precProd, "/")
	case realFDiv:
		binary(precProd, "//")
	case realMod:
		binary(precProd, "%")
	case realNeg:
		if prec > precSum {
			w.WriteByte('(')
			defer w.WriteByte(')')
		}
		w.WriteByte('-')
		w.real(n.x, precUnary)
	case realPow:
		if prec > precPow {
			w.WriteByte('(')
			defer w.WriteByte(')')
		}
		w.real(n.x, precAtom)
		w.WriteString("**")
		w.real(n.y, precAtom)
	case realSqrt:
		w.WriteString("sqrt(")
		w.real(n.x, precSum)
		w.WriteByte(')')
	case realMin, realMax:
		w.WriteString(map[realOp]string{realMin: "min(", realMax: "max("}[n.op])
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
