package parser

// This file words syntax errors: what was expected, where, and what stands there
// instead. The rules go from the particular to the general; the first that
// applies decides.
//
// The generated parser stops at a token that no alternative has, and knows the set of tokens that
// could have been there. That set is precise but says little: behind an operand it has dozens of
// operators. The rules here look at the token, the one before and the set, and recognise common
// mistakes first; the last rule lists the set when it is short.

import (
	"fmt"
	"strings"

	"github.com/antlr4-go/antlr/v4"

	"shapecheck/grammar/pygen"
	"shapecheck/internal/diag"
	"shapecheck/internal/source"
)

// errorf reports an error of the token pass. Faults of characters and indentation are found
// before parsing, and there may be several; their number is bounded.
func (s *scanner) errorf(start, end int, format string, args ...any) {
	if len(s.diags) >= maxErrors {
		return
	}
	end = max(min(end, s.file.Size()), start)
	at := source.Span{Start: s.file.Pos(start), End: s.file.Pos(end)}
	s.diags = append(s.diags, diag.New(diag.SyntaxError, at, fmt.Sprintf(format, args...), args...))
}

// An expectation is the set of token kinds that could stand at an error. It is indexed by token
// kinds.
type expectation [tErrorToken + 1]bool

// explain makes the error for the token at which the generated parser stopped. Each rule returns
// an empty text where it does not apply, and a span only where it is another than the token's.
func (b *builder) explain(p antlr.Parser) *syntaxError {
	var want expectation
	// The set must be read before anything else is asked of the parser.
	for _, iv := range p.(interface {
		GetExpectedTokens() *antlr.IntervalSet
	}).GetExpectedTokens().GetIntervals() {
		for k := max(iv.Start, 0); k < iv.Stop && k < len(want); k++ {
			want[k] = true
		}
	}
	t := &b.toks[b.pos]
	e := &syntaxError{at: b.spot(t), tok: b.pos}
	for _, rule := range [...]func(*token, *expectation) (string, source.Span){
		b.explainBlock, b.explainNumberName, b.explainPrint, b.explainOperator, b.explainEqual,
		b.explainKeyword, b.explainClause, b.explainAdjacent, b.explainExpected,
	} {
		if msg, at := rule(t, &want); msg != "" {
			e.msg = msg
			if at.IsValid() {
				e.at = at
			}
			break
		}
	}
	return e
}

// spot is where the caret for an unexpected token goes. For the end of a line
// that is the place after its last token.
func (b *builder) spot(t *token) source.Span {
	switch t.kind {
	case tNewline, tDedent, tEOF:
		end := min(int(t.end)+1, len(b.src))
		return source.Span{Start: b.at(t.end), End: b.at(int32(end))}
	}
	return b.tokenSpan(t)
}

var nowhere source.Span

// explainBlock handles indentation. The message names the keyword of the header and its line, as
// CPython's does, with the caret at the colon.
func (b *builder) explainBlock(t *token, want *expectation) (string, source.Span) {
	if t.kind == tIndent {
		at := b.at(t.start)
		return "unexpected indent", source.Span{Start: at, End: at + 1}
	}
	if !want[tIndent] || b.pos == 0 {
		return "", nowhere
	}
	// The block is missing after the header that ends before this token.
	i := b.pos - 1
	if b.toks[i].kind == tNewline {
		i--
	}
	colon := b.tokenSpan(&b.toks[i])
	for i > 0 && !lineBreak(b.toks[i-1].kind) {
		i--
	}
	word := &b.toks[i]
	line, _ := b.file.LineCol(b.at(word.start))
	what := fmt.Sprintf("this '%s'", b.src[word.start:word.end])
	if word.kind == tAt {
		what = "this line"
	}
	return fmt.Sprintf("expected an indented block after %s on line %d", what, line), colon
}

// explainNumberName handles a number glued to a name, as in "1orx".
func (b *builder) explainNumberName(t *token, _ *expectation) (string, source.Span) {
	if b.pos > 0 && b.prev().kind == tNumber && t.kind == tName && b.prev().end == t.start {
		return "a number must not be followed by a letter", nowhere
	}
	return "", nowhere
}

