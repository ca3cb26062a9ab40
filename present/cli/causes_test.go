package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// oneCause is a model with projections of one wrong width, each by a line of its own, and a fault of another cause.
const oneCause = `import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self, dim=64, inner=128):
        super().__init__()
        self.proj = nn.Linear(dim, dim)
        self.q = nn.Linear(inner, dim)
        self.k = nn.Linear(inner, dim)
        self.v = nn.Linear(inner, dim)
        self.out = nn.Linear(7, dim)

    def forward(self, x):
        x = self.proj(x)
        return self.q(x) + self.k(x) + self.v(x) + self.out(x)
`

func inFolder(t *testing.T, files map[string]string) {
	t.Helper()
	if _, err := schemas(); err != nil { // they are read from the folder of the test
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	for name, text := range files {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// TestFindingsOfOneCauseAreOneInEveryFormat also holds that each place of a cause is named.
func TestFindingsOfOneCauseAreOneInEveryFormat(t *testing.T) {
	inFolder(t, map[string]string{"net.py": oneCause})
	for format, want := range map[string]struct {
		each   string // what each finding has once
		places []string
	}{
		"text":       {"error[SC101]: ", []string{"net.py:16:16", "net.py:16:28", "net.py:16:40", "2 errors"}},
		"concise":    {"error[SC101] ", []string{"net.py:16:16", "net.py:16:28", "net.py:16:40"}},
		"github":     {"::error ", []string{"col=16", "net.py:16:28", "net.py:16:40"}},
		"agent":      {"SC101 net.py", []string{"also at 16:28, 16:40"}},
		"json":       {`"code": "SC101"`, []string{`"also_at"`, `"column": 28`, `"column": 40`, `"errors": 2`}},
		"json-lines": {`"code":"SC101"`, []string{`"also_at"`, `"column":28`, `"column":40`}},
		"sarif":      {`"ruleId": "SC101"`, []string{`"startColumn": 16`, `"startColumn": 28`, `"startColumn": 40`, "also here: "}},
		"gitlab":     {`"check_name": "SC101"`, []string{"net.py:16:28", "net.py:16:40"}},
		"junit":      {"error[SC101]: ", []string{"net.py:16:16", "net.py:16:28", "net.py:16:40", "(and 1 more)"}},
		"markdown":   {"**error SC101**", []string{"net.py:16:28", "net.py:16:40", "2 errors"}},
		"html":       {`<li class="error">`, []string{"net.py:16:28", "net.py:16:40"}},
	} {
		code, stdout, stderr := runLine("net.py", "--output-format", format)
		if code != 1 || stderr != "" {
			t.Errorf("%s: exit code %d, %s", format, code, stderr)
		}
		if n := strings.Count(stdout, want.each); n != 2 {
			t.Errorf("%s has %d findings:\n%s", format, n, stdout)
		}
		for _, p := range want.places {
			if !strings.Contains(stdout, p) {
				t.Errorf("%s does not have %s:\n%s", format, p, stdout)
			}
		}
	}
	if _, stdout, _ := runLine("net.py", "--statistics"); !strings.Contains(stdout, "\n2 findings\n") {
		t.Error(stdout)
	}
}

// TestCausesOfSeveralEntriesAreOne has two models with the layers of one function.
func TestCausesOfSeveralEntriesAreOne(t *testing.T) {
	inFolder(t, map[string]string{"net.py": `import torch
from torch import nn


def projections(x):
    w = torch.ones(128, 64)
    return w


class First(nn.Module):
    def forward(self, x):
        return x.new_ones(3, 32) @ projections(x)


class Second(nn.Module):
    def forward(self, x):
        return torch.ones(4, 32) @ projections(x)


class Third(First):
    def forward(self, x):
        y = projections(x)
        return torch.ones(5, 32) @ y
`})
	_, stdout, _ := runLine("net.py", "--output-format", "concise")
	if n := strings.Count(stdout, "SC101"); n != 3 { // the other side is made at three places
		t.Errorf("%d findings:\n%s", n, stdout)
	}
	text, err := os.ReadFile("net.py")
	if err != nil {
		t.Fatal(err)
	}
	shared := regexp.MustCompile(`(torch.ones|x.new_ones)\(\d, 32\)`).ReplaceAllString(string(text), "rows()")
	shared = strings.Replace(shared, "def projections", "def rows():\n    return torch.ones(3, 32)\n\n\ndef projections", 1)
	inFolder(t, map[string]string{"net.py": shared})
	_, stdout, _ = runLine("net.py", "--output-format", "concise")
	if n := strings.Count(stdout, "SC101"); n != 1 || strings.Count(stdout, "net.py:") != 3 {
		t.Errorf("%d findings:\n%s", n, stdout)
	}
}

// TestBaselineKnowsEachPlaceOfACause holds that fingerprints are those of single places, in the baseline and in SARIF.
func TestBaselineKnowsEachPlaceOfACause(t *testing.T) {
	inFolder(t, map[string]string{"net.py": oneCause})
	if code, _, stderr := runLine("net.py", "--write-baseline", "known.json"); code > 1 {
		t.Fatal(stderr)
	}
	data, err := os.ReadFile("known.json")
	if err != nil {
		t.Fatal(err)
	}
	var known struct {
		Findings []struct{ Fingerprint string }
	}
	if err := json.Unmarshal(data, &known); err != nil || len(known.Findings) != 4 {
		t.Fatalf("%v: %s", err, data)
	}
	var prints []string
	for _, f := range known.Findings {
		prints = append(prints, f.Fingerprint)
	}
	for _, format := range []string{"sarif", "gitlab"} {
		_, stdout, _ := runLine("net.py", "--output-format", format)
		for i, f := range prints {
			if has := strings.Contains(stdout, f); has != (i == 0 || i == 3) {
				t.Errorf("%s: fingerprint %d is there: %v", format, i, has)
			}
		}
	}
	if code, stdout, _ := runLine("net.py", "--baseline", "known.json"); code != 0 {
		t.Errorf("%d: %s", code, stdout)
	}
	// A place of the same cause that is new is a finding.
	fresh := strings.Replace(oneCause, "        return ", "        y = self.k(x) * 2\n        return ", 1)
	inFolder(t, map[string]string{"net.py": fresh, "known.json": string(data)})
	if code, stdout, _ := runLine("net.py", "--baseline", "known.json"); code != 1 {
		t.Errorf("%d: %s", code, stdout)
	}
}

// TestUntakenBranchesHaveOneOrder runs an entry with branches of several files many times.
func TestUntakenBranchesHaveOneOrder(t *testing.T) {
	files := map[string]string{}
	main := "import torch\n"
	for i := range 4 {
		name := fmt.Sprintf("part%d", i)
		files[name+".py"] = "import torch\n\n\ndef use(x, a=0, b=0):\n    if a: x = torch.relu(x)\n    elif b: x = torch.tanh(x)\n    if b:\n        x = x + 1\n    return x\n"
		main += "import " + name + "\n"
	}
	main += "\n\ndef net(x):\n    if x is None: x = torch.ones(3) * 2\n"
	for i := range 4 {
		main += fmt.Sprintf("    x = part%d.use(x)\n", i)
	}
	files["net.py"] = main + "    return x\n"
	for i := range 3 {
		files[fmt.Sprintf("other%d.py", i)] = "# shapecheck: check net x:f32[2]\n" + files["net.py"]
	}
	inFolder(t, files)
	for _, args := range [][]string{{"net.py", "--entry", "net", "--arg", "x:f32[2]", "--output-format", "json"}, {".", "--output-format", "json"}} {
		var met []string
		for range 25 {
			_, stdout, stderr := runLine(args...)
			if !strings.Contains(stdout, `"untaken"`) {
				t.Fatal(stdout, stderr)
			}
			if !slices.Contains(met, stdout) {
				met = append(met, stdout)
			}
		}
		if len(met) != 1 {
			t.Errorf("%q has %d different documents", args, len(met))
		}
	}
}

// TestJSONVersions holds what the versions of a document have.
func TestJSONVersions(t *testing.T) {
	inFolder(t, map[string]string{"net.py": oneCause, "loop.py": `import torch
from torch import nn


class Loop(nn.Module):
    def __init__(self, width=3):
        super().__init__()
        self.layer = nn.Linear(4, 4)

    def forward(self, x):
        y = self.layer(x[:1])
        for _ in range(100):
            x = self.layer(x)
        return x + y
`})
	type document struct {
		Version int
		Entries []struct {
			Name    string
			State   string
			Assumed []string
			Guess   []map[string]any
			Result  struct {
				Version     int
				Calls       []map[string]any
				Diagnostics []map[string]any
			}
		}
	}
	read := func(args ...string) (d document) {
		t.Helper()
		_, stdout, stderr := runLine(append(args, "--output-format", "json")...)
		if err := json.Unmarshal([]byte(stdout), &d); err != nil {
			t.Fatal(err, stdout, stderr)
		}
		if d.Version == 2 {
			validate(t, "project-schema.json", stdout)
		}
		return d
	}
	old, now := read(".", "--json-version", "1"), read(".")
	if o, n := old.Entries[0], now.Entries[0]; o.Name != "Loop()" || old.Version != 1 || o.Result.Version != 1 || len(o.Result.Calls) != 102 ||
		len(o.Guess) > 0 || len(o.Assumed) != 1 || o.State != n.State {
		t.Errorf("version 1: %v, %d calls", o.Name, len(o.Result.Calls))
	}
	n := now.Entries[0]
	if now.Version != 2 || n.Result.Version != 2 || len(n.Result.Calls) != 2 || len(n.Assumed) > 0 || len(n.Guess) != 1 {
		t.Fatalf("version 2: %v", n)
	}
	if c := n.Result.Calls[1]; c["name"] != "layer" || c["count"] != 101.0 || c["others"] != 100.0 {
		t.Errorf("%v", c)
	}
	if g := n.Guess[0]; g["text"] != "x:f32[B,4]" || g["file"] != "loop.py" || g["line"] != 10.0 || g["because"] == "" || g["basis"] == "" {
		t.Errorf("%v", g)
	}
	if o, n := len(old.Entries[1].Result.Diagnostics), len(now.Entries[1].Result.Diagnostics); o != 4 || n != 2 {
		t.Errorf("%d findings in version 1, %d in version 2", o, n)
	}
	if old.Entries[1].Result.Diagnostics[0]["born"] != nil {
		t.Error("version 1 has a key of version 2")
	}
	_, stdout, _ := runLine("loop.py", "--entry", "Loop()", "--output-format", "json")
	validate(t, "json-schema.json", stdout)
	for _, want := range []string{`"state": "checked"`, `"basis": "read"`, `"text": "x:f32[B,4]"`} {
		if !strings.Contains(stdout, want) {
			t.Errorf("no %s in %s", want, stdout)
		}
	}
	if code, _, stderr := runLine(".", "--json-version", "3"); code != 2 || !strings.Contains(stderr, "there are 1 and 2") {
		t.Errorf("%d: %s", code, stderr)
	}
}

// TestWhatIsToBeDoneNext has a module whose distribution has another name, and a program whose functions are traced.
func TestWhatIsToBeDoneNext(t *testing.T) {
	inFolder(t, map[string]string{"model.py": `import torch
from torch import nn
import umap


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = umap.UMAP(4)

    def forward(self, x):
        return self.layer(x)
`, "program.py": `import torch as t


@t.compile
def f(x):
    return x * 2


print(f(t.ones(3)))
`})
	_, stdout, _ := runLine(".")
	next := "next: pip install umap-learn    (Net needs it)\n" +
		"      shapecheck trace program.py\n"
	if !strings.HasSuffix(stdout, next) {
		t.Error(stdout)
	}
	if code, _, stderr := runLine("trace", "program.py"); code != 0 {
		t.Error(stderr)
	}
}

// TestFindingsFitATerminal holds findings of operands with long types.
func TestFindingsFitATerminal(t *testing.T) {
	inFolder(t, map[string]string{"net.py": oneCause})
	for _, wide := range []int{60, 80, 120, 160} {
		t.Setenv("COLUMNS", fmt.Sprint(wide))
		_, stdout, _ := runLine("net.py")
		if !strings.Contains(stdout, "in_features is 128") || !strings.Contains(stdout, "also at") {
			t.Errorf("%d columns:\n%s", wide, stdout)
		}
		for line := range strings.Lines(stdout) {
			if n := len([]rune(strings.TrimRight(line, "\n"))); n > wide {
				t.Errorf("%d columns of %d: %s", n, wide, line)
			}
		}
	}
}
