package infer

// This file makes functions of the expressions of a loop; see quick.go.

import (
	"math"
	"slices"

	"shapecheck/infer/value"
	"shapecheck/parser/ast"
	"shapecheck/parser/resolve"
)

// A quickExpr evaluates an expression.
type quickExpr func(m *quickRun) quickVal

// expr gives the function of an expression. pure says that the expression may be evaluated once more by the interpreter: it changes
// nothing and calls no code of the program, as long as its values are plain.
func (c *quickCompiler) expr(e ast.Expr) (do quickExpr, pure bool) {
	switch e := e.(type) {
	case *ast.Constant:
		v := quickOf(constant(e))
		return func(*quickRun) quickVal { return v }, true
	case *ast.Name:
		k := c.name(e)
		return func(m *quickRun) quickVal {
			if r := &m.regs[k]; r.loaded {
				return r.val
			}
			return m.load(k)
		}, true
	case *ast.BinOp:
		left, pureLeft := c.expr(e.Left)
		right, pureRight := c.expr(e.Right)
		op := e.Op
		return func(m *quickRun) quickVal {
			a := left(m)
			b := right(m)
			return m.binary(e, op, a, b)
		}, pureLeft && pureRight
	case *ast.UnaryOp:
		return c.unary(e)
	case *ast.Compare:
		return c.compare(e)
	case *ast.BoolOp:
		return c.boolOp(e)
	case *ast.IfExp:
		test, pure := c.expr(e.Test)
		then, pureThen := c.expr(e.Body)
		els, pureElse := c.expr(e.Else)
		if !pure {
			break
		}
		return func(m *quickRun) quickVal {
			truth, known := test(m).truth()
			switch {
			case !known:
				return m.eval(e)
			case truth:
				return then(m)
			}
			return els(m)
		}, pureThen && pureElse
	case *ast.Tuple:
		if slices.ContainsFunc(e.Elts, func(x ast.Expr) bool { _, star := x.(*ast.Starred); return star }) {
			break
		}
		elts, pure := c.exprs(e.Elts)
		return func(m *quickRun) quickVal {
			list := make([]value.Value, len(elts))
			for i, x := range elts {
				list[i] = x(m).value()
			}
			return quickVal{ref: &value.Tuple{Elems: list}}
		}, pure
	case *ast.List:
		if slices.ContainsFunc(e.Elts, func(x ast.Expr) bool { _, star := x.(*ast.Starred); return star }) {
			break
		}
		elts, pure := c.exprs(e.Elts)
		return func(m *quickRun) quickVal {
			list := make([]value.Value, len(elts))
			for i, x := range elts {
				list[i] = x(m).value()
			}
			return quickVal{ref: m.in.heap.NewList(list)}
		}, pure
	case *ast.Subscript:
		if s, ok := e.Index.(*ast.Slice); ok {
			return c.slice(e, s)
		}
		of, pureOf := c.expr(e.Value)
		at, pureAt := c.expr(e.Index)
		return func(m *quickRun) quickVal {
			obj := of(m)
			index := at(m)
			if v, ok := m.plainItem(obj, index); ok {
				return v
			}
			m.leave()
			m.f.at = e.Span()
			return quickOf(m.check(m.in.GetItem(obj.value(), index.value())))
		}, pureOf && pureAt
	case *ast.Attribute:
		of, pure := c.expr(e.Value)
		name := mangle(c.f, e.Attr.Name)
		return func(m *quickRun) quickVal {
			obj := of(m)
			switch x := obj.ref.(type) {
			case *value.Instance:
				if plainField(x, name) {
					v, _ := x.Attrs.Get(name)
					if _, choice := v.(*value.Choice); !choice {
						return quickOf(v)
					}
				}
			}
			m.leave()
			m.f.at = e.Span()
			return quickOf(m.check(m.in.GetAttr(obj.value(), name)))
		}, pure
	case *ast.Call:
		return c.call(e)
	case *ast.NamedExpr:
		v, _ := c.expr(e.Value)
		k := c.name(e.Target)
		return func(m *quickRun) quickVal {
			x := v(m)
			m.set(k, x)
			return x
		}, false
	}
	c.slow = c.slow || !c.cold
	return func(m *quickRun) quickVal { return m.eval(e) }, false
}

