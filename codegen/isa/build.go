package isa

// This file holds accessors of instructions and short constructors.

// Absent is the operand that is not there.
const Absent int32 = -1

// ConstOperand is the operand that is constant c.
func ConstOperand(c int) int32 { return int32(-2 - c) }

// ConstIndex gives the constant that an operand is, and whether it is one.
func ConstIndex(operand int32) (int, bool) { return int(-2 - operand), operand <= -2 }

// Find gives the attribute of that name, or nil.
func (i *Instruction) Find(name string) *Attr {
	for _, a := range i.Attr {
		if a.Name == name {
			return a
		}
	}
	return nil
}

// Int gives an integer attribute, or def when it is not written.
func (i *Instruction) Int(name string, def int64) int64 {
	if a, ok := i.Find(name).GetV().(*Attr_I); ok {
		return a.I
	}
	return def
}

// Float gives a number attribute, or def.
func (i *Instruction) Float(name string, def float64) float64 {
	if a, ok := i.Find(name).GetV().(*Attr_F); ok {
		return a.F
	}
	return def
}

// Str gives a string attribute, or def.
func (i *Instruction) Str(name, def string) string {
	if a, ok := i.Find(name).GetV().(*Attr_S); ok {
		return string(a.S)
	}
	return def
}

// Ints gives a list attribute; nil when it is not written.
func (i *Instruction) Ints(name string) []int64 {
	if a, ok := i.Find(name).GetV().(*Attr_Ints); ok {
		return a.Ints.List
	}
	return nil
}

// Operand gives an operand, or Absent when it is not written.
func (i *Instruction) Operand(k int) int32 {
	if k < len(i.In) {
		return i.In[k]
	}
	return Absent
}

// IntAttrOf, FloatAttrOf, StringAttrOf and IntsAttrOf make attributes.
func IntAttrOf(name string, x int64) *Attr { return &Attr{Name: name, V: &Attr_I{x}} }

// FloatAttrOf makes a number attribute.
func FloatAttrOf(name string, x float64) *Attr { return &Attr{Name: name, V: &Attr_F{x}} }

// StringAttrOf makes a string attribute.
func StringAttrOf(name, x string) *Attr { return &Attr{Name: name, V: &Attr_S{[]byte(x)}} }

// IntsAttrOf makes a list attribute.
func IntsAttrOf(name string, x ...int64) *Attr {
	return &Attr{Name: name, V: &Attr_Ints{&Ints{List: x}}}
}

// Kind is the form of an attribute's value; 0 when it has none.
func (a *Attr) Kind() AttrKind {
	switch a.GetV().(type) {
	case *Attr_I:
		return IntAttr
	case *Attr_F:
		return FloatAttr
	case *Attr_S:
		return StringAttr
	case *Attr_Ints:
		return IntsAttr
	case *Attr_Floats:
		return FloatsAttr
	case *Attr_Strings:
		return StringsAttr
	case *Attr_Type:
		return TypeAttr
	case *Attr_Sizes:
		return SizesAttr
	case *Attr_Constant:
		return ConstantAttr
	}
	return 0
}

// eachType calls f for all types of the program, in order, not those within types.
func (p *Program) eachType(f func(*Type)) {
	for _, list := range [][]*Port{p.Inputs, p.Outputs} {
		for _, x := range list {
			f(x.Type)
		}
	}
	for _, c := range p.Constants {
		f(c.Type)
	}
	for _, i := range p.Code {
		for _, a := range i.Attr {
			if t, ok := a.GetV().(*Attr_Type); ok {
				f(t.Type)
			}
		}
		for _, r := range i.Out {
			f(r.Type)
		}
	}
}

// eachSize calls f for all references to sizes outside of their table, in order.
func (p *Program) eachSize(f func(*uint32)) {
	for _, s := range p.Symbols {
		if s.Upper > 0 {
			s.Upper--
			f(&s.Upper)
			s.Upper++
		}
	}
	p.eachType(func(t *Type) {
		for ; t != nil; t = t.Of {
			for k := range t.Dims {
				f(&t.Dims[k])
			}
		}
	})
	for _, c := range p.Classes {
		f(&c.Bytes)
	}
	for _, i := range p.Code {
		for _, a := range i.Attr {
			if z, ok := a.GetV().(*Attr_Sizes); ok {
				for k := range z.Sizes.GetList() {
					f(&z.Sizes.List[k])
				}
			}
		}
	}
}

// Strip removes what no run needs: places in the source, names of the original nodes, reasons of
// conditions, and metadata. Errors then name instructions alone.
func (p *Program) Strip() {
	p.Debug, p.Metadata = nil, nil
	for _, i := range p.Code {
		i.Debug = 0
	}
	for _, c := range p.Contract {
		c.Because = nil
	}
}
