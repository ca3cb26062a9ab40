package infer

// This file records what a run met: the types on each line, the module calls,
// the conditions of the contract, and what was lost.

import (
	"strings"

	"slices"

	"shapecheck/infer/value"
	"shapecheck/internal/source"
	"shapecheck/parser/ast"
	"shapecheck/symshape"
)

// A Line is a target that was given a tensor, or a structure with one.
type Line struct {
	At     source.Span // of the statement
	Target string      // source text: "x", "self.h", "return"
	Type   value.Value // a snapshot
	Count  int         // how often this type was met here

	text string // of Type
}

// Text is the text of Type.
func (l *Line) Text() string { return l.text }

// A ModuleCall is a call of a torch.nn.Module.
type ModuleCall struct {
	Parent int // index of the enclosing call, or -1
	Name   string
	// Outside is set for a module that is no part of the entry, which has its class's
	// name: a loss that forward makes.
	Outside bool
	Class   *value.Class
	Module  *value.Instance
	At      source.Span
	In      []value.Value
	Kw      []value.Kw
	Out     value.Value // nil when it raised
	Err     string      // class of the exception
	own     bool        // of a __call__ of the module's own
}

// A Condition is a condition of the contract: Cond must hold where Path does.
type Condition struct {
	Cond *symshape.Cond
	Path []*symshape.Cond
	At   source.Span
	// Op is the library function that needs it, under the name in use; Why is then the
	// condition in terms of its operands, where that differs. Without one Why says what
	// needs the condition.
	Op, Why string
	// OnData says that it is needed only on a path that elements of tensors decide, of which Path lacks what they decide:
	// there are elements for which Cond must hold.
	OnData bool
	whole  []*symshape.Cond // Path with it
}

// Demanded reports whether the program itself says the condition, by an assert or a
// guard, or whether it only tells which path the example sizes take.
func (c *Condition) Demanded() bool {
	return c.Why == whyAssert || c.Why == whyGuard || c.Why == whyExample
}

// InTraining reports whether it is needed in training alone.
func (c *Condition) InTraining() bool { return c.Why == value.WhyTraining }

// Why a condition is needed, where no operation says it.
const (
	whyExample = "the path that the example sizes take"
	whyGuard   = "a guard that raises otherwise"
	whyAssert  = "an assert"
	whyLibrary = "a library function that raises otherwise"
)

// A recorder collects the record of one run.
type recorder struct {
	*base
	lines   []*Line
	lineIdx map[lineKey][]int
	calls   []*ModuleCall
	ops     []*OpCall // see oplog.go
	inOp    bool
	stack   []int
	conds   []Condition
	// left is the return statement outside of the prelude that ran last.
	left source.Span
	// switches are the conditions on the configuration; see explore.go.
	switches []Switch
	// decisions are what if statements of the user did; see untaken.go.
	decisions map[*ast.If]*decision
	// dataSyms are the symbols that data decides; conditions on them are no
	// part of the contract.
	dataSyms map[*symshape.Expr]bool
	// elements are those of them that tell something of a tensor that is known.
	elements map[*symshape.Expr]bool
	// turns are the conditions that a loop has more than one turn.
	turns map[*symshape.Cond]bool
	// loops are the open loops that run, held the conditions of their bodies on what changes there from turn to turn.
	loops int
	held  []Condition
	// chances are the symbols of truth values that are either by chance, drawings the sizes that are one of two by one of them.
	chances  map[*symshape.Expr]bool
	drawings map[*symshape.Expr]drawing
	// called are sizes that the program gives a name of a batch: b, t = x.shape.
	called map[*symshape.Expr]bool
	grads  gradRecord
	// backprop is nil in a program without Chainer.
	backprop *backprop
	// random are those of them that a random number generator gives.
	random map[*symshape.Expr]bool
	// drawnAt is where a function of Python gave those of random that it did.
	drawnAt map[*symshape.Expr]source.Span
	// clock are those of random that a clock gives: two of them may be near each other.
	clock map[*symshape.Expr]bool
	// lostTruths are those that stand for a truth value of no tensor, with the reason.
	lostTruths map[*symshape.Expr]*value.Cause
	names      map[*value.Instance]string
	outside    map[*value.Instance]bool // of those with names: no part of the root
	root       *value.Instance

	reachedLines map[*source.File]map[int]bool
	ran          map[*source.File]*ranFile // with Config.NoteRan
	causes       []*value.Cause
	causeSeen    map[source.Span]bool
	weights      map[*value.Cause]int // how many targets each cause made unknown
	notes        []note
	reportedOps  map[string]bool
	partials     []partial
	surface      func(*value.Cause)
	// loading is set while modules load: then only the entry's own file counts.
	loading bool
	// complete says that the lines are those of a trace's first call: further calls add none.
	complete bool
	loaded   int // the lines recorded before the entry began
	typed    int // tensor-valued targets whose type is fully known
	open     int // those with something unknown
}

