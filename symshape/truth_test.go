package symshape

import (
	"math/rand"
	"testing"
)

func TestTruthIsTheNumberOfACondition(t *testing.T) {
	r := rand.New(rand.NewSource(3))
	p, compared := NewPool(), 0
	for i := range 4000 {
		if i%200 == 0 {
			p = NewPool()
		}
		d := randomBytes(r, 200)
		c := d.growCond(len(treeSymbols), true).build(p)
		e := Facts{}.Truth(p, c)
		if e == nil {
			continue
		}
		for range 6 {
			env := randomEnv(r)
			holds, err := c.Eval(Env(env))
			if err != nil {
				continue
			}
			want := int64(0)
			if holds {
				want = 1
			}
			if got, err := e.Eval(Env(env)); err == nil {
				if compared++; got != want {
					t.Fatalf("%v is %v: %d at %v, want %d", c, e, got, env, want)
				}
			}
		}
	}
	if compared < 5000 {
		t.Errorf("only %d values were compared", compared)
	}
}

func TestTruthIsShort(t *testing.T) {
	p := NewPool()
	h := p.Symbol("H")
	odd := p.Mod(h, p.Const(2))
	for _, c := range []struct {
		cond *Cond
		want string
	}{
		{p.Ne(odd, p.Const(0)), "H % 2"}, {p.Eq(odd, p.Const(1)), "H % 2"}, {p.Gt(odd, p.Const(0)), "H % 2"},
		{p.Gt(h, p.Const(3)), "min(max(H - 3, 0), 1)"}, {p.Bool(true), "1"},
	} {
		if got := (Facts{}).Truth(p, c.cond); got.String() != c.want {
			t.Errorf("int(%v) is %v, want %s", c.cond, got, c.want)
		}
	}
}