// explainPrint handles the print statement of Python 2, and exec.
func (b *builder) explainPrint(t *token, _ *expectation) (string, source.Span) {
	if b.pos == 0 || b.prev().kind != tName || !startsExpr(t.kind) && t.kind != tRShift {
		return "", nowhere
	}
	name := b.text()
	if name != "print" && name != "exec" {
		return "", nowhere
	}
	if b.pos > 1 && !lineBreak(b.toks[b.pos-2].kind) && b.toks[b.pos-2].kind != tSemi && b.toks[b.pos-2].kind != tColon {
		return "", nowhere
	}
	return fmt.Sprintf("missing parentheses in call to '%s'; write %s(...)", name, name),
		source.Span{Start: b.at(b.prev().start), End: b.tokenSpan(t).End}
}

// explainOperator handles operators that other languages have. && and || are two tokens each in
// Python; ++ and -- are two signs, and only wrong at the end of a line.
func (b *builder) explainOperator(t *token, _ *expectation) (string, source.Span) {
	if b.pos == 0 {
		return "", nowhere
	}
	both := source.Span{Start: b.at(b.prev().start), End: b.at(t.end)}
	if b.prev().end == t.start {
		switch text := b.text() + b.src[t.start:t.end]; text {
		case "&&":
			return "'&&' is no operator; use 'and'", both
		case "||":
			return "'||' is no operator; use 'or'", both
		}
	}
	if b.pos > 1 && t.kind == tNewline {
		first := &b.toks[b.pos-2]
		if k := b.prev().kind; (k == tPlus || k == tMinus) && first.kind == k && first.end == b.prev().start {
			op := tokenText(k)
			return fmt.Sprintf("'%s%s' is no operator; write '%s= 1'", op, op, op),
				source.Span{Start: b.at(first.start), End: b.prevEnd()}
		}
	}
	return "", nowhere
}

// explainEqual handles "=" where a condition or an argument stands.
func (b *builder) explainEqual(t *token, want *expectation) (string, source.Span) {
	switch {
	case t.kind == tEqual && want[tColon]:
		return "expected ':', found '='; perhaps you meant '==' or ':='", nowhere
	case t.kind == tEqual && (want[tRPar] || want[tRSqb] || want[tRBrace]):
		return "unexpected '='; perhaps you meant '==' or ':='", nowhere
	case t.kind == tFColon && want[tColon]:
		return fmt.Sprintf("%c-string: a lambda needs parentheses around it", b.fstring().kind()), nowhere
	case t.kind == tAs && !want[tName]:
		return "'as' is allowed only in import, except, with and case", nowhere
	case t.kind == tColonEqual:
		return "':=' needs parentheses here", nowhere
	case t.kind == tIf && b.pos > 0 && b.prev().kind == tElse && want[tColon]:
		return "expected ':' after 'else'; 'else if' is spelled 'elif'",
			source.Span{Start: b.at(b.prev().start), End: b.at(t.end)}
	}
	return "", nowhere
}

// explainKeyword handles a keyword in the place of a name. Soft keywords (match, case, type) are
// names elsewhere.
func (b *builder) explainKeyword(t *token, want *expectation) (string, source.Span) {
	if !want[tName] || want[tNumber] || !isKeyword(t.kind) || t.kind == tMatch || t.kind == tCase || t.kind == tType {
		return "", nowhere
	}
	return fmt.Sprintf("'%s' is a keyword and cannot be used as a name", b.src[t.start:t.end]), nowhere
}

// explainClause handles clauses without their statement.
func (b *builder) explainClause(t *token, _ *expectation) (string, source.Span) {
	if b.pos > 0 && !lineBreak(b.prev().kind) {
		return "", nowhere
	}
	switch t.kind {
	case tElse:
		return "'else' without an 'if', 'for', 'while' or 'try' at this indentation", nowhere
	case tElif:
		return "'elif' without an 'if' at this indentation", nowhere
	case tExcept, tFinally:
		return fmt.Sprintf("'%s' without a 'try' at this indentation", tokenText(t.kind)), nowhere
	}
	return "", nowhere
}

// explainAdjacent handles two operands without an operator or comma between them. The token
// before must end an operand and this one begin one; within brackets a comma is what is usually
// missing.
func (b *builder) explainAdjacent(t *token, want *expectation) (string, source.Span) {
	if b.pos == 0 || !startsExpr(t.kind) || !endsExpr(b.prev().kind) || want[tName] {
		return "", nowhere
	}
	closer := ""
	for _, k := range [...]int32{tRPar, tRSqb, tRBrace} {
		if want[k] {
			closer = tokenText(k)
		}
	}
	switch {
	case closer != "":
		return fmt.Sprintf("expected ',' or '%s', found %s; perhaps a comma is missing", closer, b.found(t)), nowhere
	case want[tNewline]:
		return fmt.Sprintf("expected an operator or the end of the line, found %s", b.found(t)), nowhere
	}
	return "", nowhere
}

