package infer

// This file runs the functions of a driver, one call after the other, from states that are kept between them: a test suite is loaded once,
// and each of its cases begins where the load has ended. The driver is Python of ours (lib/packed/pytest); package suite says which
// of its functions are called, and reads what they return as plain data.

import (
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/internal/source"
	"shapecheck/symshape"
)

// A Suite is an interpreter with a driver. It is for one goroutine.
type Suite struct {
	in     *Interp
	driver *value.Module
	states []suiteState
	own    map[*source.File]bool // the files whose asserts are counted
	// account is that of the calls since Begin.
	account *suiteAccount
}

// A suiteState is a state with the facts of the path there.
type suiteState struct {
	saved *savedState
	own   map[*source.File]bool
}

// A suiteAccount is what is noted of a case.
type suiteAccount struct {
	suite   *Suite
	asserts map[source.Span]*AssertCount
	order   []source.Span
	certain map[*diag.Diagnostic]bool
	calls   int // of library functions by the program
	// raised are the exceptions that the program's own code raised.
	raised map[*value.Instance]bool
}

// An AssertCount says how often an assert was reached, and what came of it.
type AssertCount struct {
	At                     source.Span
	True, False, Undecided int
	// Kind is that of what was asserted: "" for a statement, else the name of the function.
	Kind string
}

// A SuiteValue is a value of the program, which Suite.Call takes as an argument.
type SuiteValue struct{ v value.Value }

// A SuiteResult is what came of a call.
type SuiteResult struct {
	// Value is what the function returned: nil, bool, int64, string, []any; other values are a SuiteValue.
	Value any
	// Raised is the class of the exception that ended the call, with the names of its bases; nil: none did. Text is its message.
	Raised []string
	Text   string
	At     source.Span
	// Certain says that the exception was raised on a path that is always taken.
	Certain bool
	// MayStop says that one of the exceptions that stop the call is raised under a condition that is not known.
	MayStop bool
	// Over says which limit ended the call; empty: none did.
	Over string
}

// StartSuite makes an interpreter and imports the driver. Cfg.File names the folder of the suite as that of a file in it, and Cfg.Text is
// not used.
func StartSuite(cfg Config, driver string) (*Suite, error) {
	cfg.Text, cfg.Modules, cfg.Fill, cfg.Trace, cfg.Script = "import "+driver+"\n", nil, nil, nil, nil
	cfg.Roots = slices.Clone(cfg.Roots)
	in := newInterp(&cfg)
	s := &Suite{in: in, own: map[*source.File]bool{}}
	_, err := in.guarded(func() (*Result, error) {
		if _, err := in.entry.loadMain(); err != nil {
			return nil, err
		}
		v, err := in.Import(driver)
		if err != nil {
			return nil, err
		}
		m, ok := v.(*value.Module)
		if !ok {
			return nil, usagef("the driver %s was not found", driver)
		}
		s.driver = m
		return nil, nil
	})
	if err == nil && s.driver == nil {
		err = errors.New("the driver of the suite did not start")
	}
	in.suite = s
	return s, err
}

// Files are the files of the run, and Pool its sizes, for who prints findings.
func (s *Suite) Files() *source.FileSet { return s.in.files }

// Pool is that of the sizes in findings.
func (s *Suite) Pool() *symshape.Pool { return s.in.pool }

// AddRoot puts a folder in front of those in which modules are looked for.
func (s *Suite) AddRoot(dir string) {
	if !slices.Contains(s.in.cfg.Roots, dir) {
		s.in.cfg.Roots = append([]string{dir}, s.in.cfg.Roots...)
	}
}

// AtRest reports whether no branch is under way.
func (s *Suite) AtRest() bool {
	in := s.in
	return in.heap.Depth() == 0 && len(in.pendings) == 0 && len(in.path.conds) == 0 && in.stack.frame == nil && in.probe == nil
}

