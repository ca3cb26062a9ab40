package cli

// This file tests that a check of nothing is not a check without findings.

import (
	"encoding/json"
	"encoding/xml"
	"os"
	"strings"
	"testing"

	"shapecheck/check"
)

func TestACheckOfNothingSaysSo(t *testing.T) {
	if _, err := schemas(); err != nil { // from here: the cases go elsewhere
		t.Fatal(err)
	}
	net := "import torch\n\n\ndef forward(x):\n    return torch.relu(x)\n"
	for _, c := range []struct {
		name, file, text string
		args             []string
		code             int
		why              string // empty: something was checked
	}{
		{name: "a function", text: net, args: []string{"--arg", "x:f32[2]"}},
		{name: "a function of numbers",
			text: "def forward(n):\n    return n + 1\n",
			args: []string{"--arg", "n:int"}},
		{name: "a function without a result", text: "def forward():\n    pass\n"},
		{name: "only unknown values",
			text: "import kernels\n\n\ndef forward(x):\n    return kernels.relu(x)\n",
			args: []string{"--arg", "x:f32[2]"}, code: check.ExitUsage, why: "module 'kernels' was not found"},
		{name: "a known value beside unknown ones",
			text: "import kernels\n\n\ndef forward(x):\n    y = x + 1\n    return kernels.relu(y)\n",
			args: []string{"--arg", "x:f32[2]"}},
		{name: "an error on the way",
			text: net + "\n\ndef f(x):\n    return x @ x\n",
			args: []string{"--entry", "f", "--arg", "x:f32[2,3]"}, code: check.ExitFindings},
		{name: "an error before the entry",
			text: "import torch\n\n\nclass Net(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n" +
				"        raise ValueError(\"no\")\n\n    def forward(self, x):\n        return x\n",
			args: []string{"--entry", "Net()", "--arg", "x:f32[2,3]"}, code: check.ExitFindings,
			why: "the entry was not called: raises ValueError: no"},
		{name: "a script", text: "import torch\n\ny = torch.zeros(3)\n", args: []string{"--script"}},
		{name: "a limit before anything is known",
			text: "def forward(x):\n    while True:\n        pass\n",
			args: []string{"--arg", "x:f32[2]", "--max-steps", "1000"}, code: check.ExitFindings,
			why: "the analysis stopped after 1000 steps (--max-steps)"},
		{name: "a script that ends early",
			text: "import sys\n\nsys.exit(0)\n\nimport torch\n\ny = torch.zeros(3)\n",
			args: []string{"--script"}, code: check.ExitUsage, why: "the script ends at line 3"},
		{name: "a script that ends",
			text: "import sys\nimport torch\n\ny = torch.zeros(3)\nsys.exit(0)\n",
			args: []string{"--script"}},
		{name: "a script that binds no tensor", text: "import torch\n\nprint(torch.ops.aten.__and__.Tensor)\n", args: []string{"--script"}},
		{name: "a script of definitions",
			text: "import torch\n\n\ndef f(x):\n    return x\n",
			args: []string{"--script"}, code: check.ExitUsage, why: "the script computes no tensor whose type is known"},
		{name: "a script without tensors",
			text: "print('hello')\n",
			args: []string{"--script"}, code: check.ExitUsage, why: "the script computes no tensor whose type is known"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			if err := os.WriteFile("net.py", []byte(c.text), 0o666); err != nil {
				t.Fatal(err)
			}
			args := append([]string{"net.py", "--no-config", "--output-format", "json=out.json", "--output-format", "text",
				"--output-format", "sarif=out.sarif", "--output-format", "junit=out.xml"}, c.args...)
			code, stdout, stderr := run(args...)
			if code != c.code {
				t.Errorf("exit code %d, want %d\n%s%s", code, c.code, stdout, stderr)
			}
			data, err := os.ReadFile("out.json")
			if err != nil {
				t.Fatal(err)
			}
			validate(t, "json-schema.json", string(data))
			var doc struct {
				Checked *bool
				WhyNot  string `json:"why_not"`
			}
			if err := json.Unmarshal(data, &doc); err != nil || doc.Checked == nil {
				t.Fatalf("%v\n%s", err, data)
			}
			if *doc.Checked != (c.why == "") || doc.WhyNot != c.why {
				t.Errorf("checked %v, why not %q; want %q", *doc.Checked, doc.WhyNot, c.why)
			}
			if checked, why := uncheckedInSARIF(t, "out.sarif", "error"); checked != *doc.Checked || why != c.why {
				t.Errorf("SARIF: checked %v, why not %q; want %q", checked, why, c.why)
			}
			if why := uncheckedInJUnit(t, "out.xml", "error"); why != c.why {
				t.Errorf("JUnit: why not %q, want %q", why, c.why)
			}
			checkedInLines(t, c.args, c.why)
			if said := strings.Contains(stdout, "not checked: "+c.why); said != (c.why != "" && !strings.Contains(stdout, "error[")) {
				t.Errorf("printed:\n%s", stdout)
			}
			if c.args != nil && c.args[0] == "--script" {
				return
			}
			if _, stdout, _ := run(append([]string{"net.py", "--no-config", "--contract"}, c.args...)...); strings.Contains(stdout,
				"# not checked: ") != (c.why != "") {
				t.Errorf("contract:\n%s", stdout)
			}
		})
	}
}

