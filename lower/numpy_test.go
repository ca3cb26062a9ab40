package lower_test

// This file compares exported calls of NumPy's functions with what NumPy computed: testdata/numpy.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"shapecheck/infer"
	"shapecheck/internal/diag"
	"shapecheck/lower"
	"shapecheck/onnx"
	"shapecheck/onnx/eval"
)

// numpyExported are how many of the recorded calls are exported under NumPy 2, with their sizes and with a symbol for the
// first one of matrices, and of those that NumPy 1 answers otherwise under NumPy 1.
const numpyExported, numpyBySymbol, numpy1Exported = 1713, 1713, 71

// words are the names in an expression.
var words = regexp.MustCompile(`\b[a-z]\b`)

// A npArray is an array as record.py writes it.
type npArray struct {
	DType string
	Shape []int64
	Data  []any
}

func (a *npArray) tensor(t *testing.T) *eval.Tensor {
	t.Helper()
	d := map[string]onnx.DType{"float16": onnx.Float16, "float32": onnx.Float, "float64": onnx.Double, "int8": onnx.Int8,
		"uint8": onnx.Uint8, "int16": onnx.Int16,
		"int32": onnx.Int32, "int64": onnx.Int64, "uint64": onnx.Uint64, "bool": onnx.Bool}[a.DType]
	if d == onnx.Undefined {
		t.Fatalf("%s is no known type", a.DType)
	}
	out := &eval.Tensor{DType: d, Dims: append([]int64{}, a.Shape...)}
	for _, x := range a.Data {
		switch x := x.(type) {
		case string:
			f, err := strconv.ParseFloat(x, 64)
			if err != nil {
				t.Fatal(err)
			}
			out.F = append(out.F, f)
		case json.Number:
			n, err := x.Int64()
			if err != nil {
				t.Fatal(err)
			}
			out.I = append(out.I, n)
		}
	}
	return out
}

func TestFunctionsOfNumpyGiveItsNumbers(t *testing.T) {
	text, err := os.ReadFile("../testdata/numpy/arrays.json")
	if err != nil {
		t.Fatal(err)
	}
	var arrays map[string]*npArray
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	if err := dec.Decode(&arrays); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		file, version string
		symbol        bool
		exported      int
	}{{"calls.jsonl", "2.4.6", false, numpyExported}, {"calls.jsonl", "2.4.6", true, numpyBySymbol},
		{"numpy1.jsonl", "1.23.5", false, numpy1Exported}} {
		data, err := os.ReadFile("../testdata/numpy/" + c.file)
		if err != nil {
			t.Fatal(err)
		}
		exported := 0
		for _, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
			var rec struct {
				Call string
				Out  []*npArray
			}
			dec := json.NewDecoder(strings.NewReader(line))
			dec.UseNumber()
			if err := dec.Decode(&rec); err != nil {
				t.Fatal(err)
			}
			if numpyCall(t, arrays, rec.Call, c.version, c.symbol, rec.Out) {
				exported++
			}
		}
		if exported != c.exported {
			t.Errorf("%s (symbol: %t): %d calls are exported, not %d", c.file, c.symbol, exported, c.exported)
		}
	}
}

// numpyCall exports a call and compares its results; false: it has no form.
func numpyCall(t *testing.T, arrays map[string]*npArray, call, version string, symbol bool, want []*npArray) bool {
	t.Helper()
	in := map[string]eval.Value{}
	var names, args []string
	for _, w := range words.FindAllString(call, -1) {
		if a := arrays[w]; a != nil && in[w] == nil {
			in[w] = a.tensor(t)
			names = append(names, w)
			short := strings.NewReplacer("float", "f", "uint", "u", "int", "i").Replace(a.DType)
			arg := strings.ReplaceAll(fmt.Sprintf("%s:%s%v", w, short, a.Shape), " ", ",")
			if symbol && len(a.Shape) > 1 {
				arg = strings.Replace(arg, "[2,", "[n,", 1)
			}
			args = append(args, arg)
		}
	}
	var text strings.Builder
	fmt.Fprintf(&text, "import numpy as np\n\n\ndef forward(%s):\n", strings.Join(names, ", "))
	statements := strings.Split(call, "; ")
	last := len(statements) - 1
	for _, s := range statements[:last] {
		fmt.Fprintf(&text, "    %s\n", s)
	}
	fmt.Fprintf(&text, "    return %s\n", statements[last])
	res, err := infer.Run(infer.Config{File: "net.py", Text: text.String(), Args: args, NumpyVersion: version})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range res.Diagnostics {
		if d.Severity == diag.Error {
			if !symbol { // a number in the call may be wrong for other sizes
				t.Errorf("%s: %s", call, d.Msg)
			}
			return false
		}
	}
	m, err := lower.Lower(lower.Input{Graph: res.Graph, Pool: res.Pool, Files: res.Files, Name: "net"})
	if err != nil {
		t.Logf("%s: %v", call, err)
		return false
	}
	if len(res.Contract) == 0 { // else types may be the same for the sizes alone that it allows
		agrees(t, m)
	}
	out, err := eval.Model(m, in, eval.Config{})
	if err != nil {
		t.Errorf("%s: %v", call, err)
		return true
	}
	if len(out) != len(want) {
		t.Errorf("%s: %d results, NumPy has %d", call, len(out), len(want))
		return true
	}
	for i, v := range out {
		y, w := v.(*eval.Tensor), want[i].tensor(t)
		if y.DType != w.DType || !slices.Equal(y.Dims, w.Dims) || !slices.Equal(y.I, w.I) || !slices.EqualFunc(y.F, w.F, func(a, b float64) bool {
			tol := map[onnx.DType]float64{onnx.Float16: 2e-3, onnx.Float: 2e-6}[y.DType] + 1e-7
			return a == b || math.IsNaN(a) && math.IsNaN(b) || math.Abs(a-b) <= tol*(1+math.Abs(b))
		}) {
			t.Errorf("%s: result %d is %v %v, NumPy %s gives %v %v", call, i, y.DType, y, version, w.DType, w)
		}
	}
	return true
}
