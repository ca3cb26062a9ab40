// Package opstest applies operator records without an interpreter: a Thread
// that is just enough for rules (thread.go), a reader of the recorded calls of the
// oracle (opdb; record.go, build.go for their arguments), what the records say of such
// a call (apply.go), and the comparison of both (compare.go).
package opstest

// This file implements value.Thread for rules that need no Python.

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"shapecheck/infer/graph"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/internal/source"
	"shapecheck/parser/ast"
	"shapecheck/symshape"
)

// ErrNoInterpreter is the answer to whatever needs to run Python.
var ErrNoInterpreter = errors.New("opstest: no interpreter")

// A Thread is a value.Thread without an interpreter. Conditions that are not
// decided are assumed and kept in Required.
type Thread struct {
	heap     value.Heap
	pool     *symshape.Pool
	graph    *graph.Builder
	facts    symshape.Facts
	classes  map[string]*value.Class
	Options  map[string]string
	Required []*symshape.Cond
	Reports  []*diag.Diagnostic
}

// NewThread returns a Thread with an empty pool and graph.
func NewThread() *Thread {
	return &Thread{
		pool: symshape.NewPool(), graph: graph.NewBuilder(), classes: make(map[string]*value.Class),
		Options: map[string]string{"torch-version": "1.13.1"},
	}
}

func (t *Thread) Heap() *value.Heap         { return &t.heap }
func (t *Thread) Pool() *symshape.Pool      { return t.pool }
func (t *Thread) Graph() *graph.Builder     { return t.graph }
func (t *Thread) Facts() symshape.Facts     { return t.facts }
func (t *Thread) Here() source.Span         { return source.Span{} }
func (t *Thread) ModulePath() string        { return "" }
func (t *Thread) Option(n string) string    { return t.Options[n] }
func (t *Thread) Step(int) error            { return nil }
func (t *Thread) Alloc(int) error           { return nil }
func (t *Thread) Computes(int) bool         { return true }
func (t *Thread) Enter(string) error        { return nil }
func (t *Thread) Leave()                    {}
func (t *Thread) Report(d *diag.Diagnostic) { t.Reports = append(t.Reports, d) }

// Remaining is all of the time.
func (t *Thread) Remaining(most time.Duration) time.Duration { return most }

func (t *Thread) Call(value.Value, []value.Value, []value.Kw) (value.Value, error) {
	return nil, ErrNoInterpreter
}

func (t *Thread) CallMethod(value.Value, string, ...value.Value) (value.Value, error) {
	return nil, ErrNoInterpreter
}
func (t *Thread) MeansOneOf([]value.Value)                         {}
func (t *Thread) GetAttr(value.Value, string) (value.Value, error) { return nil, ErrNoInterpreter }
func (t *Thread) LookupAttr(value.Value, string) (value.Value, bool, error) {
	return nil, false, ErrNoInterpreter
}
func (t *Thread) AskAttr(value.Value, string) (value.Value, bool, error) {
	return nil, false, ErrNoInterpreter
}
func (t *Thread) SetAttr(value.Value, string, value.Value) error        { return ErrNoInterpreter }
func (t *Thread) DelAttr(value.Value, string) error                     { return ErrNoInterpreter }
func (t *Thread) GetItem(value.Value, value.Value) (value.Value, error) { return nil, ErrNoInterpreter }
func (t *Thread) SetItem(value.Value, value.Value, value.Value) error   { return ErrNoInterpreter }
func (t *Thread) DelItem(value.Value, value.Value) error                { return ErrNoInterpreter }
func (t *Thread) Unary(ast.UnaryOperator, value.Value) (value.Value, error) {
	return nil, ErrNoInterpreter
}
func (t *Thread) Binary(ast.BinOperator, value.Value, value.Value) (value.Value, error) {
	return nil, ErrNoInterpreter
}
func (t *Thread) Compare(ast.CmpOperator, value.Value, value.Value) (value.Value, error) {
	return nil, ErrNoInterpreter
}

// Truth covers scalars, lists, tuples and tensors. For other values it returns the error ErrNoInterpreter.
func (t *Thread) Truth(v value.Value) (value.Value, error) {
	switch v := value.Plain(v).(type) {
	case value.Bool, *value.SymBool:
		return v, nil
	case value.NoneType:
		return value.Bool(false), nil
	case value.Int:
		return value.Bool(v != 0), nil
	case value.Float:
		return value.Bool(v != 0), nil
	case value.Str:
		return value.Bool(v != ""), nil
	case *value.Tuple:
		return value.Bool(len(v.Elems) != 0), nil
	case *value.List:
		return value.Bool(len(v.Elems) != 0), nil
	case *value.SymInt:
		if v.D.Expr != nil {
			return &value.SymBool{Cond: t.pool.Ne(v.D.Expr, t.pool.Const(0)), Val: v.D.Val != 0, Known: v.D.Known}, nil
		}
	case *value.Tensor:
		if e := v.Contents(); len(e) == 1 {
			return t.Truth(e[0])
		}
		return t.DataBool(v.V), nil
	}
	return nil, ErrNoInterpreter
}

