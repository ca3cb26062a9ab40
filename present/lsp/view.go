package lsp

// This file checks a document and keeps what the features show of it: plain data, by places of the
// text that was checked. A check runs in the background on the text as it was when it began
// (checking), and its result (view) is read by hovers, hints, lenses, symbols and diagnostics until
// the next one is there. Places are bytes of the checked text; the server moves them where the
// document has been edited since. A view has texts and not values of the run, but for the tensors
// of which a hover shows the history.

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"shapecheck/check"
	"shapecheck/check/record"
	"shapecheck/contract"
	"shapecheck/discover/trial"
	"shapecheck/infer"
	"shapecheck/infer/graph"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/internal/inorder"
	"shapecheck/internal/lazyregexp"
	"shapecheck/internal/reads"
	"shapecheck/internal/source"
	"shapecheck/parser/ast"
	"shapecheck/present/summary"
	"shapecheck/project/comments"
	"shapecheck/project/config"
	"shapecheck/project/pyenv"
)

// A checking is all that a check of a document needs, as it was when the check began. It is made
// under the server's lock and read without one.
type checking struct {
	document document
	texts    map[string]string // of all open documents, by path
	// The parsed files, modules and winning arguments that checks share.
	cache   *infer.Cache
	modules *infer.Modules
	winners *trial.Winners
	// The folder of the workspace in which the document lies.
	root        string
	environment pyenv.Search
	limits      check.Limits
	timed       bool // limits are the command line's
	settings    settings
	encoding    encoding
}

// A view is what a check gave. It does not change. Requests read it at the same time without a
// lock.
type view struct {
	text  string
	lines lineTable
	// diagnostics are by URI: findings may lie in other files. Each URI of the document is a key,
	// also without findings, so that old ones are cleared.
	diagnostics map[string][]diagnostic
	findings    []finding // those in the document
	targets     []target
	// At most maxCalls.
	calls   []moduleCall
	entries []entry
	symbols []symbol
	// So that an export runs the same.
	runs   []*check.Target           // what was run of the document
	reads  map[string]bool           // the files that the check looked at, by absolute path
	config string                    // the project's configuration; empty: there is none
	files  *source.FileSet           // those of the places of tensors
	abs    func(*source.File) string // the absolute path of one
	// Empty: all entries are shown.
	chosen string // the entry that is shown alone
	lost   []lost // values that are not known, of the document
}

// A finding is a diagnostic of the document with what can be done about it. start and end are in
// the text that was checked.
type finding struct {
	start, end int // bytes
	shown      diagnostic
	fixes      []fixed
	// ignored gives the text with a comment that hides it. The second result is false where no
	// comment can be put.
	ignored func() (string, bool)
}

// A fixed is a fix of one finding.
type fixed struct {
	// A fix that is not safe is offered, but not applied with others.
	title string
	safe  bool
	edits []edit
}

// An edit replaces bytes. In the text that was checked.
type edit struct {
	start, end int
	text       string
}

// A target was given tensors, in calls of one or several entries. A statement may assign several
// names, each of which is a target.
type target struct {
	start, end int // of the statement, in bytes
	name       string
	// Each type once, from all entries that are shown.
	types  []typed
	init   bool   // in a constructor
	from   string // the entry that came here last
	shared bool   // several did
}

// A typed is a type and the entry under which it was met. The entry is named where several came
// here.
type typed struct {
	text, entry string
	made        *graph.Value // the tensor; nil for other values
	why         string       // why it is not known
}

// A moduleCall is a call of a module in the document. in and out are types, and parameters those of
// the module itself.
type moduleCall struct {
	start, end                       int
	path, class, in, out, parameters string
}

// An entry is one that was run. It has a lens above its function, with its arguments and result.
type entry struct {
	// The first byte of the function that the entry calls.
	name string
	at   int // the byte at which its function begins
	// Name, arguments and result in a line.
	title      string
	conditions []string
	// contract are the conditions as people read them: those of one kind in one line.
	contract   []string
	needs      []need
	parameters string
	result     string
	assumed    []string
	dims       string // the contract as torch.export's Dim objects; empty: no size is a symbol
	// annotations are those of its tensors in jaxtyping's notation.
	annotations []annotation
	comment     string // that would make its guesses a decision
	commentAt   int    // the line above which it stands
	target      *check.Target
}

