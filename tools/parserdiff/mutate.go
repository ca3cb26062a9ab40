package main

// This file makes single-token changes of valid files. Most are invalid; the
// others show that nothing valid is refused.

import (
	"fmt"
	"math/rand"
	"regexp"
)

// word finds the pieces that mutants are made of. It need not be exact.
var word = regexp.MustCompile(
	`[A-Za-z_][A-Za-z_0-9]*|[0-9][0-9a-zA-Z_.]*|"[^"\\\n]*"|'[^'\\\n]*'|\*\*=?|//=?|>>=?|<<=?|\.\.\.|:=|->|[-+*/%@&|^=<>!]=|[^\sA-Za-z_0-9]|\n[ \t]*`)

// replacements are inserted or take the place of a token.
var replacements = []string{
	"(", ")", "[", "]", "{", "}", ",", ":", ";", ".", "=", ":=", "->", "*", "**", "+", "-", "/", "//", "@", "==", "<", "|",
	"~", "!", "...", "not", "and", "or", "in", "is", "if", "else", "for", "async", "await", "lambda", "yield", "from", "as",
	"import", "return", "del", "with", "try", "except", "finally", "raise", "pass", "def", "class", "global", "match", "case",
	"type", "_", "print", "None", "True", "x", "1", "0x1f", "1.5j", "'s'", "b's'", "f'{x}'", "f'{x!r:>{w}}'", "f'{x=}'", "t'{x!r:>{w}}'",
	"rt", "\n", "\n ",
	"x,", "*x", "**x", "x=1", "x:=1", "\\\n",
}

// mutants sends n changed pieces of the files.
func mutants(files []input, n int, seed int64, out chan<- input) {
	rnd := rand.New(rand.NewSource(seed))
	for i := 0; i < n; {
		in := files[rnd.Intn(len(files))]
		name, data := in.name, chunk(rnd, in.data)
		places := word.FindAllIndex(data, -1)
		if len(places) < 3 {
			continue
		}
		at := places[rnd.Intn(len(places))]
		mutant := append([]byte(nil), data[:at[0]]...)
		what := ""
		switch rnd.Intn(5) {
		case 0: // delete
			what = "delete"
			mutant = append(mutant, data[at[1]:]...)
		case 1: // insert
			r := replacements[rnd.Intn(len(replacements))]
			what = "insert " + r
			mutant = append(mutant, " "+r+" "...)
			mutant = append(mutant, data[at[0]:]...)
		case 2: // replace
			r := replacements[rnd.Intn(len(replacements))]
			what = "replace by " + r
			mutant = append(mutant, " "+r+" "...)
			mutant = append(mutant, data[at[1]:]...)
		case 3: // copy another token here
			o := places[rnd.Intn(len(places))]
			what = fmt.Sprintf("copy %q", data[o[0]:o[1]])
			mutant = append(mutant, data[o[0]:o[1]]...)
			mutant = append(mutant, data[at[0]:]...)
		case 4: // swap with another token
			what = "swap"
			o := places[rnd.Intn(len(places))]
			a, b := at, o
			if b[0] < a[0] {
				a, b = b, a
			}
			if a[0] == b[0] {
				continue
			}
			mutant = append(mutant[:0], data[:a[0]]...)
			for _, piece := range [][]byte{data[b[0]:b[1]], data[a[1]:b[0]], data[a[0]:a[1]], data[b[1]:]} {
				mutant = append(mutant, piece...)
			}
		}
		line := 1
		start := at[0]
		for _, c := range data[:at[0]] {
			if c == '\n' {
				line++
			}
		}
		end := min(len(mutant), start+60)
		i++
		out <- input{fmt.Sprintf("mutant %d of %s:+%d: %s: %q", i, name, line, what, mutant[max(0, start-40):end]), mutant}
	}
}

// chunk takes some top-level statements of a large file, so that one mutant does
// not cost a whole file.
func chunk(rnd *rand.Rand, data []byte) []byte {
	const size = 3000
	if len(data) < 2*size {
		return data
	}
	starts := []int{0}
	for i := 1; i < len(data); i++ {
		if data[i-1] == '\n' && (data[i] == 'd' || data[i] == 'c' || data[i] == '@') && (i < 2 || data[i-2] != '\\') {
			starts = append(starts, i)
		}
	}
	from := starts[rnd.Intn(len(starts))]
	end := len(data)
	for _, s := range starts {
		if s > from+size {
			end = s
			break
		}
	}
	return data[from:end]
}
