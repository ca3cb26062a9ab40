// This file tests questions as the interpreter asks them: facts, a condition, what Decide and Solve say.

package symshape

import (
	"math/rand"
	"testing"
)

func assume(t *testing.T, p *Pool, conds ...string) Facts {
	t.Helper()
	f := Facts{}
	for _, s := range conds {
		c, err := p.ParseCond(s)
		if err != nil {
			t.Fatal(err)
		}
		var ok bool
		if f, ok = f.Assume(c); !ok {
			t.Fatalf("%s is refused after %v", s, f.Conds())
		}
	}
	return f
}

func TestSolveFindsTheConditionAUserWouldWrite(t *testing.T) {
	for _, x := range []struct {
		given []string
		cond  string
		want  string
	}{
		// contracts of models
		{nil, "((((H//2)//2)//2)//2)*16 == H", "H % 16 == 0"},
		{nil, "16*(((H-4)//2-4)//2)*(((H-4)//2-4)//2) == 400", "32 <= H <= 35"},
		{[]string{"H == W"}, "16*(((H-4)//2-4)//2)*(((W-4)//2-4)//2) == 400", "32 <= H <= 35"},
		{nil, "16*(((H-4)//2-4)//2)*(((W-4)//2-4)//2) == 400", "(H // 4 - 3)*(W // 4 - 3) == 25"},
		{nil, "T <= 1024 and T >= 1", "T <= 1024"},
		{nil, "B1 == B2", "B1 == B2"},
		{nil, "B*C*(H//2*2) == B*C*H", "H % 2 == 0"},
		{nil, "B*T*768 == B*T*C", "C == 768"},
		{nil, "(C // 12)*12 == C", "C % 12 == 0"},
		{nil, "(H//2)*2 == H and (W//4)*4 == W", "H % 2 == 0 and W % 4 == 0"},
		{nil, "H//32 >= 1", "H >= 32"},
		{nil, "(H - 7)//2 + 1 >= 1", "H >= 7"},
		{nil, "H // 14 == 16", "224 <= H <= 237"},
		{nil, "(H//16)*(H//16) == 196", "224 <= H <= 239"},
		{nil, "H % 4 != 2", "H % 4 != 2"},
		{nil, "H % 6 == 1 or H % 6 == 4", "H % 3 == 1"},
		{nil, "H // 4 == 7*(H // 28)", "H % 28 <= 3"},
		{nil, "H // 4 == 7*(H // 28) and H // 8 == (H + 4) // 8", "H % 56 <= 3"},
		{nil, "ceil(H / 4) == 7*((H + 3) // 28)", "(H + 3) % 28 <= 3"},
		{nil, "H*H == 49", "H == 7"},
		{nil, "H**8 <= 7**8", "H <= 7"}, // the highest degree that is looked at
		{nil, "abs(H - 5) <= 3", "2 <= H <= 8"},
		{nil, "max(H - 3, 0) == 0", "H <= 3"},
		{nil, "H != 7 and H != 9", "H != 7 and H != 9"},
		{nil, "(H - 3)*(H - 9) == 0", "H == 3 or H == 9"},
		{nil, "(H+W)//2*2 == H + W", "(H + W) % 2 == 0"},
		{nil, "ceil(H/8)*8 - H == 0", "H % 8 == 0"},
		{nil, "X == N*(X//N)", "X % N == 0"},
		// under facts
		{[]string{"H % 2 == 0"}, "H//16*16 == H", "H % 16 == 0"},
		{[]string{"H % 32 == 0"}, "H//16*16 == H", "True"},
		{[]string{"X % N == 0"}, "N*(X//N) == X", "True"},
		{[]string{"X % N == 0"}, "B*T*N*(X//N) == B*T*X", "True"},
		{[]string{"(T*C) % N == 0"}, "N*((T*C)//N) == T*C", "True"},
		{[]string{"B1 == B2", "B2 == B3"}, "B1*3 == B3*3", "True"},
		{[]string{"H == 2*W"}, "H//2 == W", "True"},
		{[]string{"2*H == 3*W"}, "W % 2 == 0 and H % 3 == 0", "True"},
		{[]string{"N*K == 64"}, "B*N*K == 64*B", "True"},
		{[]string{"a <= b", "b <= c"}, "a <= c", "True"},
		{[]string{"a <= b", "b < c"}, "a == c", "False"},
		{[]string{"T <= 512"}, "T <= 1024", "True"},
		{[]string{"T > 512"}, "T <= 512", "False"},
		{[]string{"H >= 32", "H <= 512"}, "H // 32 >= 1", "True"},
		{[]string{"H >= 32"}, "H <= 40 and H >= 20", "H <= 40"},
		{[]string{"H % 4 == 1"}, "H % 4 == 3", "False"},
		{[]string{"H % 4 == 1"}, "H % 2 == 1", "True"},
		{[]string{"(H+W) % 2 == 0"}, "(H+W)//2*2 == H + W", "True"},
		{[]string{"H//16*16 == H", "W == H"}, "(W//4)*4 == W", "True"},
		{[]string{"C == n*d"}, "C // n == d", "True"},
		{[]string{"C % n == 0", "d == C//n"}, "n*d == C", "True"},
		{[]string{"H < 3 or H > 10", "H > 5"}, "H >= 11", "True"},
		{[]string{"not (H < 7)"}, "(H - 7)//2 + 1 >= 1", "True"},
		// always and never
		{nil, "N*(X//N) <= X", "True"},
		{nil, "X % N < N", "True"},
		{nil, "B*T >= T", "True"},
		{nil, "ceil(H/2) == H - H//2", "True"},
		{nil, "(H+1)//2 + H//2 == H", "True"},
		{nil, "H//3 + (H+1)//3 + (H+2)//3 == H", "True"},
		{nil, "H//2 + W//2 <= (H+W)//2", "True"},
		{nil, "H//2 == H", "False"},
		{nil, "2*H == 2*W + 1", "False"},
		{nil, "(2*H)//4 == H//2", "True"},
		{nil, "max(H, W) >= W", "True"},
		{nil, "max(H, W) + min(H, W) == H + W", "True"},
		{nil, "H*H >= H", "True"},
		{nil, "int(H * 0.29) >= 0", "True"},
		{nil, "int(H * 0.29) == int(H * 0.29)", "True"},
		{nil, "2*H >= W", "2*H >= W"},
	} {
		p := NewPool()
		f := assume(t, p, x.given...)
		c, err := p.ParseCond(x.cond)
		if err != nil {
			t.Error(err)
			continue
		}
		s := f.Solve(c)
		if s.String() != x.want {
			t.Errorf("under %v, %s: got %v, want %s (%+v)", x.given, x.cond, s, x.want, f.Decide(c))
		}
	}
}