// A need is a condition, and the lines of the document, from 1, that need it. Why a condition is
// there.
type need struct {
	condition string
	lines     []int
}

// A lost is a value that is not known, on a line from 1, and why.
type lost struct {
	line int
	why  string
}

// An annotation is one of a parameter, and the name of jaxtyping's that it uses. kind is a name
// such as Float, which must be imported.
type annotation struct{ name, kind, text string }

// symbolic is an argument of a tensor with a size that is a symbol. A letter at the beginning of a
// size within the brackets.
var symbolic = lazyregexp.New(`\[([^\]]*[^\w])?[A-Za-z_]`)

// A symbol is a module of a model. start and end are the place that the outline goes to.
type symbol struct {
	name, detail string
	start, end   int
	kind         int
	children     []symbol
}

// Bounds of what is kept of a check.
const (
	maxCalls = 5000
	maxText  = 300 // characters of a type
)

// run checks the document. It returns an error only where the check ends because the context does.
// A configuration that cannot be read gives a view with that as its finding.
func (c *checking) run(ctx context.Context) (*view, error) {
	// All files are read through the log, which tells what to watch, and open documents go before
	// the disk.
	log := &reads.Log{FS: reads.NewOverlay(rooted{c.root}, c.texts)}
	session := &check.Session{FS: log, Cache: c.cache, Environment: c.environment, Limits: c.limits, Modules: c.modules,
		Keep: check.KeepValues}
	if file, err := config.Find(log, filepath.Dir(c.document.path)); err == nil && file != "" {
		if session.Config, err = config.Read(log, file); err != nil {
			return c.broken(err.Error()), nil
		}
		if !c.timed {
			session.Limits.Timeout = session.Config.Limit(session.Limits.Timeout)
		}
	}
	name := c.document.path
	// Findings name files as the command line does, from the folder of the workspace.
	if rel, err := filepath.Rel(c.root, name); err == nil && filepath.IsLocal(rel) {
		name = rel
	}
	p, err := trial.CheckFiles(ctx, session, []string{name}, check.Unwatched{}, c.winners)
	if err != nil {
		return nil, err
	}
	session.VerifyFixes(ctx, check.OfFiles([]string{name}, trial.Discoverer(c.winners)), p)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	v := &view{text: c.document.text, lines: c.document.lines, diagnostics: map[string][]diagnostic{}, reads: map[string]bool{}}
	// Cells of a notebook have URIs of their own.
	for _, uri := range c.document.uris() {
		v.diagnostics[uri] = []diagnostic{}
	}
	if session.Config != nil {
		v.config = session.Config.File()
	}
	for _, r := range log.List() {
		if abs, err := log.Abs(r.Path); err == nil {
			v.reads[abs] = true
		}
	}
	o := c.outline(name)
	var results []*check.Result
	for _, x := range p.Entries {
		// A recalled result has no values to show.
		if x.Err == nil && x.Result.File != nil && !x.Result.Recalled {
			results = append(results, x.Result)
		}
	}
	// The code may have changed since the entry was chosen.
	if !slices.ContainsFunc(results, func(r *check.Result) bool { return nameOf(r) == c.document.chosen }) {
		c.document.chosen = "" // it is there no more
	}
	for _, r := range results {
		// A run that was put aside is needed for its types again.
		r.Resume()
		c.entry(v, o, r)
		v.runs = append(v.runs, r.Target)
	}
	v.chosen, v.abs = c.document.chosen, c.abs
	inorder.StableBy(v.targets, func(a, b target) int { return a.start - b.start })
	// A finding with several places is shown at each.
	for _, d := range atEachPlace(p.Diagnostics) {
		c.finding(v, p.Files, d)
	}
	return v, nil
}

// unreadable reports whether nothing could be run for a syntax error in the document. The codes
// SC0xx are those of syntax.
func (v *view) unreadable() bool {
	return len(v.targets)+len(v.calls) == 0 && slices.ContainsFunc(v.findings,
		func(f finding) bool { return strings.HasPrefix(f.shown.Code, "SC0") })
}

// broken is a view with one message, at the first line. It takes the place of a check that was
// impossible.
func (c *checking) broken(why string) *view {
	d := diagnostic{Severity: severityError, Code: string(diag.InternalError), Source: "shapecheck", Message: why}
	return &view{
		text: c.document.text, lines: c.document.lines, reads: map[string]bool{},
		diagnostics: map[string][]diagnostic{c.document.uri: {d}},
	}
}

