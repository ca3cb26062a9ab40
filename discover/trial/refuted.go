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

// refuted reports whether an entry whose best run fails runs with no tensors at all: it has one or two inputs, which it
// gives to operations that take tensors alone, nothing else was guessed, and it fails for each of their ranks. The sizes are
// symbols of their own, so that what fails does for all sizes; a view of what is not contiguous for all but a size of 1.
func (p *prober) refuted(best *trial, run func(choice) (*trial, error)) (bool, error) {
	d := best.first()
	if d == nil || d.Aside || !check.OfShapes(d.Code) || best.res.Exceeded || best.inConstructor(d) {
		return false, nil
	}
	f := best.fill
	if len(f.noted)+len(f.made) > 0 || f.named || len(f.args) == 0 || len(f.args) > len(rankSymbols) || p.leftOpen(d, f.class) {
		return false, nil
	}
	choices := best.ofAllRanks()
	if p.whole {
		choices = best.batchesOfAllRanks()
	}
	found := false // in the form of the best run
	for _, c := range choices {
		if p.spent() {
			return false, nil
		}
		c.channels, c.open = "", f.withheld()
		t, err := run(c)
		if err != nil {
			return false, err
		}
		first := t.first()
		if first == nil || t.res.Exceeded || len(t.fill.noted) > 0 || !slices.Contains(refusals, first.Code) || p.leftOpen(first, f.class) {
			return false, nil
		}
		found = found || first.Code == d.Code && t.res.Files.Position(first.At.Start) == p.s.Parsed().Files().Position(d.At.Start)
		t.settle()
	}
	return found, nil
}

// ofAllRanks are choices with tensors of each rank for the inputs of a run; nil where one is none that must be a tensor.
func (t *trial) ofAllRanks() []choice {
	var names []string
	dtypes := [][]string{{"f32", "i64"}}
	for _, a := range t.fill.args {
		name, typ, ok := strings.Cut(a, ":")
		dtype, _, tensor := strings.Cut(typ, "[")
		if !ok || !tensor || dtype == "" || !strings.HasSuffix(typ, "]") ||
			!t.givesTensor(func(in value.Kw) value.Value { return is(in, name) }) {
			return nil
		}
		if names = append(names, name); len(t.fill.args) > 1 {
			dtypes = append(dtypes[:len(names)-1], []string{dtype})
		}
	}
	var out []choice
	for _, forms := range formsOfRanks(names, dtypes) {
		c := t.fill.choice
		c.seen = forms
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
			if len(op.In) == 0 || !takesTensor(op) {
				continue
			}
			if y, ok := op.In[0].(*value.Tensor); ok && y.V == x.V {
				return true
			}
		}
	}
	return false
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
