package infer

// This file reads the tensors among annotations, one function for each notation.

import (
	"slices"
	"strings"

	"shapecheck/infer/annot"
	"shapecheck/infer/value"
	"shapecheck/parser/ast"
	"shapecheck/symshape/dtype"
)

// jaxtyping makes Float[array, text]. The array may be an annotation itself: its
// axes come last and its dtypes are met.
func (r *annReader) jaxtyping(array *spec, dtypes []dtype.DType, text string) *spec {
	if array.kind == unionSpec {
		var parts []*spec
		for _, a := range array.elems {
			if a.kind == scalarSpec || a.kind == noneSpec { // a scalar has no axes
				if s, err := annot.Jaxtyping(text); err == nil && (len(s.Axes) == 0 || len(s.Axes) == 1 && s.Rest() == 0) {
					parts = append(parts, a)
				}
				continue
			}
			parts = append(parts, r.jaxtyping(a, dtypes, text))
		}
		if len(parts) == 1 {
			return parts[0]
		}
		return union(parts...)
	}
	shape, err := annot.Jaxtyping(text)
	if err != nil {
		return &spec{kind: tensorSpec, fault: err.Error()}
	}
	s := &spec{kind: tensorSpec, dtypes: dtypes, shape: &shape}
	if array.kind == tensorSpec && array.shape != nil {
		if shape.Rest() >= 0 && array.shape.Rest() >= 0 {
			return &spec{kind: tensorSpec, fault: "only one of the axes can stand for several (*name or ...)"}
		}
		s.shape = &annot.Shape{Axes: append(shape.Axes[:len(shape.Axes):len(shape.Axes)], array.shape.Axes...)}
	}
	if array.kind == tensorSpec && array.dtypes != nil {
		s.dtypes = array.dtypes
		if dtypes != nil {
			s.dtypes = []dtype.DType{}
			for _, d := range array.dtypes {
				if slices.Contains(dtypes, d) {
					s.dtypes = append(s.dtypes, d)
				}
			}
			if len(s.dtypes) == 0 {
				return &spec{kind: tensorSpec, fault: "no dtype is both of the inner and of the outer annotation"}
			}
		}
	}
	if array.kind == scalarSpec {
		return array
	}
	return s
}

// torchtyping adds the items of a subscript to TensorType.
func (r *annReader) torchtyping(s *spec, items []ast.Expr) *spec {
	if len(items) == 0 { // TensorType[()]
		out := *s
		out.shape = &annot.Shape{}
		return &out
	}
	for _, e := range items {
		if sl, ok := e.(*ast.Slice); ok && sl.Lower != nil && sl.Upper != nil && sl.Step == nil {
			s = r.torchPair(s, r.literal(sl.Lower), r.literal(sl.Upper))
			continue
		}
		v := r.literal(e)
		if v == nil {
			if n, ok := e.(*ast.Name); ok && r.params[n.ID] {
				s = addAxis(s, annot.Axis{Expr: annot.Named(n.ID)})
				continue
			}
			s = addAxis(s, annot.Axis{Kind: annot.Any})
			continue
		}
		s = r.torchItem(s, v)
	}
	return s
}

// torchPair adds "name": 4 or "name": ... .
func (r *annReader) torchPair(s *spec, name, size value.Value) *spec {
	n, isName := value.AsStr(orNone(name))
	if size == value.Ellipsis {
		return addAxis(s, annot.Axis{Kind: annot.Rest, Name: n})
	}
	k, ok := value.AsInt(orNone(size))
	switch {
	case ok && k >= 0:
		a := annot.Axis{Expr: annot.Number(k)}
		if isName && annot.IsName(n) {
			a.As = n
		}
		return addAxis(s, a)
	case isName && annot.IsName(n):
		return addAxis(s, annot.Axis{Expr: annot.Named(n)})
	}
	return addAxis(s, annot.Axis{Kind: annot.Any})
}

