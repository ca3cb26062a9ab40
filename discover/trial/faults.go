package trial

// This file decides which faults of runs with guessed arguments are the program's.

import (
	"slices"
	"strings"

	"shapecheck/check"
	srctext "shapecheck/discover/text"
	"shapecheck/infer"
	"shapecheck/infer/ops/catalog"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/internal/lazyregexp"
)

// leftOpen reports whether a fault of a run may be one of what the constructor of its class was not given: it is about a tensor without
// elements, or an element that is not there, and there is a list that is empty until it is given, or about a negative number, and one is
// negative until then. It is one of what is set from outside where it reads an attribute that is a constant until then. Arguments of any
// number may decide of everything, and so do modules that are put into a container: without one of them all faults are theirs.
func (p *prober) leftOpen(d *diag.Diagnostic, t *trial) bool {
	class := t.fill.class
	empty := d.Code == diag.BadIndex || d.Sizes.Empty
	return p.readsSet(d, t) || empty && p.found.LeavesEmpty(class) || d.Sizes.Negative && p.found.LeavesNegative(class) ||
		!givesByPosition.MatchString(t.res.Entry) && (p.found.TakesMore(class) || p.found.IsGivenModules(class))
}

// readsSet reports whether the text at a fault reads an attribute that the class sets to a constant, and the file or one around sets from
// outside.
func (p *prober) readsSet(d *diag.Diagnostic, t *trial) bool {
	return slices.ContainsFunc(ownAttribute.FindAllStringSubmatch(t.textAt(d), -1), func(m []string) bool {
		return p.found.BeginsConstant(t.fill.class, m[1]) && (srctext.SetsAttribute(p.found.Source.Text(), m[1]) || p.around.MaySet("", m[1]))
	})
}

// ownAttribute matches the reading of an attribute of an object by its own method.
var ownAttribute = lazyregexp.New(`\bself\.(\w+)`)

// givesByPosition matches an entry whose first argument has no name.
var givesByPosition = lazyregexp.New(`^[\w.]+\(\s*(?:[^\w\s)]|\w+\s*(?:[^\w\s=]|==))`)

// ofGuesses reports whether the sizes that do not fit are those of guessed inputs: they are symbols, or only
// types with symbols tell them. A size that is a number is the program's.
func ofGuesses(d *diag.Diagnostic) bool {
	return slices.ContainsFunc(d.Sizes.Symbols, isGuessed) && !d.Sizes.Numbered
}

// isGuessed reports whether a symbol is one of a guessed input: those are single capital letters.
func isGuessed(symbol string) bool { return len(symbol) == 1 && 'A' <= symbol[0] && symbol[0] <= 'Z' }

// everywhere reports whether a fault of shapes is there whatever was assumed: of runs with at least three forms
// in all, the same fault, but for those whose one input is refused where it is first used, or leads to a wrong number of
// dimensions; no argument of the constructor was a guess, and no input of one form only is a part of it.
func (p *prober) everywhere(d *diag.Diagnostic, tries []*trial) bool {
	if d.Severity != diag.Error || d.Aside || !check.OfShapes(d.Code) || ofGuesses(d) {
		return false
	}
	forms := map[string]bool{}
	for _, t := range tries {
		if t.err != nil || p.leftOpen(d, t) || t.res.Exceeded || len(t.fill.noted)+len(t.fill.made) > 0 {
			return false
		}
		same := p.has(t, d)
		if !same && slices.ContainsFunc(t.res.Diagnostics, func(x *diag.Diagnostic) bool { return x.Code == diag.DTypeMismatch }) {
			continue // of a dtype that the model does not take
		}
		if t.fill.formed {
			forms[strings.Join(t.fill.args, " ")] = true
		}
		if first := t.first(); !same && !t.refuses() && (t.only() == "" || first == nil || first.Code != diag.RankMismatch ||
			d.Code == diag.RankMismatch) {
			return false
		}
	}
	return len(forms) >= agreed && !namesFixedInput(d, tries) && !namesSharedSize(d, tries)
}

// unmade reports whether a fault is that an entry cannot be made as it is by default: a layer refuses sizes that nobody has guessed.
func (p *prober) unmade(d *diag.Diagnostic, best *trial) bool {
	f := best.fill
	if len(f.noted)+len(f.made) > 0 || d != best.first() || d.Code != diag.BadValue && !check.OfShapes(d.Code) || p.leftOpen(d, best) {
		return false
	}
	return best.inConstructor(d) && !slices.ContainsFunc(d.Related, func(r diag.Related) bool {
		return r.Call && best.functionAt(r.At) == "forward"
	})
}

