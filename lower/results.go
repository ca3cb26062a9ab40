package lower

// This file declares the results of the entry.

import (
	"strconv"

	"shapecheck/infer/graph"
	"shapecheck/internal/source"
	"shapecheck/onnx"
)

// A result is a tensor or number that the entry returns.
type result struct {
	name string
	o    graph.Operand
}

// what names a result in a message.
func (r *result) what() string {
	if r.name == "output" {
		return "the result"
	}
	return "the result " + r.name
}

// nameResults gives each part of what the entry returns a name: its key or field,
// after those of the structures around it. Elements of a list or tuple have their
// position, and what has no key around it starts with "output". A value that a node
// makes gets the name of the first result that it is. (An Identity for each instead
// would make more nodes; ONNX Runtime 1.30 also loses a value that a function makes
// and that is read by an Identity and by another function.)
func (l *lowerer) nameResults() {
	var walk func(o graph.Operand, path string)
	in := func(path, name string) string {
		if path == "" {
			return name
		}
		return path + "_" + name
	}
	walk = func(o graph.Operand, path string) {
		list := func(items []graph.Operand) {
			for i, e := range items {
				walk(e, in(orElse(path, "output"), strconv.Itoa(i)))
			}
		}
		switch o := o.(type) {
		case nil:
		case graph.Tuple:
			list(o)
		case graph.List:
			list(o)
		case graph.Dict:
			for _, e := range o {
				walk(e.Value, in(path, e.Name))
			}
		default:
			name := orElse(path, "output")
			if l.taken[name] { // an input is called so
				name += "_out"
			}
			r := result{l.unique(name), o}
			l.results = append(l.results, r)
			if v, ok := o.(*graph.Value); ok && l.named[v] == "" && l.names[v] == "" && l.params[v] == "" {
				l.named[v] = r.name
			}
		}
	}
	walk(l.Graph.Output, "")
}

// outputs declares the results. A value that is a result under another name, an
// input among them, is copied.
func (l *lowerer) outputs() {
	g := l.main.g
	for _, r := range l.results {
		var from string
		var typ *onnx.Type
		switch v, ok := r.o.(*graph.Value); {
		case ok && v.Kind == graph.SequenceKind:
			l.fail(l.Graph.Returned, "a list of unknown length as a result has no form here")
			continue
		case ok && v.Type.DType.IsComplex():
			l.fail(v.At, "a result is complex: return torch.view_as_real of it, its real and imaginary parts")
			continue
		case ok: // of a tensor that may be None: an optional result
			from, typ = l.value(v, source.Span{}), typeOf(v)
		default:
			if from, typ = l.constant(l.main, r.o, l.Graph.Returned); from == "" {
				l.fail(l.Graph.Returned, "%s is %s, which has no form in ONNX", r.what(), graph.OperandString(r.o))
				continue
			}
		}
		if from != r.name {
			l.main.emit(&onnx.Node{Op: "Identity", Name: l.unique("node:/" + r.name)[len("node:"):], Inputs: []string{from},
				Outputs: []string{r.name}})
		}
		g.Outputs = append(g.Outputs, &onnx.ValueInfo{Name: r.name, Type: typ})
	}
	if len(g.Outputs) == 0 {
		l.fail(l.Graph.Returned, "the entry returns no tensor")
	}
}
