package check

// This file finds what in a file is to be checked, and with which arguments. The first source
// that gives something wins: comments, entries of the configuration (the caller's matter),
// annotations, and trial (trial.go). What rests on guesses says so. A program is run, too.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	srctext "shapecheck/discover/text"
	"shapecheck/infer"
	"shapecheck/internal/diag"
	"shapecheck/internal/reads"
	"shapecheck/internal/source"
	"shapecheck/project/notebook"
)

// How a target was found.
const (
	ByComment    = "comment"
	ByConfig     = "configuration"
	ByAnnotation = "annotation"
	ByTrial      = "trial"
	AsScript     = "script"
)

// A Discovery is what was found in a file.
type Discovery struct {
	// File is the file's path.
	File string
	// Entries are the targets with what came of them. A target whose Assumed is not empty
	// rests on guesses: its findings are infos but for those that no guess changes.
	Entries []Outcome
	// Diagnostics are findings about comments of the file.
	Diagnostics []*diag.Diagnostic
	// WhyNot says why there are no entries; empty where there are.
	WhyNot string
	// Failed are the entries that were tried in vain.
	Failed []Failure
	// Runs is how often something of the file was run.
	Runs int
	// crowded says that a run found too little memory beside those of other files.
	crowded bool
}

// settle leaves of the results what k says.
func (d *Discovery) settle(k Keep) error {
	for _, x := range d.Entries {
		if err := x.Result.settle(k); err != nil {
			return err
		}
	}
	for _, f := range d.Failed {
		if err := f.Result.settle(k); err != nil {
			return err
		}
	}
	return nil
}

// A Failure is an entry that was tried with what names and layers suggest, in vain.
type Failure struct {
	Entry, Why string
	// Missing says that a module that was not found is in the way.
	Missing bool
	// Result is that of the best run, whose findings are infos: what a guess causes accuses nobody.
	// Nil: there was none.
	Result *Result
}

// Discover finds what of a file is to be checked and checks it. An error is that of ctx, of
// the session's filter or of a file that cannot be read; what is wrong with the program is in
// the results. Filter and merge are left to the caller.
func (s *Session) Discover(ctx context.Context, file string) (*Discovery, error) {
	src, err := s.source(file)
	if errors.Is(err, notebook.ErrLanguage) {
		return &Discovery{File: file, WhyNot: err.Error()}, nil
	}
	if err != nil {
		return nil, err
	}
	parsed, err := s.parsed().Parse(src)
	if err != nil {
		return nil, err
	}
	found := srctext.Read(parsed.File(), parsed.Tree(), len(parsed.Faults()) > 0)
	d := &Discovery{File: file}
	for _, f := range found.Comments.Faults {
		d.Diagnostics = append(d.Diagnostics, diag.New(diag.BadComment, f.At, f.Why))
	}
	if found.Unreadable { // which no guess has to do with
		d.check(ctx, s, &Target{Name: "(syntax)", How: ByAnnotation, Run: s.fileConfig(file)})
		return d, ctx.Err()
	}
	if len(found.Comments.Checks)+len(found.Functions)+len(found.Models) > 0 || found.Main {
		s.parsed().Offer(parsed)
	}
	for _, c := range found.Comments.Checks {
		t := &Target{Name: c.Entry, How: ByComment, Run: s.fileConfig(file)}
		t.Run.Entry, t.Run.Args, t.Run.Eval = c.Entry, c.Args, t.Run.Eval || c.Eval
		d.check(ctx, s, t)
	}
	if len(found.Comments.Checks) == 0 {
		for _, name := range found.Functions {
			t := &Target{Name: name, How: ByAnnotation, Run: s.fileConfig(file)}
			t.Run.Entry = name
			d.check(ctx, s, t)
		}
		if err := s.try(ctx, file, found, d); err != nil {
			return nil, err
		}
	}
	if len(found.Comments.Checks) == 0 && found.Main {
		d.script(ctx, s)
	}
	if len(d.Entries) == 0 && d.WhyNot == "" {
		d.WhyNot = "no model, nothing annotated"
		if len(found.Abstract) > 0 {
			d.WhyNot = found.Abstract[0] + " leaves its forward to other classes"
		}
		if faults := parsed.Faults(); len(faults) > 0 {
			d.WhyNot = fmt.Sprintf("%s: %s", s.parsed().Files().Position(faults[0].At.Start), faults[0].Msg)
		}
	}
	return d, ctx.Err()
}

