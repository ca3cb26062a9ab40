package cli

// This file compares the reports of scripts whose functions are traced with what the
// frameworks did (testdata/retrace, by sample.py there).

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"shapecheck/tools/testfiles"
	"slices"
	"strings"
	"testing"
)

// A tracedCall is a call as recorded, and as reported.
type tracedCall struct {
	Line     int       `json:"line"`
	Kind     string    `json:"kind"`
	Function string    `json:"fn"`
	Args     []string  `json:"args"`
	Result   *string   `json:"result"`
	Traces   *int      `json:"traces"`
	Changed  *[]string `json:"changed"`
	Stdout   []*string `json:"stdout"`
	Made     bool      `json:"made_variables"`
	Warning  any       `json:"warning"`
	Error    *struct {
		Type string `json:"type"`
		Line int    `json:"line"`
	} `json:"error"`
}

func TestTracedCallsAreThoseOfTheFrameworks(t *testing.T) {
	for _, framework := range []string{"jax", "tf"} {
		folder := testfiles.Unpack(t, filepath.Join("../../testdata/retrace", framework))
		f, err := os.Open(filepath.Join(folder, "records.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		lines := bufio.NewScanner(f)
		lines.Buffer(nil, 1<<20)
		n := 0
		for lines.Scan() {
			var want struct {
				Source string       `json:"source"`
				Ends   string       `json:"ends"` // the exception that ended the program
				Calls  []tracedCall `json:"calls"`
			}
			if err := json.Unmarshal(lines.Bytes(), &want); err != nil {
				t.Fatal(err)
			}
			n++
			t.Run(framework+"/"+want.Source, func(t *testing.T) {
				sameCalls(t, filepath.Join(folder, want.Source), framework, want.Ends,
					want.Calls)
			})
		}
		if n < 20 {
			t.Errorf("%s: only %d records", framework, n)
		}
	}
}

func sameCalls(t *testing.T, file, framework, ends string, want []tracedCall) {
	t.Helper()
	var got struct {
		Framework string       `json:"framework"`
		Calls     []tracedCall `json:"calls"`
	}
	code, out, _ := run("trace", file, "--output-format", "json")
	if code > 1 || ends != "" && code != 1 {
		t.Errorf("exit code %d", code)
	}
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatalf("%v in:\n%s", err, out)
	}
	if got.Framework != framework || len(got.Calls) != len(want) {
		t.Fatalf("%d calls of %q, want %d", len(got.Calls), got.Framework, len(want))
	}
	for i, w := range want {
		g := got.Calls[i]
		if w.Result == nil || g.Result == nil || w.Error != nil { // not known where a type is beyond us, never another
			w.Result, g.Result = nil, nil
		}
		if w.Changed != nil {
			slices.Sort(*w.Changed)
		}
		if g.Changed != nil {
			slices.Sort(*g.Changed)
		}
		if len(w.Stdout) == len(g.Stdout) && g.Stdout != nil {
			for k, line := range g.Stdout {
				if line != nil && *line != *w.Stdout[k] {
					t.Errorf("line %d prints %q, want %q", w.Line, *line, *w.Stdout[k])
				}
			}
			w.Stdout, g.Stdout = nil, nil
		}
		if (w.Warning != nil) == (g.Warning != nil) {
			w.Warning, g.Warning = nil, nil
		}
		if w.Error != nil && g.Error != nil && w.Error.Line == 0 { // raised before the body: the record has the lines of bodies
			g.Error.Line = 0
		}
		// records look for a graph of TensorFlow's own, which a subclassed Model does not need to make variables
		if w.Traces != nil && *w.Traces == 2 && g.Made {
			w.Made = true
		}
		if !reflect.DeepEqual(g, w) {
			a, _ := json.Marshal(g)
			b, _ := json.Marshal(w)
			t.Errorf("call %d:\n got %s\nwant %s", i, a, b)
		}
	}
}

func TestATraceOfAScriptIsATable(t *testing.T) {
	t.Setenv("COLUMNS", "80")
	doc, err := os.ReadFile("../../docs/trace.md")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir("../..")
	blocks := guideBlocks(string(doc), "")
	for i, x := range []struct {
		file string
		code int
	}{{"jax/double_table.py", 1}, {"tf/article_table.py", 1}, {"jit/window_roll.py", 1}, {"export/divisible.py", 1},
		{"compile/break_if_tensor.py", 1}} {
		out, _ := runCLI(t, x.code, "trace", "testdata/retrace/"+x.file)
		if len(blocks) != 8 || blocks[i+2] != out {
			t.Errorf("docs/trace.md does not show:\n%s", out)
		}
	}
}

// TestATraceKeepsWeakReferences has what TensorFlow 2.21 did with an equal object after the first
// was gone.
func TestATraceKeepsWeakReferences(t *testing.T) {
	file := filepath.Join(t.TempDir(), "temporaries.py")
	program := `import dataclasses
import tensorflow as tf

@dataclasses.dataclass(frozen=True)
class Config:
    k: int

class Holder:
    cfg = Config(7)

@tf.function
def f(x, c):
    return x * c.k

x = tf.constant(1)
f(x, Config(2))
f(x, Config(2))
c = Config(2)
f(x, c)
f(x, Config(2))
f(x, Holder.cfg)
f(x, Config(7))
d = {"c": Config(9)}
f(x, d["c"])
f(x, Config(9))
for e in [Config(3), Config(3)]:
    f(x, e)
`
	if err := os.WriteFile(file, []byte(program), 0o666); err != nil {
		t.Fatal(err)
	}
	_, out, _ := run("trace", file, "--output-format", "json")
	var got struct{ Calls []tracedCall }
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatalf("%v in:\n%s", err, out)
	}
	want := []int{1, 1, 1, 0, 1, 0, 1, 0, 1, -1} // -1: the loop may hold the first
	if len(got.Calls) != len(want) {
		t.Fatalf("%d calls, want %d", len(got.Calls), len(want))
	}
	for i, c := range got.Calls {
		if n := c.Traces; n == nil && want[i] >= 0 || n != nil && *n != want[i] {
			t.Errorf("call %d: %v traces, want %d", i, n, want[i])
		}
	}
}

