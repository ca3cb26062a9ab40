package cli

// This file prints what came of many files or entries as they end, in their order, and ends runs that take too long.

import (
	"context"
	"io"
	"runtime/debug"
	"slices"
	"time"

	"shapecheck/check"
	"shapecheck/infer"
	"shapecheck/internal/cputime"
	"shapecheck/internal/diag"
	"shapecheck/internal/source"
	"shapecheck/present/render/concise"
	"shapecheck/present/report"
)

// streamed are the formats that are printed as parts of a run end, with what prints findings. Text has its own rows.
var streamed = map[string]func(w io.Writer, fs *source.FileSet, list []*diag.Diagnostic) error{
	"text":       nil,
	"json-lines": report.JSONLines,
	"concise":    concise.Print,
}

// stream has the parts of a check printed to standard output as they end, where its format allows that: rows prints the text of
// one. A fix is verified when all has ended, so that the parts from the first on that has one wait for the end.
func (a *app) stream(s *check.Session, outs []output, show *progress, rows func(*check.Part) error) *streaming {
	i := slices.IndexFunc(outs, func(o output) bool { return o.file == "" })
	format := ""
	if i >= 0 && a.instead == nil {
		format = outs[i].format
	}
	if _, ok := streamed[format]; !ok || format == "text" && a.statistics {
		format = ""
	}
	if format == "text" {
		allowStyle(a.out)
	}
	if format == "" {
		return &streaming{}
	}
	st := &streaming{format: format}
	s.Ended = func(p *check.Part) error {
		if format == "text" {
			return show.above(func() error { return rows(p) })
		}
		if len(st.held) > 0 || slices.ContainsFunc(p.Shown, hasEdit) {
			st.held = append(st.held, p.Shown)
			return nil
		}
		if len(p.Shown) == 0 {
			return nil
		}
		return show.above(func() error { return streamed[format](a.out, s.Cache.Files(), p.Shown) })
	}
	return st
}

// hasEdit reports whether a finding suggests an edit.
func hasEdit(d *diag.Diagnostic) bool {
	return slices.ContainsFunc(d.Fixes, func(f diag.Fix) bool { return len(f.Edits) > 0 })
}

// A streaming is what of a check is on standard output before its end: all but what is held, in a format; empty: nothing is.
type streaming struct {
	format string
	held   [][]*diag.Diagnostic // by parts
}

// rest is what a streaming leaves of the findings of a project.
func (st *streaming) rest(p *check.Project) [][]*diag.Diagnostic { return append(st.held, p.Late) }

// withBudget is the context of a run, which ends when the processors worked so long for it; 0: they may as long as it takes. The
// function that it gives ends the looking.
func (a *app) withBudget(budget time.Duration) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(a.context())
	if budget <= 0 {
		return ctx, func() { cancel(nil) }
	}
	clock, begun := time.Now(), cputime.Used()
	used := func() time.Duration {
		if now := cputime.Used(); now > 0 {
			return now - begun
		}
		return time.Since(clock)
	}
	go func() {
		tick := time.NewTicker(budgetLook)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				if used() >= budget {
					cancel(&check.Cut{Budget: budget})
				}
			}
		}
	}()
	return ctx, func() { cancel(nil) }
}

// budgetLook is how often the time of a run is looked at.
const budgetLook = 10 * time.Millisecond

// cutShort sets the exit code of a run that was cut: where it found nothing it tells nothing.
func (a *app) cutShort(s *check.Session, p *check.Project) {
	if p.Skipped == nil || a.code != check.ExitClean {
		return
	}
	if a.code = check.ExitUsage; s.Strict {
		a.code = check.ExitFindings
	}
}

// sayCut says on standard error what a run left out, where its text does not say it.
func (a *app) sayCut(p *check.Project, outs []output) {
	if p.Skipped == nil {
		return
	}
	if !slices.ContainsFunc(outs, func(o output) bool { return o.file == "" && o.format == "text" }) || a.instead != nil || a.statistics {
		a.say("shapecheck: %s", p.Skipped.Why())
	}
	a.cutSaid = true
}

// skipped is what a run left out, for formats that list what was not checked.
func skipped(p *check.Project) []diag.Unchecked {
	if p.Skipped == nil {
		return nil
	}
	return []diag.Unchecked{{Why: p.Skipped.Why(), Failed: true, Said: true, Skipped: p.Skipped.Names}}
}

// partial is what a run left out, for the JSON document.
func partial(p *check.Project) (*report.Partial, []string) {
	s := p.Skipped
	if s == nil {
		return nil, nil
	}
	out := &report.Partial{Cause: "budget", Message: s.Why(), Total: s.Total}
	if s.Cut.Signal != "" {
		out.Cause = "signal"
	}
	return out, s.Names
}

// smallLive is up to what size of the living heap, in bytes, a run of many files is kept to smallHeap: the garbage of each file is
// collected before it is several times what lives.
const smallLive, smallHeap = 64 << 20, 92 << 20

// manyParts is the number of files or entries from which on a process is kept small: fewer make too little garbage for the
// time that its collection takes.
const manyParts = 500

// pace has the collector keep a process of many parts small while little lives in it. The function that it gives ends that.
// A part that is alone has its own limit and no other.
func (l *limits) pace(s *check.Session, parts int) func() {
	if parts > 1 {
		l.collect(l.forAll())
	} else {
		s.Limits.ProcessMemory = 0
	}
	if parts < manyParts {
		return func() {}
	}
	stop, stopped := make(chan struct{}), make(chan struct{})
	debug.SetMemoryLimit(smallHeap)
	go func() {
		defer close(stopped)
		tick := time.NewTicker(budgetLook)
		defer tick.Stop()
		for small := true; ; {
			select {
			case <-stop:
				l.collect(l.forAll())
				return
			case <-tick.C:
			}
			if now := infer.Live() < smallLive; now != small {
				if small = now; small {
					debug.SetMemoryLimit(smallHeap)
				} else {
					l.collect(l.forAll())
				}
			}
		}
	}()
	return func() {
		close(stop)
		<-stopped
	}
}
