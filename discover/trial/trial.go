package trial

// This file tries models with arguments that nobody has written, and keeps the best run.

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
)

// Bounds of the trials of a file.
const (
	// maxTried is how many entries of a file are tried, maxForms with how many forms each.
	maxTried, maxForms = 8, 5
	// pairedForms is with how many forms a loss is tried before Features with their labels.
	pairedForms = 3
	// maxTrialSteps are the steps of all trials of a file, some 2 s, and what one run may take
	// of them: large models of torchvision take 100,000, a language model of 32 layers 500,000, a video
	// transformer with its tables of positions 2,200,000. Loading
	// the file counts apart: a module of a library that registers its models takes 300,000.
	maxTrialSteps, maxRunSteps   = 4_000_000, 2_500_000
	maxTrialLoads, maxLoadedOnce = 10_000_000, 2_000_000
	// agreed is how many forms must lead to the same fault before the program is blamed.
	agreed = 3
)

// A trial is one run of an entry with chosen arguments.
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
	// basis is how much of what the run was given is evidence.
	basis check.Basis
	// warned are the warnings that count although arguments were guessed.
	warned []*diag.Diagnostic
	// certain are the errors that remain in an open run.
	certain []*diag.Diagnostic
}

// clean reports whether the run says nothing against the arguments: it came to an end without
// an error, and its result is known.
func (t *trial) clean() bool {
	return t.err == nil && t.errors == 0 && t.ended
}

// fault says that no input was found with which an entry runs, and what this one comes upon.
func (t *trial) fault() string {
	none := "no input was found with which it runs"
	if t.other != "" {
		none = "with " + t.other + " it runs for one size of the first axis alone"
	}
	if t.lost != nil && t.errors == 0 {
		if at := t.res.Files.Position(t.lost.At.Start); at.File != nil {
			return fmt.Sprintf("what it returns is not known: %s: %s", t.line(at), t.lost.Reason)
		}
		return "what it returns is not known: " + t.lost.Reason
	}
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
// evaluation: models that need labels while they are trained.
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

// better reports whether a trial tells more than another.
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
	if t.clean() && t.tied != o.tied {
		return o.tied
	}
	if t.fill.called != o.fill.called {
		return t.fill.called // the other one was not even made
	}
	if a, b := t.lacksInput(), o.lacksInput(); a != b {
		return b
	}
	if a, b := t.refuses(), o.refuses(); a != b {
		return b // the other one got nowhere
	}
	if a, b := t.lost != nil && t.errors == 0, o.lost != nil && o.errors == 0; a != b {
		return a // only what is missing is in its way
	}
	return cmp.Or(cmp.Compare(t.res.Open, o.res.Open), cmp.Compare(t.pinned, o.pinned)) < 0
}

// lacksInput reports whether a run failed about None, and inputs were left out that are None then.
func (t *trial) lacksInput() bool {
	d := t.first()
	return d != nil && d.Fact.AboutNone() && len(t.fill.withheld()) > 0
}

// settle leaves of a run that is not the best what is asked of it later.
func (t *trial) settle() {
	if t.err == nil {
		t.res = check.WithoutValues(t.res)
	}
}

// applied is what of an autograd.Function is an entry.
const applied = ".apply"

// A prober tries the entries of a file.
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
	index   *srctext.Index
	// call is the method that is called of what an entry makes; empty: it is called itself. Whole says that it needs no other call before it.
	call  string
	whole bool
	// given is what somebody says of the one entry that is tried; nil: nothing.
	given *infer.Config
	// part says that the model is one of the parts of others.
	part bool
	// optional says that an earlier entry ran with its optional arguments alone: the next one is given its own at once.
	optional bool
}

// maxBeside bounds the files, and the characters of each, in which a class is looked for.
const maxBeside, maxBesideText = 100, 200_000

// classBeside finds a class with attributes in the files beside the one that is tried.
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

// spent reports whether no more is to be tried.
func (p *prober) spent() bool {
	limit := p.s.Limits.Timeout
	return p.steps <= 0 || p.loads <= 0 || limit > 0 && p.worked >= limit
}

