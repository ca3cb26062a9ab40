// This file tests the rewrite rules one by one: for random integers and subexpressions within the rule's side
// condition, both sides have the same form, and the same value by Python's arithmetic.

package symshape

import (
	"math/rand"
	"testing"
)

// ruleCase is what a rule is instantiated with: expressions a, b and c, a positive symbol d that divides, and integers
// k, m, n >= 1 and 0 <= r < k.
type ruleCase struct {
	p          *Pool
	a, b, c, d *Expr
	k, m, n, r int64
}

func (x ruleCase) num(n int64) *Expr            { return x.p.Const(n) }
func (x ruleCase) times(n int64, e *Expr) *Expr { return x.p.Mul(x.num(n), e) }
func (x ruleCase) div(e *Expr, n int64) *Expr   { return x.p.FloorDiv(e, x.num(n)) }
func (x ruleCase) plus(e *Expr, n int64) *Expr  { return x.p.Add(e, x.num(n)) }
func (x ruleCase) max(es ...*Expr) *Expr        { return x.p.Max(es...) }
func (x ruleCase) min(es ...*Expr) *Expr        { return x.p.Min(es...) }
func (x ruleCase) add(a, b *Expr) *Expr         { return x.p.Add(a, b) }
func (x ruleCase) over(a, b *Expr) *Expr        { return x.p.FloorDiv(a, b) }
func (x ruleCase) prod(a, b *Expr) *Expr        { return x.p.Mul(a, b) }

var rules = []struct {
	name string
	make func(x ruleCase) (lhs, rhs *Expr)
}{
	{"(k*a + r) // k = a, 0 <= r < k", func(x ruleCase) (l, r *Expr) { return x.div(x.plus(x.times(x.k, x.a), x.r), x.k), x.a }},
	{"(k*a + b) // k = a + b // k", func(x ruleCase) (l, r *Expr) {
		return x.div(x.add(x.times(x.k, x.a), x.b), x.k), x.add(x.a, x.div(x.b, x.k))
	}},
	{"(k*a + r) // (k*n) = a // n, 0 <= r < k", func(x ruleCase) (l, r *Expr) {
		return x.div(x.plus(x.times(x.k, x.a), x.r), x.k*x.n), x.div(x.a, x.n)
	}},
	{"(H // m) // n = H // (m*n)", func(x ruleCase) (l, r *Expr) {
		h := x.p.Symbol("H")
		return x.div(x.div(h, x.m), x.n), x.div(h, x.m*x.n)
	}},
	{"(H // m + r) // n = (H + m*r) // (m*n)", func(x ruleCase) (l, r *Expr) {
		h := x.p.Symbol("H")
		return x.div(x.plus(x.div(h, x.m), x.r), x.n), x.div(x.plus(h, x.m*x.r), x.m*x.n)
	}},
	{"(H - B // m) // n = (m*H - B + m - 1) // (m*n), n > 2", func(x ruleCase) (l, r *Expr) {
		h, b, n := x.p.Symbol("H"), x.p.Symbol("B"), x.n+2 // modulo 2 the coefficient of B // m is 1
		return x.div(x.p.Sub(h, x.div(b, x.m)), n), x.div(x.plus(x.p.Sub(x.times(x.m, h), b), x.m-1), x.m*n)
	}},
	{"a // -n = -a // n", func(x ruleCase) (l, r *Expr) { return x.div(x.a, -x.n), x.div(x.p.Neg(x.a), x.n) }},
	{"-(-H // n) = (H + n - 1) // n", func(x ruleCase) (l, r *Expr) {
		h := x.p.Symbol("H")
		return x.p.Neg(x.div(x.p.Neg(h), x.n)), x.div(x.plus(h, x.n-1), x.n)
	}},
	{"(a % n) // n = 0", func(x ruleCase) (l, r *Expr) { return x.div(x.p.Mod(x.a, x.num(x.n)), x.n), x.num(0) }},
	{"(k*a) % (k*n) = k*(a % n)", func(x ruleCase) (l, r *Expr) {
		return x.p.Mod(x.times(x.k, x.a), x.num(x.k*x.n)), x.times(x.k, x.p.Mod(x.a, x.num(x.n)))
	}},
	{"(a + n*b) % n = a % n", func(x ruleCase) (l, r *Expr) {
		n := x.num(x.n)
		return x.p.Mod(x.add(x.a, x.times(x.n, x.b)), n), x.p.Mod(x.a, n)
	}},
	{"(d*a) // d = a, d != 0", func(x ruleCase) (l, r *Expr) { return x.over(x.prod(x.d, x.a), x.d), x.a }},
	{"(d*a) // (d*B) = a // B, d != 0", func(x ruleCase) (l, r *Expr) {
		b := x.p.Symbol("B")
		return x.over(x.prod(x.d, x.a), x.prod(x.d, b)), x.over(x.a, b)
	}},
	{"(H // m) // d = H // (m*d), d > 0", func(x ruleCase) (l, r *Expr) {
		h := x.p.Symbol("H")
		return x.over(x.div(h, x.m), x.d), x.over(h, x.times(x.m, x.d))
	}},
	{"0 // d = 0", func(x ruleCase) (l, r *Expr) { return x.over(x.num(0), x.d), x.num(0) }},
	{"(d - 1) // d = 0, d > 0", func(x ruleCase) (l, r *Expr) { return x.over(x.plus(x.d, -1), x.d), x.num(0) }},
	{"max(a, a + r) = a + r", func(x ruleCase) (l, r *Expr) { return x.max(x.a, x.plus(x.a, x.r)), x.plus(x.a, x.r) }},
	{"max(a, min(a, b)) = a", func(x ruleCase) (l, r *Expr) { return x.max(x.a, x.min(x.a, x.b)), x.a }},
	{"max(max(a, b), c) = max(a, max(b, c))", func(x ruleCase) (l, r *Expr) {
		return x.max(x.max(x.a, x.b), x.c), x.max(x.a, x.max(x.b, x.c))
	}},
	{"max(a + d, b + d) = max(a, b) + d", func(x ruleCase) (l, r *Expr) {
		d := x.p.Symbol("Z") // a term that is in neither
		return x.max(x.add(x.a, d), x.add(x.b, d)), x.add(x.max(x.a, x.b), d)
	}},
	{"max(k*H, k*W) = k*max(H, W)", func(x ruleCase) (l, r *Expr) {
		h, w := x.p.Symbol("H"), x.p.Symbol("W")
		return x.max(x.times(x.k, h), x.times(x.k, w)), x.times(x.k, x.max(h, w))
	}},
	{"max(-H, -W) = -min(H, W)", func(x ruleCase) (l, r *Expr) {
		h, w := x.p.Symbol("H"), x.p.Symbol("W")
		return x.max(x.p.Neg(h), x.p.Neg(w)), x.p.Neg(x.min(h, w))
	}},
	{"abs(-a) = abs(a)", func(x ruleCase) (l, r *Expr) { return x.p.Abs(x.p.Neg(x.a)), x.p.Abs(x.a) }},
}

