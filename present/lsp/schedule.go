package lsp

// This file decides when what is checked: one document at a time, the one that was changed last
// first, after a pause that grows with what a check takes. One goroutine (work) does all checks;
// requests read the view that the last check left. A check whose document changes is cancelled, as
// its result would be thrown away.

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"shapecheck/infer"
)

// Bounds of the pause between a change and its check, which is half of what the last check took;
// what only reads the changed file waits longer. Changes come with each key that is pressed.
const (
	minPatience = 50 * time.Millisecond
	maxPatience = 400 * time.Millisecond
	afterOthers = 400 * time.Millisecond
)

// slowCheck is from when on the editor shows that a check goes on.
const slowCheck = time.Second

// maxTexts is how much text the cache of parsed files may hold, in bytes: files only come, and a
// new cache forgets the old ones.
const maxTexts = 64 << 20

// A queue are the documents to be checked. It is copied freely, as it holds a pointer.
type queue struct {
	*queueState
}

// All fields are under mu.
type queueState struct {
	mu    sync.Mutex
	due   map[string]time.Time
	order map[string]int // the greater, the later it was added
	count int
	// It has room for one signal, which is enough: the worker looks at all that is due.
	wake    chan struct{}
	stopped bool
	last    time.Duration // what the last check took
	running string
	cancel  context.CancelFunc
}

func newQueue() queue {
	return queue{&queueState{due: map[string]time.Time{}, order: map[string]int{}, wake: make(chan struct{}, 1)}}
}

// patience is the pause after a change. A fast check may come at once, a slow one should not be
// started for each key.
func (q queue) patience() time.Duration {
	q.mu.Lock()
	defer q.mu.Unlock()
	return min(max(q.last/2, minPatience), maxPatience)
}

// add puts a document on the list; its running check is of no use any more. after is how long to
// wait; adding again moves the time.
func (q queue) add(uri string, after time.Duration) {
	q.mu.Lock()
	q.count++
	q.due[uri], q.order[uri] = time.Now().Add(after), q.count
	if q.running == uri && q.cancel != nil {
		q.cancel()
	}
	q.mu.Unlock()
	q.signal()
}

