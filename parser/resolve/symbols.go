package resolve

// This file is the symbol table.
//
// During the walk each scope collects a symbol for each name that occurs in it.
// When a scope ends, names that it does not bind become symbols of the scope
// around it, marked as used by a child. After the walk, from the outside in, a
// symbol is a local variable if its scope binds it, else it is what the outer
// symbol is. No search through enclosing scopes is needed.
//
// The algorithm is that of CPython's symtable.c in two passes: the first sees all occurrences in
// a scope, the second decides, as a binding anywhere in a function makes a name local everywhere
// in it. Names are numbered per file, so that the table of the places of names is a slice; a
// place is valid only for the scope entry that made it, which saves clearing it at each scope.
// The result's slots (Local, Cell, Free) are what the interpreter's frames are laid out by.
//
// Time and memory are linear in the names, plus one symbol for each scope that a name passes
// through between its use and its variable.

import (
	"slices"
	"sync"

	"shapecheck/internal/diag"
	"shapecheck/internal/source"
	"shapecheck/parser/ast"
)

// A symbol is a name in a scope. Flags collect what the walk has seen; at is used in messages.
type symbol struct {
	name  int32 // number of the name
	outer int32 // the symbol of the same name in the scope around it, or -1
	flags symFlags
	at    source.Span // the first occurrence
	// binding is the result; child is what inner scopes see, which differs in a
	// class only.
	binding, child Binding
}

type symFlags uint16

const (
	bound     symFlags = 1 << iota
	param              // a parameter
	global             // declared global
	nonlocal           // declared nonlocal
	used               // read in the scope
	assigned           // bound by other means than as a parameter or by an import
	annotated          // x: T
	childUses          // an inner scope needs it
	walrus             // bound by := in a comprehension, for a scope further out
	iteration          // target of a comprehension
)

// A place is where a name was last seen during the walk.
type place struct {
	scope int32 // sequence number of an open scope
	sym   int32
}

// An open scope is one that the walk is in. Buffers (saved, symbols) are kept when a scope closes
// and used again by the next one at the same depth.
type open struct {
	index int32 // of the scope
	// seq numbers entries, so that a place from an earlier scope is not taken for
	// one of this scope.
	seq int32
	// saved are the places of outer scopes that this scope's symbols hide.
	saved   []savedPlace
	symbols []int32
	loop    bool // inside a loop
	// group is set inside a handler of except*, groupLoop there outside of the loops that the handler has.
	group, groupLoop bool
	async            bool // in an async def
	// inIter is set inside an iterable expression of a comprehension.
	inIter bool
}

type savedPlace struct {
	name int32
	place
}

// It resolves one module. diags are syntax errors that CPython's compiler reports behind its
// parser.
type resolver struct {
	memory
	info     *Info
	seq      int32
	tooDeep  bool // reported
	notebook bool // where the top level may await
	diags    []*diag.Diagnostic
}

// memory is what one resolver leaves to the next. Resolving a file makes many small lists; taking
// them from a pool makes a run over many files faster by what allocating and collecting them
// costs.
type memory struct {
	numbers map[string]int32
	texts   []string // of the numbers
	places  []place  // by name number
	symbols []symbol
	open    []open
	order   []int32 // scopes from the outside in
	// isGlobal says, by name number, whether a global statement names it.
	isGlobal []bool
	nameSym  []int32 // symbol of each Name node
	// lists is where the symbols of the next scopes go.
	lists []int32
}

// memories are those of resolvers that are done.
var memories sync.Pool

// maxNumbers bounds the table of numbers that is kept, as clearing it takes the longer the
// larger it was.
const maxNumbers = 1000

// Tables that are indexed by Name nodes get their full length at once, as the parser has counted
// them.
func newResolver(m *ast.Module) *resolver {
	r := &resolver{
		info:     &Info{Names: make([]Binding, m.NumNames), Scopes: make([]Scope, m.NumScopes)},
		notebook: m.File != nil && m.File.Notebook != nil,
	}
	if old, ok := memories.Get().(*memory); ok {
		r.memory = *old
	}
	if r.numbers == nil {
		r.numbers = make(map[string]int32, 8+m.NumNames/8)
	}
	r.texts, r.places, r.symbols, r.order, r.isGlobal = r.texts[:0], r.places[:0], r.symbols[:0], r.order[:0], r.isGlobal[:0]
	r.nameSym = slices.Grow(r.nameSym[:0], m.NumNames)[:m.NumNames]
	clear(r.nameSym)
	return r
}

