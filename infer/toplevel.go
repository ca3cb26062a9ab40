package infer

// This file tells from a module's text, without parsing it, what running its top level
// does beyond defining names: a module that does nothing else need not run before one of
// its names is used (waiting.go). What it cannot tell counts as an effect.

import (
	"bytes"
	"maps"
	"slices"
	"strings"
)

// A topLevel is what the statements at the top level of a module do.
type topLevel struct {
	// effects says that they may change what other modules see in a way that is not followed.
	effects bool
	imports []importRef
	// registers are the names that it imports and hands its own definitions to, as
	// decorators and calls do.
	registers []nameRef
}

// An importRef is the module of an import statement; names are those that a from lists.
type importRef struct {
	level int
	name  string
	names []string
}

// A nameRef is a name of a module.
type nameRef struct {
	from importRef
	name string
}

// quietRoots begin calls whose effects concern no value.
var quietRoots = []string{"logger", "_logger", "log", "_log", "LOG", "logging", "warnings", "__all__", "print", "os", "_LOGGER", "LOGGER"}

// passive are the keywords of statements without effects on other modules; blocks of
// those that have a statement of their own in them.
var (
	passive = []string{"del", "pass", "assert", "raise", "return", "global", "nonlocal", "break", "continue", "not", "await", "yield", "lambda"}
	blocks  = []string{"if", "elif", "else", "try", "except", "finally", "with", "for", "while", "async"}
)

// readTop reads the top level of a module's text: the lines of its statements, and those
// of the blocks that are no definitions.
func readTop(text []byte) topLevel {
	r := topReader{rest: text, all: text, skip: -1, imported: map[string]nameRef{}}
	for r.line() {
		r.statement()
	}
	if r.quote != "" { // the quotes were misread
		r.out.effects = true
	}
	return r.out
}

type topReader struct {
	all      []byte // the file
	called   int    // by how many functions this is called, when it is a function's body
	rest     []byte
	text     []byte // of the line, without indentation
	indent   int
	skip     int    // lines that are indented more are not looked at; -1: all are
	quote    string // of the text of several lines that is open
	imported map[string]nameRef
	out      topLevel
}

// line goes to the next line that is neither empty nor a comment nor part of a text.
func (r *topReader) line() bool {
	for len(r.rest) > 0 {
		var line []byte
		if i := bytes.IndexByte(r.rest, '\n'); i >= 0 {
			line, r.rest = r.rest[:i], r.rest[i+1:]
		} else {
			line, r.rest = r.rest, nil
		}
		if r.quote != "" {
			r.quotes(line)
			continue
		}
		t := bytes.TrimLeft(line, " \t\f")
		if len(t) == 0 || t[0] == '#' || t[0] == '\r' {
			continue
		}
		r.text, r.indent = t, len(line)-len(t)
		r.quotes(t)
		return true
	}
	return false
}

// quotes follows the texts of several lines that begin or end in a line.
func (r *topReader) quotes(line []byte) {
	for {
		if r.quote != "" {
			i := bytes.Index(line, []byte(r.quote))
			if i < 0 {
				return
			}
			line, r.quote = line[i+3:], ""
		}
		a, b := bytes.Index(line, []byte(`"""`)), bytes.Index(line, []byte(`'''`))
		switch {
		case a < 0 && b < 0:
			return
		case a >= 0 && (b < 0 || a < b):
			line, r.quote = line[a+3:], `"""`
		default:
			line, r.quote = line[b+3:], `'''`
		}
	}
}

func (r *topReader) statement() {
	if r.skip >= 0 && r.indent > r.skip {
		return
	}
	r.skip = r.indent
	l := r.text
	if l[0] == '@' {
		if root, _ := identifier(l[1:]); bytes.Contains(bytes.ToLower(l), []byte("regist")) {
			r.effect(root)
		}
		return
	}
	word, rest := identifier(l)
	if word == "" {
		return
	}
	switch {
	case word == "from":
		r.from(rest)
	case word == "import":
		r.imports(rest)
	case word == "def" || word == "class" || word == "async" && bytes.HasPrefix(bytes.TrimSpace(rest), []byte("def")):
	case slices.Contains(blocks, word):
		if !bytes.Contains(l, []byte("TYPE_CHECKING")) && !bytes.Contains(l, []byte("__name__")) || word != "if" || bytes.Contains(l, []byte("not ")) {
			r.skip = -1
		}
	case !slices.Contains(passive, word):
		r.expression(word, rest)
	}
}