// signal never blocks.
func (q queue) signal() {
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// remove takes a document from the list. It is called when a document is closed; a running check of
// it is cancelled.
func (q queue) remove(uri string) {
	q.mu.Lock()
	delete(q.due, uri)
	delete(q.order, uri)
	if q.running == uri && q.cancel != nil {
		q.cancel()
	}
	q.mu.Unlock()
}

// stop ends the work. The worker ends after the check that it is in, which is cancelled.
func (q queue) stop() {
	q.mu.Lock()
	q.stopped = true
	if q.cancel != nil {
		q.cancel()
	}
	q.mu.Unlock()
	q.signal()
}

// next takes the document that is due and was added last; else it says how long to wait. wait is an
// hour if nothing is on the list: a signal comes before.
func (q queue) next() (uri string, wait time.Duration, stopped bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.stopped {
		return "", 0, true
	}
	wait = time.Hour
	now := time.Now()
	for u, at := range q.due {
		if left := at.Sub(now); left > 0 {
			wait = min(wait, left)
		} else if uri == "" || q.order[u] > q.order[uri] {
			uri = u
		}
	}
	delete(q.due, uri)
	return uri, wait, false
}

// begin notes what runs, and how to end it. The function that it returns must be called at the end.
// A cancelled check counts for the pause only if it took longer than the last one.
func (q queue) begin(ctx context.Context, uri string) (context.Context, func()) {
	ctx, cancel := context.WithCancel(ctx)
	q.mu.Lock()
	q.running, q.cancel = uri, cancel
	q.mu.Unlock()
	start := time.Now()
	return ctx, func() {
		cancel()
		q.mu.Lock()
		defer q.mu.Unlock()
		q.running, q.cancel = "", nil
		if took := time.Since(start); ctx.Err() == nil || took > q.last {
			q.last = took
		}
	}
}

// work checks what is due until ctx ends or the server is shut down. The pause before the next
// document is over when its time comes or something is added.
func (s *Server) work(ctx context.Context) {
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for {
		uri, wait, stopped := s.queue.next()
		if stopped {
			return
		}
		if uri != "" {
			s.checkDocument(ctx, uri)
			if s.options.Checked != nil {
				s.options.Checked()
			}
			continue
		}
		timer.Reset(wait)
		select {
		case <-ctx.Done():
			return
		case <-s.queue.wake:
		case <-timer.C:
		}
	}
}

// checkDocument checks one document and shows what it gave, unless it was changed meanwhile. Errors
// are only logged; the view of the check before stays.
func (s *Server) checkDocument(ctx context.Context, uri string) {
	s.mu.Lock()
	d := s.docs[uri]
	if d == nil {
		s.mu.Unlock()
		return
	}
	s.freshen()
	c := &checking{
		document: *d, texts: map[string]string{}, cache: s.cache, modules: s.modules, winners: &s.winners, root: s.rootOf(d.path),
		environment: s.options.Environment, limits: s.options.Limits, timed: s.options.Timed, settings: s.settings, encoding: s.encoding,
	}
	// All open documents may be imported by this one.
	for _, o := range s.docs {
		c.texts[o.path] = o.stored()
	}
	s.mu.Unlock()
	// From here on the lock is free, so that requests are answered while the check runs.
	work, done := s.queue.begin(ctx, uri)
	defer done()
	defer s.progress(uri)()
	start := time.Now()
	v, err := s.checked(work, c)
	if err != nil {
		if !errors.Is(err, context.Canceled) {
			s.log.Printf("%s: %v", uri, err)
		}
		if v == nil {
			return
		}
	}
	s.log.Printf("%s version %d: %d ms", uri, c.document.version, time.Since(start).Milliseconds())
	s.mu.Lock()
	d = s.docs[uri]
	if d == nil || d.version != c.document.version || d.text != c.document.text {
		s.mu.Unlock()
		return // a newer text waits
	}
	// A text with a syntax error keeps the view of the last one without.
	if old := s.views[uri]; old == nil || !v.unreadable() {
		d.accept()
		s.views[uri] = v
	} // else what was known of the other lines stays
	can := &s.client.Capabilities.Workspace
	s.mu.Unlock()
	s.publish(uri, v.diagnostics, c.document.version)
	// Clients that ask for hints, lenses and diagnostics themselves are told to ask again.
	for method, can := range map[string]bool{
		"workspace/inlayHint/refresh": can.InlayHint.RefreshSupport, "workspace/codeLens/refresh": can.CodeLens.RefreshSupport,
		"workspace/diagnostic/refresh": can.Diagnostics.RefreshSupport,
	} {
		if can {
			go s.ask(method, nil)
		}
	}
}

// freshen has the server forget parsed files when they are many. The caller holds the lock. Running
// checks keep their own cache.
func (s *Server) freshen() {
	if s.cache.Files().Size() > maxTexts {
		s.cache, s.modules = infer.NewCache(), &infer.Modules{}
	}
}

// checked runs a check; a panic is a finding, and the server lives. The stack goes to the log.
func (s *Server) checked(ctx context.Context, c *checking) (v *view, err error) {
	defer func() {
		if r := recover(); r != nil {
			s.log.Printf("internal error: %v\n%s", r, debug.Stack())
			v, err = c.broken(fmt.Sprint(r)), nil
		}
	}()
	return c.run(ctx)
}

// progress shows in the editor that a check goes on, once it takes long; the function that it
// gives ends that. A client without this capability gets a function that does nothing.
func (s *Server) progress(uri string) func() {
	s.mu.Lock()
	can := s.client.Capabilities.Window.WorkDoneProgress
	s.mu.Unlock()
	if !can {
		return func() {}
	}
	// One token is enough, as one check runs at a time.
	const token = "shapecheck"
	over := make(chan struct{})
	go func() {
		select {
		case <-over:
			return
		case <-time.After(slowCheck):
		}
		s.ask("window/workDoneProgress/create", map[string]any{"token": token})
		tell := func(value map[string]any) { s.tell("$/progress", map[string]any{"token": token, "value": value}) }
		tell(map[string]any{"kind": "begin", "title": "shapecheck", "message": baseOf(uri), "cancellable": false})
		<-over
		tell(map[string]any{"kind": "end"})
	}()
	return func() { close(over) }
}
