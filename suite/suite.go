// Package suite collects the tests of a project as pytest does and runs each of them abstractly. The files are found by package collect;
// what tests are made of, fixtures, marks and the like, is Python of ours, which the interpreter runs (infer/suite.go).
//
//	suite.go    a run: the load of the files, then each case from the state after it
//	verdict.go  what a case is found to be
package suite

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"shapecheck/infer"
	"shapecheck/internal/diag"
	"shapecheck/internal/reads"
	"shapecheck/internal/source"
	"shapecheck/suite/collect"
)

// Options say what to collect and how to run it.
type Options struct {
	// Run has the folders of modules, the environment, versions and the device.
	Run infer.Config
	// Dir is the working directory, absolute; Args are paths and node ids.
	Dir  string
	Args []string
	// Keyword and Marks are expressions that select tests; nil: those of the configuration.
	Keyword, Marks *string
	// Given are options of the suite's own, by name.
	Given map[string]string
	// Environment are variables, NAME=VALUE, that the tests see.
	Environment []string
	// CollectOnly runs no case.
	CollectOnly bool
	// Steps and Timeout bound each case, and each file's load.
	Steps   int
	Timeout time.Duration
	// Loaded is told of the suite when it is collected, Ended of each file's cases when they have run. They may be nil.
	Loaded func(*Report)
	Ended  func(*File)
}

// A Report is what a run of a suite has found.
type Report struct {
	Config *collect.Config
	Files  []*File
	// Deselected counts the cases that -k, -m and hooks have left out.
	Deselected int
	Sources    *source.FileSet
	// Load is the time that the load of the files took.
	Load time.Duration
}

// A File is a test file with its cases.
type File struct {
	ID    string
	Cases []*Case
	// Refused says why the tests of the file were not collected; Broken, why its top level did not run to its end.
	Refused, Broken string
	// Skipped says that the file skips itself.
	Skipped string
	// At is where that is.
	At source.Span
}

// A Case is a test.
type Case struct {
	ID, Name string
	// Classes are the classes around it, the outermost first; Line is that of its function.
	Classes []string
	Line    int
	Verdict Verdict
	// Cause says why a case is skipped, undecided or refused.
	Cause string
	// Findings are the faults for which it fails.
	Findings []*diag.Diagnostic
	// Reached counts the asserts that were reached, by place; Decided those of them of which the outcome is known each time.
	Reached, Decided int
	Asserts          []infer.AssertCount
	Spent            time.Duration
	Steps            int

	number int
	names  []string
	marks  []collect.Mark
}

// stops are the exceptions with which a test skips itself.
var stops = []string{"pytest._outcomes.Skipped", "pytest._outcomes.XFailed", "unittest.case.SkipTest"}

// A run is a suite that runs.
type run struct {
	*Options
	fs      reads.FS
	cancel  <-chan struct{}
	config  *collect.Config
	py      *infer.Suite
	report  *Report
	loaded  map[string]bool // conftest.py files
	ignored []ignoredPath
	byFile  map[string]*File
}

// An ignoredPath is what a conftest.py leaves out.
type ignoredPath struct {
	pattern string
	glob    bool
}

// Run collects a suite and runs its cases. It returns an error where nothing could be begun.
func Run(ctx context.Context, o Options) (*Report, error) {
	r := &run{Options: &o, fs: reads.Or(o.Run.FS), cancel: ctx.Done(), loaded: map[string]bool{}, byFile: map[string]*File{}}
	var paths []string
	for _, a := range o.Args {
		path, _, _ := strings.Cut(a, "::")
		paths = append(paths, path)
	}
	var err error
	if r.config, err = collect.Read(r.fs, o.Dir, paths); err != nil {
		return nil, err
	}
	files, err := r.config.Files(r.fs, o.Dir, o.Args)
	if err != nil {
		return nil, err
	}
	keyword, err := expression("-k", o.Keyword, r.config.Keyword, false)
	if err != nil {
		return nil, err
	}
	marks, err := expression("-m", o.Marks, r.config.Marks, true)
	if err != nil {
		return nil, err
	}
	start := time.Now()
	if err := r.start(); err != nil {
		return nil, err
	}
	r.report = &Report{Config: r.config, Sources: r.py.Files()}
	for _, f := range files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		r.load(f)
	}
	if err := r.modify(files, keyword, marks); err != nil {
		return nil, err
	}
	r.report.Load = time.Since(start)
	if o.Loaded != nil {
		o.Loaded(r.report)
	}
	if o.CollectOnly {
		return r.report, nil
	}
	return r.report, r.cases(ctx)
}

// expression reads the expression of an option: the one that is given, else that of the configuration.
func expression(option string, given *string, configured string, marks bool) (*collect.Expr, error) {
	text := configured
	if given != nil {
		text = *given
	}
	e, err := collect.ParseExpr(text, marks)
	if err != nil {
		return nil, fmt.Errorf("wrong expression passed to '%s': %s: %w", option, text, err)
	}
	return e, nil
}