func TestRewriteRulesHoldForRandomInstances(t *testing.T) {
	r := rand.New(rand.NewSource(31))
	for _, rule := range rules {
		same, different, points := 0, 0, 0
		for range 400 {
			p := NewPool()
			for _, s := range append(treeSymbols[:], "Z") {
				p.Symbol(s)
			}
			x := ruleCase{p: p, k: 1 + r.Int63n(9), m: 1 + r.Int63n(9), n: 1 + r.Int63n(9)}
			x.r = r.Int63n(x.k)
			x.a = randomBytes(r, 60).grow(2, 4, true).build(p)
			x.b = randomBytes(r, 60).grow(2, 4, true).build(p)
			x.c = randomBytes(r, 60).grow(2, 4, true).build(p)
			x.d = p.Symbol(treeSymbols[r.Intn(4)])
			if x.a == nil || x.b == nil || x.c == nil {
				continue
			}
			lhs, rhs := rule.make(x)
			if lhs == nil || rhs == nil {
				continue
			}
			if lhs == rhs {
				same++
				continue
			}
			// the form may differ where another rule applies first; the values must not
			different++
			for range 20 {
				env := randomEnv(r)
				env["Z"] = 7
				v, err1 := lhs.Eval(Env(env))
				w, err2 := rhs.Eval(Env(env))
				if err1 == nil && err2 == nil {
					points++
					if v != w {
						t.Fatalf("%s: %v and %v differ at %v: %d and %d", rule.name, lhs, rhs, env, v, w)
					}
				}
			}
		}
		if same < 20*different || same < 100 {
			t.Errorf("%s: same form %d times, different %d times", rule.name, same, different)
		}
	}
}
