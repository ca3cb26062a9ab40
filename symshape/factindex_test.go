package symshape

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Facts are asked in any order, as branches are, and each time the index is what it would be if it were made anew.
func TestAnIndexOfFactsIsKeptUp(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		p := NewPool()
		var vars []*Expr
		for _, name := range []string{"a", "b", "c", "d"} {
			vars = append(vars, p.Symbol(name))
		}
		one := func() *Expr { return vars[r.IntN(len(vars))] }
		paths := []Facts{{}}
		for range 12 {
			f := paths[r.IntN(len(paths))]
			a, b := p.Add(p.Mul(one(), p.Const(int64(1+r.IntN(3)))), p.Const(int64(r.IntN(9)))), p.Mul(one(), one())
			c := []*Cond{p.Le(a, b), p.Eq(a, one()), p.Eq(p.Mod(a, p.Const(4)), p.Const(0)), p.Ne(a, b), p.Or(p.Eq(a, b), p.Lt(one(), a)),
				p.Eq(p.FloorDiv(b, one()), a)}[r.IntN(6)]
			g, ok := f.Assume(c)
			if !ok || g.n == nil {
				continue
			}
			paths = append(paths, g)
			for range 3 {
				if f = paths[1+r.IntN(len(paths)-1)]; f.n == nil {
					continue
				}
				kept := f.index()
				p.factIndex = nil
				fresh := f.index()
				p.factIndex = kept
				for _, v := range vars {
					v := []*atom{v.atom()}
					if diff := cmp.Diff(describe(fresh, v), describe(kept, v)); diff != "" {
						t.Fatalf("under %v: %s", f.Conds(), diff)
					}
				}
			}
		}
	}
}

// describe gives what an index says as plain data.
func describe(x *factIndex, vars []*atom) map[string]any {
	touched := x.touched(vars)
	var conds, atoms []string
	for _, c := range touched.conds {
		conds = append(conds, c.String())
	}
	for _, i := range touched.atoms {
		atoms = append(atoms, x.atoms[i].name+" = "+x.exprs[i].String())
	}
	return map[string]any{"conds": conds, "atoms": atoms, "fails": touched.fails, "values": x.values, "known": len(x.at)}
}
