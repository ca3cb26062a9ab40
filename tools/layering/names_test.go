package layering

// This file holds what the files of the repository say about the name of the Python package.

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"shapecheck/internal/version"
)

// stranger is a distribution of PyPI that is not ours: what installs or imports it gets another
// author's library.
const stranger = "shapecheck"

// The forms in which a text installs or imports a distribution from an index. NAME stands for the
// distribution as a word, which is no part of a path, of a file's name or of another word.
var (
	// A command that installs, also as a list of arguments.
	commands = form(
		`(?:^|[^.\w-]|session\.)(?:easy_)?install\b[^;|&`+"`"+`]*[\s"'=,(]NAME`,
		`\b(?:uvx|pipx\s+run|tool\s+run|pip3?\s+(?:download|wheel)|(?:uv|poetry|pdm|rye|pixi|hatch|pipenv)\s+add)\b[^;|&`+"`"+`]*[\s"']NAME`,
		`--(?:with|from|spec)[ =]["']?NAME`,
	)
	// A requirement: with a version, in a list, alone in a line, as a key of Poetry's. A list may begin some lines above.
	requirements = form(
		`NAME(?:\[[\w, -]*\])?["']?\s*(?:===?|~=|!=|>=|<=|<|>)\s*["']?[\d*$%{]`,
		`NAME\s+@\s+\w`,
		`(?s)(?:dependencies|requires|requirements|deps)["']?\s*[=:]\s*[\[(](?:[^\])]*["'\s,])?NAME[^\n]*$`,
		`["']install["'],\s*["']NAME[^\n]*$`,
		`(?:^|\n)\s*-\s+["']?NAME["']?\s*(?:#[^\n]*)?$`,
		`(?:^|\n)\s*NAME\s*=\s*(?:["'][\^~<>=!*\d]|\{\s*version)[^\n]*$`,
	)
	// Its metadata and its module.
	imports = form(
		`\bmetadata\.\w+\(\s*["']NAME["']`,
		`\bpython[\d.]*\s+(?:-\w+\s+)*-m\s+NAME`,
		`["']-m["'],\s*["']NAME["']`,
		`(?:^|\n)[\s>.]*import\s+(?:[\w.]+\s*,\s*)*NAME(?:\s+as\b|\s*[,#]|\s*$|\n)`,
		`(?:^|\n)[\s>.]*from\s+NAME\s+import\b`,
		`\b(?:import_module|importorskip)\(\s*["']NAME["']`,
	)
)

func form(patterns ...string) *regexp.Regexp {
	return regexp.MustCompile(strings.ReplaceAll(strings.Join(patterns, "|"), "NAME", "\x01"))
}

// above is how many lines a list may begin above the distribution.
const above = 8

// installs are the lines of a text that have one of the forms for a distribution.
func installs(text, distribution string, forms ...*regexp.Regexp) []string {
	word := regexp.MustCompile(`(?i)(^|[^\w/.-])` + distribution + `($|[^\w/.-]|\.$|\.\W)`)
	lines := strings.Split(strings.ReplaceAll(text, "\\\n", " "), "\n") // a command may be in several lines
	var found []string
	for i, line := range lines {
		if !strings.Contains(strings.ToLower(line), distribution) {
			continue
		}
		name := word.ReplaceAllString(line, "$1\x01$2")
		if name == line {
			continue
		}
		list := strings.Join(append(slices.Clone(lines[max(0, i-above):i]), name), "\n")
		for _, f := range forms {
			if f.MatchString(name) || f == requirements && f.MatchString(list) {
				found = append(found, line)
				break
			}
		}
	}
	return found
}

// address is the page or the identifier of our program's name on PyPI, or a part of that package.
var address = regexp.MustCompile(`\bpypi[\w./-]*/` + stranger + `\b|(?m)^\s*from ` + stranger + `\.\w|^\s*import ` + stranger + `\.\w`)

