package value

// This file prints values as type strings (design §10): f32[bsize,64], i64[],
// (a, b), [a, b], {"k": a}, None, int=4, int, str='x'. The texts are read by people in reports and
// messages, and compared by tests, so that they have no addresses and no order of maps. Depth,
// width and length are bounded, as values of a program may be large or contain themselves.

import (
	"math"
	"strconv"
	"strings"

	"shapecheck/symshape/dtype"
)

// maxPrintDepth bounds the nesting of a printed value; self-referring
// containers stop there.
const maxPrintDepth = 8

const (
	// maxPrintElems bounds the elements printed of one container.
	maxPrintElems = 64
	// maxPrintBytes bounds the whole text of a container: containers may share their parts.
	maxPrintBytes = 1 << 20
	// maxPrintText bounds the text printed of one str.
	maxPrintText = 1 << 12
)

// visit stops what contains itself, depth the nesting. A printer writes one text. Each one has a
// Visit of its own, so that printing changes nothing of a value.
type printer struct {
	strings.Builder
	depth int
	visit Visit
}

// typeString is the text of a value that may have parts. A quarter of the usual repeats is enough
// for a text that is cut in any case.
func typeString(v Value) string {
	p := printer{visit: Visit{Repeats: SomeRepeats / 4}}
	p.value(v)
	return p.String()
}

// Types are named as Python names them where it can.
func (NoneType) String() string           { return "None" }
func (EllipsisType) String() string       { return "..." }
func (NotImplementedType) String() string { return "NotImplemented" }
func (v Bool) String() string             { return "bool=" + BoolRepr(bool(v)) }
func (v Int) String() string              { return "int=" + strconv.FormatInt(int64(v), 10) }
func (v *BigInt) String() string          { return "int=" + v.V.String() }
func (v Float) String() string            { return "float=" + FloatRepr(float64(v)) }
func (v Complex) String() string          { return "complex" }
func (v Bytes) String() string            { return "bytes" }
func (v *Abstract) String() string        { return v.Class.Name }

// Containers are printed with their parts, and so may be an instance and a choice.
func (v *Tuple) String() string        { return typeString(v) }
func (v *List) String() string         { return typeString(v) }
func (v *Dict) String() string         { return typeString(v) }
func (v *Set) String() string          { return typeString(v) }
func (v *Range) String() string        { return "range" }
func (v *Slice) String() string        { return "slice" }
func (v *Class) String() string        { return "type[" + v.Name + "]" }
func (v *Instance) String() string     { return typeString(v) }
func (v *Module) String() string       { return "module " + v.Name }
func (v *Func) String() string         { return "function " + v.Name }
func (v *Builtin) String() string      { return "function " + v.Name }
func (v *BoundMethod) String() string  { return "method" }
func (v *Property) String() string     { return "property" }
func (v *StaticMethod) String() string { return "staticmethod" }
func (v *ClassMethod) String() string  { return "classmethod" }
func (v *Super) String() string        { return "super" }
func (v *Iterator) String() string     { return v.Name }
func (v *GenericAlias) String() string { return v.Origin.String() }
func (v *Tensor) String() string       { return v.V.Type.String() }
func (v DType) String() string         { return "dtype=" + v.D.String() }
func (v Device) String() string        { return "device=" + StrRepr(v.Name) }
func (v Constant) String() string      { return v.Name }
func (v *Unknown) String() string      { return "?" }
func (v *Choice) String() string       { return typeString(v) }

// String leaves out a text that nobody would read.
func (v Str) String() string {
	if len(v) > maxPrintText {
		return "str"
	}
	return "str=" + StrRepr(string(v))
}

// A size is printed as its expression, and an int without expression and value by its type alone.
func (v *SymInt) String() string {
	if v.D.Expr == nil && !v.D.Known {
		return "int"
	}
	return "int=" + v.D.String()
}

func (v *SymFloat) String() string {
	if v.Known {
		return "float=" + FloatRepr(v.Val)
	}
	return "float"
}

func (v *SymBool) String() string {
	if v.Known {
		return "bool=" + BoolRepr(v.Val)
	}
	return "bool"
}

// value prints a value as reports show it: tensors by dtype and shape, containers with a part of their
// elements, what is not known as a question mark. Cut places are "...": too deep a value, too long
// a text, or a container within itself.
func (p *printer) value(v Value) {
	if p.depth > maxPrintDepth || p.Len() > maxPrintBytes || !p.visit.Enter(v) {
		p.WriteString("...")
		return
	}
	p.depth++
	defer func() {
		p.depth--
		p.visit.Leave()
	}()
	switch v := v.(type) {
	case nil:
		p.WriteString("<unbound>")
	case *Tuple:
		// A named tuple is printed as its constructor's call.
		if v.Class != nil && len(v.Class.Fields) == len(v.Elems) && len(v.Elems) > 0 {
			p.WriteString(v.Class.Name)
			p.WriteByte('(')
			for i, e := range v.Elems {
				if i > 0 {
					p.WriteString(", ")
				}
				p.WriteString(v.Class.Fields[i])
				p.WriteByte('=')
				p.value(e)
			}
			p.WriteByte(')')
			return
		}
		p.elems("(", v.Elems, nil, ")")
	case *List:
		p.elems("[", v.Elems, v.Open, "]")
	case *Set:
		if len(v.elems) == 0 && v.Open == nil {
			p.WriteString("set()")
			return
		}
		p.elems("{", v.elems, v.Open, "}")
	case *Dict:
		p.WriteByte('{')
		// The entries of an object's own dictionary (Mirror) come before those of the dict itself.
		for i := range v.Mirror.Len() + len(v.keys) {
			if i > 0 {
				p.WriteString(", ")
			}
			if i == maxPrintElems {
				p.WriteString("...")
				break
			}
			p.key(v.Key(i))
			p.WriteString(": ")
			p.value(v.At(i))
		}
		// An open dict has further keys that are not known.
		if v.Open != nil {
			if v.Mirror.Len()+len(v.keys) > 0 {
				p.WriteString(", ")
			}
			p.WriteString("...")
		}
		p.WriteByte('}')
	case *Instance:
		// An instance of a subclass of a builtin type is printed as its plain value.
		if v.Payload != nil {
			p.value(v.Payload)
			return
		}
		if t, ok := wrapped(v); ok {
			p.WriteString(t)
			return
		}
		p.WriteString(v.Class.Name)
	case *Choice:
		p.value(v.Then)
		p.WriteString(" | ")
		p.value(v.Else)
	default:
		p.WriteString(v.String())
	}
}

