package trial

// This file remembers what guessed entries ran with.

import (
	"sync"

	"shapecheck/check"
)

// Winners are what entries ran with, for who checks a file again and again: that is tried first.
// The zero Winners are empty; a nil *Winners keeps nothing. They are safe for concurrent use.
type Winners struct {
	mu   sync.Mutex
	list map[string]winner
}

// A winner is what was chosen for an entry, how many values were open then, and how much of it is evidence.
type winner struct {
	choice
	open  int
	basis check.Basis
}

// maxWinners bounds what is kept.
const maxWinners = 1000

func (w *Winners) get(key string) (winner, bool) {
	if w == nil {
		return winner{}, false
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	out, ok := w.list[key]
	return out, ok
}

// lasts reports whether the choice is worth trying after an edit. Of numbers of the constructor that the runs told the file may say more by
// then, which goes before.
func (w winner) lasts() bool { return len(w.made.instead)+len(w.solved) == 0 }

func (w *Winners) put(key string, t *trial) {
	if w == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.list == nil || len(w.list) == maxWinners {
		w.list = map[string]winner{}
	}
	w.list[key] = winner{t.fill.choice, t.res.Open, t.basis}
}
