package cli

// This file prints the contract alone: shapecheck FILE --contract[=FORMAT].

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"shapecheck/check"
	"shapecheck/contract"
	"shapecheck/infer"
	"shapecheck/internal/diag"
	"shapecheck/present/render/text"
	"shapecheck/present/report"
)

// contractFormats are the notations of --contract, the first being the default.
var contractFormats = []string{"text", "jaxtyping", "torch.export", "json"}

// contractFlags adds the flags that concern contracts.
func (t *target) contractFlags(c *cobra.Command) {
	f := c.Flags()
	t.AssumeFlag(f)
	f.StringVar(&t.contract, "contract", "", "print only the conditions on the sizes: "+strings.Join(contractFormats, ", "))
	f.Lookup("contract").NoOptDefVal = contractFormats[0]
}

// printContract prints the contract, and before it the errors of the run, since
// the conditions of a run that fails are not all.
func (a *app) printContract(res *infer.Result, format string, at *summaryFlags) error {
	if err := at.known(res); err != nil {
		return err
	}
	c := contract.Of(res)
	var tried []report.Fit
	for _, sizes := range at.opt.Sizes {
		x := report.Fit{Sizes: sizes, Misfits: contract.Misfits(res, c, contract.Sizes(sizes))}
		if tried = append(tried, x); len(x.Misfits) > 0 {
			a.code = check.ExitUsage
		}
	}
	if format != "json" {
		for _, d := range res.Diagnostics {
			if d.Severity == diag.Error {
				text.Print(a.err, res.Files, d, styleOf(a.err))
			}
		}
	}
	switch format {
	case "text":
		report.ContractText(a.out, res, c, tried)
	case "jaxtyping":
		fmt.Fprint(a.out, contract.Jaxtyping(res, c))
	case "torch.export":
		fmt.Fprint(a.out, contract.TorchExport(res, c))
	case "json":
		return printJSON(a.out, report.ContractJSON(res, c, tried))
	default:
		return fmt.Errorf("--contract=%s: expected %s", format, strings.Join(contractFormats, ", "))
	}
	return nil
}
