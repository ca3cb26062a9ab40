package trial

// This file guesses what a command is to run where its command line does not say all of it.

import (
	"context"
	"slices"
	"strings"

	"shapecheck/check"
	srctext "shapecheck/discover/text"
)

// A Guess is what of a file can be run, with the arguments that were chosen for it.
type Guess struct {
	// Target is what to run: the one that was to be completed, with an entry and arguments.
	Target check.Target
	// Others are the other models of the file, none where an entry was named.
	Others []*Guess
}

// Flags are the words of a command line that say what was chosen: --entry, Net(), --arg, x:f32[B,3,H,W].
func (g *Guess) Flags() []string {
	r := &g.Target.Run
	if r.Script != nil {
		return []string{"--" + check.ScriptFlag}
	}
	words := []string{"--entry", r.Entry}
	if r.Call != "" {
		words = append(words, "--call", r.Call)
	}
	for _, a := range r.Args {
		words = append(words, "--arg", a)
	}
	if r.Eval {
		words = append(words, "--eval")
	}
	return words
}

// Complete chooses what a target does not say: an entry of its file, the arguments of the one that it names, or those that are not given.
// It is nil where nothing was found that runs. An error is one of Discover's.
func Complete(ctx context.Context, s *check.Session, t *check.Target) (*Guess, error) {
	alone := *s
	alone.Kept, alone.Keep, alone.Ended, alone.Everywhere = nil, check.KeepFindings, nil, t.Run
	if alone.Config != nil {
		alone.Config = nil // the target has what it says
	}
	alone.Environment = t.Run.Environment
	if t.Run.Entry != "" {
		return completeEntry(ctx, &alone, t)
	}
	d, err := Discover(ctx, &alone, t.Run.File, newIndex(&alone), nil)
	if err != nil {
		return nil, err
	}
	var list []*Guess
	for _, x := range d.Entries {
		if s := x.State(); x.Err != nil || s == check.Unsettled || s == check.NotChecked {
			continue
		}
		list = append(list, guessOf(t, x.Result.Target))
	}
	if len(list) == 0 {
		return nil, nil
	}
	if list[0].Others = list[1:]; len(t.Run.Args) == 0 {
		return list[0], nil
	}
	named := *t
	named.Run.Entry = list[0].Target.Run.Entry
	return completeEntry(ctx, &alone, &named)
}

// guessOf is a target completed by what another one runs.
func guessOf(t, found *check.Target) *Guess {
	g := &Guess{Target: *t}
	r := &g.Target.Run
	r.Entry, r.Args, r.Eval, r.Script = found.Run.Entry, found.Run.Args, r.Eval || found.Run.Eval, found.Run.Script
	if found.Run.Call != "" {
		r.Call = found.Run.Call
	}
	g.Target.Basis, g.Target.Assumed, g.Target.Guessed, g.Target.How = found.Basis, found.Assumed, found.Guessed, found.How
	return g
}

// completeEntry chooses the arguments of an entry that is named.
func completeEntry(ctx context.Context, s *check.Session, t *check.Target) (*Guess, error) {
	src, err := s.Source(t.Run.File)
	if err != nil {
		return nil, err
	}
	parsed, err := s.Parsed().Parse(src)
	if err != nil {
		return nil, err
	}
	around := newIndex(s).Of(s.Gate(t.Run.File), parsed.File(), parsed.Tree())
	found := srctext.Read(parsed.File(), parsed.Tree(), len(parsed.Faults()) > 0, around)
	p := &prober{s: s, ctx: ctx, file: t.Run.File, found: found, d: &check.Discovery{File: t.Run.File}, around: around,
		call: t.Run.Call, given: &t.Run, steps: maxTrialSteps, loads: maxTrialLoads}
	defer func() { p.loaded.Close() }()
	class, _, _ := strings.Cut(t.Run.Entry, "(")
	_, best, err := p.entry(class, t.Run.Entry, nil)
	if err != nil || best == nil || !best.clean() && len(best.certain) == 0 {
		return nil, err
	}
	g := &Guess{Target: *t}
	r := &g.Target.Run
	r.Entry = strings.TrimSuffix(best.res.Entry, "."+t.Run.Call)
	r.Args = slices.Concat(t.Run.Args, best.fill.args)
	g.Target.Assumed = best.fill.assumed()
	if g.Target.Basis = best.basis; !best.clean() {
		g.Target.Basis = check.BasisWeak
	}
	g.Target.Guessed = best.guessed(g.Target.Basis)
	return g, nil
}
