package lib

// This file holds a Thread for tests and a small evaluator of Python expressions
// on it, so that the builtins can be compared with what CPython recorded.

import (
	"errors"
	"fmt"
	"time"

	"shapecheck/infer/graph"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/internal/source"
	"shapecheck/parser"
	"shapecheck/parser/ast"
	"shapecheck/symshape"
)

type testThread struct {
	heap     value.Heap
	pool     *symshape.Pool
	w        *World
	facts    symshape.Facts
	required []*symshape.Cond
	data     []*symshape.Cond // conditions of DataBool
	vars     map[string]value.Value
	nested   int
}

func newTestThread() *testThread {
	t := &testThread{pool: symshape.NewPool(), vars: map[string]value.Value{}}
	t.w = NewWorld(&t.heap)
	return t
}

var _ value.Thread = (*testThread)(nil)

func (t *testThread) MeansOneOf([]value.Value) {}
func (t *testThread) Heap() *value.Heap        { return &t.heap }
func (t *testThread) Pool() *symshape.Pool     { return t.pool }
func (t *testThread) Graph() *graph.Builder    { return graph.NewBuilder() }
func (t *testThread) Facts() symshape.Facts    { return t.facts }
func (t *testThread) Here() source.Span        { return source.Span{} }
func (t *testThread) ModulePath() string       { return "" }
func (t *testThread) Option(string) string     { return "" }
func (t *testThread) Step(int) error           { return nil }
func (t *testThread) Alloc(int) error          { return nil }
func (t *testThread) Computes(int) bool        { return true }

// Enter counts as the interpreter does.
func (t *testThread) Enter(what string) error {
	if t.nested++; t.nested > 1000 {
		t.nested--
		return t.Raise("RecursionError", "maximum recursion depth exceeded%s", what)
	}
	return nil
}

func (t *testThread) Leave() { t.nested-- }

// Remaining is all of the time.
func (t *testThread) Remaining(most time.Duration) time.Duration { return most }

func (t *testThread) Report(d *diag.Diagnostic) {}
func (t *testThread) TensorMethod(*value.Tensor, string) (value.Value, bool, error) {
	return nil, false, nil
}
func (t *testThread) Import(name string) (value.Value, error) {
	return nil, t.Raise("ImportError", "%s", name)
}
func (t *testThread) Class(name string) *value.Class    { return t.w.Class(name) }
func (t *testThread) TypeOf(v value.Value) *value.Class { return t.w.TypeOf(v) }
func (t *testThread) Repr(v value.Value) (string, bool) { return t.w.Repr(t, v) }
func (t *testThread) Str(v value.Value) (string, bool)  { return t.w.Str(t, v) }
func (t *testThread) Unknown(reason string) *value.Unknown {
	return &value.Unknown{Cause: &value.Cause{Reason: reason}}
}
func (t *testThread) Fail(c string, d *diag.Diagnostic) error { return t.Raise(c, "%s", d.Msg) }

func (t *testThread) Raise(class, format string, args ...any) error {
	return &value.Exception{Value: t.w.Exception(class, fmt.Sprintf(format, args...))}
}

func (t *testThread) Decide(c *symshape.Cond) symshape.Answer { return t.facts.Decide(c).Answer }

func (t *testThread) Require(c *symshape.Cond, why string) symshape.Answer {
	switch a := t.facts.Decide(c).Answer; a {
	case symshape.Yes, symshape.No:
		return a
	}
	t.required = append(t.required, c)
	t.facts, _ = t.facts.Assume(c)
	return symshape.Yes
}

func (t *testThread) DataBool(src *graph.Value) *value.SymBool {
	s := t.pool.FreshIn("d", 0, 1)
	c := t.pool.Eq(s, t.pool.Const(1))
	t.data = append(t.data, c)
	return &value.SymBool{Cond: c, Source: src}
}

func (t *testThread) DataInt(prefix string, lo int64, src *graph.Value) *value.SymInt {
	return &value.SymInt{D: symshape.MakeDim(t.pool.FreshIn(prefix, lo, symshape.PosInf)), Source: src}
}

func (t *testThread) Holds(v value.Value) (bool, bool) {
	switch b := v.(type) {
	case value.Bool:
		return bool(b), true
	case *value.SymBool:
		switch t.facts.Decide(b.Cond).Answer {
		case symshape.Yes:
			return true, true
		case symshape.No:
			return false, true
		}
		return b.Val, b.Known
	}
	return false, false
}

