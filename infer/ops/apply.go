package ops

// This file applies a record to arguments. The way of a call: take out= from the keywords, bind the
// arguments to the first overload that fits, give up where an argument is unknown, run the rule,
// check devices and numbers, record the node, and at last write the result to where it belongs (in
// place or out=). The rule sees a Call with everything; what it cannot tell is either a fault (err)
// or lost, never a guess.

import (
	"fmt"
	"slices"
	"strings"

	"shapecheck/infer/graph"
	"shapecheck/infer/value"
	"shapecheck/internal/closest"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// Apply calls op under one of its names, which is one of the library's; find gives
// the records that its rule asks for by name. An error is a TypeError where the arguments do not fit the signature,
// what the rule raises, or that of th.Enter. Rules call each other through Delegate, which comes
// back here.
func (op *Op) Apply(th value.Thread, lib *Library, find func(name string) (*Op, bool), name string, args []value.Value,
	kw []value.Kw) (value.Value, error) {
	out, kw := takeOut(lib, op, name, kw)
	if err := th.Enter(""); err != nil { // rules call rules
		return nil, err
	}
	defer th.Leave()
	c := &Call{Th: th, P: th.Pool(), Op: op, Name: name, Lib: lib, Find: find}
	v, err := c.apply(out, args, kw)
	// What would have been written is unknown then, so the old elements must not stay.
	if u, lost := v.(*value.Unknown); lost && u != nil && err == nil {
		c.overwritten(out)
	}
	return v, err
}

// overwritten forgets the elements of what a call writes to whose result is not known. out is the
// tensor that was taken out of the keywords.
func (c *Call) overwritten(out value.Value) {
	Overwrite(c.Th, out, c.Short(), false)
	if c.Sig == nil { // not bound
		return
	}
	if c.HasParam("out") {
		Overwrite(c.Th, c.Value("out"), c.Short(), false)
	}
	// NumPy's functions may have out among **kwargs.
	if i := c.Sig.KwRest; i >= 0 && i < len(c.Args) {
		if d, ok := c.Args[i].(*value.Dict); ok {
			v, _ := d.GetStr("out")
			Overwrite(c.Th, v, c.Short(), false)
		}
	}
	if len(c.Args) > 0 && writesFirst(c.Op.Is, c.Name) {
		Overwrite(c.Th, c.Args[0], c.Short(), c.Op.Reshapes)
	}
}

// Overwrite is what a write of something unknown does to a tensor, or to several, and to their views: what they hold is not
// known, nor their shape where the write may change that. By is the function that writes.
func Overwrite(th value.Thread, v value.Value, by string, reshapes bool) {
	if v == nil {
		return
	}
	// Two levels: a tensor, or a tuple or list of them.
	for x := range value.Walk(v, 2, value.Sequences) {
		t, ok := x.(*value.Tensor)
		if !ok {
			continue
		}
		ty := *t.Type()
		if reshapes {
			ty = graph.TensorType{DType: ty.DType}
		}
		th.Graph().Incomplete(th.Here(), "what "+by+" writes here is not known")
		t.Mutate(th.Heap(), th.Graph().NewValue(graph.TensorKind, ty, th.Here()), nil)
	}
}

// apply binds the arguments to a signature, runs the rule, and records the operation. Python's operators
// return NotImplemented where they decline their operands; an argument that is not known makes the result
// unknown. The result replaces the first argument of an operation in place, and is written to out where
// the call passes one.
func (c *Call) apply(out value.Value, args []value.Value, kw []value.Kw) (value.Value, error) {
	th, lib, op, name := c.Th, c.Lib, c.Op, c.Name
	inPlace := IsInPlace(name)
	if t, ok := out.(*value.Tensor); ok {
		c.OutDType, c.OutShape = t.Type().DType, t.Type().Shape
	}
	// A method of Tensor that is called for something else, as torch.Tensor.add(1, 2).
	if lib == Torch && lib.IsMethod(name) && len(args) > 0 && !mayBeTensor(args[0]) {
		if op.Has(PythonOperators) && strings.HasSuffix(name, "__") {
			return th.Unknown(c.Short() + ": PyTorch does not look at what it is called for"), nil
		}
		if op.Has(Declines) && !c.Torch1() {
			return value.NotImplemented, nil
		}
		return nil, th.Fail("TypeError", diag.New(diag.TypeMismatch, th.Here(),
			fmt.Sprintf("the method %s needs a Tensor, not %s", c.Short(), TypeName(args[0])), TypeName(args[0])))
	}
	// A binary operator that does not take its operand lets the other one try.
	if why := c.bind(args, kw); why != nil {
		if declines(name) {
			return value.NotImplemented, nil
		}
		if u := ofUnknownClass(args, kw); u != nil {
			return u, nil
		}
		if c.nameless(args, kw) {
			return nil, c.Th.Fail("RuntimeError", why)
		}
		return nil, c.Th.Fail("TypeError", why)
	}
	// An unknown argument makes the result unknown, but for parameters on which no shape depends
	// and for single numbers of unknown value.
	for i, a := range c.Args {
		if a = c.anySizes(i); a != c.Args[i] {
			c.Args[i] = a
		}
		if u := FirstUnknown(a, 2); u != nil && !untyped[c.Sig.Params[i].Name] && !c.looseArgument(c.Sig.Params[i].Name) && !c.readsOnes(i) {
			n := c.anyNumber(&c.Sig.Params[i])
			if n == nil || a != value.Value(u) {
				return u.Derived(), nil
			}
			c.Args[i] = n
		}
	}
	if why := c.refuseArrays(); why != "" && lib.OwnArrays {
		if declines(name) {
			return value.NotImplemented, nil
		}
		return nil, th.Fail("TypeError", diag.New(diag.TypeMismatch, th.Here(), c.Short()+"() "+why+": use torch.from_numpy"))
	}
	if op.Removed != "" && !c.Torch1() {
		return nil, th.Fail("RuntimeError", diag.New(diag.BadCall, th.Here(), c.Short()+"() is gone from PyTorch 2: use "+op.Removed))
	}
	// The first argument is what is written to.
	if c.InPlace = inPlace; inPlace {
		if _, ok := c.Args[0].(*value.Tensor); !ok {
			return nil, th.Fail("TypeError", diag.New(diag.TypeMismatch, th.Here(),
				fmt.Sprintf("%s(): the first argument must be a Tensor, not %s", c.Short(), TypeName(c.Args[0])), TypeName(c.Args[0])))
		}
	}
	if out != nil && c.Overload == 0 && op.Has(WholeWithoutOut) && c.Torch1() {
		return nil, th.Fail("TypeError", diag.New(diag.BadCall, th.Here(), c.Short()+"() of all elements takes no out"))
	}
	if c.OutDType != dtype.Unknown && c.HasParam("dtype") && c.Has("dtype") {
		if d := c.DType("dtype", dtype.Unknown); d != dtype.Unknown && d != c.OutDType {
			c.OutMismatch(d)
		}
	}
	if !c.OK() {
		return nil, c.err
	}
	// A rule for sparse tensors goes before the record's own.
	v, isSparse := c.sparseResult()
	if !isSparse {
		v = op.Rule(c)
	}
	// Checks that need the result or bound arguments, in PyTorch's order after those of shapes.
	if c.OK() {
		c.checkScalars()
		c.checkDevices()
		c.place()
	}
	switch {
	case c.err != nil:
		return nil, c.err
	case c.lost != "":
		return th.Unknown(shortName(op.Names[0]) + ": " + c.lost), nil
	case v == nil:
		return th.Unknown(shortName(op.Names[0]) + ": the rule gave no result"), nil
	}
	// A pure function has no node.
	if !op.Pure {
		c.Record(c.InPlace)
	}
	c.keepRange(v)
	switch {
	case c.InPlace:
		return c.mutate(c.Args[0].(*value.Tensor), v, "")
	case out != nil:
		return c.writeOut(out, v)
	}
	return v, nil
}

// untyped are the parameters on which no shape depends: an unknown argument
// leaves the result known, apart from the dtype. Unknown values of them say nothing about sizes.
var untyped = map[string]bool{
	"dtype": true, "device": true, "layout": true, "memory_format": true, "generator": true, "requires_grad": true,
	"non_blocking": true, "pin_memory": true, "names": true,
}

// mayBeTensor reports whether v is a tensor or not known well enough. Instances may define
// __torch_function__.
func mayBeTensor(v value.Value) bool {
	switch v.(type) {
	case *value.Tensor, *value.Unknown, *value.Choice, *value.Instance:
		return true
	}
	return false
}

// IsInPlace reports whether a name is that of an in-place form: "torch.relu_",
// "torch.Tensor.add_", "torch.Tensor.__iadd__", but no other dunder method.
func IsInPlace(name string) bool {
	if strings.HasSuffix(name, "__") {
		return inPlaceOperators[name[strings.LastIndexByte(name, '.')+1:]]
	}
	return strings.HasSuffix(name, "_") && name != "numpy.round_"
}

// By the name of the method.
var inPlaceOperators = map[string]bool{
	"__iadd__": true, "__isub__": true, "__imul__": true, "__itruediv__": true, "__idiv__": true, "__ifloordiv__": true, "__imod__": true,
	"__ipow__": true, "__iand__": true, "__ior__": true, "__ixor__": true, "__ilshift__": true, "__irshift__": true,
}

// declines reports whether a name is that of a binary operator, which gives
// NotImplemented for operands of types that it does not take. Reflected and in-place forms count,
// too, and comparisons.
func declines(name string) bool {
	if !strings.HasSuffix(name, "__") {
		return false
	}
	n := strings.Trim(name[strings.LastIndexByte(name, '.')+1:], "_")
	if inPlaceOperators["__"+n+"__"] {
		return true
	}
	return inPlaceOperators["__i"+n+"__"] || inPlaceOperators["__i"+strings.TrimPrefix(n, "r")+"__"] || comparisons[n] ||
		strings.HasSuffix(n, "matmul")
}

var comparisons = map[string]bool{"eq": true, "ne": true, "lt": true, "le": true, "gt": true, "ge": true}

// takeOut takes out= from the keyword arguments. PyTorch's methods and in-place
// forms have no such parameter. The result is nil where there is none, or None was passed. The
// keywords are copied before the change.
func takeOut(lib *Library, op *Op, name string, kw []value.Kw) (value.Value, []value.Kw) {
	if !op.Out || lib.OutOfFunctions && (lib.IsMethod(name) || IsInPlace(name) || slices.Contains(op.NoOut, name)) {
		return nil, kw
	}
	for i, k := range kw {
		if k.Name == "out" {
			rest := append(append([]value.Kw(nil), kw[:i]...), kw[i+1:]...)
			if k.Value == value.None {
				return nil, rest
			}
			return k.Value, rest
		}
	}
	return nil, kw
}

// numpyKeyword names a keyword argument in numpy's spelling that the function does
// not know, or is "". Functions that are written in Python do not go through PyTorch's argument
// parser, which knows these spellings.
func (c *Call) numpyKeyword(kw []value.Kw) string {
	if !c.Op.IsPython(c.Name) {
		return ""
	}
	for _, k := range kw {
		switch k.Name {
		case "axis", "keepdims", "x", "a", "x1", "x2":
			for _, s := range c.Op.Signatures() {
				for _, p := range s.Params {
					if p.Name == k.Name {
						return ""
					}
				}
			}
			return k.Name
		}
	}
	return ""
}

// bind picks the first overload that fits, or says why none does. Where none fits the reason is
// that of the only overload, or the types of all arguments.
func (c *Call) bind(args []value.Value, kw []value.Kw) *diag.Diagnostic {
	c.Positional = len(args)
	sigs := c.Op.Signatures()
	// PyTorch 1 may have had other overloads.
	if c.Op.Sig1 != "" && c.Torch1() {
		sigs = c.Op.signatures(c.Op.Sig1)
	}
	var first *misfit
	if k := c.numpyKeyword(kw); k != "" {
		return diag.New(diag.BadCall, c.Th.Here(), c.Short()+"() got an unexpected keyword argument '"+k+"'")
	}
	for i := range sigs {
		bound, bad := sigs[i].bind(args, kw, c.parserForm())
		if bad == nil {
			c.Overload, c.Sig, c.Args = i, &sigs[i], bound
			return c.givenInPlace(args, kw)
		}
		// The first overload is the one that the documentation shows first.
		if i == 0 {
			first = bad
		}
	}
	why, code, fact := first.why, first.code, first.fact
	if len(sigs) > 1 {
		types := make([]string, 0, len(args)+len(kw))
		note := func(name string, v value.Value) {
			types = append(types, name+string(TypeName(v)))
			if v == value.None {
				fact = diag.Fact{Kind: diag.OfNone}
			}
		}
		for _, a := range args {
			note("", a)
		}
		for _, k := range kw {
			note(k.Name+"=", k.Value)
		}
		why, code = c.unfit(sigs, kw, types), diag.BadCall
	}
	d := diag.New(code, c.Th.Here(), c.Short()+"() "+why)
	d.Fact = fact
	return d
}

// unfit says why none of several overloads fits: a keyword that none has, with one that is written
// nearly so, else the types. The text completes "name() …".
func (c *Call) unfit(sigs []Signature, kw []value.Kw, types []string) string {
	var names []string
	for i := range sigs {
		for _, p := range sigs[i].Params {
			names = append(names, p.Name)
		}
	}
	for _, k := range kw {
		if slices.Contains(names, k.Name) {
			continue
		}
		if near := closest.Identifier(k.Name, names); near != "" {
			return fmt.Sprintf("has no keyword %s; did you mean %s?", k.Name, near)
		}
		return "has no keyword " + k.Name
	}
	return "takes no (" + strings.Join(types, ", ") + ")"
}

// parserForm is that of the version of PyTorch.
func (c *Call) parserForm() parserForm {
	return parserForm{indices: strings.HasPrefix(c.Op.Names[0], "torch.") && !c.Torch1(), ignoresRest: c.Torch1()}
}

// givenInPlace refuses the parameter inplace of functions like relu for their
// in-place forms, which do not have it.
func (c *Call) givenInPlace(args []value.Value, kw []value.Kw) *diag.Diagnostic {
	at := c.Sig.param("inplace")
	if at < 0 || !strings.HasPrefix(c.Name, "torch.nn.functional.") || !IsInPlace(c.Name) {
		return nil
	}
	given := len(args) > at
	for _, k := range kw {
		given = given || k.Name == "inplace"
	}
	if !given {
		return nil
	}
	return diag.New(diag.BadCall, c.Th.Here(), c.Short()+"() has no parameter inplace")
}

// nameless reports whether arguments that do not fit would, were None a dimension. A None as dim is
// taken for the name of a dimension, and fails with another class of error.
func (c *Call) nameless(args []value.Value, kw []value.Kw) bool {
	if !c.Op.Has(NamedDims) || strings.HasPrefix(c.Name, "torch.nn.functional.") {
		return false
	}
	// Both a number and a list of numbers are tried.
	for _, zero := range [...]value.Value{value.Int(0), value.NewTuple(value.Int(0))} {
		args, kw, found := append([]value.Value(nil), args...), append([]value.Kw(nil), kw...), false
		for i, a := range args {
			if a == value.None {
				args[i], found = zero, true
			}
		}
		for i, k := range kw {
			if k.Value == value.None && k.Name == "dim" {
				kw[i].Value, found = zero, true
			}
		}
		if !found {
			return false
		}
		for _, s := range c.Op.Signatures() {
			if _, bad := s.bind(args, kw, c.parserForm()); bad == nil {
				return true
			}
		}
	}
	return false
}

// readsOnes reports whether argument i is the data of a tensor, and all that is unknown of
// it is single elements: each is one number whatever its dtype. An element of unknown dtype is a
// number all the same.
func (c *Call) readsOnes(i int) bool {
	if !c.Op.ReadsData || c.Sig.Params[i].Name == "input" {
		return false
	}
	for x := range value.Walk(c.Args[i], 4, value.Sequences) {
		if u, ok := x.(*value.Unknown); ok && !u.One {
			return false
		}
	}
	return true
}

// FirstUnknown finds an Unknown in v, looking into lists to the given depth. nil for none.
func FirstUnknown(v value.Value, depth int) *value.Unknown {
	for x := range value.Walk(v, depth, value.Sequences) {
		if u, ok := x.(*value.Unknown); ok {
			return u
		}
	}
	return nil
}

// ofUnknownClass is unknown where an argument is an instance of a class with a base that was not found: it may be a tensor, or fit
// otherwise. The error of binding is not certain then.
func ofUnknownClass(args []value.Value, kw []value.Kw) value.Value {
	list := value.NewTuple(args...)
	for _, k := range kw {
		list.Elems = append(list.Elems[:len(list.Elems):len(list.Elems)], k.Value)
	}
	for x := range value.Walk(list, 3, value.Sequences) {
		if i, ok := x.(*value.Instance); ok && i.Class.UnknownBase != nil {
			return &value.Unknown{Cause: i.Class.UnknownBase}
		}
	}
	return nil
}

// Record appends the node to the typed graph. Results that the rule made (Outs) are the outputs. A
// call without any leaves no node.
func (c *Call) Record(inPlace bool) {
	if len(c.Outs) == 0 {
		return
	}
	n := &graph.Node{At: c.Th.Here(), Module: c.Th.ModulePath()}
	c.Op.Describe(n, c.Name)
	n.Args = make([]graph.Arg, len(c.Args))
	for i, a := range c.Args {
		// Numbers that are symbols are told from tensors.
		n.Args[i] = graph.Arg{Name: c.Sig.Params[i].Name, Value: Operand(c.P, a)}
		switch value.Plain(a).(type) {
		case *value.SymFloat, *value.SymInt, *value.SymBool:
			n.Args[i].Number = true
		}
	}
	n.Outputs = make([]*graph.Value, len(c.Outs))
	for i, o := range c.Outs {
		n.Outputs[i] = o.V
	}
	c.Th.Graph().Emit(n)
}

// mutate makes the result v the new contents of t. The result's shape must be the old one, unless
// the function may change it, and its dtype must convert to the old one. what is not used by the
// checks.
func (c *Call) mutate(t *value.Tensor, v value.Value, what string) (value.Value, error) {
	r, ok := v.(*value.Tensor)
	if !ok { // Apply forgets what t holds
		c.Outs = nil
		return v, nil
	}
	// An expanded tensor cannot be written to.
	if !c.Op.Repeats && repeats(t) {
		c.Errorf("RuntimeError", diag.BadValue,
			"%s(): several elements of the tensor that is written to are one place in memory: clone it first: %s", c.Short(), t)
		return nil, c.err
	}
	have, want := t.Type(), r.Type()
	if !c.Op.Reshapes && have.Ranked && want.Ranked {
		if len(have.Shape) != len(want.Shape) || !c.SameSizes(have.Shape, want.Shape) {
			c.Shapef("%s() writes a result of shape %s into a tensor of shape %s", c.Short(), want.Shape, have.Shape)
			return nil, c.err
		}
	}
	if have.DType != dtype.Unknown && want.DType != dtype.Unknown && !dtype.CanCast(want.DType, have.DType) {
		c.Errorf("RuntimeError", diag.DTypeMismatch, "%s() gives %s, which cannot be written into a tensor of %s", c.Short(), want.DType,
			have.DType)
		return nil, c.err
	}
	ty := *have
	if c.Op.Reshapes {
		ty = *want
	}
	c.Redefine(t, r, ty)
	return t, nil
}

// Redefine makes the result r the new value of t, of type ty: the node defines
// that value instead of r's. Where the dtype of t is another one, the node notes in which it
// computed.
func (c *Call) Redefine(t, r *value.Tensor, ty graph.TensorType) {
	nv := c.Th.Graph().NewValue(graph.TensorKind, ty, c.Th.Here())
	if r.V.Def != nil {
		for i, o := range r.V.Def.Outputs {
			if o == r.V {
				d := r.V.Def
				d.Outputs[i], nv.Def = nv, d
				if computed := r.Type().DType; computed != ty.DType && computed != dtype.Unknown {
					if d.Computed == nil {
						d.Computed = make([]dtype.DType, len(d.Outputs))
					}
					d.Computed[i] = computed
				}
			}
		}
	}
	elems := r.Contents()
	if elems != nil && ty.DType != r.Type().DType {
		elems = c.CastElems(ty.DType, elems)
	}
	t.Mutate(c.Th.Heap(), nv, elems)
}

// repeats reports whether several elements of t are surely one place in memory,
// so that t cannot be written to. Strides that are not known count as no repetition.
func repeats(t *value.Tensor) bool { return Repeating(t.Type()) }

// Repeating reports whether several elements of a tensor of the type are surely one
// place in memory.
func Repeating(ty *graph.TensorType) bool {
	for i, s := range ty.Strides {
		if n, ok := ty.Shape[i].Expr.Const(); ok && n > 1 && s.IsConst(0) {
			return true
		}
	}
	return false
}

// SameSizes makes it a condition that two shapes of one rank are equal, and is false
// where they cannot be. Sizes that are symbols are compared as conditions.
func (c *Call) SameSizes(a, b symshape.Shape) bool {
	for i := range a {
		if _, ok := c.Same(a[i], b[i]); !ok {
			return false
		}
	}
	return true
}

// writeOut implements out=: the tensor is resized to the result. The dtype must convert to that of
// out, exactly for some functions. Several results need as many tensors in a tuple. An error is a
// fault of these.
func (c *Call) writeOut(out, v value.Value) (value.Value, error) {
	if err := c.Th.Enter(""); err != nil {
		return nil, err
	}
	defer c.Th.Leave()
	switch v := v.(type) {
	case *value.Tensor:
		t, ok := out.(*value.Tensor)
		if !ok {
			return nil, c.Th.Fail("TypeError", diag.New(diag.TypeMismatch, c.Th.Here(),
				fmt.Sprintf("%s(): argument 'out' must be a Tensor, not %s", c.Short(), TypeName(out)), TypeName(out)))
		}
		have, want := t.Type().DType, v.Type().DType
		if have != dtype.Unknown && want != dtype.Unknown && (!dtype.CanCast(want, have) || (c.Op.ExactOut || c.ExactOut) && !c.CastOut &&
			have != want) {
			return nil, c.Th.Fail("RuntimeError", diag.New(diag.DTypeMismatch, c.Th.Here(),
				c.Short()+"(): result type "+want.String()+" cannot be cast to the dtype of out, "+have.String()))
		}
		if repeats(t) && SameShape(t.Type().Shape, v.Type().Shape) {
			return nil, c.Th.Fail("RuntimeError", diag.New(diag.BadValue, c.Th.Here(),
				c.Short()+"(): several elements of out are one place in memory: clone it first"))
		}
		ty := *v.Type()
		ty.DType = have
		if old := t.Type(); old.Ranked && SameShape(old.Shape, ty.Shape) { // written where it is
			ty.Strides = old.Strides
		} else if ty.Ranked && len(ty.Shape) > 1 && (old.Strides != nil && !differ(old.Shape, ty.Shape) || c.Op.Has(ByColumns)) {
			ty.Strides = make([]*symshape.Expr, len(ty.Shape)) // column-major after a factorisation, or not resized
		}
		c.Redefine(t, v, ty)
		return t, nil
	case *value.Tuple:
		outs, ok := out.(*value.Tuple)
		if l, isList := out.(*value.List); isList {
			outs, ok = value.NewTuple(l.Elems...), true
		}
		if !ok || len(outs.Elems) != len(v.Elems) {
			return nil, c.Th.Fail("TypeError", diag.New(diag.TypeMismatch, c.Th.Here(), c.Short()+"(): argument 'out' must be a tuple of Tensors"))
		}
		res := &value.Tuple{Class: v.Class, Elems: make([]value.Value, len(v.Elems))}
		for i := range v.Elems {
			r, err := c.writeOut(outs.Elems[i], v.Elems[i])
			if err != nil {
				return nil, err
			}
			res.Elems[i] = r
		}
		return res, nil
	}
	return v, nil
}

// differ reports whether two shapes are surely not the same. Only sizes that are known in the
// example can differ.
func differ(a, b symshape.Shape) bool {
	if len(a) != len(b) {
		return true
	}
	for i := range a {
		x, ok1 := DimVal(a[i])
		y, ok2 := DimVal(b[i])
		if ok1 && ok2 && x != y {
			return true
		}
	}
	return false
}

// OutMismatch records that out= has another dtype than the result must have. It is true, so that it
// can stand in a condition.
func (c *Call) OutMismatch(d dtype.DType) bool {
	c.Errorf("RuntimeError", diag.DTypeMismatch, "%s(): out must have dtype %s, but has %s", c.Short(), d, c.OutDType)
	return true
}
