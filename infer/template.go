package infer

// This file makes the templates of t-strings; their classes are Python, in the prelude's
// module _templates.

import (
	"shapecheck/infer/value"
	"shapecheck/parser/ast"
)

const templates = "_templates"

// templateStr evaluates a t-string: its values are kept, not formatted.
func (in *Interp) templateStr(f *frame, e *ast.TemplateStr) (value.Value, error) {
	texts := []value.Value{value.Str("")}
	var fields []value.Value
	for _, part := range e.Values {
		switch part := part.(type) {
		case *ast.Constant:
			if err := in.Alloc(len(part.Str)); err != nil {
				return nil, err
			}
			texts[len(texts)-1] = value.Str(part.Str) // texts that follow each other are one
		case *ast.Interpolation:
			field, err := in.interpolation(f, part)
			if err != nil {
				return nil, err
			}
			fields, texts = append(fields, field), append(texts, value.Str(""))
		}
	}
	f.at = e.Span()
	return callTemplates(in, "_template", value.NewTuple(texts...), value.NewTuple(fields...))
}

// interpolation evaluates a field of a t-string: its value first, then its format.
func (in *Interp) interpolation(f *frame, e *ast.Interpolation) (value.Value, error) {
	v, err := in.eval(f, e.Value)
	if err != nil {
		return nil, err
	}
	conversion, spec := value.Value(value.None), value.Value(value.Str(""))
	if e.Conversion != 0 {
		conversion = value.Str(string(e.Conversion))
	}
	if e.FormatSpec != nil {
		if spec, err = in.joinedStr(f, e.FormatSpec); err != nil {
			return nil, err
		}
	}
	f.at = e.Span()
	return callTemplates(in, "_interpolation", v, value.Str(e.Text), conversion, spec)
}

func callTemplates(th value.Thread, name string, args ...value.Value) (value.Value, error) {
	m, err := th.Import(templates)
	if err != nil {
		return nil, err
	}
	return th.CallMethod(m, name, args...)
}
