package outside

// This file looks at what is printed.

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"shapecheck/present/cli"
)

// run runs a command in a folder.
func run(t *testing.T, dir string, args ...string) (code int, printed string) {
	t.Helper()
	t.Chdir(dir)
	var out bytes.Buffer
	code = cli.Run(args, strings.NewReader(""), &out, &out)
	return code, out.String()
}

// TestOutsideIsTheSameWithAndWithoutAFile has what lies outside removed: nothing that is printed may tell.
func TestOutsideIsTheSameWithAndWithoutAFile(t *testing.T) {
	took := regexp.MustCompile(`\d+ ms`)
	for _, c := range Cases {
		if c.Main == "" || strings.Contains(c.Main, "config.n") {
			continue // the file itself is asked for, or one that is beside it
		}
		t.Run(c.Name, func(t *testing.T) {
			project, out, err := c.Write(t.TempDir())
			if err != nil {
				t.Skip(err)
			}
			code, with := run(t, project, c.File())
			if err := os.RemoveAll(out); err != nil {
				t.Fatal(err)
			}
			without, printed := run(t, project, c.File())
			if with, printed = took.ReplaceAllString(with, ""), took.ReplaceAllString(printed, ""); code != without || with != printed {
				t.Errorf("with the file, exit %d:\n%s\nwithout, exit %d:\n%s", code, with, without, printed)
			}
			if strings.Contains(with, Secret) {
				t.Errorf("what is outside is shown: %s", with)
			}
		})
	}
}

// TestDataIsNotShown runs texts of the project that are named as no code: neither lines nor words of them are printed.
func TestDataIsNotShown(t *testing.T) {
	for _, text := range []string{Secret + " = " + Secret + " +\n", "x = '" + Secret + "\n", "x = 1\n  y = " + Secret + "\n",
		"import torch\ntorch.zeros(3) @ torch.zeros(4)  # " + Secret + "\n"} {
		for _, main := range []string{top("exec(open('data').read())\nx = 1"),
			top("from pathlib import Path\nexec(Path('data').read_text())\nx = 1"),
			inside("exec(compile(open('data').read(), 'data', 'exec'))\nx = 1")} {
			for _, format := range []string{"text", "json", "html", "markdown", "github", "sarif", "concise", "junit", "gitlab", "json-lines"} {
				c := Case{Main: main, Files: map[string]string{"data": text}}
				project, _, err := c.Write(t.TempDir())
				if err != nil {
					t.Fatal(err)
				}
				if _, printed := run(t, project, "main.py", "--script", "--output-format", format); strings.Contains(printed, Secret) {
					t.Errorf("%q in %s:\n%s", text, format, printed)
				}
			}
		}
	}
}

// TestFilesOfOtherNamesAreNotShown names files on the command line that have no name of Python code or of a notebook: their
// findings and types have places and no lines.
func TestFilesOfOtherNamesAreNotShown(t *testing.T) {
	const text = "import torch\n\ndef forward(x):\n    y = x.T  # " + Secret + "\n    return y @ torch.zeros(9, 9)  # " + Secret + "\n"
	c := Case{Main: text, Files: map[string]string{"data": text, "data.txt": text, "data.py.bak": text, "broken": "def f(:  # " + Secret +
		"\n"}}
	project, _, err := c.Write(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, format := range []string{"text", "json", "html", "markdown", "github", "sarif", "concise", "junit", "gitlab", "json-lines"} {
		for _, args := range [][]string{{"--entry", "forward", "--arg", "x:f32[3,4]"}, {"--script"},
			{"--cache=c", "--entry", "forward", "--arg", "x:f32[3,4]"}} {
			for file := range c.Files {
				for range 2 { // the second one may be cached
					_, printed := run(t, project, append([]string{file, "--output-format", format}, args...)...)
					if strings.Contains(printed, "# "+Secret) {
						t.Errorf("%s, %s %v:\n%s", format, file, args, printed)
					}
					if format == "concise" && file != "broken" && args[0] == "--entry" && !strings.Contains(printed, file+":5:12: error[SC101]") {
						t.Errorf("%s: no finding:\n%s", file, printed)
					}
				}
			}
		}
	}
	if _, printed := run(t, project, "main.py", "--entry", "forward", "--arg", "x:f32[3,4]"); !strings.Contains(printed, "# "+Secret) {
		t.Errorf("lines of Python code are missing:\n%s", printed)
	}
}

// TestMergeReadsNothingOutside gives merge a part whose findings lie in a file outside.
func TestMergeReadsNothingOutside(t *testing.T) {
	c := Case{Main: "import torch\n\n\ndef forward():\n    return torch.zeros(3) @ torch.zeros(4)\n",
		Files: map[string]string{"shapecheck.toml": "[[entries]]\nfile = 'main.py'\nentry = 'forward'\n"}}
	project, out, err := c.Write(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	run(t, project, "--output-format", "json=part.json")
	data, err := os.ReadFile("part.json")
	if err != nil {
		t.Fatal(err)
	}
	if _, printed := run(t, project, "merge", "part.json"); !strings.Contains(printed, "return torch.zeros(3) @") {
		t.Fatalf("merge shows no lines: %s", printed)
	}
	for _, name := range []string{filepath.ToSlash(filepath.Join(out, "secret.py")), "../out/secret.py", "../out/secret.txt"} {
		part := regexp.MustCompile(`"(line|end_line|endLine|start_line)": ?\d+`).ReplaceAllString(strings.ReplaceAll(string(data), `"main.py"`,
			`"`+name+`"`), `"$1": 1`)
		if err := os.WriteFile("other.json", []byte(part), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, printed := run(t, project, "merge", "other.json"); strings.Contains(printed, Secret) {
			t.Errorf("%s is shown: %s", name, printed)
		}
	}
}
