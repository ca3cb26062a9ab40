package infer

// This file checks annotations where values meet them: the parameters of a
// function that is called, what it returns, and annotated assignments.
//
// It also holds attributes against the annotations in the body of their class:
// W: Float[Tensor, "d k"]. Names of sizes are those of the function that assigns.
//
// It also makes the __annotations__ of functions. What is compared, and what names of axes mean
// during a call, is in match files (match, commit); this file walks the values along the
// annotations. An annotation that says nothing of shapes or types is passed by silently. A finding
// is an error where a value surely does not fit, and an info where that is not decided.

import (
	"fmt"
	"slices"
	"strings"

	"shapecheck/infer/annot"
	"shapecheck/infer/graph"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/internal/source"
	"shapecheck/parser/ast"
	"shapecheck/symshape"
)

// A signature is what a function's annotations say; nil parts say nothing. There is one for each
// definition, read at the first call.
type signature struct {
	params []*spec // by parameter slot
	ret    *spec
	// names are the type parameters.
	names map[string]bool
}

// signatureOf reads a function's annotations; nil when they say nothing. The result is kept also
// where it is nil.
func (an *annotations) signatureOf(fn *value.Func) *signature {
	def, ok := fn.Node.(*ast.FunctionDef)
	if !ok {
		return nil
	}
	if s, ok := an.signatures[def]; ok {
		return s
	}
	if an.signatures == nil {
		an.signatures = map[*ast.FunctionDef]*signature{}
	}
	// A default or decorator of the function may call it.
	an.signatures[def] = nil // also while it is being read
	p := def.Params
	list := append(append(append([]*ast.Param(nil), p.PosOnly...), p.Args...), p.KwOnly...)
	annotated := def.Returns != nil
	for _, x := range list {
		annotated = annotated || x.Annotation != nil
	}
	if !annotated {
		return nil
	}
	s := &signature{names: typeParamNames(def.TypeParams)}
	r := &annReader{an: an, module: fn.Module, class: fn.Class, params: s.names}
	// Names of the class's type parameters are sizes for its methods too.
	for _, n := range an.classSizes[fn.Class] {
		s.names[n] = true
	}
	says := false
	for _, x := range list {
		t := an.readSpec(r, fn, x.Annotation)
		s.params = append(s.params, t)
		says = says || t.says()
	}
	s.ret = an.readSpec(r, fn, def.Returns)
	if !says && !s.ret.says() {
		return nil
	}
	an.signatures[def] = s
	return s
}

// readSpec reads one annotation and reports what is wrong with it. text is kept in one line for
// messages. A missing annotation says nothing.
func (an *annotations) readSpec(r *annReader, fn *value.Func, e ast.Expr) *spec {
	if e == nil {
		return nothing
	}
	s := *r.read(e)
	s.at = e.Span()
	if f := an.files.File(s.at.Start); f != nil {
		s.text = oneLine(f.Slice(s.at))
	}
	an.reportFaults(&s, s.at)
	return &s
}

// oneLine joins lines and blanks.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// reportFaults reports annotations that are no annotations: jaxtyping refuses them. The faults of
// elements are reported too; the element then says nothing.
func (an *annotations) reportFaults(s *spec, at source.Span) {
	if s.fault != "" {
		an.host.Report(diag.New(diag.BadAnnotation, at, "this annotation cannot be read: "+s.fault, s.fault))
		s.fault, s.kind = "", anySpec
	}
	for i, e := range s.elems {
		if e.fault != "" {
			c := *e
			an.reportFaults(&c, at)
			s.elems[i] = &c
		}
	}
}

// typeParamNames are the names that a function or class declares in brackets (PEP 695): in its annotations they
// are no sizes.
func typeParamNames(list []ast.TypeParam) map[string]bool {
	m := map[string]bool{}
	for _, p := range list {
		switch p := p.(type) {
		case *ast.TypeVar:
			m[p.Name.ID] = true
		case *ast.TypeVarTuple:
			m[p.Name.ID] = true
		case *ast.ParamSpec:
			m[p.Name.ID] = true
		}
	}
	return m
}