var errNotMine = errors.New("not a builtin value")

func (t *testThread) take(v value.Value, ok bool, err error) (value.Value, error) {
	if err == nil && !ok {
		err = errNotMine
	}
	return v, err
}

func (t *testThread) Binary(op ast.BinOperator, a, b value.Value) (value.Value, error) {
	for _, v := range [...]value.Value{a, b} {
		if value.IsUnknown(v) {
			return v, nil
		}
	}
	v, ok, err := t.w.Binary(t, op, a, b)
	if ok || err != nil {
		return v, err
	}
	names := map[ast.BinOperator]string{ast.MatMult: "__matmul__"}
	for n, o := range binaryDunders {
		names[o] = n
	}
	if v, ok, err := t.dunder(a, names[op], b); ok || err != nil {
		return v, err
	}
	if v, ok, err := t.dunder(b, "__r"+names[op][2:], a); ok || err != nil {
		return v, err
	}
	return nil, t.Raise("TypeError", "unsupported operand type(s) for %s: '%s' and '%s'", op, t.w.TypeOf(a).Name, t.w.TypeOf(b).Name)
}

func (t *testThread) dunder(v value.Value, name string, args ...value.Value) (value.Value, bool, error) {
	f, ok := t.w.TypeOf(v).Lookup(name)
	if !ok {
		return nil, false, nil
	}
	r, err := t.Call(f, append([]value.Value{v}, args...), nil)
	if err != nil || r == value.NotImplemented {
		return nil, false, err
	}
	return r, true, nil
}

func (t *testThread) Unary(op ast.UnaryOperator, a value.Value) (value.Value, error) {
	return t.take(t.w.Unary(t, op, a))
}

func (t *testThread) Compare(op ast.CmpOperator, a, b value.Value) (value.Value, error) {
	for _, v := range [...]value.Value{a, b} {
		if value.IsUnknown(v) {
			return v, nil
		}
	}
	v, ok, err := t.w.Compare(t, op, a, b)
	if ok || err != nil {
		return v, err
	}
	if op == ast.In || op == ast.NotIn {
		found := false
		err := t.Iterate(b, func(e value.Value) error {
			eq, err := t.w.same(t, e, a)
			if val, _ := t.Holds(eq); val {
				found = true
				return value.ErrStop
			}
			return err
		})
		return value.Bool(found == (op == ast.In)), err
	}
	for n, o := range compareDunders {
		if o == op {
			if v, ok, err := t.dunder(a, n, b); ok || err != nil {
				return v, err
			}
		}
	}
	if op == ast.Eq || op == ast.NotEq {
		return value.Bool((a == b) == (op == ast.Eq)), nil
	}
	return nil, t.w.orderError(t, op, a, b)
}

func (t *testThread) Truth(v value.Value) (value.Value, error) {
	if value.IsUnknown(v) {
		return t.DataBool(nil), nil
	}
	r, ok, err := t.w.Truth(t, v)
	if !ok && err == nil {
		return value.Bool(true), nil
	}
	return r, err
}

func (t *testThread) Identical(a, b value.Value) (value.Value, error) { return value.Bool(a == b), nil }

func (t *testThread) Iter(v value.Value) (*value.Iterator, error) {
	it, ok, err := t.w.Iter(t, v)
	if ok || err != nil {
		return it, err
	}
	if r, ok, err := t.dunder(v, "__iter__"); ok || err != nil {
		it, _ := r.(*value.Iterator)
		return it, err
	}
	return nil, t.Raise("TypeError", "'%s' object is not iterable", t.w.TypeOf(v).Name)
}

func (t *testThread) Iterate(v value.Value, yield func(value.Value) error) error {
	it, err := t.Iter(v)
	if err != nil {
		return err
	}
	if it.Open != nil {
		return &value.OpenError{Open: it.Open}
	}
	for {
		x, ok, err := it.Next(t)
		if err != nil || !ok {
			return err
		}
		if err := yield(x); err != nil {
			if errors.Is(err, value.ErrStop) {
				return nil
			}
			return err
		}
	}
}

func (t *testThread) HashKey(v value.Value) (any, error) {
	k, ok, err := t.w.HashKey(t, v)
	if err == nil && !ok {
		err = errNotMine
	}
	return k, err
}

