package trial

// This file gives objects and dictionaries the parts that a failed run asks them for.

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	srctext "shapecheck/discover/text"
	"shapecheck/infer/fill"
	"shapecheck/internal/diag"
	"shapecheck/internal/lazyregexp"
)

// addAttribute makes an input an object with the attributes that its function takes of it, where a tensor lacks one of them or
// such an object lacks another.
func (r *remedies) addAttribute(t *trial, f diag.Fact) bool {
	d := t.first()
	if d == nil || !t.fill.called {
		return false
	}
	input, words := "", identifier.FindAllString(t.textAt(d), -1)
	if f.Of == namespaceClass {
		input = chooseArgument(t.fill.args, words, "types."+namespaceClass+"(")
	} else {
		whole, _ := tensorsGiven(t.fill.args, f.Of)
		for _, name := range whole {
			if len(whole) == 1 || slices.Contains(words, name) {
				input = name
			}
		}
	}
	ok := add(&r.fields, input, f.Names[0])
	for _, name := range t.fill.attributes[input] {
		add(&r.fields, input, name)
	}
	return ok
}

// namespaceClass is the class of objects that are made for a constructor or a call.
const namespaceClass = "SimpleNamespace"

// objectMade is the text of an object with one field, or with none where the field is one that every object has.
func objectMade(field, text string) string {
	if strings.HasPrefix(field, "__") {
		return "types." + namespaceClass + "()"
	}
	return "types." + namespaceClass + "(" + field + "=" + text + ")"
}

// chooseArgument is the argument that begins so: one that the words name, else the last; empty where there is none.
func chooseArgument(args, words []string, begin string) string {
	found := ""
	for _, a := range args {
		name, v, _ := strings.Cut(a, "=")
		if !strings.HasPrefix(v, begin) {
			continue
		}
		if found = name; slices.Contains(words, name) {
			break
		}
	}
	return found
}

// addPart adds to what the constructor is given the part for want of which it fails: a keyword, a key of a dictionary, an attribute of an
// object;
// of a number that stood for something of which nothing is told it makes such an object.
func (r *remedies) addPart(t *trial, f diag.Fact) bool {
	d := t.first()
	if d == nil {
		return false
	}
	key, words := f.Names[0], identifier.FindAllString(t.textAt(d), -1)
	if dictGiven(t.fill.args, words) != "" || chooseArgument(t.fill.args, words, "types."+namespaceClass+"(") != "" {
		return false // of an input
	}
	v := srctext.Usual(strings.ToLower(key), "")
	switch {
	case t.calls(d):
		v = "lambda *given, **named: 8"
	case v == "" || v == "None":
		v = partValue(key)
	case v == srctext.SomeText: // one of its own
		v = "'" + strings.ToLower(key) + "'"
	}
	name, open, part := "", "", ""
	switch {
	case f.Kind == diag.LacksKey && f.Of == "dict":
		if name = chooseArgument(t.fill.made, words, "{"); name == "" && t.fill.open && !slices.Contains(r.extra, key) {
			r.extra = append(slices.Clone(r.extra), key)
			return true
		}
		open, part = "{", "'"+key+"': "+v
		for _, other := range t.keysAlso(d, key) {
			v := srctext.Usual(strings.ToLower(other), "")
			if v != "" && v != "None" && v != srctext.SomeText && !strings.Contains(strings.Join(t.fill.made, " "), other) {
				part += ", '" + other + "': " + v
			}
		}
	case f.Kind == diag.LacksAttribute && f.Of == namespaceClass:
		open, part = "types."+namespaceClass+"(", key+"="+v
		for _, other := range t.asksAlso(d, key) {
			if v := srctext.Usual(strings.ToLower(other), ""); v != "" && v != "None" &&
				!strings.Contains(strings.Join(t.fill.made, " "), other+"=") {
				part += ", " + other + "=" + v
			}
		}
		name = chooseArgument(t.fill.made, words, open)
	case f.Kind == diag.LacksAttribute && f.Of == "int" && t.fill.untold != "" && slices.Contains(words, t.fill.untold):
		r.set(t.fill.untold, objectMade(key, v))
		return true
	}
	if name == "" {
		return false
	}
	for _, a := range t.fill.made {
		if of, text, _ := strings.Cut(a, "="); of == name && len(text) < maxMade {
			from, to := objectNamed(text, words)
			object := text[from:to]
			if !strings.HasPrefix(object, open) || slices.Contains(srctext.MadeFields(object), key) || strings.HasPrefix(object, "{'"+key+"': ") ||
				strings.HasPrefix(object, "{") && strings.Contains(object, ", '"+key+"': ") {
				return false // it has the part, and something else lacks it
			}
			if object != open+object[len(object)-1:] {
				part = ", " + part
			}
			r.set(name, text[:to-1]+part+text[to-1:])
			return true
		}
	}
	return false
}

