// This file holds the representation side of Reals: interning, bounds, order and substitution.

package symshape

import "math"

// internReal gives the one node for each real expression, so that equal ones are the same pointer; beyond
// maxDepth there is none.
func (p *Pool) internReal(n realNode) Real {
	h := mix(mix(hashSeed, uint64(n.op)), math.Float64bits(n.f))
	if n.e != nil {
		h = mix(h, n.e.hash)
		n.depth = n.e.depth + 1
	}
	if n.x != nil {
		h = mix(h, n.x.hash)
		n.depth = max(n.depth, n.x.depth+1)
	}
	if n.y != nil {
		h = mix(h, n.y.hash)
		n.depth = max(n.depth, n.y.depth+1)
	}
	head := p.reals[h]
	for m := head; m != nil; m = m.next {
		if m.op == n.op && m.e == n.e && m.f == n.f && m.x == n.x && m.y == n.y {
			return Real{m}
		}
	}
	if n.depth > maxDepth {
		return Real{}
	}
	n.hash, n.next, n.pool = h, head, p
	m := &n
	p.reals[h] = m
	return Real{m}
}

// bounds returns an interval of the number. Rounded operations are monotone, so the ends go through the same
// operation. Infinite ends mean that nothing is known.
func (n *realNode) bounds() (lo, hi float64) {
	inf := math.Inf(1)
	switch n.op {
	case OpConst:
		return n.f, n.f
	case OpInt:
		lo, hi = float64(n.e.lo), float64(n.e.hi)
		if n.e.lo == NegInf {
			lo = -inf
		}
		if n.e.hi == PosInf {
			hi = inf
		}
		return lo, hi
	case OpPow, OpFDiv, OpMod:
		return -inf, inf
	}
	xl, xh := n.x.bounds()
	switch n.op {
	case OpNeg:
		return -xh, -xl
	case OpSqrt:
		return math.Sqrt(max(xl, 0)), math.Sqrt(max(xh, 0))
	}
	yl, yh := n.y.bounds()
	switch n.op {
	case OpAdd:
		return xl + yl, xh + yh
	case OpSub:
		return xl - yh, xh - yl
	case OpMin:
		return min(xl, yl), min(xh, yh)
	case OpMax:
		return max(xl, yl), max(xh, yh)
	case OpDiv:
		if yl <= 0 && yh >= 0 {
			return -inf, inf
		}
	}
	lo, hi = inf, -inf
	for _, x := range [...]float64{xl, xh} {
		for _, y := range [...]float64{yl, yh} {
			v := x * y
			if n.op == OpDiv {
				v = x / y
			}
			if math.IsNaN(v) { // 0·∞ of a finite number is 0; ∞/∞ can be anything of that sign
				v = 0
			}
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	return lo, hi
}

// compareReal orders expressions by their structure, which no address decides: output must not differ between
// runs.
func compareReal(a, b *realNode) int {
	switch {
	case a == b:
		return 0
	case a == nil:
		return -1
	case b == nil:
		return 1
	case a.op != b.op:
		return int(a.op) - int(b.op)
	case a.e != b.e:
		return compareExpr(a.e, b.e)
	case a.f < b.f:
		return -1
	case a.f > b.f:
		return 1
	case a.x != b.x:
		return compareReal(a.x, b.x)
	}
	return compareReal(a.y, b.y)
}

// subst rebuilds the node with symbols replaced; nil when that cannot be represented.
func (n *realNode) subst(s *substituter) *realNode {
	if n == nil {
		return nil
	}
	p := s.pool
	switch n.op {
	case OpConst:
		return n
	case OpInt:
		if e := s.expr(n.e); e != n.e {
			return p.RealFromInt(e).n
		}
		return n
	}
	x, y := n.x.subst(s), n.y.subst(s)
	switch {
	case x == n.x && y == n.y:
		return n
	case n.op == OpNeg || n.op == OpSqrt:
		return p.realUnary(n.op, Real{x}).n
	}
	return p.realBinary(n.op, Real{x}, Real{y}).n
}
