package lower

// This file writes ONNX+, the dialect of chainer-compiler: operators of the domain
// org.chainer (package inference has their types) stand for what has no standard
// operator, or what that compiler's own translators write with them. A rule that
// returns false leaves the node to the standard form.
//
// A rule either describes the operator (inputs and attributes), and emit writes the node, or
// writes nodes itself and says done. When a rule gives up after it has begun to write, everything
// that it wrote is taken back, so rules can be written in one go.

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"shapecheck/infer/graph"
	"shapecheck/lower/aten"
	"shapecheck/onnx"
	"shapecheck/onnx/inference"
	"shapecheck/symshape"
)

// plusVersion is the version of org.chainer.
const plusVersion = 9

// A plusCall is a node that becomes one of those operators. in are the names of inputs, in the
// order of the operator.
type plusCall struct {
	l     *lowerer
	b     *block
	n     *graph.Node
	in    []string
	attrs []*onnx.Attr
	done  bool // the rule wrote the nodes itself
}

// A plusRule sets the inputs and attributes.
type plusRule struct {
	op   string
	make func(p *plusCall) bool
}

// plusRules are by the form of the operation.
var plusRules = map[graph.Form]plusRule{
	graph.Linear:      {"ChainerLinear", plusLinear},
	graph.Square:      {"ChainerSquare", func(p *plusCall) bool { return p.tensors("input") }},
	graph.Interpolate: {"ChainerResizeImages", plusResize},
	graph.GetItem:     {"ChainerGetItem", func(p *plusCall) bool { return p.tensors("self") && p.subscript() }},
	graph.SetItem:     {"ChainerSetItem", plusSetItem},
	graph.SumTo:       {"ChainerReduceSumTo", plusSumTo},
	graph.PadSequence: {"ChainerSequencePad", plusPad},
	graph.ConvTransp:  {"ChainerConvTransposeWithDynamicOutputShape", plusDeconv},
}

// plus writes a node in ONNX+, where there is a rule for it. Only nodes with one result of known
// type are tried.
func (l *lowerer) plus(b *block, n *graph.Node) bool {
	rule, ok := plusRules[n.Form]
	p := &plusCall{l: l, b: b, n: n}
	if !ok || len(n.Outputs) != 1 || typeOf(n.Outputs[0]) == nil {
		return false
	}
	errs, failed, nodes, values, sizes := len(l.errs), maps.Clone(l.failed), len(b.g.Nodes), len(b.g.Values), maps.Clone(b.sizes)
	if !rule.make(p) || len(l.errs) > errs { // as if nothing had been tried
		l.errs, l.failed, b.g.Nodes, b.g.Values, b.sizes = l.errs[:errs], failed, b.g.Nodes[:nodes], b.g.Values[:values], sizes
		return false
	}
	if !p.done {
		p.emit(rule.op)
	}
	return true
}

// emit writes the operator.
func (p *plusCall) emit(op string) {
	node := &onnx.Node{Op: op, Domain: inference.Chainer, Inputs: p.in, Attrs: p.attrs, Doc: p.l.place(p.n), Outputs: p.l.bindOutputs(p.n)}
	node.Name = p.l.nodeName(p.n)
	if p.n.Module != "" {
		node.Metadata = append(node.Metadata, onnx.Entry{Key: "module", Value: p.n.Module})
	}
	p.b.emit(node)
	p.l.defined(p.b, p.n, node.Outputs)
}

// typeOfArg is the type of a tensor argument whose rank is known.
func (p *plusCall) typeOfArg(name string) *graph.TensorType {
	v, ok := argument(p.n, name).(*graph.Value)
	if !ok || v.Kind != graph.TensorKind || !v.Type.Ranked || tensorTypeOf(v) == nil {
		return nil
	}
	return &v.Type
}

// tensors adds arguments as inputs. It is false when an argument is no tensor or its rank is not
// known.
func (p *plusCall) tensors(names ...string) bool {
	for _, name := range names {
		if p.typeOfArg(name) == nil {
			return false
		}
		p.in = append(p.in, p.l.tensor(p.b, argument(p.n, name).(*graph.Value), p.n.At))
	}
	return true
}

// ints reads constant integers; one stands for n. The second result says that there were n
// constants.
func (p *plusCall) ints(name string, n int) ([]int64, bool) {
	var items []graph.Operand
	switch o := argument(p.n, name).(type) {
	case graph.Tuple:
		items = o
	case graph.List:
		items = o
	default:
		items = []graph.Operand{o}
	}
	var out []int64
	for _, o := range items {
		k, ok := aten.ConstInt(o)
		if !ok {
			return nil, false
		}
		out = append(out, k)
	}
	if len(out) == 1 && n > 1 {
		out = slices.Repeat(out, n)
	}
	return out, len(out) == n
}

