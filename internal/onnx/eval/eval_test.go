package eval

// This file runs ONNX's own node tests, whose outputs were recorded with numpy, on
// the kernels. testdata/nodes.tar.gz holds those of libonnx-testdata 1.12 that have
// small inputs: NAME/model.onnx, NAME/input_N.pb, NAME/output_N.pb.

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"shapecheck/internal/onnx"
)

// cases reads the archive.
func cases(t *testing.T) map[string]map[string][]byte {
	t.Helper()
	f, err := os.Open("testdata/nodes.tar.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]map[string][]byte{}
	r := tar.NewReader(z)
	for {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		name, file, ok := strings.Cut(h.Name, "/")
		if !ok || file == "" {
			continue
		}
		b, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		if out[name] == nil {
			out[name] = map[string][]byte{}
		}
		out[name][file] = b
	}
}

func tensors(t *testing.T, files map[string][]byte, prefix string) []*Tensor {
	t.Helper()
	var out []*Tensor
	for i := 0; ; i++ {
		b, ok := files[fmt.Sprintf("%s_%d.pb", prefix, i)]
		if !ok {
			return out
		}
		x, err := onnx.UnmarshalTensor(b)
		if err != nil {
			t.Fatal(err)
		}
		y, err := FromONNX(x)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, y)
	}
}

// unsupported are tests of forms that lowered programs do not have: they fail.
var unsupported = []string{"test_gathernd_example_int32_batch", "test_edge_pad", "test_reflect_pad", "test_einsum_batch_diagonal", "test_einsum_inner_prod", "test_training_dropout", "test_dropout_default_mask"}

func TestKernelsAgreeWithRecordedOutputs(t *testing.T) {
	ran := map[string]bool{}
	for name, files := range cases(t) {
		m, err := onnx.Unmarshal(files["model.onnx"])
		if err != nil {
			t.Fatal(err)
		}
		in := Input{Nodes: m.Graph.Nodes, Values: map[string]*Tensor{}}
		for i, x := range tensors(t, files, "input") {
			in.Values[m.Graph.Inputs[i].Name] = x
		}
		want := tensors(t, files, "output")
		for i := range want {
			in.Outputs = append(in.Outputs, m.Graph.Outputs[i].Name)
		}
		got, err := Run(in)
		skip := slices.ContainsFunc(unsupported, func(p string) bool { return strings.HasPrefix(name, p) })
		if skip != (err != nil) {
			t.Errorf("%s: error %v", name, err)
		}
		if err != nil {
			continue
		}
		for _, n := range m.Graph.Nodes {
			ran[n.Op] = true
		}
		for i, w := range want {
			if why := differ(got[i], w); why != "" {
				t.Errorf("%s, output %d: %s", name, i, why)
			}
		}
	}
	if len(ran) < 80 {
		t.Errorf("only %d operators were run", len(ran))
	}
}

func differ(got, want *Tensor) string {
	if got.DType != want.DType || !slices.Equal(got.Dims, want.Dims) {
		return fmt.Sprintf("%s%v instead of %s%v", got.DType, got.Dims, want.DType, want.Dims)
	}
	for i := range want.Len() {
		a, b := got.At(i), want.At(i)
		if a == b || math.IsNaN(a) && math.IsNaN(b) || math.Abs(a-b) <= 1e-5*max(1, math.Abs(b)) {
			continue
		}
		return fmt.Sprintf("element %d is %v instead of %v", i, a, b)
	}
	return ""
}
