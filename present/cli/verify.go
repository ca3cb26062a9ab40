package cli

// This file runs exported models: export --verify. A model is exported by rules that this program
// has; running it proves that they agree with the operators. Two runs are compared: optimised in
// the fast engine, and node by node in the reference engine, each compiled from the bytes that were
// written.

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"shapecheck/codegen"
	"shapecheck/codegen/isa"
	"shapecheck/codegen/pass"
	"shapecheck/onnx"
	"shapecheck/runtime/tensor"
	"shapecheck/runtime/vm"
	"shapecheck/symshape"
)

// verifiedRuns is how many choices of sizes are tried, verifyTime how long all of them may take.
const (
	verifiedRuns = 3
	verifyTime   = 20 * time.Second
	agreed       = "results have the types that are written, and the compiled program agrees with the model's nodes"
)

// verifyModel runs a model that was written, with inputs drawn at a few sizes that its
// contract allows: compiled in the fast engine, and as it stands in the reference. Each
// instruction's result must have its declared type, and the outputs must agree. What
// depends on the elements of inputs may refuse drawn ones; then it says so. Where the outputs differ, or a result has
// another type than the model says, the export is wrong: that is printed and the exit code is 1. That nothing could be
// tried is a note only. It returns an error where the model cannot be compiled or the whole command is stopped.
func (a *app) verifyModel(model *onnx.Model) error {
	file, err := onnx.Marshal(model)
	if err != nil {
		return err
	}
	// Each load decodes the model again, since passes change it.
	load := func(level pass.Level, cfg vm.Config) (*vm.Model, error) {
		m, err := onnx.Unmarshal(file)
		if err != nil {
			return nil, err
		}
		p, err := codegen.Compile(a.context(), m, codegen.Options{Passes: pass.Options{Level: level}})
		if err != nil {
			return nil, err
		}
		return loadCompiled(p, cfg)
	}
	fast, err := load(pass.Fast, vm.Config{})
	if err != nil {
		return err
	}
	defer fast.Close()
	// No optimisation at all, which leaves the nodes as they stand.
	plain, err := load(pass.NoneO, vm.Config{Engine: vm.Reference})
	if err != nil {
		return err
	}
	defer plain.Close()
	// A model whose runs take long is verified at fewer points.
	ctx, cancel := context.WithTimeout(a.context(), verifyTime)
	defer cancel()
	points, err := allowedSizes(fast.Program(), verifiedRuns)
	if err != nil {
		return err
	}
	if len(points) == 0 {
		a.say("note: not verified: no sizes were found that the contract allows")
		return nil
	}
	var at, stopped []string
	for i := 0; i < len(points); i++ {
		in, where, err := drawnAt(a.context(), fast.Program(), points[i], uint64(i))
		if err != nil {
			return err
		}
		got, err := fast.Run(ctx, in)
		if err == nil {
			var want vm.Outputs
			if want, err = plain.Run(ctx, in); err == nil {
				err = agree(fast.Program(), got, want)
			}
		}
		var stop *vm.Error
		switch {
		case a.context().Err() != nil:
			return a.context().Err()
		case err == nil:
			at = append(at, where)
		case errors.As(err, &stop) && stop.Code == vm.CodeCancelled:
			stopped = append(stopped, fmt.Sprintf("%s: not within %v", where, verifyTime))
			points = points[:i+1]
		case errors.As(err, &stop) && stop.Code == vm.CodeRun: // it is a matter of the elements
			stopped = append(stopped, fmt.Sprintf("%s: %v", where, err))
		default:
			a.say("error: not verified at %s: %v", where, err)
			a.code = 1
			return nil
		}
	}
	for _, s := range stopped {
		a.say("note: not verified at %s", s)
	}
	switch len(at) {
	case 0:
	case 1:
		a.say("verified by 1 run, at %s: "+agreed, at[0])
	default:
		a.say("verified by %d runs, at %s: "+agreed, len(at), strings.Join(at, "; "))
	}
	return nil
}

// agree compares the outputs of two runs. The tolerances are those of shapecheck test, by element
// type.
func agree(p *isa.Program, got, want vm.Outputs) error {
	near := &testFlags{atol: -1, rtol: -1, equalNaN: true}
	for _, x := range p.Outputs {
		if err := near.same(false, got[x.Name], want[x.Name]); err != nil {
			return fmt.Errorf("the output %q: %w", x.Name, err)
		}
	}
	return nil
}

// drawnAt draws the inputs of a program at values of its symbols, and says which these are. point
// has one value for each symbol of the program; the text names those that are not 0. It returns an
// error for inputs whose rank is not known and for sizes that overflow.
func drawnAt(ctx context.Context, p *isa.Program, point []int64, seed uint64) (vm.Inputs, string, error) {
	// All symbols count as known.
	known, vals, ready := slices.Repeat([]bool{true}, len(point)), make([]int64, len(p.Sizes)), make([]bool, len(p.Sizes))
	if err := p.EvalSizes(point, known, vals, ready); err != nil {
		return nil, "", err
	}
	in := vm.Inputs{}
	for _, x := range p.Inputs {
		if x.Type.Kind != isa.Type_TENSOR || x.Type.Unranked {
			return nil, "", fmt.Errorf("--verify draws tensors of known rank, and the input %q is %s", x.Name, p.TypeText(x.Type))
		}
		dims := make([]string, len(x.Type.Dims))
		for i, d := range x.Type.Dims {
			dims[i] = fmt.Sprint(vals[d])
		}
		t, err := tensor.FromType(ctx, tensor.DType(x.Type.Elem).String()+"["+strings.Join(dims, ",")+"]", x.Name, seed)
		if err != nil {
			return nil, "", err
		}
		in[x.Name] = t
	}
	var where []string
	for i, s := range p.Symbols {
		if point[i] != 0 {
			where = append(where, fmt.Sprintf("%s=%d", s.Name, point[i]))
		}
	}
	if len(where) == 0 {
		return in, "the only sizes", nil
	}
	return in, strings.Join(where, " "), nil
}