// Holds decides as the interpreter does, except that nothing is recorded.
func (t *Thread) Holds(b value.Value) (val, known bool) {
	switch b := b.(type) {
	case value.Bool:
		return bool(b), true
	case *value.SymBool:
		switch t.Decide(b.Cond) {
		case symshape.Yes:
			return true, true
		case symshape.No:
			return false, true
		}
		return b.Val, b.Known
	}
	return false, false
}

// Iterate covers lists, tuples and ranges. For other values, and for ranges whose bounds are not known, it fails with
// ErrNoInterpreter, for a list of unknown length with *value.OpenError; an error of yield ends it.
func (t *Thread) Iterate(v value.Value, yield func(value.Value) error) error {
	var elems []value.Value
	switch v := v.(type) {
	case *value.Tuple:
		elems = v.Elems
	case *value.List:
		if v.Open != nil {
			return &value.OpenError{Open: v.Open}
		}
		elems = v.Elems
	case *value.Range:
		a, ok1 := value.AsInt(v.Start)
		b, ok2 := value.AsInt(v.Stop)
		s, ok3 := value.AsInt(v.Step)
		if !ok1 || !ok2 || !ok3 || s == 0 {
			return ErrNoInterpreter
		}
		for i := a; s > 0 && i < b || s < 0 && i > b; i += s {
			elems = append(elems, value.Int(i))
		}
	default:
		return ErrNoInterpreter
	}
	for _, e := range elems {
		if err := yield(e); errors.Is(err, value.ErrStop) {
			return nil
		} else if err != nil {
			return err
		}
	}
	return nil
}

func (t *Thread) Iter(value.Value) (*value.Iterator, error)       { return nil, ErrNoInterpreter }
func (t *Thread) HashKey(v value.Value) (any, error)              { return v, nil }
func (t *Thread) Identical(a, b value.Value) (value.Value, error) { return value.Bool(a == b), nil }
func (t *Thread) Repr(v value.Value) (string, bool)               { return v.String(), false }
func (t *Thread) Str(v value.Value) (string, bool)                { return v.String(), false }
func (t *Thread) Import(string) (value.Value, error)              { return nil, ErrNoInterpreter }
func (t *Thread) Instance(*value.Class, ...value.Value) (value.Value, error) {
	return nil, ErrNoInterpreter
}
func (t *Thread) TensorMethod(*value.Tensor, string) (value.Value, bool, error) {
	return nil, false, ErrNoInterpreter
}

// TypeOf knows the classes of instances only.
func (t *Thread) TypeOf(v value.Value) *value.Class {
	if i, ok := v.(*value.Instance); ok {
		return i.Class
	}
	return t.Class("object")
}

// Class makes up a class of any name.
func (t *Thread) Class(name string) *value.Class {
	c := t.classes[name]
	if c == nil {
		short, module := name, "builtins"
		if i := strings.LastIndexByte(name, '.'); i >= 0 {
			module, short = name[:i], name[i+1:]
		}
		c = &value.Class{Name: short, Qualname: short, Module: module, Attrs: t.heap.NewAttrs()}
		c.MRO = []*value.Class{c}
		t.classes[name] = c
	}
	return c
}

// Decide decides a condition by the facts.
func (t *Thread) Decide(c *symshape.Cond) symshape.Answer { return t.facts.Decide(c).Answer }

// Require assumes what is not decided.
func (t *Thread) Require(c *symshape.Cond, why string) symshape.Answer {
	a := t.Decide(c)
	if a != symshape.Unknown {
		return a
	}
	facts, ok := t.facts.Assume(c)
	if !ok {
		return symshape.No
	}
	t.facts = facts
	t.Required = append(t.Required, c)
	return symshape.Yes
}

// DataBool gives a fresh truth value.
func (t *Thread) DataBool(source *graph.Value) *value.SymBool {
	return &value.SymBool{Cond: t.pool.Eq(t.pool.FreshIn("b", 0, 1), t.pool.Const(1)), Source: source}
}

// DataInt gives a fresh integer.
func (t *Thread) DataInt(prefix string, lo int64, source *graph.Value) *value.SymInt {
	return &value.SymInt{D: symshape.MakeDim(t.pool.FreshIn(prefix, lo, symshape.PosInf)), Source: source}
}

// Raise makes an exception without a diagnostic. The error is the exception, never nil.
func (t *Thread) Raise(class, format string, args ...any) error {
	return t.exception(class, diag.New(diag.UncaughtRaise, source.Span{}, fmt.Sprintf(format, args...)))
}

// Fail makes the exception for a fault.
func (t *Thread) Fail(class string, d *diag.Diagnostic) error { return t.exception(class, d) }

func (t *Thread) exception(class string, d *diag.Diagnostic) error {
	return &value.Exception{Value: &value.Instance{Class: t.Class(class)}, Diag: d}
}

// Unknown makes an unknown value.
func (t *Thread) Unknown(reason string) *value.Unknown {
	return &value.Unknown{Cause: &value.Cause{Reason: reason}}
}

var _ value.Thread = (*Thread)(nil)

// Join has no paths here: what may be one of two is not known.
func (t *Thread) Join(a, b value.Value) value.Value { return t.Unknown("one of two values") }

func (t *Thread) DeepCopied(_, _ value.Value) {}

func (t *Thread) JoinIf(_ *symshape.Cond, a, b value.Value) (value.Value, error) {
	return t.Join(a, b), nil
}