// try tries the models of a file. Those that no other class uses are entries; the others are
// where these are none that run.
func try(ctx context.Context, s *check.Session, file string, found *srctext.File, d *check.Discovery, index *srctext.Index, known *Winners) error {
	p := &prober{s: s, ctx: ctx, file: file, found: found, d: d, winners: known, index: index, steps: maxTrialSteps, loads: maxTrialLoads}
	defer func() { p.loaded.Close() }()
	tried, ran := 0, false
	whyNot := ""
	for _, m := range found.Models {
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
			if best == nil || !best.clean() { // defaults may stand for nothing that runs
				name := strings.TrimSuffix(entry, "()")
				calls, _ := found.Calls(name)
				own := len(calls)
				if !m.Applied && !(best != nil && best.lost != nil && best.lost.Missing) {
					calls = append(calls[:own:own], p.callsAround(name)...)
				}
				certain := 0 // of the file's own
				var made *trial
				for i, call := range calls {
					more, better, err := p.entry(m.Name, call, nil)
					if err != nil {
						return err
					}
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
				if made != nil && certain == own && (best == nil || !best.clean() && len(best.certain) == 0) { // however the file makes it
					best = made
				}
			}
			if entry == m.Name && best.isIncomplete(m.Name) {
				for _, name := range p.derived(m.Name) {
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
	p.part = false
	if why, err := p.wholes(found.Whole()); err != nil {
		return err
	} else {
		whyNot = cmp.Or(whyNot, why)
	}
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

// abstract tries classes that derive from the first of some that leave their forward to others, where one is known.
func (p *prober) abstract(classes []string) error {
	if len(classes) == 0 {
		return nil
	}
	for _, name := range p.derived(classes[0]) {
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

// entry tries one entry with form after form, and says which run is the best; of the others
// findings stay. Inputs are types of its inputs by position, where an example has them.
func (p *prober) entry(class, entry string, inputs []string) (tries []*trial, best *trial, err error) {
	layers := p.found.FormOf(class)
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
	run := func(c choice) (*trial, error) {
		t := &trial{fill: &filler{choice: c, file: p.found, class: class, layers: layers, inputs: inputs, beside: p.classBeside,
			derived: p.derived, defined: p.defined, holding: p.holding}}
		return t, p.run(t, entry)
	}
	key := p.file + "\x00" + entry + "\x00" + p.call
	if w, ok := p.winners.get(key); ok {
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
	forms := srctext.Order(layers)
	loss := srctext.IsLoss(class) || strings.Contains(p.file, "loss")
	if loss { // of pairs, and at last of numbers with labels
		forms = slices.Insert(forms, pairedForms, srctext.Features)
	}
	var made remedies
	repairs, asked := 0, false
	for i := 0; i < len(forms) && len(tries)-repairs < maxForms && !p.spent(); i++ {
		c := choice{form: forms[i], alone: i > 1, alike: i > 0 && i != pairedForms && loss, labels: loss, seen: seen, made: made,
			optional: p.optional}
		t, err := run(c)
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
		if r, ok := t.remedied(); ok && !t.clean() && repairs < maxRemedies {
			made = r
			repairs++
			take(t, t.better(best))
			i--
			continue
		}
		hint := hints(t)
		if hint == nil && !asked {
			hint = t.asked()
			asked = hint != nil
		}
		take(t, t.better(best))
		if exceeded(tries) {
			break
		}
		forms = next(forms, i, unpacked(t))
		if t.clean() && (t.res.Open == 0 || i > 1) && !t.tied && !t.tiesBatch() {
			break
		}
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
		if hint == nil && (sameFaults(tries) || !t.fill.formed && !t.clean()) || t.lost != nil && t.lost.Missing {
			break // whatever it is given
		}
		if !t.clean() && hint != nil && seen == nil {
			seen = hint
			i--
		} else {
			seen = nil
		}
	}
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
	if d := best.first(); d != nil && (!sameFaults(tries) || !check.OfShapes(d.Code)) {
		t, err := p.climb(best, run)
		if err != nil {
			return nil, nil, err
		}
		if t != nil {
			take(t, true)
		}
	}
	if o := best.unlikely(tries); o != nil {
		t, err := run(o.fill.choice)
		if err != nil {
			return nil, nil, err
		}
		t.other = best.fill.args[0]
		take(t, true)
	}
	if best != nil && !best.clean() && len(best.certain) == 0 && !best.refuted {
		if err := p.openRun(best, run); err != nil {
			return nil, nil, err
		}
	}
	if best != nil && !best.clean() && len(best.certain) == 0 && !best.refuted {
		if best.refuted, err = p.refuted(best, run); err != nil {
			return nil, nil, err
		}
		if o := best.furthest(tries); best.refuted && o != best {
			t, err := run(o.fill.choice)
			if err != nil {
				return nil, nil, err
			}
			t.refuted = true
			take(t, true)
		}
	}
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
		if best.warned, err = p.warnings(best, run); err != nil {
			return nil, nil, err
		}
		p.winners.put(key, best)
	}
	return tries, best, nil
}

// sameFaults reports whether the last runs, as many as blame the program, failed alike.
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
				text += check.FaultKey(t.res.Files, d, gist(d))
			}
		}
		if i > 0 && text != first {
			return false
		}
		first = text
	}
	return true
}

// exceeded reports whether several runs took more than is spent on one: others would, too.
func exceeded(tries []*trial) bool {
	n := 0
	for _, t := range tries {
		if t.err == nil && t.res.Exceeded {
			n++
		}
	}
	return n > 1
}

// run runs an entry once.
func (p *prober) run(t *trial, entry string) error {
	cfg := p.s.FileConfig(p.file)
	cfg.Entry, cfg.Call, cfg.Fill, cfg.Eval = entry, p.call, t.fill, cfg.Eval || t.fill.eval
	if p.given != nil {
		cfg.Args, cfg.Set, cfg.Assume, cfg.Attributes = p.given.Args, p.given.Set, p.given.Assume, p.given.Attributes
	}
	p.s.Bind(p.ctx, &cfg)
	cfg.Cache = p.s.Parsed()
	cfg.OpenNumbers = t.fill.numbers
	cfg.Trial, cfg.LogOps, cfg.MaxSteps, cfg.EntrySteps = true, true, maxLoadedOnce+maxRunSteps, max(min(p.steps, maxRunSteps), 1)
	if limit := p.s.Limits.Timeout; limit > 0 { // at least a little: the best run may be made once more, with its channels
		cfg.Timeout = max(limit-p.worked, time.Second)
	}
	p.d.Runs++
	took := p.s.Parsed().Stopwatch()
	defer func() { p.worked += took() }()
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
	p.steps -= res.Steps - res.LoadSteps
	p.loads -= res.LoadSteps
	p.d.Crowded = p.d.Crowded || res.Crowded
	if err := check.ReduceContract(p.ctx, res, p.s.Limits.Timeout, p.worked+took()); err != nil {
		return err
	}
	t.res = res
	t.lost = lostBy(res.Output)
	t.ended, t.known = res.Output != nil && !infer.Lost(res.Output) && !res.Exceeded, res.Output != nil && infer.Known(res.Output)
	for _, d := range res.Diagnostics {
		if t.counts(d) {
			t.errors++
		}
	}
	within, done := context.WithTimeout(p.ctx, check.ReduceTime)
	defer done()
	err = check.Cancellable(within, res.Pool, func() error {
		conditions := contract.Of(res).Conditions
		t.tied = t.tiesFirst(conditions)
		for _, c := range conditions {
			sym, to := c.Cond.Definition()
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
// in another version of a package, does not, where the entry comes to an end without it.
func (t *trial) counts(d *diag.Diagnostic) bool {
	return d.Severity == diag.Error && !d.Aside && (d.Code != diag.ImportFailed || t.res.Files.File(d.At.Start) == t.res.File)
}

// lostBy is why a result, or the first element of a tuple, is not known; nil where it is.
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
// did not fail so.
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

// next has a form tried after the one at i, if it is to be tried later.
func next(forms []srctext.Form, i int, form srctext.Form) []srctext.Form {
	if j := slices.Index(forms, form); j > i {
		forms = slices.Insert(slices.Delete(slices.Clone(forms), j, j+1), i+1, form)
	}
	return forms
}

// layerInput is the form that a function takes as its first argument; empty where it takes others as well.
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
// them, or none does.
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
	text := strings.Join(t.fill.args, " ")
	for name, form := range out {
		if !strings.Contains(text, name+":"+string(form)) {
			return out
		}
	}
	return nil
}

// take adds to the entries of the file what came of the trials of one.
func (p *prober) take(entry string, tries []*trial, best *trial) (check.Outcome, error) {
	out := p.outcome(entry, tries, best)
	p.d.Entries = append(p.d.Entries, out)
	return out, out.Result.Trim(p.s.Keep)
}

// notRun is the outcome of an entry of which nothing ran.
func (p *prober) notRun(entry, why string) check.Outcome {
	t := &check.Target{Name: entry, How: check.ByTrial, Part: p.part, Run: p.s.FileConfig(p.file)}
	t.Run.Entry, t.Run.Call = entry, p.call
	return check.NotRun(p.s, t, why)
}

// outcome is what is kept of the trials of an entry.
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
	if best.fill.eval && !p.s.Eval {
		t.Assumed = append([]string{"evaluation"}, t.Assumed...)
	}
	name := strings.TrimSuffix(entry, "()")
	_, others := p.found.Calls(name)
	others = others || strings.HasSuffix(entry, applied) || p.call != "" && !p.whole // all that it works on is given by its callers
	unmade := func(d *diag.Diagnostic) bool { return p.unmade(d, best) }
	var sure func(*diag.Diagnostic) bool
	assumed := t.Assumed
	switch {
	case best.fill.untold != "" && (!best.clean() || !best.known):
		fault = nothingTells(best.fill.untold)
		sure = func(*diag.Diagnostic) bool { return false }
	case len(assumed) == 0: // that it is an entry is a guess, too
		t.How, assumed = check.ByAnnotation, []string{"that " + res.Entry + " is made and called so"}
		sure = func(d *diag.Diagnostic) bool {
			return !others && (unmade(d) || check.OfShapes(d.Code) && !p.leftOpen(d, best.fill.class) &&
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

// lacksModule reports whether a module that is missing is in the way of a run.
func (t *trial) lacksModule() bool {
	return t.errors == 0 && (t.lost != nil && t.lost.Missing || slices.ContainsFunc(t.res.Diagnostics, func(d *diag.Diagnostic) bool {
		name, _, _ := strings.Cut(d.Fact.Raised, ":")
		return d.Code == diag.UncaughtRaise && !d.Aside && (name == "ImportError" || name == "ModuleNotFoundError")
	}))
}

// stopped says why the best run of an entry tells nothing of it; empty where it does.
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