// torchItem adds one item: a size, a name, ..., a dtype or a layout.
func (r *annReader) torchItem(s *spec, v value.Value) *spec {
	out := *s
	switch v := v.(type) {
	case value.Constant: // a layout
		return s
	case *value.Slice:
		return r.torchPair(s, v.Start, v.Stop)
	case *value.Tuple:
		if len(v.Elems) == 0 && s.shape == nil {
			out.shape = &annot.Shape{}
			return &out
		}
		return s
	case *value.Class:
		if v.Module == "builtins" || v.Module == "" {
			switch v.Name {
			case "float":
				out.dtypes = []dtype.DType{defaultDType(r.an.host)}
				return &out
			case "int":
				out.dtypes = []dtype.DType{dtype.I64}
				return &out
			case "bool":
				out.dtypes = []dtype.DType{dtype.Bool}
				return &out
			}
		}
		return s
	case value.DType:
		out.dtypes = []dtype.DType{v.D}
		return &out
	}
	if v == value.Ellipsis {
		return addAxis(s, annot.Axis{Kind: annot.Rest})
	}
	a, ok := r.axisOf(v)
	if !ok {
		a = annot.Axis{Kind: annot.Any}
	}
	return addAxis(s, a)
}

// addAxis gives a tensor one axis more.
func addAxis(s *spec, a annot.Axis) *spec {
	out := *s
	shape := annot.Shape{}
	if s.shape != nil {
		shape.Axes = s.shape.Axes[:len(s.shape.Axes):len(s.shape.Axes)]
	}
	if a.Kind == annot.Rest && shape.Rest() >= 0 { // allowed there; nothing is known of how they divide
		a = annot.Axis{Kind: annot.Rest}
		shape.Axes = nil
	}
	shape.Axes = append(shape.Axes, a)
	out.shape = &shape
	return &out
}

// tensorOf reads Tensor[B, C, H // 2], Tensor[[B, C]] and Tensor["B", 3].
func (r *annReader) tensorOf(elts []ast.Expr) *spec {
	if len(elts) > 0 {
		if l, ok := elts[0].(*ast.List); ok {
			elts = l.Elts
		}
	}
	if len(elts) == 1 {
		if text, ok := r.text(elts[0]); ok {
			if shape, ok := annot.Words(text); ok {
				return &spec{kind: tensorSpec, shape: &shape}
			}
			return &spec{kind: tensorSpec}
		}
	}
	s := &spec{kind: tensorSpec, shape: &annot.Shape{}}
	for _, e := range elts {
		if v := r.literal(e); v != nil {
			if d, ok := dtypeOf(v); ok && !isText(v) {
				s.dtypes = []dtype.DType{d}
				continue
			}
		}
		a, ok := r.axis(e)
		if !ok {
			a = annot.Axis{Kind: annot.Any}
		}
		s = addAxis(s, a)
	}
	return s
}

func isText(v value.Value) bool {
	_, ok := v.(value.Str)
	return ok
}

// axisOperators are the operators of sizes in annotations.
var axisOperators = map[ast.BinOperator]string{ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.FloorDiv: "//", ast.Div: "/", ast.Mod: "%",
	ast.Pow: "**"}