func (t *testThread) GetItem(v, i value.Value) (value.Value, error) {
	x, ok, err := t.w.GetItem(t, v, i)
	if ok || err != nil {
		return x, err
	}
	if c, ok := v.(*value.Class); ok {
		if f, ok := c.Lookup("__class_getitem__"); ok {
			return t.Call(f.(*value.ClassMethod).Func, []value.Value{c, i}, nil)
		}
	}
	if c, ok := v.(*value.Class); ok {
		return nil, t.Raise("TypeError", "type '%s' is not subscriptable", c.Name)
	}
	if r, ok, err := t.dunder(v, "__getitem__", i); ok || err != nil {
		return r, err
	}
	return nil, t.Raise("TypeError", "'%s' object is not subscriptable", t.w.TypeOf(v).Name)
}

func (t *testThread) SetItem(v, i, x value.Value) error {
	_, err := t.w.SetItem(t, v, i, x)
	return err
}

func (t *testThread) DelItem(v, i value.Value) error {
	_, err := t.w.DelItem(t, v, i)
	return err
}

func (t *testThread) AskAttr(v value.Value, name string) (value.Value, bool, error) {
	x, ok, err := t.LookupAttr(v, name)
	if value.IsException(err, t.w.Class("AttributeError")) {
		return nil, false, nil
	}
	return x, ok, err
}

func (t *testThread) LookupAttr(v value.Value, name string) (value.Value, bool, error) {
	if value.IsUnknown(v) {
		return v, true, nil
	}
	if c, ok := v.(*value.Class); ok {
		if d, ok := c.Lookup(name); ok {
			switch x := d.(type) {
			case *value.ClassMethod:
				return &value.BoundMethod{Self: c, Func: x.Func}, true, nil
			case *value.StaticMethod:
				return x.Func, true, nil
			}
			return d, true, nil
		}
	}
	if a := attrsOf(v); a != nil {
		if x, ok := a.Get(name); ok {
			return x, true, nil
		}
	}
	cls := t.w.TypeOf(v)
	if d, ok := cls.Lookup(name); ok {
		x, err := t.w.bindTo(t, d, v, cls)
		return x, err == nil, err
	}
	return t.w.Attr(t, v, name)
}

func (t *testThread) GetAttr(v value.Value, name string) (value.Value, error) {
	x, ok, err := t.LookupAttr(v, name)
	if err == nil && !ok {
		if c, isClass := v.(*value.Class); isClass {
			return nil, t.Raise("AttributeError", "type object '%s' has no attribute '%s'", c.Name, name)
		}
		err = t.Raise("AttributeError", "'%s' object has no attribute '%s'", t.w.TypeOf(v).Name, name)
	}
	return x, err
}

func (t *testThread) SetAttr(v value.Value, name string, x value.Value) error {
	a := attrsOf(v)
	if _, builtin := t.w.classes[t.w.TypeOf(v).Name]; a == nil || builtin && a.Len() == 0 {
		return t.Raise("AttributeError", "'%s' object has no attribute '%s'", t.w.TypeOf(v).Name, name)
	}
	a.Set(&t.heap, name, x)
	return nil
}

func (t *testThread) DelAttr(v value.Value, name string) error {
	if a := attrsOf(v); a == nil || !a.Delete(&t.heap, name) {
		return t.Raise("AttributeError", "'%s' object has no attribute '%s'", t.w.TypeOf(v).Name, name)
	}
	return nil
}

func (t *testThread) CallMethod(v value.Value, name string, args ...value.Value) (value.Value, error) {
	f, err := t.GetAttr(v, name)
	if err != nil {
		return nil, err
	}
	return t.Call(f, args, nil)
}

func (t *testThread) Instance(c *value.Class, args ...value.Value) (value.Value, error) {
	return t.Call(c, args, nil)
}

func (t *testThread) Call(fn value.Value, args []value.Value, kw []value.Kw) (value.Value, error) {
	switch f := fn.(type) {
	case *value.Builtin:
		return f.Fn(t, args, kw)
	case *value.BoundMethod:
		return t.Call(f.Func, append([]value.Value{f.Self}, args...), kw)
	case *value.Class:
		n, _ := f.Lookup("__new__")
		if s, ok := n.(*value.StaticMethod); ok {
			n = s.Func
		}
		v, err := t.Call(n, append([]value.Value{f}, args...), kw)
		if err != nil || !t.w.TypeOf(v).IsSubclass(f) {
			return v, err
		}
		i, _ := t.w.TypeOf(v).Lookup("__init__")
		if b, ok := i.(*value.Builtin); ok && b.Name == "object.__init__" {
			return v, nil
		}
		_, err = t.Call(i, append([]value.Value{v}, args...), kw)
		return v, err
	case *value.GenericAlias:
		return t.Call(f.Origin, args, kw)
	}
	return nil, t.Raise("TypeError", "'%s' object is not callable", t.w.TypeOf(fn).Name)
}

