package dynamo

// This file has graphs, what guards them, and which parts of a function they are of.

import (
	"cmp"
	"slices"
	"strings"

	"shapecheck/infer/graph"
	"shapecheck/infer/value"
	"shapecheck/internal/source"
	"shapecheck/parser/ast"
	"shapecheck/symshape"
)

// A Call is what a call of a compiled function made.
type Call struct {
	// Reasons are, for each function of which a graph was made again, why the newest graph did not serve.
	Reasons []Reason
	// Breaks are the places where graphs end that were made.
	Breaks []source.Span
	// Limit says that no further graph is made of a function.
	Limit bool
	// Unsure says that there may be other breaks, after the first.
	Unsure bool
}

// A Reason is the guard that failed.
type Reason struct {
	Function string
	// Kind says what the guard asks of Source.
	Kind   GuardKind
	Source string
	// Now and Was are types, or numbers and texts, of Source; empty: they say nothing.
	Now, Was string
}

// mostGraphs is how many graphs are kept of a function.
func (d *Run) mostGraphs() int {
	for _, name := range []string{"recompile_limit", "cache_size_limit"} {
		if v, ok := d.host.Setting(name); ok {
			if n, ok := value.AsInt(v); ok && n >= 0 {
				return int(n)
			}
		}
	}
	return defaultGraphs
}

// defaultGraphs is how many are kept where torch._dynamo.config says nothing.
const defaultGraphs = 8

// A compiledCode is a part of a function, of which graphs are kept.
type compiledCode struct {
	name    string
	entries []*guardedGraph // newest first
	// seen is what reads of earlier graphs were, by their sources.
	seen map[string]*sourceHistory
	// eager says that it is not compiled any more, limited that it is so because of the limit, lost that nothing is known of it.
	eager, limited, lost bool
}

// A sourceHistory is what the graphs of a part saw of a source.
type sourceHistory struct {
	shape   []int64
	varies  []bool // of the sizes
	ranks   bool   // they vary: so do all sizes
	scalar  value.Value
	changes bool // of a number
	// strides are those of the first graph, restrided says that others differ.
	strides   []int64
	restrided bool
}

type codeKey struct {
	node any // the definition
	part source.Pos
}

// A guardedGraph is a graph and what guards it.
type guardedGraph struct {
	reads []*guardedRead // in the order in which they are asked, once another call asks
	asked bool
	// tensors are those of the reads, by their sources, aliased which of these are one tensor; known once another call asks.
	tensors []*guardedRead
	aliased string
	global  string
	// compiler made it.
	compiler string
	// symbols are the names of sizes and numbers that the graph leaves open, by source and axis.
	symbols map[sizeKey]string
	conds   []*symshape.Cond
	// open are the sources of tensors of which a size or stride is left open.
	open map[string]bool
	// branches are those of the places that decide, where numbers are open.
	branches []Branch
	// floats are those that the graph has as numbers.
	floats []value.Value
	// entire says that it is the graph of a call of a compiled function, from its beginning to its end.
	entire bool
}

// openNumber stands for the symbol of a float, or of a size or number that is no argument, that a graph leaves open: what it
// decides shows in the branches of the program.
const openNumber = "a number"

type sizeKey struct {
	source string
	axis   int // -1: a number
}

// A guardedRead is what a part of a function read that was there before.
type guardedRead struct {
	source string
	part   int // of its function, in which it is read
	kind   readKind
	class  *value.Class
	scalar value.Value
	length int
	typ    *graph.TensorType // of a tensor
	grad   bool
	keys   dispatchKeys
	id     any
	// fixed says that its sizes or number are never symbols, open that its number is one from the first graph on.
	fixed, open bool
	// typed says that the type of its number is guarded apart from its value.
	typed bool
	value *graph.Value // of a tensor
	// has says whether a dict has a key, missing that what is under it was asked for.
	has, missing bool
	// lazy are the uses of the variable in whose function the number is read; nil: a graph looks at it.
	lazy *lazyUses
	name string
	// again says that it is a tensor that the graph has under another name: it guards that they are one alone.
	again bool
	// static and dynamic are the axes that were marked, maybe those that the graph may fix all the same.
	static, dynamic, maybe map[int64]bool
	// module says that it is a module of PyTorch, whole that a list's elements are read, too.
	module, whole bool
	// ofModule says that it is an attribute of one, layer that it is one of its modules.
	ofModule, layer bool
}