// check runs a target that says all of what to run.
func (d *Discovery) check(ctx context.Context, s *Session, t *Target) {
	out, bug := s.checkEntry(ctx, t)
	if bug != "" {
		out.Result = broken(t, s.parsed().Files(), bug)
	}
	d.note(out.Result)
	if t.How == ByAnnotation && isUsage(out.Err) {
		d.Failed = append(d.Failed, Failure{Entry: t.Name, Why: out.Err.Error()})
		return // it is not annotated so that it can be run
	}
	d.Entries = append(d.Entries, out)
}

// note counts a run.
func (d *Discovery) note(r *Result) {
	d.Runs++
	d.crowded = d.crowded || r != nil && r.Crowded
}

// maxScriptSteps bound the run of a program, some 2 s.
const maxScriptSteps = 200_000

// script runs the file as a program without arguments, for a while. What it says counts where
// it came to something; that it did not come to its end is no finding.
func (d *Discovery) script(ctx context.Context, s *Session) {
	run := func(open bool) Outcome {
		t := &Target{Name: "(script)", How: AsScript, Run: s.fileConfig(d.File)}
		t.Run.Eval, t.Run.Script, t.Run.MaxSteps, t.Run.ArgumentsOpen = false, []string{}, maxScriptSteps, open
		out, bug := s.checkEntry(ctx, t)
		if bug != "" {
			out.Result = broken(t, s.parsed().Files(), bug)
		}
		d.note(out.Result)
		return out
	}
	out := run(false)
	if isUsage(out.Err) || out.Err == nil && asksForMore(out.Result.Diagnostics) {
		out = run(true)
	}
	if out.Err != nil || !out.Result.Checked || out.Result.Typed == 0 && !HasErrors(out.Result.Diagnostics) {
		return
	}
	if out.Result.Exceeded {
		out.Result.Diagnostics = guessed(out.Result.Diagnostics, []string{"that it goes on for longer"}, func(d *diag.Diagnostic) bool { return d.Code != diag.BudgetExceeded })
	}
	d.Entries = append(d.Entries, out)
	d.WhyNot = ""
}

// asksForMore reports whether an error may be for want of an argument: it is about None, which an argument is that was
// not given, or the program raises it.
func asksForMore(list []*diag.Diagnostic) bool {
	return slices.ContainsFunc(list, func(d *diag.Diagnostic) bool {
		return d.Severity == diag.Error && (d.Code == diag.UncaughtRaise || d.Fact.AboutNone())
	})
}

// source reads a file, under the name that a run gives it: so its tree can be used there.
func (s *Session) source(file string) (*source.File, error) {
	data, err := reads.File(s.gate(file), file, source.MaxFileSize)
	if err != nil {
		return nil, err
	}
	shown := s.Shown(file)
	src := source.NewFile(shown, string(data))
	src.Hidden = !reads.IsSource(file)
	if notebook.Is(file) {
		if src, err = notebook.File(shown, string(data)); err != nil {
			return nil, err
		}
	}
	if shown != file {
		src.Path, src.Shown = file, shown
	}
	return src, nil
}

// Shown is the name that findings give a file: from the folder of the configuration, or without
// one from the working directory; a file outside keeps its own.
func (s *Session) Shown(file string) string {
	fsys := reads.Or(s.FS)
	base, err := fsys.Abs(cmp.Or(s.base(), "."))
	if err != nil {
		return file
	}
	abs, err := fsys.Abs(file)
	if err != nil {
		return file
	}
	rel, err := filepath.Rel(base, abs)
	if err != nil || !filepath.IsLocal(rel) {
		return file
	}
	return filepath.ToSlash(rel)
}

