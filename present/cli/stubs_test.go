package cli

// This file tests Python files that stand for modules: --stubs and the key stubs.

import (
	"os"
	"strings"
	"testing"
)

var stubbed = map[string]string{
	"model.py": `import torch
from fast_attention import attend, other
from fast_attention.ops.norm import rms_norm
from mine.ops import use, K

def forward(q, k, v):
    y = attend(q, k, v, causal=True)
    z = rms_norm(y, torch.ones(y.shape[-1]))
    w = use(z)
    o = other(w)
    return w[:K]
`,
	"wrong.py": `from fast_attention import attend

def forward(q, k, v):
    return attend(q, v, k)
`,
	"mine/__init__.py": "",
	"mine/ops.py":      "import cuda_only\ndef scan(x): return cuda_only.scan(x)\ndef use(x): return scan(x)\nK = 3\n",
	"stubs/fast_attention/__init__.py": `def attend(q, k, v, causal=False):
    if q.shape[-1] != k.shape[-1]:
        raise RuntimeError(f'q has heads of {q.shape[-1]}, k of {k.shape[-1]}')
    return q.new_empty(*q.shape[:-1], v.shape[-1])
`,
	"stubs/fast_attention/ops/norm.py": "def rms_norm(x, w): return x * w\n",
	"stubs/mine/ops.py":                "import torch\ndef scan(x): return torch.cumsum(x, 0)\n",
}

const stubbedArgs = " --types --arg q:f32[B,T,64] --arg k:f32[B,T,64] --arg v:f32[B,T,32]"

func TestStubsStandForModules(t *testing.T) {
	t.Setenv("COLUMNS", "80")
	broken := func(text string) map[string]string {
		files := map[string]string{"stubs/mine/ops.py": text}
		for name, old := range stubbed {
			if _, ok := files[name]; !ok {
				files[name] = old
			}
		}
		return files
	}
	for _, s := range []story{
		{name: "all of a module, and a name of another", files: stubbed, args: "model.py --stubs stubs" + stubbedArgs, code: 0,
			says: []string{"attend(q, k, v, causal=True)      f32[B,T,32]", "w = use(z)                            f32[B,T,32]",
				"forward → f32[min(B,3),T,32]",
				"no rule for fast_attention.other"},
			not: []string{"was not found"}},
		{name: "stubs that lie elsewhere", files: map[string]string{
			"project/pyproject.toml": "", "project/m.py": "from fast import attend\ndef forward(q):\n    return attend(q)\n",
			"stubs/fast.py": "def attend(q): return q.new_empty(q.shape[0], 7)\n",
		}, args: "project/m.py --stubs stubs --arg q:f32[B,T]", code: 0, says: []string{"f32[B,7]"}},
		{name: "without them", files: stubbed, args: "model.py" + stubbedArgs, code: 2, says: []string{"module 'fast_attention' was not found"}},
		{name: "a fault that a stub raises is the caller's", files: stubbed, args: "wrong.py --stubs stubs" + stubbedArgs, code: 1,
			says: []string{"error[SC101]", "q has heads of 64, k of 32", "wrong.py:4:12"}},
		{name: "a stub with a syntax error", files: broken("def f(:\n"), args: "model.py --stubs stubs" + stubbedArgs, code: 2,
			says: []string{"stubs/mine/ops.py, line 1: '(' was never closed"}},
		{name: "a stub that raises", files: broken("import torch\nraise ValueError('no')\n"), args: "model.py --stubs stubs" + stubbedArgs,
			code: 2,
			says: []string{"the stub stubs/mine/ops.py does not run: no"}},
		{name: "no such folder", files: stubbed, args: "model.py --stubs stubz" + stubbedArgs, code: 2,
			says: []string{"--stubs stubz: no such directory"}},
	} {
		t.Run(s.name, s.run)
	}
}

func TestStubsOfAConfiguration(t *testing.T) {
	story{files: stubbed, args: "model.py --stubs stubs" + stubbedArgs}.run(t) // writes the files
	for config, want := range map[string]string{`stubs = ["stubs"]`: "forward → f32[min(B,3),T,32]",
		`stubs = ["../stubs"]`: "leads out of the folder"} {
		if err := os.WriteFile("shapecheck.toml", []byte(config+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		_, stdout, stderr := run(append([]string{"model.py"}, strings.Fields(stubbedArgs)...)...)
		if !strings.Contains(stdout+stderr, want) {
			t.Errorf("%s does not give %q:\n%s%s", config, want, stdout, stderr)
		}
	}
	project := "stubs = [\"stubs\"]\n[[entries]]\nfile = \"model.py\"\nargs = [\"q:f32[B,T,64]\", \"k:f32[B,T,64]\", \"v:f32[B,T,32]\"]\nexpect = \"f32[min(B,3),T,32]\"\n"
	if err := os.WriteFile("shapecheck.toml", []byte(project), 0o666); err != nil {
		t.Fatal(err)
	}
	if code, stdout, stderr := run(); code != 0 {
		t.Errorf("exit code %d of the project:\n%s%s", code, stdout, stderr)
	}
}