type note struct {
	cause *value.Cause
	text  string
}

type partial struct {
	module *value.Module
	cause  *value.Cause
}

// A lineKey is an assignment in the source, which may run many times.
type lineKey struct {
	at     source.Span
	target string
}

func newRecorder() recorder {
	return recorder{
		lineIdx: map[lineKey][]int{}, dataSyms: map[*symshape.Expr]bool{}, elements: map[*symshape.Expr]bool{},
		random: map[*symshape.Expr]bool{}, clock: map[*symshape.Expr]bool{},
		drawnAt: map[*symshape.Expr]source.Span{}, turns: map[*symshape.Cond]bool{}, chances: map[*symshape.Expr]bool{},
		drawings: map[*symshape.Expr]drawing{},
		grads:    newGradRecord(), lostTruths: map[*symshape.Expr]*value.Cause{},
		loading: true, reachedLines: map[*source.File]map[int]bool{},
		causeSeen: map[source.Span]bool{}, weights: map[*value.Cause]int{}, reportedOps: map[string]bool{},
	}
}

type recMark struct{ lines, calls, conds, causes, ops int }

// mark and rollback bracket trial runs of loops.
func (r *recorder) mark() recMark {
	return recMark{len(r.lines), len(r.calls), len(r.conds), len(r.causes), len(r.ops)}
}

// rollback forgets what a branch that is undone has recorded.
func (r *recorder) rollback(m recMark) {
	for _, l := range r.lines[m.lines:] {
		key := lineKey{l.At, l.Target}
		list := r.lineIdx[key]
		for len(list) > 0 && list[len(list)-1] >= m.lines {
			list = list[:len(list)-1]
		}
		r.lineIdx[key] = list
	}
	for _, c := range r.causes[m.causes:] {
		delete(r.causeSeen, c.At)
	}
	r.lines, r.calls, r.conds, r.causes = r.lines[:m.lines], r.calls[:m.calls], r.conds[:m.conds], r.causes[:m.causes]
	r.ops = r.ops[:m.ops]
}

// begin starts the record of the entry: of what ran while the modules loaded,
// the lines are kept that the entry does not come to.
func (r *recorder) begin() {
	r.loading = false
	r.loaded = len(r.lines)
	r.lineIdx = map[lineKey][]int{}
	r.calls, r.typed, r.open = nil, 0, 0
	clear(r.weights)
}

// shown gives the lines of the entry, and the others outside of them.
func (r *recorder) shown() []*Line {
	var out []*Line
	for _, l := range r.lines[:r.loaded] {
		if len(r.lineIdx[lineKey{l.At, l.Target}]) == 0 {
			out = append(out, l)
		}
	}
	return append(out, r.lines[r.loaded:]...)
}

// ignores reports whether what f does is not recorded.
func (r *recorder) ignores(f *frame) bool {
	return r.complete || f.prelude || r.loading && f.unit.file != r.mainFile
}

