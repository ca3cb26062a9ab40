package dynamo

// This file follows numbers and texts that a compiled function hands on to functions of the program: Dynamo looks at an argument
// where the function that gets it does, and at one that it does not use not at all, not even at its
// type. Laziness matters for the number of graphs: a number that is never looked at is not guarded,
// so a call with another one needs no new graph. What a function uses is found in its source
// (lazyUses); this file links the uses of a caller with those of a callee while the call is being
// made.

import (
	"slices"
	"strconv"

	"shapecheck/infer/value"
	"shapecheck/parser/ast"
)

// A handedArg is an argument of a call that is a variable, or an element or attribute of one.
// Either index or keyword is set: index is -1 for an argument by name.
type handedArg struct {
	name    string // as lazyUses counts it
	index   int    // by position
	keyword string // else
}

// A lazyLink is the parameter of a call in which an argument arrives; of ** and *: an element of
// it. star is the name of the parameter that collects it, param then is a source such as args[0];
// for an ordinary parameter star is empty.
type lazyLink struct {
	uses        *lazyUses
	param, star string
}

// hands notes the arguments of a call that it only hands on, and looks at all others. A call with *
// hands on what it unpacks in a way that cannot be followed by position, so all its arguments count
// as looked at; so does what ** unpacks.
func (l *lazyUses) hands(c *ast.Call) {
	l.looksAt(c.Func)
	starred := slices.ContainsFunc(c.Args, func(a ast.Expr) bool { _, ok := a.(*ast.Starred); return ok })
	var handed []handedArg
	arg := func(e ast.Expr, index int, keyword string) {
		name, ok := usedName(e)
		if !ok || starred {
			l.looksAt(e)
			return
		}
		// An element or attribute is remembered, so that reading it for this call is not taken for
		// a look.
		if !isVariable(e) {
			l.elements[e] = name
		}
		handed = append(handed, handedArg{name, index, keyword})
	}
	for i, a := range c.Args {
		arg(a, i, "")
	}
	for _, k := range c.Keywords {
		if k.Name.Name == "" { // ** of a dict
			l.looksAt(k.Value)
			continue
		}
		arg(k.Value, -1, k.Name.Name)
	}
	if len(handed) > 0 {
		l.handed[c] = handed
	}
}

// A handing is a call of a function or module of the program that is about to run. It lives from
// the evaluation of the call's arguments to the start of the body, or to the next call if no body
// starts.
type handing struct {
	from   *lazyUses
	args   []handedArg
	fn     *value.Func     // or
	module *value.Instance // whose forward runs
	offset int             // of the first argument among the parameters
}

// handsOn notes which function gets the arguments of a call: one that is not of the program looks
// at them. It is called when the function and the arguments of a call are known.
func (d *Run) handsOn(e *ast.Call, fn value.Value) {
	d.looksAtHanded()
	l := d.node.lazy
	if l == nil {
		return
	}
	// Functions as len, which would be lazy, are not if their name is bound to another function in
	// this program.
	if name, ok := e.Func.(*ast.Name); ok && lazyFunctions[name.ID] > 0 && d.host.BuiltinName(fn) != name.ID { // one of the program's
		for _, a := range e.Args {
			for _, of := range namesIn(a) {
				l.sees(of)
			}
		}
	}
	if len(l.handed[e]) == 0 {
		return
	}
	h := &handing{from: l, args: l.handed[e]}
	d.handing = h
	switch to := fn.(type) {
	// A bound method has its object as the first parameter, and so has forward of a module.
	case *value.Func:
		h.fn = to
	case *value.BoundMethod:
		h.fn, _ = to.Func.(*value.Func)
		h.offset = 1
	case *value.Instance:
		if d.isModule(to) {
			h.module, h.offset = to, 1
		}
	}
	if h.fn == nil && h.module == nil {
		d.looksAtHanded()
	}
}

// looksAtHanded notes that the arguments of the last call are looked at, if they did not arrive at
// a function of the program. That happens where a builtin or a library's function takes them, or an
// error ends the call.
func (d *Run) looksAtHanded() {
	if d.handing == nil {
		return
	}
	for _, a := range d.handing.args {
		d.handing.from.sees(a.name)
	}
	d.handing = nil
}