// axis reads one axis that is written as an expression over type variables.
func (r *annReader) axis(e ast.Expr) (annot.Axis, bool) {
	switch e := e.(type) {
	case *ast.Starred:
		if n, ok := e.Value.(*ast.Name); ok {
			return annot.Axis{Kind: annot.Rest, Name: n.ID}, true
		}
		return annot.Axis{Kind: annot.Rest}, true
	case *ast.Subscript: // Unpack[Bs]
		if n, ok := e.Index.(*ast.Name); ok {
			if b, ok := e.Value.(*ast.Name); ok && b.ID == "Unpack" {
				return annot.Axis{Kind: annot.Rest, Name: n.ID}, true
			}
		}
		return annot.Axis{}, false
	case *ast.BinOp:
		op, ok := axisOperators[e.Op]
		if !ok {
			return annot.Axis{}, false
		}
		a, ok := r.axis(e.Left)
		b, ok2 := r.axis(e.Right)
		if !ok || !ok2 || a.Kind != annot.Size || b.Kind != annot.Size {
			return annot.Axis{}, false
		}
		return annot.Axis{Expr: annot.Binary(op, a.Expr, b.Expr)}, true
	case *ast.Name:
		v, ok := r.lookup(e.ID)
		if !ok { // a type parameter, or a name that exists for type checkers only
			return annot.Axis{Expr: annot.Named(e.ID)}, true
		}
		return r.axisOf(v)
	}
	if v := r.literal(e); v != nil {
		return r.axisOf(v)
	}
	return annot.Axis{}, false
}

// axisOf reads one axis that is a value: 3, -1, "b", "h//2", a type variable.
func (r *annReader) axisOf(v value.Value) (annot.Axis, bool) {
	switch v := v.(type) {
	case value.Int:
		if v < 0 {
			return annot.Axis{Kind: annot.Any}, v == -1
		}
		return annot.Axis{Expr: annot.Number(int64(v))}, true
	case value.Str:
		text := strings.TrimSpace(string(v))
		switch text {
		case "...":
			return annot.Axis{Kind: annot.Rest}, true
		case "_", "?", "-1":
			return annot.Axis{Kind: annot.Any}, true
		}
		if rest, ok := strings.CutPrefix(text, "*"); ok && annot.IsName(rest) {
			return annot.Axis{Kind: annot.Rest, Name: rest}, true
		}
		e, err := annot.ParseExpr(text, false)
		return annot.Axis{Expr: e}, err == nil
	case value.NoneType:
		return annot.Axis{Kind: annot.Any}, true
	case *value.Instance:
		switch name := v.Class.Name; {
		case mark(v) == "size variable", name == "TypeVar" && v.Class.Module == "typing":
			n, _ := v.Attrs.Get("__name__")
			s, ok := value.AsStr(orNone(n))
			return annot.Axis{Expr: annot.Named(s)}, ok && annot.IsName(s)
		case mark(v) == "sizes variable", name == "TypeVarTuple":
			n, _ := v.Attrs.Get("__name__")
			s, _ := value.AsStr(orNone(n))
			return annot.Axis{Kind: annot.Rest, Name: s}, true
		}
	}
	if v == value.Ellipsis {
		return annot.Axis{Kind: annot.Rest}, true
	}
	return annot.Axis{}, false
}

// annotated reads Annotated[Tensor, "B T D"], Annotated[Tensor, ("B", 3)] and
// Annotated[Tensor, "B", 3]. Other metadata say nothing.
func (r *annReader) annotated(of *spec, meta []value.Value) *spec {
	if of.kind != tensorSpec || of.shape != nil || len(meta) == 0 || meta[0] == nil {
		return of
	}
	out := *of
	list := func(elems []value.Value) bool {
		shape := annot.Shape{}
		for _, x := range elems {
			a, ok := r.axisOf(orNone(x))
			if !ok || x == value.None || a.Kind == annot.Rest && shape.Rest() >= 0 {
				return false
			}
			shape.Axes = append(shape.Axes, a)
		}
		out.shape = &shape
		return true
	}
	switch m := meta[0].(type) {
	case *value.Tuple:
		if list(m.Elems) {
			return &out
		}
	case *value.List:
		if m.Open == nil && list(m.Elems) {
			return &out
		}
	case value.Int:
		if list(meta) {
			return &out
		}
	case value.Str:
		if len(meta) > 1 && list(meta) {
			return &out
		}
		if shape, ok := annot.Words(string(m)); ok {
			out.shape = &shape
			return &out
		}
	}
	return of
}
