package initial

// This file fills tensors as torch.nn.init and the random methods do.
//
// Numbers are drawn from a generator that depends on the seed and on the name of the node's
// stream (its parameter and a count), so the value of one parameter does not change when another
// is added, and parameters can be drawn in any order. They are not PyTorch's numbers, whose
// generator is another one; their distributions are.

import (
	"fmt"
	"math"
	"math/rand/v2"

	"shapecheck/infer/graph"
	"shapecheck/onnx"
	"shapecheck/onnx/eval"
)

// A filling is what fills one tensor: the element at each place in order, or all at
// once where each depends on others. Exactly one of next and all is set.
type filling struct {
	next func(r *rand.Rand, i int64) float64
	all  func(r *rand.Rand) []float64
	node int
	d    *Drawer
}

// A target is what is filled. args are the numbers of the call in order, without the tensor.
type target struct {
	dims []int64
	args []float64
	mode string  // kaiming's
	like []int64 // the sizes of the tensor that is an argument
}

// fills are the functions of torch.nn.init that overwrite the tensor.
var fills = map[string]func(t *target) (*filling, error){
	"uniform": func(t *target) (*filling, error) { return uniformFill(t.arg(0), t.arg(1)), nil },
	"normal":  func(t *target) (*filling, error) { return normalFill(t.arg(0), t.arg(1)), nil },
	"trunc_normal": func(t *target) (*filling, error) {
		return truncated(t.arg(0), t.arg(1), t.arg(2), t.arg(3)), nil
	},
	"constant": func(t *target) (*filling, error) {
		x := t.arg(0)
		return &filling{next: func(*rand.Rand, int64) float64 { return x }}, nil
	},
	"eye": func(t *target) (*filling, error) {
		if len(t.dims) != 2 {
			return nil, fmt.Errorf("eye_ of %d dimensions", len(t.dims))
		}
		cols, scale := t.dims[1], 1.0
		if len(t.args) > 0 {
			scale = t.arg(0)
		}
		return &filling{next: func(_ *rand.Rand, i int64) float64 { return scale * one(i/cols == i%cols) }}, nil
	},
	"dirac": dirac,
	"xavier_uniform": func(t *target) (*filling, error) {
		in, out, err := fans(t.dims)
		b := t.arg(0) * math.Sqrt(6/(in+out))
		return uniformFill(-b, b), err
	},
	"xavier_normal": func(t *target) (*filling, error) {
		in, out, err := fans(t.dims)
		return normalFill(0, t.arg(0)*math.Sqrt(2/(in+out))), err
	},
	"kaiming_uniform": func(t *target) (*filling, error) {
		n, err := t.fan()
		b := t.arg(0) * math.Sqrt(3/n)
		return uniformFill(-b, b), err
	},
	"kaiming_normal": func(t *target) (*filling, error) {
		n, err := t.fan()
		return normalFill(0, t.arg(0)/math.Sqrt(n)), err
	},
	"uniform_fan": func(t *target) (*filling, error) {
		in, _, err := fans(t.like)
		b := 0.0
		if in > 0 {
			b = 1 / math.Sqrt(in)
		}
		return uniformFill(-b, b), err
	},
	"orthogonal": func(t *target) (*filling, error) {
		return &filling{all: func(r *rand.Rand) []float64 { return orthogonal(r, t.dims, t.arg(0)) }}, nil
	},
	"sparse": func(t *target) (*filling, error) {
		if len(t.dims) != 2 {
			return nil, fmt.Errorf("sparse_ of %d dimensions", len(t.dims))
		}
		return &filling{all: func(r *rand.Rand) []float64 { return sparse(r, t.dims, t.arg(0), t.arg(1)) }}, nil
	},
}

func (t *target) arg(i int) float64 {
	if i < len(t.args) {
		return t.args[i]
	}
	return 0
}

