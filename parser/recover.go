package parser

// This file stops the generated parser at its first error and repairs the token
// stream, so that parsing can go on behind the error.

import (
	"slices"

	"github.com/antlr4-go/antlr/v4"

	"shapecheck/internal/diag"
	"shapecheck/internal/source"
)

// A syntaxError is thrown by the strategy and by builder.fail, and caught by try.
type syntaxError struct {
	at   source.Span
	msg  string
	args []any
	tok  int // index of the offending token
}

// A strategy is an antlr.ErrorStrategy that gives up at the first error. Its
// empty Sync also makes the parser faster: the default one looks for errors
// before every decision.
type strategy struct {
	*antlr.DefaultErrorStrategy
	b *builder
}

func newStrategy(b *builder) *strategy {
	return &strategy{antlr.NewDefaultErrorStrategy(), b}
}

func (s *strategy) Sync(antlr.Parser)                     {}
func (s *strategy) ReportMatch(antlr.Parser)              {}
func (s *strategy) InErrorRecoveryMode(antlr.Parser) bool { return false }

func (s *strategy) RecoverInline(p antlr.Parser) antlr.Token {
	panic(s.b.explain(p))
}

func (s *strategy) ReportError(p antlr.Parser, _ antlr.RecognitionException) {
	panic(s.b.explain(p))
}

func (s *strategy) Recover(antlr.Parser, antlr.RecognitionException) {}

func (p *run) report(err *syntaxError) { p.errors = append(p.errors, err) }

// repair changes the tokens so that the error at tok does not happen again. It
// removes at least one token or turns one line into an error line, so repeated
// repairs come to an end. Nothing before start is touched.
func (p *run) repair(tok, start int) {
	b := p.builder
	tok = min(tok, len(b.toks)-1)
	switch b.toks[tok].kind {
	case tIndent:
		if tok == start || b.toks[tok-1].kind == tNewline || b.toks[tok-1].kind == tDedent {
			p.removeBlock(tok)
			return
		}
	case tNewline, tEOF, tDedent:
	}
	first := tok
	if k := b.toks[tok].kind; (k == tDedent || k == tEOF) && first > start {
		first--
	}
	// An error on the first token of a line may be the fault of the line above,
	// such as a missing block: then that line is the one to drop.
	if b.toks[tok].kind != tNewline && first > start && b.toks[first-1].kind == tNewline && p.needsBlock(first-1, start) {
		first--
	}
	for first > start && !lineBreak(b.toks[first-1].kind) {
		first--
	}
	if b.toks[first].kind == tErrorLine || b.toks[first].kind == tNewline || b.toks[first].kind == tDedent || b.toks[first].kind == tIndent {
		b.toks = slices.Delete(b.toks, tok, min(tok+1, len(b.toks)-1))
		if tok == len(b.toks)-1 { // nothing left but EOF
			b.toks = append(b.toks[:start], b.toks[len(b.toks)-1])
		}
		return
	}
	end := first
	for !lineBreak(b.toks[end].kind) && b.toks[end].kind != tEOF {
		end++
	}
	b.toks[first].kind = tErrorLine
	b.toks = slices.Delete(b.toks, first+1, end)
}

func lineBreak(kind int32) bool { return kind == tNewline || kind == tIndent || kind == tDedent }

// needsBlock reports whether the line that ends at the NEWLINE nl ends in ":"
// without a block.
func (p *run) needsBlock(nl, start int) bool {
	toks := p.builder.toks
	return nl > start && toks[nl-1].kind == tColon && toks[nl+1].kind != tIndent
}

// removeBlock removes the INDENT at tok and its DEDENT.
func (p *run) removeBlock(tok int) {
	b := p.builder
	depth := 0
	for i := tok; i < len(b.toks); i++ {
		switch b.toks[i].kind {
		case tIndent:
			depth++
		case tDedent:
			if depth--; depth == 0 {
				b.toks = slices.Delete(b.toks, i, i+1)
				b.toks = slices.Delete(b.toks, tok, tok+1)
				return
			}
		}
	}
	b.toks = slices.Delete(b.toks, tok, tok+1)
}

// diagnostics merges the errors of the token pass, of the grammar and of the
// builder. One error per line is enough: later ones tend to be echoes, above all
// of those of the token pass.
func (p *run) diagnostics() []*diag.Diagnostic {
	list := p.scanner.diags
	bad := make(map[int]bool)
	line := func(d *diag.Diagnostic) int {
		n, _ := p.file.LineCol(d.At.Start)
		return n
	}
	for _, d := range list {
		bad[line(d)] = true
	}
	later := slices.Clone(p.builder.diags)
	for _, e := range p.errors {
		later = append(later, diag.New(diag.SyntaxError, e.at, e.msg, e.args...))
	}
	diag.Sort(later)
	for _, d := range later {
		if n := line(d); !bad[n] {
			bad[n] = true
			list = append(list, d)
		}
	}
	diag.Sort(list)
	return list[:min(len(list), maxErrors)]
}
