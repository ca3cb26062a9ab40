package report

// This file prints the annotated source: the reached lines of each function that
// computes tensors, with the type of what each line assigns at the right. It is the default output
// of a check of one entry: listing, result, findings, contract, closing line. The language server
// and the HTML report share LineTypes, FunctionLines and Defs.

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"shapecheck/check/record"
	"shapecheck/contract"
	"shapecheck/infer"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/internal/lazyregexp"
	"shapecheck/internal/safetext"
	"shapecheck/internal/source"
	"shapecheck/present/render/text"
)

// Options say how to print for people. The zero value prints without colours and without a limit on
// the width.
type Options struct {
	Style text.Style
	// Width are the columns of the terminal; 0: there is none, and lines of source are as long as they are.
	Width int
	All   bool // all files, not only the entry's
	// Types shows the types of all statements, however many lines that takes.
	Types bool
	// Marks are printed beside the lines, with those that did not run.
	Marks []Mark
	// Seed writes types as chainer-compiler's inference engine wrote them; see seednotation.go.
	Seed bool
	// sizes are those of the result in its expressions. They are set by listing, as they depend on
	// the result.
	sizes seedSizes
	uncut bool // no line of source is cut
}

// pageWidth is how wide text is laid out that goes to no terminal.
const pageWidth = 120

// clip cuts a line of source to n characters.
func (o *Options) clip(s string, n int) string {
	if o.uncut {
		return s
	}
	return clip(s, n)
}

// typeOf writes the type of a value. With Seed it is the notation of the older tool, which is
// compared with its expected files.
func (o *Options) typeOf(v value.Value) string {
	if o.Seed {
		return seedString(v, o.sizes)
	}
	return v.String()
}

// Text prints a result for people. Long listings are left out unless they are asked for, since
// findings would scroll away. Errors of w are not looked at: writers that count are the caller's.
func Text(w io.Writer, r *infer.Result, opt Options) {
	body := opt.listing(r)
	if n := strings.Count(body, "\n"); n > maxShown && !opt.Types && !opt.All {
		fmt.Fprintf(w, "%s\n\n", opt.Style.Paint("2", fmt.Sprintf("%d lines with types are left out: --types shows them", n)))
	} else {
		io.WriteString(w, body)
	}
	c := contract.Of(r)
	if r.Output != nil {
		// Yellow where the type is not fully known or an error stands against it.
		paint := "32"
		if !infer.Known(r.Output) || slices.ContainsFunc(r.Diagnostics, func(d *diag.Diagnostic) bool { return d.Severity == diag.Error }) {
			paint = "33"
		}
		arrow := safetext.Line(r.Entry) + " →"
		// A long type is broken so that its lines stand below each other.
		for i, part := range wrap(safetext.Line(opt.typeOf(c.Result(r))), max(opt.Width-utf8.RuneCountInString(arrow)-1, opt.Width/2)) {
			if i > 0 {
				arrow = strings.Repeat(" ", utf8.RuneCountInString(arrow))
			}
			fmt.Fprintf(w, "%s %s\n", opt.Style.Paint("1", arrow), opt.Style.Paint(paint, part))
		}
	}
	for _, d := range diag.Causes(r.Diagnostics) {
		// Infos are printed only where there are few findings.
		if d.Severity == diag.Info && len(r.Diagnostics) > maxInfos {
			continue
		}
		fmt.Fprintln(w)
		text.Print(w, r.Files, d, opt.Style)
	}
	// The contract has the first three places of each condition.
	if list := record.ContractLines(r, c); len(list) > 0 {
		fmt.Fprintln(w, "\n"+opt.Style.Paint("1", "holds when"))
		for _, x := range list {
			because := ""
			if len(x.Because) > 0 {
				because = opt.Style.Paint("2", "   # "+safetext.Line(strings.Join(first(x.Because, 3), ", ")))
			}
			fmt.Fprintf(w, "    %s%s\n", safetext.Line(x.Condition), because)
		}
		if x := record.ExampleOf(r, c); x != nil && x.Text != "" {
			fmt.Fprintf(w, "    %s\n", opt.Style.Paint("2", safetext.Line(x.Text)))
		}
	}
}

