package cli

// This file tests the comparison of two models.

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"shapecheck/check"
)

// compared are the models of these tests, by file.
var compared = map[string]string{
	"chain.py": `import chainer
import chainer.functions as F
import chainer.links as L


class MLP(chainer.Chain):
    def __init__(self, n=100):
        super().__init__()
        with self.init_scope():
            self.l1 = L.Linear(None, n)
            self.bn = L.BatchNormalization(n)
            self.l2 = L.Linear(n, 10)

    def forward(self, x):
        h = F.relu(self.bn(self.l1(x)))
        return self.l2(h)


class CNN(chainer.Chain):
    def __init__(self):
        super().__init__()
        with self.init_scope():
            self.conv = L.Convolution2D(3, 8, 3, pad=1)
            self.fc = L.Convolution2D(8, 4, 1)

    def forward(self, x):
        h = F.max_pooling_2d(F.relu(self.conv(x)), 3, 2)
        return self.fc(h)
`,
	"net.py": `import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, n=100):
        super().__init__()
        self.fc1 = nn.Linear(784, n)
        self.norm = nn.BatchNorm1d(n)
        self.act = nn.ReLU()
        self.fc2 = nn.Linear(n, 10)

    def forward(self, x):
        x = self.act(self.norm(self.fc1(x)))
        return self.fc2(x)


class CNN(nn.Module):
    def __init__(self, stride=1, ceil=False, extra=False, bias=True, dtype=None):
        super().__init__()
        self.first = nn.Conv2d(3, 8, 3, stride=stride, padding=1, dtype=dtype)
        self.pool = nn.MaxPool2d(3, 2, ceil_mode=ceil)
        self.last = nn.Conv2d(8, 4, 1, bias=bias, dtype=dtype)
        self.more = nn.Conv2d(4, 4, 1) if extra else nn.Identity()

    def forward(self, x):
        x = self.pool(torch.relu(self.first(x)))
        return self.more(self.last(x))


class Tied(nn.Module):
    def __init__(self, tied):
        super().__init__()
        self.a = nn.Linear(4, 4)
        self.b = self.a if tied else nn.Linear(4, 4)

    def forward(self, x):
        return self.b(self.a(x))


class Spare(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.a = nn.Linear(4, 4)
        self.spare = nn.Linear(4, n) if n else None

    def forward(self, x):
        return self.a(x)


def even(x):
    return x.view(2, -1)


def any(x):
    return x.view(1, -1)[:, :x.numel() // 2 * 2].reshape(2, -1)


def pair(x):
    return x, [x.sum()]


def triple(x):
    return [x, (x.mean(),)]


def double(x):
    return [x, (x.mean().double(),)]


def keys(x):
    return {"a": x, "b": x.shape[0]}


def others(x):
    return {"b": x.shape[0], "a": x * 2}


def count(x):
    return {"b": x.shape[1], "a": x}


def lost(x):
    import nowhere
    return x, nowhere.f(x)


def found(x):
    return x, x


def hits(x):
    return x.nonzero()
`,
	"res.py": `import chainer
import chainer.links as L
import torch
from torch import nn


class Chain(chainer.Chain):
    def __init__(self, fb):
        super().__init__()
        with self.init_scope():
            self.base = L.ResNet50Layers(pretrained_model=None, downsample_fb=fb)

    def forward(self, x):
        return self.base(x, layers=['fc6'])['fc6']


class Bottleneck(nn.Module):
    def __init__(self, n, width, stride, first):
        super().__init__()
        self.conv1 = nn.Conv2d(n, width, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(width)
        self.conv2 = nn.Conv2d(width, width, 3, stride, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(width)
        self.conv3 = nn.Conv2d(width, 4 * width, 1, bias=False)
        self.bn3 = nn.BatchNorm2d(4 * width)
        self.downsample = None
        if first:
            self.downsample = nn.Sequential(nn.Conv2d(n, 4 * width, 1, stride, bias=False), nn.BatchNorm2d(4 * width))

    def forward(self, x):
        h = torch.relu(self.bn1(self.conv1(x)))
        h = torch.relu(self.bn2(self.conv2(h)))
        h = self.bn3(self.conv3(h))
        return torch.relu(h + (x if self.downsample is None else self.downsample(x)))


class ResNet(nn.Module):
    def __init__(self, bias=True):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 64, 7, 2, 3, bias=bias)
        self.bn1 = nn.BatchNorm2d(64)
        self.pool = nn.MaxPool2d(3, 2, 1)
        blocks, n = [], 64
        for k, count in enumerate([3, 4, 6, 3]):
            for i in range(count):
                blocks.append(Bottleneck(n, 64 << k, 2 if k and not i else 1, not i))
                n = 256 << k
        self.blocks = nn.Sequential(*blocks)
        self.fc = nn.Linear(2048, 1000)

    def forward(self, x):
        x = self.pool(torch.relu(self.bn1(self.conv1(x))))
        return self.fc(self.blocks(x).mean((2, 3)))
`,
	"rows.py": `import chainer
import chainer.links as L
import torch.nn as nn


class Rows(chainer.Chain):
    def __init__(self):
        super().__init__()
        with self.init_scope():
            self.l = L.Linear(None, 6)
            self.norm = L.LayerNormalization(6)

    def forward(self, x):
        b, t, d = x.shape
        return self.norm(self.l(x.reshape(-1, d))).reshape(b, t, 6)


class Axes(nn.Module):
    def __init__(self, double=False):
        super().__init__()
        self.fc = nn.Linear(4, 6)
        self.norm = nn.LayerNorm(6)
        self.double = double

    def forward(self, x):
        y = self.fc(x)
        return self.norm(y.repeat(2, 1, 1) if self.double else y)
`,
	"rnn.py": `import chainer
import chainer.functions as F
import chainer.links as L
import torch
from torch import nn


class Links(chainer.Chain):
    def __init__(self, kind=L.NStepGRU, layers=1):
        super().__init__()
        with self.init_scope():
            self.rnn = kind(layers, 3, 5, 0.)

    def forward(self, xs):
        return self.rnn(*[None] * self.rnn.n_cells, xs)[0]


class Layers(nn.Module):
    def __init__(self, kind=nn.GRU, layers=1, size=5, **options):
        super().__init__()
        self.rnn = kind(3, size, layers, **options)

    def forward(self, xs):
        h = self.rnn(nn.utils.rnn.pad_sequence(xs))[1]
        return h[0] if isinstance(h, tuple) else h


class Step(chainer.Chain):
    def __init__(self, kind=L.LSTM):
        super().__init__()
        with self.init_scope():
            self.cell = kind(3, 5)

    def forward(self, x):
        self.cell(x)
        return self.cell(x)


class Cell(nn.Module):
    def __init__(self, kind=nn.LSTMCell, size=5, bias=True):
        super().__init__()
        self.cell = kind(3, size, bias)

    def forward(self, x):
        s = self.cell(x)
        s = self.cell(x, s)
        return s[0] if isinstance(s, tuple) else s
`,
}