func TestContradictingFactsAreRefused(t *testing.T) {
	for _, x := range [][2]string{
		{"H > 5", "H < 5"}, {"H % 2 == 0", "H % 2 == 1"}, {"B1 == B2", "B1 != B2"}, {"a < b", "b < a"}, {"X % N == 0", "N*(X//N) != X"},
		{"H == 2*W", "H % 2 == 1"}, {"H == 3", "H*W == 7 and W == 2"}, {"a <= b", "a == b + 1"},
	} {
		p := NewPool()
		f := assume(t, p, x[0])
		c, _ := p.ParseCond(x[1])
		if _, ok := f.Assume(c); ok {
			t.Errorf("%s and %s were accepted together", x[0], x[1])
		}
	}
}

func TestFactsAreImmutable(t *testing.T) {
	p := NewPool()
	f := assume(t, p, "H >= 8")
	even := assume2(t, f, p, "H % 2 == 0")
	odd := assume2(t, f, p, "H % 2 == 1")
	c, _ := p.ParseCond("H % 2 == 0")
	if f.Decide(c).Answer != Unknown || even.Decide(c).Answer != Yes || odd.Decide(c).Answer != No {
		t.Error("a fork changed its origin or its sibling")
	}
	if lo, hi := f.Range(p.Symbol("H")); lo != 8 || hi != PosInf {
		t.Errorf("%d … %d", lo, hi)
	}
	if lo, _ := odd.Range(p.Symbol("H")); lo != 9 {
		t.Errorf("the least odd number from 8 on is %d", lo)
	}
}

func assume2(t *testing.T, f Facts, p *Pool, s string) Facts {
	t.Helper()
	c, err := p.ParseCond(s)
	if err != nil {
		t.Fatal(err)
	}
	g, ok := f.Assume(c)
	if !ok {
		t.Fatalf("%s is refused", s)
	}
	return g
}