// run executes simple statements; the last one is an expression, whose value it
// returns.
func (t *testThread) run(text string) (value.Value, error) {
	f := source.NewFile("test", text+"\n")
	if err := source.NewFileSet().Add(f); err != nil {
		return nil, err
	}
	m, diags := parser.Parse(f)
	if len(diags) > 0 {
		return nil, fmt.Errorf("%s: %s", text, diags[0].Msg)
	}
	var last value.Value
	for _, s := range m.Body {
		switch s := s.(type) {
		case *ast.ExprStmt:
			v, err := t.eval(s.Value)
			if err != nil {
				return nil, err
			}
			last = v
		case *ast.Assign:
			v, err := t.eval(s.Value)
			if err != nil {
				return nil, err
			}
			if err := t.assign(s.Targets[0], v); err != nil {
				return nil, err
			}
		case *ast.AugAssign:
			a, err := t.eval(s.Target)
			if err != nil {
				return nil, err
			}
			b, err := t.eval(s.Value)
			if err != nil {
				return nil, err
			}
			v, err := t.take(t.w.InPlace(t, s.Op, a, b))
			if err != nil {
				return nil, err
			}
			if err := t.assign(s.Target, v); err != nil {
				return nil, err
			}
		case *ast.Delete:
			sub := s.Targets[0].(*ast.Subscript)
			v, err := t.eval(sub.Value)
			if err != nil {
				return nil, err
			}
			i, err := t.eval(sub.Index)
			if err != nil {
				return nil, err
			}
			if err := t.DelItem(v, i); err != nil {
				return nil, err
			}
		default:
			return nil, fmt.Errorf("no statement %T in tests", s)
		}
	}
	return last, nil
}

func (t *testThread) assign(target ast.Expr, v value.Value) error {
	switch x := target.(type) {
	case *ast.Name:
		t.vars[x.ID] = v
		return nil
	case *ast.Subscript:
		c, err := t.eval(x.Value)
		if err != nil {
			return err
		}
		i, err := t.eval(x.Index)
		if err != nil {
			return err
		}
		return t.SetItem(c, i, v)
	}
	return fmt.Errorf("no target %T in tests", target)
}

func (t *testThread) evalAll(list []ast.Expr) ([]value.Value, error) {
	out := make([]value.Value, len(list))
	for i, e := range list {
		if s, ok := e.(*ast.Starred); ok && i == len(list)-1 {
			v, err := t.eval(s.Value)
			if err != nil {
				return nil, err
			}
			rest, _, err := t.w.drain(t, v)
			return append(out[:i], rest...), err
		}
		v, err := t.eval(e)
		if err != nil {
			return nil, err
		}
		out[i] = v
	}
	return out, nil
}

