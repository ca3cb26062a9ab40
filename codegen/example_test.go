package codegen_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"shapecheck/codegen"
	"shapecheck/runtime/tensor"
	"shapecheck/runtime/vm"
)

// A model becomes a program, which is written, loaded and run. docs/vm.md quotes this.
func Example() {
	ctx := context.Background()
	p, err := codegen.CompileFile(ctx, "testdata/net.onnx", codegen.Options{})
	if err != nil {
		log.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "net.prog")
	if err := p.WriteFile(file); err != nil {
		log.Fatal(err)
	}

	m, err := vm.LoadFile(file, vm.Config{Threads: 2})
	if err != nil {
		log.Fatal(err)
	}
	defer m.Close()
	x := make([]float32, 3*4*6)
	for i := range x {
		x[i] = float32(i)
	}
	y, err := m.Run(ctx, vm.Inputs{"x": tensor.Of(x, 1, 3, 4, 6)})
	if err != nil {
		log.Fatal(err)
	}
	out, _ := tensor.Data[float32](y["output"].(*tensor.Tensor))
	fmt.Println(y["output"].Type(), out[:3])

	r := m.NewRunner() // by the numbers of ports, in the same memory each time
	defer r.Close()
	buf := tensor.Of(make([]float32, 6), 1, 6)
	if err := errors.Join(r.SetInput(0, tensor.Of(x, 1, 3, 4, 6)), r.SetOutput(0, buf), r.Run(ctx)); err != nil {
		log.Fatal(err)
	}
	out, _ = tensor.Data[float32](buf)
	fmt.Println(out[:3])

	_, err = m.Run(ctx, vm.Inputs{"x": tensor.Of(make([]float32, 3*5*6), 1, 3, 5, 6)})
	fmt.Println(err)
	// Output:
	// f32[1,6] [11.5 35.5 59.5]
	// [11.5 35.5 59.5]
	// SC841: H % 2 == 0 is needed, but x has H = 5; the nearest sizes are 4 and 6
}
