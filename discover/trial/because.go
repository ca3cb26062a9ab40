package trial

// This file says by what each argument of an entry was chosen, and where the source tells it.

import (
	"slices"
	"strings"

	"shapecheck/check"
	srctext "shapecheck/discover/text"
	"shapecheck/infer/fill"
	"shapecheck/internal/diag/place"
	"shapecheck/internal/source"
	"shapecheck/parser/ast"
)

// A reason is what an argument was chosen by.
type reason struct {
	text string
	weak bool // that is no evidence
	at   source.Span
}

// What arguments are chosen by.
const (
	byRun      = "a run with another value failed"
	byNothing  = "nothing tells what it is"
	byClass    = "the project has its class"
	byCall     = "a call in the project has it"
	byGiven    = "a call in the project gives its class"
	byIgnored  = "the constructor does nothing with it"
	byForm     = "a run asked for this form"
	byText     = "the text of the class says so"
	byName     = "its name or annotation says so"
	byCompared = "the file compares it with that"
	byConstant = "a constant of the file has its name"
	bySpace    = "the space has such observations"
	byMask     = "a mask of the first input has this form"
	byTrial    = "the entry runs with this form"
	byRank     = "an operation takes this rank alone"
	byOpen     = "the result is known for any rank"
	byAlone    = "no other rank runs"
	byEvery    = "every rank runs"
	byOther    = "its name means another form"
	byUse      = "that is what the code does with it"
	byNoRun    = "no run with it came to its end"
	byEval     = "a run in training failed"
)

// parameterAt is where a parameter stands; nowhere where the function is not known.
func parameterAt(scope ast.Node, name string) source.Span {
	def, ok := scope.(*ast.FunctionDef)
	if !ok || def.Params == nil {
		return source.Span{}
	}
	for _, p := range slices.Concat(def.Params.PosOnly, def.Params.Args, def.Params.KwOnly) {
		if p.Name == name {
			return source.Span{Start: p.Span().Start, End: p.Span().Start + source.Pos(len(name))}
		}
	}
	return source.Span{}
}

// reasonOf is what is known of an argument that is given under a name.
func (f *filler) reasonOf(arg string) (reason, bool) {
	i := strings.IndexAny(arg, ":=")
	r, ok := f.argWhy[arg[:max(i, 0)]]
	return r, ok
}

// because notes what the argument of an input was chosen by.
func (f *filler) because(p fill.Param, text string) {
	f.argWhy[p.Name] = reason{text: text, at: parameterAt(p.Scope, p.Name)}
}

// judge says of an input of the best run what tells its form, where that is not what it was chosen by.
func (f *filler) judge(name, text string, weak bool) {
	r := f.argWhy[name]
	r.text, r.weak = text, weak
	f.argWhy[name] = r
}

// guessed are all arguments of a run with what they were chosen by; one of them at least has the basis of the entry.
func (t *trial) guessed(basis check.Basis) []check.Guessed {
	f := t.fill
	var out []check.Guessed
	add := func(arg string, r reason) {
		g := check.Guessed{Text: arg, Basis: check.BasisRead, Because: r.text}
		if p, ok := place.Of(t.res.Files, r.at); ok {
			g.File, g.Cell, g.Line = p.Path, p.Cell, p.Line
		}
		if srctext.IsMadeUp(arg) {
			g.Because, r.weak = byNothing, true
		}
		if r.weak {
			g.Basis = check.BasisWeak
		}
		out = append(out, g)
	}
	for _, a := range f.noted {
		add(a, reason{text: byRun})
	}
	for i, a := range f.made {
		r := reason{text: byRun}
		if i < len(f.madeWhy) {
			r = f.madeWhy[i]
		}
		add(a, r)
	}
	for _, a := range f.args {
		r, ok := f.reasonOf(a)
		if !ok {
			r = reason{text: byTrial}
		}
		add(a, r)
	}
	if basis == check.BasisWeak && !slices.ContainsFunc(out, func(g check.Guessed) bool { return g.Basis == check.BasisWeak }) {
		for i := range out {
			if out[i].Basis = check.BasisWeak; !t.clean() {
				out[i].Because = byNoRun
			}
		}
	}
	return out
}