// dispatchKeys are those of a tensor, as far as they differ.
type dispatchKeys uint8

const (
	keysPlain       dispatchKeys = iota
	keysInInference              // of a tensor that is used in the inference mode
	keysOfInference              // of one that was made there
)

// fails says why an entry does not serve what is read now; GuardNone: it serves. The guard that fails
// is asked first the next time.
func (e *guardedGraph) fails(now *framePart) (kind GuardKind, src string) {
	kind, src = e.failing(now)
	if src != "" && src != compilerSource && kind != GuardValueCondition {
		i := slices.IndexFunc(e.reads, func(r *guardedRead) bool { return r.source == src })
		r := e.reads[i]
		e.reads = slices.Insert(slices.Delete(slices.Clone(e.reads), i, i+1), 0, r)
	}
	return kind, src
}

// A symbolValue is the size or number for which a symbol of a graph stands in a call.
type symbolValue struct {
	symbol string
	n      int64
}

// order puts the guards into their order, when they are asked for the first time.
func (e *guardedGraph) order() {
	if e.asked {
		return
	}
	e.asked = true
	e.reads, e.tensors = guardOrder(e.reads), tensorsOf(e.reads)
	e.aliased = aliases(e.tensors)
}

// failing gives the kind and the source of the first guard of a compiled graph that fails for what a later call reads,
// in the order in which Dynamo asks them: that of the reads, then contents of sets, aliases, sizes and conditions.
// GuardNone says that the graph is used again.
func (e *guardedGraph) failing(now *framePart) (kind GuardKind, src string) {
	e.order()
	if e.global != now.global {
		return GuardGlobalState, ""
	}
	var room [4]symbolValue
	env := room[:0]
	relied := GuardNone // what a guard on sizes says, which are asked last
	whole := ""         // a set that is another one
	for _, was := range e.reads {
		r := now.of[was.source]
		if was.again || was.isUnused() {
			continue
		}
		if r == nil { // it is found elsewhere, an earlier guard fails, or it is not asked for now
			if kind := was.attrMoved(now); kind != GuardNone {
				return kind, was.source
			}
			continue
		}
		symbol := e.symbols[sizeKey{was.source, -1}]
		kind := GuardNone
		if was.kind == readScalar {
			kind = was.scalarDiffers(r, symbol != "")
		} else {
			kind = was.differs(r)
		}
		if kind == GuardValue && was.kind == readSet { // asked after what is looked for in it
			whole = was.source
			continue
		}
		if kind != GuardNone {
			return kind, was.source
		}
		switch was.kind {
		case readTensor:
			if marked(was.static, r.static) || marked(was.dynamic, r.dynamic) {
				return GuardOther, was.source
			}
			if !was.typ.Ranked || !r.typ.Ranked {
				continue
			}
			for i, d := range was.typ.Shape {
				n, known := r.typ.Shape[i].Const()
				if s := e.symbols[sizeKey{was.source, i}]; s != "" {
					env = append(env, symbolValue{s, n})
					continue
				}
				if w, ok := d.Const(); ok && known && w != n {
					return GuardSize, was.source
				}
			}
			switch kind := was.strideDiffers(r, e.open[was.source]); kind {
			case GuardNone:
			case GuardStride:
				return kind, was.source
			default:
				relied = kind
			}
		case readScalar:
			if n, ok := r.scalar.(value.Int); ok && symbol != "" {
				env = append(env, symbolValue{symbol, int64(n)})
			}
		}
	}
	if whole != "" {
		return GuardValue, whole
	}
	if is := now.aliases(e.tensors); e.aliased != is {
		if e.aliased != "" { // the graph relies on two being one
			return GuardIdentityOrAliasing, ""
		}
		return GuardAliasing, ""
	}
	if relied != GuardNone {
		return relied, ""
	}
	fixed := len(e.symbols) == 0 || slices.Equal(e.floats, now.floats)
	for k, s := range e.symbols {
		switch {
		case s != openNumber:
		case !fixed:
			return GuardValue, k.source
		case !sameBranches(e.branches, now.branches) && k.axis >= 0:
			return GuardSizeCondition, ""
		case !sameBranches(e.branches, now.branches):
			return GuardValueCondition, k.source
		}
	}
	if !fixed {
		return GuardSizeCondition, ""
	}
	lookup := func(symbol string) (int64, bool) {
		for i := len(env) - 1; i >= 0; i-- {
			if env[i].symbol == symbol {
				return env[i].n, true
			}
		}
		return 0, false
	}
	for k, s := range e.symbols {
		if n, ok := lookup(s); ok && k.axis >= 0 && n < 2 {
			return GuardSizeCondition, ""
		}
	}
	if e.compiler != now.compiler {
		return GuardOther, compilerSource
	}
	for _, c := range e.conds {
		v, err := c.Eval(lookup)
		if err != nil || v {
			continue
		}
		if src := e.onNumbers(c); src != "" {
			return GuardValueCondition, src
		}
		return GuardSizeCondition, ""
	}
	return GuardNone, ""
}

