package infer

// This file says what the conditions of an export leave of the sizes that are dynamic: their
// ranges, or the conditions that a Dim must state.

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"shapecheck/infer/value"
	"shapecheck/internal/source"
	"shapecheck/symshape"
)

// exportOutcome is what torch.export makes of a run of the body; nil: that is not known.
func (in *Interp) exportOutcome(m *exportMaker, x *exported, body *TracedCall, notes *exporting) *ExportOutcome {
	out := &ExportOutcome{Strict: notes.strict}
	switch {
	case notes.fault != nil:
		f := notes.fault
		out.Error = &ExportError{Type: f.class, Kind: f.kind, Message: f.text, At: in.inProgram(f.at)}
		return out
	case notes.missed:
		return nil
	case body.Error != nil:
		e := body.Error
		out.Error = &ExportError{Type: e.Value.Class.Name, Kind: "other", Message: errorText(e), At: in.ownPlace(e), exception: e}
		if e.Value.Class.Name == "UncapturedHigherOrderOpError" || notes.strict {
			out.Error.Kind = "unsupported"
		}
		return out
	}
	s := in.newExportSizes(m, notes)
	if out.Error = s.violated(); out.Error != nil {
		return out
	}
	for _, l := range x.leaves {
		in := ExportInput{Name: l.name}
		if t, ok := l.given.(*value.Tensor); ok && t.Type().Ranked {
			in.Sizes = []string{}
			for i, d := range t.Type().Shape {
				text := d.String()
				if l.dims[i] != nil && l.dims[i].size != nil {
					text = s.text(l.dims[i].size)
				}
				in.Sizes = append(in.Sizes, text)
			}
		} else if len(l.dims) == 1 {
			in.Text = s.text(l.dims[0].size)
		} else {
			in.Text = scalarText(l.given)
		}
		out.Inputs = append(out.Inputs, in)
	}
	out.Ranges = s.ranges()
	return out
}

// scalarText is an argument that is no tensor: a number as Python has it.
func scalarText(v value.Value) string {
	switch v := v.(type) {
	case value.Int:
		return strconv.FormatInt(int64(v), 10)
	case value.Str:
		return string(v)
	case value.Bool:
		if v {
			return "True"
		}
		return "False"
	case value.Float:
		return strconv.FormatFloat(float64(v), 'g', -1, 64)
	}
	return v.String()
}

// inProgram is a place where it is in the file that runs or under an entry, else invalid.
func (in *Interp) inProgram(at source.Span) source.Span {
	top := in.topStatement()
	if at.IsValid() && in.cfg.Trace != nil { // of an entry
		return at
	}
	if !at.IsValid() || !top.IsValid() || in.files.Position(at.Start).File != in.files.Position(top.Start).File || at == top {
		return source.Span{}
	}
	return at
}

// exportSizes is what is known of the symbols of an export.
type exportSizes struct {
	in    *Interp
	dims  []*exportDim
	notes *exporting
	facts symshape.Facts // of all conditions
	// bounds are the facts of those that are no equations.
	bounds symshape.Facts
	equals map[*symshape.Expr]*symshape.Expr
	// fixed are the places that fix a symbol.
	fixed map[*symshape.Expr]source.Span
}

