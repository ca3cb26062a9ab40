package export

// This file says what the conditions of an export leave of the sizes that are dynamic: their
// ranges, or the conditions that a Dim must state. The conditions are those that a run noted
// (Run.Conds). torch.export asks of them, with sympy, whether each declared Dim may have all of its
// range; what it says then is followed here case by case, as its suggestions depend on how the
// conditions are written and not only on what they mean.

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"shapecheck/internal/source"
	"shapecheck/symshape"
)

// A solution is what is known of the symbols of an export. Of the symbols, the declared sizes and
// the run of an export.
type solution struct {
	host  Host
	pool  *symshape.Pool
	dims  []*dynamicSize
	notes *Run
	facts symshape.Facts // of all conditions
	// bounds are the facts of those that are no equations. Equations are left out of bounds, since
	// torch.export reports them otherwise.
	bounds symshape.Facts
	// equals has what a symbol is by an equation with others.
	equals map[*symshape.Expr]*symshape.Expr
	// fixed are the places that fix a symbol.
	fixed map[*symshape.Expr]source.Span
}

// solve collects what the conditions of an export say of its dimensions: those that they fix to a number,
// those that they define by others, and their bounds. Conditions on fresh symbols are left out.
func (p *Program) solve(notes *Run) *solution {
	s := &solution{host: p.host, pool: p.host.Pool(), dims: p.dims, notes: notes,
		equals: map[*symshape.Expr]*symshape.Expr{}, fixed: map[*symshape.Expr]source.Span{}}
	for _, d := range p.dims { // a symbol is neither 0 nor 1
		if d.sym != nil && d.size != nil {
			if f, ok := s.bounds.Assume(s.pool.Ge(d.sym, s.pool.Const(2))); ok {
				s.bounds = f
			}
		}
	}
	// Each part of a condition is assumed by itself, so that it is known which of them fixes a
	// symbol.
	for _, c := range notes.Conds {
		if slices.ContainsFunc(c.Cond.Symbols(), (*symshape.Expr).IsFresh) {
			continue
		}
		for _, part := range c.Cond.Conjuncts() {
			before := s.facts
			if f, ok := s.facts.Assume(part); ok {
				s.facts = f
			}
			for _, sym := range part.Symbols() {
				_, was := before.Only(sym)
				if _, is := s.facts.Only(sym); is && !was {
					s.fixed[sym] = c.At
				}
			}
			if sym, to := s.definition(part); sym != nil && s.equals[sym] == nil {
				s.equals[sym] = to
			}
			if !part.IsEquation() {
				if f, ok := s.bounds.Assume(part); ok {
					s.bounds = f
				}
			}
		}
	}
	for _, d := range s.dims { // the range that a Dim states holds of what it is made of
		if to := s.equals[d.sym]; to != nil && d.kind == namedDim && s.left(to) {
			for _, c := range []*symshape.Cond{s.pool.Ge(to, s.pool.Const(d.lo)), s.pool.Le(to, s.pool.Const(d.hi))} {
				if f, ok := s.bounds.Assume(c); ok {
					s.bounds = f
				}
			}
		}
	}
	return s
}

// left reports whether a size is made of one that torch.export names itself, as of AUTO and DYNAMIC.
func (s *solution) left(to *symshape.Expr) bool {
	symbols := to.Symbols()
	return slices.ContainsFunc(s.dims, func(d *dynamicSize) bool { return d.kind != namedDim && slices.Contains(symbols, d.sym) })
}

// definition is the symbol that an equation between several replaces, and by what: the one that is larger in the example.
func (s *solution) definition(c *symshape.Cond) (sym, to *symshape.Expr) {
	sym, to = c.Definition()
	symbols := c.Symbols()
	if sym == nil || len(symbols) < 2 {
		return nil, nil
	}
	largest := s.example(sym)
	for _, x := range symbols {
		if n := s.example(x); n > largest {
			if e := c.Defines(x); e != nil {
				sym, to, largest = x, e, n
			}
		}
	}
	return sym, to
}

// example is the example of a symbol; 0: it has none.
func (s *solution) example(sym *symshape.Expr) int64 {
	name, _ := sym.IsSymbol()
	n, _ := s.host.Example(name)
	return n
}

// constant is the number that a symbol is.
func (s *solution) constant(sym *symshape.Expr) (int64, bool) { return s.facts.Only(sym) }

// text is a size as the program has it: with numbers for fixed symbols and definitions for those
// that are defined by others. The number of steps bounds definitions in a circle.
func (s *solution) text(e *symshape.Expr) string {
	p := s.pool
	for range 8 {
		next := p.Subst(e, func(sym *symshape.Expr) *symshape.Expr {
			if n, ok := s.constant(sym); ok {
				return p.Const(n)
			}
			return s.equals[sym]
		})
		if next == nil || next == e {
			break
		}
		e = next
	}
	return e.String()
}

