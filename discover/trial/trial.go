package trial

// This file tries models with arguments that nobody has written, and keeps the best run. For each
// entry forms of inputs (image, sequence, tokens, …) are tried one after the other until a run
// comes to its end; what a failed run tells (a rank, a layer that an input reaches, a missing
// argument) chooses the next form. Findings of the best run count only if they do not depend on
// what was guessed: then they are certain, else they are told with the guess.

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"shapecheck/check"
	"shapecheck/contract"
	srctext "shapecheck/discover/text"
	"shapecheck/infer"
	"shapecheck/infer/graph"
	"shapecheck/infer/ops/catalog"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/internal/diag/place"
	"shapecheck/internal/reads"
	"shapecheck/internal/source"
	"shapecheck/internal/timing"
)

// Bounds of the trials of a file.
const (
	// maxTried is how many entries of a file are tried.
	maxTried = 8
	// maxForms is with how many forms of its arguments each is tried.
	maxForms = 5
	// pairedForms is with how many forms a loss is tried before Features with their labels.
	pairedForms = 3
	// maxTrialSteps bounds the steps of all trials of a file, some 2 s, without those that load it.
	maxTrialSteps = 4_000_000
	// maxRunSteps bounds the steps of one run: large models of torchvision take 100,000, a language model of 32 layers 500,000, a video
	// transformer with its tables of positions 2,200,000.
	maxRunSteps = 2_500_000
	// maxTrialLoads bounds the steps that load a file for all of its trials.
	maxTrialLoads = 10_000_000
	// maxLoadedOnce bounds the steps of one load: a module of a library that registers its models takes 300,000.
	maxLoadedOnce = 2_000_000
	// maxAfterFault is how many steps a run goes on after its first error. Behind it much is unknown, and code that runs under
	// conditions on unknown values takes long: the first error decides which arguments are tried next.
	maxAfterFault = 50_000
	// agreed is how many forms must lead to the same fault before the program is blamed.
	agreed = 3
)

// A trial is one run of an entry with chosen arguments. res is nil where err is set.
type trial struct {
	res  *infer.Result
	fill *filler
	// err is why the entry could not be run with them.
	err error
	// pinned are how many sizes the contract gives a number, but for channels.
	pinned int
	// channels is the number that the contract gives the channels; empty where it gives none.
	channels string
	errors   int
	// ended says that the run came to an end with a result, known that nothing of that is open.
	ended, known bool
	// lost is why the result is not known; nil where it is, or where there is none.
	lost *value.Cause
	// other is the input with which the entry does run, as unlikely says; empty where there is none.
	other string
	// refuted says that the entry runs with no tensors at all.
	refuted bool
	// tied says that the first axis of an input is tied to another one, or to a number.
	tied bool
	// doubled is the form with one axis more, where the first axis of an input is both first axes of the result; else empty.
	doubled srctext.Form
	// square says that another axis of an input than the first one is tied to a further one, as the channels to the width.
	square bool
	// conditions are those of the contract, which is reduced at once: a later run may forget the symbols. free says that it has none.
	conditions []contract.Condition
	free       bool
	// lastOnly says that the contract gives numbers to the last sizes of inputs alone.
	lastOnly bool
	// open is the run with an input of any rank, where its result is known.
	open *check.AnyRank
	// basis is how much of what the run was given is evidence.
	basis check.Basis
	// warned are the warnings that count although arguments were guessed.
	warned []*diag.Diagnostic
	// certain are the errors that remain in an open run.
	certain []*diag.Diagnostic
}

// clean reports whether the run says nothing against the arguments: it came to an end without
// an error, and its result is known. A result of which parts are open is still clean.
func (t *trial) clean() bool {
	return t.err == nil && t.errors == 0 && t.ended
}

// fault says that no input was found with which an entry runs, and what this one comes upon. The
// text is cut to maxFault.
func (t *trial) fault() string {
	none := "no input was found with which it runs"
	if t.other != "" {
		none = "with " + t.other + " it runs for one size of the first axis alone"
	}
	// The result is not known, without an error.
	if t.lost != nil && t.errors == 0 {
		if at := t.res.Files.Position(t.lost.At.Start); at.File != nil {
			return fmt.Sprintf("what it returns is not known: %s: %s", t.line(at), t.lost.Reason)
		}
		return "what it returns is not known: " + t.lost.Reason
	}
	// Errors that count come first in the list; others are told only where there is none.
	for _, d := range t.res.Diagnostics {
		// of the environment
		told := t.counts(d) || t.errors == 0 && (d.Severity == diag.Error || d.Code == diag.UncaughtRaise && len(d.Notes) == 0)
		if at := t.res.Files.Position(d.At.Start); told && !d.Aside && at.File != nil {
			text := fmt.Sprintf("%s; with %s, %s: %s", none, strings.Join(t.fill.args, ", "), t.line(at), place.OneLine(d))
			if len(t.fill.args) == 0 {
				text = fmt.Sprintf("%s; %s: %s", none, t.line(at), place.OneLine(d))
			}
			if r := []rune(text); len(r) > maxFault {
				text = string(r[:maxFault]) + "…"
			}
			return text
		}
	}
	return none
}

