package lower_test

// This file compares exported calls of Chainer's functions with what Chainer 7.8.1 computed: testdata/chainer, whose
// grads.npz has, for line N of grads.tsv, the arrays N.in0 …, N.out0 …, and the gradients N.gy0 … and N.gx0 ….

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"shapecheck/onnx"
	"shapecheck/onnx/eval"
	"shapecheck/onnx/weights"
)

// chainerExported is how many calls are recorded: all are exported.
const chainerExported = 84

func TestFunctionsOfChainerGiveItsNumbers(t *testing.T) {
	list, err := os.ReadFile("../testdata/chainer/grads.tsv")
	if err != nil {
		t.Fatal(err)
	}
	file, err := weights.Open("../testdata/chainer/grads.npz", weights.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	exported := 0
	for _, line := range strings.Split(strings.TrimSpace(string(list)), "\n")[1:] {
		f := strings.Split(line, "\t")
		inputs, err := strconv.Atoi(f[2])
		if err != nil { // the steps of an optimiser
			continue
		}
		if strings.HasPrefix(f[1], "chainer.optimizers.") {
			continue
		}
		var names, args []string
		in := map[string]eval.Value{}
		give := func(name string, x *eval.Tensor) {
			in[name] = x
			names = append(names, name)
			args = append(args, strings.ReplaceAll(fmt.Sprintf("%s:%s%v", name, x.DType, x.Dims), " ", ","))
		}
		for i := range inputs {
			give(string(rune('a'+i)), doubles(t, file, fmt.Sprintf("%s.in%d", f[0], i)))
		}
		if x := arrayOf(t, file, f[0]+".other0"); x != nil { // labels, indices and conditions
			give("t", x)
		}
		var text strings.Builder
		fmt.Fprintf(&text, "import chainer\nimport chainer.functions as F\n\n\ndef forward(%s):\n", strings.Join(names, ", "))
		for _, n := range names[:inputs] {
			fmt.Fprintf(&text, "    %s = chainer.Variable(%s)\n", n, n)
		}
		fmt.Fprintf(&text, "    return %s\n", f[1])
		m, err := export(t, text.String(), args...)
		if err != nil {
			t.Errorf("%s: %v", f[1], err)
			continue
		}
		exported++
		out, err := eval.Model(m, in, eval.Config{})
		if err != nil {
			t.Errorf("%s: %v", f[1], err)
			continue
		}
		for i, v := range out {
			y, want := v.(*eval.Tensor), doubles(t, file, fmt.Sprintf("%s.out%d", f[0], i))
			if want == nil || !slices.Equal(y.Dims, want.Dims) || !equalNear(y.F, want.F) {
				t.Errorf("%s: result %d is %v, Chainer's %v", f[1], i, y, want)
			}
		}
	}
	if exported != chainerExported {
		t.Errorf("%d calls are exported, not %d", exported, chainerExported)
	}
}

// equalNear compares within a float32's precision: constants of the standard operators' attributes are float32.
func equalNear(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Abs(x-y) <= 1e-6*(1+math.Abs(y)) })
}

// doubles reads an array; nil: there is none of that name.
func doubles(t *testing.T, f *weights.File, name string) *eval.Tensor {
	t.Helper()
	x := f.Find(name)
	if x == nil {
		return nil
	}
	var b bytes.Buffer
	if _, err := x.WriteTo(&b); err != nil || x.DType != onnx.Double {
		t.Fatalf("%s: %v %v", name, x.DType, err)
	}
	y := &eval.Tensor{DType: onnx.Double, Dims: x.Dims, F: make([]float64, b.Len()/8)}
	if err := binary.Read(&b, binary.LittleEndian, y.F); err != nil {
		t.Fatal(err)
	}
	return y
}

// The numbers are Chainer's of the same float32 input.
func TestFloorDivisionOfVariables(t *testing.T) {
	in := &eval.Tensor{DType: onnx.Float, Dims: []int64{2, 3}, F: []float64{-0.7, 0.4, 2.2, 1, -3, 0.3}}
	for _, c := range []struct {
		expr string
		want []float64
	}{
		{"1.5 // v", []float64{-3, 3, 0, 1, -1, 5}},
		{"v // 1.5", []float64{-1, 0, 1, 0, -2, 0}},
		{"v // (v + 2)", []float64{-1, 0, 0, 0, 3, 0}},
	} {
		m, err := export(t, "import chainer\n\n\ndef forward(x):\n    v = chainer.Variable(x)\n    return "+c.expr+"\n", "x:f32[n,3]")
		if err != nil {
			t.Errorf("%s: %v", c.expr, err)
			continue
		}
		out, err := eval.Model(m, map[string]eval.Value{"x": in}, eval.Config{})
		if err != nil {
			t.Fatal(err)
		}
		if got := out[0].(*eval.Tensor).F; !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.expr, got, c.want)
		}
	}
}

