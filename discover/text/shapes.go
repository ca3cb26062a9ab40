package text

// This file reads what the text of a model says of its inputs' ranks: the names that it unpacks a shape to,
// the rank that it asks for, einops' patterns, docstrings.

import (
	"regexp"
	"slices"
	"strings"

	"shapecheck/internal/lazyregexp"
	"shapecheck/parser/ast"
)

// Shape is the form of an input of a class of the file as its forward, its comments or its docstrings tell it; empty where
// they do not.
func (f *File) Shape(class, param string) Form {
	list, _ := f.ancestry(class)
	i := slices.IndexFunc(list, func(c *ast.ClassDef) bool { return forward(c) != nil })
	if i < 0 {
		return ""
	}
	c, fn := list[0], forward(list[i])
	if sizes := sizesIn(fn.Body, param); sizes != nil {
		return formOfSizes(sizes)
	}
	if sizes := f.commented(fn, param); sizes != nil {
		return formOfSizes(f.distinctSizes(fn, param, sizes))
	}
	docs := []string{docstring(fn.Body), docstring(c.Body)}
	if init := method(c, "__init__"); init != nil {
		docs = append(docs, docstring(init.Body))
	}
	for _, doc := range docs {
		if sizes := documented(doc, param); sizes != nil {
			return formOfSizes(sizes)
		}
	}
	if inputs := requiredOf(fn.Params, 1); len(inputs) == 1 && inputs[0].Name == param {
		if sizes := documented(docstring(c.Body), "[Ii]nput"); sizes != nil {
			return formOfSizes(sizes)
		}
		if forms, list := inputSection(docstring(c.Body)); len(forms) > 0 && !list {
			return forms[0]
		}
	}
	if inputs := requiredOf(fn.Params, 1); len(inputs) > 0 && inputs[0].Name == param {
		if rank := rankInFormula(docstring(c.Body)); rank > 1 {
			return formOfSizes(make([]string, rank))
		}
	}
	return ""
}

// rankInFormula is the rank that a docstring tells of the first input by the formula that comes first in its line on the input:
//
//   - **input:** node features :math:`(|\mathcal{V}|, F_{in})` or a pair, edge indices :math:`(2, |\mathcal{E}|)`
//
// It is 0 where there is none, or where the formula is one of two with other ranks.
func rankInFormula(doc string) int {
	m := inputFormula.FindStringSubmatch(doc)
	if m == nil {
		return 0
	}
	if other := m[2]; other != "" && !strings.HasPrefix(other, "((") && strings.Count(other, ",") != strings.Count(m[1], ",") {
		return 0
	}
	if rank := strings.Count(m[1], ",") + 1; rank <= maxRank {
		return rank
	}
	return 0
}

// inputFormula has the first formula of an input, and the one after it where that is another way to give it.
var inputFormula = lazyregexp.New(
	"(?m)^[ \\t]*[-*+•][ \\t]*\\*\\*[Ii]nputs?:?\\*\\*:?[\\w \\t\\n]*:math:`(\\([^()`]*\\))`(?:\\s*or\\s+[\\w \\t\\n]*:math:`([^`]*)`)?")

// elementsSaid is of how many elements a list is made of which a docstring tells the shape of an element alone.
const elementsSaid = 3

// List is the type of the one input of a class of the file that is a list of tensors, as the section of its docstring on inputs tells
// it; empty where it does not.
func (f *File) List(class, param string) string {
	c := f.classes[class]
	if c == nil {
		return ""
	}
	fn := forward(c)
	if fn == nil {
		return ""
	}
	inputs := requiredOf(fn.Params, 1)
	forms, list := inputSection(docstring(c.Body))
	if !list || len(forms) == 0 || len(inputs) != 1 || inputs[0].Name != param {
		return ""
	}
	for len(forms) < elementsSaid && forms[0] == forms[len(forms)-1] {
		forms = append(forms, forms[0])
	}
	var parts []string
	for _, form := range forms {
		parts = append(parts, string(form))
	}
	return "[" + strings.Join(parts, ",") + "]"
}

