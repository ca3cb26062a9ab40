package infer_test

// This file holds what the ancestor's typing tests and the tests of its front exercise: small programs of the same kinds,
// with the results that Python and the library give, also where the ancestor gives up a size (None) or fails ("off").

import (
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"shapecheck/infer"
	"shapecheck/internal/diag"
)

func TestElichikaTyping(t *testing.T) {
	for name, c := range map[string]struct{ args, body, want string }{
		"num_bool":             {"x=True y=False", "return x and y or True", "bool=True"},
		"num_coercion":         {"x=1", "y = abs(x)\nx = x + 1.3\nreturn y, x", "(int=1, float=2.3)"},
		"num_coercion_if":      {"", "a = 0\nb = a\nif True:\n    b = b + 1.0\nreturn a", "int=0"},
		"num_coercion_if_else": {"x=0", "if x > 1:\n    x += 3\nelse:\n    x += 10.0\nreturn x", "float=10.0"},
		"list": {"", "xs = [1, 2, 3]\nout = []\nfor i in range(3):\n    out.append(xs[:i])\nreturn out",
			"[[], [int=1], [int=1, int=2]]"},
		"tuple":                 {"", "v = (1, 2, 3)\nx = 0\nfor i in range(3):\n    x += v[i]\nreturn x", "int=6"},
		"tuple_augmented":       {"", "x = (1, 2)\nx += (3,)\nreturn x", "(int=1, int=2, int=3)"},
		"tuple_assign":          {"", "x, y = 1, 2.0\nreturn x + y", "float=3.0"},
		"list_slice":            {"", "return [0, 1, 2, 3][1:2]", "[int=1]"},
		"list_of_tuple":         {"v=0", "for x, y in [(1, 2.0), (2, 3.0)]:\n    v += x + y\nreturn v", "float=8.0"},
		"list_comprehension":    {"x=3", "return [(lambda k: k * k)(i) for i in range(x)]", "[int=0, int=1, int=4]"},
		"string":                {"", "v = ''\nfor s in ['a', 'b']:\n    v += s\nreturn v", "str='ab'"},
		"dict_basic":            {"", "return {'one': 1, 'two': 2}['one']", "int=1"},
		"dict_optional":         {"", "return {'foo': 1, 'bar': None}", `{"foo": int=1, "bar": None}`},
		"for_optional":          {"x=None", "for i in range(2):\n    x = 2 if x is None else x + 1\nreturn x", "int=3"},
		"scope_if_else":         {"", "if True:\n    x = 10\nelse:\n    y = 5\nreturn x", "int=10"},
		"immutable_augassign":   {"", "x = (1, 2, 3)\ny = x\nx += (4,)\nreturn y", "(int=1, int=2, int=3)"},
		"mutable_augassign":     {"", "x = [1, 2, 3]\ny = x\nx += [4]\nreturn y", "[int=1, int=2, int=3, int=4]"},
		"lazy_init":             {"x=None", "if x is None:\n    x = 42\nelse:\n    x += 1\nreturn x", "int=42"},
		"lazy_init_branch_else": {"x=2", "if x is None:\n    x = 42\nelse:\n    x += 1\nreturn x", "int=3"},
		"numpy_array": {"", "return np.array([0]), np.array(0, dtype=np.float64), np.array([0], dtype='float32')",
			"(i64[1], f64[], f32[1])"},
		"numpy_astype": {"", "return np.zeros(0).astype('f'), np.zeros(0).astype(np.int32)", "(f32[0], i32[0])"},
		"numpy_zeros":  {"", "return np.zeros((3, 3)), np.zeros(3, dtype='int64')", "(f64[3,3], i64[3])"},
		"expand_dims":  {"x:f64[2,3,4]", "return F.expand_dims(x, 1), F.expand_dims(x, -2)", "(f64[2,1,3,4], f64[2,3,1,4])"},
		"squeeze": {"x:f64[2,1,1,3]", "return F.squeeze(x), F.squeeze(x, axis=2), F.squeeze(x, axis=(1, 2))",
			"(f64[2,3], f64[2,1,3], f64[2,3])"},
		"sum": {"x:f64[1,2,3]", "return F.sum(x, axis=-1), F.sum(x, axis=1, keepdims=True), F.sum(x, keepdims=True)",
			"(f64[1,2], f64[1,1,3], f64[1,1,1])"},
		"separate":   {"x:f64[3,4,5]", "return F.separate(x, axis=0)", "(f64[4,5], f64[4,5], f64[4,5])"},
		"split_axis": {"x:f64[3,4,5]", "return F.split_axis(x, 2, 1)", "(f64[3,2,5], f64[3,2,5])"},
		"vstack":     {"x:f64[1,3,4] y:f64[2,3,4]", "return F.vstack([x, y])", "f64[3,3,4]"},
		"type_hints": {"x:f32[a=10,b=10]", "return F.split_axis(x, 2, 1)", "(f32[10 (a),5 (b//2)], f32[10 (a),5 (b//2)])"},
		"kinds after branches": {"x:f32[2,3] t:i32[2]",
			"h = F.relu(x) if t[0] > 0 else x + 1\nfor i in range(6):\n    if t[1] > i:\n        h = h * 2\n        continue\n    h = -h\nreturn h", "f32[2,3] | f32[2,3]"},
		"alias of a tuple (off)":    {"", "x = (1, [2])\ny = x\ny[1].append(3)\nreturn x", "(int=1, [int=2, int=3])"},
		"nested def (off)":          {"x=2", "def f(k):\n    if k > 1:\n        return k * x\n    return 0\nreturn f(3)", "int=6"},
		"list by reference (off)":   {"", "a = []\nb = [a, a]\na.append(1)\nreturn b", "[[int=1], [int=1]]"},
		"dict items (off)":          {"", "n = 0\nfor k, v in {'a': 1, 'b': 2}.items():\n    n += v\nreturn n", "int=3"},
		"higher-order lambda (off)": {"", "return (lambda f: lambda x: f(f(x)))(lambda x: x + 3)(1)", "int=7"},
	} {
		t.Run(name, func(t *testing.T) {
			text := "def forward("
			var names []string
			args := strings.Fields(c.args)
			for _, a := range args {
				names = append(names, a[:strings.IndexAny(a, ":=")])
			}
			text += strings.Join(names, ", ") + "):\n    " + strings.ReplaceAll(c.body, "\n", "\n    ") + "\n"
			runElichika(t, elichikaChainer+text, "", args, c.want)
		})
	}
}

