package outside

// This file looks at what the processes of commands open, whoever of them does it: also readers that do not use the file
// system layer.

import (
	"bytes"
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

// commands are what runs in a project, with the file of a case for FILE.
var commands = []struct {
	name, args string
	stdin      func(c *Case, project, out string) (work, end string)
}{
	{"check a file", "FILE", nil},
	{"check a folder", ".", nil},
	{"check a script", "FILE --script", nil},
	{"export", "export FILE -o model.onnx", nil},
	{"trace", "trace FILE", nil},
	{"serve an editor", "lsp", editor},
	{"check with a cache", ". --cache=kept", nil},
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
	return message(`{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"processId": null, "rootUri": %q, "capabilities": {}}}`, root) +
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
	plain := Case{Main: top("x = 1")}
	usual := make([]map[string]bool, len(commands))
	for i, c := range Cases {
		for k := range commands {
			if k != i%len(commands) && !*all {
				continue
			}
			if usual[k] == nil {
				usual[k] = map[string]bool{}
				for _, p := range trace(t, strace, program, &plain, k).opened {
					usual[k][p] = true
				}
				if len(usual[k]) == 0 {
					t.Fatal("strace tells of no file")
				}
			}
			t.Run(c.Name+"/"+commands[k].name, func(t *testing.T) {
				got := trace(t, strace, program, &c, k)
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
				if strings.Contains(got.printed, Secret) {
					t.Errorf("what is outside is shown: %s", got.printed)
				}
			})
		}
	}
}

// A traced is what a process did with files out of its project, with <top> for the folder around it, and those of the
// project that are secret.
type traced struct {
	opened, seen []string
	printed      string
}

var (
	opening = regexp.MustCompile(`(?:open|openat|openat2)\((?:[^"<]*<([^>]*)>, |)"((?:[^"\\]|\\.)*)".* = (-?\d+)(?:<(.*)>)?`)
	looking = regexp.MustCompile(`(?:stat|lstat|newfstatat|statx|readlink|readlinkat|access|faccessat2?|getdents64)\((?:[^"<]*<([^>]*)>, |)"((?:[^"\\]|\\.)*)"`)
	ofProc  = regexp.MustCompile(`^/proc/\d+/`)
)

// trace runs a command in the project of a case.
func trace(t *testing.T, strace, program string, c *Case, command int) (got traced) {
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
	words := strings.Fields(strings.ReplaceAll(commands[command].args, "FILE", c.File()))
	args := append([]string{"-f", "-y", "-qq", "-s", "4096", "-o", log, "-e", "trace=open,openat,openat2,stat,lstat,newfstatat,statx,readlink,readlinkat,access,faccessat,faccessat2", "-e", "signal=none", program}, words...)
	cmd := exec.Command(strace, args...)
	cmd.Dir, cmd.Env = project, []string{"PATH=/usr/bin:/bin", "HOME=" + home}
	var printed answers
	cmd.Stdout, cmd.Stderr = &printed, &printed
	if in := commands[command].stdin; in != nil {
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
	got.printed = printed.text.String()
	data, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	around := filepath.Dir(project)
	secret := func(path string) bool {
		rel, err := filepath.Rel(project, path)
		return err == nil && strings.Contains(c.Files[filepath.ToSlash(rel)], Secret)
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
