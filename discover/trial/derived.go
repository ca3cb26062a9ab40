package trial

// This file finds classes of the package that make a base complete: a forward that calls what they define cannot run without.

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	srctext "shapecheck/discover/text"
	"shapecheck/internal/diag"
)

// maxDerived bounds the classes that are tried.
const maxDerived = 3

// isIncomplete reports whether a run failed for want of what classes that derive from it have: a method raises NotImplementedError, or
// the class itself lacks an attribute.
func (t *trial) isIncomplete(class string) bool {
	f := t.fact()
	return f.Kind == diag.NotImplemented || f.Kind == diag.LacksAttribute && f.Of == class
}

// derived are classes that derive from one of the file, by their full names, in the package of the file: those beside
// it first.
func (p *prober) derived(class string) []string {
	return p.classes(func(text string) []string { return srctext.Deriving(text, class) })
}

// defined are classes of a name in the package of the file.
func (p *prober) defined(class string) []string {
	return p.classes(func(text string) []string {
		if text = "\n" + text; strings.Contains(text, "\nclass "+class+":") || strings.Contains(text, "\nclass "+class+"(") {
			return []string{class}
		}
		return nil
	})
}

// classes are those that in says of the texts of the package of the file, by their full names.
func (p *prober) classes(in func(text string) []string) []string {
	var out []string
	p.around(func(top, path, text string) bool {
		if info, err := p.s.Gate(p.file).Stat(filepath.Join(top, "__init__.py")); err != nil || !info.Mode().IsRegular() {
			return false // no name leads from one file to the other
		}
		module := strings.TrimSuffix(path, ".py")
		if filepath.Base(module) == "__init__" {
			module = filepath.Dir(module)
		}
		rel, err := filepath.Rel(filepath.Dir(top), module)
		if err != nil {
			return true
		}
		for _, name := range in(text) {
			if len(out) < maxDerived {
				out = append(out, strings.ReplaceAll(filepath.ToSlash(rel), "/", ".")+"."+name)
			}
		}
		return len(out) < maxDerived
	})
	return out
}

// madeElsewhere reports whether a class or function may be called with other arguments than its defaults, which then may stand for
// nothing that runs.
func (p *prober) madeElsewhere(name string) bool {
	return p.calledElsewhere(name) || p.found.MayBeMadeOtherwise(name)
}

// calledElsewhere reports whether a file around the one that is tried calls a class or function with arguments.
func (p *prober) calledElsewhere(name string) bool {
	found := false
	call, err := regexp.Compile(`\b` + regexp.QuoteMeta(name) + `\(\s*[^)\s]`)
	if err != nil {
		return false
	}
	p.around(func(_, _, text string) bool {
		if !strings.Contains(text, name+"(") {
			return true
		}
		for rest := text; ; { // but for a class of that name
			at := call.FindStringIndex(rest)
			if at == nil {
				return true
			}
			line := rest[strings.LastIndexByte(rest[:at[0]], '\n')+1 : at[0]]
			if word := strings.TrimSpace(line); word != "class" && word != "def" {
				found = true
				return false
			}
			rest = rest[at[1]:]
		}
	})
	return found
}

// maxCallsAround bounds the calls of other files that are tried.
const maxCallsAround = 2

// callsAround are calls of a class or function in the files around the one that is tried, with arguments that are all literals.
func (p *prober) callsAround(name string) []string {
	call, err := regexp.Compile(`(?:^|[^\w.])((?:\w+\.)?` + regexp.QuoteMeta(name) + `)\(`)
	if err != nil {
		return nil
	}
	var out []string
	p.around(func(_, _, text string) bool {
		if !strings.Contains(text, name+"(") {
			return true
		}
		for _, at := range call.FindAllStringSubmatchIndex(text, -1) {
			line := text[strings.LastIndexByte(text[:at[2]], '\n')+1 : at[2]]
			args := srctext.LiteralArguments(text[at[1]:])
			if one := name + "(" + args + ")"; args != "" && !strings.ContainsAny(line, "#") && strings.TrimSpace(line) != "def" &&
				!slices.Contains(out, one) {
				out = append(out, one)
			}
			if len(out) == maxCallsAround {
				return false
			}
		}
		return true
	})
	return out
}

// around gives the files of the package of the one that is tried, those beside it and below first, until look is false; only those
// beside it where it is in no package. Top is the folder of the package.
func (p *prober) around(look func(top, path, text string) bool) {
	fsys := p.s.Gate(p.file)
	file, err := fsys.Abs(p.file)
	if err != nil {
		return
	}
	top := srctext.PackageAround(fsys, file)
	for _, n := range p.index.Around(fsys, file) {
		if n.Path != file && !look(top, n.Path, n.Text) {
			return
		}
	}
}
