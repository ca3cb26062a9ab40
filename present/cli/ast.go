package cli

// This file prints syntax trees: shapecheck ast FILE.

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"shapecheck/check"
	"shapecheck/internal/diag"
	"shapecheck/internal/localfile"
	"shapecheck/internal/source"
	"shapecheck/parser"
	"shapecheck/parser/ast"
	"shapecheck/present/render/text"
	"shapecheck/project/notebook"
)

// astCommand prints the tree in the form of CPython's ast.dump, so that the two can be compared as texts.
func (a *app) astCommand() *cobra.Command {
	var format string
	c := &cobra.Command{
		Use:   "ast FILE",
		Short: "Print the syntax tree of a file",
		Args:  cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			opts := ast.DumpOptions{Version: ast.Dump314, Attributes: true}
			switch format {
			case "cpython":
			case "cpython311":
				opts.Version = ast.Dump311
			default:
				return fmt.Errorf("--format %s: expected cpython or cpython311", format)
			}
			if notebook.Is(args[0]) {
				return fmt.Errorf("%s: is a notebook, which has no syntax tree of its own", args[0])
			}
			data, err := readInput(a.in, args[0])
			if err != nil {
				return err
			}
			src, err := parser.Decode(data)
			if err != nil {
				return fmt.Errorf("%s: %w", args[0], err)
			}
			fs := source.NewFileSet()
			file := source.NewFile(args[0], src)
			if err := fs.Add(file); err != nil {
				return err
			}
			tree, diags := parser.Parse(file)
			if len(diags) > 0 {
				diag.Sort(diags)
				for _, d := range diags {
					text.Print(a.err, fs, d, text.Style{Color: colored(a.err)})
				}
				a.code = check.ExitFindings
				return nil
			}
			return ast.DumpCPython(a.out, tree, opts)
		},
	}
	c.Flags().StringVar(&format, "format", "cpython",
		"cpython: the form of ast.dump(…, include_attributes=True) of CPython 3.14; cpython311: of 3.11")
	return c
}

func readInput(stdin io.Reader, name string) ([]byte, error) {
	if name == "-" {
		return io.ReadAll(io.LimitReader(stdin, source.MaxFileSize+1))
	}
	return localfile.Read(name, source.MaxFileSize)
}