func (c *quickCompiler) exprs(list []ast.Expr) (out []quickExpr, pure bool) {
	out, pure = make([]quickExpr, len(list)), true
	for i, x := range list {
		e, ok := c.expr(x)
		out[i], pure = e, pure && ok
	}
	return out, pure
}

// eval has the interpreter evaluate an expression.
func (m *quickRun) eval(e ast.Expr) quickVal {
	m.forget()
	v, err := m.in.eval(m.f, e)
	if err != nil {
		m.fail(err)
	}
	return quickOf(v)
}

// number gives what an operand is to arithmetic; ok is false for other values than numbers.
func (v quickVal) number() (x float64, isInt, ok bool) {
	switch v.kind {
	case quickInt, quickBool:
		return float64(v.i), true, true
	case quickFloat:
		return v.x, false, true
	}
	return 0, false, false
}

// exactly bounds the integers that are floats, too.
const exactly = 1 << 53

// binary gives a op b. What could differ in a digit from the interpreter's way is done by it.
func (m *quickRun) binary(at ast.Node, op ast.BinOperator, a, b quickVal) quickVal {
	if a.kind == quickInt && b.kind == quickInt {
		x, y := a.i, b.i
		switch op {
		case ast.Add:
			if s := x + y; (s > x) == (y > 0) {
				return intOf(s)
			}
		case ast.Sub:
			if s := x - y; (s < x) == (y > 0) {
				return intOf(s)
			}
		case ast.Mult:
			if -1<<31 < x && x < 1<<31 && -1<<31 < y && y < 1<<31 {
				return intOf(x * y)
			}
		case ast.FloorDiv:
			if y > 0 {
				q := x / y
				if x%y < 0 {
					q--
				}
				return intOf(q)
			}
		case ast.Mod:
			if y > 0 {
				r := x % y
				if r < 0 {
					r += y
				}
				return intOf(r)
			}
		case ast.Div:
			if y != 0 && -exactly < x && x < exactly && -exactly < y && y < exactly {
				return floatOf(float64(x) / float64(y))
			}
		case ast.BitAnd:
			return intOf(x & y)
		case ast.BitOr:
			return intOf(x | y)
		case ast.BitXor:
			return intOf(x ^ y)
		case ast.RShift:
			if 0 <= y && y < 63 {
				return intOf(x >> y)
			}
		case ast.LShift:
			if 0 <= y && y < 31 && -1<<31 < x && x < 1<<31 {
				return intOf(x << y)
			}
		}
	} else if x, intA, ok := a.number(); ok {
		if y, intB, ok := b.number(); ok && (!intA || !intB) && (!intA || math.Abs(x) < exactly) && (!intB || math.Abs(y) < exactly) {
			switch op {
			case ast.Add:
				return floatOf(x + y)
			case ast.Sub:
				return floatOf(x - y)
			case ast.Mult:
				return floatOf(x * y)
			case ast.Div:
				if y != 0 {
					return floatOf(x / y)
				}
			}
		}
	}
	if !a.plain() || !b.plain() {
		m.leave()
	}
	m.f.at = at.Span()
	if _, ok := at.(*ast.AugAssign); ok {
		return quickOf(m.check(m.in.inPlace(op, a.value(), b.value())))
	}
	return quickOf(m.check(m.in.Binary(op, a.value(), b.value())))
}

func (c *quickCompiler) unary(e *ast.UnaryOp) (quickExpr, bool) {
	of, pure := c.expr(e.Operand)
	if e.Op == ast.Not {
		return func(m *quickRun) quickVal {
			v := of(m)
			if truth, known := v.truth(); known {
				return boolOf(!truth)
			}
			m.leave()
			m.f.at = e.Span()
			t, err := m.in.Truth(v.value())
			return quickOf(negated(m.in, m.check(t, err)))
		}, pure
	}
	return func(m *quickRun) quickVal {
		v := of(m)
		switch {
		case e.Op == ast.USub && v.kind == quickInt && v.i != math.MinInt64:
			return intOf(-v.i)
		case e.Op == ast.USub && v.kind == quickFloat:
			return floatOf(-v.x)
		}
		if !v.plain() {
			m.leave()
		}
		m.f.at = e.Span()
		return quickOf(m.check(m.in.Unary(e.Op, v.value())))
	}, pure
}

