package lower

// This file lowers lists of tensors and tensors that may be None.

import (
	"fmt"

	"shapecheck/infer/graph"
	"shapecheck/internal/source"
	"shapecheck/onnx"
	"shapecheck/onnx/inference"
)

// tensor returns the name of a value as a tensor. An optional one is taken out:
// it is used only where it is there.
func (l *lowerer) tensor(b *block, v *graph.Value, at source.Span) string {
	name := l.value(v, at)
	if v.Kind != graph.OptionalKind || name == "" {
		return name
	}
	key := fmt.Sprintf("element of %%%d", v.ID)
	if got, ok := b.size(key); ok {
		return got
	}
	got := l.unique(name + "/element")
	b.emit(&onnx.Node{Op: "OptionalGetElement", Name: got, Inputs: []string{name}, Outputs: []string{got}})
	b.sizes[key] = got
	l.declare(b, got, tensorTypeOf(v))
	l.bindShape(v, got)
	return got
}

// optional gives a tensor or None as an optional value of out's type.
func (l *lowerer) optional(b *block, o graph.Operand, out *graph.Value, n *graph.Node) string {
	typ := typeOf(out)
	f := &folder{l: l, b: b, at: n.At, path: nodePath(n)}
	switch o := o.(type) {
	case nil:
		return f.typed(typ, "Optional", nil, &onnx.Attr{Name: "type", Type: onnx.AttrTypeProto, TypeProto: typ.Of})
	case *graph.Value:
		name := l.value(o, n.At)
		if o.Kind == graph.OptionalKind {
			return name
		}
		if have := tensorTypeOf(o); have == nil || have.Elem != typ.Of.Elem || o.Kind != graph.TensorKind {
			break
		}
		return f.typed(typ, "Optional", []string{name})
	}
	l.fail(n.At, "%s in place of a tensor or None has no form in ONNX", graph.OperandString(o))
	return ""
}

// sequence gives a list of tensors as a sequence with out's element type.
func (l *lowerer) sequence(b *block, o graph.Operand, out *graph.Value, n *graph.Node) string {
	typ := typeOf(out)
	if typ == nil {
		l.fail(n.At, "the dtype of a list's tensors is not known")
		return ""
	}
	f := &folder{l: l, b: b, at: n.At, path: nodePath(n)}
	var items []graph.Operand
	switch o := o.(type) {
	case *graph.Value:
		if o.Kind != graph.SequenceKind {
			l.fail(n.At, "a tensor in place of a list has no form in ONNX")
		}
		return l.value(o, n.At)
	case graph.List:
		items = o
	case graph.Tuple:
		items = o
	default:
		l.fail(n.At, "%s in place of a list of tensors has no form in ONNX", graph.OperandString(o))
		return ""
	}
	if len(items) == 0 {
		return l.empty(b, out, typ, f)
	}
	return l.construct(b, items, typ, n)
}

// construct makes a sequence of type typ of single tensors.
func (l *lowerer) construct(b *block, items []graph.Operand, typ *onnx.Type, n *graph.Node) string {
	names := make([]string, len(items))
	for i, x := range items {
		names[i] = l.element(b, x, typ, n)
	}
	f := &folder{l: l, b: b, at: n.At, path: nodePath(n)}
	return f.typed(typ, "SequenceConstruct", names)
}

// empty is an empty list of a type, one for each: runtimes give its elements one rank.
func (l *lowerer) empty(b *block, out *graph.Value, typ *onnx.Type, f *folder) string {
	key := "empty " + out.Type.String()
	name, ok := b.size(key)
	if !ok {
		name = f.called("SequenceEmpty", "SequenceEmpty", nil, onnx.IntAttr("dtype", int64(typ.Of.Elem)))
		l.declare(b, name, typ)
		b.sizes[key] = name
	}
	return name
}

// element gives a tensor as an element of a sequence of type typ.
func (l *lowerer) element(b *block, o graph.Operand, typ *onnx.Type, n *graph.Node) string {
	v, ok := o.(*graph.Value)
	if ok && v.Kind != graph.SequenceKind {
		if have := tensorTypeOf(v); have != nil && have.Elem == typ.Of.Elem {
			return l.tensor(b, v, n.At)
		}
	}
	l.fail(n.At, "%s in a list of tensors has no form in ONNX", graph.OperandString(o))
	return ""
}