// noteTypeParams keeps the names that stand for sizes in a whole class: its type
// parameters, and what Generic is subscripted with. Methods get their class here, as functions do
// not know it otherwise.
func (an *annotations) noteTypeParams(c *value.Class, s *ast.ClassDef) {
	for i := range c.Attrs.Len() {
		fn, ok := underlying(c.Attrs.At(i)).(*value.Func)
		if ok && fn.Class == nil && s.Start <= fn.Node.Span().Start && fn.Node.Span().End <= s.End {
			fn.Class = c
		}
	}
	var names []string
	for n := range typeParamNames(s.TypeParams) {
		names = append(names, n)
	}
	for _, b := range s.Bases {
		sub, ok := b.(*ast.Subscript)
		if !ok {
			continue
		}
		base := sub.Value
		if a, ok := base.(*ast.Attribute); ok {
			base = &ast.Name{ID: a.Attr.Name}
		}
		if n, ok := base.(*ast.Name); !ok || n.ID != "Generic" {
			continue
		}
		for _, e := range elements(sub.Index) {
			if n, ok := e.(*ast.Name); ok {
				names = append(names, n.ID)
			}
		}
	}
	if len(names) == 0 {
		return
	}
	slices.Sort(names)
	if an.classSizes == nil {
		an.classSizes = map[*value.Class][]string{}
	}
	an.classSizes[c] = names
}

// annotations are what annotations and shape comments say; see spec.go and shapecomment.go. Maps
// are made when they are first written to; most programs have few annotations. signatures, assigned
// and comments hold what was read, sizes what names stand for.
type annotations struct {
	*base
	host   annotationsHost
	rec    *recorder
	finder *finder

	signatures       map[*ast.FunctionDef]*signature
	assigned         map[*ast.AnnAssign]*spec
	fields           map[*value.Class]map[string]*field
	attributeSizes   map[string][]int64
	classSizes       map[*value.Class][]string
	sizes            map[sizesKey][]nameBind
	forCheckers      map[*value.Module]map[string][2]string
	comments         map[*source.File]map[int]*lineComment
	commentStates    map[source.Pos]*commentState
	origins          map[*code]map[string]origin
	uncommented      map[source.Pos]*uncommented
	uncommentedOrder []source.Pos
}

// An annotationsHost evaluates what annotations name, and says whether faults are reported. Interp
// implements it.
type annotationsHost interface {
	value.Thread
	isQuiet() bool
	quietly(f func() (value.Value, error)) (value.Value, error)
	Binary(op ast.BinOperator, a, b value.Value) (value.Value, error)
}

// A sizesKey names the sizes that an instance has by a class's type parameters. A class and its
// base may call different sizes by one name.
type sizesKey struct {
	of    *value.Instance
	class *value.Class
}

// instanceSizes gives f the sizes that belong to the instance whose method runs. They were noted
// when __init__ ran.
func (an *annotations) instanceSizes(f *frame, fn *value.Func, self value.Value) {
	inst, ok := self.(*value.Instance)
	if !ok || fn.Class == nil {
		return
	}
	for _, b := range an.sizes[sizesKey{inst, fn.Class}] {
		an.bindName(f, b.name, b.boundName)
	}
}

// checkParams holds the arguments of a call against the annotations. The names that annotations of
// parameters bind hold until the function returns.
func (an *annotations) checkParams(f *frame, fn *value.Func) {
	sig := an.signatureOf(fn)
	if sig == nil {
		return
	}
	// A parameter that a nested function uses is in a cell.
	slot := func(i int) value.Value {
		if f.cells != nil && f.cells[i] != nil {
			return f.cells[i].V
		}
		return f.V[i]
	}
	var self value.Value
	if len(sig.params) > 0 {
		self = slot(0)
		an.instanceSizes(f, fn, self)
	}
	p := fn.Params
	// The order of the list in signatureOf.
	name := func(i int) *ast.Param {
		for _, list := range [...][]*ast.Param{p.PosOnly, p.Args, p.KwOnly} {
			if i < len(list) {
				return list[i]
			}
			i -= len(list)
		}
		return nil
	}
	for i, s := range sig.params {
		if !s.says() {
			continue
		}
		x, v := name(i), slot(i)
		// The default None is allowed beside any annotation.
		if c, ok := x.Default.(*ast.Constant); ok && c.Kind == ast.NoneConst && v == value.None {
			continue // x: Float[...] = None
		}
		// The place is that of the call.
		at := an.host.Here()
		if !at.IsValid() {
			at = s.at
		}
		an.holdAgainst(f, s, v, at, "parameter "+x.Name)
	}
	// What __init__ bound belongs to the instance.
	inst, ok := self.(*value.Instance)
	if !ok || fn.Name != "__init__" || len(an.classSizes[fn.Class]) == 0 {
		return
	}
	var sizes []nameBind
	for _, n := range an.classSizes[fn.Class] {
		if b, ok := an.nameOf(f, n); ok {
			sizes = append(sizes, nameBind{n, b})
		}
	}
	if an.sizes == nil {
		an.sizes = map[sizesKey][]nameBind{}
	}
	an.sizes[sizesKey{inst, fn.Class}] = sizes
}

