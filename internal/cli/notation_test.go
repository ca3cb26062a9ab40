package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"shapecheck/internal/driver"
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
	if _, stdout, _ := run(file, "--arg", "height:int=height=228", "--notation", "seed"); !strings.Contains(stdout, "forward → 57 ((height + 1) // 4)\n") {
		t.Errorf("a size with its expression:\n%s", stdout)
	}
	if code, _, stderr := run(file, "--arg", "height=228", "--notation", "sed"); code != driver.ExitUsage || !strings.Contains(stderr, "expected seed") {
		t.Errorf("exit code %d\n%s", code, stderr)
	}
}