// Listing prints the source with the types of its lines and their marks, whatever length it has. It returns an error
// only where w does.
func Listing(w io.Writer, r *infer.Result, opt Options) error {
	_, err := io.WriteString(w, opt.listing(r))
	return err
}

// listing is the annotated source. It completes the options by what the result needs. Its options
// are completed in place, so that later calls of the caller see them.
func (o *Options) listing(r *infer.Result) string {
	o.Style.Width = o.Width
	if o.Seed {
		o.sizes = seedSizesOf(r.Graph)
	}
	// Without a terminal lines are not cut, but types still need a column.
	if o.uncut = o.Width == 0; o.uncut {
		o.Width = pageWidth
	}
	// Without All only the file of the entry.
	files := []*source.File{}
	for f := range r.Reached {
		if f == r.File || o.All || r.File == nil {
			files = append(files, f)
		}
	}
	// By name, then by the order in which they were read, for the same output at each run.
	slices.SortFunc(files, func(a, b *source.File) int {
		return cmp.Or(cmp.Compare(a.Label(), b.Label()), cmp.Compare(a.Base(), b.Base()))
	})
	byFile := map[*source.File]map[int][]*infer.Line{}
	for _, l := range r.Lines {
		p := r.Files.Position(l.At.Start)
		if byFile[p.File] == nil {
			byFile[p.File] = map[int][]*infer.Line{}
		}
		byFile[p.File][p.Line] = append(byFile[p.File][p.Line], l)
	}
	var body strings.Builder
	for _, f := range files {
		printFile(&body, f, r.Reached[f], byFile[f], *o)
	}
	return body.String()
}

// maxShown is the number of lines up to which the annotated source is shown unasked. It is about
// the height of a terminal.
const maxShown = 40

// maxInfos is the number of diagnostics up to which info lines are shown, too.
const maxInfos = 20

// An ellipsis says that there are more.
func first(list []string, n int) []string {
	if len(list) > n {
		return append(append([]string(nil), list[:n]...), "…")
	}
	return list
}

// Tally is the closing line: what was found, typed and lost. It is the last line of a check,
// without an end of line.
func Tally(r *infer.Result) string {
	s := record.SummaryOf(r.Diagnostics)
	s.Typed, s.Unknown = r.Typed, r.Open
	return tally(&s, record.Causes(r), r.WhyNot, r.Stopped, record.Untaken(r))
}

// Count is how many errors and warnings a result has.
func Count(r *infer.Result) string {
	s := record.SummaryOf(r.Diagnostics)
	return CountOf(&s)
}

// CountOf is how many errors and warnings there are.
func CountOf(s *record.Summary) string {
	parts := []string{count(s.Errors, "error")}
	if s.Warnings > 0 {
		parts = append(parts, count(s.Warnings, "warning"))
	}
	return strings.Join(parts, ", ")
}

// TallyIn is the closing line of the run that a document is of. An error says that it is no
// document. A document has its causes as JSON, which is why reading them may fail.
func TallyIn(s *record.Stored) (string, error) {
	unknown, err := s.Causes()
	return tally(&s.Summary, unknown, s.Unchecked(), s.Stopped, s.Untaken), err
}

