package trial

// This file gives parameters of constructors lists in the place of numbers, and lists of objects of the program in the place of
// lists of numbers.

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"

	srctext "shapecheck/discover/text"
	"shapecheck/infer/fill"
	"shapecheck/internal/diag"
	"shapecheck/internal/lazyregexp"
	"shapecheck/internal/source"
)

// makeList makes what the place of a fault names a list, where it is no list and is added to one.
func (r *remedies) makeList(t *trial, f diag.Fact) bool {
	d := t.first()
	if d == nil || f.Kind != diag.NotList {
		return false
	}
	for _, arg := range t.fill.made {
		name, v, _ := strings.Cut(arg, "=")
		if !slices.Contains(identifier.FindAllString(t.textAt(d), -1), name) || strings.HasPrefix(v, "[") || slices.Contains(r.joined, name) {
			continue
		}
		if !plainNumber.MatchString(v) {
			v = otherKinds[0]
		}
		r.joined = append(slices.Clone(r.joined), name)
		r.set(name, "["+v+", "+v+"]")
		return true
	}
	return false
}

// replacePart gives a part of an object or a dictionary that the constructor is given, which the place of a fault names, what is wanted in
// the place of a number: several, a function, or an object with an attribute.
func (r *remedies) replacePart(t *trial, f diag.Fact) bool {
	d := t.first()
	if d == nil {
		return false
	}
	words := identifier.FindAllString(t.textAt(d), -1)
	instead := ""
	switch {
	case f.Kind == diag.OneForMany && f.Of == "int", f.Kind == diag.NotList:
		instead = "[$2, $2]"
		if f.Kind == diag.NotList && f.Has == 1 { // the last operand is no list
			slices.Reverse(words)
		}
	case f.Kind == diag.NotCallable && f.Of == "int":
		instead = "lambda *given, **named: $2"
	case f.Kind == diag.LacksAttribute && f.Of == "int" && !t.calls(d):
		before, _, _ := strings.Cut(t.textAt(d), "."+f.Names[0])
		if words = identifier.FindAllString(before, -1); len(words) == 0 {
			return false
		}
		words = words[len(words)-1:]
		instead = objectMade(f.Names[0], partValue(f.Names[0]))
	default:
		return false
	}
	for _, arg := range t.fill.made {
		name, v, _ := strings.Cut(arg, "=")
		if !strings.HasPrefix(v, "{") && !strings.HasPrefix(v, "types."+namespaceClass+"(") && !strings.HasPrefix(v, anyModuleMade) ||
			len(v) > maxMade {
			continue
		}
		for _, w := range words {
			part, err := regexp.Compile(`((?:[(, ]` + w + `=)|(?:["']` + w + `["']: ))(\d+)\b`)
			if err != nil || !part.MatchString(v) {
				continue
			}
			r.set(name, part.ReplaceAllString(v, "${1}"+instead))
			return true
		}
	}
	return false
}

// makeModules makes the elements of a list of numbers modules, where they are called.
func (r *remedies) makeModules(t *trial, f diag.Fact) bool {
	d := t.first()
	if d == nil || f.Kind != diag.NotCallable || f.Of != "int" {
		return false
	}
	file := t.res.Files.File(d.At.Start)
	names := identifier.FindAllString(t.textAt(d), -1)
	if file == nil || len(names) == 0 {
		return false
	}
	one := names[0]
	over := loopedOver(file, d, one)
	for _, arg := range t.fill.made {
		if name, v, _ := strings.Cut(arg, "="); numbersMade.MatchString(v) && goesOver(name, one, over) {
			r.set(name, numberMade.ReplaceAllString(v, identityMade))
			return true
		}
	}
	return false
}

// makeDictionaries makes what is unpacked into keywords, or asked for what dictionaries have, a dictionary in the place of a number, and a
// list of them in the place of a list of numbers.
func (r *remedies) makeDictionaries(t *trial, f diag.Fact) bool {
	d := t.first()
	if d == nil || f.Of != "int" || !slices.Contains([]string{"keys", "items", "values", "get"}, f.Names[0]) {
		return false
	}
	for _, m := range dictUsed.FindAllStringSubmatch(t.textAt(d), -1) {
		for _, arg := range t.fill.made {
			name, v, _ := strings.Cut(arg, "=")
			if name != cmp.Or(m[1], m[2]) || !plainNumber.MatchString(v) && !numbersMade.MatchString(v) {
				continue
			}
			r.set(name, numberMade.ReplaceAllString(v, "{}"))
			return true
		}
	}
	return false
}