// compare gives a comparison. A chain of values that are not plain is the interpreter's.
func (c *quickCompiler) compare(e *ast.Compare) (quickExpr, bool) {
	left, pure := c.expr(e.Left)
	rights, pureRights := c.exprs(e.Comparators)
	pure = pure && pureRights
	ops := e.Ops
	if len(ops) == 1 {
		op, right := ops[0], rights[0]
		return func(m *quickRun) quickVal {
			a := left(m)
			b := right(m)
			return m.compareTwo(e, op, a, b)
		}, pure
	}
	if !pure {
		c.slow = c.slow || !c.cold
		return func(m *quickRun) quickVal { return m.eval(e) }, false
	}
	return func(m *quickRun) quickVal {
		a := left(m)
		for i, op := range ops {
			b := rights[i](m)
			if !a.plain() || !b.plain() {
				return m.eval(e)
			}
			v := m.compareTwo(e, op, a, b)
			if v.kind != quickBool {
				return m.eval(e)
			}
			if v.i == 0 {
				return v
			}
			a = b
		}
		return boolOf(true)
	}, true
}

func (m *quickRun) compareTwo(e *ast.Compare, op ast.CmpOperator, a, b quickVal) quickVal {
	if a.kind != quickObject && b.kind != quickObject {
		if a.kind != quickFloat && b.kind != quickFloat {
			switch op {
			case ast.Eq:
				return boolOf(a.i == b.i)
			case ast.NotEq:
				return boolOf(a.i != b.i)
			case ast.Lt:
				return boolOf(a.i < b.i)
			case ast.LtE:
				return boolOf(a.i <= b.i)
			case ast.Gt:
				return boolOf(a.i > b.i)
			case ast.GtE:
				return boolOf(a.i >= b.i)
			}
		} else if x, intA, _ := a.number(); !intA || math.Abs(x) < exactly {
			if y, intB, _ := b.number(); !intB || math.Abs(y) < exactly {
				switch op {
				case ast.Eq:
					return boolOf(x == y)
				case ast.NotEq:
					return boolOf(x != y)
				case ast.Lt:
					return boolOf(x < y)
				case ast.LtE:
					return boolOf(x <= y)
				case ast.Gt:
					return boolOf(x > y)
				case ast.GtE:
					return boolOf(x >= y)
				}
			}
		}
	}
	if op == ast.In || op == ast.NotIn {
		if d, ok := b.ref.(*value.Dict); ok && plainDict(d) && d.Plain() {
			if key, ok := m.key(a); ok {
				return boolOf(hasKey(d, key) == (op == ast.In))
			}
		}
	}
	if !a.plain() || !b.plain() {
		m.leave()
	}
	m.f.at = e.Span()
	x, y := a.value(), b.value()
	m.in.compared = compared{op, e.Left, e.Comparators[0], x, y}
	return quickOf(m.check(m.in.Compare(op, x, y)))
}

func (c *quickCompiler) boolOp(e *ast.BoolOp) (quickExpr, bool) {
	parts, pure := c.exprs(e.Values)
	if !pure {
		c.slow = c.slow || !c.cold
		return func(m *quickRun) quickVal { return m.eval(e) }, false
	}
	last, or := len(parts)-1, e.Op == ast.Or
	return func(m *quickRun) quickVal {
		for _, p := range parts[:last] {
			v := p(m)
			truth, known := v.truth()
			if !known {
				return m.eval(e)
			}
			if truth == or {
				return v
			}
		}
		return parts[last](m)
	}, true
}

// key gives the key of a dict for a value whose hash calls no code of the program.
func (m *quickRun) key(v quickVal) (any, bool) {
	switch v.kind {
	case quickInt, quickBool:
		return v.i, true
	case quickFloat:
		return nil, false
	}
	switch x := v.ref.(type) {
	case value.Str:
		return string(x), true
	case *value.Tuple:
		for _, e := range x.Elems {
			if !quickOf(e).plain() {
				return nil, false
			}
		}
		if x.Class != nil {
			return nil, false
		}
		key, err := m.in.HashKey(x)
		if err != nil {
			m.fail(err)
		}
		return key, true
	}
	return nil, false
}

