package advice

// This file proposes names: of arguments and of attributes.

import (
	"shapecheck/infer/ops/catalog"
	"shapecheck/infer/value"
	"shapecheck/internal/closest"
	"shapecheck/internal/diag"
	"shapecheck/parser/ast"
)

// keywords proposes the closest parameter for an argument whose name the callee
// does not know. A parameter that the call has already is none of the candidates. The call is tried
// with the new name, and the edit of the source is safe where the function is a library's, whose
// parameters are known to be right; a function of the program may lack a parameter instead. A name
// that comes from ** of a mapping gets an advice without an edit.
func (s *Site) keywords(fn value.Value) []advice {
	call, ok := s.node.(*ast.Call)
	if !ok {
		return nil
	}
	names, library := paramNames(fn)
	given := map[string]bool{}
	known := map[string]bool{}
	for _, n := range names {
		known[n] = true
	}
	var free []string
	for _, n := range s.names {
		given[n] = true
	}
	for _, n := range names {
		if !given[n] {
			free = append(free, n)
		}
	}
	var out []advice
	for i, n := range s.names {
		if known[n] {
			continue
		}
		better := closest.Identifier(n, free)
		if better == "" {
			continue
		}
		a := advice{title: "did you mean " + better + "?", safe: library}
		for _, k := range call.Keywords {
			if k.Name.Name == n {
				a.edits = []diag.Edit{{At: k.Name.Span(), NewText: better}}
			}
		}
		a.try = func() (value.Value, error) {
			args, kw := s.split(s.vals)
			kw[i].Name = better
			return s.host.Call(s.callee, args, kw)
		}
		out = append(out, a)
	}
	return out
}

// paramNamesOf lists the parameters of a function. Starred parameters take any name and are left
// out; library says that it stands in a stub.
func paramNamesOf(fn *value.Func) (names []string, library bool) {
	p := fn.Params
	for _, list := range [][]*ast.Param{p.Args, p.KwOnly} {
		for _, x := range list {
			names = append(names, x.Name)
		}
	}
	return names, fn.Module != nil && fn.Module.Prelude
}

// paramNames lists the parameters of a callable, and says whether it is a library's. Of a built-in
// function they are those of all its overloads, of a module those of forward without self, of a
// class those of its constructor. Of other callables none are known.
func paramNames(fn value.Value) (names []string, library bool) {
	switch fn := fn.(type) {
	case *value.Func:
		return paramNamesOf(fn)
	case *value.Class:
		for _, p := range constructorParams(fn) {
			names = append(names, p.name)
		}
		return names, fn.Prelude
	case *value.Builtin:
		if op, ok := catalog.Lookup(fn.Name); ok {
			for _, sig := range op.Signatures() {
				for _, p := range sig.Params {
					names = append(names, p.Name)
				}
			}
			return names, true
		}
	case *value.Instance:
		if m, ok := fn.Class.Lookup("forward"); ok {
			if f, ok := m.(*value.Func); ok {
				names, library = paramNamesOf(f)
				if len(names) > 0 {
					names = names[1:]
				}
			}
		}
	}
	return names, library
}