// start makes the interpreter with the folders of modules, and the session of the suite.
func (r *run) start() error {
	cfg := r.Options.Run
	cfg.File = filepath.Join(r.config.Root, "shapecheck_suite.py")
	cfg.Base = r.config.Root
	for _, p := range r.config.PythonPath {
		cfg.Roots = append(cfg.Roots, filepath.Join(r.config.Root, p))
	}
	cfg.Roots = append(cfg.Roots, r.config.Root)
	if src := filepath.Join(r.config.Root, "src"); isFolder(r.fs, src) {
		cfg.Roots = append(cfg.Roots, src)
	}
	cfg.MaxSteps, cfg.Timeout, cfg.Cancel = r.Steps, r.Timeout, r.cancel
	py, err := infer.StartSuite(cfg, "pytest._collect")
	if err != nil {
		return err
	}
	r.py = py
	var names, values []string
	for k, v := range r.config.Texts {
		names, values = append(names, k), append(values, v)
	}
	var failed *infer.SuiteResult
	err = py.Guard(func() {
		if res := py.Call("begin", nil, r.config.Root, names, values); failedCall(res) {
			failed = res
			return
		}
		for name, list := range map[string][]string{"python_classes": r.config.PythonClasses, "python_functions": r.config.PythonFunctions} {
			py.Call("set_ini", nil, name, list)
		}
		for _, v := range append(slices.Clone(r.config.Lists["env"]), r.Environment...) {
			if name, value, ok := strings.Cut(v, "="); ok {
				py.Call("set_environment", nil, strings.TrimSpace(name), strings.TrimSpace(value))
			}
		}
		for _, o := range r.config.Other {
			r.option(o[0], o[1])
		}
		for k, v := range r.Given {
			r.option(k, v)
		}
	})
	if err == nil && failed != nil {
		err = fmt.Errorf("the suite did not start: %s", reasonOf(failed))
	}
	return err
}

func (r *run) option(name, value string) {
	name = strings.ReplaceAll(strings.TrimLeft(name, "-"), "-", "_")
	var v any = value
	if value == "" {
		v = true
	}
	r.py.Call("set_option", nil, name, v)
}

func isFolder(fsys reads.FS, path string) bool {
	info, err := fsys.Stat(path)
	return err == nil && info.IsDir()
}

func failedCall(res *infer.SuiteResult) bool { return res.Raised != nil || res.Over != "" }

// reasonOf says why a call has failed.
func reasonOf(res *infer.SuiteResult) string {
	if res.Over != "" {
		return res.Over
	}
	name := res.Raised[0]
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		name = name[i+1:]
	}
	if res.Text == "" {
		return name
	}
	return name + ": " + res.Text
}

// isStop reports whether a call ended with an exception by which a test skips itself.
func isStop(res *infer.SuiteResult) bool {
	for _, c := range res.Raised {
		for _, s := range stops {
			if c == s {
				return true
			}
		}
	}
	return false
}

// load loads a test file with the conftest.py files around it, and collects its tests.
func (r *run) load(f *collect.File) {
	out := &File{ID: f.ID}
	for _, c := range f.Conftests {
		if !r.loaded[c.Path] {
			r.loaded[c.Path] = true
			r.conftest(c, out)
		}
	}
	if r.leftOut(f.Path) {
		return
	}
	r.report.Files = append(r.report.Files, out)
	r.byFile[f.ID] = out
	err := r.py.Guard(func() {
		module := r.importFile(f.Path, f.Module)
		if isStop(module) {
			out.Skipped, out.At = module.Text, module.At
			return
		}
		if failedCall(module) {
			out.Refused, out.At = reasonOf(module), module.At
			return
		}
		out.Broken, out.At = r.py.Broken(module.Value)
		folders := []string{""}
		for _, c := range f.Conftests {
			if c.Base != "" {
				folders = append(folders, c.Base)
			}
		}
		res := r.py.Call("collect_module", stops, module.Value, f.ID, f.Path, folders)
		switch why := res.Value.(type) {
		case string:
			out.Refused = why
		case int64:
		default:
			out.Refused = "which tests it has is not known"
		}
		if failedCall(res) {
			out.Refused, out.At = reasonOf(res), res.At
		}
	})
	if err != nil {
		out.Refused = err.Error()
	}
}

// importFile loads the file of a module as its import mode says.
func (r *run) importFile(path string, m collect.Module) *infer.SuiteResult {
	r.py.BeginLoad(r.Steps, r.Timeout, r.cancel)
	if m.Root != "" {
		r.py.AddRoot(m.Root)
	}
	for _, p := range m.Packages {
		if res := r.py.Import(p, stops...); failedCall(res) {
			return res
		}
	}
	return r.py.Load(m.Name, path, m.IsPackage, stops...)
}

