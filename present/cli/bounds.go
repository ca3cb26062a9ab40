package cli

// This file bounds what commands that compile and run models take: memory and time.

import (
	"context"
	"errors"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"

	"shapecheck/check"
	"shapecheck/runtime/memory"
	"shapecheck/runtime/vm"
)

// forModels says in a command's help what the limits bound where models are run or compiled, each of them as what says.
func (l *limits) forModels(c *cobra.Command, what string) {
	timeout, most := c.Flags().Lookup("timeout"), c.Flags().Lookup("max-memory")
	timeout.Usage = "end " + what +
		" that takes longer: 30 (seconds), 2m; 0: never. By default only the analysis of a Python file ends, after 30s"
	most.Usage = "end " + what + " for which the process would need more memory: 512 (MB), 2GB; 0: never. By default 80 % of what the machine, or the process's control group, has, and 512MB for the analysis of a Python file"
	timeout.DefValue, most.DefValue = "", ""
}

// bounded does what compiles and runs models within the limit of memory, and makes a finding of an end for want of memory or time.
func (a *app) bounded(l *limits, do func() error) error {
	if l.askedMemory() {
		defer memory.SetLimit(memory.SetLimit(int64(l.memory)))
	}
	if n := memory.Limit(); n > 0 {
		defer debug.SetMemoryLimit(debug.SetMemoryLimit(n))
	}
	err := do()
	var full *memory.FullError
	var e *vm.Error
	switch {
	case errors.As(err, &e) && (e.Code == vm.CodeBudget || errors.Is(err, context.DeadlineExceeded)):
		return a.runFailed(err)
	case errors.As(err, &full):
		a.say("error: %s: %v", vm.CodeBudget, err)
	case errors.Is(err, context.DeadlineExceeded):
		a.say("error: %s: the time is up", vm.CodeCancelled)
	default:
		return err
	}
	a.code = check.ExitFindings
	return nil
}

// timed does something within the limit of time that was asked for. The analysis of a Python file has its own: what it has found until
// then is shown.
func (a *app) timed(l *limits, do func() error) error {
	if !l.asked() || l.timeout == 0 {
		return do()
	}
	l.untimed = a.ctx
	ctx, cancel := context.WithTimeout(a.ctx, time.Duration(l.timeout))
	defer cancel()
	a.ctx = ctx
	defer func() { a.ctx = l.untimed }()
	return do()
}