// plainItem gives an element of a list, a tuple or a dict; ok is false where it is not there or takes more than a look.
func (m *quickRun) plainItem(obj, index quickVal) (quickVal, bool) {
	var elems []value.Value
	switch x := obj.ref.(type) {
	case *value.List:
		if !plainList(x) {
			return quickVal{}, false
		}
		elems = x.Elems
	case *value.Tuple:
		if x.Class != nil {
			return quickVal{}, false
		}
		elems = x.Elems
	case *value.Dict:
		if !plainDict(x) || !x.Plain() {
			return quickVal{}, false
		}
		key, ok := m.key(index)
		if !ok {
			return quickVal{}, false
		}
		v, ok := x.Get(key)
		return m.element(v, ok)
	default:
		return quickVal{}, false
	}
	i := index.i
	if i < 0 {
		i += int64(len(elems))
	}
	if index.kind != quickInt || i < 0 || i >= int64(len(elems)) {
		return quickVal{}, false
	}
	return m.element(elems[i], true)
}

func (m *quickRun) element(v value.Value, ok bool) (quickVal, bool) {
	if _, choice := v.(*value.Choice); choice || !ok {
		return quickVal{}, false
	}
	return quickOf(v), true
}

func (m *quickRun) setItem(at ast.Node, obj, index, v quickVal) {
	switch x := obj.ref.(type) {
	case *value.List:
		i := index.i
		if i < 0 {
			i += int64(len(x.Elems))
		}
		if plainList(x) && index.kind == quickInt && 0 <= i && i < int64(len(x.Elems)) {
			m.in.heap.Touch(x)
			x.Elems[i] = v.value()
			return
		}
	case *value.Dict:
		if key, ok := m.key(index); ok && plainDict(x) && x.Plain() {
			x.Set(&m.in.heap, key, index.value(), v.value())
			return
		}
	}
	m.leave()
	m.f.at = at.Span()
	if err := m.in.settled(m.f, m.in.SetItem(obj.value(), index.value(), v.value())); err != nil {
		m.fail(err)
	}
}

// slice gives a part of a list, a tuple or a text.
func (c *quickCompiler) slice(e *ast.Subscript, s *ast.Slice) (quickExpr, bool) {
	of, pure := c.expr(e.Value)
	parts := [3]ast.Expr{s.Lower, s.Upper, s.Step}
	var bounds [3]quickExpr
	for i, p := range parts {
		if p == nil {
			bounds[i] = func(*quickRun) quickVal { return quickVal{ref: value.None} }
			continue
		}
		b, ok := c.expr(p)
		bounds[i], pure = b, pure && ok
	}
	return func(m *quickRun) quickVal {
		obj := of(m)
		at := &value.Slice{Start: bounds[0](m).value(), Stop: bounds[1](m).value(), Step: bounds[2](m).value()}
		if !obj.plain() {
			m.leave()
		}
		m.f.at = e.Span()
		return quickOf(m.check(m.in.GetItem(obj.value(), at)))
	}, pure
}

// isBuiltin reports whether an expression is the name of a builtin that nothing has taken.
func (c *quickCompiler) isBuiltin(e ast.Expr, name string) bool {
	n, ok := e.(*ast.Name)
	if !ok || n.ID != name {
		return false
	}
	if k := c.f.unit.info.Names[n.Index].Kind; k == resolve.Local || k == resolve.Cell || k == resolve.Free || k == resolve.Class {
		return false
	}
	b, found := c.in.world.Builtins().Get(name)
	v, err := c.in.bound(c.f, n)
	return found && err == nil && v == b
}

// quickBuiltins are the builtins that call no code of the program for plain arguments, and change nothing.
var quickBuiltins = []string{"abs", "len", "min", "max", "int", "float", "bool", "str", "round", "divmod", "pow", "chr", "ord",
	"repr", "hash", "isinstance", "sum", "sorted", "tuple", "bin", "hex"}