// ranges are those of the symbols and of the sizes that are made of them, in the order of the
// arguments, as ExportedProgram.range_constraints has them. The numbers that data decide come last.
func (s *solution) ranges() []Range {
	var out []Range
	done := map[string]bool{}
	add := func(name string, lo, hi int64) {
		if !done[name] {
			done[name] = true
			out = append(out, Range{name, lo, hi})
		}
	}
	own := map[*symshape.Expr]bool{} // Dims that are sizes themselves
	for _, d := range s.dims {
		own[d.sym] = own[d.sym] || d.size == d.sym
	}
	for _, d := range s.dims { // one that is a size of AUTO, too, is neither 0 nor 1
		if to := s.equals[d.sym]; to != nil && d.kind != namedDim {
			delete(own, to)
		}
	}
	for _, d := range s.dims {
		if d.size == nil {
			continue
		}
		// A size that another defines has no range of its own, unless torch.export lists the
		// expression.
		if to := s.equals[d.sym]; to != nil {
			switch _, plain := to.IsSymbol(); {
			case plain || len(to.Symbols()) == 0:
			case d.kind != namedDim:
				lo, hi := s.bounds.Range(to)
				add(to.String(), lo, hi)
			case len(to.Symbols()) > 1 || s.left(to):
				add(to.String(), d.lo, d.hi)
			}
			continue
		}
		if _, ok := s.constant(d.sym); ok {
			continue
		}
		lo, hi := s.bounds.Range(d.sym)
		lo = s.raised(d.sym, lo)
		declared := d.lo
		if d.kind == namedDim {
			lo, hi = d.lo, d.hi
			if !own[d.sym] {
				lo = max(lo, 2)
			}
		}
		// A multiple of a Dim is listed with its own range.
		if d.size != d.sym {
			top := int64(symshape.PosInf)
			if d.hi != symshape.PosInf {
				top = d.factor*d.hi + d.offset
			}
			add(d.size.String(), d.factor*declared+d.offset, top)
		}
		add(d.sym.String(), lo, hi)
	}
	for i, n := range s.notes.data {
		lo, hi := n.lo, n.hi
		name := "u" + strconv.Itoa(i)
		if n.sym != nil {
			// The least value that the operation itself states does not count.
			l, h := s.host.Facts().Range(n.sym)
			lo, hi = max(lo, l), min(hi, h)
			if n.size && l == n.least {
				lo = 0
			}
		}
		add(name, lo, hi)
		if s.notes.strict { // Dynamo makes each twice
			add(name+"'", lo, hi)
		}
	}
	return out
}

// raised is the least size that inequalities with other sizes leave, each by itself: of s0 < s1 with s0 >= 2 it is 3 for s1.
func (s *solution) raised(sym *symshape.Expr, lo int64) int64 {
	p := s.pool
	for _, c := range s.notes.Conds {
		for _, part := range c.Cond.Conjuncts() {
			symbols := part.Symbols()
			if part.NonNegative() == nil || len(symbols) < 2 || !slices.Contains(symbols, sym) || strings.Contains(part.String(), "//") {
				continue
			}
			// The least value of the symbol for which the other sizes leave room.
			for ; lo < 64; lo++ {
				f, _ := (symshape.Facts{}).Assume(p.Eq(sym, p.Const(lo)))
				for _, x := range symbols {
					if least, _ := s.bounds.Range(x); x != sym && least != symshape.NegInf {
						f, _ = f.Assume(p.Ge(x, p.Const(least)))
					}
				}
				if f.Decide(part).Answer != symshape.No {
					break
				}
			}
		}
	}
	return lo
}

