package contract

// This file warns of conditions that tie a declared size to a number or to another
// one: SC412.

import (
	"fmt"
	"slices"
	"strings"

	"shapecheck/infer"
	"shapecheck/internal/diag"
	"shapecheck/internal/source"
	"shapecheck/symshape"
)

// ties adds a warning for each part of the contract that leaves a symbol one value
// only: a number, or what another symbol says. What the program itself demands, by
// an assert or a guard, is left out, and a line that a rule of the dimension lint
// has spoken of.
func (b *builder) ties(r *infer.Result) {
	demanded := b.base
	for i := range b.raw {
		if b.raw[i].Demanded() {
			demanded, _ = demanded.Assume(b.implication(b.raw[i]))
		}
	}
	said := map[place]bool{}
	for _, d := range r.Diagnostics {
		if d.Code == diag.FixedBatch || d.Code == diag.Coincidence || d.Code == diag.AnnotationUndecided {
			said[lineOf(r, d.At)] = true
		}
	}
	declared, tied := b.declared(r), map[*symshape.Expr]bool{}
	defer func() { b.windows(r, demanded, said, declared, tied) }()
	for _, x := range b.parts {
		sym, to := x.cond.Definition()
		tied[sym] = true
		if sym == nil || !declared[sym] || demanded.Decide(x.cond).Answer == symshape.Yes {
			continue
		}
		number, isNumber := to.Const()
		if others := to.Symbols(); !isNumber && (len(others) != 1 || !declared[others[0]]) {
			continue // as many rows as B*T: no tie of two names
		}
		if isNumber && slices.Contains(r.AttributeSizes[sym.String()], number) {
			continue // an attribute's annotation says so
		}
		reasons := slices.DeleteFunc(b.needed(x), func(i int) bool { return b.raw[i].Demanded() })
		if len(reasons) == 0 || slices.ContainsFunc(reasons, func(i int) bool { return said[lineOf(r, b.raw[i].At)] }) {
			continue
		}
		d := diag.New(diag.TiedSizes, b.raw[reasons[0]].At, "", x.cond)
		if isNumber {
			d.Msg = fmt.Sprintf("the size %s may be any number, but this works only where it is %d", sym, number)
			d.Notes = []string{fmt.Sprintf(
				"if that is meant, write %d for %s in the type of the argument, or assert it; else an axis is missing here, or two are swapped",
				number, sym)}
		} else {
			d.Msg = fmt.Sprintf("the sizes %s and %s may be any numbers, but this works only where %s", sym, to, x.cond)
			d.Notes = []string{fmt.Sprintf(
				"if that is meant, write %s for %s in the type of the argument, or assert it; else an axis is missing here, or two are swapped", to,
				sym)}
		}
		if isNumber && number == 1 && !slices.ContainsFunc(reasons, func(i int) bool { return !joins(&b.raw[i], sym) }) {
			d.Fact = diag.Fact{Kind: diag.OneByBranches, Names: []string{sym.String()}}
		}
		if why := what(&b.raw[reasons[0]], x.cond); why != "" {
			d.Notes = append([]string{why}, d.Notes...)
		}
		for _, i := range reasons[1:] {
			if at := b.raw[i].At; at != d.At && !slices.ContainsFunc(d.Related, func(r diag.Related) bool { return r.At == at }) {
				d.Related = append(d.Related, diag.Related{At: at, Msg: "needs it, too"})
			}
		}
		r.Diagnostics = append(r.Diagnostics, d)
	}
}

// windows adds a warning for each symbol that may have a few values only, as a size that is made of it by rounding must be one
// number: W is 17 or 18 where (W-1)//2 must be 8. What the program demands, and symbols that are tied, are left out.
func (b *builder) windows(r *infer.Result, demanded symshape.Facts, said map[place]bool, declared, tied map[*symshape.Expr]bool) {
	warnings := map[*symshape.Expr]*diag.Diagnostic{}
	for i := range b.raw {
		raw := &b.raw[i]
		size, sym, n := raw.Cond.Quotient()
		if size == nil || !declared[sym] || tied[sym] || raw.Demanded() || len(raw.Path) > 0 || said[lineOf(r, raw.At)] ||
			demanded.Decide(raw.Cond).Answer == symshape.Yes {
			continue
		}
		if d := warnings[sym]; d != nil {
			if raw.At != d.At && !slices.ContainsFunc(d.Related, func(r diag.Related) bool { return r.At == raw.At }) {
				d.Related = append(d.Related, diag.Related{At: raw.At, Msg: "needs it, too"})
			}
			continue
		}
		fits, _ := demanded.Assume(raw.Cond)
		lo, hi := fits.Range(sym)
		d := diag.New(diag.TiedSizes, raw.At, fmt.Sprintf("the size %s may be any number, but this works only where %s is %d: for %s from %d to %d",
			sym, size.Compact(), n, sym, lo, hi), raw.Cond)
		d.Notes = []string{fmt.Sprintf(
			"if that is meant, assert it, or write %s=%d..%d in the type of the argument; else an axis is missing here, or two are swapped",
			sym, lo, hi)}
		if why := what(raw, raw.Cond); why != "" {
			d.Notes = append([]string{why}, d.Notes...)
		}
		warnings[sym] = d
		r.Diagnostics = append(r.Diagnostics, d)
	}
}

// joins reports whether a condition is that two tensors that are added, multiplied or joined have as many elements along an axis
// which both have of one symbol.
func joins(c *infer.Condition, sym *symshape.Expr) bool {
	op := strings.Trim(c.Op[strings.LastIndexByte(c.Op, '.')+1:], "_")
	symbols := c.Cond.Symbols()
	return slices.Contains([]string{"add", "iadd", "sub", "mul", "div", "cat"}, op) && c.Cond.IsEquation() && len(symbols) == 1 &&
		symbols[0] == sym
}

// A place is a line of a file.
type place struct {
	file *source.File
	line int
}

func lineOf(r *infer.Result, at source.Span) place {
	p := r.Files.Position(at.Start)
	return place{p.File, p.Line}
}

// declared are the symbols in the types of the arguments.
func (b *builder) declared(r *infer.Result) map[*symshape.Expr]bool {
	out := map[*symshape.Expr]bool{}
	for _, v := range r.Graph.Inputs {
		for _, d := range v.Type.Shape {
			if d.Expr != nil {
				for _, s := range d.Expr.Symbols() {
					out[s] = true
				}
			}
		}
	}
	return out
}
