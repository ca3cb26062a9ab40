package trace

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"shapecheck/infer"
	"shapecheck/tools/testfiles"
)

// A recording is what PyTorch 2.15 did in a program, as instrumented by the recorder of
// testdata/retrace/README.md.
type recording struct {
	Source   string
	Branches []struct {
		File, Kind string
		Line       int
		Values     []any
		Depends    []string
	}
	AgainSameOps bool `json:"again_same_ops"`
	Others       []struct {
		SameOps bool `json:"same_ops"`
		Result  *string
		Error   *string
	}
}

// notKnown are what the report leaves open in the records' programs, with the reason.
var notKnown = map[string]string{
	"early_stop.py": "a product of matrices of another input is not compared with a bound",
}

// otherwise are programs of which a record says less than is so of what a place depends on.
var otherwise = map[string]string{
	"plateau_lr.py":    "float() of a loss hides from the recorder that its value decides",
	"and_or_values.py": "of an if over and and or the recorder has one operand: sizes decide for f32[1], values for a negative f32[3]",
	"early_stop.py":    "of an if over and the recorder has one operand: the other one compares a tensor",
	"swin.py":          "the recorder's run on symbolic sizes ends before; in PyTorch a window of 4 is not less than the padded size for f32[1,3,8,8], and is for f32[1,3,32,32]",
}

