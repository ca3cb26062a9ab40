package parser

// This file words syntax errors.

import (
	"fmt"

	"github.com/antlr4-go/antlr/v4"

	"shapecheck/grammar/pygen"
	"shapecheck/internal/diag"
	"shapecheck/internal/source"
)

// errorf reports an error of the token pass.
func (s *scanner) errorf(start, end int, format string, args ...any) {
	if len(s.diags) >= maxErrors {
		return
	}
	at := source.Span{Start: s.file.Pos(start), End: s.file.Pos(end)}
	s.diags = append(s.diags, diag.New(diag.SyntaxError, at, fmt.Sprintf(format, args...), args...))
}

// explain makes the error for the token at which the generated parser stopped.
func (b *builder) explain(p antlr.Parser) *syntaxError {
	t := &b.toks[b.pos]
	return &syntaxError{at: b.tokenSpan(t), msg: "invalid syntax", tok: b.pos}
}

// tokenText is the source form of a token kind.
func tokenText(kind int32) string {
	names := pygen.PythonParserStaticData.LiteralNames
	if int(kind) < len(names) && names[kind] != "" {
		n := names[kind]
		return n[1 : len(n)-1]
	}
	return ""
}
