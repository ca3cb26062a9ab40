package ops

// This file turns arguments into operands of the typed graph. The graph records each operation with
// its arguments, for exports and for reports. Values that depend on data have a Source, the value
// of the graph that made them; sizes are expressions.

import (
	"math"

	"shapecheck/infer/graph"
	"shapecheck/infer/value"
	"shapecheck/symshape"
)

// Operand is the form of an argument in the typed graph. Containers deeper than
// maxNesting are opaque: a list may hold itself. A nil operand stands for None.
func Operand(p *symshape.Pool, v value.Value) graph.Operand {
	if t, ok := v.(*value.Tensor); ok {
		return t.V
	}
	// The visit bounds how often shared parts are written.
	w := value.Visit{Repeats: value.MaxElems}
	return operand(&w, p, v, maxNesting)
}

// maxNesting bounds the lists inside each other of an argument.
const maxNesting = 12

// operand converts a value of Python to an operand of the graph. Sequences, slices and dicts with text
// keys are converted element by element, at most depth levels down; what the graph cannot express becomes
// an opaque operand with the name of its type. w counts repeated visits; an argument that contains
// itself ends there.
func operand(w *value.Visit, p *symshape.Pool, v value.Value, depth int) graph.Operand {
	if depth == 0 || !w.Enter(v) {
		return graph.Opaque(TypeName(v))
	}
	defer w.Leave()
	switch v := value.Plain(v).(type) {
	case *value.Tensor:
		return v.V
	case value.Int:
		return graph.Int(v)
	case value.Bool:
		return graph.Bool(v)
	case value.Float:
		return graph.Float(v)
	case value.Complex:
		return graph.Complex(v)
	case value.Str:
		return graph.Str(v)
	// A number that was read from a tensor is that tensor's value in the graph.
	case *value.SymInt:
		if v.Source != nil {
			return v.Source
		}
		return graph.Dim{Dim: v.D}
	case *value.SymFloat:
		if v.Source != nil {
			return v.Source
		}
		if v.Known {
			return graph.Float(v.Val)
		}
		return graph.Real{Real: v.R}
	case *value.SymBool:
		if v.Source != nil {
			return v.Source
		}
		return graph.Cond{Cond: v.Cond}
	case value.DType:
		return graph.DType{DType: v.D}
	case value.Device:
		return graph.Str(v.Name)
	case *value.Tuple:
		list := make(graph.Tuple, len(v.Elems))
		for i, e := range v.Elems {
			list[i] = operand(w, p, e, depth-1)
		}
		return list
	case *value.List:
		// A list that the graph knows as a sequence is one value.
		if v.Open != nil {
			if seq := value.Sequence(v.Elems, v.Open); seq != nil {
				return seq
			}
			return graph.Opaque("a list of unknown length")
		}
		list := make(graph.List, len(v.Elems))
		for i, e := range v.Elems {
			list[i] = operand(w, p, e, depth-1)
		}
		return list
	case *value.Range:
		if list := rangeOf(v); list != nil {
			return list
		}
	case *value.Dict:
		d := make(graph.Dict, v.Len())
		for i := range d {
			k, ok := value.AsStr(v.Key(i))
			if !ok {
				return graph.Opaque("dict")
			}
			d[i] = graph.Arg{Name: k, Value: operand(w, p, v.At(i), depth-1)}
		}
		return d
	// A slice with a negative step was replaced for the rule; the graph has what the program wrote.
	case *value.Slice:
		if v.Written != nil {
			v = v.Written
		}
		return graph.Slice{Start: operand(w, p, v.Start, depth-1), Stop: operand(w, p, v.Stop, depth-1), Step: operand(w, p, v.Step, depth-1)}
	case value.EllipsisType:
		return graph.Ellipsis{}
	case *value.Choice: // a tensor beside None is one optional value
		for _, x := range [...]value.Value{v.Then, v.Else} {
			if t, ok := x.(*value.Tensor); ok && t.V.Kind == graph.OptionalKind && (v.Then == value.None || v.Else == value.None) {
				return t.V
			}
		}
	case value.NoneType, nil:
		return nil
	case value.Constant:
		return graph.Str(v.Name)
	}
	return graph.Opaque(TypeName(v))
}

// rangeOf lists the numbers of a short range of known bounds, or gives nil. A longer range would be
// a list of thousands of numbers in the graph.
func rangeOf(r *value.Range) graph.List {
	const most = 1 << 12
	start, ok1 := value.AsInt(r.Start)
	stop, ok2 := value.AsInt(r.Stop)
	step, ok3 := value.AsInt(r.Step)
	if !ok1 || !ok2 || !ok3 || step == 0 || math.Abs(float64(stop)-float64(start)) > most {
		return nil
	}
	list := graph.List{}
	for i := start; step > 0 && i < stop || step < 0 && i > stop; i += step {
		list = append(list, graph.Int(i))
	}
	return list
}
