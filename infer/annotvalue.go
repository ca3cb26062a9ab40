package infer

// This file reads annotations that are values: what a name in an annotation
// stands for, and the objects that the stubs of jaxtyping, torchtyping and the
// others make (they carry the mark __shapecheck__).
//
// It also holds the natives that the stubs of annotation libraries call. A name in an annotation is
// looked up rather than evaluated: reading has no effects and does not fail. Objects are read by
// their attributes, which the stubs in the prelude set.

import (
	"strings"

	"shapecheck/infer/annot"
	"shapecheck/infer/value"
	"shapecheck/parser/ast"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// marker is the class attribute by which annotation objects are known. Its values are texts such as
// "jaxtyping array".
const marker = "__shapecheck__"

// mark gives the mark of a class, or of an object's class. It is empty for values without one.
func mark(v value.Value) string {
	c, ok := v.(*value.Class)
	if i, isInst := v.(*value.Instance); isInst {
		c, ok = i.Class, true
	}
	if !ok || c == nil {
		return ""
	}
	m, _ := c.Lookup(marker)
	s, _ := value.AsStr(orNone(m))
	return s
}

// formName names a special form of typing: "Union". It is empty for what is none.
func formName(v value.Value) string {
	i, ok := v.(*value.Instance)
	if !ok || i.Class.Name != "_SpecialForm" {
		return ""
	}
	n, _ := i.Attrs.Get("_name")
	s, _ := value.AsStr(orNone(n))
	return s
}

// value finds what a name or a path in an annotation stands for. ok is false for names that have no
// value at this time.
func (r *annReader) value(e ast.Expr) (value.Value, bool) {
	switch e := e.(type) {
	case *ast.Name:
		return r.lookup(e.ID)
	case *ast.Attribute:
		base, ok := r.value(e.Value)
		if !ok || value.IsUnknown(base) {
			return nil, false
		}
		v, err := r.an.host.quietly(func() (value.Value, error) {
			v, ok, err := r.an.host.LookupAttr(base, e.Attr.Name)
			if err != nil || !ok {
				return nil, err
			}
			return v, nil
		})
		return v, err == nil && v != nil
	}
	return nil, false
}

// evaluated gives the object that an annotation makes: what value finds, a constant, a union of objects, or a type with arguments. ok is
// false where a part is none of these, or not known.
func (r *annReader) evaluated(e ast.Expr) (v value.Value, ok bool) {
	switch e := e.(type) {
	case *ast.Constant:
		switch e.Kind {
		case ast.NoneConst:
			return value.None, true
		case ast.StrConst:
			return value.Str(e.Str), true
		case ast.EllipsisConst:
			return value.Ellipsis, true
		}
	case *ast.BinOp:
		a, first := r.evaluated(e.Left)
		b, second := r.evaluated(e.Right)
		if e.Op == ast.BitOr && first && second {
			return r.made(func() (value.Value, error) { return r.an.host.Binary(e.Op, a, b) })
		}
	case *ast.Subscript:
		of, first := r.evaluated(e.Value)
		arg, second := r.evaluated(e.Index)
		if first && second {
			return r.made(func() (value.Value, error) { return r.an.host.GetItem(of, arg) })
		}
	case *ast.Tuple:
		elems, ok := r.allEvaluated(e.Elts)
		return &value.Tuple{Elems: elems}, ok
	case *ast.List:
		elems, ok := r.allEvaluated(e.Elts)
		return r.an.heap.NewList(elems), ok
	default:
		v, ok = r.value(e)
		return v, ok && !value.IsUnknown(v)
	}
	return nil, false
}

// allEvaluated is evaluated for several annotations.
func (r *annReader) allEvaluated(list []ast.Expr) ([]value.Value, bool) {
	out := make([]value.Value, len(list))
	for i, e := range list {
		v, ok := r.evaluated(e)
		if !ok {
			return nil, false
		}
		out[i] = v
	}
	return out, true
}

// made is the value that an operation of annotations makes. What it reports does not count, as Python may never evaluate it.
func (r *annReader) made(f func() (value.Value, error)) (value.Value, bool) {
	v, err := r.an.host.quietly(f)
	return v, err == nil && v != nil && !value.IsUnknown(v)
}

// lookup finds a name: of the function, its class, its module, a builtin, or one
// that is imported for type checkers only. A name of a type parameter has no value.
func (r *annReader) lookup(name string) (value.Value, bool) {
	if r.params[name] {
		return nil, false
	}
	if r.frame != nil {
		if v := r.an.localNamed(r.frame, name); v != nil {
			return v, true
		}
	}
	if r.class != nil {
		if v, ok := r.class.Attrs.Get(name); ok {
			return v, true
		}
	}
	if r.module != nil {
		if v, ok := r.module.Attrs.Get(name); ok {
			return v, !value.IsUnknown(v)
		}
		if v, ok := r.an.typeCheckingImport(r.module, name); ok {
			return v, true
		}
	}
	v, ok := r.an.world.Builtins().Get(name)
	return v, ok
}

// localNamed gives the value of a variable of a frame, or nil. Variables that are shared with
// nested functions are in cells.
func (an *annotations) localNamed(f *frame, name string) value.Value {
	if f.ns != nil {
		v, _ := f.ns.Get(name)
		return v
	}
	if f.code == nil {
		return nil
	}
	for i, n := range f.code.scope.Locals {
		if n != name {
			continue
		}
		if f.cells != nil && f.cells[i] != nil {
			return f.cells[i].V
		}
		return f.V[i]
	}
	for i, fv := range f.code.scope.Free {
		if fv.Name == name && i < len(f.free) {
			return f.free[i].V
		}
	}
	return nil
}

// annotationModules are those whose names are looked up under TYPE_CHECKING. Other modules are not
// imported for it.
var annotationModules = map[string]bool{"jaxtyping": true, "torchtyping": true, "torch": true, "typing": true, "typing_extensions": true,
	"numpy":            true,
	"shape_extensions": true, "torch_shapes": true, "collections.abc": true}

// typeCheckingImport finds a name that a module imports under if TYPE_CHECKING. The module's tree
// is read again once, since such statements do not run.
func (an *annotations) typeCheckingImport(m *value.Module, name string) (value.Value, bool) {
	if m.File == nil || m.Prelude {
		return nil, false
	}
	names, ok := an.forCheckers[m]
	if !ok {
		names = map[string][2]string{}
		if u, err := an.finder.unit(m.File, false); err == nil {
			for _, s := range u.tree.Body {
				if s, ok := s.(*ast.If); ok && namesTypeChecking(s.Test) {
					collectImports(s.Body, names)
				}
			}
		}
		if an.forCheckers == nil {
			an.forCheckers = map[*value.Module]map[string][2]string{}
		}
		an.forCheckers[m] = names
	}
	from, ok := names[name]
	if !ok {
		return nil, false
	}
	v, err := an.host.quietly(func() (value.Value, error) {
		m, err := an.host.Import(from[0])
		if err != nil || from[1] == "" {
			return m, err
		}
		return an.host.GetAttr(m, from[1])
	})
	return v, err == nil && v != nil && !value.IsUnknown(v)
}

// namesTypeChecking recognises the condition under which imports are for type checkers alone. Both
// typing.TYPE_CHECKING and the bare name are known.
func namesTypeChecking(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Name:
		return e.ID == "TYPE_CHECKING"
	case *ast.Attribute:
		return e.Attr.Name == "TYPE_CHECKING"
	}
	return false
}

