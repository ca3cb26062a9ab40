package infer

// This file replays the recorded calls of Chainer 7.8.1 through the engine: those of
// testdata/chainer.

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"shapecheck/infer/ops"
	"shapecheck/infer/ops/chainer"
	"shapecheck/infer/ops/opstest"
	"shapecheck/infer/value"
	"shapecheck/tools/counts"
)

// TestChainerOpDB holds Chainer's calls against their recorded results. What is not as
// recorded needs a line in testdata/chainer_waivers.txt.
func TestChainerOpDB(t *testing.T) {
	recs, err := opstest.Read("testdata/chainer")
	if err != nil {
		t.Fatal(err)
	}
	waivers, err := counts.ReadWaivers("testdata/chainer_waivers.txt")
	if err != nil {
		t.Fatal(err)
	}
	re, err := regexp.Compile(*moduleMatch)
	if err != nil {
		t.Fatal(err)
	}
	found := counts.Found{}
	tally := &moduleTally{}
	shown := map[string]int{}
	var run *moduleRun
	for i, r := range recs {
		name := r.Call
		if r.Ctor != nil {
			name = r.Ctor.Module
		}
		if !re.MatchString(name) {
			continue
		}
		if run == nil || i%200 == 0 {
			if run, err = newChainerRun(); err != nil {
				t.Fatal(err)
			}
		}
		j := run.chainerCall(t, r)
		tally.add(j, false)
		if j.Verdict == opstest.Exact || j.Verdict == opstest.Skipped || j.Error && j.Verdict == opstest.Unknown {
			continue
		}
		found.Add(name, j.Verdict.String())
		if waived := waivers.Has(name, j.Verdict.String()); shown[name] < *moduleShow || !waived && shown[name] < 2 {
			shown[name]++
			report := t.Errorf
			if waived {
				report = t.Logf
			}
			report("%s: %s: %s: %s", r.At(), r, j.Verdict, j.Why)
		}
	}
	row := tally.row("total")
	t.Log(row)
	if *moduleMatch != "" {
		return
	}
	for _, problem := range waivers.Check(found) {
		t.Error(problem)
	}
	checkCounts(t, "chainer calls", []counts.Row{row})
}

func newChainerRun() (*moduleRun, error) {
	in := newInterp(&Config{File: "chainer_test.py", Device: DeviceCPU, MaxSteps: 1 << 40, TorchVersion: "1.13.1",
		Text: "import operator\nimport numpy as np\nimport chainer\nimport chainer.functions as F\nimport chainer.links as L\n"})
	m, err := in.entry.loadMain()
	if err != nil {
		return nil, err
	}
	for _, d := range in.sink.All() {
		return nil, errors.New("importing chainer: " + d.Msg)
	}
	// As if all stood in a try statement: faults come back as exceptions.
	in.handlers = append(in.handlers, handler{catches: []*value.Class{in.Class("BaseException")}})
	return &moduleRun{in: in, main: m}, nil
}

// chainerCall runs a record: a call of a function or method, or of a link that is made
// first, whose parameters are compared then and after the call.
func (run *moduleRun) chainerCall(t *testing.T, r *opstest.Record) (j opstest.Judgement) {
	defer run.in.flow.stopGenerators() // with statements that an exception left
	defer func() {
		if e := recover(); e != nil {
			t.Errorf("%s: %s: panic: %v", r.At(), r, e)
			j = opstest.Judgement{Verdict: opstest.Wrong, Why: fmt.Sprint("panic: ", e), Error: r.Error != ""}
			run.in.stack.frame, run.in.stack.depth = nil, 0
		}
	}()
	run.b = &opstest.Builder{Th: run.in}
	run.vars = map[string]value.Value{}
	judge := func(v value.Value, err error) opstest.Judgement {
		return opstest.Judge(r, opstest.Result{Value: v, Err: withDiag(run.in, err), Floats: run.b.Floats})
	}
	skipped := func(err error) opstest.Judgement {
		return opstest.Judgement{Verdict: opstest.Skipped, Why: err.Error(), Error: r.Error != ""}
	}
	var link value.Value
	if r.Ctor != nil {
		text, err := run.chainerText(strings.Replace(r.Ctor.Module, "chainer.links.", "L.", 1), r.Ctor.Args, r.Ctor.Kwargs)
		if err != nil {
			return skipped(err)
		}
		if link, err = run.in.evalText(run.main, "constructor", text, run.vars); err != nil {
			return judge(nil, err)
		}
		if why := run.linkState(link, r.Params, r.Error != ""); why != "" {
			return opstest.Judgement{Verdict: opstest.Wrong, Why: "parameters after construction: " + why, Error: r.Error != ""}
		}
	}
	args := r.Args
	fn := strings.Replace(strings.Replace(r.Call, "chainer.functions.", "F.", 1), "numpy.", "np.", 1)
	if r.Ctor != nil {
		fn = "link"
	} else if owner := "chainer.Variable."; strings.HasPrefix(r.Call, owner) {
		if len(args) == 0 {
			return skipped(errors.New("a method without an object"))
		}
		self, err := run.chainerArg(args[0])
		if err != nil {
			return skipped(err)
		}
		variable := chainer.IsVariable(run.vars[self])
		if !variable && r.Variant == "attribute" {
			return skipped(errors.New("an attribute of an array"))
		}
		if fn = r.Call; variable {
			fn, args = self+"."+r.Call[len(owner):], args[1:]
		}
		if r.Variant == "attribute" {
			if len(args) > 0 {
				return skipped(errors.New("an attribute with arguments"))
			}
			v, err := run.in.evalText(run.main, "call", fn, run.vars)
			return judge(v, err)
		}
	}
	if link != nil {
		run.vars["link"] = link
	}
	text, err := run.chainerText(fn, args, r.Kwargs)
	if err != nil {
		return skipped(err)
	}
	v, err := run.in.evalText(run.main, "call", text, run.vars)
	if j = judge(v, err); j.Verdict == opstest.Exact && r.Error == "" && len(r.ParamsAfter) > 0 {
		if why := run.linkState(link, r.ParamsAfter, false); why != "" {
			j.Verdict, j.Why = opstest.Wrong, "parameters after the call: "+why
		}
	}
	return j
}

