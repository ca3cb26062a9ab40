package infer

// This file finds which sizes of an entry's contract share a trace: it runs the entry as a tracer does with example sizes,
// then with sizes that this trace does not serve, and so on. sharingtext.go writes the call of the tracer.

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
	Classes  []*SizeClass
	Complete bool
	// Each are the sizes of which every value needs a trace of its own.
	Each []*symshape.Expr
	// Count is the number of traces for all sizes; 0: there is no bound, or it is not known.
	Count int64
	// Limits are the conditions of the first class.
	Limits []SizeLimit
	// Refused is what ends a trace or, under torch.compile, its graph; nil: nothing does.
	Refused *ExportError
	// Values are what a trace of torch.jit.trace keeps of the elements of tensors.
	Values []KeptValue
	// Text is Python that makes the trace, to be put at the end of the file.
	Text string
	// Why says why there are no classes or no text; empty: there are.
	Why string
}

// A KeptValue is a place of which a trace keeps what the elements of tensors were: the way that they decide, or a number.
type KeptValue struct {
	At     source.Span
	Number bool
}

// A SizeClass is a set of sizes that share a trace.
type SizeClass struct {
	// Example are sizes of the class by symbol.
	Example map[string]int64
	// Conds hold for the sizes of the class alone, besides what the model needs of all sizes.
	Conds []*symshape.Cond
	// Raises is the exception that the model raises for the example; empty: none.
	Raises string
}

// A SizeLimit is a condition on sizes that a tracer finds.
type SizeLimit struct {
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
	in     *Interp
	module *value.Module
	target value.Value
	args   []value.Value
	kw     []value.Kw
	syms   []*symshape.Expr
	// roots are the symbols that the text makes of other Dims.
	roots []*symshape.Expr
	// given are the sizes that the user gave.
	given map[string]int64
	// contract is what is known of the sizes at first, valid with what the model needs.
	contract, valid symshape.Facts
}

// runShared makes the entry and finds its classes.
func (in *Interp) runShared(m *value.Module) error {
	target, err := in.makeEntry(m)
	if target == nil || err != nil {
		return err
	}
	s := &sharing{Sharing: &Sharing{For: in.cfg.Trace.For}, in: in, module: m, target: target}
	if err := s.arguments(); err != nil {
		return err
	}
	in.called = true
	in.options["grad"] = "off"
	in.rec.calls, in.rec.ops = nil, nil
	in.build = in.build.Next()
	bindInputs(in, s.args, s.kw)
	s.contract = in.path.facts
	mark, found := in.heap.Mark(), in.sink.Len()
	watch := in.watchState(mark)
	out, err := in.callEntry(m, target, s.args, s.kw)
	watch.done()
	if err != nil {
		return err
	}
	in.output = Snapshot(out)
	ran := in.rec.mark()
	defer func() { in.rec.rollback(ran) }() // the runs below are not the program's
	changed := in.heap.Before(mark)
	in.heap.Rollback(mark)
	in.heap.Close(mark)
	s.valid, in.path.facts = in.path.facts, s.contract
	in.shared = s.Sharing
	switch {
	case !s.sized():
		s.Why = "an argument has sizes or a number of axes that are not known"
	case s.For == ForJAX || s.For == ForTF:
		in.sink.Truncate(found) // it ran with tensors of torch
		err = s.byShape()
	case hasErrors(in.sink.All()):
		s.Why = "a check of the entry finds errors"
	default:
		if s.For != ForCompile { // its graphs are guarded
			err = s.keptState(changed, watch)
		}
		if err == nil {
			err = s.explore()
		}
	}
	s.Text = s.imports() + s.Text
	return err
}

// arguments are those of --arg, or those of --inputs with a symbol for each size from 2 on.
func (s *sharing) arguments() error {
	in := s.in
	if in.cfg.Trace.Inputs == "" {
		var err error
		if s.args, s.kw, err = in.args.entryArgs(s.module, s.target); err != nil {
			return err
		}
	} else {
		list, err := in.traceTuple(s.module, "--inputs", in.cfg.Trace.Inputs)
		if err != nil {
			return err
		}
		n := symbols{visit: value.Visit{Repeats: value.SomeRepeats}}
		for _, v := range list {
			s.args = append(s.args, in.withSymbols(v, 2, &n))
		}
	}
	note := func(d symshape.Dim) symshape.Dim { // without examples, which would decide in the run for all sizes
		if d.Expr != nil {
			d = symshape.MakeDim(d.Expr)
			s.meets(d)
		}
		return d
	}
	for i, v := range s.args {
		s.args[i] = in.reshaped(&value.Visit{Repeats: value.SomeRepeats}, v, note)
		s.Inputs = append(s.Inputs, s.args[i].String())
	}
	for i, k := range s.kw {
		s.kw[i].Value = in.reshaped(&value.Visit{Repeats: value.SomeRepeats}, k.Value, note)
		s.Inputs = append(s.Inputs, k.Name+"="+s.kw[i].Value.String())
	}
	s.given = map[string]int64{}
	for _, sym := range s.syms {
		if n, ok := in.examples[sym.String()]; ok {
			s.given[sym.String()] = n
			delete(in.examples, sym.String())
		}
	}
	return nil
}

