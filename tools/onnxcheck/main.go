// Onnxcheck compares the inference over ONNX models with ground truth: ONNX's
// own node tests, whose recorded outputs have the types that must be inferred, and
// onnx.shape_inference, which must not know more.
//
//	onnxcheck [--data /usr/share/libonnx-testdata/data] [--python /usr/bin/python3]
//
//	onnxcheck --exported DIR [--python /usr/bin/python3]
//	onnxcheck eval [--only NAME] DIR…
//	onnxcheck --mutants 2000 [--seed 1] [--data DIR] [--python PYTHON]
//
// With eval it runs the recorded tests below folders on the reference evaluator and
// compares the outputs.
//
// With --mutants it compares package check with onnx.checker on node tests that are
// changed at random; the interpreter must have the version of onnx that the package
// says.
//
// Each test runs four times: as it is; with the sizes of its inputs as symbols,
// whose recorded values the inferred expressions must give; with the small recorded
// inputs as constants, as sizes and scales often are; and so in the newest form of the
// operators. The types that the files declare for outputs are not used.
//
//	main.go     the flags and counts     truth.go     recorded tests, and the verdicts
//	eval.go     eval                     exported.go  --exported
//	mutants.go  --mutants                upgraded.go  models in the newest form
package main

import (
	"bufio"
	_ "embed"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"shapecheck/onnx"
	"shapecheck/onnx/inference"
	onfile "shapecheck/tools/counts"
)

// reference runs onnx.shape_inference and prints the outputs' types.
//
//go:embed reference.py
var reference string

// guesses are tests where onnx.shape_inference says what it cannot know, and is
// right by chance.
var guesses = map[string]string{
	"test_expand_shape_model1": "the result gets the input's sizes where the shape is not known",
	"test_expand_shape_model2": "the same",
}

func main() {
	if len(os.Args) > 1 && os.Args[1] == "eval" {
		set := flag.NewFlagSet("eval", flag.ExitOnError)
		only := set.String("only", "", "only tests whose name contains this")
		_ = set.Parse(os.Args[2:])
		ok, err := evaluate(os.Stdout, set.Args(), *only)
		exit(ok, err)
	}
	data := flag.String("data", "/usr/share/libonnx-testdata/data", "the directory of the tests")
	python := flag.String("python", "/usr/bin/python3", "an interpreter with the package onnx; empty: without the comparison")
	verbose := flag.Bool("v", false, "list the outputs of which something is unknown")
	only := flag.String("only", "", "only tests whose name contains this")
	files := flag.String("exported", "", "compare over models that torch.onnx.export writes into this directory, instead of the tests")
	mutants := flag.Int("mutants", 0, "compare the checker with onnx.checker on this many models, instead of the tests")
	seed := flag.Int("seed", 1, "of the random changes of --mutants")
	file := flag.String("counts", "testdata/counts.txt", "the file that holds what must be counted when all tests run; empty: none")
	table := flag.String("table", "onnxcheck", "the name of its table of these tests")
	update := flag.Bool("update-counts", false, "write what was counted into that file")
	flag.Parse()
	if *mutants > 0 {
		ok, err := compareMutants(os.Stdout, *data, *python, *mutants, *seed)
		exit(ok, err)
	}
	if *files != "" {
		ok, err := exported(os.Stdout, *files, *python)
		exit(ok, err)
	}
	ok, rows, err := run(os.Stdout, *data, *python, *only, *verbose)
	if err == nil && *only == "" && *python != "" && *file != "" {
		if differ := onfile.Check(*file, *table, rows, *update); differ != nil {
			fmt.Fprintf(os.Stderr, "%v\n(--update-counts writes the file)\n", differ)
			ok = false
		}
	}
	exit(ok, err)
}

// exit ends the program: 1 where something differs, 2 where it could not be found out.
func exit(ok bool, err error) {
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, "onnxcheck:", err)
		os.Exit(2)
	case !ok:
		os.Exit(1)
	}
	os.Exit(0)
}

// A mode is a way to run a test.
type mode string

const (
	asIs     mode = "as it is"
	symbolic mode = "symbolic sizes"
	bound    mode = "small inputs bound"
	newest   mode = "the same in the newest form"
)

var modes = []mode{asIs, symbolic, bound, newest}

type counts struct{ models, outputs, exact, partial, wrong, errors, weaker, compared int }

// A theirs is a type that onnx.shape_inference gives.
type theirs struct {
	Elem onnx.DType `json:"elem"`
	Dims *[]any     `json:"dims"` // numbers, names or null
	Of   *theirs    `json:"of"`
}

