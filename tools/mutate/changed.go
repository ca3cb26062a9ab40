package main

// This file draws mutants of lines that were changed since a revision.

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"maps"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// changedLines gives the lines of Go files that are not those of a revision.
func changedLines(rev string) (map[string]map[int]bool, error) {
	diff := []string{"-c", "core.quotePath=false", "diff", "--no-color", "--no-ext-diff", "-M", "--src-prefix=a/", "--dst-prefix=b/", "-U0",
		rev, "--", "*.go"}
	out, err := exec.Command("git", diff...).Output()
	if err != nil {
		return nil, fmt.Errorf("git diff %s: %w", rev, err)
	}
	return linesOf(out)
}

var hunk = regexp.MustCompile(`^@@ -\S+ \+(\d+)(?:,(\d+))? @@`)

// linesOf reads the new lines of a diff without context.
func linesOf(diff []byte) (map[string]map[int]bool, error) {
	lines, file := map[string]map[int]bool{}, ""
	text := bufio.NewScanner(bytes.NewReader(diff))
	text.Buffer(nil, 16<<20)
	left := 0 // lines of the hunk that are new
	for text.Scan() {
		line := text.Text()
		switch {
		case left > 0 && strings.HasPrefix(line, "+"):
			left--
		case strings.HasPrefix(line, "+++ "):
			file = strings.TrimPrefix(strings.TrimPrefix(line, "+++ "), "b/")
		case strings.HasPrefix(line, "@@ "):
			f := hunk.FindStringSubmatch(line)
			if f == nil {
				return nil, fmt.Errorf("git diff: %q is no beginning of a hunk", line)
			}
			first, _ := strconv.Atoi(f[1])
			left = 1
			if f[2] != "" {
				left, _ = strconv.Atoi(f[2])
			}
			if lines[file] == nil {
				lines[file] = map[int]bool{}
			}
			for k := range left {
				lines[file][first+k] = true
			}
		}
	}
	return lines, text.Err()
}

// mostPackages is how many packages mutants of changed lines are drawn from: to link the tests of one takes as long as to run them
// on some mutants.
const mostPackages = 4

// changedMutants draws as many mutants of changed lines as are wanted, by folder. Only folders with tests count, and no tools.
func changedMutants(o options, s *survivors) (map[string][]mutant, error) {
	lines, err := changedLines(o.changed)
	if err != nil {
		return nil, err
	}
	dirs := map[string]bool{}
	for file := range lines {
		dirs[filepath.ToSlash(filepath.Dir(file))] = true
	}
	var all []mutant
	for _, dir := range slices.Sorted(maps.Keys(dirs)) {
		if strings.HasPrefix(dir, "tools/") {
			continue
		}
		if tests, _ := filepath.Glob(filepath.Join(dir, "*_test.go")); len(tests) == 0 {
			continue
		}
		if files, _ := filepath.Glob(filepath.Join(dir, "*.go")); len(files) == 0 {
			continue
		}
		list, err := mutants(dir)
		if err != nil {
			return nil, err
		}
		s.look(dir, list)
		for _, m := range list {
			if lines[m.file][m.line] {
				all = append(all, m)
			}
		}
	}
	draw(o.seed, all)
	byDir := map[string][]mutant{}
	n := 0
	for _, m := range all {
		dir := filepath.ToSlash(filepath.Dir(m.file))
		if n < o.draw && (byDir[dir] != nil || len(byDir) < mostPackages) {
			byDir[dir] = append(byDir[dir], m)
			n++
		}
	}
	return byDir, nil
}

// runChanged judges mutants of changed lines by the tests of their package. Each package has its part of the time that is left.
func runChanged(o options, known map[string]string, s *survivors, dir string) (map[string]int, error) {
	byDir, err := changedMutants(o, s)
	if err != nil {
		return nil, err
	}
	end := time.Now().Add(o.timeout)
	sum := map[string]int{}
	names := slices.Sorted(maps.Keys(byDir))
	for i, name := range names {
		ctx, cancel := context.WithTimeout(context.Background(), time.Until(end)/time.Duration(len(names)-i))
		g := &group{name, []string{name}, []tests{{name, ""}}}
		list := byDir[name]
		c, err := g.judgeAll(ctx, o, list, len(list), known, s, filepath.Join(dir, strconv.Itoa(i)))
		cancel()
		if err != nil {
			return nil, err
		}
		for outcome, n := range c {
			sum[outcome] += n
		}
	}
	return sum, nil
}