// isDocument reports whether a file is the document. The text is compared, because a file may have
// changed on the disk during the check.
func (c *checking) isDocument(f *source.File) bool {
	return f != nil && !f.Prelude && f.Text() == c.document.text && c.abs(f) == c.document.path
}

// Symbolic links are not followed.
func (c *checking) abs(f *source.File) string { return filepath.Clean(rooted{c.root}.in(f.Place())) }

// nameOf is how a run is called. The same name must not be given to two entries that are shown.
func nameOf(r *check.Result) string {
	if r.Target.How == check.AsScript {
		return "script"
	}
	return cmp.Or(r.Target.Run.Entry, r.Entry, r.Target.Name)
}

// entry keeps what a run says of the document. What an entry adds to the view: types of targets,
// calls, unknown values, the outline of its model, and itself. Targets are noted for all entries,
// but types only for those that are shown.
func (c *checking) entry(v *view, o *defs, r *check.Result) {
	name := nameOf(r)
	shown := c.document.chosen == "" || c.document.chosen == name
	v.files = r.Files
	file := (*source.File)(nil)
	// A run knows a file by its spans; the document's is looked for once.
	is := func(at source.Pos) bool {
		if file != nil {
			return file.Contains(at)
		}
		if f := r.Files.File(at); c.isDocument(f) {
			file = f
			return true
		}
		return false
	}
	// The target of an assignment is known by its statement and name.
	known := map[string]int{}
	for i, t := range v.targets {
		known[fmt.Sprint(t.start, t.name)] = i
	}
	for _, l := range r.Lines {
		if !is(l.At.Start) {
			continue
		}
		start, end := file.Offset(l.At.Start), file.Offset(l.At.End)
		key := fmt.Sprint(start, l.Target)
		i, ok := known[key]
		if !ok {
			i = len(v.targets)
			known[key] = i
			v.targets = append(v.targets, target{start: start, end: end, name: l.Target, init: o.inInit(start)})
		}
		// An entry that comes a second time is not another one.
		if v.targets[i].from != name {
			v.targets[i].shared = v.targets[i].from != ""
			v.targets[i].from = name
		}
		if !shown {
			continue
		}
		// The tensor is kept for its history.
		t := typed{text: cut(l.Text()), entry: name, made: tensorOf(l.Type)}
		// Why a value is unknown is shown where it is used.
		if u, ok := l.Type.(*value.Unknown); ok && u.Cause != nil {
			t.why = u.Cause.Reason
			if where := record.LineOf(r.Files, u.Cause.At); where != "" {
				t.why = where + ": " + t.why
			}
		}
		if !slices.ContainsFunc(v.targets[i].types, func(x typed) bool { return x.text == t.text }) {
			v.targets[i].types = append(v.targets[i].types, t)
		}
	}
	owned := ownParameters(r.Parameters)
	texts := callTexts(r.Calls)
	for i, m := range r.Calls {
		// A call that raised has no result.
		if !shown || len(v.calls) == maxCalls || m.Out == nil || !is(m.At.Start) {
			continue
		}
		v.calls = append(v.calls, moduleCall{
			start: file.Offset(m.At.Start), end: file.Offset(m.At.End), path: m.Name, class: record.ClassName(m.Class),
			in: texts[i].in, out: texts[i].out, parameters: cut(owned[m.Name]),
		})
	}
	if c.settings.Unknowns == "on" {
		c.unknowns(v, r)
	}
	for _, u := range r.Unknown {
		if is(u.At.Start) {
			line, _ := file.LineCol(u.At.Start)
			v.lost = append(v.lost, lost{line, u.Reason})
		}
	}
	if shown && len(v.symbols) == 0 && len(r.Calls) > 0 {
		v.symbols = c.symbols(o, r, name, texts, is, func() *source.File { return file })
	}
	// A script has no function above which a lens could stand.
	if r.Target.How == check.AsScript {
		return
	}
	at, line := o.find(name, r.Target.Run.Call)
	if at < 0 {
		return
	}
	e := entry{
		name: name, at: at, result: r.OutputType, conditions: r.Conditions(), parameters: parameters(r.Parameters), assumed: r.Target.Assumed,
		commentAt: line, target: r.Target,
	}
	if b := r.Brief(); b != nil {
		e.contract = b.Lines
	}
	// The reduced contract tells which lines need a condition.
	if reduced := r.Reduced(); reduced != nil {
		for _, x := range reduced.Conditions {
			n := need{condition: x.Cond.String()}
			for _, why := range x.Because {
				if is(why.At.Start) {
					line, _ := file.LineCol(why.At.Start)
					n.lines = append(n.lines, line)
				}
			}
			e.needs = append(e.needs, n)
		}
	}
	var inputs []string
	for _, a := range r.Target.Run.Args {
		inputs = append(inputs, strings.Replace(a, ":", " ", 1))
	}
	// Only sizes that are symbols make Dim objects.
	if c := r.Reduced(); c != nil && slices.ContainsFunc(r.Target.Run.Args, func(a string) bool { return symbolic.MatchString(a) }) {
		e.dims = contract.TorchExport(r.Result, c)
		for _, a := range contract.Annotations(r.Result, c) {
			e.annotations = append(e.annotations, annotation{a.Name, a.Kind, a.String()})
		}
	}
	e.title = fmt.Sprintf("%s · %s → %s", name, strings.Join(inputs, ", "), cmp.Or(r.OutputType, "?"))
	// Arguments that were assumed can be made a decision by a comment.
	if len(e.assumed) > 0 {
		e.comment = comments.CheckLine(name, r.Target.Run.Args, r.Target.Run.Eval)
	}
	v.entries = append(v.entries, e)
}

