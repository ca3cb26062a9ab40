package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestMain runs the tests without the environments of who runs them.
func TestMain(m *testing.M) {
	for _, name := range []string{"VIRTUAL_ENV", "CONDA_PREFIX", "CONDA_DEFAULT_ENV", "POETRY_CACHE_DIR", "POETRY_VIRTUALENVS_PATH"} {
		os.Unsetenv(name)
	}
	if os.Getenv("SHAPECHECK_AS_PROGRAM") != "" { // tests have it as a process of its own
		os.Exit(Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

// TestPythonEnvironment names environments in each way that the command line has.
func TestPythonEnvironment(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	site := "lib/python3.12/site-packages/"
	for name, text := range map[string]string{
		"net.py":                           "import torch\nfrom a import n\n\n\ndef forward(x):\n    return torch.cat([x] * n)\n",
		".venv/pyvenv.cfg":                 "",
		".venv/" + site + "a.py":           "n = 2\n",
		"conf/env/" + site + "a.py":        "n = 3\n",
		"conf/env/pyvenv.cfg":              "",
		"conf/shapecheck.toml":             "python = 'env'\n",
		"conf/net.py":                      "from a import n\n",
		"none/shapecheck.toml":             "python = 'none'\n",
		"active/pyvenv.cfg":                "",
		"active/" + site + "a.py":          "n = 4\n",
		"out/shapecheck.toml":              "python = '../active'\n",
		"cache/pypoetry/virtualenvs/empty": "",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.FromSlash(name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.FromSlash(name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ args, active, want string }{
		{"net.py", "", "f32[2*B]"},
		{"net.py", "active", "f32[4*B]"},
		{"net.py --python active", "", "f32[4*B]"},
		{"net.py --python active --path conf/env/" + site, "", "f32[3*B]"},
		{"net.py --python none", "active", "?"},
		{"net.py --python gone", "", "--python gone is no environment"},
		{"net.py --config conf/shapecheck.toml", "active", "f32[3*B]"},
		{"net.py --config conf/shapecheck.toml --python active", "", "f32[4*B]"},
		{"net.py --config none/shapecheck.toml", "active", "?"},
		{"net.py --config out/shapecheck.toml", "", "leads out of the folder of the configuration"},
	} {
		t.Setenv("VIRTUAL_ENV", c.active)
		var out strings.Builder
		Run(append(strings.Fields(c.args), "--entry", "forward", "--arg", "x:f32[B]"), nil, &out, &out)
		if want := c.want; !strings.Contains(out.String(), want) || want == "?" && !strings.Contains(out.String(), "→ ?") &&
			!strings.Contains(out.String(), "[?]") {
			t.Errorf("%s (VIRTUAL_ENV=%s): want %s in\n%s", c.args, c.active, want, out.String())
		}
	}
}

// TestTheEnvironmentIsNamed has the environment of a run in the text of -v and in the JSON,
// of one entry and of several, as found and as kept.
func TestTheEnvironmentIsNamed(t *testing.T) {
	if _, err := schemas(); err != nil { // read before the folder changes
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	site := ".venv/lib/python3.12/site-packages/"
	for name, text := range map[string]string{
		"net.py": "import torch\nimport a\nimport pandas\n\n\ndef forward(x):\n    return torch.cat([x] * (2 if torch.__version__ < '2.5' else 3))\n",
		"old.py": "import torch\n\n\ndef forward(x):\n    return x\n", ".venv/pyvenv.cfg": "", site + "a.py": "",
		site + "torch-2.4.1.dist-info/METADATA": "", site + "pandas/__init__.py": "", site + "pandas-3.0.dist-info/METADATA": "",
		site + "pandas-3.0.dist-info/RECORD": "pandas/__init__.py,,\npandas/c.so,,\n",
		"shapecheck.toml":                    "[[entries]]\nname = 'one'\nfile = 'net.py'\nentry = 'forward'\nargs = ['x:f32[B]']\n",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.FromSlash(name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.FromSlash(name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	const (
		line = "environment: .venv, PyTorch 2.4.1; followed: a; not followed: pandas\n"
		key  = `"environment": { "folder": ".venv", "torch": "2.4.1", "followed": [ "a" ], "not_followed": [ "pandas" ] }`
		net  = "net.py --entry forward --arg x:f32[B] --cache=kept "
	)
	for _, c := range []struct {
		args, want string
		not        bool
	}{
		{net + "-v", "\n" + line, false},
		{net + "-v", "\n" + line, false},
		{net + "-v", "f32[2*B]", false},
		{net, "environment", true},
		{net + "--output-format json", key, false},
		{net + "-v --torch-version 2.6", "environment: .venv; followed: a; not followed: pandas\n", false},
		{net + "-v --python none", "environment: none was used\n", false},
		{"old.py --entry forward --arg x:f32[B] -v", "environment: none was used\n", false},
		{"old.py --entry forward --arg x:f32[B] --output-format json", "environment", true},
		{"-v", "\nenvironment: .venv, PyTorch 2.4.1; followed: a; not followed: pandas\n", false},
		{"--output-format json", key, false},
	} {
		var out strings.Builder
		Run(strings.Fields(c.args), nil, &out, &out)
		text := out.String()
		if strings.Contains(c.args, "json") {
			if text = strings.Join(strings.Fields(text), " "); c.args == "--output-format json" {
				validate(t, "project-schema.json", out.String())
			} else {
				validate(t, "json-schema.json", out.String())
			}
		}
		if strings.Contains(text, c.want) == c.not {
			t.Errorf("%s: want %q (%v) in\n%s", c.args, c.want, !c.not, text)
		}
	}
}