// expression reads a statement that begins with a name.
func (r *topReader) expression(root string, rest []byte) {
	chain := ""
	for len(rest) > 0 && rest[0] == '.' {
		var part string
		part, rest = identifier(rest[1:])
		chain += "." + part
	}
	rest = bytes.TrimLeft(rest, " \t")
	if len(rest) == 0 {
		return
	}
	_, imported := r.imported[root]
	switch {
	case rest[0] == '(':
		switch {
		case root == "setattr" && bytes.HasPrefix(rest, []byte("(sys.modules[__name__]")):
		case slices.Contains(quietRoots, root):
		case root == "torch" && !strings.Contains(chain, "set_"):
		case root == "sys" || root == "setattr" || root == "exec" || root == "torch":
			r.out.effects = true
		case imported:
			r.effect(root)
		case chain == "":
			r.own(root)
		}
	case rest[0] == '[':
		if imported && root != "os" && !(root == "sys" && bytes.HasPrefix(rest, []byte("[__name__]"))) {
			r.effect(root)
		}
	case chain != "" && rest[0] == '=' && !bytes.HasPrefix(rest, []byte("==")) && imported:
		r.out.effects = true
	}
}

// own reads the body of a function of the module's own that its top level calls.
func (r *topReader) own(name string) {
	_, body, ok := bytes.Cut(r.all, []byte("\ndef "+name+"("))
	if !ok || r.called == maxOwnCalls {
		r.out.effects = true
		return
	}
	_, body, _ = bytes.Cut(body, []byte("\n"))
	b := topReader{rest: body, all: r.all, skip: -1, called: r.called + 1, imported: maps.Clone(r.imported)}
	for b.line() && (b.indent > 0 || b.text[0] == ')') {
		b.statement()
	}
	r.out.effects = r.out.effects || b.out.effects
	r.out.registers = append(r.out.registers, b.out.registers...)
	r.out.imports = append(r.out.imports, b.out.imports...)
}

// maxOwnCalls bounds how many functions that call each other are read.
const maxOwnCalls = 3

// effect notes that something is handed to an imported name.
func (r *topReader) effect(root string) {
	if ref, ok := r.imported[root]; ok {
		r.out.registers = append(r.out.registers, ref)
		return
	}
	// What a module registers with itself concerns itself.
}

func (r *topReader) from(rest []byte) {
	rest = bytes.TrimSpace(rest)
	var ref importRef
	for len(rest) > 0 && rest[0] == '.' {
		ref.level++
		rest = rest[1:]
	}
	module, names, ok := bytes.Cut(append(append([]byte(" "), rest...), ' '), []byte(" import "))
	if !ok {
		r.out.effects = true
		return
	}
	ref.name = strings.TrimSpace(string(module))
	names, _, _ = bytes.Cut(names, []byte("#"))
	if j := bytes.IndexByte(names, '('); j >= 0 {
		all := append(append([]byte(nil), names[j+1:]...), '\n')
		for !bytes.Contains(all, []byte(")")) && len(r.rest) > 0 {
			end := bytes.IndexByte(r.rest, '\n') + 1
			if end == 0 {
				end = len(r.rest)
			}
			line := r.rest[:end]
			r.rest = r.rest[end:]
			if c := bytes.IndexByte(line, '#'); c >= 0 {
				line = line[:c]
			}
			all = append(all, line...)
		}
		names, _, _ = bytes.Cut(all, []byte(")"))
	}
	for _, n := range bytes.Split(names, []byte(",")) {
		words := strings.Fields(string(n))
		switch {
		case len(words) == 1 || len(words) == 3 && words[1] == "as":
			ref.names = append(ref.names, words[0])
		case len(words) > 0 && words[0] != "\\":
			r.out.effects = true
		}
	}
	for _, n := range bytes.Split(names, []byte(",")) {
		if words := strings.Fields(string(n)); len(words) > 0 {
			r.imported[words[len(words)-1]] = nameRef{ref, words[0]}
		}
	}
	r.out.imports = append(r.out.imports, ref)
}

func (r *topReader) imports(rest []byte) {
	if c := bytes.IndexByte(rest, '#'); c >= 0 {
		rest = rest[:c]
	}
	for _, n := range bytes.Split(rest, []byte(",")) {
		words := strings.Fields(string(n))
		if len(words) == 0 {
			continue
		}
		ref := importRef{name: words[0]}
		top, _, _ := strings.Cut(words[len(words)-1], ".")
		r.imported[top] = nameRef{ref, ""}
		r.out.imports = append(r.out.imports, ref)
	}
}

// identifier cuts the name with which a line begins.
func identifier(l []byte) (name string, rest []byte) {
	i := 0
	for i < len(l) && (l[i] == '_' || 'a' <= l[i] && l[i] <= 'z' || 'A' <= l[i] && l[i] <= 'Z' || i > 0 && '0' <= l[i] && l[i] <= '9') {
		i++
	}
	return string(l[:i]), l[i:]
}