// reached notes that a statement of user code was run.
func (r *recorder) reached(f *frame, s ast.Stmt) {
	if r.ignores(f) {
		return
	}
	m := r.reachedLines[f.unit.file]
	if m == nil {
		m = map[int]bool{}
		r.reachedLines[f.unit.file] = m
	}
	line, _ := f.unit.file.LineCol(s.Span().Start)
	m[line] = true
}

// recordTarget records what an assignment gave to each of its targets.
func (in *Interp) recordTarget(f *frame, s ast.Node, target ast.Expr, v value.Value) {
	elts := targetElts(target)
	if elts == nil {
		in.rec.line(f, s, target, v)
		return
	}
	var elems []value.Value
	switch v := v.(type) {
	case *value.Tuple:
		elems = v.Elems
	case *value.List:
		elems = v.Elems
	}
	whole := len(elems) == len(elts) && !hasStar(elts)
	for i, e := range elts {
		if star, ok := e.(*ast.Starred); ok {
			e = star.Value
		}
		switch e := e.(type) {
		case *ast.Name: // read back: v may be an iterator that is spent
			if x, err := in.bound(f, e); err == nil {
				in.rec.line(f, s, e, x)
			}
		default:
			if whole {
				in.recordTarget(f, s, e, elems[i])
			}
		}
	}
}

// line records the value of an assignment.
func (r *recorder) line(f *frame, s ast.Node, target ast.Expr, v value.Value) {
	if r.ignores(f) {
		return
	}
	r.add(s.Span(), f.unit.file.Slice(target.Span()), v)
}

func targetElts(e ast.Expr) []ast.Expr {
	switch e := e.(type) {
	case *ast.Tuple:
		return e.Elts
	case *ast.List:
		return e.Elts
	}
	return nil
}

func hasStar(list []ast.Expr) bool {
	for _, e := range list {
		if _, ok := e.(*ast.Starred); ok {
			return true
		}
	}
	return false
}

// exprLine records an expression statement with a tensor result.
func (r *recorder) exprLine(f *frame, s *ast.ExprStmt, v value.Value) {
	if _, ok := s.Value.(*ast.Call); ok && !r.ignores(f) {
		switch v.(type) {
		case *value.Tensor, *value.Unknown:
			r.add(s.Span(), "", v)
		case *value.Instance:
			if _, ok := isWrapped(v); ok {
				r.add(s.Span(), "", v)
			}
		}
	}
}

func (r *recorder) returned(f *frame, s *ast.Return, v value.Value) {
	if !f.prelude {
		r.left = s.Span()
	}
	if !r.ignores(f) {
		r.add(s.Span(), "return", v)
	}
}

// add records the type of a value that a line assigns. A line that runs again with the same type counts up;
// with another type there are two. Lines of values without tensors are left out.
func (r *recorder) add(at source.Span, target string, v value.Value) {
	tensors, full := inspect(&value.Visit{Repeats: value.SomeRepeats}, v, 6)
	if !tensors && full {
		return
	}
	if !full {
		r.causesIn(v, 4)
		if c := value.FirstCause(v); c != nil {
			r.weights[c]++
		}
	}
	if full {
		r.typed++
	} else {
		r.open++
	}
	key := lineKey{at, target}
	text := v.String()
	for _, i := range r.lineIdx[key] {
		if r.lines[i].text == text {
			r.lines[i].Count++
			return
		}
	}
	r.lineIdx[key] = append(r.lineIdx[key], len(r.lines))
	r.lines = append(r.lines, &Line{At: at, Target: target, Type: Snapshot(v), Count: 1, text: text})
}

// Known reports whether the types of all tensors in a value are known, and of all values what they are.
func Known(v value.Value) bool {
	_, full := inspect(&value.Visit{Repeats: value.SomeRepeats}, v, 6)
	return full
}