// Keep keeps the present state for Rewind and gives its number; ok is false where that cannot be done, since something is under way.
func (s *Suite) Keep() (number int, ok bool) {
	in := s.in
	if !s.AtRest() || slices.ContainsFunc(in.generators, func(g *generator) bool { return !g.done }) {
		return 0, false
	}
	s.states = append(s.states, suiteState{in.saveState(), maps.Clone(s.own)})
	return len(s.states) - 1, true
}

// Rewind goes back to a state; those that were kept later are given up.
func (s *Suite) Rewind(number int) {
	k := s.states[number]
	s.states = s.states[:number+1]
	in := s.in
	in.restoreState(k.saved)
	in.pool.Return(k.saved.symbols)
	in.build, in.sink = k.saved.build.Again(), k.saved.sink.Copied()
	s.own, s.account = maps.Clone(k.own), nil
}

// Begin begins the account of a case, whose limits of steps and time begin now.
func (s *Suite) Begin(steps int, timeout time.Duration, cancel <-chan struct{}) {
	in := s.in
	in.cfg.MaxSteps, in.cfg.Timeout, in.cfg.Cancel, in.pool.Cancel = steps, timeout, cancel, cancel
	in.spent.restart()
	in.stack.inEntry = true
	in.rec.begin()
	in.rec.causes, in.rec.causeSeen = nil, map[source.Span]bool{}
	in.build = in.build.Next()
	in.sink = &diag.Sink{}
	s.account = &suiteAccount{suite: s, asserts: map[source.Span]*AssertCount{}, certain: map[*diag.Diagnostic]bool{},
		raised: map[*value.Instance]bool{}}
}

// BeginLoad begins the load of a file, with its limits.
func (s *Suite) BeginLoad(steps int, timeout time.Duration, cancel <-chan struct{}) {
	in := s.in
	in.cfg.MaxSteps, in.cfg.Timeout, in.cfg.Cancel, in.pool.Cancel = steps, timeout, cancel, cancel
	in.spent.restart()
	in.stack.inEntry = false
}

// Guard runs f, which calls functions of the driver; generators that it leaves end with it. A panic is an error.
func (s *Suite) Guard(f func()) error {
	res, err := s.in.guarded(func() (*Result, error) {
		f()
		return nil, nil
	})
	if res != nil && err == nil {
		for _, d := range res.Diagnostics {
			if d.Code == diag.InternalError {
				return errors.New(d.Msg)
			}
		}
	}
	return err
}

// Load runs a file as a module of a name; dirs are the folders of a package's modules. The result's Value is the module.
func (s *Suite) Load(name, path string, isPackage bool, stops ...string) *SuiteResult {
	return s.run(stops, func() (value.Value, error) {
		in := s.in
		if m := in.modules[name]; m != nil && m.File != nil && in.finder.absolute(m.File.Place()) == in.finder.absolute(path) {
			s.own[m.File] = true
			return m, nil
		}
		delete(in.modules, name)
		var dirs []string
		if isPackage {
			dirs = []string{filepath.Dir(path)}
		}
		m, err := in.imports.runFile(name, path, dirs)
		if m == nil && err == nil {
			err = in.Raise("ImportError", "%s cannot be read", path)
		}
		if err != nil {
			return nil, err
		}
		if m.File != nil {
			s.own[m.File] = true
		}
		if m.Partial != nil && m.Partial.Reported {
			return nil, in.Raise("SyntaxError", "%s cannot be parsed", path)
		}
		return m, nil
	})
}

// Import imports a module by its name, as a package around a file.
func (s *Suite) Import(name string, stops ...string) *SuiteResult {
	return s.run(stops, func() (value.Value, error) { return s.in.Import(name) })
}

// Broken says why the top level of a module did not run to its end; empty: it did, or that is not known.
func (s *Suite) Broken(module any) (why string, at source.Span) {
	if v, ok := module.(SuiteValue); ok {
		if m, ok := v.v.(*value.Module); ok && m.Partial != nil {
			return m.Partial.Reason, m.Partial.At
		}
	}
	return "", source.Span{}
}

