package trial

// This file shows that an entry runs with no input: it fails with tensors of every rank, whatever their sizes.

import (
	"slices"
	"strings"

	"shapecheck/check"
	srctext "shapecheck/discover/text"
	"shapecheck/infer"
	"shapecheck/infer/graph"
	"shapecheck/infer/ops/catalog"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
)

// highestRank is two more than that of batches of volumes, which have the most dimensions that layers ask for.
const highestRank = 7

// rankSymbols are the sizes of each of two inputs: none is shared.
var rankSymbols = [2]string{"BCHWDKL", "EFGMNPQ"}

// refuted reports whether an entry whose best run fails runs with no tensors at all: it gives one or two inputs to operations that take
// tensors alone, no more was guessed than numbers of its constructor, which are symbols then, and it fails for each of their ranks,
// whatever the other inputs are. The sizes are symbols of their own, so that what fails does for all sizes, but where a branch
// for some of them leads to it; a view of what is not contiguous for all
// but a size of 1. A fault of dtypes is one for inputs of all kinds of dtypes.
// The choice is another one of the same ranks to show it with, where the best run fails elsewhere as its inputs share sizes.
func (p *prober) refuted(best *trial, run func(choice) (*trial, error)) (bool, *choice, error) {
	d := best.first()
	if d == nil || d.Aside || !check.OfShapes(d.Code) && d.Code != diag.DTypeMismatch || best.res.Exceeded || best.inConstructor(d) {
		return false, nil, nil
	}
	f := best.fill
	if len(f.noted) > 0 || len(f.made) > 0 && !f.numbersAlone() || f.named || len(f.args) == 0 || p.leftOpen(d, best) {
		return false, nil, nil
	}
	choices := best.ofAllRanks(false)
	if p.whole {
		choices = nil
		if check.OfShapes(d.Code) {
			choices = best.batchesOfAllRanks()
		}
	}
	found := false // in the form of the best run
	var apart *choice
	all, err := p.failsAll(best, choices, run, func(c choice, t *trial, first *diag.Diagnostic) {
		found = found || first.Code == d.Code && t.res.Files.Position(first.At.Start) == p.s.Parsed().Files().Position(d.At.Start)
		if apart == nil && len(f.args) > 1 && check.OfShapes(first.Code) && sameRanks(t, best) {
			apart = &c
		}
	})
	if err != nil || !all || found || apart == nil {
		return all && found, nil, err
	}
	// The fault is another one: it is shown that it does not come from the dtypes.
	all, err = p.failsAll(best, best.ofAllRanks(true), run, func(choice, *trial, *diag.Diagnostic) {})
	return all, apart, err
}

// failsAll reports whether runs fail as inputs are refused, and not on a path for some sizes alone; each tells what it fails with.
func (p *prober) failsAll(best *trial, choices []choice, run func(choice) (*trial, error),
	each func(choice, *trial, *diag.Diagnostic)) (bool, error) {
	f := best.fill
	for _, c := range choices {
		if p.spent() {
			return false, nil
		}
		c.channels, c.open, c.constructor = "", slices.Concat(c.open, f.withheld()), f.openNumbers()
		t, err := run(c)
		if err != nil {
			return false, err
		}
		first := t.first()
		if first == nil || first.Fact.OnPath || t.res.Exceeded || len(t.fill.noted) > 0 || !slices.Contains(refusals, first.Code) ||
			p.leftOpen(first, t) {
			return false, nil
		}
		each(c, t, first)
		t.settle()
	}
	return true, nil
}

// sameRanks reports whether the tensors that a run was given have as many dimensions as those of another.
func sameRanks(t, o *trial) bool {
	return len(t.fill.args) == len(o.fill.args) && !slices.ContainsFunc(t.fill.args, func(a string) bool {
		name, _, _ := strings.Cut(a, ":")
		was := o.formOf(name)
		return was == "" || t.formOf(name) == "" || was.Rank() != t.formOf(name).Rank()
	})
}

// ofAllRanks are choices with tensors of each rank for the inputs of a run that must be tensors, the others of which are open; nil where
// none must be one, or too many. Of several inputs each has the dtype that it had in the run, or every one of floats and indices.
func (t *trial) ofAllRanks(every bool) []choice {
	var names, open []string
	dtypes := map[string]string{}
	for _, a := range t.fill.args {
		name, typ, ok := strings.Cut(a, ":")
		dtype, _, tensor := strings.Cut(typ, "[")
		if !ok || !tensor || dtype == "" || !strings.HasSuffix(typ, "]") ||
			!t.givesTensor(func(in value.Kw) value.Value { return is(in, name) }) {
			name, _, _ = strings.Cut(name, "=")
			open = append(open, name)
			continue
		}
		names, dtypes[name] = append(names, name), dtype
	}
	if len(names) == 0 || len(names) > len(rankSymbols) {
		return nil
	}
	list := [][]string{{"f32", "i64"}}
	if d := t.first(); d != nil && d.Code == diag.DTypeMismatch {
		if list = [][]string{{"f32", "i64", "bool", "f64", "c64"}}; len(names)+len(open) > 1 {
			return nil
		}
	}
	if len(names) > 1 {
		list = nil
		for _, name := range names {
			if every {
				list = append(list, []string{"f32", "i64"})
			} else {
				list = append(list, []string{dtypes[name]})
			}
		}
	}
	var out []choice
	for _, forms := range formsOfRanks(names, list) {
		c := t.fill.choice
		c.seen, c.open = forms, open
		out = append(out, c)
	}
	return out
}

