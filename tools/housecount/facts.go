package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"strconv"
	"strings"

	"shapecheck/internal/lazyregexp"
)

// tracerState are the fields of the interpreter that say which tracer runs.
var tracerState = lazyregexp.New(`\bin\.(watching|dynamo|decisions|tracer|isExporting|jit|retrace)\b|\b(dynamo|exporting|watching) != nil`)

// tracerFiles are files of package infer that are a tracer's own.
var tracerFiles = lazyregexp.New(
	`/infer/(dynamo|export|jit|retrace|autograph|sameoutcome|draws|decisions|traced)\w*\.go$`)

// tracerQuestions counts the lines of the engine that ask which tracer runs.
func tracerQuestions(h *house) string {
	lines, files := 0, 0
	for _, r := range h.rooms {
		if r.path != "infer" {
			continue
		}
		for _, f := range r.files {
			if tracerFiles.MatchString(f.name) {
				continue
			}
			n, number := 0, 0
			for line := range strings.Lines(f.text) {
				if number++; tracerState.MatchString(line) {
					n++
					h.noteLine(f, number, strings.TrimSpace(line))
				}
			}
			if lines += n; n > 0 {
				files++
			}
		}
	}
	return fmt.Sprintf("%d in %d files", lines, files)
}

// ofRecords are the packages in which records are, and those whose names are those of other operations.
var ofRecords = lazyregexp.New(`^(infer/ops|lower/aten|onnx|codegen|runtime|tools)\b`)

// minNames is how many names of operations make a table.
const minNames = 3

// operationTables counts composite literals and case labels outside of the records' packages that list operations.
func operationTables(h *house) string {
	known := h.operationNames()
	tables, names := 0, 0
	for _, r := range h.rooms {
		if ofRecords.MatchString(r.path) {
			continue
		}
		for _, f := range r.files {
			ast.Inspect(f.tree, func(n ast.Node) bool {
				var list []ast.Expr
				switch n := n.(type) {
				case *ast.CompositeLit:
					for _, e := range n.Elts {
						if kv, ok := e.(*ast.KeyValueExpr); ok {
							e = kv.Key
						}
						list = append(list, e)
					}
				case *ast.CaseClause:
					list = n.List
				default:
					return true
				}
				if count := countNames(list, known); count >= minNames {
					tables++
					names += count
					h.note(n.Pos(), fmt.Sprintf("%d names", count))
				}
				return true
			})
		}
	}
	return fmt.Sprintf("%d, %d names", tables, names)
}

// countNames counts the texts among expressions that are the last part of an operation's name; 0 where others are among them.
func countNames(list []ast.Expr, known map[string]bool) int {
	n := 0
	for _, e := range list {
		lit, ok := e.(*ast.BasicLit)
		if !ok || lit.Kind != token.STRING {
			return 0
		}
		text, err := strconv.Unquote(lit.Value)
		if err != nil {
			return 0
		}
		if known[text[strings.LastIndexByte(text, '.')+1:]] {
			n++
		}
	}
	if 2*n < len(list) { // a table of something else
		return 0
	}
	return n
}

// schemaName is the name in a record's schema: "conv2d(Tensor input, …".
var schemaName = lazyregexp.New(`^(?:[\w.]*\.)?(\w+)\(`)

// operationNames collects the last parts of the names in the records of torch, NumPy and Chainer.
func (h *house) operationNames() map[string]bool {
	out := map[string]bool{}
	for _, r := range h.rooms {
		if !strings.HasPrefix(r.path, "infer/ops/") {
			continue
		}
		for _, f := range r.files {
			ast.Inspect(f.tree, func(n ast.Node) bool {
				if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
					if text, err := strconv.Unquote(lit.Value); err == nil {
						if m := schemaName.FindStringSubmatch(text); m != nil {
							out[m[1]] = true
						}
					}
				}
				return true
			})
		}
	}
	return out
}

// ofMessage is a function that is asked about the text of a finding, as those that print one are not, or a comparison of one with a
// sentence. Two messages that are compared with each other are not counted: that is how findings are told apart.
var ofMessage = lazyregexp.New(
	`(\bstrings\.(Contains\w*|HasPrefix|HasSuffix|Index\w*|LastIndex\w*|Cut|CutPrefix|CutSuffix|EqualFold|Count|Split\w*|Fields)|` +
		`\.(Match\w*|Find\w*|ReplaceAll\w*))\([^;]*\b\w+\.Msg\b|\.said\(\)|\.Msg [!=]= (diag\.\w|"[^"])`)

// matchesMessage reports whether a line looks for the text of a message.
func matchesMessage(line string) bool {
	code, _, _ := strings.Cut(line, "//")
	return ofMessage.MatchString(code)
}

// matchedMessages counts lines that look for the text of a message, which breaks when the text is
// improved.
func matchedMessages(h *house) string {
	n := 0
	for _, r := range h.rooms {
		for _, f := range r.files {
			number := 0
			for line := range strings.Lines(f.text) {
				if number++; matchesMessage(line) {
					n++
					h.noteLine(f, number, strings.TrimSpace(line))
				}
			}
		}
	}
	return fmt.Sprint(n)
}
