// This file tests that answers are the same and cheap under facts that do not concern the question.

package symshape

import (
	"fmt"
	"math/rand"
	"testing"
)

func assumed(t *testing.T, p *Pool, f Facts, conds ...string) Facts {
	t.Helper()
	for _, text := range conds {
		c, err := p.ParseCond(text)
		if err != nil {
			t.Fatal(err)
		}
		ok := true
		if f, ok = f.Assume(c); !ok {
			t.Fatalf("%s contradicts %v", text, f.Conds())
		}
	}
	return f
}

// As in kornia's ScalePyramid: each tap of a blur is a branch, and asks the same five questions about the image.
func TestBranchesOnOtherSymbolsCostNoProof(t *testing.T) {
	for name, facts := range map[string][]string{
		"sizes are found":  {"u >= 3", "v >= 5", "u*v >= 65536", "C*u*v >= 131072"},
		"none are":         {"u >= 3", "v >= 5", "u*v >= 65536", "C*u*v >= 131072", "x*y >= 65536"},
		"proved by parts":  {"u % 12 == 5", "v % 11 == 3", "x*y >= 65536"},
		"nothing is known": nil,
	} {
		t.Run(name, func(t *testing.T) {
			p := NewPool()
			f := assumed(t, p, Facts{}, facts...)
			var questions []*Cond
			for _, text := range []string{"C*u*v >= u*v + 1", "u*v*(C - 1) == 0", "v*(u - 1) == 0", "u*v >= v + 1",
				"(u // 3)*(v // 4) >= u // 3 + v // 4"} {
				c, err := p.ParseCond(text)
				if err != nil {
					t.Fatal(err)
				}
				questions = append(questions, c)
			}
			ask := func(f Facts) (work int64) {
				before := p.Work()
				for _, c := range questions {
					f.Decide(c)
				}
				return p.Work() - before
			}
			first, most := ask(f), int64(0)
			for i := range 50 {
				most = max(most, ask(assumed(t, p, f, fmt.Sprintf("branch%d == 1", i))))
			}
			if most > first/4 {
				t.Errorf("the first time takes %d units of work, a later one %d", first, most)
			}
		})
	}
}

// What is remembered is what would be found anew, and its sizes are allowed by all facts.
func TestRecalledAnswersAreThoseFoundAnew(t *testing.T) {
	rng := rand.New(rand.NewSource(7))
	pick := func(list ...string) string { return list[rng.Intn(len(list))] }
	cond := func(symbols ...string) string {
		s := func() string { return pick(symbols...) }
		form := pick("%[1]s*%[2]s >= %[3]s + %[4]d", "%[1]s %% %[4]d == %[2]s %% 3", "max(%[1]s, %[2]s) >= min(%[3]s, %[4]d)",
			"%[1]s*%[2]s*%[3]s != %[4]d", "%[1]s // %[4]d <= %[2]s")
		return fmt.Sprintf(form, s(), s(), s(), 2+rng.Intn(30))
	}
	recalled := 0
	for range 3000 {
		p := NewPool()
		f := Facts{}
		for range rng.Intn(3) {
			c, _ := p.ParseCond(cond("a", "b"))
			if g, ok := f.Assume(c); ok {
				f = g
			}
		}
		asked, err := p.ParseCond(cond("a", "b", "c"))
		if err != nil {
			t.Fatal(err)
		}
		f.Decide(asked)
		other, _ := p.ParseCond(cond("x", "y"))
		g, ok := f.Assume(other)
		if !ok {
			continue
		}
		q := g.newQuestion(asked, g.reduceCond(asked))
		if _, constant := q.cond.Const(); !constant && q.earlier().settled {
			recalled++
		}
		got := g.decide(asked, maxSplits)
		clear(p.earlier)
		want := g.decide(asked, maxSplits)
		if got.Answer != want.Answer || !(fits(got.True, want.True, g, asked) && fits(got.False, want.False, g, asked.pool.Not(asked))) {
			t.Fatalf("%v under %v: %+v, anew %+v", asked, g.Conds(), got, want)
		}
	}
	if recalled < 500 {
		t.Errorf("only %d answers were recalled", recalled)
	}
}

// fits reports whether w is there when another is, and satisfies the facts and c.
func fits(w, other *Witness, f Facts, c *Cond) bool {
	if w == nil || other == nil {
		return w == other
	}
	for _, x := range append(f.Conds(), c) {
		if ok, err := x.Eval(w.Size); err != nil || !ok {
			return false
		}
	}
	return true
}