// done gives the result what it keeps, and the memory back. The result gets copies, as the memory
// belongs to the next resolver afterwards.
func (r *resolver) done() {
	r.info.symbols, r.info.texts = slices.Clone(r.symbols), slices.Clone(r.texts)
	if len(r.numbers) > maxNumbers {
		r.numbers = nil
	}
	clear(r.numbers)
	m := r.memory
	memories.Put(&m)
}

func (r *resolver) errorf(at source.Span, msg string, args ...any) {
	r.diags = append(r.diags, diag.New(diag.SyntaxError, at, msg, args...))
}

// cur returns the innermost open scope.
func (r *resolver) cur() *open { return &r.open[len(r.open)-1] }

func (r *resolver) scope() *Scope { return &r.info.Scopes[r.cur().index] }

// enter opens a scope. A comprehension takes over whether its function is asynchronous; the class
// name is inherited for mangling.
func (r *resolver) enter(index int32, kind ScopeKind, node ast.Node, name string) {
	s := &r.info.Scopes[index]
	*s = Scope{Kind: kind, Parent: -1, Node: node, Name: name}
	async := false
	if n := len(r.open); n > 0 {
		s.Parent = r.open[n-1].index
		s.ClassName = r.info.Scopes[s.Parent].ClassName
		async = kind == ComprehensionScope && r.open[n-1].async
	}
	if kind == ClassScope {
		s.ClassName = name
	}
	r.seq++
	n := len(r.open)
	r.open = slices.Grow(r.open, 1)[:n+1]
	o := &r.open[n]
	*o = open{index: index, seq: r.seq, async: async, saved: o.saved[:0], symbols: o.symbols[:0]}
	r.order = append(r.order, index)
}

// number returns the number of a name, mangled if need be. Private names (__x in a class) are
// mangled to _Class__x before they are looked up, as Python's reference manual says in 6.2.1;
// Mangle leaves names that end in two underscores.
func (r *resolver) number(name string) int32 {
	if len(name) > 2 && name[0] == '_' && name[1] == '_' {
		if c := r.scope().ClassName; c != "" {
			name = Mangle(c, name)
		}
	}
	n, ok := r.numbers[name]
	if !ok {
		n = int32(len(r.texts))
		r.numbers[name] = n
		r.texts = append(r.texts, name)
		r.places = append(r.places, place{})
		r.isGlobal = append(r.isGlobal, false)
	}
	return n
}

// symbol returns the current scope's symbol of a name. The place of an outer scope's symbol is
// saved and restored by exit, which makes the table a stack without a map per scope.
func (r *resolver) symbol(number int32, at source.Span) int32 {
	o := r.cur()
	p := r.places[number]
	if p.scope == o.seq {
		return p.sym
	}
	o.saved = append(o.saved, savedPlace{number, p})
	i := int32(len(r.symbols))
	r.symbols = append(r.symbols, symbol{name: number, outer: -1, at: at})
	r.places[number] = place{o.seq, i}
	o.symbols = append(o.symbols, i)
	return i
}

// mark notes an occurrence of a name. It returns the number of the symbol.
func (r *resolver) mark(name string, at source.Span, flags symFlags) int32 {
	i := r.symbol(r.number(name), at)
	r.symbols[i].flags |= flags
	return i
}

// name notes a Name node. Reading super or __class__ in a method makes the compiler give the
// method a cell of that name.
func (r *resolver) name(n *ast.Name) {
	flags := used
	if n.Ctx != ast.Load {
		flags = bound | assigned
		r.checkTarget(n.ID, n.Span())
	}
	r.nameSym[n.Index] = r.mark(n.ID, n.Span(), flags) + 1
	if n.Ctx == ast.Load && len(n.ID) >= 5 && (n.ID == "super" || n.ID == "__class__") {
		switch s := r.scope(); s.Kind {
		case FunctionScope, LambdaScope, ComprehensionScope:
			s.UsesClass = true
			r.mark("__class__", n.Span(), used)
		}
	}
}

