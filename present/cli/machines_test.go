package cli

// This file tests that results are the same on all machines: wherever the project
// lies, and wherever in it the check is run.

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"shapecheck/check"
)

const movedProject = `cache = "kept"
[per-file-ignores]
"src/quiet/**" = ["SC1"]
[[entries]]
name = "net"
file = "src/net.py"
entry = "forward"
args = ["x:f32[3,4]"]
[[entries]]
name = "quiet"
file = "src/quiet/net.py"
entry = "forward"
args = ["x:f32[3,4]"]
[[entries]]
name = "package"
file = "src/pkg/model.py"
entry = "forward"
args = ["x:f32[3,4]"]
[[entries]]
name = "module"
module = "src.pkg.part"
entry = "square"
args = ["x:f32[3,4]"]
`

// moved writes a project into a folder below a new one.
func moved(t *testing.T, name string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), name)
	square := "def square(x):\n    return x @ x\n"
	for name, text := range map[string]string{
		"shapecheck.toml": movedProject, "src/net.py": "from helper import square\n\n\ndef forward(x):\n    y = x + 1\n    return square(y)\n",
		"src/helper.py":    square,
		"src/quiet/net.py": square + "\n\ndef forward(x):\n    return square(x)\n", "src/pkg/__init__.py": "", "src/pkg/part.py": square,
		"src/pkg/model.py": "from .part import square\n\n\ndef forward(x):\n    return square(x)\n",
	} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// allFormats are the outputs of a check in all formats, and the baseline.
func allFormats(t *testing.T, args ...string) map[string]string {
	t.Helper()
	to := t.TempDir()
	base := filepath.Join(to, "baseline.json")
	list := []string{"--write-baseline", base}
	for _, f := range formatNames() {
		if f != "text" { // it says how long things took
			list = append(list, "--output-format", f+"="+filepath.Join(to, f))
		}
	}
	list = append(list, "--output-format", "text="+filepath.Join(to, "text"))
	if code, stdout, stderr := run(append(args, list...)...); code != check.ExitClean {
		t.Fatalf("%v: exit code %d\n%s%s", args, code, stdout, stderr)
	}
	out := map[string]string{}
	files, err := os.ReadDir(to)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		data, err := os.ReadFile(filepath.Join(to, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		text := string(data)
		if f.Name() == "text" { // without the times
			text = text[:strings.LastIndex(strings.TrimSpace(text), "\n")]
			for _, l := range strings.Split(text, "\n") {
				if strings.HasPrefix(l, "ok  ") || strings.HasPrefix(l, "FAIL") {
					text = strings.Replace(text, l, l[:strings.LastIndexByte(l, '(')], 1)
				}
			}
		}
		out[f.Name()] = text
	}
	return out
}

func TestResultsAreTheSameOnAllMachines(t *testing.T) {
	t.Setenv("CI", "")
	var want, wantOne map[string]string
	for _, c := range []struct {
		project, wd string
		cached      bool
	}{{"a", ".", false}, {"a", ".", true}, {"some/longer name", ".", false}, {"b", "src", false}, {"c", "src/pkg", false}} {
		dir := moved(t, c.project)
		t.Chdir(filepath.Join(dir, c.wd))
		if c.cached {
			allFormats(t)
		}
		got := allFormats(t)
		if want == nil {
			want = got
			for name, text := range got {
				if strings.Contains(text, dir) || strings.Contains(text, "../") {
					t.Errorf("%s names folders:\n%s", name, text)
				}
			}
			if !strings.Contains(got["html"], "shapecheck export src/quiet/net.py --entry forward ") {
				t.Error("the page has no command that exports")
			}
			if !strings.Contains(got["concise"], "src/helper.py:2") || strings.Contains(got["concise"], "quiet") {
				t.Errorf("found:\n%s", got["concise"])
			}
		}
		equalTexts(t, c.project+" in "+c.wd, got, want)
		// One file, named from the root of the file system.
		got = allFormats(t, filepath.Join(dir, "src", "net.py"), "--entry", "forward", "--arg", "x:f32[3,4]", "--no-cache")
		if wantOne == nil {
			wantOne = got
		}
		equalTexts(t, "a file of "+c.project+" in "+c.wd, got, wantOne)
		for name, text := range got {
			if strings.Contains(text, dir) {
				t.Errorf("%s names folders:\n%s", name, text)
			}
		}
	}
}

func equalTexts(t *testing.T, what string, got, want map[string]string) {
	t.Helper()
	for name, text := range want {
		if got[name] != text {
			t.Errorf("%s: %s is\n%s\nwant\n%s", what, name, got[name], text)
		}
	}
}