// sized reports whether all sizes of the tensors among the arguments are numbers or have symbols.
func (s *sharing) sized() bool {
	for _, v := range s.values() {
		for x := range value.Walk(v, maxResultDepth, value.Sequences|value.DictValues) {
			t, ok := x.(*value.Tensor)
			if !ok {
				continue
			}
			unknown := func(d symshape.Dim) bool {
				return d.Expr == nil || slices.ContainsFunc(d.Expr.Symbols(), (*symshape.Expr).IsFresh)
			}
			if !t.Type().Ranked || slices.ContainsFunc(t.Type().Shape, unknown) {
				return false
			}
		}
	}
	return true
}

// reshaped is an argument with other sizes.
func (in *Interp) reshaped(w *value.Visit, v value.Value, size func(symshape.Dim) symshape.Dim) value.Value {
	if !w.Enter(v) {
		return v
	}
	defer w.Leave()
	switch v := v.(type) {
	case *value.Tensor:
		typ := *v.Type()
		typ.Shape = slices.Clone(typ.Shape)
		for i, d := range typ.Shape {
			typ.Shape[i] = size(d)
		}
		return &value.Tensor{Header: in.heap.Header(), Class: v.Class, V: in.build.NewValue(v.V.Kind, typ, in.Here())}
	case *value.SymInt:
		return value.FromDim(size(v.D))
	case *value.Tuple:
		elems := make([]value.Value, len(v.Elems))
		for i, e := range v.Elems {
			elems[i] = in.reshaped(w, e, size)
		}
		return in.tupleOf(elems)
	case *value.List:
		if v.Open == nil {
			elems := make([]value.Value, len(v.Elems))
			for i, e := range v.Elems {
				elems[i] = in.reshaped(w, e, size)
			}
			return in.heap.NewList(elems)
		}
	case *value.Dict:
		if v.Open == nil {
			d := in.heap.NewDict()
			for i := range v.Len() {
				if _, err := in.world.SetItem(in, d, v.Key(i), in.reshaped(w, v.At(i), size)); err != nil {
					return v
				}
			}
			return d
		}
	}
	return v
}

// at are the arguments with example sizes.
func (s *sharing) at(env map[string]int64) (args []value.Value, kw []value.Kw) {
	size := func(d symshape.Dim) symshape.Dim {
		if d.Expr != nil {
			if n, err := d.Expr.Eval(symshape.Env(env)); err == nil {
				return s.in.pool.ConstDim(n)
			}
		}
		return d
	}
	for _, v := range s.args {
		args = append(args, s.in.reshaped(&value.Visit{Repeats: value.SomeRepeats}, v, size))
	}
	for _, k := range s.kw {
		kw = append(kw, value.Kw{Name: k.Name, Value: s.in.reshaped(&value.Visit{Repeats: value.SomeRepeats}, k.Value, size)})
	}
	return args, kw
}