// bind notes a name that is bound without a Name node.
func (r *resolver) bind(id ast.Ident) {
	r.checkTarget(id.Name, id.Span())
	r.mark(id.Name, id.Span(), bound|assigned)
}

// exit closes the innermost scope and hands what it does not bind to the scope
// around it. Which names go on to the outer scope: all that this scope uses and does not bind,
// those that are nonlocal, and targets of := in a comprehension, which bind in the function
// around it. A class binds only for its own body, so names that its methods use pass through it
// even when the class binds them.
func (r *resolver) exit() {
	o := r.open[len(r.open)-1]
	r.open = r.open[:len(r.open)-1]
	for _, p := range o.saved {
		r.places[p.name] = p.place
	}
	s := &r.info.Scopes[o.index]
	s.symbols = r.keep(o.symbols)
	if len(r.open) == 0 {
		return
	}
	parent := r.cur()
	parentScope := &r.info.Scopes[parent.index]
	for _, i := range s.symbols {
		sym := &r.symbols[i]
		f := sym.flags
		if f&walrus != 0 {
			if f&iteration != 0 {
				r.errorf(sym.at, "':=' cannot rebind the comprehension's variable '"+r.texts[sym.name]+"'")
			}
			up := bound | assigned
			if parentScope.Kind == ComprehensionScope {
				up = walrus
			} else if parentScope.Kind == ClassScope {
				r.errorf(sym.at, "':=' in a comprehension cannot be used in a class body")
			}
			r.link(i, up|childUses)
			continue
		}
		if f&global != 0 {
			continue
		}
		switch {
		case s.Kind == ClassScope && f&(childUses|nonlocal) == 0 && f&bound != 0:
		case s.Kind == ClassScope && f == childUses && r.texts[sym.name] == "__class__":
		case s.Kind != ClassScope && f&bound != 0 && f&nonlocal == 0:
		default:
			r.link(i, childUses)
		}
	}
}

// keep copies a list of symbols into memory that many share. Blocks of 2048 numbers are shared by
// many scopes, and each list is capped so that appending to it copies.
func (r *resolver) keep(list []int32) []int32 {
	n := len(r.lists)
	if cap(r.lists)-n < len(list) {
		n, r.lists = 0, make([]int32, 0, max(len(list), 2048))
	}
	r.lists = append(r.lists, list...)
	return r.lists[n:len(r.lists):len(r.lists)]
}

// link makes the outer symbol of symbol i in the current scope.
func (r *resolver) link(i int32, flags symFlags) {
	sym := r.symbols[i]
	if len(r.symbols) > 64*len(r.nameSym)+1<<16 {
		// Only absurd nesting of lambdas gets here: every name passes through
		// every scope between its use and its variable.
		if !r.tooDeep {
			r.tooDeep = true
			r.errorf(sym.at, "too many nested scopes")
		}
		return
	}
	outer := r.symbol(sym.name, sym.at)
	r.symbols[outer].flags |= flags
	r.symbols[i].outer = outer
}

// assign gives every symbol its binding, from the outside in. Outer scopes come first, so a
// symbol's outer one has its binding already.
func (r *resolver) assign() {
	for _, index := range r.order {
		s := &r.info.Scopes[index]
		switch s.Kind {
		case ModuleScope:
			for _, i := range s.symbols {
				sym := &r.symbols[i]
				if sym.flags&nonlocal != 0 {
					r.errorf(sym.at, "nonlocal declaration not allowed at module level")
				}
				sym.binding = r.moduleBinding(sym)
				sym.child = sym.binding
			}
		case ClassScope:
			r.assignClass(s)
		default:
			r.assignFunction(s)
		}
	}
	for i, sym := range r.nameSym {
		if sym > 0 {
			r.info.Names[i] = r.symbols[sym-1].binding
		}
	}
}

