package infer

// This file finds the assignment that gave a name a value of the wrong type.
//
// It also finds the calls that told a layer its sizes.

import (
	"strings"

	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/internal/source"
	"shapecheck/parser/ast"
	"shapecheck/parser/resolve"
)

// noteOrigin adds to a fault about a value's type the statement that assigned the value, where
// a name in the expression has it and one statement is certain to have given it.
func (in *Interp) noteOrigin(f *frame, d *diag.Diagnostic) {
	if d.Code != diag.TypeMismatch && d.Code != diag.UnknownAttribute || len(d.Related) > 0 || in.files.File(d.At.Start) != f.unit.file {
		return
	}
	body := f.unit.tree.Body
	if f.code != nil && f.code.body != nil {
		body = f.code.body
	}
	for _, s := range body {
		if s.Span().Start > d.At.Start || s.Span().End < d.At.End {
			continue
		}
		ast.Inspect(s, func(n ast.Node) bool {
			x, ok := n.(*ast.Name)
			if !ok || x.Ctx != ast.Load || len(d.Related) > 0 || x.Span().Start < d.At.Start || x.Span().End > d.At.End {
				return true
			}
			v := heldNames(f, x)
			if v == nil || d.Fact.Type != ops.TypeName(v) {
				return true
			}
			if at := assignedAt(body, x.ID, d.At); at.IsValid() {
				d.Related = append(d.Related, diag.Related{At: at, Msg: x.ID + " is assigned here"})
			}
			return true
		})
	}
}

// heldNames is the value that a name has in a frame, nil where it is none of an assignment there.
func heldNames(f *frame, n *ast.Name) value.Value {
	switch b := f.unit.info.Names[n.Index]; {
	case b.Kind == resolve.Local:
		if f.code == nil || f.code.body == nil || int(b.Slot) >= len(f.V) { // a variable of a function that ended by an exception
			return nil
		}
		return f.V[b.Slot]
	case f.code == nil || f.code.body == nil:
		v, _ := f.globals.Attrs.Get(n.ID)
		return v
	}
	return nil
}

// A binding is a statement that binds a name, with the loops around it.
type binding struct {
	at     source.Span
	loops  []ast.Stmt
	unsure bool // it may not run, or is no plain statement
}

// assignedAt gives the statement that certainly gave a name its value at a place of a
// function's body: the last one before it, under no condition, unless a later one of a loop
// around the place may have come before.
func assignedAt(body []ast.Stmt, name string, here source.Span) source.Span {
	var all []binding
	var around []ast.Stmt // the loops around the place
	var visit func(n ast.Node, s ast.Stmt, loops []ast.Stmt, unsure bool)
	visit = func(n ast.Node, s ast.Stmt, loops []ast.Stmt, unsure bool) {
		switch x := n.(type) {
		case *ast.FunctionDef, *ast.ClassDef, *ast.Lambda, *ast.ListComp, *ast.SetComp, *ast.DictComp, *ast.GeneratorExp:
			return
		case *ast.Name:
			if x.ID == name && x.Ctx != ast.Load {
				at := s.Span()
				_, plain := s.(*ast.Assign)
				all = append(all, binding{at, loops, unsure || !plain})
			}
			return
		case *ast.For, *ast.While:
			s = x.(ast.Stmt)
			loops = append(loops[:len(loops):len(loops)], s)
			if s.Span().Start <= here.Start && here.End <= s.Span().End {
				around = loops
			}
		case ast.Stmt:
			s = x
			switch x.(type) {
			case *ast.If, *ast.Try, *ast.Match:
				unsure = true
			}
		}
		ast.Children(n, func(c ast.Node) { visit(c, s, loops, unsure) })
	}
	for _, s := range body {
		visit(s, s, nil, false)
	}
	var last *binding
	for i := range all {
		if all[i].at.End <= here.Start {
			last = &all[i]
		}
	}
	if last == nil || last.unsure || len(last.loops) > len(around) {
		return source.Span{}
	}
	for i, l := range last.loops {
		if around[i] != l {
			return source.Span{}
		}
	}
	for _, b := range all { // in a loop that the assignment is not in
		if b.at != last.at && len(around) > len(last.loops) && b.at.Start >= around[len(last.loops)].Span().Start &&
			b.at.End <= around[len(last.loops)].Span().End {
			return source.Span{}
		}
	}
	return last.at
}

// maxSizeCalls bounds the calls that are kept of a parameter.
const maxSizeCalls = 2

// callsOfSizes are the calls around the one that makes a parameter, from which its sizes
// come: of nn.Conv2d(i, o, 3) in a function block(i, o) that of block(3, 16). A call that
// writes its arguments out needs none around it.
func (na *natives) callsOfSizes() []source.Span {
	var out []source.Span
	last := source.Span{}
	for f := na.in.stack.frame; f != nil && len(out) < maxSizeCalls; f = f.caller {
		if f.prelude || !f.at.IsValid() {
			continue
		}
		if last.IsValid() {
			out = append(out, f.at)
		}
		if last = f.at; !namesArguments(na.in.SpanText(f.at)) {
			break
		}
	}
	return out
}

// namesArguments reports whether the arguments of a call name what is not a constant by the
// case of its letters.
func namesArguments(call string) bool {
	i := strings.IndexByte(call, '(')
	if i < 0 {
		return false
	}
	for i < len(call) {
		start := i
		for i < len(call) && isNamePart(call[i]) {
			i++
		}
		if start == i {
			if q := call[i]; q == '"' || q == '\'' {
				i += 1 + max(0, strings.IndexByte(call[i+1:], q))
			}
			i++
			continue
		}
		word, rest := call[start:i], strings.TrimLeft(call[i:], " ")
		keyword := strings.HasPrefix(rest, "=") && !strings.HasPrefix(rest, "==")
		number := word[0] >= '0' && word[0] <= '9'
		if !number && word != strings.ToUpper(word) && word != "True" && word != "False" && word != "None" && !keyword &&
			!strings.HasPrefix(rest, "(") {
			return true
		}
	}
	return false
}

func isNamePart(c byte) bool {
	return c == '_' || c >= 0x80 || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
