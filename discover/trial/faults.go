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

// shapesNamed are what a message says of an input's form: types, at which dimension a size is,
// and the symbols of forms.
var shapesNamed = lazyregexp.New(`\w+\[[^\]]*\]|dimension -?\d+|\b[A-Z]\b`)

// gist is the message of a fault, of one between sizes without the form of the input. The sizes
// that do not fit stay: where they are the same for every form, they are the program's own. That
// dimensions are missing is no such fault: another form may have them.
func gist(d *diag.Diagnostic) string {
	if d.Code != diag.ShapeMismatch && d.Code != diag.InvalidSize {
		return d.Msg
	}
	return shapesNamed.ReplaceAllString(d.Msg, "…")
}

// leftOpen reports whether a fault is about a tensor without elements, or an element that is not there, where the constructor of the
// class has a list that is empty until it is given, or about a negative number, where it has one that is negative until then.
func (p *prober) leftOpen(d *diag.Diagnostic, class string) bool {
	empty := d.Code == diag.BadIndex || emptyNamed.MatchString(d.Msg)
	return empty && p.found.LeavesEmpty(class) || negativeNamed.MatchString(d.Msg) && p.found.LeavesNegative(class)
}

// What a message says of a tensor without elements, and of a negative number.
var (
	emptyNamed    = lazyregexp.New(`\b0 elements|[\[,]0[,\]]`)
	negativeNamed = lazyregexp.New(`\b(negative|positive)\b`)
)

var (
	typeNamed   = lazyregexp.New(`\w*\[[^\]]*\]`)
	axisNamed   = lazyregexp.New(`dimension -?\d+`)
	symbolNamed = lazyregexp.New(`\b[A-Z]\b`)
	inBrackets  = lazyregexp.New(`\([^()]*\)`)
	sizeNamed   = lazyregexp.New(`[\w()*/-]+(?: [-+] [\w()*/-]+)*`)
	digit       = lazyregexp.New(`\d`)
)

// ofGuesses reports whether the sizes that do not fit are those of guessed inputs: they are symbols, or only
// types with symbols tell them. A size that is a number is the program's.
func ofGuesses(d *diag.Diagnostic) bool {
	if !symbolNamed.MatchString(d.Msg) {
		return false
	}
	text := axisNamed.ReplaceAllString(typeNamed.ReplaceAllString(d.Msg, "…"), "")
	text = inBrackets.ReplaceAllStringFunc(text, func(s string) string {
		if symbolNamed.MatchString(s) {
			return "(S)"
		}
		return ""
	})
	for _, size := range sizeNamed.FindAllString(text, -1) {
		if digit.MatchString(size) && !symbolNamed.MatchString(size) {
			return false
		}
	}
	return true
}

// everywhere reports whether a fault of shapes is there whatever was assumed: of runs with at least three forms
// in all, in the same words, but for those whose one input is refused where it is first used, or leads to a wrong number of
// dimensions; no argument of the constructor was a guess, and no input of one form only is a part of it.
func (p *prober) everywhere(d *diag.Diagnostic, tries []*trial) bool {
	if d.Severity != diag.Error || d.Aside || !check.OfShapes(d.Code) || ofGuesses(d) {
		return false
	}
	forms := map[string]bool{}
	for _, t := range tries {
		if p.leftOpen(d, t.fill.class) {
			return false
		}
		if t.err != nil || t.res.Exceeded || len(t.fill.noted)+len(t.fill.made) > 0 {
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
	if len(f.noted)+len(f.made) > 0 || d != best.first() || d.Code != diag.BadValue && !check.OfShapes(d.Code) || p.leftOpen(d, f.class) {
		return false
	}
	return best.inConstructor(d) && !slices.ContainsFunc(d.Related, func(r diag.Related) bool {
		return r.Msg == diag.CalledFrom && best.functionAt(r.At) == "forward"
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
		beside: p.classBeside, derived: p.derived, defined: p.defined}}
	if err := p.run(t, best.res.Entry); err != nil {
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
// says nothing of what comes later.
func (t *trial) refuses() bool {
	d, typ := t.first(), t.only()
	if d == nil || typ == "" || !check.OfShapes(d.Code) {
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

// has reports whether a run came upon a fault, in the same words.
func (p *prober) has(t *trial, d *diag.Diagnostic) bool {
	return t.err == nil && slices.ContainsFunc(t.res.Diagnostics, func(x *diag.Diagnostic) bool {
		return t.counts(x) && x.Code == d.Code && t.res.Files.Position(x.At.Start).Line == p.s.Parsed().Files().Position(d.At.Start).Line &&
			gist(x) == gist(d)
	})
}

// namesSharedSize reports whether the message of a fault names a size that several tensors were given: that
// it is the same one is a guess.
func namesSharedSize(d *diag.Diagnostic, tries []*trial) bool {
	for _, symbol := range symbolNamed.FindAllString(d.Msg, -1) {
		for _, t := range tries {
			n := 0
			for _, tensor := range typeNamed.FindAllString(strings.Join(t.fill.args, " "), -1) {
				if slices.Contains(symbolNamed.FindAllString(tensor, -1), symbol) {
					n++
				}
			}
			if n > 1 {
				return true
			}
		}
	}
	return false
}

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