// checkReturn holds what a function returns against its annotation. Generators and coroutines
// return something else than their annotation says.
func (an *annotations) checkReturn(f *frame, s *ast.Return, v value.Value) {
	if f.fn == nil || f.prelude || f.gen != nil || s.Value == nil {
		return
	}
	def, ok := f.fn.Node.(*ast.FunctionDef)
	if !ok || def.Returns == nil || f.code.scope.IsGenerator || f.code.scope.IsCoroutine {
		return
	}
	if sig := an.signatureOf(f.fn); sig != nil && sig.ret.says() {
		an.holdAgainst(f, sig.ret, v, s.Value.Span(), "the result")
	}
}

// checkAnnotated holds the value of an annotated assignment against the annotation. The annotation
// is read once for each statement, in the frame of its first execution.
func (an *annotations) checkAnnotated(f *frame, s *ast.AnnAssign, v value.Value) {
	if f.prelude {
		return
	}
	t, ok := an.assigned[s]
	if !ok {
		r := &annReader{an: an, module: f.globals, frame: f}
		if f.fn != nil {
			r.class = f.fn.Class
			if sig := an.signatureOf(f.fn); sig != nil {
				r.params = sig.names
			}
		}
		t = an.readSpec(r, f.fn, s.Annotation)
		if an.assigned == nil {
			an.assigned = map[*ast.AnnAssign]*spec{}
		}
		an.assigned[s] = t
	}
	if t.says() {
		an.holdAgainst(f, t, v, s.Span(), f.unit.file.Slice(s.Target.Span()))
		// Sizes of attributes help comments in other methods.
		if _, attribute := s.Target.(*ast.Attribute); attribute {
			an.noteAttributeSizes(f, t)
		}
	}
}

// holdAgainst checks a value and reports what is found. what names the value in messages. Nothing
// is reported where nothing is known.
func (an *annotations) holdAgainst(f *frame, s *spec, v value.Value, at source.Span, what string) {
	answer, why := an.fits(f, s, v)
	switch answer {
	case symshape.Yes:
		return
	case symshape.No:
		d := diag.New(diag.AnnotationMismatch, at, fmt.Sprintf("%s is %s, but its annotation says %s: %s", what, describeShort(v), s.text, why),
			v.String(), s.text)
		an.related(d, s, at)
		an.host.Report(d)
	default:
		if why == "" {
			return // nothing is known of the value
		}
		d := diag.New(diag.AnnotationUndecided, at, fmt.Sprintf("%s is %s, and its annotation says %s: %s", what, describeShort(v), s.text,
			why), v.String(), s.text)
		an.related(d, s, at)
		an.host.Report(d)
	}
}

// related shows the annotation, where the finding is elsewhere.
func (an *annotations) related(d *diag.Diagnostic, s *spec, at source.Span) {
	if s.at.IsValid() && s.at != at {
		d.Related = append(d.Related, diag.Related{At: s.at, Msg: "the annotation"})
	}
}

