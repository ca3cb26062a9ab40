package infer_test

// This file holds results of expressions: each is CPython's, or not known with the reason.

import (
	"os"
	"strings"
	"testing"

	"shapecheck/check/record"
	"shapecheck/infer"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
)

// lostValues are the expressions of testdata/values.txt whose text CPython fixes and a run
// does not know.
var lostValues = map[string]bool{
	"{None, 1}":                                   true, // None's hash is an address before 3.12
	"b','.join([b'a', bytearray(b'b')])":          true, // bytearray and memoryview are not followed
	"bytearray(b'ab')":                            true,
	"memoryview(b'ab')[1]":                        true,
	"__import__('itertools').count(3)":            true,
	"'a' in str(__import__('random').random())":   true,
	"max(__import__('random').random(), 5.5) + 1": true,
}

func TestValuesAreCPythonsOrHaveACause(t *testing.T) {
	data, err := os.ReadFile("testdata/values.txt")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	for _, line := range lines {
		text, want, ok := strings.Cut(line, "\t")
		if !ok {
			t.Fatalf("a line without a text: %q", line)
		}
		lost := want == "?" || lostValues[text]
		for _, e := range []string{"repr(" + text + ")", text} {
			res, err := infer.Run(infer.Config{File: "values.py", Text: "def forward():\n    return " + e + "\n", Entry: "forward"})
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range res.Diagnostics {
				t.Errorf("%s: %s", e, d.Msg)
			}
			s, known := res.Output.(value.Str)
			switch causes := record.Build(res).Unknown; {
			case e != text && known && lost:
				t.Errorf("%s is %s, in CPython %s", e, s, want)
			case e != text && known && string(s) != want:
				t.Errorf("%s is %s, in CPython %s", e, s, want)
			case e != text && !known && !lost:
				t.Errorf("%s is not known: %v, in CPython %s", e, causes, want)
			case e != text && !known || open(res.Output):
				if len(causes) == 0 || causes[0].Line != 2 || causes[0].Reason == "" {
					t.Errorf("%s is %v without a cause: %v", e, res.Output, causes)
				}
			}
		}
	}
	if len(lines) < 100 {
		t.Errorf("only %d expressions", len(lines))
	}
}

// open reports whether a number, truth value or text in v is not known.
func open(v value.Value) bool {
	for x := range value.Walk(v, value.Deep, value.AllParts&^value.Others) {
		switch x := x.(type) {
		case *value.Unknown, *value.Abstract:
			return true
		case *value.SymFloat:
			return !x.Known
		case *value.SymBool:
			return !x.Known
		case *value.SymInt:
			return !x.D.Known && x.D.Expr == nil
		}
	}
	return false
}

// TestWantOfAPackage checks what a run says that ends as a package is not installed.
func TestWantOfAPackage(t *testing.T) {
	for _, tc := range []struct{ name, init, want string }{
		{"asked by find_spec", `
        self.w = torch.cat([torch.ones(3), torch.zeros(2)])
        if importlib.util.find_spec("no_such_solver") is None:
            raise ImportError("no_such_solver is needed")`, "no_such_solver is not installed"},
		{"caught", `
        try:
            import no_such_solver.lap
        except ImportError:
            no_such_solver = None
        if no_such_solver is None:
            raise ImportError("pip install it")
        self.w = torch.ones(3)`, "no_such_solver is not installed"},
		{"a handler that only raises is no way round", `
        try:
            import no_such_solver.lap
        except ImportError:
            raise ImportError("pip install it")`, ""},
		{"the package that the program names", `
        for name in ("no_such_other", "no_such_solver"):
            importlib.util.find_spec(name)
        raise RuntimeError("install no_such_other first")`, "no_such_other is not installed"},
		{"another exception", `
        importlib.util.find_spec("no_such_solver")
        raise ValueError("no numbers")`, "the entry was not called: raises ValueError: no numbers"},
		{"a fault before", `
        [].none
        if importlib.util.find_spec("no_such_solver") is None:
            raise ImportError("no_such_solver is needed")`, "the entry was not called: 'list' object has no attribute 'none'"},
		{"all is there", `
        assert importlib.util.find_spec("torch") is not None`, ""},
	} {
		res, err := infer.Run(infer.Config{File: "a.py", Args: []string{"x:f32[B,3]"}, Text: `
import importlib.util
import torch

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()` + tc.init + `

    def forward(self, x):
        return x + 1
`})
		if err != nil {
			t.Fatal(err)
		}
		if res.WhyNot != tc.want || res.Checked != (tc.want == "") {
			t.Errorf("%s: checked %v, %q, want %q", tc.name, res.Checked, res.WhyNot, tc.want)
		}
	}
}

// TestWhatFilesAndOtherFrameworksHoldIsUnknown holds that what Chainer and NumPy read from files, run for other frameworks
// or keep in arrays of records and objects is unknown, with the cause, and no error.
func TestWhatFilesAndOtherFrameworksHoldIsUnknown(t *testing.T) {
	const (
		imports = "import chainer\nimport chainer.functions as F\nimport chainer.links as L\nimport numpy as np\n\n\n"
		caffe   = "the layers of a Caffe model are in its file"
		records = "zeros: arrays of this dtype are not modelled"
		objects = "array: an array of None is not modelled"
	)
	for expr, cause := range map[string]string{
		"L.caffe.CaffeFunction('a')":                                            caffe,
		"L.caffe.CaffeFunction('a')(inputs={'data': x}, outputs=['fc'])":        caffe,
		"F.relu(L.caffe.CaffeFunction('a')(inputs={'data': x}, outputs=[])[0])": caffe,
		"L.TheanoFunction([], [])(x)":                                           "chainer.links.TheanoFunction runs what another framework made",
		"np.load('a.npy')":                                                      "what numpy.load reads from a file",
		"np.load('a.npz')['w'] * x":                                             "what numpy.load reads from a file",
		"np.zeros(3, [('a', 'f4'), ('b', 'i8')])":                               records,
		"np.zeros(3, [('a', 'f4'), ('b', 'i8')])['a'].sum()":                    records,
		"np.array([None, 'x'], dtype=object)":                                   objects,
		"np.concatenate([np.array([None], dtype=object), x])":                   objects,
	} {
		res, err := infer.Run(infer.Config{File: "net.py", Text: imports + "def forward(x):\n    return " + expr + "\n", Entry: "forward",
			Args: []string{"x:f32[2,3]"}})
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range res.Diagnostics {
			if d.Severity == diag.Error {
				t.Errorf("%s: %s", expr, d.Msg)
			}
		}
		if u, ok := res.Output.(*value.Unknown); !ok || u.Cause.Reason != cause {
			t.Errorf("%s: %v, want a value that is unknown because of: %s", expr, res.Output, cause)
			if ok {
				t.Logf("the cause is: %s", u.Cause.Reason)
			}
		}
	}
	const program = `def forward(x):
    m = np.memmap('a.bin', dtype='float32', mode='r', shape=(3, 4))
    np.savez('b.npz', x=x, m=m)
    np.save('c.npy', x)
    return m, np.memmap('a.bin', dtype='int32', mode='r').ndim
`
	res, err := infer.Run(infer.Config{File: "net.py", Text: imports + program, Entry: "forward", Args: []string{"x:f32[2,3]"}})
	if err != nil || len(res.Diagnostics) > 0 || res.Output.String() != "(f32[3,4], int=1)" {
		t.Errorf("files that are mapped and written: %v %v %v", res.Output, res.Diagnostics, err)
	}
}
