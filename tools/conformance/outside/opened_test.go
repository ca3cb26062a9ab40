package outside

// This file looks at what the processes of commands open, whoever of them does it: also readers that do not use the file
// system layer.

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

var (
	all   = flag.Bool("all", false, "run every case with every command, not with one of them in turn")
	given = flag.String("program", "", "the program to run; default: it is built")
)

// A command is what runs in a project, with the file of a case for FILE.
type command struct {
	name, args string
	stdin      func(c *Case, project, out string) (work, end string)
	prepare    func(c *Case, project string) error
	exit       int // where no file is named
}

// commands run in the projects of Cases.
var commands = []command{
	{name: "check a file", args: "FILE"},
	{name: "check a folder", args: "."},
	{name: "check a script", args: "FILE --script", exit: 2},
	{name: "export", args: "export FILE -o model.onnx"},
	{name: "trace", args: "trace FILE", exit: 2},
	{name: "serve an editor", args: "lsp", stdin: editor},
	{name: "check with a cache", args: ". --cache=kept", prepare: configure},
	{name: "run", args: "run FILE"},
	{name: "compile", args: "compile FILE -o main.prog"},
	{name: "diff", args: "diff", prepare: commit},
}

// dataCommands run in those of DataCases.
var dataCommands = []command{
	{name: "check with weights", args: "FILE ENTRY --weights suite/weights.json"},
	{name: "export with weights", args: "export FILE ENTRY --weights suite/weights.json -o model.onnx"},
	{name: "run with weights", args: "run FILE ENTRY --weights suite/weights.json"},
	{name: "compile with weights", args: "compile FILE ENTRY --weights suite/weights.json -o main.prog"},
	{name: "run a model", args: "run suite/model.onnx"},
	{name: "bisect a model", args: "run suite/model.onnx --bisect"},
	{name: "compile a model", args: "compile suite/model.onnx -o main.prog"},
	{name: "infer a model", args: "infer suite/model.onnx"},
	{name: "run a program", args: "run suite/net.prog"},
	{name: "run on values of an index", args: "run plain.onnx --input suite/weights.json"},
	{name: "test", args: "test suite"},
}

// configure gives a project a configuration with an entry, unless it has one.
func configure(c *Case, project string) error {
	for _, name := range []string{"shapecheck.toml", "pyproject.toml"} {
		if c.Files[name] != "" || c.Links[name] != "" {
			return nil
		}
	}
	text := fmt.Sprintf("[[entries]]\nfile = '%s'\nentry = 'forward'\n", c.File())
	return os.WriteFile(filepath.Join(project, "shapecheck.toml"), []byte(text), 0o666)
}

// commit makes a repository of a project, of which a file is then changed.
func commit(c *Case, project string) error {
	if err := configure(c, project); err != nil {
		return err
	}
	git := func(args ...string) error {
		cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "core.excludesFile=", "-c",
			"commit.gpgSign=false"}, args...)...)
		cmd.Dir = project
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1")
		out, err := cmd.CombinedOutput()
		if err != nil {
			return fmt.Errorf("git %q: %w %s", args, err, out)
		}
		return nil
	}
	if err := errors.Join(git("init", "-q"), git("add", "-A", "-f"), git("commit", "-q", "-m", "first")); err != nil {
		return err
	}
	if c.Main == "" || c.Notebook {
		return nil
	}
	f, err := os.OpenFile(filepath.Join(project, c.File()), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteString("\n\ndef more():\n    return torch.zeros(4), x\n")
	return errors.Join(err, f.Close())
}

// isRepository reports whether the case itself writes files of git's folder.
func (c *Case) isRepository() bool {
	for name := range c.Files {
		if strings.HasPrefix(name, ".git/") {
			return true
		}
	}
	return false
}

