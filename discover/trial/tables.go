package trial

// This file gives constructors what the tables, the lists and the settings of the program want.

import (
	"regexp"
	"slices"
	"strings"

	srctext "shapecheck/discover/text"
	"shapecheck/infer/ops"
	"shapecheck/infer/ops/catalog"
	"shapecheck/internal/diag"
	"shapecheck/internal/lazyregexp"
)

// chooseKey gives a parameter of the constructor by which a table has nothing the first key of the table.
func (r *remedies) chooseKey(t *trial, f diag.Fact) bool {
	d := t.first()
	if d == nil || slices.ContainsFunc(slices.Concat(t.fill.args, t.fill.made), func(a string) bool {
		return strings.Contains(a, `{"`+f.Keys[0]+`"`) || strings.Contains(a, `{'`+f.Keys[0]+`'`)
	}) { // or it is no table of the program, but what was made here
		return false
	}
	for _, text := range t.textsOf(d) {
		words := identifier.FindAllString(text, -1)
		for _, arg := range t.fill.made {
			name, v, _ := strings.Cut(arg, "=")
			if !slices.Contains(words, name) || !plainNumber.MatchString(v) && !strings.HasPrefix(v, "'") || slices.Contains(r.tried, name+" by key") {
				continue
			}
			r.tried = append(slices.Clone(r.tried), name+" by key")
			r.set(name, "'"+f.Keys[0]+"'")
			return true
		}
	}
	return false
}

// textsOf are the texts of the program at a fault and at the calls that lead to it, from the inside.
func (t *trial) textsOf(d *diag.Diagnostic) []string {
	out := []string{t.textAt(d)}
	for _, called := range d.Related {
		if f := t.res.Files.File(called.At.Start); called.Call && f != nil {
			out = append(out, f.Slice(called.At))
		}
	}
	return out
}

// pairElements makes two objects of the one of lists of objects of the program, where nothing is there to be joined.
func (r *remedies) pairElements(t *trial, _ diag.Fact) bool {
	if r.pairs || len(r.elements) == 0 || !t.fill.called {
		return false
	}
	r.pairs = true
	return true
}

// makeTensor makes a parameter of the constructor a tensor that is a number or an empty list, where it is asked for what tensors have: one that
// the place or the calls that lead there name, first of those that the text calls tensors.
func (r *remedies) makeTensor(t *trial, f diag.Fact) bool {
	d := t.first()
	if d == nil || f.Of != "int" && f.Of != "list" || !isOfTensors(f.Names[0]) {
		return false
	}
	said := t.fill.file.Matrices(t.fill.class)
	for _, text := range t.textsOf(d) {
		words := identifier.FindAllString(text, -1)
		for _, name := range said { // which may have a list as its default
			if slices.Contains(words, name) && r.instead[name] == "" {
				r.extra = append(slices.Clone(r.extra), name)
				r.set(name, srctext.TensorKinds()[1])
				return true
			}
		}
		for _, arg := range t.fill.made {
			name, v, _ := strings.Cut(arg, "=")
			if slices.Contains(words, name) && (plainNumber.MatchString(v) || v == "[]") && r.instead[name] == "" && srctext.Usual(name, "") == "" {
				r.set(name, srctext.TensorKinds()[1])
				return true
			}
		}
	}
	return false
}

// isOfTensors reports whether an attribute is one of tensors.
func isOfTensors(name string) bool {
	if slices.Contains([]string{"shape", "dtype", "ndim", "T"}, name) {
		return true
	}
	_, ok := catalog.Lookup(ops.Torch.Method(name))
	return ok
}

// giveFields gives settings that were made with their own defaults the usual numbers for those of their fields that the place of a fault
// takes, where the constructor fails: Config(dim=64).
func (r *remedies) giveFields(t *trial, _ diag.Fact) bool {
	d := t.first()
	if d == nil || !t.inConstructor(d) {
		return false
	}
	for _, arg := range t.fill.made {
		name, v, _ := strings.Cut(arg, "=")
		if !ownDefaults.MatchString(v) || !srctext.IsSettings(strings.TrimSuffix(v, "()")) || r.instead[name] != "" {
			continue
		}
		field, err := regexp.Compile(`\b` + name + `\.(\w+)`)
		if err != nil {
			continue
		}
		var fields []string
		for _, text := range t.textsOf(d) {
			for _, m := range field.FindAllStringSubmatch(text, -1) {
				usual := srctext.Usual(m[1], "")
				if one := m[1] + "=" + usual; plainNumber.MatchString(usual) && !slices.Contains(fields, one) {
					fields = append(fields, one)
				}
			}
		}
		if len(fields) > 0 {
			r.set(name, strings.TrimSuffix(v, ")")+strings.Join(fields, ", ")+")")
			return true
		}
	}
	return false
}

// ownDefaults is an instance of a class of the program that was given nothing.
var ownDefaults = lazyregexp.New(`^(?:\w+\.)*[A-Z]\w*\(\)$`)

// makeSpaces gives the first parameter that is a space of observations one of several spaces by name, where the run asks it for its parts.
func (r *remedies) makeSpaces(t *trial, _ diag.Fact) bool {
	if d := t.first(); d == nil || d.Code != diag.UnknownAttribute || !partsAsked.MatchString(t.textAt(d)) {
		return false
	}
	for _, arg := range t.fill.made {
		name, v, _ := strings.Cut(arg, "=")
		library, _, _ := strings.Cut(v, ".")
		if slices.Contains(srctext.Spaces(library), v) && !strings.Contains(name, "act") && !slices.Contains(r.spaces, arg) {
			r.spaces = append(slices.Clone(r.spaces), arg)
			r.set(name, srctext.DictSpace(library))
			return true
		}
	}
	return false
}

// partsAsked is what asks a space for its parts.
var partsAsked = lazyregexp.New(`\.spaces\b`)