// onNumbers is the source of a number of which a condition is, empty if it is of a size, too.
func (e *guardedGraph) onNumbers(c *symshape.Cond) string {
	found := ""
	for _, x := range c.Symbols() {
		for k, s := range e.symbols {
			switch {
			case s != x.String():
			case k.axis >= 0:
				return ""
			case found == "" || k.source < found:
				found = k.source
			}
		}
	}
	return found
}

// A framePart is a part of a frame as a call ran it.
type framePart struct {
	at     source.Pos // where it begins; 0: the frame's beginning
	order  []*guardedRead
	of     map[string]*guardedRead
	global string
	// compiler is what compiles it.
	compiler string
	// computes says that it has operations.
	computes bool
	// branches are those of the places that decide, of a call without breaks.
	branches []Branch
	// floats are those of which operations take the numbers, in their order.
	floats []value.Value
	// eager says that it cannot be compiled, because of the break that ends it.
	eager bool
	// whole are the functions called in it that do not break.
	whole []*node
	// ends are the places of the break that ends it; none: it ran to the end.
	ends []source.Span
	// failed says that an exception of the program ended it.
	failed bool
}

// newPart is a part of a function that reads at most as many sources.
func (d *Run) newPart(at source.Pos, reads int) *framePart {
	return &framePart{at: at, of: make(map[string]*guardedRead, reads), order: make([]*guardedRead, 0, reads), global: d.global,
		compiler: d.opts.compiler()}
}

func (p *framePart) add(r *guardedRead) {
	if p.of[r.source] == nil {
		p.of[r.source] = r
		p.order = append(p.order, r)
	}
}

// tensorsOf are the tensors of reads, by their sources.
func tensorsOf(reads []*guardedRead) []*guardedRead {
	var out []*guardedRead
	for _, r := range reads {
		if r.kind == readTensor {
			out = append(out, r)
		}
	}
	slices.SortFunc(out, func(a, b *guardedRead) int { return strings.Compare(a.source, b.source) })
	return out
}

// aliases are the sources of tensors that are one.
func aliases(tensors []*guardedRead) string {
	if len(tensors) < 2 {
		return ""
	}
	first := make(map[any]string, len(tensors))
	var out []string
	for _, r := range tensors {
		if s, ok := first[r.id]; ok {
			out = append(out, s+"="+r.source)
		} else {
			first[r.id] = r.source
		}
	}
	return strings.Join(out, " ")
}