// explore finds the classes, and the text of the first.
func (s *sharing) explore() error {
	env := s.sizes(nil)
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
	s.Classes = []*SizeClass{first}
	if err := s.write(); err != nil {
		return err
	}
	if len(s.roots) > 0 { // the text has other Dims than the contract
		s.Classes, s.Limits = nil, nil
		if first, err = s.class(env); first == nil || err != nil {
			return err
		}
		s.Classes = []*SizeClass{first}
	}
	var rest []*symshape.Cond
	for {
		last := s.Classes[len(s.Classes)-1]
		rest = append(rest, s.in.pool.Not(s.in.pool.And(last.Conds...)))
		if s.Complete = s.noneLeft(s.valid, 0); s.Complete || s.each() || len(s.Classes) == maxClasses {
			break
		}
		env := s.sizes(rest)
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
// exported for images of some hundred rows, of which strides leave more than one.
func (s *sharing) larger(c *SizeClass) (*SizeClass, error) {
	limits, values := s.Limits, s.Values
	for _, size := range largerSizes {
		bound := s.bounded(c)
		if len(bound) == 0 || len(s.given) > 0 {
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
func (s *sharing) bounded(c *SizeClass) []*symshape.Expr {
	facts := s.valid
	for _, cond := range c.Conds {
		if f, ok := facts.Assume(cond); ok {
			facts = f
		}
	}
	var out []*symshape.Expr
	for _, sym := range s.syms {
		if _, was := s.valid.Range(sym); was != symshape.PosInf {
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
		not := s.in.pool.Not(c)
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
	for _, sym := range s.syms {
		fixes := func(c *SizeClass) bool {
			return slices.Contains(c.Conds, s.in.pool.Eq(sym, s.in.pool.Const(c.Example[sym.String()])))
		}
		if !slices.ContainsFunc(s.Classes, func(c *SizeClass) bool { return !fixes(c) }) {
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
		lo, hi := s.valid.Range(sym)
		if hi == symshape.PosInf || lo < 0 || n > 1<<20 || hi-lo > 1<<20 {
			return
		}
		n *= hi - lo + 1
	}
	s.Count = n
}

// class runs the entry as the tracer does with sizes; nil: what that does is not known.
func (s *sharing) class(env map[string]int64) (*SizeClass, error) {
	first := len(s.Classes) == 0
	x, m := s.declared(env, s.dims())
	if m.err != nil {
		s.Why = m.err.Message
		return nil, nil
	}
	for _, d := range m.dims {
		if d.sym != nil && slices.Contains(s.roots, s.in.pool.Lookup(d.name)) {
			x.roots[d.sym] = true
		}
	}
	body, notes, err := s.body(x)
	if err != nil {
		return nil, err
	}
	c := &SizeClass{Example: env}
	if f := notes.fault; f != nil {
		if first {
			s.Refused = &ExportError{Type: f.class, Kind: f.kind, Message: f.text, At: f.at}
		}
		s.Why = "the elements of tensors decide"
		if f.kind == "other" || f.kind == "unsupported" {
			s.Why = f.text
		}
		return nil, nil
	}
	if notes.missed {
		s.Why = "something of which nothing is known decides"
		return nil, nil
	}
	if first {
		s.Values = notes.values
	}
	if e := body.Error; e != nil {
		c.Raises = errorText(e)
	}
	back := s.back(m)
	limits := s.limits(notes, env, back)
	for i := range limits {
		limits[i].Cond = s.ranged(limits[i].Cond)
	}
	facts := s.valid
	for i, l := range limits {
		if facts.Decide(l.Cond).Answer == symshape.Yes {
			limits[i].Model = s.valid.Decide(l.Cond).Answer == symshape.Yes // and not what holds for the class alone
			continue
		}
		c.Conds = append(c.Conds, l.Cond)
		if f, ok := facts.Assume(l.Cond); ok {
			facts = f
		}
	}
	c.Conds = s.fewest(c.Conds)
	if first {
		facts := s.contract
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
	sym, p := symbols[0], s.in.pool
	least, _ := s.valid.Range(sym)
	f, ok := s.valid.Assume(c)
	lo, hi := f.Range(sym)
	if !ok || lo <= least || hi != symshape.PosInf {
		return c
	}
	bound := p.Ge(sym, p.Const(lo))
	if f, ok := s.valid.Assume(bound); !ok || f.Decide(c).Answer != symshape.Yes {
		return c
	}
	return bound
}

// equations puts one equation in the place of the bounds between which a size has one value.
func (s *sharing) equations(list []*symshape.Cond) []*symshape.Cond {
	facts := s.valid
	for _, c := range list {
		if f, ok := facts.Assume(c); ok {
			facts = f
		}
	}
	var out []*symshape.Cond
	for _, c := range list {
		if syms := c.Symbols(); len(syms) == 1 {
			if _, _, bound := c.Bound(syms[0]); bound {
				if n, only := onlyValue(facts, syms[0]); only {
					c = s.in.pool.Eq(syms[0], s.in.pool.Const(n))
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
		facts := s.valid
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
func (s *sharing) back(m *exportMaker) func(sym *symshape.Expr) *symshape.Expr {
	to := map[*symshape.Expr]*symshape.Expr{}
	for _, d := range m.dims {
		if d.sym == nil {
			continue
		}
		if e, err := s.in.pool.Parse(d.name); err == nil {
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
func (s *sharing) limits(notes *exporting, env map[string]int64, back func(*symshape.Expr) *symshape.Expr) []SizeLimit {
	p := s.in.pool
	var out []SizeLimit
	add := func(c *symshape.Cond, at source.Span) {
		c = p.SubstCond(c, back)
		for _, part := range c.Conjuncts() {
			if symbols := part.Symbols(); part.IsEquation() && len(symbols) == 1 {
				solved := (symshape.Facts{}).Solve(part) // T == min(T, 10) is T <= 10
				if _, _, ok := solved.Bound(symbols[0]); ok {
					part = solved
				}
			}
			ours := !slices.ContainsFunc(part.Symbols(), func(e *symshape.Expr) bool { return !slices.Contains(s.syms, e) })
			if v, known := part.Const(); ours && !(known && v) {
				out = append(out, SizeLimit{Cond: part, At: at})
			}
		}
	}
	for _, c := range notes.conds {
		add(c.c, c.at)
	}
	if s.For == ForExport || s.For == ForCompile {
		for _, c := range slices.Concat(notes.apart, notes.later) {
			add(c, source.Span{})
		}
	}
	for _, sym := range s.syms {
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

// isNumber reports whether a symbol is an argument of Python, which a trace keeps.
func (s *sharing) isNumber(sym *symshape.Expr) bool {
	is := func(v value.Value) bool {
		n, ok := v.(*value.SymInt)
		return ok && n.D.Expr != nil && slices.Contains(n.D.Expr.Symbols(), sym)
	}
	return slices.ContainsFunc(s.args, is) || slices.ContainsFunc(s.kw, func(k value.Kw) bool { return is(k.Value) })
}

// body runs the body as the tracer does, and takes back what it does.
func (s *sharing) body(x *exported) (body *TracedCall, notes *exporting, err error) {
	notes = &exporting{strict: s.For == ForCompile, compile: s.For == ForCompile, jit: s.For == ForTrace || s.For == ForONNX}
	s.in.takeBack(nil, func() { body, err = s.in.exportBody(x, notes) })
	return body, notes, err
}

// commonSize is what examples of sizes are at least, where they can.
const commonSize = 8

// maxSizeTrials bounds the sizes that are tried for one class.
const maxSizeTrials = 20_000

// sizes finds sizes that meet what the model needs and further conditions: of at least commonSize and different ones if possible,
// else from 2 on, else any.
func (s *sharing) sizes(rest []*symshape.Cond) map[string]int64 {
	for _, least := range []int64{commonSize, 2, 0} {
		if env := s.search(rest, least, nil); env != nil {
			return env
		}
	}
	return nil
}

// search finds sizes of at least so many, and for each symbol at least as many as are said for it.
func (s *sharing) search(rest []*symshape.Cond, least int64, each map[string]int64) map[string]int64 {
	facts := s.valid
	for _, c := range rest {
		if f, ok := facts.Assume(c); ok {
			facts = f
		}
	}
	known := append(slices.Clone(s.valid.Conds()), rest...)
	if len(rest) == 0 {
		for _, sym := range s.syms {
			if n, ok := s.given[sym.String()]; ok {
				c := s.in.pool.Eq(sym, s.in.pool.Const(n))
				known = append(known, c)
				if f, ok := facts.Assume(c); ok {
					facts = f
				}
			}
		}
	}
	f := &sizeSearch{facts: facts, known: known, syms: s.syms, env: map[string]int64{}, least: least, each: each, left: maxSizeTrials}
	if !f.from(0) {
		return nil
	}
	return f.env
}

// A sizeSearch looks for sizes that meet conditions.
type sizeSearch struct {
	facts symshape.Facts
	known []*symshape.Cond
	syms  []*symshape.Expr
	env   map[string]int64
	least int64
	each  map[string]int64
	left  int
}

// from finds the sizes of the symbols from the i-th on.
func (f *sizeSearch) from(i int) bool {
	if i == len(f.syms) {
		return true
	}
	name := f.syms[i].String()
	for _, again := range []bool{false, true} { // sizes that no other symbol has are tried first
		for _, n := range f.candidates(f.syms[i]) {
			used := false
			for _, o := range f.syms[:i] {
				used = used || f.env[o.String()] == n
			}
			if used != again {
				continue
			}
			if f.left--; f.left < 0 {
				return false
			}
			f.env[name] = n
			if f.holds() && f.from(i+1) {
				return true
			}
		}
	}
	delete(f.env, name)
	return false
}

// holds reports whether no condition is known to fail.
func (f *sizeSearch) holds() bool {
	for _, c := range f.known {
		if ok, err := c.Eval(symshape.Env(f.env)); err == nil && !ok {
			return false
		}
	}
	return true
}

// candidates are sizes for a symbol: the least ones, then rounder and larger ones.
func (f *sizeSearch) candidates(sym *symshape.Expr) []int64 {
	lo, hi := f.facts.Range(sym)
	lo = max(lo, f.least, f.each[sym.String()])
	var out []int64
	add := func(n int64) {
		if n >= lo && n <= hi && !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	for n := lo; n < lo+24; n++ {
		add(n)
	}
	for step := int64(8); step <= 1024; step *= 2 {
		for n := (lo + step - 1) / step * step; n <= lo+8*step; n += step {
			add(n)
		}
	}
	return out
}