// dictUsed is a name that is unpacked into keywords, or of which a method of dictionaries is called.
var dictUsed = lazyregexp.New(`\*\*(?:self\.)?(\w+)|(\w+)\.(?:keys|items|values|get)\b`)

var plainNumber = lazyregexp.New(`^\d+$`)

// makeElements makes the elements of lists of numbers objects of a class of the package that has the attribute for want of which a run
// fails: of the lists over which the place of the fault goes, or whose names say that they are such lists.
func (r *remedies) makeElements(t *trial, f diag.Fact) bool {
	d := t.first()
	if d == nil {
		return false
	}
	key := f.Names[0]
	file := t.res.Files.File(d.At.Start)
	before, _, ok := strings.Cut(t.textAt(d), "."+key)
	names := identifier.FindAllString(before, -1)
	if file == nil || !ok || len(names) == 0 {
		return false
	}
	one := names[len(names)-1]
	over := loopedOver(file, d, one)
	found := false
	for _, arg := range t.fill.made {
		name, v, _ := strings.Cut(arg, "=")
		fits := f.Of == "int" && numbersMade.MatchString(v) && r.elements[name] == nil && goesOver(name, one, over)
		if !fits && !(len(r.elements[name]) > 0 && strings.Contains(v, f.Of+"(")) {
			continue
		}
		asked := append(slices.Clone(r.elements[name]), key)
		if slices.Contains(r.elements[name], key) || len(t.fill.holding(asked)) == 0 {
			continue
		}
		elements := map[string][]string{}
		maps.Copy(elements, r.elements)
		elements[name] = asked
		r.elements, found = elements, true
	}
	return found
}

// maxComprehended bounds the text between an element of a comprehension and its loop.
const maxComprehended = 200

// loopedOver is what the loop goes over, by its last name, whose element of this name stands at the place of a fault: that of the comprehension
// around it, else the last one before it; empty where there is none.
func loopedOver(file *source.File, d *diag.Diagnostic, one string) string {
	end := file.Offset(d.At.End)
	after := file.Text()[end:min(end+maxComprehended, len(file.Text()))]
	for i, depth := 0, 0; i < len(after) && depth > -2; i++ {
		switch after[i] {
		case '(', '[', '{':
			depth++
			continue
		case ')', ']', '}':
			depth--
		default:
			continue
		}
		if over := elementsOf(after[:i]+"\n", one); over != "" && depth < 0 {
			return over
		}
	}
	return elementsOf(file.Text()[:end]+"\n", one)
}

// elementsOf is what the last loop of a text over elements of this name goes over, by its last name; empty where there is none.
func elementsOf(text, one string) string {
	loop, err := regexp.Compile(`\bfor\s+(?:\w+\s*,\s*)?` + one + `\s+in\s+(?:enumerate\(|list\(|sorted\()?(?:\w+\.)*(\w+)`)
	if err != nil {
		return ""
	}
	all := loop.FindAllStringSubmatch(text, -1)
	if len(all) == 0 {
		return ""
	}
	return all[len(all)-1][1]
}

// goesOver reports whether a parameter's name is that of a list with elements of a name: features, or user_features, of fea.
func goesOver(param, one, over string) bool {
	if over != "" && (strings.HasSuffix(param, over) || strings.HasSuffix(over, param)) {
		return true
	}
	return len(one) >= minStem && slices.ContainsFunc(strings.Split(param, "_"),
		func(part string) bool { return strings.HasPrefix(part, one) })
}

// minStem is how many characters a name has that stands for a longer one.
const minStem = 3

// elementsFor is a list of an object of the first class with the attributes that was asked for of which one can be made; empty where
// there is none.
func (f *filler) elementsFor(c fill.Constructor, attrs []string) string {
	if len(attrs) == 0 || c.Instance == nil {
		return ""
	}
	for _, path := range f.holding(attrs) {
		if text := c.Instance(path); text != "" && f.choice.made.pairs {
			return "[" + text + ", " + strings.Replace(text, "='a'", "='b'", 1) + "]"
		} else if text != "" {
			return "[" + text + "]"
		}
	}
	return ""
}

// holding are classes of the package of the file, that itself included, which have all the attributes, by their full names.
func (p *prober) holding(attrs []string) []string {
	out := slices.Clone(p.around.Having(attrs))
	for _, name := range srctext.ClassesHolding(p.found.Source.Text(), attrs) {
		out = slices.Insert(out, 0, name)
	}
	return out
}
