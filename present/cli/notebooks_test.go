package cli

// This file runs the cases of testdata/notebooks: what is said of a notebook, the types of its
// lines, and its text after all fixes. -update-notebooks rewrites what they want.

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

var updateNotebooks = flag.Bool("update-notebooks", false, "rewrite what the cases of testdata/notebooks want")

const (
	notebookFile   = "net.ipynb"
	noLineFeed     = "no line feed at its end" // of the notebook, says the case's comment
	notebookFixed  = "want/fixed.ipynb"
	notebookTypes  = "want/types"
	notebookOutput = "want/output"
)

func TestNotebooks(t *testing.T) {
	paths, err := filepath.Glob("../../testdata/notebooks/*.txtar")
	if err != nil || len(paths) < 12 {
		t.Fatal(len(paths), err)
	}
	for _, path := range paths {
		path, err := filepath.Abs(path)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(filepath.Base(path), func(t *testing.T) { notebookCase(t, path) })
	}
}

func notebookCase(t *testing.T, path string) {
	a, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := schemas(); err != nil { // they are named from here
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	text := a.Files[0].Data
	if bytes.Contains(a.Comment, []byte(noLineFeed)) {
		text = bytes.TrimSuffix(text, []byte("\n"))
	}
	if err := os.WriteFile(notebookFile, text, 0o666); err != nil {
		t.Fatal(err)
	}
	got := []txtar.File{a.Files[0]}
	add := func(name, text string) {
		if text != "" && !strings.HasSuffix(text, "\n") {
			text += "\n"
		}
		got = append(got, txtar.File{Name: name, Data: []byte(text)})
	}
	code, out, stderr := run(notebookFile, "--no-config", "--output-format", "concise")
	add(notebookOutput, fmt.Sprintf("%s%sexit code %d\n", out, stderr, code))
	_, out, _ = run("--script", "--no-config", "--output-format", "json", notebookFile)
	add(notebookTypes, notebookLines(t, out))
	run(notebookFile, "--no-config", "--fix", "--unsafe-fixes", "--fix-comments=insert")
	fixed, err := os.ReadFile(notebookFile)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(fixed, text) {
		add(notebookFixed, string(fixed))
	}
	if *updateNotebooks {
		a.Files = got
		if err := os.WriteFile(path, txtar.Format(a), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want := map[string]string{}
	for _, f := range a.Files {
		want[f.Name] = string(f.Data)
	}
	for _, f := range got {
		if want[f.Name] != string(f.Data) {
			t.Errorf("%s:\n%s\nwant:\n%s", f.Name, f.Data, want[f.Name])
		}
		delete(want, f.Name)
	}
	for name := range want {
		t.Errorf("%s is wanted, and there is none", name)
	}
}

// notebookLines are the types in a JSON document, a line for each target.
func notebookLines(t *testing.T, text string) string {
	var doc struct {
		Lines []struct {
			Cell, Line int
			Target     string
			Types      []string
		}
	}
	if text == "" {
		return ""
	}
	if err := json.Unmarshal([]byte(text), &doc); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	var b strings.Builder
	for _, l := range doc.Lines {
		fmt.Fprintf(&b, "%d:%d %s: %s\n", l.Cell, l.Line, l.Target, strings.Join(l.Types, "; "))
	}
	return b.String()
}

// Places in a notebook are lines of its cells wherever they are written: in graphs, models, and what becomes of models.
func TestPlacesInNotebooks(t *testing.T) {
	t.Chdir(t.TempDir())
	text := `{"cells": [{"cell_type": "markdown", "metadata": {}, "source": "Net"}, {"cell_type": "code", "execution_count": null, "metadata": {}, "outputs": [], "source": [
"import torch\\n", "def f(x):\\n", "    return torch.relu(x)\\n"]}], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}`
	if err := os.WriteFile(notebookFile, []byte(strings.ReplaceAll(text, `\\`, `\`)), 0o666); err != nil {
		t.Fatal(err)
	}
	const want = "net.ipynb:cell 2:3"
	entry := []string{notebookFile, "--entry", "f", "--arg", "x:f32[B,4]"}
	for _, args := range [][]string{append([]string{"graph"}, entry...), append([]string{"compile", "-o", "net.prog"}, entry...),
		{"disasm", "net.prog"}} {
		code, out, stderr := run(args...)
		if code != 0 || args[0] != "compile" && !strings.Contains(strings.ReplaceAll(out, `"`, ""), want) {
			t.Errorf("%s: exit code %d, want %s:\n%s%s", args[0], code, want, out, stderr)
		}
	}
}

// Lines that are no Python are shown as the cell has them, not as what stands for them in the program.
func TestMagicsAreShownAsWritten(t *testing.T) {
	t.Chdir(t.TempDir())
	text := `{"cells": [{"cell_type": "code", "execution_count": null, "metadata": {}, "outputs": [], "source": "import torch\nwhere = %pwd <b>\nx = torch.zeros(3)"}],
"metadata": {}, "nbformat": 4, "nbformat_minor": 5}`
	if err := os.WriteFile(notebookFile, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	for format, want := range map[string]string{"text": "where = %pwd <b>", "html": "where = %pwd &lt;b&gt;"} {
		_, out, stderr := run("--script", "--no-config", "--output-format", format, notebookFile)
		if !strings.Contains(out, want) || strings.Contains(out, "input()") {
			t.Errorf("%s lacks %s:\n%s%s", format, want, out, stderr)
		}
	}
}

// The fixes of a log, applied to the text of the notebook, make what --fix makes of it.
func TestFixesOfNotebooksInSARIF(t *testing.T) {
	for _, name := range []string{"fixes.txtar", "string_source.txtar"} {
		t.Run(name, func(t *testing.T) {
			a, err := txtar.ParseFile("../../testdata/notebooks/" + name)
			if err != nil {
				t.Fatal(err)
			}
			t.Chdir(t.TempDir())
			text := string(a.Files[0].Data)
			if err := os.WriteFile(notebookFile, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
			_, out, _ := run("--script", "--no-config", "--output-format", "sarif", notebookFile)
			var log struct {
				Runs []struct {
					Results []struct {
						Fixes []struct {
							Changes []struct {
								Replacements []struct {
									Deleted  struct{ StartLine, StartColumn, EndLine, EndColumn int } `json:"deletedRegion"`
									Inserted struct{ Text string }                                    `json:"insertedContent"`
								} `json:"replacements"`
							} `json:"artifactChanges"`
						} `json:"fixes"`
					} `json:"results"`
				} `json:"runs"`
			}
			if err := json.Unmarshal([]byte(out), &log); err != nil {
				t.Fatal(err)
			}
			lines := strings.SplitAfter(text, "\n")
			at := func(line, col int) int {
				return len(strings.Join(lines[:line-1], "")) + len(string([]rune(lines[line-1])[:col-1]))
			}
			type edit struct {
				from, to int
				text     string
			}
			var edits []edit
			for _, r := range log.Runs[0].Results {
				if len(r.Fixes) == 0 {
					continue
				}
				for _, x := range r.Fixes[0].Changes[0].Replacements {
					edits = append(edits, edit{at(x.Deleted.StartLine, x.Deleted.StartColumn), at(x.Deleted.EndLine, x.Deleted.EndColumn),
						x.Inserted.Text})
				}
			}
			if len(edits) == 0 {
				t.Fatalf("no fixes in %s", out)
			}
			slices.SortFunc(edits, func(a, b edit) int { return b.from - a.from })
			for _, e := range edits {
				text = text[:e.from] + e.text + text[e.to:]
			}
			run("--script", "--no-config", "--fix", "--unsafe-fixes", notebookFile)
			fixed, err := os.ReadFile(notebookFile)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(fixed), text); diff != "" {
				t.Errorf("the log's fixes make (-want +got):\n%s", diff)
			}
		})
	}
}

// Findings show the cells' own lines, not what stands for them in the program.
func TestFindingsShowTheLinesOfCells(t *testing.T) {
	t.Chdir(t.TempDir())
	text := `{"cells": [{"cell_type": "code", "execution_count": null, "metadata": {}, "outputs": [], "source":
"import torch\nx = torch.ones(2, 3)\n%time w = x@x\nif x@x: a, b = !ls é"}], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}`
	if err := os.WriteFile(notebookFile, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	stdout, _ := runCLI(t, 1, "--script", notebookFile)
	for _, want := range []string{
		" 3 | %time w = x@x\n   |           ^^^\n", " 4 | if x@x: a, b = !ls é\n   |    ^^^\n",
		" 3 | %time w = x@x.transpose(-2, -1)\n   |              ~~~~", "   = hint: transpose(-2, -1) is missing on x\n", // no truth value of [2,2]
	} {
		if !strings.Contains(stdout, want) {
			t.Errorf("no\n%sin\n%s", want, stdout)
		}
	}
	if strings.Contains(stdout, "if 1:") || strings.Contains(stdout, "input()") {
		t.Errorf("shows what is in no file:\n%s", stdout)
	}
}
