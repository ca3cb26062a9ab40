package cli

// This file infers the types of an ONNX model: shapecheck infer MODEL.onnx. The inference is that
// of onnx/inference, which works on the file's graph alone; no Python is read.

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"shapecheck/check"
	"shapecheck/internal/atomicfile"
	"shapecheck/internal/localfile"
	"shapecheck/onnx"
	"shapecheck/onnx/inference"
)

// inferCommand infers the types of a model's values, and prints them, writes them into a copy of the model, or compares
// them with those that the model has. The exit code is that of findings where a type of the model
// does not fit, and a notice says of each. It returns an error where the model cannot be read or
// written.
func (a *app) inferCommand() *cobra.Command {
	var out string
	var checkOnly bool
	c := &cobra.Command{
		Use:   "infer MODEL.onnx [-o TYPED.onnx]",
		Short: "Infer the types of an ONNX model's values, with symbolic sizes",
		Args:  cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			// Flags are checked before anything is read.
			if checkOnly && out != "" {
				return errors.New("--check compares and writes no file: give either --check or -o")
			}
			if out != "" {
				if err := atomicfile.Check(out); err != nil {
					return err
				}
			}
			// A frequent mistake: the word infer is also what shapecheck does with Python.
			if ext := filepath.Ext(args[0]); ext == ".py" || ext == ".ipynb" {
				file := check.FileWord(args[0])
				return fmt.Errorf("infer reads ONNX models, and %s is Python; what shows its types, and what makes a model of it:\n  %s\n  %s",
					args[0], check.ShellWords([]string{"shapecheck", file}),
					check.ShellWords([]string{"shapecheck", "export", file, "-o", "model.onnx"}))
			}
			m, err := readModel(args[0])
			if err != nil {
				return err
			}
			// Dimensions with names in the file become expressions (N, 2*N) for the inference.
			named := onnx.ExpandDims(m)
			if checkOnly {
				rep, err := inference.Compare(m)
				if err != nil {
					return fmt.Errorf("%s: %w", args[0], err)
				}
				fmt.Fprint(a.out, rep)
				if !rep.OK() {
					a.code = check.ExitFindings
				}
				return nil
			}
			res, err := inference.Run(m, inference.Config{})
			if err != nil {
				return fmt.Errorf("%s: %w", args[0], err)
			}
			for _, n := range res.Notes {
				a.say("note: %s", n)
			}
			for _, e := range res.Errors {
				a.say("error: %s", e)
			}
			if len(res.Errors) > 0 {
				a.code = check.ExitFindings
				return nil
			}
			if out == "" {
				res.Print(a.out, m)
				return nil
			}
			// The types are written into the model in memory, then the names of the dimensions are
			// put back.
			res.Apply(m)
			if named {
				onnx.NameDims(m)
			}
			var buf bytes.Buffer
			if _, err := onnx.Write(&buf, m); err != nil {
				return err
			}
			return atomicfile.Write(out, buf.Bytes())
		},
	}
	c.Flags().StringVarP(&out, "output", "o", "", "write the model with all inferred types to this file instead of printing them")
	c.Flags().BoolVar(&checkOnly, "check", false, "compare the types that the file declares with what its nodes give")
	return c
}

// readModel reads an ONNX file. It returns an error for a file that is larger than a protobuf
// message may be, and for one that is no model.
func readModel(path string) (*onnx.Model, error) {
	b, err := localfile.Read(path, onnx.MaxMessage)
	if errors.Is(err, localfile.ErrTooLarge) {
		return nil, fmt.Errorf("%w; models are smaller than 2 GB, with large tensors in files beside them", err)
	}
	if err != nil {
		return nil, err
	}
	m, err := onnx.Unmarshal(b)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return m, nil
}
