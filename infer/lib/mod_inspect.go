package lib

// This file defines the native part of inspect: what a callable's parameters
// are. Signature and Parameter are in py/inspect.py. Libraries use inspect mainly to see which
// keywords a function takes. The answers are exact for functions of the program, and for builtins
// whose parameters are known.

import (
	"strconv"
	"strings"

	"shapecheck/infer/value"
	"shapecheck/parser/ast"
)

// inspectModule defines the parts of inspect that look at functions and classes; Signature is Python of the
// prelude on top of _parameters. Frames and the stack are not known.
func inspectModule(m *mod) {
	// _parameters lists the parameters of a function as (name, kind, default or
	// missing); None for what has none that are told.
	m.def("_parameters(func, missing, /)", func(th value.Thread, a []value.Value) (value.Value, error) {
		if b, ok := a[0].(*value.Builtin); ok && b.Params != nil {
			list := make([]value.Value, len(b.Params))
			for i, p := range b.Params {
				list[i] = value.NewTuple(value.Str(p.Name), value.Int(p.Kind), or(p.Default, a[1]))
			}
			return th.Heap().NewList(list), nil
		} else if ok {
			return builtinParams(th, b, a[1]), nil
		}
		f, ok := a[0].(*value.Func)
		if !ok || f.Params == nil {
			return value.None, nil
		}
		return th.Heap().NewList(funcParams(f, a[1])), nil
	})
	// _annotated says whether the annotations of a function are known.
	m.def("_annotated(func, /)", func(th value.Thread, a []value.Value) (value.Value, error) {
		b, ok := a[0].(*value.Builtin)
		return value.Bool(!ok || b.Params != nil || annotationsOf(th, b) != nil), nil
	})
	m.def("_unbind(method, /)", func(th value.Thread, a []value.Value) (value.Value, error) {
		if b, ok := a[0].(*value.BoundMethod); ok {
			return value.NewTuple(b.Func, b.Self), nil
		}
		return value.None, nil
	})
	// Functions of the prelude have another source than the real ones, so theirs is unknown.
	m.def("getsource(object, /)", func(th value.Thread, a []value.Value) (value.Value, error) {
		if text, ok := sourceOf(a[0]); ok {
			return value.Str(text), nil
		}
		return th.Unknown("the program's own source"), nil
	})
	// Each test is true or false for a value that is known.
	kind := func(name string, is func(v value.Value) bool) {
		m.def(name+"(object, /)", func(th value.Thread, a []value.Value) (value.Value, error) {
			if value.IsUnknown(a[0]) {
				return a[0], nil
			}
			return value.Bool(is(a[0])), nil
		})
	}
	kind("isclass", func(v value.Value) bool { _, ok := v.(*value.Class); return ok })
	kind("isfunction", isFunction)
	kind("ismethod", func(v value.Value) bool {
		b, ok := v.(*value.BoundMethod)
		return ok && isFunction(b.Func)
	})
	kind("isbuiltin", func(v value.Value) bool { b, ok := v.(*value.Builtin); return ok && !b.IsPython() })
	kind("isroutine", func(v value.Value) bool {
		switch v.(type) {
		case *value.Func, *value.Builtin, *value.BoundMethod:
			return true
		}
		return false
	})
	kind("ismodule", func(v value.Value) bool { _, ok := v.(*value.Module); return ok })
	kind("isgenerator", func(v value.Value) bool {
		i, ok := v.(*value.Iterator)
		return ok && i.Name == "generator"
	})
	kind("iscoroutinefunction", func(v value.Value) bool {
		f, ok := v.(*value.Func)
		if !ok {
			return false
		}
		d, ok := f.Node.(*ast.FunctionDef)
		return ok && d.Async
	})
	// Coroutines are not modelled as values.
	kind("iscoroutine", func(v value.Value) bool { return false })
	kind("isawaitable", func(v value.Value) bool { return false })
	// A class is abstract if a method that is marked as such is the one that it would call.
	kind("isabstract", func(v value.Value) bool {
		c, ok := v.(*value.Class)
		if !ok || c.Meta == nil {
			return false
		}
		for _, k := range c.MRO {
			for i := range k.Attrs.Len() {
				attr := k.Attrs.At(i)
				if p, ok := attr.(*value.Property); ok {
					attr = p.Get
				}
				f, ok := attr.(*value.Func)
				if !ok || f.Attrs == nil {
					continue
				}
				if v, ok := f.Attrs.Get("__isabstractmethod__"); !ok || v != value.Value(value.Bool(true)) {
					continue
				}
				if v, _ := c.Lookup(k.Attrs.Name(i)); v == k.Attrs.At(i) {
					return true
				}
			}
		}
		return false
	})
	kind("isdatadescriptor", func(v value.Value) bool { _, ok := v.(*value.Property); return ok })
	kind("istraceback", func(v value.Value) bool { return false })
	kind("isframe", func(v value.Value) bool { return false })
	kind("iscode", func(v value.Value) bool { return false })
	// What depends on frames or on source lines is unknown.
	for _, name := range []string{"currentframe", "stack", "getsourcelines", "getframeinfo", "trace", "getouterframes", "getinnerframes",
		"getcallargs", "isgeneratorfunction"} {
		m.fn(name, func(th value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) {
			return th.Unknown("the program's own source"), nil
		})
	}
}

