package suppress

// This file reads comments that hide findings:
//
//	x = f(x)  # shapecheck: ignore[SC101]  with a reason, if you like
//	# shapecheck: ignore[SC101, SC105]     on a line of its own: for the next line
//	x = f(x)  # shapecheck: ignore         any code
//
// A comment speaks of the findings whose place includes its line.

import (
	"slices"
	"strings"

	"shapecheck/internal/diag"
	"shapecheck/internal/lazyregexp"
	"shapecheck/internal/source"
	"shapecheck/parser"
)

// marker is looked for before a file is parsed for its comments.
const marker = "shapecheck:"

var form = lazyregexp.New(`#\s*shapecheck:\s*ignore(?:\[([^\]]*)\])?`)

// An ignore is one comment.
type ignore struct {
	file *source.File
	at   source.Span
	line int // the line it speaks of
	// codes are those it names, with their places; nil: any.
	codes []named
	used  bool // a comment without codes: it hid something
}

type named struct {
	code diag.Code
	at   source.Span
	used bool
}

// applyComments drops what comments hide and adds what is wrong with comments.
func applyComments(fs *source.FileSet, list []*diag.Diagnostic, reached map[*source.File]map[int]bool) []*diag.Diagnostic {
	byFile := map[*source.File][]*ignore{}
	var order []*source.File
	add := func(f *source.File) {
		if _, met := byFile[f]; f != nil && !met && !f.Prelude {
			byFile[f] = ignores(f)
			order = append(order, f)
		}
	}
	for f := range reached {
		add(f)
	}
	for _, d := range list {
		add(fs.File(d.At.Start))
	}
	slices.SortFunc(order, func(a, b *source.File) int { return int(a.Base()) - int(b.Base()) })
	var out []*diag.Diagnostic
	for _, d := range list {
		if d.Code == diag.InternalError || !hidden(fs, byFile, d) {
			out = append(out, d)
		}
	}
	for _, f := range order {
		for _, c := range byFile[f] {
			out = append(out, c.faults(reached[f][c.line])...)
		}
	}
	return out
}

func hidden(fs *source.FileSet, byFile map[*source.File][]*ignore, d *diag.Diagnostic) bool {
	p, q := fs.Position(d.At.Start), fs.Position(d.At.End)
	found := false
	for _, c := range byFile[p.File] {
		if c.line < p.Line || c.line > max(q.Line, p.Line) {
			continue
		}
		if c.codes == nil {
			c.used, found = true, true
		}
		for i := range c.codes {
			if c.codes[i].code == d.Code {
				c.codes[i].used, found = true, true
			}
		}
	}
	return found
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

// ignores finds the comments of a file.
func ignores(f *source.File) []*ignore {
	if !strings.Contains(f.Text(), marker) {
		return nil
	}
	tree, _ := parser.Parse(f) // its faults are reported elsewhere
	var out []*ignore
	for _, at := range tree.Comments {
		text := f.Slice(at)
		m := form.FindStringSubmatchIndex(text)
		if m == nil {
			continue
		}
		line, col := f.LineCol(at.Start)
		c := &ignore{file: f, at: source.Span{Start: at.Start + source.Pos(m[0]), End: at.Start + source.Pos(m[1])}, line: line}
		if strings.TrimSpace(f.Line(line)[:col]) == "" {
			c.line = nextCode(f, line)
		}
		if m[2] >= 0 {
			c.codes = []named{}
			offset := m[2]
			for _, part := range strings.Split(text[m[2]:m[3]], ",") {
				name := strings.TrimSpace(part)
				start := at.Start + source.Pos(offset+strings.Index(part, name))
				if name != "" {
					c.codes = append(c.codes, named{code: diag.Code(name), at: source.Span{Start: start, End: start + source.Pos(len(name))}})
				}
				offset += len(part) + 1
			}
		}
		out = append(out, c)
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
