package cli

// This file runs the commands that are suggested: those that stand in any output, as a POSIX shell would run them in the same folder.

import (
	"fmt"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"shapecheck/check"
)

// Names that a shell, or a reader of flags, takes apart unless they are quoted.
var oddNames = []string{"a b.py", `it's "so" $HOME.py`, "-dash.py", "größe.py", "a*[b]#;&.py", "=x.py", "~x.py", "v=1.py"}

// everyProgram is how many programs of testdata stand beside one that is tried.
const everyProgram = 23

// Kinds of suggestions that testdata has too few of: an entry whose text is hard to quote, and programs whose ends suggest something.
var suggestingPrograms = map[string]string{
	"guessed.py": guessedFile,
	"several.py": strings.Split(guessedFile, "\n\nclass Pair")[0] + "\n\nclass Conv1(Conv):\n    pass\n",
	"quotes.py": "from torch import nn\n\n\nclass Net(nn.Module):\n" +
		"    def __init__(self, names=(\"it's\", '\"a b\" $HOME `x` \\\\')):\n        super().__init__()\n" +
		"        assert len(names) == 3\n        self.fc = nn.Linear(8, 8)\n\n    def forward(self, x):\n" +
		"        return self.fc(x)\n\n\n" +
		"def build():\n    return Net(names=(\"it's\", '\"a', 'b c'))\n",
	"lacking.py": "import no_such_package\nfrom torch import nn\n\n\nclass Net(nn.Module):\n    def __init__(self):\n" +
		"        super().__init__()\n" +
		"        self.m = no_such_package.make(3)\n\n    def forward(self, x):\n        return self.m(x)\n",
	"traced folder/-it's.py": "import torch\n\n\n@torch.compile\ndef f(x: torch.Tensor):\n    return x * 2\n\n\n" +
		"for n in range(2, 9):\n    f(torch.rand(n))\n",
	"unsettled.py": "from torch import nn\n\n\nclass Picky(nn.Module):\n    def __init__(self, layers, ratios):\n" +
		"        super().__init__()\n" +
		"        assert len(layers) == len(ratios) + 3\n        self.fc = nn.Linear(8, 8)\n\n" +
		"    def forward(self, x, mode='it\\'s \"b c\"'):\n        return self.fc(x)\n",
	"viewed.py": twoFaults,
	"trained.py": "from torch import nn\n\n\nclass Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n" +
		"        self.fc = nn.Linear(8, 8)\n\n" +
		"    def step(self, x):\n        if self.training:\n            return x\n        return self.fc(x[:, 1:])\n",
	"test/x.py": "import torch\n\n\ndef forward(x):\n    return x\n",
}

// suggestingFiles writes programs of testdata, and others, into a folder in which the test then is, and gives their names.
func suggestingFiles(t *testing.T) []string {
	t.Helper()
	files := map[string]string{}
	for name, text := range suggestingPrograms {
		files[name] = text
	}
	for _, name := range oddNames {
		files[name], files["odd/"+name] = guessedFile, guessedFile
	}
	n := 0
	some := func(name, text string) {
		if n++; n%everyProgram == 0 {
			files[name] = text
		}
	}
	readable := func(name, text string) bool {
		return filepath.Ext(name) == ".py" || filepath.Ext(name) == ".ipynb" && strings.Contains(text, `"nbformat": 4`)
	}
	for _, pattern := range []string{"readme/*.py", "bugs/*.py", "retrace/*/*.py",
		"corpus/*.txtar", "models/*.txtar", "notebooks/*.txtar", "lint/*.txtar", "paths/*.txtar"} {
		list, err := filepath.Glob("../../testdata/" + pattern)
		if err != nil || len(list) == 0 {
			t.Fatalf("%s: nothing, %v", pattern, err)
		}
		for _, path := range list {
			folder := filepath.Base(filepath.Dir(path))
			text := readFile(t, path)
			if filepath.Ext(path) == ".py" {
				if !strings.Contains(text, "import subprocess") { // which records what is in the folder
					some(folder+"/"+filepath.Base(path), text)
				}
				continue
			}
			for i, f := range txtar.Parse([]byte(text)).Files {
				if readable(f.Name, string(f.Data)) {
					name := fmt.Sprintf("%s_%d%s", strings.TrimSuffix(filepath.Base(path), ".txtar"), i, filepath.Ext(f.Name))
					some(folder+"/"+name, string(f.Data))
				}
			}
		}
	}
	pathsProject(t, files)
	var names []string
	for name := range files {
		names = append(names, name)
	}
	names = slices.DeleteFunc(names, func(name string) bool { return strings.HasPrefix(name, "odd/") })
	slices.Sort(names)
	return names
}

