package infer

// This file makes numbers of the entry's expression symbols: those that are written as ?, and with Config.OpenNumbers
// all that somebody has guessed.

import (
	"fmt"
	"slices"
	"strings"

	"shapecheck/infer/value"
	"shapecheck/internal/source"
	"shapecheck/parser"
	"shapecheck/parser/ast"
	"shapecheck/symshape"
)

// holes replaces each ? of the entry's expression, Net(hidden=?, 10, ?), by a variable that is a symbol: of the name of the
// argument, or n where it has none.
func (in *Interp) holes(text string, vars map[string]value.Value) string {
	if !strings.Contains(text, "?") {
		return text
	}
	var b strings.Builder
	quote := byte(0)
	for i := range len(text) {
		switch c := text[i]; {
		case quote != 0:
			if c == quote && text[i-1] != '\\' {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '?':
			n := in.openNumber(argumentName(text[:i]))
			in.unknowns = append(in.unknowns, n.D.String())
			b.WriteString(bind(n, vars))
			continue
		}
		b.WriteByte(text[i])
	}
	return b.String()
}

// argumentName is the name before the = at the end of a text; n where there is none.
func argumentName(before string) string {
	rest, ok := strings.CutSuffix(strings.TrimRight(before, " "), "=")
	rest = strings.TrimRight(rest, " ")
	i := strings.LastIndexFunc(rest, func(r rune) bool { return r != '_' && (r < '0' || r > '9') && (r|0x20 < 'a' || r|0x20 > 'z') })
	if name := rest[i+1:]; ok && isIdentifier(name) {
		return name
	}
	return "n"
}

// bind gives a number a new variable.
func bind(n *value.SymInt, vars map[string]value.Value) string {
	v := fmt.Sprintf("__number%d", len(vars))
	vars[v] = n
	return v
}

// openNumber is a symbol, at least 1, that no other part of the call names.
func (in *Interp) openNumber(name string) *value.SymInt {
	taken := func(name string) bool {
		return in.pool.Lookup(name) != nil || slices.ContainsFunc(in.cfg.Args, func(a string) bool {
			_, text, _ := strings.Cut(a, ":")
			return strings.Contains(text, name)
		})
	}
	unique := name
	for i := 2; taken(unique); i++ {
		unique = fmt.Sprintf("%s%d", name, i)
	}
	return &value.SymInt{D: symshape.Dim{Expr: in.pool.Symbol(unique)}}
}

// entryText is the entry's expression with variables for its open numbers.
func (in *Interp) entryText(text string, vars map[string]value.Value) string {
	text = in.holes(text, vars)
	if in.cfg.OpenNumbers {
		text = in.openNumbers(text, vars)
	}
	return text
}

// openNumbers makes symbols of the positive integers among the arguments of an expression that makes the entry, and of
// those that objects made in arguments, such as Net(Config()), have as attributes.
func (in *Interp) openNumbers(text string, vars map[string]value.Value) string {
	file := source.NewFile("<entry>", text)
	tree, faults := parser.ParseExpr(file)
	if len(faults) > 0 || len(tree.Body) != 1 {
		return text
	}
	s, ok := tree.Body[0].(*ast.ExprStmt)
	if !ok {
		return text
	}
	type edit struct {
		at   int
		end  int
		text string
	}
	var edits []edit
	var visit func(c *ast.Call)
	arg := func(name string, e ast.Expr) {
		from, to := file.Offset(e.Span().Start), file.Offset(e.Span().End)
		switch e := e.(type) {
		case *ast.Constant:
			if e.Kind == ast.IntConst && e.Int > 0 {
				edits = append(edits, edit{from, to, bind(in.openNumber(name), vars)})
			}
		case *ast.Call:
			v := fmt.Sprintf("__open%d", len(vars))
			vars[v] = &value.Builtin{Name: "open", Fn: in.openAttributes}
			edits = append(edits, edit{from, from, v + "("}, edit{to, to, ")"})
			visit(e)
		}
	}
	visit = func(c *ast.Call) {
		for _, a := range c.Args {
			arg("n", a)
		}
		for _, k := range c.Keywords {
			arg(k.Name.Name, k.Value)
		}
	}
	if c, ok := s.Value.(*ast.Call); ok {
		visit(c)
	}
	slices.SortStableFunc(edits, func(a, b edit) int { return b.at - a.at })
	for _, e := range edits {
		text = text[:e.at] + e.text + text[e.end:]
	}
	return text
}

// openAttributes makes symbols of the positive integers that an object of the program has as attributes.
func (in *Interp) openAttributes(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
	x, ok := args[0].(*value.Instance)
	if !ok || x.Attrs == nil {
		return args[0], nil
	}
	for i := range x.Attrs.Len() {
		if n, ok := x.Attrs.At(i).(value.Int); ok && n > 0 {
			x.Attrs.Set(&in.heap, x.Attrs.Name(i), in.openNumber(x.Attrs.Name(i)))
		}
	}
	return x, nil
}
