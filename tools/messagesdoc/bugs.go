package main

// This file writes the table of bugs planted in whole programs (testdata/bugs), where
// PyTorch says nothing of them or says it elsewhere.

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"shapecheck/check"
	"shapecheck/infer"
	"shapecheck/internal/diag"
)

const bugsHead = `
## Bugs in whole programs

Of the bugs planted in the programs of testdata/bugs, those of which PyTorch says nothing, or which it reports at another line. The first column is the line that was changed.

| Changed line | PyTorch | shapecheck |
|---|---|---|
`

// bugs writes the table; root is the folder of the repository.
func bugs(b *bytes.Buffer, root string) error {
	b.WriteString(bugsHead)
	folder := filepath.Join(root, "testdata", "bugs")
	list, err := rows(filepath.Join(folder, "bugs.txt"))
	if err != nil {
		return err
	}
	truth, err := rows(filepath.Join(folder, "truth.txt"))
	if err != nil {
		return err
	}
	if len(list) != len(truth) {
		return fmt.Errorf("%d bugs, but PyTorch was asked for %d", len(list), len(truth))
	}
	for i, bug := range list {
		p := strings.Split(bug, " | ")
		text, err := os.ReadFile(filepath.Join(folder, p[0]+".py"))
		if err != nil {
			return err
		}
		before, after, ok := strings.Cut(string(text), p[1]+"\n")
		if !ok {
			return fmt.Errorf("%s.py has no line %s", p[0], p[1])
		}
		name := p[0] + ".py"
		cfg := infer.Config{File: name, Text: before + p[2] + "\n" + after, Script: []string{name}}
		res, err := new(check.Session).Check(context.Background(), &check.Target{Run: cfg})
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		ours, at := "nothing", 0
		for _, d := range res.Diagnostics {
			if d.Severity == diag.Error || d.Severity == diag.Warning {
				at = res.Files.Position(d.At.Start).Line
				ours = fmt.Sprintf("%d: %s %s", at, d.Code, d.Msg)
				break
			}
		}
		theirs := strings.TrimPrefix(truth[i], "raises at ")
		if at != 0 && strings.HasPrefix(theirs, fmt.Sprintf("%d: ", at)) {
			continue
		}
		cell := strings.NewReplacer("|", "∣", "\n", " ")
		fmt.Fprintf(b, "| %s %d, %s: `%s` | %s | %s |\n", name, strings.Count(before, "\n")+1, p[3], cell.Replace(p[2]), cell.Replace(theirs),
			cell.Replace(ours))
	}
	return nil
}

// rows are the lines of a file without its comments.
func rows(name string) ([]string, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var out []string
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, "#") {
			out = append(out, strings.TrimSuffix(line, "\n"))
		}
	}
	return out, nil
}