// inspect reports whether v holds a tensor, and whether all types in it are known.
func inspect(w *value.Visit, v value.Value, depth int) (tensors, full bool) {
	full = true
	if depth == 0 || !w.Enter(v) {
		return false, true
	}
	defer w.Leave()
	all := func(list []value.Value) {
		for i, e := range list {
			if i > 256 {
				return
			}
			t, k := inspect(w, e, depth-1)
			tensors = tensors || t
			full = full && k
		}
	}
	switch v := v.(type) {
	case *value.Tensor:
		ty := v.Type()
		full = ty.Ranked && ty.DType != 0
		for _, d := range ty.Shape {
			full = full && (d.Expr != nil || d.Known)
		}
		return true, full
	case *value.Unknown:
		return false, false
	case *value.Tuple:
		all(v.Elems)
	case *value.List:
		all(v.Elems)
		if v.Open != nil && v.Open.Elem != nil {
			all([]value.Value{v.Open.Elem})
		}
	case *value.Dict:
		for i := range v.Len() {
			all([]value.Value{v.At(i)})
		}
	case *value.Choice:
		all([]value.Value{v.Then, v.Else})
	case *value.Instance:
		if _, ok := isWrapped(v); ok {
			a, _ := v.Attrs.Get("_a")
			return inspect(w, a, depth)
		}
	}
	return tensors, full
}

// causesIn surfaces the causes of the unknown values in v.
func (r *recorder) causesIn(v value.Value, depth int) {
	for x := range value.Walk(v, depth, value.Sequences) {
		if u, ok := x.(*value.Unknown); ok && !u.Cause.Reported {
			r.surface(u.Cause)
		}
	}
}

// Snapshot copies what may change later: containers and tensor objects.
func Snapshot(v value.Value) value.Value {
	if t, ok := v.(*value.Tensor); ok {
		return &value.Tensor{Class: t.Class, V: t.V}
	}
	var done value.Memo[value.Value]
	return snapshot(&done, v, 12)
}

// snapshot copies what may change later, to a depth: a report shows values as they were when the line ran.
func snapshot(done *value.Memo[value.Value], v value.Value, depth int) value.Value {
	if depth == 0 {
		return v
	}
	switch x := v.(type) {
	case *value.Tensor:
		return &value.Tensor{Class: x.Class, V: x.V}
	case *value.Tuple, *value.List, *value.Dict:
		return done.Of(v, v, func() value.Value { return snapshotOnce(done, v, depth) })
	}
	return v
}

// snapshotOnce copies a container.
func snapshotOnce(done *value.Memo[value.Value], v value.Value, depth int) value.Value {
	all := func(list []value.Value) []value.Value {
		out := make([]value.Value, len(list))
		for i, e := range list {
			out[i] = snapshot(done, e, depth-1)
		}
		return out
	}
	switch v := v.(type) {
	case *value.Tuple:
		return &value.Tuple{Class: v.Class, Elems: all(v.Elems)}
	case *value.List:
		return &value.List{Class: v.Class, Elems: all(v.Elems), Open: v.Open}
	case *value.Dict:
		var h value.Heap
		d := h.NewDict()
		d.Class, d.Open = v.Class, v.Open
		for i := range v.Len() {
			d.Set(&h, i, v.Key(i), snapshot(done, v.At(i), depth-1))
		}
		return d
	}
	return v
}

// enter records the start of a module call.
func (r *recorder) enter(at source.Span, inst *value.Instance, args []value.Value, kw []value.Kw) int {
	if r.root == nil {
		r.root = inst
	}
	if n := len(r.stack); n > 0 {
		if i := r.stack[n-1]; i < len(r.calls) && r.calls[i].own && r.calls[i].Module == inst { // its __call__ calls that of its base
			c := r.calls[i]
			c.own = false
			c.In, c.Kw = nil, nil
			c.noteArguments(args, kw)
			r.stack = append(r.stack, i)
			return i
		}
	}
	c := &ModuleCall{Parent: -1, Class: inst.Class, Module: inst, At: at, Name: r.name(inst), Outside: r.outside[inst]}
	if len(r.stack) > 0 {
		c.Parent = r.stack[len(r.stack)-1]
	}
	c.noteArguments(args, kw)
	r.calls = append(r.calls, c)
	r.stack = append(r.stack, len(r.calls)-1)
	return len(r.calls) - 1
}