// aliases are those of tensors that a graph read, as they are now.
func (p *framePart) aliases(tensors []*guardedRead) string {
	now := make([]*guardedRead, 0, len(tensors))
	for _, r := range tensors {
		if o := p.of[r.source]; o != nil && o.kind == readTensor {
			now = append(now, o)
		}
	}
	return aliases(now)
}

// Options are those of torch.compile.
type Options struct {
	Fullgraph bool
	Dynamic   value.Value // None, True, False
	Backend   string      // its name or function, mode and options
	Stance    string      // that of torch.compiler.set_stance
}

// The stances that are followed, beside "default".
const (
	forceEager       = "force_eager"
	eagerOnRecompile = "eager_on_recompile"
	failOnRecompile  = "fail_on_recompile"
)

// unsure reports whether the stance is one of those that are not followed.
func (o *Options) unsure() bool { return strings.HasSuffix(o.Stance, "_then_compile") }

// compilerSource stands for what compiles, as the source of what fails a guard.
const compilerSource = "backend or option"

// compiler is what compiles: a graph serves calls of the same one alone.
func (o *Options) compiler() string { return o.Dynamic.String() + " " + o.Backend }

// compiles goes through the parts of a function that ran, and makes the graphs that there are
// not.
func (d *Run) compiles(n *node, first bool) {
	parts, eager := n.parts(d)
	codes := d.graphs.codes
	begin := codeKey{n.key(), 0}
	if c := codes[begin]; c != nil && c.eager {
		d.compileCalled(c, n.children)
		return
	}
	if eager != nil { // the frame is not split there: it runs as it is from now on
		d.made++
		d.breaksAt(*eager)
		codes[begin] = &compiledCode{name: n.name, eager: true}
		for _, k := range n.children {
			d.compiles(k, false)
		}
		return
	}
	for i, p := range parts {
		key := codeKey{n.key(), p.at}
		c := codes[key]
		if c == nil {
			c = &compiledCode{name: n.name, seen: map[string]*sourceHistory{}}
			codes[key] = c
		}
		if p.eager {
			if !c.eager {
				c.eager = true
				for _, at := range p.ends {
					d.breaksAt(at)
				}
			}
			continue
		}
		if d.findGraph(c, p, i == 0, first); c.eager {
			d.compileCalled(c, p.whole)
		}
	}
	for _, k := range n.children {
		if !k.clean() {
			d.compiles(k, false)
		}
	}
}

// compileCalled compiles functions that a part calls which runs as it is: on their own, but after the limit.
func (d *Run) compileCalled(c *compiledCode, called []*node) {
	if c.limited {
		return
	}
	for _, k := range called {
		d.compiles(k, false)
	}
}

// findGraph finds a graph for a part of a frame, or makes one.
func (d *Run) findGraph(c *compiledCode, p *framePart, begins, first bool) {
	if c.eager {
		return
	}
	for i, e := range c.entries {
		if kind, _ := e.fails(p); kind == GuardNone { // what was used last is asked first
			copy(c.entries[1:i+1], c.entries[:i])
			c.entries[0] = e
			return
		}
	}
	switch d.opts.Stance {
	case eagerOnRecompile:
		return
	case failOnRecompile:
		d.refused = "RuntimeError"
		return
	}
	if len(c.entries) > 0 {
		kind, src := c.entries[0].fails(p)
		r := Reason{Function: c.name, Kind: kind, Source: src}
		if now := p.of[src]; now != nil {
			r.Now, r.Was = now.text(), c.entries[0].reads[0].text()
		}
		d.out.Reasons = append(d.out.Reasons, r)
	}
	if len(c.entries) >= d.mostGraphs() {
		c.eager, c.limited, d.out.Limit = true, true, true
		if d.opts.Fullgraph {
			d.refused = "torch._dynamo.exc.FailOnRecompileLimitHit"
		}
		return
	}
	if begins {
		d.made++
	}
	for _, at := range p.ends {
		d.breaksAt(at)
	}
	if p.failed {
		d.ended, c.eager = true, len(p.ends) > 0 // an exception of the program: it is left alone from now on
		return
	}
	e := d.entry(c, p, begins && first)
	if d.refused != "" {
		return
	}
	// a graph without operations is none: the part is left alone from now on
	if !p.computes && len(p.ends) == 0 && len(e.conds) == 0 && !d.opts.Fullgraph {
		c.eager = true
		return
	}
	e.entire = begins && first && len(p.ends) == 0
	c.entries = slices.Insert(c.entries, 0, e)
}

