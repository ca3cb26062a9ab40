// This file holds sets of integers that are periodic up to finitely many intervals: what a condition on one symbol,
// made of polynomials and floor divisions by constants, describes.
//
// A condition such as H % 4 == 0 and H >= 8 is periodic: for a modulus that all divisors in it
// divide, floor divisions become linear on each residue class, and the condition becomes a
// condition on polynomials of q, where x = mod·q + r. On a class the solution is a finite list of
// intervals. Sets of this form are closed under union, intersection and complement, so that
// implication and equivalence of conditions on one symbol are decided and not searched for (they
// are the sets that Presburger arithmetic defines in one variable, but for the polynomials).
//
// The cost is mod times the number of intervals; whoever makes a set bounds mod.

package symshape

import (
	"cmp"
	"math/big"
)

// span is an interval of integers, ends included; NegInf and PosInf are open ends. lo <= hi
// always holds.
type span struct{ lo, hi int64 }

// spans is a sorted list of disjoint intervals with gaps between them.
type spans []span

// intersect merges two sorted lists of spans. It takes one step for each interval of either list.
func (s spans) intersect(t spans) spans {
	var out spans
	for len(s) > 0 && len(t) > 0 {
		lo, hi := max(s[0].lo, t[0].lo), min(s[0].hi, t[0].hi)
		if lo <= hi {
			out = append(out, span{lo, hi})
		}
		if s[0].hi < t[0].hi {
			s = s[1:]
		} else {
			t = t[1:]
		}
	}
	return out
}

// complement gives the gaps, with both infinities. Both open ends are handled: a list that
// reaches PosInf has no last gap.
func (s spans) complement() spans {
	var out spans
	lo := int64(NegInf)
	for _, x := range s {
		if x.lo != NegInf && x.lo > lo {
			out = append(out, span{lo, x.lo - 1})
		}
		if x.hi == PosInf {
			return out
		}
		lo = x.hi + 1
	}
	return append(out, span{lo, PosInf})
}

// union follows from the other two by De Morgan's law. The result has no two adjacent intervals.
func (s spans) union(t spans) spans {
	return s.complement().intersect(t.complement()).complement()
}

// equal compares interval by interval, which is equality of sets as long as neighbours have gaps
// between them.
func (s spans) equal(t spans) bool {
	if len(s) != len(t) {
		return false
	}
	for i := range s {
		if s[i] != t[i] {
			return false
		}
	}
	return true
}

// intSet is a set of integers by residue classes: x = mod·q + r is a member if q is in class[r].
type intSet struct {
	mod   int64
	class []spans
}

func newIntSet(mod int64) intSet { return intSet{mod, make([]spans, mod)} }

// intervalSet is lo … hi, by classes modulo mod.
func intervalSet(mod, lo, hi int64) intSet {
	s := newIntSet(mod)
	for r := range mod {
		s.class[r] = classSpan(mod, r, lo, hi)
	}
	return s
}

// classSpan is the interval of q with lo <= mod·q + r <= hi.
func classSpan(mod, r, lo, hi int64) spans {
	q := span{NegInf, PosInf}
	if lo != NegInf {
		q.lo = -floorDiv(-(lo - r), mod)
	}
	if hi != PosInf {
		q.hi = floorDiv(hi-r, mod)
	}
	if q.lo > q.hi {
		return nil
	}
	return spans{q}
}

func (s intSet) empty() bool {
	for _, c := range s.class {
		if len(c) > 0 {
			return false
		}
	}
	return true
}

// intersect works class by class of the common modulus.
func (s intSet) intersect(t intSet) intSet {
	out := newIntSet(s.mod)
	for r := range out.class {
		out.class[r] = s.class[r].intersect(t.class[r])
	}
	return out
}

// minus is the elements of s that are not in t.
func (s intSet) minus(t intSet) intSet {
	out := newIntSet(s.mod)
	for r := range out.class {
		out.class[r] = s.class[r].intersect(t.class[r].complement())
	}
	return out
}

func (s intSet) equal(t intSet) bool {
	for r := range s.class {
		if !s.class[r].equal(t.class[r]) {
			return false
		}
	}
	return true
}

// hull returns the least and the greatest member, or false if the set is empty.
func (s intSet) hull() (lo, hi int64, ok bool) {
	lo, hi = PosInf, NegInf
	for r, c := range s.class {
		if len(c) == 0 {
			continue
		}
		ok = true
		lo = min(lo, s.member(c[0].lo, int64(r)))
		hi = max(hi, s.member(c[len(c)-1].hi, int64(r)))
	}
	return lo, hi, ok
}

// member is mod·q + r, with infinite q.
func (s intSet) member(q, r int64) int64 { return addBound(mulBound(q, s.mod), r) }

