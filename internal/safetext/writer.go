package safetext

// This file holds the writer. It keeps the first error of what it writes to, so
// that one question at the end tells whether everything arrived.

import (
	"bytes"
	"io"
)

// A Writer passes on what is safe of the text that it gets, by whole lines; Flush
// writes a last line without an end.
type Writer struct {
	to   io.Writer
	rule rules
	rest []byte // of a line that has no end yet
	out  []byte // reused
	err  error
}

// NewWriter returns a writer without colours.
func NewWriter(to io.Writer) *Writer {
	return &Writer{to: to, rule: rules{newlines: true, start: true}}
}

// Allow says whether colours and workflow commands may pass: the printer that
// writes them has made what is in them safe already. Both are refused at first, and so
// are links.
func (w *Writer) Allow(colors, commands bool) {
	w.rule.colors, w.rule.commands, w.rule.links = colors, commands, false
}

// AllowLinks has links to files pass, under the same condition.
func (w *Writer) AllowLinks() { w.rule.links = true }

// To is what the writer writes to.
func (w *Writer) To() io.Writer { return w.to }

// Write takes text. It returns the first error of the writer behind it, also when that was of an earlier call.
func (w *Writer) Write(b []byte) (int, error) {
	end := bytes.LastIndexByte(b, '\n') + 1
	if end > 0 {
		lines := b[:end]
		if len(w.rest) > 0 {
			lines = append(w.rest, lines...)
		}
		w.pass(lines)
		w.rest = w.rest[:0]
	}
	w.rest = append(w.rest, b[end:]...)
	return len(b), w.err
}

// Raw passes bytes on as they are, after what came before them: a patch must keep
// every byte, and the line that shows progress is our own. It returns the first error so far, as Write does.
func (w *Writer) Raw(b []byte) (int, error) {
	if err := w.Flush(); err != nil {
		return 0, err
	}
	w.send(b)
	return len(b), w.err
}

// Flush writes what is left and returns the first error so far.
func (w *Writer) Flush() error {
	if len(w.rest) > 0 {
		w.pass(w.rest)
		w.rest = w.rest[:0]
	}
	return w.err
}

func (w *Writer) pass(text []byte) {
	if !plain(text) {
		w.out = escape(w.out[:0], text, w.rule)
		text = w.out
	}
	w.send(text)
}

func (w *Writer) send(b []byte) {
	if w.err != nil {
		return
	}
	n, err := w.to.Write(b)
	if err == nil && n < len(b) {
		err = io.ErrShortWrite
	}
	w.err = err
}

// plain reports whether a text is as it may be at a glance: most is.
func plain(text []byte) bool {
	for i, c := range text {
		switch {
		case c < 0x20 && c != '\n', c >= 0x7f:
			return false
		case (c == ':' || c == '#') && i+1 < len(text) && text[i+1] == c:
			return false
		}
	}
	return true
}