// triedSizes are tried for each symbol, in this order from another start for each. Small sizes come
// first, since runs are then fast, and after them the multiples of powers of 2 that models demand.
var triedSizes = []int64{2, 3, 5, 1, 7, 4, 6, 8, 12, 16, 20, 24, 32, 48, 64, 96, 128, 160, 224, 256, 320, 384, 512, 640, 768, 1024}

// triedSize is the n-th size to try for a symbol, the k-th of all: at the end the first two of its
// range. k moves the start, so that two symbols do not have the same value by chance at every
// point.
func triedSize(s *isa.Symbol, n, k int) int64 {
	if n >= len(triedSizes) {
		return s.Lo + int64(n-len(triedSizes))
	}
	return triedSizes[(n+k)%len(triedSizes)]
}

// maxTriedPoints bounds the search for sizes that a contract allows.
const maxTriedPoints = 200_000

// allowedSizes finds values of the symbols that the inputs have, small ones first, that keep a program's contract;
// those of symbols that no input has stay 0. It is a search by counting, not a solver: contracts
// have few symbols, and any values that keep it will do. Points differ in every symbol where that
// is possible, so that a mistaken size cannot hide behind an equal one. It returns an error for a
// condition that cannot be parsed.
func allowedSizes(p *isa.Program, n int) (points [][]int64, err error) {
	pool := symshape.NewPool()
	for _, s := range p.Symbols {
		pool.Declare(s.Name, 0, symshape.PosInf)
	}
	bound := boundSymbols(p)
	var conds []*symshape.Cond
	for _, c := range p.Contract {
		cond, err := pool.ParseCond(c.Cond)
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(cond.Symbols(), func(e *symshape.Expr) bool {
			name, _ := e.IsSymbol()
			return !slices.ContainsFunc(bound, func(i int) bool { return p.Symbols[i].Name == name })
		}) { // the others are of sizes that only a run knows
			conds = append(conds, cond)
		}
	}
	// Without symbols there is one choice.
	if len(bound) == 0 {
		n = 1
	}
	point := make([]int64, len(p.Symbols))
	env := func(name string) (int64, bool) {
		for i, s := range p.Symbols {
			if s.Name == name {
				return point[i], slices.Contains(bound, i)
			}
		}
		return 0, false
	}
	// allowed: within the symbols' ranges, and true for every condition.
	allowed := func() bool {
		for _, i := range bound {
			if s := p.Symbols[i]; point[i] < s.Lo || s.Hi != 0 && point[i] > s.Hi {
				return false
			}
		}
		for _, c := range conds {
			if ok, err := c.Eval(env); err != nil || !ok {
				return false
			}
		}
		return true
	}
	// digits count through the sizes of each symbol, like a number.
	digits, tried, apart := make([]int, len(bound)), 0, true
	try := func() bool { // whether that was the last one
		for k, i := range bound {
			point[i] = triedSize(p.Symbols[i], digits[k], k)
		}
		same := func(q []int64) bool {
			n := 0
			for _, i := range bound {
				if q[i] == point[i] {
					n++
				}
			}
			return n == len(bound) || apart && n > 0
		}
		if tried++; allowed() && !slices.ContainsFunc(points, same) {
			points = append(points, slices.Clone(point))
		}
		return len(points) >= n || tried >= maxTriedPoints
	}
	for _, apart = range []bool{true, false} { // all symbols change from point to point, if the contract lets them
		for limit := 1; limit <= len(triedSizes)+2; limit++ { // small sizes of all symbols first
			for clear(digits); ; {
				// Points without the newest size were tried with a smaller limit.
				if len(digits) == 0 || slices.Max(digits) == limit-1 {
					if try() {
						return points, nil
					}
				}
				k := 0
				for ; k < len(digits); k++ {
					if digits[k]++; digits[k] < limit {
						break
					}
					digits[k] = 0
				}
				if k == len(digits) {
					break
				}
			}
		}
		tried = 0
	}
	return points, nil
}

// boundSymbols are the symbols that stand alone as a size of an input. Their values follow from the
// shapes of inputs, whereas other sizes are computed from them.
func boundSymbols(p *isa.Program) (out []int) {
	for _, x := range p.Inputs {
		if x.Type.Kind != isa.Type_TENSOR {
			continue
		}
		for _, d := range x.Type.Dims {
			if s, ok := p.Sizes[d].E.(*isa.Size_Symbol); ok && !slices.Contains(out, int(s.Symbol)) {
				out = append(out, int(s.Symbol))
			}
		}
	}
	return out
}
