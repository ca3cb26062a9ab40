// Package toplevel says what the top level of a module does and which names it has, before it runs: an import of it
// may wait, or run in part, where the program cannot tell the difference.
//
//	toplevel.go  effects of a module, from its text without parsing it
//	names.go     names that a text defines, and lists in __all__
//	imports.go   imports among the statements of a module
package toplevel

import (
	"bytes"
	"maps"
	"slices"
	"strings"
)

// A Module is what the statements at the top level of a module do. What cannot be told from the text counts as an effect.
type Module struct {
	// Effects says that they may change what other modules see in a way that is not followed.
	Effects bool
	Imports []Import
	// Registers are the names that it imports and hands its own definitions to, as
	// decorators and calls do.
	Registers []Name
	// Decorators are the other names that it imports and decorates its definitions with.
	Decorators []Name
}

// An Import is the module of an import statement; Level is the number of dots before its name, and Names are
// those that a from lists.
type Import struct {
	Level int
	Name  string
	Names []string
}

// A Name is a name of a module.
type Name struct {
	From Import
	Name string
}

func (n Name) equal(o Name) bool {
	return n.Name == o.Name && n.From.Level == o.From.Level && n.From.Name == o.From.Name
}

// quietRoots begin calls whose effects concern no value.
var quietRoots = []string{"logger", "_logger", "log", "_log", "LOG", "logging", "warnings", "__all__", "print", "os", "_LOGGER", "LOGGER"}

// IsQuiet reports whether the effects of calls of a name, or of what it has, concern no value: messages and the like.
func IsQuiet(root string) bool { return slices.Contains(quietRoots, root) }

// passive are the keywords of statements without effects on other modules; blocks of
// those that have a statement of their own in them.
var (
	passive = []string{"del", "pass", "assert", "raise", "return", "global", "nonlocal", "break", "continue", "not", "await", "yield",
		"lambda"}
	blocks = []string{"if", "elif", "else", "try", "except", "finally", "with", "for", "while", "async"}
)

// Read reads the top level of a module's text: the lines of its statements, and those
// of the blocks that are no definitions.
func Read(text []byte) Module {
	r := newReader(text, text)
	r.imported = map[string]Name{}
	for r.line() {
		r.statement()
	}
	if r.quote != "" { // the quotes were misread
		r.out.Effects = true
	}
	return r.out
}

// triples begin and end texts of several lines.
var triples = [...]string{`"""`, `'''`}

type reader struct {
	all    []byte // the file
	called int    // by how many functions this is called, when it is a function's body
	rest   []byte
	text   []byte // of the line, without indentation
	indent int
	skip   int    // lines that are indented more are not looked at; -1: all are
	quote  string // of the text of several lines that is open
	// marks are how much is left of the file where the next triple quotes stand, by their
	// kind; 0: nowhere.
	marks    [len(triples)]int
	imported map[string]Name
	out      Module
}

// newReader reads rest, a part of the text that all is.
func newReader(rest, all []byte) reader {
	r := reader{rest: rest, all: all, skip: -1}
	for i := range r.marks {
		r.marks[i] = len(rest) + 1
	}
	return r
}

// line goes to the next line that is neither empty nor a comment nor part of a text, nor
// certain to be skipped.
func (r *reader) line() bool {
	for len(r.rest) > 0 {
		from := r.rest
		line := from
		if r.quote != "" {
			i := bytes.Index(line, []byte(r.quote))
			if i < 0 {
				r.rest = nil
				return false
			}
			line = line[i+3:]
		}
		if i := bytes.IndexByte(line, '\n'); i >= 0 {
			line, r.rest = line[:i], line[i+1:]
		} else {
			r.rest = nil
		}
		if r.quote != "" {
			r.quote = ""
			r.quotes(line)
			continue
		}
		if r.skip == 0 && len(line) > 0 && (line[0] == ' ' || line[0] == '\t') {
			if r.marked(from) {
				if t := bytes.TrimLeft(line, " \t\f"); t[0] != '#' {
					r.quotes(t)
				}
			}
			continue
		}
		t := bytes.TrimLeft(line, " \t\f")
		if len(t) == 0 || t[0] == '#' || t[0] == '\r' {
			continue
		}
		r.text, r.indent = t, len(line)-len(t)
		if r.marked(from) {
			r.quotes(t)
		}
		return true
	}
	return false
}

// marked reports whether triple quotes begin in the line that was gone over, of which and
// the rest from is the text.
func (r *reader) marked(from []byte) bool {
	in := false
	for i, mark := range r.marks {
		if mark > len(from) { // it lies before
			mark = 0
			if j := bytes.Index(from, []byte(triples[i])); j >= 0 {
				mark = len(from) - j
			}
			r.marks[i] = mark
		}
		in = in || mark > len(r.rest)
	}
	return in
}

