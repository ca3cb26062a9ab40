package infer

// This file defines what an annotation says, in whatever notation it is written,
// and the reader's entry: annotations as syntax. annotvalue.go reads those that
// are values, such as an alias Image = Float[Tensor, "c h w"].

import (
	"shapecheck/infer/annot"
	"shapecheck/infer/value"
	"shapecheck/internal/source"
	"shapecheck/parser"
	"shapecheck/parser/ast"
	"shapecheck/symshape/dtype"
)

// A specKind says what kind of value an annotation describes.
type specKind uint8

const (
	anySpec    specKind = iota // nothing is said, or nothing that is understood
	tensorSpec                 // a tensor or array
	noneSpec
	scalarSpec // int, float, bool or str
	sizeSpec   // an int that is a size: Int[N]
	unionSpec
	tupleSpec
	listSpec // list, Sequence, Iterable, tuple[X, ...]
	dictSpec
)

// A spec is what an annotation says of a value.
type spec struct {
	kind specKind
	at   source.Span
	// text is the annotation as it is written.
	text string
	// class is the name of a scalar's class, or of a tensor's where the annotation says it (numpy.ndarray, chainer.Variable,
	// torch.Tensor); empty: any.
	class string
	// dtypes are those a tensor may have; nil: any.
	dtypes []dtype.DType
	// shape is a tensor's; nil: any.
	shape *annot.Shape
	// size is what an int is.
	size annot.Expr
	// elems are the alternatives, the elements, or the one element of a list.
	elems []*spec
	// fault says what is wrong with the annotation itself.
	fault string
	// grows is set while further subscripts may add to a tensor: TensorType[3][float].
	grows bool
}

// says reports whether there is anything to check.
func (s *spec) says() bool {
	if s == nil {
		return false
	}
	if s.fault != "" {
		return true
	}
	switch s.kind {
	case tensorSpec:
		return s.shape != nil || s.dtypes != nil
	case sizeSpec:
		return true
	case unionSpec, tupleSpec, listSpec, dictSpec:
		for _, e := range s.elems {
			if e.says() {
				return true
			}
		}
	}
	return false
}

var nothing = &spec{}

// An annReader reads annotations in a scope.
type annReader struct {
	an     *annotations
	module *value.Module
	// class is the class in whose body the function stands, or nil.
	class *value.Class
	// frame is the activation whose variables count, or nil.
	frame *frame
	// params are the names of type parameters.
	params map[string]bool
	depth  int
	parts  int // of the annotation that is read
}

// Bounds of annotations: types may share parts, which are read as often as they occur.
const (
	maxAnnotation      = 24 // nesting
	maxAnnotationParts = 1 << 12
)

// readPart reads a part of an annotation, unless it lies too deep or there are too many.
func (r *annReader) readPart(read func() *spec) *spec {
	if r.depth == 0 {
		r.parts = 0
	}
	r.parts++
	if r.depth == maxAnnotation || r.parts > maxAnnotationParts || r.an.host.Step(1) != nil {
		return nothing
	}
	r.depth++
	defer func() { r.depth-- }()
	return read()
}

// read reads an annotation.
func (r *annReader) read(e ast.Expr) *spec { return r.readPart(func() *spec { return r.expr(e) }) }

func (r *annReader) expr(e ast.Expr) *spec {
	switch e := e.(type) {
	case *ast.Constant:
		switch e.Kind {
		case ast.NoneConst:
			return &spec{kind: noneSpec}
		case ast.StrConst:
			return r.quoted(e.Str)
		}
	case *ast.BinOp:
		if e.Op == ast.BitOr {
			return union(r.read(e.Left), r.read(e.Right))
		}
	case *ast.Subscript:
		return r.subscript(e)
	case *ast.Call:
		return r.call(e)
	case *ast.Name, *ast.Attribute:
		if v, ok := r.value(e); ok {
			return r.fromValue(v)
		}
	}
	return nothing
}

// quoted reads an annotation that is written as a string.
func (r *annReader) quoted(text string) *spec {
	file := source.NewFile("<annotation>", text)
	tree, diags := parser.ParseExpr(file)
	if len(diags) > 0 || len(tree.Body) != 1 {
		return nothing
	}
	if s, ok := tree.Body[0].(*ast.ExprStmt); ok {
		return r.read(s.Value)
	}
	return nothing
}

// union makes the spec of several alternatives.
func union(list ...*spec) *spec {
	out := &spec{kind: unionSpec}
	for _, s := range list {
		if s.kind == unionSpec {
			out.elems = append(out.elems, s.elems...)
			continue
		}
		out.elems = append(out.elems, s)
	}
	return out
}

// elements gives the parts of a subscript.
func elements(index ast.Expr) []ast.Expr {
	if t, ok := index.(*ast.Tuple); ok {
		return t.Elts
	}
	return []ast.Expr{index}
}

