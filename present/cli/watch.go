package cli

// This file checks again when files change: --watch.
//
// What is watched is exactly what the check looked at, files that it looked for
// and did not find, too. The paths are polled: a few hundred files take about a
// millisecond, it works on every file system (network mounts and containers do not
// deliver events), and a library that watches folders would have to be told about
// folders that do not exist yet.

import (
	"fmt"
	"strings"
	"time"

	"shapecheck/check"
	"shapecheck/infer"
	"shapecheck/internal/reads"
)

// watchTimes are how often files are looked at and how long they must rest before
// the check starts: an editor that saves several files is waited for.
type watchTimes struct{ poll, rest time.Duration }

var defaultTimes = watchTimes{300 * time.Millisecond, 150 * time.Millisecond}

// maxParsed is the size in bytes of the files kept parsed, old versions among
// them, at which all are forgotten.
const maxParsed = 256 << 20

// watch checks, waits for a change, and checks again, until it is interrupted.
func (a *app) watch(r *checkRun) error {
	switch {
	case r.Run.File == "-" || r.stdinName != "":
		return fmt.Errorf("--watch cannot watch standard input")
	case r.fixes.fix:
		return fmt.Errorf("--watch does not go with --fix")
	}
	ctx, args := a.context(), a.args
	for {
		a.reads = &reads.Log{}
		if isTerminal(a.out) {
			if _, err := a.out.Raw([]byte(clearScreen)); err != nil {
				return err
			}
		}
		code := a.run(args)
		fmt.Fprintln(a.err)
		a.say("shapecheck: %s; waiting for changes of %s", outcome(code), watched(a.reads.List()))
		if a.parsed != nil && a.parsed.Files().Size() > maxParsed {
			a.parsed = nil
		}
		if !waitForChange(a.reads.List(), defaultTimes, ctx.Done()) {
			a.code = code
			return nil
		}
	}
}

// clearScreen clears the terminal and what has scrolled away.
const clearScreen = "\x1b[H\x1b[2J\x1b[3J"

func outcome(code int) string {
	switch code {
	case check.ExitClean:
		return "clean"
	case check.ExitFindings:
		return "findings"
	}
	return "the check could not be made"
}

func watched(list []reads.Read) string {
	n := 0
	for _, r := range list {
		if r.Kind == reads.Text {
			n++
		}
	}
	if n == 1 {
		return "1 file"
	}
	return fmt.Sprintf("%d files", n)
}

// waitForChange returns when a look gives something else than it gave, and the
// files have come to rest; false when stop comes first.
func waitForChange(list []reads.Read, times watchTimes, stop <-chan struct{}) bool {
	state := func() string {
		var b strings.Builder
		for _, r := range list {
			b.WriteString(r.Now(nil) + "\n")
		}
		return b.String()
	}
	tick := time.NewTicker(times.poll)
	defer tick.Stop()
	for {
		select {
		case <-stop:
			return false
		case <-tick.C:
		}
		if new(reads.Checker).Holds(list) {
			continue
		}
		for before := state(); ; {
			select {
			case <-stop:
				return false
			case <-time.After(times.rest):
			}
			now := state()
			if now == before {
				return true
			}
			before = now
		}
	}
}

// parsedFiles are the parsed files of the last check while the program waits for
// changes, and none otherwise.
func (a *app) parsedFiles() *infer.Cache {
	if a.parsed == nil {
		a.parsed = infer.NewCache()
	}
	return a.parsed
}