// run infers the types of ONNX's node tests in each mode and compares them with the recorded outputs, and with
// onnx.shape_inference if there is a Python to ask. Good says that none is wrong, no model is refused and none is less precise
// than onnx; only is a part of the paths to run.
func run(w io.Writer, data, python, only string, verbose bool) (good bool, rows []onfile.Row, err error) {
	paths, err := filepath.Glob(filepath.Join(data, "*", "*", "model.onnx"))
	if err != nil {
		return false, nil, err
	}
	if len(paths) == 0 {
		return false, nil, fmt.Errorf("no tests below %s: install libonnx-testdata", data)
	}
	slices.Sort(paths)
	paths = slices.DeleteFunc(paths, func(p string) bool { return !strings.Contains(p, only) })
	ref := map[string]map[string]map[string]*theirs{}
	if python != "" {
		if ref, err = runReference(python, paths); err != nil {
			return false, nil, err
		}
	}
	good = true
	for _, m := range modes {
		n := counts{}
		for _, path := range paths {
			t, err := load(path)
			if err != nil {
				return false, nil, fmt.Errorf("%s: %w", path, err)
			}
			name := filepath.Base(filepath.Dir(path))
			n.models++
			res, bind, err := t.infer(m)
			if err != nil {
				return false, nil, fmt.Errorf("%s: %w", path, err)
			}
			for _, e := range res.Errors {
				n.errors++
				fmt.Fprintf(w, "ERROR %s (%s): %s\n", name, m, e)
			}
			for i, out := range t.model.Graph.Outputs {
				n.outputs++
				got := res.Graphs[t.model.Graph][out.Name]
				switch verdict := t.outputs[i].check(got, bind); verdict {
				case "":
					n.exact++
				case unknown:
					n.partial++
					if verbose {
						fmt.Fprintf(w, "unknown %s (%s): %s is %s, recorded %s\n", name, m, out.Name, got, t.outputs[i])
					}
				default:
					n.wrong++
					fmt.Fprintf(w, "WRONG %s (%s): %s is %s, recorded %s: %s\n", name, m, out.Name, got, t.outputs[i], verdict)
				}
				if r := ref[path][string(m)][out.Name]; r != nil && t.outputs[i].agrees(r) {
					n.compared++
					if why := weaker(got, r); why != "" && guesses[name] == "" {
						n.weaker++
						fmt.Fprintf(w, "WEAKER %s (%s): %s is %s; onnx knows %s\n", name, m, out.Name, got, why)
					}
				}
			}
		}
		fmt.Fprintf(w, "%s: %d models, %d outputs: %d exact, %d partly unknown, %d wrong; %d false errors; less precise than onnx.shape_inference: %d of %d\n", m, n.models, n.outputs, n.exact, n.partial, n.wrong, n.errors, n.weaker, n.compared)
		good = good && n.wrong == 0 && n.errors == 0 && n.weaker == 0
		rows = append(rows, onfile.Row{Name: string(m), Counts: []onfile.Count{{Name: "models", N: n.models}, {Name: "exact", N: n.exact},
			{Name: "partly unknown", N: n.partial},
			{Name: "wrong", N: n.wrong}, {Name: "false errors", N: n.errors}, {Name: "weaker than onnx", N: n.weaker},
			{Name: "compared with onnx", N: n.compared}}})
	}
	return good, rows, nil
}

// runReference asks onnx.shape_inference: path, mode, output, type.
func runReference(python string, paths []string) (map[string]map[string]map[string]*theirs, error) {
	cmd := exec.Command(python, "-c", reference)
	cmd.Stdin = strings.NewReader(strings.Join(paths, "\n"))
	cmd.Stderr = os.Stderr
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	out := map[string]map[string]map[string]*theirs{}
	sc := bufio.NewScanner(pipe)
	sc.Buffer(nil, 1<<24)
	for sc.Scan() {
		var line struct {
			Path, Mode string
			Types      map[string]*theirs
		}
		if err := json.Unmarshal(sc.Bytes(), &line); err != nil {
			return nil, err
		}
		if out[line.Path] == nil {
			out[line.Path] = map[string]map[string]*theirs{}
		}
		out[line.Path][line.Mode] = line.Types
	}
	if err := sc.Err(); err != nil {
		return nil, err
	}
	return out, cmd.Wait()
}

// weaker says what onnx knows and we do not.
func weaker(got *inference.Type, r *theirs) string {
	switch {
	case r.Of != nil:
		if got == nil || got.Of == nil {
			return "a sequence or optional"
		}
		return weaker(got.Of, r.Of)
	case r.Elem == onnx.Undefined:
		return ""
	case got == nil || got.Elem == onnx.Undefined:
		return "the element type"
	case r.Dims == nil:
		return ""
	case !got.Ranked || len(got.Dims) != len(*r.Dims):
		return fmt.Sprintf("the dimensions %v", *r.Dims)
	}
	for i, d := range *r.Dims {
		if n, ok := d.(float64); ok {
			if _, known := got.Dims[i].Const(); !known {
				return fmt.Sprintf("that dimension %d is %v", i, n)
			}
		}
	}
	return ""
}