// line names a line, with its file where that is not the one of the entry.
func (t *trial) line(at source.Position) string {
	if at.File == t.res.File {
		return fmt.Sprintf("line %d", at.Line)
	}
	return fmt.Sprintf("%s:%d", at.File.Label(), at.Line)
}

// maxFault bounds the characters of what is said of a failed trial.
const maxFault = 200

// asksForTraining reports whether the run failed where the code does something else in
// evaluation: models that need labels while they are trained. Hugging Face's models want labels
// then, and torchvision's detectors targets.
func (t *trial) asksForTraining() bool {
	if t.err != nil {
		return false
	}
	for _, d := range t.res.Diagnostics {
		if f := t.res.Files.File(d.At.Start); d.Severity == diag.Error && f != nil && strings.Contains(f.Text(), ".training") {
			return true
		}
	}
	return false
}

// better reports whether a trial tells more than another. The criteria are in order of weight: that
// it ran at all, that it came to an end, that its result is known, then how far it got.
func (t *trial) better(o *trial) bool {
	if o == nil {
		return true
	}
	if (t.err == nil) != (o.err == nil) {
		return t.err == nil
	}
	if t.err != nil {
		return false
	}
	if t.clean() != o.clean() {
		return t.clean()
	}
	if t.known != o.known {
		return t.known
	}
	// A first axis that is tied is likely to be no batch.
	if t.clean() && t.tied != o.tied {
		return o.tied
	}
	if t.clean() && (t.doubled == "") != (o.doubled == "") {
		return t.doubled == ""
	}
	if t.clean() && t.square != o.square {
		return o.square // it may be square because its form is the wrong one
	}
	if t.fill.called != o.fill.called {
		return t.fill.called // the other one was not even made
	}
	if t.res.Exceeded != o.res.Exceeded {
		return o.res.Exceeded // of which nothing would be told
	}
	if a, b := t.failsMade(), o.failsMade(); a != b {
		return b // the other one was not made as its constructor has it
	}
	if a, b := t.lacksInput(), o.lacksInput(); a != b {
		return b
	}
	if a, b := t.fact().Kind == diag.LacksArguments, o.fact().Kind == diag.LacksArguments; a != b {
		return b // the other one was not called as the program has it
	}
	if a, b := t.refuses(), o.refuses(); a != b {
		return b // the other one got nowhere
	}
	if a, b := t.lost != nil && t.errors == 0, o.lost != nil && o.errors == 0; a != b {
		return a // only what is missing is in its way
	}
	// Of other forms of the inputs that which got further.
	if a, b := t.reached(), o.reached(); a != b && t.fill.called && !t.clean() && slices.Equal(t.fill.choice.made.rows, o.fill.choice.made.rows) {
		return a > b
	}
	// Fewer open values, then fewer sizes that are numbers.
	return cmp.Or(cmp.Compare(t.res.Open, o.res.Open), cmp.Compare(t.pinned, o.pinned)) < 0
}

// reached is how many operations a run had made when it came upon the first one that failed, or that was given something unknown.
func (t *trial) reached() int {
	n := slices.IndexFunc(t.res.Ops, func(op *infer.OpCall) bool {
		return op.Out == nil || slices.ContainsFunc(op.In, func(v value.Value) bool { _, unknown := v.(*value.Unknown); return unknown })
	})
	if n < 0 {
		return len(t.res.Ops)
	}
	return n
}

// lacksInput reports whether a run failed about None, and inputs were left out that are None then.
func (t *trial) lacksInput() bool {
	d := t.first()
	return d != nil && d.Fact.AboutNone() && len(t.fill.withheld()) > 0
}

// failsMade reports whether a run failed first in the constructor.
func (t *trial) failsMade() bool {
	d := t.first()
	return d != nil && t.inConstructor(d)
}

// settle leaves of a run that is not the best what is asked of it later. The values of a run take
// much memory.
func (t *trial) settle() {
	if t.err == nil {
		t.res, t.conditions = check.WithoutValues(t.res), nil
	}
}

// applied is what of an autograd.Function is an entry.
const applied = ".apply"

// A prober tries the entries of a file. One prober serves one file: the limits on steps and loading
// are for all its entries together.
type prober struct {
	s       *check.Session
	ctx     context.Context
	file    string
	found   *srctext.File
	d       *check.Discovery
	winners *Winners      // may be nil
	loaded  *infer.Loaded // the file, once it was run
	steps   int           // that are left
	loads   int           // those of loading the file
	worked  time.Duration // of the limit, which is that of all trials of the file
	around  *srctext.Surroundings
	// call is the method that is called of what an entry makes; empty: it is called itself. Whole says that it needs no other call before it.
	call  string
	whole bool
	// given is what somebody says of the one entry that is tried; nil: nothing.
	given *infer.Config
	// part says that the model is one of the parts of others.
	part bool
	// apart says that constructors are not given what calls around give them.
	apart bool
	// optional says that an earlier entry ran with its optional arguments alone: the next one is given its own at once.
	optional bool
}

