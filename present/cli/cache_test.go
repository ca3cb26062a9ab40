package cli

// This file tests that what an earlier run found is used, and only when it holds.

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"shapecheck/check"
)

// cachedEntries counts the entries that were not run again.
func cachedEntries(t *testing.T, args ...string) (n int, code int) {
	t.Helper()
	code, stdout, stderr := run(append([]string{"--cache"}, args...)...)
	if stderr != "" {
		t.Errorf("stderr: %s", stderr)
	}
	if m := regexp.MustCompile(`\b(\d+) cached\b`).FindStringSubmatch(stdout); m != nil {
		if n, err := strconv.Atoi(m[1]); err == nil {
			return n, code
		}
	}
	return 0, code
}

func TestAnUnchangedProjectIsNotRunAgain(t *testing.T) {
	// The entries good and surprise would be one.
	enter(t, strings.Replace(projectFile, `expect = "f32[B,5]"`, "eval = true\nexpect = \"f32[B,5]\"", 1))
	t.Setenv("CI", "")
	const entries = 7
	outs := []string{"--cache", "--output-format", "concise", "--output-format", "json=JSON", "--output-format", "sarif=SARIF",
		"--output-format", "gitlab=GITLAB"}
	read := func() string {
		t.Helper()
		var all strings.Builder
		for _, f := range []string{"JSON", "SARIF", "GITLAB"} {
			data, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			all.Write(data)
		}
		return all.String()
	}
	code1, out1, _ := run(outs...)
	files1 := read()
	code2, out2, _ := run(outs...)
	if code1 != check.ExitFindings || code2 != code1 || out1 != out2 || files1 != read() {
		t.Errorf("exit codes %d and %d\n%s\n%s", code1, code2, out1, out2)
	}
	for _, c := range []struct {
		name   string
		change func(t *testing.T)
		cached int
		args   []string
	}{
		{"nothing", func(*testing.T) {}, entries, nil},
		{"another option", func(*testing.T) {}, 0, []string{"--torch-version", "1.13"}},
		{"a filter is not part of what is kept", func(*testing.T) {}, entries, []string{"--select", "SC2"}},
		{"a file of one entry", func(t *testing.T) { appendTo(t, "src/old/net.py", "\n# more\n") }, entries - 1, nil},
		{"a file of all others", func(t *testing.T) { appendTo(t, "src/net.py", "\n# more\n") }, 1, nil},
		{"a module that was looked for", func(t *testing.T) { appendTo(t, "src/my_kernels.py", "x = 1\n") }, 0, nil},
		{"the time of a file alone", func(t *testing.T) { appendTo(t, "src/net.py", "") }, entries, nil},
		{"a file that is no part", func(t *testing.T) { appendTo(t, "src/other.py", "x = 1\n") }, entries, nil},
	} {
		c.change(t)
		if n, _ := cachedEntries(t, c.args...); n != c.cached {
			t.Errorf("%s: %d entries come from the cache, not %d", c.name, n, c.cached)
		}
	}
}

func appendTo(t *testing.T, file, text string) {
	t.Helper()
	old, err := os.ReadFile(file)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, append(old, text...), 0o666); err != nil {
		t.Fatal(err)
	}
}