// sequenceNode lowers what is done with a list.
func (l *lowerer) sequenceNode(b *block, n *graph.Node) {
	f := &folder{l: l, b: b, at: n.At, path: nodePath(n)}
	out := n.Outputs[0]
	var name string
	switch n.Op {
	case graph.SequenceAppend, graph.SequenceInsert:
		typ := typeOf(out)
		if typ == nil {
			l.fail(n.At, "the dtype of a list's tensors is not known")
			return
		}
		seq := l.sequence(b, argument(n, "input"), out, n)
		args := []string{seq, l.element(b, argument(n, "element"), typ, n)}
		if at := argument(n, "index"); at != nil {
			args = append(args, l.scalar(b, at, n.At))
		}
		name = f.op("SequenceInsert", args)
	case graph.SequenceErase:
		name = f.op("SequenceErase", []string{l.sequence(b, argument(n, "input"), out, n), l.scalar(b, argument(n, "index"), n.At)})
	case graph.SequenceAt:
		var list string
		switch input := argument(n, "input").(type) {
		case *graph.Value:
			list = l.value(input, n.At)
		case graph.List:
			typ := &onnx.Type{Kind: onnx.SequenceType, Of: tensorTypeOf(out)}
			if typ.Of == nil {
				l.fail(n.At, "the dtype of a list's tensors is not known")
				return
			}
			list = l.construct(b, input, typ, n)
		default:
			l.fail(n.At, "an element of %s has no form in ONNX", graph.OperandString(input))
			return
		}
		name = f.op("SequenceAt", []string{list, l.scalar(b, argument(n, "index"), n.At)})
	case graph.SequenceConcat:
		name = l.joined(b, n)
	case graph.SequenceSlice:
		name = l.sliced(b, n)
	default:
		l.fail(n.At, "there is no rule for %s", n.Op)
		return
	}
	l.names[out] = name
	l.defined(b, n, []string{name})
}

// plus is op for ONNX+.
func (f *folder) plus(op string, ins ...string) string {
	out := f.l.unique("/" + op)
	f.b.emit(&onnx.Node{Op: op, Domain: inference.Chainer, Name: out, Inputs: ins, Outputs: []string{out}})
	return out
}

// joined adds the elements of one list to another, one after the other: there is
// no operator for that.
func (l *lowerer) joined(b *block, n *graph.Node) string {
	f := &folder{l: l, b: b, at: n.At, path: nodePath(n)}
	out := n.Outputs[0]
	typ := typeOf(out)
	if typ == nil {
		l.fail(n.At, "the dtype of a list's tensors is not known")
		return ""
	}
	first, second := l.sequence(b, argument(n, "input"), out, n), l.sequence(b, argument(n, "other"), out, n)
	if l.Plus {
		return f.plus("ChainerSequenceExtend", first, second)
	}
	return l.filled(b, n, typ, first, f.op("SequenceLength", []string{second}), func(in *folder, i string) string {
		return in.typed(typ.Of, "SequenceAt", []string{second, i})
	})
}

// sliced takes elements out of a list into a new one.
func (l *lowerer) sliced(b *block, n *graph.Node) string {
	f := &folder{l: l, b: b, at: n.At, path: nodePath(n)}
	out := n.Outputs[0]
	typ := typeOf(out)
	if typ == nil {
		l.fail(n.At, "the dtype of a list's tensors is not known")
		return ""
	}
	from := l.sequence(b, argument(n, "input"), out, n)
	start, step := l.scalar(b, argument(n, "start"), n.At), l.scalar(b, argument(n, "step"), n.At)
	return l.filled(b, n, typ, l.empty(b, out, typ, f), l.scalar(b, argument(n, "length"), n.At), func(in *folder, i string) string {
		number := onnx.TensorOf(onnx.Int64)
		at := in.typed(number, "Add", []string{start, in.typed(number, "Mul", []string{i, step})})
		return in.typed(typ.Of, "SequenceAt", []string{from, at})
	})
}

// filled adds length elements to a list: there is no operator for that but a Loop.
func (l *lowerer) filled(b *block, n *graph.Node, typ *onnx.Type, list, length string, element func(in *folder, i string) string) string {
	f := &folder{l: l, b: b, at: n.At, path: nodePath(n)}
	sub := l.inner(b, "body", n.At)
	i, cond, seq := l.unique("/iteration"), l.unique("/condition"), l.unique("/carried")
	sub.g.Inputs = []*onnx.ValueInfo{{Name: i, Type: onnx.TensorOf(onnx.Int64)}, {Name: cond, Type: onnx.TensorOf(onnx.Bool)},
		{Name: seq, Type: typ}}
	in := &folder{l: l, b: sub, at: n.At, path: nodePath(n)}
	more := in.op("Identity", []string{cond})
	next := in.op("SequenceInsert", []string{seq, element(in, i)})
	sub.g.Outputs = []*onnx.ValueInfo{{Name: more, Type: onnx.TensorOf(onnx.Bool)}, {Name: next, Type: typ}}
	return f.op("Loop", []string{length, f.Bool(true), list}, onnx.GraphAttr("body", sub.g))
}
