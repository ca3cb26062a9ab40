package eval

// This file runs single nodes for those who keep the values themselves.

import (
	"fmt"

	"shapecheck/onnx"
)

// A Session runs nodes one at a time. Its limits hold for all of them together, but for
// Bytes, which holds for each: the values are the caller's. It is not safe for concurrent
// use.
type Session struct{ run *run }

// NewSession starts a session; nodes may call the functions.
func NewSession(cfg Config, functions []*onnx.Function) *Session {
	return &Session{newRun(cfg, functions)}
}

// Apply computes a node's outputs from its inputs, of which a nil one is absent. A nil
// output is absent, too. Graphs among the attributes see no names around them. It returns an error if an input has not
// as many elements as its dimensions say, an *Error if the node cannot be run, and a *Stop when a limit is reached or
// the context ends.
func (s *Session) Apply(n *onnx.Node, opsets []onnx.Opset, ins []Value) (outs []Value, err error) {
	defer stopped(&err)
	ins = append([]Value(nil), ins...)
	for i, v := range ins {
		if err := check(v); err != nil {
			return nil, fmt.Errorf("input %d: %w", i, err)
		}
		if t, ok := v.(*Tensor); ok {
			ins[i] = t.withList()
		}
	}
	r := s.run
	if r.ids[n] == 0 {
		r.ids[n] = uint64(len(r.ids) + 1)
	}
	r.held, r.node = 0, 0
	outs, err = r.apply(&scope{values: map[string]Value{}, opsets: opsets}, n, ins)
	for i, v := range outs {
		if t, ok := v.(*Tensor); ok && t == nil {
			outs[i] = nil
		}
	}
	return outs, err
}