// pick returns a member close to zero.
func (s intSet) pick() (int64, bool) {
	best, ok := int64(0), false
	for r, c := range s.class {
		for _, x := range c {
			q := min(max(0, x.lo), x.hi)
			if v := s.member(q, int64(r)); v != NegInf && v != PosInf && (!ok || absU(v) < absU(best)) {
				best, ok = v, true
			}
		}
	}
	return best, ok
}

// count returns the number of members, up to limit.
func (s intSet) count(limit int) int {
	n := 0
	for _, c := range s.class {
		for _, x := range c {
			if x.lo == NegInf || x.hi == PosInf || x.hi-x.lo >= int64(limit) {
				return limit
			}
			if n += int(x.hi-x.lo) + 1; n >= limit {
				return limit
			}
		}
	}
	return n
}

// members lists the members of a finite set in order.
func (s intSet) members() []int64 {
	var out []int64
	for r, c := range s.class {
		for _, x := range c {
			for q := x.lo; q <= x.hi; q++ {
				out = append(out, s.member(q, int64(r)))
			}
		}
	}
	sortInts(out)
	return out
}

func sortInts(a []int64) {
	for i := 1; i < len(a); i++ {
		for j := i; j > 0 && a[j] < a[j-1]; j-- {
			a[j], a[j-1] = a[j-1], a[j]
		}
	}
}

// affine returns the set of a·x + b for x in s; a > 0. It is false when the modulus exceeds limit.
func (s intSet) affine(a, b, limit int64) (intSet, bool) {
	if a == 1 && b == 0 {
		return s, true
	}
	mod, ok := mulOverflow(a, s.mod)
	if !ok || mod > limit {
		return intSet{}, false
	}
	out := newIntSet(mod)
	for r, c := range s.class {
		v, ok := mulOverflow(a, int64(r))
		if !ok {
			return intSet{}, false
		}
		if v, ok = addOverflow(v, b); !ok {
			return intSet{}, false
		}
		shift := floorDiv(v, mod)
		for _, x := range c {
			out.class[floorMod(v, mod)] = append(out.class[floorMod(v, mod)], span{addBound(x.lo, shift), addBound(x.hi, shift)})
		}
	}
	return out, true
}

// poly is an integer-valued polynomial by its forward differences at 0: sum of d[k]·binomial(q, k).
type poly []int64

// at returns the value at q.
func (f poly) at(q int64) *big.Int {
	sum, binom, t := new(big.Int), big.NewInt(1), new(big.Int)
	for k, d := range f {
		if k > 0 {
			binom.Mul(binom, t.SetInt64(q).Sub(t, big.NewInt(int64(k-1))))
			binom.Quo(binom, big.NewInt(int64(k)))
		}
		sum.Add(sum, t.Mul(big.NewInt(d), binom))
	}
	return sum
}

// signAt returns the sign of the value at q. Nearly all polynomials here are linear and small.
func (f poly) signAt(q int64) int {
	if len(f) == 2 {
		if x, ok := mulOverflow(f[1], q); ok {
			if x, ok = addOverflow(x, f[0]); ok {
				return cmp.Compare(x, 0)
			}
		}
	}
	return f.at(q).Sign()
}

func (f poly) trim() poly {
	for len(f) > 0 && f[len(f)-1] == 0 {
		f = f[:len(f)-1]
	}
	return f
}

// signSpan is an interval of q on which the sign does not change.
type signSpan struct {
	span
	sign int
}

// maxRoot bounds the search for sign changes; beyond it the leading term decides.
const maxRoot = 1 << 48

// signs splits the interval in into parts of constant sign, in order. A polynomial is monotone where its forward
// difference, which has a lower degree, keeps its sign: there binary search finds the changes.
func (f poly) signs(in span) []signSpan {
	f = f.trim()
	if len(f) == 0 {
		return []signSpan{{in, 0}}
	}
	if len(f) == 1 {
		return []signSpan{{in, cmp.Compare(f[0], 0)}}
	}
	var out []signSpan
	add := func(lo, hi int64, s int) {
		if lo > hi {
			return
		}
		if n := len(out); n > 0 && out[n-1].sign == s {
			out[n-1].hi = hi
			return
		}
		out = append(out, signSpan{span{lo, hi}, s})
	}
	value := func(q int64) int {
		switch q {
		case NegInf:
			q = -maxRoot
		case PosInf:
			q = maxRoot
		}
		return f.signAt(q)
	}
	for _, seg := range poly(f[1:]).signs(in) {
		// f is monotone on seg.lo … seg.hi (+1); walk through its sign changes
		lo := seg.lo
		for lo <= seg.hi {
			s := value(lo)
			if value(seg.hi) == s {
				add(lo, seg.hi, s)
				break
			}
			a, b := lo, seg.hi // sign s at a, another at b
			if a == NegInf {
				a = -maxRoot
			}
			if b == PosInf {
				b = maxRoot
			}
			for a+1 < b {
				if m := a + (b-a)/2; value(m) == s {
					a = m
				} else {
					b = m
				}
			}
			add(lo, a, s)
			lo = a + 1
		}
	}
	return out
}
