package infer

// This file replays the recorded constructions and calls of torch.nn modules
// (modules.jsonl.gz of opdb) through the engine and the prelude.
//
//	go test ./infer -run TestModulesOpDB -v -match '^torch\.nn\.LSTM$' -show 20

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
	"testing"

	"shapecheck/infer/ops/opstest"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/tools/counts"
)

var (
	modulesFile  = flag.String("modules", "testdata/modules.jsonl.gz", "`file` of the recorded modules")
	opdbDir      = flag.String("opdb", "", "`directory` of a corpus in the form of opdb, instead of that in testdata")
	moduleMatch  = flag.String("match", "", "`regexp` for the classes to replay; prints them one by one")
	moduleShow   = flag.Int("show", 0, "`number` of failing records to print for each class")
	updateCounts = flag.Bool("update-counts", false, "write what was counted into testdata/counts.txt")
	moduleVerd   = flag.String("verdict", "", "print only failing records of this `verdict`: wrong, false error, missed error, unknown, class")
)

// A moduleTally counts the outcomes of records with results and of records with
// errors; class are errors of another class than recorded, at those that were found
// elsewhere than recorded: in the constructor or in the call.
type moduleTally struct {
	results, errors [opstest.NumVerdicts]int
	class, at       int
}

func (t *moduleTally) add(j opstest.Judgement, elsewhere bool) {
	if j.Error {
		t.errors[j.Verdict]++
	} else {
		t.results[j.Verdict]++
	}
	if j.Class != "" {
		t.class++
	}
	if elsewhere {
		t.at++
	}
}

// row is a line of counts.txt.
func (t *moduleTally) row(name string) counts.Row {
	r := counts.Row{Name: name}
	add := func(name string, n int) { r.Counts = append(r.Counts, counts.Count{Name: name, N: n}) }
	for v, n := range t.results {
		add(opstest.Verdict(v).String(), n)
	}
	for v, n := range t.errors {
		if v := opstest.Verdict(v); v != opstest.MissedError { // whose name says it
			add("error "+v.String(), n)
		} else {
			add(v.String(), n)
		}
	}
	add("other class", t.class)
	add("elsewhere", t.at)
	return r
}

// TestModulesOpDB fails for a wrong result, for an error where PyTorch has none, and
// when the counts are not those of testdata/counts.txt. Errors that are left out on
// purpose: a model of SyncBatchNorm on the CPU, since where it will run is not known
// here.
func TestModulesOpDB(t *testing.T) {
	name := *modulesFile
	if *opdbDir != "" {
		name = filepath.Join(*opdbDir, "modules.jsonl.gz")
		if _, err := os.Stat(name); err != nil {
			t.Skip("the corpus has no modules")
		}
	}
	recs, err := opstest.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var re *regexp.Regexp
	if *moduleMatch != "" {
		if re, err = regexp.Compile(*moduleMatch); err != nil {
			t.Fatal(err)
		}
	}
	byClass, total := map[string]*moduleTally{}, &moduleTally{}
	var run *moduleRun
	for i, r := range recs {
		name := moduleName(r)
		if re != nil && !re.MatchString(name) {
			continue
		}
		if run == nil || i%200 == 0 { // a run's graph and journal grow
			if run, err = newModuleRun("1.13.1", ""); err != nil {
				t.Fatal(err)
			}
		}
		j, elsewhere := run.judge(t, r)
		if byClass[name] == nil {
			byClass[name] = &moduleTally{}
		}
		for _, x := range []*moduleTally{byClass[name], total} {
			x.add(j, elsewhere)
		}
		if j.Verdict == opstest.Wrong || j.Verdict == opstest.FalseError {
			t.Errorf("%s: %s: %s: %s", r.At(), showModule(r), j.Verdict, j.Why)
		}
		if *moduleShow > 0 && (j.Verdict != opstest.Exact && j.Verdict != opstest.Skipped &&
			(*moduleVerd == "" || *moduleVerd == j.Verdict.String()) ||
			*moduleVerd == "class" && j.Class != "") {
			fmt.Printf("%s %s: %s: %s %s\n", r.At(), showModule(r), j.Verdict, j.Why, j.Class)
		}
	}
	t.Log(total.row("total"))
	if re != nil || testing.Verbose() {
		var names []string
		for n, x := range byClass {
			if re != nil || x.results[opstest.Exact]+x.errors[opstest.Exact] < sum(x.results)+sum(x.errors) {
				names = append(names, n)
			}
		}
		sort.Strings(names)
		for _, n := range names {
			t.Log(byClass[n].row(n))
		}
	}
	if re == nil && *opdbDir == "" {
		checkCounts(t, "opdb modules", []counts.Row{total.row("total")})
	}
}

