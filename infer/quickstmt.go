package infer

// This file makes functions of the statements of a loop; see quick.go.

import (
	"unsafe"

	"shapecheck/infer/value"
	"shapecheck/parser/ast"
	"shapecheck/parser/resolve"
)

// A quickStmt runs a statement.
type quickStmt func(m *quickRun) flow

// A quickTarget assigns.
type quickTarget func(m *quickRun, v quickVal)

// A quickCompiler makes the form of a loop.
type quickCompiler struct {
	in    *Interp
	f     *frame
	names []quickName
	index map[string]int
	// cold says that what is compiled need not run in each turn.
	cold bool
	// slow says that each turn comes to the interpreter, so that the form is of no use.
	slow bool
	// flags counts the places that are noted once in a run.
	flags int
}

// compileLoop gives the form of a loop; nil where the interpreter is better.
func (in *Interp) compileLoop(f *frame, s ast.Stmt) *quickLoop {
	c := &quickCompiler{in: in, f: f, index: map[string]int{}}
	loop := &quickLoop{}
	switch s := s.(type) {
	case *ast.For:
		loop.target = c.target(s.Target)
		loop.body = c.block(s.Body)
	case *ast.While:
		if neverLeft(s) {
			return nil
		}
		var pure bool
		if loop.test, pure = c.expr(s.Test); !pure {
			return nil
		}
		loop.body = c.block(s.Body)
	}
	if c.slow {
		return nil
	}
	loop.names, loop.flags = c.names, c.flags
	return loop
}

// name gives the register of a variable.
func (c *quickCompiler) name(n *ast.Name) int {
	b := c.f.unit.info.Names[n.Index]
	key := n.ID
	k, ok := c.index[key]
	if ok && c.names[k].binding != b { // of a comprehension
		c.slow = true
	}
	if !ok {
		k = len(c.names)
		c.index[key] = k
		c.names = append(c.names, quickName{binding: b, id: n.ID, node: n, local: b.Kind == resolve.Local})
	}
	return k
}

func (c *quickCompiler) block(list []ast.Stmt) []quickStmt {
	out := make([]quickStmt, len(list))
	for i, s := range list {
		out[i] = c.noted(s, c.stmt(s, list[i+1:]))
	}
	return out
}

// flag makes a mark that is not set when a run begins.
func (c *quickCompiler) flag() int {
	c.flags++
	return c.flags - 1
}

// noted has the line of a statement count as reached. The first turns of a loop may have left a branch out.
func (c *quickCompiler) noted(s ast.Stmt, do quickStmt) quickStmt {
	if !c.cold {
		return do
	}
	flag := c.flag()
	return func(m *quickRun) flow {
		if !m.seen[flag] {
			m.seen[flag] = true
			m.in.rec.reached(m.f, s)
			if m.in.cfg.NoteRan {
				m.in.rec.noteRan(m.f, s)
			}
		}
		return do(m)
	}
}

// interpreted leaves a statement to the interpreter.
func (c *quickCompiler) interpreted(s ast.Stmt, rest []ast.Stmt) quickStmt {
	c.slow = c.slow || !c.cold
	return func(m *quickRun) flow { return m.interpret(s, rest) }
}