func compareFiles(t *testing.T) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range compared {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
}

func TestCompareModels(t *testing.T) {
	if _, err := schemas(); err != nil { // before the folder changes
		t.Fatal(err)
	}
	compareFiles(t)
	const image = "x:f32[B,3,H,W]"
	for _, c := range []struct {
		args string // of the command line
		code int
		want []string // in the text, in this order
	}{
		{"chain.py:MLP net.py:Net --arg x:f32[B,784] --eval", 0, []string{"chain.py:MLP and net.py:Net are the same", "result      f32[B,10]\n",
			"calls       3\nparameters  6\n",
			"l1.W      fc1.weight   f32[100,784]\n", "bn.gamma  norm.weight  f32[100]\n"}},
		{"chain.py:MLP net.py:Net --arg-first x:f32[B,784] --arg-second x:f32[N,784] --eval --map l1=fc1 --map bn/gamma=norm.weight", 0,
			[]string{"are the same", "f32[B,10] | f32[N,10]", "size        B is N"}},
		{"chain.py:MLP net.py:Net --arg x:f32[B,784] --eval --map l1=fc2", 1,
			[]string{"call 1, of l1 and fc1: the parameters l1.W and fc1.weight: not as --map l1=fc2 has it", "net.py:8   self.fc1"}},
		{"chain.py:MLP net.py:Net --arg x:f32[B,784] --eval --map bn.gamma=norm.bias", 1, []string{"bn.gamma and norm.weight: not as --map"}},
		{"chain.py:MLP net.py:Net --arg x:f32[B,784] --eval --map l9=fc2", 2, nil},
		{"chain.py:MLP net.py:Net --arg x:f32[B,784] --eval --map l1", 2, nil},
		// The links of the layers of NStepGRU are not called: their parameters are those of the link that is, gate by gate those of PyTorch.
		{"rnn.py:Links rnn.py:Layers --arg xs=[f32[4,3],f32[2,3]]", 0,
			[]string{"calls       1\nparameters  12\n", "rnn.0.w0  rnn.weight_ih_l0[0:5]    f32[5,3]\n",
				"rnn.0.b5  rnn.bias_hh_l0[10:15]    f32[5]\n"}},
		{"rnn.py:Links(L.NStepBiLSTM,2) rnn.py:Layers(nn.LSTM,2,bidirectional=True) --arg xs=[f32[4,3],f32[2,3]]", 0,
			[]string{"parameters  64\n", "rnn.1.w2  rnn.weight_ih_l0_reverse[10:15]  f32[5,3]\n",
				"rnn.2.w0  rnn.weight_ih_l1[0:5]            f32[5,10]\n"}},
		{"rnn.py:Links(L.NStepRNNReLU) rnn.py:Layers(nn.RNN) --arg xs=[f32[4,3],f32[2,3]]", 0,
			[]string{"rnn.0.w1  rnn.weight_hh_l0  f32[5,5]\n"}},
		{"rnn.py:Links rnn.py:Layers --arg xs=[f32[4,3],f32[2,3]] --map rnn.0.w1=rnn.weight_ih_l0", 0, []string{"are the same"}},
		{"rnn.py:Links rnn.py:Layers --arg xs=[f32[4,3],f32[2,3]] --map rnn.0.w1=rnn.weight_hh_l0", 1,
			[]string{"rnn.0.w1 and rnn.weight_ih_l0[5:10]: not as --map"}},
		{"rnn.py:Links rnn.py:Layers(nn.LSTM) --arg xs=[f32[4,3],f32[2,3]]", 1,
			[]string{"call 1, of rnn and rnn: NStepGRU and LSTM compute different steps", "rnn.py:12", "rnn.py:21"}},
		{"rnn.py:Links rnn.py:Layers(size=6) --arg xs=[f32[4,3],f32[2,3]]", 1,
			[]string{"the parameters rnn.0.w0 and rnn.weight_ih_l0[0:6]: f32[5,3] and f32[6,3]"}},
		{"rnn.py:Links rnn.py:Layers(layers=2) --arg xs=[f32[4,3],f32[2,3]]", 1,
			[]string{"only the second model has the parameter rnn.weight_ih_l1[0:5], layer 1, weight of the input, gate reset\n"}},
		{"rnn.py:Links rnn.py:Layers(bias=False) --arg xs=[f32[4,3],f32[2,3]]", 1,
			[]string{"only the first model has the parameter rnn.0.b0, layer 0, bias of the input, gate reset\n"}},
		{"rnn.py:Step rnn.py:Cell --arg x:f32[B,3]", 1,
			[]string{"only the second model has the parameter cell.bias_hh, which is 0 in a port: Chainer's LSTM has one bias; its rows [1::4]",
				"rnn.py:35", "rnn.py:45"}},
		{"rnn.py:Step rnn.py:Cell(size=6) --arg x:f32[B,3]", 1,
			[]string{"the parameters cell.upward.W[1::4] and cell.weight_ih[0:6]: f32[5,3] and f32[6,3]"}},
		{"rnn.py:Step(L.GRU) rnn.py:Cell(nn.GRUCell) --arg x:f32[B,3]", 1, []string{"the same parameters give other numbers"}},
		{"rnn.py:Step rnn.py:Step --arg x:f32[B,3]", 0, []string{"parameters  3\n    cell.upward.W   cell.upward.W   f32[20,3]\n"}},
		{"rnn.py:Links rnn.py:Links --arg xs=[f32[4,3],f32[2,3]]", 0, []string{"are the same", "calls       1\nparameters  12\n"}},
		// Chainer's layers take rows where PyTorch's take the last axis of any array.
		{"rows.py:Rows rows.py:Axes --arg x:f32[B,T,4]", 0, []string{"are the same", "calls       2\nparameters  4\n"}},
		{"rows.py:Rows rows.py:Axes(True) --arg x:f32[B,T,4]", 1, []string{"call 2, of norm and norm: it gives f32[B*T,6] and f32[2*B,T,6]",
			"rows.py:15", "rows.py:27"}},
		{"chain.py:MLP net.py:Net --arg x:f32[B,784]", 1, []string{"the conditions: the second model needs B >= 2, the first does not",
			"with B=1", "net.py:14", "# batch_norm"}},
		{"chain.py:MLP net.py:Net(50) --arg x:f32[B,784] --eval", 1, []string{"l1.W and fc1.weight: f32[100,784] and f32[50,784]",
			"chain.py:15", "net.py:8"}},
		// Chainer's pooling covers all of the image, PyTorch's with ceil_mode.
		{"chain.py:CNN net.py:CNN(ceil=True) --arg x:f32[B,3,15,20]", 0, []string{"are the same"}},
		{"chain.py:CNN net.py:CNN() --arg x:f32[B,3,15,21]", 0, []string{"are the same"}},
		{"chain.py:CNN net.py:CNN() --arg x:f32[B,3,15,20]", 1, []string{"call 2, of fc and last: it gives f32[B,4,7,10] and f32[B,4,7,9]",
			"chain.py:27   h = F.max_pooling_2d(F.relu(self.conv(x)), 3, 2)   # f32[B,8,7,10]",
			"net.py:27   x = self.pool(torch.relu(self.first(x)))   # f32[B,8,7,9]"}},
		{"net.py:CNN() net.py:CNN(stride=2) --arg " + image, 1,
			[]string{"call 1, of first and first: it gives f32[B,8,H,W] and f32[B,8,ceil(H/2),ceil(W/2)]",
				"net.py:27", "net.py:21   self.first = nn.Conv2d(3, 8, 3, stride=stride, padding=1, dtype=dtype)   # made here"}},
		{"net.py:CNN() net.py:CNN(extra=True) --arg " + image, 1, []string{"call 3, of more: the second model makes it", "net.py:28",
			"net.py:24"}},
		{"net.py:CNN() net.py:CNN(bias=False) --arg " + image, 1,
			[]string{"call 2, of last and last: it has last.weight f32[4,8,1,1], last.bias f32[4] and last.weight f32[4,8,1,1]"}},
		{"net.py:CNN() net.py:CNN(dtype=torch.float64) --arg-first " + image + " --arg-second x:f64[B,3,H,W]", 1,
			[]string{"f32[8,3,3,3] and f64[8,3,3,3]"}},
		{"net.py:CNN() net.py:CNN() --arg-first " + image + " --arg-second x:f32[B,3,W,H]", 0,
			[]string{"size        H is W\nsize        W is H"}},
		{"net.py:Tied(False) net.py:Tied(True) --arg x:f32[4]", 1,
			[]string{"call 2, of b and a: the parameters b.weight and a.weight: the second is used again"}},
		{"net.py:Tied(True) net.py:Tied(True) --arg x:f32[4]", 0, []string{"calls       2\nparameters  2"}},
		{"net.py:Spare(3) net.py:Spare(0) --arg x:f32[4]", 1, []string{"the parameter spare.weight: only the first model has it", "net.py:45"}},
		{"net.py:Spare(3) net.py:Spare(3) --arg x:f32[4]", 0, []string{"parameters  4"}},
		{"net.py:even net.py:any --arg x:f32[N]", 1, []string{"the conditions: the first model needs N % 2 == 0", "with N=1", "net.py:52"}},
		{"net.py:pair net.py:triple --arg x:f32[N]", 0, []string{"are the same"}},
		{"net.py:pair net.py:double --arg x:f32[N]", 1, []string{"the results: [1] [0] f32[] and f64[]"}},
		{"net.py:pair net.py:keys --arg x:f32[N]", 1, []string{"the results: (f32[N], [f32[]]) and {"}},
		{"net.py:keys net.py:others --arg x:f32[N,M]", 0, []string{"are the same"}},
		{"net.py:keys net.py:count --arg x:f32[N,M]", 1, []string{"the results: ['b'] int=N and int=M", "with"}},
		{"net.py:lost net.py:found --arg x:f32[N]", 2, []string{"not all is known",
			"the results: [1] ? and f32[N]: module 'nowhere' was not found"}},
		{"net.py:lost net.py:keys --arg x:f32[N]", 1, []string{"the results: (f32[N], ?) and {"}},
		// Torchvision's has its stride in the convolution of 3×3, as downsample_fb has it, and no bias in the first one.
		{"res.py:Chain(True) res.py:ResNet() --arg x:f32[B,3,224,224] --eval", 0,
			[]string{"calls       107\nparameters  162\n", "base.res5.b2.bn3.beta"}},
		{"res.py:Chain(True) res.py:ResNet(False) --arg x:f32[B,3,224,224] --eval", 1,
			[]string{"call 1, of base.conv1 and conv1: it has base.conv1.W f32[64,3,7,7], base.conv1.b f32[64] and conv1.weight"}},
		{"res.py:Chain(False) res.py:ResNet() --arg x:f32[B,3,224,224] --eval", 1,
			[]string{"call 23, of base.res3.a.conv1 and blocks.3.conv1: it gives f32[B,128,28,28] and f32[B,128,56,56]",
				"res.py:31   h = torch.relu(self.bn1(self.conv1(x)))"}},
		{"res.py:Chain(True) res.py:ResNet() --arg x:f32[B,3,H,W] --eval", 1, []string{"with H=", "res.py:14", "res.py:52   x = self.pool("}},
		{"net.py:found net.py:lost --arg-first x:f32[N] --arg-second x:f64[N]", 1, []string{"the results: [0] f32[N] and f64[N]"}},
		{"net.py:hits net.py:hits --arg x:f32[N]", 0, []string{"are the same"}},
		{"net.py:Net net.py:Net --arg x:f32[B,7]", 2, []string{"were not compared"}},
		{"net.py missing.py --arg x:f32[B,7]", 2, nil},
		{"net.py:Net net.py:Net --entry Net", 2, nil},
		{"net.py:Net", 2, nil},
	} {
		t.Run(c.args, func(t *testing.T) {
			args := append([]string{"compare"}, strings.Fields(c.args)...)
			code, stdout, stderr := run(args...)
			if code != c.code {
				t.Errorf("exit code %d, expected %d", code, c.code)
			}
			if c.want == nil && (stdout != "" || stderr == "") {
				t.Error("no message about what is wrong")
			}
			rest := stdout
			for _, w := range c.want {
				i := strings.Index(rest, w)
				if i < 0 {
					t.Errorf("lacks %q", w)
					continue
				}
				rest = rest[i+len(w):]
			}
			if t.Failed() {
				t.Fatal(stdout + stderr)
			}
			if c.want == nil {
				return
			}
			code, stdout, _ = run(append(args, "--output-format", "json")...)
			validate(t, "compare-schema.json", stdout)
			var doc struct {
				Verdict    string
				Difference *struct{ What string }
			}
			if err := json.Unmarshal([]byte(stdout), &doc); err != nil {
				t.Fatal(err)
			}
			if verdicts := map[string]int{"same": check.ExitClean, "different": check.ExitFindings, "unknown": check.ExitUsage,
				"not checked": check.ExitUsage}; verdicts[doc.Verdict] != code || code != c.code {
				t.Errorf("the document says %s, the exit code is %d", doc.Verdict, code)
			}
			if (doc.Difference == nil) != (doc.Verdict == "same" || doc.Verdict == "not checked") {
				t.Errorf("%s with the difference %v", doc.Verdict, doc.Difference)
			}
		})
	}
}
