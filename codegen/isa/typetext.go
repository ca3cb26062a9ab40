package isa

// This file writes single types of a program as text.

// TypeText is a type of the program as its text form has it, with sizes as expressions.
func (p *Program) TypeText(t *Type) string {
	w := &printer{p: p, shape: p.shapeOfSizes()}
	w.nameSizes()
	return w.typ(t)
}

// StaticType is the text of a tensor's type whose sizes are all numbers.
func (p *Program) StaticType(t *Type) (string, bool) {
	if t.GetKind() != Type_TENSOR || t.Unranked {
		return "", false
	}
	for _, d := range t.Dims {
		if _, ok := p.Sizes[d].E.(*Size_Const); !ok {
			return "", false
		}
	}
	return p.TypeText(t), true
}