// checkedInLines looks at what the formats of one line for each finding say, where nothing else goes to standard output.
func checkedInLines(t *testing.T, args []string, why string) {
	t.Helper()
	for _, c := range []struct {
		format   string
		onStdout bool
	}{{"github", true}, {"concise", false}, {"json-lines", false}, {"gitlab", false}, {"sarif=out.sarif", false}, {"markdown", true}} {
		code, stdout, stderr := run(append([]string{"net.py", "--no-config", "--output-format", c.format}, args...)...)
		if code == check.ExitFindings && c.format != "markdown" { // an error says it, but where only a warning does
			if strings.Contains(stdout+stderr, "ot checked: ") != (strings.Contains(why, "--max-steps")) {
				t.Errorf("%s beside findings:\n%s\n%s", c.format, stdout, stderr)
			}
			continue
		}
		there, other := stderr, stdout
		if c.onStdout {
			there, other = stdout, stderr
		}
		if strings.Contains(there, "ot checked: ") != (why != "") || !strings.Contains(there, why) || strings.Contains(other, "ot checked: ") {
			t.Errorf("%s, want %q:\n%s\n%s", c.format, why, stdout, stderr)
		}
		if c.format == "markdown" && why != "" && strings.Contains(stdout, "no findings") {
			t.Errorf("markdown has no findings where nothing was checked:\n%s", stdout)
		}
		if c.format == "github" && strings.Contains(stdout, "::error title=shapecheck::") != (why != "") {
			t.Errorf("github:\n%s", stdout)
		}
	}
}

func TestNotebooksAreNotTakenForPrograms(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("net.ipynb", []byte(`{"cells": [], "nbformat": 4}`), 0o666); err != nil {
		t.Fatal(err)
	}
	for want, args := range map[string][]string{
		"which has no syntax tree": {"ast", "net.ipynb"},
		"Net":                      {"net.ipynb", "--no-config", "--entry", "Net()"}, // it has no such name
	} {
		if code, stdout, stderr := run(args...); code != check.ExitUsage || !strings.Contains(stderr, want) {
			t.Errorf("%v: exit code %d\n%s%s", args, code, stdout, stderr)
		}
	}
}