// fits decides whether a value is what an annotation says; why tells what is
// wrong with it, or what is not known. A value that is one of two fits only if both do.
func (an *annotations) fits(f *frame, s *spec, v value.Value) (answer symshape.Answer, why string) {
	if c, ok := v.(*value.Choice); ok {
		a, why := an.fits(f, s, c.Then)
		b, _ := an.fits(f, s, c.Else)
		if a == b {
			return a, why
		}
		return symshape.Unknown, ""
	}
	if value.IsUnknown(v) || v == nil {
		return symshape.Unknown, ""
	}
	switch s.kind {
	case noneSpec:
		return answerOf(v == value.None), "it is not None"
	case scalarSpec:
		return an.fitsScalar(s, v)
	case sizeSpec:
		d, ok := value.AsDim(an.pool, v)
		if !ok || d.Unknown() {
			return symshape.Unknown, ""
		}
		return an.fitsSize(f, s, d)
	// One alternative that fits is enough; the reason is preferably about a tensor.
	case unionSpec:
		answer = symshape.No
		for _, e := range s.elems {
			a, w := an.fits(f, e, v)
			if a == symshape.Yes {
				return symshape.Yes, ""
			}
			if a == symshape.Unknown {
				answer = symshape.Unknown
			}
			if w != "" && (why == "" || e.kind == tensorSpec) {
				why = w
			}
		}
		return answer, why
	case tupleSpec, listSpec, dictSpec:
		return an.fitsContainer(f, s, v)
	case tensorSpec:
		return an.fitsTensor(f, s, v)
	}
	return symshape.Yes, ""
}

// answerOf turns a bool to an answer.
func answerOf(b bool) symshape.Answer {
	if b {
		return symshape.Yes
	}
	return symshape.No
}

// fitsScalar compares a value with a class of numbers or texts as type checkers do: an int is a float, a bool
// an int. Objects of other classes may convert themselves, so that nothing is said of them.
func (an *annotations) fitsScalar(s *spec, v value.Value) (symshape.Answer, string) {
	c := an.host.TypeOf(value.Plain(v))
	if c == nil {
		return symshape.Unknown, ""
	}
	switch {
	case c.Name == s.class, s.class == "float" && (c.Name == "int" || c.Name == "bool"), s.class == "int" && c.Name == "bool":
		return symshape.Yes, ""
	case v == value.None, c.Layout == value.TensorLayout, c.Name == "str", c.Name == "int", c.Name == "float":
		return symshape.No, "it is not of type " + s.class
	}
	// Objects may have __float__ and the like.
	return symshape.Unknown, ""
}

// fitsSize decides whether an int is the size that Int[N] names. The name of the size is bound
// where it fits.
func (an *annotations) fitsSize(f *frame, s *spec, d symshape.Dim) (symshape.Answer, string) {
	t := graph.TensorType{Ranked: true, Shape: symshape.Shape{d}}
	shape := annot.Shape{Axes: []annot.Axis{{Expr: s.size}}}
	m := an.match(f, &shape, &t, byAnnotation, s.at.Start, an.annotationLook(f))
	switch m.answer {
	case symshape.No:
		return m.answer, "it is " + d.String() + ", not " + m.faults[0].want.String()
	case symshape.Unknown:
		return m.answer, ""
	}
	an.commit(f, &m)
	return m.answer, ""
}

// fitsContainer checks a value against an annotation of a container, element by element. For a list or dict whose length
// is not known the answer is Unknown at best; the reason names the first element that does not fit.
func (an *annotations) fitsContainer(f *frame, s *spec, v value.Value) (symshape.Answer, string) {
	var elems []value.Value
	open := false
	switch v := v.(type) {
	case *value.Tuple:
		elems = v.Elems
	case *value.List:
		elems, open = v.Elems, v.Open != nil
	case *value.Dict:
		if s.kind != dictSpec {
			return symshape.Unknown, ""
		}
		open = v.Open != nil
		for i := range v.Len() {
			elems = append(elems, v.At(i))
		}
	case value.NoneType, *value.Tensor:
		if s.kind == tupleSpec || v == value.None {
			return symshape.No, "it is " + describeShort(v)
		}
		return symshape.Unknown, ""
	default:
		return symshape.Unknown, ""
	}
	// A tuple has as many elements as its annotation.
	if s.kind == tupleSpec && !open && len(elems) != len(s.elems) {
		return symshape.No, fmt.Sprintf("it has %s, not %d", plural(len(elems), "element"), len(s.elems))
	}
	answer, reason := symshape.Yes, ""
	if open {
		answer = symshape.Unknown
	}
	for i, e := range elems {
		// Lists and dicts have one annotation for all elements.
		of := s.elems[0]
		if s.kind == tupleSpec {
			if i >= len(s.elems) {
				break
			}
			of = s.elems[i]
		}
		a, why := an.fits(f, of, e)
		switch {
		case a == symshape.No:
			return a, fmt.Sprintf("element %d: %s", i, why)
		case a == symshape.Unknown:
			answer = a
			if reason == "" && why != "" {
				reason = fmt.Sprintf("element %d: %s", i, why)
			}
		}
	}
	return answer, reason
}

