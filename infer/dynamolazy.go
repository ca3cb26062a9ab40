package infer

// This file says which numbers and texts a graph of torch.compile does not look at: Dynamo guards the type alone of
// one with which a function computes and which it keeps or returns, as a counter.

import "shapecheck/parser/ast"

// lazyUses divides the variables of a function into groups that are computed from one another. A graph looks at none of
// a group that is used in arithmetic alone and has no tensor.
type lazyUses struct {
	group  map[string]string // the next of the group, up to its representative
	looked map[string]bool   // by representative, as the text of the function says
	seen   map[string]bool   // by representative, as a call shows
}

// A dynamoFunc is what is kept of a function that compiled functions call: how it uses its variables, and how many sources
// and objects its last call had, for the maps of the next one.
type dynamoFunc struct {
	uses         lazyUses
	lists        map[ast.Expr]listUse
	loops        map[ast.Expr][]loopTarget
	reads, paths int
}

// dynamoFunc is what is kept of a function, whose statements are gone through once.
func (in *Interp) dynamoFunc(c *code) *dynamoFunc {
	f := in.retraces.funcs[c]
	if f == nil {
		f = &dynamoFunc{uses: lazyUses{group: map[string]string{}, looked: map[string]bool{}}}
		f.lists, f.loops = listUses(c.body)
		for _, s := range c.body {
			f.uses.stmt(s)
		}
		if in.retraces.funcs == nil {
			in.retraces.funcs = map[*code]*dynamoFunc{}
		}
		in.retraces.funcs[c] = f
	}
	return f
}

// lazyUses are those of a call.
func (f *dynamoFunc) lazyUses() *lazyUses {
	return &lazyUses{group: f.uses.group, looked: f.uses.looked}
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

// sees notes that a call uses a variable in another way.
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

// isLazy reports whether a graph does not look at a variable.
func (l *lazyUses) isLazy(name string) bool {
	name = l.of(name)
	return !l.looked[name] && !l.seen[name]
}

func (l *lazyUses) stmt(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.Assign:
		if len(s.Targets) == 1 && isVariable(s.Targets[0]) && arithmetic(s.Value) {
			l.together(s)
			return
		}
	case *ast.AugAssign:
		if isVariable(s.Target) && arithmetic(s.Value) {
			l.together(s)
			return
		}
	case *ast.Return:
		if s.Value != nil {
			l.returned(s.Value)
		}
		return
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
	l.looksAt(s)
}

func (l *lazyUses) block(blocks ...[]ast.Stmt) {
	for _, block := range blocks {
		for _, s := range block {
			l.stmt(s)
		}
	}
}

// looksAt notes that all variables that a statement or expression names are used in another way.
func (l *lazyUses) looksAt(n ast.Node) {
	for _, name := range namesIn(n) {
		l.looks(name)
	}
}

// returned is what a function returns: what is in a tuple is kept as it is.
func (l *lazyUses) returned(e ast.Expr) {
	if t, ok := e.(*ast.Tuple); ok {
		for _, x := range t.Elts {
			l.returned(x)
		}
		return
	}
	if arithmetic(e) {
		l.together(e)
		return
	}
	l.looksAt(e)
}

// together makes one group of the variables of a statement or expression.
func (l *lazyUses) together(n ast.Node) {
	names := namesIn(n)
	for _, name := range names {
		if a, b := l.of(names[0]), l.of(name); a != b {
			l.group[b] = a
			l.looked[a] = l.looked[a] || l.looked[b]
		}
	}
}

func isVariable(e ast.Expr) bool {
	_, ok := e.(*ast.Name)
	return ok
}

// namesIn are the variables that a statement or expression names.
func namesIn(n ast.Node) []string {
	var out []string
	ast.Inspect(n, func(n ast.Node) bool {
		if x, ok := n.(*ast.Name); ok {
			out = append(out, x.ID)
		}
		return true
	})
	return out
}

// arithmetic reports whether an expression has constants and variables alone, and operators.
func arithmetic(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Constant, *ast.Name:
		return true
	case *ast.BinOp:
		return arithmetic(e.Left) && arithmetic(e.Right)
	case *ast.UnaryOp:
		return e.Op != ast.Not && arithmetic(e.Operand)
	}
	return false
}