// inputSection are the forms that the section of a docstring on the one input tells in its first line, and whether they are those of the
// elements of a list.
func inputSection(doc string) (forms []Form, list bool) {
	m := sectionOfInput.FindStringSubmatch(doc)
	if m == nil {
		return nil, false
	}
	for _, text := range sizesSaid.FindAllStringSubmatch(m[1], -1) {
		sizes := strings.Split(strings.ReplaceAll(text[1], " ", ""), ",")
		if len(sizes) > maxRank || slices.ContainsFunc(sizes, func(s string) bool { return !sizeWord.MatchString(s) }) {
			return nil, false
		}
		form := formOfSizes(sizes)
		if i := slices.Index(sizes, "1"); i > 0 { // which only an axis of its own is said to be
			types := strings.Split(string(form), ",")
			types[i] = strings.Replace(types[i], strings.TrimSuffix(types[i], "]"), "1", 1)
			form = Form(strings.Join(types, ","))
		}
		forms = append(forms, form)
	}
	list = listSaid.MatchString(m[1])
	if !list && len(forms) > 1 {
		return nil, false // one of several
	}
	return forms, list
}

var (
	sectionOfInput = lazyregexp.New(`(?m)^[ \t]*[Ii]nputs?(?: shapes?)?[ \t]*:?[ \t]*\n[ \t]*[-*+•]*[ \t]*([^\n]+)$`)
	sizesSaid      = lazyregexp.New(`[(\[]((?:\w+ *, *)+\w+)[)\]]`)
	listSaid       = lazyregexp.New(`(?i)^(?:an? )?(?:list|tuple|sequence)s? of\b`)
)

// Rank is the number of dimensions of a tensor of the form.
func (form Form) Rank() int { return strings.Count(string(form), ",") + 1 }

// sizesIn are the names of the sizes of a parameter, by the statements of a function up to the first that
// binds it anew; nil where they tell nothing. A rank alone has names of nothing.
func sizesIn(body []ast.Stmt, param string) []string {
	var found []string
	for _, s := range body {
		ast.Inspect(s, func(n ast.Node) bool {
			if found != nil {
				return false
			}
			switch n := n.(type) {
			case *ast.FunctionDef, *ast.Lambda:
				return false
			case *ast.Assign:
				if len(n.Targets) == 1 && isShapeOf(n.Value, param) {
					found = targets(n.Targets[0])
				} else if k := shapeFrom(n.Value, param); len(n.Targets) == 1 && k > 0 {
					if names := targets(n.Targets[0]); names != nil {
						found = append([]string{"batch", "channels"}[:k], names...)
					}
				}
			case *ast.Assert:
				found = askedRank(n.Test, param, ast.Eq)
			case *ast.If:
				if len(n.Body) > 0 {
					if _, ok := n.Body[0].(*ast.Raise); ok {
						found = askedRank(n.Test, param, ast.NotEq)
					}
				}
				return found == nil && !binds(n.Body, param)
			case *ast.Call:
				found = pattern(n, param)
			}
			return found == nil
		})
		if found != nil || binds([]ast.Stmt{s}, param) {
			break
		}
	}
	return found
}

// binds reports whether statements give a name another value.
func binds(body []ast.Stmt, name string) bool {
	return slices.ContainsFunc(body, func(s ast.Stmt) bool {
		a, ok := s.(*ast.Assign)
		return ok && slices.ContainsFunc(a.Targets, func(t ast.Expr) bool {
			x, ok := t.(*ast.Name)
			return ok && x.ID == name
		})
	})
}

// isShapeOf reports whether e is param.shape or param.size().
func isShapeOf(e ast.Expr, param string) bool {
	if c, ok := e.(*ast.Call); ok && len(c.Args) == 0 {
		return attributeOf(c.Func, param) == "size"
	}
	return attributeOf(e, param) == "shape"
}

// shapeFrom is from which size on e is the rest of the shape of param, the second or the third: x.shape[2:]; 0 where it is none.
func shapeFrom(e ast.Expr, param string) int {
	of, ok := e.(*ast.Subscript)
	if !ok || !isShapeOf(of.Value, param) {
		return 0
	}
	rest, ok := of.Index.(*ast.Slice)
	if !ok || rest.Upper != nil || rest.Step != nil {
		return 0
	}
	from, ok := rest.Lower.(*ast.Constant)
	if !ok || from.Kind != ast.IntConst || from.Int < 1 || from.Int > 2 {
		return 0
	}
	return int(from.Int)
}

// attributeOf is the attribute of param that e is; empty for others.
func attributeOf(e ast.Expr, param string) string {
	a, ok := e.(*ast.Attribute)
	if !ok {
		return ""
	}
	if x, ok := a.Value.(*ast.Name); !ok || x.ID != param {
		return ""
	}
	return a.Attr.Name
}