func one(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// fans are the numbers of inputs and outputs of a unit: sizes 1 and 0, times the
// sizes of the kernel. They follow torch.nn.init._calculate_fan_in_and_fan_out. The error is a
// tensor of fewer than two axes.
func fans(dims []int64) (in, out float64, err error) {
	if len(dims) < 2 {
		return 0, 0, fmt.Errorf("a tensor of %d dimensions has no fan", len(dims))
	}
	area := 1.0
	for _, d := range dims[2:] {
		area *= float64(d)
	}
	return float64(dims[1]) * area, float64(dims[0]) * area, nil
}

// The mode is fan_in unless the call says fan_out.
func (t *target) fan() (float64, error) {
	in, out, err := fans(t.dims)
	if t.mode == "fan_out" {
		in = out
	}
	return in, err
}

func uniformFill(low, high float64) *filling {
	return &filling{next: func(r *rand.Rand, _ int64) float64 { return low + (high-low)*r.Float64() }}
}

func normalFill(mean, std float64) *filling {
	return &filling{next: func(r *rand.Rand, _ int64) float64 { return mean + std*r.NormFloat64() }}
}

// truncated is normal within [a, b]: the inverse of the distribution function at a
// uniform number. That is the method of trunc_normal_, with a clamp for what rounding moves over
// the border.
func truncated(mean, std, a, b float64) *filling {
	cdf := func(x float64) float64 { return (1 + math.Erf(x/math.Sqrt2)) / 2 }
	low, high := 2*cdf((a-mean)/std)-1, 2*cdf((b-mean)/std)-1
	return &filling{next: func(r *rand.Rand, _ int64) float64 {
		return min(max(mean+std*math.Sqrt2*math.Erfinv(low+(high-low)*r.Float64()), a), b)
	}}
}

// dirac keeps the channels: 1 in the middle of the kernel from channel i to i of
// each group. The result is a convolution that passes its channels through.
func dirac(t *target) (*filling, error) {
	if len(t.dims) < 3 || len(t.dims) > 5 || t.arg(0) < 1 {
		return nil, fmt.Errorf("dirac_ of %d dimensions", len(t.dims))
	}
	groups := int64(t.arg(0))
	each := t.dims[0] / groups
	middle, area := int64(0), int64(1)
	for _, d := range t.dims[2:] {
		middle, area = middle*d+d/2, area*d
	}
	low := min(each, t.dims[1])
	return &filling{next: func(_ *rand.Rand, i int64) float64 {
		at, in, out := i%area, i/area%t.dims[1], i/area/t.dims[1]
		return one(at == middle && out%each == in && in < low && out < groups*each)
	}}, nil
}

// native are random operations without a form in ONNX.
var native = map[string]func(t *target) (*filling, error){
	"torch.Tensor.exponential_": func(t *target) (*filling, error) {
		rate := t.arg(0)
		return &filling{next: func(r *rand.Rand, _ int64) float64 { return r.ExpFloat64() / rate }}, nil
	},
	"torch.Tensor.cauchy_": func(t *target) (*filling, error) {
		m, s := t.arg(0), t.arg(1)
		return &filling{next: func(r *rand.Rand, _ int64) float64 { return m + s*math.Tan(math.Pi*(r.Float64()-0.5)) }}, nil
	},
	"torch.Tensor.log_normal_": func(t *target) (*filling, error) {
		m, s := t.arg(0), t.arg(1)
		return &filling{next: func(r *rand.Rand, _ int64) float64 { return math.Exp(m + s*r.NormFloat64()) }}, nil
	},
	"torch.Tensor.geometric_": func(t *target) (*filling, error) {
		p := t.arg(0)
		return &filling{next: func(r *rand.Rand, _ int64) float64 { return math.Ceil(math.Log(1-r.Float64()) / math.Log(1-p)) }}, nil
	},
	"torch.randperm": func(t *target) (*filling, error) {
		return &filling{all: func(r *rand.Rand) []float64 {
			out := make([]float64, t.dims[0])
			for i, k := range r.Perm(len(out)) {
				out[i] = float64(k)
			}
			return out
		}}, nil
	},
	"torch.Tensor.uniform_": func(t *target) (*filling, error) { return uniformFill(t.arg(0), t.arg(1)), nil },
	"torch.Tensor.normal_":  func(t *target) (*filling, error) { return normalFill(t.arg(0), t.arg(1)), nil },
}

// native runs one of these operations: its numbers are its arguments.
func (r *runner) native(n *graph.Node, i int, make func(t *target) (*filling, error)) ([]*eval.Tensor, error) {
	f, dims, dt, err := r.d.nativeFill(n, i, make)
	if err != nil {
		return nil, err
	}
	t, err := f.tensor(dt, dims)
	return []*eval.Tensor{t}, err
}

// It returns the filling, the sizes and the element type of the result.
func (d *Drawer) nativeFill(n *graph.Node, i int, make func(t *target) (*filling, error)) (*filling, []int64, onnx.DType, error) {
	dims, dt, err := typeOf(n.Outputs[0])
	if err != nil {
		return nil, nil, 0, err
	}
	t := &target{dims: dims}
	for _, a := range n.Args {
		switch a.Value.(type) {
		case graph.Int, graph.Float:
			x, err := number(a.Value)
			if err != nil {
				return nil, nil, 0, err
			}
			if k, ok := x.(int64); ok {
				x = float64(k)
			}
			t.args = append(t.args, x.(float64))
		}
	}
	f, err := make(t)
	if err != nil {
		return nil, nil, 0, err
	}
	f.node, f.d = i, d
	return f, dims, dt, nil
}

// initFill prepares a node of torch.nn.init. The error says that the function is not known, or an
// argument is not.
func (d *Drawer) initFill(n *graph.Node, kind string, i int, dims []int64) (*filling, error) {
	make := fills[kind]
	if make == nil {
		return nil, fmt.Errorf("torch.nn.init.%s_ is not computed here", kind)
	}
	t := &target{dims: dims}
	var err error
	if t.args, err = numbers(n); err != nil {
		return nil, err
	}
	list, _ := arg(n, "args").(graph.Tuple)
	for _, o := range list {
		switch o := o.(type) {
		case graph.Str:
			t.mode = string(o)
		case *graph.Value:
			if t.like, _, err = typeOf(o); err != nil {
				return nil, err
			}
		}
	}
	f, err := make(t)
	if err != nil {
		return nil, err
	}
	f.node, f.d = i, d
	return f, nil
}

// tensor draws all elements.
func (f *filling) tensor(dt onnx.DType, dims []int64) (*eval.Tensor, error) {
	t, err := eval.New(onnx.Double, dims)
	if err != nil {
		return nil, err
	}
	r := f.d.random(f.node)
	if f.all != nil {
		t.F = f.all(r)
	} else {
		for i := range t.F {
			t.F[i] = f.next(r, int64(i))
		}
	}
	return t.Cast(dt), nil
}

// init runs a node of torch.nn.init. "unknown" marks a parameter whose elements come from a file
// or another library; reading it later is an error with that reason.
func (r *runner) init(n *graph.Node, kind string, i int) error {
	self, _ := arg(n, "self").(*graph.Value)
	if self == nil || kind == "share" {
		return nil
	}
	w, err := r.view(self)
	if err != nil {
		return err
	}
	switch kind {
	case "unknown":
		t, _ := arg(n, "args").(graph.Tuple)
		w.of.unknown = "they come from outside the program"
		if len(t) > 0 {
			if s, ok := t[0].(graph.Str); ok {
				w.of.unknown += ": " + string(s)
			}
		}
		return nil
	case "copy":
		from, ok := tensorArg(n)
		if !ok {
			return fmt.Errorf("a copy of something unknown")
		}
		src, err := r.view(from)
		if err != nil {
			return err
		}
		t, err := src.read(false)
		if err != nil {
			return err
		}
		return w.write(t)
	case "zero_row":
		list, err := numbers(n)
		if err != nil || len(list) != 1 || len(w.dims) != 2 {
			return fmt.Errorf("the row of the padding index is not known")
		}
		places := w.places().I
		from := int64(list[0]) * w.dims[1]
		part := &view{w.of, []int64{w.dims[1]}, places[from : from+w.dims[1]]}
		zero, err := eval.New(w.of.t.DType, part.dims)
		if err != nil {
			return err
		}
		return part.write(zero)
	}
	f, err := r.d.initFill(n, kind, i, w.dims)
	if err != nil {
		return err
	}
	t, err := f.tensor(w.of.t.DType, w.dims)
	if err != nil {
		return err
	}
	return w.write(t)
}
