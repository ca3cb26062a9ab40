package ast

// This file writes expressions in the form of ast.dump.

import "strconv"

// expr writes an expression as CPython's ast.dump does, so that a tree can be compared with the one that Python
// itself makes of the same source.
func (d *dumper) expr(e Expr) {
	switch e := e.(type) {
	case nil:
		d.s("None") // the key of **value in a dict
	case *Name:
		d.s("Name(id=")
		d.str(e.ID)
		d.ctx(e.Ctx)
		d.end(&e.Loc)
	case *Constant:
		d.constant(e)
	case *Attribute:
		d.s("Attribute(")
		d.field("value", e.Value)
		d.s(", attr=")
		d.str(e.Attr.Name)
		d.ctx(e.Ctx)
		d.end(&e.Loc)
	case *Call:
		d.s("Call(")
		d.field("func", e.Func)
		d.exprs("args", e.Args)
		d.keywords(e.Keywords)
		d.end(&e.Loc)
	case *Subscript:
		d.s("Subscript(")
		d.field("value", e.Value)
		d.field("slice", e.Index)
		d.ctx(e.Ctx)
		d.end(&e.Loc)
	case *BinOp:
		d.s("BinOp(")
		d.field("left", e.Left)
		d.s(", op=" + e.Op.Name() + "()")
		d.field("right", e.Right)
		d.end(&e.Loc)
	case *UnaryOp:
		d.s("UnaryOp(op=" + e.Op.Name() + "()")
		d.field("operand", e.Operand)
		d.end(&e.Loc)
	case *BoolOp:
		d.s("BoolOp(op=" + e.Op.Name() + "()")
		d.exprs("values", e.Values)
		d.end(&e.Loc)
	case *Compare:
		d.s("Compare(")
		d.field("left", e.Left)
		d.s(", ops=")
		list(d, e.Ops, func(o CmpOperator) { d.s(o.Name() + "()") })
		d.exprs("comparators", e.Comparators)
		d.end(&e.Loc)
	case *Tuple:
		d.s("Tuple(")
		d.exprs("elts", e.Elts)
		d.ctx(e.Ctx)
		d.end(&e.Loc)
	case *List:
		d.s("List(")
		d.exprs("elts", e.Elts)
		d.ctx(e.Ctx)
		d.end(&e.Loc)
	case *Set:
		d.s("Set(")
		d.exprs("elts", e.Elts)
		d.end(&e.Loc)
	case *Dict:
		d.s("Dict(")
		d.exprs("keys", e.Keys)
		d.exprs("values", e.Values)
		d.end(&e.Loc)
	case *Slice:
		d.s("Slice(")
		d.opt("lower", e.Lower)
		d.opt("upper", e.Upper)
		d.opt("step", e.Step)
		d.end(&e.Loc)
	case *Starred:
		d.s("Starred(")
		d.field("value", e.Value)
		d.ctx(e.Ctx)
		d.end(&e.Loc)
	case *IfExp:
		d.s("IfExp(")
		d.field("test", e.Test)
		d.field("body", e.Body)
		d.field("orelse", e.Else)
		d.end(&e.Loc)
	case *Lambda:
		d.s("Lambda(args=")
		d.params(e.Params)
		d.field("body", e.Body)
		d.end(&e.Loc)
	case *NamedExpr:
		d.s("NamedExpr(")
		d.field("target", e.Target)
		d.field("value", e.Value)
		d.end(&e.Loc)
	case *JoinedStr:
		d.s("JoinedStr(")
		d.fstrings++
		d.exprs("values", e.Values)
		d.fstrings--
		d.end(&e.Loc)
	case *FormattedValue:
		d.s("FormattedValue(")
		d.field("value", e.Value)
		d.formatting(e.Conversion, e.FormatSpec)
		d.end(&e.Loc)
	case *TemplateStr:
		d.s("TemplateStr(")
		d.exprs("values", e.Values)
		d.end(&e.Loc)
	case *Interpolation:
		d.s("Interpolation(")
		d.field("value", e.Value)
		d.sep("str")
		d.str(e.Text)
		d.formatting(e.Conversion, e.FormatSpec)
		d.end(&e.Loc)
	case *ListComp:
		d.s("ListComp(")
		d.field("elt", e.Elt)
		d.generators(e.Generators)
		d.end(&e.Loc)
	case *SetComp:
		d.s("SetComp(")
		d.field("elt", e.Elt)
		d.generators(e.Generators)
		d.end(&e.Loc)
	case *DictComp:
		d.s("DictComp(")
		d.field("key", e.Key)
		d.field("value", e.Value)
		d.generators(e.Generators)
		d.end(&e.Loc)
	case *GeneratorExp:
		d.s("GeneratorExp(")
		d.field("elt", e.Elt)
		d.generators(e.Generators)
		d.end(&e.Loc)
	case *Await:
		d.s("Await(")
		d.field("value", e.Value)
		d.end(&e.Loc)
	case *Yield:
		d.s("Yield(")
		d.opt("value", e.Value)
		d.end(&e.Loc)
	case *YieldFrom:
		d.s("YieldFrom(")
		d.field("value", e.Value)
		d.end(&e.Loc)
	}
}

// constant writes values as repr does, floats with the shortest digits that read back the same.
func (d *dumper) constant(e *Constant) {
	d.s("Constant(value=")
	switch e.Kind {
	case NoneConst:
		d.s("None")
	case TrueConst:
		d.s("True")
	case FalseConst:
		d.s("False")
	case EllipsisConst:
		d.s("Ellipsis")
	case IntConst:
		if e.Big != nil {
			d.b = e.Big.Append(d.b, 10)
		} else {
			d.b = strconv.AppendInt(d.b, e.Int, 10)
		}
	case FloatConst:
		d.b = appendFloatRepr(d.b, e.Float)
	case ComplexConst:
		d.b = appendImagRepr(d.b, e.Float)
	case StrConst:
		d.str(e.Str)
	case BytesConst:
		d.b = appendBytesRepr(d.b, e.Str)
	}
	if e.U {
		d.s(", kind='u'")
	}
	d.end(&e.Loc)
}

// formatting writes what a field of an f-string or t-string has after its value.
func (d *dumper) formatting(conversion rune, spec *JoinedStr) {
	d.s(", conversion=")
	if conversion == 0 {
		d.s("-1")
	} else {
		d.int(int(conversion))
	}
	if spec != nil {
		d.field("format_spec", spec)
	}
}

func (d *dumper) generators(gens []*Comprehension) {
	d.s(", generators=")
	list(d, gens, func(c *Comprehension) {
		d.s("comprehension(")
		d.field("target", c.Target)
		d.field("iter", c.Iter)
		d.exprs("ifs", c.Ifs)
		d.s(", is_async=" + d.bit(c.Async) + ")")
	})
}