func TestADamagedCacheIsNoCache(t *testing.T) {
	enter(t, "[[entries]]\nfile = \"src/net.py\"\nentry = \"double\"\nargs = [\"x:f32[B,4]\"]\n")
	if n, code := cachedEntries(t); n != 0 || code != check.ExitClean {
		t.Fatalf("%d cached, exit code %d", n, code)
	}
	list, err := filepath.Glob(".shapecheck_cache/*.entry")
	if err != nil || len(list) != 1 {
		t.Fatalf("%v, %v", list, err)
	}
	whole, err := os.ReadFile(list[0])
	if err != nil {
		t.Fatal(err)
	}
	flipped := append([]byte(nil), whole...)
	flipped[len(flipped)/2] ^= 1
	for name, data := range map[string][]byte{
		"empty": nil, "another program's": []byte("SQLite format 3\x00"), "cut off": whole[:len(whole)-3], "changed": flipped,
	} {
		if err := os.WriteFile(list[0], data, 0o666); err != nil {
			t.Fatal(err)
		}
		if n, code := cachedEntries(t); n != 0 || code != check.ExitClean {
			t.Errorf("%s: %d cached, exit code %d", name, n, code)
		}
		if n, code := cachedEntries(t); n != 1 || code != check.ExitClean {
			t.Errorf("after %s: %d cached, exit code %d", name, n, code)
		}
	}
	if err := os.WriteFile("file", nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if code, _, stderr := run("--cache=file/x"); code != check.ExitClean || !strings.Contains(stderr, "the cache is not used") {
		t.Errorf("exit code %d: %s", code, stderr)
	}
}

func TestAFileIsCachedToo(t *testing.T) {
	enter(t, "")
	args := []string{"src/net.py", "--entry", "known", "--arg", "x:f32[4,4]", "--no-config", "--cache"}
	strip := func(s string) string { return s[:strings.LastIndex(s, ", ")] } // without the time
	code1, out1, _ := run(args...)
	code2, out2, _ := run(args...)
	if code1 != check.ExitFindings || code2 != code1 || strip(out1) != strip(out2) || !strings.HasSuffix(out2, ", cached\n") {
		t.Errorf("exit codes %d and %d\n%s\n%s", code1, code2, out1, out2)
	}
	for _, format := range []string{"json", "sarif", "junit"} {
		args := append(args[:len(args):len(args)], "--output-format", format)
		_, with, _ := run(args...)
		_, without, _ := run(append(args, "--cache=", "--no-cache")...)
		if with != without {
			t.Errorf("%s differs:\n%s\n%s", format, with, without)
		}
	}
	if _, out, _ := run(append(args, "--ignore", "SC690")...); strings.Contains(out, "SC690") || strings.Contains(out, ", cached") {
		t.Errorf("with another filter:\n%s", out)
	}
}

func TestTheConfigurationAsksForACacheOutsideOfCI(t *testing.T) {
	enter(t, "cache = \"kept\"\n[[entries]]\nfile = \"src/net.py\"\nentry = \"double\"\nargs = [\"x:f32[B,4]\"]\n")
	for _, c := range []struct {
		ci   string
		args []string
		made bool
	}{{"true", nil, false}, {"", []string{"--no-cache"}, false}, {"", nil, true}} {
		t.Setenv("CI", c.ci)
		if code, _, stderr := run(c.args...); code != check.ExitClean {
			t.Fatalf("exit code %d: %s", code, stderr)
		}
		if _, err := os.Stat("kept"); (err == nil) != c.made {
			t.Errorf("CI=%s %v: %v", c.ci, c.args, err)
		}
	}
}

func TestACachedDocumentHasTheSameBytes(t *testing.T) {
	t.Chdir(t.TempDir())
	text := "import torch\ndef forward(x):\n    def f(): pass\n    y = {'<a&b>\\u2028\\x7f': x, 'f': f}\n    return y\n"
	if err := os.WriteFile("net.py", []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	args := []string{"net.py", "--arg", "x:f32[B]", "--output-format", "json"}
	_, want, _ := run(args...)
	if !strings.Contains(want, "<a&b>") {
		t.Fatalf("the case has no such key: %s", want)
	}
	for range 2 {
		if _, got, _ := run(append(args, "--cache")...); got != want {
			t.Errorf("%s\nnot\n%s", got, want)
		}
	}
}

func TestWhatIsDiscoveredIsCached(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	t.Setenv("CI", "")
	for name, text := range map[string]string{
		"pkg/__init__.py": "from .net import Net\n",
		"pkg/net.py": "import torch\nclass Net(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n" +
			"        self.f = torch.nn.Conv2d(3, 8, 3)\n    def forward(self, x):\n        return self.f(x)\n" +
			"class Odd(torch.nn.Module):\n    def forward(self, x, spec):\n        return x + spec.unknown(2, 3).shape[7]\n" +
			"class Wrong(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.f = torch.nn.Linear(4, 4)\n" +
			"    def forward(self, x):\n        return self.f(x) @ torch.ones(5, 6)\n",
		"pkg/comment.py": "# shapecheck: check double x:f32[B,\n# shapecheck: check double x:f32[B,4]\ndef double(x):\n    return x @ x\n",
		"pkg/lacks.py":   "import my_kernels\nimport torch\nclass K(torch.nn.Module):\n    def forward(self, x):\n        return my_kernels.run(x)\n",
		"script.py":      "import torch\nx = torch.ones(2, 3)\nprint((x @ x).shape)\n",
		"none.py":        "value = 1\n",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777); err != nil {
			t.Fatal(err)
		}
		appendTo(t, name, text)
	}
	timeless := regexp.MustCompile(`(?m)(, | \d+ cached\. |^\d+ cached\. )? ?[\d.]+ m?s(, \d+ MB)?$| \d+ cached\.|, cached\b`)
	for _, format := range []string{"text", "concise", "json", "sarif", "junit", "gitlab", "github", "markdown", "agent"} {
		args := []string{".", "--python", "none", "--output-format", format}
		code0, out0, _ := run(append(args, "--no-cache")...)
		code1, out1, _ := run(append(args, "--cache")...)
		code2, out2, _ := run(append(args, "--cache")...)
		for _, out := range []*string{&out0, &out1, &out2} {
			*out = timeless.ReplaceAllString(*out, "")
		}
		if code0 != check.ExitFindings || code1 != code0 || code2 != code0 || out1 != out0 || out2 != out0 {
			t.Errorf("%s: exit codes %d, %d, %d\n%s\n%s", format, code0, code1, code2, cmp.Diff(out0, out1), cmp.Diff(out0, out2))
		}
	}
	const entries = 6
	if n, _ := cachedEntries(t, ".", "--python", "none"); n != entries {
		t.Errorf("%d entries are cached", n)
	}
	if n, _ := cachedEntries(t, "script.py", "--python", "none"); n != 1 {
		t.Errorf("%d entries of a file are cached", n)
	}
	appendTo(t, "pkg/net.py", "# more\n")
	if n, _ := cachedEntries(t, ".", "--python", "none"); n != entries-3 {
		t.Errorf("%d entries are cached after an edit of their file", n)
	}
	appendTo(t, "my_kernels.py", "def run(x):\n    return x\n")
	if n, _ := cachedEntries(t, ".", "--python", "none"); n != entries-1 {
		t.Errorf("%d entries are cached after a module appeared", n)
	}
}
