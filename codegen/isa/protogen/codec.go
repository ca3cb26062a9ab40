package main

// This file writes the code that reads and writes messages.

import (
	"slices"
	"strconv"
	"strings"

	"google.golang.org/protobuf/compiler/protogen"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// The packages that the code uses.
const (
	mathPackage = protogen.GoImportPath("math")
	wirePackage = protogen.GoImportPath("google.golang.org/protobuf/encoding/protowire")
)

// A scalar is how numbers of a kind are stored: write and read are Go expressions of a value and of a field.
type scalar struct{ goType, wire, write, read, unset string }

// scalars are the kinds of numbers that the file uses, and texts.
var scalars = map[protoreflect.Kind]scalar{
	protoreflect.BoolKind:   {"bool", "VarintType", "protowire.EncodeBool(%s)", "f.n != 0", "false"},
	protoreflect.EnumKind:   {"", "VarintType", "uint64(%s)", "%s(f.n)", "0"},
	protoreflect.Int64Kind:  {"int64", "VarintType", "uint64(%s)", "int64(f.n)", "0"},
	protoreflect.Uint32Kind: {"uint32", "VarintType", "uint64(%s)", "uint32(f.n)", "0"},
	protoreflect.Uint64Kind: {"uint64", "VarintType", "%s", "f.n", "0"},
	protoreflect.Sint32Kind: {"int32", "VarintType", "protowire.EncodeZigZag(int64(%s))", "int32(protowire.DecodeZigZag(f.n & math.MaxUint32))",
		"0"},
	protoreflect.Sint64Kind: {"int64", "VarintType", "protowire.EncodeZigZag(%s)", "protowire.DecodeZigZag(f.n)", "0"},
	protoreflect.DoubleKind: {"float64", "Fixed64Type", "math.Float64bits(%s)", "math.Float64frombits(f.n)", "0"},
	protoreflect.StringKind: {"string", "BytesType", "%s", "f.text()", `""`},
	protoreflect.BytesKind:  {"[]byte", "BytesType", "%s", "f.bytes()", "nil"},
}

// isText reports whether a kind is of texts or bytes, whose lists are fields that come again.
func isText(k protoreflect.Kind) bool {
	return k == protoreflect.StringKind || k == protoreflect.BytesKind
}

// appender is the writer's method for a kind.
func appender(k protoreflect.Kind) string {
	switch k {
	case protoreflect.StringKind:
		return "text"
	case protoreflect.BytesKind:
		return "bytes"
	case protoreflect.DoubleKind:
		return "fixed"
	}
	return "varint"
}

// writer writes the method that appends a message's fields in the order of their numbers.
func (g *file) writer(m *protogen.Message) {
	g.P()
	g.P("func (x *", m.GoIdent, ") write(w *writer) {")
	g.P("if x == nil { return }")
	byNumber := slices.SortedFunc(slices.Values(m.Fields), func(a, b *protogen.Field) int { return int(a.Desc.Number() - b.Desc.Number()) })
	for _, x := range byNumber {
		k, num, v := x.Desc.Kind(), x.Desc.Number(), "x."+x.GoName
		s := scalars[k]
		switch {
		case x.Oneof != nil:
			if x == x.Oneof.Fields[0] {
				g.writeOneof(x.Oneof)
			}
		case k == protoreflect.MessageKind && x.Desc.IsList():
			g.P("for _, v := range ", v, " { w.message(", num, ", v) }")
		case k == protoreflect.MessageKind:
			g.P("if ", v, " != nil { w.message(", num, ", ", v, ") }")
		case isText(k) && x.Desc.IsList():
			g.P("for _, v := range ", v, " { w.", appender(k), "(", num, ", v) }")
		case x.Desc.IsList():
			g.P("if len(", v, ") > 0 {")
			g.P("at := w.open(", num, ")")
			g.P("for _, v := range ", v, " { w.b = ", g.QualifiedGoIdent(wirePackage.Ident("Append"+s.wire[:len(s.wire)-len("Type")])), "(w.b, ",
				value(s.write, "v"), ") }")
			g.P("w.close(at)")
			g.P("}")
		case k == protoreflect.BoolKind:
			g.P("if ", v, " { w.varint(", num, ", 1) }")
		case isText(k):
			g.P("if len(", v, ") > 0 { w.", appender(k), "(", num, ", ", v, ") }")
		case k == protoreflect.DoubleKind: // -0.0 is written
			g.P("if b := ", value(s.write, v), "; b != 0 { w.fixed(", num, ", b) }")
		default:
			g.P("if ", v, " != 0 { w.varint(", num, ", ", value(s.write, v), ") }")
		}
	}
	g.P("}")
}

// writeOneof writes the field that is set, be it zero.
func (g *file) writeOneof(o *protogen.Oneof) {
	g.P("switch o := x.", o.GoName, ".(type) {")
	for _, x := range o.Fields {
		k, num := x.Desc.Kind(), x.Desc.Number()
		g.P("case *", x.GoIdent, ":")
		if k == protoreflect.MessageKind {
			g.P("w.message(", num, ", o.", x.GoName, ")")
		} else {
			g.P("w.", appender(k), "(", num, ", ", value(scalars[k].write, "o."+x.GoName), ")")
		}
	}
	g.P("}")
}

// reader writes the method that takes a field: the last value of a number counts, lists grow, messages are merged.
func (g *file) reader(m *protogen.Message) {
	g.P()
	g.P("func (x *", m.GoIdent, ") read(f *field) {")
	g.P("switch f.num {")
	for _, x := range m.Fields {
		k, v := x.Desc.Kind(), "x."+x.GoName
		g.P("case ", x.Desc.Number(), ":")
		var typ string
		if k == protoreflect.MessageKind {
			typ = g.QualifiedGoIdent(x.Message.GoIdent)
		}
		switch {
		case x.Desc.IsList() && k == protoreflect.MessageKind:
			g.P("if v := new(", typ, "); f.message(v) { ", v, " = append(", v, ", v) }")
		case x.Desc.IsList() && isText(k):
			g.P("if f.is(", g.wire(k), ") { ", v, " = append(", v, ", ", g.elem(x), ") }")
		case x.Desc.IsList():
			g.P("for f.next(", g.wire(k), ") { ", v, " = append(", v, ", ", g.elem(x), ") }")
		case x.Oneof != nil && k == protoreflect.MessageKind:
			g.P("o, ok := x.", x.Oneof.GoName, ".(*", x.GoIdent, ")")
			g.P("if !ok { o = &", x.GoIdent, "{new(", typ, ")} }")
			g.P("if f.message(o.", x.GoName, ") { x.", x.Oneof.GoName, " = o }")
		case x.Oneof != nil:
			g.P("if f.is(", g.wire(k), ") { x.", x.Oneof.GoName, " = &", x.GoIdent, "{", g.elem(x), "} }")
		case k == protoreflect.MessageKind:
			g.P("v := ", v)
			g.P("if v == nil { v = new(", typ, ") }")
			g.P("if f.message(v) { ", v, " = v }")
		default:
			g.P("if f.is(", g.wire(k), ") { ", v, " = ", g.elem(x), " }")
		}
	}
	g.P("}")
	g.P("}")
}

// elem is the expression of a field's value, or of an element.
func (g *file) elem(x *protogen.Field) string {
	if x.Desc.Kind() == protoreflect.EnumKind {
		return value(scalars[protoreflect.EnumKind].read, g.elemType(x))
	}
	return value(scalars[x.Desc.Kind()].read, "")
}

// wire is the constant of a kind's form in the wire format.
func (g *file) wire(k protoreflect.Kind) string {
	if k == protoreflect.MessageKind {
		return g.QualifiedGoIdent(wirePackage.Ident("BytesType"))
	}
	return g.QualifiedGoIdent(wirePackage.Ident(scalars[k].wire))
}

// value puts a value in an expression.
func value(expr, v string) string { return strings.ReplaceAll(expr, "%s", v) }

// fields writes what the survey of a message knows of its fields.
func (g *file) fields() {
	g.P()
	g.P("// fieldsOf gives the fields of each message at their numbers.")
	g.P("var fieldsOf = [...][]fieldInfo{")
	for i, m := range g.messages {
		g.P(i, ": { // ", m.GoIdent)
		for _, x := range m.Fields {
			text := "{known: true, wire: " + g.wire(x.Desc.Kind())
			switch {
			case x.Message != nil:
				text += ", isMessage: true, message: " + strconv.Itoa(g.index[x.Message.Desc.FullName()])
			case x.Desc.Kind() == protoreflect.StringKind:
				text += ", isText: true"
			case x.Desc.IsList():
				text += ", isList: true"
			}
			g.P(x.Desc.Number(), ": ", text, "},")
		}
		g.P("},")
	}
	g.P("}")
}
