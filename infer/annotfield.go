package infer

// This file holds attributes against the annotations in the body of their class:
// W: Float[Tensor, "d k"]. Names of sizes are those of the function that assigns.

import (
	"shapecheck/infer/annot"
	"shapecheck/infer/value"
	"shapecheck/parser/ast"
)

// A field is an annotated name of a class body.
type field struct {
	ann   ast.Expr
	frame *frame // of the class body
	spec  *spec  // once it is read
}

// noteFields keeps the annotations of a class body that may tell a shape.
func (an *annotations) noteFields(c *value.Class, s *ast.ClassDef, body *frame) {
	for _, x := range s.Body {
		a, ok := x.(*ast.AnnAssign)
		if !ok || !a.Simple {
			continue
		}
		name, ok := a.Target.(*ast.Name)
		if _, shaped := a.Annotation.(*ast.Subscript); !ok || !shaped {
			continue
		}
		if an.fields == nil {
			an.fields = map[*value.Class]map[string]*field{}
		}
		if an.fields[c] == nil {
			an.fields[c] = map[string]*field{}
		}
		an.fields[c][name.ID] = &field{ann: a.Annotation, frame: body}
	}
}

// checkField holds a value that is assigned to an attribute against what the class says of it.
func (an *annotations) checkField(f *frame, target ast.Expr, v value.Value) {
	t, ok := target.(*ast.Attribute)
	if !ok || len(an.fields) == 0 || f.prelude || v == value.None { // None is often not there yet
		return
	}
	name, ok := t.Value.(*ast.Name)
	if !ok {
		return
	}
	inst, ok := an.localNamed(f, name.ID).(*value.Instance)
	if !ok {
		return
	}
	for _, c := range inst.Class.MRO {
		x := an.fields[c][t.Attr.Name]
		if x == nil {
			continue
		}
		if x.spec == nil {
			x.spec = an.readSpec(&annReader{an: an, module: x.frame.globals, frame: x.frame, class: c}, nil, x.ann)
		}
		if x.spec.kind == tensorSpec && x.spec.says() {
			an.holdAgainst(f, x.spec, v, target.Span(), f.unit.file.Slice(target.Span()))
			an.noteAttributeSizes(f, x.spec)
		}
		return
	}
}

// noteAttributeSizes keeps the numbers for which the names in an attribute's annotation stand:
// what the methods of the class call d is as large as W: Float[Tensor, "d k"] has it.
func (an *annotations) noteAttributeSizes(f *frame, s *spec) {
	if s.kind != tensorSpec || s.shape == nil {
		return
	}
	for _, a := range s.shape.Axes {
		if a.Kind != annot.Size {
			continue
		}
		name := a.Expr.String()
		b, ok := an.nameOf(f, name)
		if !ok {
			continue
		}
		if n, number := b.dim.Const(); number {
			if an.attributeSizes == nil {
				an.attributeSizes = map[string][]int64{}
			}
			an.attributeSizes[name] = append(an.attributeSizes[name], n)
		}
	}
}
