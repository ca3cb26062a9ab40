package vm

// This file runs a program again and again in the same memory.

import (
	"context"
	"fmt"
	"slices"
	"unsafe"

	"shapecheck/codegen/isa"
	"shapecheck/runtime/tensor"
)

// A Runner runs a model by the numbers of its ports. When the inputs' sizes are those of the last run, a run on
// kernels allocates nothing. It may not be used by two goroutines at the same time; each can have its own.
type Runner struct {
	m      *Model
	f      *frame
	in     []tensor.Value
	out    []tensor.Value // what the caller gave, or nil
	result []tensor.Value
	last   []tensor.Tensor // types of the inputs of the last run that was bound
	binds  bool            // instructions bind symbols, so that each run binds anew
	b      *binding
}

// NewRunner makes a runner.
func (m *Model) NewRunner() *Runner {
	r := &Runner{m: m, f: m.newFrame(m.inside), in: make([]tensor.Value, len(m.p.Inputs)), out: make([]tensor.Value, len(m.p.Outputs)),
		result: make([]tensor.Value, len(m.p.Outputs)),
		last:   make([]tensor.Tensor, len(m.p.Inputs))}
	r.f.copies = true
	r.f.mine = make([]bool, len(m.p.Outputs))
	r.binds = slices.ContainsFunc(m.p.Code, func(i *isa.Instruction) bool { return len(i.Binds) > 0 })
	return r
}

// SetInput gives the value of an input port for the next runs. It must not change while one is in flight. It returns an
// *Error if there is no such port; the value is checked by Run.
func (r *Runner) SetInput(port int, v tensor.Value) error {
	if port < 0 || port >= len(r.in) {
		return &Error{Code: CodeInput, PC: -1, Reason: fmt.Sprintf("the program has no input %d", port)}
	}
	r.in[port] = v
	return nil
}

// SetOutput gives memory for an output port, of its type and sizes; nil: the runner's own. It returns an *Error if
// there is no such port; type and sizes are checked by Run.
func (r *Runner) SetOutput(port int, t *tensor.Tensor) error {
	if port < 0 || port >= len(r.out) {
		return &Error{Code: CodeInput, PC: -1, Reason: fmt.Sprintf("the program has no output %d", port)}
	}
	r.out[port], r.result[port] = nil, nil
	if t != nil {
		r.out[port] = t
	}
	return nil
}

// Output is the value of an output port after a run: in the caller's memory, or in the runner's until the next run.
func (r *Runner) Output(port int) tensor.Value { return r.result[port] }

// same reports whether the inputs have the types of the last run.
func (r *Runner) same() bool {
	for k := range r.in {
		t, ok := r.in[k].(*tensor.Tensor)
		if !ok || t == nil || t.DType() != r.last[k].DType() || !slices.Equal(t.Dims(), r.last[k].Dims()) {
			return false
		}
	}
	return true
}

// Run runs the program once; see Model.Run. The error is an *Error: after one, the runner begins anew with the next
// run.
func (r *Runner) Run(ctx context.Context) (err error) {
	var running *frame
	defer func() {
		if err != nil {
			r.reset()
		}
	}()
	defer func() {
		if x := recover(); x != nil {
			err = r.m.caught(running, x)
		}
	}()
	if r.b == nil || r.binds || !r.same() {
		if r.b, err = r.m.bind(r.in); err != nil {
			return err
		}
		for k, v := range r.in {
			if t, ok := v.(*tensor.Tensor); ok {
				r.last[k].Become(t.DType(), t.Dims(), nil)
			}
		}
		r.f.binding = r.b
		r.f.leave()
		r.f.enter()
	}
	r.f.binding, running = r.b, r.f
	for k, t := range r.out {
		r.f.mine[k] = t == nil
		if t != nil {
			r.result[k] = t
		} else if slices.ContainsFunc(r.in, func(v tensor.Value) bool { return meet(v, r.result[k]) }) { // a state that comes back
			r.result[k] = nil
		}
	}
	return r.f.program(ctx, r.in, r.result)
}

// meet reports whether a tensor lies in the memory of another one, or behind it where that has room.
func meet(v, w tensor.Value) bool {
	x, ok1 := v.(*tensor.Tensor)
	y, ok2 := w.(*tensor.Tensor)
	if !ok1 || !ok2 || cap(x.Bytes()) == 0 || cap(y.Bytes()) == 0 {
		return false
	}
	a, b := uintptr(unsafe.Pointer(unsafe.SliceData(x.Bytes()))), uintptr(unsafe.Pointer(unsafe.SliceData(y.Bytes())))
	return a < b+uintptr(cap(y.Bytes())) && b < a+uintptr(cap(x.Bytes()))
}

// reset forgets what a run that failed has left.
func (r *Runner) reset() {
	r.f.dropAll()
	clear(r.f.slots)
	clear(r.f.owned)
	r.b = nil
	clear(r.result)
}

// Close gives the runner's memory back. It may not be used afterwards.
func (r *Runner) Close() { r.reset() }
