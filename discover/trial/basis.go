package trial

// This file says how much of what an entry ran with is evidence: what the code tells, or no more than a guess.

import (
	"maps"
	"slices"
	"strings"

	"shapecheck/check"
	"shapecheck/contract"
	srctext "shapecheck/discover/text"
	"shapecheck/infer"
	"shapecheck/infer/graph"
	"shapecheck/infer/ops/catalog"
	"shapecheck/infer/value"
	"shapecheck/internal/lazyregexp"
	"shapecheck/symshape"
)

// basis is how much of what the best run of an entry was given is evidence. An input of which the text tells nothing, and no
// operation that takes one rank alone, is asked for by further runs.
func (p *prober) basis(best *trial, tries []*trial, run func(choice) (*trial, error)) (check.Basis, error) {
	f := best.fill
	if len(f.noted)+len(f.made)+len(f.args) == 0 {
		return check.BasisGiven, nil
	}
	if f.untold != "" || f.kind != "" || best.tied && !best.confused() || slices.ContainsFunc(slices.Concat(f.made, f.args), srctext.IsMadeUp) {
		return check.BasisWeak, nil
	}
	var open []string
	given := map[string]string{}
	for _, a := range f.args {
		if name, opened, ok := withOpenParts(a); ok {
			switch {
			case f.evident[name]:
			case best.reachesRanked(name):
				f.judge(name, byRank, false)
			default:
				given[name] = opened
			}
			continue
		}
		name, typ, ok := strings.Cut(a, ":")
		if ok && !f.evident[name] && strings.HasSuffix(typ, "]") && srctext.Disagrees(name, srctext.Form(typ)) {
			f.judge(name, byOther, true)
			return check.BasisWeak, nil
		}
		if ok && strings.HasSuffix(typ, "]") && !strings.HasPrefix(typ, "[") && !f.evident[name] {
			if best.reachesRanked(name) {
				f.judge(name, byRank, false)
			} else {
				open = append(open, name)
			}
		}
	}
	if len(open)+len(given) == 0 {
		return check.BasisRead, nil
	}
	c := f.choice
	c.open, c.tensors = open, map[string]string{}
	if len(given) > 0 {
		maps.Copy(given, c.given)
		c.given = given
	}
	for _, name := range open {
		dtype, _, _ := strings.Cut(string(best.formOf(name)), "[")
		c.tensors[name] = dtype + "[*]"
	}
	t, err := run(c)
	if err != nil {
		return check.BasisWeak, err
	}
	defer t.settle()
	if t.clean() && isTyped(t.res.Output) {
		for _, name := range slices.Concat(open, slices.Collect(maps.Keys(given))) {
			f.judge(name, byOpen, false)
		}
		best.open, err = anyRank(best, t, run)
		return check.BasisRead, err
	}
	if len(given) > 0 {
		alone, err := p.partsAlone(best, given, run)
		for name := range given {
			f.judge(name, byAlone, false)
			if !alone {
				f.judge(name, byNothing, true)
			}
		}
		if !alone || err != nil {
			return check.BasisWeak, err
		}
	}
	for _, name := range open {
		alone, every, err := p.runsAlone(best, tries, name, len(open) == 1, run)
		switch {
		case err == nil && alone:
			f.judge(name, byAlone, false)
		case err == nil && every:
			f.judge(name, byEvery, false)
		default:
			f.judge(name, byNothing, true)
			return check.BasisWeak, err
		}
	}
	return check.BasisRead, nil
}

