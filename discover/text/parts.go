package text

// This file reads of which parts an input is made: attributes, elements.

import (
	"fmt"
	"slices"
	"strings"

	"shapecheck/internal/lazyregexp"
	"shapecheck/parser/ast"
)

// Fields are the attributes that a function's own lines take of a parameter, but for methods that it calls.
func Fields(scope ast.Node, param string) []string {
	var out []string
	called := map[ast.Node]bool{}
	inspect(scope, func(n ast.Node) {
		switch n := n.(type) {
		case *ast.Call:
			called[n.Func] = true
		case *ast.Attribute:
			if x, ok := n.Value.(*ast.Name); ok && x.ID == param && !called[n] {
				out = add(out, n.Attr.Name)
			}
		}
	})
	return out
}

// Elements are the names to which a function's own lines unpack a parameter: x, y = batch.
func Elements(scope ast.Node, param string) []string {
	var out []string
	taken := false // an attribute of it, which a tuple has not, before it is unpacked
	inspect(scope, func(n ast.Node) {
		if x, ok := n.(*ast.Attribute); ok && out == nil {
			of, name := x.Value.(*ast.Name)
			taken = taken || name && of.ID == param
		}
		a, ok := n.(*ast.Assign)
		if !ok || len(a.Targets) != 1 || out != nil {
			return
		}
		from, ok := a.Value.(*ast.Name)
		to, several := a.Targets[0].(*ast.Tuple)
		if !ok || !several || from.ID != param {
			return
		}
		for _, e := range to.Elts {
			x, ok := e.(*ast.Name)
			if !ok {
				out = nil
				return
			}
			out = append(out, x.ID)
		}
	})
	if taken {
		return nil
	}
	return out
}

// Counted is how many elements a function asks of a parameter of which it takes no attribute, by its own lines: it goes over them, counts
// them or takes the last; 0 where it does none of that.
func Counted(scope ast.Node, param string) int {
	is := func(e ast.Expr) bool {
		x, ok := e.(*ast.Name)
		return ok && x.ID == param
	}
	n, attributes := 0, false
	least := func(m int) { n = max(n, m, 2) }
	inspect(scope, func(node ast.Node) {
		switch x := node.(type) {
		case *ast.Attribute:
			attributes = attributes || is(x.Value)
		case *ast.For:
			if is(x.Iter) {
				least(0)
			}
		case *ast.ListComp:
			if slices.ContainsFunc(x.Generators, func(g *ast.Comprehension) bool { return is(g.Iter) }) {
				least(0)
			}
		case *ast.Call:
			if name := lastName(x.Func); slices.ContainsFunc(x.Args, is) && slices.Contains([]string{"len", "enumerate", "zip", "reversed"}, name) {
				least(0)
			}
		case *ast.Subscript:
			if !is(x.Value) {
				return
			}
			switch k := x.Index.(type) {
			case *ast.UnaryOp: // the last, or one from there
				least(0)
			case *ast.Constant:
				if k.Kind == ast.IntConst && n > 0 && k.Int < maxElements {
					least(int(k.Int) + 1)
				}
			}
		}
	})
	if attributes {
		return 0
	}
	return n
}

func inspect(scope ast.Node, f func(ast.Node)) {
	if scope == nil {
		return
	}
	ast.Inspect(scope, func(n ast.Node) bool {
		if n != nil {
			f(n)
		}
		return true
	})
}

// object is an argument with attributes.
func (in Input) object(form Form) string {
	if len(in.Fields) > maxDictionary*2 {
		return ""
	}
	var parts []string
	for _, name := range in.Fields {
		parts = append(parts, name+"="+partOfInput(name, form, in.Fields))
	}
	return in.Name + "=types.SimpleNamespace(" + strings.Join(parts, ", ") + ")"
}

// elements is an argument of several parts.
func (in Input) elements(form Form) string {
	var parts []string
	for i, name := range in.Elements {
		if i > 0 && name == "y" {
			parts = append(parts, string(Numbers))
			continue
		}
		parts = append(parts, partOfInput(strings.TrimLeft(name, "_"), form, in.Elements))
	}
	return fmt.Sprintf("%s=(%s)", in.Name, strings.Join(parts, ", "))
}

// Apart gives each tensor of several arguments sizes of its own, but for the first axis of all: that they share one is a guess. Sizes
// for which no letter is left stay. It reports whether one was given another.
func Apart(args []string) ([]string, bool) {
	used := map[string]bool{"B": true, "C": true, "D": true, "H": true, "T": true, "W": true}
	next := func() string {
		for _, letter := range strings.Split("EFGIJKLMNOPQRSUVXYZ", "") {
			if !used[letter] {
				used[letter] = true
				return letter
			}
		}
		return ""
	}
	for _, a := range args {
		for _, s := range sizeSymbol.FindAllString(a, -1) {
			used[s] = true
		}
	}
	n, changed := 0, false
	out := slices.Clone(args)
	for i, a := range out {
		if name, v, _ := strings.Cut(a, "="); strings.HasPrefix(v, "torch.") || name == "" {
			continue
		}
		out[i] = tensorType.ReplaceAllStringFunc(a, func(t string) string {
			if n++; n == 1 {
				return t
			}
			return sizeSymbol.ReplaceAllStringFunc(t, func(s string) string {
				if s == "B" {
					return s
				}
				if own := next(); own != "" {
					changed = true
					return own
				}
				return s
			})
		})
	}
	return out, changed
}

var (
	tensorType = lazyregexp.New(`\bf32\[[A-Z0-9,]*\]`)
	sizeSymbol = lazyregexp.New(`\b[A-Z]\b`)
)

// Part is an expression for a part of an input, which has the form given where its name does not tell; beside are the names of all parts.
func Part(name string, form Form, beside []string) string { return partOfInput(name, form, beside) }

// Present is a type without None, which stands for an argument that is not given.
func Present(annotation string) string {
	a := strings.TrimSpace(Plain(annotation))
	if of, ok := strings.CutPrefix(a, "Optional["); ok {
		return strings.TrimSuffix(of, "]")
	}
	return strings.TrimSpace(strings.TrimPrefix(strings.TrimSuffix(a, "| None"), "None |"))
}

// IsTensor reports whether an annotation is that of a tensor, or of one that may be missing.
func IsTensor(annotation string) bool { return tensorAnnotation.MatchString(Plain(annotation)) }

var tensorAnnotation = lazyregexp.New(`^["']?((Optional|Union)\[)*(torch\.)?((Float|Long|Int|Bool)?Tensor|OptTensor)\b`)

// partOfInput is an expression for a part of an input, which has the form given where its name does not tell; beside are the names of all
// parts.
func partOfInput(name string, form Form, beside []string) string {
	switch told := byName(name, form); {
	case told != "":
		form = told
	case IsMask(name) && slices.ContainsFunc(beside, func(n string) bool { return byName(n, form) == Tokens }):
		form = Tokens
	case slices.ContainsFunc(beside, IsEdges):
		form = OfNodes(name)
	}
	if form == "int" {
		return "8"
	}
	return string(form)
}
