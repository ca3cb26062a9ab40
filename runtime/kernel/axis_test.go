package kernel

import (
	"testing"

	"shapecheck/codegen/isa"
	"shapecheck/runtime/tensor"
)

// An axis that an operand has not got is no entry's: the reference says what is wrong.
func TestAxesThatAreNotThereHaveNoEntry(t *testing.T) {
	for _, op := range []string{"Softmax", "LogSoftmax", "LayerNormalization", "RMSNormalization", "ArgMax", "Gather"} {
		for axis := int64(-4); axis <= 4; axis++ {
			second := Operand{DType: tensor.Float32, Dims: []int64{3}}
			if op == "Gather" {
				second.DType = tensor.Int64
			}
			s := &Sig{Inst: &isa.Instruction{Op: uint32(isa.Lookup("", op)), Attr: []*isa.Attr{isa.IntAttrOf("axis", axis)}},
				In:  []Operand{{DType: tensor.Float32, Dims: []int64{2, 3}}, second},
				Out: []Operand{{DType: tensor.Float32, Dims: []int64{2, 3}}}}
			if op == "Softmax" || op == "LogSoftmax" || op == "ArgMax" {
				s.In = s.In[:1]
			}
			there := axis >= -2 && axis < 2
			for _, e := range Entries(Portable) {
				if e.Op != s.Op() || there {
					continue
				}
				if e.Shape != nil {
					if _, err := e.Shape(s); err != nil { // it is asked first
						continue
					}
				}
				if e.Match(s) {
					t.Errorf("%s computes the axis %d of two", e.Name, axis)
				}
			}
			if at := axisOf(s, 0); there != (at >= 0) || at >= 2 {
				t.Errorf("%s: the axis %d of two is %d", op, axis, at)
			}
		}
	}
}