// anyRank is how an entry is shown of whose one input any rank is right, by the best run and one with an input of no known rank: with the last
// size where that is a number. It is nil where the sizes must satisfy a condition.
func anyRank(best, open *trial, run func(choice) (*trial, error)) (*check.AnyRank, error) {
	if len(best.fill.args) != 1 || !best.free {
		return nil, nil
	}
	name, typ, _ := strings.Cut(best.fill.args[0], ":")
	dtype, sizes, _ := strings.Cut(strings.TrimSuffix(typ, "]"), "[")
	list := strings.Split(sizes, ",")
	for i, size := range list {
		if !isSymbol(size) && i < len(list)-1 {
			return nil, nil
		}
	}
	if last := list[len(list)-1]; !isSymbol(last) {
		c := open.fill.choice
		c.tensors = map[string]string{name: dtype + "[*," + last + "]"}
		var err error
		if open, err = run(c); err != nil {
			return nil, err
		}
		defer open.settle()
	}
	if !open.clean() || !hasSizes(open.res.Output) || !open.free {
		return nil, nil
	}
	return &check.AnyRank{Args: open.fill.args, Result: open.res.Output.String()}, nil
}

// maxAlone is the highest rank that is tried for an input.
const maxAlone = 5

// runsAlone reports whether an entry runs with one rank of an input alone, of those up to maxAlone; and, where asked, whether it runs with
// every rank of them but 1, of which its result has as many dimensions, and no more is asked of sizes than a number of the last one.
func (p *prober) runsAlone(best *trial, tries []*trial, name string, asked bool,
	run func(choice) (*trial, error)) (alone, every bool, err error) {
	now := best.formOf(name)
	dtype, _, _ := strings.Cut(string(now), "[")
	alone, every = true, asked && now.Rank() > 1 && now.Rank() <= maxAlone && best.lastOnly && best.keepsRank(name)
	for rank := 1; rank <= maxAlone && (alone || every); rank++ {
		if rank == now.Rank() {
			continue
		}
		same := func(t *trial) bool { return t.formOf(name).Rank() == rank && len(t.fill.args) == len(best.fill.args) }
		i := slices.IndexFunc(tries, same)
		if i < 0 && p.spent() {
			return false, false, nil
		}
		var t *trial
		if i >= 0 {
			t = tries[i]
		} else {
			c := best.fill.choice
			c.seen = map[string]srctext.Form{}
			for _, a := range best.fill.args {
				if n, typ, ok := strings.Cut(a, ":"); ok {
					c.seen[n] = srctext.Form(typ)
				}
			}
			_, sizes, _ := strings.Cut(string(srctext.OfRank(rank)), "[")
			c.seen[name] = srctext.Form(dtype + "[" + sizes)
			if t, err = run(c); err != nil {
				return false, false, err
			}
		}
		runs := t.clean() && !t.tied && (best.tied || best.square || !t.fixesFirst(name)) // one that is tied itself proves nothing
		alone = alone && !runs
		every = every && (rank == 1 || runs && t.lastOnly && t.keepsRank(name))
		t.settle()
	}
	return alone, every, nil
}

// fixesFirst reports whether a run that was just made ties the first axis of an input, whatever the text says of its axes: a vector of as many
// elements as there are features runs where it is repeated for each sample, and is no other form of the input.
func (t *trial) fixesFirst(name string) bool {
	return t.clean() && slices.ContainsFunc(t.res.Inputs, func(in value.Kw) bool {
		return in.Name == name && slices.ContainsFunc(tensorsOf(in.Value), func(x *value.Tensor) bool { return tiesFirstOf(x, t.conditions, false) })
	})
}

// partsAlone reports whether an entry runs with no other rank of one of the tensors of inputs that are lists or dictionaries.
func (p *prober) partsAlone(best *trial, names map[string]string, run func(choice) (*trial, error)) (bool, error) {
	n := 0
	for _, o := range best.likened() {
		if names[o.name] == "" || !o.ranked {
			continue
		}
		if n++; n > maxLikened || p.spent() {
			break
		}
		t, err := run(o.with(best.fill.choice))
		if err != nil {
			return false, err
		}
		if t.settle(); t.clean() && !t.tied {
			return false, nil
		}
	}
	return true, nil
}

