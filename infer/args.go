package infer

// This file reads arguments as they are written on the command line (design §10):
// NAME:TYPE, or NAME=EXPR with type strings inside.

import (
	"fmt"
	"strings"

	"shapecheck/infer/graph"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// arguments are made for the entry: of the texts of the command line, of annotations, and of what a Filler chooses.
type arguments struct {
	*base
	host        argumentsHost
	region      *region
	rec         *recorder
	settings    *settings
	losses      *losses
	finder      *finder
	imports     *imports
	annotations *annotations
	variables   *variables
	spent       *budget
	entryRun    *entryRun

	// making are the classes for which a Filler is asked, outermost first; object says that the outermost of them is
	// an input.
	making []*value.Class
	object bool
}

// An argumentsHost evaluates texts in a module, and says what example sizes decide and what an exception tells.
type argumentsHost interface {
	value.Thread
	evalText(m *value.Module, what, text string, vars map[string]value.Value) (value.Value, error)
	example(c *symshape.Cond) (val, ok bool)
	raises(e *value.Exception) *diag.Diagnostic
	quietly(f func() (value.Value, error)) (value.Value, error)
}

// maxArg bounds the length of an argument in bytes.
const maxArg = 1 << 16

// parseArg reads one --arg.
func (ar *arguments) parseArg(m *value.Module, s string) (string, value.Value, error) {
	if len(s) > maxArg {
		return "", nil, usagef("--arg is too long (%d bytes)", len(s))
	}
	i := strings.IndexAny(s, ":=")
	if i < 0 || !isName(strings.TrimSpace(s[:i])) {
		return "", nil, usagef("--arg %s: expected NAME:TYPE or NAME=EXPR, such as x:f32[B,3,H,W]", s)
	}
	name := strings.TrimSpace(s[:i])
	text := strings.TrimSpace(s[i+1:])
	if text == "" {
		return "", nil, usagef("--arg %s: nothing after %q", s, s[i:i+1])
	}
	if s[i] == ':' { // a scalar type at the top: n:int, n:int=3
		if v, ok, err := ar.scalarArg(m, name, text); ok || err != nil {
			return name, v, err
		}
		if err := ar.noType(m, "--arg "+name, text); err != nil {
			return "", nil, err
		}
	}
	v, err := ar.argExpr(m, "--arg "+name, name, text)
	return name, v, err
}

// scalarArg reads int, int=4, float, float=0.5, bool, bool=True, str, str='a', any.
func (ar *arguments) scalarArg(m *value.Module, name, text string) (value.Value, bool, error) {
	kind, val, hasVal := strings.Cut(text, "=")
	kind = strings.TrimSpace(kind)
	switch kind {
	case "int", "float", "bool", "str":
	case "any":
		return ar.losses.unknown(&value.Cause{Reason: "argument " + name}), !hasVal, nil
	default:
		return nil, false, nil
	}
	if !hasVal {
		return ar.scalarOf(kind, name), true, nil
	}
	if kind == "int" {
		d, err := ar.pool.ParseDim(val)
		if err != nil {
			return nil, false, usagef("--arg %s: %v", name, err)
		}
		d = ar.exampleDim(d)
		return value.FromDim(d), true, nil
	}
	v, err := ar.argExpr(m, "--arg "+name, name, strings.TrimSpace(val))
	if err != nil {
		return nil, false, err
	}
	switch v.(type) {
	case value.Bool, *value.SymBool:
		hasVal = kind == "bool"
	case value.Int, *value.SymInt, value.Float, *value.SymFloat:
		hasVal = kind == "float"
	case value.Str, *value.Abstract:
		hasVal = kind == "str"
	default:
		hasVal = value.IsUnknown(v)
	}
	if !hasVal {
		return nil, false, usagef("--arg %s: %s is no %s", name, strings.TrimSpace(val), kind)
	}
	return v, true, nil
}

// scalarOf makes an argument of an entry that is no tensor: an int is a symbol of that name and becomes part of
// the contract, a bool is decided both ways, and floats and texts are not known.
func (ar *arguments) scalarOf(kind, name string) value.Value {
	cause := &value.Cause{Reason: "argument " + name}
	switch kind {
	case "int":
		return &value.SymInt{D: symshape.Dim{Expr: ar.pool.Declare(name, symshape.NegInf, symshape.PosInf)}}
	case "float":
		return &value.SymFloat{Cause: cause}
	case "bool":
		b := ar.host.DataBool(nil)
		ar.rec.lostTruths[ar.losses.lostTruth(b)] = cause
		return b
	}
	return &value.Abstract{Class: ar.world.Class("str"), Cause: cause}
}

// exampleDim notes the example value of a dimension that is a symbol, and fills
// in the value of one whose symbols have values.
func (ar *arguments) exampleDim(d symshape.Dim) symshape.Dim {
	if d.Expr == nil {
		return d
	}
	if name, ok := d.Expr.IsSymbol(); ok && d.Known {
		ar.settings.examples[name] = d.Val
		return d
	}
	if !d.Known {
		if n, err := d.Expr.Eval(func(s string) (int64, bool) { v, ok := ar.settings.examples[s]; return v, ok }); err == nil {
			d.Val, d.Known = n, true
		}
	}
	return d
}

// argExpr evaluates an expression in which type strings may stand: each is
// replaced by a name that is bound to a value of the type.
func (ar *arguments) argExpr(m *value.Module, what, name, text string) (value.Value, error) {
	vars := map[string]value.Value{}
	if strings.Contains(text, "chainer.") { // then arrays are given, whatever the file imports
		if _, err := ar.host.Import("chainer"); err != nil {
			return nil, err
		}
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case c == '"' || c == '\'':
			j := i + 1
			for j < len(text) && text[j] != c {
				if text[j] == '\\' {
					j++
				}
				j++
			}
			j = min(j+1, len(text))
			b.WriteString(text[i:j])
			i = j
			continue
		case isWordByte(c) || c == '?':
			j := i + 1
			for c != '?' && j < len(text) && (isWordByte(text[j]) || text[j] >= '0' && text[j] <= '9') {
				j++
			}
			word := text[i:j]
			afterDot := i > 0 && text[i-1] == '.'
			if j < len(text) && text[j] == '[' && !afterDot && !isTypeName(word) {
				if err := ar.noType(m, what, word); err != nil {
					return nil, err
				}
			}
			if j < len(text) && text[j] == '[' && !afterDot && isTypeName(word) {
				end := matching(text, j)
				if end < 0 {
					return nil, usagef("%s: '[' is not closed in %q", what, text)
				}
				t, err := ar.tensorArg(name, word, text[j+1:end])
				if err != nil {
					return nil, usagef("%s: %v in %q", what, err, text[i:end+1])
				}
				v := fmt.Sprintf("__arg%d", len(vars))
				vars[v] = t
				b.WriteString(v)
				i = end + 1
				continue
			}
			b.WriteString(word)
			i = j
			continue
		}
		b.WriteByte(c)
		i++
	}
	return ar.host.evalText(m, what, b.String(), vars)
}