// A suggestion is a command of an output, and the command line that printed it.
type suggestion struct {
	line string
	by   []string
	// beside is the line that it stands in.
	beside string
}

func (s suggestion) String() string {
	return fmt.Sprintf("%s\n    which is in %q of %q", s.line, s.beside, s.by)
}

// A command begins a line, or ends one behind a colon, or stands between backticks. A remark may follow it in parentheses, apart from it.
var (
	commandBegins = regexp.MustCompile("(?:^|: |# Command: )(shapecheck .*|pip install .*)$")
	commandQuoted = regexp.MustCompile("`(shapecheck(?: [^`]*)?)`")
	remarkBehind  = regexp.MustCompile(` {3,}\([^()]*\)$`)
	markupTag     = regexp.MustCompile(`<[^<>]*>`)
	commentBegins = regexp.MustCompile(`^# shapecheck: check .*|say so in .*: (# shapecheck: check .*)$`)
	exampleFor    = regexp.MustCompile(` say so in (.*\.\w+):(?: #|$)`)
	fixesCounted  = regexp.MustCompile(`\b(\d+) fixable(?: with (.*))?`)
	lackSaid      = regexp.MustCompile(`(--entry|--arg) | has several models: name one| no model found`)
	flagNamed     = regexp.MustCompile(`(?:^|[\s(,;'])(--[a-z][a-z-]*)`)
)

// pageText is what a reader of a page sees, with a line for what each tag has.
func pageText(page string) string { return html.UnescapeString(markupTag.ReplaceAllString(page, "\n")) }

// suggestionsOf are the commands in an output.
func suggestionsOf(text string, by []string) []suggestion {
	var out []suggestion
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if m := commandBegins.FindStringSubmatch(line); m != nil {
			out = append(out, suggestion{remarkBehind.ReplaceAllString(m[1], ""), by, line})
			continue
		}
		for _, m := range commandQuoted.FindAllStringSubmatch(line, -1) {
			out = append(out, suggestion{m[1], by, line})
		}
	}
	return out
}

// posixWords takes a line apart as a POSIX shell does. An error is anything that a shell would do more with than to take it for words.
func posixWords(line string) (words []string, err error) {
	var word strings.Builder
	begun := false
	for i := 0; i < len(line); i++ {
		c := line[i]
		switch {
		case c == ' ' || c == '\t':
			if begun {
				words = append(words, word.String())
			}
			word.Reset()
			begun = false
			continue
		case c == '\'':
			end := strings.IndexByte(line[i+1:], '\'')
			if end < 0 {
				return nil, fmt.Errorf("a quote is not closed in %s", line)
			}
			word.WriteString(line[i+1 : i+1+end])
			i += end + 1
		case c == '\\' && i+1 < len(line):
			i++
			word.WriteByte(line[i])
		case strings.IndexByte("|&;<>()$`\\\"*?[!{}", c) >= 0, strings.IndexByte("#~=", c) >= 0 && !begun:
			return nil, fmt.Errorf("%q is not quoted in %s", c, line)
		default:
			word.WriteByte(c)
		}
		begun = true
	}
	if begun {
		words = append(words, word.String())
	}
	return words, nil
}

// noFlag names a file as a user does whose shell completes names.
func noFlag(file string) string {
	if file[0] == '-' {
		return "./" + file
	}
	return file
}

// suggestingLines are the command lines that are run for what they suggest with a file.
func suggestingLines(file string) [][]string {
	named := noFlag(file)
	lines := [][]string{{named}, {named, "--output-format", "agent"}, {"trace", named}}
	if filepath.Ext(file) == ".ipynb" {
		return lines
	}
	return append(lines, [][]string{
		{named, "--output-format", "markdown", "--output-format", "html=page.html"}, {named, "--types", "--no-guess"},
		{"summary", named, "--no-guess"}, {"export", named, "-o", "m.onnx"}, {"explain", named + ":1"},
		{"infer", named},
	}...)
}