// violated says which declared sizes the conditions restrict, with declarations that would be
// right; nil: none. The order is that of the arguments.
func (s *solution) violated() *Error {
	e := &Error{Type: UserError, Kind: ConstraintsViolated}
	text := ""
	fail := func(d *dynamicSize, what string, fixes ...Declaration) {
		name := d.name
		if name == "" {
			name = "a size"
		}
		if text != "" {
			text += "; "
		}
		text += name + " " + what
		e.Fixes = append(e.Fixes, fixes...)
	}
	done := map[*symshape.Expr]bool{}
	for _, d := range s.dims {
		// A size of 0 or 1 in the example makes a Dim fixed.
		if d.size == nil && d.kind == namedDim {
			n := (d.at - d.offset) / d.factor
			fail(d, fmt.Sprintf("is %d in the example, which fixes it", d.at), fixedDim(d.name, n))
			continue
		}
		if d.size == nil || done[d.sym] {
			continue
		}
		done[d.sym] = true
		if to := s.equals[d.sym]; to != nil && d.kind != namedDim && len(to.Symbols()) == 1 && !s.left(to) {
			if _, plain := to.IsSymbol(); !plain { // torch.export takes what a Dim says of a size for all that there is
				fail(d, "is always "+s.inDims(to).String())
				continue
			}
		}
		if d.kind == autoDim {
			continue
		}
		// A symbol that has one value left.
		if n, ok := s.constant(d.sym); ok {
			var fix []Declaration
			if d.kind == namedDim {
				fix = append(fix, fixedDim(d.name, n))
			}
			fail(d, fmt.Sprintf("is always %d", n), fix...)
			if at, ok := s.fixed[d.sym]; ok && s.notes.strict && !e.At.IsValid() {
				e.At = s.host.InProgram(at)
			}
			continue
		}
		if d.kind != namedDim {
			continue
		}
		// A symbol that another one defines.
		if to := s.equals[d.sym]; to != nil {
			if len(to.Symbols()) < 2 && !s.left(to) { // a sum of others is taken as it is
				of := derivedFrom(s.inDims(to))
				fail(d, "is "+of.Text, Declaration{Name: d.name, Kind: Derived, Of: of})
			}
			continue
		}
		s.restricted(d, e, fail)
	}
	if text == "" {
		return nil
	}
	e.Message = "Constraints violated: " + text
	return e
}

// inDims is a size in terms of the names of Dims, as messages have it.
func (s *solution) inDims(e *symshape.Expr) *symshape.Expr {
	return s.pool.Subst(e, func(sym *symshape.Expr) *symshape.Expr {
		for _, d := range s.dims {
			if named := s.pool.Lookup(d.name); d.sym == sym && d.kind == namedDim && named != nil {
				return named
			}
		}
		return sym
	})
}

// restricted says how the conditions on one symbol alone restrict it.
// Declarations that torch.export does not suggest are added to e.
func (s *solution) restricted(d *dynamicSize, e *Error, fail func(d *dynamicSize, what string, fixes ...Declaration)) {
	p, sym := s.pool, d.sym
	var own []*symshape.Cond
	for _, c := range s.notes.Conds {
		if symbols := c.Cond.Symbols(); len(symbols) == 1 && symbols[0] == sym {
			own = append(own, c.Cond)
		}
	}
	none := symshape.Facts{}
	solved := none.Solve(p.And(own...))
	// A remainder that they demand: sym % mod == rest.
	mod, rest := int64(1), int64(0)
	odd := false
	if _, always := solved.Const(); solved != nil && !always {
		for _, c := range solved.Conjuncts() {
			if _, _, ok := c.Bound(sym); ok {
				continue
			}
			n, r, ok := congruence(p, c, sym)
			if !ok || mod > 1 {
				odd = true
				continue
			}
			mod, rest = n, r
		}
	}
	if odd && mod == 1 && s.quotient(own) && !strings.Contains(solved.String(), " + ") { // of one rounded up it takes the example
		mod, rest = s.remainder(d, own)
	}
	// The least value that conditions with other sizes leave.
	lo, hi := s.bounds.Range(sym)
	for slices.ContainsFunc(s.notes.Conds, func(c Condition) bool {
		return len(c.Cond.Symbols()) > 1 &&
			slices.Contains(c.Cond.Symbols(), sym)
	}) && lo < 64 {
		f, ok := s.bounds.Assume(p.Eq(sym, p.Const(lo))) // other sizes may leave no room
		if ok = ok && f.Decide(p.And(s.bounds.Conds()...)).Answer != symshape.No; ok {
			break
		}
		lo++
	}
	least := max(d.lo, 2)
	above, below := lo > least, hi < d.hi
	// Sizes of which only multiples fit are declared as a multiple of another Dim.
	switch {
	case mod > 1:
		inner := "_" + d.name
		// torch.export subtracts, so that the other Dim counts from 1 on.
		shift := int64(0)
		if rest != 0 {
			shift = mod - rest
		}
		of, dim := multipleOf(inner, mod, -shift), Declaration{Name: inner, Dim: inner, Max: symshape.PosInf}
		if from := (lo + shift + mod - 1) / mod; from != 2 {
			dim.Min = from
		}
		if hi != symshape.PosInf {
			dim.Max = (hi + shift) / mod
		}
		fail(d, "is "+of.Text, dim, Declaration{Name: d.name, Kind: Derived, Of: of})
	case above || below:
		dim := rangedDim(d.name, lo, hi)
		if lo <= 2 {
			dim.Min = 0
		}
		what := fmt.Sprintf("is at least %d", lo)
		if below && above {
			what = fmt.Sprintf("is from %d to %d", lo, hi)
		} else if below {
			what = fmt.Sprintf("is at most %d", hi)
		}
		fail(d, what, dim)
		if l, h := s.trimmed(d, lo, hi); l != lo || h != hi {
			least := l
			if l == 2 {
				least = d.lo
			}
			e.Further = append(e.Further, rangedDim(d.name, least, h))
		}
	case s.quotient(own): // of which torch.export takes the example for the only size
		fail(d, "meets "+solved.String(), fixedDim(d.name, (d.at-d.offset)/d.factor))
	case s.narrower(d, lo, hi): // by an equation that is a range, for which torch.export has no suggestion
		l, h := s.facts.Range(sym)
		fail(d, "meets "+solved.String())
		e.Further = append(e.Further, rangedDim(d.name, max(l, d.lo), min(h, d.hi)))
	case odd:
		fail(d, "meets "+solved.String())
	default:
		for _, b := range s.notes.unseen {
			if symbols := b.k.Symbols(); len(symbols) == 1 && symbols[0] == sym && slices.Equal(symbols, b.size.Symbols()) {
				fail(d, fmt.Sprintf("meets %s <= %s, which it does not see to hold always", b.k, b.size))
				return
			}
		}
		for _, c := range s.notes.Apart {
			if symbols := c.Symbols(); len(symbols) == 1 && symbols[0] == sym && none.Decide(c).Answer != symshape.Yes {
				fail(d, "meets "+c.String())
				if l, h := s.trimmed(d, max(d.lo, 2), d.hi); l > max(d.lo, 2) || h != d.hi {
					if l == 2 {
						l = d.lo
					}
					e.Further = append(e.Further, rangedDim(d.name, l, h))
				}
				return
			}
		}
	}
}