func isWordByte(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// isTypeName reports whether word[...] is a type string.
func isTypeName(word string) bool {
	if word == "float" || word == "int" || word == "bool" || word == "complex" {
		return word == "bool"
	}
	_, ok := dtypeNamed(word)
	return ok
}

// anyDType stands in a type string for a dtype that is not known: ?[B,3], ?[*].
const anyDType = "?"

// dtypeNamed is the dtype for which the first part of a type string stands.
func dtypeNamed(word string) (d dtype.DType, ok bool) {
	if word == anyDType {
		return dtype.Unknown, true
	}
	return dtype.Parse(word)
}

// matching finds the bracket that closes the one at open, or -1.
func matching(s string, open int) int {
	depth := 0
	for i := open; i < len(s); i++ {
		switch s[i] {
		case '[', '(':
			depth++
		case ']', ')':
			depth--
			if depth == 0 {
				return i
			}
		}
	}
	return -1
}

// tensorArg makes a tensor of a type: f32[bsize=2,3,H], f32[*,3], f32[?], ?[*].
func (ar *arguments) tensorArg(name, dt, dims string) (value.Value, error) {
	d, ok := dtypeNamed(dt)
	if !ok {
		return nil, fmt.Errorf("%s is no dtype", dt)
	}
	t := graph.TensorType{DType: d, Ranked: true, Shape: symshape.Shape{}}
	if strings.TrimSpace(dims) != "" {
		for i, part := range symshape.SplitList(dims) {
			part = strings.TrimSpace(part)
			switch {
			case (part == "*" || part == "...") && i == 0:
				t.Ranked = false
				continue
			case part == "*" || part == "...":
				return nil, fmt.Errorf("'*' stands for unknown leading dimensions and must come first")
			}
			if size, ok := sizeRange(part); ok {
				ar.settings.ranges = append(ar.settings.ranges, part)
				part = size
			}
			dim, err := ar.pool.ParseDim(part)
			if err != nil {
				return nil, err
			}
			if n, ok := dim.Expr.Const(); ok && n < 0 {
				return nil, fmt.Errorf("a size cannot be negative: %d", n)
			}
			t.Shape = append(t.Shape, ar.exampleDim(dim))
		}
	}
	v := ar.build.NewValue(graph.TensorKind, t, ar.host.Here())
	v.Name = name
	return &value.Tensor{Header: ar.heap.Header(), Class: ar.variables.argClass(), V: v}, nil
}