func (c *quickCompiler) stmt(s ast.Stmt, rest []ast.Stmt) quickStmt {
	switch s := s.(type) {
	case *ast.Pass:
		return func(*quickRun) flow { return next }
	case *ast.Break:
		return func(*quickRun) flow { return breaks }
	case *ast.Continue:
		return func(*quickRun) flow { return continues }
	case *ast.Assign:
		v, _ := c.expr(s.Value)
		targets := make([]quickTarget, len(s.Targets))
		for i, t := range s.Targets {
			targets[i] = c.target(t)
		}
		only := targets[0]
		if len(targets) > 1 {
			only = func(m *quickRun, v quickVal) {
				for _, t := range targets {
					t(m, v)
				}
			}
		}
		if names, values := pairOf(s); names != nil {
			return c.swap(names, values)
		}
		return func(m *quickRun) flow {
			x := v(m)
			only(m, x)
			if t, ok := x.ref.(*value.Tensor); ok {
				m.leave()
				for _, target := range s.Targets {
					m.in.recordTarget(m.f, s, target, t)
				}
			}
			return next
		}
	case *ast.AugAssign:
		return c.augAssign(s, rest)
	case *ast.ExprStmt:
		if _, ok := s.Value.(*ast.Call); ok {
			v, _ := c.expr(s.Value)
			return func(m *quickRun) flow {
				v(m)
				return next
			}
		}
		if k, ok := s.Value.(*ast.Constant); ok && k.Kind == ast.StrConst {
			return func(*quickRun) flow { return next }
		}
		if e, ok := s.Value.(*ast.IfExp); ok {
			v, _ := c.expr(e)
			return func(m *quickRun) flow {
				v(m)
				return next
			}
		}
	case *ast.If:
		return c.ifStmt(s, rest)
	case *ast.For:
		if loop := c.forLoop(s, rest); loop != nil {
			return loop
		}
	case *ast.While:
		if loop := c.whileLoop(s, rest); loop != nil {
			return loop
		}
	case *ast.Assert:
		if test, pure := c.expr(s.Test); pure {
			return func(m *quickRun) flow {
				if truth, known := test(m).truth(); truth && known {
					return next
				}
				return m.interpret(s, rest)
			}
		}
	}
	return c.interpreted(s, rest)
}

// pairOf gives the parts of an assignment of several expressions to as many names.
func pairOf(s *ast.Assign) (names []*ast.Name, values []ast.Expr) {
	if len(s.Targets) != 1 {
		return nil, nil
	}
	to, ok := s.Targets[0].(*ast.Tuple)
	from, isTuple := s.Value.(*ast.Tuple)
	if !ok || !isTuple || len(to.Elts) != len(from.Elts) {
		return nil, nil
	}
	for i, e := range to.Elts {
		n, ok := e.(*ast.Name)
		if _, star := from.Elts[i].(*ast.Starred); !ok || star {
			return nil, nil
		}
		names = append(names, n)
	}
	return names, from.Elts
}

// swap assigns without a tuple.
func (c *quickCompiler) swap(names []*ast.Name, values []ast.Expr) quickStmt {
	regs, from := make([]int, len(names)), make([]quickExpr, len(names))
	for i, n := range names {
		regs[i] = c.name(n)
		from[i], _ = c.expr(values[i])
	}
	if len(regs) == 2 {
		return func(m *quickRun) flow {
			a, b := from[0](m), from[1](m)
			m.set(regs[0], a)
			m.set(regs[1], b)
			return next
		}
	}
	return func(m *quickRun) flow {
		list := make([]quickVal, len(regs))
		for i, e := range from {
			list[i] = e(m)
		}
		for i, k := range regs {
			m.set(k, list[i])
		}
		return next
	}
}

// target gives the function that assigns to a target.
func (c *quickCompiler) target(t ast.Expr) quickTarget {
	var elts []ast.Expr
	switch t := t.(type) {
	case *ast.Name:
		k := c.name(t)
		return func(m *quickRun, v quickVal) { m.set(k, v) }
	case *ast.Subscript:
		of, _ := c.expr(t.Value)
		at, _ := c.expr(t.Index)
		return func(m *quickRun, v quickVal) {
			obj, index := of(m), at(m)
			m.setItem(t, obj, index, v)
		}
	case *ast.Tuple:
		elts = t.Elts
	case *ast.List:
		elts = t.Elts
	}
	parts := make([]quickTarget, len(elts))
	for i, e := range elts {
		if _, star := e.(*ast.Starred); star {
			parts = nil
			break
		}
		parts[i] = c.target(e)
	}
	return func(m *quickRun, v quickVal) {
		if x, ok := v.ref.(*value.Tuple); ok && len(parts) > 0 && len(x.Elems) == len(parts) {
			for i, e := range x.Elems {
				parts[i](m, quickOf(e))
			}
			return
		}
		m.forget() // the interpreter writes variables
		if err := m.in.assign(m.f, t, v.value()); err != nil {
			m.fail(err)
		}
	}
}