func sum(list [opstest.NumVerdicts]int) int {
	n := 0
	for _, k := range list {
		n += k
	}
	return n
}

// checkCounts compares a table with testdata/counts.txt.
func checkCounts(t *testing.T, table string, rows []counts.Row) {
	t.Helper()
	if err := counts.Check("../testdata/counts.txt", table, rows, *updateCounts); err != nil {
		t.Errorf("%v\n(go test ./infer -update-counts writes the file)", err)
	}
}

func moduleName(r *opstest.Record) string {
	if r.Ctor != nil {
		return r.Ctor.Module
	}
	return r.Op
}

func showModule(r *opstest.Record) string {
	if r.Src != "" {
		return r.Src + " of " + r.String()
	}
	c := &opstest.Record{Call: r.Ctor.Module, Args: r.Ctor.Args, Kwargs: r.Ctor.Kwargs}
	return c.String() + r.String()
}

// A moduleRun is an interpreter with torch imported.
type moduleRun struct {
	in   *Interp
	main *value.Module
	b    *opstest.Builder
	vars map[string]value.Value
}

func newModuleRun(version, numpy string) (*moduleRun, error) {
	in := newInterp(&Config{File: "modules_test.py", TorchVersion: version, NumpyVersion: numpy, Device: DeviceCPU, MaxSteps: 1 << 40,
		Text: "import torch, math, collections, operator, einops\nimport numpy as np\nimport torch.nn as nn\nimport torch.nn.functional as F\nfrom collections import OrderedDict\n" +
			"torch.set_grad_enabled(False)\n"}) // as the records were made
	m, err := in.entry.loadMain()
	if err != nil {
		return nil, err
	}
	for _, d := range in.sink.All() {
		return nil, errors.New("importing torch: " + d.Msg)
	}
	// As if all stood in a try statement: faults come back as exceptions.
	in.handlers = append(in.handlers, handler{catches: []*value.Class{in.Class("BaseException")}})
	return &moduleRun{in: in, main: m}, nil
}

// judge makes the module, compares its tensors, calls it and compares the result.
func (run *moduleRun) judge(t *testing.T, r *opstest.Record) (j opstest.Judgement, elsewhere bool) {
	defer run.in.flow.stopGenerators() // with statements that an exception left
	defer func() {
		if e := recover(); e != nil {
			t.Errorf("%s: %s: panic: %v", r.At(), showModule(r), e)
			j = opstest.Judgement{Verdict: opstest.Wrong, Why: fmt.Sprint("panic: ", e), Error: r.Error != ""}
			run.in.stack.frame, run.in.stack.depth = nil, 0
		}
	}()
	in := run.in
	run.b = &opstest.Builder{Th: in}
	run.vars = map[string]value.Value{}
	if r.Ctor != nil && strings.Contains(r.Ctor.Module, "<locals>") {
		return opstest.Judgement{Verdict: opstest.Skipped, Error: r.Error != ""}, false
	}
	judge := func(v value.Value, err error) opstest.Judgement {
		return opstest.Judge(r, opstest.Result{Value: v, Err: withDiag(in, err), Floats: run.b.Floats})
	}
	skipped := func(err error) opstest.Judgement {
		return opstest.Judgement{Verdict: opstest.Skipped, Why: err.Error(), Error: r.Error != ""}
	}
	text := r.Src
	var err error
	if text == "" {
		if text, err = run.call(r.Ctor.Module, r.Ctor.Args, r.Ctor.Kwargs); err != nil {
			return skipped(err), false
		}
	}
	m, err := in.evalText(run.main, "constructor", text, run.vars)
	if err != nil {
		return judge(nil, err), r.Error != "" && r.Where != "constructor"
	}
	if value.IsUnknown(m) {
		return judge(m, nil), false
	}
	run.vars = map[string]value.Value{"m": m}
	if r.Train == 0 {
		if _, err := in.evalText(run.main, "eval", "m.eval()", run.vars); err != nil {
			return judge(nil, err), false
		}
	}
	if r.Where != "constructor" {
		if why := run.state(m, r, "construction", r.Params, r.Buffers); why != "" {
			return opstest.Judgement{Verdict: opstest.Wrong, Why: why, Error: r.Error != ""}, false
		}
		if why := run.keys(r); why != "" {
			return opstest.Judgement{Verdict: opstest.Wrong, Why: why, Error: r.Error != ""}, false
		}
	}
	if text, err = run.call("m", r.Args, r.Kwargs); err != nil {
		return skipped(err), false
	}
	v, err := in.evalText(run.main, "call", text, run.vars)
	j = judge(v, err)
	if j.Verdict == opstest.Exact && r.Error == "" && r.ClassAfter != "" {
		if got := "torch.nn." + in.TypeOf(m).Name; got != r.ClassAfter {
			j.Verdict, j.Why = opstest.Wrong, "class after the call is "+got+", want "+r.ClassAfter
		} else if why := run.state(m, r, "the call", r.ParamsAfter, nil); why != "" {
			j.Verdict, j.Why = opstest.Wrong, why
		}
	}
	return j, r.Error != "" && err != nil && r.Where != "forward"
}