// fileConfig is how a file of the project is run.
func (s *Session) fileConfig(file string) infer.Config {
	cfg := infer.Config{File: file, Eval: s.Eval, Roots: s.Roots(), Stubs: s.Stubs(), Environment: s.Environment}
	if c := s.Config; c != nil {
		cfg.TorchVersion, cfg.NumpyVersion, cfg.PythonVersion, cfg.Device = c.TorchVersion, c.NumpyVersion, c.PythonVersion, c.Device
		cfg.Environment = s.Installed()
	}
	return cfg
}

// gate is what may be read for a file; see infer.Config.Gate.
func (s *Session) gate(file string) *reads.Gate {
	cfg := s.fileConfig(file)
	cfg.FS, cfg.Base = s.FS, s.base()
	return cfg.Gate()
}

// A choice is what decides about the arguments of a run.
type choice struct {
	form srctext.Form
	// seen are forms by the name of an input, from an earlier run.
	seen map[string]srctext.Form
	// open are inputs of which nothing is to be known.
	open []string
	// given are arguments as they stand, by the name of an input.
	given map[string]string
	// alone says that form goes before what the name of an input tells.
	alone bool
	// alike says that all inputs have the form, as those of losses have.
	alike bool
	// labels says that the labels of a loss are of the form of its input, without the channels.
	labels bool
	// channels is written in the place of the channels' symbol; empty: it stays.
	channels string
	// optional says that arguments are given though the call needs none: without, it does not run.
	optional bool
	// eval says that the model is evaluated, not trained.
	eval bool
	// made are remedies for faults of the constructor.
	made remedies
}

// A filler chooses arguments for one run and remembers what it chose.
type filler struct {
	choice
	file  *srctext.File
	class string
	// layers is the form that the layers of the class speak for.
	layers srctext.Form
	// inputs are types by the position of an input; empty where there is none.
	inputs []string

	// beside finds a class with attributes in the files beside the one that is tried, derived classes that derive from one.
	beside           func(attrs []string) (module, class string)
	derived, defined func(class string) []string
	// holding finds classes around with attributes.
	holding func(attrs []string) []string

	made, args   []string      // of the constructor, of the call
	open, spared bool          // the constructor takes keywords of any name, and has parameters that are None by default
	spares       []spared      // of the classes whose instances were made
	objects      bool          // an input is an object of a class of the program
	openObject   bool          // its constructor takes keywords of any name
	mayBe        bool          // there are parameters that Optional gives something
	formed       bool          // form decides about an argument
	called       bool          // the instance was made
	named        bool          // its call takes keywords of any name
	others       []infer.Param // of the call, that may be left out
	missing      string
	kind         string              // the parameter that may be of another kind
	untold       string              // the first parameter of the constructor that was given something though nothing tells what it is
	noted        []string            // what else was assumed
	sequences    map[string]int      // how many elements the call asks of its inputs
	attributes   map[string][]string // that the call takes of its inputs
}