func TestAProjectIsCheckedWhenAnEntryIs(t *testing.T) {
	enter(t, "")
	if err := os.WriteFile("src/net.py", []byte("import my_kernels\n\n\ndef double(x):\n    return x + x\n\n\n"+
		"def lost(x):\n    return my_kernels.f(x)\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	conf := "[[entries]]\nname = \"none\"\nfile = \"src/net.py\"\nentry = \"lost\"\nargs = [\"x:f32[2]\"]\n"
	for _, c := range []struct {
		conf string
		code int
	}{
		{conf, check.ExitUsage},
		{conf + "[[entries]]\nname = \"some\"\nfile = \"src/net.py\"\nentry = \"double\"\nargs = [\"x:f32[2]\"]\n", check.ExitClean},
	} {
		if err := os.WriteFile("shapecheck.toml", []byte(c.conf), 0o666); err != nil {
			t.Fatal(err)
		}
		code, stdout, stderr := run("--output-format", "text", "--output-format", "json=all.json")
		if code != c.code || !strings.Contains(stdout, "– none  module 'my_kernels' was not found") ||
			!strings.Contains(stdout, "1 not checked") {
			t.Errorf("exit code %d, want %d\n%s%s", code, c.code, stdout, stderr)
		}
		if code, stdout, stderr := run("merge", "all.json"); code != c.code ||
			!strings.Contains(stdout, "– none  module 'my_kernels' was not found") {
			t.Errorf("merged: exit code %d, want %d\n%s%s", code, c.code, stdout, stderr)
		}
	}
}

// uncheckedInSARIF reads what a log says that has at most one entry of which nothing was
// checked: whether all was checked, and if not, why, in a notification of the level.
func uncheckedInSARIF(t *testing.T, file, level string) (checked bool, why string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var log struct {
		Runs []struct {
			Properties  struct{ Checked *bool }
			Invocations []struct {
				ExecutionSuccessful        bool
				ToolExecutionNotifications []struct {
					Level      string
					Message    struct{ Text string }
					Properties struct {
						Checked *bool
						WhyNot  string `json:"why_not"`
					}
				}
			}
		}
	}
	if err := json.Unmarshal(data, &log); err != nil || len(log.Runs) != 1 || log.Runs[0].Properties.Checked == nil ||
		len(log.Runs[0].Invocations) != 1 {
		t.Fatalf("%v\n%s", err, data)
	}
	call := log.Runs[0].Invocations[0]
	checked = *log.Runs[0].Properties.Checked
	if checked != (len(call.ToolExecutionNotifications) == 0) || call.ExecutionSuccessful != (checked || level == "warning") {
		t.Errorf("checked %v, successful %v, %d notifications", checked, call.ExecutionSuccessful, len(call.ToolExecutionNotifications))
	}
	for _, n := range call.ToolExecutionNotifications {
		why = n.Properties.WhyNot
		if n.Level != level || n.Properties.Checked == nil || *n.Properties.Checked || !strings.HasSuffix(n.Message.Text, "not checked: "+why) {
			t.Errorf("%+v", n)
		}
	}
	return checked, why
}

// uncheckedInJUnit reads why nothing was checked from the case that says so: error, or
// skipped.
func uncheckedInJUnit(t *testing.T, file, form string) (why string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var report struct {
		Tests  int `xml:"tests,attr"`
		Suites []struct {
			Cases []struct {
				Inner []struct {
					XMLName xml.Name
					Message string `xml:"message,attr"`
					Type    string `xml:"type,attr"`
				} `xml:",any"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	if err := xml.Unmarshal(data, &report); err != nil {
		t.Fatalf("%v\n%s", err, data)
	}
	cases := 0
	for _, s := range report.Suites {
		for _, c := range s.Cases {
			cases++
			for _, e := range c.Inner {
				if e.XMLName.Local == form && e.Type == "unchecked" {
					_, why, _ = strings.Cut(e.Message, "not checked: ")
				}
			}
		}
	}
	if cases == 0 || cases != report.Tests {
		t.Errorf("%d cases, the report says %d", cases, report.Tests)
	}
	return why
}

func TestEntriesOfAProjectThatWereNotCheckedAreNamed(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"good.py":  "def forward(x):\n    return x + 1\n",
		"empty.py": "import kernels\n\n\ndef forward(x):\n    return kernels.relu(x)\n",
		"shapecheck.toml": "[[entries]]\nname = \"good\"\nfile = \"good.py\"\nargs = [\"x:f32[2]\"]\n\n" +
			"[[entries]]\nname = \"empty\"\nfile = \"empty.py\"\nargs = [\"x:f32[2]\"]\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	formats := []string{"--output-format", "sarif=out.sarif", "--output-format", "junit=out.xml"}
	expect := func(what string, args ...string) {
		t.Helper()
		code, stdout, stderr := run(append(args, formats...)...)
		if code != check.ExitClean {
			t.Errorf("%s: exit code %d\n%s%s", what, code, stdout, stderr)
		}
		const want = "module 'kernels' was not found"
		if checked, why := uncheckedInSARIF(t, "out.sarif", "warning"); checked || why != want {
			t.Errorf("%s, SARIF: checked %v, why not %q", what, checked, why)
		}
		if why := uncheckedInJUnit(t, "out.xml", "skipped"); why != want {
			t.Errorf("%s, JUnit: why not %q", what, why)
		}
		for _, file := range []string{"out.sarif", "out.xml"} {
			if data, err := os.ReadFile(file); err != nil || !strings.Contains(string(data), "empty was not checked") ||
				strings.Contains(string(data), "good was not") {
				t.Errorf("%s, %s: %v\n%s", what, file, err, data)
			}
		}
	}
	expect("project", "--output-format", "json=out.json")
	expect("merged results", "merge", "out.json")
}
