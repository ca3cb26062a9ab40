package trace

// This file proposes torch.cond and jax.lax.cond for branches whose two sides are expressions: the graph then keeps both.

import (
	"regexp"
	"strings"

	"shapecheck/internal/diag"
)

var (
	ifLine      = regexp.MustCompile(`^([ \t]*)if (.+):$`)
	elseLine    = regexp.MustCompile(`^([ \t]*)else:$`)
	resultLine  = regexp.MustCompile(`^([ \t]*)(return |[A-Za-z_]\w* = )(.+)$`)
	chosen      = regexp.MustCompile(`^([ \t]*)(return |[A-Za-z_]\w* = )(.+) if (.+) else (.+)$`)
	importsCond = map[string]*regexp.Regexp{"torch.cond": regexp.MustCompile(`(?m)^import torch$`), "jax.lax.cond": regexp.MustCompile(`(?m)^import jax$`)}
)

// conds makes of the branch at a finding a call of cond, a function of torch or JAX that takes a condition and two functions:
// of an if statement whose sides return an expression or give one to the same variable, or of a conditional expression.
func (p *proposer) conds(x *diag.Diagnostic, cond string) []diag.Fix {
	if !importsCond[cond].MatchString(p.text) {
		return nil
	}
	n := p.r.Files.Position(x.At.Start).Line
	indent, target, test, yes, no, lines := p.twoSides(n)
	if lines == 0 || !singleExpression(test) || !singleExpression(yes) || !singleExpression(no) {
		return nil
	}
	last := ""
	if cond == "torch.cond" { // which takes no tensor back as it gave it
		last = ", ()"
		if mayAlias.MatchString(yes) {
			yes += ".clone()"
		}
		if mayAlias.MatchString(no) {
			no += ".clone()"
		}
	}
	call := indent + target + cond + "(" + test + ", lambda: " + yes + ", lambda: " + no + last
	start := p.file.Offset(p.file.LineStart(n))
	end := p.file.Offset(p.file.LineStart(n+lines-1)) + len(p.file.Line(n+lines-1))
	return []diag.Fix{{Title: "keep both sides by " + cond, Edits: []diag.Edit{{At: p.span(start, end), NewText: call + ")"}}}}
}

// twoSides takes the branch apart that begins at a line: what its sides do with their results (return, or a variable), the condition,
// the expressions of the two sides, and how many lines it has; 0: it has another form.
func (p *proposer) twoSides(n int) (indent, target, test, yes, no string, lines int) {
	line := func(k int) string { return strings.TrimRight(p.file.Line(n+k), " \t\r") }
	if m := chosen.FindStringSubmatch(line(0)); m != nil {
		return m[1], m[2], m[4], m[3], m[5], 1
	}
	m, then := ifLine.FindStringSubmatch(line(0)), resultLine.FindStringSubmatch(line(1))
	if m == nil || then == nil || len(then[1]) <= len(m[1]) {
		return
	}
	after, k := line(2), 2
	if e := elseLine.FindStringSubmatch(after); e != nil && e[1] == m[1] {
		other := resultLine.FindStringSubmatch(line(3))
		next := line(4)
		if other == nil || other[1] != then[1] || other[2] != then[2] || next != "" && !shallower(next, other[1]) {
			return
		}
		return m[1], then[2], m[2], then[3], other[3], 4
	}
	if then[2] == "return " { // what follows is the other side
		if other := resultLine.FindStringSubmatch(after); other != nil && other[1] == m[1] && other[2] == then[2] {
			return m[1], then[2], m[2], then[3], other[3], k + 1
		}
		return
	}
	if after == "" || shallower(after, then[1]) && !strings.HasPrefix(strings.TrimSpace(after), "el") { // the variable stays
		return m[1], then[2], m[2], then[3], strings.TrimSuffix(then[2], " = "), k
	}
	return
}

// shallower reports whether a line is indented less than a text of blanks.
func shallower(line, indent string) bool {
	return len(line)-len(strings.TrimLeft(line, " \t")) < len(indent)
}

// singleExpression reports whether a text is an expression by itself that a lambda can have: its brackets are closed, and it has no comment,
// text, conditional expression, assignment or lambda.
func singleExpression(text string) bool {
	depth := 0
	for _, c := range text {
		switch c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case '#', '"', '\'', '\\', ';':
			return false
		case ',':
			if depth == 0 {
				return false
			}
		}
		if depth < 0 {
			return false
		}
	}
	return depth == 0 && !notInLambda.MatchString(text)
}

// mayAlias finds names, subscripts and views at the end of an expression.
var mayAlias = regexp.MustCompile(`^[\w.]+$|\]$|\.(?:view|reshape|transpose|permute|flatten|unflatten|t|squeeze|unsqueeze|expand|narrow|select|detach|contiguous|to|float|double|half|view_as|expand_as)\([^()]*\)$`)

var notInLambda = regexp.MustCompile(`:=|\b(?:if|else|lambda|yield|await)\b`)