// explainExpected lists what could stand here. Sets with names, numbers and parentheses are those
// of an expression or a statement, and are called so. Operators that could go on with the
// expression before are left out of the list.
func (b *builder) explainExpected(t *token, want *expectation) (string, source.Span) {
	found := b.found(t)
	switch {
	case want[tName] && want[tNumber] && want[tLPar]:
		if want[tReturn] || want[tPass] {
			return fmt.Sprintf("expected a statement, found %s", found), nowhere
		}
		return fmt.Sprintf("expected an expression, found %s", found), nowhere
	case want[tName] && want[tNumber]:
		return fmt.Sprintf("expected a pattern, found %s", found), nowhere
	case want[tElse] && !want[tNewline]:
		return fmt.Sprintf("expected 'else' to complete the conditional expression, found %s", found), nowhere
	case want[tName] && want[tLPar] && want[tStar]:
		return fmt.Sprintf("expected a name or '(', found %s", found), nowhere
	}
	var list []string
	for k := range want {
		if want[k] && k != tErrorLine && !binary(int32(k)) {
			list = append(list, b.kindName(int32(k)))
		}
	}
	switch n := len(list); {
	case b.exprOnly && (n == 0 || n > 5):
		return fmt.Sprintf("expected the end of the expression, found %s", found), nowhere
	case n == 0 || n > 5:
		return fmt.Sprintf("unexpected %s", found), nowhere
	case n == 1:
		return fmt.Sprintf("expected %s, found %s", list[0], found), nowhere
	default:
		return fmt.Sprintf("expected %s or %s, found %s", strings.Join(list[:n-1], ", "), list[n-1], found), nowhere
	}
}

// binary reports operators and trailers that could continue an expression. To
// list them would hide what matters.
func binary(k int32) bool {
	return k < int32(len(infix)) && infix[k] != 0 || k == tDot || k == tLPar || k == tLSqb || k == tLBrace
}

// found describes a token.
func (b *builder) found(t *token) string {
	switch t.kind {
	case tNewline:
		return "the end of the line"
	case tEOF:
		return "the end of the file"
	case tDedent:
		return "the end of the block"
	case tString, tFStringStart:
		return "a string"
	case tFStringEnd:
		return b.fstringEnd()
	case tFStringMiddle:
		return "text"
	case tErrorLine:
		return "an error"
	}
	text := b.src[t.start:t.end]
	if len(text) > 40 {
		text = text[:40] + "…"
	}
	return "'" + strings.ToValidUTF8(text, "�") + "'"
}

func (b *builder) fstringEnd() string {
	if n := len(b.fstrings); n > 0 && b.fstrings[n-1].template {
		return "the end of the t-string"
	}
	return "the end of the f-string"
}

// kindName describes an expected kind.
func (b *builder) kindName(k int32) string {
	switch k {
	case tNewline:
		return "the end of the line"
	case tEOF:
		return "the end of the input"
	case tIndent:
		return "an indented block"
	case tName:
		return "a name"
	case tNumber:
		return "a number"
	case tString:
		return "a string"
	case tFStringMiddle:
		return "text"
	case tFStringEnd:
		return b.fstringEnd()
	case tFColon:
		return "':'"
	case tFBang:
		return "'!'"
	case tAugAssign:
		return "an augmented assignment"
	}
	return "'" + tokenText(k) + "'"
}

// tokenText is the source form of a token kind.
func tokenText(kind int32) string {
	names := pygen.PythonParserStaticData.LiteralNames
	if kind >= 0 && int(kind) < len(names) && names[kind] != "" { // the end of the file is -1
		return strings.Trim(names[kind], "'")
	}
	return ""
}

func isKeyword(k int32) bool {
	text := tokenText(k)
	return text != "" && text[0] >= 'A' && identTail[text[0]]
}

// startsExpr reports kinds that an operand begins with and that cannot continue
// an expression.
func startsExpr(k int32) bool {
	switch k {
	case tName, tNumber, tString, tFStringStart, tLBrace, tEllipsis, tTilde, tAwait, tLambda, tNone, tTrue, tFalse, tNot, tYield:
		return true
	}
	return false
}

func endsExpr(k int32) bool {
	switch k {
	case tName, tNumber, tString, tFStringEnd, tRPar, tRSqb, tRBrace, tEllipsis, tNone, tTrue, tFalse:
		return true
	}
	return false
}
