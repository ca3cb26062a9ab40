package cli

import (
	"archive/zip"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"shapecheck/check"
)

// liveChain has a parameter that waits for its size, and attributes that training sets.
const liveChain = `import chainer
import chainer.functions as F
import chainer.links as L


class Net(chainer.Chain):
    def __init__(self):
        super().__init__()
        with self.init_scope():
            self.l1 = L.Linear(None, 10)
            self.more = L.Linear(10, 10).repeat(2)
        self.depth = None
        self.order = None
        self.cfg = {'width': 1}
        self.scales = [1, 2]

    def forward(self, x):
        h = self.more(self.l1(x))
        for i in range(self.depth):
            h = F.relu(h)
        h = F.broadcast_to(F.reshape(h, (-1, 1, 10)), (h.shape[0], self.cfg['width'], 10))
        if self.order is not None:
            h = F.transpose(h, [int(i) for i in self.order])
        return h * self.scales[1]
`

// liveNet is a model in PyTorch with a lazy layer.
const liveNet = `import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 4))
        self.lazy = nn.LazyLinear(3)
        self.register_buffer('mask', torch.zeros(1))
        self.n = 0
        self.anchors = None

    def forward(self, x):
        y = self.lazy(self.layers(x))
        if self.n > 2:
            y = y + self.mask
        return y, self.anchors
`

// npy is an array as numpy.save writes it.
func npy(descr, shape string, data any) []byte {
	head := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': %s, }\n", descr, shape)
	out := append([]byte("\x93NUMPY\x01\x00"), binary.LittleEndian.AppendUint16(nil, uint16(len(head)))...)
	out, _ = binary.Append(append(out, head...), binary.LittleEndian, data)
	return out
}