// The kinds of parameters, with CPython's values.
const (
	posOnlyParam = iota
	posParam
	starParam
	kwOnlyParam
	kwParam
)

// isFunction reports whether a value is a function of Python, in the program or in a library.
func isFunction(v value.Value) bool {
	b, ok := v.(*value.Builtin)
	if !ok {
		_, ok = v.(*value.Func)
		return ok
	}
	return b.IsPython()
}

// builtinParams gives a tuple for each parameter of a function of a library: None where inspect finds no signature, and something
// unknown where it is not known whether it does.
func builtinParams(th value.Thread, b *value.Builtin, missing value.Value) value.Value {
	switch {
	case b.Object == nil:
		return th.Unknown("the signature of " + b.Name)
	case b.Object.Signature == "":
		return value.None
	}
	params := paramsOf(th, b.Object.Signature)
	list := make([]value.Value, len(params))
	for i, p := range params {
		list[i] = value.NewTuple(value.Str(p.Name), value.Int(p.Kind), or(p.Default, missing))
	}
	return th.Heap().NewList(list)
}

// annotationsOf are the annotations of a function of a library; nil where they are not known. Only PyTorch has some.
func annotationsOf(th value.Thread, b *value.Builtin) *value.Dict {
	if b.Object == nil || b.IsPython() && strings.HasPrefix(b.Object.Module, "torch") {
		return nil
	}
	return th.Heap().NewDict()
}

// paramsOf reads a signature that inspect wrote. A default that is no literal is unknown.
func paramsOf(th value.Thread, signature string) []value.Param {
	var out []value.Param
	kind := posParam
	for _, s := range splitTop(strings.TrimSuffix(strings.TrimPrefix(signature, "("), ")")) {
		name, def, has := strings.Cut(s, "=")
		switch {
		case s == "/":
			for i := range out {
				out[i].Kind = posOnlyParam
			}
			continue
		case s == "*":
			kind = kwOnlyParam
			continue
		case strings.HasPrefix(name, "**"):
			out = append(out, value.Param{Name: name[2:], Kind: kwParam})
			continue
		case name[0] == '*':
			out = append(out, value.Param{Name: name[1:], Kind: starParam})
			kind = kwOnlyParam
			continue
		}
		p := value.Param{Name: name, Kind: kind}
		if has {
			p.Default = literal(th, def)
		}
		out = append(out, p)
	}
	return out
}

