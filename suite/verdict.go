package suite

// This file runs a case in its three steps and decides what it is found to be.

import (
	"strings"

	"shapecheck/infer"
	"shapecheck/internal/cputime"
	"shapecheck/internal/diag"
)

// A Verdict is what a case is found to be.
type Verdict int

// The verdicts.
const (
	// Holds: the case ran to its end, and all asserts that it reached are decided and true; where there is none, nothing was lost on the way.
	Holds Verdict = iota
	// Runs: the case ran to its end; not all of its asserts are decided, none is false.
	Runs
	// Fails: an error on the path that is always taken, or an assert that cannot hold.
	Fails
	// Undecided: the case was stopped or lost.
	Undecided
	// Skipped: the case skips itself, or is expected to fail and does.
	Skipped
	// Refused: something that the case needs is lacking here.
	Refused
)

var verdictNames = [...]string{"holds", "runs", "fails", "undecided", "skipped", "refused"}

func (v Verdict) String() string { return verdictNames[v] }

// Verdicts are all of them, in the order in which they are printed.
var Verdicts = []Verdict{Holds, Runs, Fails, Undecided, Skipped, Refused}

// Glyph is the sign of a verdict.
func (v Verdict) Glyph() string { return [...]string{"✓", "~", "✗", "?", "–", "–"}[v] }

// runCase runs a case and decides its verdict.
func (r *run) runCase(c *Case, f *File) {
	start := cputime.Used()
	var steps []*infer.SuiteResult
	var expected []any
	var account *infer.SuiteAccount
	err := r.py.Guard(func() {
		r.py.Begin(r.Steps, r.Timeout, r.cancel)
		setup := r.py.Call("setup", stops, c.number)
		steps = append(steps, setup)
		if !failedCall(setup) {
			steps = append(steps, r.py.Call("call", stops, c.number))
		}
		if !isStop(setup) {
			if x := r.py.Call("expects_failure", stops); !failedCall(x) {
				expected, _ = x.Value.([]any)
			}
		}
		last := steps[len(steps)-1]
		if last.Over == "" && r.py.AtRest() {
			steps = append(steps, r.py.Call("teardown", stops))
		}
		account = r.py.Account()
	})
	c.Spent = cputime.Used() - start
	if err != nil {
		c.Verdict, c.Cause = Undecided, err.Error()
		return
	}
	c.Steps, c.Asserts = account.Steps, account.Asserts
	for _, a := range account.Asserts {
		c.Reached++
		if a.Undecided == 0 {
			c.Decided++
		}
	}
	c.decide(steps, account, expected)
	if c.Verdict == Undecided && f.Broken != "" {
		c.Cause += " (" + f.Broken + ")"
	}
}

// decide decides the verdict of a case from its steps.
func (c *Case) decide(steps []*infer.SuiteResult, account *infer.SuiteAccount, expected []any) {
	var failed *infer.SuiteResult
	mayStop := false
	for _, s := range steps {
		mayStop = mayStop || s.MayStop
		if failedCall(s) && failed == nil {
			failed = s
		}
	}
	c.Findings = account.Errors
	switch {
	case failed != nil && isStop(failed):
		c.Verdict, c.Cause = Skipped, failed.Text
		if len(account.Errors) > 0 {
			c.Verdict, c.Cause = Undecided, "an error before the test skips itself: "+account.Errors[0].Msg
		}
		if !failed.Certain {
			c.Verdict, c.Cause = Undecided, "it may skip itself: "+failed.Text
		}
	case failed != nil && failed.Raised != nil && strings.HasSuffix(failed.Raised[0], ".FixtureLookupError"):
		c.Verdict, c.Cause = Refused, failed.Text
	case expected != nil:
		c.Verdict, c.Cause = c.expectedFailure(account, failed, expected)
	case len(account.Errors) > 0 && !mayStop && (failed == nil || failed.Over != "" || failed.Raised == nil || failed.Certain):
		c.Verdict = Fails
	case failed != nil:
		c.Verdict, c.Cause = Undecided, reasonOf(failed)
	case len(account.Errors) > 0:
		c.Verdict, c.Cause = Undecided, account.Errors[0].Msg
	case len(account.Doubtful) > 0:
		c.Verdict, c.Cause = Undecided, "under a condition that is not known: "+account.Doubtful[0].Msg
	case c.Decided == c.Reached && (c.Reached > 0 || len(account.Causes) == 0) && !mayStop:
		c.Verdict = Holds
	default:
		c.Verdict = Runs
	}
	if c.Verdict != Fails {
		c.Findings = nil
	}
}

// expectedFailure is the verdict of a case that is marked to fail: it counts as skipped where it does.
func (c *Case) expectedFailure(account *infer.SuiteAccount, failed *infer.SuiteResult, expected []any) (Verdict, string) {
	reason, _ := expected[0].(string)
	if failed != nil && failed.Over != "" {
		return Undecided, failed.Over
	}
	if len(account.Errors) > 0 || failed != nil {
		return Skipped, "expected to fail: " + reason
	}
	return Runs, "expected to fail: " + reason
}

// Errors gives the findings of all cases that fail, each once.
func (r *Report) Errors() []*diag.Diagnostic {
	var out []*diag.Diagnostic
	for _, f := range r.Files {
		for _, c := range f.Cases {
			out = append(out, c.Findings...)
		}
	}
	return out
}

// Count counts the cases of each verdict.
func (f *File) Count() map[Verdict]int {
	out := map[Verdict]int{}
	for _, c := range f.Cases {
		out[c.Verdict]++
	}
	return out
}