func TestAttributesOfARunningProgram(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	archive := func(name string, arrays map[string][]byte) string {
		var b strings.Builder
		z := zip.NewWriter(&b)
		for n, data := range arrays {
			w, err := z.Create(n + ".npy")
			if err == nil {
				_, err = w.Write(data)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		return write(name, b.String())
	}
	chain, net := write("chain.py", liveChain), write("net.py", liveNet)
	plain := write("plain.py", "def forward(x):\n    return x\n")
	n := 0
	js := func(text string) string { n++; return write(fmt.Sprintf("%d.json", n), text) }
	npz := func(arrays map[string][]byte) string { n++; return archive(fmt.Sprintf("%d.npz", n), arrays) }
	weight := npy("<f4", "(10, 4)", make([]float32, 40))
	for _, c := range []struct {
		what, file, arg, attributes string
		code                        int
		text                        string
	}{
		{"numbers, entries of dicts", chain, "x:f32[B,4]", js(`{"depth": 3, "cfg.width": 6}`), check.ExitClean, "Net() → f32[B,6,10]"},
		{"elements of lists, of arrays", chain, "x:f32[B,4]",
			js(`{"depth": 0, "scales.1": {"shape": [5, "V", 10], "dtype": "f32"}, "cfg/width": 1, "order": [1, 0, 2]}`),
			check.ExitClean, "Net() → f32[5,B,10]"},
		{"a parameter has its shape before the call", chain, "x:f32[B,5]", js(`{"depth": 1, "l1.W": {"shape": [10, 4], "dtype": "f32"}}`),
			check.ExitFindings,
			"expect x.shape[1] == W.shape[1], actual 5 != 4"},
		{"children by number", chain, "x:f32[B,4]", js(`{"depth": 1, "more.1.W": {"shape": [7, 10], "dtype": "f32"}, "more.1.b": null}`),
			check.ExitUsage, "more.1.b: it is a parameter"},
		{"arrays: types, small integers by value", chain, "x:f32[B,4]",
			npz(map[string][]byte{"l1/W": weight, "depth": npy("<i8", "()", int64(2)), "order": npy("<i4", "(3,)", []int32{1, 0, 2})}),
			check.ExitClean, "Net() → f32[1,B,10]"},
		{"parameters, buffers and values of a module", net, "x:f32[B,4]",
			js(`{"layers.1.weight": {"shape": [8, 4], "dtype": "f32"}, "layers.1.bias": {"shape": [8], "dtype": "f32"}, "mask": {"shape": [3], "dtype": "f64"},
				"n": 3, "anchors": {"shape": ["A", 4], "dtype": "f32"}}`), check.ExitClean, "Net() → (f64[B,3], f32[A,4])"},
		{"a lazy module that is not", net, "x:f32[B,4]",
			js(`{"lazy.weight": {"shape": [3, 5], "dtype": "f32"}, "lazy.bias": {"shape": [3], "dtype": "f32"}}`), check.ExitFindings, "f32[3,5]"},

		{"a misspelt name", chain, "x:f32[B,4]", js(`{"dept": 3}`), check.ExitUsage,
			"--attributes dept: Net has no attribute dept; did you mean depth?"},
		{"a misspelt parameter", chain, "x:f32[B,4]", js(`{"l1.Wx": 3}`), check.ExitUsage, "Linear has no attribute Wx; did you mean l1.W?"},
		{"a misspelt key", chain, "x:f32[B,4]", js(`{"cfg.widht": 3}`), check.ExitUsage, "did you mean cfg.width?"},
		{"an index beyond the end", chain, "x:f32[B,4]", js(`{"scales.2": 3}`), check.ExitUsage, "list has no attribute 2"},
		{"no path", chain, "x:f32[B,4]", js(`{".": 3}`), check.ExitUsage, "no path"},
		{"a number for a parameter", chain, "x:f32[B,4]", js(`{"l1.W": 3}`), check.ExitUsage, "give its shape and dtype"},
		{"a number for a module", net, "x:f32[B,4]", js(`{"layers": 3}`), check.ExitUsage, "--attributes layers: "},
		{"no object", plain, "x:f32[B,4]", js(`{"n": 3}`), check.ExitUsage, "forward is no object"},
		{"a dtype that is none", chain, "x:f32[B,4]", js(`{"order": {"shape": [2], "dtype": "f33"}}`), check.ExitUsage, "f33"},
		{"a size that is none", chain, "x:f32[B,4]", js(`{"order": {"shape": [2.5], "dtype": "f32"}}`), check.ExitUsage, "--attributes order"},
		{"a negative size", chain, "x:f32[B,4]", js(`{"order": {"shape": [-1], "dtype": "f32"}}`), check.ExitUsage, "negative"},
		{"another object", chain, "x:f32[B,4]", js(`{"order": {"shape": [2]}}`), check.ExitUsage, "an object is an array's type"},
		{"a huge number", chain, "x:f32[B,4]", js(`{"depth": 99999999999999999999}`), check.ExitUsage, "too large"},
		{"a name twice", chain, "x:f32[B,4]", js(`{"depth": 1, "depth": 2}`), check.ExitUsage, "given twice"},
		{"half a file", chain, "x:f32[B,4]", js(`{"depth": 1`), check.ExitUsage, "unexpected EOF"},
		{"two values", chain, "x:f32[B,4]", js(`{} {}`), check.ExitUsage, "more than one"},
		{"no object of JSON", chain, "x:f32[B,4]", js(`[1]`), check.ExitUsage, "expected an object"},
		{"deep lists", chain, "x:f32[B,4]", js(`{"depth": ` + strings.Repeat("[", 80) + strings.Repeat("]", 80) + `}`), check.ExitUsage,
			"nested"},
		{"an array of objects", chain, "x:f32[B,4]", npz(map[string][]byte{"order": npy("|O", "(1,)", []byte{0})}), check.ExitUsage,
			"Python objects"},
		{"no npz", chain, "x:f32[B,4]", write("b.npz", "{}"), check.ExitUsage, "b.npz"},
		{"another ending", chain, "x:f32[B,4]", plain, check.ExitUsage, "expected a file .json or .npz"},
		{"no file", chain, "x:f32[B,4]", filepath.Join(dir, "none.json"), check.ExitUsage, "none.json"},
	} {
		t.Run(c.what, func(t *testing.T) {
			code, stdout, stderr := run(c.file, "--arg", c.arg, "--attributes", c.attributes)
			if code != c.code || !strings.Contains(stdout+stderr, c.text) {
				t.Errorf("exit code %d, want %d with %q\n%s%s", code, c.code, c.text, stdout, stderr)
			}
		})
	}
	lazy := write("lazy.py", "import chainer.links as L\n\n\ndef net():\n    return L.Linear(None, 10)\n")
	saved := npz(map[string][]byte{"W": weight, "b": npy("<f4", "(10,)", make([]float32, 10))})
	for _, c := range []struct {
		arg  string
		code int
		text string
	}{
		{"x:f32[B,4]", check.ExitClean, "→ f32[B,10]"},
		{"x:f32[B,N]", check.ExitFindings, "N == 4"},
		{"x:f32[B,5]", check.ExitFindings, "------------------ 4: dimension 1 of a parameter f32[10,4]"},
	} {
		t.Run("weights for "+c.arg, func(t *testing.T) {
			code, stdout, stderr := run(lazy, "--entry", "net()", "--arg", c.arg, "--weights", saved)
			if code != c.code || !strings.Contains(stdout+stderr, c.text) {
				t.Errorf("exit code %d, want %d with %q\n%s%s", code, c.code, c.text, stdout, stderr)
			}
		})
	}
}