// noteArguments notes the arguments.
func (c *ModuleCall) noteArguments(args []value.Value, kw []value.Kw) {
	for _, a := range args {
		c.In = append(c.In, Snapshot(a))
	}
	for _, k := range kw {
		c.Kw = append(c.Kw, value.Kw{Name: k.Name, Value: Snapshot(k.Value)})
	}
}

// leave records its end; a second time only its changed result.
func (r *recorder) leave(i int, out value.Value, err error) {
	if n := len(r.stack); n > 0 && r.stack[n-1] == i {
		r.stack = r.stack[:n-1]
	}
	if i >= len(r.calls) {
		return
	}
	c := r.calls[i]
	if err != nil {
		c.Err = "error"
		if e, ok := err.(*value.Exception); ok {
			c.Err = e.Value.Class.Name
		}
		return
	}
	c.Out = Snapshot(out)
}

// name finds the qualified name of a module under the root.
func (r *recorder) name(inst *value.Instance) string {
	if n, ok := r.names[inst]; ok {
		return n
	}
	r.names, r.outside = map[*value.Instance]string{}, nil
	separator := "."
	link := isLinkTable(r.root)
	if link { // Chainer's names of links are paths
		separator = "/"
	}
	var w value.Visit
	var walk func(m *value.Instance, path string)
	walk = func(m *value.Instance, path string) {
		if !w.Enter(m) {
			return
		}
		defer w.Leave()
		if r.names[m] = path; link {
			r.names[m] = "/" + path
		}
		v, _ := m.Attrs.Get("_modules")
		d, ok := v.(*value.Dict)
		if !ok {
			return
		}
		for i := range d.Len() {
			k, _ := value.AsStr(d.Key(i))
			if path != "" {
				k = path + separator + k
			}
			if c, ok := d.At(i).(*value.Instance); ok {
				walk(c, k)
			}
		}
	}
	walk(r.root, "")
	n, ok := r.names[inst]
	if !ok {
		n = inst.Class.Name
		r.names[inst] = n
		if r.outside == nil {
			r.outside = map[*value.Instance]bool{}
		}
		r.outside[inst] = true
	}
	return n
}

func (r *recorder) modulePath() string {
	if n := len(r.stack); n > 0 {
		if i := r.stack[n-1]; i < len(r.calls) {
			return r.calls[i].Name
		}
	}
	return ""
}

// condition records a condition of the contract, unless data decides it. On a path that elements of tensors decide it
// counts where a library needs it; what the program itself raises there is mostly about the elements.
func (r *recorder) condition(c *symshape.Cond, path []*symshape.Cond, at source.Span, op, why string) {
	if r.onData(c) {
		if !r.drawn(Condition{Cond: c, Path: path, At: at, Op: op, Why: why}) {
			r.hold(Condition{Cond: c, Path: path, At: at, Op: op, Why: why})
		}
		return
	}
	if r.known(c, path) {
		return
	}
	x := Condition{Cond: c, At: at, Op: op, Why: why, whole: slices.Clone(path)}
	for _, p := range path {
		if !r.onData(p) {
			x.Path = append(x.Path, p)
			continue
		}
		sizes, ok := r.withoutElements(p)
		if !ok || x.Demanded() {
			r.hold(Condition{Cond: c, Path: path, At: at, Op: op, Why: why})
			return // it matters only on a path that data decides
		}
		x.OnData = true
		x.Path = append(x.Path, sizes...)
	}
	r.conds = append(r.conds, x)
}

// withoutElements gives the conjuncts of a condition that are about sizes of arguments. It is false where another one
// is not about elements of tensors alone.
func (r *recorder) withoutElements(c *symshape.Cond) (sizes []*symshape.Cond, ok bool) {
	for _, x := range c.Conjuncts() {
		switch {
		case x == nil:
			return nil, false
		case !r.onData(x):
			sizes = append(sizes, x)
		case slices.ContainsFunc(x.Symbols(), func(s *symshape.Expr) bool { return !r.elements[s] }):
			return nil, false
		}
	}
	return sizes, true
}