// fitsTensor compares dtype and shape with an annotation. Names of axes that have no size in this call yet get
// one here, and the next annotation with that name is compared with it; that is done even where the answer is
// open, so that later ones can still be decided. A shape that does not fit binds nothing.
func (an *annotations) fitsTensor(f *frame, s *spec, v value.Value) (symshape.Answer, string) {
	t, ok := v.(*value.Tensor)
	if !ok {
		switch v.(type) {
		case value.NoneType, value.Int, value.Float, value.Str, *value.SymInt, *value.SymFloat, *value.List, *value.Tuple, *value.Dict:
			return symshape.No, "it is no tensor"
		}
		return symshape.Unknown, ""
	}
	ty := t.Type()
	undecided := false
	// The dtype comes first.
	if s.dtypes != nil {
		switch {
		case ty.DType == 0:
			undecided = true
		case !slices.Contains(s.dtypes, ty.DType):
			return symshape.No, "its dtype is " + ty.DType.String() + dtypeList(s)
		}
	}
	if s.shape == nil {
		return yesUnless(undecided), ""
	}
	m := an.match(f, s.shape, ty, byAnnotation, s.at.Start, an.annotationLook(f))
	switch m.answer {
	case symshape.No:
		return m.answer, an.explainFault(len(s.shape.Axes), &m, ty.Rank(), func(i int) string { return s.shape.Axes[i].String() },
			s.shape.Rest() >= 0)
	case symshape.Yes:
		an.commit(f, &m)
		return yesUnless(undecided), ""
	}
	// What is open is bound as well.
	an.commit(f, &m)
	for _, o := range m.open {
		if !o.want.Unknown() && !o.got.Unknown() {
			return m.answer, fmt.Sprintf("whether axis %d, which is %s, is %s, is not decided", o.at, o.got, o.want)
		}
	}
	return m.answer, ""
}

// yesUnless is Yes, or Unknown.
func yesUnless(undecided bool) symshape.Answer {
	if undecided {
		return symshape.Unknown
	}
	return symshape.Yes
}

// dtypeList ends a message with the dtypes that would have been right.
func dtypeList(s *spec) string {
	if len(s.dtypes) == 0 {
		return ""
	}
	var names []string
	for _, d := range s.dtypes {
		names = append(names, d.String())
	}
	if len(names) == 1 {
		return ", not " + names[0]
	}
	return ", none of " + strings.Join(names, ", ")
}

// explainFault says what is wrong with a shape, in a few words. m.faults has the axis at fault,
// unless the rank is.
func (an *annotations) explainFault(axes int, m *shapeMatch, rank int, axisText func(int) string, rest bool) string {
	if m.rank {
		if rest {
			return fmt.Sprintf("it has %s, fewer than %d", plural(rank, "dimension"), axes-1)
		}
		if rank < 0 {
			return fmt.Sprintf("it has more than %s", plural(axes, "dimension"))
		}
		return fmt.Sprintf("it has %s, not %d", plural(rank, "dimension"), axes)
	}
	x := m.faults[0]
	// A name that stands for several axes.
	if x.at < 0 {
		return "the number of axes that " + axisText(x.axis) + " stands for differs"
	}
	text := axisText(x.axis)
	want := x.want.String()
	if text == want {
		return fmt.Sprintf("axis %d is %s, not %s", x.at, x.got, text)
	}
	// The line that bound the name.
	at := ""
	if x.named && x.name.by != byCode {
		if p := an.files.Position(x.name.at); p.File != nil {
			at = fmt.Sprintf(" (line %d)", p.Line)
		}
	}
	return fmt.Sprintf("axis %d is %s, and %s is %s%s", x.at, x.got, text, want, at)
}

