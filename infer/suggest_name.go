package infer

// This file proposes names: of arguments and of attributes.

import (
	"strings"

	"shapecheck/infer/ops/catalog"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/internal/source"
	"shapecheck/parser/ast"
)

// keywords proposes the closest parameter for an argument whose name the callee
// does not know.
func (s *site) keywords(fn value.Value) []advice {
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
		better := suggest(n, free)
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
			return s.in.Call(s.callee, args, kw)
		}
		out = append(out, a)
	}
	return out
}

// paramNames lists the parameters of a callable, and says whether it is a library's.
func paramNames(fn value.Value) (names []string, library bool) {
	switch fn := fn.(type) {
	case *value.Func:
		p := fn.Params
		for _, list := range [][]*ast.Param{p.Args, p.KwOnly} {
			for _, x := range list {
				names = append(names, x.Name)
			}
		}
		return names, fn.Module != nil && fn.Module.Prelude
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
				names, library = paramNames(f)
				if len(names) > 0 {
					names = names[1:]
				}
			}
		}
	}
	return names, library
}

// meant is the fix that writes another name for one that stands last at a place.
// Without that text there it has no edits.
func (in *Interp) meant(better, name string, at source.Span, safe bool) diag.Fix {
	f := diag.Fix{Title: "did you mean " + better + "?"}
	if at := in.lastWord(at, name); at.IsValid() {
		f.Edits, f.Safe = []diag.Edit{{At: at, NewText: better}}, safe
	}
	return f
}

// lastWord is the place of a word at the end of a span, or none.
func (in *Interp) lastWord(at source.Span, word string) source.Span {
	if f := in.files.File(at.Start); f == nil || f.Prelude || !strings.HasSuffix(f.Slice(at), word) {
		return source.Span{}
	}
	return source.Span{Start: at.End - source.Pos(len(word)), End: at.End}
}

// inTuple proposes the first element of a tuple, when that has the attribute.
func (in *Interp) inTuple(v value.Value, name string, at source.Span) (diag.Fix, bool) {
	t, ok := v.(*value.Tuple)
	if !ok || len(t.Elems) == 0 {
		return diag.Fix{}, false
	}
	if _, ok := t.Elems[0].(*value.Tensor); !ok || !in.works(func() (value.Value, error) { return in.GetAttr(t.Elems[0], name) }) {
		return diag.Fix{}, false
	}
	f := diag.Fix{Title: "the first element of the tuple has it: [0] is missing"}
	if word := in.lastWord(at, name); word.IsValid() {
		if before, ok := strings.CutSuffix(in.SpanText(source.Span{Start: at.Start, End: word.Start}), "."); ok && strings.TrimRight(before, " \t\r\n") == before {
			f.Edits = []diag.Edit{insert(word.Start-1, "[0]")}
		}
	}
	return f, true
}
