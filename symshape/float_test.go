package symshape

// This file holds arithmetic on floats against what CPython computed (testdata/floats.py).

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"
)

func TestFloatsAreCPythons(t *testing.T) {
	f, err := os.Open("testdata/floats.txt.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	operations := map[string]RealOp{"add": OpAdd, "sub": OpSub, "mul": OpMul, "div": OpDiv, "fdiv": OpFDiv, "mod": OpMod, "pow": OpPow,
		"min": OpMin, "max": OpMax, "neg": OpNeg, "sqrt": OpSqrt}
	roundings := map[string]Rounding{"floor": RoundFloor, "ceil": RoundCeil, "trunc": RoundTrunc, "round": RoundEven}
	n := 0
	for lines := bufio.NewScanner(z); lines.Scan(); n++ {
		var name, x, y, want string
		if _, err := fmt.Sscan(lines.Text(), &name, &x, &y, &want); err != nil {
			t.Fatal(err)
		}
		got, exact := "", true
		number := func(v float64, err error) string {
			if err != nil {
				return "error"
			}
			return strconv.FormatFloat(v, 'x', -1, 64)
		}
		if want != "error" && strings.Contains(want, "x") {
			want = number(strconv.ParseFloat(want, 64))
		}
		if name == "quotient" {
			a, e1 := strconv.ParseInt(x, 10, 64)
			b, e2 := strconv.ParseInt(y, 10, 64)
			if e1 != nil || e2 != nil {
				t.Fatal(lines.Text())
			}
			got = number(IntQuotient(a, b))
		} else {
			a, e1 := strconv.ParseFloat(x, 64)
			b, e2 := strconv.ParseFloat(y, 64)
			if e1 != nil || e2 != nil {
				t.Fatal(lines.Text())
			}
			if how, ok := roundings[name]; ok {
				i, err := RoundFloat(a, how)
				if got = strconv.FormatInt(i, 10); err != nil {
					got = "error"
				}
			} else {
				got = number(EvalReal(operations[name], a, b))
			}
			// Powers of fractions and of large numbers are left open.
			whole := a == math.Trunc(a) && math.Abs(a) <= 1000 && b == math.Trunc(b) && b > 0
			exact = name != "pow" || b == 0 || b == 1 || b == 2 || whole && math.Abs(math.Pow(a, b)) < 1<<53
		}
		if got != want && (exact || got != "error") {
			t.Errorf("%s is %s, CPython says %s", lines.Text(), got, want)
		}
	}
	if n < 12000 {
		t.Errorf("%d lines", n)
	}
}

// TestFiniteDomainsAreDecided asks what no law says, but trying all numbers does.
func TestFiniteDomainsAreDecided(t *testing.T) {
	type domain struct{ lo, hi int64 }
	for _, c := range []struct {
		cond  string
		given string
		of    []domain // of a, b, c
	}{
		{"(a * b) % 7 != 0", "", []domain{{1, 6}, {1, 6}}},
		{"(a * b) % 7 != 0", "", []domain{{8, 13}, {1, 6}}},
		{"(a * b) % 7 != 0", "", []domain{{1, 6}, {-6, -1}}},
		{"(a * b) % 7 == 0", "", []domain{{1, 6}, {1, 6}}},
		{"(a * a + 1) % 3 != 0", "", []domain{{-20, 20}}},
		{"(a * a) % 4 < 2", "", []domain{{0, 100}}},
		{"(a * a + b * b) % 4 != 3", "", []domain{{0, 30}, {-3, 30}}},
		{"(a * a + b * b + c * c) % 8 != 7", "", []domain{{0, 11}, {1, 12}, {5, 9}}},
		{"a * a != 2 * b * b", "", []domain{{1, 40}, {1, 40}}},
		{"a * a * a + b * b * b != c * c * c", "", []domain{{1, 12}, {1, 12}, {1, 12}}},
		{"(a * b) % 6 != 5", "a % 3 != 2 and b % 3 != 2", []domain{{1, 30}, {1, 30}}},
		{"(a * b) % 5 == 1", "a % 5 == 2 and b % 5 == 3", []domain{{1, 40}, {2, 41}}},
		{"(a * b + b) % 11 != 0", "", []domain{{0, 9}, {1, 10}}},
		{"(a * b + b) % 11 != 0", "a != 10", []domain{{0, 15}, {1, 10}}},
		{"(a * a) % 10 != 7", "", []domain{{0, 2047}}},
	} {
		p := NewPool()
		names := []string{"a", "b", "c"}[:len(c.of)]
		for i, n := range names {
			p.Declare(n, c.of[i].lo, c.of[i].hi)
		}
		parse := func(text string) *Cond {
			cond, err := p.ParseCond(text)
			if err != nil {
				t.Fatal(text, err)
			}
			return cond
		}
		var facts Facts
		var given *Cond
		if c.given != "" {
			given = parse(c.given)
			facts, _ = facts.Assume(given)
		}
		asked := parse(c.cond)
		some, none := false, false
		env := map[string]int64{}
		var try func(i int)
		try = func(i int) {
			if i < len(names) {
				for env[names[i]] = c.of[i].lo; env[names[i]] <= c.of[i].hi; env[names[i]]++ {
					try(i + 1)
				}
				return
			}
			if given != nil {
				if ok, err := given.Eval(Env(env)); err != nil || !ok {
					return
				}
			}
			ok, err := asked.Eval(Env(env))
			if err != nil {
				t.Fatal(err)
			}
			some, none = some || ok, none || !ok
		}
		try(0)
		want := Unknown
		if !none {
			want = Yes
		} else if !some {
			want = No
		}
		if got := facts.Decide(asked); got.Answer != want {
			t.Errorf("%s in %v, given %q: %v instead of %v", c.cond, c.of, c.given, got.Answer, want)
		}
	}
}

// TestBoundReadsOneSymbol says of which conditions Bound reads the bound of a symbol.
func TestBoundReadsOneSymbol(t *testing.T) {
	p := NewPool()
	a := p.Symbol("a")
	for text, want := range map[string]string{
		"a >= 3": "3", "a > 3": "4", "a <= 5": "5", "a < 5": "4", "b >= 3": "", "a + b >= 3": "", "b - a >= 3": "",
		"2 * a >= 3": "2", "a * a >= 3": "", "a * b >= 3": "", "a == 3": "", "a % 2 == 0": "", "3 * a + b >= 7": "",
	} {
		c, err := p.ParseCond(text)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		switch lo, hi, ok := c.Bound(a); {
		case !ok:
		case hi == PosInf:
			got = fmt.Sprint(lo)
		case lo == NegInf:
			got = fmt.Sprint(hi)
		}
		if got != want {
			t.Errorf("Bound of %s: %q instead of %q", text, got, want)
		}
	}
	if _, _, ok := (*Cond)(nil).Bound(a); ok {
		t.Error("no condition has a bound")
	}
}