// A drawing is a size that is one of two, as chance decides: cond.
type drawing struct {
	cond *symshape.Cond
	size [2]*symshape.Expr // where cond is true, and where it is not
}

// drawn records a condition on sizes that chance decides for both outcomes, or for the one of its path: a run may come to either.
// It reports whether there is such a size.
func (r *recorder) drawn(c Condition) bool {
	var by *symshape.Cond
	for _, s := range c.Cond.Symbols() {
		if d, ok := r.drawings[s]; ok {
			by = d.cond
			break
		}
	}
	if by == nil {
		return false
	}
	pool := c.Cond.Pool()
	for side, on := range [...]*symshape.Cond{by, pool.Not(by)} {
		if slices.Contains(c.Path, pool.Not(on)) {
			continue
		}
		cond := pool.SubstCond(c.Cond, func(sym *symshape.Expr) *symshape.Expr {
			if d, ok := r.drawings[sym]; ok && d.cond == by {
				return d.size[side]
			}
			return sym
		})
		if _, decided := cond.Const(); !decided {
			path := slices.DeleteFunc(slices.Clone(c.Path), func(p *symshape.Cond) bool { return p == on })
			r.condition(cond, path, c.At, c.Op, "")
		}
	}
	return true
}

// byChance notes that chance alone decides of a condition, so that a run may come to either outcome.
func (r *recorder) byChance(c *symshape.Cond) {
	if symbols := c.Symbols(); len(symbols) == 1 {
		r.chances[symbols[0]] = true
	}
}

// isChance reports whether chance alone decides of a condition.
func (r *recorder) isChance(c *symshape.Cond) bool {
	symbols := c.Symbols()
	return len(symbols) == 1 && r.chances[symbols[0]]
}

// maxHeld bounds the conditions that are kept for the end of loops.
const maxHeld = 1000

// hold keeps a condition on what data decides in the body of an open loop: at its end some of that is known to be a size.
func (r *recorder) hold(c Condition) {
	if r.loops > 0 && len(r.held) < maxHeld {
		c.Path = slices.Clone(c.Path)
		r.held = append(r.held, c)
	}
}

// known reports whether c is recorded for this path or one that it continues.
func (r *recorder) known(c *symshape.Cond, path []*symshape.Cond) bool {
	for i := range r.conds {
		if k := &r.conds[i]; k.Cond == c && len(k.whole) <= len(path) && slices.Equal(k.whole, path[:len(k.whole)]) {
			return true
		}
	}
	return false
}

// onData reports whether a condition depends on more than the sizes of the entry's arguments.
func (r *recorder) onData(c *symshape.Cond) bool {
	for _, s := range c.Symbols() {
		if r.dataSyms[s] || s.IsFresh() { // no symbol of the entry's arguments
			return true
		}
	}
	return false
}

// data notes a symbol that data decides.
func (r *recorder) data(e *symshape.Expr) { r.dataSyms[e] = true }

// atOdds reports whether c, an equation that sizes need, depends on two or more random numbers
// that nothing ties to each other, as the lengths of two samples: it fails sooner or later.
func (cf *controlFlow) atOdds(c *symshape.Cond) bool {
	n := 0
	for _, s := range c.Symbols() {
		if !cf.in.rec.random[s] {
			return false
		}
		n++
	}
	return n > 1 && strings.Contains(c.String(), " == ") && cf.path.facts.Decide(c).False != nil
}

// lost notes the cause of an unknown value.
func (r *recorder) lost(c *value.Cause) {
	if r.causeSeen[c.At] {
		return
	}
	r.causeSeen[c.At] = true
	r.causes = append(r.causes, c)
}

// assumed notes a simplification that the run made.
func (r *recorder) assumed(c *value.Cause, text string) { r.notes = append(r.notes, note{c, text}) }

// partial notes a module whose top-level code did not run to its end.
func (r *recorder) partial(m *value.Module, c *value.Cause) {
	r.partials = append(r.partials, partial{m, c})
}