func (f *filler) Construct(c infer.Constructor) ([]string, bool) {
	f.missing, f.made = "", nil
	var out []string
	height := slices.ContainsFunc(c.Needed, func(p infer.Param) bool { return p.Name == "w" })
	value := func(p infer.Param) string {
		if p.Name == "h" && height { // and no number of heads
			p.Name = "height"
		}
		if v := f.elementsFor(c, f.choice.made.elements[p.Name]); v != "" {
			return v
		}
		if v := f.choice.made.instead[p.Name]; v != "" {
			return v
		}
		return f.file.Construct(c.Class, srctext.Param{Name: p.Name, Annotation: p.Annotation, Made: p.Made, Scope: p.Scope})
	}
	if c.Input {
		return f.object(c, value)
	}
	f.spares = append(f.spares, spared{c.Class, names(c.Spare)})
	for _, p := range c.Needed {
		v := value(p)
		if v == "" {
			if v = srctext.Anything(srctext.Plain(p.Annotation)); v != "" && f.untold == "" {
				f.untold = p.Name
			}
			if v == otherKinds[0] && f.kind == "" {
				f.kind = p.Name
			}
		} else if v == f.choice.made.instead[p.Name] && slices.Contains(otherKinds, v) {
			f.kind = p.Name
		}
		if v == "" {
			f.missing = p.Name
			return nil, false
		}
		if !p.ByPlace {
			v = p.Name + "=" + v
		}
		out = append(out, v)
	}
	for _, p := range c.Spare {
		if slices.Contains(f.choice.made.spares[c.Class], p.Name) && !slices.Contains(f.choice.made.extra, p.Name) {
			if v := f.spare(p, value); v != "" {
				out = append(out, p.Name+"="+v)
			}
		}
	}
	if c.Class == f.class {
		out = append(out, f.choice.made.more(c)...)
		f.open, f.spared = c.Open, len(c.Spare) > 0
	}
	f.made = out
	return out, true
}

// Having looks for a class in the files beside the one that is tried.
func (f *filler) Having(attrs []string) (module, class string) { return f.beside(attrs) }

// Deriving looks for classes in the package of the file that is tried.
func (f *filler) Deriving(class string) []string { return f.derived(class) }

// Defining looks for a class in the package of the file that is tried.
func (f *filler) Defining(class string) []string { return f.defined(class) }

func (f *filler) Inputs(params, spare []infer.Param, open bool) []string {
	f.called, f.named, f.others = true, open, spare
	for _, name := range f.choice.made.inputs {
		is := func(p infer.Param) bool { return p.Name == name }
		if i := slices.IndexFunc(spare, is); i >= 0 {
			one := spare[i]
			if of, ok := strings.CutPrefix(one.Annotation, "Optional["); ok {
				one.Annotation = strings.TrimSuffix(of, "]")
			}
			one.Annotation = strings.TrimSpace(strings.TrimSuffix(one.Annotation, "| None"))
			params = append(params[:len(params):len(params)], one)
		} else if open && !slices.ContainsFunc(params, is) {
			params = append(params[:len(params):len(params)], infer.Param{Name: name})
		}
	}
	for _, one := range spare {
		if slices.Contains(f.choice.open, one.Name) && !slices.Contains(f.choice.made.inputs, one.Name) {
			params = append(params[:len(params):len(params)], one)
		}
	}
	graph := slices.ContainsFunc(params, func(p infer.Param) bool { return srctext.IsEdges(p.Name) })
	var out []string
	f.attributes, f.sequences = map[string][]string{}, map[string]int{}
	for i, p := range params {
		if arg := f.given[p.Name]; arg != "" {
			out = append(out, arg)
			continue
		}
		f.attributes[p.Name], f.sequences[p.Name] = srctext.Fields(p.Scope, p.Name), srctext.Counted(p.Scope, p.Name)
		in := srctext.Input{Name: p.Name, Annotation: p.Annotation, Keys: slices.Concat(p.Keys, f.choice.made.keys[p.Name]), Parts: f.choice.made.parts[p.Name],
			Fields: f.choice.made.fields[p.Name], Elements: srctext.Elements(p.Scope, p.Name), Several: f.choice.made.lists[p.Name],
			Given: i == 0 || f.choice.made.masks}
		if slices.Contains(f.choice.made.several, p.Name) {
			in.Annotation = "list[dict]"
		}
		form := f.seen[p.Name]
		if f.labels && !f.alike && i > 0 && form == "" && in.Told(f.layers) == srctext.Numbers &&
			f.file.Shape(f.class, p.Name) == "" && f.file.Shape(f.class, params[0].Name) == "" {
			form = f.form.Labels()
		}
		if told := in.Told(f.layers); form == "" && told != "" && !f.alike && (!f.alone || len(params) > 1) {
			form = told
		}
		if text := f.file.Shape(f.class, p.Name); text != "" && f.seen[p.Name] == "" && !f.alike && (!f.alone || len(params) > 1) &&
			(form == "" && text.Rank() != f.form.Rank() || form != "" && text.Rank() != form.Rank()) {
			form = text
		}
		if graph && form == "" {
			form = srctext.OfNodes(p.Name)
		}
		exampled := i < len(f.inputs) && f.inputs[i] != ""
		if form == "" {
			form, f.formed = f.form, f.formed || !exampled
		}
		arg := in.Arg(form)
		if p.Made != "" && !f.choice.made.plain {
			arg, f.objects = p.Name+"="+p.Made, true
		}
		if slices.Contains(f.choice.open, p.Name) {
			arg = p.Name + ":any"
		} else if exampled {
			arg = p.Name + ":" + f.inputs[i]
		}
		if f.choice.made.masks && i > 0 && srctext.IsMask(p.Name) {
			first, _, _ := strings.Cut(strings.TrimPrefix(out[0], params[0].Name+":"), "=")
			arg = p.Name + ":" + string(srctext.Form(first).Mask())
		}
		if arg == "" && in.Annotation == "str" {
			if text := f.file.Compared(p.Name); text != "" {
				arg = p.Name + "=" + text
			}
		}
		if arg == "" {
			f.missing = p.Name
			continue
		}
		out = append(out, arg)
	}
	if f.choice.made.apart {
		out, _ = srctext.Apart(out)
	}
	if f.channels != "" {
		for i, arg := range out {
			out[i] = srctext.WithChannels(arg, f.channels)
		}
	}
	f.args = out
	return out
}

