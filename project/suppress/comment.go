package suppress

// This file reads comments that hide findings:
//
//	x = f(x)  # shapecheck: ignore[SC101]  with a reason, if you like
//	# shapecheck: ignore[SC101, SC105]     on a line of its own: for the next line
//	x = f(x)  # shapecheck: ignore         any code
//
// A comment speaks of the findings whose place includes its line. No comment can stand in a string
// of several lines: one at the end of its last line speaks of them all.

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"shapecheck/internal/diag"
	"shapecheck/internal/source"
	"shapecheck/parser"
	"shapecheck/project/comments"
)

// An ignore is one comment.
type ignore struct {
	at source.Span
	// from and to are the lines it speaks of.
	from, to int
	// codes are those it names, with their places; nil: any.
	codes []named
	used  bool // a comment without codes: it hid something
}

type named struct {
	code diag.Code
	at   source.Span
	used bool
}

// remarks are the comments of a file, and which lines of it ran.
type remarks struct {
	ignores  []*ignore
	misspelt []comments.Fault
	ran      map[int]bool
}

// speaking are the comments of the files that diagnostics and runs were in.
type speaking struct {
	byFile map[*source.File]*remarks
	order  []*source.File
	filter *Filter              // which accepts for a time
	told   map[source.Span]bool // the misspelt comments of which somebody else tells
}

// filterPart notes files and lines, and drops what comments hide.
func (c *speaking) filterPart(fs *source.FileSet, list []*diag.Diagnostic, reached map[*source.File]map[int]bool) []*diag.Diagnostic {
	var files []*source.File
	add := func(f *source.File) {
		if f != nil && c.byFile[f] == nil && !f.Prelude {
			r := &remarks{}
			r.ignores, r.misspelt = ignores(f)
			for _, a := range c.filter.Accepts(f) {
				if i := a.ignore(); i != nil && !a.Expired(c.filter.Today) {
					r.ignores = append(r.ignores, i)
				}
			}
			if len(r.ignores) > 0 {
				r.ran = map[int]bool{}
			}
			c.byFile[f], files = r, append(files, f)
		}
	}
	for f := range reached {
		add(f)
	}
	for _, d := range list {
		add(fs.File(d.At.Start))
	}
	slices.SortFunc(files, func(a, b *source.File) int {
		return cmp.Or(cmp.Compare(a.Label(), b.Label()), cmp.Compare(a.Base(), b.Base()))
	})
	c.order = append(c.order, files...)
	for f, lines := range reached {
		if r := c.byFile[f]; r != nil && r.ran != nil {
			maps.Copy(r.ran, lines)
		}
	}
	var out []*diag.Diagnostic
	for _, d := range list {
		if d.Code == diag.BadComment { // by who looked for entries
			c.told[d.At] = true
		}
		if d.Code == diag.InternalError || !c.hides(fs, d) {
			out = append(out, d)
		}
	}
	return out
}

// faults are what is wrong with the comments of all files.
func (c *speaking) faults() []*diag.Diagnostic {
	var out []*diag.Diagnostic
	for _, f := range c.order {
		r := c.byFile[f]
		for _, i := range r.ignores {
			if !i.at.IsValid() { // the configuration says it
				continue
			}
			out = append(out, i.faults(i.ran(r.ran))...)
		}
		for _, m := range r.misspelt {
			if !c.told[m.At] {
				out = append(out, diag.New(diag.BadComment, m.At, m.Why))
			}
		}
	}
	return out
}

// hides reports whether a comment hides a diagnostic, and notes which do.
func (c *speaking) hides(fs *source.FileSet, d *diag.Diagnostic) bool {
	p, q := fs.Position(d.At.Start), fs.Position(d.At.End)
	found := false
	if c.byFile[p.File] == nil {
		return false
	}
	for _, i := range c.byFile[p.File].ignores {
		if !i.about(p.Line, max(q.Line, p.Line)) {
			continue
		}
		if i.codes == nil {
			i.used, found = true, true
		}
		for n := range i.codes {
			if i.codes[n].code == d.Code {
				i.codes[n].used, found = true, true
			}
		}
	}
	return found
}

// about reports whether a comment speaks of one of some lines.
func (c *ignore) about(from, to int) bool { return c.to >= from && c.from <= to }

// ran reports whether one of the lines ran of which a comment speaks.
func (c *ignore) ran(lines map[int]bool) bool {
	for n := c.from; n <= c.to; n++ {
		if lines[n] {
			return true
		}
	}
	return false
}

// faults are the findings about a comment. That it hides nothing is one when its
// line ran.
func (c *ignore) faults(ran bool) []*diag.Diagnostic {
	var out []*diag.Diagnostic
	if c.codes == nil && !c.used && ran {
		out = append(out, diag.New(diag.UnusedIgnore, c.at, "nothing is reported here: the comment has no effect"))
	}
	for _, n := range c.codes {
		switch {
		case !n.code.Known():
			out = append(out, diag.New(diag.UnusedIgnore, n.at, "'"+string(n.code)+"' is no code", n.code))
		case !n.used && ran:
			out = append(out, diag.New(diag.UnusedIgnore, n.at, string(n.code)+" is not reported here: the comment has no effect", n.code))
		}
	}
	return out
}

// ignores finds the comments of a file that hide findings, and those that are misspelt.
func ignores(f *source.File) ([]*ignore, []comments.Fault) {
	if !strings.Contains(f.Text(), comments.Marker) {
		return nil, nil
	}
	tree, _ := parser.Parse(f) // its faults are reported elsewhere
	list := comments.Read(f, tree.Comments)
	begin := beginnings(f, tree.LongStrings)
	var out []*ignore
	for _, i := range list.Ignores {
		line, col := f.LineCol(i.At.Start)
		c := &ignore{at: i.At, from: line, to: line}
		if from, ok := begin[line]; ok {
			c.from = from
		}
		if before := strings.TrimSpace(f.Line(line)[:col]); before == "" || before[0] == '#' {
			c.from = nextCode(f, line)
			c.to = c.from
		}
		if i.Codes != nil {
			c.codes = []named{}
		}
		for _, n := range i.Codes {
			c.codes = append(c.codes, named{code: diag.Code(n.Text), at: n.At})
		}
		out = append(out, c)
	}
	return out, list.Faults
}

// beginnings are the lines where strings begin by those where they end. Of strings that share
// a line the first counts.
func beginnings(f *source.File, strings []source.Span) map[int]int {
	out := map[int]int{}
	for _, s := range strings {
		from, _ := f.LineCol(s.Start)
		to, _ := f.LineCol(s.End)
		if first, ok := out[from]; ok {
			from = first
		}
		out[to] = from
	}
	return out
}

// nextCode is the next line that has more than a comment.
func nextCode(f *source.File, line int) int {
	for n := line + 1; n <= f.LineCount(); n++ {
		if t := strings.TrimSpace(f.Line(n)); t != "" && t[0] != '#' {
			return n
		}
	}
	return line
}