// Call calls a function of the driver with plain arguments: nil, bool, int, string, []string, SuiteValue. Exceptions whose class is among
// stops, by its full name, end the call where they are raised, as if the program caught them.
func (s *Suite) Call(fn string, stops []string, args ...any) *SuiteResult {
	return s.run(stops, func() (value.Value, error) {
		f, ok := s.driver.Attrs.Get(fn)
		if !ok {
			return nil, s.in.Raise("AttributeError", "the driver has no %s", fn)
		}
		list := make([]value.Value, len(args))
		for i, a := range args {
			list[i] = s.value(a)
		}
		return s.in.Call(f, list, nil)
	})
}

// value makes a value of the program of a plain one.
func (s *Suite) value(a any) value.Value {
	switch a := a.(type) {
	case bool:
		return value.Bool(a)
	case int:
		return value.Int(a)
	case string:
		return value.Str(a)
	case []string:
		list := make([]value.Value, len(a))
		for i, x := range a {
			list[i] = value.Str(x)
		}
		return s.in.heap.NewList(list)
	case SuiteValue:
		return a.v
	}
	return value.None
}

// plain is the plain form of a value.
func (s *Suite) plain(v value.Value) any {
	if err := s.in.Enter(""); err != nil { // a list that holds itself
		return SuiteValue{v}
	}
	defer s.in.Leave()
	switch v := v.(type) {
	case value.Bool:
		return bool(v)
	case value.Int:
		return int64(v)
	case nil, value.NoneType:
		return nil
	case *value.Tuple:
		return s.plainList(v.Elems)
	case *value.List:
		if v.Open == nil {
			return s.plainList(v.Elems)
		}
	}
	if t, ok := value.AsStr(v); ok {
		return t
	}
	return SuiteValue{v}
}

func (s *Suite) plainList(list []value.Value) []any {
	out := make([]any, len(list))
	for i, x := range list {
		out[i] = s.plain(x)
	}
	return out
}

// run runs a part of the program from the top.
func (s *Suite) run(stops []string, f func() (value.Value, error)) *SuiteResult {
	in, res := s.in, &SuiteResult{}
	if in.spent.over != nil {
		res.Over = in.spent.over.Error()
		return res
	}
	handlers := in.handlers
	stopping := s.stopping(stops)
	if stopping != nil {
		in.handlers = append(slices.Clip(in.handlers), *stopping)
	}
	v, err := f()
	if stopping != nil && *stopping.met {
		res.MayStop = true
	}
	in.handlers = handlers
	certain := len(in.path.conds) == 0 && len(in.loops) == 0 && !in.doubtful.any()
	if in.spent.over != nil {
		res.Over = in.spent.over.Error()
		return res
	}
	var e *value.Exception
	switch {
	case err == nil:
		res.Value = s.plain(v)
	case errors.As(err, &e):
		res.Raised, res.At, res.Certain = classNames(e.Value.Class), e.At, certain && in.exceptions.wanted(e) == ""
		in.quiet++
		res.Text, _ = in.Str(e.Value)
		in.quiet--
		if stopping == nil || !slices.ContainsFunc(stopping.catches, e.Value.Class.IsSubclass) {
			in.uncaught(err)
		}
	default:
		res.Over = err.Error()
	}
	return res
}

// stopping is the handler for exceptions of the named classes; nil: there are none.
func (s *Suite) stopping(stops []string) *handler {
	var list []*value.Class
	for _, name := range stops {
		if c := s.in.Class(name); c != nil {
			list = append(list, c)
		}
	}
	if list == nil {
		return nil
	}
	return &handler{native: true, catches: list, met: new(bool)}
}

// classNames are the full names of a class and its bases.
func classNames(c *value.Class) []string {
	var out []string
	for _, k := range c.MRO {
		name := k.Name
		if k.Module != "" && k.Module != "builtins" {
			name = k.Module + "." + name
		}
		out = append(out, name)
	}
	return out
}

// A SuiteAccount is what a case has come upon.
type SuiteAccount struct {
	Asserts []AssertCount
	// Errors are the faults on the path that is always taken, Doubtful those on others.
	Errors, Doubtful []*diag.Diagnostic
	// Causes are what was lost, the first first.
	Causes []*value.Cause
	Steps  int
}

