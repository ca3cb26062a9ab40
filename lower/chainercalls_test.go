package lower_test

// This file compares exported calls of Chainer's functions with what Chainer 7.8.1 computed of float32 inputs:
// testdata/chainer/calls.tsv and calls.npz, which record_calls.py there made. Each is exported twice: with its sizes, and with
// a symbol for the number of examples.

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"shapecheck/infer"
	"shapecheck/internal/diag"
	"shapecheck/lower"
	"shapecheck/onnx"
	"shapecheck/onnx/eval"
	"shapecheck/onnx/inference"
	"shapecheck/onnx/weights"
)

// recordedCalls are how many of the recorded calls are exported, with sizes and with a symbol. Those that are not name why.
const recordedCalls, recordedCallsBySymbol = 420, 418

// noForm are what calls that are not exported say.
var noForm = []string{
	"the others are joined", "ONNX has no complementary error function",
	"ONNX has no inverse of matrices",
}

func TestRecordedCallsOfChainerGiveItsNumbers(t *testing.T) {
	list, err := os.ReadFile("../testdata/chainer/calls.tsv")
	if err != nil {
		t.Fatal(err)
	}
	file, err := weights.Open("../testdata/chainer/calls.npz", weights.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	exported, bySymbol := 0, 0
	for _, line := range strings.Split(strings.TrimSpace(string(list)), "\n")[1:] {
		f := strings.Split(line, "\t")
		number, mode, call := f[0], f[1], f[2]
		in, order := map[string]eval.Value{}, []string{}
		for _, name := range strings.Split("a b c d e f g h t u v w", " ") {
			if x := arrayOf(t, file, number+"."+name); x != nil {
				in[name] = x
				order = append(order, name)
			}
		}
		var text strings.Builder
		fmt.Fprintf(&text, "import chainer\nimport chainer.functions as F\nimport numpy as np\n\n\ndef forward(%s):\n", strings.Join(order, ", "))
		for _, n := range order {
			if n < "i" {
				fmt.Fprintf(&text, "    %s = chainer.Variable(%s)\n", n, n)
			}
		}
		if mode == "eval" {
			text.WriteString("    chainer.config.train = False\n")
		}
		fmt.Fprintf(&text, "    return %s\n", call)
		for _, symbol := range []bool{false, true} {
			var args []string
			first := in[order[0]].(*eval.Tensor).Dims
			for _, name := range order {
				x := in[name].(*eval.Tensor)
				dims := strings.Fields(strings.Trim(fmt.Sprint(x.Dims), "[]"))
				if symbol && len(dims) > 0 && len(first) > 0 && x.Dims[0] == first[0] {
					dims[0] = "n"
				}
				args = append(args, fmt.Sprintf("%s:%s[%s]", name, x.DType, strings.Join(dims, ",")))
			}
			m, err := exportCall(t, text.String(), args)
			if err != nil {
				if !symbol && !slices.ContainsFunc(noForm, func(s string) bool { return strings.Contains(err.Error(), s) }) {
					t.Errorf("%s: %v", call, err)
				}
				continue
			}
			if symbol {
				bySymbol++
			} else {
				exported++
			}
			out, err := eval.Model(m, in, eval.Config{})
			if err != nil {
				t.Errorf("%s: %v", call, err)
				continue
			}
			for i, v := range out {
				y, want := v.(*eval.Tensor), arrayOf(t, file, fmt.Sprintf("%s.out%d", number, i))
				if want == nil || y.DType != want.DType || !slices.Equal(y.Dims, want.Dims) || !same(y, want) {
					t.Errorf("%s: result %d is %v %v, Chainer's %v", call, i, y.DType, y, want)
				}
			}
		}
	}
	if exported != recordedCalls || bySymbol != recordedCallsBySymbol {
		t.Errorf("%d calls are exported, not %d, and %d with a symbol, not %d", exported, recordedCalls, bySymbol, recordedCallsBySymbol)
	}
}

// exportCall is export of a program whose warnings do not matter: a symbol may make an index doubtful.
func exportCall(t *testing.T, text string, args []string) (*onnx.Model, error) {
	t.Helper()
	res, err := infer.Run(infer.Config{File: "net.py", Text: text, Args: args})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range res.Diagnostics {
		if d.Severity == diag.Error {
			return nil, fmt.Errorf("error: %s", d.Msg)
		}
	}
	m, err := lower.Lower(lower.Input{Graph: res.Graph, Pool: res.Pool, Files: res.Files, Name: "net"})
	if err != nil {
		return nil, err
	}
	wellFormed(t, m)
	if rep, err := inference.Compare(m); err != nil || !rep.OK() { // that 2 <= n is a condition of the program, which models do not say
		t.Errorf("the model's types are not the program's: %v\n%s", err, rep)
	}
	return m, nil
}

// same compares what float32 arithmetic gave: infinities and whole numbers exactly.
func same(x, y *eval.Tensor) bool {
	return slices.Equal(x.I, y.I) && slices.EqualFunc(x.F, y.F, func(a, b float64) bool {
		return a == b || math.Abs(a-b) <= 1e-5*(1+math.Abs(b))
	})
}

// arrayOf reads an array of floats, whole numbers or bools; nil: there is none of that name.
func arrayOf(t *testing.T, file *weights.File, name string) *eval.Tensor {
	t.Helper()
	x := file.Find(name)
	if x == nil {
		return nil
	}
	var b bytes.Buffer
	if _, err := x.WriteTo(&b); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	n := int64(1)
	for _, d := range x.Dims {
		n *= d
	}
	y := &eval.Tensor{DType: x.DType, Dims: x.Dims}
	switch x.DType {
	case onnx.Float:
		list := make([]float32, n)
		if err := binary.Read(&b, binary.LittleEndian, list); err != nil {
			t.Fatal(err)
		}
		for _, f := range list {
			y.F = append(y.F, float64(f))
		}
	case onnx.Double:
		y.F = make([]float64, n)
		if err := binary.Read(&b, binary.LittleEndian, y.F); err != nil {
			t.Fatal(err)
		}
	case onnx.Int32:
		list := make([]int32, n)
		if err := binary.Read(&b, binary.LittleEndian, list); err != nil {
			t.Fatal(err)
		}
		for _, i := range list {
			y.I = append(y.I, int64(i))
		}
	case onnx.Int64:
		y.I = make([]int64, n)
		if err := binary.Read(&b, binary.LittleEndian, y.I); err != nil {
			t.Fatal(err)
		}
	case onnx.Bool:
		for _, i := range b.Bytes() {
			y.I = append(y.I, int64(i))
		}
	default:
		t.Fatalf("%s: %v", name, x.DType)
	}
	return y
}
