package trial

// This file says how much of what an entry ran with is evidence: what the code tells, or no more than a guess.

import (
	"slices"
	"strings"

	"shapecheck/check"
	"shapecheck/contract"
	srctext "shapecheck/discover/text"
	"shapecheck/infer"
	"shapecheck/infer/graph"
	"shapecheck/infer/ops/catalog"
	"shapecheck/infer/value"
)

// basis is how much of what the best run of an entry was given is evidence. An input of which the text tells nothing, and no
// operation that takes one rank alone, is asked for by further runs.
func (p *prober) basis(best *trial, tries []*trial, run func(choice) (*trial, error)) (check.Basis, error) {
	f := best.fill
	if len(f.noted)+len(f.made)+len(f.args) == 0 {
		return check.BasisGiven, nil
	}
	if f.untold != "" || f.kind != "" || best.tied || slices.ContainsFunc(slices.Concat(f.made, f.args), srctext.IsMadeUp) {
		return check.BasisWeak, nil
	}
	var open []string
	for _, a := range f.args {
		name, typ, ok := strings.Cut(a, ":")
		if ok && !f.evident[name] && strings.HasSuffix(typ, "]") && srctext.Disagrees(name, srctext.Form(typ)) {
			return check.BasisWeak, nil
		}
		if ok && strings.HasSuffix(typ, "]") && !strings.HasPrefix(typ, "[") && !f.evident[name] && !best.reachesRanked(name) {
			open = append(open, name)
		}
	}
	if len(open) == 0 {
		return check.BasisRead, nil
	}
	c := f.choice
	c.open, c.tensors = open, map[string]string{}
	for _, name := range open {
		dtype, _, _ := strings.Cut(string(best.formOf(name)), "[")
		c.tensors[name] = dtype + "[*]"
	}
	t, err := run(c)
	if err != nil {
		return check.BasisWeak, err
	}
	known := t.clean() && isTyped(t.res.Output)
	if t.settle(); known {
		return check.BasisRead, nil
	}
	for _, name := range open {
		alone, err := p.runsAlone(best, tries, name, run)
		if err != nil || !alone {
			return check.BasisWeak, err
		}
	}
	return check.BasisRead, nil
}

// maxAlone is the highest rank that is tried for an input.
const maxAlone = 5

// runsAlone reports whether an entry runs with one rank of an input alone, of those up to maxAlone.
func (p *prober) runsAlone(best *trial, tries []*trial, name string, run func(choice) (*trial, error)) (bool, error) {
	now := best.formOf(name)
	dtype, _, _ := strings.Cut(string(now), "[")
	for rank := 1; rank <= maxAlone; rank++ {
		if rank == now.Rank() {
			continue
		}
		same := func(t *trial) bool { return t.formOf(name).Rank() == rank && len(t.fill.args) == len(best.fill.args) }
		if i := slices.IndexFunc(tries, same); i >= 0 {
			if tries[i].clean() && !tries[i].tied {
				return false, nil
			}
			continue
		}
		if p.spent() {
			return false, nil
		}
		c := best.fill.choice
		c.seen = map[string]srctext.Form{}
		for _, a := range best.fill.args {
			if n, typ, ok := strings.Cut(a, ":"); ok {
				c.seen[n] = srctext.Form(typ)
			}
		}
		_, sizes, _ := strings.Cut(string(srctext.OfRank(rank)), "[")
		c.seen[name] = srctext.Form(dtype + "[" + sizes)
		t, err := run(c)
		if err != nil {
			return false, err
		}
		if t.settle(); t.clean() && !t.tied {
			return false, nil
		}
	}
	return true, nil
}

// formOf is the form that an input had; empty where it was no tensor.
func (t *trial) formOf(name string) srctext.Form {
	for _, a := range t.fill.args {
		if n, typ, ok := strings.Cut(a, ":"); ok && n == name && strings.HasSuffix(typ, "]") {
			return srctext.Form(typ)
		}
	}
	return ""
}

// reachesRanked reports whether an input, or what is made of it, reaches an operation that takes one rank of tensors: windows,
// recurrent layers, attention.
func (t *trial) reachesRanked(name string) bool {
	made := map[*graph.Value]bool{}
	for _, in := range t.res.Inputs {
		if x, ok := in.Value.(*value.Tensor); ok && in.Name == name {
			made[x.V] = true
		}
	}
	for _, op := range t.res.Ops {
		if len(op.In) == 0 {
			continue
		}
		if x, ok := op.In[0].(*value.Tensor); ok && made[x.V] && isRanked(op.Name) {
			return true
		}
		if y, ok := op.Out.(*value.Tensor); ok && slices.ContainsFunc(op.In, func(v value.Value) bool {
			x, ok := v.(*value.Tensor)
			return ok && made[x.V]
		}) {
			made[y.V] = true
		}
	}
	return false
}

// isRanked reports whether the first argument of a function has one rank.
func isRanked(name string) bool {
	op, ok := catalog.Lookup(name)
	return ok && (op.Spatial > 0 || op.Form == graph.MultiHead || op.Form == graph.Recurrent)
}

// isTyped reports whether a result, or the first of a tuple, is a tensor of a known dtype.
func isTyped(v value.Value) bool {
	for {
		switch x := v.(type) {
		case *value.Tensor:
			return !infer.Lost(x)
		case *value.Tuple:
			if len(x.Elems) > 0 {
				v = x.Elems[0]
				continue
			}
		}
		return false
	}
}

// tiesFirst reports whether conditions tie the first axis of an input to another one, or to a number other than 1, though nothing in
// the text says what the axes are.
func (t *trial) tiesFirst(list []contract.Condition) bool {
	for _, in := range t.res.Inputs {
		x, ok := in.Value.(*value.Tensor)
		if !ok || t.fill.evident[in.Name] || len(x.V.Type.Shape) == 0 || !x.V.Type.Ranked {
			continue
		}
		first := x.V.Type.Shape[0].Expr
		if first == nil {
			continue
		}
		if _, ok := first.IsSymbol(); !ok {
			continue
		}
		for _, c := range list {
			if to := c.Cond.Defines(first); to != nil {
				if n, number := to.Const(); !number || n != 1 {
					return true
				}
			}
		}
	}
	return false
}