// quickMethods are the methods of texts, lists, dicts and sets that call no code of the program for plain arguments. Those of
// the second row change what they are called of.
var quickMethods = [...][]string{
	{"get", "count", "index", "upper", "lower", "strip", "startswith", "endswith", "replace", "split", "join", "format",
		"copy", "keys", "values", "items", "zfill"},
	{"append", "pop", "extend", "insert", "clear", "add", "discard", "remove", "setdefault", "update", "popleft", "appendleft"},
}

// call gives a call. Functions of the program are run by the interpreter, so that a loop that calls one in each turn is slow.
func (c *quickCompiler) call(e *ast.Call) (quickExpr, bool) {
	simple := !slices.ContainsFunc(e.Args, func(x ast.Expr) bool {
		switch x.(type) {
		case *ast.Starred, *ast.GeneratorExp, *ast.Lambda:
			return true
		}
		return false
	}) && len(e.Keywords) == 0
	if simple {
		if n, ok := e.Func.(*ast.Name); ok && slices.Contains(quickBuiltins, n.ID) && c.isBuiltin(n, n.ID) {
			return c.builtinCall(e, n.ID)
		}
		if a, ok := e.Func.(*ast.Attribute); ok {
			if do, pure := c.mathCall(e, a); do != nil {
				return do, pure
			}
			read, written := slices.Contains(quickMethods[0], a.Attr.Name), slices.Contains(quickMethods[1], a.Attr.Name)
			if read || written {
				return c.methodCall(e, a, read)
			}
		}
	}
	c.slow = c.slow || !c.cold
	return func(m *quickRun) quickVal { return m.eval(e) }, false
}

func (c *quickCompiler) builtinCall(e *ast.Call, name string) (quickExpr, bool) {
	fn, _ := c.in.world.Builtins().Get(name)
	k := c.name(e.Func.(*ast.Name))
	args, pure := c.exprs(e.Args)
	return func(m *quickRun) quickVal {
		f := m.regs[k].val
		if !m.regs[k].loaded {
			f = m.load(k)
		}
		if f.ref != fn {
			return m.eval(e)
		}
		var room [4]quickVal
		list := room[:0]
		for _, a := range args {
			list = append(list, a(m))
		}
		if v, ok := m.builtin(name, list); ok {
			return v
		}
		return m.callOf(e, fn, list)
	}, pure
}

// builtin gives the result for the arguments that are most frequent.
func (m *quickRun) builtin(name string, args []quickVal) (quickVal, bool) {
	switch {
	case name == "len" && len(args) == 1:
		switch x := args[0].ref.(type) {
		case *value.List:
			return intOf(int64(len(x.Elems))), plainList(x)
		case *value.Tuple:
			return intOf(int64(len(x.Elems))), x.Class == nil
		case *value.Dict:
			if plainDict(x) {
				return intOf(int64(x.Len())), true
			}
		}
	case name == "abs" && len(args) == 1 && args[0].kind == quickInt && args[0].i > math.MinInt64:
		return intOf(max(args[0].i, -args[0].i)), true
	case name == "abs" && len(args) == 1 && args[0].kind == quickFloat:
		return floatOf(math.Abs(args[0].x)), true
	case (name == "min" || name == "max") && len(args) == 2 && args[0].kind == quickInt && args[1].kind == quickInt:
		if name == "min" {
			return intOf(min(args[0].i, args[1].i)), true
		}
		return intOf(max(args[0].i, args[1].i)), true
	case name == "int" && len(args) == 1 && args[0].kind == quickInt, name == "float" && len(args) == 1 && args[0].kind == quickFloat:
		return args[0], true
	}
	return quickVal{}, false
}

// callOf calls a function of the library.
func (m *quickRun) callOf(e *ast.Call, fn value.Value, args []quickVal) quickVal {
	list := make([]value.Value, len(args))
	plain := true
	for i, a := range args {
		list[i], plain = a.value(), plain && a.plain()
	}
	if !plain {
		m.leave()
	}
	m.f.at = e.Span()
	return quickOf(m.check(m.in.callWith(m.f, e, fn, list, nil)))
}

