package cli

// This file shows on a terminal how far a run of several entries is.

import (
	"fmt"
	"io"
	"os"
	"sync"

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

func newProgress(w *safetext.Writer, total int) *progress {
	if total < 2 || !isTerminal(w) || os.Getenv("TERM") == "dumb" || onCI() {
		return &progress{}
	}
	return &progress{w: w, total: total}
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

// eraseLine goes to the start of the line and clears it.
const eraseLine = "\r\x1b[2K"

func (p *progress) show() {
	if p.w == nil {
		return
	}
	text := fmt.Sprintf("%d of %d checked  %s", p.done, p.total, p.last)
	if r := []rune(text); len(r) >= width() { // a longer line would not be written over
		text = string(r[:width()-1])
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

// isTerminal reports whether w is a character device.
func isTerminal(w io.Writer) bool {
	if s, ok := w.(*safetext.Writer); ok {
		w = s.To()
	}
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