// elems prints the elements of a container between its brackets, an open part as its element and
// dots. A tuple of one element has its comma.
func (p *printer) elems(open string, elems []Value, o *Open, end string) {
	p.WriteString(open)
	for i, e := range elems {
		if i > 0 {
			p.WriteString(", ")
		}
		if i == maxPrintElems {
			p.WriteString("...")
			break
		}
		p.value(e)
	}
	if o != nil {
		if len(elems) > 0 {
			p.WriteString(", ")
		}
		p.value(o.Elem)
		p.WriteString(", ...")
	} else if open == "(" && len(elems) == 1 {
		p.WriteByte(',')
	}
	p.WriteString(end)
}

// key prints a key of a dict: texts and numbers without their types.
func (p *printer) key(k Value) {
	switch k := k.(type) {
	case Str:
		p.WriteString(StrReprDouble(string(k)))
	case Int:
		p.WriteString(strconv.FormatInt(int64(k), 10))
	default:
		p.value(k)
	}
}

// BoolRepr gives Python's repr of a bool. It is in the words of Python, as source and messages have
// it.
func BoolRepr(b bool) string {
	if b {
		return "True"
	}
	return "False"
}

// FloatRepr gives Python's repr of a float: the shortest text that reads as the same number, with
// an exponent below 1e-4 and from 1e16 on.
func FloatRepr(f float64) string {
	switch {
	case math.IsInf(f, 1):
		return "inf"
	case math.IsInf(f, -1):
		return "-inf"
	case math.IsNaN(f):
		return "nan"
	}
	// Zero has no exponent, although it is below the bound.
	abs := math.Abs(f)
	if abs != 0 && (abs < 1e-4 || abs >= 1e16) {
		return strconv.FormatFloat(f, 'e', -1, 64)
	}
	// A float without a fraction has one digit after the point, which tells it from an int.
	s := strconv.FormatFloat(f, 'f', -1, 64)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}

// StrRepr gives Python's repr of a str: in single quotes, or in double ones where it has single
// ones alone.
func StrRepr(s string) string {
	q := byte('\'')
	if strings.Contains(s, "'") && !strings.Contains(s, `"`) {
		q = '"'
	}
	return quote(s, q)
}

// StrReprDouble is StrRepr with double quotes always, as JSON has them.
func StrReprDouble(s string) string { return quote(s, '"') }

// quote escapes as Python does: what cannot be printed by its code point in two, four or eight
// hexadecimal digits. The quotation mark q and the backslash get a backslash; other quotation marks
// stay as they are.
func quote(s string, q byte) string {
	var b strings.Builder
	b.WriteByte(q)
	for _, r := range s {
		switch {
		case r == rune(q) || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < 0x20 || r == 0x7f:
			const hex = "0123456789abcdef"
			b.WriteString(`\x`)
			b.WriteByte(hex[r>>4])
			b.WriteByte(hex[r&15])
		case !strconv.IsPrint(r):
			// Adding the next power of 16 and cutting its digit pads the number with zeros.
			if r <= 0xff {
				b.WriteString(`\x` + strconv.FormatInt(int64(r)+0x100, 16)[1:])
			} else if r <= 0xffff {
				b.WriteString(`\u` + strconv.FormatInt(int64(r)+0x10000, 16)[1:])
			} else {
				b.WriteString(`\U` + strconv.FormatInt(int64(r)+0x100000000, 16)[1:])
			}
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte(q)
	return b.String()
}

// wrapped is the type of an array that a prelude's class holds: its elements are the tensor
// _a, its dtype's name is _d; a star marks a weak type of JAX.
func wrapped(v *Instance) (string, bool) {
	if !v.Class.Prelude {
		return "", false
	}
	if _, ok := v.Class.Lookup("__shapecheck_array__"); !ok {
		return "", false
	}
	a, _ := v.Attrs.Get("_a")
	t, ok := a.(*Tensor)
	if !ok {
		return "", false
	}
	// The type is copied, since the text has another dtype than the tensor that holds the elements.
	x := t.V.Type
	name, _ := v.Attrs.Get("_d")
	s, _ := AsStr(name)
	d, ok := dtype.Parse(s)
	if x.DType = d; !ok {
		x.DType = dtype.Unknown
	}
	text := x.String()
	// A dtype that is none of ours is written by its name.
	if !ok && s != "" {
		text = s + strings.TrimPrefix(text, "?")
	}
	if w, _ := v.Attrs.Get("_w"); w == Bool(true) {
		text += "*"
	}
	return text, true
}
