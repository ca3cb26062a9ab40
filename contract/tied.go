package contract

// This file warns of conditions that tie a declared size to a number or to another
// one: SC412.

import (
	"fmt"
	"slices"
	"strings"

	"shapecheck/infer"
	"shapecheck/infer/graph"
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
		sym, to := x.cond.Repeated().Definition()
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
			d.Msg = fmt.Sprintf("only %s = %d works here", sym, number) + orOne(x.cond) + because(&b.raw[reasons[0]], x.cond)
			d.Notes = []string{fmt.Sprintf(
				"if that is meant, write %d for %s in the type of the argument, or assert it; else an axis is missing here, or two are swapped",
				number, sym)}
		} else {
			d.Msg = fmt.Sprintf("only %s works here", x.cond) + because(&b.raw[reasons[0]], x.cond)
			d.Notes = []string{fmt.Sprintf(
				"if that is meant, write %s for %s in the type of the argument, or assert it; else an axis is missing here, or two are swapped", to,
				sym)}
		}
		if isNumber && number == 1 && !slices.ContainsFunc(reasons, func(i int) bool { return !joins(&b.raw[i], sym) }) {
			d.Fact = diag.Fact{Kind: diag.OneByBranches, Names: []string{sym.String()}}
		}
		if isNumber && d.Fact.Kind == diag.NoFact && meetsFeatures(r.Graph, &b.raw[reasons[0]]) {
			d.Fact = diag.Fact{Kind: diag.MeetsFeatures}
		}
		for _, i := range reasons[1:] {
			if at := b.raw[i].At; at != d.At && !slices.ContainsFunc(d.Related, func(r diag.Related) bool { return r.At == at }) {
				d.Related = append(d.Related, diag.Related{At: at, Msg: "needs it, too"})
			}
		}
		r.Diagnostics = append(r.Diagnostics, d)
	}
}

// orOne says that a size of 1 fits, too, where it is repeated.
func orOne(c *symshape.Cond) string {
	if c.Repeated() == c {
		return ""
	}
	return ", or 1"
}

// because ends a message with what asks for a condition: ": linear needs …", or ", in matmul()".
func because(raw *infer.Condition, part *symshape.Cond) string {
	switch why := what(raw, part); {
	case why == "":
		return ""
	case !strings.Contains(why, " "):
		return ", in " + why + "()"
	default:
		return ": " + why
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
		d := diag.New(diag.TiedSizes, raw.At, fmt.Sprintf("only %s = %d..%d works here, where %s is %d", sym, lo, hi, size.Compact(), n)+
			because(raw, raw.Cond), raw.Cond)
		d.Notes = []string{fmt.Sprintf(
			"if that is meant, assert it, or write %s=%d..%d in the type of the argument; else an axis is missing here, or two are swapped",
			sym, lo, hi)}
		if meetsFeatures(r.Graph, raw) {
			d.Fact = diag.Fact{Kind: diag.MeetsFeatures}
		}
		warnings[sym] = d
		r.Diagnostics = append(r.Diagnostics, d)
	}
}

// meetsFeatures reports whether a condition is that a size of a tensor, which windows or strides made, is a number that the tensor has as
// its channels: the last size for a layer, any of them where another tensor that is made of an input meets it. Then the axes of both
// are confused, and no size is fixed on purpose.
func meetsFeatures(g *graph.Graph, c *infer.Condition) bool {
	pool, made, data, found := c.Cond.Pool(), map[*symshape.Expr]bool{}, map[*graph.Value]bool{}, false
	for _, v := range g.Inputs {
		data[v] = true
	}
	var in func(r *graph.Region)
	in = func(r *graph.Region) {
		for _, n := range r.Nodes {
			for _, sub := range n.Regions {
				in(sub)
			}
			given := tensorsOf(n)
			if slices.ContainsFunc(given, func(v *graph.Value) bool { return data[v] }) {
				for _, o := range n.Outputs {
					data[o] = true
				}
			}
			if n.Spatial > 0 {
				for _, o := range n.Outputs {
					for i, d := range o.Type.Shape {
						if o.Type.Ranked && i >= 2 && d.Expr != nil {
							made[d.Expr] = true
						}
					}
				}
				continue
			}
			if found || n.At != c.At {
				continue
			}
			from := func(int) int { return 2 } // of the sizes that may meet features
			if n.Form != graph.Arithmetic && n.Form != graph.Concat {
				given = given[:min(1, len(given))] // the others are parameters
				from = func(rank int) int { return rank - 1 }
			} else if slices.ContainsFunc(given, func(v *graph.Value) bool { return !data[v] }) {
				continue // a table of positions, which is as large as it is meant to be
			}
			for _, x := range given {
				s := x.Type.Shape
				if len(s) < 3 {
					continue
				}
				channels, number := s[1].Const()
				for _, d := range s[from(len(s)):] {
					if number && made[d.Expr] && !found {
						same := pool.Eq(d.Expr, pool.Const(channels))
						found = same != nil && same.String() == c.Cond.String()
					}
				}
			}
		}
	}
	in(g.Body)
	return found
}

// tensorsOf are the tensors of known rank among the operands of a node.
func tensorsOf(n *graph.Node) []*graph.Value {
	var out []*graph.Value
	for _, a := range n.Args {
		graph.Operands(a.Value, func(v *graph.Value) {
			if v.Type.Ranked && v.Kind == graph.TensorKind {
				out = append(out, v)
			}
		})
	}
	return out
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
