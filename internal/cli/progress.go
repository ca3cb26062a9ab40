package cli

// This file shows on a terminal how far a run of several entries is, and that the run of one goes on.

import (
	"fmt"
	"os"
	"sync"
	"time"

	"shapecheck/internal/safetext"
)

// A progress is one line that is written over. The zero progress shows nothing.
type progress struct {
	mu    sync.Mutex
	w     *safetext.Writer // nil: nothing is shown
	total int
	done  int
	last  string
}

func (a *app) newProgress(total int) *progress {
	if total < 2 || !a.showsProgress() {
		return &progress{}
	}
	return &progress{w: a.err, total: total}
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

// wait shows that the check of one entry goes on once it takes longer than a second; the
// function that it gives ends that.
func (a *app) wait(name string) (done func()) {
	if !a.showsProgress() {
		return func() {}
	}
	p := &progress{w: a.err}
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		for n := 1; ; n++ {
			select {
			case <-stop:
				return
			case <-tick.C:
				p.line(fmt.Sprintf("checking %s: %d s", safetext.Line(name), n))
			}
		}
	}()
	return func() {
		close(stop)
		<-stopped
		p.clear()
	}
}

// eraseLine goes to the start of the line and clears it.
const eraseLine = "\r\x1b[2K"

func (p *progress) show() {
	if p.w == nil {
		return
	}
	p.line(fmt.Sprintf("%d of %d checked  %s", p.done, p.total, p.last))
}

// line writes over the line.
func (p *progress) line(text string) {
	if r, n := []rune(text), width(p.w); len(r) >= n { // a longer line would not be written over
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
	if p.w != nil {
		p.put(eraseLine)
	}
}
