package infer_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"shapecheck/infer"
	"shapecheck/internal/diag"
	"shapecheck/internal/reads"
	"shapecheck/project/pyenv"
)

// TestModulesOfAnEnvironment has one program for each way in which a package is found. "$T"
// in a file is the folder of all.
func TestModulesOfAnEnvironment(t *testing.T) {
	const (
		site = "p/.venv/lib/python3.12/site-packages/"
		two  = "import torch\n\n\ndef f(x):\n    return torch.cat([x, x], 1)\n"
		use  = "from a import f\n\n\ndef forward(x):\n    return f(x)\n"
	)
	for _, c := range []struct {
		name, net, want string
		files           map[string]string
		out             bool // the environment is named, so that it may lead out of the project
		local           bool // the result is known without an environment
	}{
		{"a module", use, "f32[B,6]", map[string]string{site + "a.py": two}, false, false},
		{"a package", use, "f32[B,6]", map[string]string{site + "a/__init__.py": "from .b import f\n", site + "a/b.py": two}, false, false},
		{"the project's own goes first", use, "f32[B,6]", map[string]string{"p/a.py": two, site + "a.py": "f = abs\n"}, false, true},
		{"the project's src", use, "f32[B,6]", map[string]string{"p/src/a/__init__.py": two, "p/pyproject.toml": ""}, false, true},
		{"a path", use, "f32[B,6]", map[string]string{site + "x.pth": "$T/p/dev\n", "p/dev/a.py": two}, false, false},
		{"a path out of the project", use, "?", map[string]string{site + "x.pth": "$T/dev\n", "dev/a.py": two}, false, false},
		{"a path from a named environment", use, "f32[B,6]", map[string]string{site + "x.pth": "$T/dev\n", "dev/a.py": two}, true, false},
		{
			"an editable package", use, "f32[B,6]", map[string]string{
				site + "__editable___a_1_finder.py": "MAPPING: dict[str, str] = {'a': '$T/dev/src/a'}\nNAMESPACES: dict[str, list[str]] = {}\n",
				"dev/src/a/__init__.py":             "from .b import f\n", "dev/src/a/b.py": two,
			}, true, false,
		},
		{
			"an editable package in a namespace", "import ns.a\n\n\ndef forward(x):\n    return ns.a.f(x)\n", "f32[B,6]", map[string]string{
				site + "__editable___a_1_finder.py": "MAPPING: dict[str, str] = {'ns.a': '$T/dev/src/a'}\nNAMESPACES: dict[str, list[str]] = {'ns': []}\n",
				"dev/src/a/__init__.py":             two,
			}, true, false,
		},
		{
			"a namespace over several folders",
			"from ns.a import f\nfrom ns.b import g\nfrom ns.c import h\n\n\ndef forward(x):\n    return h(g(f(x)))\n", "f32[B,24]",
			map[string]string{
				site + "x.pth": "$T/p/more\n", site + "ns/a.py": two, "p/more/ns/b.py": strings.Replace(two, "def f", "def g", 1),
				"p/ns/c/d.py": strings.Replace(two, "def f", "def h", 1), "p/ns/c/__init__.py": "from .d import h\n",
			}, false, false,
		},
		{"a package hides a namespace", use, "f32[B,6]", map[string]string{"p/a/data/x.py": "", site + "a/__init__.py": two}, false, false},
		{"what is built in goes first", "import einops\n\n\ndef forward(x):\n    return einops.rearrange(x, 'a b -> (a b)')\n", "f32[3*B]",
			map[string]string{site + "einops/__init__.py": "rearrange = abs\n"}, false, true},
		{
			"a large package without PyTorch",
			"try:\n    import a\nexcept ImportError:\n    a = None\nfrom a.b import f\n\n\ndef forward(x):\n    return f(x) if a is not None else x\n", "?", map[string]string{
				site + "a/__init__.py": "raise ValueError\n", site + "a/b.py": "", site +
					"alpha-1.dist-info/METADATA": "Name: alpha\nRequires-Dist: torch-like\n\nRequires-Dist: torch\n",
				site + "alpha-1.dist-info/RECORD": "a/__init__.py,,\n" + strings.Repeat("a/b.py,,\n", 30),
			}, false, true,
		},
		{
			"a compiled package", use, "?", map[string]string{
				site + "a/__init__.py": two, site + "a-1.dist-info/METADATA": "Name: a\n", site +
					"a-1.dist-info/RECORD": "a/__init__.py,,\na/c.cpython-312-x86_64-linux-gnu.so,,\n",
			}, false, false,
		},
		{
			"a large package with PyTorch", use, "f32[B,6]", map[string]string{
				site + "a/__init__.py": two, site +
					"a-1.dist-info/METADATA": "Name: a\nRequires-Dist: numpy\nRequires-Dist: torch>=1.8; extra == 'torch'\n",
				site + "a-1.dist-info/RECORD": "a/__init__.py,,\n" + strings.Repeat("a/b.py,,\n", 30),
			}, false, false,
		},
		{
			"the installed PyTorch's version",
			"import torch\n\n\ndef forward(x):\n    new = torch.__version__ >= (2, 5) or torch.version.__version__ != '2.4.1+cpu'\n" +
				"    return x if new or not hasattr(torch.nn, 'Buffer') else torch.cat([x, x], 1)\n", "f32[B,6]",
			map[string]string{site + "torch-2.4.1+cpu.dist-info/METADATA": "", site + "torch/__init__.py": "raise ImportError\n"}, false, true,
		},
		{
			"the installed PyTorch's rules",
			"import torch\n\n\ndef forward(x):\n    return x if isinstance((1,) + x.shape, torch.Size) else torch.cat([x, x], 1)\n", "f32[B,6]",
			map[string]string{site + "torch-1.13.1.dist-info/METADATA": ""}, false, true,
		},
		{"no version of PyTorch", "import torch\n\n\ndef forward(x):\n    return x if torch.__version__ < '2.15' else torch.cat([x, x], 1)\n",
			"f32[B,6]", map[string]string{site + "torch-..x.dist-info/METADATA": ""}, false, true},
		{"a version", "import importlib.metadata\nimport torch\n\n\ndef forward(x):\n    return torch.cat([x] * int(importlib.metadata.version('a')[0]), 1)\n", "f32[B,12]", map[string]string{site + "a-4.2.dist-info/METADATA": ""}, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir, err := filepath.EvalSymlinks(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			c.files["p/net.py"], c.files["p/setup.py"] = c.net, ""
			c.files["p/.venv/pyvenv.cfg"], c.files[site+"other.py"] = "home = /usr/bin\n", ""
			for name, text := range c.files {
				path := filepath.Join(dir, filepath.FromSlash(name))
				if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(strings.ReplaceAll(text, "$T", filepath.ToSlash(dir))), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			cfg := infer.Config{
				File: filepath.Join(dir, "p", "net.py"), Entry: "forward", Args: []string{"x:f32[B,3]"},
				Environment: pyenv.Search{Discover: true},
			}
			if c.out {
				cfg.Environment.Python = filepath.Join(dir, "p", ".venv")
			}
			if got := outputOf(t, cfg); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
			if c.local {
				return
			}
			cfg.Environment = pyenv.Search{Discover: true, Python: pyenv.None}
			if got := outputOf(t, cfg); !strings.Contains(got, "?") {
				t.Errorf("without an environment: %s", got)
			}
		})
	}
}

func outputOf(t *testing.T, cfg infer.Config) string {
	t.Helper()
	res, err := infer.Run(cfg)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range res.Diagnostics {
		if d.Severity > 0 && cfg.Environment.Python != pyenv.None {
			t.Errorf("%s: %s", d.Code, d.Msg)
		}
	}
	if res.Output == nil {
		return ""
	}
	return res.Output.String()
}

// TestFaultsOfInstalledPackages has faults in a package of the environment: those of Python
// are infos there, and errors in the project; wrong shapes are errors.
func TestFaultsOfInstalledPackages(t *testing.T) {
	const a = "import torch\n\n\ndef f(x):\n    return x.nothing_of_that_name\n\n\ndef g(x):\n    return x @ torch.zeros(5, 5)\n"
	files := map[string]string{
		"setup.py": "", ".venv/pyvenv.cfg": "", ".venv/lib/python3.12/site-packages/a.py": a, "own.py": a,
		"net.py": "import a\nimport own\n",
	}
	for entry, want := range map[string]diag.Severity{"a.f": diag.Info, "a.g": diag.Error, "own.f": diag.Error} {
		res, err := infer.Run(infer.Config{
			File: "net.py", Entry: entry, Args: []string{"x:f32[B,3]"}, Environment: pyenv.Search{Discover: true}, FS: reads.NewMemory(files),
		})
		if err != nil {
			t.Fatal(err)
		}
		if len(res.Diagnostics) != 1 || res.Diagnostics[0].Severity != want {
			t.Errorf("%s: got %v, want one finding of severity %s", entry, res.Diagnostics, want)
		}
	}
}

// TestFolderOfPackages has packages in a folder of any name (pip install --target): what is large
// without PyTorch is not followed there either.
func TestFolderOfPackages(t *testing.T) {
	files := map[string]string{
		"p/net.py": "import big\nimport small\n\n\ndef forward(x):\n    return big.f(x), small.f(x)\n", "p/setup.py": "",
		"libs/small/__init__.py":          "import torch\n\n\ndef f(x):\n    return torch.cat([x, x], 1)\n",
		"libs/small-1.dist-info/METADATA": "Requires-Dist: torch\n",
		"libs/big/__init__.py":            "def f(x):\n    return x\n", "libs/big-1.dist-info/METADATA": "",
		"libs/big-1.dist-info/RECORD": strings.Repeat("big/b.py,,\n", 30),
	}
	res, err := infer.Run(infer.Config{
		File: "p/net.py", Entry: "forward", Args: []string{"x:f32[B,3]"}, Environment: pyenv.Search{Python: "libs"}, FS: reads.NewMemory(files),
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := res.Output.String(); got != "(?, f32[B,6])" {
		t.Errorf("got %s", got)
	}
}

// TestCallsInsideOfInstalledPackages has a fault some calls deep in a package: of the way
// to it the line of the program's own is shown.
func TestCallsInsideOfInstalledPackages(t *testing.T) {
	const site = ".venv/lib/python3.12/site-packages/"
	files := map[string]string{
		"setup.py": "", ".venv/pyvenv.cfg": "", site + "a/__init__.py": "from .b import f\n", site +
			"a/b.py": "from .c import g\n\n\ndef f(x):\n    return g(x)\n",
		site + "a/c.py": "def g(x):\n    return h(x)\n\n\ndef h(x):\n    return x.nothing_of_that_name\n",
		"net.py":        "import a\n\n\ndef forward(x):\n    return a.f(x)\n",
	}
	res, err := infer.Run(infer.Config{File: "net.py", Args: []string{"x:f32[B,3]"}, Environment: pyenv.Search{Discover: true},
		FS: reads.NewMemory(files)})
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Diagnostics) != 1 || len(res.Diagnostics[0].Related) != 1 {
		t.Fatalf("%v", res.Diagnostics)
	}
	if p := res.Files.Position(res.Diagnostics[0].Related[0].At.Start); p.File.Name != "net.py" || p.Line != 5 {
		t.Errorf("%s:%d", p.File.Name, p.Line)
	}
}

// TestOutOfTheProject has the way to packages that the project's environment names elsewhere
// in the message.
func TestOutOfTheProject(t *testing.T) {
	dir := t.TempDir()
	site := filepath.Join(dir, "p", ".venv", "lib", "python3.12", "site-packages")
	for path, text := range map[string]string{
		filepath.Join(site, "x.pth"): filepath.Join(dir, "dev"), filepath.Join(dir, "p", ".venv", "pyvenv.cfg"): "",
		filepath.Join(dir, "p", "setup.py"): "",
		filepath.Join(dir, "dev", "a.py"):   "f = abs\n", filepath.Join(dir, "p", "net.py"): "import a\n\n\ndef forward(x):\n    return a.f(x)\n",
	} {
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(filepath.Join(dir, "p"))
	res, err := infer.Run(infer.Config{File: "net.py", Entry: "forward", Args: []string{"x:f32[B]"},
		Environment: pyenv.Search{Discover: true}})
	if err != nil {
		t.Fatal(err)
	}
	const want = "module 'a' was not found in the project, out of which its environment leads (--python .venv follows it): what comes from it is unknown"
	if len(res.Diagnostics) != 1 || res.Diagnostics[0].Msg != want {
		t.Errorf("got %v, want %s", res.Diagnostics, want)
	}
}

// TestLocalProgramsPayNothing has a program that needs no installed package: its environment
// is not looked at.
func TestLocalProgramsPayNothing(t *testing.T) {
	files := map[string]string{
		"setup.py": "", ".venv/pyvenv.cfg": "", ".venv/lib/python3.12/site-packages/z.py": "",
		"part.py": "import math\n",
		"net.py":  "import os, torch, tqdm, einops\nimport part\n\n\ndef forward(x):\n    return x\n",
	}
	log := &reads.Log{FS: reads.NewMemory(files)}
	got := outputOf(t, infer.Config{File: "net.py", Entry: "forward", Args: []string{"x:f32[B,3]"},
		Environment: pyenv.Search{Discover: true}, FS: log})
	if got != "f32[B,3]" {
		t.Errorf("got %s", got)
	}
	for _, path := range log.List() {
		if strings.Contains(path.Path, "venv") {
			t.Errorf("%s was looked at", path.Path)
		}
	}
}