func TestFormsOfInstallingAreFound(t *testing.T) {
	for _, text := range []string{
		"pip install NAME", "pip3 install -U NAME", "python -m pip install --user NAME.", "pip install torch NAME", "pip install 'NAME'",
		`pip install "NAME>=0.1"`,
		"pip install NAME[torch]", "pip install \\\n  NAME", "!pip install NAME", "%pip install NAME", "RUN pip install NAME && true",
		"`pip install NAME`", "$ pip install NAME",
		`[sys.executable, "-m", "pip", "install", "NAME"]`, `session.install("NAME")`, `install "NAME${wanted:+==$wanted}"`,
		"pip download NAME", "pip wheel NAME",
		"uv pip install NAME", "uv tool install NAME", "uv tool run NAME", "uv add NAME", "uvx NAME check net.py", "uvx --from NAME x",
		"uv run --with NAME net.py", "uv run --with=NAME net.py",
		"pipx install NAME", "pipx run NAME", "pipx run --spec NAME x", "conda install -c conda-forge NAME", "mamba install NAME",
		"pixi add NAME", "poetry add NAME", "pdm add NAME", "easy_install NAME",
		"NAME==0.0.2", "NAME >= 0.1", "NAME~=0.1", `"NAME[x]==1"`, `dependencies = ["NAME==%s"]`, `dependencies = ["NAME"]`,
		"dependencies = [\n  \"torch\",\n  \"NAME\",\n]", "# dependencies = [\n#   \"NAME\",\n# ]",
		"additional_dependencies: [NAME]", "additional_dependencies:\n  - NAME", "additional_dependencies: ['torch', 'NAME']",
		"install_requires=['NAME']", "  - NAME  # comment", "NAME = \"^0.1\"", "NAME = \"*\"", "NAME = {version = \"1\"}",
		"pip install NAME @ git+https://example.org", "https://pypi.example/project/NAME/", "pkg:pypi/NAME@1", `metadata.version("NAME")`,
		"python -m NAME --version", "python3.12 -m NAME", "python -I -m NAME", `[sys.executable, "-m", "NAME"]`, "import NAME",
		"    import NAME\n", ">>> import NAME", "import os, NAME", "import NAME as s", "import NAME, os", "from NAME import check",
		"from NAME.a import b",
		`pytest.importorskip("NAME")`,
	} {
		if text = strings.ReplaceAll(text, "NAME", stranger); len(installs(text, stranger, commands, requirements, imports)) == 0 &&
			!address.MatchString(text) {
			t.Errorf("not found: %s", text)
		}
	}
	if len(installs("pip install "+strings.ToUpper(stranger), stranger, commands)) == 0 {
		t.Error("an index does not look at upper and lower case")
	}
	for _, text := range []string{
		"pip install ./NAME-1.0.whl", "go build ./cmd/NAME", "go install ./cmd/NAME", "pip install wheels/NAME/x.whl", `bin.install "NAME"`,
		"id: NAME", "- id: NAME", "entry: NAME", "NAME = true", "NAME = other.pytest_plugin",
		"pip install x && NAME .", "pip install x; NAME check", "pytest --NAME", "import \"NAME/internal/version\"", "from NAME-pre-commit",
		"`NAME` on PyPI", "install it, and `NAME .` checks", "[tool.NAME]", "import NAME_ops as op", "NAME.toml", "# NAME: ignore",
		"the action installs NAMEs", "uvx --from ./x.whl other", "NAME FILE", "pip install x\nNAME .", "if NAME > limit",
		"from NAME's point of view",
	} {
		if text = strings.ReplaceAll(text, "NAME", stranger); len(installs(text, stranger, commands, requirements, imports)) > 0 ||
			address.MatchString(text) {
			t.Errorf("found: %s", text)
		}
	}
}

// texts are the files of the repository that are text, but for this one.
func texts(t *testing.T, visit func(name, text string)) {
	t.Helper()
	n := 0
	for _, name := range tracked(t) {
		data, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			continue // a link that leads nowhere, a folder
		}
		if utf8.Valid(data) && !strings.Contains(string(data), "\x00") {
			n++
			visit(name, string(data))
		}
	}
	if n < 1000 {
		t.Fatalf("only %d files were read", n)
	}
}

// TestNothingIsInstalledByName: no document, script or test takes the package of PyPI that has the
// program's name. Ours is not there yet: until it is, a text that installs it names a wheel file or asks no index.
func TestNothingIsInstalledByName(t *testing.T) {
	marked := 0
	texts(t, func(name, text string) {
		for _, line := range installs(text, stranger, commands, requirements, imports) {
			if name == ".ci/release" && strings.HasSuffix(line, "# not ours") { // both in one environment are a test
				marked++
				continue
			}
			t.Errorf("%s takes another author's package: %s", name, line)
		}
		if at := address.FindString(text); at != "" {
			t.Errorf("%s names another author's package: %s", name, at)
		}
		for line := range strings.Lines(text) {
			if requirementsFile.MatchString(name) && strings.HasPrefix(line, stranger) {
				t.Errorf("%s takes another author's package: %s", name, line)
			}
		}
		for _, line := range installs(text, version.Distribution, commands, requirements) {
			if !strings.Contains(line, "--no-index") && !strings.Contains(line, ".whl") {
				t.Errorf("%s takes %s from an index, where it is not yet: %s", name, version.Distribution, line)
			}
		}
	})
	if marked == 0 {
		t.Error("nothing is marked in .ci/release: are both packages still tested together?")
	}
}

var requirementsFile = regexp.MustCompile(`(?i)(?:requirements|constraints)[\w.-]*\.(?:txt|in)$`)

// TestThePackageHasOneName: the constant is what the package, its tests and its documents say.
func TestThePackageHasOneName(t *testing.T) {
	folders, err := filepath.Glob(filepath.Join(root, "python/*/__init__.py"))
	if err != nil || len(folders) != 1 || filepath.Base(filepath.Dir(folders[0])) != version.Distribution {
		t.Errorf("packages below python: %v, %v; want %s", folders, err, version.Distribution)
	}
	for _, name := range []string{"README.md", "docs/python.md", "docs/ci.md", "docs/start.md", "docs/release.md", ".ci/release",
		"python/tests/test_package.py"} {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		if !regexp.MustCompile(`\b` + version.Distribution + `\b`).Match(text) {
			t.Errorf("%s does not name %s", name, version.Distribution)
		}
	}
}
