package export

// This file gives the elements of parameters to a model.

import (
	"shapecheck/check"
	"shapecheck/infer"
	"shapecheck/infer/value"
	"shapecheck/lower"
	"shapecheck/lower/initial"
	"shapecheck/onnx"
	"shapecheck/onnx/weights"
)

// drawer is what draws the parameters; nil without a seed.
func drawer(w *check.Weights, res *infer.Result) *initial.Drawer {
	if w == nil || w.Seed == nil {
		return nil
	}
	return initial.New(res.Graph.Setup, res.Pool, *w.Seed)
}

// params gives the model's parameters and buffers to the lowering, with the
// file's elements. Buffers that are not in a state_dict are computed as the
// constructor does.
func params(w *check.Weights, res *infer.Result) ([]lower.Named, error) {
	persistent := map[*value.Tensor]string{}
	for _, p := range res.State {
		if _, ok := persistent[p.Tensor]; !ok {
			persistent[p.Tensor] = p.Name
		}
	}
	draw := drawer(w, res)
	naming := weights.Naming{}
	if w != nil && w.File != nil {
		naming = weights.NamingOf(w.File, check.Wants(res))
	}
	var out []lower.Named
	for _, list := range [][]infer.NamedTensor{res.Parameters, res.Buffers} {
		for _, p := range list {
			n := lower.Named{Name: p.Name, Value: res.AtCall(p.Tensor)}
			name, ok := persistent[p.Tensor]
			if !ok && p.Tensor.V.Def != nil {
				continue
			}
			if ok && res.IsLink() { // as Chainer's namedparams has it
				n.Name = "/" + name
			}
			if draw != nil {
				n.Draw = func() (*onnx.Tensor, error) { return draw.Tensor(n.Name, n.Value) }
			}
			if w != nil && w.File != nil {
				if t := w.File.Find(naming.InFile(name)); ok && t != nil {
					want := check.Want(p)
					if want.DType != onnx.Undefined {
						var err error
						if t, err = weights.Convert(t, want.DType); err != nil {
							return nil, err
						}
					}
					n.Data = &onnx.Tensor{DType: t.DType, Dims: t.Dims, Source: t}
				}
			}
			out = append(out, n)
		}
	}
	return out, nil
}