const (
	// maxBeside bounds the files in which a class is looked for.
	maxBeside = 100
	// maxBesideText bounds the characters of such a file.
	maxBesideText = 200_000
)

// classBeside finds a class with attributes in the files beside the one that is tried. A class is
// looked for where a parameter's attributes are known but not its class. Texts only are read,
// nothing is run.
func (p *prober) classBeside(attrs []string) (module, class string) {
	fsys := p.s.Gate(p.file)
	dir := filepath.Dir(p.file)
	entries, err := fsys.ReadDir(dir)
	if err != nil {
		return "", ""
	}
	n := 0
	for _, e := range entries {
		stem, ok := strings.CutSuffix(e.Name(), ".py")
		if !ok || e.Name() == filepath.Base(p.file) || stem == "__init__" {
			continue
		}
		if n++; n > maxBeside {
			break
		}
		data, err := reads.File(fsys, filepath.Join(dir, e.Name()), maxBesideText)
		if err != nil {
			continue // it is too large, or gone: another may have one
		}
		if c := srctext.ClassHaving(string(data), attrs); c != "" {
			return stem, c
		}
	}
	return "", ""
}

// spent reports whether no more is to be tried. The time of the limit is for all trials of the
// file.
func (p *prober) spent() bool {
	limit := p.s.Limits.Timeout
	return p.steps <= 0 || p.loads <= 0 || limit > 0 && p.worked >= limit
}

// try tries the models of a file. Those that no other class uses are entries; the others are
// where these are none that run. around are the other files of the project. The outcome is in d. It
// returns an error where the context ended, or a run could not be made.
func try(ctx context.Context, s *check.Session, file string, found *srctext.File, d *check.Discovery, around *srctext.Surroundings,
	known *Winners) error {
	p := &prober{s: s, ctx: ctx, file: file, found: found, d: d, winners: known, around: around, steps: maxTrialSteps, loads: maxTrialLoads}
	defer func() {
		p.loaded.Close()
		limit := s.Limits.Timeout
		d.Timed = limit > 0 && p.worked > limit/2
	}()
	tried, ran := 0, false
	whyNot := ""
	for _, m := range found.Models {
		// Private models are tried only where no other one ran.
		if (strings.HasPrefix(m.Name, "_") || m.Applied) && ran || tried >= maxTried && !m.Public {
			d.Untried++
			continue
		}
		if p.spent() {
			d.Entries = append(d.Entries, p.notRun(m.Name, tooMuch))
			continue
		}
		tried++
		p.part = !m.Public
		entries := []string{m.Name}
		// A model may be made by a function of the file.
		switch {
		case m.Applied:
			entries = []string{m.Name + applied}
		case len(m.Makers) > 0:
			entries = []string{m.Makers[0] + "()"}
		}
		for _, entry := range entries {
			tries, best, err := p.entry(m.Name, entry, nil)
			if err != nil {
				return err
			}
			// Calls of the class in this file, then in others, show arguments that work.
			if best == nil || !best.clean() { // defaults may stand for nothing that runs
				name := strings.TrimSuffix(entry, "()")
				calls, _ := found.Calls(name)
				own := len(calls)
				if !m.Applied && !(best != nil && best.lost != nil && best.lost.Missing) {
					calls = append(calls[:own:own], p.around.LiteralCalls(name)...)
				}
				certain := 0 // of the file's own
				var made *trial
				for i, call := range calls {
					more, better, err := p.entry(m.Name, call, nil)
					if err != nil {
						return err
					}
					// Findings of what other files make are not this file's.
					if i < own || better != nil && better.clean() { // what others make is no finding, and hides none
						tries = append(tries, more...)
					}
					if better != nil && better.clean() {
						better.fill.noted = []string{call + " as the file makes it"}
						if i >= own {
							better.fill.noted[0] = call + " as another file makes it"
						}
						best = better
						break
					}
					if i < own && better != nil && len(better.certain) > 0 {
						made, certain = better, certain+1
					}
				}
				// Each call of the file fails for certain.
				if made != nil && certain == own && (best == nil || !best.clean() && len(best.certain) == 0) { // however the file makes it
					best = made
				}
			}
			// A class that leaves its forward to subclasses is tried by one of these.
			if entry == m.Name && best.isIncomplete(m.Name) {
				for _, name := range p.around.Deriving(m.Name) {
					more, better, err := p.entry(name[strings.LastIndexByte(name, '.')+1:], name, nil)
					if err != nil {
						return err
					}
					if better != nil && better.clean() && better.known {
						tries, best, entry = append(tries, more...), better, name
						break
					}
				}
			}
			// The docstring of the class has an example.
			if ex := found.Example(m.Name); ex.Entry != "" && (best == nil || !best.clean() || !best.known || len(best.fill.made) > 0) {
				more, better, err := p.entry(m.Name, ex.Entry, ex.Inputs)
				if err != nil {
					return err
				}
				if better != nil && better.clean() && better.known {
					better.fill.noted = []string{ex.Entry + " as in its docstring"}
					tries, best = append(tries, more...), better
				}
			}
			// A run with inputs of any rank shows what holds for all forms.
			if tries, err = p.opened(tries, best); err != nil {
				return err
			}
			if best != nil && best.err == nil {
				best.res.Resume()
			}
			if best != nil && best.isIncomplete(m.Name) && len(srctext.Deriving(found.Source.Text(), m.Name)) > 0 {
				continue // what derives from it is tried
			}
			out, err := p.take(entry, tries, best)
			if err != nil {
				return err
			}
			if why := out.WhyNot(); why != "" {
				whyNot = cmp.Or(whyNot, entry+": "+why)
			} else {
				ran = ran || out.Result.Checked && best.res.Output != nil
			}
		}
	}
	// Whole methods that compute on tensors.
	p.part = false
	if why, err := p.wholes(found.Whole()); err != nil {
		return err
	} else {
		whyNot = cmp.Or(whyNot, why)
	}
	// Abstract classes only where nothing else ran.
	if !ran {
		if err := p.abstract(found.Abstract); err != nil {
			return err
		}
	}
	if !d.Ran() && !p.spent() {
		if err := p.methods(found.Methods()); err != nil {
			return err
		}
	}
	if !d.Ran() {
		d.WhyNot = whyNot
	}
	return nil
}