// augAssign works in place only where the value is of an immutable kind: the others may have a method for it.
func (c *quickCompiler) augAssign(s *ast.AugAssign, rest []ast.Stmt) quickStmt {
	v, pureValue := c.expr(s.Value)
	switch t := s.Target.(type) {
	case *ast.Name:
		k := c.name(t)
		return func(m *quickRun) flow {
			r := &m.regs[k]
			a := r.val
			if !r.loaded {
				a = m.load(k)
			}
			if l, ok := a.ref.(*value.List); ok && pureValue && s.Op == ast.Add && plainList(l) {
				if more, ok := knownElems(v(m).ref); ok {
					m.extend(l, more)
					return next
				}
			}
			if !a.plain() {
				return m.interpret(s, rest)
			}
			b := v(m)
			if a.kind == quickInt && b.kind == quickInt && s.Op == ast.Add {
				if sum := a.i + b.i; (sum > a.i) == (b.i > 0) {
					m.set(k, intOf(sum))
					return next
				}
			}
			if x, ok := a.ref.(value.Str); ok && s.Op == ast.Add {
				if y, ok := b.ref.(value.Str); ok {
					m.addText(k, string(x), string(y))
					return next
				}
			}
			m.set(k, m.binary(s, s.Op, a, b))
			return next
		}
	case *ast.Subscript:
		of, pureOf := c.expr(t.Value)
		at, pureAt := c.expr(t.Index)
		if !pureOf || !pureAt {
			break
		}
		return func(m *quickRun) flow {
			obj, index := of(m), at(m)
			old, ok := m.plainItem(obj, index)
			if !ok || !old.plain() {
				return m.interpret(s, rest)
			}
			b := v(m)
			m.setItem(t, obj, index, m.binary(s, s.Op, old, b))
			return next
		}
	case *ast.Attribute:
		of, pureOf := c.expr(t.Value)
		if !pureOf {
			break
		}
		name := mangle(c.f, t.Attr.Name)
		return func(m *quickRun) flow {
			obj, ok := of(m).ref.(*value.Instance)
			if !ok || !plainField(obj, name) {
				return m.interpret(s, rest)
			}
			x, _ := obj.Attrs.Get(name)
			old := quickOf(x)
			if !old.plain() {
				return m.interpret(s, rest)
			}
			r := m.binary(s, s.Op, old, v(m))
			obj.Attrs.Set(&m.in.heap, name, r.value())
			return next
		}
	}
	return c.interpreted(s, rest)
}

// addText adds to a text. Its bytes stay where they are as long as there is room: texts that were part of it share them.
func (m *quickRun) addText(k int, text, more string) {
	r := &m.regs[k]
	if len(r.text) == 0 || len(r.text) != len(text) || unsafe.StringData(text) != unsafe.SliceData(r.text) {
		r.text = append(make([]byte, 0, 2*(len(text)+len(more))), text...)
	} else if len(r.text)+len(more) > cap(r.text) {
		if err := m.in.Alloc(2 * len(r.text)); err != nil {
			m.fail(err)
		}
	}
	r.text = append(r.text, more...)
	m.set(k, quickVal{ref: value.Str(unsafe.String(unsafe.SliceData(r.text), len(r.text)))})
}

// plainField reports whether an attribute of an object lies in it, and neither its class nor a method of it has a part in
// reading and writing.
func plainField(x *value.Instance, name string) bool {
	if x.Class == nil || x.Payload != nil || x.Class.Layout != value.ObjectLayout {
		return false
	}
	for _, k := range x.Class.MRO {
		if k.UnknownBase != nil {
			return false
		}
	}
	for _, special := range [...]string{"__setattr__", "__getattribute__", "__delattr__"} {
		if m, ok := x.Class.Lookup(special); ok {
			if _, builtin := m.(*value.Builtin); !builtin {
				return false
			}
		}
	}
	if v, ok := x.Class.Lookup(name); ok {
		switch v.(type) {
		case value.NoneType, value.Bool, value.Int, value.Float, value.Str:
		default:
			return false
		}
	}
	v, ok := x.Attrs.Get(name)
	return ok && v != nil
}

