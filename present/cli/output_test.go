package cli

// This file tests the formats for other programs and where they go.

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"shapecheck/check"
	"shapecheck/internal/diag"
	"shapecheck/internal/source"
)

// awkward are findings with what has to be escaped.
func awkward(t *testing.T) *findings {
	t.Helper()
	fs := source.NewFileSet()
	f := source.NewFile("./a,b:c.py", "x = 1\ny = (x +\n  z)\n")
	if err := fs.Add(f); err != nil {
		t.Fatal(err)
	}
	at := source.Span{Start: f.Pos(10), End: f.Pos(18)}
	one := diag.New(diag.UncaughtRaise, at, "raises E: 50% <&>\nnext\\u0001line")
	one.Related = []diag.Related{{At: source.Span{Start: f.Pos(0), End: f.Pos(1)}, Msg: "made here"}}
	one.Count = 3
	return &findings{files: fs, list: []*diag.Diagnostic{
		one, diag.New(diag.InternalError, source.Span{}, "lost"), diag.New(diag.UnknownModule, source.Span{Start: f.Pos(0), End: f.Pos(1)},
			"info"),
	}}
}

func printed(t *testing.T, format string, f *findings) string {
	t.Helper()
	var b bytes.Buffer
	if err := formats[format](&b, f); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestLineFormatsEscape(t *testing.T) {
	f := awkward(t)
	want := "a,b:c.py:2:5: error[SC304] raises E: 50% <&> next\\u0001line (3 times)\nerror[SC999] lost\na,b:c.py:1:1: info[SC902] info\n"
	if got := printed(t, "concise", f); got != want {
		t.Errorf("concise:\n%s\nwant\n%s", got, want)
	}
	want = "::error file=a%2Cb%3Ac.py,line=2,endLine=3,title=SC304 uncaught exception::raises E: 50%25 <&>%0Anext\\u0001line%0Aa,b:c.py:1: made here\n" +
		"::error title=SC999 internal error::lost\n" +
		"::notice file=a%2Cb%3Ac.py,line=1,endLine=1,col=1,endColumn=2,title=SC902 module was not found::info\n"
	if got := printed(t, "github", f); got != want {
		t.Errorf("github:\n%s\nwant\n%s", got, want)
	}
	lines := strings.Split(strings.TrimSpace(printed(t, "json-lines", f)), "\n")
	if len(lines) != 3 {
		t.Fatalf("%d JSON lines", len(lines))
	}
	var d struct {
		File, Message string
		Line, EndLine int
		Related       []struct{ File string }
	}
	if err := json.Unmarshal([]byte(lines[0]), &d); err != nil || d.File != "a,b:c.py" || d.EndLine != 3 || d.Related[0].File != "a,b:c.py" {
		t.Errorf("%+v, %v", d, err)
	}
}

func TestReportsAreWellFormed(t *testing.T) {
	f := awkward(t)
	var issues []struct {
		CheckName   string `json:"check_name"`
		Fingerprint string
		Severity    string
		Location    struct {
			Path  string
			Lines struct{ Begin, End int }
		}
	}
	if err := json.Unmarshal([]byte(printed(t, "gitlab", f)), &issues); err != nil || len(issues) != 3 {
		t.Fatalf("gitlab: %v, %v", issues, err)
	}
	if i := issues[0]; i.CheckName != "SC304" || i.Severity != "major" || i.Location.Path != "a,b:c.py" || i.Location.Lines.Begin != 2 ||
		i.Fingerprint == issues[1].Fingerprint {
		t.Errorf("gitlab: %+v", i)
	}
	if got := printed(t, "gitlab", &findings{files: f.files}); got != "[]\n" {
		t.Errorf("gitlab without findings: %s", got)
	}
	var suites struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Errors   int `xml:"errors,attr"`
		Suites   []struct {
			Cases []struct {
				Failure *struct {
					Message string `xml:"message,attr"`
				} `xml:"failure"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	if err := xml.Unmarshal([]byte(printed(t, "junit", f)), &suites); err != nil {
		t.Fatal(err)
	}
	if suites.Tests != 2 || suites.Failures != 1 || suites.Errors != 1 || len(suites.Suites) != 2 || len(suites.Suites[0].Cases) != 1 {
		t.Errorf("junit: %+v", suites)
	}
	if m := suites.Suites[0].Cases[0].Failure; m == nil || !strings.Contains(m.Message, "50% <&>") {
		t.Errorf("junit: %+v", m)
	}
	if got := printed(t, "junit", &findings{files: f.files}); !strings.Contains(got, `tests="1" failures="0"`) {
		t.Errorf("junit without findings: %s", got)
	}
}

func TestOutputsGoWhereTheyShould(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "out.sarif")
	args := []string{model, "--arg", "x:f32[B,3,32,32]"}
	code, stdout, stderr := run(append(args, "--output-format", "concise", "--output-format", "sarif="+file, "--output-format",
		"junit="+file+".xml")...)
	if code != check.ExitFindings || strings.Count(stdout, "\n") != 1 || !strings.Contains(stdout, "net.py:16:16: error[SC101]") {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
	data, err := os.ReadFile(file)
	if err != nil || !json.Valid(data) {
		t.Errorf("%v: %s", err, data)
	}
	copied := filepath.Join(dir, "net.py")
	if err := os.WriteFile(copied, []byte("def forward(x):\n    return x\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ spec, text string }{
		{"yaml", "no such format; there are: "}, {"jsno", "json-lines"},
		{"sarif=" + dir, "is a directory"}, {"sarif=" + dir + "/missing/x", "no such directory"},
		{"sarif=", "empty file name"}, {"sarif=" + copied, "it is an input"},
	} {
		code, _, stderr := run(copied, "--arg", "x:f32[B]", "--output-format", c.spec)
		if code != check.ExitUsage || !strings.Contains(stderr, c.text) {
			t.Errorf("%s: exit code %d: %s", c.spec, code, stderr)
		}
	}
	if code, _, stderr := run(append(args, "--output-format", "json", "--output-format", "text")...); code != check.ExitUsage ||
		!strings.Contains(stderr, "both go to standard output") {
		t.Errorf("exit code %d: %s", code, stderr)
	}
}

func TestStepSummary(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	write := func(name, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("sub/net.py", "import torch\n\ndef f(x):\n    return x @ torch.zeros(4, 5)\n")
	t.Chdir("sub")
	summary := filepath.Join(dir, "summary")
	write(summary, "before\n")
	for name, text := range map[string]string{
		"GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": summary, "GITHUB_WORKSPACE": dir,
		"GITHUB_SERVER_URL": "https://example.org", "GITHUB_REPOSITORY": "o/r", "GITHUB_SHA": "abc",
	} {
		t.Setenv(name, text)
	}
	args := []string{"net.py", "--entry", "f", "--arg", "x:f32[B,3]", "--output-format"}
	runCLI(t, 1, append(args, "text")...)
	runCLI(t, 1, append(args, "github", "--no-step-summary")...)
	if got, err := os.ReadFile(summary); err != nil || string(got) != "before\n" {
		t.Errorf("%q, %v", got, err)
	}
	runCLI(t, 1, append(args, "github")...)
	got, err := os.ReadFile(summary)
	want := "before\n**shapecheck: 1 error in 1 entry**\n\n| file | entry | inputs |  |\n| --- | --- | --- | --- |\n| `net.py` | `f` | `x f32[B,3]` | `1 error` |\n\n" +
		"**error SC101** [`net.py:4`](<https://example.org/o/r/blob/abc/sub/net.py#L4>)\n\n```text\nerror[SC101]: "
	if err != nil || !strings.HasPrefix(string(got), want) {
		t.Errorf("%v; got\n%s\nwant\n%s", err, got, want)
	}
	out, _ := runCLI(t, 1, append(args, "markdown")...)
	if !strings.Contains(out, "[`net.py:4`](<net.py#L4>)") {
		t.Errorf("%s", out)
	}
}

// Every entry is a case of the JUnit report, with a name that stays when lines move.
func TestEntriesAreCasesOfJUnit(t *testing.T) {
	t.Chdir(t.TempDir())
	net := "from torch import nn\nimport kernels\n\n\nclass Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n" +
		"        self.a = nn.Linear(4, 3)\n\n    def forward(self, x):\n        return self.a(x)\n\n\ndef lost(n):\n    return kernels.f(n)\n"
	config := "[[entries]]\nname = \"good\"\nfile = \"net.py\"\nentry = \"Net()\"\nargs = [\"x:f32[B,4]\"]\n"
	config += strings.NewReplacer("good", "bad", "B,4", "B,5").Replace(config) + "[[entries]]\nname = \"bad too\"\nfile = \"net.py\"\n" +
		"entry = \"Net()\"\nargs = [\"x:f32[B,5]\"]\n[[entries]]\nname = \"lost\"\nfile = \"net.py\"\nentry = \"lost\"\nargs = [\"n=3\"]\n" +
		"[[entries]]\nname = \"gone.py::f\"\nfile = \"gone.py\"\nentry = \"f\"\n"
	names := regexp.MustCompile(`testcase name="([^"]*)"`)
	var first []string
	for _, above := range []string{"", "# a line\n\n"} {
		for name, text := range map[string]string{"net.py": above + net, "shapecheck.toml": config} {
			if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		_, out, _ := run("--output-format", "junit", "--ignore", "SC902")
		for _, want := range []string{`tests="5" failures="2" errors="1"`, `<testcase name="net.py::good" classname="net.py" file="net.py"></testcase>`,
			`<testcase name="net.py::bad" classname="net.py" file="net.py" line="`, `<testcase name="net.py::bad too"`,
			`<skipped message="lost was not checked: `, `<testcase name="gone.py::f"`} {
			if !strings.Contains(out, want) {
				t.Errorf("no %s in\n%s", want, out)
			}
		}
		var list []string
		for _, m := range names.FindAllStringSubmatch(out, -1) {
			list = append(list, m[1])
		}
		if first == nil {
			first = list
		} else if !slices.Equal(first, list) {
			t.Errorf("%q became %q", first, list)
		}
	}
}
