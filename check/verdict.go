package check

// This file decides in which of five states an entry ends, and which exit code they give together.

import (
	"slices"

	"shapecheck/infer"
	"shapecheck/infer/graph"
	"shapecheck/internal/diag"
	"shapecheck/internal/source"
	"shapecheck/symshape"
)

// A State is how the check of an entry ended.
type State uint8

// The states, the most severe first.
const (
	HasFindings State = iota // an error or a warning counts
	Verified                 // it ran to its end, with inputs that somebody wrote or the code tells
	Weak                     // it ran to its end, with inputs that are no more than a guess
	Unsettled                // every run met a fault, which other inputs may avoid
	NotChecked               // nothing of it ran
	numStates
)

// stateTexts are the name of each state, and its mark with and without Unicode.
var stateTexts = [numStates]struct{ name, mark, plain string }{
	HasFindings: {"findings", "✗", "x"},
	Verified:    {"checked", "✓", "+"},
	Weak:        {"weak", "~", "~"},
	Unsettled:   {"unsettled", "?", "?"},
	NotChecked:  {"not checked", "–", "-"},
}

func (s State) String() string { return stateTexts[s].name }

// Mark is the sign of a state; plain: for a terminal without Unicode.
func (s State) Mark(plain bool) string {
	if plain {
		return stateTexts[s].plain
	}
	return stateTexts[s].mark
}

// StateNamed is the state of a name; false where there is none.
func StateNamed(name string) (State, bool) {
	i := slices.IndexFunc(stateTexts[:], func(t struct{ name, mark, plain string }) bool { return t.name == name })
	return State(max(i, 0)), i >= 0
}

// A Basis is how much of the arguments of an entry is evidence.
type Basis uint8

// The bases, the strongest first; that of an entry is the last of those of its parts.
const (
	BasisGiven Basis = iota // somebody wrote them
	BasisRead               // the code tells them
	BasisWeak               // they are no more than a guess
)

func (b Basis) String() string { return [...]string{"given", "read", "weak"}[b] }

// State is how the check of an entry ended.
func (x *Outcome) State() State {
	switch r := x.Result; {
	case x.Err != nil:
		return NotChecked
	case slices.ContainsFunc(r.Diagnostics, counts):
		return HasFindings
	case r.Missing:
		return NotChecked
	case r.Unsettled != "":
		return Unsettled
	case !r.Checked:
		return NotChecked
	case r.Target.Basis == BasisWeak:
		return Weak
	}
	return Verified
}

// WhyNot says why an entry is unsettled or was not checked; empty where it is neither.
func (x *Outcome) WhyNot() string {
	switch r := x.Result; {
	case x.Err != nil:
		return x.Err.Error()
	case r.Unsettled != "":
		return r.Unsettled
	case !r.Checked && x.State() == NotChecked:
		return r.WhyNot
	}
	return ""
}

// notRun is the result of a target of which nothing ran.
func notRun(t *Target, files *source.FileSet, whyNot string, found ...*diag.Diagnostic) *Result {
	return NewResult(t, &infer.Result{Files: files, Pool: symshape.NewPool(), Graph: graph.NewBuilder().Graph(), Entry: t.Run.Entry,
		WhyNot: whyNot, Diagnostics: found})
}

// Counts are how many entries ended in each state.
type Counts [numStates]int

// Count counts the entries of a project by their states.
func (p *Project) Count() Counts {
	var n Counts
	for i := range p.Entries {
		n[p.Entries[i].State()]++
	}
	return n
}

// Checked reports whether something of an entry was checked.
func (p *Project) Checked() bool { return p.Count()[NotChecked] < len(p.Entries) }

// ExitCode is the outcome of all entries: that of the worst finding, or ExitUsage where somebody asked for an entry that
// cannot be run, or where nothing of any entry ran. A strict check also fails where an entry was not checked with what is evidence.
func (p *Project) ExitCode() int {
	code := ExitClean
	for _, x := range p.Entries {
		if x.Err != nil {
			code = max(code, ExitUsage)
			continue
		}
		code = max(code, findings(x.Result.Result))
	}
	for _, d := range p.Diagnostics { // those of comments belong to no entry
		code = max(code, FindingCode(d.Code, d.Severity))
	}
	if code != ExitClean || len(p.Entries) == 0 {
		return code
	}
	n, accepted := p.unaccepted()
	if accepted > 0 && n[Verified]+n[Weak]+n[Unsettled] == 0 {
		if p.Strict && n[NotChecked] > 0 {
			return ExitFindings
		}
		return ExitClean
	}
	return n.exitCode(p.Strict)
}

// exitCode is the outcome of entries without findings.
func (n Counts) exitCode(strict bool) int {
	open := n[Weak] + n[Unsettled]
	switch {
	case n[Verified]+open == 0:
		return ExitUsage
	case strict && open+n[NotChecked] > 0:
		return ExitFindings
	}
	return ExitClean
}

// IsTie reports whether findings of a code speak of sizes that are no more free, or that agree: of guessed sizes nobody said that they are
// free, and that several inputs share one is the guess's.
func IsTie(code diag.Code) bool {
	return code == diag.FixedBatch || code == diag.Coincidence || code == diag.TiedSizes
}

// IsAboutForm reports whether findings of a code rest on the form of an input: on which axis of it is the batch, as a caller may give a
// bag of instances where a guess has a batch, or time first; or on an axis of size 1, which an input of one axis less does not have.
func IsAboutForm(code diag.Code) bool {
	return code == diag.AcrossBatch || code == diag.SequenceIsBatch || code == diag.BothGrow
}

// withoutTies makes infos of the ties among the findings of a target of which inputs were guessed, but for those that fix no size on
// purpose.
func (t *Target) withoutTies(list []*diag.Diagnostic) []*diag.Diagnostic {
	if len(t.Assumed) == 0 {
		return list
	}
	out := slices.Clone(list)
	for i, d := range out {
		if IsTie(d.Code) && !d.Fact.ConfusesAxes() {
			x := *d
			x.Severity = diag.Info
			out[i] = &x
		}
	}
	return out
}
