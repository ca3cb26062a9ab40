package trial

// This file turns on flags of the objects that were made for a constructor.

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"shapecheck/internal/diag"
	"shapecheck/internal/lazyregexp"
)

// instanceMade is an expression that makes an instance of a class of the program, by the class's own name.
var instanceMade = lazyregexp.New(`^((?:\w+\.)*)([A-Z]\w*)\(.*\)$`)

// turnOnFlag makes an argument of the constructor with a flag that is False by default, where a condition on an attribute of that argument
// does not hold: a flag from which the attribute is set, or that the message names.
func (r *remedies) turnOnFlag(t *trial, _ diag.Fact) bool {
	d := t.first()
	if d == nil {
		return false
	}
	cond, _ := t.guard(d)
	for _, arg := range t.fill.made {
		name, v, _ := strings.Cut(arg, "=")
		made := instanceMade.FindStringSubmatch(v)
		attribute, err := regexp.Compile(`(?:^|[^.\w])(?:self\.)?` + name + `\.(\w+)`)
		if made == nil || err != nil || len(v) > maxMade {
			continue
		}
		asked := attribute.FindAllStringSubmatch(cond, -1)
		if len(asked) == 0 {
			continue
		}
		text := t.classText(made[1], made[2])
		if text == "" {
			continue
		}
		words := identifier.FindAllString(t.raised(), -1)
		for _, a := range asked {
			set, err := regexp.Compile(`\bself\.` + a[1] + `[ \t]*=([^=\n][^\n]*)`)
			if err != nil {
				continue
			}
			for _, m := range set.FindAllStringSubmatch(text, -1) {
				words = append(words, identifier.FindAllString(m[1], -1)...)
			}
		}
		i := slices.IndexFunc(words, func(w string) bool { return isOffIn(text, w) && !strings.Contains(v, w+"=") })
		if i < 0 {
			continue
		}
		v = strings.TrimSuffix(v, ")")
		if !strings.HasSuffix(v, "(") {
			v += ", "
		}
		r.set(name, v+words[i]+"=True)")
		return true
	}
	return false
}

// isOffIn reports whether a function in a text has a parameter of a name whose default is False.
func isOffIn(text, name string) bool {
	off, err := regexp.Compile(`[(,]\s*` + name + `(?:\s*:\s*[\w. |\[\]]+)?\s*=\s*False\s*[,)#]`)
	return err == nil && off.MatchString(text)
}

// classAtTop is where a text defines a class at its top; -1 where it does not. A run has read many files: a search for plain text is
// several times quicker than one by an expression.
func classAtTop(text, name string) int {
	head, from := "class "+name, 0
	for {
		i := strings.Index(text[from:], head)
		if i < 0 {
			return -1
		}
		at := from + i
		from = at + len(head)
		if (at == 0 || text[at-1] == '\n') && (from == len(text) || !isWordByte(text[from])) {
			return at
		}
	}
}

// isWordByte reports whether a byte is a letter of ASCII, a digit or an underscore.
func isWordByte(b byte) bool {
	return b == '_' || '0' <= b && b <= '9' || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z'
}

// classText is the text of a class that a file of the run defines at its top: of the module before its name, else of the entry's file, else
// of the only file that has such a class; empty where there is none.
func (t *trial) classText(module, name string) string {
	path := strings.ReplaceAll(strings.TrimSuffix(module, "."), ".", "/")
	found, best, several := "", 0, false
	for _, f := range t.res.Files.Files() {
		at := classAtTop(f.Text(), name)
		if at < 0 {
			continue
		}
		file, rank := strings.TrimSuffix(strings.TrimSuffix(cmp.Or(f.Path, f.Name), ".py"), "/__init__"), 1
		switch {
		case path != "" && (file == path || strings.HasSuffix(file, "/"+path)):
			rank = 3
		case path == "" && f == t.res.File:
			rank = 2
		}
		if several = rank == best || several && rank < best; rank < best {
			continue
		}
		text := f.Text()[at:]
		if end := nextAtTop.FindAllStringSubmatchIndex(text, 2); len(end) > 1 {
			text = text[:end[1][0]]
		}
		found, best = text, rank
	}
	if several && best == 1 {
		return ""
	}
	return found
}

// nextAtTop is the beginning of a line that is not indented and ends the text of a class.
var nextAtTop = lazyregexp.New(`(?m)^(?:class|def|async|@|if|[A-Za-z_]\w*\s*=)`)
