package conformance

// This file runs models on the machine: compiled, verified, loaded, and run in an engine.

import (
	"context"
	"fmt"

	"shapecheck/codegen"
	"shapecheck/codegen/pass"
	"shapecheck/onnx"
	"shapecheck/onnx/eval"
	"shapecheck/runtime/tensor"
	"shapecheck/runtime/vm"
)

// An Engine is a way to compile and run models.
type Engine struct {
	Name   string
	Level  pass.Level
	Config vm.Config
}

// Engines are both engines as users have them.
func Engines() []Engine {
	return []Engine{{Name: "fast", Config: vm.Config{Threads: 1}}, {Name: "reference", Config: vm.Config{Engine: vm.Reference}}}
}

// Run compiles and runs a model's file. The inputs are in the model's order; the outputs
// are, too. It returns an error where the file cannot be loaded, as Load, or the model fails on these inputs.
func (e *Engine) Run(ctx context.Context, file []byte, in []tensor.Value) ([]tensor.Value, error) {
	m, err := e.Load(ctx, file)
	if err != nil {
		return nil, err
	}
	defer m.Close()
	return RunLoaded(ctx, m, in)
}

// Load compiles and loads a model's file. It returns an error where the file is no ONNX model, or cannot be compiled or
// loaded.
func (e *Engine) Load(ctx context.Context, file []byte) (*vm.Model, error) {
	m, err := onnx.Unmarshal(file)
	if err != nil {
		return nil, err
	}
	p, err := codegen.Compile(ctx, m, codegen.Options{Passes: pass.Options{Level: e.Level}})
	if err != nil {
		return nil, err
	}
	return vm.LoadMemory(p.ISA, p.Segments, e.Config)
}

// RunLoaded runs a model with inputs in the order of its ports. It returns an error where the number of inputs is not
// that of the program, or where the run fails.
func RunLoaded(ctx context.Context, m *vm.Model, in []tensor.Value) ([]tensor.Value, error) {
	named := vm.Inputs{}
	if len(in) != len(m.Program().Inputs) {
		return nil, fmt.Errorf("the program has %d inputs instead of %d", len(m.Program().Inputs), len(in))
	}
	for i, x := range m.Program().Inputs {
		named[x.Name] = in[i]
	}
	y, err := m.Run(ctx, named)
	if err != nil {
		return nil, err
	}
	var outs []tensor.Value
	for _, x := range m.Program().Outputs {
		outs = append(outs, y[x.Name])
	}
	return outs, nil
}

// inputs are the recorded inputs in the order of the arguments.
func (p *Program) inputs() ([]tensor.Value, error) {
	var in []tensor.Value
	for _, a := range p.In {
		x, err := p.tensor(a)
		if err != nil {
			return nil, err
		}
		t, err := tensor.FromProto(x)
		if err != nil {
			return nil, err
		}
		in = append(in, t)
	}
	return in, nil
}

// Exported gives a program as a model's file, with the recorded inputs in the order of the model's; an
// error where the program is refused or cannot be exported.
func (r *NumericRun) Exported(p *Program) (file []byte, in []tensor.Value, err error) {
	m, _, err := r.model(p)
	if err != nil {
		return nil, nil, err
	}
	if in, err = p.inputs(); err != nil {
		return nil, nil, err
	}
	file, err = onnx.Marshal(m)
	return file, in, err
}

// run runs a recorded program's model and compares the results.
func (e *Engine) run(file []byte, p *Program) (NumericOutcome, error) {
	in, err := p.inputs()
	if err != nil {
		return NumbersBroken, err
	}
	outs, err := e.Run(context.Background(), file, in)
	if err != nil {
		return NumbersNotComputed, err
	}
	var got []*eval.Tensor
	for i, y := range outs {
		t, ok := y.(*tensor.Tensor)
		if !ok {
			return NumbersWrong, fmt.Errorf("result %d is %s", i, y.Type())
		}
		x, err := eval.FromONNX(t.Proto(""))
		if err != nil {
			return NumbersBroken, err
		}
		got = append(got, x)
	}
	if err := p.compare(got); err != nil {
		return NumbersWrong, err
	}
	return NumbersEqual, nil
}
