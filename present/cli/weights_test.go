package cli

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"shapecheck/check"
	"shapecheck/onnx"
)

// tiedNet has a tied weight, a buffer outside of the state_dict and a batch norm.
const tiedNet = `import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(24, 24)
        self.tied = nn.Linear(24, 24)
        self.tied.weight = self.lin.weight
        self.bn = nn.BatchNorm1d(24)
        self.register_buffer('ids', torch.arange(24), persistent=False)

    def forward(self, x):
        return self.bn(self.tied(self.lin(x))) + self.ids
`

// tiedState is what state_dict() of it has, with PyTorch 1.13.
var tiedState = []struct {
	name, dtype string
	dims        []int64
}{
	{"lin.weight", "F32", []int64{24, 24}}, {"lin.bias", "F32", []int64{24}},
	{"tied.weight", "F32", []int64{24, 24}}, {"tied.bias", "F32", []int64{24}},
	{"bn.weight", "F32", []int64{24}}, {"bn.bias", "F32", []int64{24}},
	{"bn.running_mean", "F32", []int64{24}}, {"bn.running_var", "F32", []int64{24}}, {"bn.num_batches_tracked", "I64", []int64{}},
}

// writeState writes a safetensors file whose bytes count up; change edits the
// header.
func writeState(t *testing.T, path string, change func(header map[string]map[string]any)) []byte {
	t.Helper()
	header := map[string]map[string]any{}
	at := int64(0)
	for _, e := range tiedState {
		n := map[string]int64{"F32": 4, "I64": 8}[e.dtype]
		for _, d := range e.dims {
			n *= d
		}
		header[e.name] = map[string]any{"dtype": e.dtype, "shape": e.dims, "data_offsets": []int64{at, at + n}}
		at += n
	}
	if change != nil {
		change(header)
	}
	text, err := json.Marshal(header)
	if err != nil {
		t.Fatal(err)
	}
	data := make([]byte, at)
	for i := range data {
		data[i] = byte(i % 63) // no NaN
	}
	b := binary.LittleEndian.AppendUint64(nil, uint64(len(text)))
	if err := os.WriteFile(path, append(append(b, text...), data...), 0o666); err != nil {
		t.Fatal(err)
	}
	return data
}

// weightsCommand runs a command for tiedNet with the file w.safetensors.
func weightsCommand(t *testing.T, dir, command string, more ...string) (int, string) {
	t.Helper()
	file := filepath.Join(dir, "net.py")
	if err := os.WriteFile(file, []byte(tiedNet), 0o666); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	args := append([]string{command, file, "--entry", "Net()", "--eval", "--arg", "x:f32[B,24]", "--weights",
		filepath.Join(dir, "w.safetensors")}, more...)
	code := Run(args, strings.NewReader(""), &out, &out)
	return code, out.String()
}

func TestCheckComparesWeightsFromHeaders(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "w.safetensors")
	writeState(t, path, nil)
	if code, out := weightsCommand(t, dir, "check"); code != check.ExitClean {
		t.Errorf("what fits: exit %d\n%s", code, out)
	}
	writeState(t, path, func(h map[string]map[string]any) { // PyTorch adds the counter
		h["bn.other"] = h["bn.num_batches_tracked"]
		delete(h, "bn.num_batches_tracked")
	})
	code, out := weightsCommand(t, dir, "check")
	if code != check.ExitFindings || strings.Count(out, "error[") != 1 ||
		!strings.Contains(out, `error[SC712]: the model has no "bn.other" (i64[])`) {
		t.Errorf("exit %d\n%s", code, out)
	}
	writeState(t, path, func(h map[string]map[string]any) {
		h["lin.weight"]["shape"] = []int64{12, 48}
		h["bn.bias"]["dtype"], h["bn.bias"]["shape"] = "F16", []int64{48}
		h["tied.bios"] = h["tied.bias"]
		delete(h, "tied.bias")
	})
	code, out = weightsCommand(t, dir, "check")
	for _, want := range []string{
		`error[SC713]: "lin.weight" is f32[12,48] in the file and f32[24,24] in the model`, "net.py:8:20",
		`error[SC711]: the file has no tensor "tied.bias" (f32[24])`, `did you mean "tied.bios"`,
		`error[SC713]: "bn.bias" is f16[48] in the file and f32[24] in the model`,
		`error[SC714]: "bn.bias" has elements of type f16 in the file and f32 in the model`, "--convert-weights",
		`error[SC712]: the model has no "tied.bios" (f32[24])`, "5 errors",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q (exit %d) in\n%s", want, code, out)
		}
	}
	if code, out := weightsCommand(t, dir, "export", "-o", filepath.Join(dir, "m.onnx")); code != check.ExitFindings ||
		!strings.Contains(out, "SC713") {
		t.Errorf("export with what does not fit: exit %d\n%s", code, out)
	}
	if _, err := os.Stat(filepath.Join(dir, "m.onnx")); err == nil {
		t.Error("a model was written")
	}
}