// editor is what an editor says that opens a file, and that ends.
func editor(c *Case, project, out string) (work, end string) {
	file, text := c.File(), strings.ReplaceAll(c.Main, "$OUT", filepath.ToSlash(out))
	root := "file://" + filepath.ToSlash(project)
	message := func(format string, args ...any) string {
		m := fmt.Sprintf(format, args...)
		return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(m), m)
	}
	open := message(`{"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": {"uri": %q, "languageId": "python", "version": 1, "text": %q}}}`, root+"/"+file, text)
	if c.Notebook {
		open = message(`{"jsonrpc": "2.0", "method": "notebookDocument/didOpen", "params": {"notebookDocument": {"uri": %q, "notebookType": "jupyter-notebook", "version": 1,
			"cells": [{"kind": 2, "document": "cell:1"}]}, "cellTextDocuments": [{"uri": "cell:1", "languageId": "python", "version": 1, "text": %q}]}}`, root+"/"+file, text)
	}
	return message(`{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"processId": null, "rootUri": %q, "capabilities": {}}}`,
			root) +
			message(`{"jsonrpc": "2.0", "method": "initialized", "params": {}}`) + open,
		message(`{"jsonrpc": "2.0", "id": 4, "method": "shutdown"}`) + message(`{"jsonrpc": "2.0", "method": "exit"}`)
}

// answers is what a process prints. The first findings of the server close answer.
type answers struct {
	text   bytes.Buffer // its methods are not those of answers: a copy would go by ReadFrom
	answer chan bool
	once   sync.Once
}

func (a *answers) Write(p []byte) (int, error) {
	n, err := a.text.Write(p)
	if a.answer != nil && strings.Contains(a.text.String(), "textDocument/publishDiagnostics") {
		a.once.Do(func() { close(a.answer) })
	}
	return n, err
}

