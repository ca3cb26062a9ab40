package check

// This file compares a model with a file of weights.

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"shapecheck/infer"
	"shapecheck/internal/diag"
	"shapecheck/internal/source"
	"shapecheck/onnx"
	"shapecheck/onnx/weights"
)

// Weights are where the elements of a model's parameters come from.
type Weights struct {
	// File is an open file of weights, and Name what it is called; nil: none.
	File *weights.File
	Name string
	// Convert rounds weights of another float type to the model's.
	Convert bool
	// Seed draws what the constructors draw, where there is no File; nil: nothing is.
	Seed *uint64
}

// compare appends what differs to the diagnostics.
func (w *Weights) compare(res *infer.Result) error {
	if w == nil || w.File == nil || HasErrors(res.Diagnostics) { // the model may not be there in full
		return nil
	}
	if res.Model == nil {
		return fmt.Errorf("--weights %s: %s is no module", w.Name, res.Entry)
	}
	for _, m := range weights.Compare(w.File, Wants(res), w.Convert) {
		at := modelSpan(res)
		if m.Want >= 0 {
			if p := res.State[m.Want].Tensor.V.At; p.IsValid() {
				at = p
			}
		}
		d := diag.New(mismatchCodes[m.Kind], at, m.Msg, m.Name)
		d.Notes = m.Notes
		if m.Kind == weights.Wrapped {
			d.Severity = diag.Warning
		}
		if m.Kind == weights.Unexpected && len(res.Unknown) > 0 {
			d.Severity = diag.Info
			d.Notes = append(d.Notes, "parts of the program are unknown: the model may have it")
		}
		res.Diagnostics = append(res.Diagnostics, d)
	}
	return nil
}

// saved are the single elements of the file by their names, and the types of its other tensors.
func (w *Weights) saved() (map[string]any, error) {
	if w == nil || w.File == nil {
		return nil, nil
	}
	out := map[string]any{}
	for _, t := range w.File.Tensors {
		if t.DType == onnx.String || t.DType == onnx.Undefined {
			continue
		}
		if len(t.Dims) != 0 {
			a := &infer.Array{DType: t.DType.String()}
			for _, n := range t.Dims {
				a.Dims = append(a.Dims, strconv.FormatInt(n, 10))
			}
			out[t.Name] = a
			continue
		}
		var b bytes.Buffer
		if _, err := t.WriteTo(&b); err != nil {
			return nil, err
		}
		x := &onnx.Tensor{DType: t.DType, Raw: b.Bytes(), HasRaw: true}
		if list, err := x.Float64s(); err == nil && len(list) == 1 {
			out[t.Name] = list[0]
		} else if list, err := x.Ints(); err == nil && len(list) == 1 {
			out[t.Name] = list[0]
		}
	}
	return out, nil
}

// mismatchCodes are the codes of what differs.
var mismatchCodes = map[weights.Kind]diag.Code{
	weights.Missing: diag.WeightMissing, weights.Unexpected: diag.WeightUnexpected, weights.WrongShape: diag.WeightShape,
	weights.WrongDType: diag.WeightDType,
	weights.Renamed:    diag.WeightMissing, weights.Wrapped: diag.WeightMissing,
}

// modelSpan is where the model's class is defined, or the start of the file.
func modelSpan(res *infer.Result) source.Span {
	if res.File == nil {
		return source.Span{}
	}
	return source.Span{Start: res.File.Base(), End: res.File.Base()}
}

// Wants says what the model's state_dict must be: its entries, and behind them the numbers that a file may have beside
// them. Chainer's batch normalisation keeps, beside its running mean, the steps of fine-tuning, which no call reads.
func Wants(res *infer.Result) []weights.Want {
	wants := make([]weights.Want, len(res.State))
	for i, p := range res.State {
		wants[i] = Want(p)
		if res.IsLink() && !p.Tensor.Type().Ranked { // Chainer saves nothing of a parameter that no call has given its shape
			wants[i].Optional = true
		}
	}
	for _, name := range res.Numbers {
		wants = append(wants, weights.Want{Name: name, Optional: true})
	}
	for _, p := range res.State {
		if link, ok := strings.CutSuffix(p.Name, "avg_mean"); ok && (link == "" || strings.HasSuffix(link, "/")) {
			wants = append(wants, weights.Want{Name: link + "N", Optional: true})
		}
	}
	return wants
}

// Want says what a state_dict's entry must be.
func Want(p infer.NamedTensor) weights.Want {
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
