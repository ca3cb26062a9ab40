package differential

// This file holds that the table of the machine's own opcodes has no row that nothing makes.

import (
	"context"
	"path/filepath"
	"testing"

	"shapecheck/codegen"
	"shapecheck/codegen/isa"
)

// TestEveryMachineOpcodeIsEmitted compiles examples until each of the machine's own opcodes has been met.
func TestEveryMachineOpcodeIsEmitted(t *testing.T) {
	missing := map[isa.Op]bool{}
	for _, i := range isa.Ops() {
		if i.Domain == isa.MachineDomain {
			missing[i.Op] = true
		}
	}
	eachExample(t, share{nodes: 7, numeric: 40, graphs: 20, models: "^(loop|if|scan|conv|mlp|lstm)"}, func(x *example) {
		if len(missing) == 0 {
			return
		}
		p, err := codegen.Compile(context.Background(), unmarshal(x.file), codegen.Options{File: filepath.Join(x.dir, "model.onnx")})
		if err != nil {
			return
		}
		for _, i := range p.ISA.Code {
			delete(missing, isa.Op(i.Op))
		}
	})
	for op := range missing {
		t.Errorf("no example has the opcode %s", op)
	}
}
