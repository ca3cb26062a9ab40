package cli

// This file explains diagnostic codes: shapecheck rule SC101.

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"shapecheck/internal/diag"
	"shapecheck/present/render/rule"
)

func (a *app) ruleCommand() *cobra.Command {
	var all bool
	c := &cobra.Command{
		Use:   "rule [CODE]…",
		Short: "Explain a diagnostic code, with an example; without a code: list them",
		RunE: func(_ *cobra.Command, args []string) error {
			codes := diag.Codes()
			allowStyle(a.out)
			style := styleOf(a.out)
			switch {
			case all && len(args) > 0:
				return fmt.Errorf("give codes or --all")
			case len(args) > 0:
				codes = codes[:0]
				for _, arg := range args {
					code := diag.Code(strings.ToUpper(arg))
					if !code.Known() {
						return fmt.Errorf("no code %s; shapecheck rule lists them", arg)
					}
					codes = append(codes, *code.Info())
				}
			case !all:
				for i := range codes {
					rule.Line(a.out, &codes[i])
				}
				return nil
			}
			for i := range codes {
				if i > 0 {
					fmt.Fprintln(a.out)
				}
				rule.Text(a.out, &codes[i], style)
			}
			return nil
		},
	}
	c.Flags().BoolVar(&all, "all", false, "explain all codes")
	return c
}
