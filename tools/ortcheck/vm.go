package main

// This file runs the exported model on the device VM as well, beside ONNX Runtime.

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"shapecheck/codegen"
	"shapecheck/codegen/pass"
	"shapecheck/onnx"
	vmtensor "shapecheck/runtime/tensor"
	"shapecheck/runtime/vm"
)

// A compiled model is one program for all sizes, with the parameters as constants.
type compiled struct {
	model   *vm.Model
	outputs []string
}

// compile compiles the model of a file, whose parameters are inputs or not. Those
// that state names become constants.
func compile(path string, state []stored) (*compiled, error) {
	m, err := readModel(path)
	if err != nil {
		return nil, err
	}
	g := m.Graph
	for i := range state {
		s := &state[i]
		at := slices.IndexFunc(g.Inputs, func(v *onnx.ValueInfo) bool { return v.Name == s.Name })
		if at < 0 {
			continue
		}
		x, err := s.read()
		if err != nil {
			return nil, err
		}
		p, err := x.proto(s.Name)
		if err != nil {
			return nil, err
		}
		g.Inputs = slices.Delete(g.Inputs, at, at+1)
		g.Initializers = append(g.Initializers, p)
	}
	c := &compiled{}
	for _, o := range g.Outputs {
		c.outputs = append(c.outputs, o.Name)
	}
	p, err := codegen.Compile(context.Background(), m, codegen.Options{File: path, Passes: pass.Options{Level: pass.Fast}})
	if err != nil {
		return nil, err
	}
	c.model, err = vm.LoadMemory(p.ISA, p.Segments, vm.Config{})
	return c, err
}

// run gives the results in the order of the model's outputs.
func (c *compiled) run(feeds map[string]stored) ([]tensor, error) {
	in := vm.Inputs{}
	for name, s := range feeds {
		x, err := s.read()
		if err != nil {
			return nil, err
		}
		p, err := x.proto(name)
		if err != nil {
			return nil, err
		}
		if in[name], err = vmtensor.FromProto(p); err != nil {
			return nil, err
		}
	}
	got, err := c.model.Run(context.Background(), in)
	if err != nil {
		return nil, err
	}
	out := make([]tensor, len(c.outputs))
	for i, name := range c.outputs {
		x, ok := got[name].(*vmtensor.Tensor)
		if !ok {
			return nil, fmt.Errorf("the result %s is no tensor", name)
		}
		p := x.Proto(name)
		out[i] = tensor{T: p.DType.String(), S: p.Dims, B: p.Raw}
	}
	return out, nil
}

// empty reports whether a size is 0: then a program may refuse the run, whose sizes are 1 at least.
func (r run) empty() bool {
	for _, n := range r.sizes {
		if n == 0 {
			return true
		}
	}
	return false
}

// refused reports whether a program refused the sizes of its inputs.
func refused(err error) bool {
	var e *vm.Error
	return errors.As(err, &e) && e.Code == vm.CodeContract
}

// proto makes a TensorProto of a tensor on the wire.
func (t *tensor) proto(name string) (*onnx.Tensor, error) {
	d, ok := onnx.DTypeOf(t.T)
	if !ok {
		return nil, fmt.Errorf("%s: the type %s", name, t.T)
	}
	return &onnx.Tensor{Name: name, DType: d, Dims: t.S, Raw: t.B, HasRaw: true}, nil
}
