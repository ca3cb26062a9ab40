package fix

// This file writes unified diffs, as "diff -u" and "git apply" know them.

import (
	"fmt"
	"strings"
)

// context is the number of unchanged lines shown around a change.
const context = 3

// maxTable bounds the table of the comparison; larger differences are shown as
// one replacement.
const maxTable = 4 << 20

// An Op is a line of a comparison: kept, deleted or added.
type Op struct {
	Kind rune // ' ', '-', '+'
	Line string
}

// Diff writes the difference between two texts of a file as a unified diff; ""
// when they are equal.
func Diff(name, before, after string) string {
	if before == after {
		return ""
	}
	ops := Compare(lines(before), lines(after))
	var b strings.Builder
	fmt.Fprintf(&b, "--- %s\n+++ %s\n", name, name)
	oldLine, newLine := 1, 1
	for i := 0; i < len(ops); {
		if ops[i].Kind == ' ' {
			i++
			oldLine++
			newLine++
			continue
		}
		start := max(i-context, 0)
		end, last := i, i // the hunk ends where more than twice the context is unchanged
		for end < len(ops) && end-last <= 2*context {
			if ops[end].Kind != ' ' {
				last = end
			}
			end++
		}
		end = min(last+1+context, len(ops))
		hunk(&b, ops[start:end], oldLine-(i-start), newLine-(i-start))
		for ; i < end; i++ {
			if ops[i].Kind != '+' {
				oldLine++
			}
			if ops[i].Kind != '-' {
				newLine++
			}
		}
	}
	return b.String()
}

func hunk(b *strings.Builder, ops []Op, oldLine, newLine int) {
	olds, news := 0, 0
	for _, o := range ops {
		if o.Kind != '+' {
			olds++
		}
		if o.Kind != '-' {
			news++
		}
	}
	fmt.Fprintf(b, "@@ -%s +%s @@\n", lineRange(oldLine, olds), lineRange(newLine, news))
	for _, o := range ops {
		b.WriteRune(o.Kind)
		b.WriteString(o.Line)
		if !strings.HasSuffix(o.Line, "\n") {
			b.WriteString("\n\\ No newline at end of file\n")
		}
	}
}

func lineRange(line, n int) string {
	switch n {
	case 0:
		return fmt.Sprintf("%d,0", line-1)
	case 1:
		return fmt.Sprint(line)
	}
	return fmt.Sprintf("%d,%d", line, n)
}

// lines splits a text after each line feed.
func lines(s string) []string {
	list := strings.SplitAfter(s, "\n")
	if list[len(list)-1] == "" {
		list = list[:len(list)-1]
	}
	return list
}

// CompareTexts compares two texts line by line.
func CompareTexts(before, after string) []Op { return Compare(lines(before), lines(after)) }

// Compare finds a longest common subsequence of lines between what the texts
// begin and end with alike.
func Compare(a, b []string) []Op {
	var head, tail []Op
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		head = append(head, Op{' ', a[0]})
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		tail = append(tail, Op{' ', a[len(a)-1]})
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	n, m := len(a), len(b)
	if n*m <= maxTable {
		// common[i][j] is the length for a[i:] and b[j:].
		common := make([][]int32, n+1)
		for i := range common {
			common[i] = make([]int32, m+1)
		}
		for i := n - 1; i >= 0; i-- {
			for j := m - 1; j >= 0; j-- {
				if a[i] == b[j] {
					common[i][j] = common[i+1][j+1] + 1
				} else {
					common[i][j] = max(common[i+1][j], common[i][j+1])
				}
			}
		}
		i, j := 0, 0
		for i < n && j < m {
			switch {
			case a[i] == b[j]:
				head = append(head, Op{' ', a[i]})
				i, j = i+1, j+1
			case common[i+1][j] >= common[i][j+1]:
				head = append(head, Op{'-', a[i]})
				i++
			default:
				head = append(head, Op{'+', b[j]})
				j++
			}
		}
		a, b = a[i:], b[j:]
	}
	for _, l := range a {
		head = append(head, Op{'-', l})
	}
	for _, l := range b {
		head = append(head, Op{'+', l})
	}
	for i := len(tail) - 1; i >= 0; i-- {
		head = append(head, tail[i])
	}
	return head
}
