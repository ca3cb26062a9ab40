package conformance

// This file runs the recorded programs of infer/testdata/chainer_programs with symbols for the sizes of batches: with
// the recorded sizes in their places results must be those of the program with numbers, which infer's tests hold
// against Chainer.

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"shapecheck/check/record"
	"shapecheck/infer"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/tools/testfiles"
)

// symbolicPrograms is how many of the recorded programs take arrays and return.
const symbolicPrograms = 176

// needNumbers are the programs whose results are not known without the sizes, and why.
var needNumbers = map[string]string{
	"datasets_transform": "an element of numpy.arange(6) at a place that counts from the end of a dataset of N examples",
	"errors_a":           "whether two sizes differ, so that there is an exception, is not known: the result is one of both",
	"example_wavenet":    "what the first turn of a loop over N arrays sets is set only where there is a turn, which N = 0 does not have",
	"getitem":            "a list of N sizes is one for all its elements",
	"iterators_kinds":    "a list with an element for each batch of N examples",
	"loop_caption_loss":  "the loop ends on computed numbers, with numbers too",
	"np_argsort_known":   "the order of sizes is not known",
	"np_pad_batch":       "how many elements a mask of N lengths keeps",
	"numpy_saved":        "the text of a shape has the size in it",
	"trainer_extensions": "the epochs that a number of iterations makes of N examples",
	"typecheck_utils":    "whether two sizes are equal",
}

var arrayType = regexp.MustCompile(`\b([fiu]\d+|bool|c\d+)\[(\d+)`)

func TestProgramsOfChainerWithSymbols(t *testing.T) {
	folder := testfiles.Unpack(t, "../../infer/testdata/chainer_programs")
	f, err := os.Open(filepath.Join(folder, "results.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	ran := 0
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var p struct {
			File, Entry, Error string
			Args               []string
		}
		if err := json.Unmarshal(lines.Bytes(), &p); err != nil {
			t.Fatal(err)
		}
		sizes := map[string]int64{}
		args := make([]string, len(p.Args))
		for i, a := range p.Args {
			args[i] = arrayType.ReplaceAllStringFunc(a, func(s string) string {
				m := arrayType.FindStringSubmatch(s)
				n, err := strconv.ParseInt(m[2], 10, 64)
				if err != nil || n < 2 {
					return s
				}
				sizes["N"+m[2]] = n
				return m[1] + "[N" + m[2]
			})
		}
		if p.Error != "" || len(sizes) == 0 {
			continue
		}
		ran++
		t.Run(p.File, func(t *testing.T) {
			cfg := infer.Config{File: filepath.Join(folder, p.File+".py"), Entry: p.Entry, Args: p.Args, NumpyVersion: "1.23.5"}
			sameWithSymbols(t, cfg, args, sizes, needNumbers[p.File])
		})
	}
	if err := lines.Err(); err != nil || ran != symbolicPrograms {
		t.Errorf("%d programs, %v", ran, err)
	}
}

// sameWithSymbols compares a run with numbers and one with symbols; why is what makes them differ, if anything does.
func sameWithSymbols(t *testing.T, cfg infer.Config, args []string, sizes map[string]int64, why string) {
	t.Helper()
	numbers, err := checkEntry(cfg)
	if err != nil {
		t.Fatal(err)
	}
	cfg.Args = args
	symbols, err := checkEntry(cfg)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range symbols.Diagnostics {
		if d.Severity == diag.Error {
			t.Errorf("a false error: %s", d.Msg)
		}
	}
	pool := symshape.NewPool()
	with := newMatcher(symbols, func(v any) any {
		return substitute(pool, v, func(name string) (int64, bool) { n, ok := sizes[name]; return n, ok })
	})
	want, got := normal(record.Build(numbers).Output), record.Build(symbols).Output
	switch v := with.match(got, want); {
	case why != "" && v == equal:
		t.Errorf("the same, though listed: %s", why)
	case why == "" && v > max(dataDependent, newMatcher(numbers, nil).match(want, want)): // numbers that are not known either way
		t.Errorf("%v, with numbers %v", got, want)
	}
}
