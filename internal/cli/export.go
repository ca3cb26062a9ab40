package cli

// This file writes ONNX models: shapecheck export FILE -o model.onnx.

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"shapecheck/infer"
	"shapecheck/infer/graph"
	"shapecheck/internal/atomicfile"
	"shapecheck/internal/diag"
	"shapecheck/internal/diag/render/text"
	"shapecheck/internal/onnx"
	"shapecheck/internal/onnx/inference"
	"shapecheck/internal/onnx/inline"
	"shapecheck/lower"
)

func (a *app) exportCommand() *cobra.Command {
	var t target
	var out, functions string
	var external bool
	var load weightsFlags
	var opset int64
	var check, c90 bool
	var dialect string
	var unroll string
	c := &cobra.Command{
		Use:   "export FILE -o MODEL.onnx",
		Short: "Write the typed graph of an entry as an ONNX model",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) (err error) {
			if err := t.resolve(args); err != nil {
				return err
			}
			if functions != "keep" && functions != "inline" {
				return fmt.Errorf("--functions=%s: expected keep or inline", functions)
			}
			if dialect != "onnx" && dialect != "onnx+" {
				return fmt.Errorf("--dialect=%s: expected onnx or onnx+", dialect)
			}
			switch unroll {
			case infer.UnrollAuto, infer.UnrollNever, infer.UnrollAlways:
			default:
				return fmt.Errorf("--unroll=%s: expected auto, never or always", unroll)
			}
			t.cfg.Unroll = unroll
			if err := atomicfile.Check(out); err != nil {
				return err
			}
			file, err := load.open()
			if err != nil {
				return err
			}
			if file != nil {
				defer func() { err = errors.Join(err, file.Close()) }()
			}
			res, err := infer.Run(t.cfg)
			if err != nil {
				return err
			}
			if file != nil {
				if err := load.compare(file, res); err != nil {
					return err
				}
			}
			if a.code = exitCode(res, false); a.code != exitClean {
				a.printFindings(res)
				return nil
			}
			if a.unrolled(res, unroll) {
				return nil
			}
			if err := graph.Verify(res.Graph); err != nil {
				return fmt.Errorf("the typed graph is not well formed: %w", err)
			}
			in := lower.Input{Graph: res.Graph, Pool: res.Pool, Files: res.Files, Name: res.Entry, Opset: opset, Version: Version, Plus: dialect == "onnx+"}
			if in.Params, err = load.params(file, res); err != nil {
				return err
			}
			in.Metadata = metadata(res)
			m, err := lower.Lower(in)
			if err != nil {
				return a.loweringFailed(res, err)
			}
			if functions == "inline" {
				if _, err := inline.Model(m); err != nil {
					return err
				}
				inline.Constants(m)
				if err := declareInlined(m); err != nil {
					return err
				}
			}
			if c90 {
				onnx.NameDims(m)
			}
			if check {
				b, err := onnx.Marshal(withoutWeights(m))
				if err != nil {
					return err
				}
				if err := selfCheck(b); err != nil {
					return err
				}
			}
			return saveModel(out, m, external)
		},
	}
	t.flags(c)
	load.flags(c)
	load.initFlag(c)
	c.Flags().StringVarP(&out, "output", "o", "", "the file to write")
	c.Flags().StringVar(&functions, "functions", "keep", "framework calls as functions of the model (keep) or replaced by their nodes (inline)")
	c.Flags().BoolVar(&external, "external-data", false, "weights go to a second file, MODEL.onnx.data; above 2 GB they always do")
	c.Flags().Int64Var(&opset, "opset", lower.DefaultOpset, fmt.Sprintf("version of the ONNX operators, %d to %d", lower.MinOpset, lower.MaxOpset))
	c.Flags().StringArrayVar(&t.cfg.Assume, "assume", nil, "a condition on the sizes that holds: 'H % 32 == 0', 'H=32..512'")
	c.Flags().StringVar(&unroll, "unroll", infer.UnrollAuto, "loops over known ranges: each iteration by itself (auto), one Loop where all are alike (never); always refuses other loops, too")
	c.Flags().StringVar(&dialect, "dialect", "onnx", "standard operators (onnx), or also chainer-compiler's of the domain org.chainer (onnx+)")
	c.Flags().BoolVar(&c90, "c90-dims", false, "sizes that are expressions get names that are identifiers of C90, with a table in the metadata (dims)")
	c.Flags().BoolVar(&check, "check", false, "infer the types of the written model again and compare them, value by value, with those of the Python program")
	return c
}

// selfCheck infers a written model from its inputs alone and compares the types with
// the declared ones. A disagreement is a bug of the lowering or of the inference.
func selfCheck(b []byte) error {
	m, err := onnx.Unmarshal(b)
	if err != nil {
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

// loweringFailed reports what has no form in ONNX as diagnostics.
func (a *app) loweringFailed(res *infer.Result, err error) error {
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return err
	}
	for _, e := range joined.Unwrap() {
		var le *lower.Error
		if !errors.As(e, &le) {
			return err
		}
		res.Diagnostics = append(res.Diagnostics, diag.New(diag.NotLowered, le.At, le.Reason))
	}
	a.code = exitFindings
	a.printFindings(res)
	return nil
}

// printFindings prints what is wrong, to the error stream.
func (a *app) printFindings(res *infer.Result) {
	for _, d := range res.Diagnostics {
		if d.Severity >= diag.Warning {
			text.Print(a.err, res.Files, d, text.Style{Color: colored(a.err), Width: width()})
		}
	}
}
