package op

// This file makes the records of the machine's own operators from their opcodes.

import (
	"fmt"

	"shapecheck/codegen/ir"
	"shapecheck/codegen/isa"
	"shapecheck/internal/onnx"
	"shapecheck/internal/onnx/schema"
	"shapecheck/symshape"
)

// machineTraits are what the opcodes that stand for nodes are to passes. The others are
// made when a program is emitted.
var machineTraits = map[isa.Op]ir.Traits{
	isa.Fill: ir.Pure, isa.View: ir.Pure | ir.View, isa.Reorder: ir.Pure, isa.Bind: ir.Effect, isa.Sizes: ir.Pure, isa.Conv: product, isa.MatMul: product,
	isa.SeqStack: ir.Pure,
}

// machineFlops are the formulas of those with work to count.
var machineFlops = map[isa.Op]func(*symshape.Pool, *ir.Node) *symshape.Expr{isa.Conv: conv, isa.MatMul: machineMatMul}

func machine() []*ir.Record {
	var out []*ir.Record
	for _, info := range isa.Ops() {
		traits, ok := machineTraits[info.Op]
		if !ok || info.Domain != isa.MachineDomain {
			continue
		}
		r := &ir.Record{Name: info.Name, Domain: info.Domain, Traits: traits, Opcode: info.Op, Doc: info.Doc, Schema: schemaOf(info), Flops: machineFlops[info.Op]}
		out = append(out, r)
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
