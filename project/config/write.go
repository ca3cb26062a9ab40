package config

// This file writes entries.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	"shapecheck/internal/lazyregexp"
)

// Table is the name of the table of entries in a configuration of that file name.
func Table(file string) string {
	if filepath.Base(file) == pyProject {
		return "tool.shapecheck.entries"
	}
	return "entries"
}

// Text is an entry as a configuration has it, in the named table: its name, file, entry, arguments,
// mode and result. assumed are the guesses in it, for a comment; empty: there are none.
func (e *Entry) Text(table, assumed string) string {
	var b strings.Builder
	if assumed != "" {
		fmt.Fprintf(&b, "# assumed: %s\n", strings.Join(strings.Fields(assumed), " "))
	}
	fmt.Fprintf(&b, "[[%s]]\nname = %s\nfile = %s\nentry = %s\n", table, quoted(e.Name), quoted(e.File), quoted(e.Entry))
	if len(e.Args) > 0 {
		var args []string
		for _, a := range e.Args {
			args = append(args, quoted(a))
		}
		fmt.Fprintf(&b, "args = [%s]\n", strings.Join(args, ", "))
	}
	if e.Eval {
		b.WriteString("eval = true\n")
	}
	if e.Expect != "" {
		fmt.Fprintf(&b, "expect = %s\n", quoted(e.Expect))
	}
	if e.Contract != nil {
		var list []string
		for _, c := range e.Contract {
			list = append(list, quoted(c))
		}
		fmt.Fprintf(&b, "contract = [%s]\n", strings.Join(list, ", "))
	}
	return b.String()
}

// wholeType is a result that says all: tensors, and tuples and lists of them.
var wholeType = lazyregexp.New(`^[\[(]?(\w+\[[\w*+\-/()% ,]*\](, )?)+[\])]?$`)

// WholeType reports whether a type of a result is known as far as an entry can expect it.
func WholeType(t string) bool { return wholeType.MatchString(t) }

// quoted is a text as TOML's basic strings have it, which read JSON's.
func quoted(s string) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil { // a text has JSON
		panic(err)
	}
	return strings.TrimSuffix(b.String(), "\n")
}
