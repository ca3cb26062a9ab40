package cli

// This file runs the test suite of a project: shapecheck pytest [PATH…].

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"shapecheck/check"
	"shapecheck/infer"
	"shapecheck/suite"
)

// suiteFlags are those of a run of a test suite.
type suiteFlags struct {
	t              target
	keyword, marks string
	collectOnly    bool
	verbose        bool
	quiet          bool
	options        []string
	environment    []string
	outputs        []string
	changed        func(string) bool
}

func (a *app) pytestCommand() *cobra.Command {
	var s suiteFlags
	c := &cobra.Command{
		Use:   "pytest [PATH…]",
		Short: "Run a project's test suite without Python",
		Long: `Collects the tests of a project as pytest does, by its configuration, and runs each of them without Python and PyTorch.
PATH is a file, a folder, or a node id such as tests/test_net.py::test_forward. A case fails (✗) where an error lies on the path that is
always taken, or an assert cannot hold; it holds (✓) where all its asserts are decided and true, and runs (~) where it came to its end
and not all are decided. What was stopped or lost is undecided (?); skipped and refused cases have a dash (–).`,
		RunE: func(_ *cobra.Command, args []string) error {
			return a.bounded(&s.t.limits, func() error { return a.pytest(&s, args) })
		},
	}
	f := c.Flags()
	run := &s.t.Run
	f.StringVarP(&s.keyword, "keyword", "k", "", "run the tests whose names match an expression: 'forward and not slow'")
	f.StringVarP(&s.marks, "markers", "m", "", "run the tests whose marks match an expression: 'not slow'")
	f.BoolVar(&s.collectOnly, "collect-only", false, "print the node ids of the tests and run none")
	f.BoolVarP(&s.verbose, "verbose", "v", false, "print each case")
	f.BoolVarP(&s.quiet, "quiet", "q", false, "print the sum alone, and what fails")
	f.StringArrayVar(&s.options, "test-option", nil, "an option that the suite's conftest.py adds, without its dashes: runslow, device=cpu")
	f.StringArrayVar(&s.environment, "env", nil, "a variable of the environment that the tests see: NAME=VALUE")
	f.StringArrayVar(&s.outputs, "output-format", nil, "text, json or junit; FORMAT=FILE writes to a file; may be repeated")
	f.StringArrayVar(&run.Roots, "path", nil, "a directory in which modules are looked for")
	f.StringVar(&run.Environment.Python, "python", "",
		"the environment whose packages are used: its folder, its interpreter, a folder site-packages, or none")
	f.StringVar(&run.TorchVersion, "torch-version", "", "what torch.__version__ says")
	f.StringVar(&run.NumpyVersion, "numpy-version", "", "what numpy.__version__ says")
	f.StringVar(&run.Device, "device", infer.DeviceCPU, "what the machine has: cuda, one GPU, or cpu, none (the default)")
	s.t.limits.flags(c)
	s.changed = f.Changed
	return c
}

// pytest runs a suite and prints what became of it.
func (a *app) pytest(s *suiteFlags, args []string) error {
	if s.t.Run.Device != infer.DeviceCPU && s.t.Run.Device != infer.DeviceCUDA {
		return fmt.Errorf("--device %s: cuda or cpu is wanted", s.t.Run.Device)
	}
	if err := s.t.findEnvironment(); err != nil {
		return err
	}
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	for _, p := range s.t.Run.Roots {
		if info, err := os.Stat(p); err != nil || !info.IsDir() {
			return fmt.Errorf("--path %s: no such directory", p)
		}
	}
	outputs, err := suiteOutputs(s.outputs)
	if err != nil {
		return err
	}
	o := suite.Options{Run: s.t.Run, Dir: dir, Args: args, CollectOnly: s.collectOnly, Given: map[string]string{},
		Steps: s.t.limits.steps, Timeout: time.Duration(s.t.limits.timeout)}
	o.Environment = s.environment
	o.Run.MaxMemory = int64(s.t.limits.memory)
	for _, x := range s.options {
		name, value, _ := strings.Cut(x, "=")
		o.Given[name] = value
	}
	if s.changed("keyword") {
		o.Keyword = &s.keyword
	}
	if s.changed("markers") {
		o.Marks = &s.marks
	}
	p := &suitePrinter{w: a.out, flags: s, text: outputs[""] == "text"}
	o.Loaded, o.Ended = p.begin, func(f *suite.File) {
		p.file(f)
		_ = a.out.Flush() // the end reports its errors
	}
	report, err := suite.Run(a.ctx, o)
	if err != nil {
		return err
	}
	p.report = report
	if s.collectOnly {
		p.collected()
	} else {
		p.end()
	}
	for to, format := range outputs {
		if format != "text" || to != "" {
			err = errors.Join(err, a.writeSuite(p, format, to))
		}
	}
	a.code = suiteCode(report)
	return err
}

// suiteCode is the exit code of a run: 1 where a case fails, 2 where nothing could be collected.
func suiteCode(r *suite.Report) int {
	cases, refused := 0, 0
	code := check.ExitClean
	for _, f := range r.Files {
		cases += len(f.Cases)
		if f.Refused != "" {
			refused++
		}
		for _, c := range f.Cases {
			if c.Verdict == suite.Fails {
				code = check.ExitFindings
			}
		}
	}
	if cases == 0 && !onlySkipped(r) {
		return check.ExitUsage
	}
	return code
}

// onlySkipped reports whether there are files, and all of them skip themselves.
func onlySkipped(r *suite.Report) bool {
	for _, f := range r.Files {
		if f.Skipped == "" {
			return false
		}
	}
	return len(r.Files) > 0
}