func (f *filler) Optional(params []infer.Param) []string {
	f.called = true
	var out []string
	for _, p := range params {
		arg := (srctext.Input{Name: p.Name}).Usual()
		if f.channels != "" {
			arg = srctext.WithChannels(arg, f.channels)
		}
		if arg != "" {
			out = append(out, arg)
		}
	}
	f.mayBe = len(out) > 0
	if !f.optional {
		return nil
	}
	f.args = out
	return out
}

// withheld are the inputs that were left out, but for masks, which change no sizes.
func (f *filler) withheld() []string {
	var out []string
	for _, o := range f.others {
		given := func(a string) bool { return strings.HasPrefix(a, o.Name+":") || strings.HasPrefix(a, o.Name+"=") }
		if !srctext.IsMask(o.Name) && !slices.ContainsFunc(f.args, given) {
			out = append(out, o.Name)
		}
	}
	return out
}

// assumed is all that was chosen.
func (f *filler) assumed() []string { return slices.Concat(f.noted, f.made, f.args) }

// isUsage reports whether an error says that there is nothing to run as it was asked for.
func isUsage(err error) bool {
	var u *infer.UsageError
	return errors.As(err, &u)
}

// guessed makes findings infos that rest on guesses, but for those that sure accepts. They say
// what was assumed.
func guessed(list []*diag.Diagnostic, assumed []string, sure func(*diag.Diagnostic) bool) []*diag.Diagnostic {
	out := slices.Clone(list)
	for i, d := range out {
		if d.Severity <= diag.Info || d.Code == diag.InternalError || sure(d) {
			continue
		}
		x := *d
		x.Severity = diag.Info
		x.Notes = append(slices.Clone(d.Notes), "assuming "+listed(assumed))
		x.Fixes = nil
		out[i] = &x
	}
	return out
}

// maxListed bounds the assumptions that a note names.
const maxListed = 6

func listed(assumed []string) string {
	text := ""
	for i, a := range assumed {
		if i == maxListed {
			return text + fmt.Sprintf(" and %d more", len(assumed)-i)
		}
		if i > 0 {
			text += ", "
		}
		text += a
	}
	return text
}
