package pass_test

// This file leaves passes and rules out, one at a time, and applies them in random order.

import (
	"context"
	"math/rand/v2"
	"testing"

	"shapecheck/codegen/pass"
)

func TestEachPassAndRuleCanBeLeftOut(t *testing.T) {
	models := nodeModels(t, 61)
	if len(models) < 15 {
		t.Errorf("only %d models", len(models))
	}
	var off []string
	seen := map[string]bool{}
	for _, p := range pass.Passes() {
		if !p.Always && !seen[p.Name] {
			seen[p.Name] = true
			off = append(off, p.Name)
		}
	}
	off = append(off, pass.RuleNames()...)
	for i, name := range off {
		for k, m := range models {
			if i >= len(seen) && k%4 != i%4 { // each rule on a part of them
				continue
			}
			m.after(t, pass.Passes(), pass.Options{Level: pass.ExactO, Disable: []string{name}})
		}
	}
}

// The cases of rules are small modules on which many rules apply: they are run with passes
// in a random order, and up to a random number of rewrites.
func TestRandomOrdersMeanTheSame(t *testing.T) {
	models := nodeModels(t, 37)
	r := rand.New(rand.NewPCG(5, 6))
	list := pass.Passes()
	first, rest := list[:1], list[1:]
	var free []*pass.Pass // those that may stand anywhere before the schedule
	for _, p := range rest {
		if p.Name != "schedule" && p.Name != "simulate" && p.Name != "alias" {
			free = append(free, p)
		}
	}
	for _, m := range models {
		order := append([]*pass.Pass{}, first...)
		for _, i := range r.Perm(len(free)) {
			order = append(order, free[i])
		}
		m.after(t, order, pass.Options{Level: pass.ExactO, Limit: r.IntN(12)})
	}
	for _, c := range ruleCases {
		text := modText(t, c.text)
		before, after := parsed(t, text), parsed(t, text)
		order := []*pass.Pass{}
		for _, i := range r.Perm(len(free)) {
			order = append(order, free[i])
		}
		o := pass.Options{Level: pass.ExactO, Verify: true, Limit: r.IntN(6)}
		if _, err := pass.Run(context.Background(), after, order, o); err != nil {
			t.Errorf("%v\n%s", err, text)
			continue
		}
		compare(t, before, after, r)
	}
}

func TestCompilingTwiceGivesTheSame(t *testing.T) {
	for _, m := range nodeModels(t, 41) {
		var texts [2]string
		for i := range texts {
			mod := m.module(t)
			if _, err := pass.Run(context.Background(), mod, pass.Passes(), pass.Options{}); err != nil {
				t.Fatal(err)
			}
			texts[i] = mod.String()
		}
		if texts[0] != texts[1] {
			t.Errorf("%s: two compilations differ:\n%s\n%s", m.name, texts[0], texts[1])
		}
	}
}