// Account gives the account of the calls since Begin.
func (s *Suite) Account() *SuiteAccount {
	in, out := s.in, &SuiteAccount{}
	a := s.account
	if a == nil {
		return out
	}
	for _, at := range a.order {
		out.Asserts = append(out.Asserts, *a.asserts[at])
	}
	for _, d := range in.sink.All() {
		switch {
		case d.Severity != diag.Error || d.Aside:
		case a.certain[d]:
			out.Errors = append(out.Errors, d)
		default:
			out.Doubtful = append(out.Doubtful, d)
		}
	}
	out.Errors = diag.Group(out.Errors)
	out.Causes, out.Steps = slices.Clone(in.rec.causes), in.spent.steps
	return out
}

// noteFinding notes whether a finding is on the path that is always taken.
func (s *Suite) noteFinding(d *diag.Diagnostic) {
	if s == nil || s.account == nil {
		return
	}
	in := s.in
	if len(in.path.conds) == 0 && len(in.loops) == 0 && !in.doubtful.any() && in.trial == 0 {
		s.account.certain[d] = true
	}
}

// noteAssert notes what came of an assertion at a place of a file whose asserts are counted.
func (s *Suite) noteAssert(at source.Span, kind string, holds, known bool) {
	if s == nil || s.account == nil || s.in.quiet > 0 {
		return
	}
	f := s.in.files.File(at.Start)
	if f == nil || !s.own[f] {
		return
	}
	c := s.account.asserts[at]
	if c == nil {
		c = &AssertCount{At: at, Kind: kind}
		s.account.asserts[at] = c
		s.account.order = append(s.account.order, at)
	}
	switch {
	case !known:
		c.Undecided++
	case holds:
		c.True++
	default:
		c.False++
	}
}

// noteLibraryCall counts a call of a library's code by the program; the code of test frameworks is none.
func (in *Interp) noteLibraryCall(f *frame) {
	if in.suite == nil || in.suite.account == nil {
		return
	}
	if f.globals != nil {
		top, _, _ := strings.Cut(f.globals.Name, ".")
		if slices.Contains(frameworks, top) {
			return
		}
	}
	in.suite.account.calls++
}

// frameworks are the packages whose code runs tests.
var frameworks = []string{"pytest", "_pytest", "unittest", "contextlib", "parameterized", "absl", "ddt", "hypothesis"}

// noteOp counts a call of a library function that has a record.
func (s *Suite) noteOp() {
	if s != nil && s.account != nil {
		s.account.calls++
	}
}

// noteRaise notes an exception that the program's own code raises.
func (s *Suite) noteRaise(e *value.Instance) {
	if s != nil && s.account != nil {
		s.account.raised[e] = true
	}
}