// targets are the names to which a shape is unpacked; nil where one is starred, or there is a single one.
func targets(e ast.Expr) []string {
	t, ok := e.(*ast.Tuple)
	if !ok || len(t.Elts) < 2 {
		return nil
	}
	out := make([]string, len(t.Elts))
	for i, x := range t.Elts {
		if _, ok := x.(*ast.Starred); ok {
			return nil
		}
		out[i] = lastName(x)
	}
	return out
}

// askedRank is as many names without meaning as a test compares the rank of param with.
func askedRank(test ast.Expr, param string, op ast.CmpOperator) []string {
	if b, ok := test.(*ast.BoolOp); ok {
		for _, x := range b.Values {
			if sizes := askedRank(x, param, op); sizes != nil {
				return sizes
			}
		}
		return nil
	}
	c, ok := test.(*ast.Compare)
	if !ok || len(c.Ops) != 1 || c.Ops[0] != op {
		return nil
	}
	left := c.Left
	switch call, ok := left.(*ast.Call); {
	case !ok && attributeOf(left, param) == "ndim":
	case ok && attributeOf(call.Func, param) == "dim":
	case ok && lastName(call.Func) == "len" && len(call.Args) == 1 && isShapeOf(call.Args[0], param):
	default:
		return nil
	}
	k, ok := c.Comparators[0].(*ast.Constant)
	if !ok || k.Kind != ast.IntConst {
		return nil
	}
	if k.Int < 1 || k.Int > maxRank {
		return nil
	}
	return make([]string, k.Int)
}

// maxRank bounds the dimensions of a form: inputs of more are not guessed.
const maxRank = 6

// pattern are the sizes that einops' rearrange, reduce and repeat name on the left of their arrow, and einsum for
// an operand.
func pattern(c *ast.Call, param string) []string {
	if lastName(c.Func) == "einsum" {
		return operand(c.Args, param)
	}
	if name := lastName(c.Func); name != "rearrange" && name != "reduce" && name != "repeat" || len(c.Args) < 2 {
		return nil
	}
	if x, ok := c.Args[0].(*ast.Name); !ok || x.ID != param {
		return nil
	}
	k, ok := c.Args[1].(*ast.Constant)
	if !ok || k.Kind != ast.StrConst {
		return nil
	}
	left, _, ok := strings.Cut(k.Str, "->")
	if !ok {
		return nil
	}
	return axes(left)
}

// operand are the names of the axes of one operand of einsum, whose equation comes first, or last as that of einops does.
func operand(args []ast.Expr, param string) []string {
	if len(args) < 2 {
		return nil
	}
	equation, ok := args[0].(*ast.Constant)
	operands := args[1:]
	if !ok {
		last := len(args) - 1
		equation, ok = args[last].(*ast.Constant)
		operands = args[:last]
	}
	i := slices.IndexFunc(operands, func(e ast.Expr) bool { x, ok := e.(*ast.Name); return ok && x.ID == param })
	if !ok || equation.Kind != ast.StrConst || i < 0 {
		return nil
	}
	left, _, _ := strings.Cut(equation.Str, "->")
	list := strings.Split(left, ",")
	if i >= len(list) {
		return nil
	}
	text := strings.TrimSpace(list[i])
	if !strings.Contains(text, " ") {
		text = strings.Join(strings.Split(text, ""), " ")
	}
	return axes(text)
}

// axes are the names of axes in a pattern of einops; nil where an ellipsis leaves some open.
func axes(left string) []string {
	if strings.Contains(left, "...") || strings.Contains(left, ". . .") {
		return nil
	}
	var out []string
	for _, group := range parts.FindAllString(left, -1) {
		if strings.HasPrefix(group, "(") {
			group = "_"
		}
		out = append(out, group)
	}
	if len(out) < 2 || len(out) > maxRank {
		return nil
	}
	return out
}

var parts = lazyregexp.New(`\([^)]*\)|[^\s()]+`)

// docstring is the text at the beginning of a body; empty where there is none.
func docstring(body []ast.Stmt) string {
	if len(body) == 0 {
		return ""
	}
	e, ok := body[0].(*ast.ExprStmt)
	if !ok {
		return ""
	}
	k, ok := e.Value.(*ast.Constant)
	if !ok || k.Kind != ast.StrConst {
		return ""
	}
	return k.Str
}