// breaksAt notes a break, once.
func (d *Run) breaksAt(at source.Span) {
	if !slices.Contains(d.out.Breaks, at) {
		d.out.Breaks = append(d.out.Breaks, at)
	}
}

// entry is the graph of a part: sizes and numbers that vary are symbols.
func (d *Run) entry(c *compiledCode, p *framePart, whole bool) *guardedGraph {
	e := &guardedGraph{reads: p.order, global: p.global, compiler: p.compiler, symbols: map[sizeKey]string{}, open: map[string]bool{},
		floats: p.floats}
	markRepeated(p.order)
	varies := map[sizeKey]int64{}
	for _, r := range p.order {
		sizes := d.open(c, r)
		if r.kind == readTensor && (len(sizes) > 0 || c.restrided(r)) {
			e.open[r.source] = true
		}
		for _, k := range sizes {
			if k.axis < 0 {
				if n, ok := r.scalar.(value.Int); ok {
					varies[k] = int64(n)
				} else {
					e.symbols[k], e.branches = openNumber, p.branches
				}
			} else if n, ok := r.typ.Shape[k.axis].Const(); ok {
				varies[k] = n
			}
		}
	}
	if len(varies) == 0 {
		return e
	}
	if whole {
		d.runSymbolic(e, p, varies)
		return e
	}
	for k := range varies {
		e.symbols[k] = k.source + "@" + string(rune('0'+k.axis+1))
	}
	return e
}

// markRepeated marks the tensors that are read under another name before.
func markRepeated(reads []*guardedRead) {
	tensors := map[any]bool{}
	for _, r := range reads {
		if r.kind == readTensor {
			r.again, tensors[r.id] = tensors[r.id], true
		}
	}
}

// guardOrder is the order in which Dynamo asks the guards of reads: variables before globals and these before modules, shorter names
// before longer ones, and what is in an object with the object.
func guardOrder(reads []*guardedRead) []*guardedRead {
	type group struct {
		root         string
		kind, length int
	}
	groups := map[string]*group{}
	of := make(map[*guardedRead]*group, len(reads))
	for _, r := range reads {
		root := sourceRoot(r.source)
		g := groups[root]
		if g == nil {
			g = &group{root: root, length: len(r.source)}
			groups[root] = g
		}
		of[r], g.length = g, min(g.length, len(r.source))
		switch {
		case r.module || strings.Contains(r.source, "._modules") || strings.Contains(r.source, "._parameters"):
			g.kind = 2
		case strings.HasPrefix(root, "G["):
			g.kind = max(g.kind, 1)
		}
	}
	return slices.SortedStableFunc(slices.Values(reads), func(a, b *guardedRead) int {
		g, h := of[a], of[b]
		if g == h {
			return cmp.Or(len(asked(a.source))-len(asked(b.source)), strings.Compare(a.source, b.source))
		}
		return cmp.Or(g.kind-h.kind, g.length-h.length, strings.Compare(g.root, h.root))
	})
}

// asked is the source of the dict or object that is asked for a key or attribute.
func asked(src string) string {
	if i := strings.Index(src, " in "); i >= 0 {
		return src[i+len(" in "):]
	}
	return strings.TrimPrefix(src, "keys of ")
}

