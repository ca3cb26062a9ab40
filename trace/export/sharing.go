package export

// This file finds which sizes of an entry's contract share a trace: it runs the entry as a tracer does with example sizes,
// then with sizes that this trace does not serve, and so on. text.go writes the call of the tracer.

import (
	"slices"

	"shapecheck/infer/value"
	"shapecheck/internal/source"
	"shapecheck/symshape"
)

// The tracers for which TraceSpec.For asks.
const (
	ForExport  = "torch.export"
	ForTrace   = "jit.trace"
	ForONNX    = "onnx"
	ForCompile = "compile"
	ForJAX     = "jax"
	ForTF      = "tf"
)

// Tracers are the values of TraceSpec.For.
var Tracers = []string{ForExport, ForTrace, ForONNX, ForCompile, ForJAX, ForTF}

// A Sharing says which sizes of an entry's contract share a trace of a tracer.
type Sharing struct {
	For string
	// Inputs are the arguments as types with the symbols of the contract.
	Inputs []string
	// Classes are sets of sizes that share a trace, in the order in which they were found: the first is the one of Text.
	// Complete says that there are no others.
	Classes  []*Class
	Complete bool
	// Each are the sizes of which every value needs a trace of its own.
	Each []*symshape.Expr
	// Count is the number of traces for all sizes; 0: there is no bound, or it is not known.
	Count int64
	// Limits are the conditions of the first class.
	Limits []Limit
	// Refused is what ends a trace or, under torch.compile, its graph; nil: nothing does.
	Refused *Error
	// Values are what a trace of torch.jit.trace keeps of the elements of tensors.
	Values []KeptValue
	// Text is Python that makes the trace, to be put at the end of the file.
	Text string
	// Why says why there are no classes or no text; empty: there are.
	Why string
}

// A Class is a set of sizes that share a trace.
type Class struct {
	// Example are sizes of the class by symbol.
	Example map[string]int64
	// Conds hold for the sizes of the class alone, besides what the model needs of all sizes.
	Conds []*symshape.Cond
	// Raises is the exception that the model raises for the example; empty: none.
	Raises string
}

// A Limit is a condition on sizes that a tracer finds.
type Limit struct {
	Cond *symshape.Cond
	At   source.Span
	// Model says that the model needs it of all sizes, else a decision depends on it.
	Model bool
}

// maxClasses bounds the classes that are looked for.
const maxClasses = 8

// sharing runs an entry as a tracer does.
type sharing struct {
	*Sharing
	*Entry
	host Engine
	pool *symshape.Pool
	// roots are the symbols that the text makes of other Dims.
	roots []*symshape.Expr
}

// An Engine is the interpreter, as far as an entry needs it that runs several times.
type Engine interface {
	Host
	// Beside runs a program beside the entry and takes back what that does. The error is one that ends the program's run.
	Beside(p *Program, r *Run) (raised *value.Exception, err error)
	// Eval evaluates an expression in the module of the entry with further variables; what names it in messages. The error is that
	// of the expression.
	Eval(what, text string, vars map[string]value.Value) (value.Value, error)
	// Try evaluates as Eval does and takes back what that does. The error is one that ends the program's run.
	Try(what, text string, vars map[string]value.Value) (raised *value.Exception, err error)
}

// Find finds the classes of sizes of an entry that share a trace, and writes the text. The error is one that ends the program's run.
func (s *Sharing) Find(e Engine, entry *Entry) error {
	run := &sharing{Sharing: s, Entry: entry, host: e, pool: e.Pool()}
	find := run.explore
	if s.ByShape() {
		find = run.byShape
	}
	err := find()
	s.Text = run.imports() + s.Text
	return err
}

// ByShape reports whether traces are for the sizes of their arguments.
func (s *Sharing) ByShape() bool { return s.For == ForJAX || s.For == ForTF }

// explore finds the classes, and the text of the first.
func (s *sharing) explore() error {
	env := s.Sizes(nil)
	if env == nil {
		s.Why = "no sizes were found that the model takes"
		return nil
	}
	first, err := s.class(env)
	if first == nil || err != nil {
		return err
	}
	if first, err = s.larger(first); err != nil {
		return err
	}
	env = first.Example
	s.Classes = []*Class{first}
	if err := s.write(); err != nil {
		return err
	}
	if len(s.roots) > 0 { // the text has other Dims than the contract
		s.Classes, s.Limits = nil, nil
		if first, err = s.class(env); first == nil || err != nil {
			return err
		}
		s.Classes = []*Class{first}
	}
	var rest []*symshape.Cond
	for {
		last := s.Classes[len(s.Classes)-1]
		rest = append(rest, s.pool.Not(s.pool.And(last.Conds...)))
		if s.Complete = s.noneLeft(s.Valid, 0); s.Complete || s.each() || len(s.Classes) == maxClasses {
			break
		}
		env := s.Sizes(rest)
		if env == nil {
			break
		}
		c, err := s.class(env)
		if err != nil {
			return err
		}
		if c == nil {
			break
		}
		s.Classes = append(s.Classes, c)
	}
	s.counted()
	return nil
}

