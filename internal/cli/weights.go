package cli

// This file compares a model with a file of weights (check --weights), and puts
// their elements into an exported model (export --weights).

import (
	"errors"
	"fmt"
	"math"
	"strconv"

	"github.com/spf13/cobra"

	"shapecheck/infer"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/internal/onnx"
	"shapecheck/internal/source"
	"shapecheck/internal/weights"
	"shapecheck/lower"
	"shapecheck/lower/initial"
)

// weightsFlags say where a model's weights are.
type weightsFlags struct {
	file, key string
	convert   bool
	// seed is --init's; empty: nothing is drawn.
	seed string
}

// initFlag declares --init, which export has.
func (w *weightsFlags) initFlag(c *cobra.Command) {
	c.Flags().StringVar(&w.seed, "init", "", "parameters and buffers get what the constructors draw and compute: PyTorch's distributions, from this seed (a number)")
}

// drawer is what draws the parameters; nil without --init.
func (w *weightsFlags) drawer(res *infer.Result) (*initial.Drawer, error) {
	if w.seed == "" {
		return nil, nil
	}
	n, err := strconv.ParseUint(w.seed, 10, 64)
	if err != nil {
		return nil, fmt.Errorf("--init=%s: expected a number from 0 to %d", w.seed, uint64(math.MaxUint64))
	}
	return initial.New(res.Graph.Setup, res.Pool, n), nil
}

func (w *weightsFlags) flags(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&w.file, "weights", "", "a file of weights: safetensors, model.safetensors.index.json, npz, or what torch.save writes")
	f.StringVar(&w.key, "weights-key", "", "the entry of the checkpoint that holds the weights, such as ema.state_dict")
	f.BoolVar(&w.convert, "convert-weights", false, "weights of another float type are rounded to the model's")
}

// open reads the headers; nil when there is no file.
func (w *weightsFlags) open() (*weights.File, error) {
	if w.file != "" && w.seed != "" {
		return nil, errors.New("--init and --weights exclude each other: the file has all parameters")
	}
	if w.file == "" {
		if w.key != "" || w.convert {
			return nil, errors.New("--weights-key and --convert-weights need --weights FILE")
		}
		return nil, nil
	}
	return weights.Open(w.file, weights.Options{Key: w.key})
}

// compare appends what differs to the diagnostics.
func (w *weightsFlags) compare(f *weights.File, res *infer.Result) error {
	for _, d := range res.Diagnostics {
		if d.Severity == diag.Error { // the model may not be there in full
			return nil
		}
	}
	if res.Model == nil {
		return fmt.Errorf("--weights %s: %s is no module", w.file, res.Entry)
	}
	wants := make([]weights.Want, len(res.State))
	for i, p := range res.State {
		wants[i] = wantOf(p)
	}
	for _, m := range weights.Compare(f, wants, w.convert) {
		at := modelSpan(res)
		if m.Want >= 0 {
			if p := res.State[m.Want].Tensor.V.At; p.IsValid() {
				at = p
			}
		}
		d := diag.New(mismatchCodes[m.Kind], at, m.Msg, m.Name)
		d.Notes = m.Notes
		if m.Kind == weights.Unexpected && len(res.Unknown) > 0 {
			d.Severity = diag.Info
			d.Notes = append(d.Notes, "parts of the program are unknown: the model may have it")
		}
		res.Diagnostics = append(res.Diagnostics, d)
	}
	return nil
}

// mismatchCodes are the codes of what differs.
var mismatchCodes = map[weights.Kind]diag.Code{
	weights.Missing: diag.WeightMissing, weights.Unexpected: diag.WeightUnexpected, weights.WrongShape: diag.WeightShape, weights.WrongDType: diag.WeightDType,
}

// modelSpan is where the model's class is defined, or the start of the file.
func modelSpan(res *infer.Result) source.Span {
	if res.File == nil {
		return source.Span{}
	}
	return source.Span{Start: res.File.Base(), End: res.File.Base()}
}

// wantOf says what a state_dict's entry must be.
func wantOf(p infer.NamedTensor) weights.Want {
	w := weights.Want{Name: p.Name, Optional: isCounter(p.Name)}
	t := p.Tensor.Type()
	if d, ok := onnx.DTypeOf(t.DType.String()); ok {
		w.DType = d
	}
	if t.Ranked {
		w.Dims = make([]int64, len(t.Shape))
		for i, dim := range t.Shape {
			w.Dims[i] = -1
			if n, ok := dim.Const(); ok {
				w.Dims[i] = n
			}
		}
	}
	return w
}

// isCounter recognises the counter of batch norm, which PyTorch adds when a file
// from before 0.4.1, or one without versions such as safetensors, has none.
func isCounter(name string) bool {
	const counter = "num_batches_tracked"
	n := len(name) - len(counter)
	return n >= 0 && name[n:] == counter && (n == 0 || name[n-1] == '.')
}

// params gives the model's parameters and buffers to the lowering, with the
// file's elements. Buffers that are not in a state_dict are computed as the
// constructor does.
func (w *weightsFlags) params(f *weights.File, res *infer.Result) ([]lower.Named, error) {
	persistent := map[*value.Tensor]string{}
	for _, p := range res.State {
		if _, ok := persistent[p.Tensor]; !ok {
			persistent[p.Tensor] = p.Name
		}
	}
	draw, err := w.drawer(res)
	if err != nil {
		return nil, err
	}
	var out []lower.Named
	for _, list := range [][]infer.NamedTensor{res.Parameters, res.Buffers} {
		for _, p := range list {
			n := lower.Named{Name: p.Name, Value: res.AtCall(p.Tensor)}
			name, ok := persistent[p.Tensor]
			if !ok && p.Tensor.V.Def != nil {
				continue
			}
			if draw != nil {
				n.Draw = func() (*onnx.Tensor, error) { return draw.Tensor(n.Name, n.Value) }
			}
			if f != nil {
				if t := f.Find(name); ok && t != nil {
					want := wantOf(p)
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