// A field is an annotated name of a class body. The annotation is read in the frame of the class
// body, where its names are known.
type field struct {
	ann   ast.Expr
	frame *frame // of the class body
	spec  *spec  // once it is read
}

// noteFields keeps the annotations of a class body that may tell a shape. Only annotations with
// brackets can have a shape.
func (an *annotations) noteFields(c *value.Class, s *ast.ClassDef, body *frame) {
	for _, x := range s.Body {
		a, ok := x.(*ast.AnnAssign)
		if !ok || !a.Simple {
			continue
		}
		name, ok := a.Target.(*ast.Name)
		if _, shaped := a.Annotation.(*ast.Subscript); !ok || !shaped {
			continue
		}
		if an.fields == nil {
			an.fields = map[*value.Class]map[string]*field{}
		}
		if an.fields[c] == nil {
			an.fields[c] = map[string]*field{}
		}
		an.fields[c][name.ID] = &field{ann: a.Annotation, frame: body}
	}
}

// checkField holds a value that is assigned to an attribute against what the class says of it. Only
// a variable of the function is looked at as the object, as self; others would need evaluating
// again. The first class that annotates the name counts.
func (an *annotations) checkField(f *frame, target ast.Expr, v value.Value) {
	t, ok := target.(*ast.Attribute)
	if !ok || len(an.fields) == 0 || f.prelude || v == value.None { // None is often not there yet
		return
	}
	name, ok := t.Value.(*ast.Name)
	if !ok {
		return
	}
	inst, ok := an.localNamed(f, name.ID).(*value.Instance)
	if !ok {
		return
	}
	for _, c := range inst.Class.MRO {
		x := an.fields[c][t.Attr.Name]
		if x == nil {
			continue
		}
		if x.spec == nil {
			x.spec = an.readSpec(&annReader{an: an, module: x.frame.globals, frame: x.frame, class: c}, nil, x.ann)
		}
		if x.spec.kind == tensorSpec && x.spec.says() {
			an.holdAgainst(f, x.spec, v, target.Span(), f.unit.file.Slice(target.Span()))
			an.noteAttributeSizes(f, x.spec)
		}
		return
	}
}

// noteAttributeSizes keeps the numbers for which the names in an attribute's annotation stand:
// what the methods of the class call d is as large as W: Float[Tensor, "d k"] has it. Only names
// that stand for numbers.
func (an *annotations) noteAttributeSizes(f *frame, s *spec) {
	if s.kind != tensorSpec || s.shape == nil {
		return
	}
	for _, a := range s.shape.Axes {
		if a.Kind != annot.Size {
			continue
		}
		name := a.Expr.String()
		b, ok := an.nameOf(f, name)
		if !ok {
			continue
		}
		if n, number := b.dim.Const(); number {
			if an.attributeSizes == nil {
				an.attributeSizes = map[string][]int64{}
			}
			an.attributeSizes[name] = append(an.attributeSizes[name], n)
		}
	}
}

// annotations gives the annotations of a function. They are looked up when they are
// asked for: names and paths of the module, constants, unions of these, and types with arguments; what is more is
// unknown. A stored annotation of the prelude's functions is not evaluated.
func (an *annotations) annotations(fn *value.Func) *value.Dict {
	d := an.heap.NewDict()
	def, ok := fn.Node.(*ast.FunctionDef)
	if !ok {
		return d
	}
	r := &annReader{an: an, module: fn.Module, class: fn.Class, params: typeParamNames(def.TypeParams)}
	// A parameter without annotation has no entry.
	set := func(name string, e ast.Expr) {
		if e == nil {
			return
		}
		v, ok := r.evaluated(e)
		if !ok {
			v = an.host.Unknown("the annotation of " + name)
		}
		d.SetStr(&an.heap, name, v)
	}
	p := def.Params
	for _, list := range [...][]*ast.Param{p.PosOnly, p.Args, p.KwOnly, {p.VarArg, p.KwArg}} {
		for _, x := range list {
			if x != nil {
				set(x.Name, x.Annotation)
			}
		}
	}
	set("return", def.Returns)
	return d
}

// Annotations is part of value.Thread.
func (in *Interp) Annotations(fn *value.Func) *value.Dict { return in.annotations.annotations(fn) }