// larger gives the class of larger sizes in the place of one whose conditions bound them from above, where that has no bounds: a model is
// Program for images of some hundred rows, of which strides leave more than one.
func (s *sharing) larger(c *Class) (*Class, error) {
	limits, values := s.Limits, s.Values
	for _, size := range largerSizes {
		bound := s.bounded(c)
		if len(bound) == 0 || len(s.Given) > 0 {
			break
		}
		least := map[string]int64{}
		for _, sym := range bound {
			least[sym.String()] = size
		}
		env := s.search(nil, commonSize, least)
		if env == nil {
			break
		}
		s.Limits, s.Values = nil, nil
		o, err := s.class(env)
		if err != nil {
			return nil, err
		}
		if o != nil && o.Raises == "" && len(s.bounded(o)) == 0 {
			return o, nil
		}
	}
	s.Limits, s.Values, s.Why, s.Refused = limits, values, "", nil
	return c, nil
}

// largerSizes are what sizes are at least that larger tries.
var largerSizes = []int64{64, 256}

// bounded are the symbols that the conditions of a class bound from above, and the model does not.
func (s *sharing) bounded(c *Class) []*symshape.Expr {
	facts := s.Valid
	for _, cond := range c.Conds {
		if f, ok := facts.Assume(cond); ok {
			facts = f
		}
	}
	var out []*symshape.Expr
	for _, sym := range s.Symbols {
		if _, was := s.Valid.Range(sym); was != symshape.PosInf {
			continue
		}
		if _, hi := facts.Range(sym); hi != symshape.PosInf {
			out = append(out, sym)
		}
	}
	return out
}

// noneLeft reports whether no sizes are outside of the classes from the i-th on.
func (s *sharing) noneLeft(facts symshape.Facts, i int) bool {
	if i == len(s.Classes) {
		return false
	}
	for _, c := range s.Classes[i].Conds { // outside: one of them does not hold
		not := s.pool.Not(c)
		if facts.Decide(not).Answer == symshape.No {
			continue
		}
		f, ok := facts.Assume(not)
		if ok && !s.noneLeft(f, i+1) {
			return false
		}
	}
	return true
}

// leastEach is how many classes of one value each tell that every value has one.
const leastEach = 3

// each finds the sizes that each class fixes.
func (s *sharing) each() bool {
	if len(s.Classes) < leastEach {
		return false
	}
	for _, sym := range s.Symbols {
		fixes := func(c *Class) bool {
			return slices.Contains(c.Conds, s.pool.Eq(sym, s.pool.Const(c.Example[sym.String()])))
		}
		if !slices.ContainsFunc(s.Classes, func(c *Class) bool { return !fixes(c) }) {
			s.Each = append(s.Each, sym)
		}
	}
	return len(s.Each) > 0
}

// counted tells how many classes there are.
func (s *sharing) counted() {
	if s.Complete {
		s.Count = int64(len(s.Classes))
		return
	}
	if len(s.Each) == 0 {
		return
	}
	n := int64(1)
	for _, sym := range s.Each {
		lo, hi := s.Valid.Range(sym)
		if hi == symshape.PosInf || lo < 0 || n > 1<<20 || hi-lo > 1<<20 {
			return
		}
		n *= hi - lo + 1
	}
	s.Count = n
}

// class runs the entry as the tracer does with sizes; nil: what that does is not known.
func (s *sharing) class(env map[string]int64) (*Class, error) {
	first := len(s.Classes) == 0
	p := s.declared(env, s.dims())
	if p.Refused != nil {
		s.Why = p.Refused.Message
		return nil, nil
	}
	for _, d := range p.dims {
		if d.sym != nil && slices.Contains(s.roots, s.pool.Lookup(d.name)) {
			p.roots[d.sym] = true
		}
	}
	notes := NewRun(s.host, p, s.mode())
	raised, err := s.host.Beside(p, notes)
	if err != nil {
		return nil, err
	}
	c := &Class{Example: env}
	if f := notes.fault; f != nil {
		if first {
			s.Refused = &Error{Type: f.class, Kind: f.kind, Message: f.text, At: f.at}
		}
		s.Why = "the elements of tensors decide"
		if f.kind == OtherError || f.kind == Unsupported {
			s.Why = f.text
		}
		return nil, nil
	}
	if notes.missed {
		s.Why = "something of which nothing is known decides"
		return nil, nil
	}
	if first {
		s.Values = notes.Values
	}
	if raised != nil {
		c.Raises = raised.Error()
	}
	back := s.back(p)
	limits := s.limits(notes, env, back)
	for i := range limits {
		limits[i].Cond = s.ranged(limits[i].Cond)
	}
	facts := s.Valid
	for i, l := range limits {
		if facts.Decide(l.Cond).Answer == symshape.Yes {
			limits[i].Model = s.Valid.Decide(l.Cond).Answer == symshape.Yes // and not what holds for the class alone
			continue
		}
		c.Conds = append(c.Conds, l.Cond)
		if f, ok := facts.Assume(l.Cond); ok {
			facts = f
		}
	}
	c.Conds = s.fewest(c.Conds)
	if first {
		facts := s.Contract
		for _, l := range limits {
			if facts.Decide(l.Cond).Answer != symshape.Yes && (l.Model || slices.Contains(c.Conds, l.Cond)) {
				s.Limits = append(s.Limits, l)
				if f, ok := facts.Assume(l.Cond); ok {
					facts = f
				}
			}
		}
	}
	c.Conds = s.equations(c.Conds)
	return c, nil
}

