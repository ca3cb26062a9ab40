package cli

// This file explains diagnostic codes: shapecheck rule SC101.

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"shapecheck/internal/diag"
	"shapecheck/internal/safetext"
	"shapecheck/present/render/rule"
)

func (a *app) ruleCommand() *cobra.Command {
	var all bool
	c := &cobra.Command{
		Use:   "rule [CODE | BEGINNING]…",
		Short: "Explain a diagnostic code, with an example; list those that begin so (SC1), or all",
		RunE: func(_ *cobra.Command, args []string) error {
			allowStyle(a.out)
			if all && len(args) > 0 {
				return errors.New("give codes or --all")
			}
			listed, explained := diag.Codes(), []diag.CodeInfo(nil)
			if all {
				listed, explained = nil, listed
			} else if len(args) > 0 {
				var err error
				if listed, explained, err = codesOf(args); err != nil {
					return err
				}
			}
			for i := range listed {
				rule.Line(a.out, &listed[i])
			}
			for i := range explained {
				if i > 0 || len(listed) > 0 {
					fmt.Fprintln(a.out)
				}
				rule.Text(a.out, &explained[i], styleOf(a.out))
			}
			return nil
		},
	}
	c.Flags().BoolVar(&all, "all", false, "explain all codes")
	return c
}

// codesOf are the codes that words name: listed, those that begin with a word, and explained, those that a word names whole.
func codesOf(words []string) (listed, explained []diag.CodeInfo, err error) {
	for _, word := range words {
		begin := strings.ToUpper(word)
		if code := diag.Code(begin); code.Known() {
			explained = append(explained, *code.Info())
			continue
		}
		before := len(listed)
		for _, c := range diag.Codes() {
			if begin != "" && strings.HasPrefix(string(c.Code), begin) {
				listed = append(listed, c)
			}
		}
		if len(listed) == before {
			return nil, nil, fmt.Errorf("no code is or begins with %s; shapecheck rule lists them", safetext.Line(begin))
		}
	}
	return listed, explained, nil
}