// objectNamed is where in the text of an object the object lies that words name as a field, the innermost one; else the whole.
func objectNamed(text string, words []string) (from, to int) {
	from, to = 0, len(text)
	for _, m := range fieldsMade.FindAllStringSubmatchIndex(text, -1) {
		if slices.Contains(words, text[m[2]:m[3]]) {
			depth := 0
			for i := m[1]; i < len(text); i++ {
				switch text[i] {
				case '(', '[', '{':
					depth++
				case ')', ']', '}':
					depth--
				}
				if depth == 0 && text[i] == ')' {
					from, to = m[3]+1, i+1
					break
				}
			}
		}
	}
	return from, to
}

// fieldsMade are the names of the fields that are objects themselves, up to the brackets of these.
var fieldsMade = lazyregexp.New(`\b(\w+)=types\.SimpleNamespace`)

// maxAsked bounds the attributes that are given at once.
const maxAsked = 30

// keysAlso are the other keys by which the file of a fault takes parts of what it calls so.
func (t *trial) keysAlso(d *diag.Diagnostic, key string) []string {
	f := t.res.Files.File(d.At.Start)
	before, _, ok := strings.Cut(t.textAt(d), `["`+key)
	if !ok {
		before, _, ok = strings.Cut(t.textAt(d), "['"+key)
	}
	names := identifier.FindAllString(before, -1)
	if f == nil || !ok || len(names) == 0 {
		return nil
	}
	taken, err := regexp.Compile(`\b` + names[len(names)-1] + `\[["']([A-Za-z_]\w*)["']\]`)
	if err != nil {
		return nil
	}
	var out []string
	for _, m := range taken.FindAllStringSubmatch(f.Text(), -1) {
		if name := m[1]; name != key && len(out) < maxAsked && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// asksAlso are the other attributes that the file of a fault takes of what it calls so: they would be asked for one by one.
func (t *trial) asksAlso(d *diag.Diagnostic, key string) []string {
	f, text := t.res.Files.File(d.At.Start), t.textAt(d)
	before, _, ok := strings.Cut(text, "."+key)
	names := identifier.FindAllString(before, -1)
	if f == nil || !ok || len(names) == 0 || !strings.HasSuffix(before, names[len(names)-1]) {
		return nil
	}
	taken, err := regexp.Compile(`\b` + names[len(names)-1] + `\.([A-Za-z_]\w*)(\(?)`)
	if err != nil {
		return nil
	}
	var out []string
	for _, m := range taken.FindAllStringSubmatch(f.Text(), -1) {
		if name := m[1]; m[2] == "" && name != key && len(out) < maxAsked && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// maxMade bounds the text of an argument that grows.
const maxMade = 2000

// calls reports whether the program calls what a fault is about.
func (t *trial) calls(d *diag.Diagnostic) bool {
	text := t.textAt(d)
	if strings.HasSuffix(text, ")") {
		return true
	}
	f := t.res.Files.File(d.At.Start)
	return f != nil && strings.HasPrefix(f.Text()[f.Offset(d.At.End):], "(")
}

// spared are the parameters of a class whose instance was made that are None unless they are given.
type spared struct {
	class string
	names []string
}

func names(list []fill.Param) []string {
	out := make([]string, len(list))
	for i, p := range list {
		out[i] = p.Name
	}
	return out
}

// object are the arguments of the constructor of an input: tensors where it has them, or nothing tells more.
func (f *filler) object(c fill.Constructor, value func(fill.Param) string) ([]string, bool) {
	beside := slices.Concat(names(c.Needed), names(c.Spare))
	var out []string
	for _, p := range c.Needed {
		v := p.Made
		if v == "" && !srctext.IsTensor(p.Annotation) {
			v = value(p)
		}
		if v == "" && (p.Annotation == "" || srctext.IsTensor(p.Annotation)) {
			v = f.partOf(p.Name, beside)
		}
		if v == "" {
			v = srctext.Anything(srctext.Plain(p.Annotation))
		}
		if v == "" {
			return nil, false
		}
		out = append(out, p.Name+"="+v)
	}
	for _, p := range c.Spare {
		if srctext.IsTensor(p.Annotation) {
			out = append(out, p.Name+"="+f.partOf(p.Name, beside))
		}
	}
	f.openObject = f.openObject || c.Open
	if c.Open {
		for _, name := range f.choice.made.members {
			if !slices.Contains(beside, name) {
				out = append(out, name+"="+srctext.Part(name, f.form, beside))
			}
		}
	}
	return out, true
}

// partOf is a tensor that an object of the program is made of; beside are the names of all of them. A mask says of each place whether it
// counts: of the rows of a sequence where nothing lies beside it.
func (f *filler) partOf(name string, beside []string) string {
	v := srctext.Part(name, f.form, beside)
	switch {
	case !srctext.IsMask(name) || v != string(f.form):
		return v
	case len(beside) > 1 && f.form.Rank() == 4:
		return "bool[B,H,W]"
	}
	return "bool[B,T]"
}

// attributeAsked is what an error of the program says of an attribute that an object has not.
var attributeAsked = lazyregexp.New(`has no attribute '([A-Za-z]\w*)'`)

// addMember gives an input that is an object of the program one more part, where its constructor takes parts of any name and the
// run fails for want of one.
func (r *remedies) addMember(t *trial, f diag.Fact) bool {
	name := ""
	if f.Kind == diag.LacksAttribute {
		name = f.Names[0]
	} else if m := attributeAsked.FindStringSubmatch(t.raised()); m != nil {
		name = m[1]
	}
	if name == "" || strings.HasPrefix(name, "_") || !t.fill.openObject || !t.fill.called || slices.Contains(r.members, name) {
		return false
	}
	r.members = append(slices.Clone(r.members), name)
	return true
}

// spare is a value for a parameter that is None unless it is given.
func (f *filler) spare(p fill.Param, value func(fill.Param) string) string {
	v := value(p)
	if (v == "" || v == "None") && p.Make != nil {
		v = p.Make()
	}
	if v == "" || v == "None" {
		one := p
		one.Annotation = srctext.Present(p.Annotation)
		if v = value(one); v == "" {
			v = srctext.Anything(srctext.Plain(one.Annotation))
		}
	}
	if v == "None" {
		return ""
	}
	return v
}

// giveOptional gives a parameter that may be left out of a class whose instance is made, where the program refuses to make it without, or
// does something with None, and the message or the place names the parameter.
func (r *remedies) giveOptional(t *trial, f diag.Fact) bool {
	text := t.raised()
	d := t.first()
	if d == nil || d.Code != diag.UncaughtRaise && !f.AboutNone() {
		return false
	}
	if !t.inConstructor(d) && d.Code == diag.UncaughtRaise {
		return r.giveQuoted(t, text)
	}
	cond, _ := t.guard(d)
	places := [][]string{identifier.FindAllString(text, -1), identifier.FindAllString(t.textAt(d), -1), identifier.FindAllString(cond, -1)}
	if f.AboutNone() { // perhaps under another name, which a call gave it
		for _, called := range d.Related {
			if file := t.res.Files.File(called.At.Start); called.Call && file != nil {
				places = append(places, identifier.FindAllString(file.Slice(called.At), -1))
			}
		}
	}
	for _, words := range places {
		for _, k := range t.fill.spares {
			for _, name := range k.names {
				if slices.Contains(words, name) && add(&r.spares, k.class, name) {
					return true
				}
			}
		}
	}
	return false
}

// giveQuoted gives all the parameters that may be left out and that a call refuses to run without, where the message says so: construct
// it with `encoder=...`.
func (r *remedies) giveQuoted(t *trial, text string) bool {
	more := false
	for _, m := range argumentQuoted.FindAllStringSubmatch(text, -1) {
		for _, k := range t.fill.spares {
			if slices.Contains(k.names, m[1]) && add(&r.spares, k.class, m[1]) {
				more = true
			}
		}
	}
	return more
}

var argumentQuoted = lazyregexp.New("[`'\"(](?:self\\.)?([A-Za-z_]\\w*)(?:=[^`'\"]*)?[`'\")]")

// partValue is a value for a part that a run asks for.
func partValue(name string) string {
	v := srctext.Usual(strings.ToLower(name), "")
	switch {
	case v != "" && v != "None":
		return v
	case srctext.IsFlag(name):
		return "False"
	}
	return "8"
}

// addModuleAttribute gives the module that stands for one of which nothing is told an attribute for want of which the run fails.
func (r *remedies) addModuleAttribute(t *trial, f diag.Fact) bool {
	d := t.first()
	if d == nil || f.Of != "Identity" && f.Of != "AnyModule" {
		return false
	}
	name, key, words := "", f.Names[0], identifier.FindAllString(t.textAt(d), -1)
	for _, a := range t.fill.made {
		of, v, _ := strings.Cut(a, "=")
		if v != identityMade && !strings.HasPrefix(v, anyModuleMade) {
			continue
		}
		if name = of; slices.Contains(words, of) {
			break
		}
	}
	if name == "" {
		return false
	}
	now := r.instead[name]
	if !strings.HasPrefix(now, anyModuleMade) {
		now = srctext.AnyModule
	}
	if strings.Contains(now, "'"+key+"':") || len(now) > maxMade {
		return false
	}
	v := partValue(strings.TrimPrefix(key, "get_"))
	switch part := t.partAfter(d); {
	case t.calls(d):
		v = "lambda self, *given, **named: " + v
	case part != "":
		v = objectMade(part, partValue(part))
	}
	r.set(name, strings.TrimSuffix(now, "})()")+", '"+key+"': "+v+"})()")
	return true
}

// anyModuleMade is the beginning of srctext.AnyModule.
const anyModuleMade = "type('AnyModule'"

// partAfter is the attribute that the program takes of what it asks for at a fault; empty where it takes none, or calls it.
func (t *trial) partAfter(d *diag.Diagnostic) string {
	f := t.res.Files.File(d.At.Start)
	if f == nil {
		return ""
	}
	m := partTaken.FindStringSubmatch(f.Text()[f.Offset(d.At.End):])
	if m == nil || m[2] != "" {
		return ""
	}
	return m[1]
}

var partTaken = lazyregexp.New(`^\.([A-Za-z_]\w*)(\(?)`)

// moreElements is how many tensors a list has that had too few.
const moreElements = 4

// makeSequence makes an input a list of tensors, where the call goes over it or takes its last element, or a longer list.
func (r *remedies) makeSequence(t *trial, _ diag.Fact) bool {
	if t.first() == nil && t.lost == nil || !t.fill.called {
		return false
	}
	for _, a := range t.fill.args {
		name := a[:strings.IndexAny(a+":", ":=")]
		n := t.fill.sequences[name]
		if now := r.lists[name]; n == 0 || now >= moreElements || now == 0 && !strings.HasPrefix(a, name+":f32[") {
			continue
		} else if now > 0 {
			n = moreElements
		}
		lists := map[string]int{}
		maps.Copy(lists, r.lists)
		lists[name] = n
		r.lists = lists
		return true
	}
	return false
}