// ranged is a condition on one size as a bound of it, where it is no more than that: H >= 33 for ceil(H / 32) != 1.
func (s *sharing) ranged(c *symshape.Cond) *symshape.Cond {
	symbols := c.Symbols()
	if len(symbols) != 1 {
		return c
	}
	sym, p := symbols[0], s.pool
	least, _ := s.Valid.Range(sym)
	f, ok := s.Valid.Assume(c)
	lo, hi := f.Range(sym)
	if !ok || lo <= least || hi != symshape.PosInf {
		return c
	}
	bound := p.Ge(sym, p.Const(lo))
	if f, ok := s.Valid.Assume(bound); !ok || f.Decide(c).Answer != symshape.Yes {
		return c
	}
	return bound
}

// equations puts one equation in the place of the bounds between which a size has one value.
func (s *sharing) equations(list []*symshape.Cond) []*symshape.Cond {
	facts := s.Valid
	for _, c := range list {
		if f, ok := facts.Assume(c); ok {
			facts = f
		}
	}
	var out []*symshape.Cond
	for _, c := range list {
		if syms := c.Symbols(); len(syms) == 1 {
			if _, _, bound := c.Bound(syms[0]); bound {
				if n, only := facts.Only(syms[0]); only {
					c = s.pool.Eq(syms[0], s.pool.Const(n))
				}
			}
		}
		if !slices.Contains(out, c) {
			out = append(out, c)
		}
	}
	return out
}

// fewest leaves out the conditions that others imply.
func (s *sharing) fewest(list []*symshape.Cond) []*symshape.Cond {
	for i := 0; i < len(list); {
		facts := s.Valid
		for j, c := range list {
			if f, ok := facts.Assume(c); ok && j != i {
				facts = f
			}
		}
		if facts.Decide(list[i]).Answer == symshape.Yes {
			list = slices.Delete(slices.Clone(list), i, i+1)
			continue
		}
		i++
	}
	return list
}

// back replaces the symbols of a run by the sizes of the contract for which they stand.
func (s *sharing) back(p *Program) func(sym *symshape.Expr) *symshape.Expr {
	to := map[*symshape.Expr]*symshape.Expr{}
	for _, d := range p.dims {
		if d.sym == nil {
			continue
		}
		if e, err := s.pool.Parse(d.name); err == nil {
			to[d.sym] = e
		}
	}
	return func(sym *symshape.Expr) *symshape.Expr {
		if e := to[sym]; e != nil {
			return e
		}
		return sym
	}
}

// limits are the conditions on sizes on which a run relies, in terms of the contract.
func (s *sharing) limits(notes *Run, env map[string]int64, back func(*symshape.Expr) *symshape.Expr) []Limit {
	p := s.pool
	var out []Limit
	add := func(c *symshape.Cond, at source.Span) {
		c = p.SubstCond(c, back)
		for _, part := range c.Conjuncts() {
			if symbols := part.Symbols(); part.IsEquation() && len(symbols) == 1 {
				solved := (symshape.Facts{}).Solve(part) // T == min(T, 10) is T <= 10
				if _, _, ok := solved.Bound(symbols[0]); ok {
					part = solved
				}
			}
			ours := !slices.ContainsFunc(part.Symbols(), func(e *symshape.Expr) bool { return !slices.Contains(s.Symbols, e) })
			if v, known := part.Const(); ours && !(known && v) {
				out = append(out, Limit{Cond: part, At: at})
			}
		}
	}
	for _, c := range notes.Conds {
		add(c.Cond, c.At)
	}
	if s.For == ForExport || s.For == ForCompile {
		for _, c := range slices.Concat(notes.Apart, notes.later) {
			add(c, source.Span{})
		}
	}
	for _, sym := range s.Symbols {
		n, ok := env[sym.String()]
		switch {
		case !ok:
		case n < 2 && (s.For == ForExport || s.For == ForCompile) || s.isNumber(sym):
			add(p.Eq(sym, p.Const(n)), source.Span{})
		case s.For == ForCompile:
			add(p.Ge(sym, p.Const(2)), source.Span{})
		}
	}
	return out
}

// mode says as whose body the entry runs.
func (s *sharing) mode() Mode {
	switch s.For {
	case ForCompile:
		return Compile
	case ForTrace, ForONNX:
		return Trace
	}
	return Plain
}
