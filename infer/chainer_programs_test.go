package infer

// This file runs programs of Chainer and holds their results, their calls of links, their parameters and their errors
// against what Chainer 7.8.1 gave: testdata/chainer_programs, which record.py there recorded.

import (
	"bufio"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"shapecheck/infer/ops/chainer"
	"shapecheck/infer/ops/opstest"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/tools/testfiles"
)

// A chainerProgram is a line of results.jsonl.
type chainerProgram struct {
	File, Entry string
	Args        []string
	Out         json.RawMessage
	Error       string
	Line        int
	Calls       [][]json.RawMessage // name, and the result where it returned
	Params      map[string]json.RawMessage
}

// openResults are the programs whose result follows from numbers that are computed, so that Chainer's is one of those
// that are possible; each with what decides. A program that gives exactly what Chainer gave does not belong here.
var openResults = map[string]string{
	"loop_caption_loss":  "the loss is the number 0.0 where all second words are padding, and each turn may be the last",
	"loop_caption_words": "the turn in which all words that the model chooses are the last one decides how many there are",
	"loop_translation":   "a text is as long as there are words before the first end that the model chooses",
}

func TestProgramsOfChainerGiveWhatItGives(t *testing.T) {
	folder := testfiles.Unpack(t, "testdata/chainer_programs")
	f, err := os.Open(filepath.Join(folder, "results.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	files, err := filepath.Glob(filepath.Join(folder, "*.py"))
	if err != nil {
		t.Fatal(err)
	}
	n, open := 1, 0 // record.py
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		n++
		var p chainerProgram
		if err := json.Unmarshal(lines.Bytes(), &p); err != nil {
			t.Fatal(err)
		}
		if openResults[p.File] != "" {
			open++
		}
		t.Run(p.File, func(t *testing.T) { p.check(t, folder) })
	}
	if err := lines.Err(); err != nil || n != len(files) || open != len(openResults) {
		t.Errorf("%d results of %d programs, %d of %d open, %v", n-1, len(files)-1, open, len(openResults), err)
	}
}

func (p *chainerProgram) check(t *testing.T, folder string) {
	cfg := Config{File: filepath.Join(folder, p.File+".py"), Entry: p.Entry, Args: p.Args, TorchVersion: "1.13.1", NumpyVersion: "1.23.5"}
	res, err := Run(cfg)
	if err != nil {
		t.Fatal(err)
	}
	at := 0
	var first string
	for _, d := range res.Diagnostics {
		if d.Severity == diag.Error {
			at, first = res.Files.Position(d.At.Start).Line, d.Msg
			break
		}
	}
	switch {
	case p.Error != "":
		if first == "" {
			t.Errorf("no error; Chainer's: %s", p.Error)
		} else if at != p.Line {
			t.Errorf("an error in line %d, Chainer's in line %d: %s", at, p.Line, first)
		}
		return
	case first != "":
		t.Errorf("line %d: %s", at, first)
		return
	}
	same := func(what string, v value.Value, want json.RawMessage) {
		t.Helper()
		j := opstest.Judge(&opstest.Record{File: "chainer", Out: want}, opstest.Result{Value: v})
		if why := openResults[p.File]; why != "" && (what == "the result" || what == "call /") {
			if j.Verdict != opstest.Unknown {
				t.Errorf("%s is %s, not unknown: %s", what, j.Verdict, why)
			}
		} else if j.Verdict != opstest.Exact {
			t.Errorf("%s: %s: %s", what, j.Verdict, j.Why)
		}
	}
	same("the result", res.Output, p.Out)
	var calls []*ModuleCall
	for _, c := range res.Calls {
		if !c.Outside && !c.own { // Chainer's own __call__ records, not one that a class has in its place
			calls = append(calls, c)
		}
	}
	for i, want := range p.Calls {
		var name string
		if err := json.Unmarshal(want[0], &name); err != nil {
			t.Fatal(err)
		}
		if i >= len(calls) || calls[i].Name != name {
			t.Fatalf("call %d is not one of %s", i, name)
		}
		same("call "+name, calls[i].Out, want[1])
	}
	if len(calls) > len(p.Calls) && p.Calls != nil {
		t.Errorf("%d calls, Chainer's %d", len(calls), len(p.Calls))
	}
	given := map[string]*value.Tensor{}
	for _, n := range res.State {
		given["/"+n.Name] = n.Tensor
	}
	for _, name := range slices.Sorted(maps.Keys(p.Params)) {
		v := given[name]
		switch want := p.Params[name]; {
		case v == nil:
			t.Errorf("no parameter %s", name)
		case strings.Contains(string(want), "uninitialized"):
			if !chainer.IsPending(v) {
				t.Errorf("%s has a shape", name)
			}
		default:
			same(name, v, want)
		}
	}
}