func (t *testThread) eval(e ast.Expr) (value.Value, error) {
	switch e := e.(type) {
	case *ast.Constant:
		switch e.Kind {
		case ast.NoneConst:
			return value.None, nil
		case ast.TrueConst, ast.FalseConst:
			return value.Bool(e.Kind == ast.TrueConst), nil
		case ast.EllipsisConst:
			return value.Ellipsis, nil
		case ast.IntConst:
			if e.Big != nil {
				return value.FromBig(e.Big), nil
			}
			return value.Int(e.Int), nil
		case ast.FloatConst:
			return value.Float(e.Float), nil
		case ast.ComplexConst:
			return value.Complex(complex(0, e.Float)), nil
		case ast.BytesConst:
			return value.Bytes(e.Str), nil
		}
		return value.Str(e.Str), nil
	case *ast.Name:
		if v, ok := t.vars[e.ID]; ok {
			return v, nil
		}
		if v, ok := t.w.Builtins().Get(e.ID); ok {
			return v, nil
		}
		return nil, t.Raise("NameError", "name '%s' is not defined", e.ID)
	case *ast.BinOp:
		a, err := t.eval(e.Left)
		if err != nil {
			return nil, err
		}
		b, err := t.eval(e.Right)
		if err != nil {
			return nil, err
		}
		return t.Binary(e.Op, a, b)
	case *ast.UnaryOp:
		a, err := t.eval(e.Operand)
		if err != nil {
			return nil, err
		}
		if e.Op == ast.Not {
			b, err := t.Truth(a)
			if err != nil {
				return nil, err
			}
			return t.w.notBool(t, b), nil
		}
		return t.Unary(e.Op, a)
	case *ast.Compare:
		a, err := t.eval(e.Left)
		if err != nil {
			return nil, err
		}
		b, err := t.eval(e.Comparators[0])
		if err != nil {
			return nil, err
		}
		return t.Compare(e.Ops[0], a, b)
	case *ast.Attribute:
		v, err := t.eval(e.Value)
		if err != nil {
			return nil, err
		}
		return t.GetAttr(v, e.Attr.Name)
	case *ast.Subscript:
		v, err := t.eval(e.Value)
		if err != nil {
			return nil, err
		}
		i, err := t.eval(e.Index)
		if err != nil {
			return nil, err
		}
		return t.GetItem(v, i)
	case *ast.Slice:
		s := &value.Slice{Start: value.None, Stop: value.None, Step: value.None}
		for i, p := range [...]ast.Expr{e.Lower, e.Upper, e.Step} {
			if p != nil {
				v, err := t.eval(p)
				if err != nil {
					return nil, err
				}
				*[...]*value.Value{&s.Start, &s.Stop, &s.Step}[i] = v
			}
		}
		return s, nil
	case *ast.Tuple:
		elems, err := t.evalAll(e.Elts)
		return value.NewTuple(elems...), err
	case *ast.List:
		elems, err := t.evalAll(e.Elts)
		return t.heap.NewList(elems), err
	case *ast.Set:
		elems, err := t.evalAll(e.Elts)
		if err != nil {
			return nil, err
		}
		s := t.heap.NewSet()
		return s, t.w.setUpdate(t, s, t.heap.NewList(elems))
	case *ast.Dict:
		d := t.heap.NewDict()
		for i, k := range e.Keys {
			kv, err := t.eval(k)
			if err != nil {
				return nil, err
			}
			v, err := t.eval(e.Values[i])
			if err != nil {
				return nil, err
			}
			if err := t.w.store(t, d, kv, v); err != nil {
				return nil, err
			}
		}
		return d, nil
	case *ast.Lambda:
		params, body := e.Params.Args, e.Body
		return &value.Builtin{Name: "<lambda>", Fn: func(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
			for i, p := range params {
				t.vars[p.Name] = args[i]
			}
			return t.eval(body)
		}}, nil
	case *ast.JoinedStr:
		text := ""
		for _, x := range e.Values {
			f, ok := x.(*ast.FormattedValue)
			if !ok {
				text += x.(*ast.Constant).Str
				continue
			}
			v, err := t.eval(f.Value)
			if err != nil {
				return nil, err
			}
			spec := value.Value(value.Str(""))
			if f.FormatSpec != nil {
				if spec, err = t.eval(f.FormatSpec); err != nil {
					return nil, err
				}
			}
			if f.Conversion == 'r' {
				s, _ := t.Repr(v)
				v = value.Str(s)
			}
			r, err := t.w.Format(t, v, string(spec.(value.Str)))
			if err != nil {
				return nil, err
			}
			text += textOf(r)
		}
		return value.Str(text), nil
	case *ast.Call:
		fn, err := t.eval(e.Func)
		if err != nil {
			return nil, err
		}
		args, err := t.evalAll(e.Args)
		if err != nil {
			return nil, err
		}
		var kw []value.Kw
		for _, k := range e.Keywords {
			v, err := t.eval(k.Value)
			if err != nil {
				return nil, err
			}
			kw = append(kw, value.Kw{Name: k.Name.Name, Value: v})
		}
		return t.Call(fn, args, kw)
	}
	return nil, fmt.Errorf("no expression %T in tests", e)
}

// Join has no paths here: what may be one of two is not known.
func (t *testThread) Join(a, b value.Value) value.Value { return t.Unknown("one of two values") }

func (t *testThread) DeepCopied(_, _ value.Value) {}

func (t *testThread) JoinIf(_ *symshape.Cond, a, b value.Value) (value.Value, error) {
	return t.Join(a, b), nil
}