// arrive links the arguments of a call with the parameters of the function that runs. It is called
// when the body of a function starts. The function that starts may be another one than the call's,
// as a decorator's wrapper or a hook: then the arguments count as looked at.
func (d *Run) arrive(f Frame, to *lazyUses) {
	h := d.handing
	if h == nil {
		return
	}
	if h.fn != f.Func() && (h.module == nil || f.Func().Name != "forward" || len(f.Variables()) == 0 || f.Variables()[0] != h.module) {
		d.looksAtHanded()
		return
	}
	d.handing = nil
	for _, a := range h.args {
		if link, ok := h.param(f.Func().Params, a, to); ok {
			h.from.link(a.name, link)
		} else {
			h.from.sees(a.name)
		}
	}
}

// param is where an argument arrives. The order is Python's: positional parameters, then *args; by
// name: a parameter of that name that is not positional only, then **kwargs. ok is false where no
// parameter takes it, which the call itself reports.
func (h *handing) param(p *ast.Params, a handedArg, to *lazyUses) (lazyLink, bool) {
	positional := slices.Concat(p.PosOnly, p.Args)
	if a.keyword == "" {
		switch i := a.index + h.offset; {
		case i < len(positional):
			return lazyLink{to, positional[i].Name, ""}, true
		case p.VarArg != nil:
			star := p.VarArg.Name
			return lazyLink{to, star + "[" + strconv.Itoa(i-len(positional)) + "]", star}, true
		}
		return lazyLink{}, false
	}
	for _, q := range slices.Concat(p.Args, p.KwOnly) {
		if q.Name == a.keyword {
			return lazyLink{to, a.keyword, ""}, true
		}
	}
	if p.KwArg != nil {
		star := p.KwArg.Name
		return lazyLink{to, star + "[" + strconv.Quote(a.keyword) + "]", star}, true
	}
	return lazyLink{}, false
}

// link notes that a variable arrives as a parameter. Several calls may hand on the same variable;
// each is a link.
func (l *lazyUses) link(name string, to lazyLink) {
	if l.links == nil {
		l.links = map[string][]lazyLink{}
	}
	name = l.of(name)
	l.links[name] = append(l.links[name], to)
}

// isLazy reports whether the function that gets an argument does not look at it. Elements of *args
// are looked at wherever the function uses the whole tuple.
func (k lazyLink) isLazy() bool {
	return !k.uses.broken && !k.uses.wholes[k.star] && k.uses.isLazy(k.param)
}

// isUnused reports whether the functions that a variable is handed on to do not use it, nor does
// its own. A variable is computed where it takes part in an expression, which is a use although its
// value is never looked at.
func (l *lazyUses) isUnused(name string) bool {
	name = l.of(name)
	return l.isLazy(name) && !l.computed[name] && !slices.ContainsFunc(l.links[name],
		func(k lazyLink) bool { return !k.uses.isUnused(k.param) })
}

// wholeUses are those of the parameters for further arguments of which a function uses more than
// single elements and the length. Single elements are args[0] and kwargs["k"] with a constant; len
// of one of them is not a use of its elements.
func wholeUses(p *ast.Params, body ...ast.Node) map[string]bool {
	wholes := map[string]bool{}
	for _, star := range []*ast.Param{p.VarArg, p.KwArg} {
		if star == nil {
			continue
		}
		name := star.Name
		var parts []ast.Node
		for _, s := range body {
			ast.Inspect(s, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.Subscript:
					if of, ok := usedName(n); ok && of != name {
						parts = append(parts, n.Value)
					}
				case *ast.Call:
					if fn, ok := n.Func.(*ast.Name); ok && fn.ID == "len" && len(n.Args) == 1 {
						parts = append(parts, n.Args[0])
					}
				case *ast.Name:
					if n.ID == name && !slices.Contains(parts, ast.Node(n)) {
						wholes[name] = true
					}
				}
				return true
			})
		}
	}
	return wholes
}
