package text

// This file finds what calls give to a parameter where that is an instance of a class: attention=FullAttention(8), or a name that was made
// so before.

import (
	"regexp"
	"slices"
	"strings"

	"shapecheck/internal/lazyregexp"
	"shapecheck/parser/ast"
)

const (
	// maxGiven bounds the text of the arguments of a call that are looked at.
	maxGiven = 1000
	// maxGivenClasses bounds the instances of one parameter that are found.
	maxGivenClasses = 3
)

// GivenInstances are the instances that calls of a class in a text make of another one for a parameter: the last part of the name of that
// class with those of its arguments that are literals, FullAttention(False, dropout=0.1). position is that of the parameter without self; -1: it
// is given by name alone.
func GivenInstances(text, class, param string, position int) []string {
	var out []string
	for start, end := range Calls(text, class) {
		line := strings.TrimSpace(text[strings.LastIndexByte(text[:start], '\n')+1 : start])
		if line == "class" || line == "def" || strings.Contains(line, "#") {
			continue
		}
		if one := madeIn(text[:start], argumentOf(text[end:], param, position)); one != "" && !slices.Contains(out, one) {
			if out = append(out, one); len(out) == maxGivenClasses {
				break
			}
		}
	}
	return out
}

// argumentOf is the argument for a parameter in the text after the parenthesis of a call; empty where there is none.
func argumentOf(text, param string, position int) string {
	for i, arg := range arguments(text) {
		if m := keywordGiven.FindStringSubmatch(arg); m != nil {
			if m[1] == param {
				return arg[len(m[0]):]
			}
		} else if strings.HasPrefix(arg, "*") {
			return ""
		} else if i == position {
			return arg
		}
	}
	return ""
}

// arguments are those of a call from the text after its parenthesis, as far as they are looked at.
func arguments(text string) []string {
	var out []string
	depth, from := 1, 0
	for i := 0; i < len(text) && i < maxGiven; i++ {
		switch c := text[i]; c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case '\'', '"':
			n := strings.IndexByte(text[i+1:], c)
			if n < 0 {
				return out
			}
			i += n + 1
		}
		if depth == 0 || depth == 1 && text[i] == ',' {
			if arg := strings.Join(strings.Fields(text[from:i]), " "); arg != "" {
				out = append(out, arg)
			}
			from = i + 1
		}
		if depth == 0 {
			return out
		}
	}
	return out
}

var (
	keywordGiven = lazyregexp.New(`^(\w+)\s*=\s*`)
	instanceMade = lazyregexp.New(`^(?:\w+\.)*([A-Z]\w*)\(`)
	nameGiven    = lazyregexp.New(`^(?:self\.)?[A-Za-z_]\w*$`)
)

// madeIn is the instance that an argument makes of a class, or that was made before where it is a name; empty where that is not known.
func madeIn(before, arg string) string {
	if m := instanceMade.FindStringSubmatch(arg); m != nil {
		return m[1] + "(" + literalsOf(arg[len(m[0]):]) + ")"
	}
	if !nameGiven.MatchString(arg) {
		return ""
	}
	made, err := regexp.Compile(`(?m)^[ \t]*` + regexp.QuoteMeta(arg) + `\s*=\s*(?:\w+\.)*([A-Z]\w*)\(`)
	if err != nil {
		return ""
	}
	all := made.FindAllStringSubmatchIndex(before, -1)
	if len(all) == 0 {
		return ""
	}
	at := all[len(all)-1]
	return before[at[2]:at[3]] + "(" + literalsOf(before[at[1]:]) + ")"
}

// literalsOf are the arguments of a call that are literals, from the text after its parenthesis: the first ones by position, and those by name.
func literalsOf(text string) string {
	var out []string
	first := true
	for _, arg := range arguments(text) {
		named := keywordGiven.MatchString(arg)
		literal := LiteralArguments(arg+")") != ""
		if first = first && literal && !named; first || named && literal {
			out = append(out, arg)
		}
	}
	return strings.Join(out, ", ")
}

// Completed is the text of an instance with the arguments that a call gives another one, where it has none by these names.
func Completed(instance, args string) string {
	text, given := strings.TrimSuffix(instance, ")"), strings.HasSuffix(instance, "()")
	if text == instance {
		return instance
	}
	for _, arg := range arguments(args + ")") {
		m := keywordGiven.FindStringSubmatch(arg)
		if m == nil && !given || m != nil && strings.Contains(text, m[1]+"=") {
			continue
		}
		if !strings.HasSuffix(text, "(") {
			text += ", "
		}
		text += arg
	}
	return text + ")"
}

// PositionOf is the position of a parameter of a constructor, without self; -1 where it is given by name alone, or is none.
func PositionOf(scope ast.Node, param string) int {
	def, ok := scope.(*ast.FunctionDef)
	if !ok || def.Params == nil {
		return -1
	}
	return slices.IndexFunc(slices.Concat(def.Params.PosOnly, def.Params.Args), func(p *ast.Param) bool { return p.Name == param }) - 1
}

// Ignores reports whether a function does nothing with a parameter: no value of it changes anything.
func Ignores(scope ast.Node, param string) bool {
	def, ok := scope.(*ast.FunctionDef)
	if !ok {
		return false
	}
	used := false
	for _, s := range def.Body {
		ast.Inspect(s, func(n ast.Node) bool {
			if x, ok := n.(*ast.Name); ok && (x.ID == param || reflective[x.ID]) {
				used = true
			}
			return !used
		})
	}
	return !used
}

// reflective are functions that read all parameters.
var reflective = map[string]bool{"locals": true, "vars": true, "eval": true, "exec": true, "inspect": true, "sys": true}
