package dynamo

// This file says which numbers and texts a graph of torch.compile does not look at: Dynamo guards the type alone of
// one with which a function computes and which it keeps or returns, as a counter. It goes by the
// text of a function first, once for each function, and then by what a call shows: what calls do
// with their arguments, and which elements lists have. A number that is looked at anywhere is
// guarded by its value.

import (
	"slices"
	"strconv"
	"strings"

	"shapecheck/infer/value"
	"shapecheck/parser/ast"
)

// lazyUses divides the variables of a function into groups that are computed from one another. A graph looks at none of
// a group that is used in arithmetic alone and has no tensor. Variables are counted by name,
// elements and attributes by their text. The groups are those of union-find: a name leads to the
// representative of its group.
type lazyUses struct {
	group  map[string]string // the next of the group, up to its representative
	looked map[string]bool   // by representative, as the text of the function says
	seen   map[string]bool   // by representative, as a call shows
	// results are the variables and elements of arithmetic that the function returns.
	results []string
	// elements are the names of elements and attributes in arithmetic or as arguments, by their expressions.
	elements map[ast.Node]string
	// computed says, by representative, that they are used in arithmetic, handed which are arguments of calls, wholes which of the
	// parameters for further arguments are used as a whole.
	computed map[string]bool
	handed   map[*ast.Call][]handedArg
	wholes   map[string]bool
	links    map[string][]lazyLink // by representative: where a call handed them on to
	// broken says that a graph ends in the call, so that it is one of Python, with all its arguments.
	broken bool
}

// A function is what is kept of a function that compiled functions call: how it uses its variables, and how many sources
// and objects its last call had, for the maps of the next one.
type function struct {
	uses         lazyUses
	lists        map[ast.Expr]listUse
	loops        map[ast.Expr][]loopTarget
	reads, paths int
}

// function is what is kept of the function that runs, whose statements are gone through once. The
// maps of a function are shared by all of its calls, but for what a call shows; lambdas have their
// expression as what they return.
func (g *Graphs) function(frame Frame) *function {
	f := g.funcs[frame.Code()]
	if f == nil {
		f = &function{uses: lazyUses{group: map[string]string{}, looked: map[string]bool{}, elements: map[ast.Node]string{},
			computed: map[string]bool{}, handed: map[*ast.Call][]handedArg{}}}
		switch fn := frame.Definition().(type) {
		case *ast.FunctionDef:
			f.uses.wholes = wholeUses(fn.Params, fn)
		case *ast.Lambda:
			f.uses.wholes = wholeUses(fn.Params, fn)
			f.uses.returned(fn.Body)
		}
		f.lists, f.loops = listUses(frame.Body())
		for _, s := range frame.Body() {
			f.uses.stmt(s)
		}
		g.funcs[frame.Code()] = f
	}
	return f
}

// lazyUses are those of a call. The copy shares the maps that come from the text.
func (f *function) lazyUses() *lazyUses {
	l := f.uses
	l.seen, l.links = nil, nil
	return &l
}

// of is the representative of a variable's group.
func (l *lazyUses) of(name string) string {
	for l.group[name] != "" {
		name = l.group[name]
	}
	return name
}

// looks notes that a variable is used in another way.
func (l *lazyUses) looks(name string) { l.looked[l.of(name)] = true }

// sees notes that a call uses a variable in another way. It is kept apart from what the text shows,
// as it holds for this call alone.
func (l *lazyUses) sees(name string) {
	name = l.of(name)
	if l.looked[name] || l.seen[name] {
		return
	}
	if l.seen == nil {
		l.seen = map[string]bool{}
	}
	l.seen[name] = true
}

// isLazy reports whether a graph does not look at a variable. A variable that was handed on is lazy
// only if each function that got it leaves it alone, too.
func (l *lazyUses) isLazy(name string) bool {
	name = l.of(name)
	return !l.looked[name] && !l.seen[name] && !slices.ContainsFunc(l.links[name], func(k lazyLink) bool { return !k.isLazy() })
}