// Every command that is suggested is taken as it is printed, by a shell and by the program.
func TestEverySuggestedCommandRuns(t *testing.T) {
	t.Setenv("COLUMNS", "100")
	files := suggestingFiles(t)
	var lines [][]string
	for _, f := range files {
		lines = append(lines, suggestingLines(f)...)
	}
	const conv, own = "guessed.py:Conv(8)", "x:f32[1,3,8,8]"
	lines = append(lines, [][]string{
		{"traced folder", "--python", "none", "--path", "traced folder"}, {"test"}, {"odd"},
		{"run", "several.py", "--input", own}, {"run", "several.py", "--input", own, "--no-guess"}, {"graph", "several.py", "--no-guess"},
		{"compile", "guessed.py", "-o", "m.prog", "--init=0"}, {"compile", "guessed.py", "-o", "m.prog", "--init=0", "--no-guess"},
		{"export", "a b.py", "--assume", "H % 2 == 0", "--init=0", "-o", "a b.onnx", "--python", "none", "--timeout", "5m",
			"--max-memory", "1GB"},
		{"export", "-o", "m.onnx", "--", "-dash.py"}, {"infer", "--", "-dash.py"}, {"--types", "--no-guess", "--", "-dash.py"},
		{"compare", "guessed.py", "a b.py", "--no-guess"}, {"compare", conv, "it's \"so\" $HOME.py", "--no-guess", "--arg-first", own},
		{"guessed.py", "--entry", "Conv", "--no-guess"}, {"guessed.py", "--entry", "Conv(8, )", "--no-guess", "--contract=jaxtyping"},
		{"guessed.py", "--entry", "Pair()", "--arg", "left:f32[7,8]", "--no-guess", "--summary", "--at", "B=1", "--at", "B=2"},
		{"trace", "guessed.py", "--entry", "Conv(8)", "--for", "torch.export", "--no-guess"},
		{"report", "trained.py:12", "--entry", "Net()", "--call", "step", "--arg", "x:f32[B,8]", "--device", "cpu", "--eval", "-o", "case.py"},
	}...)
	seen, ran := map[string]bool{}, 0
	try := func(line []string) {
		t.Helper()
		_ = os.Remove("page.html")
		_, stdout, stderr := run(line...)
		if page, err := os.ReadFile("page.html"); err == nil {
			stdout += "\n" + pageText(string(page))
		}
		said := suggestionsOf(stdout+"\n"+stderr, line)
		for _, s := range said {
			if !seen[s.line] {
				seen[s.line] = true
				ran++
				trySuggestion(t, s)
			}
		}
		flagsExist(t, stderr, line)
		tryComment(t, stdout, line)
		if len(line) == 1 { // the file alone
			tryFixes(t, stdout, line)
		}
	}
	for _, line := range lines {
		try(line)
	}
	t.Chdir("traced folder")
	for _, line := range [][]string{{}, {"init"}, {}} {
		try(line)
	}
	t.Logf("%d command lines of %d programs suggest %d commands", len(lines), len(files), ran)
	if ran < 120 {
		t.Errorf("only %d commands were suggested", ran)
	}
}

