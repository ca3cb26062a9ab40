package infer

// This file makes the arguments of an entry from its annotations: each takes the
// place of an --arg. A name that is used twice is one size in both.

import (
	"slices"

	"shapecheck/infer/annot"
	"shapecheck/infer/graph"
	"shapecheck/infer/value"
	"shapecheck/parser/ast"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// annotatedArgs makes the arguments that are neither given nor have a default. An
// annotation that does not say enough (a union, a list) makes none. target is what is called, skip
// how many leading parameters are given by position or are self. Nothing is made for functions of
// the libraries. The results are given by name.
func (ar *arguments) annotatedArgs(target value.Value, fn *value.Func, skip int, given []value.Kw) []value.Kw {
	if fn == nil || fn.Module == nil || fn.Module.Prelude {
		return nil
	}
	sig := ar.annotations.signatureOf(fn)
	if sig == nil {
		return nil
	}
	f := &frame{names: ar.heap.NewAttrs(), globals: fn.Module}
	self := ar.annotations.selfOf(target)
	ar.annotations.instanceSizes(f, fn, self)
	p := fn.Params
	params := append(append(append([]*ast.Param(nil), p.PosOnly...), p.Args...), p.KwOnly...)
	byName := map[string]value.Value{}
	for _, g := range given {
		byName[g.Name] = g.Value
	}
	for i, x := range params { // what is given says what the names are
		if v := byName[x.Name]; v != nil && i >= skip && sig.params[i].says() {
			ar.annotations.fits(f, sig.params[i], v)
		}
	}
	// The defaults belong to the last of the positional parameters; those by name have one each, or
	// nil.
	required := func(i int) bool {
		if i < len(p.PosOnly)+len(p.Args) {
			return i < len(p.PosOnly)+len(p.Args)-len(fn.Defaults)
		}
		k := i - len(p.PosOnly) - len(p.Args)
		return k >= len(fn.KwDefaults) || fn.KwDefaults[k] == nil
	}
	var out []value.Kw
	for i, x := range params {
		if i < skip || byName[x.Name] != nil || !required(i) {
			continue
		}
		b := argBuilder{ar: ar, frame: f, self: self, name: x.Name}
		if v := b.make(sig.params[i]); v != nil {
			out = append(out, value.Kw{Name: x.Name, Value: v})
		}
	}
	return out
}

// selfOf is the object whose method is called, or nil.
func (an *annotations) selfOf(target value.Value) value.Value {
	switch t := target.(type) {
	case *value.BoundMethod:
		return t.Self
	case *value.Instance:
		return t
	}
	return nil
}

// An argBuilder makes the value of one parameter. It is for one call: the frame has the sizes that
// the names stand for.
type argBuilder struct {
	ar    *arguments
	frame *frame
	self  value.Value
	name  string
}

// make makes a value of a spec; nil when it does not say enough. A tuple needs a
// value for each element, a tensor a shape, and a size is a number.
func (b *argBuilder) make(s *spec) value.Value {
	switch s.kind {
	case noneSpec:
		return value.None
	case scalarSpec:
		return b.ar.scalarOf(s.class, b.name)
	case sizeSpec:
		if d, ok := b.dim(s.size); ok {
			return value.FromDim(d)
		}
	case tupleSpec:
		t := &value.Tuple{}
		for _, e := range s.elems {
			v := b.make(e)
			if v == nil {
				return nil
			}
			t.Elems = append(t.Elems, v)
		}
		return t
	case unionSpec:
		return b.union(s)
	case tensorSpec:
		if s.shape != nil {
			return b.tensor(s)
		}
	}
	return nil
}

// union makes a value of alternatives that differ in dtype only. The shapes have to be equal as
// they are written. A tensor of any dtype among them makes the dtype of the value unknown.
func (b *argBuilder) union(s *spec) value.Value {
	all := &spec{kind: tensorSpec}
	for i, e := range s.elems {
		if e.kind != tensorSpec || e.shape == nil || i > 0 && e.shape.String() != all.shape.String() {
			return nil
		}
		all.shape = e.shape
		if i == 0 {
			all.dtypes = slices.Clone(e.dtypes)
		} else if e.dtypes == nil || all.dtypes == nil {
			all.dtypes = nil
		} else {
			all.dtypes = append(all.dtypes, e.dtypes...)
		}
	}
	return b.tensor(all)
}

// tensor makes a tensor. Of several dtypes it has the usual one of their kind:
// the default dtype for floats, i64 for ints; of several kinds, an unknown one. It is nil where a
// size of it has no value, or a negative one.
func (b *argBuilder) tensor(s *spec) value.Value {
	ar := b.ar
	t := graph.TensorType{Ranked: true, Shape: symshape.Shape{}, DType: usualDType(s.dtypes, defaultDType(ar.host))}
	if s.dtypes != nil && len(s.dtypes) == 0 {
		return nil // of a library's own dtypes
	}
	// The axes of a rest with a name are those that the name stands for already; otherwise the rank
	// is open.
	rest := s.shape.Rest()
	var before symshape.Shape
	bound := false
	if rest >= 0 {
		if name := s.shape.Axes[rest].Name; name != "" {
			before, bound = ar.annotations.restOf(b.frame, name)
		}
	}
	for _, a := range s.shape.Axes {
		switch {
		case a.Kind == annot.Rest && bound:
			t.Shape = append(t.Shape, before...)
		case a.Kind == annot.Rest: // so many, as f32[*,3]
			t.Ranked, t.Shape = false, symshape.Shape{}
		// An axis without a name has a new size of its own.
		case a.Kind == annot.Any:
			t.Shape = append(t.Shape, symshape.MakeDim(ar.pool.FreshIn(b.name, 1, symshape.PosInf)))
		default:
			d, ok := b.dim(a.Expr)
			if !ok {
				return nil
			}
			if n, ok := d.Expr.Const(); ok && n < 0 {
				return nil
			}
			if a.As != "" {
				ar.annotations.bindName(b.frame, a.As, boundName{dim: d, by: byAnnotation, rank: -1})
			}
			t.Shape = append(t.Shape, d)
		}
	}
	v := ar.build.NewValue(graph.TensorKind, t, ar.host.Here())
	v.Name = b.name
	return &value.Tensor{Header: ar.heap.Header(), Class: b.classOf(s), V: v}
}

// classOf is the class of a tensor: the one that its annotation names, else that of all arguments.
func (b *argBuilder) classOf(s *spec) *value.Class {
	switch s.class {
	case "":
		return b.ar.variables.argClass()
	case "torch.Tensor":
		return nil
	}
	return b.ar.host.Class(s.class)
}

// dim makes a size: a name that nobody gave a size is a symbol. self.x.y is read from the object of
// the method. ok is false where that is no integer.
func (b *argBuilder) dim(e annot.Expr) (symshape.Dim, bool) {
	ar := b.ar
	d, ok := e.Dim(ar.pool, func(name string, path bool) (symshape.Dim, bool) {
		if path {
			return ar.annotations.pathFrom(b.self, name)
		}
		if n, ok := ar.annotations.nameOf(b.frame, name); ok {
			return n.dim, true
		}
		return symshape.MakeDim(ar.pool.Symbol(name)), true
	}, false)
	if !ok || d.Expr == nil {
		return symshape.Dim{}, false
	}
	return ar.exampleDim(d), true
}

// pathFrom gives the integer that self.a.b leads to. ok is false without an object and where an
// attribute is not there.
func (an *annotations) pathFrom(self value.Value, path string) (symshape.Dim, bool) {
	if self == nil {
		return symshape.Dim{}, false
	}
	attrs := an.heap.NewAttrs()
	attrs.Set(&an.heap, "self", self)
	return an.pathDim(&frame{ns: attrs}, path)
}

// usualDType is the dtype that stands for several. float is the default dtype. Floats beside ints
// give an unknown one, and unsigned ints of several widths u8.
func usualDType(list []dtype.DType, float dtype.DType) dtype.DType {
	if len(list) == 0 {
		return dtype.Unknown
	}
	if len(list) == 1 {
		return list[0]
	}
	kinds := map[dtype.Kind]bool{}
	signed := false
	for _, d := range list {
		kinds[d.Kind()] = true
		signed = signed || d.IsSigned()
	}
	switch {
	case kinds[dtype.KindFloat] && !kinds[dtype.KindInt] && !kinds[dtype.KindBool]:
		return float
	case len(kinds) == 1 && kinds[dtype.KindInt] && signed:
		return dtype.I64
	case len(kinds) == 1 && kinds[dtype.KindInt]:
		return dtype.U8
	case len(kinds) == 1 && kinds[dtype.KindComplex]:
		return float.Complex()
	}
	return dtype.Unknown
}
