package cli

// This file tests what a user sees of scripts as they lie in repositories: files that are
// read and executed, data whose sizes files decide, trainers.

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A story is a program with what is said of it.
type story struct {
	name  string
	files map[string]string
	args  string
	code  int
	says  []string
	not   []string
}

func (s story) run(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range s.files {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	code, stdout, stderr := run(append([]string{"--no-config"}, strings.Fields(s.args)...)...)
	if code != s.code {
		t.Errorf("exit code %d, want %d\n%s%s", code, s.code, stdout, stderr)
	}
	for _, want := range s.says {
		if !strings.Contains(stdout+stderr, want) {
			t.Errorf("does not say %q:\n%s%s", want, stdout, stderr)
		}
	}
	for _, bad := range s.not {
		if strings.Contains(stdout+stderr, bad) {
			t.Errorf("says %q:\n%s%s", bad, stdout, stderr)
		}
	}
}

func TestScriptsReadFiles(t *testing.T) {
	for _, s := range []story{
		{name: "a configuration that is executed", args: "train.py --script", files: map[string]string{
			"conf.py":  "n = 5\n",
			"train.py": "import torch\nn = 4\nexec(open('conf.py').read())\nx = torch.zeros(n)\n",
		}, says: []string{"f32[5]"}},
		{name: "one beside the script, compiled, with a fault", args: "sub/train.py --script", code: 1, files: map[string]string{
			"sub/conf.py":  "import torch\ny = torch.zeros(3) @ torch.zeros(4)\n",
			"sub/train.py": "import torch\nwith open('conf.py') as f:\n    exec(compile(f.read(), 'conf.py', 'exec'))\nx = torch.zeros(2)\n",
		}, says: []string{"f32[2]", "sub/conf.py:2:5"}},
		{name: "one that is not there", args: "train.py --script", files: map[string]string{
			"train.py": "import torch\nn = 4\nexec(open('conf.py').read())\nx = torch.zeros(n)\ny = torch.zeros(3)\n",
		}, says: []string{"exec() of a text that is not known", "f32[3]"}, not: []string{"f32[4]"}},
		{name: "arrays of files", args: "train.py --script", files: map[string]string{
			"train.py": `import glob
from pathlib import Path
import numpy as np
import torch
a = np.fromfile("x.bin", dtype=np.float32)
b = np.memmap("x.bin", dtype="uint16", mode="w+", shape=(4, 5))
b.flush()
c = torch.from_numpy(np.memmap("x.bin", dtype=np.int64).reshape(-1, 3))
files = sorted(glob.glob("*.npy")) + [str(p) for p in Path("data").rglob("*.png")]
for f in files:
    y = torch.zeros(3, len(f.split(".")[:1]))
lens = torch.zeros(len(files), 2)
assert isinstance(b, np.ndarray)
`,
		}, says: []string{"f32[n0]", "u16[4,5]", "i64[n1//3,3]", "f32[files0+files1,2]", "no errors", "0 unknown"}},
	} {
		t.Run(s.name, s.run)
	}
}

func TestValuesOfPythonAreNoInstancesOfMissingClasses(t *testing.T) {
	const text = `import torch
from omegaconf.listconfig import ListConfig
from compat import integer_types


def forward(x, context_dim=512):
    if type(context_dim) == ListConfig:
        context_dim = list(context_dim)
    if isinstance(context_dim, (ListConfig, tuple)) or type(context_dim) is ListConfig:
        context_dim = context_dim.list
    y = torch.zeros(x.shape[0], context_dim)
    n = 1 if isinstance(context_dim, integer_types) else context_dim.size
    return y, torch.zeros(2, n)
`
	story{args: "net.py --arg x:f32[B,4]", files: map[string]string{"net.py": text}, says: []string{"f32[B,512]", "no errors"}, not: []string{"f32[2,1])", "SC202"}}.run(t)
}
