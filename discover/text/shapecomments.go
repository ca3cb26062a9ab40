package text

// This file reads the shapes of inputs from the comments at the beginning of a forward:
//
//	def forward(self, x, mask):  # x: (B, T, C)
//	    # x: [B, T, d_model] (embedded), mask: [B, T]
//
//	def forward(
//	    self,
//	    x,  # (B, C, H, W)
//	):

import (
	"slices"
	"strings"

	"shapecheck/internal/lazyregexp"
	"shapecheck/internal/source"
	"shapecheck/parser/ast"
)

// maxCommentRead bounds the length of a comment that is read, in bytes: longer ones are prose.
const maxCommentRead = 400

// commented are the names of the sizes of a parameter of a function of the file, as the comments between its parameters and before its
// first statement give them; nil where they give none, or several.
func (f *File) commented(fn *ast.FunctionDef, param string) []string {
	if f.tree == nil || !f.Source.Contains(fn.Span().Start) {
		return nil
	}
	body := fn.Body
	if docstring(body) != "" {
		body = body[1:]
	}
	end := fn.Span().End
	if len(body) > 0 {
		end = body[0].Span().Start
	}
	owner := f.parametersByLine(fn)
	for _, at := range f.tree.Comments {
		if at.Start < fn.Span().Start || at.Start >= end || at.End-at.Start > maxCommentRead {
			continue
		}
		line, _ := f.Source.LineCol(at.Start)
		text := strings.TrimLeft(f.Source.Slice(source.Span{Start: at.Start, End: at.End}), "#: \t")
		for _, part := range outsideBrackets(text) {
			if sizes := sizesOfComment(part, param, owner[line] == param); sizes != nil {
				return sizes
			}
		}
	}
	return nil
}

// distinctSizes are the sizes of a parameter with another name for each that begins as a different one of the parameters before it does: T_src and
// T_tgt are two sizes, and a form has one letter of each.
func (f *File) distinctSizes(fn *ast.FunctionDef, param string, sizes []string) []string {
	letters := map[string]string{} // the names by their first letters
	for _, p := range requiredOf(fn.Params, 1) {
		if p.Name == param {
			break
		}
		for _, name := range f.commented(fn, p.Name) {
			if letter := strings.ToUpper(name[:1]); letters[letter] == "" {
				letters[letter] = name
			}
		}
	}
	out := slices.Clone(sizes)
	for i, name := range out {
		if other := letters[strings.ToUpper(name[:1])]; other != "" && other != name {
			out[i] = freeLetter(letters, name)
		}
	}
	return out
}

// freeLetter is a letter with which none of the names begins, and notes it for one.
func freeLetter(letters map[string]string, name string) string {
	for _, letter := range strings.Split("KLMPQRSUVWXYZ", "") {
		if letters[letter] == "" || letters[letter] == name {
			letters[letter] = name
			return letter
		}
	}
	return name
}

// parametersByLine are the parameters that have a line of their own, and the one input that is on the line of its function.
func (f *File) parametersByLine(fn *ast.FunctionDef) map[int]string {
	count, name := map[int]int{}, map[int]string{}
	for _, p := range requiredOf(fn.Params, 1) {
		line, _ := f.Source.LineCol(p.Span().Start)
		count[line]++
		name[line] = p.Name
	}
	for line, n := range count {
		if n > 1 {
			delete(name, line)
		}
	}
	return name
}

// outsideBrackets are the parts of a comment between commas and semicolons outside of brackets.
func outsideBrackets(text string) []string {
	var out []string
	depth, from := 0, 0
	for i, r := range text {
		switch r {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case ',', ';':
			if depth == 0 {
				out = append(out, text[from:i])
				from = i + 1
			}
		}
	}
	return append(out, text[from:])
}

// sizesOfComment are the sizes that a part of a comment gives a parameter: behind its name, or alone where the line is the parameter's own.
func sizesOfComment(part, param string, own bool) []string {
	text := strings.TrimSpace(part)
	if rest, ok := strings.CutPrefix(text, param); ok {
		m := saidOf.FindStringSubmatch(rest)
		if m[0] == "" {
			return nil
		}
		text = rest[len(m[0]):]
	} else if !own {
		return nil
	}
	lists := sizesSaid.FindAllStringSubmatchIndex(text, -1)
	if len(lists) != 1 || strings.TrimSpace(text[:lists[0][0]]) != "" {
		return nil
	}
	sizes := strings.Split(strings.ReplaceAll(text[lists[0][2]:lists[0][3]], " ", ""), ",")
	if len(sizes) > maxRank {
		return nil
	}
	for _, s := range sizes {
		if pythonWords[s] {
			return nil
		}
	}
	return sizes
}

// saidOf is what stands between the name of an input and its shape.
var saidOf = lazyregexp.New(`^(?:\.shape|\.size\(\))?\s*(?::|=|\bis\b|\bhas\b|-)?\s*(?:(?:a |the )?(?:tensor|shape|size)\b(?: of)?(?: shape)?\s*[:=]?\s*)?`)

// pythonWords in brackets are types or values, no sizes.
var pythonWords = map[string]bool{"int": true, "float": true, "str": true, "bool": true, "list": true, "tuple": true, "dict": true,
	"Tensor": true, "None": true, "True": true, "False": true, "optional": true, "Optional": true, "default": true}