// subscript reads an annotation with brackets: that of jaxtyping or torchtyping, a tensor with axes, a size, a
// container, or a form of typing. What says nothing of shapes is nothing, never a fault: annotations are written for
// others, too.
func (r *annReader) subscript(e *ast.Subscript) *spec {
	if _, nested := e.Value.(*ast.Subscript); nested {
		if s := r.read(e.Value); s.grows {
			return r.torchtyping(s, elements(e.Index))
		}
		return nothing
	}
	base, ok := r.value(e.Value)
	if !ok {
		return nothing
	}
	elts := elements(e.Index)
	switch mark(base) {
	case "jaxtyping":
		if len(elts) != 2 {
			return nothing
		}
		text, ok := r.text(elts[1])
		if !ok {
			return nothing
		}
		return r.jaxtyping(r.read(elts[0]), dtypesOf(base), text)
	case "torchtyping":
		s := &spec{kind: tensorSpec, dtypes: dtypesOf(base), grows: true}
		return r.torchtyping(s, elts)
	case "torchtyping tensor":
		if s := r.fromValue(base); s.grows {
			return r.torchtyping(s, elts)
		}
		return nothing
	case "int class":
		a, ok := r.axis(elts[0])
		if !ok || a.Kind != annot.Size {
			return &spec{kind: scalarSpec, class: "int"}
		}
		return &spec{kind: sizeSpec, size: a.Expr}
	}
	if c, ok := base.(*value.Class); ok {
		if r.isTensor(c) {
			return r.tensorOf(elts)
		}
		return r.container(c, func(i int) *spec { return r.read(elts[i]) }, len(elts), len(elts) == 2 && isEllipsis(elts[1]))
	}
	switch formName(base) {
	case "Union":
		parts := make([]*spec, len(elts))
		for i, x := range elts {
			parts[i] = r.read(x)
		}
		return union(parts...)
	case "Optional":
		return union(r.read(elts[0]), &spec{kind: noneSpec})
	case "ClassVar", "Final", "Required", "NotRequired", "ReadOnly":
		return r.read(elts[0])
	case "Annotated":
		meta := make([]value.Value, 0, len(elts))
		for _, x := range elts[1:] {
			meta = append(meta, r.literal(x))
		}
		return r.annotated(r.read(elts[0]), meta)
	}
	return nothing
}

// container reads list[X], tuple[X, Y], dict[K, V] and the like.
func (r *annReader) container(c *value.Class, elem func(i int) *spec, n int, open bool) *spec {
	switch c.Name {
	case "tuple":
		if open {
			return &spec{kind: listSpec, elems: []*spec{elem(0)}}
		}
		s := &spec{kind: tupleSpec}
		for i := range n {
			s.elems = append(s.elems, elem(i))
		}
		return s
	case "list", "Sequence", "Iterable", "Collection", "MutableSequence", "set", "frozenset", "Iterator":
		if n == 1 {
			return &spec{kind: listSpec, elems: []*spec{elem(0)}}
		}
	case "dict", "Mapping", "MutableMapping", "OrderedDict", "defaultdict":
		if n == 2 {
			return &spec{kind: dictSpec, elems: []*spec{elem(1)}}
		}
	}
	return nothing
}

// call reads the annotations that are made by calls, TyTorchTensor(np.float32,
// ("bsize", 3)), by making them.
func (r *annReader) call(e *ast.Call) *spec {
	fn, ok := r.value(e.Func)
	if !ok || len(e.Args) > 3 {
		return nothing
	}
	switch f := fn.(type) {
	case *value.Func:
		if f.Module == nil || !f.Module.Prelude {
			return nothing // the user's code may do anything
		}
	case *value.Class:
		if mark(f) == "" {
			return nothing
		}
	default:
		return nothing
	}
	var args []value.Value
	for _, a := range e.Args {
		args = append(args, r.literal(a))
	}
	var kw []value.Kw
	for _, k := range e.Keywords {
		kw = append(kw, value.Kw{Name: k.Name.Name, Value: r.literal(k.Value)})
	}
	v, err := r.an.host.quietly(func() (value.Value, error) { return r.an.host.Call(fn, args, kw) })
	if err != nil || v == nil {
		return nothing
	}
	return r.fromValue(v)
}

func isEllipsis(e ast.Expr) bool {
	c, ok := e.(*ast.Constant)
	return ok && c.Kind == ast.EllipsisConst
}

// text gives a string literal, or the string that a name stands for.
func (r *annReader) text(e ast.Expr) (string, bool) {
	if v := r.literal(e); v != nil {
		return value.AsStr(v)
	}
	return "", false
}

// literal evaluates literals, tuples and lists of them, and names; nil for all else.
func (r *annReader) literal(e ast.Expr) value.Value {
	switch e := e.(type) {
	case *ast.Constant:
		switch e.Kind {
		case ast.StrConst:
			return value.Str(e.Str)
		case ast.IntConst:
			return value.Int(e.Int)
		case ast.EllipsisConst:
			return value.Ellipsis
		case ast.NoneConst:
			return value.None
		}
	case *ast.UnaryOp:
		if n, ok := value.AsInt(orNone(r.literal(e.Operand))); ok && e.Op == ast.USub {
			return value.Int(-n)
		}
	case *ast.Tuple:
		return r.literals(e.Elts)
	case *ast.List:
		return r.literals(e.Elts)
	case *ast.Name, *ast.Attribute:
		if v, ok := r.value(e); ok {
			return v
		}
	}
	return nil
}

func (r *annReader) literals(list []ast.Expr) value.Value {
	out := &value.Tuple{}
	for _, e := range list {
		v := r.literal(e)
		if v == nil {
			return nil
		}
		out.Elems = append(out.Elems, v)
	}
	return out
}

func orNone(v value.Value) value.Value {
	if v == nil {
		return value.None
	}
	return v
}
