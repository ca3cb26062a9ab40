// Package counts holds the runs that compare shapecheck with ground truth to the
// counts that are on file, so that a changed count is a line of a diff.
//
//	counts.go   a file of all counts, one line a row
//	waivers.go  what may differ: each line says how, how often, and why
package counts

import (
	"errors"
	"fmt"
	"os"
	"strings"
)

// A Count is how often something came out.
type Count struct {
	Name string
	N    int
}

// A Row is a line of a table: the counts of one part of a run.
type Row struct {
	Name   string
	Counts []Count
}

// String gives the counts that are not 0.
func (r Row) String() string {
	var parts []string
	for _, c := range r.Counts {
		if c.N != 0 {
			parts = append(parts, fmt.Sprintf("%s %d", c.Name, c.N))
		}
	}
	return fmt.Sprintf("%-28s %s", r.Name, strings.Join(parts, ", "))
}

// Check compares the table of a run with the one under its name in a file. What
// differs is the error, with the lines of both sides. With update, the table is
// written to the file instead; runs must not do so at the same time.
//
// The file has tables, each "[name]" and its rows; # starts a comment.
func Check(file, table string, rows []Row, update bool) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var lines []string
	for _, r := range rows {
		lines = append(lines, strings.TrimRight(r.String(), " "))
	}
	before, old, after, found := cut(string(data), table)
	if update {
		var b strings.Builder
		b.WriteString(before)
		fmt.Fprintf(&b, "[%s]\n%s\n\n", table, strings.Join(lines, "\n"))
		b.WriteString(after)
		return os.WriteFile(file, []byte(strings.TrimRight(b.String(), "\n")+"\n"), 0o666)
	}
	if !found {
		return fmt.Errorf("%s has no table [%s]", file, table)
	}
	var errs []error
	for _, d := range differ(old, lines) {
		errs = append(errs, fmt.Errorf("%s [%s]: %s", file, table, d))
	}
	return errors.Join(errs...)
}

// cut finds a table: what stands before it, its lines, and what stands after it. A
// table that is not there comes last.
func cut(text, table string) (before string, lines []string, after string, found bool) {
	head := "[" + table + "]\n"
	at := strings.Index("\n"+text, "\n"+head)
	if at < 0 {
		if text != "" && !strings.HasSuffix(text, "\n\n") {
			text += "\n"
		}
		return text, nil, "", false
	}
	before, rest := text[:at], text[at+len(head):]
	end := len(rest)
	if i := strings.Index("\n"+rest, "\n["); i >= 0 {
		end = i
	}
	for _, l := range strings.Split(rest[:end], "\n") {
		if l != "" && !strings.HasPrefix(l, "#") {
			lines = append(lines, l)
		}
	}
	return before, lines, rest[end:], true
}

// differ lists the lines that only one side has, by the name of their row.
func differ(old, now []string) []string {
	has := func(list []string) map[string]bool {
		m := map[string]bool{}
		for _, l := range list {
			m[l] = true
		}
		return m
	}
	before, after := has(old), has(now)
	var out []string
	for _, l := range old {
		if !after[l] {
			out = append(out, "-"+l)
		}
	}
	for _, l := range now {
		if !before[l] {
			out = append(out, "+"+l)
		}
	}
	return out
}