// quotes follows the texts of several lines that begin or end in a line.
func (r *reader) quotes(line []byte) {
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

func (r *reader) statement() {
	if r.skip >= 0 && r.indent > r.skip {
		return
	}
	r.skip = r.indent
	l := r.text
	if l[0] == '@' {
		root, _ := identifier(l[1:])
		if bytes.Contains(bytes.ToLower(l), []byte("regist")) {
			r.effect(root)
		} else if ref, ok := r.imported[root]; ok && !slices.ContainsFunc(r.out.Decorators, ref.equal) {
			r.out.Decorators = append(r.out.Decorators, ref)
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
		if !bytes.Contains(l, []byte("TYPE_CHECKING")) && !bytes.Contains(l, []byte("__name__")) || word != "if" ||
			bytes.Contains(l, []byte("not ")) {
			r.skip = -1
		}
	case !slices.Contains(passive, word):
		r.expression(word, rest)
	}
}

// expression reads a statement that begins with a name.
func (r *reader) expression(root string, rest []byte) {
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
		case IsQuiet(root):
		case root == "torch" && !strings.Contains(chain, "set_"):
		case root == "sys" || root == "setattr" || root == "exec" || root == "torch":
			r.out.Effects = true
		case imported:
			r.effect(root)
		case chain == "":
			r.readBody(root)
		}
	case rest[0] == '[':
		if imported && root != "os" && !(root == "sys" && bytes.HasPrefix(rest, []byte("[__name__]"))) {
			r.effect(root)
		}
	case chain != "" && rest[0] == '=' && !bytes.HasPrefix(rest, []byte("==")) && imported:
		r.out.Effects = true
	}
}

// readBody reads the body of a function of the module's own that its top level calls.
func (r *reader) readBody(name string) {
	_, body, ok := bytes.Cut(r.all, []byte("\ndef "+name+"("))
	if !ok || r.called == maxOwnCalls {
		r.out.Effects = true
		return
	}
	_, body, _ = bytes.Cut(body, []byte("\n"))
	b := newReader(body, r.all)
	b.called, b.imported = r.called+1, maps.Clone(r.imported)
	for b.line() && (b.indent > 0 || b.text[0] == ')') {
		b.statement()
	}
	r.out.Effects = r.out.Effects || b.out.Effects
	r.out.Registers = append(r.out.Registers, b.out.Registers...)
	r.out.Imports = append(r.out.Imports, b.out.Imports...)
}

// maxOwnCalls bounds how many functions that call each other are read.
const maxOwnCalls = 3

// effect notes that something is handed to an imported name.
func (r *reader) effect(root string) {
	if ref, ok := r.imported[root]; ok {
		r.out.Registers = append(r.out.Registers, ref)
		return
	}
	// What a module registers with itself concerns itself.
}

// from reads the rest of a line that begins with "from", with the lines that follow in parentheses. It works on text:
// whether a module does more than import must be known without parsing it. What it cannot read counts as an effect.
func (r *reader) from(rest []byte) {
	rest = bytes.TrimSpace(rest)
	var ref Import
	for len(rest) > 0 && rest[0] == '.' {
		ref.Level++
		rest = rest[1:]
	}
	module, names, ok := bytes.Cut(append(append([]byte(" "), rest...), ' '), []byte(" import "))
	if !ok {
		r.out.Effects = true
		return
	}
	ref.Name = strings.TrimSpace(string(module))
	names, _, _ = bytes.Cut(names, []byte("#"))
	if j := bytes.IndexByte(names, '('); j >= 0 {
		list, _, closed := bytes.Cut(names[j+1:], []byte(")"))
		all := append(append([]byte(nil), list...), '\n')
		for !closed && len(r.rest) > 0 {
			end := bytes.IndexByte(r.rest, '\n') + 1
			if end == 0 {
				end = len(r.rest)
			}
			line := r.rest[:end]
			r.rest = r.rest[end:]
			if c := bytes.IndexByte(line, '#'); c >= 0 {
				line = line[:c]
			}
			line, _, closed = bytes.Cut(line, []byte(")"))
			all = append(all, line...)
		}
		names = all
	}
	var as []string
	for n := range bytes.SplitSeq(names, []byte(",")) {
		words := strings.Fields(string(n))
		switch {
		case len(words) == 1 || len(words) == 3 && words[1] == "as":
			ref.Names = append(ref.Names, words[0])
		case len(words) > 0 && words[0] != "\\":
			r.out.Effects = true
		}
		if len(words) > 0 {
			as = append(as, words[0], words[len(words)-1])
		}
	}
	for i := 0; i < len(as); i += 2 {
		r.imported[as[i+1]] = Name{ref, as[i]}
	}
	r.out.Imports = append(r.out.Imports, ref)
}

func (r *reader) imports(rest []byte) {
	if c := bytes.IndexByte(rest, '#'); c >= 0 {
		rest = rest[:c]
	}
	for _, n := range bytes.Split(rest, []byte(",")) {
		words := strings.Fields(string(n))
		if len(words) == 0 {
			continue
		}
		ref := Import{Name: words[0]}
		top, _, _ := strings.Cut(words[len(words)-1], ".")
		r.imported[top] = Name{ref, ""}
		r.out.Imports = append(r.out.Imports, ref)
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