// tiesBatch reports whether a run holds for one size of its batch alone, or for as many images as they have rows: what the one
// input meets is a layer for which its first axis is the batch.
func (t *trial) tiesBatch() bool {
	return t.meetsLayer() && slices.ContainsFunc(t.res.Diagnostics, func(d *diag.Diagnostic) bool { return d.Fact.Kind == diag.TiesBatch })
}

// batchRank is the number of axes with which the first argument of a function has the batch in front of channels and those that windows
// go over; 0: it is no such function.
func batchRank(name string) int {
	if op, ok := catalog.Lookup(name); ok && op.Spatial > 0 {
		return int(op.Spatial) + 2
	}
	return 0
}

// meetsLayer reports whether the one input of a run is given to a layer for which its first axis is the batch.
func (t *trial) meetsLayer() bool {
	if t.only() == "" || t.err != nil || len(t.res.Inputs) != 1 {
		return false
	}
	in, ok := t.res.Inputs[0].Value.(*value.Tensor)
	return ok && slices.ContainsFunc(t.res.Ops, func(op *infer.OpCall) bool {
		if len(op.In) == 0 {
			return false
		}
		x, ok := op.In[0].(*value.Tensor)
		return ok && x.V == in.V && batchRank(op.Name) == srctext.Form(t.only()).Rank()
	})
}

// ties reports whether a finding is that the batch is tied in the best of several runs, where no other form runs and no
// argument of the constructor is a guess: then it is so for whoever calls it.
func (t *trial) ties(d *diag.Diagnostic, tries []*trial) bool {
	return d.Fact.Kind == diag.TiesBatch && t.tiesBatch() && len(t.fill.noted)+len(t.fill.made) == 0 && formsOf(tries) >= agreed &&
		!slices.ContainsFunc(tries, func(o *trial) bool {
			return o.clean() && srctext.Form(o.only()).Rank() != srctext.Form(t.only()).Rank()
		})
}

// narrow reports whether a finding is that the smallest images alone run through the best of several runs, those of one row or column, or
// of two of which one branch leaves one that broadcasts, because what two branches make of others does not fit together: its one input
// meets a layer that takes images, and no argument of the constructor is a guess.
func (t *trial) narrow(d *diag.Diagnostic, tries []*trial) bool {
	if d.Fact.Kind != diag.OneByBranches || len(t.fill.noted)+len(t.fill.made) > 0 || !t.meetsLayer() ||
		slices.ContainsFunc(tries, func(o *trial) bool {
			return o.clean() && srctext.Form(o.only()).Rank() != srctext.Form(t.only()).Rank()
		}) {
		return false
	}
	sizes := strings.Split(strings.Trim(t.only()[strings.IndexByte(t.only(), '['):], "[]"), ",")
	return slices.Contains(sizes[min(2, len(sizes)):], d.Fact.Names[0])
}

// opened adds to the runs of an entry whose best one would have a finding one in which the inputs that had as many dimensions in all of
// them, and those that were left out, are unknown: what only those cause is the guess's.
func (p *prober) opened(tries []*trial, best *trial) ([]*trial, error) {
	if best == nil || best.err != nil || !slices.ContainsFunc(best.res.Diagnostics,
		func(d *diag.Diagnostic) bool { return p.everywhere(d, tries) }) {
		return tries, nil
	}
	c := best.fill.choice
	c.open = append(fixedInputs(tries), best.fill.withheld()...)
	if len(c.open) == 0 {
		return tries, nil
	}
	t := &trial{fill: &filler{choice: c, file: p.found, class: best.fill.class, layers: best.fill.layers, inputs: best.fill.inputs,
		beside: p.classBeside, derived: p.around.Deriving, defined: p.around.Defining, holding: p.holding}}
	if err := p.run(t, best.res.Entry, false); err != nil {
		return nil, err
	}
	t.settle()
	return append(tries, t), nil
}

// fixedInputs are the inputs that had tensors of one rank in all runs.
func fixedInputs(tries []*trial) []string {
	var out []string
	for name, seen := range inputTypes(tries) {
		if sameRank(seen) {
			out = append(out, name)
		}
	}
	return out
}

// inputTypes are the types of tensors that inputs had in runs, by their names.
func inputTypes(tries []*trial) map[string][]string {
	types := map[string][]string{}
	for _, t := range tries {
		for _, a := range t.fill.args {
			if name, typ, ok := strings.Cut(a, ":"); ok && strings.Contains(typ, "[") {
				types[name] = append(types[name], typ)
			}
		}
	}
	return types
}

func sameRank(types []string) bool {
	rank := srctext.Form(types[0]).Rank()
	return !slices.ContainsFunc(types, func(typ string) bool { return srctext.Form(typ).Rank() != rank })
}

// formsOf is with how many forms of their inputs runs were made.
func formsOf(tries []*trial) int {
	seen := map[string]bool{}
	for _, t := range tries {
		if t.fill.formed {
			seen[strings.Join(t.fill.args, " ")] = true
		}
	}
	return len(seen)
}