// TestLinearJoinsAxes is x·Wᵀ by hand: for one axis of examples the others are one, for two the last alone is multiplied.
func TestLinearJoinsAxes(t *testing.T) {
	for _, c := range []struct {
		call, weight string
		w            *eval.Tensor
		dims         []int64
		want         []float64
	}{
		{"F.linear(x, w)", "w:f32[1,4]", floats([]int64{1, 4}, 1, 10, 100, 1000), []int64{2, 1}, []float64{4321, 8765}},
		{"F.linear(x, w, n_batch_axes=2)", "w:f32[1,2]", floats([]int64{1, 2}, 1, 10), []int64{2, 2, 1}, []float64{21, 43, 65, 87}},
	} {
		m, err := export(t, "import chainer.functions as F\n\n\ndef forward(x, w):\n    return "+c.call+"\n", "x:f32[n,2,2]", c.weight)
		if err != nil {
			t.Errorf("%s: %v", c.call, err)
			continue
		}
		out, err := eval.Model(m, map[string]eval.Value{"x": floats([]int64{2, 2, 2}, 1, 2, 3, 4, 5, 6, 7, 8), "w": c.w}, eval.Config{})
		if err != nil {
			t.Errorf("%s: %v", c.call, err)
		} else if y, ok := out[0].(*eval.Tensor); !ok || !slices.Equal(y.Dims, c.dims) || !slices.Equal(y.F, c.want) {
			t.Errorf("%s: %v", c.call, out[0])
		}
	}
}

// TestLocalConvolutionHasTheWindowsOfItsWeights: windows of the image for which there are no weights are left out.
func TestLocalConvolutionHasTheWindowsOfItsWeights(t *testing.T) {
	m, err := export(t, "import chainer.functions as F\n\n\ndef forward(x, w):\n    return F.local_convolution_2d(x, w)\n", "x:f32[1,1,3,3]",
		"w:f32[1,1,2,1,2,2]")
	if err != nil {
		t.Fatal(err)
	}
	x, w := floats([]int64{1, 1, 3, 3}, 1, 2, 3, 4, 5, 6, 7, 8, 9), floats([]int64{1, 1, 2, 1, 2, 2}, 1, 0, 0, 0, 0, 0, 0, 1)
	out, err := eval.Model(m, map[string]eval.Value{"x": x, "w": w}, eval.Config{})
	if err != nil {
		t.Fatal(err)
	}
	if y := out[0].(*eval.Tensor); !slices.Equal(y.Dims, []int64{1, 1, 1, 2}) || !slices.Equal(y.F, []float64{1, 6}) {
		t.Errorf("%v", y)
	}
}

// TestScalarsOfNumpyKeepTheirDType: a number that is known is no number of Python.
func TestScalarsOfNumpyKeepTheirDType(t *testing.T) {
	m, err := export(t, "import numpy as np\n\n\ndef forward(x):\n    return np.int32(4), np.float64(0.1), np.float32(x.shape[0]) / 3, np.int64(7), np.uint8(3), 2\n", "x:f32[n,3]")
	if err != nil {
		t.Fatal(err)
	}
	want := []onnx.DType{onnx.Int32, onnx.Double, onnx.Float, onnx.Int64, onnx.Uint8, onnx.Int64}
	for i, o := range m.Graph.Outputs {
		if o.Type.Elem != want[i] {
			t.Errorf("%s is %v", o.Name, o.Type.Elem)
		}
	}
	out, err := eval.Model(m, map[string]eval.Value{"x": floats([]int64{2, 3}, 0, 0, 0, 0, 0, 0)}, eval.Config{})
	if err != nil {
		t.Fatal(err)
	}
	if y := out[1].(*eval.Tensor); y.F[0] != 0.1 {
		t.Errorf("%v", y)
	}
}

// TestFirstTurnOfALoopOverRows: a loop over any number of rows whose first turn sets what the others read.
func TestFirstTurnOfALoopOverRows(t *testing.T) {
	const text = "import numpy as np\n\n\ndef forward(x):\n    out = None\n    for i, row in enumerate(x):\n        if i == 0:\n            y = row\n        else:\n            y = y * 2 + row\n" +
		"    for i in range(len(x)):\n        if i > 0:\n            out = np.concatenate((out, x[i][None]))\n        else:\n            out = x[i][None]\n    return y, out\n"
	m, err := export(t, text, "x:f32[n,2]")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		rows []float64
		want []float64
	}{{[]float64{1, 2}, []float64{1, 2}}, {[]float64{1, 2, 3, 4}, []float64{5, 8}}, {[]float64{1, 2, 3, 4, 5, 6}, []float64{15, 22}}} {
		x := floats([]int64{int64(len(c.rows) / 2), 2}, c.rows...)
		out, err := eval.Model(m, map[string]eval.Value{"x": x}, eval.Config{})
		if err != nil {
			t.Fatal(err)
		}
		if y, all := out[0].(*eval.Tensor), out[1].(*eval.Tensor); !slices.Equal(y.F, c.want) || !slices.Equal(all.F, c.rows) ||
			!slices.Equal(all.Dims, x.Dims) {
			t.Errorf("%v: %v, %v", c.rows, y, all)
		}
	}
}