// All axes but the last are batch axes. x and the weights must have one element type.
func plusLinear(p *plusCall) bool {
	x, w := p.typeOfArg("input"), p.typeOfArg("weight")
	if x == nil || w == nil || len(x.Shape) < 2 || len(w.Shape) != 2 || x.DType != w.DType || !p.tensors("input", "weight") {
		return false
	}
	if argument(p.n, "bias") != nil && !p.tensors("bias") {
		return false
	}
	p.attrs = []*onnx.Attr{onnx.IntAttr("n_batch_axes", int64(len(x.Shape)-1))}
	return true
}

// plusResize: the operator puts corners on corners, and reads beyond an image of one
// row.
func plusResize(p *plusCall) bool {
	x := p.typeOfArg("input")
	size, ok := p.ints("size", 2)
	if x == nil || len(x.Shape) != 4 || !ok || size[0] < 2 || size[1] < 2 || argument(p.n, "mode") != graph.Str("bilinear") ||
		argument(p.n, "align_corners") != graph.Bool(true) || argument(p.n, "antialias") == graph.Bool(true) {
		return false
	}
	for _, d := range x.Shape[2:] {
		if d.Expr == nil {
			return false
		}
		if lo, _ := d.Expr.Bounds(); lo < 2 {
			return false
		}
	}
	p.attrs = []*onnx.Attr{onnx.IntsAttr("output_shape", size...)}
	return p.tensors("input")
}

// subscript adds the operands of a key of integers, slices and an ellipsis. slice_specs has a
// number for each axis: 0 the whole axis, 1 an index, 2 a slice with two bounds, 3 one with a
// step. Steps that are negative are left to the standard form.
func (p *plusCall) subscript() bool {
	t := p.typeOfArg("self")
	key, ok := argument(p.n, "key").(graph.Tuple)
	if !ok {
		key = graph.Tuple{argument(p.n, "key")}
	}
	var specs []int64
	number := func(o graph.Operand) bool {
		switch o := o.(type) {
		case graph.Int:
		case graph.Dim:
			if o.Expr == nil {
				return false
			}
		default:
			return false
		}
		p.in = append(p.in, p.l.scalar(p.b, o, p.n.At))
		return true
	}
	for i, k := range key {
		if len(specs) > len(t.Shape) {
			return false
		}
		switch k := k.(type) {
		case graph.Ellipsis:
			for rest := len(t.Shape) - len(specs) - (len(key) - 1 - i); rest > 0; rest-- {
				specs = append(specs, 0)
			}
		case graph.Slice:
			if len(specs) >= len(t.Shape) {
				return false
			}
			if k.Start == nil && k.Stop == nil && k.Step == nil {
				specs = append(specs, 0)
				continue
			}
			start, stop := k.Start, k.Stop
			if start == nil {
				start = graph.Int(0)
			}
			if stop == nil {
				stop = graph.Dim{Dim: t.Shape[len(specs)]}
			}
			if !number(start) || !number(stop) {
				return false
			}
			if k.Step == nil {
				specs = append(specs, 2)
				continue
			}
			if n, ok := aten.ConstInt(k.Step); !number(k.Step) || ok && n < 0 {
				return false
			}
			specs = append(specs, 3)
		default:
			if !number(k) {
				return false
			}
			specs = append(specs, 1)
		}
	}
	p.attrs = []*onnx.Attr{onnx.IntsAttr("slice_specs", specs...)}
	return len(specs) <= len(t.Shape)
}

// plusSetItem: the value has the tensor's element type. A number is converted to the tensor's
// type; a value of another type is left to the standard form.
func plusSetItem(p *plusCall) bool {
	if !p.tensors("self") || !p.subscript() {
		return false
	}
	x := argument(p.n, "self").(*graph.Value)
	switch v := argument(p.n, "value").(type) {
	case *graph.Value:
		return v.Type.DType == x.Type.DType && p.tensors("value")
	case graph.Int, graph.Float, graph.Bool:
		f := &folder{l: p.l, b: p.b, at: p.n.At}
		name, typ := p.l.constant(p.b, v, p.n.At)
		if typ != nil && typ.Elem != tensorTypeOf(x).Elem {
			name = f.cast(name, tensorTypeOf(x).Elem)
		}
		p.in = append(p.in, name)
		return name != ""
	}
	return false
}

// The second input is the shape of the result.
func plusSumTo(p *plusCall) bool {
	out := p.n.Outputs[0].Type
	if !out.Ranked || !p.tensors("self") {
		return false
	}
	p.in = append(p.in, p.l.vector(p.b, operands(out.Shape), p.n.At))
	return true
}

func operands(s symshape.Shape) []graph.Operand {
	list := make([]graph.Operand, len(s))
	for i, d := range s {
		list[i] = graph.Dim{Dim: d}
	}
	return list
}

