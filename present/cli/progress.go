package cli

// This file shows on a terminal how far a run of several entries is, and that the run of one goes on.

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"shapecheck/check"
	"shapecheck/infer"
	"shapecheck/internal/safetext"
)

// A progress is one line that is written over. The zero progress shows nothing.
type progress struct {
	mu    sync.Mutex
	w     *safetext.Writer // nil: nothing is shown
	unit  string           // what is counted, "entries"
	total int
	done  int
	last  string
	begin time.Time
	shown *time.Timer // the first time
}

// patience is how long nothing is shown: who gets an answer soon needs no progress.
const patience = 500 * time.Millisecond

func (a *app) newProgress(total int, unit string) *progress {
	if total < 2 || !a.showsProgress() {
		return &progress{}
	}
	p := &progress{w: a.err, total: total, unit: unit, begin: time.Now()}
	p.shown = time.AfterFunc(patience, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.show()
	})
	return p
}

// showsProgress reports whether somebody looks at the progress: at a terminal, without --no-progress.
func (a *app) showsProgress() bool {
	return !a.noProgress && isTerminal(a.err) && os.Getenv("TERM") != "dumb" && !onCI()
}

// Begin shows that an entry begins.
func (p *progress) Begin(name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last = safetext.Line(name)
	p.show()
}

// End counts an entry that ends.
func (p *progress) End() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done++
	p.show()
}

// above calls f, which prints lines; the line of the progress is below them.
func (p *progress) above(f func() error) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.w == nil || time.Since(p.begin) < patience {
		return f()
	}
	p.put(eraseLine)
	err := f()
	p.show()
	return err
}

// wait shows where the check of one file is once it takes longer; the function that it gives ends that.
func (a *app) wait(name string, s *check.Session) (done func()) {
	if !a.showsProgress() {
		return func() {}
	}
	p := &progress{w: a.err}
	s.Stage = &infer.Stage{}
	begin := time.Now()
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		tick := time.NewTicker(patience)
		defer tick.Stop()
		for {
			select {
			case <-stop:
				return
			case <-tick.C:
				p.line(standing(name, s.Stage.Now(), time.Since(begin)))
			}
		}
	}()
	return func() {
		close(stop)
		<-stopped
		p.clear()
	}
}

// standing is the line about a check that goes on: "checking train.py:214 (Trainer.fit) 3 s, 1,204 values typed".
func standing(name string, now *infer.Standing, took time.Duration) string {
	seconds := int(took.Seconds())
	if now == nil {
		return fmt.Sprintf("checking %s %d s", safetext.Line(name), seconds)
	}
	place := fmt.Sprintf("%s:%d", now.File, now.Line)
	if now.Function != "" {
		place += " (" + now.Function + ")"
	}
	values := strings.Replace(counted(now.Typed, "value"), strconv.Itoa(now.Typed), grouped(now.Typed), 1)
	return fmt.Sprintf("checking %s %d s, %s typed", safetext.Line(place), seconds, values)
}

// grouped is a number with commas: "1,204".
func grouped(n int) string {
	text := strconv.Itoa(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// eraseLine goes to the start of the line and clears it.
const eraseLine = "\r\x1b[2K"

func (p *progress) show() {
	if p.w == nil || time.Since(p.begin) < patience {
		return
	}
	p.line(fmt.Sprintf("%d/%d %s  %s", p.done, p.total, p.unit, p.last))
}

// line writes over the line.
func (p *progress) line(text string) {
	if r, n := []rune(text), width(p.w); n > 0 && len(r) >= n { // a longer line would not be written over
		text = string(r[:n-1])
	}
	p.put(eraseLine + text)
}

// put writes control characters of our own. That the line cannot be shown is no
// fault of the check.
func (p *progress) put(text string) { _, _ = p.w.Raw([]byte(text)) }

// clear removes the line.
func (p *progress) clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.w == nil {
		return
	}
	if p.shown != nil {
		p.shown.Stop()
	}
	p.put(eraseLine)
	p.w = nil
}