// withDiag gives an exception that the prelude raised the text it carries.
func withDiag(in *Interp, err error) error {
	var e *value.Exception
	if errors.As(err, &e) && e.Diag == nil {
		text, _ := in.Str(e.Value)
		e.Diag = diag.New(diag.UncaughtRaise, e.At, text)
	}
	return err
}

// call writes a call of fn as Python text; arguments become variables.
func (run *moduleRun) call(fn string, args []json.RawMessage, kwargs opstest.Object) (string, error) {
	var parts []string
	add := func(prefix string, raw json.RawMessage) error {
		text, err := run.arg(raw)
		parts = append(parts, prefix+text)
		return err
	}
	for _, a := range args {
		if err := add("", a); err != nil {
			return "", err
		}
	}
	for _, k := range kwargs {
		if err := add(k.Key+"=", k.Val); err != nil {
			return "", err
		}
	}
	return fn + "(" + strings.Join(parts, ", ") + ")", nil
}

// arg gives an argument as Python text: functions and modules by their name,
// anything else as a variable that holds the value.
func (run *moduleRun) arg(raw json.RawMessage) (string, error) {
	if bytes.Contains(raw, []byte(`"callable"`)) || bytes.Contains(raw, []byte(`"module"`)) {
		var o struct {
			Callable string
			Module   string
			Args     []json.RawMessage
			Kwargs   opstest.Object
		}
		if json.Unmarshal(raw, &o) != nil || o.Callable == "" && o.Module == "" {
			return "", errors.New("argument holds a module")
		}
		if o.Callable != "" {
			return o.Callable, nil
		}
		return run.call(o.Module, o.Args, o.Kwargs)
	}
	v, err := run.b.Value(raw)
	if err != nil {
		return "", err
	}
	name := fmt.Sprintf("a%d", len(run.vars))
	run.vars[name] = v
	return name, nil
}

// state compares parameters and buffers with the recorded ones, in order.
func (run *moduleRun) state(m value.Value, r *opstest.Record, when string, params, buffers opstest.Object) string {
	inst, ok := m.(*value.Instance)
	if !ok {
		return fmt.Sprintf("the constructor gives %v", m)
	}
	lazy := run.in.Class("torch.nn.parameter.UninitializedTensorMixin")
	for _, x := range []struct {
		table string
		want  opstest.Object
	}{{"_parameters", params}, {"_buffers", buffers}} {
		if x.table == "_buffers" && when != "construction" {
			continue
		}
		var got []string
		for _, p := range namedTensors(inst, x.table) {
			ty := p.Tensor.Type()
			s := strings.ReplaceAll(ty.Shape.String(), " ", "")
			if c := p.Tensor.Class; c != nil && c.IsSubclass(lazy) {
				s = "null"
			}
			got = append(got, p.Name+":"+ty.DType.String()+s)
		}
		var want []string
		for _, f := range x.want {
			var t struct {
				T string
				S json.RawMessage
			}
			if err := json.Unmarshal(f.Val, &t); err != nil {
				return err.Error()
			}
			want = append(want, f.Key+":"+t.T+string(t.S))
		}
		if a, b := strings.Join(got, " "), strings.Join(want, " "); a != b {
			return fmt.Sprintf("%s after %s: %s; want %s", x.table[1:], when, a, b)
		}
	}
	return ""
}

func (run *moduleRun) keys(r *opstest.Record) string {
	v, err := run.in.evalText(run.main, "keys", "list(m.state_dict())", run.vars)
	if err != nil {
		return "state_dict() fails: " + err.Error()
	}
	l, ok := v.(*value.List)
	if !ok {
		return fmt.Sprintf("state_dict() gives %v", v)
	}
	var got []string
	for _, k := range l.Elems {
		s, _ := value.AsStr(k)
		got = append(got, s)
	}
	if a, b := strings.Join(got, " "), strings.Join(r.StateDict, " "); a != b {
		return fmt.Sprintf("state_dict has %s; want %s", a, b)
	}
	return ""
}
