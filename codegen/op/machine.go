package op

// This file makes the records of the machine's own operators from their opcodes.

import (
	"fmt"

	"shapecheck/codegen/ir"
	"shapecheck/codegen/isa"
	"shapecheck/onnx"
	"shapecheck/onnx/schema"
	"shapecheck/symshape"
)

// machineOps are the opcodes that stand for nodes: what they are to passes, and the formulas of those
// with work to count. The others are made when a program is emitted.
var machineOps = [...]struct {
	op     isa.Op
	traits ir.Traits
	flops  func(*symshape.Pool, *ir.Node) *symshape.Expr
}{
	{isa.Fill, ir.Pure, nil}, {isa.View, ir.Pure | ir.View, nil}, {isa.Bind, ir.Effect, nil}, {isa.Sizes, ir.Pure, nil},
	{isa.SeqStack, ir.Pure, nil},
	{isa.Conv, product, conv}, {isa.MatMul, product, machineMatMul},
}

func machine() []*ir.Record {
	var out []*ir.Record
	for _, m := range machineOps {
		info := m.op.Info()
		out = append(out, &ir.Record{Name: info.Name, Domain: info.Domain, Traits: m.traits, Opcode: info.Op, Doc: info.Doc,
			Schema: schemaOf(info), Flops: m.flops})
	}
	return out
}

// schemaOf writes an opcode's operands and attributes as a schema. Attributes that are
// sizes or constants have no place there: a node has them as its operands and results.
func schemaOf(info *isa.Info) *schema.Op {
	op := schema.Op{Domain: info.Domain, Name: info.Name, Since: 1}
	params := func(list []isa.Operand) []schema.Param {
		var out []schema.Param
		for _, o := range list {
			out = append(out, schema.Param{Name: o.Name, Types: &schema.Types{}, Optional: o.Optional, Variadic: o.Variadic})
		}
		return out
	}
	op.Inputs, op.Outputs = params(info.In), params(info.Out)
	for _, a := range info.Attrs {
		def := schema.AttrDef{Name: a.Name, Required: a.Required, OneOf: a.Enum}
		switch a.Kind {
		case isa.IntAttr:
			def.Type = onnx.AttrInt
		case isa.FloatAttr:
			def.Type = onnx.AttrFloat
		case isa.StringAttr:
			def.Type = onnx.AttrString
		case isa.IntsAttr:
			def.Type = onnx.AttrInts
		case isa.FloatsAttr:
			def.Type = onnx.AttrFloats
		case isa.StringsAttr:
			def.Type = onnx.AttrStrings
		case isa.SizesAttr, isa.ConstantAttr, isa.TypeAttr:
			continue
		default:
			panic(fmt.Sprintf("op: attribute %s of %s is of an unknown form", a.Name, info.Name))
		}
		op.Attrs = append(op.Attrs, def)
	}
	return schema.New(op)
}
