package parser

// This file drives the parser: one call of the grammar's stmt rule for each
// top-level statement, so that an error costs one statement and not the file.

import (
	"sync"

	"shapecheck/grammar/pygen"
	"shapecheck/internal/diag"
	"shapecheck/internal/source"
	"shapecheck/parser/ast"
)

// maxErrors is the number of syntax errors reported for one file.
const maxErrors = 20

// Parse parses a file that was added to a FileSet. The tree is never nil; after
// syntax errors it holds the statements that could be parsed.
func Parse(f *source.File) (*ast.Module, []*diag.Diagnostic) {
	p := newRun(f, false)
	p.statements()
	return p.finish()
}

// ParseExpr parses one expression, such as a command-line argument. The module's
// body is a single ExprStmt; it is empty when there is no expression. Line ends
// are white space.
func ParseExpr(f *source.File) (*ast.Module, []*diag.Diagnostic) {
	p := newRun(f, true)
	if err := p.try(func() { p.parser.Eval() }); err != nil {
		p.report(err)
		p.builder.reset(0, 0, 1, len(p.builder.diags))
	}
	m, diags := p.finish()
	if len(diags) > 0 {
		m.Body = nil
	}
	return m, diags
}

// A run is the parsing of one file.
type run struct {
	file    *source.File
	scanner *scanner
	builder *builder
	parser  *pygen.Python
	errors  []*syntaxError
}

func newRun(f *source.File, exprOnly bool) *run { return newRunOn(scan(f, exprOnly)) }

// newRunOn parses tokens that are there already.
func newRunOn(s *scanner) *run {
	p, ok := runs.Get().(*run)
	if !ok {
		b := &builder{}
		p = &run{builder: b, parser: pygen.NewPython(&b.stream)}
		p.parser.Start(b)
		p.parser.SetErrorHandler(newStrategy(b))
	}
	p.file, p.scanner = s.file, s
	p.builder.begins(s)
	return p
}

// runs are those that ended without an error: their stacks, contexts and chunks of nodes
// serve the next. A file has a run for itself and one for each function that is called.
var runs sync.Pool

// statements parses all top-level statements. After an error the faulty line is
// taken out of the token stream, and its top-level statement is parsed again.
func (p *run) statements() {
	b := p.builder
	for b.toks[b.pos].kind != tEOF {
		start := b.pos
		stmts, names, scopes, diags := len(b.stmts), b.names, b.scopes, len(b.diags)
		err := p.try(func() { p.parser.Stmt() })
		if err == nil {
			continue
		}
		b.reset(stmts, names, scopes, diags)
		p.report(err)
		if len(p.errors) >= maxErrors {
			return
		}
		b.pos = start
		p.repair(err.tok, start)
	}
}

// try runs a rule and returns its syntax error.
func (p *run) try(rule func()) (err *syntaxError) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *syntaxError:
			err = r
			p.parser.Reset()
		default:
			panic(r)
		}
	}()
	rule()
	return nil
}

// finish makes the module and the list of diagnostics.
func (p *run) finish() (*ast.Module, []*diag.Diagnostic) {
	b := p.builder
	m := &ast.Module{
		Loc:      ast.Loc{Start: p.file.Pos(0), End: p.file.Pos(p.file.Size())},
		File:     p.file,
		Body:     append([]ast.Stmt(nil), b.stmts...),
		Comments: p.scanner.comments, LongStrings: p.scanner.longStrings,
		Features: append(p.scanner.features, b.features...),
		NumNames: int(b.names), NumScopes: int(b.scopes),
	}
	diags := p.diagnostics()
	if len(p.errors)+len(diags) == 0 {
		toks := b.toks
		tokens.Put(&toks)
		p.file, p.scanner = nil, nil
		b.begins(&scanner{})
		runs.Put(p)
	}
	return m, diags
}