// splitTop cuts a text at the commas that are in no brackets and in no quotes.
func splitTop(text string) []string {
	var out []string
	depth, quoted, from := 0, false, 0
	for i, c := range text {
		switch {
		case c == '\'':
			quoted = !quoted
		case quoted:
		case c == '(' || c == '[':
			depth++
		case c == ')' || c == ']':
			depth--
		case c == ',' && depth == 0:
			out = append(out, strings.TrimSpace(text[from:i]))
			from = i + 1
		}
	}
	if rest := strings.TrimSpace(text[from:]); rest != "" {
		out = append(out, rest)
	}
	return out
}

// noValue is how NumPy prints the default of a parameter that has none.
const noValue = "<no value>"

// literal is the value of a literal of Python: None, a truth value, a number, a text without escapes or a tuple of such.
func literal(th value.Thread, text string) value.Value {
	switch {
	case text == "None":
		return value.None
	case text == "True" || text == "False":
		return value.Bool(text == "True")
	case text == noValue:
		return value.Constant{Name: noValue}
	case strings.HasPrefix(text, "'"):
		return value.Str(strings.Trim(text, "'"))
	case strings.HasPrefix(text, "("):
		var elems []value.Value
		for _, s := range splitTop(text[1 : len(text)-1]) {
			elems = append(elems, literal(th, s))
		}
		return value.NewTuple(elems...)
	}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return value.Int(n)
	}
	if x, err := strconv.ParseFloat(text, 64); err == nil {
		return value.Float(x)
	}
	return th.Unknown("the default of a parameter")
}

// A tuple for each parameter, in the order of the signature.
func funcParams(f *value.Func, missing value.Value) []value.Value {
	var out []value.Value
	add := func(p *ast.Param, kind int, def value.Value) {
		if p != nil {
			out = append(out, value.NewTuple(value.Str(p.Name), value.Int(kind), or(def, missing)))
		}
	}
	// Defaults belong to the last positional parameters.
	n := len(f.Params.PosOnly) + len(f.Params.Args)
	def := func(i int) value.Value {
		if j := i - (n - len(f.Defaults)); j >= 0 {
			return f.Defaults[j]
		}
		return nil
	}
	for i, p := range f.Params.PosOnly {
		add(p, posOnlyParam, def(i))
	}
	for i, p := range f.Params.Args {
		add(p, posParam, def(len(f.Params.PosOnly)+i))
	}
	// *args stands before the keyword-only ones.
	add(f.Params.VarArg, starParam, nil)
	for i, p := range f.Params.KwOnly {
		var d value.Value
		if i < len(f.KwDefaults) {
			d = f.KwDefaults[i]
		}
		add(p, kwOnlyParam, d)
	}
	add(f.Params.KwArg, kwParam, nil)
	return out
}

// sourceOf gives the source of a module, or the lines of a function. The text begins with the first
// decorator and has whole lines. The second result is false where the source is none of the
// program's.
func sourceOf(v value.Value) (string, bool) {
	switch v := v.(type) {
	case *value.Module:
		if v.File != nil && !v.Prelude {
			return v.File.Text(), true
		}
	case *value.BoundMethod:
		return sourceOf(v.Func)
	case *value.Func:
		if v.Module == nil || v.Module.File == nil || v.Module.Prelude {
			return "", false
		}
		file, def := v.Module.File, v.Definition()
		at := def.Span()
		if d, ok := def.(*ast.FunctionDef); ok && len(d.Decorators) > 0 {
			at.Start = d.Decorators[0].Span().Start
		}
		text := file.Text()
		start, end := file.Offset(at.Start), file.Offset(at.End)
		start = strings.LastIndexByte(text[:start], '\n') + 1
		if i := strings.IndexByte(text[end:], '\n'); i >= 0 {
			end += i + 1
		} else {
			end = len(text)
		}
		return text[start:end], true
	}
	return "", false
}