// TestNoProcessOpensFilesOutside compares what a command opens in the project of a case with what it opens in one whose program
// names no file. Beyond the project nothing else may be opened. What is outside may be looked at only where a link of the project
// leads there, which the system follows step by step.
func TestNoProcessOpensFilesOutside(t *testing.T) {
	strace, err := exec.LookPath("strace")
	if runtime.GOOS != "linux" || err != nil {
		t.Skip("there is no strace")
	}
	if out, err := exec.Command(strace, "-qq", "-e", "trace=openat", "true").CombinedOutput(); err != nil {
		t.Skipf("strace may not look at a process: %v %s", err, out)
	}
	program := *given
	if program == "" {
		program = filepath.Join(t.TempDir(), "shapecheck")
		if out, err := exec.Command("go", "build", "-o", program, "shapecheck/cmd/shapecheck").CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	for _, table := range []struct {
		plain    Case
		cases    []Case
		commands []command
	}{
		{Case{Main: top("x = 1")}, Cases, commands},
		{Case{Main: net, Location: plainLocation}, DataCases, dataCommands},
	} {
		usual := make([]map[string]bool, len(table.commands))
		for i, c := range table.cases {
			for k, cmd := range table.commands {
				if k != i%len(table.commands) && !*all || cmd.name == "diff" && c.isRepository() || c.Named != "" &&
					strings.Contains(cmd.args, c.Named) {
					continue
				}
				if usual[k] == nil {
					usual[k] = map[string]bool{}
					got := trace(t, strace, program, &table.plain, &cmd)
					for _, p := range got.opened {
						usual[k][p] = true
					}
					if len(usual[k]) == 0 {
						t.Fatal("strace tells of no file")
					}
					if got.code != cmd.exit {
						t.Errorf("%s, without names: exit code %d: %s", cmd.name, got.code, got.printed)
					}
				}
				t.Run(c.Name+"/"+cmd.name, func(t *testing.T) {
					got := trace(t, strace, program, &c, &cmd)
					for _, path := range got.opened {
						if !usual[k][path] {
							t.Errorf("%s is opened", path)
						}
					}
					if len(c.Links) == 0 {
						for _, path := range got.seen {
							t.Errorf("%s is looked at", path)
						}
					}
					if strings.Contains(got.printed, Secret) || strings.Contains(got.printed, Element) {
						t.Errorf("what is outside is shown: %s", got.printed)
					}
				})
			}
		}
	}
}

// A traced is what a process did with files out of its project, with <top> for the folder around it, and those of the
// project that are secret.
type traced struct {
	opened, seen []string
	printed      string
	code         int
}

var (
	opening = regexp.MustCompile(`(?:open|openat|openat2)\((?:[^"<]*<([^>]*)>, |)"((?:[^"\\]|\\.)*)".* = (-?\d+)(?:<(.*)>)?`)
	looking = regexp.MustCompile(
		`(?:stat|lstat|newfstatat|statx|readlink|readlinkat|access|faccessat2?|getdents64)\((?:[^"<]*<([^>]*)>, |)"((?:[^"\\]|\\.)*)"`)
	ofProc = regexp.MustCompile(`^/proc/\d+/`)
)

// trace runs a command in the project of a case.
func trace(t *testing.T, strace, program string, c *Case, command *command) (got traced) {
	t.Helper()
	dir := t.TempDir()
	project, out, err := c.Write(dir)
	if err != nil {
		t.Fatal(err)
	}
	home := filepath.Join(filepath.Dir(project), "home")
	if err := os.Mkdir(home, 0o777); err != nil {
		t.Fatal(err)
	}
	log := filepath.Join(t.TempDir(), "log")
	if command.prepare != nil {
		if err := command.prepare(c, project); err != nil {
			t.Fatal(err)
		}
	}
	entry := fmt.Sprintf("--entry Net() --arg x:f32[%d]", elements)
	words := strings.Fields(strings.NewReplacer("FILE", c.File(), "ENTRY", entry).Replace(command.args))
	args := append([]string{"-f", "-y", "-qq", "-s", "4096", "-o", log, "-e",
		"trace=open,openat,openat2,stat,lstat,newfstatat,statx,readlink,readlinkat,access,faccessat,faccessat2", "-e", "signal=none", program},
		words...)
	cmd := exec.Command(strace, args...)
	cmd.Dir, cmd.Env = project, []string{"PATH=/usr/bin:/bin", "HOME=" + home}
	var printed answers
	cmd.Stdout, cmd.Stderr = &printed, &printed
	if in := command.stdin; in != nil {
		work, end := in(c, project, out)
		printed.answer = make(chan bool)
		r, w := io.Pipe()
		defer r.Close()
		cmd.Stdin = r
		go func() {
			io.WriteString(w, work)
			select {
			case <-printed.answer:
			case <-time.After(20 * time.Second):
			}
			io.WriteString(w, end)
			w.Close()
		}()
	}
	if err := cmd.Run(); err != nil && cmd.ProcessState.ExitCode() < 0 {
		t.Fatalf("%v: %s", err, printed.text.String())
	}
	got.printed, got.code = printed.text.String(), cmd.ProcessState.ExitCode()
	data, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	around := filepath.Dir(project)
	secret := func(path string) bool {
		rel, err := filepath.Rel(project, path)
		name := filepath.ToSlash(rel)
		return err == nil && (c.Hard[name] != "" || strings.Contains(c.Files[name], Secret))
	}
	short := func(path string) string {
		return ofProc.ReplaceAllString(strings.ReplaceAll(path, around, "<top>"), "/proc/self/")
	}
	for line := range strings.Lines(string(data)) {
		if m := opening.FindStringSubmatch(line); m != nil {
			path := m[2]
			if !filepath.IsAbs(path) {
				path = filepath.Join(m[1], path)
			}
			if m[3] != "-1" {
				path = m[4] // without links
			}
			if !isWithin(path, project) || secret(path) {
				got.opened = append(got.opened, short(path))
			}
		} else if m := looking.FindStringSubmatch(line); m != nil {
			path := m[2]
			if !filepath.IsAbs(path) {
				path = filepath.Join(m[1], path)
			}
			if isWithin(path, out) {
				got.seen = append(got.seen, short(path))
			}
		}
	}
	return got
}
