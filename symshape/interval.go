// This file holds arithmetic on int64 with overflow made visible, and on intervals with infinite ends.

package symshape

import "math/bits"

// addOverflow adds bounds; false if the sum has left int64 or is one of the numbers that stand for infinity.
func addOverflow(a, b int64) (int64, bool) {
	s := a + b
	return s, (s > a) == (b > 0) && s != NegInf && s != PosInf
}

// mulOverflow multiplies by absolute values, as the least int64 has no opposite.
func mulOverflow(a, b int64) (int64, bool) {
	hi, lo := bits.Mul64(absU(a), absU(b))
	if hi != 0 || lo >= 1<<63-1 {
		return 0, false
	}
	if (a < 0) != (b < 0) {
		return -int64(lo), true
	}
	return int64(lo), true
}

// absU is the absolute value, for all int64.
func absU(a int64) uint64 {
	if a < 0 {
		return -uint64(a)
	}
	return uint64(a)
}

// floorDiv is Python's a // b; b is not 0.
func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		q--
	}
	return q
}

// floorMod is Python's a % b: it has the sign of b.
func floorMod(a, b int64) int64 {
	r := a % b
	if r != 0 && (r < 0) != (b < 0) {
		r += b
	}
	return r
}

func gcd(a, b int64) int64 {
	x, y := absU(a), absU(b)
	for y != 0 {
		x, y = y, x%y
	}
	return int64(x)
}

// lcm returns 0 when the result would exceed limit.
func lcm(a, b, limit int64) int64 {
	l, ok := mulOverflow(a/gcd(a, b), b)
	if !ok || l > limit {
		return 0
	}
	return l
}

// addBound adds two lower or two upper ends; an infinite end stays, and overflow becomes infinite.
func addBound(a, b int64) int64 {
	switch {
	case a == NegInf || b == NegInf:
		return NegInf
	case a == PosInf || b == PosInf:
		return PosInf
	}
	s := a + b
	if (s > a) != (b > 0) && b != 0 {
		if b > 0 {
			return PosInf
		}
		return NegInf
	}
	return s
}

// negBound exchanges the infinities.
func negBound(a int64) int64 {
	switch a {
	case NegInf:
		return PosInf
	case PosInf:
		return NegInf
	}
	return -a
}

// mulBound multiplies two ends; 0 times infinity is 0, which is right for intervals of finite numbers.
func mulBound(a, b int64) int64 {
	if a == 0 || b == 0 {
		return 0
	}
	if a == NegInf || a == PosInf || b == NegInf || b == PosInf {
		if (a < 0) != (b < 0) {
			return NegInf
		}
		return PosInf
	}
	s, ok := mulOverflow(a, b)
	if !ok {
		if (a < 0) != (b < 0) {
			return NegInf
		}
		return PosInf
	}
	return s
}

// mulRange is the range of a product: its ends are among the products of the ends.
func mulRange(al, ah, bl, bh int64) (int64, int64) {
	if bl == bh { // by far the most frequent: a coefficient
		x, y := mulBound(al, bl), mulBound(ah, bl)
		return min(x, y), max(x, y)
	}
	a, b, c, d := mulBound(al, bl), mulBound(al, bh), mulBound(ah, bl), mulBound(ah, bh)
	return min(a, b, c, d), max(a, b, c, d)
}

// powRange is the range of a power; an even one is least at 0.
func powRange(lo, hi int64, n int) (int64, int64) {
	if n == 1 {
		return lo, hi
	}
	l, h := powBound(lo, n), powBound(hi, n)
	if n%2 == 0 {
		if lo <= 0 && hi >= 0 {
			return 0, max(l, h)
		}
		return min(l, h), max(l, h)
	}
	return l, h
}

// powBound is a^n by repeated squaring, with bounds that are infinite or overflow.
func powBound(a int64, n int) int64 {
	r := int64(1)
	for ; n > 0; n >>= 1 {
		if n&1 != 0 {
			r = mulBound(r, a)
		}
		if n > 1 {
			a = mulBound(a, a)
		}
	}
	return r
}

// divBound is floor(a / b) for ends of intervals; b is not 0.
func divBound(a, b int64) int64 {
	switch {
	case b == PosInf || b == NegInf:
		if a == 0 || a != PosInf && a != NegInf && (a > 0) == (b > 0) {
			return 0
		}
		if a != PosInf && a != NegInf {
			return -1
		}
		if (a > 0) == (b > 0) {
			return 0 // the least that infinity over infinity can be; callers take both ends of the divisor
		}
		return NegInf
	case a == PosInf || a == NegInf:
		if (a > 0) == (b > 0) {
			return PosInf
		}
		return NegInf
	}
	return floorDiv(a, b)
}

// divRange is the interval of floor(a / b).
func divRange(al, ah, bl, bh int64) (int64, int64) {
	if bl <= 0 && bh >= 0 {
		if bl == 0 && bh > 0 {
			bl = 1 // a divisor is not zero
		} else if bh == 0 && bl < 0 {
			bh = -1
		} else {
			// |a // b| <= |a| and floor(-1 / b) >= -1
			m := max(mulBound(al, -1), ah, mulBound(ah, -1), al)
			if m == PosInf {
				return NegInf, PosInf
			}
			return min(-m, -1), m
		}
	}
	a, b, c, d := divBound(al, bl), divBound(al, bh), divBound(ah, bl), divBound(ah, bh)
	return min(a, b, c, d), max(a, b, c, d)
}

// atomRange is the interval of a compound atom from those of its parts.
func atomRange(a *atom) (lo, hi int64) {
	switch a.kind {
	case atomDiv:
		x, y := a.args[0], a.args[1]
		return divRange(x.lo, x.hi, y.lo, y.hi)
	case atomMax:
		lo, hi = NegInf, NegInf
		for _, x := range a.args {
			lo, hi = max(lo, x.lo), max(hi, x.hi)
		}
		return lo, hi
	case atomMin:
		lo, hi = PosInf, PosInf
		for _, x := range a.args {
			lo, hi = min(lo, x.lo), min(hi, x.hi)
		}
		return lo, hi
	case atomReal:
		lo, hi = NegInf, PosInf
		rl, rh := a.real.bounds()
		if v, err := RoundFloat(rl, a.round); err == nil {
			lo = v
		}
		if v, err := RoundFloat(rh, a.round); err == nil {
			hi = v
		}
		return lo, hi
	}
	return NegInf, PosInf
}
