package fix

// This file applies unified diffs.

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// A Patch is what a diff does to a file: lines from its headers @@ on.
type Patch struct {
	Path  string
	lines []string
	// exchange says that it is not of a diff: it puts another text in the place of one that the file has once.
	exchange *[2]string
}

// Exchange is the patch that puts changed in the place of old, a text that the file has once.
func Exchange(path, old, changed string) Patch {
	return Patch{Path: path, exchange: &[2]string{old, changed}}
}

// Patches splits a unified diff by files.
func Patches(diff string) []Patch {
	var out []Patch
	for line := range strings.Lines(strings.TrimSuffix(diff, "\n") + "\n") {
		line = strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
		if name, ok := strings.CutPrefix(line, "+++ "); ok {
			name, _, _ = strings.Cut(name, "\t")
			out = append(out, Patch{Path: strings.TrimPrefix(name, "b/")})
		} else if len(out) > 0 && !strings.HasPrefix(line, "--- ") && !strings.HasPrefix(line, "diff ") && !strings.HasPrefix(line, "index ") {
			out[len(out)-1].lines = append(out[len(out)-1].lines, line)
		}
	}
	return out
}

// Apply makes the text after the patch. The lines that it keeps and removes must be those of the text, where its headers say or, as
// programs that write diffs count badly, at the next place that has them. It returns an error where no place has them.
func (p *Patch) Apply(text string) (string, error) {
	if x := p.exchange; x != nil {
		switch n := strings.Count(text, x[0]); {
		case x[0] == "":
			return "", errors.New("old is empty: give the text that is replaced, or a diff")
		case n != 1:
			return "", fmt.Errorf("the file has the text of old %d times; it must have it once", n)
		}
		return strings.Replace(text, x[0], x[1], 1), nil
	}
	lines := strings.Split(text, "\n")
	var out []string
	at := 0 // lines that are done
	for i := 0; i < len(p.lines); {
		if !strings.HasPrefix(p.lines[i], "@@") {
			i++
			continue
		}
		header := p.lines[i]
		var old, added []string
		for i++; i < len(p.lines) && !strings.HasPrefix(p.lines[i], "@@"); i++ {
			switch l := p.lines[i]; {
			case l == "":
				old, added = append(old, ""), append(added, "")
			case l[0] == '-':
				old = append(old, l[1:])
			case l[0] == '+':
				added = append(added, l[1:])
			case l[0] == ' ':
				old, added = append(old, l[1:]), append(added, l[1:])
			}
		}
		place := find(lines, old, at, firstLine(header)-1)
		if place < 0 {
			return "", fmt.Errorf("the lines after %s are not in the file", header)
		}
		out = append(append(out, lines[at:place]...), added...)
		at = place + len(old)
	}
	return strings.Join(append(out, lines[at:]...), "\n"), nil
}

// firstLine is the number after the minus of a header @@ -3,4 +3,5 @@; 0: it has none.
func firstLine(header string) int {
	_, rest, _ := strings.Cut(header, "-")
	n, _ := strconv.Atoi(rest[:len(rest)-len(strings.TrimLeft(rest, "0123456789"))]) // nothing is 0
	return n
}

// find is where lines has a part: at the wanted place, else at the first one from a line on; -1: nowhere.
func find(lines, part []string, from, wanted int) int {
	is := func(at int) bool {
		if at < from || at+len(part) > len(lines) {
			return false
		}
		for i, l := range part {
			if strings.TrimSuffix(lines[at+i], "\r") != l {
				return false
			}
		}
		return true
	}
	if is(wanted) {
		return wanted
	}
	for at := from; at+len(part) <= len(lines); at++ {
		if is(at) {
			return at
		}
	}
	return -1
}