// collectImports notes which module and name each imported name stands for. names has module and
// name; the name is empty for a module.
func collectImports(body []ast.Stmt, names map[string][2]string) {
	for _, s := range body {
		switch s := s.(type) {
		case *ast.ImportFrom:
			if s.Level > 0 || !annotationModules[s.Module.Name] {
				continue
			}
			for _, a := range s.Names {
				as := a.AsName.Name
				if as == "" {
					as = a.Name.Name
				}
				names[as] = [2]string{s.Module.Name, a.Name.Name}
			}
		case *ast.Import:
			for _, a := range s.Names {
				if as := a.AsName.Name; annotationModules[a.Name.Name] && (as != "" || !strings.Contains(a.Name.Name, ".")) {
					if as == "" {
						as = a.Name.Name
					}
					names[as] = [2]string{a.Name.Name, ""}
				}
			}
		}
	}
}

// isTensor reports whether a class is a tensor's or an array's. jaxtyping's own array class counts.
func (r *annReader) isTensor(c *value.Class) bool {
	return c.Layout == value.TensorLayout || c.Module == "numpy" && c.Name == "ndarray" || c.Module == "jaxtyping" && c.Name == "Array"
}

// fromValue reads an annotation that is a value. It is bounded as read is.
func (r *annReader) fromValue(v value.Value) *spec {
	return r.readPart(func() *spec { return r.valueSpec(v) })
}

// valueSpec reads an annotation that is a value already, as that of an alias or of an argument of a generic type;
// nothing for a value that says nothing of shapes.
func (r *annReader) valueSpec(v value.Value) *spec {
	switch v := v.(type) {
	case value.NoneType:
		return &spec{kind: noneSpec}
	case value.Str:
		return r.quoted(string(v))
	case *value.Class:
		switch {
		case r.isTensor(v):
			return &spec{kind: tensorSpec}
		case mark(v) == "int class":
			return &spec{kind: scalarSpec, class: "int"}
		case v.Name == "NoneType":
			return &spec{kind: noneSpec}
		}
		switch v.Name {
		case "int", "float", "bool", "str":
			if v.Module == "builtins" || v.Module == "" {
				return &spec{kind: scalarSpec, class: v.Name}
			}
		}
	// Arguments of a generic class are annotations themselves.
	case *value.GenericAlias:
		elem := func(i int) *spec { return r.fromValue(v.Args[i]) }
		if c, ok := v.Origin.(*value.Class); ok {
			if c.Name == "UnionType" {
				parts := make([]*spec, len(v.Args))
				for i := range v.Args {
					parts[i] = elem(i)
				}
				return union(parts...)
			}
			return r.container(c, elem, len(v.Args), len(v.Args) == 2 && v.Args[1] == value.Ellipsis)
		}
		switch formName(v.Origin) {
		case "ClassVar", "Final", "Required", "NotRequired", "ReadOnly":
			if len(v.Args) == 1 {
				return elem(0)
			}
		case "Annotated":
			if len(v.Args) > 1 {
				return r.annotated(elem(0), v.Args[1:])
			}
		}
	case *value.Instance:
		return r.object(v)
	}
	return nothing
}

