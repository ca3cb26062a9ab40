package cli

// This file runs models on recorded inputs and compares the outputs: shapecheck test DIR,
// in the layout of ONNX's own tests. The layout is that of onnx.backend.test: a folder with
// model.onnx and folders test_data_set_N, which hold the inputs and outputs as serialized
// TensorProto, SequenceProto or OptionalProto. The names of inputs are taken from the model in
// their order. Outputs without a file are not compared.

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"shapecheck/codegen"
	"shapecheck/codegen/isa"
	"shapecheck/internal/atomicfile"
	"shapecheck/internal/localfile"
	"shapecheck/internal/reads"
	"shapecheck/internal/safetext"
	"shapecheck/runtime/tensor"
	"shapecheck/runtime/vm"
)

// testFlags say what counts as equal. Tolerances below 0 stand for those of the element type. only
// is a part of the name of the test's folder.
type testFlags struct {
	m modelFlags
	r runFlags
	// An element x matches a recorded r where |x - r| <= atol + rtol·|r|.
	rtol, atol float64
	// Whether NaN equals NaN.
	equalNaN bool
	// Only types and sizes are compared.
	noValues bool
	only     string
	// Files of tests that are known to fail.
	exceptions []string
	compile    bool
	verbose    bool
	// How far each output is away is printed even if it is near enough.
	showDiff bool
	report   string
	w        watchedRun
}

func (a *app) testCommand() *cobra.Command {
	var t testFlags
	c := &cobra.Command{
		Use:   "test DIR…",
		Short: "Run models on recorded inputs and compare their outputs with the recorded ones",
		Long: `Each DIR is a test as ONNX has them, model.onnx beside test_data_set_N/input_I.pb and output_I.pb,
or a folder with tests below it. A test passes when all outputs have the recorded type and sizes and their
elements are within atol + rtol·|recorded|.`,
		Args: func(c *cobra.Command, args []string) error {
			err := cobra.MinimumNArgs(1)(c, args)
			if err != nil && isFolder(c.Name()) {
				return fmt.Errorf("%w; there is a folder %s, which is checked by: shapecheck ./%[2]s", err, c.Name())
			}
			return err
		},
		RunE: func(_ *cobra.Command, args []string) error {
			return a.bounded(&t.m.t.limits, func() error { return a.test(&t, args) })
		},
	}
	t.m.flags(c)
	t.r.flags(c)
	t.w.flags(c)
	t.m.t.limits.forModels(c, "a test")
	f := c.Flags()
	f.Float64Var(&t.rtol, "rtol", -1,
		"how far an element may be from the recorded one, as a part of that; by its type: 1e-3, f16 4e-3, bf16 2e-2")
	f.Float64Var(&t.atol, "atol", -1, "how far an element may be from the recorded one; by its type: 1e-5, f16 2e-3, bf16 2e-2")
	f.StringArrayVar(&t.exceptions, "exceptions", nil,
		"a file of tests that fail: name, verdict and reason on each line with tabs between them. The verdict is refused, different, or types where types and sizes alone are compared; another outcome is a failure")
	f.BoolVar(&t.equalNaN, "equal-nan", true, "elements that are not a number are equal")
	f.BoolVar(&t.noValues, "no-check-values", false, "compare types and sizes alone")
	f.BoolVar(&t.showDiff, "always-show-diff", false, "say of each output how far it is from the recorded one, also where that is near enough")
	f.BoolVar(&t.compile, "compile-only", false, "compile the models and run nothing")
	f.StringVar(&t.report, "report-json", "", "a file for the outcomes and times of the tests")
	f.StringVar(&t.only, "only", "", "only tests whose name contains this")
	f.BoolVarP(&t.verbose, "verbose", "v", false, "name the tests that pass, too")
	return c
}