// tally says first whether there was anything to check: "no errors" would be wrong. unknown are the
// causes of values whose type is not known, untaken the branches that the run did not take. It has
// the number of errors first, then warnings, typed and unknown values, where the run stopped, and
// branches.
func tally(s *record.Summary, unknown []record.Cause, whyNot, stopped string, untaken []record.Branch) string {
	parts := []string{count(s.Errors, "error")}
	if whyNot != "" && s.Errors == 0 {
		parts[0] = "not checked: " + safetext.Line(whyNot)
	}
	if s.Warnings > 0 {
		// "3 of 5 values typed" only where some are not.
		parts = append(parts, count(s.Warnings, "warning"))
	}
	if s.Unknown > 0 && s.Typed > 0 {
		parts = append(parts, fmt.Sprintf("%d of %s typed", s.Typed, count(s.Typed+s.Unknown, "value")))
	} else {
		parts = append(parts, count(s.Typed, "value")+" typed")
	}
	parts = append(parts, fmt.Sprintf("%d unknown", s.Unknown))
	out := strings.Join(parts, ", ")
	if s.Unknown > 0 {
		out += because(unknown, s.Errors > 0)
	}
	// The reason of a run that did not begin is told already.
	if stopped != "" && stopped != whyNot {
		out += ", " + safetext.Line(stopped) + ": what follows was not checked"
	}
	if whyNot == "" {
		out += outside(untaken)
	}
	return out
}

// shownBranches is the number of branches in the closing line, shownTest the length of a
// condition there.
const (
	shownBranches = 3
	shownTest     = 40
)

// outside says what the run did not take, and how much of it was explored. Explored branches were
// run apart from the main run.
func outside(untaken []record.Branch) string {
	left := slices.DeleteFunc(slices.Clone(untaken), func(b record.Branch) bool { return b.Explored })
	out := ""
	if len(left) > 0 {
		out += ", not taken: " + branches(left)
	}
	switch n := len(untaken) - len(left); {
	case n == 1:
		out += ", 1 branch explored"
	case n > 1:
		out += fmt.Sprintf(", %d branches explored", n)
	}
	return out
}

// branches lists code that was not checked: "net.py:12-15 (self.flash), 30 (not (x)) and 4 more". A
// file is named once, and then only lines until another one comes.
func branches(list []record.Branch) string {
	var parts []string
	file := ""
	for _, b := range list[:min(len(list), shownBranches)] {
		text := fmt.Sprint(b.Line)
		if b.EndLine > b.Line {
			text += fmt.Sprintf("-%d", b.EndLine)
		}
		if b.File != file {
			file = b.File
			text = safetext.Line(file) + ":" + text
		}
		test := []rune(b.Test)
		if len(test) > shownTest {
			test = append(test[:shownTest-1], '…')
		}
		parts = append(parts, fmt.Sprintf("%s (%s)", text, safetext.Line(string(test))))
	}
	out := strings.Join(parts, ", ")
	if n := len(list) - len(parts); n > 0 {
		out += fmt.Sprintf(" and %d more", n)
	}
	return out
}

// shownCauses is the number of causes in the closing line.
const shownCauses = 3

// because lists the heaviest causes of unknown values; told says that an error may have
// been the cause, too, so that only those count that made some. Causes with a file are those in the
// program's text. Errors of a run are likely to be the cause of what is unknown, so that a cause
// without values adds nothing beside one.
func because(unknown []record.Cause, told bool) string {
	var parts []string
	rest := 0
	for _, c := range unknown {
		// The cell of a notebook is part of the place.
		switch {
		case c.File == "":
		case len(parts) < shownCauses && (c.Values > 0 || len(parts) == 0 && !told):
			where := c.File
			if c.Cell > 0 {
				where = fmt.Sprintf("%s:cell %d", where, c.Cell)
			}
			text := fmt.Sprintf("%s:%d: %s", safetext.Line(where), c.Line, safetext.Line(c.Reason))
			if c.Values > 0 {
				text = fmt.Sprintf("%d by %s", c.Values, text)
			}
			parts = append(parts, text)
		default:
			rest += c.Values
		}
	}
	if len(parts) == 0 {
		return ""
	}
	if rest > 0 {
		parts = append(parts, fmt.Sprintf("%d by others", rest))
	}
	return " (" + strings.Join(parts, "; ") + ")"
}

