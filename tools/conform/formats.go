package main

// This file holds what runs print for other programs against the forms of those:
// SARIF against the standard's own JSON schema, JUnit and GitLab's Code Quality
// against what their readers document.

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/tools/txtar"

	"shapecheck/present/cli"
	"shapecheck/tools/counts"
	"shapecheck/tools/golden"
)

// formatRuns are programs beside the archives: without findings, without a
// position, with a syntax error, of which nothing is checked, and a project.
var formatRuns = []struct {
	name  string
	files map[string]string
	args  []string
}{
	{"clean", map[string]string{"m.py": "def forward(x):\n    return x + 1\n"}, []string{"m.py", "--arg", "x:f32[B,3]"}},
	{"syntax", map[string]string{"m.py": "def forward(x:\n    return x\n"}, []string{"m.py"}},
	{"unchecked", map[string]string{"m.py": "import kernels\n\n\ndef forward(x):\n    return kernels.relu(x)\n"},
		[]string{"m.py", "--arg", "x:f32[B,3]"}},
	{"sequential", map[string]string{"m.py": "import torch.nn as nn\n\nnet = nn.Sequential(nn.Linear(3, 4), nn.Linear(5, 6))\n"},
		[]string{"m.py", "--arg", "input:f32[B,3]"}},
	{"project", map[string]string{
		"a b.py": "def forward(x):\n    é = '𝒳'; return x @ x, x.view(-1, 5)  # (B, T)\n",
		"shapecheck.toml": "[[entries]]\nname = \"one\"\nfile = \"a b.py\"\nargs = [\"x:f32[B,3]\"]\n\n[[entries]]\nname = \"two\"\nfile = \"a b.py\"\nargs = [\"x:f32[7,7]\"]\n" +
			"\n[[entries]]\nname = \"three\"\nfile = \"a b.py\"\nargs = [\"y:f32[7,7]\"]\n",
	}, nil},
}

const defaultArchives = "testdata/corpus/losses.txtar,testdata/corpus/language.txtar,testdata/corpus/linear_features.txtar,testdata/lint/wrong.txtar"

func formats(args []string) {
	fs := flag.NewFlagSet("formats", flag.ExitOnError)
	schema := fs.String("sarif-schema", "", "the schema of SARIF 2.1.0: a JSON file, or a Go file with the constant schema")
	archives := fs.String("archives", defaultArchives, "archives whose programs are run")
	onFile := countsFlags(fs)
	if err := fs.Parse(args); err != nil {
		os.Exit(2)
	}
	f := &formatter{problems: map[string][]string{}}
	err := f.load(*schema)
	if err == nil {
		err = f.runAll(strings.Split(*archives, ","))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	wrong := 0
	for name, list := range f.problems {
		wrong += len(list)
		fmt.Printf("%s: %s\n", name, strings.Join(list, "\n    "))
	}
	fmt.Printf("%d runs, %d SARIF logs against the schema, %d findings, %d wrong\n", f.runs, f.runs, f.findings, wrong)
	row := counts.Row{Name: "reports", Counts: []counts.Count{{Name: "runs", N: f.runs}, {Name: "findings", N: f.findings},
		{Name: "wrong", N: wrong}}}
	if !onFile.check("formats", []counts.Row{row}, *archives == defaultArchives) || wrong > 0 {
		os.Exit(1)
	}
}

// A formatter collects what is wrong with the outputs of runs.
type formatter struct {
	sarif          *jsonschema.Schema
	runs, findings int
	problems       map[string][]string
}

// load reads the schema. Draft 4, which it is written in, says so itself.
func (f *formatter) load(path string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if strings.HasSuffix(path, ".go") {
		if data, err = constant(data, "schema"); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("sarif.json", doc); err != nil {
		return err
	}
	f.sarif, err = c.Compile("sarif.json")
	return err
}

// constant gives the text of a string constant in a Go file.
func constant(source []byte, name string) ([]byte, error) {
	file, err := parser.ParseFile(token.NewFileSet(), "", source, 0)
	if err != nil {
		return nil, err
	}
	if o := file.Scope.Lookup(name); o != nil {
		if v, ok := o.Decl.(*ast.ValueSpec); ok && len(v.Values) == 1 {
			if lit, ok := v.Values[0].(*ast.BasicLit); ok {
				text, err := strconv.Unquote(lit.Value)
				return []byte(text), err
			}
		}
	}
	return nil, fmt.Errorf("no constant %s", name)
}

// runAll runs the programs of archives and those of this file, each in a folder of its own. It
// goes back to the folder that it began in, as the checks change it.
func (f *formatter) runAll(archives []string) error {
	dir, err := os.MkdirTemp("", "formats")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	here, err := os.Getwd()
	if err != nil {
		return err
	}
	for _, path := range archives {
		if !filepath.IsAbs(path) {
			path = filepath.Join(here, path)
		}
		ar, err := txtar.ParseFile(path)
		if err != nil {
			return err
		}
		for _, c := range golden.Cases(ar) {
			files := map[string]string{}
			for _, x := range c.Files {
				files[x.Name] = string(x.Data)
			}
			if err := f.run(filepath.Join(dir, strconv.Itoa(f.runs)), c.Name, files, append([]string{"--no-config"}, c.Run...)); err != nil {
				return errors.Join(err, os.Chdir(here))
			}
		}
	}
	for _, x := range formatRuns {
		if err := f.run(filepath.Join(dir, strconv.Itoa(f.runs)), x.name, x.files, x.args); err != nil {
			return errors.Join(err, os.Chdir(here))
		}
	}
	return os.Chdir(here)
}

// run runs one program in a folder of its own and checks its outputs.
func (f *formatter) run(dir, name string, files map[string]string, args []string) error {
	for file, text := range files {
		path := filepath.Join(dir, file)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			return err
		}
	}
	if err := os.Chdir(dir); err != nil {
		return err
	}
	for _, format := range []string{"sarif", "junit", "gitlab"} {
		args = append([]string{"--output-format", format + "=out." + format}, args...)
	}
	var stderr bytes.Buffer
	if code := cli.Run(args, strings.NewReader(""), io.Discard, &stderr); code > 2 {
		return fmt.Errorf("%s: exit code %d: %s", name, code, &stderr)
	}
	f.runs++
	note := func(format string, err error) {
		if err != nil {
			f.problems[name] = append(f.problems[name], format+": "+err.Error())
		}
	}
	for _, format := range []struct {
		name  string
		check func([]byte) error
	}{{"sarif", f.checkSarif}, {"junit", checkJUnit}, {"gitlab", f.checkGitLab}} {
		data, err := os.ReadFile("out." + format.name)
		if err != nil {
			return err
		}
		note(format.name, format.check(data))
	}
	return nil
}

func (f *formatter) checkSarif(data []byte) error {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		return err
	}
	return f.sarif.Validate(doc)
}
