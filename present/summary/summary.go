// Package summary tells what a model costs: its modules with the shapes that go
// in and out, parameters, multiply-adds and the memory of activations, each as an
// expression over the free sizes, and as a number where sizes are given.
//
// Of (summary.go) is the way in. tree.go makes the rows of the table, macs.go counts by
// torchinfo's rule, opcount.go counts the operators of the typed graph, memory.go
// finds the peak by liveness. text.go prints the table, json.go the document.
package summary

// This file puts the parts together.

import (
	"fmt"
	"strings"

	"shapecheck/contract"
	"shapecheck/infer"
	"shapecheck/infer/value"
	"shapecheck/symshape"
)

// A Summary is what a model costs. A Dim with neither half is not known.
type Summary struct {
	Rows []*Row
	// Params counts each parameter once, however many modules share it; Trainable
	// those that require gradients. Buffers are not parameters.
	Params, Trainable, Buffers symshape.Dim
	// ParamBytes is the memory of the parameters.
	ParamBytes symshape.Dim
	// MultAdds is the sum of torchinfo's rule over the calls of leaf modules.
	MultAdds symshape.Dim
	// OpMultAdds are the multiplications with an addition in all convolutions,
	// matrix products and attentions of the run, in modules or not.
	OpMultAdds symshape.Dim
	// Uncounted says what OpMultAdds and Peak leave out.
	Uncounted []string
	// InputBytes is the memory of the arguments; PassBytes is what torchinfo calls
	// the size of the forward and backward pass: twice the outputs of all calls of
	// leaf modules that have parameters.
	InputBytes, PassBytes symshape.Dim
	Peak                  Peak

	res *infer.Result
}

// Sizes are values of symbols.
type Sizes = contract.Sizes

// ParseSizes reads "H=224,W=224". It returns an error where a part is not NAME=SIZE, where a size is not a number of 0
// or more, or where a name is given twice.
func ParseSizes(text string) (Sizes, error) {
	out := Sizes{}
	for part := range strings.SplitSeq(text, ",") {
		name, val, ok := strings.Cut(part, "=")
		name = strings.TrimSpace(name)
		e, err := symshape.NewPool().Parse(val)
		if !ok || name == "" || err != nil {
			return nil, fmt.Errorf("%q: expected NAME=SIZE, as in H=224,W=224", part)
		}
		n, ok := e.Const()
		if !ok || n < 0 {
			return nil, fmt.Errorf("%q: %s is no size", part, strings.TrimSpace(val))
		}
		if _, twice := out[name]; twice {
			return nil, fmt.Errorf("%s is given twice", name)
		}
		out[name] = n
	}
	return out, nil
}

// Of makes the summary of a run.
func Of(res *infer.Result) *Summary {
	s := &Summary{res: res}
	t := newTree(s)
	t.calls()
	t.uncalled()
	t.complete()
	s.totals(t)
	s.Rows = t.rows()
	s.countOps()
	s.findPeak()
	return s
}

func (s *Summary) totals(t *tree) {
	p := s.res.Pool
	zero := p.ConstDim(0)
	s.Params, s.Trainable, s.Buffers, s.ParamBytes = zero, zero, zero, zero
	s.MultAdds, s.InputBytes, s.PassBytes = zero, zero, zero
	for _, m := range t.order {
		for _, x := range m.own {
			if !x.first {
				continue
			}
			n := s.numel(x.tensor)
			s.Params = p.DimAdd(s.Params, n)
			s.ParamBytes = p.DimAdd(s.ParamBytes, s.bytes(x.tensor))
			if x.tensor.RequiresGrad {
				s.Trainable = p.DimAdd(s.Trainable, n)
			}
		}
	}
	for _, b := range s.res.Buffers {
		s.Buffers = p.DimAdd(s.Buffers, s.numel(b.Tensor))
	}
	for _, r := range t.all {
		if !r.mod.leaf() || r.call == nil {
			continue
		}
		s.MultAdds = p.DimAdd(s.MultAdds, r.MultAdds)
		if len(r.mod.own) > 0 {
			s.PassBytes = p.DimAdd(s.PassBytes, p.DimMul(p.ConstDim(2), s.firstBytes(r.call.Out)))
		}
	}
	for _, in := range s.res.Inputs {
		s.InputBytes = p.DimAdd(s.InputBytes, s.allBytes(in.Value))
	}
}

// numel is the number of elements of a tensor.
func (s *Summary) numel(t *value.Tensor) symshape.Dim {
	ty := t.Type()
	if !ty.Ranked {
		return symshape.Dim{}
	}
	return s.res.Pool.Numel(ty.Shape)
}

func (s *Summary) bytes(t *value.Tensor) symshape.Dim {
	size := t.Type().DType.Size()
	if size == 0 {
		return symshape.Dim{}
	}
	return s.res.Pool.DimMul(s.res.Pool.ConstDim(int64(size)), s.numel(t))
}

// firstBytes is the memory of the tensor that torchinfo takes for an output.
func (s *Summary) firstBytes(v value.Value) symshape.Dim {
	t := firstTensor(v)
	if t == nil {
		return s.res.Pool.ConstDim(0)
	}
	return s.bytes(t)
}

// allBytes is the memory of all tensors in a value.
func (s *Summary) allBytes(v value.Value) symshape.Dim {
	sum := s.res.Pool.ConstDim(0)
	tensors(v, func(t *value.Tensor) { sum = s.res.Pool.DimAdd(sum, s.bytes(t)) })
	return sum
}

// maxDepth is the nesting to which tensors are looked for in results.
const maxDepth = 6

// tensors calls f for every tensor in a value, in order.
func tensors(v value.Value, f func(*value.Tensor)) {
	eachTensor(&value.Visit{Repeats: value.SomeRepeats}, v, maxDepth, f)
}

func eachTensor(w *value.Visit, v value.Value, depth int, f func(*value.Tensor)) {
	if depth == 0 || !w.Enter(v) {
		return
	}
	defer w.Leave()
	parts := value.Sequences | value.DictValues | value.Attributes
	switch v := v.(type) {
	case *value.Tensor:
		f(v)
	case *value.Instance:
		if v.Payload != nil {
			parts = value.Payloads
		}
	}
	for x := range value.PartsOf(v, parts) {
		eachTensor(w, x, depth-1, f)
	}
}

// At is the value of d where the symbols have the given sizes; without sizes
// the value that the run itself had.
func At(d symshape.Dim, sizes Sizes) (int64, bool) {
	if n, ok := d.Const(); ok {
		return n, true
	}
	if len(sizes) == 0 {
		return d.Val, d.Known
	}
	if d.Expr == nil {
		return 0, false
	}
	n, err := d.Expr.Eval(symshape.Env(sizes))
	return n, err == nil
}

// Expr is d as an expression over the symbols that sizes leave open; empty where it is not known.
func Expr(d symshape.Dim, sizes Sizes) string {
	if d.Expr == nil {
		return ""
	}
	return d.Expr.With(symshape.Env(sizes)).Compact()
}