// At most maxText characters.
func cut(s string) string {
	if len(s) <= maxText {
		return s
	}
	n := 0
	for i := range s {
		if n == maxText {
			return s[:i] + "…"
		}
		n++
	}
	return s
}

// A callText is what goes into and out of a call, as texts that are cut. Types with commas between
// them, and the result or "raises".
type callText struct{ in, out string }

// callTexts are the texts of the first calls, as many as are shown. Each tensor is printed once: it goes out of one
// call and into others.
func callTexts(calls []*infer.ModuleCall) []callText {
	known := map[*graph.Value]string{}
	text := func(v value.Value) string {
		t, ok := v.(*value.Tensor)
		if !ok {
			return v.String()
		}
		if known[t.V] == "" {
			known[t.V] = v.String()
		}
		return known[t.V]
	}
	out := make([]callText, len(calls))
	for i, m := range calls {
		if i == maxCalls {
			break
		}
		var in []string
		for _, v := range m.In {
			in = append(in, text(v))
		}
		out[i] = callText{cut(strings.Join(in, ", ")), "raises"}
		if m.Out != nil {
			out[i].out = cut(text(m.Out))
		}
	}
	return out
}

// parameters is how many numbers the parameters of a model have; empty where it has none, or that
// is not known. A total of 0 is not worth showing.
func parameters(list []infer.NamedTensor) string {
	total := int64(0)
	for _, p := range list {
		t := p.Tensor.Type()
		n := int64(1)
		for _, d := range t.Shape {
			size, ok := d.Const()
			if !ok {
				return ""
			}
			n *= size
		}
		if !t.Ranked {
			return ""
		}
		total += n
	}
	if total == 0 {
		return ""
	}
	return summary.Rounded(total) + " parameters"
}

// ownParameters are the parameters of each module itself, by its path. The path of the model itself
// is empty.
func ownParameters(list []infer.NamedTensor) map[string]string {
	out := map[string]string{}
	for _, p := range list {
		i := strings.LastIndexByte(p.Name, '.')
		path := p.Name[:max(i, 0)]
		if out[path] != "" {
			out[path] += ", "
		}
		out[path] += p.Name[i+1:] + " " + p.Tensor.Type().String()
	}
	return out
}

