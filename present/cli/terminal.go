package cli

// This file says what a terminal can show: its width, colours, links.

import (
	"errors"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/term"

	"shapecheck/internal/safetext"
	"shapecheck/internal/source"
	"shapecheck/present/render/text"
)

// styleOf is how findings are printed to w.
func styleOf(w io.Writer) text.Style {
	st := text.Style{Color: colored(w), Width: width(w), Places: maxPlaces}
	if linked(w) {
		st.Link = fileLink
	}
	return st
}

// maxPlaces is how many places a finding shows, where not all are asked for.
const maxPlaces = 8

// allowStyle has pass what styleOf makes for w.
func allowStyle(w *safetext.Writer) {
	w.Allow(colored(w), false)
	if linked(w) {
		w.AllowLinks()
	}
}

// width is COLUMNS, or the width of the terminal that w is; 0 where it is none.
func width(w io.Writer) int {
	return widthOf(os.Getenv("COLUMNS"), isTerminal(w), func() (int, error) {
		f := fileOf(w)
		if f == nil {
			return 0, errors.New("no file")
		}
		n, _, err := term.GetSize(int(f.Fd()))
		return n, err
	})
}

// widthOf is the first width that is wide enough to print into.
func widthOf(env string, terminal bool, size func() (int, error)) int {
	if n, err := strconv.Atoi(env); err == nil && n >= minWidth {
		return n
	}
	if !terminal {
		return 0
	}
	if n, err := size(); err == nil && n >= minWidth {
		return n
	}
	return defaultWidth
}

const (
	minWidth     = 40
	defaultWidth = 80
)

// colored decides whether to print colours: not when NO_COLOR is set, and only
// on a terminal unless FORCE_COLOR is set.
func colored(w io.Writer) bool {
	if os.Getenv("NO_COLOR") != "" {
		return false
	}
	if os.Getenv("FORCE_COLOR") != "" {
		return true
	}
	return isTerminal(w)
}

// linked decides whether to print links (OSC 8): on terminals that say that they know them, or as
// FORCE_HYPERLINK has it, 0 or 1.
func linked(w io.Writer) bool {
	if force := os.Getenv("FORCE_HYPERLINK"); force != "" {
		return force != "0"
	}
	return isTerminal(w) && knowsLinks(os.Getenv)
}

// knowsLinks reports whether a terminal knows links, by the variables that it sets.
func knowsLinks(env func(string) string) bool {
	if env("WT_SESSION") != "" || env("KITTY_WINDOW_ID") != "" {
		return true
	}
	if n, err := strconv.Atoi(env("VTE_VERSION")); err == nil && n >= 5000 {
		return true
	}
	return slices.Contains([]string{"iTerm.app", "WezTerm", "vscode", "ghostty", "Hyper", "rio", "WarpTerminal"}, env("TERM_PROGRAM"))
}

// fileLink is the address of a line; empty for what is no file of the disk.
func fileLink(f *source.File, line int) string {
	if f.Prelude {
		return ""
	}
	abs, err := filepath.Abs(f.Place())
	if err != nil {
		return ""
	}
	if _, err := os.Stat(abs); err != nil {
		return ""
	}
	u := url.URL{Scheme: "file", Path: filepath.ToSlash(abs)}
	if !strings.HasPrefix(u.Path, "/") {
		u.Path = "/" + u.Path // C:/…
	}
	if f.Notebook == nil {
		u.Fragment = strconv.Itoa(line)
	}
	return u.String()
}

// fileOf is the file that w writes to; nil: it is none.
func fileOf(w io.Writer) *os.File {
	if s, ok := w.(*safetext.Writer); ok {
		w = s.To()
	}
	f, _ := w.(*os.File)
	return f
}

// isTerminal reports whether w is a character device.
func isTerminal(w io.Writer) bool {
	f := fileOf(w)
	if f == nil {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