func count(n int, what string) string {
	switch n {
	case 0:
		return "no " + what + "s"
	case 1:
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// printFile prints the lines of a file that have types or marks, with the headers of their functions; types stand in
// one column beside the code, as far as the width allows. Each line has a gutter with its number
// and a bar that shows a mark: × does not run, ┃ kept, ┊ influenced.
func printFile(w io.Writer, f *source.File, reached map[int]bool, typed map[int][]*infer.Line, opt Options) {
	marks := marksOf(f, opt.Marks)
	if len(typed) == 0 && len(marks) == 0 {
		return
	}
	show, headers := functionLines(f, reached, typed, marks)
	digits := len(fmt.Sprint(f.LineCount()))
	heading := func(name string) { fmt.Fprintln(w, opt.Style.Paint("1;4", safetext.Line(filepath.ToSlash(name)))) }
	if f.Notebook == nil {
		heading(f.Label())
	}
	// The widest line that has a type decides the column, but not beyond half of the width.
	widest := 0
	for _, n := range show {
		if m := marks[n]; len(typed[n]) > 0 || m != nil && len(m.places) > 0 {
			widest = max(widest, utf8.RuneCountInString(trimmed(f, n)))
		}
	}
	margin := digits + 4
	typeCol := min(widest, max(opt.Width/2, 36)) + 2
	// The cells of a notebook have headings of their own.
	last, skipping := 0, false
	for _, n := range show {
		where, number := f.Where(n)
		before, _ := f.Where(last)
		if next := f.Notebook != nil && (last == 0 || before != where); next {
			if last > 0 {
				fmt.Fprintln(w)
			}
			heading(where)
		} else if last > 0 && headers[n] {
			fmt.Fprintln(w)
		}
		last = n
		code := trimmed(f, n)
		var notes []note
		if types := safetext.Line(LineTypes(typed[n], opt)); types != "" {
			// Cyan, or yellow where a type is not known.
			color := "36"
			if slices.ContainsFunc(typed[n], func(l *infer.Line) bool { return !infer.Known(l.Type) }) {
				color = "33"
			}
			notes = append(notes, note{types, "→ ", color})
		}
		bar := " │ "
		if m := marks[n]; m != nil {
			text := m.text()
			switch {
			case m.skipped:
				// The text stands at the first of several lines that do not run.
				if bar = " × "; !skipping {
					text = skippedText
				}
			case m.kept:
				bar = " ┃ "
			case m.influenced:
				bar = " ┊ "
			}
			skipping = m.skipped
			if text = safetext.Line(text); text != "" {
				notes = append(notes, note{text, "← ", "35"})
			}
		} else {
			skipping = false
		}
		gutter := opt.Style.Paint("2", fmt.Sprintf("%*d%s", digits, number, bar))
		length := utf8.RuneCountInString(code)
		// The first note fits beside the code; all others are printed below, indented as the code
		// is.
		if len(notes) > 0 && length <= typeCol-2 && margin+typeCol+utf8.RuneCountInString(notes[0].rightNote()) <= opt.Width {
			fmt.Fprintf(w, "%s%s%s%s\n", gutter, code, strings.Repeat(" ", typeCol-length), opt.Style.Paint(notes[0].color, notes[0].rightNote()))
			notes = notes[1:]
		} else {
			fmt.Fprintf(w, "%s%s\n", gutter, opt.clip(code, opt.Width-margin))
		}
		indent := strings.Repeat(" ", len(code)-len(strings.TrimLeft(code, " ")))
		for _, x := range notes {
			arrow := x.arrow
			for _, part := range cut(wrap(x.text, opt.Width-margin-len(indent)-2), maxWrapped) {
				fmt.Fprintf(w, "%s%s%s\n", opt.Style.Paint("2", strings.Repeat(" ", digits)+bar), indent, opt.Style.Paint(x.color, arrow+part))
				arrow = "  "
			}
		}
	}
	fmt.Fprintln(w)
}

// A note is what is printed beside a line of source, or below it after an arrow. Types have the
// arrow "→ ", marks "← ".
type note struct{ text, arrow, color string }

// rightNote is the note at the right of the line: types stand there alone.
func (n note) rightNote() string {
	if n.arrow == "→ " {
		return n.text
	}
	return n.arrow + n.text
}

// skippedText stands at the first of lines that a trace does not have.
const skippedText = "does not run"

// FunctionLines are the lines that ran of the functions that compute tensors, and their headers,
// in order. The language server shows types beside these alone.
func FunctionLines(f *source.File, reached map[int]bool, typed map[int][]*infer.Line) []int {
	show, _ := functionLines(f, reached, typed, nil)
	return show
}

// functionLines gives the headers apart, too: the lines of their defs, and 0 for the module. Marked
// lines are shown, too. A def is shown if it has a line that is typed or marked; the module's own
// lines only if they are typed.
func functionLines(f *source.File, reached map[int]bool, typed map[int][]*infer.Line, marks map[int]*lineMarks) (show []int,
	headers map[int]bool) {
	headers = map[int]bool{}
	defs := DefsOf(f)
	for line := range typed {
		headers[defs.Around(line)] = true
	}
	for line := range marks {
		if strings.TrimSpace(f.Line(line)) != "" {
			show = append(show, line)
			headers[defs.Around(line)] = true
		}
	}
	for line := range reached {
		if h := defs.Around(line); headers[h] && (h > 0 || typed[line] != nil) {
			show = append(show, line)
		}
	}
	for h := range headers {
		if h > 0 {
			show = append(show, h)
		}
	}
	sort.Ints(show)
	return slices.Compact(show), headers
}

// Tabs become four blanks. A hidden file has no text to show.
func trimmed(f *source.File, n int) string {
	if f.Hidden {
		return ""
	}
	return safetext.Line(strings.TrimRight(strings.ReplaceAll(f.Written(n), "\t", "    "), " "))
}

// Widths below ten are not cut to, as nothing would be left.
func clip(s string, n int) string {
	if r := []rune(s); n > 10 && len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}

// maxWrapped is the number of lines that the types of one line take.
const maxWrapped = 4

// maxContexts is the number of different types of one line that are shown.
const maxContexts = 2

// LineTypes writes the types of a line: "x: f32[2,3]", several targets separated
// by two spaces, several contexts by " | ". It returns the empty text for no lines. A count "×3"
// follows where a line ran several times: once for all targets if they ran as often, else after
// each.
func LineTypes(list []*infer.Line, opt Options) string {
	if len(list) == 0 {
		return ""
	}
	var order []string
	byTarget := map[string][]string{}
	calls := map[string]int{}
	for _, l := range list {
		if byTarget[l.Target] == nil {
			order = append(order, l.Target)
		}
		byTarget[l.Target] = append(byTarget[l.Target], opt.typeOf(l.Type))
		calls[l.Target] += l.Count
	}
	same := true // every target met as often
	for _, t := range order {
		same = same && calls[t] == calls[order[0]]
	}
	var parts []string
	for _, t := range order {
		types := dropSimilar(byTarget[t])
		s := strings.Join(first(types, maxContexts), " | ")
		// Three are shown where two and "1 more" would take as much room.
		if len(types) == maxContexts+1 {
			s = strings.Join(types, " | ")
		} else if len(types) > maxContexts {
			s = strings.Join(types[:maxContexts], " | ") + fmt.Sprintf(" | %d more", len(types)-maxContexts)
		}
		// A single target needs no name.
		if len(order) > 1 && t != "return" && t != "" {
			s = t + ": " + s
		}
		if n := calls[t]; n > 1 && !same {
			s += fmt.Sprintf(" ×%d", n)
		}
		parts = append(parts, s)
	}
	if n := calls[order[0]]; n > 1 && same {
		parts = append(parts, fmt.Sprintf("×%d", n))
	}
	return strings.Join(parts, "  ")
}

// fresh are sizes that a run makes up: they differ between passes through a loop. The prefixes are
// those of the names that a run gives to sizes of data.
var fresh = lazyregexp.New(`\b(u|n|w|h|c|i|files|lines)\d+\b`)

// dropSimilar leaves one of types that differ in such sizes alone. Few types are left as they are.
// Of types that differ in a number alone the first one stays.
func dropSimilar(types []string) []string {
	if len(types) <= maxContexts {
		return types
	}
	met := map[string]bool{}
	var out []string
	for _, t := range types {
		form := fresh.ReplaceAllString(t, "$1")
		if !met[form] {
			met[form] = true
			out = append(out, t)
		}
	}
	return out
}

// cut keeps the first lines of a long text of types. The ellipsis takes a line more.
func cut(lines []string, n int) []string {
	if len(lines) <= n {
		return lines
	}
	return append(lines[:n:n], "…")
}

// wrap breaks a text of types after commas, bars and double spaces so that lines
// hold n characters where that is possible. n counts characters. A part without a place to break is
// left longer than n.
func wrap(s string, n int) []string {
	var lines []string
	for isLonger(s, n) {
		// depth is above 0 inside of a shape, which is not broken.
		cut, depth, size := -1, 0, 0
		for i, r := range s {
			if size++; size > n && cut >= 0 {
				break
			}
			switch {
			case r == '[' && i > 0 && s[i-1] >= '0' && s[i-1] <= '9', r == '[' && i > 3 && s[i-4:i] == "bool": // a shape stays whole
				depth++
			case r == ']' && depth > 0:
				depth--
			case r == ' ' && depth == 0 && i+1 < len(s):
				cut = i
			}
		}
		if cut < 0 {
			break
		}
		lines = append(lines, strings.TrimRight(s[:cut], " "))
		s = strings.TrimLeft(s[cut:], " ")
	}
	return append(lines, s)
}

// isLonger reports whether a text has more than n characters. It reads no more of it: texts of types may have millions.
func isLonger(s string, n int) bool {
	for range s {
		if n--; n < 0 {
			return true
		}
	}
	return false
}

// Defs are the lines of the defs around the lines of a file, from 1; 0 where there is none. It has
// one element more than the file has lines, as lines count from 1.
type Defs []int

// DefsOf reads them from the indentation. A parser would be more exact, but files with syntax
// errors, which have no tree, are listed too. Nested functions count as functions of their own.
func DefsOf(f *source.File) Defs {
	out := make(Defs, f.LineCount()+1)
	type opened struct{ indent, def int }
	var around []opened // the lines that the next one may be in, each indented more than that before it
	for n := 1; n <= f.LineCount(); n++ {
		text := f.Line(n)
		body := strings.TrimLeft(text, " \t")
		indent := len(text) - len(body)
		outer := len(around)
		// Blocks that are indented as deep as this line, or deeper, have ended.
		for outer > 0 && around[outer-1].indent >= indent {
			outer--
		}
		if outer > 0 {
			out[n] = around[outer-1].def
		}
		// Empty lines, comments and the closing line of a def's parameters open no block.
		if body == "" || strings.HasPrefix(body, "#") || strings.HasPrefix(body, ")") {
			continue
		}
		def := out[n]
		if strings.HasPrefix(body, "def ") || strings.HasPrefix(body, "async def ") {
			def = n
		}
		around = append(around[:outer], opened{indent, def})
	}
	return out
}

// Around is the line of the def around a line, or 0. It is safe for any line.
func (d Defs) Around(line int) int {
	if line < 0 || line >= len(d) {
		return 0
	}
	return d[line]
}
