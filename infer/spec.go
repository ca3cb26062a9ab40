package infer

// This file defines what an annotation says, in whatever notation it is written,
// and the reader's entry: annotations as syntax. annotvalue.go reads those that
// are values, such as an alias Image = Float[Tensor, "c h w"].
//
// It also reads the tensors among annotations, one function for each notation. Notations that are
// read: jaxtyping (Float[Tensor, "b c"]), torchtyping (TensorType["b", 3]), nptyping and the like
// by marks of the prelude's classes, Annotated[Tensor, "B T"], and Tensor[B, C]. Whatever is not
// understood gives nothing.

import (
	"slices"
	"strings"

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

// A spec is what an annotation says of a value. Its parts are set by kind: shape and dtypes for
// tensors, class for scalars, size for sizes, elems for the rest.
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

// says reports whether there is anything to check. A fault counts as something, so that it is
// reported.
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

// An annReader reads annotations in a scope. A reader serves one scope; depth and parts are of the
// annotation that is being read.
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

// readPart reads a part of an annotation, unless it lies too deep or there are too many. The
// reading costs steps of the run.
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

// read reads an annotation. The result is never nil.
func (r *annReader) read(e ast.Expr) *spec { return r.readPart(func() *spec { return r.expr(e) }) }

// expr reads an annotation by its form: None, a text, X | Y, brackets, a call or a name.
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

// quoted reads an annotation that is written as a string. A text that is no expression says
// nothing.
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

// union makes the spec of several alternatives. Unions in unions are flattened.
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

// elements gives the parts of a subscript. A single index is one part.
func elements(index ast.Expr) []ast.Expr {
	if t, ok := index.(*ast.Tuple); ok {
		return t.Elts
	}
	return []ast.Expr{index}
}

// subscript reads an annotation with brackets: that of jaxtyping or torchtyping, a tensor with axes, a size, a
// container, or a form of typing. What says nothing of shapes is nothing, never a fault: annotations are written for
// others, too. TensorType[3][float] adds up.
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
	// Marks are attributes of the prelude's classes.
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
	// A class of tensors or a container.
	if c, ok := base.(*value.Class); ok {
		if r.isTensor(c) {
			return r.tensorOf(elts)
		}
		return r.container(c, func(i int) *spec { return r.read(elts[i]) }, len(elts), len(elts) == 2 && isEllipsis(elts[1]))
	}
	// Forms of typing.
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

// container reads list[X], tuple[X, Y], dict[K, V] and the like. open says that the tuple has any
// length. elem reads the i-th part.
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
// ("bsize", 3)), by making them. Only functions and classes of the prelude are called.
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

// isEllipsis reports whether an expression is the literal.
func isEllipsis(e ast.Expr) bool {
	c, ok := e.(*ast.Constant)
	return ok && c.Kind == ast.EllipsisConst
}

// text gives a string literal, or the string that a name stands for. ok is false for what is no
// text.
func (r *annReader) text(e ast.Expr) (string, bool) {
	if v := r.literal(e); v != nil {
		return value.AsStr(v)
	}
	return "", false
}

// literal evaluates literals, tuples and lists of them, and names; nil for all else. They are not
// calls, so that reading an annotation has no effects.
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

// literals are a tuple of literals, nil if one is none.
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

// orNone is None for nil, as interfaces need a value.
func orNone(v value.Value) value.Value {
	if v == nil {
		return value.None
	}
	return v
}

// jaxtyping makes Float[array, text]. The array may be an annotation itself: its
// axes come last and its dtypes are met. A union distributes; a fault is an annotation that
// jaxtyping itself refuses.
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
	// The axes of the inner annotation come last.
	if array.kind == tensorSpec && array.shape != nil {
		if shape.Rest() >= 0 && array.shape.Rest() >= 0 {
			return &spec{kind: tensorSpec, fault: "only one of the axes can stand for several (*name or ...)"}
		}
		s.shape = &annot.Shape{Axes: append(shape.Axes[:len(shape.Axes):len(shape.Axes)], array.shape.Axes...)}
	}
	// A dtype must be in both.
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

// torchtyping adds the items of a subscript to TensorType. Items that are not understood are an
// axis of any size.
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

// torchPair adds "name": 4 or "name": ... . A pair with an ellipsis stands for several axes.
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

// torchItem adds one item: a size, a name, ..., a dtype or a layout. Classes float, int and bool
// are dtypes.
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
	// Texts are names or expressions.
	a, ok := r.axisOf(v)
	if !ok {
		a = annot.Axis{Kind: annot.Any}
	}
	return addAxis(s, a)
}

// addAxis gives a tensor one axis more. s itself is not changed.
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

// tensorOf reads Tensor[B, C, H // 2], Tensor[[B, C]] and Tensor["B", 3]. Items that are dtypes
// restrict the dtype.
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

// isText reports whether a value is a text.
func isText(v value.Value) bool {
	_, ok := v.(value.Str)
	return ok
}

// axisOperators are the operators of sizes in annotations.
var axisOperators = map[ast.BinOperator]string{ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.FloorDiv: "//", ast.Div: "/", ast.Mod: "%",
	ast.Pow: "**"}

// axis reads one axis that is written as an expression over type variables. ok is false for what is
// no size.
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
		// Names without a value are taken as names of sizes.
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

// axisOf reads one axis that is a value: 3, -1, "b", "h//2", a type variable. ok is false for what
// is no size.
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
// Annotated[Tensor, "B", 3]. Other metadata say nothing. What is of no such form leaves the
// annotation as it was.
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
