package collect

// This file reads the expressions of -k and -m: names with and, or, not and parentheses; in those of -m a name may have arguments.

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// An Expr is an expression that selects tests.
type Expr struct {
	op   string // "name", "not", "and", "or", "true"
	name string
	args []arg // of a mark, by name
	x, y *Expr
}

// An arg is an argument of a mark: its name and its value, a string, an int, a bool or nil.
type arg struct {
	name  string
	value any
}

// Everything matches all tests.
var Everything = &Expr{op: "true"}

type exprToken struct {
	kind  string // "(", ")", "name", "not", "and", "or", "=", ",", "string", "end"
	text  string
	start int
}

// ParseExpr reads an expression; an empty one matches everything. Marks says that names may have arguments.
func ParseExpr(text string, marks bool) (*Expr, error) {
	p := &exprParser{marks: marks}
	if err := p.scan(text); err != nil {
		return nil, err
	}
	if p.at().kind == "end" {
		return Everything, nil
	}
	e, err := p.or()
	if err != nil {
		return nil, err
	}
	if p.at().kind != "end" {
		return nil, p.unexpected("end of input")
	}
	return e, nil
}

type exprParser struct {
	tokens []exprToken
	pos    int
	marks  bool
}

func (p *exprParser) at() exprToken { return p.tokens[p.pos] }

func (p *exprParser) unexpected(wanted string) error {
	t := p.at()
	what := t.text
	if t.kind == "end" {
		what = "end of input"
	}
	return fmt.Errorf("at column %d: expected %s; got %s", t.start+1, wanted, what)
}

// isNamePart reports whether a character may be in a name; ids have brackets, dots and signs.
func isNamePart(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune(`_:+-.[]/\`, r)
}

func (p *exprParser) scan(text string) error {
	runes := []rune(text)
	for i := 0; i < len(runes); {
		r := runes[i]
		switch {
		case r == ' ' || r == '\t' || r == '\n':
			i++
		case strings.ContainsRune("()=,", r):
			p.tokens = append(p.tokens, exprToken{string(r), string(r), i})
			i++
		case (r == '\'' || r == '"') && p.marks:
			end := i + 1
			for end < len(runes) && runes[end] != r {
				end++
			}
			if end == len(runes) {
				return fmt.Errorf("at column %d: closing quote %c is missing", i+1, r)
			}
			p.tokens = append(p.tokens, exprToken{"string", string(runes[i+1 : end]), i})
			i = end + 1
		case isNamePart(r):
			end := i
			for end < len(runes) && isNamePart(runes[end]) {
				end++
			}
			word := string(runes[i:end])
			kind := "name"
			if word == "not" || word == "and" || word == "or" {
				kind = word
			}
			p.tokens = append(p.tokens, exprToken{kind, word, i})
			i = end
		default:
			return fmt.Errorf("at column %d: unexpected character %q", i+1, string(r))
		}
	}
	p.tokens = append(p.tokens, exprToken{"end", "", len(runes)})
	return nil
}

func (p *exprParser) take(kind string) bool {
	if p.at().kind == kind {
		p.pos++
		return true
	}
	return false
}

func (p *exprParser) or() (*Expr, error) {
	x, err := p.and()
	for err == nil && p.take("or") {
		var y *Expr
		if y, err = p.and(); err == nil {
			x = &Expr{op: "or", x: x, y: y}
		}
	}
	return x, err
}

func (p *exprParser) and() (*Expr, error) {
	x, err := p.not()
	for err == nil && p.take("and") {
		var y *Expr
		if y, err = p.not(); err == nil {
			x = &Expr{op: "and", x: x, y: y}
		}
	}
	return x, err
}

func (p *exprParser) not() (*Expr, error) {
	switch {
	case p.take("not"):
		x, err := p.not()
		return &Expr{op: "not", x: x}, err
	case p.take("("):
		x, err := p.or()
		if err == nil && !p.take(")") {
			err = p.unexpected("right parenthesis")
		}
		return x, err
	case p.at().kind == "name":
		e := &Expr{op: "name", name: p.at().text}
		p.pos++
		if p.marks && p.take("(") {
			return e, p.arguments(e)
		}
		return e, nil
	}
	return nil, p.unexpected("not OR left parenthesis OR identifier")
}

func (p *exprParser) arguments(e *Expr) error {
	for !p.take(")") {
		a := arg{name: p.at().text}
		if !p.take("name") {
			return p.unexpected("identifier")
		}
		if !p.take("=") {
			return p.unexpected("=")
		}
		switch t := p.at(); t.kind {
		case "string":
			a.value = t.text
		case "name":
			switch t.text {
			case "True", "False":
				a.value = t.text == "True"
			case "None":
			default:
				n, err := strconv.ParseInt(t.text, 10, 64)
				if err != nil {
					return p.unexpected("a value")
				}
				a.value = n
			}
		default:
			return p.unexpected("a value")
		}
		p.pos++
		e.args = append(e.args, a)
		if !p.take(",") && p.at().kind != ")" {
			return p.unexpected("right parenthesis")
		}
	}
	return nil
}

func (e *Expr) eval(has func(e *Expr) bool) bool {
	switch e.op {
	case "true":
		return true
	case "not":
		return !e.x.eval(has)
	case "and":
		return e.x.eval(has) && e.y.eval(has)
	case "or":
		return e.x.eval(has) || e.y.eval(has)
	}
	return has(e)
}

// MatchesNames reports whether an expression of -k matches a test with these names: each name of the expression is a part of one of
// them, in any case of letters.
func (e *Expr) MatchesNames(names []string) bool {
	lower := make([]string, len(names))
	for i, n := range names {
		lower[i] = strings.ToLower(n)
	}
	return e.eval(func(e *Expr) bool {
		want := strings.ToLower(e.name)
		for _, n := range lower {
			if strings.Contains(n, want) {
				return true
			}
		}
		return false
	})
}

// A Mark is a mark of a test, with the arguments that have a name.
type Mark struct {
	Name string
	Args map[string]any
}

// MatchesMarks reports whether an expression of -m matches a test with these marks.
func (e *Expr) MatchesMarks(marks []Mark) bool {
	return e.eval(func(e *Expr) bool {
		for _, m := range marks {
			if m.Name != e.name {
				continue
			}
			all := true
			for _, a := range e.args {
				v, ok := m.Args[a.name]
				all = all && ok && v == a.value
			}
			if all {
				return true
			}
		}
		return false
	})
}
