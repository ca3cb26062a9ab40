package infer_test

import (
	"testing"

	"shapecheck/infer"
	"shapecheck/internal/reads"
	"shapecheck/project/pyenv"
)

// TestWhichNumpyAProgramFinds holds the version, and the promotion of a scalar that follows from it, where the caller,
// the environment, Chainer or an old PyTorch decides.
func TestWhichNumpyAProgramFinds(t *testing.T) {
	const (
		program = "import numpy as np\n\n\ndef forward():\n    return np.__version__, np.zeros(2, np.float32) + np.float64(3)\n"
		site    = ".venv/lib/python3.11/site-packages/"
	)
	old := map[string]string{".venv/pyvenv.cfg": "", site + "numpy/__init__.py": "", site + "numpy-1.24.2.dist-info/METADATA": "Name: numpy\n"}
	newer := map[string]string{".venv/pyvenv.cfg": "", site + "numpy/__init__.py": "", site +
		"numpy-2.1.0.dist-info/METADATA": "Name: numpy\n"}
	for _, c := range []struct {
		name, imports, told, torch string
		files                      map[string]string
		want                       string
	}{
		{"nothing says it", "", "", "", nil, "(str='2.4.6', f64[2])"},
		{"Chainer needs 1.x", "import chainer\n", "", "", nil, "(str='1.23.5', f32[2])"},
		{"Chainer, imported after it", "import numpy as np\nimport chainer\n", "", "", nil, "(str='1.23.5', f32[2])"},
		{"PyTorch 1 needs 1.x", "import torch\n", "", "1.13.1", nil, "(str='1.23.5', f32[2])"},
		{"the environment", "", "", "", old, "(str='1.24.2', f32[2])"},
		{"the environment, before Chainer", "import chainer\n", "", "", newer, "(str='2.1.0', f64[2])"},
		{"the caller, before the environment", "", "2.0.1", "", old, "(str='2.0.1', f64[2])"},
		{"the caller, before Chainer", "import chainer\n", "2.4.6", "", nil, "(str='2.4.6', f64[2])"},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := map[string]string{"net.py": c.imports + program, "setup.py": ""}
			for name, text := range c.files {
				files[name] = text
			}
			res, err := infer.Run(infer.Config{
				File: "net.py", Entry: "forward", NumpyVersion: c.told, TorchVersion: c.torch, Environment: pyenv.Search{Discover: true},
				FS: reads.NewMemory(files),
			})
			if err != nil {
				t.Fatal(err)
			}
			if got := res.Output.String(); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}
