package notebook

// This file makes Python of what IPython reads: magics, commands of the shell, requests for help.
// The syntax is that of IPython's documentation, "Built-in magic commands" and "IPython reference".
// A line keeps its number and, where code of it stays, its columns.

import (
	"slices"
	"strings"
)

// What magics become: a value of which nothing is known, lines of output of which nothing is known,
// and names of which nothing is known.
const (
	anyValue = "eval(input())"
	anyLines = "input().splitlines()"
	anyNames = "exec(input())"
)

// runBody are the cell magics that run the cell; capture also binds a name.
var runBody = []string{"time", "timeit", "capture", "prun"}

// noNames are the cell magics whose cells bind no names of the notebook.
var noNames = []string{"bash", "sh", "cmd", "script", "system", "sx", "!", "html", "HTML", "svg", "SVG", "javascript", "js", "latex",
	"markdown",
	"perl", "ruby", "python", "python2", "python3", "pypy", "writefile", "file", "sql", "css"}

// binding are the line magics that bind names which they do not mention.
var binding = []string{"run", "pylab", "store", "load", "macro", "loadpy"}

// compound are the words that begin statements with a body, which cannot follow a colon.
var compound = []string{"if", "for", "while", "with", "def", "class", "try", "async", "match"}

// python makes Python of the lines of a cell.
func python(cell []string) []line {
	out := make([]line, len(cell))
	for i, l := range cell {
		out[i] = line{text: plain(l), was: l}
	}
	for i := 0; i < len(out); i++ { // magics of the cell
		body := strings.TrimSpace(out[i].text)
		if body == "" {
			continue
		}
		word, ok := strings.CutPrefix(body, "%%")
		if !ok {
			break
		}
		name, rest, _ := strings.Cut(word, " ")
		if slices.Contains(runBody, name) {
			out[i].put("pass")
			if to := firstWord(rest); name == "capture" && to != "" {
				out[i].put(to + " = " + anyValue)
			}
			continue
		}
		if out[i].put(""); !slices.Contains(noNames, name) && !strings.HasPrefix(name, "!") {
			out[i].put(anyNames)
		}
		for j := i + 1; j < len(out); j++ {
			out[j].put("")
		}
		return out
	}
	var s scan
	for i := 0; i < len(out); i++ {
		l := &out[i]
		if !s.inside() {
			if with, ok := escaped(l.text); ok {
				long := strings.HasSuffix(strings.TrimRight(l.text, "\r\n"), `\`)
				l.put(with)
				for ; long && i+1 < len(out); i++ { // the command goes on
					long = strings.HasSuffix(strings.TrimRight(out[i+1].text, "\r\n"), `\`)
					out[i+1].put("")
				}
				if !strings.HasPrefix(strings.TrimLeft(with, " \t"), "if 1:") {
					continue
				}
			}
		}
		s.line(l)
	}
	return out
}

// put makes text of a line; its line feed stays.
func (l *line) put(text string) {
	if strings.HasSuffix(l.was, "\n") {
		text += "\n"
	}
	l.text = text
}

// plain is a line without carriage returns that would end it.
func plain(l string) string {
	body, end := l, ""
	if b, ok := strings.CutSuffix(l, "\r\n"); ok {
		body, end = b, "\r\n"
	}
	return strings.ReplaceAll(body, "\r", " ") + end
}

func firstWord(s string) string {
	for _, w := range strings.Fields(s) {
		if isName(w) {
			return w
		}
	}
	return ""
}

func isName(s string) bool {
	for i, r := range s {
		if r != '_' && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (i == 0 || r < '0' || r > '9') && r < 0x80 {
			return false
		}
	}
	return s != ""
}

// escaped is the Python for a line that begins a statement with one of IPython's characters.
func escaped(l string) (string, bool) {
	l = strings.TrimRight(l, "\r\n")
	body := strings.TrimLeft(l, " \t")
	indent := l[:len(l)-len(body)]
	if body == "" || !strings.ContainsRune("%!?,;/", rune(body[0])) {
		return "", false
	}
	if body[0] != '%' {
		return indent + "pass", true
	}
	name, rest, _ := strings.Cut(strings.TrimLeft(body, "%"), " ")
	if name == "time" || name == "prun" { // the code behind it runs in the notebook's names
		if code := strings.TrimSpace(rest); code != "" && code[0] != '-' && !slices.Contains(compound, leading(code)) &&
			strings.HasPrefix(body, "%"+name) {
			return indent + "if 1:" + body[len("%time"):], true
		}
	}
	if slices.Contains(binding, name) {
		return indent + anyNames, true
	}
	return indent + "pass", true
}

// leading is the name that a text begins with.
func leading(s string) string {
	n := 0
	for n < len(s) && isName(s[:n+1]) {
		n++
	}
	return s[:n]
}

// A scan knows whether the next line begins a statement.
type scan struct {
	depth     int
	quote     string // the quotes of an open string
	continued bool   // the line before ends in a backslash
}

func (s *scan) inside() bool { return s.depth > 0 || s.quote != "" || s.continued }

// line goes over a line. A request for help and a magic that is assigned are replaced.
func (s *scan) line(l *line) {
	text := strings.TrimRight(l.text, "\r\n")
	s.continued = false
	begin := *s
	for i := 0; i < len(text); i++ {
		if s.quote != "" {
			switch {
			case text[i] == '\\':
				i++
			case strings.HasPrefix(text[i:], s.quote):
				i += len(s.quote) - 1
				s.quote = ""
			}
			continue
		}
		switch c := text[i]; c {
		case '#':
			return
		case '"', '\'':
			s.quote = string(c)
			if three := strings.Repeat(s.quote, 3); strings.HasPrefix(text[i:], three) {
				s.quote = three
				i += 2
			}
		case '(', '[', '{':
			s.depth++
		case ')', ']', '}':
			s.depth = max(s.depth-1, 0)
		case '\\':
			s.continued = i == len(text)-1
		case '?':
			if s.depth == 0 && !begin.inside() && strings.TrimRight(text[i:], "? \t") == "" {
				l.put(text[:len(text)-len(strings.TrimLeft(text, " \t"))] + "pass")
				return
			}
		case '=':
			next := strings.TrimLeft(text[i+1:], " \t")
			if s.depth > 0 || next == "" || i == 0 || strings.ContainsRune("=!<>", rune(text[i-1])) {
				continue
			}
			if next[0] == '%' || next[0] == '!' && !strings.HasPrefix(next, "!=") {
				with := anyValue
				if next[0] == '!' {
					with = anyLines
				}
				l.put(text[:i+1] + " " + with)
				return
			}
		}
	}
	if len(s.quote) == 1 && !strings.HasSuffix(text, `\`) {
		s.quote = "" // it is not closed: a fault of the program
	}
}
