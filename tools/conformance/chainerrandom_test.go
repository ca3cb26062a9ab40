package conformance

// This file runs exported random functions of NumPy and Chainer and compares how their results are distributed with
// what record_random.py recorded: testdata/chainer/random.tsv.

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"shapecheck/check"
	"shapecheck/check/export"
	"shapecheck/infer"
	"shapecheck/onnx"
	"shapecheck/runtime/tensor"
)

func TestRandomResultsAreDistributedAsChainers(t *testing.T) {
	text, err := os.ReadFile(chainerRuns + "random.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Split(strings.TrimSuffix(string(text), "\n"), "\n") {
		fields := strings.Split(line, "\t")
		t.Run(fields[0], func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "draw"+strconv.Itoa(i)+".py")
			program := "import chainer\nimport chainer.functions as F\nimport numpy as np\n\n\ndef draw(x):\n    return " + fields[0] + ", x\n"
			if err := os.WriteFile(file, []byte(program), 0o666); err != nil {
				t.Fatal(err)
			}
			target := &check.Target{Run: infer.Config{File: file, Entry: "draw", Args: []string{"x:f32[1]"}, NumpyVersion: "1.23.5"}}
			out, err := export.Entry(context.Background(), &check.Session{}, target, export.Options{Train: true})
			if err != nil {
				t.Fatal(err)
			}
			if out.Model == nil {
				t.Fatal(out.Diagnostics[0].Msg)
			}
			model, err := onnx.Marshal(out.Model)
			if err != nil {
				t.Fatal(err)
			}
			got, err := Engines()[0].Run(context.Background(), model, []tensor.Value{tensor.Of([]float32{0})})
			if err != nil {
				t.Fatal(err)
			}
			drawn := got[0].(*tensor.Tensor)
			elems := make([]float64, drawn.Len())
			for i := range elems {
				elems[i] = drawn.Float(i)
			}
			slices.Sort(elems)
			var want, have []float64
			for k, f := range fields[1:] {
				q, err := strconv.ParseFloat(f, 64)
				if err != nil {
					t.Fatal(err)
				}
				want = append(want, q)
				have = append(have, elems[len(elems)*(2*k+1)/10])
			}
			near := 0.03 * (want[4] - want[0])
			for k := range want {
				if !(math.Abs(want[k]-have[k]) <= near+1e-5*math.Abs(want[k])) {
					t.Errorf("%d %% are below %g, Chainer's below %g", 10+20*k, have[k], want[k])
				}
			}
		})
	}
}