func (run *moduleRun) chainerText(fn string, args []json.RawMessage, kwargs opstest.Object) (string, error) {
	var parts []string
	for _, a := range args {
		text, err := run.chainerArg(a)
		if err != nil {
			return "", err
		}
		parts = append(parts, text)
	}
	for _, k := range kwargs {
		text, err := run.chainerArg(k.Val)
		if err != nil {
			return "", err
		}
		parts = append(parts, k.Key+"="+text)
	}
	return fn + "(" + strings.Join(parts, ", ") + ")", nil
}

// chainerArg is numpyArg with links, functions of Chainer, and Variables for tensors.
func (run *moduleRun) chainerArg(raw json.RawMessage) (string, error) {
	var o struct {
		Callable string
		Link     json.RawMessage
	}
	if json.Unmarshal(raw, &o) == nil {
		if strings.HasSuffix(o.Callable, "<lambda>") { // a sampler of the record's maker
			return "(lambda shape: np.zeros(shape, np.int32))", nil
		}
		if o.Callable != "" {
			return strings.NewReplacer("chainer.functions.", "F.", "numpy.", "np.").Replace(o.Callable), nil
		}
		if o.Link != nil {
			var c struct {
				Module string
				Args   []json.RawMessage
				Kwargs opstest.Object
			}
			if err := json.Unmarshal(o.Link, &c); err != nil || c.Module == "" {
				return "", errors.New("argument holds a link")
			}
			return run.chainerText(strings.Replace(c.Module, "chainer.links.", "L.", 1), c.Args, c.Kwargs)
		}
	}
	text, err := run.numpyArg(raw)
	if err != nil {
		return "", err
	}
	if v, ok := run.vars[text]; ok {
		for x := range value.Walk(v, 4, value.Sequences) {
			if t, ok := x.(*value.Tensor); ok && !ops.IsArray(t) {
				t.Class = run.in.Class("chainer.Variable")
			}
		}
	}
	return text, nil
}

// linkState says how the parameters of a link differ from the recorded ones, or "".
func (run *moduleRun) linkState(link value.Value, want opstest.Object, failed bool) string {
	inst, ok := link.(*value.Instance)
	if !ok {
		return fmt.Sprintf("the constructor gives %v", link)
	}
	if failed || want == nil {
		return ""
	}
	have := map[string]*value.Tensor{}
	for _, n := range stateDict(inst) {
		have["/"+n.Name] = n.Tensor
	}
	for _, f := range want {
		var o struct {
			T string
			S []int64
		}
		if json.Unmarshal(f.Val, &o) != nil || o.T == "" {
			continue // without a shape yet
		}
		name := "/" + strings.TrimPrefix(f.Key, "/")
		t := have[name]
		if t == nil {
			return name + " is missing"
		}
		if got, want := t.Type().DType.String()+fmt.Sprint(t.Type().Shape), fmt.Sprintf("%s%s", o.T, shapeText(o.S)); got != want {
			return fmt.Sprintf("%s is %s, want %s", name, got, want)
		}
	}
	return ""
}

func shapeText(s []int64) string {
	parts := make([]string, len(s))
	for i, n := range s {
		parts[i] = fmt.Sprint(n)
	}
	return "[" + strings.Join(parts, ",") + "]"
}
