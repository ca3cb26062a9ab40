package initial_test

// This file compares computed buffers with PyTorch's, and drawn parameters with the
// distributions that PyTorch documents.

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"shapecheck/infer"
	"shapecheck/lower/initial"
	"shapecheck/onnx"
)

// state runs a program and gives the parameters of its entry.
func state(t *testing.T, text, entry string) (*infer.Result, map[string]infer.NamedTensor) {
	t.Helper()
	res, err := infer.Run(infer.Config{File: "net.py", Text: text, Entry: entry, Args: []string{"x:f32[2,3]"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range res.Diagnostics {
		t.Fatal(d.Msg)
	}
	out := map[string]infer.NamedTensor{}
	for _, p := range res.State {
		out[p.Name] = p
	}
	return res, out
}

// elements gives the elements of a tensor, also of one that is drawn when written.
func elements(t *testing.T, x *onnx.Tensor) []float64 {
	t.Helper()
	if x.Source != nil && !x.HasRaw {
		var b bytes.Buffer
		if n, err := x.Source.WriteTo(&b); err != nil || n != x.Source.Size() || n != int64(b.Len()) {
			t.Fatalf("%d bytes of %d: %v", n, x.Source.Size(), err)
		}
		y := *x
		y.Raw, y.HasRaw = b.Bytes(), true
		x = &y
	}
	if f, err := x.Float64s(); err == nil {
		return f
	}
	list, err := x.Ints()
	if err != nil {
		t.Fatal(err)
	}
	out := make([]float64, len(list))
	for i, n := range list {
		out[i] = float64(n)
	}
	return out
}

func TestComputedBuffersAreThoseOfPyTorch(t *testing.T) {
	text, err := os.ReadFile("testdata/buffers.py")
	if err != nil {
		t.Fatal(err)
	}
	packed, err := os.ReadFile("testdata/buffers.json.gz")
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]struct {
		DType string
		Dims  []int64
		Data  []string
	}{}
	if err := json.NewDecoder(z).Decode(&want); err != nil {
		t.Fatal(err)
	}
	res, params := state(t, string(text), "Net()")
	d := initial.New(res.Graph.Setup, res.Pool, 7)
	if len(want) != len(params) {
		t.Errorf("%d tensors instead of %d", len(params), len(want))
	}
	for name, w := range want {
		p, ok := params[name]
		if !ok {
			t.Errorf("%s is not in the state", name)
			continue
		}
		x, err := d.Tensor(name, res.AtCall(p.Tensor))
		if err != nil {
			t.Error(err)
			continue
		}
		if !slices.Equal(x.Dims, w.Dims) {
			t.Errorf("%s has the sizes %v instead of %v", name, x.Dims, w.Dims)
			continue
		}
		tol := 2e-6
		if x.DType == onnx.Float16 {
			tol = 1e-3
		}
		for i, f := range elements(t, x) {
			v, err := strconv.ParseFloat(w.Data[i], 64)
			if err != nil {
				t.Fatal(err)
			}
			if f != v && !(math.Abs(f-v) <= tol*max(1, math.Abs(v))) {
				t.Errorf("%s: element %d is %v instead of %v", name, i, f, v)
				break
			}
		}
	}
}

const layers = `import math
import torch
from torch import nn


def by_hand(w):
    with torch.no_grad():
        w.uniform_(-1, 1).mul_(0.5)


class Net(nn.Module):
    def __init__(self, more=False):
        super().__init__()
        if more:
            self.extra = nn.Linear(3, 3)
        self.linear = nn.Linear(400, 300)
        self.conv = nn.Conv2d(32, 64, 3, groups=2)
        self.up = nn.ConvTranspose2d(32, 48, 3)
        self.embed = nn.Embedding(300, 100, padding_idx=3)
        self.lstm = nn.LSTM(60, 64)
        self.attn = nn.MultiheadAttention(128, 4, kdim=100)
        self.same = nn.MultiheadAttention(128, 4)
        self.bilinear = nn.Bilinear(50, 20, 30)
        self.prelu = nn.PReLU(8, init=0.1)
        self.made = nn.Parameter(torch.randn(200, 100) * 0.02)
        self.rand = nn.Parameter(torch.rand(200, 100) - 0.5)
        self.hand = nn.Parameter(torch.empty(200, 100))
        by_hand(self.hand)
        for name in ('xu', 'xn', 'ku', 'kn', 'trunc', 'cut', 'ortho', 'wide', 'thin', 'expo'):
            setattr(self, name, nn.Parameter(torch.empty(200, 100)))
        nn.init.xavier_uniform_(self.xu, gain=2.0)
        nn.init.xavier_normal_(self.xn, gain=nn.init.calculate_gain('tanh'))
        nn.init.kaiming_uniform_(self.ku, nonlinearity='relu')
        nn.init.kaiming_normal_(self.kn, mode='fan_out', nonlinearity='relu')
        nn.init.trunc_normal_(self.trunc, std=0.02)
        nn.init.trunc_normal_(self.cut, mean=1.0, std=1.0, a=0.0, b=3.0)
        nn.init.orthogonal_(self.ortho, gain=3.0)
        self.wide = nn.Parameter(torch.empty(20, 10, 10))
        nn.init.orthogonal_(self.wide)
        nn.init.sparse_(self.thin, sparsity=0.25)
        self.expo.data.exponential_(2.0)
        self.sliced = nn.Linear(100, 200)
        nn.init.zeros_(self.sliced.weight[:50])
        nn.init.normal_(self.sliced.weight[50:], 0.0, 3.0)
        self.clone = nn.TransformerEncoder(nn.TransformerEncoderLayer(64, 2, 64), 2)
        self.twice = nn.Parameter(self.linear.weight.detach().clone() * 2)

    def forward(self, x):
        return x
`

func TestDrawnParametersHaveTheirDistributions(t *testing.T) {
	res, params := state(t, layers, "Net()")
	d := initial.New(res.Graph.Setup, res.Pool, 11)
	get := func(name string) []float64 {
		t.Helper()
		p, ok := params[name]
		if !ok {
			t.Fatalf("%s is not in the state", name)
		}
		x, err := d.Tensor(name, res.AtCall(p.Tensor))
		if err != nil {
			t.Fatal(err)
		}
		return elements(t, x)
	}
	// Uniform within ±b: the largest element comes close to b, the standard deviation
	// is b/√3. Normal: the standard deviation, and the share within one of them.
	uniform := map[string]float64{
		"linear.weight": 1 / math.Sqrt(400), "linear.bias": 1 / math.Sqrt(400), "conv.weight": 1 / math.Sqrt(16*9),
		"conv.bias": 1 / math.Sqrt(16*9),
		"up.weight": 1 / math.Sqrt(48*9), "up.bias": 1 / math.Sqrt(48*9), "lstm.weight_ih_l0": 1 / math.Sqrt(64),
		"lstm.weight_hh_l0": 1 / math.Sqrt(64), "lstm.bias_hh_l0": 1 / math.Sqrt(64),
		"attn.q_proj_weight": math.Sqrt(6.0 / 256), "attn.k_proj_weight": math.Sqrt(6.0 / 228), "same.in_proj_weight": math.Sqrt(6.0 / 512),
		"attn.out_proj.weight": 1 / math.Sqrt(128),
		"bilinear.weight":      1 / math.Sqrt(50), "bilinear.bias": 1 / math.Sqrt(50), "rand": 0.5, "hand": 0.5,
		"xu": 2 * math.Sqrt(6.0/300), "ku": math.Sqrt2 * math.Sqrt(3.0/100),
		"clone.layers.0.linear1.weight": 1 / math.Sqrt(64), "clone.layers.1.linear1.weight": 1 / math.Sqrt(64),
	}
	for name, b := range uniform {
		list := get(name)
		mean, std := moments(list)
		most := max(slices.Max(list), -slices.Min(list))
		slack := 4 / math.Sqrt(float64(len(list)))
		if most > b*1.0000001 || most < b*(1-3*slack*slack-1e-3) || math.Abs(std/(b/math.Sqrt(3))-1) > slack || math.Abs(mean) > slack*b {
			t.Errorf("%s: mean %g, deviation %g, within %g: want uniform within %g", name, mean, std, most, b)
		}
	}
	normal := map[string]float64{"made": 0.02, "xn": 5.0 / 3 * math.Sqrt(2.0/300), "kn": math.Sqrt(2.0 / 200), "trunc": 0.02}
	for name, want := range normal {
		list := get(name)
		mean, std := moments(list)
		inside := 0
		for _, f := range list {
			if math.Abs(f) < want {
				inside++
			}
		}
		if share := float64(inside) / float64(len(list)); math.Abs(std/want-1) > 0.03 || math.Abs(mean) > 0.05*want ||
			math.Abs(share-0.6827) > 0.02 {
			t.Errorf("%s: mean %g, deviation %g, %g within it: want normal with %g", name, mean, std, share, want)
		}
	}
	if m, s := moments(get("cut")); math.Abs(m-1.2294) > 0.02 || math.Abs(s-0.7246) > 0.02 || slices.Min(get("cut")) < 0 ||
		slices.Max(get("cut")) > 3 {
		t.Errorf("a normal distribution cut at -1 and 2 deviations has mean %g and deviation %g", m, s)
	}
	if m, s := moments(get("expo")); math.Abs(m-0.5) > 0.02 || math.Abs(s-0.5) > 0.03 || slices.Min(get("expo")) < 0 {
		t.Errorf("exponential numbers have mean %g and deviation %g", m, s)
	}
	embed := get("embed.weight")
	if m, s := moments(embed); math.Abs(m) > 0.03 || math.Abs(s-1) > 0.03 ||
		slices.ContainsFunc(embed[300:400], func(f float64) bool { return f != 0 }) || embed[299] == 0 || embed[400] == 0 {
		t.Error("the rows of an embedding are normal but for that of the padding index, which is zero")
	}
	for _, name := range []string{"prelu.weight"} {
		if m, s := moments(get(name)); math.Abs(m-0.1) > 1e-7 || s > 1e-7 {
			t.Errorf("%s is %g", name, m)
		}
	}
	sliced := get("sliced.weight")
	if _, s := moments(sliced[5000:]); slices.ContainsFunc(sliced[:5000], func(f float64) bool { return f != 0 }) || math.Abs(s-3) > 0.1 {
		t.Errorf("what nn.init writes into slices reaches the parameter: deviation %g", s)
	}
	if !slices.Equal(get("clone.layers.0.linear1.weight"), get("clone.layers.1.linear1.weight")) {
		t.Error("TransformerEncoder copies its layer with its elements")
	}
	linear, twice := get("linear.weight"), get("twice")
	for i := range linear {
		if math.Abs(twice[i]-2*linear[i]) > 1e-7 {
			t.Fatal("a parameter that is computed from another has other random numbers")
		}
	}
}

func moments(list []float64) (mean, std float64) {
	for _, f := range list {
		mean += f
	}
	mean /= float64(len(list))
	for _, f := range list {
		std += (f - mean) * (f - mean)
	}
	return mean, math.Sqrt(std / float64(len(list)))
}

func TestMatricesWithStructure(t *testing.T) {
	res, params := state(t, layers, "Net()")
	d := initial.New(res.Graph.Setup, res.Pool, 5)
	get := func(name string) []float64 {
		x, err := d.Tensor(name, res.AtCall(params[name].Tensor))
		if err != nil {
			t.Fatal(err)
		}
		return elements(t, x)
	}
	for _, c := range []struct {
		name       string
		rows, cols int
		gain       float64
	}{{"ortho", 200, 100, 3}, {"wide", 20, 100, 1}} {
		q := get(c.name)
		n, at := c.cols, func(k, i int) float64 { return q[i*c.cols+k] } // column k
		length := c.rows
		if c.rows < c.cols {
			n, length, at = c.rows, c.cols, func(k, i int) float64 { return q[k*c.cols+i] }
		}
		for j := range n {
			for k := range j + 1 {
				dot := 0.0
				for i := range length {
					dot += at(j, i) * at(k, i)
				}
				want := 0.0
				if j == k {
					want = c.gain * c.gain
				}
				if math.Abs(dot-want) > 1e-4 {
					t.Fatalf("%s: vectors %d and %d have the product %g instead of %g", c.name, j, k, dot, want)
				}
			}
		}
	}
	thin := get("thin")
	for c := range 100 {
		zeros := 0
		for r := range 200 {
			if thin[r*100+c] == 0 {
				zeros++
			}
		}
		if zeros != 50 {
			t.Fatalf("column %d has %d zeros instead of a quarter of 200", c, zeros)
		}
	}
}

func TestStreamsFollowNames(t *testing.T) {
	draw := func(entry string, seed uint64) []float64 {
		res, params := state(t, layers, entry)
		x, err := initial.New(res.Graph.Setup, res.Pool, seed).Tensor("linear.weight", res.AtCall(params["linear.weight"].Tensor))
		if err != nil {
			t.Fatal(err)
		}
		return elements(t, x)
	}
	first := draw("Net()", 1)
	if !slices.Equal(first, draw("Net()", 1)) || !slices.Equal(first, draw("Net(more=True)", 1)) {
		t.Error("another layer changes what is drawn")
	}
	if slices.Equal(first, draw("Net()", 2)) {
		t.Error("the seed does not count")
	}
}

func TestWhatIsNotComputedIsAnError(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"memory that nothing sets", "self.w = nn.Parameter(torch.empty(3))", "nothing sets"},
		{"in part", "self.w = nn.Parameter(torch.empty(3))\n        nn.init.zeros_(self.w[:2])", "nothing sets"},
		{"a checkpoint", "self.w = nn.Parameter(torch.zeros(3))\n        self.load_state_dict(torch.load('x.pt'))", "outside the program"},
		{"no kernel", "self.w = nn.Parameter(torch.linalg.qr(torch.randn(3, 3))[0])", "qr"},
	} {
		res, params := state(
			t, "import torch\nfrom torch import nn\n\n\nclass Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        "+c.body+
				"\n\n    def forward(self, x):\n        return x\n", "Net()")
		_, err := initial.New(res.Graph.Setup, res.Pool, 1).Tensor("w", res.AtCall(params["w"].Tensor))
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "w cannot be initialised") {
			t.Errorf("%s: error %v, want %q", c.name, err, c.want)
		}
	}
}
