package cli

// This file writes ONNX models: shapecheck export FILE -o model.onnx. The work is done by
// check/export (from an entry to a model) and lower (the operators); here flags are read and the
// result is told.

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"shapecheck/check"
	"shapecheck/check/export"
	"shapecheck/infer"
	"shapecheck/internal/atomicfile"
	"shapecheck/internal/diag"
	"shapecheck/internal/timing"
	"shapecheck/internal/version"
	"shapecheck/lower"
	"shapecheck/onnx"
	"shapecheck/present/render/text"
)

// exportCommand writes an entry's graph as an ONNX model. Where the findings of the entry refuse a model they are
// printed, and no file is written. The exit code is that of the findings where no file is written.
// It returns an error for wrong flags, and for files that cannot be read or written.
func (a *app) exportCommand() *cobra.Command {
	var t target
	var out, functions, dialect string
	var external, verify bool
	var load weightsFlags
	var time timeFlag
	o := export.Options{Version: version.String()}
	c := &cobra.Command{
		Use:   "export FILE -o MODEL.onnx",
		Short: "Write the typed graph of an entry as an ONNX model",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) (err error) {
			if err := t.resolve(args, false); err != nil {
				return err
			}
			if functions != "keep" && functions != "inline" {
				return fmt.Errorf("--functions=%s: expected keep or inline", functions)
			}
			if dialect != "onnx" && dialect != "onnx+" {
				return fmt.Errorf("--dialect=%s: expected onnx or onnx+", dialect)
			}
			switch t.Run.Unroll {
			case infer.UnrollAuto, infer.UnrollNever, infer.UnrollAlways:
			default:
				return fmt.Errorf("--unroll=%s: expected auto, never or always", t.Run.Unroll)
			}
			if out == "" {
				return errors.New("export writes a model: give -o MODEL.onnx")
			}
			// Before the long part.
			if err := atomicfile.Check(out); err != nil {
				return err
			}
			if err := a.measure(&time, t.Run.File, out); err != nil {
				return err
			}
			o.Inline, o.Plus = functions == "inline", dialect == "onnx+"
			target := &t.Target
			if target.Weights, err = load.open(); err != nil {
				return err
			}
			defer func() { err = errors.Join(err, closeWeights(target.Weights)) }()
			var x *export.Result
			session := &check.Session{Limits: t.limits.set(), Time: a.track()}
			err = a.completed(&t, session, need{one: true}, func() (err error) {
				x, err = export.Entry(a.context(), session, target, o)
				return err
			})
			if err != nil {
				return err
			}
			// Why the model is longer than the program.
			for _, at := range x.Unrolled {
				pos := x.Files.Position(at.Start)
				a.say("note: %s: the loop is unrolled: its iterations are not alike, or what they leave has sizes that only the loop knows",
					pos.Place())
			}
			a.printFindings(x.Result)
			if x.Model == nil {
				a.code = check.ExitCode(x.Result.Result)
				return nil
			}
			if err := a.track().Do(timing.Writing, func() error { return export.Save(out, x.Model, external) }); err != nil {
				return err
			}
			a.say("%s: %s", out, contents(x.Model))
			if verify {
				return a.track().Do(timing.Verification, func() error { return a.verifyModel(x.Model) })
			}
			return nil
		},
	}
	t.flags(c)
	load.flags(c)
	load.initFlag(c)
	time.flag(c)
	c.Flags().StringVarP(&out, "output", "o", "", "the file to write")
	c.Flags().StringVar(&functions, "functions", "keep",
		"framework calls as functions of the model (keep) or replaced by their nodes (inline)")
	c.Flags().BoolVar(&external, "external-data", false, "weights go to a second file, MODEL.onnx.data; above 2 GB they always do")
	c.Flags().Int64Var(&o.Opset, "opset", lower.DefaultOpset, fmt.Sprintf("version of the ONNX operators, %d to %d", lower.MinOpset,
		lower.MaxOpset))
	t.AssumeFlag(c.Flags())
	c.Flags().StringVar(&t.Run.Unroll, "unroll", infer.UnrollAuto,
		"loops over known ranges: each iteration by itself (auto), one Loop where all are alike (never); always refuses other loops, too")
	c.Flags().StringVar(&dialect, "dialect", "onnx", "standard operators (onnx), or also chainer-compiler's of the domain org.chainer (onnx+)")
	c.Flags().BoolVar(&o.CNames, "c90-dims", false,
		"sizes that are expressions get names that are identifiers of C90, with a table in the metadata (dims)")
	c.Flags().BoolVar(&o.SelfCheck, "check", false,
		"infer the types of the written model again and compare them, value by value, with those of the Python program")
	c.Flags().BoolVar(&verify, "verify", false,
		"run the written model at a few small sizes that its contract allows, compiled and node by node, and compare types and results")
	c.Flags().BoolVar(&o.Train, "train", false,
		"leave the model in training mode; without it eval() is called first, as torch.onnx.export does")
	c.Flags().BoolVar(&o.FoldNorms, "fold-norms", true,
		"batch normalisation in evaluation becomes part of the convolution before it, where the file has their weights")
	c.Flags().BoolVar(&o.Strict, "strict", false, "write nothing where a warning is shown")
	return c
}

// printFindings prints what is wrong, to the error stream. Informations are left out.
func (a *app) printFindings(res *check.Result) {
	for _, d := range res.Diagnostics {
		if d.Severity >= diag.Warning {
			text.Print(a.err, res.Files, d, styleOf(a.err))
		}
	}
}

// contents says in a line what a model is: its operators, inputs and results. It is printed when
// the file was written.
func contents(m *onnx.Model) string {
	list := func(infos []*onnx.ValueInfo) string {
		var parts []string
		for i, v := range infos {
			if i == maxListed {
				parts = append(parts, fmt.Sprintf("%d more", len(infos)-i))
				break
			}
			parts = append(parts, v.Name+" "+typeText(v.Type))
		}
		return strings.Join(parts, ", ")
	}
	elements := int64(0)
	for _, t := range m.Graph.Initializers {
		if n, err := onnx.Count(t.Dims); err == nil {
			elements += n
		}
	}
	return fmt.Sprintf("opset %d, %d nodes, %d weights of %d elements; inputs %s; outputs %s",
		m.Opset(""), len(m.Graph.Nodes), len(m.Graph.Initializers), elements,
		list(m.Graph.Inputs), list(m.Graph.Outputs))
}

// maxListed is how many inputs or outputs are named.
const maxListed = 8

// typeText writes a type as arguments are: f32[B,3]. An unknown rank is *, an unknown size ?.
func typeText(t *onnx.Type) string {
	switch {
	case t == nil:
		return "?"
	case t.Kind == onnx.SequenceType:
		return "list of " + typeText(t.Of)
	case t.Kind == onnx.OptionalType:
		return typeText(t.Of) + " or None"
	case t.Shape == nil:
		return t.Elem.String() + "[*]"
	}
	dims := make([]string, len(t.Shape.Dims))
	for i, d := range t.Shape.Dims {
		switch {
		case d.Known:
			dims[i] = strconv.FormatInt(d.Value, 10)
		case d.Param != "":
			dims[i] = strings.ReplaceAll(d.Param, " ", "")
		default:
			dims[i] = "?"
		}
	}
	return t.Elem.String() + "[" + strings.Join(dims, ",") + "]"
}
