package infer

// This file says what the entry returned as an operand of the typed graph.
//
// It also looks into structures of tensors: what an entry takes and what it
// returns.

import (
	"strconv"
	"strings"

	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/ops/catalog"
	"shapecheck/infer/value"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

const (
	// maxResultDepth bounds the nesting of results: a list may hold itself.
	maxResultDepth = 12
	// maxResultParts bounds the containers in a result: lists may share lists.
	maxResultParts = 10000
)

// results makes the operand of what the entry returned.
type results struct {
	*Interp
	seen int // the containers that were met
	// around are the objects around the one that is looked at. What leads back to one of
	// them is a reference, and no part.
	around []*value.Instance
}

// operand gives a result. Tensors of two paths that have no common shape are one result of an If node
// of unknown rank. An object is its attributes that hold tensors, with their names.
func (r *results) operand(v value.Value, depth int) graph.Operand {
	switch value.Plain(v).(type) {
	case *value.Tuple, *value.List, *value.Dict, *value.Instance:
		if r.seen++; depth == 0 || r.seen > maxResultParts {
			return graph.Opaque(ops.TypeName(v))
		}
	}
	if i, ok := v.(*value.Instance); ok && ops.IsNumpyScalar(i) {
		return r.scalar(i)
	}
	if i, ok := isWrapped(v); ok {
		a, _ := i.Attrs.Get("_a")
		return r.operand(a, depth-1)
	}
	switch v := value.Plain(v).(type) {
	case *value.Tensor:
		if v.V.Kind == graph.OptionalKind { // there is a tensor here
			j := r.newJoiner(nil)
			out := r.build.NewValue(graph.TensorKind, v.V.Type, r.Here())
			j.phis = append(j.phis, phi{v.V, v.V, out})
			j.emit(graph.Bool(true), &graph.Region{}, &graph.Region{})
			return out
		}
	case *value.Range: // the numbers that it gives
		start, ok1 := value.AsInt(v.Start)
		stop, ok2 := value.AsInt(v.Stop)
		step, ok3 := value.AsInt(v.Step)
		if !ok1 || !ok2 || !ok3 || step == 0 {
			break
		}
		list := graph.List{}
		for n := start; (step > 0 && n < stop || step < 0 && n > stop) && len(list) <= maxResultParts; n += step {
			list = append(list, graph.Int(n))
		}
		if len(list) <= maxResultParts {
			return list
		}
	case *value.Choice:
		return r.choice(v)
	case *value.Instance:
		for _, o := range r.around {
			if o == v {
				return graph.Dict{}
			}
		}
		if len(r.around) > 0 && !reachesTensor(v) {
			return graph.Dict{} // one of several parts of an object, such as a layer of a cache that has seen nothing yet
		}
		r.around = append(r.around, v)
		defer func() { r.around = r.around[:len(r.around)-1] }()
	}
	parts, named, ok := partsOf(v)
	if _, dict := value.Plain(v).(*value.Dict); dict && !ok {
		return graph.Opaque(ops.TypeName(v))
	}
	if !ok {
		return ops.Operand(r.pool, v)
	}
	list := make([]graph.Operand, len(parts))
	for i, x := range parts {
		list[i] = r.operand(x.v, depth-1)
	}
	switch value.Plain(v).(type) {
	case *value.List:
		return graph.List(list)
	case *value.Tuple:
		if !named {
			return graph.Tuple(list)
		}
	}
	d := make(graph.Dict, len(parts))
	for i, x := range parts {
		d[i] = graph.Arg{Name: x.name, Value: list[i]}
	}
	return d
}

// scalar gives a scalar of NumPy: an array of its dtype, where the number alone does not say which that is.
func (r *results) scalar(i *value.Instance) graph.Operand {
	o := ops.Operand(r.pool, i)
	d := ops.ScalarDType(i)
	switch o.(type) {
	case graph.Int, graph.Float, graph.Dim, graph.Real:
		if d == dtype.I64 || d == dtype.Unknown {
			return o
		}
	default:
		return o
	}
	op, ok := catalog.Lookup("numpy.array")
	if !ok {
		return o
	}
	out := r.build.NewValue(graph.TensorKind, graph.TensorType{DType: d, Ranked: true, Shape: symshape.Shape{}}, r.rec.left)
	n := &graph.Node{At: r.rec.left, Outputs: []*graph.Value{out}, Args: []graph.Arg{{Name: "object", Value: o}}}
	op.Describe(n, "")
	r.build.Emit(n)
	return out
}

// choice gives a result that is one of two values.
func (r *results) choice(v *value.Choice) graph.Operand {
	a, okA := value.Plain(v.Then).(*value.Tensor)
	b, okB := value.Plain(v.Else).(*value.Tensor)
	switch {
	case okA && okB && a.Type().DType == b.Type().DType:
		j := r.newJoiner(v.Cond)
		out := r.build.NewValue(graph.TensorKind, j.types(a.Type(), b.Type()), r.Here())
		j.phis = append(j.phis, phi{a.V, b.V, out})
		j.emit(graph.Cond{Cond: v.Cond}, &graph.Region{}, &graph.Region{})
		return out
	case okA && okB:
		return graph.Opaque("a tensor of " + a.Type().DType.String() + " or " + b.Type().DType.String())
	}
	if t, there := r.mayBeNone(v); t != nil && r.there[t.V] != there {
		// Where the tensor came from does not say whether it is there still.
		j := r.newJoiner(nil)
		out := r.build.NewValue(graph.OptionalKind, t.V.Type, r.Here())
		out.Name = t.V.Name
		j.phis = append(j.phis, phi{t.V, nil, out})
		j.emit(graph.Cond{Cond: there}, &graph.Region{}, &graph.Region{})
		return out
	}
	o := ops.Operand(r.pool, v)
	if _, opaque := o.(graph.Opaque); opaque {
		return graph.Opaque("one of several values")
	}
	return o
}

// mayBeNone gives the tensor of a choice between an optional one and None, and the
// condition under which it is there; nil for other choices.
func (r *results) mayBeNone(c *value.Choice) (*value.Tensor, *symshape.Cond) {
	if t, ok := c.Then.(*value.Tensor); ok && c.Else == value.None && t.V.Kind == graph.OptionalKind {
		return t, c.Cond
	}
	if t, ok := c.Else.(*value.Tensor); ok && c.Then == value.None && t.V.Kind == graph.OptionalKind {
		return t, r.pool.Not(c.Cond)
	}
	return nil, nil
}

// Lost reports whether a result, or the first element of a tuple, is unknown.
func Lost(v value.Value) bool {
	for {
		t, ok := v.(*value.Tuple)
		if !ok || len(t.Elems) == 0 {
			return value.IsUnknown(v)
		}
		v = t.Elems[0]
	}
}

// A part is an element of a structure. Its name is that of a key or a field, or the
// position of an element.
type part struct {
	name string
	v    value.Value
}

// partsOf lists the parts of a container, of an instance of a dataclass or of another object. named
// says that they have names of their own; ok is false of anything else, and of a
// container whose elements are not known one by one.
func partsOf(v value.Value) (parts []part, named, ok bool) {
	switch v := value.Plain(v).(type) {
	case *value.Tuple:
		c := v.Class
		named := c != nil && len(c.Fields) == len(v.Elems) && c.Module != "torch.return_types"
		for i, e := range v.Elems {
			p := part{strconv.Itoa(i), e}
			if named {
				p.name = c.Fields[i]
			}
			parts = append(parts, p)
		}
		return parts, named, true
	case *value.List:
		for i, e := range v.Elems {
			parts = append(parts, part{strconv.Itoa(i), e})
		}
		return parts, false, v.Open == nil
	case *value.Dict:
		if v.Open != nil {
			return nil, false, false
		}
		for i := range v.Len() {
			k, ok := value.AsStr(v.Key(i))
			if n, isInt := v.Key(i).(value.Int); isInt {
				k, ok = strconv.Itoa(int(n)), true
			}
			if !ok {
				return nil, false, false
			}
			parts = append(parts, part{k, v.At(i)})
		}
		return parts, true, true
	case *value.Instance:
		fields, found := v.Class.Lookup("__dataclass_fields__")
		d, isDict := fields.(*value.Dict)
		if !found || !isDict {
			return attributesOf(v)
		}
		for i := range d.Len() {
			if k, ok := value.AsStr(d.Key(i)); ok {
				if x, ok := v.Attrs.Get(k); ok {
					parts = append(parts, part{k, x})
				}
			}
		}
		return parts, true, true
	}
	return nil, false, false
}

// attributesOf lists the attributes of an object that hold tensors: those whose names do not begin with an
// underscore, or all where no such one does. A module's are its parameters, and no parts of a structure.
func attributesOf(v *value.Instance) (parts []part, named, ok bool) {
	if isModule(v) {
		return nil, false, false
	}
	private := []part{}
	for i := range v.Attrs.Len() {
		x, name := v.Attrs.At(i), v.Attrs.Name(i)
		switch {
		case !reachesTensor(x):
		case strings.HasPrefix(name, "_"):
			private = append(private, part{name, x})
		default:
			parts = append(parts, part{name, x})
		}
	}
	if len(parts) == 0 {
		parts = private
	}
	return parts, true, len(parts) > 0
}

func isModule(v *value.Instance) bool {
	_, module := v.Attrs.Get("_parameters")
	return module
}

// reachesTensor says whether a value is a tensor or a structure with one inside, at any depth.
func reachesTensor(v value.Value) bool {
	seen, todo := map[value.Value]bool{}, []value.Value{v}
	for len(todo) > 0 {
		v := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		switch v := v.(type) {
		case *value.Tensor:
			return true
		case *value.Instance:
			if isModule(v) {
				continue
			}
		case *value.Tuple, *value.List, *value.Dict, *value.Choice:
		default:
			continue
		}
		if seen[v] {
			continue
		}
		seen[v] = true
		for x := range value.PartsOf(v, value.Sequences|value.DictValues|value.OpenElems|value.Sides|value.Attributes) {
			todo = append(todo, x)
		}
	}
	return false
}