// stmt notes which variables a statement looks at. An assignment of arithmetic only puts its variables into one group,
// and a return only notes what it gives: the graph of a call looks at neither by that.
func (l *lazyUses) stmt(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.Assign:
		// A chained assignment looks at its value.
		if len(s.Targets) != 1 {
			break
		}
		if isVariable(s.Targets[0]) && arithmetic(s.Value) {
			l.together(s.Targets[0], s.Value)
			return
		}
		if t, ok := s.Targets[0].(*ast.Tuple); ok && !slices.ContainsFunc(t.Elts, func(e ast.Expr) bool { return !isVariable(e) }) {
			l.looksAt(s.Value) // a call shows what its elements are
			return
		}
	case *ast.AugAssign:
		if isVariable(s.Target) && arithmetic(s.Value) {
			l.together(s.Target, s.Value)
			return
		}
	case *ast.Return:
		if s.Value != nil {
			l.returned(s.Value)
		}
		return
	// A condition looks at its variables, the blocks are statements of their own.
	case *ast.If:
		l.looksAt(s.Test)
		l.block(s.Body, s.Else)
		return
	case *ast.For:
		l.looksAt(s.Iter)
		l.block(s.Body, s.Else)
		return
	case *ast.With:
		for _, item := range s.Items {
			l.looksAt(item.Context)
		}
		l.block(s.Body)
		return
	case *ast.Try:
		l.block(s.Body, s.Else, s.Finally)
		for _, h := range s.Handlers {
			l.block(h.Body)
		}
		return
	}
	// All other statements look at whatever they name.
	l.looksAt(s)
}

func (l *lazyUses) block(blocks ...[]ast.Stmt) {
	for _, block := range blocks {
		for _, s := range block {
			l.stmt(s)
		}
	}
}

// looksAt notes that all variables that a statement or expression names are used in another way, but for arguments of calls
// of its own.
func (l *lazyUses) looksAt(n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Call:
			// What the function that is called does with an argument is seen at the call.
			l.hands(n)
			return false
		case *ast.FunctionDef, *ast.ClassDef, *ast.Lambda, *ast.ListComp, *ast.SetComp, *ast.DictComp, *ast.GeneratorExp:
			// Functions and comprehensions within run in frames of their own, and look at all that
			// they name.
			for _, name := range namesIn(n) {
				l.looks(name)
			}
			return false
		}
		if name, ok := usedName(n); ok {
			l.looks(name)
		}
		return true
	})
}

// returned is what a function returns: what is in a tuple, list or dict is kept as it is. An
// expression that is no arithmetic is looked at.
func (l *lazyUses) returned(e ast.Expr) {
	var kept []ast.Expr
	switch e := e.(type) {
	case *ast.Tuple:
		kept = e.Elts
	case *ast.List:
		kept = e.Elts
	case *ast.Dict:
		for i, k := range e.Keys {
			if k == nil { // ** of another
				l.looksAt(e.Values[i])
				continue
			}
			l.looksAt(k)
			kept = append(kept, e.Values[i])
		}
	}
	if kept != nil {
		for _, x := range kept {
			l.returned(x)
		}
		return
	}
	if arithmetic(e) {
		l.together(e)
		l.results = append(l.results, namesIn(e)...)
		return
	}
	l.looksAt(e)
}

// together makes one group of the variables and elements of expressions that are arithmetic. The
// first name becomes the representative of the others, and a group that is looked at remains so.
func (l *lazyUses) together(list ...ast.Expr) {
	first := ""
	for _, e := range list {
		var functions []ast.Node // of calls, which are no variables
		ast.Inspect(e, func(n ast.Node) bool {
			if c, ok := n.(*ast.Call); ok {
				functions = append(functions, c.Func)
			}
			if slices.Contains(functions, n) {
				return false
			}
			// An element that stands in arithmetic is noted by its node, so that its evaluation is
			// recognised.
			name, known := usedName(n)
			if _, variable := n.(*ast.Name); known && !variable {
				l.elements[n] = name
			}
			switch {
			case !known:
				return true
			case first == "":
				first = name
				l.computed[l.of(name)] = true
			default:
				if a, b := l.of(first), l.of(name); a != b {
					l.group[b] = a
					l.looked[a] = l.looked[a] || l.looked[b]
				}
			}
			// The parts of a name such as s.n are not names of their own.
			return false
		})
	}
}

func isVariable(e ast.Expr) bool {
	_, ok := e.(*ast.Name)
	return ok
}

// namesIn are the variables and elements that a statement or expression names.
func namesIn(n ast.Node) []string {
	var out []string
	ast.Inspect(n, func(n ast.Node) bool {
		if name, ok := usedName(n); ok {
			out = append(out, name)
		}
		return true
	})
	// Duplicates stay: the callers only mark what is in the list.
	return out
}