// abstract tries classes that derive from the first of some that leave their forward to others,
// where one is known. An error is that of the context or of a run.
func (p *prober) abstract(classes []string) error {
	if len(classes) == 0 {
		return nil
	}
	for _, name := range p.around.Deriving(classes[0]) {
		tries, best, err := p.entry(name[strings.LastIndexByte(name, '.')+1:], name, nil)
		if err != nil {
			return err
		}
		if best == nil || !best.clean() || !best.known {
			continue
		}
		best.res.Resume()
		_, err = p.take(name, tries, best)
		return err
	}
	return nil
}

// entry tries one entry, as entryGiven does. What calls around give to its constructor may run only where they stand: where that fails, what
// stands for anything may show more.
func (p *prober) entry(class, entry string, inputs []string) (tries []*trial, best *trial, err error) {
	tries, best, err = p.entryGiven(class, entry, inputs)
	if err != nil || best == nil || best.err != nil || best.clean() || !best.fill.handed || p.spent() {
		return tries, best, err
	}
	p.apart = true
	more, other, err := p.entryGiven(class, entry, inputs)
	p.apart = false
	if err == nil && other != nil && other.clean() {
		best.settle()
		return append(tries, more...), other, nil
	}
	return tries, best, err
}

// entryGiven tries one entry with form after form, and says which run is the best; of the others
// findings stay. Inputs are types of its inputs by position, where an example has them. best is nil
// only where nothing could be run. The error ends all trials.
func (p *prober) entryGiven(class, entry string, inputs []string) (tries []*trial, best *trial, err error) {
	if p.s.Time != nil {
		name := entry
		if p.call != "" {
			name += "." + p.call
		}
		defer p.s.Time.BeginIn(timing.Entry, name, p.s.Shown(p.file)).End()
	}
	layers := p.found.FormOf(class)
	// take keeps a trial; only the best one keeps its values.
	take := func(t *trial, better bool) {
		tries = append(tries, t)
		if !better {
			t.settle()
			return
		}
		if best != nil {
			best.settle()
		}
		best = t
	}
	var seen map[string]srctext.Form
	// once runs a choice; run repeats it with a number of channels where the contract demands one.
	once := func(c choice, pin bool) (*trial, error) {
		t := &trial{fill: &filler{choice: c, file: p.found, class: class, layers: layers, inputs: inputs, beside: p.classBeside,
			derived: p.around.Deriving, defined: p.around.Defining, holding: p.holding}}
		if !p.apart {
			t.fill.passed = p.around.Given
		}
		return t, p.run(t, entry, pin)
	}
	run := func(c choice) (*trial, error) {
		t, err := once(c, c.channels == "")
		if err != nil || t.err != nil || t.res.Pinned == nil {
			return t, err
		}
		with := c
		with.channels = strconv.FormatInt(*t.res.Pinned, 10)
		if t, err = once(with, false); err != nil || t.clean() {
			return t, err
		}
		return once(c, false) // what it fails for is said of any channels
	}
	// A choice that won before is tried first, as in an editor the file changes little.
	key := p.file + "\x00" + entry + "\x00" + p.call
	if w, ok := p.winners.get(key); ok && w.lasts() {
		t, err := run(w.choice)
		if err != nil {
			return nil, nil, err
		}
		if t.clean() && t.res.Open <= w.open {
			t.basis = w.basis
			t.warned, err = p.warnings(t, run)
			return []*trial{t}, t, err
		}
	}
	// The order of forms is by the layers of the class.
	forms := srctext.Order(layers)
	loss := srctext.IsLoss(class) || strings.Contains(p.file, "loss")
	if loss { // of pairs, and at last of numbers with labels
		forms = slices.Insert(forms, pairedForms, srctext.Features)
	}
	var made remedies
	repairs, asked := 0, false
	// Repairs do not count as forms.
	for i := 0; i < len(forms) && len(tries)-repairs < maxForms && !p.spent(); i++ {
		c := choice{form: forms[i], alone: i > 1, alike: i > 0 && i != pairedForms && loss, labels: loss, seen: seen, made: made,
			optional: p.optional}
		t, err := run(c)
		// Optional arguments that an earlier model needed are given at once.
		if err == nil && p.optional && t.fill.mayBe {
			if t.clean() {
				take(t, true)
				break
			}
			p.optional, c.optional = false, false
			t, err = run(c)
		}
		if err != nil {
			return nil, nil, err
		}
		// A remedy replaces an argument that the run could not use.
		if r, ok := t.remedied(); ok && !t.clean() && repairs < maxRemedies {
			made = r
			repairs++
			take(t, t.better(best))
			i--
			continue
		}
		// What the run says of an input's form.
		hint := hints(t)
		if hint == nil && !asked {
			hint = t.asked()
			asked = hint != nil
		}
		take(t, t.better(best))
		if exceeded(tries) {
			break
		}
		asked = asked && !(t.clean() && t.square) // the next form may ask, too
		// A rank that the run unpacked is tried next.
		forms = next(forms, i, unpacked(t))
		forms = next(forms, i, t.doubled)
		// Clean and certain enough.
		if t.clean() && (t.res.Open == 0 || i > 1) && !t.tied && t.doubled == "" && !t.square && !t.tiesBatch() {
			break
		}
		// Without inputs forms do not matter.
		if len(t.fill.args) == 0 {
			if !t.clean() && t.fill.mayBe {
				o, err := run(choice{form: forms[i], optional: true, made: made})
				if err != nil {
					return nil, nil, err
				}
				take(o, true)
				p.optional = o.clean()
			}
			break // no form helps
		}
		// In evaluation it may need no labels.
		if i == 0 && t.asksForTraining() {
			e, err := run(choice{form: forms[i], seen: seen, eval: true, made: made})
			if err != nil {
				return nil, nil, err
			}
			failing := false
			if e.clean() {
				if failing, err = p.failsTraining(t, run); err != nil {
					return nil, nil, err
				}
			}
			if take(e, e.clean() && !failing); e.clean() {
				break
			}
		}
		// The same fault again and again is the program's.
		if hint == nil && (sameFaults(tries) || !t.fill.formed && !t.clean()) || t.lost != nil && t.lost.Missing {
			break // whatever it is given
		}
		// The same form again, with the inputs' forms as they were seen.
		if !t.clean() && hint != nil && seen == nil {
			seen = hint
			i--
		} else {
			seen = nil
		}
	}
	// To blame the program for its own sizes several forms must agree.
	for _, form := range forms { // a fault of the program's own sizes is looked for with as many forms as blame it
		if p.spent() || !best.owns() || formsOf(tries) >= agreed {
			break
		}
		if slices.ContainsFunc(tries, func(t *trial) bool { return t.fill.form == form }) {
			continue
		}
		t, err := run(choice{form: form, alone: true, made: made})
		if err != nil {
			return nil, nil, err
		}
		take(t, t.better(best))
	}
	// Sizes may be too small for all layers.
	if d := best.first(); d != nil && (!sameFaults(tries) || !check.OfShapes(d.Code)) {
		t, err := p.climb(best, run)
		if err != nil {
			return nil, nil, err
		}
		if t != nil {
			take(t, true)
		}
	}
	if t, err := best.solved(run); err != nil {
		return nil, nil, err
	} else if t != nil {
		take(t, true)
	}
	// A run that is clean for an unlikely input.
	if o := best.unlikely(tries); o != nil {
		t, err := run(o.fill.choice)
		if err != nil {
			return nil, nil, err
		}
		t.other = best.fill.args[0]
		take(t, true)
	}
	// Nothing came to an end: with any rank?
	if best != nil && !best.clean() && len(best.certain) == 0 && !best.refuted {
		if err := p.openRun(best, run); err != nil {
			return nil, nil, err
		}
	}
	// Nor with no tensors at all.
	if best != nil && !best.clean() && len(best.certain) == 0 && !best.refuted {
		var apart *choice
		if best.refuted, apart, err = p.refuted(best, run); err != nil {
			return nil, nil, err
		}
		o := best.furthest(tries)
		if apart == nil && o != best {
			apart = &o.fill.choice
		}
		if best.refuted && apart != nil {
			t, err := run(*apart)
			if err != nil {
				return nil, nil, err
			}
			t.refuted = true
			take(t, true)
		}
	}
	// The winner is made again with the number of channels, its basis is found, and its warnings
	// are checked.
	if best != nil && best.clean() {
		if n := best.channels; n != "" && strings.Contains(strings.Join(best.fill.args, " "), "[") {
			with := best.fill.choice
			with.channels = n
			t, err := run(with)
			if err != nil {
				return nil, nil, err
			}
			if t.clean() {
				take(t, true) // the same run, with less to say
			}
		}
		if best.basis, err = p.basis(best, tries, run); err != nil {
			return nil, nil, err
		}
		if o, err := best.relettered(run); err != nil {
			return nil, nil, err
		} else if o != best {
			take(o, true)
		}
		if best.warned, err = p.warnings(best, run); err != nil {
			return nil, nil, err
		}
		if best.tied && len(best.warned) == 0 && best.basis == check.BasisRead {
			best.basis = check.BasisWeak // the tie was no confusion of axes, but that of a wrong form
		}
		if err := p.withTargets(best, run); err != nil {
			return nil, nil, err
		}
		p.winners.put(key, best)
	}
	return tries, best, nil
}

