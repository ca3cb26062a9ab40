package cli

// This file holds what --time writes: its structure, never the times themselves.

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"shapecheck/check"
	"shapecheck/codegen/pass"
	"shapecheck/internal/columns"
	"shapecheck/internal/timing"
)

// timed writes a program of two files, of which one imports the other, into a folder, which becomes the working directory.
func timed(t *testing.T) {
	t.Helper()
	if _, err := schemas(); err != nil { // they are read from the folder of the test
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"blocks.py": `import torch.nn as nn


def widths(n):
    for i in range(n):
        yield double(i) // 2 + 16 - i


def double(n):
    return 2 * n


class Block(nn.Module):
    def __init__(self, d=16):
        super().__init__()
        self.linear = nn.Linear(d, d)

    def forward(self, x):
        return self.linear(x)


TABLE = [double(i) for i in range(8)]
`,
		"net.py": `import torch
import torch.nn as nn
from blocks import Block, widths


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([Block(d) for d in widths(3)])

    def forward(self, x):
        for b in self.blocks:
            x = b(x)
        return x
`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
}

// timesOf reads the document that a command writes as the last line of standard error.
func timesOf(t *testing.T, stderr string) *timeDocument {
	t.Helper()
	lines := strings.Split(strings.TrimRight(stderr, "\n"), "\n")
	last := lines[len(lines)-1]
	validate(t, "time-schema.json", last)
	d := &timeDocument{}
	if err := json.Unmarshal([]byte(last), d); err != nil {
		t.Fatal(err)
	}
	return d
}

// checkRows holds a list to what all have: self is a part of total, and the sum of self is not more than there is.
func checkRows(t *testing.T, d *timeDocument, name string, list []timeRow, all bool) {
	t.Helper()
	sum := timeAmounts{}
	for _, x := range list {
		if x.Self.Time > x.Total.Time+0.001 || x.Self.Steps > x.Total.Steps || x.Self.Nodes > x.Total.Nodes || x.Self.Runs > x.Total.Runs {
			t.Errorf("%s %s: self %+v is more than total %+v", name, x.Name, x.Self, x.Total)
		}
		if x.Self.Time < 0 || x.Self.Steps < 0 || x.Self.Nodes < 0 || x.Count <= 0 {
			t.Errorf("%s %s: %+v", name, x.Name, x)
		}
		sum.Time, sum.Steps, sum.Nodes, sum.Runs = sum.Time+x.Self.Time, sum.Steps+x.Self.Steps, sum.Nodes+x.Self.Nodes, sum.Runs+x.Self.Runs
	}
	rounding := 0.0005 * float64(len(list)+1)
	if sum.Time > d.Total.Time+rounding || sum.Steps > d.Total.Steps || sum.Nodes > d.Total.Nodes || sum.Runs > d.Total.Runs {
		t.Errorf("%s: the sum of self is %+v, more than the total %+v", name, sum, d.Total)
	}
	if all && (math.Abs(sum.Time-d.Total.Time) > rounding || sum.Steps != d.Total.Steps || sum.Nodes != d.Total.Nodes || sum.Runs != d.Total.Runs) {
		t.Errorf("%s: the sum of self is %+v, the total %+v", name, sum, d.Total)
	}
}

func timeRowOf(t *testing.T, list []timeRow, name string) timeRow {
	t.Helper()
	i := slices.IndexFunc(list, func(x timeRow) bool { return x.Name == name })
	if i < 0 {
		t.Fatalf("no row %s in %+v", name, list)
	}
	return list[i]
}

// counts are the rows of a document without times and bytes.
func countsOf(d *timeDocument) string {
	var b strings.Builder
	for _, list := range [][]timeRow{d.Phases, d.Passes, d.Files, d.Entries, d.Modules, d.Functions} {
		for _, x := range list {
			if x.Name != timing.Start && x.Name != timing.Elsewhere {
				fmt.Fprintln(&b, x.Name, x.File, x.Line, x.Count, x.Self.Steps, x.Total.Steps, x.Self.Nodes, x.Total.Nodes, x.Total.Runs)
			}
		}
	}
	return b.String()
}

func TestTimesOfAFolder(t *testing.T) {
	timed(t)
	_, plain := runCLI(t, check.ExitClean, ".", "--output-format", "json", "--jobs", "1")
	if plain != "" {
		t.Fatalf("standard error without the flag: %s", plain)
	}
	before := ""
	for _, jobs := range []string{"1", "1", "2"} {
		_, stderr := runCLI(t, check.ExitClean, ".", "--output-format", "concise", "--jobs", jobs, "--time=json")
		d := timesOf(t, stderr)
		checkRows(t, d, "phase", d.Phases, true)
		checkRows(t, d, "file", d.Files, false)
		checkRows(t, d, "entry", d.Entries, false)
		checkRows(t, d, "code", append(slices.Clone(d.Modules), d.Functions...), false)
		for _, name := range []string{timing.Reading, timing.Parsing, timing.Discovery, timing.Import, timing.Trial, timing.Linting, timing.Contract,
			timing.Print} {
			timeRowOf(t, d.Phases, name)
		}
		if x := timeRowOf(t, d.Files, "net.py"); x.Total.Runs == 0 || x.Total.Steps == 0 || x.Total.Nodes == 0 {
			t.Errorf("net.py: %+v", x)
		}
		if x := timeRowOf(t, d.Entries, "Net"); x.File != "net.py" || x.Total.Runs == 0 {
			t.Errorf("Net: %+v", x)
		}
		net, blocks := timeRowOf(t, d.Modules, "net"), timeRowOf(t, d.Modules, "blocks")
		if net.File != "net.py" || blocks.File != "blocks.py" || net.Count != 1 || blocks.Count != 2 {
			t.Errorf("modules: %+v, %+v", net, blocks)
		}
		// The steps of an import are the module's, in total also the importer's; those of a function are not the module's.
		double := timeRowOf(t, d.Functions, "double")
		if net.Self.Steps > 8 || net.Total.Steps <= blocks.Self.Steps/2 || blocks.Total.Steps < blocks.Self.Steps+8 {
			t.Errorf("steps: %+v, %+v, %+v", net, blocks, double)
		}
		if double.File != "blocks.py" || double.Line != 9 || double.Count < 16+3 {
			t.Errorf("double: %+v", double)
		}
		timeRowOf(t, d.Functions, "widths") // a generator
		for _, name := range []string{"Net.__init__", "Net.forward", "Block.forward"} {
			timeRowOf(t, d.Functions, name)
		}
		if (d.Total.Bytes == nil) != (d.Workers > 1) {
			t.Errorf("%d workers, bytes %v", d.Workers, d.Total.Bytes)
		}
		if jobs == "2" {
			continue
		}
		if got := countsOf(d); before != "" && got != before {
			t.Errorf("two runs differ:\n%s\n%s", before, got)
		} else {
			before = got
		}
	}
}

// Standard output is that without the flag, also where a file is checked as an entry.
func TestTimesLeaveStandardOutputAsItIs(t *testing.T) {
	timed(t)
	if err := os.WriteFile("main.py", []byte("import torch\nfrom net import Net\ny = Net()(torch.zeros(2, 16))\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{".", "--output-format", "concise"}, {"net.py", "--output-format", "json"},
		{"net.py", "--entry", "Net()", "--arg", "x:f32[B,16]", "--output-format", "json"},
		{"net.py", "--entry", "Net()", "--arg", "x:f32[B,16]", "--contract"}, {"--script", "main.py", "--output-format", "json"},
	} {
		plain, _ := runCLI(t, check.ExitClean, args...)
		for _, flag := range []string{"--time", "--time=json", "--time=trace"} {
			with, stderr := runCLI(t, check.ExitClean, append([]string{flag}, args...)...)
			if with != plain {
				t.Errorf("%s %q:\n%s\nnot\n%s", flag, args, with, plain)
			}
			if stderr == "" {
				t.Errorf("%s %q: nothing on standard error", flag, args)
			}
		}
	}
}

func TestTimesOfOneEntry(t *testing.T) {
	timed(t)
	_, stderr := runCLI(t, check.ExitClean, "net.py", "--entry", "Net()", "--arg", "x:f32[B,16]", "--time=json")
	d := timesOf(t, stderr)
	checkRows(t, d, "phase", d.Phases, true)
	if x := timeRowOf(t, d.Entries, "Net()"); x.Total.Runs < 1 || x.File != "net.py" {
		t.Errorf("%+v", x)
	}
	if d.Total.Bytes == nil || *d.Total.Bytes <= 0 || timeRowOf(t, d.Phases, timing.Run).Total.Bytes == nil {
		t.Errorf("no bytes of one entry: %+v", d.Total)
	}
}

func TestTimesOfModels(t *testing.T) {
	timed(t)
	entry := []string{"net.py", "--entry", "Net()", "--arg", "x:f32[B,16]", "--init", "0", "--time=json"}
	_, stderr := runCLI(t, check.ExitClean, append([]string{"export", "-o", "net.onnx"}, entry...)...)
	d := timesOf(t, stderr)
	checkRows(t, d, "phase", d.Phases, true)
	for _, name := range []string{timing.Run, timing.Lowering, timing.Writing} {
		timeRowOf(t, d.Phases, name)
	}
	_, stderr = runCLI(t, check.ExitClean, append([]string{"compile", "-o", "net.prog"}, entry...)...)
	d = timesOf(t, stderr)
	checkRows(t, d, "phase", d.Phases, true)
	checkRows(t, d, "pass", d.Passes, false)
	for _, name := range []string{timing.Lowering, timing.Model, timing.Passes, timing.Code, timing.Writing} {
		timeRowOf(t, d.Phases, name)
	}
	rows := map[string]int64{}
	for _, p := range pass.Passes() {
		rows[p.Name]++
	}
	for name, n := range rows {
		if x := timeRowOf(t, d.Passes, name); x.Count != n {
			t.Errorf("%s ran %d times, want %d", name, x.Count, n)
		}
	}
	if len(d.Passes) != len(rows) {
		t.Errorf("%d passes, want %d", len(d.Passes), len(rows))
	}
	_, stderr = runCLI(t, check.ExitClean, "compile", "-o", "again.prog", "net.onnx", "--time=json")
	timeRowOf(t, timesOf(t, stderr).Phases, timing.Reading)
	_, stderr = runCLI(t, check.ExitClean, "run", "net.prog", "--input", "x:f32[2,16]", "--time=json")
	d = timesOf(t, stderr)
	checkRows(t, d, "phase", d.Phases, true)
	timeRowOf(t, d.Phases, timing.Loading)
	timeRowOf(t, d.Phases, timing.Execution)
}

// A trace is one of the Chrome trace-event format: complete events, which nest on each worker.
func TestTraceEventsNest(t *testing.T) {
	timed(t)
	for _, jobs := range []string{"1", "2"} {
		_, stderr := runCLI(t, check.ExitClean, ".", "--jobs", jobs, "--time=trace=trace.json", "--time=text=times.txt")
		if strings.Contains(stderr, "time:") {
			t.Errorf("both have a file, and standard error has %s", stderr)
		}
		data, err := os.ReadFile("trace.json")
		if err != nil {
			t.Fatal(err)
		}
		var trace struct {
			TraceEvents []struct {
				Name, Cat, Ph string
				Pid, Tid      int
				Ts, Dur, Tdur float64
				Args          map[string]any
			}
			OtherData map[string]any
		}
		if err := json.Unmarshal(data, &trace); err != nil {
			t.Fatal(err)
		}
		if trace.OtherData["most_events"] != float64(timing.MaxEvents) || trace.OtherData["left_out"] != 0.0 {
			t.Errorf("other data: %v", trace.OtherData)
		}
		names := map[string]bool{}
		threads := map[int]bool{}
		open := map[int][]float64{} // the ends of what is around, by worker
		for _, e := range trace.TraceEvents {
			if e.Ph == "M" {
				threads[e.Tid] = threads[e.Tid] || e.Name == "thread_name"
				continue
			}
			if e.Ph != "X" || e.Pid != 1 || !threads[e.Tid] || e.Dur < 0 || e.Tdur < 0 {
				t.Fatalf("event %+v", e)
			}
			names[e.Cat+" "+e.Name] = true
			const rounding = 0.01
			around := open[e.Tid]
			for len(around) > 0 && around[len(around)-1] <= e.Ts+rounding && e.Ts+e.Dur > around[len(around)-1]+rounding {
				around = around[:len(around)-1]
			}
			if len(around) > 0 && e.Ts+e.Dur > around[len(around)-1]+rounding {
				t.Errorf("%s %s lies partly in what is around it", e.Cat, e.Name)
			}
			open[e.Tid] = append(around, e.Ts+e.Dur)
		}
		for _, name := range []string{"file net.py", "entry Net", "module blocks", "function Block.forward", "phase trial", "phase lint"} {
			if !names[name] {
				t.Errorf("no event %s in %v", name, names)
			}
		}
	}
}

func TestTheTableOfTimesFits(t *testing.T) {
	timed(t)
	for _, columnsOf := range []int{40, 60, 80, 200} {
		t.Setenv("COLUMNS", fmt.Sprint(columnsOf))
		_, stderr := runCLI(t, check.ExitClean, ".", "--time")
		checkTable(t, stderr, columnsOf, []string{"phase", "file", "entry", "module", "function"})
		if !strings.Contains(stderr, "Net.forward") {
			t.Errorf("no function:\n%s", stderr)
		}
	}
	// Thousands of rows with names of any kind.
	r := timing.New(false)
	for _, k := range []timing.Kind{timing.Phase, timing.Pass, timing.File, timing.Entry, timing.Module, timing.Function} {
		for i := range 3000 {
			s := r.Main().BeginRow(r.Main().Row(k, fmt.Sprintf("%s\x1b[31m画像%d\n", strings.Repeat("n", i%90), i), strings.Repeat("folder/", i%20)+"f.py", i))
			r.Main().Count(1<<40, 1<<50)
			s.End()
		}
	}
	report := r.Report()
	report.Processor, report.Total.Time, report.Allocated = 1e5*time.Second, 1e5*time.Second, 1<<60
	for _, columnsOf := range []int{40, 80, 120} {
		var b strings.Builder
		if err := printTimeTable(&b, report, columnsOf); err != nil {
			t.Fatal(err)
		}
		checkTable(t, b.String(), columnsOf, []string{"phase", "pass", "file", "entry", "module", "function"})
	}
}

func checkTable(t *testing.T, text string, width int, sections []string) {
	t.Helper()
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	if len(lines) > maxTimeLines {
		t.Errorf("%d lines", len(lines))
	}
	for _, line := range lines {
		if columns.Of(line) > width || strings.ContainsAny(line, "\x1b") {
			t.Errorf("in %d columns: %q has %d", width, line, columns.Of(line))
		}
	}
	for _, s := range sections {
		if !strings.Contains(text, " "+s) {
			t.Errorf("no part %s in\n%s", s, text)
		}
	}
}

func TestTimeFlagsThatDoNotFit(t *testing.T) {
	timed(t)
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"net.py", "--time=xml"}, "--time=xml: expected text, json or trace"},
		{[]string{"net.py", "--time=json", "--time=trace"}, "both go to standard error"},
		{[]string{"net.py", "--time=json=a.json", "--time=trace=a.json"}, "another use"},
		{[]string{"net.py", "--time=json=net.py"}, "another use"},
		{[]string{"net.py", "--output-format", "json=a.json", "--time=json=a.json"}, "another use"},
		{[]string{"net.py", "--time=json=missing/a.json"}, "missing"},
		{[]string{"compile", "net.py", "-o", "a.prog", "--time=json=a.prog"}, "another use"},
		{[]string{"export", "net.py", "--arg", "x:f32[B,16]", "-o", "a.onnx", "--time=json=./a.onnx"}, "another use"},
	} {
		_, stderr := runCLI(t, check.ExitUsage, c.args...)
		if !strings.Contains(stderr, c.want) {
			t.Errorf("%q: %s", c.args, stderr)
		}
	}
	if _, stderr := runCLI(t, check.ExitClean, ".", "--time=json", "--time", "--time=trace=t.json"); !strings.HasPrefix(stderr, "time: ") {
		t.Errorf("the table does not come first: %.200s", stderr)
	} else {
		timesOf(t, stderr)
	}
}
