package summary

// This file prints the table. The columns are those of torchinfo: the layer, its input and output,
// parameters, multiply-adds. A cell shows a number where the sizes are given or the run knows it,
// and otherwise the expression in the symbols; a cell that is too long is cut, but totals are
// never. Everything that the checked program names passes safetext.

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"shapecheck/contract"
	"shapecheck/internal/safetext"
	"shapecheck/symshape"
)

// Options say how to print. Sizes and Misfits have one length, or Misfits is nil.
type Options struct {
	// Sizes are values for the totals, a set for each.
	Sizes []Sizes
	// Misfits are what breaks the contract, for each of Sizes; there are no numbers for sizes that do.
	Misfits [][]contract.Misfit
	// Depth is the nesting to which modules are shown; 0 means all.
	Depth int
	// Paint colours a text; nil: no colours.
	Paint func(code, text string) string
}

// misfits are what breaks the contract of a set of sizes.
func (o *Options) misfits(i int) []contract.Misfit {
	if i < len(o.Misfits) {
		return o.Misfits[i]
	}
	return nil
}

// none stands for what does not apply, and unknown for what is not known.
const (
	none      = "--"
	unknown   = "?"
	maxColumn = 48 // characters of a column
)

// Text prints the table and the totals. The numbers in the table are those of the
// first set of sizes where there is one. Sizes that break the contract are not used in the table.
// Errors of writing are not told.
func Text(w io.Writer, s *Summary, opt Options) {
	paint := opt.Paint
	if paint == nil {
		paint = func(_, text string) string { return text }
	}
	var sizes Sizes
	if len(opt.Sizes) > 0 && len(opt.misfits(0)) == 0 {
		sizes = opt.Sizes[0]
	}
	table := [][]string{{"Layer (name): depth-index", "Input", "Output", "Params", "Trainable", "Mult-adds", "Output size"}}
	// The tree is drawn for the rows that are shown.
	branches := prefixes(s.Rows, opt.Depth)
	shown := map[*Row]bool{}
	for i, r := range s.Rows {
		if opt.Depth > 0 && r.Depth > opt.Depth {
			continue
		}
		shown[r] = true
		row := s.cells(r, branches[i], sizes, opt.Depth > 0 && r.Depth == opt.Depth)
		for i, c := range row {
			row[i] = safetext.Line(c)
		}
		table = append(table, row)
	}
	// Numbers are aligned at the right.
	right := []bool{false, false, false, true, false, true, true}
	widths := make([]int, len(table[0]))
	for _, row := range table {
		for i, c := range row {
			// Widths count characters, which is right for all but wide ones.
			widths[i] = max(widths[i], utf8.RuneCountInString(c))
		}
	}
	total := 2 * (len(widths) - 1)
	for _, n := range widths {
		total += n
	}
	rule := strings.Repeat("─", total)
	for i, row := range table {
		var b strings.Builder
		for j, c := range row {
			gap := strings.Repeat(" ", widths[j]-utf8.RuneCountInString(c))
			if j > 0 {
				b.WriteString("  ")
			}
			if right[j] {
				c, gap = gap, c
			}
			b.WriteString(c + gap)
		}
		line := strings.TrimRight(b.String(), " ")
		if i == 0 {
			// Code 1 is bold.
			line = paint("1", line) + "\n" + rule
		}
		fmt.Fprintln(w, line)
	}
	fmt.Fprintln(w, rule)
	s.printTotals(w, opt)
}

// prefixes draws the branches of the tree before each row. The rows are in depth-first order. They
// are walked from the end, because whether a branch goes on below a row depends on the rows after
// it; a row beyond the depth has a prefix that nobody reads.
func prefixes(rows []*Row, depth int) []string {
	out := make([]string, len(rows))
	var follows []bool // by depth: whether a row of that depth follows below the same one
	for i := len(rows) - 1; i >= 0; i-- {
		r := rows[i]
		for len(follows) <= r.Depth {
			follows = append(follows, false)
		}
		var b strings.Builder
		for d := 1; d < r.Depth; d++ {
			if follows[d] {
				b.WriteString("│  ")
			} else {
				b.WriteString("   ")
			}
		}
		switch {
		case r.Depth == 0:
		case follows[r.Depth]:
			b.WriteString("├─ ")
		default:
			b.WriteString("└─ ")
		}
		// A row ends the branches of all deeper ones above it.
		if out[i] = b.String(); depth == 0 || r.Depth <= depth {
			follows = append(follows[:r.Depth], true)
		}
	}
	return out
}

// deepest says that the modules in r are not shown, so r stands for them with all their parameters.
func (s *Summary) cells(r *Row, prefix string, sizes Sizes, deepest bool) []string {
	name := r.Class
	if r.Name != "" && r.Depth > 0 {
		name += " (" + r.Name + ")"
	}
	if r.Depth > 0 {
		name += fmt.Sprintf(": %d-%d", r.Depth, r.Index)
	}
	if r.More > 0 {
		name += fmt.Sprintf(" and %d more like it", r.More)
	}
	// A row with others below it counts only its own parameters, since theirs are in their rows.
	whole := r.Leaf || deepest
	params := r.Own
	if whole {
		params = r.Params
	}
	p, trainable := none, r.Trainable
	switch {
	case r.Trainable == "": // there are none
		trainable = none
	// A module that is called again, or whose parameters another one has, would count twice.
	case r.Again:
		p = "(again)"
	case r.Shared:
		p = "(shared)"
	case !isZero(params):
		p = amount(params, sizes)
	}
	macs, out := none, none
	// Modules that were not called have no costs.
	if r.Called && whole && !isZero(r.MultAdds) {
		macs = amount(r.MultAdds, sizes)
	}
	if r.Called {
		out = size(r.OutputBytes, sizes)
	}
	return []string{prefix + name, orNone(clip(r.Input)), orNone(clip(r.Output)), p, trainable, macs, out}
}

