package main

// This file makes the tests' programs and runs mutants on them.

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A batch is mutants that share the tests' programs: those within functions, or one that
// is not.
type batch struct {
	ctx      context.Context // ends the making and the running of programs
	dir      string          // for the programs
	overlay  string
	list     map[int]mutant
	invalid  map[int]bool // they do not compile
	passed   bool         // the tests are known to pass without a mutant
	programs map[tests]*program
}

// A program runs some tests.
type program struct {
	path    string
	seconds int // of processor time that a mutant may take
}

// newBatch writes the changed files and finds out which mutants compile.
func newBatch(ctx context.Context, dir string, list map[int]mutant) (*batch, error) {
	b := &batch{ctx: ctx, dir: dir, overlay: filepath.Join(dir, "overlay.json"), list: list, invalid: map[int]bool{},
		programs: map[tests]*program{}}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	for {
		spans, err := b.write()
		if err != nil {
			return nil, err
		}
		bad, err := b.compile(spans)
		if err != nil || len(bad) == 0 {
			return b, err
		}
		for _, id := range bad {
			b.invalid[id] = true
			delete(b.list, id)
		}
	}
}

// write makes the files that stand in for the originals, and gives the spans by their names.
func (b *batch) write() (map[string][]span, error) {
	byFile := map[string]map[int]mutant{}
	for id, m := range b.list {
		if byFile[m.file] == nil {
			byFile[m.file] = map[int]mutant{}
		}
		byFile[m.file][id] = m
	}
	replace, spans, last := map[string]string{}, map[string][]span{}, ""
	put := func(name, text string) error {
		original, err := filepath.Abs(name)
		if err != nil {
			return err
		}
		last = fmt.Sprintf("%d.go", len(replace))
		changed := filepath.Join(b.dir, last)
		replace[original] = changed
		return os.WriteFile(changed, []byte(text), 0o666)
	}
	chosen := map[string]bool{}
	for name, list := range byFile {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		woven, s := weave(string(text), list)
		extra := filepath.Join(filepath.Dir(name), "mutant_of_this_run.go")
		err = put(name, woven)
		spans[last] = s
		if err == nil && !chosen[extra] {
			chosen[extra] = true
			err = put(extra, fmt.Sprintf(choice, packageOf(woven)))
		}
		if err != nil {
			return nil, err
		}
	}
	data, err := json.Marshal(map[string]map[string]string{"Replace": replace})
	return spans, errors.Join(err, os.WriteFile(b.overlay, data, 0o666))
}

var packageClause = regexp.MustCompile(`(?m)^package (\w+)`)

func packageOf(text string) string { return packageClause.FindStringSubmatch(text)[1] }

var compilerLine = regexp.MustCompile(`(?m)^(\S+\.go):(\d+):\d+: `)

// compile lists the mutants that do not.
func (b *batch) compile(spans map[string][]span) (bad []int, err error) {
	var dirs []string
	for _, m := range b.list {
		if d := "./" + filepath.Dir(m.file); !slices.Contains(dirs, d) {
			dirs = append(dirs, d)
		}
	}
	if dirs == nil { // --only matches none
		return nil, nil
	}
	out, err := exec.CommandContext(b.ctx, "go", append([]string{"build", "-gcflags=-e", "-overlay", b.overlay}, dirs...)...).CombinedOutput()
	if err == nil {
		return nil, nil
	}
	for _, f := range compilerLine.FindAllStringSubmatch(string(out), -1) {
		line, _ := strconv.Atoi(f[2])
		for _, s := range spans[filepath.Base(f[1])] {
			if s.from <= line && line <= s.to && !slices.Contains(bad, s.mutant) {
				bad = append(bad, s.mutant)
			}
		}
	}
	if bad == nil {
		return nil, fmt.Errorf("%w: %s", err, out)
	}
	return bad, nil
}

// program makes the program of some tests, and runs it without a mutant.
func (b *batch) program(t tests) (*program, error) {
	if p := b.programs[t]; p != nil {
		return p, nil
	}
	p := &program{path: filepath.Join(b.dir, strings.ReplaceAll(t.pkg, "/", "_")+".test"), seconds: 600}
	if out, err := exec.CommandContext(b.ctx, "go", "test", "-c", "-vet=off", "-overlay", b.overlay, "-o", p.path,
		"./"+t.pkg).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("tests of %s: %w: %s", t.pkg, err, out)
	}
	if b.always() || b.passed {
		p.seconds = 300
	} else {
		why, took := p.run(b.ctx, 0, t)
		if why != "" {
			return nil, fmt.Errorf("without a mutant: %s", why)
		}
		p.seconds = 20 + 5*int(took.Seconds())
	}
	b.programs[t] = p
	return p, nil
}

// always reports whether the batch is one mutant that nothing chooses.
func (b *batch) always() bool {
	for _, m := range b.list {
		if m.in == nil {
			return true
		}
	}
	return false
}

// maxMemory bounds the address space of a run, in KiB.
const maxMemory = 8 << 20

// run runs the tests on a mutant, 0 being the original: why is empty when they pass. The
// limits are the system's, as the time that passes on a busy machine says nothing.
func (p *program) run(ctx context.Context, id int, t tests) (why string, took time.Duration) {
	shell := fmt.Sprintf("ulimit -t %d -v %d; exec %s -test.failfast -test.run '%s' -test.timeout 60m", p.seconds, maxMemory, p.path, t.run)
	cmd := exec.CommandContext(ctx, "bash", "-c", shell)
	cmd.Dir = t.pkg
	cmd.Env = append(os.Environ(), variable+"="+strconv.Itoa(id))
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil {
		why = t.pkg + ": " + failure(out.String())
	}
	if cmd.ProcessState == nil { // the context had ended
		return why, 0
	}
	return why, cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
}

var failed = regexp.MustCompile(`(?m)^\s*--- FAIL: (\S+)|^(panic: .*)`)

// failure is the name of the first test that failed.
func failure(out string) string {
	if f := failed.FindStringSubmatch(out); f != nil {
		return f[1] + f[2]
	}
	return "it did not end"
}