// conftest loads a conftest.py and takes its fixtures, hooks and options.
func (r *run) conftest(c collect.Conftest, out *File) {
	var failed *infer.SuiteResult
	err := r.py.Guard(func() {
		module := r.importFile(c.Path, c.Module)
		if failedCall(module) {
			failed = module
			return
		}
		res := r.py.Call("add_conftest", stops, module.Value, c.Base)
		if failedCall(res) {
			failed = res
			return
		}
		lists, _ := res.Value.([]any)
		for i, l := range lists {
			list, _ := l.([]any)
			for _, x := range list {
				p, ok := x.(string)
				switch {
				case !ok:
				case i == 2:
					r.plugin(p)
				default:
					if !filepath.IsAbs(p) {
						p = filepath.Join(filepath.Dir(c.Path), p)
					}
					r.ignored = append(r.ignored, ignoredPath{p, i == 1})
				}
			}
		}
	})
	if err != nil || failed != nil {
		why := ""
		if failed != nil {
			why = reasonOf(failed)
		} else {
			why = err.Error()
		}
		out.Broken = "conftest.py: " + why
	}
}

// plugin loads a module that a conftest.py names as a plug-in.
func (r *run) plugin(name string) {
	if res := r.py.Import(name, stops...); !failedCall(res) {
		r.py.Call("add_conftest", stops, res.Value, "")
	}
}

// leftOut reports whether a conftest.py leaves a path out.
func (r *run) leftOut(path string) bool {
	for _, p := range r.ignored {
		if p.glob && collect.Matches(p.pattern, path) {
			return true
		}
		if rel, err := filepath.Rel(p.pattern, path); !p.glob && err == nil && filepath.IsLocal(rel) {
			return true
		}
	}
	return false
}

// modify lets the hooks change the list of cases, and leaves out those that nobody asked for.
func (r *run) modify(files []*collect.File, keyword, marks *collect.Expr) error {
	asked := map[string]*collect.File{}
	for _, f := range files {
		asked[f.ID] = f
	}
	var res *infer.SuiteResult
	err := r.py.Guard(func() {
		r.py.BeginLoad(r.Steps, r.Timeout, r.cancel)
		res = r.py.Call("modify_items", nil)
	})
	if err != nil {
		return err
	}
	if failedCall(res) {
		return fmt.Errorf("the tests cannot be listed: %s", reasonOf(res))
	}
	list, ok := res.Value.([]any)
	if !ok {
		return errors.New("the tests cannot be listed: what hooks make of their list is not known")
	}
	for _, x := range list {
		c := caseOf(x)
		if c == nil {
			return errors.New("the tests cannot be listed: what describes one is not known")
		}
		file, _, _ := strings.Cut(c.ID, "::")
		if f := asked[file]; f != nil && !f.Selected(c.ID) {
			continue
		}
		if r.deselected(c.ID) || !keyword.MatchesNames(c.names) || !marks.MatchesMarks(c.marks) {
			r.report.Deselected++
			continue
		}
		if f := r.byFile[file]; f != nil {
			f.Cases = append(f.Cases, c)
		}
	}
	return nil
}

// deselected reports whether --deselect excludes a test.
func (r *run) deselected(id string) bool {
	for _, p := range r.config.Deselect {
		if strings.HasPrefix(id, p) {
			return true
		}
	}
	return false
}

// caseOf reads the description of a test.
func caseOf(x any) *Case {
	pair, _ := x.([]any)
	if len(pair) != 2 {
		return nil
	}
	n, _ := pair[0].(int64)
	d, _ := pair[1].([]any)
	if len(d) != 7 {
		return nil
	}
	c := &Case{number: int(n), names: texts(d[2]), Classes: texts(d[5])}
	c.ID, _ = d[0].(string)
	line, _ := d[1].(int64)
	c.Line = int(line)
	c.Name, _ = d[6].(string)
	marks := texts(d[3])
	args, _ := d[4].([]any)
	for i, m := range marks {
		mark := collect.Mark{Name: m, Args: map[string]any{}}
		if i < len(args) {
			pairs, _ := args[i].([]any)
			for _, p := range pairs {
				if kv, ok := p.([]any); ok && len(kv) == 2 {
					if k, ok := kv[0].(string); ok {
						mark.Args[k] = kv[1]
					}
				}
			}
		}
		c.marks = append(c.marks, mark)
	}
	return c
}

// texts are the texts of a list; others are left out.
func texts(x any) []string {
	list, _ := x.([]any)
	var out []string
	for _, v := range list {
		if s, ok := v.(string); ok {
			out = append(out, s)
		}
	}
	return out
}

// cases runs the cases, each from the state after the load.
func (r *run) cases(ctx context.Context) error {
	state, ok := r.py.Keep()
	for _, f := range r.report.Files {
		for _, c := range f.Cases {
			if err := ctx.Err(); err != nil {
				return err
			}
			if !ok {
				c.Verdict, c.Cause = Refused, "the state after the load of the suite cannot be kept"
				continue
			}
			r.py.Rewind(state)
			r.runCase(c, f)
		}
		if r.Options.Ended != nil {
			r.Options.Ended(f)
		}
	}
	return nil
}