var (
	sizeWord = lazyregexp.New(
		`^([A-Za-z]\w{0,2}|\d+|\w*(batch|seq|len|dim|channel|height|width|num|size|feat|hidden|time|embed|node|token|patch|class|frame|feature|unit|vocab|head|edge|point)\w*)$`)
	sizesText = `(?:[^\n(][^\n]*?(?:\n[^\n:]*?)?|\n[^\n:]*?)[(\[]((?:\w+ *, *)+(?:\w+|\.\.\.|\*))[)\]]`
)

// documented are the sizes that a docstring gives after the name of a parameter at the beginning of a line, not
// at once, as an element's indices are written; name is a regular expression.
func documented(doc, name string) []string {
	if doc == "" {
		return nil
	}
	m := regexp.MustCompile(`(?m)^[ \t]*(?:[-*:+•]+[ \t]*)?(?:param +)?` + "[`*]*" + `(?:` + name + `)\b` + sizesText).FindStringSubmatch(doc)
	if m == nil {
		return nil
	}
	out := strings.Split(strings.ReplaceAll(m[1], " ", ""), ",")
	if last := len(out) - 1; out[last] == "..." || out[last] == "*" { // one axis is enough
		out[last] = "T"
	}
	if len(out) > maxRank || slices.ContainsFunc(out, func(s string) bool { return !sizeWord.MatchString(s) }) {
		return nil
	}
	return out
}

// usualSizes are the symbols of axes that nothing names, by rank.
var usualSizes = [maxRank + 1]string{1: "B", 2: "BC", 3: "BTC", 4: "BCHW", 5: "BCDHW", 6: "BCTDHW"}

// formOfSizes is the form, of floats, with sizes of these names. Each is a single capital, as those of all forms: what
// a message says of them is known to be about a guess.
func formOfSizes(names []string) Form {
	if !slices.ContainsFunc(names, func(n string) bool { return n != "" }) {
		return Form("f32[" + strings.Join(strings.Split(usualSizes[len(names)], ""), ",") + "]")
	}
	out := make([]string, len(names))
	for i, n := range names {
		n = strings.ToUpper(strings.Trim(n, "_"))
		switch {
		case i == 0 && (n == "N" || n == "BS"): // as PyTorch's own documents write it
			n = "B"
		case strings.Contains(n, "CHANNEL"):
			n = ChannelSymbol
		}
		if n != "" {
			n = n[:1]
		}
		for _, other := range []string{n, "K", "L", "M", "P", "Q", "R", "S"} {
			if other >= "A" && other <= "Z" && !slices.Contains(out, other) {
				out[i] = other
				break
			}
		}
	}
	return Form("f32[" + strings.Join(out, ",") + "]")
}

// AsLargeAs is the parameter before one of a function of which the function demands the same shape, or the same rank: by an assertion, or
// an exception where they differ. It is empty where there is none.
//
//	assert chosen.shape == rejected.shape
//	if pred.size() != target.size(): raise ValueError
func AsLargeAs(scope ast.Node, param string, before []string) string {
	other := ""
	demand := func(test ast.Expr, op ast.CmpOperator) {
		for _, c := range compared(test) {
			if len(c.Ops) != 1 || c.Ops[0] != op || other != "" {
				continue
			}
			for _, name := range before {
				a, b := c.Left, c.Comparators[0]
				if isSizeOf(a, name) && isSizeOf(b, param) || isSizeOf(a, param) && isSizeOf(b, name) {
					other = name
				}
			}
		}
	}
	inspect(scope, func(n ast.Node) {
		switch n := n.(type) {
		case *ast.Assert:
			demand(n.Test, ast.Eq)
		case *ast.If:
			if len(n.Body) > 0 {
				if _, ok := n.Body[0].(*ast.Raise); ok {
					demand(n.Test, ast.NotEq)
				}
			}
		}
	})
	return other
}

// compared are the comparisons that a test consists of.
func compared(test ast.Expr) []*ast.Compare {
	switch x := test.(type) {
	case *ast.Compare:
		return []*ast.Compare{x}
	case *ast.BoolOp:
		var out []*ast.Compare
		for _, v := range x.Values {
			out = append(out, compared(v)...)
		}
		return out
	}
	return nil
}

// isSizeOf reports whether e is the shape of param, or its rank.
func isSizeOf(e ast.Expr, param string) bool {
	if c, ok := e.(*ast.Call); ok {
		return isShapeOf(c, param) || attributeOf(c.Func, param) == "dim" || lastName(c.Func) == "len" && len(c.Args) == 1 && isShapeOf(c.Args[0], param)
	}
	return isShapeOf(e, param) || attributeOf(e, param) == "ndim"
}