// newExportSizes collects what the conditions of an export say of its dimensions: those that they fix to a number,
// those that they define by others, and their bounds. Conditions on fresh symbols are left out.
func (in *Interp) newExportSizes(m *exportMaker, notes *exporting) *exportSizes {
	s := &exportSizes{in: in, dims: m.dims, notes: notes, equals: map[*symshape.Expr]*symshape.Expr{}, fixed: map[*symshape.Expr]source.Span{}}
	for _, d := range m.dims { // a symbol is neither 0 nor 1
		if d.sym != nil && d.size != nil {
			if f, ok := s.bounds.Assume(in.pool.Ge(d.sym, in.pool.Const(2))); ok {
				s.bounds = f
			}
		}
	}
	for _, c := range notes.conds {
		if slices.ContainsFunc(c.c.Symbols(), (*symshape.Expr).IsFresh) {
			continue
		}
		for _, part := range c.c.Conjuncts() {
			before := s.facts
			if f, ok := s.facts.Assume(part); ok {
				s.facts = f
			}
			for _, sym := range part.Symbols() {
				_, was := onlyValue(before, sym)
				if _, is := onlyValue(s.facts, sym); is && !was {
					s.fixed[sym] = c.at
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
		if to := s.equals[d.sym]; to != nil && d.kind == "dim" && s.left(to) {
			for _, c := range []*symshape.Cond{in.pool.Ge(to, in.pool.Const(d.lo)), in.pool.Le(to, in.pool.Const(d.hi))} {
				if f, ok := s.bounds.Assume(c); ok {
					s.bounds = f
				}
			}
		}
	}
	return s
}

// left reports whether a size is made of one that torch.export names itself, as of AUTO and DYNAMIC.
func (s *exportSizes) left(to *symshape.Expr) bool {
	symbols := to.Symbols()
	return slices.ContainsFunc(s.dims, func(d *exportDim) bool { return d.kind != "dim" && slices.Contains(symbols, d.sym) })
}

// definition is the symbol that an equation between several replaces, and by what: the one that is larger in the example.
func (s *exportSizes) definition(c *symshape.Cond) (sym, to *symshape.Expr) {
	sym, to = c.Definition()
	symbols := c.Symbols()
	if sym == nil || len(symbols) < 2 {
		return nil, nil
	}
	largest := s.in.exampleOf(sym)
	for _, x := range symbols {
		if n := s.in.exampleOf(x); n > largest {
			if e := c.Defines(x); e != nil {
				sym, to, largest = x, e, n
			}
		}
	}
	return sym, to
}

// exampleOf is the example of a symbol; 0: it has none.
func (in *Interp) exampleOf(sym *symshape.Expr) int64 {
	name, _ := sym.IsSymbol()
	return in.examples[name]
}

// constant is the number that a symbol is.
func (s *exportSizes) constant(sym *symshape.Expr) (int64, bool) { return onlyValue(s.facts, sym) }

// onlyValue is the number that a symbol is, where it can be one only.
func onlyValue(f symshape.Facts, sym *symshape.Expr) (int64, bool) {
	lo, hi := f.Range(sym)
	return lo, lo == hi
}

// text is a size as the program has it.
func (s *exportSizes) text(e *symshape.Expr) string {
	p := s.in.pool
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

// ranges are those of the symbols and of the sizes that are made of them.
func (s *exportSizes) ranges() []ExportRange {
	var out []ExportRange
	done := map[string]bool{}
	add := func(name string, lo, hi int64) {
		if !done[name] {
			done[name] = true
			out = append(out, ExportRange{name, lo, hi})
		}
	}
	own := map[*symshape.Expr]bool{} // Dims that are sizes themselves
	for _, d := range s.dims {
		own[d.sym] = own[d.sym] || d.size == d.sym
	}
	for _, d := range s.dims { // one that is a size of AUTO, too, is neither 0 nor 1
		if to := s.equals[d.sym]; to != nil && d.kind != "dim" {
			delete(own, to)
		}
	}
	for _, d := range s.dims {
		if d.size == nil {
			continue
		}
		if to := s.equals[d.sym]; to != nil {
			switch _, plain := to.IsSymbol(); {
			case plain || len(to.Symbols()) == 0:
			case d.kind != "dim":
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
		if d.kind == "dim" {
			lo, hi = d.lo, d.hi
			if !own[d.sym] {
				lo = max(lo, 2)
			}
		}
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
			l, h := s.in.path.facts.Range(n.sym)
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
func (s *exportSizes) raised(sym *symshape.Expr, lo int64) int64 {
	p := s.in.pool
	for _, c := range s.notes.conds {
		for _, part := range c.c.Conjuncts() {
			symbols := part.Symbols()
			if part.NonNegative() == nil || len(symbols) < 2 || !slices.Contains(symbols, sym) || strings.Contains(part.String(), "//") {
				continue
			}
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

// violated says which declared sizes the conditions restrict; nil: none.
func (s *exportSizes) violated() *ExportError {
	e := &ExportError{Type: userError, Kind: "constraints violated"}
	text := ""
	fail := func(d *exportDim, what string, fixes ...string) {
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
		if d.size == nil && d.kind == "dim" {
			n := (d.at - d.offset) / d.factor
			fail(d, fmt.Sprintf("is %d in the example, which fixes it", d.at), fmt.Sprintf("%s = %d", d.name, n))
			continue
		}
		if d.size == nil || done[d.sym] {
			continue
		}
		done[d.sym] = true
		if to := s.equals[d.sym]; to != nil && d.kind != "dim" && len(to.Symbols()) == 1 && !s.left(to) {
			if _, plain := to.IsSymbol(); !plain { // torch.export takes what a Dim says of a size for all that there is
				fail(d, "is always "+s.inDims(to))
				continue
			}
		}
		if d.kind == "auto" {
			continue
		}
		if n, ok := s.constant(d.sym); ok {
			fix := []string{fmt.Sprintf("%s = %d", d.name, n)}
			if d.kind != "dim" {
				fix = nil
			}
			fail(d, fmt.Sprintf("is always %d", n), fix...)
			if at, ok := s.fixed[d.sym]; ok && s.notes.strict && !e.At.IsValid() {
				e.At = s.in.inProgram(at)
			}
			continue
		}
		if d.kind != "dim" {
			continue
		}
		if to := s.equals[d.sym]; to != nil {
			if len(to.Symbols()) < 2 && !s.left(to) { // a sum of others is taken as it is
				text := s.inDims(to)
				fail(d, "is "+text, d.name+" = "+text)
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

// inDims is a size in terms of the names of Dims.
func (s *exportSizes) inDims(e *symshape.Expr) string {
	return s.in.pool.Subst(e, func(sym *symshape.Expr) *symshape.Expr {
		for _, d := range s.dims {
			if named := s.in.pool.Lookup(d.name); d.sym == sym && d.kind == "dim" && named != nil {
				return named
			}
		}
		return sym
	}).String()
}

// restricted says how the conditions on one symbol alone restrict it.
// Declarations that torch.export does not suggest are added to e.
func (s *exportSizes) restricted(d *exportDim, e *ExportError, fail func(d *exportDim, what string, fixes ...string)) {
	p, sym := s.in.pool, d.sym
	var own []*symshape.Cond
	for _, c := range s.notes.conds {
		if symbols := c.c.Symbols(); len(symbols) == 1 && symbols[0] == sym {
			own = append(own, c.c)
		}
	}
	none := symshape.Facts{}
	solved := none.Solve(p.And(own...))
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
	lo, hi := s.bounds.Range(sym)
	for slices.ContainsFunc(s.notes.conds, func(c exportCond) bool {
		return len(c.c.Symbols()) > 1 &&
			slices.Contains(c.c.Symbols(), sym)
	}) && lo < 64 {
		f, ok := s.bounds.Assume(p.Eq(sym, p.Const(lo))) // other sizes may leave no room
		if ok = ok && f.Decide(p.And(s.bounds.Conds()...)).Answer != symshape.No; ok {
			break
		}
		lo++
	}
	least := max(d.lo, 2)
	above, below := lo > least, hi < d.hi
	switch {
	case mod > 1:
		inner := "_" + d.name
		base := fmt.Sprintf("%d*%s", mod, inner)
		shift := int64(0)
		if rest != 0 {
			shift = mod - rest
			base += fmt.Sprintf(" - %d", shift)
		}
		from := (lo + shift + mod - 1) / mod
		args := fmt.Sprintf("'%s'", inner)
		if from != 2 {
			args += fmt.Sprintf(", min=%d", from)
		}
		if hi == symshape.PosInf {
			args += ", max=oo"
		} else {
			args += fmt.Sprintf(", max=%d", (hi+shift)/mod)
		}
		fail(d, "is "+base, fmt.Sprintf("%s = Dim(%s)", inner, args), d.name+" = "+base)
	case above || below:
		args := fmt.Sprintf("'%s'", d.name)
		if lo > 2 {
			args += fmt.Sprintf(", min=%d", lo)
		}
		if hi != symshape.PosInf {
			args += fmt.Sprintf(", max=%d", hi)
		}
		what := fmt.Sprintf("is at least %d", lo)
		if below && above {
			what = fmt.Sprintf("is from %d to %d", lo, hi)
		} else if below {
			what = fmt.Sprintf("is at most %d", hi)
		}
		fail(d, what, fmt.Sprintf("%s = Dim(%s)", d.name, args))
		if l, h := s.trimmed(d, lo, hi); l != lo || h != hi {
			least := l
			if l == 2 {
				least = d.lo
			}
			e.Further = append(e.Further, dimDeclaration(d.name, least, h))
		}
	case s.quotient(own): // of which torch.export takes the example for the only size
		fail(d, "meets "+solved.String(), fmt.Sprintf("%s = %d", d.name, (d.at-d.offset)/d.factor))
	case s.narrower(d, lo, hi): // by an equation that is a range, for which torch.export has no suggestion
		l, h := s.facts.Range(sym)
		fail(d, "meets "+solved.String())
		e.Further = append(e.Further, dimDeclaration(d.name, max(l, d.lo), min(h, d.hi)))
	case odd:
		fail(d, "meets "+solved.String())
	default:
		for _, b := range s.notes.unseen {
			if symbols := b.k.Symbols(); len(symbols) == 1 && symbols[0] == sym && slices.Equal(symbols, b.size.Symbols()) {
				fail(d, fmt.Sprintf("meets %s <= %s, which it does not see to hold always", b.k, b.size))
				return
			}
		}
		for _, c := range s.notes.apart {
			if symbols := c.Symbols(); len(symbols) == 1 && symbols[0] == sym && none.Decide(c).Answer != symshape.Yes {
				fail(d, "meets "+c.String())
				if l, h := s.trimmed(d, max(d.lo, 2), d.hi); l > max(d.lo, 2) || h != d.hi {
					if l == 2 {
						l = d.lo
					}
					e.Further = append(e.Further, dimDeclaration(d.name, l, h))
				}
				return
			}
		}
	}
}

// trimmed leaves out the least and the largest sizes that conditions on what is made of them exclude.
func (s *exportSizes) trimmed(d *exportDim, lo, hi int64) (l, h int64) {
	p := s.in.pool
	excludes := func(n int64) bool {
		return slices.ContainsFunc(s.notes.apart, func(c *symshape.Cond) bool {
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

// dimDeclaration declares a Dim.
func dimDeclaration(name string, lo, hi int64) string {
	args := fmt.Sprintf("'%s'", name)
	if lo > 0 {
		args += fmt.Sprintf(", min=%d", lo)
	}
	if hi != symshape.PosInf {
		args += fmt.Sprintf(", max=%d", hi)
	}
	return name + " = Dim(" + args + ")"
}

// remainder finds the numbers by which torch.export takes a size to be divisible, with the remainder of the example, so that
// conditions with quotients hold: n is 1 where there are none.
func (s *exportSizes) remainder(d *exportDim, own []*symshape.Cond) (n, rest int64) {
	p := s.in.pool
	all := p.And(own...)
	t := p.Fresh("t")
	const most = 64
	for n = 2; n <= most; n++ {
		rest = s.in.exampleOf(d.sym) % n
		e := p.AddConst(p.Mul(p.Const(n), t), rest)
		f, _ := (symshape.Facts{}).Assume(p.Ge(t, p.Const(1)))
		if f.Decide(p.SubstCond(all, func(*symshape.Expr) *symshape.Expr { return e })).Answer == symshape.Yes {
			return n, rest
		}
	}
	return 1, 0
}

// quotient reports whether an equation with a quotient rounded down, such as H//2 == 4, is among conditions on one symbol.
func (s *exportSizes) quotient(own []*symshape.Cond) bool {
	return slices.ContainsFunc(own, func(c *symshape.Cond) bool {
		sym := c.Symbols()[0]
		_, _, divides := congruence(s.in.pool, c, sym)
		return c.IsEquation() && !divides && c.Defines(sym) == nil && strings.Contains(c.String(), "//")
	})
}

// narrower reports whether all conditions leave a smaller range of a Dim's symbol than from lo to hi.
func (s *exportSizes) narrower(d *exportDim, lo, hi int64) bool {
	l, h := s.facts.Range(d.sym)
	return l > max(lo, 2) || h < hi
}

// congruence reads s % n == r.
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