// tiesOthers reports whether a condition ties an axis of an input that is not the first one to a further one, though nothing in the text
// says what the axes are.
func (t *trial) tiesOthers(list []contract.Condition) bool {
	for _, in := range t.res.Inputs {
		x, ok := in.Value.(*value.Tensor)
		if !ok || !x.V.Type.Ranked || len(x.V.Type.Shape) < 3 || t.fill.evident[in.Name] {
			continue
		}
		rest := x.V.Type.Shape[1:]
		for _, d := range rest {
			if d.Expr == nil {
				continue
			}
			if _, symbol := d.Expr.IsSymbol(); symbol && slices.ContainsFunc(list, func(c contract.Condition) bool {
				to := c.Cond.Repeated().Defines(d.Expr)
				return to != nil && slices.ContainsFunc(to.Symbols(), func(s *symshape.Expr) bool {
					return s != d.Expr && slices.ContainsFunc(rest, func(o symshape.Dim) bool { return o.Expr == s })
				})
			}) {
				return true
			}
		}
	}
	return false
}

// keepsRank reports whether the result of a run is a tensor, or begins with one, of as many dimensions as an input.
func (t *trial) keepsRank(name string) bool {
	if t.res == nil {
		return false
	}
	out := t.res.Output
	if list, ok := out.(*value.Tuple); ok && len(list.Elems) > 0 {
		out = list.Elems[0]
	}
	x, ok := out.(*value.Tensor)
	return ok && x.V.Type.Ranked && x.V.Type.Rank() == t.formOf(name).Rank()
}