// symbols are the modules that a run called, as they lie in each other. Their places are those of
// their calls in the document; what is called elsewhere has that of what called it. The outline has
// one symbol for a module, whatever the number of its calls, down to 20 levels.
func (c *checking) symbols(o *defs, r *check.Result, name string, texts []callText, is func(source.Pos) bool,
	file func() *source.File) []symbol {
	at, _ := o.find(name, r.Target.Run.Call)
	if at < 0 {
		return nil
	}
	children := map[int][]int{}
	for i, m := range r.Calls {
		if i < maxCalls {
			children[m.Parent] = append(children[m.Parent], i)
		}
	}
	// The place of a call from another file, such as torch.nn.Sequential's, is that of the module
	// which made the call.
	var build func(parent int, start, end int, depth int) []symbol
	build = func(parent, start, end, depth int) []symbol {
		var out []symbol
		met := map[string]bool{}
		for _, i := range children[parent] {
			m := r.Calls[i]
			key := m.Name + " " + record.ClassName(m.Class)
			if met[key] || depth > 20 {
				continue // its other calls
			}
			met[key] = true
			s := symbol{start: start, end: end, kind: symbolField}
			if m.At.Start > 0 && is(m.At.Start) {
				s.start, s.end = file().Offset(m.At.Start), file().Offset(m.At.End)
			}
			class := record.ClassName(m.Class)
			class = class[strings.LastIndexByte(class, '.')+1:]
			s.name = m.Name[strings.LastIndexByte(m.Name, '.')+1:]
			if s.name == "" {
				s.name = class
			}
			s.detail = cut(fmt.Sprintf("%s  %s → %s", class, texts[i].in, texts[i].out))
			s.children = build(i, s.start, s.end, depth+1)
			out = append(out, s)
		}
		return out
	}
	list := build(-1, at, at, 0)
	for i := range list {
		list[i].kind = symbolClass
		if list[i].name == "" {
			list[i].name = name
		}
	}
	return list
}

// defs are the classes and functions of a text. Only names that are defined at the top level and
// their methods are found; where a name is defined twice, the last one counts, as in Python.
type defs struct {
	classes   map[string]*class
	functions map[string]place
	// Spans of constructors, by which targets in them are told from those of the forward pass.
	inits [][2]int
}

// A class has the places of its methods.
type class struct {
	place
	methods map[string]place
}

// A place is the byte at which a definition begins, without its decorators, and the line above
// which a comment about it stands. The line is 0-based, which is the 1-based number of the line
// before.
type place struct{ at, line int }

// outline reads the classes and functions of the top level. A text that is no Python has none. The
// syntax tree is that of the check where the cache still has it.
func (c *checking) outline(name string) *defs {
	o := &defs{classes: map[string]*class{}, functions: map[string]place{}}
	parsed := c.cache.Kept(name, c.document.text)
	if parsed == nil {
		var err error
		if parsed, err = c.cache.Parse(source.NewFile(name, c.document.text)); err != nil {
			return o
		}
	}
	f, tree := parsed.File(), parsed.Tree()
	placed := func(at source.Span, decorators []ast.Expr) place {
		start := f.Offset(at.Start)
		first, _ := f.LineCol(at.Start)
		for _, d := range decorators {
			line, _ := f.LineCol(d.Span().Start)
			first = min(first, line)
		}
		return place{start, first - 1}
	}
	for _, s := range tree.Body {
		switch s := s.(type) {
		case *ast.FunctionDef:
			o.functions[s.Name.Name] = placed(s.Span(), s.Decorators)
		case *ast.ClassDef:
			c := &class{place: placed(s.Span(), s.Decorators), methods: map[string]place{}}
			for _, m := range s.Body {
				if m, ok := m.(*ast.FunctionDef); ok {
					c.methods[m.Name.Name] = placed(m.Span(), m.Decorators)
					if m.Name.Name == "__init__" || m.Name.Name == "reset_parameters" {
						o.inits = append(o.inits, [2]int{f.Offset(m.Span().Start), f.Offset(m.Span().End)})
					}
				}
			}
			o.classes[s.Name.Name] = c
		}
	}
	return o
}

// inInit reports whether a place is in a constructor. Types that a constructor gives are shown less
// often.
func (o *defs) inInit(at int) bool {
	return slices.ContainsFunc(o.inits, func(r [2]int) bool { return at >= r[0] && at < r[1] })
}

// find is the method or function that an entry calls: the byte at which it begins, and the line of
// what the entry names. -1: it is not in the text. An entry such as Net(3).features names the class
// by what stands before the parenthesis; the call is the method that is run, by default forward.
func (o *defs) find(entry, call string) (at, line int) {
	head, _, _ := strings.Cut(entry, "(")
	head = head[strings.LastIndexByte(head, '.')+1:]
	if f, ok := o.functions[head]; ok {
		return f.at, f.line
	}
	c := o.classes[head]
	if c == nil {
		return -1, 0
	}
	for _, m := range []string{call, "forward", "__call__"} {
		if p, ok := c.methods[m]; ok {
			return p.at, c.line
		}
	}
	return c.at, c.line
}