// sizeOf is the size of a symbol, 0 where there is none.
func sizeOf(w *Witness, name string) int64 {
	if w == nil {
		return 0
	}
	n, _ := w.Size(name)
	return n
}

func TestWitnessesAreSmallAndDeterministic(t *testing.T) {
	p := NewPool()
	c, _ := p.ParseCond("H % 16 == 0")
	d := Facts{}.Decide(c)
	if sizeOf(d.True, "H") != 16 || sizeOf(d.False, "H") != 1 || !d.Sometimes() {
		t.Errorf("%+v", d)
	}
	f := assume(t, p, "H >= 33", "W == H + 1")
	c, _ = p.ParseCond("W % 16 == 0")
	if d := f.Decide(c); sizeOf(d.True, "W") != 48 || sizeOf(d.True, "H") != 47 || sizeOf(d.False, "H") != 33 {
		t.Errorf("%+v", d)
	}
}

// Unbounded symbols: a Yes must hold and a witness must be right far outside of the enumerated domains, too.
func TestDecideOnUnboundedSymbolsIsSound(t *testing.T) {
	r := rand.New(rand.NewSource(21))
	rounds := 6000
	if testing.Short() {
		rounds = 600
	}
	var proved, sometimes, open, openFlat int // flat: floor divisions by constants
	for i := range rounds {
		p := NewPool()
		for _, s := range treeSymbols {
			p.Symbol(s)
		}
		d := randomBytes(r, 300)
		flat := i%2 == 0
		asked := d.growCond(1+i%3, flat)
		c := asked.build(p)
		if c == nil {
			continue
		}
		dec := Facts{}.Decide(c)
		switch {
		case dec.Answer != Unknown:
			proved++
		case dec.Sometimes():
			sometimes++
		default:
			if open++; flat {
				openFlat++
			}
		}
		for range 60 {
			env := randomEnv(r)
			v, ok := asked.eval(env)
			if ok && (dec.Answer == Yes && !v || dec.Answer == No && v) {
				t.Fatalf("Decide(%v) is %v, but it is %v at %v", asked, dec.Answer, v, env)
			}
		}
	}
	t.Logf("%d proved, %d sometimes, %d open, %d of these in the fragment", proved, sometimes, open, openFlat)
	if float64(openFlat) > 0.01*float64(rounds/2) {
		t.Error("too many questions in the fragment stay open")
	}
}

func TestSimplifyUsesRepresentatives(t *testing.T) {
	for _, x := range []struct {
		given []string
		e     string
		want  string
	}{
		{[]string{"B2 == B1"}, "B2*H", "B1*H"},
		{[]string{"H % 4 == 0"}, "(H//4)*4 + W", "H + W"},
		{[]string{"H % 4 == 1"}, "(H//4)*8 + W", "2*H + W - 2"},
		{[]string{"C % n == 0"}, "n*(C//n)*T", "T*C"},
		{[]string{"W == 2*H"}, "W//2 + 1", "H + 1"},
		{[]string{"H == 32"}, "H//4", "8"},
		{[]string{"H >= 4"}, "max(H - 4, 0)", "H - 4"},
		{[]string{"H % 2 == 0"}, "H + 1", "H + 1"},
	} {
		p := NewPool()
		for _, s := range []string{"B1", "B2", "T", "H", "W", "C", "n"} {
			p.Symbol(s)
		}
		e, err := p.Parse(x.e)
		if err != nil {
			t.Fatal(err)
		}
		if got := assume(t, p, x.given...).Simplify(e); got.String() != x.want {
			t.Errorf("under %v, %s is %v, want %s", x.given, x.e, got, x.want)
		}
	}
}

// TestRemaindersOfNumbersArePrinted holds that a number's remainder is not written as the number less what divides it.
func TestRemaindersOfNumbersArePrinted(t *testing.T) {
	p := NewPool()
	for _, s := range []string{"512 % (H*W) == 0", "512 % (H // 4) != 3", "512 % H >= 4", "512 % H <= 4", "W - 512 % H == 0",
		"W - 512 % H >= 3"} {
		c, err := p.ParseCond(s)
		if err != nil {
			t.Fatal(err)
		}
		if got := c.String(); got != s {
			t.Errorf("%s is printed as %s", s, got)
		}
		if back, err := p.ParseCond(c.String()); err != nil || back != c {
			t.Errorf("%s is read back as %s", c, back)
		}
	}
}