// sameFaults reports whether the last runs, as many as blame the program, failed alike. Their
// findings are compared by place and by what they say whatever the form of inputs.
func sameFaults(tries []*trial) bool {
	if len(tries) < agreed {
		return false
	}
	first := ""
	for i, t := range tries[len(tries)-agreed:] {
		if t.err != nil || t.errors == 0 {
			return false
		}
		text := ""
		for _, d := range t.res.Diagnostics {
			if t.counts(d) {
				text += check.FaultKey(t.res.Files, d, strconv.FormatUint(d.Sizes.Key, 16))
			}
		}
		if i > 0 && text != first {
			return false
		}
		first = text
	}
	return true
}

// exceeded reports whether several runs took more than is spent on one: others would, too. They are
// not tried further.
func exceeded(tries []*trial) bool {
	n := 0
	for _, t := range tries {
		if t.err == nil && t.res.Exceeded {
			n++
		}
	}
	return n > 1
}

// run runs an entry once. Pin ends the run as soon as the channels must be a number. A run that
// ended early for an error that was none is made again.
func (p *prober) run(t *trial, entry string, pin bool) error {
	err := p.runFor(t, entry, pin, maxAfterFault)
	if err == nil && t.res != nil && t.res.Curtailed && t.errors == 0 { // what looked like an error at first was none
		return p.runFor(t, entry, pin, 0)
	}
	return err
}

