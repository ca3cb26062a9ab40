package toplevel

// This file finds the names that a text defines, and lists in __all__, by the beginnings of its lines.

import "strings"

// A Text is the text of a module.
type Text struct {
	Source  string
	defined map[string]bool // when it was asked for
}

// Exports reports whether a module lists a name in __all__, or without one defines it at
// its top level.
func (t *Text) Exports(name string) bool {
	if !strings.Contains(t.Source, name) {
		return false
	}
	listed := false
	rest, ok := strings.CutPrefix(t.Source, "__all__")
	if !ok {
		_, rest, ok = strings.Cut(t.Source, "\n__all__")
	}
	for ok {
		listed = true
		list, _, _ := strings.Cut(rest, "]")
		if strings.Contains(list, `"`+name+`"`) || strings.Contains(list, "'"+name+"'") {
			return true
		}
		_, rest, ok = strings.Cut(rest, "\n__all__")
	}
	return !listed && t.Defines(name)
}

// Defines reports whether a module defines a name at its top level.
func (t *Text) Defines(name string) bool {
	if t.defined == nil {
		t.defined = DefinedNames(t.Source)
	}
	return t.defined[name]
}

// DefinedNames are the names that a text defines at its top level: those of its classes and
// functions, and what is assigned to, or annotated.
func DefinedNames(text string) map[string]bool {
	names := map[string]bool{}
	for more := true; more; _, text, more = strings.Cut(text, "\n") {
		name, rest := leadingName(text)
		if name == "class" || name == "def" {
			if name, _ = leadingName(strings.TrimPrefix(rest, " ")); name != "" {
				names[name] = true
			}
		} else if name != "" && (strings.HasPrefix(rest, " =") || strings.HasPrefix(rest, ":")) {
			names[name] = true
		}
	}
	return names
}

// leadingName cuts the name that a text begins with.
func leadingName(text string) (name, rest string) {
	i := 0
	for i < len(text) && (text[i] == '_' || text[i] >= 0x80 || 'a' <= text[i]|0x20 && text[i]|0x20 <= 'z' || i > 0 && '0' <= text[i] &&
		text[i] <= '9') {
		i++
	}
	return text[:i], text[i:]
}

// NamesOfAll reads the one list of texts that is assigned to __all__.
func NamesOfAll(text string) ([]string, bool) {
	text = "\n" + text
	before, after, ok := strings.Cut(text, "\n__all__")
	if !ok || strings.Contains(before, "__all__") || strings.Contains(after, "__all__") {
		return nil, false
	}
	after = strings.TrimLeft(after, " ")
	list, rest, ok := strings.Cut(after, "]")
	if rest, _, _ = strings.Cut(rest, "\n"); !strings.HasPrefix(strings.TrimSpace(rest)+"#", "#") {
		return nil, false
	}
	list, isList := strings.CutPrefix(strings.TrimLeft(strings.TrimPrefix(list, "="), " "), "[")
	if !ok || !isList || after[0] != '=' {
		return nil, false
	}
	var names []string
	for _, line := range strings.Split(list, "\n") {
		line, _, _ = strings.Cut(line, "#")
		for _, n := range strings.Split(line, ",") {
			if n = strings.TrimSpace(n); n == "" {
				continue
			}
			if len(n) < 3 || n[0] != n[len(n)-1] || n[0] != '"' && n[0] != '\'' || strings.ContainsAny(n[1:len(n)-1], "/\\.:\x00") {
				return nil, false
			}
			names = append(names, n[1:len(n)-1])
		}
	}
	return names, true
}