func TestExportHoldsTheWeights(t *testing.T) {
	dir := t.TempDir()
	data := writeState(t, filepath.Join(dir, "w.safetensors"), nil)
	for _, external := range []bool{false, true} {
		out := filepath.Join(dir, "m.onnx")
		args := []string{"-o", out, "--check"}
		if external {
			args = append(args, "--external-data")
		}
		if code, text := weightsCommand(t, dir, "export", args...); code != check.ExitClean {
			t.Fatalf("exit %d\n%s", code, text)
		}
		b, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		m, err := onnx.Unmarshal(b)
		if err != nil {
			t.Fatal(err)
		}
		if len(m.Graph.Inputs) != 1 {
			t.Errorf("%d inputs: only x is one", len(m.Graph.Inputs))
		}
		x := onnx.NewExternals(nil, filepath.Join(dir, "model.onnx"))
		at := 0
		found := 0
		for _, e := range tiedState {
			n := 4
			for _, d := range e.dims {
				n *= int(d)
			}
			want := data[at : at+n]
			at += n
			for _, init := range m.Graph.Initializers {
				if init.Name != e.name {
					continue
				}
				found++
				if init.IsExternal != (external && n >= 1024) {
					t.Errorf("%s: external %v", e.name, init.IsExternal)
				}
				got, err := x.Load(t.Context(), init, 1<<20)
				if err != nil || !bytes.Equal(got.Raw, want) {
					t.Errorf("%s: %v, or other bytes", e.name, err)
				}
			}
		}
		if err := x.Close(); err != nil {
			t.Error(err)
		}
		if found != 7 { // all but the second name of a weight and the counter
			t.Errorf("%d of the state's tensors are initializers", found)
		}
	}
}

// TestChainersFilesHoldTheSameWeights exports a model with what save_hdf5 and save_npz wrote of it, one parameter of which has
// no shape yet.
func TestChainersFilesHoldTheSameWeights(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "net.py")
	if err := os.WriteFile(file, []byte(`import chainer
import chainer.functions as F
import chainer.links as L


class Net(chainer.Chain):
    def __init__(self):
        super().__init__()
        with self.init_scope():
            self.l1 = L.Linear(7, 5)
            self.bn = L.BatchNormalization(5)
            self.seq = chainer.Sequential(L.Linear(5, 3), F.relu, L.Linear(3, 2))
            self.scale = chainer.Parameter(2, ())
            self.lazy = L.Linear(None, 3)

    def forward(self, x):
        return self.seq(self.bn(self.l1(x)))
`), 0o666); err != nil {
		t.Fatal(err)
	}
	var models [][]byte
	for _, name := range []string{"chainer.h5", "chainer.npz"} {
		out := filepath.Join(dir, name+".onnx")
		code, stdout, stderr := run("export", file, "--entry", "Net()", "--arg", "x:f32[B,7]", "--weights", "../../onnx/weights/testdata/"+name,
			"-o", out)
		if code != 0 {
			t.Fatalf("%s: exit code %d\n%s%s", name, code, stdout, stderr)
		}
		if !strings.Contains(stderr, "10 weights of 86 elements") {
			t.Errorf("%s: %s", name, stderr)
		}
		b, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		models = append(models, b)
	}
	if !bytes.Equal(models[0], models[1]) {
		t.Error("the two files give two models")
	}
}