// mathCall gives a call of a function of module math.
func (c *quickCompiler) mathCall(e *ast.Call, a *ast.Attribute) (quickExpr, bool) {
	n, ok := a.Value.(*ast.Name)
	if !ok {
		return nil, false
	}
	v, err := c.in.bound(c.f, n)
	mod, ok := v.(*value.Module)
	if err != nil || !ok || mod.Name != "math" {
		return nil, false
	}
	k := c.name(n)
	args, pure := c.exprs(e.Args)
	return func(m *quickRun) quickVal {
		f := m.regs[k].val
		if !m.regs[k].loaded {
			f = m.load(k)
		}
		if f.ref != value.Value(mod) {
			return m.eval(e)
		}
		fn := m.check(m.in.GetAttr(mod, a.Attr.Name))
		list := make([]quickVal, len(args))
		for i, x := range args {
			list[i] = x(m)
		}
		return m.callOf(e, fn, list)
	}, pure
}

// methodCall gives a call of a method of a text, a list, a dict or a set; the interpreter does it for other objects.
func (c *quickCompiler) methodCall(e *ast.Call, a *ast.Attribute, read bool) (quickExpr, bool) {
	of, pureOf := c.expr(a.Value)
	args, pure := c.exprs(e.Args)
	name := a.Attr.Name
	return func(m *quickRun) quickVal {
		obj := of(m)
		own := false
		switch x := obj.ref.(type) {
		case *value.List:
			own = plainList(x)
			if own && name == "append" && len(args) == 1 {
				v := args[0](m)
				m.extend(x, []value.Value{v.value()})
				return quickVal{ref: value.None}
			}
			if n := len(x.Elems); own && name == "pop" && len(args) == 0 && n > 0 {
				m.in.heap.Touch(x)
				v := x.Elems[n-1]
				x.Elems[n-1] = nil
				x.Elems = x.Elems[:n-1]
				return quickOf(v)
			}
			if own && name == "extend" && len(args) == 1 {
				v := args[0](m)
				if more, ok := knownElems(v.ref); ok {
					m.extend(x, more)
					return quickVal{ref: value.None}
				}
				return m.method(e, a, obj, []quickVal{v})
			}
		case *value.Dict:
			own = plainDict(x)
			if own && name == "get" && len(args) == 2 && x.Plain() {
				index, other := args[0](m), args[1](m)
				if key, ok := m.key(index); ok {
					v, found := x.Get(key)
					if !found {
						return other
					}
					if v, ok := m.element(v, true); ok {
						return v
					}
				}
				return m.method(e, a, obj, []quickVal{index, other})
			}
		case *value.Set, value.Str, value.Bytes:
			own = true
		}
		if !own && pureOf {
			return m.eval(e)
		}
		list := make([]quickVal, len(args))
		for i, x := range args {
			list[i] = x(m)
		}
		return m.method(e, a, obj, list)
	}, read && pureOf && pure
}

// knownElems gives the elements of a list or a tuple.
func knownElems(v value.Value) ([]value.Value, bool) {
	switch x := v.(type) {
	case *value.List:
		return x.Elems, plainList(x)
	case *value.Tuple:
		return x.Elems, x.Class == nil
	}
	return nil, false
}

// extend adds elements to a list.
func (m *quickRun) extend(l *value.List, more []value.Value) {
	if len(l.Elems)+len(more) > cap(l.Elems) {
		if err := m.in.Alloc(grownBytes * len(l.Elems)); err != nil {
			m.fail(err)
		}
	}
	m.in.heap.Touch(l)
	l.Elems = append(l.Elems, more...)
}

// method calls a method as the interpreter does, but that the function is asked for after the arguments are evaluated: it is
// the library's.
func (m *quickRun) method(e *ast.Call, a *ast.Attribute, obj quickVal, args []quickVal) quickVal {
	plain := obj.plain() || !slices.ContainsFunc(args, func(v quickVal) bool { return !v.plain() })
	if !plain {
		m.leave()
	}
	m.f.at = a.Span()
	fn := m.check(m.in.GetAttr(obj.value(), a.Attr.Name))
	return m.callOf(e, fn, args)
}

func hasKey(d *value.Dict, key any) bool {
	_, ok := d.Get(key)
	return ok
}