// runFor is run, with as many steps after the first error; 0: as many as the run takes. It fills in
// t. It returns an error where the context ended, or the configuration is at fault.
func (p *prober) runFor(t *trial, entry string, pin bool, afterFault int) error {
	cfg := p.s.FileConfig(p.file)
	cfg.Entry, cfg.Call, cfg.Fill, cfg.Eval = entry, p.call, t.fill, cfg.Eval || t.fill.eval
	if p.given != nil {
		cfg.Args, cfg.Set, cfg.Assume, cfg.Attributes = p.given.Args, p.given.Set, p.given.Assume, p.given.Attributes
	}
	p.s.Bind(p.ctx, &cfg)
	cfg.Cache = p.s.Parsed()
	cfg.Open = t.fill.constructor
	if cfg.AfterFault = afterFault; pin {
		cfg.Pin = srctext.ChannelSymbol
	}
	cfg.Trial, cfg.LogOps, cfg.MaxSteps, cfg.EntrySteps = true, true, maxLoadedOnce+maxRunSteps, max(min(p.steps, maxRunSteps), 1)
	// What is left of the limit.
	if limit := p.s.Limits.Timeout; limit > 0 { // at least a little: the best run may be made once more, with its channels
		cfg.Timeout = max(limit-p.worked, time.Second)
	}
	p.d.Runs++
	span := p.s.Time.Begin(timing.Phase, timing.Trial)
	defer func() { span.End() }()
	took := p.s.Parsed().Stopwatch()
	defer func() { p.worked += took() }()
	// The file is loaded once for all its entries.
	if p.loaded == nil {
		p.loaded = infer.Load(cfg, p.s.Keep == check.KeepValues)
	}
	res, err := p.loaded.Run(cfg)
	if err != nil {
		t.err = check.ContextError(p.ctx, err)
		if !check.IsUsage(err) {
			return t.err
		}
		return nil
	}
	// Steps of loading count apart.
	p.steps -= res.Steps - res.LoadSteps
	p.loads -= res.LoadSteps
	p.d.Crowded = p.d.Crowded || res.Crowded
	span.End()
	span = p.s.Time.Begin(timing.Phase, timing.Contract)
	if err := check.ReduceContract(p.ctx, res, p.s.Limits.Timeout, p.worked+took()); err != nil {
		return err
	}
	if t.res = res; res.Pinned != nil {
		return p.ctx.Err()
	}
	t.lost, t.doubled = lostBy(res.Output), t.doublesFirst()
	t.ended, t.known = res.Output != nil && !infer.Lost(res.Output) && !res.Exceeded, res.Output != nil && infer.Known(res.Output)
	for _, d := range res.Diagnostics {
		// The contract tells how general the run is.
		if t.counts(d) {
			t.errors++
		}
	}
	within, done := context.WithTimeout(p.ctx, check.ReduceTime)
	defer done()
	err = check.Cancellable(within, res.Pool, func() error {
		conditions := contract.Of(res).Conditions
		t.conditions, t.free = conditions, len(conditions) == 0
		t.tied, t.square, t.lastOnly = t.tiesFirst(conditions), t.tiesOthers(conditions), t.fixesLast(conditions)
		for _, c := range conditions {
			sym, to := c.Cond.Repeated().Definition()
			switch n, number := to.Const(); {
			case !number:
			case sym.String() == srctext.ChannelSymbol:
				t.channels = strconv.FormatInt(n, 10)
			default:
				t.pinned++
			}
		}
		return nil
	})
	if err != nil {
		check.DropContract(res, check.ReduceTime)
		t.pinned++ // a contract that is not found in time is no simple one
	}
	return p.ctx.Err()
}

