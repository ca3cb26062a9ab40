package main

import (
	"fmt"
	"go/ast"
	"go/scanner"
	"go/token"
	"go/types"
	"strings"
	"unicode/utf8"

	"shapecheck/internal/lazyregexp"
)

// commentShare gives the share of lines that have comments among those that have comments or code.
func commentShare(h *house) string {
	comments, all := 0, 0
	for _, r := range h.rooms {
		for _, f := range r.files {
			c, a := countLines(f.text)
			comments, all = comments+c, all+a
		}
	}
	return fmt.Sprintf("%.1f %%", 100*float64(comments)/float64(max(all, 1)))
}

// countLines counts the lines that have nothing but a comment, and the lines that are not empty.
func countLines(text string) (comments, all int) {
	fset := token.NewFileSet()
	f := fset.AddFile("", -1, len(text))
	var s scanner.Scanner
	s.Init(f, []byte(text), nil, scanner.ScanComments)
	code, comment := map[int]bool{}, map[int]bool{}
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			break
		}
		if tok == token.SEMICOLON && lit == "\n" {
			continue
		}
		at := code
		if tok == token.COMMENT {
			at = comment
		}
		first := f.Line(pos)
		for i := range strings.Count(lit, "\n") + 1 {
			at[first+i] = true
		}
	}
	for line := range comment {
		if !code[line] {
			comments++
		}
	}
	return comments, comments + len(code)
}

// maxUndocumented is the length of a function from which on it needs a comment.
const maxUndocumented = 40

func longWithoutDoc(h *house) string { return h.countUndocumented("") }

func longRulesWithoutDoc(h *house) string { return h.countUndocumented("infer/ops") }

// countUndocumented counts long functions without a comment in packages below a path.
func (h *house) countUndocumented(below string) string {
	n := 0
	h.eachFunc(func(r *room, _ *file, d *ast.FuncDecl) {
		if strings.HasPrefix(r.path, below) && d.Doc == nil && h.lines(d) > maxUndocumented {
			n++
			h.note(d.Pos(), fmt.Sprintf("%s, %d lines", d.Name.Name, h.lines(d)))
		}
	})
	return fmt.Sprint(n)
}

// returnsError reports whether an exported function returns an error.
func returnsError(r *room, d *ast.FuncDecl) bool {
	f, ok := r.info.Defs[d.Name].(*types.Func)
	if !ok || !d.Name.IsExported() {
		return false
	}
	results := f.Signature().Results()
	return results.Len() > 0 && results.At(results.Len()-1).Type().String() == "error"
}

func errorReturns(h *house) string {
	n := 0
	h.eachFunc(func(r *room, _ *file, d *ast.FuncDecl) {
		if returnsError(r, d) {
			n++
		}
	})
	return fmt.Sprint(n)
}

// ofErrors is what comments call the case of an error. It says nothing of how well they do so: that is read.
var ofErrors = lazyregexp.New(`(?i)\b(err|error|errors|fail|fails|failure|refuse|refuses|refused|invalid|fault|cannot)\b`)

func errorComments(h *house) string {
	n, all := 0, 0
	h.eachFunc(func(r *room, _ *file, d *ast.FuncDecl) {
		if returnsError(r, d) {
			all++
			if ofErrors.MatchString(d.Doc.Text()) {
				n++
			} else {
				h.note(d.Pos(), d.Name.Name+" does not say when it returns an error")
			}
		}
	})
	return fmt.Sprintf("%d (%.0f %%)", n, 100*float64(n)/float64(max(all, 1)))
}

// oddWords are words that say by themselves neither what a function does nor what it gives.
var oddWords = lazyregexp.New(
	`^(whole|part|given|below|own|within|apart|beside|alike|without|again|near|alone|whence|meant|told|said|takes|stands?|bears?|affords?|vouch|doubted|aside|there|here|then|once|too)$`)

func oddNames(h *house) string {
	n := 0
	h.eachFunc(func(_ *room, _ *file, d *ast.FuncDecl) {
		if oddWords.MatchString(d.Name.Name) {
			n++
			h.note(d.Pos(), d.Name.Name)
		}
	})
	return fmt.Sprint(n)
}

// maxColumns is the width of a line that a reader sees whole; a tab counts as one column, as in the test of lines.
const maxColumns = 140

func longLines(h *house) string {
	n, all := 0, 0
	for _, r := range h.rooms {
		for _, f := range r.files {
			number := 0
			for line := range strings.Lines(f.text) {
				number++
				if columns := utf8.RuneCountInString(strings.TrimRight(line, "\n")); columns > maxColumns {
					n++
					h.noteLine(f, number, fmt.Sprintf("%d columns", columns))
				}
			}
			all += number
		}
	}
	return fmt.Sprintf("%d (%.2f %%)", n, 100*float64(n)/float64(max(all, 1)))
}
