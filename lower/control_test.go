package lower_test

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"shapecheck/infer"
	"shapecheck/lower"
	"shapecheck/onnx/check"
	"shapecheck/onnx/inference"
)

// The programs that ortcheck compares with PyTorch are exported, with the types of the
// program, or refused for the reason that is listed.
func TestControlPrograms(t *testing.T) {
	dir := filepath.Join("..", "testdata", "export")
	f, err := os.Open(filepath.Join(dir, "control.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	exported := 0
	cache := infer.NewCache()
	for lines.Scan() {
		var c struct {
			Name, File, Entry, Refused string
			Train                      bool
			Args                       []string
		}
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		res, err := infer.Run(infer.Config{File: filepath.Join(dir, c.File), Entry: c.Entry, Args: c.Args, Eval: !c.Train, Cache: cache})
		if err != nil {
			t.Fatal(c.Name, err)
		}
		in := lower.Input{Graph: res.Graph, Pool: res.Pool, Files: res.Files, Name: "net"}
		for _, p := range res.State {
			in.Params = append(in.Params, lower.Named{Name: p.Name, Value: res.AtCall(p.Tensor)})
		}
		m, err := lower.Lower(in)
		switch {
		case c.Refused != "" && (err == nil || !strings.Contains(err.Error(), c.Refused)):
			t.Errorf("%s: error %v, want one with %q", c.Name, err, c.Refused)
		case c.Refused == "" && err != nil:
			t.Errorf("%s: %v", c.Name, err)
		case err == nil:
			exported++
			if c.Name == "branch.ranks" { // its result has the rank of one branch or the other
				if errs := check.Model(m); len(errs) != 1 || !errs[0].NoRank {
					t.Errorf("%s: %v; want one fault, a rank that is not known", c.Name, errs)
				}
			} else {
				wellFormed(t, m)
			}
			if rep, err := inference.Compare(m); err != nil || !rep.OK() {
				t.Errorf("%s: %v: the model's types are not the program's:\n%s", c.Name, err, rep)
			}
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	if exported < 170 {
		t.Errorf("%d programs are exported", exported)
	}
}

// A file that readers of protobuf refuse is not written: the place that is too deep is named.
func TestConditionsTooDeepAreRefused(t *testing.T) {
	text := "import torch\n\nlayers = [torch.nn.Identity() for _ in range(40)]\n\n\ndef forward(x):\n" +
		"    for f in layers:\n        x = f(x) * 0.5\n        if x.max() < 1:\n            break\n    return x\n"
	_, err := export(t, text, "x:f32[3]")
	if err == nil || !strings.Contains(err.Error(), "more than 30 levels") {
		t.Errorf("error %v, want one that names the number of levels", err)
	}
	if _, err := export(t, strings.Replace(text, "40", "30", 1), "x:f32[3]"); err != nil {
		t.Errorf("30 levels: %v", err)
	}
}