func TestDecisionsAgreeWithRecords(t *testing.T) {
	folder := testfiles.Unpack(t, "../testdata/retrace/branch")
	f, err := os.Open(filepath.Join(folder, "records.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	n, open := 0, map[string]bool{}
	for s := bufio.NewScanner(f); s.Scan(); {
		var rec recording
		if err := json.Unmarshal(s.Bytes(), &rec); err != nil {
			t.Fatal(err)
		}
		n++
		t.Run(rec.Source, func(t *testing.T) {
			if !rec.holds(t, run(t, folder, rec)) {
				open[rec.Source] = true
			}
		})
	}
	if n < 25 {
		t.Errorf("only %d records", n)
	}
	for name, why := range notKnown {
		if !open[name] {
			t.Errorf("all of %s is known; not any more: %s", name, why)
		}
	}
}

func run(t *testing.T, folder string, rec recording) *Document {
	t.Helper()
	spec := &infer.TraceSpec{Inputs: "inputs"}
	if len(rec.Others) > 0 {
		spec.Others = "others"
	}
	r, err := infer.Run(infer.Config{File: filepath.Join(folder, rec.Source), Entry: "net", Trace: spec, Numbers: Numbers})
	if err != nil {
		t.Fatal(err)
	}
	AddFindings(r)
	return Of(r)
}

// holds compares a report with the record. What the report knows must be right; holds says
// whether it knows all.
func (rec recording) holds(t *testing.T, d *Document) bool {
	t.Helper()
	all := true
	open := func(what string) {
		all = false
		if notKnown[rec.Source] == "" {
			t.Errorf("%s is not known", what)
		}
	}
	if len(d.Branches) != len(rec.Branches) {
		t.Fatalf("%d places decide, want %d", len(d.Branches), len(rec.Branches))
	}
	for i, want := range rec.Branches {
		got := d.Branches[i]
		if filepath.Base(got.File) != want.File || got.Line != want.Line || string(got.Kind) != want.Kind {
			t.Errorf("%d: %s:%d %s, want %s:%d %s", i, got.File, got.Line, got.Kind, want.File, want.Line, want.Kind)
		}
		switch {
		case got.Values == nil:
			open("what decides")
		case cmp.Diff(plain(t, got.Values), want.Values) != "":
			t.Errorf("line %d goes %v, want %v", got.Line, got.Values, want.Values)
		}
		switch {
		case got.Depends == nil:
			open("what it depends on")
		case !slices.Equal(got.Depends, want.Depends) && otherwise[rec.Source] != "":
			all = false
		case !slices.Equal(got.Depends, want.Depends):
			t.Errorf("line %d depends on %v, want %v", got.Line, got.Depends, want.Depends)
		}
	}
	switch {
	case d.StateChangesOps == nil:
		open("what a second call does")
	case *d.StateChangesOps == rec.AgainSameOps:
		t.Errorf("state changes operations: %v", *d.StateChangesOps)
	}
	for i, want := range rec.Others {
		if i >= len(d.Others) {
			open("what another input does")
			continue
		}
		got := d.Others[i]
		if got.SameOps != want.SameOps {
			t.Errorf("the operations for %v are the same: %v", got.Inputs, got.SameOps)
		}
		if (got.Error == nil) != (want.Error == nil) || got.Error != nil && got.Error.Type != *want.Error {
			t.Errorf("%v ends with %v, want %v", got.Inputs, got.Error, want.Error)
		}
		if got.Result != nil && *got.Result != *want.Result {
			t.Errorf("%v gives %s, want %s", got.Inputs, *got.Result, *want.Result)
		}
	}
	return all
}

// plain is a list as JSON reads it back.
func plain(t *testing.T, list []any) []any {
	t.Helper()
	data, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	var out []any
	if err := json.Unmarshal(data, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestText(t *testing.T) {
	var b strings.Builder
	d := run(t, testfiles.Unpack(t, "../testdata/retrace/branch"), recording{Source: "elif_chain.py", Others: make([]struct {
		SameOps bool `json:"same_ops"`
		Result  *string
		Error   *string
	}, 1)})
	for i := range d.Branches {
		d.Branches[i].File = filepath.Base(d.Branches[i].File)
	}
	if err := Text(&b, d); err != nil {
		t.Fatal(err)
	}
	const want = `net(f32[5]): 2 decisions
  elif_chain.py:8   if n < 4  no   depends on the sizes: s1 <= 3; another way for f32[2]; line 9 does not run; a trace is wrong for f32[2]: it gives other values than the model
  elif_chain.py:10  if n < 8  yes  depends on the sizes: s1 <= 7; another way for f32[9]; line 13 does not run; a trace is wrong for f32[9]: it gives other values than the model
`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// After an outcome that is not known the report says that there may be more.
func TestTextOfAnUnknownWay(t *testing.T) {
	file := filepath.Join(t.TempDir(), "net.py")
	const source = `import torch
def net(x):
    if torch.rand(1).item() > 0.5:
        return x
    if x.shape[0] > 4:
        return x + 1
    return x
`
	if err := os.WriteFile(file, []byte(source), 0o666); err != nil {
		t.Fatal(err)
	}
	r, err := infer.Run(infer.Config{File: file, Entry: "net", Trace: &infer.TraceSpec{Inputs: "(torch.rand(5),)"}, Numbers: Numbers})
	if err != nil {
		t.Fatal(err)
	}
	d := Of(r)
	d.Branches[0].File = "net.py"
	var b strings.Builder
	if err := Text(&b, d); err != nil {
		t.Fatal(err)
	}
	const want = `net(f32[5]): 1 decision
  net.py:3  if torch.rand(1).item() > 0.5  either way  depends on random numbers and values of tensors
  where a place goes either way, places that only one of the ways meets are not listed
`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// A model that is a library's own has no place in the project's code.
func TestLibraryModelIsReported(t *testing.T) {
	var b strings.Builder
	d := run(t, testfiles.Unpack(t, "../testdata/retrace/branch"), recording{Source: "vit.py"})
	if len(d.Ops) != 0 {
		t.Errorf("operations of the project's code: %v", d.Ops)
	}
	if err := Text(&b, d); err != nil {
		t.Fatal(err)
	}
	const want = "net(f32[2,3,32,32]): no decisions outside of the libraries that shapecheck knows itself\n"
	if b.String() != want {
		t.Errorf("got %q, want %q", b.String(), want)
	}
}

// lostSites are the places of which it is shown that a trace is wrong there.
var lostSites = []string{"assert_size.py:7", "global_branch.py:10", "if_size.py:7", "raise_on_size.py:7", "window_roll.py:11"}

// A site is a warning of torch.jit.trace, as recorded.
type site struct {
	Line    int
	Verdict string
	ShownBy []string `json:"shown_by"`
}

// What is called wrong, PyTorch's jit.trace does wrong: the programs of testdata/retrace/jit
// with their own inputs.
func TestWrongTracesAreThoseOfPyTorch(t *testing.T) {
	folder := testfiles.Unpack(t, "../testdata/retrace/jit")
	f, err := os.Open(filepath.Join(folder, "records.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var found []string
	for s := bufio.NewScanner(f); s.Scan(); {
		var rec struct {
			Source string
			Args   []string
			Runs   [][]string
			Silent bool `json:"silent_wrong"`
			Sites  []site
		}
		if err := json.Unmarshal(s.Bytes(), &rec); err != nil {
			t.Fatal(err)
		}
		if rec.Args == nil {
			continue
		}
		var others []string
		for _, args := range rec.Runs {
			others = append(others, inputsOf(args))
		}
		r, err := infer.Run(infer.Config{File: filepath.Join(folder, rec.Source), Entry: "net",
			Trace: &infer.TraceSpec{Inputs: inputsOf(rec.Args), Others: "[" + strings.Join(others, ", ") + "]"}, Numbers: Numbers})
		if err != nil {
			t.Fatalf("%s: %v", rec.Source, err)
		}
		for _, b := range Of(r).Branches {
			if b.Verdict == "harmless" && slices.ContainsFunc(rec.Sites, func(w site) bool { return w.Line == b.Line && w.Verdict == "wrong" }) {
				t.Errorf("%s:%d is called harmless", rec.Source, b.Line)
			}
			if b.Verdict != "wrong" {
				continue
			}
			right := rec.Silent && b.Witness == nil // by state, of which the tracer does not warn
			for _, w := range rec.Sites {
				right = right || w.Line == b.Line && w.Verdict == b.Verdict && b.Witness != nil && slices.Equal(w.ShownBy, b.Witness.Other)
			}
			if !right {
				t.Errorf("%s:%d is called %s, which PyTorch does not show: %+v", rec.Source, b.Line, b.Verdict, b.Witness)
			}
			found = append(found, fmt.Sprintf("%s:%d", rec.Source, b.Line))
		}
	}
	if !slices.Equal(found, lostSites) {
		t.Errorf("wrong are %v, want %v", found, lostSites)
	}
}

// inputsOf is a tuple of arguments with types such as f32[2,3].
func inputsOf(args []string) string {
	text := "("
	for _, a := range args {
		sizes := strings.TrimSuffix(strings.TrimPrefix(a, "f32["), "]")
		text += "torch.rand(" + sizes + "), "
	}
	return text + ")"
}

func TestPlacesOfAProgram(t *testing.T) {
	file := filepath.Join(t.TempDir(), "net.py")
	const harmless = `import torch
def net(x):
    y = x.view(-1, 2)
    if x.shape[0] > 3:
        return y.relu() * 1
    return y.relu()
`
	const source = `import torch
def net(x):
    match x.shape[0]:
        case 1:
            return x * 2
        case n if n > 4:
            return torch.tanh(x)
        case _:
            pass
    try:
        y = x.view(-1, 2)
    except RuntimeError:
        y = x.view(1, -1)
    if x.shape[0] == 100:
        raise ValueError("x")
    if x.shape[0] > 3:
        return y.relu() * 1
    return y.relu()
`
	for _, c := range []struct {
		source, inputs, want string
		codes                string
	}{
		{harmless, "4", "if 4 x.shape[0] > 3 yes [shape] s1 >= 4 harmless\n", ""},
		{source, "4", `case 4 1 no [shape] s1 == 1 wrong
case 6 n > 4 no [shape] s1 >= 5 wrong
try 10  yes [shape] s1 % 2 == 0 
if 14 x.shape[0] == 100 no [shape] s1 == 100 
if 16 x.shape[0] > 3 yes [shape] s1 >= 4 
`, "SC502 warning SC502 warning SC505 info"},
		{source, "8", `case 4 1 no [shape] s1 == 1 wrong
case 6 n > 4 yes [shape] s1 >= 5 wrong
`, "SC502 warning SC502 warning"},
	} {
		if err := os.WriteFile(file, []byte(c.source), 0o666); err != nil {
			t.Fatal(err)
		}
		r, err := infer.Run(infer.Config{File: file, Entry: "net", Trace: &infer.TraceSpec{Inputs: "(torch.rand(" + c.inputs + "),)"},
			Numbers: Numbers})
		if err != nil {
			t.Fatal(err)
		}
		AddFindings(r)
		d := Of(r)
		all := append(slices.Clone(d.Branches), d.Cases...)
		slices.SortFunc(all, func(a, b Branch) int { return a.met - b.met })
		got := ""
		for _, b := range all {
			if b.Depends == nil || len(b.Depends) > 0 {
				got += fmt.Sprintf("%s %d %s %s %v %s %s\n", b.Kind, b.Line, b.Test, outcome(b), b.Depends, b.TakenBy, b.Verdict)
			}
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
		var codes []string
		for _, x := range d.Diagnostics {
			codes = append(codes, x.Code+" "+x.Severity)
		}
		if got := strings.Join(codes, " "); got != c.codes {
			t.Errorf("findings %s, want %s", got, c.codes)
		}
	}
}

// What a call imports has run before it in any later one: its places and operations are none of the model's.
func TestImportsOfACallAreNotItsPlaces(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"helper.py": "import torch\nTABLE = torch.ones(3)\nif TABLE.dim() == 1:\n    TABLE = TABLE * 2\n\ndef scale(x):\n    return x * TABLE if x.shape[0] == 3 else x\n",
		"net.py":    "import torch\ndef net(x):\n    import helper\n    return helper.scale(x)\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	r, err := infer.Run(infer.Config{File: filepath.Join(dir, "net.py"), Entry: "net", Trace: &infer.TraceSpec{Inputs: "(torch.rand(3),)"},
		Numbers: Numbers})
	if err != nil {
		t.Fatal(err)
	}
	d := Of(r)
	if len(d.Branches) != 1 || d.Branches[0].Line != 7 || len(d.Ops) != 1 || d.StateChangesOps == nil || *d.StateChangesOps {
		t.Errorf("places %+v, operations %v, state %v", d.Branches, d.Ops, d.StateChangesOps)
	}
}

func TestWitness(t *testing.T) {
	const head = "import torch\ndef net(x):\n"
	for _, c := range []struct {
		name, body, inputs, others, want string
	}{
		{"another shape", "    return x[:4] if x.shape[0] > 4 else x * 1.0\n", "3", "6", "shape f32[6] f32[4]"},
		{"another dtype", "    if x.shape[0] > 4:\n        x = x.double()\n    return x + 1\n", "3", "6", "dtype f32[6] f64[6]"},
		{"a check is lost", "    assert x.shape[0] == 4\n    return x + 1\n", "4", "5", "error f32[5] AssertionError"},
		{"both raise", "    assert x.shape[0] == 4\n    return x.view(2, 2)\n", "4", "5", ""},
		{"one type, other values", "    return x + 1 if x.shape[0] > 4 else x - 1\n", "3", "6", "values f32[6] f32[6]"},
		{"one type, the same values", "    return x + 1 if x.shape[0] > 4 else 1 + x\n", "3", "6", ""},
		{"the same way, but for sizes that are found", "    return x[:4] if x.shape[0] > 4 else x * 1.0\n", "3", "2", "shape f32[5] f32[4]"},
		{"a number that the trace keeps", "    n = int(x.shape[0])\n    if n > 4:\n        n = 3\n    return x[:n]\n", "3", "6", ""},
		{"a least size that the trace keeps", "    n = min(x.shape[0], 4)\n    return x[:3] if n > 3 else x[:n]\n", "3", "6", ""},
		{"a length that the trace keeps", "    n = len(x)\n    return x[:3] if n > 3 else x[:n]\n", "3", "6", ""},
		{"a loop that the trace unrolls", "    for i in range(x.shape[0]):\n        x = x + i\n    return x[:2] if x.shape[0] > 4 else x\n",
			"3", "6", ""},
		{"a counter", "    global n\n    n += 1\n    return x[:2] if x.shape[0] > 4 and n > 1 else x\nn = 0\n", "3", "6", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "net.py")
			if err := os.WriteFile(file, []byte(head+c.body), 0o666); err != nil {
				t.Fatal(err)
			}
			r, err := infer.Run(infer.Config{File: file, Entry: "net", Trace: &infer.TraceSpec{Inputs: "(torch.rand(" + c.inputs + "),)",
				Others: "[(torch.rand(" + c.others + "),)]"}, Numbers: Numbers})
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			for _, b := range Of(r).Branches {
				if w := b.Witness; w != nil {
					got += strings.Join([]string{w.Difference, w.TracedResult, w.ModelResult}, " ")
				}
			}
			if got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestAPlaceMetAgainHasEachCondition(t *testing.T) {
	file := filepath.Join(t.TempDir(), "net.py")
	const source = `import torch
def wide(y):
    return y * 2 if y.shape[1] > 8 else y + 1
def net(x):
    return wide(x).sum() + wide(x[:, 4:]).sum() + wide(x).sum()
`
	if err := os.WriteFile(file, []byte(source), 0o666); err != nil {
		t.Fatal(err)
	}
	r, err := infer.Run(infer.Config{File: file, Entry: "net", Trace: &infer.TraceSpec{Inputs: "(torch.rand(2, 10),)"}, Numbers: Numbers})
	if err != nil {
		t.Fatal(err)
	}
	list := Of(r).Branches
	if len(list) != 1 {
		t.Fatalf("%d branches", len(list))
	}
	if b := list[0]; b.TakenBy != "s2 >= 9" || !slices.Equal(b.AlsoBy, []string{"s2 >= 13"}) || outcome(b) != "yes, no, yes" {
		t.Errorf("%s, by %s and %q", outcome(b), b.TakenBy, b.AlsoBy)
	}
}
