package cli

// This file compares two models: shapecheck compare A.py:ENTRY B.py:ENTRY. The comparison itself is
// in present/compare; this file reads the flags, runs both checks in one session, which shares
// parsed files, and turns the verdict into an exit code and a text.

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"shapecheck/check"
	"shapecheck/check/record"
	"shapecheck/discover/trial"
	"shapecheck/infer"
	"shapecheck/present/compare"
	"shapecheck/present/render/text"
)

// compareFlags are the flags of a comparison: those of a run count for both models.
type compareFlags struct {
	target
	// maps pairs names of the two models. first and second are arguments that one of the models
	// gets in addition.
	maps, first, second []string
	format              string
}

// compareCommand is the command and its flags.
func (a *app) compareCommand() *cobra.Command {
	r := &compareFlags{}
	c := &cobra.Command{
		Use:   "compare FILE[:ENTRY] FILE[:ENTRY]",
		Short: "Tell whether two models have the same contract, results, sizes and parameters",
		Long: "Tell whether two models, whatever libraries they are written in, have the same conditions on the sizes,\n" +
			"result types and, by the order of calls, sizes and parameters; and show the first difference.\n" +
			"Exit codes: 0 the same, 1 different, 2 not compared, or not all is known.",
		Args: cobra.ExactArgs(2),
		RunE: func(_ *cobra.Command, args []string) error { return a.compareModels(r, [2]string(args)) },
	}
	r.target.flags(c)
	r.AssumeFlag(c.Flags())
	f := c.Flags()
	f.StringArrayVar(&r.maps, "map", nil, "a parameter, or the path of a layer, in the first model and in the second: l1=fc1; may be repeated")
	f.StringArrayVar(&r.first, "arg-first", nil, "an argument of the first model alone, as --arg")
	f.StringArrayVar(&r.second, "arg-second", nil, "an argument of the second model alone, as --arg")
	f.StringVar(&r.format, "output-format", "text", "text or json")
	return c
}

// compareModels checks two entries and compares their results. The exit code is that of a usage error where they cannot
// be compared, so that only a proof ends with 0. It returns an error for flags that do not fit
// together, for a model that cannot be read, and where the comparison is not possible.
func (a *app) compareModels(r *compareFlags, words [2]string) error {
	// Both words say what to run, so that the flags of a single run have no meaning.
	if r.Run.Module != "" || r.Run.Entry != "" {
		return errors.New("compare takes FILE:ENTRY twice, neither -m nor --entry")
	}
	if r.format != "text" && r.format != "json" {
		return fmt.Errorf("--output-format %s: expected text or json", r.format)
	}
	names, err := compare.ParseNames(r.maps)
	if err != nil {
		return fmt.Errorf("--map %w", err)
	}
	var runs [2]*infer.Result
	session := &check.Session{Limits: r.limits.set()}
	for i, own := range []string{"arg-first", "arg-second"} {
		t := r.target
		// The common arguments come first, so that an argument of one model alone may override one.
		t.Run.Args = append(append([]string{}, r.Run.Args...), [][]string{r.first, r.second}[i]...)
		file, entry := fileAndEntry(words[i])
		if t.Run.Entry = entry; file == "-" {
			return errors.New("compare reads files: standard input is none")
		}
		if err := t.resolve([]string{file}, false); err != nil {
			return err
		}
		var res *check.Result
		err := a.completed(&t, session, need{command: func(g *trial.Guess) string {
			files := slices.Clone(words[:])
			files[i] = file + ":" + g.Target.Run.Entry
			var more []string
			for _, arg := range g.Target.Run.Args[len(r.Run.Args):] {
				more = append(more, "--"+own, arg)
			}
			if g.Target.Run.Eval && !r.Run.Eval {
				more = append(more, "--eval")
			}
			return commandAgain(r.command, files, []string{own, "no-guess"}, more)
		}}, func() (err error) {
			res, err = session.Check(a.context(), &t.Target)
			return err
		})
		if err != nil {
			return fmt.Errorf("%s: %w", words[i], err)
		}
		runs[i] = res.Result
	}
	out, err := compare.Of(runs[0], runs[1], names)
	if err != nil {
		return err
	}
	// Verdicts that are in neither entry have the exit code of a usage error.
	a.code = map[compare.Verdict]int{compare.Same: check.ExitClean, compare.Different: check.ExitFindings}[out.Verdict]
	if out.Verdict == compare.Unknown || out.Verdict == compare.NotChecked {
		a.code = check.ExitUsage
	}
	var found [2][]record.Diagnostic
	for i, list := range out.Findings {
		for _, d := range list {
			found[i] = append(found[i], record.OfDiagnostic(runs[i].Files, d))
		}
	}
	if r.format == "json" {
		return printJSON(a.out, compare.JSON(out, words, found))
	}
	// Where a model could not be checked its findings say why, on the output for errors.
	if out.Verdict == compare.NotChecked {
		for i, list := range out.Findings {
			for _, d := range list {
				text.Print(a.err, runs[i].Files, d, styleOf(a.err))
			}
			if len(list) == 0 && !runs[i].Checked {
				a.say("%s: %s", words[i], runs[i].WhyNot)
			}
		}
	}
	compare.Text(a.out, out, words)
	return nil
}

// fileAndEntry takes FILE:ENTRY apart at the first colon that follows ".py". A path of Windows has
// a colon behind its drive, which is why it is not the first colon of the word.
func fileAndEntry(word string) (file, entry string) {
	if i := strings.Index(word, ".py:"); i >= 0 {
		return word[:i+len(".py")], word[i+len(".py:"):]
	}
	return word, ""
}
