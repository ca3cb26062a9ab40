package export

// This file writes the call of a tracer for an entry with symbols: example inputs, and which sizes are dynamic. What it writes for
// torch.export is held against what torch.export makes of it (Program.Outcome). It is the last step
// of the command trace, after the classes of sizes were found (sharing); what it makes is s.Text, a
// piece of Python that a reader can paste into the file of the entry.

import (
	// The text is Python that a user can run. For torch.export it is made in steps: the Dims that
	// the contract says are declared, the export is tried in the analysis, and where torch.export
	// would refuse, the declarations are changed as its message suggests, a few times; last all
	// sizes are left to it (Dim.AUTO). Only a text that is known to work is given, else Why says
	// what is missing.
	"fmt"
	"slices"
	"strconv"
	"strings"

	"shapecheck/infer/value"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// names are the parameters of the arguments, in their order; nil: a star takes some, so that they
// have no names. Arguments by name come last.
func (s *sharing) names() []string {
	if s.Params == nil || len(s.Args) > len(s.Params) {
		return nil
	}
	names := slices.Clone(s.Params[:len(s.Args)])
	for _, k := range s.Kw {
		names = append(names, k.Name)
	}
	return names
}

// dims are the dynamic sizes of the arguments as NewProgram takes them: each symbol of the contract
// is a Dim. The order is that of Arguments: by position, then by name.
func (s *sharing) dims() []value.Value {
	names := s.names()
	var out []value.Value
	for i, v := range s.Arguments() {
		name := "arg" + strconv.Itoa(i)
		if names != nil {
			name = names[i]
		}
		out = append(out, &value.Tuple{Elems: []value.Value{value.Str(name), s.dimsOf(&value.Visit{Repeats: value.SomeRepeats}, v)}})
	}
	return out
}

// dimsOf are the dynamic sizes of one argument, in tuples as its parts are. The form of the tuples
// follows that of lists, tuples and dicts alike.
func (s *sharing) dimsOf(w *value.Visit, v value.Value) value.Value {
	if !w.Enter(v) {
		return value.None
	}
	defer w.Leave()
	var parts []value.Value
	switch v := v.(type) {
	case *value.Tensor:
		for _, d := range v.Type().Shape {
			parts = append(parts, s.dim(d))
		}
	case *value.Tuple:
		for _, e := range v.Elems {
			parts = append(parts, s.dimsOf(w, e))
		}
	case *value.List:
		for _, e := range v.Elems {
			parts = append(parts, s.dimsOf(w, e))
		}
	case *value.Dict:
		for i := range v.Len() {
			parts = append(parts, s.dimsOf(w, v.At(i)))
		}
	default:
		return value.None
	}
	return &value.Tuple{Elems: parts}
}

// dim is a size: a Dim or a multiple and sum of one, or whatever is found (auto) for another
// expression. The tuple is what NewProgram reads: kind, name, least, most, factor and offset.
func (s *sharing) dim(d symshape.Dim) value.Value {
	if d.Expr == nil || len(d.Expr.Symbols()) == 0 {
		return value.None
	}
	sym, factor, offset, ok := s.affine(d.Expr)
	if !ok {
		return &value.Tuple{Elems: []value.Value{value.Str("auto"), value.Str(d.Expr.String()), value.None, value.None, value.Int(1),
			value.Int(0)}}
	}
	lo, hi := s.Contract.Range(sym)
	var most value.Value = value.None
	if hi != symshape.PosInf {
		most = value.Int(hi)
	}
	return &value.Tuple{Elems: []value.Value{value.Str("dim"), value.Str(sym.String()), value.Int(max(lo, 0)), most, value.Int(factor),
		value.Int(offset)}}
}

// affine reads factor·sym + offset from an expression in one symbol, by its values at 0 and 1; ok
// is false where it is no such expression, or the factor is not positive. The values at 0 and 1
// determine the two numbers if it is one; that it is one is then checked by building it again.
func (s *sharing) affine(e *symshape.Expr) (sym *symshape.Expr, factor, offset int64, ok bool) {
	p, symbols := s.pool, e.Symbols()
	if len(symbols) != 1 {
		return nil, 0, 0, false
	}
	sym = symbols[0]
	at := func(n int64) (int64, error) {
		return e.Eval(func(string) (int64, bool) { return n, true })
	}
	zero, err := at(0)
	one, also := at(1)
	if err != nil || also != nil {
		return nil, 0, 0, false
	}
	factor, offset = one-zero, zero
	return sym, factor, offset, factor >= 1 && p.AddConst(p.Mul(p.Const(factor), sym), offset) == e
}

// declared makes the arguments with example sizes and these dynamic ones. The program is a new one,
// whose run notes what the tracer finds.
func (s *sharing) declared(env map[string]int64, specs []value.Value) *Program {
	args, kw := s.At(env)
	return NewProgram(s.host, s.Target, args, s.keywords(kw), specs, s.For == ForTrace || s.For == ForONNX)
}

// keywords are arguments by name as a dict.
func (s *sharing) keywords(kw []value.Kw) *value.Dict {
	d := s.host.Heap().NewDict()
	for _, k := range kw {
		d.SetStr(s.host.Heap(), k.Name, k.Value)
	}
	return d
}

// maxRefusals is how often torch.export may refuse declarations before sizes are left to it. Each
// refusal costs a run of the entry.
const maxRefusals = 4

// write makes the text for the tracer that is asked for. The error is one that ends the run; what
// cannot be written is said in Why. Example sizes are those of the first class.
func (s *sharing) write() error {
	names := s.names()
	if names == nil {
		s.Why = "no text: some arguments have no names"
		return nil
	}
	env := s.Classes[0].Example
	args, kw := s.At(env)
	given := make([]string, 0, len(names))
	for _, v := range args {
		text, ok := ExampleText(v)
		if !ok {
			s.Why = "no text: an argument is no tensor, number or sequence of these"
			return nil
		}
		given = append(given, text)
	}
	var named []string
	for _, k := range kw {
		text, ok := ExampleText(k.Value)
		if !ok {
			s.Why = "no text: an argument is no tensor, number or sequence of these"
			return nil
		}
		named = append(named, k.Name+"="+text)
	}
	switch s.For {
	case ForExport:
		return s.writeExport(names, given, named, env)
	case ForCompile:
		s.writeCompile(names, given, named)
	default:
		s.writeTrace(names, given, named)
	}
	return nil
}

// imports are those that the text needs and the file lacks. A name that the file uses for something
// else is not noticed.
func (s *sharing) imports() string {
	out := ""
	for _, lib := range [][2]string{{"torch", "import torch"}, {"jax", "import jax"}, {"tf", "import tensorflow as tf"}} {
		if _, ok := s.Module.Attrs.Get(lib[0]); !ok && strings.Contains(s.Text, lib[0]+".") {
			out += lib[1] + "\n"
		}
	}
	return out
}

// model is the entry as a module: its text, or the lines that make one of a function. torch.export
// needs a module, so a function is wrapped in one.
func (s *sharing) model(names []string) (lines []string) {
	if s.isModule() {
		return []string{"model = " + s.Name}
	}
	list := strings.Join(names, ", ")
	return []string{"class Model(torch.nn.Module):", "    def forward(self, " + list + "):", "        return " + s.Name + "(" +
		list + ")", "", "model = Model()"}
}

// isModule reports whether the entry is a module.
func (s *sharing) isModule() bool {
	i, ok := s.Target.(*value.Instance)
	base := s.host.Class("torch.nn.Module")
	return ok && base != nil && i.Class.IsSubclass(base)
}

// writeExport writes a call of torch.export.export. What that refuses is declared as it says; what
// it goes on to refuse is left to it. It tries up to maxRefusals declarations, then the last, and
// then AUTO. The error is one that ends the run.
func (s *sharing) writeExport(names, given, named []string, env map[string]int64) error {
	decls := s.declarations()
	for range maxRefusals {
		shapes := s.shapes(names, decls)
		out, err := s.tried(env, decls, shapes)
		if err != nil {
			return err
		}
		if out == nil || out.Error == nil || out.Error.Kind != ConstraintsViolated {
			break
		}
		// Fixes that name nothing leave no way on.
		next, ok := redeclared(decls, append(slices.Clone(out.Error.Fixes), out.Error.Further...))
		if !ok {
			decls = nil
			break
		}
		decls = next
	}
	// Without declarations sizes are left to torch.export. Declarations that were refused are not
	// written.
	auto := decls == nil
	if !auto {
		out, err := s.tried(env, decls, s.shapes(names, decls))
		if err != nil {
			return err
		}
		auto = out == nil || out.Error != nil
	}
	// That must be tried, too: it may refuse sizes that it finds to be fixed.
	if auto {
		decls = nil
		out, err := s.tried(env, nil, s.shapes(names, nil))
		if err != nil {
			return err
		}
		if out == nil || out.Error != nil {
			s.Why = "no text: torch.export is not known to take these sizes"
			if out != nil {
				s.Refused = out.Error
			}
			return nil
		}
	}
	lines := s.model(names)
	// Names of sizes of the result come from here on as well.
	for _, d := range decls {
		// Sizes that are fixed or made of others are named for those who read the result.
		if d.Kind == FixedSize || d.Kind == Derived && !d.Of.Plain {
			if sym := s.pool.Lookup(d.Name); sym != nil && slices.Contains(s.Symbols, sym) {
				s.roots = append(s.roots, sym)
			}
		}
		// A size that is fixed needs no Dim.
		if d.Kind != FixedSize {
			lines = append(lines, d.Name+" = "+d.Python(torchDim))
		}
	}
	call := "program = torch.export.export(model, (" + tupleText(given) + ")"
	if len(named) > 0 {
		call += ", kwargs=dict(" + strings.Join(named, ", ") + ")"
	}
	lines = append(lines, call+", dynamic_shapes="+s.shapes(names, decls)+")")
	s.Text = strings.Join(lines, "\n") + "\n"
	return nil
}

// tupleText is the inside of a tuple of these elements.
func tupleText(list []string) string {
	if len(list) == 1 {
		return list[0] + ","
	}
	return strings.Join(list, ", ")
}

// torchDim is the class of Dims in the text. The name is in full, as the text imports only torch.
const torchDim = "torch.export.Dim"

// declarations are those of the contract: a Dim for each symbol, with the range that the contract
// leaves it. Numbers of the entry have none: they are no sizes of tensors.
func (s *sharing) declarations() []Declaration {
	var out []Declaration
	for _, sym := range s.Symbols {
		if s.isNumber(sym) {
			continue
		}
		lo, hi := s.Contract.Range(sym)
		d := rangedDim(sym.String(), lo, hi)
		if s.partOf(sym) { // torch.export reads the name of such a Dim with sympy, which has some of its own, as N and S
			d.Dim = "_" + d.Name
		}
		// 0 as the least size is torch.export's own default, and stands for no bound.
		if lo <= 1 {
			d.Min = 0
		}
		out = append(out, d)
	}
	return out
}

// partOf reports whether a size of an argument is a multiple or sum of a symbol. Such a Dim is
// written in an expression.
func (s *sharing) partOf(sym *symshape.Expr) bool {
	found := false
	for _, v := range s.Arguments() {
		Resized(s.host, v, func(d symshape.Dim) symshape.Dim {
			found = found || d.Expr != nil && d.Expr != sym && slices.Contains(d.Expr.Symbols(), sym)
			return d
		})
	}
	return found
}

// redeclared changes declarations as torch.export suggests; ok is false where it suggests nothing for one of them. What others are
// made of comes first. A fix that names a Dim which is not declared brings a new one, of which
// others are made.
func redeclared(decls, fixes []Declaration) (changed []Declaration, ok bool) {
	out := slices.Clone(decls)
	var fresh, last []Declaration
	for _, d := range fixes {
		i := slices.IndexFunc(out, func(o Declaration) bool { return o.Name == d.Name })
		switch {
		case i < 0:
			fresh = append(fresh, d)
		case d.Kind == Ranged:
			out[i] = d
		default: // of others
			out = slices.Delete(out, i, i+1)
			last = append(last, d)
		}
	}
	// The least size of 1 keeps the difference from being negative.
	for i, d := range fresh { // what is subtracted from is positive
		if d.Min == 0 && slices.ContainsFunc(last, func(o Declaration) bool { return o.Of.Dim == d.Name && o.Of.Offset < 0 }) {
			fresh[i].Min = 1
		}
	}
	return append(append(fresh, out...), last...), len(fixes) > 0
}

// shapes is the text of dynamic_shapes; decls nil: all sizes are left to torch.export. The form is
// a dict from names of parameters, which torch.export accepts for all arguments.
func (s *sharing) shapes(names []string, decls []Declaration) string {
	var parts []string
	for i, v := range s.Arguments() {
		parts = append(parts, strconv.Quote(names[i])+": "+s.shapeText(&value.Visit{Repeats: value.SomeRepeats}, v, decls))
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// shapeText is the entry of one argument in dynamic_shapes, of the form of the argument. None
// stands for no dynamic sizes.
func (s *sharing) shapeText(w *value.Visit, v value.Value, decls []Declaration) string {
	if !w.Enter(v) {
		return "None"
	}
	defer w.Leave()
	// A tuple with one element has a comma.
	join := func(list []value.Value) string {
		var parts []string
		for _, e := range list {
			parts = append(parts, s.shapeText(w, e, decls))
		}
		return strings.Join(parts, ", ")
	}
	switch v := v.(type) {
	case *value.Tensor:
		var parts []string
		for i, d := range v.Type().Shape {
			if text := s.dimText(d, decls); text != "" {
				parts = append(parts, strconv.Itoa(i)+": "+text)
			}
		}
		if len(parts) > 0 {
			return "{" + strings.Join(parts, ", ") + "}"
		}
	case *value.Tuple:
		if len(v.Elems) == 1 {
			return "(" + join(v.Elems) + ",)"
		}
		return "(" + join(v.Elems) + ")"
	case *value.List:
		return "[" + join(v.Elems) + "]"
	case *value.Dict:
		var parts []string
		for i := range v.Len() {
			key, _ := ExampleText(v.Key(i))
			parts = append(parts, key+": "+s.shapeText(w, v.At(i), decls))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	return "None"
}

// dimText is a dynamic size; empty: it is fixed.
func (s *sharing) dimText(d symshape.Dim, decls []Declaration) string {
	if d.Expr == nil || len(d.Expr.Symbols()) == 0 {
		return ""
	}
	sym, factor, offset, ok := s.affine(d.Expr)
	if !ok || decls == nil {
		return "torch.export.Dim.AUTO"
	}
	// A size that was fixed is left out.
	name := sym.String()
	for _, x := range decls {
		if x.Name == name && x.Kind == FixedSize {
			return ""
		}
	}
	return multipleOf(name, factor, offset).Text
}

// tried is what torch.export makes of declarations; nil: that is not known. The error is one that
// ends the program's run. The texts are evaluated by the program's own torch.export of the prelude,
// as torch would do. declared of the prelude reads the text's dicts into the form of NewProgram.
func (s *sharing) tried(env map[string]int64, decls []Declaration, shapes string) (*Outcome, error) {
	// The name of the place of faults in the text.
	const what = "dynamic_shapes"
	vars := map[string]value.Value{}
	// Later declarations may use the names of former ones.
	for _, d := range decls {
		v, err := s.host.Eval(what, d.Python(torchDim), vars)
		if err != nil {
			return nil, err
		}
		vars[d.Name] = v
	}
	v, err := s.host.Eval(what, shapes, vars)
	if err != nil {
		return nil, err
	}
	args, kw := s.At(env)
	d := s.keywords(kw)
	specs, err := s.host.Eval(what,
		"__import__('torch').export._program.declared(entry_of_trace, args_of_trace, kwargs_of_trace, shapes_of_trace)", map[string]value.Value{
			"entry_of_trace": s.Target, "args_of_trace": &value.Tuple{Elems: args}, "kwargs_of_trace": d, "shapes_of_trace": v})
	if err != nil {
		return nil, err
	}
	list, ok := value.AsSequence(specs)
	if !ok {
		return nil, nil
	}
	p := NewProgram(s.host, s.Target, args, d, list, false)
	// Refused says that the declarations contradict themselves.
	if p.Refused != nil {
		return &Outcome{Error: p.Refused}, nil
	}
	// A run of its own, whose notes say what torch.export would find.
	notes := NewRun(s.host, p, s.mode())
	raised, err := s.host.Beside(p, notes)
	if err != nil {
		return nil, err
	}
	return p.Outcome(notes, raised), nil
}

// writeCompile writes a call under torch.compile whose dynamic sizes are marked, but for those that
// the class fixes. mark_dynamic marks one tensor at a time, so that equal axes are marked in a
// loop.
func (s *sharing) writeCompile(names, given, named []string) {
	lines := []string{"model = torch.compile(" + s.Name + ")"}
	var list []string
	var marked []dynamicAxes
	// Arguments are variables, since their sizes are marked before the call.
	for i, v := range s.Arguments() {
		text := ""
		if i < len(given) {
			text = given[i]
		} else {
			_, text, _ = strings.Cut(named[i-len(given)], "=")
		}
		lines = append(lines, names[i]+" = "+text)
		marked = s.mark(&value.Visit{Repeats: value.SomeRepeats}, marked, names[i], v)
		if i < len(given) {
			list = append(list, names[i])
		} else {
			list = append(list, names[i]+"="+names[i])
		}
	}
	// The name of the loop's variable must be new. A parameter of the entry may be called each.
	each := "each"
	for slices.Contains(names, each) {
		each += "_"
	}
	for _, m := range marked {
		if len(m.tensors) == 1 {
			lines = append(lines, "torch._dynamo.mark_dynamic("+m.tensors[0]+", "+m.axes+")")
			continue
		}
		lines = append(lines, "for "+each+" in ("+strings.Join(m.tensors, ", ")+"):", "    torch._dynamo.mark_dynamic("+each+", "+m.axes+")")
	}
	lines = append(lines, "model("+strings.Join(list, ", ")+")")
	s.Text = strings.Join(lines, "\n") + "\n"
}

// dynamicAxes are axes with dynamic sizes, a number or a tuple, and the tensors that have just
// these, so that one loop marks them. A single tensor is marked without a loop.
type dynamicAxes struct {
	axes    string
	tensors []string
}

// mark adds the dynamic axes of the tensors of an argument. name is the Python expression of v.
func (s *sharing) mark(w *value.Visit, to []dynamicAxes, name string, v value.Value) []dynamicAxes {
	if !w.Enter(v) {
		return to
	}
	defer w.Leave()
	switch v := v.(type) {
	case *value.Tensor:
		var axes []string
		for i, d := range v.Type().Shape {
			if d.Expr != nil && len(d.Expr.Symbols()) > 0 && !s.fixes(d.Expr) {
				axes = append(axes, strconv.Itoa(i))
			}
		}
		if len(axes) == 0 {
			return to
		}
		text := strings.Join(axes, ", ")
		if len(axes) > 1 {
			text = "(" + text + ")"
		}
		i := slices.IndexFunc(to, func(m dynamicAxes) bool { return m.axes == text })
		if i < 0 {
			i, to = len(to), append(to, dynamicAxes{axes: text})
		}
		to[i].tensors = append(to[i].tensors, name)
	case *value.Tuple:
		for i, e := range v.Elems {
			to = s.mark(w, to, fmt.Sprintf("%s[%d]", name, i), e)
		}
	case *value.List:
		for i, e := range v.Elems {
			to = s.mark(w, to, fmt.Sprintf("%s[%d]", name, i), e)
		}
	case *value.Dict:
		for i := range v.Len() {
			key, _ := ExampleText(v.Key(i))
			to = s.mark(w, to, name+"["+key+"]", v.At(i))
		}
	}
	return to
}

// fixes reports whether the first class has one value of a size only: then it is not dynamic there.
// The facts of the contract and the conditions of the class are taken together.
func (s *sharing) fixes(e *symshape.Expr) bool {
	facts := s.Valid
	for _, c := range s.Classes[0].Conds {
		if f, ok := facts.Assume(c); ok {
			facts = f
		}
	}
	lo, hi := facts.Range(e)
	return lo == hi
}

// writeTrace writes a call of torch.jit.trace or of the older ONNX exporter, which take tensors by
// place alone. A text is not made for arguments by name or of other kinds; Why then says so.
func (s *sharing) writeTrace(names, given, named []string) {
	if len(named) > 0 {
		s.Why = "no text: torch.jit.trace takes no arguments by name"
		return
	}
	for _, v := range s.Args {
		for x := range value.Walk(v, maxDepth, value.Sequences|value.DictValues) {
			switch x.(type) {
			case *value.Tensor, *value.Tuple, *value.List, *value.Dict:
			default:
				s.Why = "no text: torch.jit.trace takes tensors alone"
				return
			}
		}
	}
	lines := s.model(names)
	if s.For == ForTrace {
		s.Text = strings.Join(append(lines, "traced = torch.jit.trace(model, ("+tupleText(given)+"))"), "\n") + "\n"
		return
	}
	// The older ONNX exporter names axes by texts; an expression may be one.
	var axes, inputs []string
	for i, v := range s.Args {
		t, ok := v.(*value.Tensor)
		if !ok {
			s.Why = "no text: an argument is no tensor"
			return
		}
		inputs = append(inputs, strconv.Quote(names[i]))
		var parts []string
		for j, d := range t.Type().Shape {
			if d.Expr != nil && len(d.Expr.Symbols()) > 0 && !s.fixes(d.Expr) {
				parts = append(parts, fmt.Sprintf("%d: %q", j, d.Expr.String()))
			}
		}
		if len(parts) > 0 {
			axes = append(axes, strconv.Quote(names[i])+": {"+strings.Join(parts, ", ")+"}")
		}
	}
	s.Text = strings.Join(append(lines,
		"torch.onnx.export(model, ("+tupleText(given)+`), "model.onnx", dynamo=False, input_names=[`+strings.Join(inputs, ", ")+
			"], dynamic_axes={"+strings.Join(axes, ", ")+"})"), "\n") + "\n"
}

// ExampleText is an argument as Python; ok is false where it is none of the kinds that can be
// written. Dicts, lists and tuples are written with what they have.
func ExampleText(v value.Value) (text string, ok bool) {
	return exampleTextIn(&value.Visit{Repeats: value.SomeRepeats}, v)
}

// exampleTextIn is ExampleText within a visit, which bounds the work for values that contain themselves. ok is false
// for a value that no Python text of this form makes.
func exampleTextIn(w *value.Visit, v value.Value) (text string, ok bool) {
	if !w.Enter(v) {
		return "", false
	}
	defer w.Leave()
	// join writes elements, and fails for the first that cannot be written.
	join := func(list []value.Value) (string, bool) {
		var parts []string
		for _, e := range list {
			t, ok := exampleTextIn(w, e)
			if !ok {
				return "", false
			}
			parts = append(parts, t)
		}
		return strings.Join(parts, ", "), true
	}
	switch v := v.(type) {
	case *value.Tensor:
		return TensorText(v)
	case *value.Tuple:
		text, ok := join(v.Elems)
		if len(v.Elems) == 1 {
			text += ","
		}
		return "(" + text + ")", ok
	case *value.List:
		text, ok := join(v.Elems)
		return "[" + text + "]", ok && v.Open == nil
	case *value.Dict:
		var parts []string
		for i := range v.Len() {
			key, ok := exampleTextIn(w, v.Key(i))
			of, also := exampleTextIn(w, v.At(i))
			if !ok || !also {
				return "", false
			}
			parts = append(parts, key+": "+of)
		}
		return "{" + strings.Join(parts, ", ") + "}", v.Open == nil
	case value.Str:
		return strconv.Quote(string(v)), true
	case value.NoneType:
		return "None", true
	case value.Int, value.Bool, value.Float:
		return ScalarText(v), true
	}
	return "", false
}

// TensorText makes a tensor: random numbers, or zeros where these are no numbers of floating point.
// ok is false where a size or the dtype is not known. torch.rand gives numbers from 0 to 1, which
// no index or logarithm refuses by type.
func TensorText(t *value.Tensor) (string, bool) {
	typ := t.Type()
	if !typ.Ranked || typ.DType == dtype.Unknown {
		return "", false
	}
	var sizes []string
	for _, d := range typ.Shape {
		n, ok := d.Const()
		if !ok {
			return "", false
		}
		sizes = append(sizes, strconv.FormatInt(n, 10))
	}
	text := "torch.zeros("
	if typ.DType.IsFloat() || typ.DType.IsComplex() {
		text = "torch.rand("
	}
	text += "(" + tupleText(sizes) + ")"
	// float32 is the default of torch.rand and torch.zeros.
	if typ.DType != dtype.F32 {
		text += ", dtype=torch." + typ.DType.Torch()
	}
	return text + ")", true
}
