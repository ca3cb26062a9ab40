package lower

// This file multiplies batch normalisation into the convolution before it, as PyTorch's exporter does: in
// evaluation both are one convolution, with weight·γ/√(σ²+ε) and (bias-μ)·γ/√(σ²+ε)+β.
//
// The new parameters are computed in float64 from the data when the file is written, not when the
// graph is lowered: a model of gigabytes would otherwise be in memory twice. Drawn parameters
// (initial values without a checkpoint) are drawn then, with the same numbers, as each has its
// own stream.

import (
	"bytes"
	"io"
	"math"
	"slices"
	"strings"

	"shapecheck/infer/graph"
	"shapecheck/onnx"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// folded ends the names of parameters that took in a normalisation, and are none of the state_dict any more.
const folded = ".folded"

// foldNorms folds the normalisations of the entry's own region whose convolution has no other reader, and whose
// parameters all have data. The convolution's parameters must have no other reader, since they
// change; those of the normalisation may have. The convolution takes over the normalisation's
// outputs, so that the names of results stay.
func (l *lowerer) foldNorms() {
	data := map[*graph.Value]*Named{}
	for i := range l.Params {
		if p := &l.Params[i]; p.Data != nil || p.Draw != nil {
			data[p.Value] = p
		}
	}
	if len(data) == 0 {
		return
	}
	uses := l.uses()
	var more []Named
	l.Graph.Body.Nodes = slices.DeleteFunc(l.Graph.Body.Nodes, func(n *graph.Node) bool {
		f := foldable(n, data, uses)
		if f == nil {
			return false
		}
		weight, bias, ok := f.params()
		if !ok {
			return false
		}
		more = append(more, weight, bias)
		setArgument(f.conv, "weight", weight.Value)
		setArgument(f.conv, "bias", bias.Value)
		f.conv.Outputs = n.Outputs
		for _, o := range n.Outputs {
			o.Def = f.conv
		}
		return true
	})
	l.Params = append(l.Params, more...)
}

// uses counts how often the nodes and results of the entry refer to each value.
func (l *lowerer) uses() map[*graph.Value]int {
	uses := map[*graph.Value]int{}
	l.eachUse(func(v *graph.Value) { uses[v]++ })
	return uses
}

// A fold is a convolution and what its normalisation multiplies and adds. All Named are
// parameters with data.
type fold struct {
	conv           *graph.Node
	weight, bias   *Named // of the convolution; bias may be nil
	mean, variance *Named
	gamma, beta    *Named // nil: 1 and 0
	eps            float64
}

// foldable gives the fold that a node is the end of, or nil. The normalisation must be in
// evaluation (training=False), with known eps and running statistics; all must be float32 or
// float64 and of one type.
func foldable(n *graph.Node, data map[*graph.Value]*Named, uses map[*graph.Value]int) *fold {
	if n.Op != "torch.nn.functional.batch_norm" || len(n.Outputs) != 1 || argument(n, "training") != graph.Operand(graph.Bool(false)) {
		return nil
	}
	x, ok := argument(n, "input").(*graph.Value)
	if !ok || x.Def == nil || x.Def.Form != graph.Conv || uses[x] != 1 || len(x.Def.Outputs) != 1 {
		return nil
	}
	f := &fold{conv: x.Def}
	eps, ok := argument(n, "eps").(graph.Float)
	if !ok {
		return nil
	}
	f.eps = float64(eps)
	param := func(n *graph.Node, name string, into **Named, alone bool) bool {
		o := argument(n, name)
		if o == nil {
			return name != "weight" || n != f.conv
		}
		v, ok := o.(*graph.Value)
		if !ok || data[v] == nil || alone && uses[v] != 1 || v.Type.DType != x.Type.DType {
			return false
		}
		*into = data[v]
		return true
	}
	switch {
	case x.Type.DType != dtype.F32 && x.Type.DType != dtype.F64,
		!param(f.conv, "weight", &f.weight, true), !param(f.conv, "bias", &f.bias, true),
		!param(n, "running_mean", &f.mean, false), !param(n, "running_var", &f.variance, false),
		!param(n, "weight", &f.gamma, false), !param(n, "bias", &f.beta, false),
		f.mean == nil, f.variance == nil:
		return nil
	}
	return f
}

// factors are γ/√(σ²+ε) for each channel. It returns an error if data cannot be read, like the
// functions below.
func (f *fold) factors() ([]float64, error) {
	out, err := f.variance.floats()
	if err != nil {
		return nil, err
	}
	gamma, err := f.gamma.floats()
	if err != nil {
		return nil, err
	}
	for i := range out {
		out[i] = 1 / math.Sqrt(out[i]+f.eps)
		if gamma != nil {
			out[i] *= gamma[i]
		}
	}
	return out, nil
}

// params are the weight and the bias of the convolution that does both; ok is false where their
// sizes are not numbers. Their names are the old ones with the suffix, and the bias gets the
// weight's stem, as it may not have existed.
func (f *fold) params() (weight, bias Named, ok bool) {
	name := f.weight.Name
	weight, ok = f.weight.changed(name+folded, f.weight.Value.Type.Shape, f.scaled)
	if !ok {
		return weight, bias, false
	}
	if stem, is := strings.CutSuffix(name, "weight"); is {
		name = stem + "bias"
	}
	bias, ok = f.mean.changed(name+folded, f.mean.Value.Type.Shape, f.shifted)
	return weight, bias, ok
}

// scaled is the weight [out, in/groups, kernel…], each output channel times its factor.
// by[i/each] is the factor of the channel of element i, since channels are the outermost
// dimension.
func (f *fold) scaled() ([]float64, error) {
	by, err := f.factors()
	if err != nil {
		return nil, err
	}
	list, err := f.weight.floats()
	if err != nil || len(list) == 0 {
		return list, err
	}
	each := len(list) / len(by)
	for i := range list {
		list[i] *= by[i/each]
	}
	return list, nil
}

// shifted is the bias [out]. That is (bias - mean)·factor + β, where a missing bias or β is 0.
func (f *fold) shifted() ([]float64, error) {
	by, err := f.factors()
	if err != nil {
		return nil, err
	}
	var parts [3][]float64
	for i, p := range [...]*Named{f.mean, f.bias, f.beta} {
		if parts[i], err = p.floats(); err != nil {
			return nil, err
		}
	}
	mean, bias, beta := parts[0], parts[1], parts[2]
	for i := range by {
		x := -mean[i]
		if bias != nil {
			x += bias[i]
		}
		by[i] *= x
		if beta != nil {
			by[i] += beta[i]
		}
	}
	return by, nil
}

// floats are the elements of a parameter as a list of its own; nil for no parameter. The list is
// a copy, as callers write into it.
func (p *Named) floats() ([]float64, error) {
	if p == nil {
		return nil, nil
	}
	t := p.Data
	if t == nil {
		var err error
		if t, err = p.Draw(); err != nil {
			return nil, err
		}
	}
	if t.Source != nil && !t.HasRaw {
		var b bytes.Buffer
		if _, err := t.Source.WriteTo(&b); err != nil {
			return nil, err
		}
		t = &onnx.Tensor{DType: t.DType, Dims: t.Dims, Raw: b.Bytes(), HasRaw: true}
	}
	list, err := t.Float64s()
	return slices.Clone(list), err
}

// changed is a parameter of p's dtype and of a shape, with other elements, which are computed when they are
// written; ok is false where a size is no number.
func (p *Named) changed(name string, shape symshape.Shape, elems func() ([]float64, error)) (_ Named, ok bool) {
	v := *p.Value
	v.Type.Shape, v.Name = shape, name
	d, _ := onnx.DTypeOf(v.Type.DType.String())
	dims, n := make([]int64, len(shape)), int64(1)
	for i, s := range shape {
		if dims[i], ok = s.Const(); !ok {
			return Named{}, false
		}
		n *= dims[i]
	}
	size, err := onnx.ByteSize(d, n)
	if err != nil {
		return Named{}, false
	}
	return Named{Name: name, Value: &v, Data: &onnx.Tensor{DType: d, Dims: dims, Source: &computed{d, dims, size, elems}}}, true
}

// computed are elements that are computed when they are written. It is the Source of a tensor
// whose elements do not exist yet.
type computed struct {
	dtype onnx.DType
	dims  []int64
	size  int64
	elems func() ([]float64, error)
}

// Size is the number of bytes that WriteTo writes.
func (c *computed) Size() int64 { return c.size }

// WriteTo computes the elements and writes them. It returns an error if they cannot be computed, and that of w.
func (c *computed) WriteTo(w io.Writer) (int64, error) {
	list, err := c.elems()
	if err != nil {
		return 0, err
	}
	t, err := onnx.NewFloats(c.dtype, c.dims, list)
	if err != nil {
		return 0, err
	}
	n, err := w.Write(t.Raw)
	return int64(n), err
}

// setArgument gives an argument of a node another value. An argument that the node does not have
// is appended.
func setArgument(n *graph.Node, name string, v graph.Operand) {
	for i := range n.Args {
		if n.Args[i].Name == name {
			n.Args[i].Value = v
			return
		}
	}
	n.Args = append(n.Args, graph.Arg{Name: name, Value: v})
}
