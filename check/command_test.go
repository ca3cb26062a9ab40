package check

import (
	"context"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"shapecheck/internal/reads"
	"shapecheck/project/config"
)

// The command of a result is read back by a shell and by ParseTarget, and asks for the same.
func TestExportCommand(t *testing.T) {
	const net = "from torch import nn\n\nN = 1\n\n\n" +
		"class Net(nn.Module):\n    def __init__(self, n=4, name=''):\n        super().__init__()\n        self.fc = nn.Linear(n, 2)\n\n" +
		"    def forward(self, x, how=None):\n        return self.fc(x)\n\n    def other(self, x):\n        return x + N\n"
	fs := reads.NewMemory(map[string]string{"/it's a net.py": net, "/-net.py": net, "/lib/net.py": net})
	for _, c := range []struct {
		words []string
		want  string
	}{
		{[]string{"it's a net.py", "--arg", "x:f32[B,4]"},
			`shapecheck export 'it'\''s a net.py' --entry 'Net()' --arg 'x:f32[B,4]' -o model.onnx`},
		{
			[]string{
				"it's a net.py", "--entry", `Net(8, name="$(touch x)'\"<b>")`, "--arg", "x:f32[B,8]",
				"--arg", "how='`id`'", "--set", "N=3", "--assume", "B % 2 == 0", "--device", "cpu",
			},
			`shapecheck export 'it'\''s a net.py' --entry 'Net(8, name="$(touch x)'\''\"<b>")' --arg 'x:f32[B,8]'` +
				` --arg 'how='\''` + "`id`" + `'\''' --set N=3 --assume 'B % 2 == 0' --device cpu -o model.onnx`,
		},
		{
			[]string{"-m", "net", "--path", "lib", "--call", "other", "--arg", "x:f32[3]"},
			`shapecheck export -m net --entry 'Net()' --arg 'x:f32[3]' --call other --path lib -o model.onnx`,
		},
		{[]string{"--arg", "x:f32[B,4]", "--", "-net.py"}, `shapecheck export ./-net.py --entry 'Net()' --arg 'x:f32[B,4]' -o model.onnx`},
		{[]string{"lib/net.py", "--arg", "x:f32[B,5]"}, ""}, // an error
		{[]string{"lib/net.py", "--entry", "Net(\n)", "--arg", "x:f32[B,4]"}, ""},
		{[]string{"lib/net.py", "--script"}, ""},
	} {
		target, err := ParseTarget(c.words)
		if err != nil {
			t.Fatal(err)
		}
		s := &Session{FS: fs}
		r, err := s.Check(context.Background(), target)
		if err != nil {
			t.Errorf("%q: %v", c.words, err)
			continue
		}
		got := s.ExportCommand(r)
		if got != c.want {
			t.Errorf("%q:\n%s, want\n%s", c.words, got, c.want)
		}
		sh, err := exec.LookPath("sh")
		if got == "" || err != nil {
			continue
		}
		out, err := exec.Command(sh, "-c", "printf '%s\\0' "+got).Output()
		if err != nil {
			t.Fatal(err)
		}
		words := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
		again, err := ParseTarget(words[2 : len(words)-2])
		if err != nil {
			t.Fatalf("%q: %v", words, err)
		}
		a, b := &target.Run, &again.Run
		if !slices.Equal(a.Args, b.Args) || !slices.Equal(a.Set, b.Set) || !slices.Equal(a.Assume, b.Assume) || !slices.Equal(a.Roots, b.Roots) ||
			a.Module != b.Module || strings.TrimPrefix(b.File, "./") != a.File || a.Call != b.Call || a.Device != b.Device || b.Entry != r.Entry {
			t.Errorf("%s: asks for %+v, want %+v", got, b, a)
		}
	}
}

// A configured entry's command has what the configuration says, as export reads none.
func TestExportCommandOfAnEntry(t *testing.T) {
	fs := reads.NewMemory(map[string]string{
		"/pkg/net.py": "def f(x):\n    return x + 1\n",
		"/shapecheck.toml": "paths = [\"pkg\"]\npython = \"none\"\ntorch-version = \"2.1\"\n" +
			"[[entries]]\nname = \"f\"\nfile = \"pkg/net.py\"\nentry = \"f\"\nargs = [\"x:f32[B]\"]\n",
	})
	c, err := config.Read(fs, "shapecheck.toml")
	if err != nil {
		t.Fatal(err)
	}
	s := &Session{FS: fs, Config: c}
	targets, err := s.Targets()
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.Check(context.Background(), targets[0])
	if err != nil {
		t.Fatal(err)
	}
	const want = `shapecheck export pkg/net.py --entry f --arg 'x:f32[B]' --path pkg --python none --torch-version 2.1 -o model.onnx`
	if got := s.ExportCommand(r); got != want {
		t.Errorf("%s, want\n%s", got, want)
	}
}
