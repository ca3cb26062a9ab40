package text

// This file reads the constants of a file: the values of the names that calls give to constructors, and those whose names are
// parameters' in capital letters.

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"shapecheck/internal/source"
	"shapecheck/parser/ast"
)

// A scope is the names that a module or a function binds, and those of their values that are literals; the others are nil.
type scope struct {
	span  source.Span
	names map[string]ast.Expr
}

// scopes are those of the file: the module's, which has the names of its block for __name__ == "__main__", too, and those of its functions
// and methods, the inner ones last.
func (f *File) scopes() []scope {
	if f.bound != nil {
		return f.bound
	}
	f.bound = []scope{{span: f.tree.Span(), names: map[string]ast.Expr{}}}
	f.bind(0, f.tree)
	return f.bound
}

// bind notes what the code of a scope binds.
func (f *File) bind(at int, of ast.Node) {
	names := f.bound[at].names
	once := func(target, value ast.Expr) {
		name, ok := target.(*ast.Name)
		if !ok {
			return
		}
		if _, again := names[name.ID]; again || isEmpty(value) { // what is empty is filled where it is handed on
			value = nil
		}
		names[name.ID] = value
	}
	// changes forgets a list, a dict or a set that what follows may change.
	changes := func(e ast.Expr) {
		if n, ok := e.(*ast.Name); ok && isContainer(names[n.ID]) {
			names[n.ID] = nil
		}
	}
	told := map[ast.Node]bool{} // targets whose values are known
	ast.Inspect(of, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FunctionDef:
			if n == of {
				return true
			}
			f.bound = append(f.bound, scope{span: n.Span(), names: map[string]ast.Expr{}})
			inner := len(f.bound) - 1
			for _, p := range allParams(n.Params) {
				f.bound[inner].names[p.Name] = p.Default
			}
			f.bind(inner, n)
			return false
		case *ast.ClassDef: // its names are no variables of its methods
			for _, s := range n.Body {
				if def, ok := s.(*ast.FunctionDef); ok {
					f.bind(at, &ast.Module{Body: []ast.Stmt{def}})
				}
			}
			return false
		case *ast.Assign:
			changes(n.Value) // under another name
			for _, target := range n.Targets {
				to, pairs := target.(*ast.Tuple)
				values, many := n.Value.(*ast.Tuple)
				switch {
				case !pairs:
					once(target, n.Value)
					told[target] = true
				case many && len(to.Elts) == len(values.Elts):
					for i, e := range to.Elts {
						once(e, values.Elts[i])
						told[e] = true
					}
				}
			}
		case *ast.AnnAssign:
			once(n.Target, n.Value)
			told[n.Target] = true
		case *ast.Name:
			if n.Ctx == ast.Store && !told[n] {
				names[n.ID] = nil
			}
		case *ast.Attribute: // a method may fill it
			changes(n.Value)
		case *ast.Subscript:
			if n.Ctx != ast.Load {
				changes(n.Value)
			}
		case *ast.Call: // so may a function; a class keeps what it is given
			if name := lastName(n.Func); name != "" && unicode.IsLower([]rune(name)[0]) {
				for _, arg := range n.Args {
					changes(arg)
				}
			}
		}
		return true
	})
}

// isEmpty reports whether an expression makes a list or a dict without elements.
func isEmpty(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.List:
		return len(e.Elts) == 0
	case *ast.Dict:
		return len(e.Values) == 0
	}
	return false
}

// isContainer reports whether an expression makes a list, a dict or a set, which other statements may fill.
func isContainer(e ast.Expr) bool {
	switch e.(type) {
	case *ast.List, *ast.Dict, *ast.Set:
		return true
	}
	return false
}

// allParams are the parameters of a function, of all kinds.
func allParams(p *ast.Params) []*ast.Param {
	var out []*ast.Param
	out = append(append(append(out, p.PosOnly...), p.Args...), p.KwOnly...)
	for _, x := range [...]*ast.Param{p.VarArg, p.KwArg} {
		if x != nil {
			out = append(out, x)
		}
	}
	return out
}

// maxNested bounds the constants of constants that are followed.
const maxNested = 4

// meaning is the value that a name has at a place; nil where that is not known, or where it is bound again.
func (f *File) meaning(n *ast.Name) ast.Expr {
	list := f.scopes()
	at := n.Span().Start
	for i, s := range slices.Backward(list) {
		if at < s.span.Start || at > s.span.End {
			continue
		}
		if value, bound := s.names[n.ID]; bound || i == 0 {
			return value
		}
	}
	return nil
}

