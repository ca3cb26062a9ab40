package main

// This file writes many mutants into one program, of which a variable of the environment
// chooses one: programs are made once, and not once for each mutant.

import (
	"fmt"
	"slices"
	"strings"
)

// variable is the one that holds the number of the mutant that runs.
const variable = "SHAPECHECK_MUTANT"

// choice is the file that a mutated package has besides its own.
const choice = `package %s

import "os"

var mutantOfThisRun = os.Getenv("` + variable + `")
`

// A span is the lines that a mutant's text has in a woven file.
type span struct{ from, to, mutant int }

// weave gives the text of a file with mutants, by number: each function begins with its
// changed forms. One that no function holds changes the text itself.
func weave(text string, list map[int]mutant) (string, []span) {
	var order []int
	for id := range list {
		order = append(order, id)
	}
	slices.SortFunc(order, func(a, b int) int {
		x, y := list[a], list[b]
		if x.in != nil && y.in != nil && x.in.open != y.in.open {
			return x.in.open - y.in.open
		}
		return a - b
	})
	var out strings.Builder
	var spans []span
	at, lines := 0, 1
	write := func(s string) {
		out.WriteString(s)
		lines += strings.Count(s, "\n")
	}
	for _, id := range order {
		m := list[id]
		if m.in == nil {
			write(text[at:m.offset] + m.to)
			at = m.offset + len(m.from)
			spans = append(spans, span{lines, lines, id})
			continue
		}
		write(text[at : m.in.open+1])
		at = m.in.open + 1
		from := lines
		write(fmt.Sprintf("\nif mutantOfThisRun == \"%d\" {", id))
		write(m.body(text, fmt.Sprintf("OfMutant%d", id)))
		if m.in.results {
			write("\npanic(\"no return\")\n}\n")
		} else {
			write("\nreturn\n}\n")
		}
		spans = append(spans, span{from + 1, lines - 1, id})
	}
	write(text[at:])
	return out.String(), spans
}

// body is the changed body of the mutant's function; its labels get a suffix.
func (m mutant) body(text, suffix string) string {
	var out strings.Builder
	at := m.in.open + 1
	change := func(to int) {
		if at <= m.offset && m.offset < to {
			out.WriteString(text[at:m.offset] + m.to)
			at = m.offset + len(m.from)
		}
		out.WriteString(text[at:to])
		at = to
	}
	for _, l := range m.in.labels {
		change(l)
		out.WriteString(suffix)
	}
	change(m.in.end)
	return out.String()
}