// What a program of the tests sees, in Chainer and in PyTorch.
const (
	elichikaChainer = "import numpy as np\nimport chainer\nimport chainer.functions as F\nimport chainer.links as L\n\n\n"
	elichikaTorch   = "import numpy as np\nimport torch\nfrom torch import nn\nimport torch.nn.functional as F\n\n\n"
)

// TestElichikaLanguage runs the programs of testdata/elichika.txtar and elichika_torch.txtar, whose results
// elichika_record.py there checks in Chainer and PyTorch.
func TestElichikaLanguage(t *testing.T) {
	for name, imports := range map[string]string{"elichika": elichikaChainer, "elichika_torch": elichikaTorch} {
		archive, err := txtar.ParseFile("testdata/" + name + ".txtar")
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range archive.Files {
			t.Run(name+"/"+strings.TrimSuffix(f.Name, ".py"), func(t *testing.T) {
				text, want, found := strings.Cut(strings.TrimSpace(string(f.Data)), "\n# want: ")
				first, _, _ := strings.Cut(text, "\n")
				call := strings.Fields(first) // #, the entry and its arguments
				if !found || len(call) < 2 {
					t.Fatal("no line of the call or of the result")
				}
				runElichika(t, imports+text+"\n", call[1], call[2:], want)
			})
		}
	}
}

// runElichika holds the result of a program against what it gives.
func runElichika(t *testing.T, text, entry string, args []string, want string) {
	t.Helper()
	res, err := infer.Run(infer.Config{File: "net.py", Text: text, Entry: entry, Args: args, NumpyVersion: "1.23.5"})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range res.Diagnostics {
		if d.Severity == diag.Error {
			t.Errorf("line %d: %s", res.Files.Position(d.At.Start).Line, d.Msg)
		}
	}
	if res.Output == nil || res.Output.String() != want {
		t.Errorf("the result is\n%v, expected\n%s", res.Output, want)
	}
}