// ifStmt asks the interpreter where the test is not plain: then it is a condition.
func (c *quickCompiler) ifStmt(s *ast.If, rest []ast.Stmt) quickStmt {
	test, pure := c.expr(s.Test)
	if !pure {
		return c.interpreted(s, rest)
	}
	cold := c.cold
	c.cold = true
	then, els := c.block(s.Body), c.block(s.Else)
	c.cold = cold
	flags := [2]int{c.flag(), c.flag()}
	return func(m *quickRun) flow {
		truth, known := test(m).truth()
		if !known {
			return m.interpret(s, rest)
		}
		i := 0
		if truth {
			i = 1
		}
		if !m.seen[flags[i]] {
			m.seen[flags[i]] = true
			if m.f.fn != nil || m.in.cfg.Script != nil {
				m.in.rec.decides(m.f, s, rest, truth)
			}
		}
		if truth {
			return m.block(then)
		}
		return m.block(els)
	}
}

// A quickInner is a loop within the loop. elems gives its elements one by one; ok is false where the interpreter has to.
type quickInner struct {
	target    quickTarget
	body, els []quickStmt
	elems     func(m *quickRun) (seq value.Value, at func(i int) (quickVal, bool), ok bool)
}

// forLoop gives a loop within the loop; nil where each turn of it comes to the interpreter.
func (c *quickCompiler) forLoop(s *ast.For, rest []ast.Stmt) quickStmt {
	if s.Async {
		return nil
	}
	slow, inner := c.slow, &quickInner{}
	inner.elems = c.elements(s.Iter)
	inner.target, inner.body, inner.els = c.target(s.Target), c.block(s.Body), c.block(s.Else)
	if inner.elems == nil || c.slow && !slow {
		c.slow = slow
		return nil
	}
	return func(m *quickRun) flow {
		seq, at, ok := inner.elems(m)
		if !ok {
			return m.interpret(s, rest)
		}
		return m.forInner(s, inner, seq, at)
	}
}

// elements gives the elements of an iterable of which nothing but a list, a tuple or numbers is gone through; nil where it may do more
// than give elements.
func (c *quickCompiler) elements(e ast.Expr) func(m *quickRun) (value.Value, func(i int) (quickVal, bool), bool) {
	if call, ok := e.(*ast.Call); ok && c.isBuiltin(call.Func, "range") && len(call.Keywords) == 0 &&
		len(call.Args) > 0 && len(call.Args) <= 3 {
		args := make([]quickExpr, len(call.Args))
		for i, a := range call.Args {
			arg, pure := c.expr(a)
			if !pure {
				return nil
			}
			args[i] = arg
		}
		return func(m *quickRun) (value.Value, func(i int) (quickVal, bool), bool) {
			bounds := [3]int64{0, 0, 1}
			for i, a := range args {
				v := a(m)
				if v.kind != quickInt || v.i > 1<<40 || v.i < -1<<40 {
					return nil, nil, false
				}
				if len(args) == 1 {
					i = 1
				}
				bounds[i] = v.i
			}
			start, stop, step := bounds[0], bounds[1], bounds[2]
			if step == 0 {
				return nil, nil, false
			}
			return &value.Range{Start: value.Int(start), Stop: value.Int(stop), Step: value.Int(step)}, func(i int) (quickVal, bool) {
				k := start + int64(i)*step
				return intOf(k), step > 0 && k < stop || step < 0 && k > stop
			}, true
		}
	}
	iter, pure := c.expr(e)
	if !pure {
		return nil
	}
	return func(m *quickRun) (value.Value, func(i int) (quickVal, bool), bool) {
		seq := iter(m)
		switch x := seq.ref.(type) {
		case *value.List:
			return x, func(i int) (quickVal, bool) {
				if i >= len(x.Elems) {
					return quickVal{}, false
				}
				return quickOf(x.Elems[i]), true
			}, plainList(x)
		case *value.Tuple:
			return x, func(i int) (quickVal, bool) {
				if i >= len(x.Elems) {
					return quickVal{}, false
				}
				return quickOf(x.Elems[i]), true
			}, x.Class == nil
		}
		return nil, nil, false
	}
}