// test runs the tests. Failures are findings. The tests run one after the other, so that times can
// be compared. It returns an error where nothing could be run: bad flags, no test, a file of
// exceptions that is malformed, or the end of the context.
func (a *app) test(t *testFlags, args []string) error {
	if err := errors.Join(a.options(&t.m), t.r.check(), t.w.check()); err != nil {
		return err
	}
	if t.report != "" {
		if err := atomicfile.Check(t.report); err != nil {
			return err
		}
	}
	excepted, err := readExceptions(t.exceptions)
	if err != nil {
		return err
	}
	files, err := testGate(args)
	if err != nil {
		return err
	}
	t.m.o.FS = files
	var dirs []string
	for _, d := range args {
		// Any folder with a model below the given ones is a test; an error of reading a folder ends
		// the search.
		if err := filepath.WalkDir(d, func(path string, e fs.DirEntry, err error) error {
			if err == nil && !e.IsDir() && e.Name() == "model.onnx" && strings.Contains(filepath.Base(filepath.Dir(path)), t.only) {
				dirs = append(dirs, filepath.Dir(path))
			}
			return err
		}); err != nil {
			return err
		}
	}
	if len(dirs) == 0 {
		return errors.New("there is no test: no file model.onnx in or below the folders")
	}
	// A trace has one run.
	if t.w.chrome != "" && len(dirs) > 1 {
		return fmt.Errorf("--chrome-trace is for one test, not for %d", len(dirs))
	}
	t.w.configure(&t.r.cfg)
	rep := testReport{Version: runReportVersion}
	loose := 0
	for _, d := range dirs {
		if err := a.context().Err(); err != nil {
			return err
		}
		one := testedReport{Name: filepath.Base(d)}
		// A test that is listed with the verdict types runs, but its elements are not compared.
		x, listed := excepted[one.Name]
		err := a.timed(&t.m.t.limits, func() error { return a.testOne(t, d, t.noValues || x.verdict == verdictTypes, &one) })
		one.settle(err, x, listed)
		rep.Tests = append(rep.Tests, one)
		line := ""
		switch one.Outcome {
		case "failed":
			rep.Failed++
			line = "FAIL %s: %s\n"
		case "skipped":
			rep.Skipped++
			line = "skip %s: %s\n"
		case "types":
			loose++
			fallthrough
		default:
			rep.Passed++
			line = "ok   %s%s\n"
		}
		if t.verbose || one.Outcome == "failed" {
			fmt.Fprintf(a.out, line, safetext.Line(one.Name), safetext.Indented(one.Reason, "    "))
		}
		// --no-catch stops at the first failure, for a debugger.
		if t.w.noCatch && one.Outcome == "failed" {
			break
		}
	}
	fmt.Fprintf(a.out, "%d passed", rep.Passed)
	if loose > 0 {
		fmt.Fprintf(a.out, " (%d by types and sizes alone)", loose)
	}
	fmt.Fprintf(a.out, ", %d failed, %d skipped\n", rep.Failed, rep.Skipped)
	if rep.Failed > 0 {
		a.code = 1
	}
	if t.report != "" {
		return writeJSON(t.report, &rep)
	}
	return nil
}

// settle says what came of a test that ended with err. x is the exception that lists the test, if
// listed. A test that is listed must fail as the list says: one that passes although it is listed,
// or fails in another way, is a failure, so that the list cannot go out of date.
func (r *testedReport) settle(err error, x exception, listed bool) {
	switch {
	case x.verdict == verdictTypes && err == nil:
		r.Outcome = "types"
	case x.verdict == verdictTypes:
		r.Outcome, r.Reason = "failed", err.Error()
	case err != nil && listed && verdictOf(err) != x.verdict:
		r.Outcome, r.Reason = "failed", "it is listed as "+x.verdict+" and is "+verdictOf(err)+": "+err.Error()
	case err != nil && listed:
		r.Outcome, r.Reason = "skipped", safetext.Line(x.reason)+": "+err.Error()
	case listed:
		r.Outcome, r.Reason = "failed", "it passes and is listed as an exception"
	case err != nil:
		r.Outcome, r.Reason = "failed", err.Error()
	default:
		r.Outcome = "passed"
	}
}

// maxExceptions bounds the file of exceptions in bytes. The verdict is one of the three below, the
// reason a text for the reader.
const maxExceptions = 1 << 20

// An exception is a test that fails, or one whose values are not compared.
type exception struct{ verdict, reason string }

// The verdicts of exceptions.
const (
	verdictRefused   = "refused"   // compiling, loading or running it is an error
	verdictDifferent = "different" // an output is not the recorded one
	verdictTypes     = "types"     // its outputs' types and sizes are the recorded ones
)

// A differentError says that an output is not the recorded one. verdictOf tells it from all other
// errors, which are refusals.
type differentError struct{ error }

func (e differentError) Unwrap() error { return e.error }

// verdictOf is the verdict on a test that ended with an error.
func verdictOf(err error) string {
	if errors.As(err, new(differentError)) {
		return verdictDifferent
	}
	return verdictRefused
}