// object reads an object that a stub made. What is missing in it says nothing.
func (r *annReader) object(v *value.Instance) *spec {
	attr := func(name string) value.Value { x, _ := v.Attrs.Get(name); return orNone(x) }
	switch mark(v) {
	case "jaxtyping array":
		text, ok := value.AsStr(attr("dim_str"))
		if !ok {
			return nothing
		}
		return r.jaxtyping(r.fromValue(attr("array_type")), dtypesOf(attr("dtype")), text)
	case "torchtyping tensor":
		items, ok := attr("items").(*value.Tuple)
		if !ok {
			return nothing
		}
		s := &spec{kind: tensorSpec, dtypes: dtypesOf(attr("cls")), grows: true}
		if attr("scalar") == value.Bool(true) {
			s.shape = &annot.Shape{}
		}
		for _, x := range items.Elems {
			s = r.torchItem(s, x)
		}
		return s
	case "int of":
		if a, ok := r.axisOf(attr("size")); ok && a.Kind == annot.Size {
			return &spec{kind: sizeSpec, size: a.Expr}
		}
		return &spec{kind: scalarSpec, class: "int"}
	case "elichika scalar":
		name, _ := value.AsStr(attr("name"))
		return &spec{kind: scalarSpec, class: name}
	case "elichika tensor":
		s := &spec{kind: tensorSpec}
		s.class, _ = value.AsStr(attr("kind"))
		if d, ok := dtypeOf(attr("dtype")); ok {
			s.dtypes = []dtype.DType{d}
		}
		var shape *value.Tuple
		switch x := attr("shape").(type) {
		case *value.Tuple:
			shape = x
		case *value.List:
			shape = &value.Tuple{Elems: x.Elems}
		}
		if shape != nil {
			s.shape = &annot.Shape{}
			for _, x := range shape.Elems {
				a, ok := r.axisOf(x)
				if !ok {
					a = annot.Axis{Kind: annot.Any}
				}
				s.shape.Axes = append(s.shape.Axes, a)
			}
		} else if n, ok := value.AsInt(attr("ndim")); ok && n >= 0 && n < annot.MaxAxes {
			s.shape = &annot.Shape{}
			for range n {
				s.shape.Axes = append(s.shape.Axes, annot.Axis{Kind: annot.Any})
			}
		}
		return s
	}
	return nothing
}

// dtypesOf gives the dtypes of a dtype class (Float32, FloatTensorType); nil: any. An empty list
// means none.
func dtypesOf(v value.Value) []dtype.DType {
	c, ok := v.(*value.Class)
	if !ok {
		return nil
	}
	x, _ := c.Lookup("dtypes")
	var elems []value.Value
	switch x := x.(type) {
	case *value.List:
		elems = x.Elems
	case *value.Tuple:
		elems = x.Elems
	case value.Str:
		elems = []value.Value{x}
	default:
		return nil
	}
	out := []dtype.DType{}
	for _, e := range elems {
		s, ok := value.AsStr(e)
		// Patterns of dtypes are not read.
		if !ok {
			return nil // a pattern
		}
		if d, ok := dtype.Parse(s); ok {
			out = append(out, d)
		}
	}
	return out
}

// dtypeOf gives the dtype that an object of torch or numpy stands for. NumPy's classes have dtypes
// by name.
func dtypeOf(v value.Value) (dtype.DType, bool) {
	switch v := v.(type) {
	case value.DType:
		return v.D, true
	case value.Str:
		return dtype.Parse(string(v))
	case *value.Class:
		if v.Module == "numpy" {
			return dtype.Parse(strings.TrimSuffix(v.Name, "_"))
		}
	}
	return 0, false
}

// annotationNatives defines isinstance of annotation objects.
func (na *natives) annotationNatives(def func(name string, fn value.NativeFunc)) {
	// isinstance(x, Float[Tensor, "b c"])
	def("matches_annotation", func(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
		if len(args) != 2 {
			return value.Bool(false), nil
		}
		if value.IsUnknown(args[0]) {
			return args[0], nil
		}
		// The frame is that of the program.
		f := na.in.stack.frame
		for f != nil && f.prelude {
			f = f.caller
		}
		if f == nil {
			return na.in.DataBool(nil), nil
		}
		r := &annReader{an: &na.in.annotations, module: f.globals}
		switch answer, _ := na.in.annotations.fits(f, r.fromValue(args[1]), args[0]); answer {
		case symshape.Yes:
			return value.Bool(true), nil
		case symshape.No:
			return value.Bool(false), nil
		}
		return na.in.DataBool(nil), nil
	})
}