// forInner runs a loop within the loop. As soon as a condition divides the run the interpreter takes the turns that are left.
func (m *quickRun) forInner(s *ast.For, inner *quickInner, seq value.Value, at func(i int) (quickVal, bool)) flow {
	base, fl, i := len(m.in.pendings), next, 0
	err := m.caught(func() {
		for ; ; i++ {
			v, ok := at(i)
			if !ok {
				return
			}
			m.spend()
			inner.target(m, v)
			if fl = m.block(inner.body); len(m.in.pendings) > base || fl == breaks || fl == returns {
				return
			}
			fl = next
		}
	})
	if l, ok := seq.(*value.List); ok && err == nil && !plainList(l) && fl == next && len(m.in.pendings) == base {
		return m.remain(func() (flow, error) { return m.restOf(s, seq, i, base, fl, nil) }) // it became one of unknown elements
	}
	if err != nil || len(m.in.pendings) > base {
		return m.remain(func() (flow, error) { return m.restOf(s, seq, i+1, base, fl, err) })
	}
	switch fl {
	case breaks:
		return next
	case returns:
		return returns
	}
	return m.block(inner.els)
}

// remain leaves what remains of a statement to the interpreter.
func (m *quickRun) remain(do func() (flow, error)) flow {
	m.forget()
	fl, err := do()
	if err != nil {
		m.fail(err)
	}
	return fl
}

// restOf is what turns does after a turn that ended so, with the elements from number i on.
func (m *quickRun) restOf(s *ast.For, seq value.Value, i, base int, fl flow, err error) (flow, error) {
	in := m.in
	if len(in.pendings) > base || err != nil {
		fl, err = in.flow.merge(m.f, base, continues, fl, err)
	}
	if err != nil || fl == breaks || fl == returns {
		return in.flow.endLoop(m.f, base, fl, err)
	}
	it, err := in.Iter(seq)
	if err != nil {
		return next, err
	}
	for range i {
		if _, _, err := it.Next(in); err != nil {
			return next, err
		}
	}
	fl, err = in.turns(m.f, s, seq, it, nil)
	return in.flow.endLoop(m.f, base, fl, err)
}

// whileLoop is forLoop for a while loop.
func (c *quickCompiler) whileLoop(s *ast.While, rest []ast.Stmt) quickStmt {
	if neverLeft(s) {
		return nil
	}
	slow := c.slow
	test, pure := c.expr(s.Test)
	body, els := c.block(s.Body), c.block(s.Else)
	if !pure || c.slow && !slow {
		c.slow = slow
		return nil
	}
	return func(m *quickRun) flow {
		base, fl, known := len(m.in.pendings), next, true
		err := m.caught(func() {
			for {
				var truth bool
				if truth, known = test(m).truth(); !truth || !known {
					return
				}
				if m.turns >= maxQuickTurns { // the interpreter ends it
					known = false
					return
				}
				m.spend()
				if fl = m.block(body); len(m.in.pendings) > base || fl == breaks || fl == returns {
					return
				}
				fl = next
			}
		})
		if err != nil || len(m.in.pendings) > base || !known {
			return m.remain(func() (flow, error) {
				if err != nil || len(m.in.pendings) > base {
					fl, err = m.in.flow.merge(m.f, base, continues, fl, err)
				}
				if err == nil && fl != breaks && fl != returns {
					fl, err = m.in.whileStmt(m.f, s)
				}
				return m.in.flow.endLoop(m.f, base, fl, err)
			})
		}
		switch fl {
		case breaks:
			return next
		case returns:
			return returns
		}
		return m.block(els)
	}
}