// sourceRoot is the variable of a source: "G['a']" of a global.
func sourceRoot(src string) string {
	src = asked(src)
	if of, ok := strings.CutPrefix(src, "type("); ok { // an attribute of an object's class
		return sourceRoot(of[:strings.IndexByte(of, ')')])
	}
	start := 0
	if strings.HasPrefix(src, "G['") {
		start = strings.IndexByte(src, ']') + 1
	}
	if i := strings.IndexAny(src[start:], ".["); i >= 0 {
		return src[:start+i]
	}
	return src
}

// restrided reports whether the strides of a tensor are other ones than those seen before, with the same sizes.
func (c *compiledCode) restrided(r *guardedRead) bool {
	s := c.seen[r.source]
	if s == nil {
		return false
	}
	_, strides, ok := stridesOf(r.typ)
	if !ok {
		return false
	}
	if s.strides == nil || len(s.strides) != len(strides) {
		s.strides = strides
	}
	s.restrided = s.restrided || !slices.Equal(s.strides, strides)
	return s.restrided
}

// open are the sizes or the number of a read that are symbols now, by what was seen of it.
func (d *Run) open(c *compiledCode, r *guardedRead) []sizeKey {
	never, atOnce := d.opts.Dynamic == value.Bool(false), d.opts.Dynamic == value.Bool(true)
	if v, ok := d.host.Setting("automatic_dynamic_shapes"); ok && v == value.Bool(false) && !atOnce {
		never = true
	}
	var out []sizeKey
	s := c.seen[r.source]
	switch r.kind {
	case readTensor:
		if !r.typ.Ranked || r.fixed || r.again {
			return nil
		}
		shape := make([]int64, len(r.typ.Shape))
		for i, x := range r.typ.Shape {
			n, ok := x.Const()
			if !ok {
				n = -1
			}
			shape[i] = n
		}
		if s == nil || len(s.shape) != len(shape) {
			s = &sourceHistory{shape: shape, varies: make([]bool, len(shape)), ranks: s != nil}
			c.seen[r.source] = s
		}
		s.scalar = nil // a number that comes where a tensor was is another one
		for i, n := range shape {
			s.varies[i] = s.varies[i] || s.ranks || n != s.shape[i]
			open := (s.varies[i] || atOnce) && !never && !r.static[int64(i)] || r.dynamic[int64(i)] || r.maybe[int64(i)]
			if open && n >= 2 {
				out = append(out, sizeKey{r.source, i})
			}
		}
	case readScalar:
		switch r.scalar.(type) {
		case value.Int, value.Float:
		default:
			return nil
		}
		if s == nil {
			s = &sourceHistory{scalar: r.scalar}
			c.seen[r.source] = s
		}
		s.changes = s.changes || !sameNumber(s.scalar, r.scalar)
		if r.fixed {
			return nil
		}
		_, number := r.scalar.(value.Int)
		if (s.changes || atOnce && number) && !never || r.open {
			out = append(out, sizeKey{r.source, -1})
		}
	}
	return out
}

// sameNumber reports whether numbers are equal as Python has it, whatever their types.
func sameNumber(a, b value.Value) bool {
	x, ok1 := value.AsFloat(a)
	y, ok2 := value.AsFloat(b)
	return a == b || ok1 && ok2 && x == y
}

// isNested reports whether a place in a function is inside of a statement in which a frame cannot
// be resumed: a loop or a try statement.
func isNested(body []ast.Stmt, at source.Pos) bool {
	for _, s := range body {
		if s.Span().Start > at || s.Span().End <= at {
			continue
		}
		switch s := s.(type) {
		case *ast.For:
			return at >= s.Iter.Span().End
		case *ast.While:
			return at >= s.Test.Span().End
		case *ast.Try:
			return true
		case *ast.With:
			return isNested(s.Body, at)
		case *ast.If:
			return isNested(s.Body, at) || isNested(s.Else, at)
		}
	}
	return false
}