// resolved is the text of an expression that is a literal, constants of the file in the place of their names; empty for others.
func (f *File) resolved(e ast.Expr, depth int) string {
	if n, ok := f.computed(e, depth); ok {
		return strconv.FormatInt(n, 10)
	}
	if n, ok := e.(*ast.Name); ok {
		if value := f.meaning(n); value != nil && depth > 0 {
			return f.resolved(value, depth-1)
		}
		return ""
	}
	var out strings.Builder
	from, ok := e.Span().Start, true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Name:
			value := f.meaning(n)
			if ok = ok && value != nil && depth > 0; !ok {
				return false
			}
			text := f.resolved(value, depth-1)
			if ok = text != ""; !ok {
				return false
			}
			if !number.MatchString(text) {
				text = "(" + text + ")"
			}
			out.WriteString(f.Source.Slice(source.Span{Start: from, End: n.Span().Start}))
			out.WriteString(text)
			from = n.Span().End
		case *ast.Constant:
			ok = ok && n.Kind != ast.NoneConst // a default for what the code chooses itself
		case *ast.List, *ast.Tuple, *ast.UnaryOp, *ast.BinOp:
		default:
			ok = false
		}
		return ok
	})
	if !ok {
		return ""
	}
	out.WriteString(f.Source.Slice(source.Span{Start: from, End: e.Span().End}))
	text := out.String()
	if strings.ContainsAny(text, "\n#") {
		return ""
	}
	return text
}

// calledWith is the value that a call gives a parameter by an argument: a literal, or constants of the file where all that it gives is
// known.
func (f *File) calledWith(call *ast.Call, arg ast.Expr) string {
	if text := f.fixedText(arg, true); text != "" {
		return text
	}
	for _, a := range call.Args {
		if f.fixedText(a, true) == "" && f.resolved(a, maxNested) == "" {
			return ""
		}
	}
	for _, k := range call.Keywords {
		if f.fixedText(k.Value, true) == "" && f.resolved(k.Value, maxNested) == "" {
			return ""
		}
	}
	return f.resolved(arg, maxNested)
}

// named is the number of the only constant of the module whose name is that of a parameter but for capital letters; empty where there is
// none, or where another class of the file makes the class, which gives it what it takes.
func (f *File) named(class string, p Param) string {
	for _, m := range f.Models {
		if m.Name == class && m.Used {
			return ""
		}
	}
	found := ""
	for name, value := range f.scopes()[0].names {
		if !strings.EqualFold(name, strings.TrimLeft(p.Name, "_")) || value == nil {
			continue
		}
		if found != "" {
			return ""
		}
		n, ok := f.computed(value, maxNested)
		if !ok {
			return ""
		}
		found = strconv.FormatInt(n, 10)
	}
	if !number.MatchString(found) || !fits(found, p.Annotation) {
		return ""
	}
	return found
}

// computed is the integer that an expression of constants of the file is.
func (f *File) computed(e ast.Expr, depth int) (int64, bool) {
	switch e := e.(type) {
	case *ast.Constant:
		return e.Int, e.Kind == ast.IntConst && e.Big == nil
	case *ast.Name:
		value := f.meaning(e)
		if value == nil || depth == 0 {
			return 0, false
		}
		return f.computed(value, depth-1)
	case *ast.BinOp:
		a, ok1 := f.computed(e.Left, depth)
		b, ok2 := f.computed(e.Right, depth)
		if !ok1 || !ok2 || max(a, b) > maxComputed || min(a, b) < -maxComputed {
			return 0, false
		}
		switch e.Op {
		case ast.Add:
			return a + b, true
		case ast.Sub:
			return a - b, true
		case ast.Mult:
			return a * b, true
		case ast.FloorDiv:
			return a / max(b, 1), a >= 0 && b > 0
		}
	}
	return 0, false
}

// maxComputed bounds the numbers that are computed with.
const maxComputed = 1 << 30

// namedCall is the call of a class that gives each parameter which needs an argument the constant with its name; empty where one has none.
func (f *File) namedCall(class string) string {
	c := f.classes[class]
	if c == nil {
		return ""
	}
	init := method(c, "__init__")
	if init == nil || init.Params == nil {
		return ""
	}
	var args []string
	for i, p := range slices.Concat(init.Params.PosOnly, init.Params.Args, init.Params.KwOnly) {
		if i == 0 || p.Default != nil {
			continue
		}
		annotation := ""
		if p.Annotation != nil {
			annotation = Plain(f.Source.Slice(p.Annotation.Span()))
		}
		v := f.named(class, Param{Name: p.Name, Annotation: annotation})
		if v == "" || i < len(init.Params.PosOnly) {
			return ""
		}
		args = append(args, p.Name+"="+v)
	}
	if len(args) == 0 {
		return ""
	}
	return class + "(" + strings.Join(args, ", ") + ")"
}
