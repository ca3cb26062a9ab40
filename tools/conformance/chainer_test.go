package conformance

// This file runs exported programs of Chainer, with weights that Chainer saved, in both engines beside what it computed:
// testdata/chainer/runs and runs.npz, which record_runs.py there made.

import (
	"bytes"
	"context"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"shapecheck/check"
	"shapecheck/check/export"
	"shapecheck/infer"
	"shapecheck/onnx"
	"shapecheck/onnx/weights"
	"shapecheck/runtime/tensor"
	"shapecheck/tools/testfiles"
)

const (
	chainerRuns = "../../testdata/chainer/"
	// chainerPrograms is how many programs there are.
	chainerPrograms = 27
)

func TestExportedProgramsOfChainerGiveItsNumbers(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(testfiles.Unpack(t, chainerRuns+"runs"), "*.py"))
	if err != nil || len(files) != chainerPrograms {
		t.Fatalf("%d programs, %v", len(files), err)
	}
	recorded := openWeights(t, chainerRuns+"runs.npz")
	for _, path := range files {
		name := strings.TrimSuffix(filepath.Base(path), ".py")
		t.Run(name, func(t *testing.T) { runsAsChainer(t, path, name, recorded) })
	}
}

var headerLine = regexp.MustCompile(`(?m)^# (entry|arg|N): (.*)$`)

func runsAsChainer(t *testing.T, path, name string, recorded *weights.File) {
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	target := &check.Target{Run: infer.Config{File: path}}
	var sizes []string
	for _, m := range headerLine.FindAllStringSubmatch(string(text), -1) {
		switch m[1] {
		case "entry":
			target.Run.Entry = m[2]
		case "arg":
			target.Run.Args = append(target.Run.Args, m[2])
		default:
			sizes = strings.Split(m[2], ",")
		}
	}
	file := chainerRuns + "runs/" + name + ".npz"
	if _, err := os.Stat(file); err == nil { // else it has no parameters
		target.Weights = &check.Weights{File: openWeights(t, file), Name: file}
	}
	out, err := export.Entry(context.Background(), &check.Session{}, target, export.Options{SelfCheck: true})
	if err != nil {
		t.Fatal(err)
	}
	if out.Model == nil {
		for _, d := range out.Diagnostics {
			t.Error(d.Msg)
		}
		return
	}
	for _, p := range out.Model.Graph.Initializers {
		if target.Weights != nil && !strings.HasPrefix(p.Name, "/") && strings.Contains(p.Name, "W") {
			t.Errorf("the parameter %q has no path of a link", p.Name)
		}
	}
	model, err := onnx.Marshal(out.Model)
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range sizes {
		var in []tensor.Value
		for _, x := range out.Model.Graph.Inputs {
			in = append(in, recordedArray(t, recorded, name+"."+size+"."+x.Name))
		}
		givesRecorded(t, model, in, recorded, name+"."+size+".out")
	}
}

// givesRecorded runs a model in both engines and compares its results with those that are recorded as prefix and their numbers.
func givesRecorded(t *testing.T, model []byte, in []tensor.Value, recorded *weights.File, prefix string) {
	t.Helper()
	for _, engine := range Engines() {
		got, err := engine.Run(context.Background(), model, in)
		if err != nil {
			t.Errorf("%s: %v", prefix, err)
			continue
		}
		at := 0
		for _, v := range got {
			at = sameAsRecorded(t, recorded, prefix, at, v)
		}
		if recorded.Find(prefix+strconv.Itoa(at)) != nil {
			t.Errorf("%s: only %d results", prefix, at)
		}
	}
}

// sameAsRecorded compares a result, or the elements of a list, with those recorded from number at on; it gives the next one.
func sameAsRecorded(t *testing.T, recorded *weights.File, prefix string, at int, v tensor.Value) int {
	t.Helper()
	if s, ok := v.(*tensor.Sequence); ok {
		for i := range s.Len() {
			at = sameAsRecorded(t, recorded, prefix, at, s.At(i))
		}
		return at
	}
	got, ok := v.(*tensor.Tensor)
	if !ok {
		t.Errorf("%s%d: a result is %T", prefix, at, v)
		return at + 1
	}
	want := recordedArray(t, recorded, prefix+strconv.Itoa(at))
	if len(got.Dims()) != len(want.Dims()) || got.Len() != want.Len() {
		t.Errorf("%s%d: %v, Chainer's %v", prefix, at, got.Dims(), want.Dims())
		return at + 1
	}
	for i := range want.Len() {
		if x, y := got.Float(i), want.Float(i); !(math.IsNaN(x) && math.IsNaN(y)) && !(math.Abs(x-y) <= 1e-4*(1+math.Abs(y))) {
			t.Errorf("%s%d: element %d is %g, Chainer's %g", prefix, at, i, x, y)
			break
		}
	}
	return at + 1
}

func openWeights(t *testing.T, path string) *weights.File {
	t.Helper()
	f, err := weights.Open(path, weights.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func recordedArray(t *testing.T, f *weights.File, name string) *tensor.Tensor {
	t.Helper()
	x := f.Find(name)
	if x == nil {
		t.Fatalf("%s is not recorded", name)
	}
	var b bytes.Buffer
	if _, err := x.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	y, err := tensor.FromProto(&onnx.Tensor{DType: x.DType, Dims: x.Dims, Raw: b.Bytes(), HasRaw: true})
	if err != nil {
		t.Fatal(err)
	}
	return y
}