// batchesOfAllRanks are choices for a training step with a batch whose first part has each rank; of the others there is
// nothing, so that a run which needs them fails by that. Nil where the first part is none that must be a tensor.
func (t *trial) batchesOfAllRanks() []choice {
	name, _, ok := strings.Cut(t.fill.args[0], "=(")
	parts := 0
	first := func(in value.Kw) value.Value {
		batch, ok := is(in, name).(*value.Tuple)
		if !ok || len(batch.Elems) == 0 {
			return nil
		}
		parts = len(batch.Elems)
		return batch.Elems[0]
	}
	if !ok || !t.givesTensor(first) {
		return nil
	}
	var out []choice
	for _, forms := range formsOfRanks([]string{name}, [][]string{{"f32", "i64"}}) {
		c := t.fill.choice
		c.given = map[string]string{name: name + "=(" + string(forms[name]) + strings.Repeat(", None", parts-1) + ",)"}
		out = append(out, c)
	}
	return out
}

// is the value of an input, where it has a name.
func is(in value.Kw, name string) value.Value {
	if in.Name != name {
		return nil
	}
	return in.Value
}

// furthest is the run that fails last of those that fail by sizes: the others stop at what the form of the input makes of them.
func (t *trial) furthest(tries []*trial) *trial {
	for _, o := range tries {
		d := o.first()
		if d != nil && check.OfShapes(d.Code) && len(o.fill.noted)+len(o.fill.made)+len(o.fill.choice.open) == 0 && o.further(t) {
			t = o
		}
	}
	return t
}

// refusals are the faults by which inputs are refused.
var refusals = []diag.Code{
	diag.ShapeMismatch, diag.RankMismatch, diag.DimOutOfRange, diag.InvalidSize, diag.ReshapeMismatch, diag.DTypeMismatch,
	diag.UncaughtRaise, diag.BadValue, diag.BadIndex,
}

// formsOfRanks are types of all ranks for inputs, each with its dtypes.
func formsOfRanks(names []string, dtypes [][]string) []map[string]srctext.Form {
	out := []map[string]srctext.Form{{}}
	for i, name := range names {
		var with []map[string]srctext.Form
		for _, forms := range out {
			for _, dtype := range dtypes[i] {
				for rank := 1; rank <= highestRank; rank++ {
					more := map[string]srctext.Form{name: srctext.Form(dtype + "[" + strings.Join(strings.Split(rankSymbols[i][:rank], ""), ",") + "]")}
					for k, v := range forms {
						more[k] = v
					}
					with = append(with, more)
				}
			}
		}
		out = with
	}
	return out
}

// givesTensor reports whether a run gave an input, or the part of it that of gives, to an operation that takes a tensor alone.
func (t *trial) givesTensor(of func(value.Kw) value.Value) bool {
	for _, in := range t.res.Inputs {
		x, ok := of(in).(*value.Tensor)
		if !ok {
			continue
		}
		for _, op := range t.res.Ops {
			if len(op.In) == 0 {
				continue
			}
			given := []value.Value{op.In[0]}
			if !takesTensor(op) {
				given = joined(op)
			}
			if slices.ContainsFunc(given, func(v value.Value) bool { y, ok := v.(*value.Tensor); return ok && y.V == x.V }) {
				return true
			}
		}
	}
	return false
}

// joined are the tensors that a call joins: a list of them can have nothing else in it.
func joined(op *infer.OpCall) []value.Value {
	record, ok := catalog.Lookup(op.Name)
	if !ok || record.Form != graph.Concat && record.Form != graph.Stack {
		return nil
	}
	switch list := op.In[0].(type) {
	case *value.List:
		return list.Elems
	case *value.Tuple:
		return list.Elems
	}
	return nil
}

// takesTensor reports whether a call's first argument can be a tensor alone; a list and a number have no x[:, None].
func takesTensor(op *infer.OpCall) bool {
	name := op.Name[strings.LastIndexByte(op.Name, '.')+1:]
	if name != "__getitem__" || len(op.In) < 2 {
		record, ok := catalog.Lookup(op.Name)
		return ok && record.Is.Has(graph.OneTensor) && !strings.HasPrefix(name, "__")
	}
	_, several := op.In[1].(*value.Tuple)
	return several
}