// trimmed leaves out the least and the largest sizes that conditions on what is made of them
// exclude: at most a few, as torch.export looks no further.
func (s *solution) trimmed(d *dynamicSize, lo, hi int64) (l, h int64) {
	p := s.pool
	excludes := func(n int64) bool {
		return slices.ContainsFunc(s.notes.Apart, func(c *symshape.Cond) bool {
			symbols := c.Symbols()
			return len(symbols) == 1 && symbols[0] == d.sym && p.SubstCond(c,
				func(*symshape.Expr) *symshape.Expr { return p.Const(n) }) == p.Bool(false)
		})
	}
	const most = 64
	for range most {
		switch {
		case lo < hi && excludes(lo):
			lo++
		case hi != symshape.PosInf && lo < hi && excludes(hi):
			hi--
		}
	}
	return lo, hi
}

// remainder finds the numbers by which torch.export takes a size to be divisible, with the remainder of the example, so that
// conditions with quotients hold: n is 1 where there are none.
func (s *solution) remainder(d *dynamicSize, own []*symshape.Cond) (n, rest int64) {
	p := s.pool
	all := p.And(own...)
	t := p.Fresh("t")
	const most = 64
	for n = 2; n <= most; n++ {
		rest = s.example(d.sym) % n
		e := p.AddConst(p.Mul(p.Const(n), t), rest)
		f, _ := (symshape.Facts{}).Assume(p.Ge(t, p.Const(1)))
		if f.Decide(p.SubstCond(all, func(*symshape.Expr) *symshape.Expr { return e })).Answer == symshape.Yes {
			return n, rest
		}
	}
	return 1, 0
}

// quotient reports whether an equation with a quotient rounded down, such as H//2 == 4, is among conditions on one symbol.
func (s *solution) quotient(own []*symshape.Cond) bool {
	return slices.ContainsFunc(own, func(c *symshape.Cond) bool {
		sym := c.Symbols()[0]
		_, _, divides := congruence(s.pool, c, sym)
		return c.IsEquation() && !divides && c.Defines(sym) == nil && strings.Contains(c.String(), "//")
	})
}

// narrower reports whether all conditions leave a smaller range of a Dim's symbol than from lo to hi.
func (s *solution) narrower(d *dynamicSize, lo, hi int64) bool {
	l, h := s.facts.Range(d.sym)
	return l > max(lo, 2) || h < hi
}

// congruence reads s % n == r: by making each such condition and comparing, as equal conditions are
// one object. ok is false where it is none.
func congruence(p *symshape.Pool, c *symshape.Cond, s *symshape.Expr) (n, r int64, ok bool) {
	const most = 4096
	for n = 2; n <= most; n++ {
		m := p.Mod(s, p.Const(n))
		if c == p.Eq(m, p.Const(0)) {
			return n, 0, true
		}
		if n > 64 {
			continue
		}
		for r = 1; r < n; r++ {
			if c == p.Eq(m, p.Const(r)) {
				return n, r, true
			}
		}
	}
	return 0, 0, false
}
