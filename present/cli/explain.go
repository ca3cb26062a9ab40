package cli

// This file explains a place of a program: shapecheck explain FILE:LINE[:COLUMN]. The text and the
// document are made by the language server's package, which shows the same in editors.

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"shapecheck/present/lsp"
)

// Its errors are those of a place that cannot be read, of the environment and of the file.
func (a *app) explainCommand() *cobra.Command {
	var t target
	asJSON := false
	c := &cobra.Command{
		Use:   "explain FILE:LINE[:COLUMN]",
		Short: "Tell the types of a line, where their sizes come from, and what the line needs",
		Long: "Tell what is known of a line: the types that its statements give, by entry, the lines that made their sizes, the conditions\n" +
			"that the line adds to contracts, what is unknown and why, and what is found there. With a column, of the call there.",
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			file, line, col, err := placeOf(args[0])
			if err != nil {
				return err
			}
			if err := t.findEnvironment(); err != nil {
				return err
			}
			x, err := lsp.Explain(a.context(), lsp.Options{Environment: t.Run.Environment, Limits: t.limits.set(), Timed: t.limits.asked()},
				file, line, col)
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(a.out, x)
			}
			_, err = fmt.Fprint(a.out, x.Text())
			return err
		},
	}
	t.limits.flags(c)
	c.Flags().StringVar(&t.Run.Environment.Python, "python", "", "the environment whose packages are used, as for a check")
	c.Flags().BoolVar(&asJSON, "json", false, "print a JSON document")
	return c
}

// placeOf reads FILE:LINE[:COLUMN]; a column of 0 is none. The error says how a place is written.
// The numbers are taken from the end, since a path may have colons itself.
func placeOf(word string) (file string, line, col int, err error) {
	bad := errors.New(word + ": give FILE:LINE or FILE:LINE:COLUMN, such as net.py:16")
	// At most two parts at the end are numbers, and at least one part is the file.
	parts := strings.Split(word, ":")
	numbers := 0
	for n := len(parts); numbers < 2 && n-numbers > 1; numbers++ {
		if _, err := strconv.Atoi(parts[n-numbers-1]); err != nil {
			break
		}
	}
	at := len(parts) - numbers
	if numbers == 0 || strings.Join(parts[:at], ":") == "" {
		return "", 0, 0, bad
	}
	if line, err = strconv.Atoi(parts[at]); err != nil || line < 1 {
		return "", 0, 0, bad
	}
	if numbers == 2 {
		if col, err = strconv.Atoi(parts[at+1]); err != nil || col < 1 {
			return "", 0, 0, bad
		}
	}
	return strings.Join(parts[:at], ":"), line, col, nil
}
