package cli

// This file tests the check of a configured project.

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"shapecheck/check"
)

const projectFile = `paths = ["src"]
[severity]
SC902 = "off"
[per-file-ignores]
"src/old" = ["SC1"]
[[entries]]
name = "good"
file = "src/net.py"
entry = "double"
args = ["x:f32[B,4]"]
expect = "f32[B, 2 * 2]"
[[entries]]
name = "bad"
file = "src/net.py"
entry = "square"
args = ["x:f32[3,4]"]
[[entries]]
name = "again"
module = "net"
entry = "square"
args = ["x:f32[3,4]"]
[[entries]]
name = "old"
file = "src/old/net.py"
entry = "square"
args = ["x:f32[3,4]"]
[[entries]]
name = "surprise"
file = "src/net.py"
entry = "double"
args = ["x:f32[B,4]"]
expect = "f32[B,5]"
[[entries]]
name = "ignored"
file = "src/net.py"
entry = "known"
args = ["x:f32[3,4]"]
[[entries]]
name = "unneeded"
file = "src/net.py"
entry = "known"
args = ["x:f32[4,4]"]
`

// enter makes a project and goes there.
func enter(t *testing.T, configuration string) {
	t.Helper()
	dir := t.TempDir()
	net := "import my_kernels\n\n\ndef double(x):\n    return x + x\n\n\ndef square(x):\n    return x @ x\n\n\n" +
		"def known(x):\n    return x @ x  # shapecheck: ignore[SC101]\n"
	for name, text := range map[string]string{"shapecheck.toml": configuration, "src/net.py": net, "src/old/net.py": net} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
}

func TestAllEntriesAreChecked(t *testing.T) {
	enter(t, projectFile)
	code, stdout, stderr := run("--output-format", "concise", "--output-format", "json=out.json")
	lines := strings.Split(strings.TrimSpace(stdout), "\n")
	slices.Sort(lines)
	if code != check.ExitFindings || len(lines) != 2 || !strings.HasPrefix(lines[0],
		"shapecheck.toml:27:1: error[SC691] the result of surprise is f32[B,4], not f32[B,5]") ||
		!strings.HasPrefix(lines[1], "src/net.py:9:12: error[SC101]") {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
	data, err := os.ReadFile("out.json")
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Entries []struct {
			Name   string
			Result struct{ Diagnostics []struct{ Code string } }
		}
	}
	if err := json.Unmarshal(data, &doc); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range doc.Entries {
		for _, d := range e.Result.Diagnostics {
			e.Name += " " + d.Code
		}
		got = append(got, e.Name)
	}
	if got := strings.Join(got, ", "); got != "good, bad SC101, again SC101, old, surprise SC691, ignored, unneeded" {
		t.Errorf("entries: %s", got)
	}
	_, stdout, _ = run()
	for _, want := range []string{"src/net.py\n  ✓ good  x f32[B,4] → f32[B,4]\n  ✗ bad ", "7 entries: 4 checked, 3 with findings"} {
		if !strings.Contains(stdout, want) {
			t.Errorf("%q is missing in\n%s", want, stdout)
		}
	}
	if code, _, stderr := run("--select", "SC2"); code != check.ExitClean {
		t.Errorf("--select: exit code %d\n%s", code, stderr)
	}
}

func TestPartsOfAProjectAreDisjointAndComplete(t *testing.T) {
	for _, parts := range []string{"1", "3", "9"} {
		var all []int
		n := int(parts[0] - '0')
		for i := 1; i <= n; i++ {
			list, _, err := sharded(string(rune('0'+i))+"/"+parts, 7)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, list...)
		}
		slices.Sort(all)
		if !slices.Equal(all, []int{0, 1, 2, 3, 4, 5, 6}) {
			t.Errorf("%s parts: %v", parts, all)
		}
	}
	for _, bad := range []string{"0/2", "3/2", "2", "a/b", "1/0"} {
		if _, _, err := sharded(bad, 3); err == nil {
			t.Errorf("%s is accepted", bad)
		}
	}
	t.Setenv("CI_NODE_INDEX", "2")
	t.Setenv("CI_NODE_TOTAL", "2")
	if list, _, err := sharded("auto", 4); err != nil || !slices.Equal(list, []int{1, 3}) {
		t.Errorf("auto: %v, %v", list, err)
	}
}

func TestFaultsOfAConfigurationAreUsageErrors(t *testing.T) {
	enter(t, "[[entries]]\nfile = \"src/missing.py\"\nentry = \"f\"\n[[entries]]\nfile = \"src/net.py\"\nentry = \"square\"\nargs = [\"x:f32[3,4]\"]\n")
	code, stdout, stderr := run()
	if code != check.ExitUsage || !strings.Contains(stderr, "entry src/missing.py f: src/missing.py: no such file") ||
		!strings.Contains(stdout, "SC101") {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
	for text, want := range map[string]string{"strikt = true": "did you mean strict?", "": "has no entries"} {
		if err := os.WriteFile("shapecheck.toml", []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if code, _, stderr := run(); code != check.ExitUsage || !strings.Contains(stderr, want) {
			t.Errorf("%q: exit code %d: %s", text, code, stderr)
		}
	}
	if code, _, stderr := run("--no-config"); code != check.ExitClean || !strings.Contains(stderr, "this is `shapecheck .`") {
		t.Errorf("exit code %d: %s", code, stderr)
	}
}

// TestTiesOfTheConfiguredContract: a size that the configuration says to be a number
// is no finding; with no list, or another one, it is.
func TestTiesOfTheConfiguredContract(t *testing.T) {
	const entry = "[[entries]]\nname = \"scores\"\nfile = \"scores.py\"\nentry = \"scores\"\nargs = [\"q:f32[2,64]\", \"k:f32[S,2]\"]\n"
	for list, want := range map[string]string{"": "SC412", "contract = [\"S == 64\"]\n": "", "contract = []\n": "SC691"} {
		enter(t, entry+list)
		if err := os.WriteFile("scores.py", []byte("def scores(q, k):\n    return q @ k\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		code, stdout, _ := run("--output-format", "concise")
		lines := strings.Count(stdout, "\n")
		if (want == "") != (lines == 0) || lines > 1 || !strings.Contains(stdout, want) || (code == check.ExitFindings) != (want != "") {
			t.Errorf("%q: exit code %d\n%s", list, code, stdout)
		}
	}
}