// What the module never binds can only be a builtin, or an error at run time.
func (r *resolver) moduleBinding(sym *symbol) Binding {
	if sym.flags&bound != 0 || r.isGlobal[sym.name] {
		return Binding{Kind: Global}
	}
	return Binding{Kind: Builtin}
}

// captured returns the binding of a name that s does not bind, and adds it to
// s.Free when it is a variable of an enclosing function. Each function has its own list of free
// variables; a capture says whether the enclosing function has the variable as a cell of its own
// or as a free variable again, and in which slot.
func (r *resolver) captured(s *Scope, sym *symbol) Binding {
	if sym.outer < 0 {
		return Binding{Kind: Builtin}
	}
	b := r.symbols[sym.outer].child
	switch b.Kind {
	case Cell, Free:
		s.Free = append(s.Free, Capture{r.texts[sym.name], b.Kind == Cell, b.Slot})
		return Binding{Free, int32(len(s.Free) - 1)}
	}
	return Binding{Kind: b.Kind}
}

// Locals get slots in the order of their first occurrence, parameters first. A local that an
// inner scope uses is a cell.
func (r *resolver) assignFunction(s *Scope) {
	locals := 0
	for _, i := range s.symbols {
		if f := r.symbols[i].flags; f&bound != 0 && f&(global|nonlocal) == 0 {
			locals++
		}
	}
	s.Locals = slices.Grow(s.Locals, locals)
	// Parameters got their symbols first and in order.
	for _, i := range s.symbols {
		sym := &r.symbols[i]
		switch {
		case sym.flags&global != 0:
			sym.binding = Binding{Kind: Global}
		case sym.flags&bound != 0 && sym.flags&nonlocal == 0:
			slot := int32(len(s.Locals))
			s.Locals = append(s.Locals, r.texts[sym.name])
			sym.binding = Binding{Local, slot}
			if sym.flags&childUses != 0 {
				sym.binding.Kind = Cell
				s.setCell(slot)
			}
		default:
			sym.binding = r.captured(s, sym)
			if sym.flags&nonlocal != 0 && sym.binding.Kind != Free {
				r.errorf(sym.at, "no binding for nonlocal '"+r.texts[sym.name]+"' found", r.texts[sym.name])
			}
		}
		sym.child = sym.binding
	}
	if s.cells != nil {
		for len(s.cells) < len(s.Locals) {
			s.cells = append(s.cells, false)
		}
	}
}

func (s *Scope) setCell(slot int32) {
	for len(s.cells) <= int(slot) {
		s.cells = append(s.cells, false)
	}
	s.cells[slot] = true
}

// Names in a class body are looked up in the class's dictionary at run time, so they have no
// slot; one that is also a free variable keeps that slot for the case that the class has not
// bound it (as CPython's opcode LOAD_FROM_DICT_OR_DEREF does).
func (r *resolver) assignClass(s *Scope) {
	for _, i := range s.symbols {
		sym := &r.symbols[i]
		name := r.texts[sym.name]
		if sym.flags&global != 0 {
			sym.binding = Binding{Kind: Global}
			sym.child = sym.binding
			continue
		}
		if name == "__class__" && sym.flags&childUses != 0 {
			sym.binding = Binding{Class, -1}
			sym.child = Binding{Cell, int32(len(s.Locals))}
			s.Locals = append(s.Locals, name)
			s.setCell(sym.child.Slot)
			continue
		}
		sym.binding = Binding{Class, -1}
		if sym.outer < 0 {
			sym.child = Binding{Kind: Builtin}
			continue
		}
		sym.child = r.captured(s, sym)
		if sym.child.Kind == Free {
			if sym.flags&nonlocal != 0 {
				sym.binding = sym.child
			} else if sym.flags&bound == 0 {
				sym.binding.Slot = sym.child.Slot
			}
		} else if sym.flags&nonlocal != 0 {
			r.errorf(sym.at, "no binding for nonlocal '"+name+"' found", name)
		}
	}
	if s.cells != nil {
		for len(s.cells) < len(s.Locals) {
			s.cells = append(s.cells, false)
		}
	}
}