// usedName is the name under which the uses of a variable are counted, or of an element or
// attribute of one: "s", "s[0]", "s.n". Indexes are constants: an integer, also a negative one, or
// a text. Others have no name.
func usedName(n ast.Node) (name string, ok bool) {
	switch n := n.(type) {
	case *ast.Name:
		return n.ID, true
	case *ast.Attribute:
		if of, ok := usedName(n.Value); ok {
			return of + "." + n.Attr.Name, true
		}
	case *ast.Subscript:
		index, sign := n.Index, ""
		if u, ok := index.(*ast.UnaryOp); ok && u.Op == ast.USub {
			index, sign = u.Operand, "-"
		}
		c, constant := index.(*ast.Constant)
		of, ok := usedName(n.Value)
		switch {
		case !constant || !ok:
		case c.Kind == ast.StrConst:
			return of + "[" + strconv.Quote(c.Str) + "]", true
		case c.Kind == ast.IntConst && c.Big == nil:
			return of + "[" + sign + strconv.FormatInt(c.Int, 10) + "]", true
		}
	}
	return "", false
}

// orders are the comparisons of two numbers that a graph may leave alone.
var orders = []ast.CmpOperator{ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE}

// lazyOperators and lazyFunctions are what Dynamo computes of numbers without a look at them (_COMPUTED_LAZY_CONSTANT_OPS_BY_ARITY in
// torch/_dynamo/variables/builtin.py): what may raise, as a division, it does not.
var (
	lazyOperators = []ast.BinOperator{ast.Add, ast.Sub, ast.Mult, ast.BitAnd, ast.BitOr, ast.BitXor}
	lazyFunctions = map[string]int{"abs": 1, "min": 2, "max": 2}
)

// arithmetic reports whether an expression has constants, variables and their elements alone, and
// operators. An element of an unknown index is none.
func arithmetic(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Constant:
		return true
	case *ast.BinOp:
		return slices.Contains(lazyOperators, e.Op) && arithmetic(e.Left) && arithmetic(e.Right)
	case *ast.UnaryOp:
		return e.Op != ast.Invert && arithmetic(e.Operand)
	case *ast.Call:
		fn, ok := e.Func.(*ast.Name)
		return ok && lazyFunctions[fn.ID] == len(e.Args) && len(e.Args) > 0 && len(e.Keywords) == 0 &&
			!slices.ContainsFunc(e.Args, func(a ast.Expr) bool { return !arithmetic(a) })
	case *ast.Compare:
		return arithmetic(e.Left) && len(e.Comparators) == 1 && arithmetic(e.Comparators[0]) && slices.Contains(orders, e.Ops[0])
	}
	_, ok := usedName(e)
	return ok
}

// noteTaken notes, of a number that a graph may leave alone, that the function takes it out of what
// holds it, for arithmetic alone. fresh says that the read was just made. The second place that
// takes a number makes it lazy no more, unless it is the same name of the same call.
func (d *Run) noteTaken(r *guardedRead, fresh bool) {
	switch {
	case r.kind != readScalar || !fresh && !strings.ContainsAny(r.name, "[."):
	case fresh:
		if d.element != "" && !r.fixed {
			r.lazy, r.name, d.took = d.node.lazy, d.element, true
		}
	case r.lazy == nil || d.element == "" || r.lazy != d.node.lazy || r.name != d.element: // it is looked at elsewhere, too
		r.lazy = nil
	default:
		d.took = true
	}
}

// unpacks notes that the elements of a list or tuple are kept in variables. Each variable of the
// targets stands for an element by its place, in every frame that knows a source of the list.
func (d *Run) unpacks(v value.Value, u listUse) {
	type element struct {
		n   *node
		src string
	}
	fresh := map[element]bool{}
	sources := func(yield func(e element, name string) bool) {
		for n := d.node; n != nil; n = n.parent {
			if src := n.paths[v]; src != "" {
				for i, name := range u.targets {
					if !yield(element{n, elementSource(src, i)}, name) {
						return
					}
				}
			}
		}
	}
	// Whether the reads exist already has to be known before noteList makes them.
	known := false
	for e := range sources {
		fresh[e], known = !e.n.hasRead(e.src), true
	}
	d.noteList(v, u.unread)
	for e, name := range sources {
		switch r := e.n.reads[e.src]; {
		case r == nil || r.kind != readScalar || r.fixed:
		case fresh[e]:
			r.lazy, r.name = d.node.lazy, name
		case r.lazy != d.node.lazy || r.name != name:
			r.lazy = nil
		}
	}
	// A list that no frame has a source for was made by the function itself.
	if !known && d.node.lazy != nil { // variables as others are
		for _, name := range u.targets {
			d.node.lazy.sees(name)
		}
	}
}