// only is the type that the one input of the call was given; empty where there are more, or it is none.
func (t *trial) only() string {
	if len(t.fill.args) != 1 {
		return ""
	}
	_, typ, ok := strings.Cut(t.fill.args[0], ":")
	if !ok || !strings.HasSuffix(typ, "]") || strings.HasPrefix(typ, "[") {
		return ""
	}
	return typ
}

// owns reports whether a run of one input fails by sizes that are the program's: two numbers that do not agree.
func (t *trial) owns() bool {
	d := t.first()
	return d != nil && t.only() != "" && slices.Contains([]diag.FactKind{diag.UnfitSize, diag.UnequalSizes, diag.NotMultiple},
		d.Fact.Kind) && !ofGuesses(d)
}

// refuses reports whether what the one input meets first does not take it in its form: another one is meant, and the run
// says nothing of what comes later. An input that went through an operation of its rank before, or of which a part did, is not refused: a sum
// with what was made of it fails by sizes.
func (t *trial) refuses() bool {
	d, typ := t.first(), t.only()
	if d == nil || typ == "" || !check.OfShapes(d.Code) {
		return false
	}
	if slices.ContainsFunc(t.res.Inputs, func(in value.Kw) bool {
		x, ok := in.Value.(*value.Tensor)
		return ok && isRankTold(x.V, t.res.Ops[:t.reached()])
	}) {
		return false
	}
	return slices.ContainsFunc(d.Operands, func(o diag.Operand) bool { return o.Type == typ }) ||
		d.Fact.Kind == diag.WrongRank && d.Fact.Of == typ[strings.IndexByte(typ, '['):]
}

// unlikely gives the run that tells more than a clean one of a batch without which the input has too few dimensions:
// the clean one holds for one size of its first axis alone, and with one more axis sizes of the program do not agree.
// Nil: there is none.
func (t *trial) unlikely(tries []*trial) *trial {
	if t == nil || !t.clean() || t.only() == "" || !slices.ContainsFunc(t.res.Diagnostics,
		func(d *diag.Diagnostic) bool { return d.Code == diag.FixedBatch }) {
		return nil
	}
	rank := srctext.Form(t.only()).Rank()
	i := slices.IndexFunc(tries, func(o *trial) bool { return o.owns() && srctext.Form(o.only()).Rank() == rank+1 })
	if i < 0 {
		return nil
	}
	return tries[i]
}

// has reports whether a run came upon a fault, whatever the form of its input.
func (p *prober) has(t *trial, d *diag.Diagnostic) bool {
	return t.err == nil && slices.ContainsFunc(t.res.Diagnostics, func(x *diag.Diagnostic) bool {
		return t.counts(x) && x.Code == d.Code && t.res.Files.Position(x.At.Start).Line == p.s.Parsed().Files().Position(d.At.Start).Line &&
			x.Sizes.Key == d.Sizes.Key
	})
}

// namesSharedSize reports whether a fault is about a size that several tensors were given: that it is the same one is a guess.
func namesSharedSize(d *diag.Diagnostic, tries []*trial) bool {
	return slices.ContainsFunc(d.Sizes.Symbols, func(symbol string) bool {
		return isGuessed(symbol) && slices.ContainsFunc(tries, func(t *trial) bool { return t.tensorsWith(symbol) > 1 })
	})
}

// tensorsWith counts the types among the arguments of a run that have a size of one symbol.
func (t *trial) tensorsWith(symbol string) int {
	n := 0
	for _, typ := range typeNamed.FindAllString(strings.Join(t.fill.args, " "), -1) {
		if slices.Contains(symbolNamed.FindAllString(typ, -1), symbol) {
			n++
		}
	}
	return n
}

// Types in the arguments of a run, and symbols in one of them.
var (
	typeNamed   = lazyregexp.New(`\w*\[[^\]]*\]`)
	symbolNamed = lazyregexp.New(`\b[A-Z]\b`)
)

// isAbout reports whether a fault is about a tensor of a type.
func isAbout(d *diag.Diagnostic, typ string) bool {
	return d.Fact.Of == typ || slices.ContainsFunc(d.Operands, func(o diag.Operand) bool { return o.Type == typ })
}

// namesFixedInput reports whether a fault is about the type of an input that had as many
// dimensions in all runs with other inputs in other forms: then the fault is that of the guess.
func namesFixedInput(d *diag.Diagnostic, tries []*trial) bool {
	for _, seen := range inputTypes(tries) {
		if sameRank(seen) && slices.ContainsFunc(seen, func(typ string) bool {
			return isAbout(d, typ)
		}) {
			return true
		}
	}
	return false
}