// counts reports whether a finding says something against the arguments: a name that a module of another file lacks,
// in another version of a package, does not, where the entry comes to an end without it. aside are
// faults of other top-level code.
func (t *trial) counts(d *diag.Diagnostic) bool {
	return d.Severity == diag.Error && !d.Aside && (d.Code != diag.ImportFailed || t.res.Files.File(d.At.Start) == t.res.File)
}

// lostBy is why a result, or the first element of a tuple, is not known; nil where it is. A tuple's
// first element is what models usually return.
func lostBy(v value.Value) *value.Cause {
	for {
		switch x := v.(type) {
		case *value.Unknown:
			return x.Cause
		case *value.Tuple:
			if len(x.Elems) > 0 {
				v = x.Elems[0]
				continue
			}
		}
		return nil
	}
}

// unpacked is the form of the rank that a failed run unpacks the sizes of an input to; empty where it
// did not fail so. The fact of the fault has the number of names.
func unpacked(t *trial) srctext.Form {
	if t.err != nil {
		return ""
	}
	for _, d := range t.res.Diagnostics {
		if sizes, ok := strings.CutPrefix(d.Fact.Of, "["); ok && d.Fact.Kind == diag.WrongRank && d.Severity == diag.Error &&
			symbolNamed.MatchString(sizes) {
			return map[int64]srctext.Form{2: srctext.Features, 3: srctext.Sequence, 4: srctext.Image, 5: srctext.Volume}[d.Fact.Wants]
		}
	}
	return ""
}

// next has a form tried after the one at i, if it is to be tried later. forms itself is not
// changed.
func next(forms []srctext.Form, i int, form srctext.Form) []srctext.Form {
	if j := slices.Index(forms, form); j > i {
		forms = slices.Insert(slices.Delete(slices.Clone(forms), j, j+1), i+1, form)
	}
	return forms
}

// layerInput is the form that a function takes as its first argument; empty where it takes others
// as well. It is the form that such a layer takes in practice.
func layerInput(name string) srctext.Form {
	op, ok := catalog.Lookup(name)
	if !ok {
		return ""
	}
	switch op.Form {
	case graph.Conv, graph.ConvTransp:
		return [...]srctext.Form{1: srctext.Signal, 2: srctext.Image, 3: srctext.Volume}[op.Spatial]
	case graph.Embedding:
		return srctext.Tokens
	case graph.MultiHead, graph.Recurrent:
		return srctext.Sequence
	}
	if op.Is.Has(graph.NormalizesLast) {
		return srctext.Sequence
	}
	return ""
}

// hints are the forms of inputs that reach a layer as they are; nil where the run was made with
// them, or none does. in.Value is an input of the entry, op.In the operands of the log.
func hints(t *trial) map[string]srctext.Form {
	if t.res == nil {
		return nil
	}
	inputs := map[any]string{}
	for _, in := range t.res.Inputs {
		if x, ok := in.Value.(*value.Tensor); ok {
			inputs[x.V] = in.Name
		}
	}
	out := map[string]srctext.Form{}
	for _, op := range t.res.Ops {
		if len(op.In) == 0 {
			continue
		}
		x, ok := op.In[0].(*value.Tensor)
		if !ok || inputs[x.V] == "" {
			continue
		}
		if form := layerInput(op.Name); form != "" && out[inputs[x.V]] == "" {
			out[inputs[x.V]] = form
		}
	}
	// A form that was given already is no hint.
	text := strings.Join(t.fill.args, " ")
	for name, form := range out {
		if !strings.Contains(text, name+":"+string(form)) {
			return out
		}
	}
	return nil
}

// take adds to the entries of the file what came of the trials of one. The error is that of cutting
// the result to what is kept.
func (p *prober) take(entry string, tries []*trial, best *trial) (check.Outcome, error) {
	out := p.outcome(entry, tries, best)
	p.d.Entries = append(p.d.Entries, out)
	return out, out.Result.Trim(p.s.Keep)
}