// TestWhatPythonDecidesIsNoGraph checks that an if over something unknown, which Python decides,
// is not taken for an operation of the graph.
func TestWhatPythonDecidesIsNoGraph(t *testing.T) {
	file := filepath.Join(t.TempDir(), "settings.py")
	program := `import tensorflow as tf
import my_settings


@tf.function
def f(x):
    k = 0
    if my_settings.flag:
        k = 1.5
        y = x
    else:
        k = 2
    return x * k


f(tf.constant(1.0))
`
	if err := os.WriteFile(file, []byte(program), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, out, _ := run("trace", file); strings.Contains(out, "SC531") {
		t.Errorf("a fault of a graph in:\n%s", out)
	}
}

func TestFindingsOfATraceAreSelected(t *testing.T) {
	const file = "../../testdata/retrace/tf/article_table.py" // SC507 and SC511, both warnings
	known := filepath.Join(t.TempDir(), "known.json")
	for _, c := range []struct {
		flags []string
		code  int
		want  []string
	}{
		{nil, 1, []string{"SC507", "SC511"}},
		{[]string{"--select", "SC511"}, 1, []string{"SC511"}},
		{[]string{"--ignore", "SC51,SC507"}, 0, nil},
		{[]string{"--exit-zero"}, 0, []string{"SC507", "SC511"}},
		{[]string{"--write-baseline", known}, 0, []string{"SC507", "SC511"}},
		{[]string{"--baseline", known}, 0, nil},
	} {
		code, out, _ := run(append([]string{"trace", file}, c.flags...)...)
		var got []string
		for _, name := range []string{"SC507", "SC511"} {
			if strings.Contains(out, name) {
				got = append(got, name)
			}
		}
		if code != c.code || !slices.Equal(got, c.want) || !strings.Contains(out, "4 traces in 10 calls") {
			t.Errorf("%v: code %d, findings %v; want %d, %v\n%s", c.flags, code, got, c.code, c.want, out)
		}
	}
	if code, _, errs := run("trace", file, "--select", "SC9999x"); code != 2 || !strings.Contains(errs, "--select") {
		t.Errorf("--select of no code: %d, %s", code, errs)
	}
}
