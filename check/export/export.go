// Package export makes ONNX models of entries: what package check has checked is lowered, with
// its contract in the metadata. It is apart from package check so that a program that only checks
// does not link the lowering and the evaluator.
//
//	export.go    from the entry to the model     unroll.go  loops that it cannot unroll
//	metadata.go  what the run knows of sizes     inlined.go types of values from functions
//	weights.go   elements of parameters          external.go weights that lie in another file
//	save.go      files of models
package export

// This file makes the model of an entry.

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"shapecheck/check"
	"shapecheck/infer"
	"shapecheck/infer/graph"
	"shapecheck/internal/diag"
	"shapecheck/internal/source"
	"shapecheck/internal/timing"
	"shapecheck/lower"
	"shapecheck/onnx"
	onnxcheck "shapecheck/onnx/check"
	"shapecheck/onnx/inference"
	"shapecheck/onnx/inline"
	"shapecheck/trace"
)

// Options say what a model is to be like.
type Options struct {
	// Opset is the version of the standard operators; 0: lower.DefaultOpset.
	Opset int64
	// Plus writes ONNX+, the operators of org.chainer among others.
	Plus bool
	// Inline replaces the functions of the model by their nodes.
	Inline bool
	// CNames gives sizes that are expressions names that are identifiers of C90.
	CNames bool
	// SelfCheck infers the types of the model again and compares them with the program's.
	SelfCheck bool
	// Train leaves a model in training mode, in which modules are made; else its eval() is called.
	Train bool
	// FoldNorms makes batch normalisation in evaluation part of the convolution before it, where the
	// parameters of both have elements.
	FoldNorms bool
	// Strict refuses a program of which a warning is shown.
	Strict bool
	// Version is shapecheck's, for the model's producer.
	Version string
}

// A Result is the model of an entry, or why there is none.
type Result struct {
	// Result is the check of the entry. What cannot be exported is among its findings.
	*check.Result
	// Model is nil when the entry is refused.
	Model *onnx.Model
	// Unrolled are the loops that were to be kept and are not alike in all iterations.
	Unrolled []source.Span
}

// Entry checks an entry and makes its model. A run that ended at a limit has none. Errors refuse it, as far as they are
// shown, and warnings do in strict mode only; an error at the top level of a module
// does not that the entry has nothing to do with. An error that is returned is one of
// Session.Check, or a bug.
func Entry(ctx context.Context, s *check.Session, t *check.Target, o Options) (*Result, error) {
	if t.Run.Eval && o.Train {
		return nil, errors.New("--eval and --train: give one of them")
	}
	mode := *t
	mode.Run.Eval, mode.Run.Exporting = !o.Train, true
	mode.Run.KeptState, mode.Run.Numbers = true, trace.Numbers
	res, err := s.Check(ctx, &mode)
	if err != nil {
		return nil, err
	}
	if !res.Exceeded && refuses(res.Diagnostics, o.Strict) { // what a library does for tracers alone may be wrong where the code is right
		mode.Run.Exporting = false
		plain, err := s.Check(ctx, &mode)
		if err != nil {
			return nil, err
		}
		if !refuses(plain.Diagnostics, o.Strict) {
			res = plain
		}
	}
	out := &Result{Result: res}
	if res.Exceeded || refuses(res.Diagnostics, o.Strict) {
		return out, nil
	}
	out.Unrolled = res.Unrolled
	if t.Run.Unroll == infer.UnrollAlways && reportKeptLoops(res.Result) {
		return out, nil
	}
	span := s.Time.Begin(timing.Phase, timing.Lowering)
	err = check.Cancellable(ctx, res.Pool, func() error {
		out.Model, err = model(ctx, res.Result, t.Weights, o)
		return err
	})
	if out.Model != nil {
		s.Time.Count(0, len(out.Model.Graph.Nodes))
	}
	span.End()
	var gaps notLowered
	if errors.As(err, &gaps) {
		for _, e := range gaps {
			res.Diagnostics = append(res.Diagnostics, diag.New(diag.NotLowered, e.At, e.Reason))
		}
		return out, nil
	}
	return out, err
}

// refuses reports whether findings stop an export.
func refuses(list []*diag.Diagnostic, strict bool) bool {
	for _, d := range list {
		if d.Severity == diag.Error && !d.Aside || d.Severity == diag.Warning && strict || d.Code == diag.InternalError {
			return true
		}
	}
	return false
}

// A notLowered is what has no form in ONNX.
type notLowered []*lower.Error

func (e notLowered) Error() string { return fmt.Sprintf("%d places have no form in ONNX", len(e)) }

// model lowers a result. An error is a notLowered, that of ctx, or a bug.
func model(ctx context.Context, res *infer.Result, w *check.Weights, o Options) (*onnx.Model, error) {
	if err := graph.Verify(res.Graph); err != nil {
		return nil, fmt.Errorf("the typed graph is not well formed: %w", err)
	}
	in := lower.Input{Graph: res.Graph, Pool: res.Pool, Files: res.Files, Name: res.Entry, Opset: o.Opset, Version: o.Version, Plus: o.Plus,
		FoldNorms: o.FoldNorms}
	var err error
	if in.Params, err = params(w, res); err != nil {
		return nil, err
	}
	in.Metadata = sizeEntries(res)
	m, err := lower.Lower(in)
	if err != nil {
		return nil, gapsOf(err)
	}
	steps := []func() error{}
	if o.Inline {
		steps = append(steps, func() error {
			if _, err := inline.Model(ctx, m); err != nil {
				return err
			}
			inline.Constants(m)
			return declareInlined(m)
		})
	}
	if o.CNames {
		steps = append(steps, func() error { onnx.NameDims(m); return nil })
	}
	if o.SelfCheck {
		steps = append(steps, func() error { return selfCheck(m) })
	}
	for _, step := range steps {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := step(); err != nil {
			return nil, err
		}
	}
	for _, e := range onnxcheck.Model(m) {
		if !e.NoRank { // a result whose rank depends on data; runtimes take it
			return nil, fmt.Errorf("the model is not well-formed; please report this: %w", e)
		}
	}
	return m, ctx.Err()
}

// gapsOf makes a notLowered of an error of lower.Lower where it is no bug.
func gapsOf(err error) error {
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return err
	}
	var out notLowered
	for _, e := range joined.Unwrap() {
		var le *lower.Error
		if !errors.As(e, &le) {
			return err
		}
		out = append(out, le)
	}
	return out
}

// selfCheck infers a model from its inputs alone and compares the types with the
// declared ones. A disagreement is a bug of the lowering or of the inference. What is
// checked is the model as a reader of the file has it.
func selfCheck(m *onnx.Model) error {
	b, err := onnx.Marshal(withoutWeights(m))
	if err != nil {
		return err
	}
	if m, err = onnx.Unmarshal(b); err != nil {
		return fmt.Errorf("the written model cannot be read: %w", err)
	}
	onnx.ExpandDims(m)
	rep, err := inference.Compare(m)
	if err != nil {
		return err
	}
	if !rep.OK() {
		return fmt.Errorf("the written model disagrees with the program's types; please report this:\n%s", strings.TrimSpace(rep.String()))
	}
	return nil
}