// notRun is the outcome of an entry of which nothing ran. why says what prevented it.
func (p *prober) notRun(entry, why string) check.Outcome {
	t := &check.Target{Name: entry, How: check.ByTrial, Part: p.part, Run: p.s.FileConfig(p.file)}
	t.Run.Entry, t.Run.Call = entry, p.call
	return check.NotRun(p.s, t, why)
}

// outcome is what is kept of the trials of an entry. Findings that depend on guessed arguments are
// marked, those that are certain stay errors.
func (p *prober) outcome(entry string, tries []*trial, best *trial) check.Outcome {
	if why := best.stopped(); why != "" {
		return p.notRun(entry, why)
	}
	res, fault := best.res, best.fault()
	if p.call != "" {
		res.Entry += "." + p.call
	}
	t := &check.Target{Name: res.Entry, How: check.ByTrial, Part: p.part, Assumed: best.fill.assumed(), Run: p.s.FileConfig(p.file)}
	t.Run.Entry, t.Run.Args, t.Run.Eval = res.Entry, best.fill.args, t.Run.Eval || best.fill.eval
	if t.Basis = best.basis; !best.clean() && len(t.Assumed) > 0 {
		t.Basis = check.BasisWeak
	}
	t.Guessed, t.AnyRank = best.guessed(t.Basis), best.open
	if best.fill.eval && !p.s.Eval {
		t.Assumed = append([]string{"evaluation"}, t.Assumed...)
		t.Guessed = append([]check.Guessed{{Text: "evaluation", Basis: check.BasisRead, Because: byEval}}, t.Guessed...)
	}
	name := strings.TrimSuffix(entry, "()")
	_, others := p.found.Calls(name)
	others = others || strings.HasSuffix(entry, applied) || p.call != "" && !p.whole // all that it works on is given by its callers
	unmade := func(d *diag.Diagnostic) bool { return p.unmade(d, best) }
	var sure func(*diag.Diagnostic) bool
	// sure decides of each finding whether it holds whatever the arguments are.
	assumed := t.Assumed
	switch {
	case best.fill.untold != "" && (!best.clean() || !best.known):
		fault = nothingTells(best.fill.untold)
		sure = func(*diag.Diagnostic) bool { return false }
	// Nothing was guessed but that it is an entry.
	case len(assumed) == 0: // that it is an entry is a guess, too
		t.How, assumed = check.ByAnnotation, []string{"that " + res.Entry + " is made and called so"}
		sure = func(d *diag.Diagnostic) bool {
			return !others && (unmade(d) || check.OfShapes(d.Code) && !p.leftOpen(d, best) &&
				!slices.ContainsFunc(tries, func(t *trial) bool { return !p.has(t, d) })) && !p.madeElsewhere(name)
		}
	default:
		sure = func(d *diag.Diagnostic) bool {
			nowhere := best.refuted && d == best.first() || (best.refuted || len(best.fill.args) > len(rankSymbols)) && p.everywhere(d, tries)
			return !others && (nowhere || unmade(d) || best.ties(d, tries) || best.narrow(d, tries)) && !p.madeElsewhere(name)
		}
	}
	res.Diagnostics = p.withCertain(guessed(res.Diagnostics, assumed, func(d *diag.Diagnostic) bool {
		return p.named(best.certain, d) || p.named(best.warned, d) || sure(d)
	}), best)
	check.PlaceInProject(res)
	out := check.NewResult(t, res)
	if len(best.certain) == 0 && best.fill.untold != "" && !best.known || !best.clean() && !check.HasErrors(res.Diagnostics) {
		out.Unsettled = fault
		out.Missing = best.lacksModule()
	}
	return check.Outcome{Name: res.Entry, Result: out}
}

// lacksModule reports whether a module that is missing is in the way of a run. The environment
// lacks it, not the program.
func (t *trial) lacksModule() bool {
	return t.errors == 0 && (t.lost != nil && t.lost.Missing || slices.ContainsFunc(t.res.Diagnostics, func(d *diag.Diagnostic) bool {
		name, _, _ := strings.Cut(d.Fact.Raised, ":")
		return d.Code == diag.UncaughtRaise && !d.Aside && (name == "ImportError" || name == "ModuleNotFoundError")
	}))
}

// stopped says why the best run of an entry tells nothing of it; empty where it does. Its texts are
// those of the listing.
func (t *trial) stopped() string {
	switch {
	case t == nil:
		return tooMuch
	case t.err != nil && t.fill.missing != "":
		return nothingTells(t.fill.missing)
	case t.err != nil:
		return t.err.Error()
	case t.res.Exceeded:
		return "a run of it takes more than is spent on a trial"
	}
	return ""
}

// tooMuch says that the trials of a file before that of an entry took all that there is for them.
const tooMuch = "too much was tried before"

func nothingTells(param string) string { return "nothing tells what its parameter " + param + " is" }