// trySuggestion runs a command that was suggested.
func trySuggestion(t *testing.T, s suggestion) {
	t.Helper()
	words, err := posixWords(s.line)
	if err != nil {
		t.Errorf("%v: %v", s, err)
		return
	}
	if words[0] == "pip" {
		if len(words) != 3 || !regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`).MatchString(words[2]) {
			t.Errorf("%v: no distribution", s)
		}
		return
	}
	code, stdout, stderr := run(words[1:]...)
	// A command that names an entry says all; one that names a file alone may say of it what is lacking.
	whole := strings.Contains(s.line, " --entry ") || strings.Contains(s.line, ".py:")
	for line := range strings.Lines(stderr) {
		failed := strings.HasPrefix(line, "shapecheck: ") && code == check.ExitUsage
		if lacks := lackSaid.MatchString(line); failed && (whole || !lacks) ||
			whole && words[1] != "compare" && strings.HasPrefix(line, "guessed: ") {
			t.Errorf("%v: exit code %d: %s", s, code, line)
		}
	}
	if code == check.ExitInternal {
		t.Errorf("%v: %s", s, stderr)
	}
	if len(s.by) > 0 && s.by[0] == "report" && code != check.ExitFindings {
		t.Errorf("%v: the finding is not there: exit code %d\n%s", s, code, stdout)
	}
	if len(words) > 2 && words[1] == "trace" && !slices.Contains(words, "--entry") && strings.HasPrefix(stdout, "no call") {
		t.Errorf("%v: no call is traced:\n%s", s, stdout)
	}
}

// flagsExist says which flags an error speaks of that the command does not have.
func flagsExist(t *testing.T, stderr string, by []string) {
	t.Helper()
	root := (&app{}).root(append(slices.Clone(by), "help"))
	c, _, err := root.Find(by)
	if err != nil {
		return
	}
	for line := range strings.Lines(stderr) {
		if !strings.HasPrefix(line, "shapecheck: ") && !strings.HasPrefix(line, "note: ") && !strings.HasPrefix(line, "guessed: ") {
			continue
		}
		for _, m := range flagNamed.FindAllStringSubmatch(line, -1) {
			if c.Flags().Lookup(strings.TrimPrefix(m[1], "--")) == nil {
				t.Errorf("%q: %s is no flag of %s: %s", by, m[1], c.CommandPath(), line)
			}
		}
	}
}

// tryComment puts the comment that the end of a check suggests where it is to be, and asks whether it names the entry.
func tryComment(t *testing.T, stdout string, by []string) {
	t.Helper()
	file := ""
	for line := range strings.Lines(stdout) {
		line = strings.TrimSpace(line)
		if m := exampleFor.FindStringSubmatch(line); m != nil {
			file = m[1]
		}
		m := commentBegins.FindString(line)
		if i := strings.Index(m, "# shapecheck: "); i > 0 {
			m = m[i:]
		}
		if m == "" || file == "" || filepath.Ext(file) != ".py" {
			continue
		}
		before := readFile(t, file)
		writeFile(t, file, m+"\n"+before)
		code, out, stderr := run(noFlag(file), "--no-config", "--output-format", "json")
		writeFile(t, file, before)
		if !strings.Contains(out, `"basis": "given"`) || strings.Contains(out, `"SC692"`) {
			t.Errorf("%q: %s names no entry of %s: exit code %d\n%s", by, m, file, code, stderr)
		}
	}
}

// tryFixes fixes what the end of a check says can be fixed, with the flags that it names.
func tryFixes(t *testing.T, stdout string, by []string) {
	t.Helper()
	m := fixesCounted.FindStringSubmatch(stdout)
	if m == nil || filepath.Ext(by[0]) != ".py" {
		return
	}
	flags := []string{"--fix", "--unsafe-fixes"}
	if first, _, _ := strings.Cut(m[2], ","); first != "" {
		flags = strings.Fields(first)
	}
	before := readFile(t, by[0])
	_, _, stderr := run(slices.Concat(by, flags)...)
	writeFile(t, by[0], before)
	if want := "shapecheck: " + m[1] + " fixed"; !strings.Contains(stderr, want) {
		t.Errorf("%q: %s, and with %q: %s", by, m[0], flags, stderr)
	}
}

// What is random while a model is trained is refused with the flag that is to be left out, and is exported without it.
func TestWhatIsRandomInTrainingIsExportedWithoutTheFlagNamed(t *testing.T) {
	const text = "from torch import nn\n\n\nclass Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.act = %s\n\n" +
		"    def forward(self, x):\n        return self.act(x)\n"
	for _, layer := range []string{"nn.RReLU()", "nn.FeatureAlphaDropout()"} {
		pathsProject(t, map[string]string{"net.py": fmt.Sprintf(text, layer)})
		line := []string{"export", "net.py", "--entry", "Net()", "--arg", "x:f32[2,8,4,4]", "-o", "net.onnx"}
		stdout, stderr := runCLI(t, check.ExitFindings, append(line, "--train")...)
		m := regexp.MustCompile(`without (--[a-z]+)`).FindStringSubmatch(stdout + stderr)
		if m == nil || m[1] != "--train" {
			t.Errorf("%s: no flag is named:\n%s%s", layer, stdout, stderr)
		}
		runCLI(t, check.ExitClean, line...)
	}
}