// suiteNatives defines what the Python of test frameworks asks of the interpreter.
func (na *natives) suiteNatives(def func(string, value.NativeFunc)) {
	// verify(what, condition) counts an assertion of a function and gives what is known of it: True, False or None. What is not known is
	// taken to hold.
	def("verify", func(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
		if len(args) != 2 {
			return nil, na.in.Raise("TypeError", "verify takes 2 arguments")
		}
		kind, _ := value.AsStr(args[0])
		t, err := na.in.Truth(args[1])
		if err != nil {
			return nil, err
		}
		val, known := na.in.Holds(t)
		na.in.suite.noteAssert(na.in.Here(), kind, val, known)
		if known {
			return value.Bool(val), nil
		}
		na.in.flow.require(cond(na.in, t), "", whyAssert)
		return value.None, nil
	})
	// is_known(value) says whether the value is a known number, text, or the like, or a container of such.
	def("is_known", func(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
		for _, a := range args {
			for x := range value.Walk(a, value.Deep, value.Sequences|value.DictValues) {
				switch x := x.(type) {
				case *value.Unknown, *value.Abstract, *value.SymInt, *value.SymFloat, *value.SymBool, *value.Choice, *value.Tensor:
					return value.Bool(false), nil
				case *value.List:
					if x.Open != nil {
						return value.Bool(false), nil
					}
				case *value.Dict:
					if x.Open != nil {
						return value.Bool(false), nil
					}
				}
			}
		}
		return value.Bool(true), nil
	})
	// is_lost(value) says whether nothing is known of the value.
	def("is_lost", func(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
		return value.Bool(len(args) == 1 && value.IsUnknown(args[0])), nil
	})
	// module_is_there(name) says whether Python would find a module.
	def("module_is_there", func(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
		name, ok := "", len(args) == 1
		if ok {
			name, ok = value.AsStr(args[0])
		}
		return value.Bool(ok && na.in.imports.isThere(name)), nil
	})
	// doings() grows with each call of a library and each loss: where it stays, only the program's own code ran.
	def("doings", func(value.Thread, []value.Value, []value.Kw) (value.Value, error) {
		n := na.build.Made() + len(na.in.rec.causes) + len(na.in.rec.dataSyms)
		if s := na.in.suite; s != nil && s.account != nil {
			n += s.account.calls
		}
		return value.Int(n), nil
	})
	// raised_by_program(exception) says whether the program's own code raised it: then its text is the program's.
	def("raised_by_program", func(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
		if s := na.in.suite; len(args) == 1 && s != nil && s.account != nil {
			i, ok := args[0].(*value.Instance)
			return value.Bool(ok && s.account.raised[i]), nil
		}
		return value.Bool(false), nil
	})
	// attributes(object) lists the own attributes of a module or a class, (name, value), in the order of their definitions.
	def("attributes", func(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
		var attrs *value.Attrs
		if len(args) == 1 {
			switch o := args[0].(type) {
			case *value.Module:
				attrs = o.Attrs
			case *value.Class:
				attrs = o.Attrs
			case *value.Instance:
				attrs = o.Attrs
			case *value.Func:
				attrs = o.Attrs
			}
		}
		var list []value.Value
		if attrs != nil {
			for i := range attrs.Len() {
				list = append(list, value.NewTuple(value.Str(attrs.Name(i)), attrs.At(i)))
			}
		}
		return na.heap.NewList(list), nil
	})
	// is_of(object, class) says whether an object is known to be an instance of a class itself, not of one below it.
	def("is_of", func(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
		if len(args) != 2 {
			return nil, na.in.Raise("TypeError", "is_of takes 2 arguments")
		}
		i, ok := args[0].(*value.Instance)
		return value.Bool(ok && value.Value(i.Class) == args[1]), nil
	})
	// kind_of(object) is 'class', 'function', 'object' or, where nothing is known of it, 'unknown'.
	def("kind_of", func(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
		if len(args) != 1 {
			return nil, na.in.Raise("TypeError", "kind_of takes an argument")
		}
		switch args[0].(type) {
		case *value.Class:
			return value.Str("class"), nil
		case *value.Func:
			return value.Str("function"), nil
		case *value.Unknown, *value.Choice:
			return value.Str("unknown"), nil
		}
		return value.Str("object"), nil
	})
	// line_of(function) is the line of its definition, from 1; 0: that is not known.
	def("line_of", func(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
		if len(args) == 1 {
			if f, ok := args[0].(*value.Func); ok && f.Node != nil {
				return value.Int(na.in.Line(f.Node.Span())), nil
			}
		}
		return value.Int(0), nil
	})
	// certain() says whether the place is on a path that is always taken.
	def("certain", func(value.Thread, []value.Value, []value.Kw) (value.Value, error) {
		return value.Bool(len(na.in.path.conds) == 0 && len(na.in.loops) == 0 && !na.in.doubtful.any()), nil
	})
}

// isThere reports whether a module would be found: in the folders, the environment, the standard library, or where the program has
// imported it.
func (im *imports) isThere(name string) bool {
	v, err := im.importModule(name)
	if err != nil || value.IsUnknown(v) {
		return false
	}
	m, ok := v.(*value.Module)
	return !ok || !im.standIns[m]
}
