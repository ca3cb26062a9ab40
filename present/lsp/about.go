package lsp

// This file finds what is known of a place of the checked text, for hovers and for shapecheck explain.

import (
	"path/filepath"
	"strings"

	"shapecheck/infer/ops"
	"shapecheck/internal/source"
)

// An about is what is known of a place.
type about struct {
	entries []*entry      // that begin on the line
	calls   []*moduleCall // the innermost around the place, else those of the line, each text once
	targets []*target     // of the line
}

// about is what is known of a line, counted from 0, and of the byte at; below 0: of the whole line.
func (v *view) about(line, at int) about {
	var out about
	for i := range v.entries {
		if l, _ := v.lines.at(v.entries[i].at); l == line {
			out.entries = append(out.entries, &v.entries[i])
		}
	}
	best := -1
	for i, c := range v.calls {
		if c.start <= at && at < c.end && (best < 0 || c.end-c.start < v.calls[best].end-v.calls[best].start) {
			best = i
		}
	}
	seen := map[string]bool{}
	for i := range v.calls {
		c := &v.calls[i]
		if best >= 0 && (c.start != v.calls[best].start || c.end != v.calls[best].end) {
			continue
		}
		if l, _ := v.lines.at(c.start); best < 0 && l != line || len(out.calls) == maxHoverCalls {
			continue
		}
		if text := c.text(); !seen[text] {
			seen[text] = true
			out.calls = append(out.calls, c)
		}
	}
	for i := range v.targets {
		t := &v.targets[i]
		first, _ := v.lines.at(t.start)
		last, _ := v.lines.at(max(t.end-1, t.start))
		if len(t.types) > 0 && first <= line && line <= last {
			out.targets = append(out.targets, t)
		}
	}
	return out
}

// A step is a line that made a size of a tensor.
type step struct {
	file *source.File
	line int // from 1
	text string
}

// steps are the lines that made the sizes of what a target was given first, at most so many.
func (v *view) steps(t *target, most int) []step {
	if len(t.types) == 0 || t.types[0].made == nil {
		return nil
	}
	made := t.types[0].made
	var out []step
	seen := map[step]bool{}
	for axis := range made.Type.Shape {
		for _, r := range ops.Births(made, axis) {
			f := v.files.File(r.At.Start)
			if f == nil || f.Prelude || strings.HasPrefix(f.Name, "<") || len(out) == most {
				continue
			}
			n, _ := f.LineCol(r.At.Start)
			if s := (step{f, n, cut(r.Msg)}); !seen[s] {
				seen[s] = true
				out = append(out, s)
			}
		}
	}
	return out
}

// in is the file of a step as a reader at dir names it.
func (s step) in(v *view, dir string) string {
	if rel, err := filepath.Rel(dir, v.abs(s.file)); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return filepath.ToSlash(s.file.Name)
}