// readExceptions reads the exceptions by the tests' names. A test may be named once in all files.
// It returns an error for a file that cannot be read and for a line that is malformed.
func readExceptions(paths []string) (map[string]exception, error) {
	out := map[string]exception{}
	for _, path := range paths {
		b, err := localfile.Read(path, maxExceptions)
		if err != nil {
			return nil, err
		}
		if err := addExceptions(out, path, string(b)); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Empty lines, and lines that begin with #, are skipped. Other lines have three fields between
// tabs.
func addExceptions(out map[string]exception, path, text string) error {
	for i, line := range strings.Split(text, "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		f := strings.Split(line, "\t")
		if len(f) != 3 || f[0] == "" || f[2] == "" {
			return fmt.Errorf("%s:%d: a test, the verdict and the reason, with tabs between them, are expected", path, i+1)
		}
		switch f[1] {
		case verdictRefused, verdictDifferent, verdictTypes:
		default:
			return fmt.Errorf("%s:%d: the verdict %q is not refused, different or types", path, i+1, f[1])
		}
		if _, twice := out[f[0]]; twice {
			return fmt.Errorf("%s:%d: %s has a line already", path, i+1, f[0])
		}
		out[f[0]] = exception{f[1], f[2]}
	}
	return nil
}

// testGate gives the files that tests may have: what lies below the folders that are named, and below the working directory if
// one of these does. A model may name files with weights beside it, which must not lead out of
// these folders.
func testGate(dirs []string) (*reads.Gate, error) {
	wd, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	gate := reads.NewGate(nil)
	for _, d := range dirs {
		gate.Add(reads.Root{Path: d, Reach: reads.Everything})
		abs, err := filepath.Abs(d)
		if err != nil {
			return nil, err
		}
		// Paths in a model may be relative to the working directory.
		if rel, err := filepath.Rel(wd, abs); err == nil && filepath.IsLocal(rel) {
			gate.Add(reads.Root{Path: wd, Reach: reads.Everything})
		}
	}
	return gate, nil
}

// testOne runs one test and notes its times. rep gets the times. With types only types and sizes
// are compared. It returns a differentError where an output is not the recorded one, and another
// error where something cannot be compiled, loaded, read or run.
func (a *app) testOne(t *testFlags, dir string, types bool, rep *testedReport) error {
	start := time.Now()
	p, err := codegen.CompileFile(a.context(), filepath.Join(dir, "model.onnx"), t.m.o)
	if err != nil {
		return err
	}
	if t.m.strip {
		p.ISA.Strip()
	}
	// PrepareMS is that of compiling first, and includes loading once there is a model.
	rep.PrepareMS = millis(time.Since(start))
	if t.compile {
		return nil
	}
	m, err := loadCompiled(p, t.r.cfg)
	if err != nil {
		return err
	}
	defer m.Close()
	rep.PrepareMS = millis(time.Since(start))
	sets, err := dataSets(dir)
	if err != nil {
		return err
	}
	// test_data_set_10 comes after test_data_set_9.
	slices.SortFunc(sets, func(x, y string) int { return cmp.Compare(numberOf(x), numberOf(y)) })
	for _, set := range sets {
		in := vm.Inputs{}
		for i, x := range m.Program().Inputs {
			v, err := recorded(t.m.o.FS, filepath.Join(set, fmt.Sprintf("input_%d.pb", i)), x.Type)
			if err != nil {
				return err
			}
			in[x.Name] = v
		}
		w := t.w
		if w.dump != "" {
			w.dump = filepath.Join(w.dump, filepath.Base(dir), filepath.Base(set))
		}
		start := time.Now()
		y, err := a.watched(&w, m, in)
		if err != nil {
			return err
		}
		rep.RunMS += millis(time.Since(start))
		for i, x := range m.Program().Outputs {
			path := filepath.Join(set, fmt.Sprintf("output_%d.pb", i))
			// ONNX's tests leave out what is random.
			if _, err := t.m.o.FS.Stat(path); errors.Is(err, fs.ErrNotExist) {
				continue
			}
			want, err := recorded(t.m.o.FS, path, x.Type)
			if err != nil {
				return err
			}
			if t.showDiff {
				fmt.Fprintf(a.out, "diff %s, %s, output %q: %s\n", safetext.Line(rep.Name), filepath.Base(set), x.Name, distance(y[x.Name], want))
			}
			if err := t.same(types, y[x.Name], want); err != nil {
				return differentError{fmt.Errorf("%s, output %q: %w", filepath.Base(set), x.Name, err)}
			}
		}
	}
	return nil
}

// dataSets lists the folders with recorded values of a test. An error where there is none, or the
// folder cannot be read.
func dataSets(dir string) ([]string, error) {
	list, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var sets []string
	for _, e := range list {
		if strings.HasPrefix(e.Name(), "test_data_set_") {
			sets = append(sets, filepath.Join(dir, e.Name()))
		}
	}
	if len(sets) == 0 {
		return nil, errors.New("it has no folder test_data_set_0")
	}
	return sets, nil
}

// numberOf is the number that a name ends in. 0 for a name without a number.
func numberOf(s string) int {
	n, err := strconv.Atoi(s[strings.LastIndexByte(s, '_')+1:])
	if err != nil {
		return 0
	}
	return n
}

// recorded reads a recorded value of a type's kind. The file has one value. A mismatch of its kind
// with the type is an error of reading.
func recorded(fsys reads.FS, path string, t *isa.Type) (tensor.Value, error) {
	kind := tensor.TensorKind
	switch t.Kind {
	case isa.Type_SEQUENCE:
		kind = tensor.SequenceKind
	case isa.Type_OPTIONAL:
		kind = tensor.OptionalKind
	}
	list, err := tensor.ReadFile(fsys, path, kind)
	if err != nil {
		return nil, err
	}
	if x, ok := list[0].Value.(*tensor.Tensor); ok && t.Elem == uint32(tensor.BFloat16) && x.DType() == tensor.Uint16 {
		return tensor.Wrap(tensor.BFloat16, x.Dims(), x.Bytes()) // old records keep its bits in u16, as numpy had no such type
	}
	return list[0].Value, nil
}
