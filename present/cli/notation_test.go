package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"shapecheck/check"
)

// Each line is typed as the typing tests of chainer-compiler's inference engine have it; where
// sizes are known to more than that engine knew, ours are said.
func TestTypesInTheNotationOfTheAncestor(t *testing.T) {
	for _, c := range []struct{ expr, arg, want string }{
		{"1", "", "int"},
		{"1.5", "", "float"},
		{"True", "", "bool"},
		{"'x'", "", "string"},
		{"None", "", "NoneType"},
		{"(1, 2, 3)", "", "(int, int, int)"},
		{"(3,)", "", "(int,)"},
		{"[0, 1, 2, 3][1:2]", "", "int list"},
		{"[[1], [2]]", "", "int list list"},
		{"[(1, 2.0), (3, 4)]", "", "(int, float) list"},
		{"[1, 2.5]", "", "float list"},
		{"{'one': 1, 'two': 2}", "", "{string : int}"},
		{"{'foo': 1, 'bar': None}", "", "{string : optional(int)}"},
		{"[None, 4, None]", "", "optional(int) list"},
		{"np.array(0, dtype='float64')", "", "ndarray(float64, ())"},
		{"np.zeros((3, 3))", "", "ndarray(float64, (3, 3))"},
		{"np.zeros(3, dtype='int64')", "", "ndarray(int64, (3,))"},
		{"np.zeros(0).astype('f')", "", "ndarray(float32, (0,))"},
		{"F.expand_dims(np.zeros((2, 3, 4)), 1)", "", "Variable(float64, (2, 1, 3, 4))"},
		{"F.expand_dims(np.zeros((2, 3, 4)), -2)", "", "Variable(float64, (2, 3, 1, 4))"},
		{"F.squeeze(np.zeros((2, 1, 1, 3)), 2)", "", "Variable(float64, (2, 1, 3))"},
		{"F.sum(np.zeros((1, 2, 3)), keepdims=True)", "", "Variable(float64, (1, 1, 1))"},
		{"F.separate(np.zeros((3, 4, 5)), 0)", "", "(Variable(float64, (4, 5)), Variable(float64, (4, 5)), Variable(float64, (4, 5)))"},
		{"F.split_axis(np.zeros((3, 4, 5)), 2, 1)", "", "(Variable(float64, (3, 2, 5)), Variable(float64, (3, 2, 5)))"},
		{"[np.zeros((1, 3, 4)), np.zeros((2, 3, 4))]", "", "ndarray(float64, (None, 3, 4)) list"},
		{"F.split_axis(x, 2, 1)", "x:f32[a=10,b=10]", "(Variable(float32, (10 (a), 5 (b // 2))), Variable(float32, (10 (a), 5 (b // 2))))"},
		{"x", "x:f32[2,3,113,?]", "ndarray(float32, (2, 3, 113, None))"},
		{"[torch.zeros(1, 3, 224, 224)]", "", "torch.Tensor(float32, (1, 3, 224, 224)) list"},
		// ours: a size of which there is no example, a rank that is not known, types without a join
		{"x", "x:f32[B,3]", "ndarray(float32, (B, 3))"},
		{"x", "x:f32[*]", "f32[*]"},
		{"[1, 'a']", "", "[int, string]"},
	} {
		imports := "import chainer\nimport chainer.functions as F\nimport numpy as np\n"
		if strings.Contains(c.expr, "torch") {
			imports = "import torch\n"
		}
		param, args := "", []string{"--notation", "seed"}
		if c.arg != "" {
			param, args = "x", append(args, "--arg", c.arg)
		}
		file := filepath.Join(t.TempDir(), "m.py")
		if err := os.WriteFile(file, []byte(imports+"\n\ndef forward("+param+"):\n    return "+c.expr+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		_, stdout, stderr := run(append([]string{file}, args...)...)
		_, after, _ := strings.Cut(stdout, "forward → ")
		result, _, _ := strings.Cut(after, "\n\n")
		if got := strings.Join(strings.Fields(result), " "); got != c.want {
			t.Errorf("%s: %q, want %q\n%s%s", c.expr, got, c.want, stdout, stderr)
		}
	}
	file := filepath.Join(t.TempDir(), "n.py")
	if err := os.WriteFile(file, []byte("def forward(height):\n    return (height + 1) // 4\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, stdout, _ := run(file, "--arg", "height:int=height=228", "--notation", "seed"); !strings.Contains(stdout,
		"forward → 57 ((height + 1) // 4)\n") {
		t.Errorf("a size with its expression:\n%s", stdout)
	}
	if code, _, stderr := run(file, "--arg", "height=228", "--notation", "sed"); code != check.ExitUsage ||
		!strings.Contains(stderr, "expected seed") {
		t.Errorf("exit code %d\n%s", code, stderr)
	}
}

// An annotation of the ancestor says of which library an argument is, whatever the program imports.
func TestAnnotationsOfTheAncestorNameTheLibrary(t *testing.T) {
	const program = `import numpy as np
import torch
import chainer
import chainer.functions as F
from chainer_compiler.elichika.typing.types import *


def array(x: TyNdarray(np.float32, ('a', 'b'))):
    return F.split_axis(x.astype(np.float64), 2, 1)


def variable(x: TyChainerVariable(np.float32, ('a', 4))):
    return x * 2, x.array


def tensor(x: TyTorchTensor(np.float32, ('n', 'n'))):
    return torch.relu(x @ x)
`
	const double = "Variable(float64, (a, b // 2))"
	for entry, want := range map[string]string{
		"array":    "array → (" + double + ", " + double + ")",
		"variable": "variable → (Variable(float32, (a, 4)), ndarray(float32, (a, 4)))",
		"tensor":   "tensor → torch.Tensor(float32, (n, n))",
	} {
		for what, text := range map[string]string{"three libraries": program,
			"one": strings.Replace(program, "import torch\nimport chainer\n", "", 1)} {
			if what == "one" && entry == "tensor" {
				text = strings.Replace(text, "torch.relu(x @ x)", "x.relu()", 1)
			}
			file := filepath.Join(t.TempDir(), "m.py")
			if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
			code, stdout, stderr := run(file, "--entry", entry, "--notation", "seed")
			if code != check.ExitClean || !strings.Contains(stdout, want+"\n") {
				t.Errorf("%s, %s imported: exit code %d\n%s%s", entry, what, code, stdout, stderr)
			}
		}
	}
}

// The ancestor's first program, of which it printed the type of each line: sizes keep the expression that a window gives
// them, with constants folded, where ours is (height + 1) // 4.
func TestSizesAsTheAncestorComputedThem(t *testing.T) {
	const program = `import chainer
import chainer.functions as F
import chainer.links as L
from torch import nn


class Model(chainer.Chain):
    def __init__(self):
        super(Model, self).__init__()
        with self.init_scope():
            self.conv = L.Convolution2D(3, 64, 3, stride=2, pad=1)
            self.up = L.Deconvolution2D(64, 3, 4, 2, 1)

    def forward(self, x, t):
        h = F.max_pooling_2d(F.relu(self.conv(x)), 3, stride=2)
        return F.softmax_cross_entropy(h, t)

    def conv_only(self, x):
        return self.conv(x)

    def up_only(self, x):
        return self.up(self.conv(x))

    def pool(self, x):
        return F.average_pooling_2d(x, ksize=3, stride=2)


def halves(x):
    return nn.MaxPool2d(2)(nn.MaxPool2d(2)(x))


def covering(x):
    return nn.MaxPool2d(3, 2, ceil_mode=True)(x)
`
	file := filepath.Join(t.TempDir(), "model.py")
	if err := os.WriteFile(file, []byte(program), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		want []string
	}{
		{[]string{"--entry", "Model()", "--arg", "x:f32[bsize=2,3,height=227,width=227]", "--arg", "t:i32[2,57,57]"}, []string{
			"→ Variable(float32, (2 (bsize), 64, 57 (ceil(((height - 1) // 2 - 2) / 2) + 1), 57 (ceil(((width - 1) // 2 - 2) / 2) + 1)))",
			"Model() → Variable(float32, ())"}},
		{[]string{"--entry", "Model()", "--call", "pool", "--arg", "x:f32[2,3,227,?]"}, []string{"Variable(float32, (2, 3, 113, None))"}},
		{[]string{"--entry", "Model()", "--call", "conv_only", "--arg", "x:f32[2,3,a=224,224]"},
			[]string{"Variable(float32, (2, 64, 112 ((a - 1) // 2 + 1), 112))"}},
		{[]string{"--entry", "Model()", "--call", "up_only", "--arg", "x:f32[2,3,a=224,224]"},
			[]string{"Variable(float32, (2, 3, 224 ((a - 1) // 2 * 2 + 2), 224))"}},
		{[]string{"--entry", "halves", "--arg", "x:f32[1,3,a=224,224]"},
			[]string{"torch.Tensor(float32, (1, 3, 56 (((a - 2) // 2 - 1) // 2 + 1), 56))"}},
		{[]string{"--entry", "covering", "--arg", "x:f32[1,3,a=225,225]"},
			[]string{"torch.Tensor(float32, (1, 3, 112 (ceil((a - 3) / 2) + 1), 112))"}},
	} {
		_, stdout, stderr := run(append([]string{file, "--notation", "seed"}, c.args...)...)
		text := strings.Join(strings.Fields(strings.ReplaceAll(stdout, "│", " ")), " ")
		for _, want := range c.want {
			if !strings.Contains(text, want) {
				t.Errorf("%v: no %q in\n%s%s", c.args, want, stdout, stderr)
			}
		}
	}
}