// fixesLast reports whether conditions say no more than what number the last size of an input is.
func (t *trial) fixesLast(list []contract.Condition) bool {
	last := map[*symshape.Expr]bool{}
	for _, in := range t.res.Inputs {
		if x, ok := in.Value.(*value.Tensor); ok && x.V.Type.Ranked && len(x.V.Type.Shape) > 1 {
			last[x.V.Type.Shape[len(x.V.Type.Shape)-1].Expr] = true
		}
	}
	return !slices.ContainsFunc(list, func(c contract.Condition) bool {
		sym, to := c.Cond.Repeated().Definition()
		if sym == nil || !last[sym] {
			return true
		}
		_, number := to.Const()
		return !number
	})
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
// recurrent layers, attention. Each tensor of a list or a dictionary must.
func (t *trial) reachesRanked(name string) bool {
	found := false
	for _, in := range t.res.Inputs {
		if in.Name != name {
			continue
		}
		for _, x := range tensorsOf(in.Value) {
			if found = isRankTold(x.V, t.res.Ops); !found {
				return false
			}
		}
	}
	return found
}

// isRankTold is reachesRanked for one tensor and some operations of a run.
func isRankTold(of *graph.Value, ops []*infer.OpCall) bool {
	made := map[*graph.Value]bool{of: true}
	for _, op := range ops {
		if len(op.In) == 0 {
			continue
		}
		if x, ok := op.In[0].(*value.Tensor); ok && made[x.V] && isRanked(op.Name) {
			return true
		}
		if y, ok := op.Out.(*value.Tensor); ok && slices.ContainsFunc(op.In, func(v value.Value) bool {
			return slices.ContainsFunc(tensorsOf(v), func(x *value.Tensor) bool { return made[x.V] })
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

// tensorsOf are the tensors of an argument: itself, or those of a list or a dictionary.
func tensorsOf(v value.Value) []*value.Tensor {
	var out []*value.Tensor
	for v := range value.Walk(v, 3, value.Sequences|value.DictValues) {
		if x, ok := v.(*value.Tensor); ok {
			out = append(out, x)
		}
	}
	return out
}

// tensorPart is the type of a tensor in a list or a dictionary that an input is.
var tensorPart = lazyregexp.New(`\b([a-z]+[0-9]+|bool)\[[^\[\]]*\]`)

// withOpenParts is an input that is a list or a dictionary of tensors, and the same argument with tensors of no known rank; false for
// another one.
func withOpenParts(arg string) (name, opened string, ok bool) {
	name, v, ok := strings.Cut(arg, "=")
	if !ok || strings.Contains(name, ":") || !tensorPart.MatchString(v) {
		return "", "", false
	}
	return name, name + "=" + tensorPart.ReplaceAllString(v, "$1[*]"), true
}

// isTyped reports whether a result, or the first of a tuple or a dictionary, is a tensor of a known dtype.
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
		case *value.Dict:
			if x.Len() > 0 {
				v = x.At(0)
				continue
			}
		}
		return false
	}
}

// hasSizes reports whether a result is tensors whose dtypes and sizes are known, as numbers, though their ranks need not be: a symbol would be
// one of an input's axes, of which the run knows no name.
func hasSizes(v value.Value) bool {
	list := []value.Value{v}
	if t, ok := v.(*value.Tuple); ok {
		list = t.Elems
	}
	return len(list) > 0 && !slices.ContainsFunc(list, func(v value.Value) bool {
		t, ok := v.(*value.Tensor)
		return !ok || infer.Lost(t) || slices.ContainsFunc(t.V.Type.Shape, func(d symshape.Dim) bool {
			if d.Expr == nil {
				return true
			}
			_, number := d.Expr.Const()
			return !number
		})
	})
}

// tiesFirst reports whether conditions tie the first axis of an input to another one, or to a number other than 1, though nothing in
// the text says what the axes are; a product or a remainder with it ties it whatever the text says, as B*T == 64.
func (t *trial) tiesFirst(list []contract.Condition) bool {
	return slices.ContainsFunc(t.res.Inputs, func(in value.Kw) bool {
		return slices.ContainsFunc(tensorsOf(in.Value), func(x *value.Tensor) bool { return tiesFirstOf(x, list, t.fill.evident[in.Name]) })
	})
}

// tiesFirstOf is tiesFirst for one tensor. evident says that the text tells what its axes are.
func tiesFirstOf(x *value.Tensor, list []contract.Condition, evident bool) bool {
	if len(x.V.Type.Shape) == 0 || !x.V.Type.Ranked {
		return false
	}
	first := x.V.Type.Shape[0].Expr
	if first == nil {
		return false
	}
	if n, number := first.Const(); number && n != 1 && !evident {
		return true // which the run took for channels
	}
	if _, ok := first.IsSymbol(); !ok {
		return false
	}
	for _, c := range list {
		if to := c.Cond.Repeated().Defines(first); to != nil {
			if n, number := to.Const(); !evident && (!number || n != 1) {
				return true
			}
		} else if c.Cond.IsEquation() && ofSeveral(c.Cond, first) {
			return true
		}
	}
	return false
}

// ofSeveral reports whether a symbol and others are in a condition.
func ofSeveral(c *symshape.Cond, sym *symshape.Expr) bool {
	symbols := c.Symbols()
	return len(symbols) > 1 && slices.Contains(symbols, sym)
}

// doublesFirst is the form with as many axes as the result, where that has one axis more than an input, and the first axis of the input twice
// before the others: rows of the one are taken for rows of another part of it, as a table of positions that has no batch. Else it is empty.
func (t *trial) doublesFirst() srctext.Form {
	out, ok := t.res.Output.(*value.Tensor)
	if !ok || !out.V.Type.Ranked || out.V.Type.Rank() < 3 {
		return ""
	}
	shape := out.V.Type.Shape
	first := shape[0].Expr
	if first == nil || first != shape[1].Expr {
		return ""
	}
	if _, symbol := first.IsSymbol(); !symbol {
		return ""
	}
	if !slices.ContainsFunc(t.res.Inputs, func(in value.Kw) bool {
		x, ok := in.Value.(*value.Tensor)
		return ok && x.V.Type.Ranked && x.V.Type.Rank() == len(shape)-1 && x.V.Type.Shape[0].Expr == first && !t.fill.evident[in.Name]
	}) {
		return ""
	}
	return srctext.OfRank(len(shape))
}