// Whether a number is 0 for all sizes.
func isZero(d symshape.Dim) bool {
	n, ok := d.Const()
	return ok && n == 0
}

func orNone(s string) string {
	if s == "" {
		return none
	}
	return s
}

// The last character becomes an ellipsis.
func clip(s string) string {
	if r := []rune(s); len(r) > maxColumn {
		return string(r[:maxColumn-1]) + "…"
	}
	return s
}

// Totals of parameters do not depend on sizes; the costs are printed for each set of them, or why
// there are none.
func (s *Summary) printTotals(w io.Writer, opt Options) {
	p := s.res.Pool
	frozen := p.DimSub(s.Params, s.Trainable)
	line := func(name, value string) { fmt.Fprintf(w, "%-32s%s\n", name, value) }
	line("Parameters", full(s.Params, nil))
	line("  trainable", full(s.Trainable, nil))
	line("  not trainable", full(frozen, nil))
	line("Elements of buffers", full(s.Buffers, nil))
	sets := opt.Sizes
	if len(sets) == 0 {
		sets = []Sizes{nil}
	}
	for i, sizes := range sets {
		if len(sizes) > 0 {
			fmt.Fprintf(w, "\nwith %s\n", sizes)
		}
		if list := opt.misfits(i); len(list) > 0 {
			for _, m := range list {
				fmt.Fprintln(w, m)
			}
			continue
		}
		line("Mult-adds (as torchinfo counts)", full(s.MultAdds, sizes))
		line("Mult-adds of all operators", full(s.OpMultAdds, sizes))
		line("Input", fullSize(s.InputBytes, sizes))
		line("Forward/backward pass", fullSize(s.PassBytes, sizes))
		line("Parameters", fullSize(s.ParamBytes, sizes))
		line("Peak of activations", s.peak(sizes))
	}
	for _, u := range s.Uncounted {
		fmt.Fprintln(w, "note: "+safetext.Line(u))
	}
}

// The highest of the memory that activations take at one time: a number with the place, an
// expression, the greatest of up to three expressions, or the advice to give sizes.
func (s *Summary) peak(sizes Sizes) string {
	if m, n, ok := s.Peak.At(sizes); ok {
		text := Memory(n)
		if p := s.res.Files.Position(m.At.Start); p.File != nil {
			text += " at " + safetext.Line(p.Place())
		}
		return text
	}
	if s.Peak.Bytes.Expr != nil {
		return Expr(s.Peak.Bytes, sizes) + " bytes"
	}
	if n := len(s.Peak.Candidates); n > 1 && n <= 3 {
		var parts []string
		for _, c := range s.Peak.Candidates {
			parts = append(parts, Expr(c.Bytes, sizes))
		}
		return "max(" + strings.Join(parts, ", ") + ") bytes"
	}
	return "depends on the sizes; give them with --at"
}

// amount writes a number as a cell: of the sizes, of the run, or the expression. A number has its
// thousands separated.
func amount(d symshape.Dim, sizes Sizes) string {
	if n, ok := At(d, sizes); ok {
		return grouped(n)
	}
	if d.Expr == nil {
		return unknown
	}
	return clip(Expr(d, sizes))
}

// size is amount with a unit of memory.
func size(d symshape.Dim, sizes Sizes) string {
	if n, ok := At(d, sizes); ok {
		return Memory(n)
	}
	if d.Expr == nil {
		return unknown
	}
	return clip(Expr(d, sizes) + " B")
}

// full writes a number as a total: in full, and rounded where it is large.
func full(d symshape.Dim, sizes Sizes) string {
	if n, ok := At(d, sizes); ok {
		return grouped(n) + rounded(n)
	}
	if d.Expr == nil {
		return unknown
	}
	return Expr(d, sizes)
}

// fullSize is full for memory.
func fullSize(d symshape.Dim, sizes Sizes) string {
	if n, ok := At(d, sizes); ok {
		return Memory(n)
	}
	if d.Expr == nil {
		return unknown
	}
	return Expr(d, sizes) + " bytes"
}

// From the largest to the smallest, all decimal.
var units = []struct {
	size int64
	name string
}{{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}}

// Empty below a million, where the number itself is short enough.
func rounded(n int64) string {
	for _, u := range units[:3] {
		if n >= u.size {
			return fmt.Sprintf(" (%.2f %s)", float64(n)/float64(u.size), u.name)
		}
	}
	return ""
}

// Rounded is a number with a unit where it is large: 11.69 M.
func Rounded(n int64) string {
	if s := rounded(n); s != "" {
		return strings.Trim(s, " ()")
	}
	return grouped(n)
}

// Memory writes an amount of memory in decimal units, as torchinfo does.
func Memory(n int64) string {
	for _, u := range units {
		if n >= u.size {
			return fmt.Sprintf("%.2f %sB", float64(n)/float64(u.size), u.name)
		}
	}
	return strconv.FormatInt(n, 10) + " B"
}

// Commas between groups of three digits; a sign is no digit.
func grouped(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