// plusPad: the operator has the sequences first. Only lists of tensors with batch_first are
// written: the operator's result has the sequences as its first axis.
func plusPad(p *plusCall) bool {
	var items []graph.Operand
	switch o := argument(p.n, "sequences").(type) {
	case graph.Tuple:
		items = o
	case graph.List:
		items = o
	}
	if argument(p.n, "batch_first") != graph.Bool(true) || len(items) == 0 {
		return false
	}
	var names []string
	for _, o := range items {
		v, ok := o.(*graph.Value)
		if !ok || v.Kind != graph.TensorKind || v.Type.DType != p.n.Outputs[0].Type.DType {
			return false
		}
		names = append(names, p.l.tensor(p.b, v, p.n.At))
	}
	fill, ok := argument(p.n, "padding_value").(graph.Float)
	if k, isInt := aten.ConstInt(argument(p.n, "padding_value")); isInt {
		fill, ok = graph.Float(k), true
	}
	f := &folder{l: p.l, b: p.b, at: p.n.At}
	p.in = []string{f.op("SequenceConstruct", names)}
	p.attrs = []*onnx.Attr{onnx.FloatAttr("value", float32(fill))}
	return ok
}

// plusDeconv is for an output padding that depends on sizes, which ConvTranspose
// cannot have. The result's shape is an input instead. A bias is added by a node of its own.
func plusDeconv(p *plusCall) bool {
	n := int(p.n.Spatial)
	x, w, out := p.typeOfArg("input"), p.typeOfArg("weight"), p.n.Outputs[0].Type
	if _, known := p.ints("output_padding", n); known || x == nil || w == nil || len(x.Shape) != n+2 || !out.Ranked {
		return false
	}
	strides, ok := p.ints("stride", n)
	pads, ok2 := p.ints("padding", n)
	dilation, ok3 := p.ints("dilation", n)
	groups, ok4 := p.ints("groups", 1)
	if !ok || !ok2 || !ok3 || !ok4 || slices.ContainsFunc(dilation, func(d int64) bool { return d != 1 }) || !p.tensors("input", "weight") {
		return false
	}
	p.in = append(p.in, p.l.vector(p.b, operands(out.Shape), p.n.At))
	p.attrs = []*onnx.Attr{onnx.IntsAttr("strides", strides...), onnx.IntsAttr("pads", append(slices.Clone(pads), pads...)...),
		onnx.IntAttr("group", groups[0])}
	bias, ok := argument(p.n, "bias").(*graph.Value)
	if !ok {
		return true
	}
	f := &folder{l: p.l, b: p.b, at: p.n.At}
	y := p.l.unique(nodePath(p.n) + "conv_transpose")
	p.b.emit(&onnx.Node{Op: "ChainerConvTransposeWithDynamicOutputShape", Domain: inference.Chainer, Name: y, Inputs: p.in, Attrs: p.attrs,
		Outputs: []string{y}, Doc: p.l.place(p.n)})
	shape := append([]int64{1, -1}, slices.Repeat([]int64{1}, n)...)
	column := p.l.unique(nodePath(p.n) + "bias")
	p.b.emit(&onnx.Node{Op: "Reshape", Name: column, Inputs: []string{p.l.tensor(p.b, bias, p.n.At), f.tensor(onnx.NewInts(nil, shape...))},
		Outputs: []string{column}})
	p.in, p.attrs = []string{y, column}, nil
	names := p.l.bindOutputs(p.n)
	p.b.emit(&onnx.Node{Op: "Add", Name: p.l.nodeName(p.n), Inputs: p.in, Outputs: names, Doc: p.l.place(p.n)})
	p.l.defined(p.b, p.n, names)
	p.done = true
	return true
}

// host calls a function that the program which runs the model registers: for what
// neither dialect has an operator. Its name is the call as text, in which %0, %1 … are
// the inputs.
func (l *lowerer) host(b *block, n *graph.Node) bool {
	for _, o := range n.Outputs {
		if typeOf(o) == nil || o.Type.DType.IsComplex() {
			return false
		}
	}
	p := &plusCall{l: l, b: b, n: n}
	var parts []string
	var text func(o graph.Operand) (string, bool)
	list := func(items []graph.Operand, open, closing string) (string, bool) {
		var out []string
		for _, x := range items {
			s, ok := text(x)
			if !ok {
				return "", false
			}
			out = append(out, s)
		}
		return open + strings.Join(out, ", ") + closing, true
	}
	text = func(o graph.Operand) (string, bool) {
		switch o := o.(type) {
		case *graph.Value:
			if typeOf(o) == nil || o.Kind == graph.OptionalKind || o.Type.DType.IsComplex() {
				return "", false
			}
			p.in = append(p.in, l.argument(b, o, n))
			return fmt.Sprintf("%%%d", len(p.in)-1), true
		case graph.List:
			return list(o, "[", "]")
		case graph.Tuple:
			return list(o, "(", ")")
		case graph.Dim:
			k, ok := o.Const()
			return fmt.Sprint(k), ok
		case graph.Opaque, graph.Dict, graph.Slice, graph.Cond, graph.Real:
			return "", false
		}
		return graph.OperandString(o), true
	}
	for _, a := range n.Args {
		if a.Value == nil {
			continue
		}
		s, ok := text(a.Value)
		if !ok {
			return false
		}
		parts = append(parts, a.Name+"="+s)
	}
	p.attrs = []*onnx.Attr{onnx.StringAttr("function_name", n.Op+"("+strings.Join(parts, ", ")+")")}
	p.emit("ChainerDoSomething")
	return true
}
