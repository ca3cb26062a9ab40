package trial

// This file learns from a run that failed what its arguments should have been.

import (
	"cmp"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"

	"shapecheck/check"
	srctext "shapecheck/discover/text"
	"shapecheck/infer"
	"shapecheck/infer/fill"
	"shapecheck/internal/diag"
	"shapecheck/internal/lazyregexp"
	"shapecheck/internal/source"
)

// remedies are arguments of a constructor beside those that it needs, or instead of their usual values.
type remedies struct {
	// extra are keywords of a class to which the constructor hands all that it takes.
	extra []string
	// spare says that what is None by default is given, too.
	spare bool
	// instead are values by the name of a parameter.
	instead map[string]string
	// keys are those by which parts of an input are taken, by its name; parts are those of the parts.
	keys, parts map[string][]string
	// several are inputs that are lists of such parts.
	several []string
	// lists are how many tensors an input holds that is a list of them, by its name.
	lists map[string]int
	// fields are the attributes of an input that is an object, by its name.
	fields map[string][]string
	// masks says that inputs that are masks or states are given, too.
	masks bool
	// spaces are the arguments that were other spaces.
	spaces []string
	// apart says that tensors of the call share no size but that of their first axis.
	apart bool
	// spares are parameters that may be left out and are given, by the class of which an instance is made.
	spares map[string][]string
	// members are parts of inputs that are objects of the program, beside those that their constructors name.
	members []string
	// plain says that inputs that are objects of the program are given as if nothing were known of their class.
	plain bool
	// elements are the attributes of the objects that lists hold, by the parameter; joined are what was made a list as it is added to one.
	elements map[string][]string
	joined   []string
	// pairs says that lists of objects have two.
	pairs bool
	// tried are the arguments that conditions of the program asked for.
	tried []string
	// inputs are keywords of a call that hands on all that it takes, and inputs that it may leave out.
	inputs []string
	// rows are the rows of remedyTable that were applied, by name.
	rows []string
}

// more are the arguments of a constructor beside those that it needs.
func (r remedies) more(c fill.Constructor) []string {
	var out []string
	give := func(name, value string) {
		if value != "" && value != "None" {
			out = append(out, name+"="+value)
		}
	}
	for _, name := range r.extra {
		if !slices.ContainsFunc(c.Needed, func(p fill.Param) bool { return p.Name == name }) {
			_, plain, _ := strings.Cut(name, "_") // with the prefix of a part
			give(name, cmp.Or(r.instead[name], srctext.Usual(name, ""), srctext.Usual(plain, ""), srctext.Anything("")))
		}
	}
	if r.spare {
		for _, p := range c.Spare {
			if slices.Contains(r.extra, p.Name) || slices.Contains(r.spares[c.Class], p.Name) {
				continue
			}
			v := cmp.Or(r.instead[p.Name], srctext.Usual(p.Name, p.Annotation))
			if (v == "" || v == "None") && p.Make != nil {
				v = p.Make()
			}
			give(p.Name, v)
		}
	}
	return out
}

// maxRemedies bounds the remedies of an entry.
const maxRemedies = 24

var (
	channelsIn  = lazyregexp.New(`^((n|num|nb)_)?(in|inp|input|cin|img|image|nin)(_|$)|_in$|^(in|inp)(planes|channels?|ch)$`)
	channelsOut = lazyregexp.New(`^((n|num|nb)_)?(out|oup|output|cout|nout)(_|$)|_out$|^out(planes|channels?|ch)$`)
)

// A remedy is one answer to what a run failed with.
type remedy struct {
	// name is what tests call it.
	name string
	// fact says which facts it answers; nil: it looks at what the run says and where, whatever the fact is.
	fact func(diag.Fact) bool
	// try changes the remedies of the next run, and reports whether it did.
	try func(r *remedies, t *trial, f diag.Fact) bool
	// why says what speaks for it, and for its place in the order.
	why string
}

// kinds accepts facts of some kinds.
func kinds(list ...diag.FactKind) func(diag.Fact) bool {
	return func(f diag.Fact) bool { return slices.Contains(list, f.Kind) }
}

// remedyTable are all remedies, in the order in which they are tried: first what a fault says by itself, with the name of the argument;
// then what the text of the program at its place tells; at last values that nothing asks for.
var remedyTable = []remedy{
	{"keywords", kinds(diag.LacksArguments), (*remedies).addKeywords, "the fault names the arguments, and the callee hands on all keywords"},
	{"channels of input", kinds(diag.UnfitSize), (*remedies).fitChannels,
		"the layer names the size that it wants, an argument the one that there is"},
	{"equal sizes", kinds(diag.UnequalSizes), (*remedies).equalSizes,
		"one of two sizes is an argument's; that of outputs goes first, for inputs are the caller's"},
	{"part of an object", nil, (*remedies).replacePart, "the place names a part of what was made; before the argument as a whole is replaced"},
	{"list to add to", nil, (*remedies).makeList, "the message says that a list was wanted"},
	{"modules in a list", nil, (*remedies).makeModules, "numbers are called in a loop over a list"},
	{"dictionary", kinds(diag.LacksAttribute), (*remedies).makeDictionaries,
		"only dictionaries have the attribute; before objects, which may have any"},
	{"objects in a list", kinds(diag.LacksAttribute), (*remedies).makeElements, "a class of the program has the attribute"},
	{"key of a table", func(f diag.Fact) bool { return len(f.Keys) > 0 }, (*remedies).chooseKey,
		"the place names the argument, and the table has keys; before what was made here, which is no table"},
	{"more parts", kinds(diag.LacksKey, diag.LacksAttribute), (*remedies).addPart, "the object was made here and may have any part"},
	{"two objects in a list", kinds(diag.EmptyList), (*remedies).pairElements, "a list of one object has no two to join"},
	{"tensor for another kind", kinds(diag.LacksAttribute), (*remedies).makeTensor, "tensors alone have the attribute, or the text says that it is one"},
	{"several numbers", kinds(diag.OneForMany), (*remedies).repeatNumber, "the place names an argument that is a number"},
	{"as many numbers", kinds(diag.WrongRank), (*remedies).countNumbers, "an argument is a list of just the numbers that are unpacked"},
	{"keys of an input", kinds(diag.LacksKey), (*remedies).addKey, "the input is taken apart by keys"},
	{"attributes of an input", kinds(diag.LacksAttribute), (*remedies).addAttribute, "the input is no tensor, but an object that has them"},
	{"masks", diag.Fact.AboutNone, (*remedies).giveMasks, "a mask or a state that was left out is used"},
	{"optional input", nil, (*remedies).giveInput, "the program says that it must be given, or does something with None"},
	{"listed text", nil, (*remedies).chooseText, "the message lists what is taken"},
	{"condition", nil, (*remedies).satisfyCondition,
		"the condition around the raise says what is taken; after the message, which is meant to be read"},
	{"numbers apart", nil, (*remedies).partNumbers, "the program takes one number from an equal one, so that nothing is left"},
	{"flag of an argument", nil, (*remedies).turnOnFlag,
		"the condition asks an argument for an attribute that a flag of its class sets; before what is None, which says less"},
	{"optional argument", nil, (*remedies).giveOptional, "the message or the place names an argument that was left out"},
	{"member", nil, (*remedies).addMember, "the constructor of an input takes parts of any name"},
	{"module of several inputs", nil, (*remedies).replaceIdentity, "the module that stands for one takes one input"},
	{"sizes of their own", nil, (*remedies).separateSizes, "nothing says that tensors share sizes but the first"},
	{"space of several", nil, (*remedies).makeSpaces, "the run asks a space for its parts, which only one of several has"},
	{"space of the place", nil, (*remedies).replaceNamedSpace, "the place or the message names a space, or a kind of space"},
	{"all optional arguments", nil, (*remedies).giveAllOptional,
		"the constructor failed, and has arguments that are None; nothing names which"},
	{"attribute of a module", kinds(diag.LacksAttribute), (*remedies).addModuleAttribute, "the module that stands for one may have any"},
	{"another space", nil, (*remedies).replaceSpace, "the constructor fails with one kind of space; before modules, which are none"},
	{"fields of settings", nil, (*remedies).giveFields, "settings of their own defaults do not fit; before a module, which has no fields"},
	{"module for an instance", nil, (*remedies).replaceInstance, "the constructor of another file fails: what it makes may be any module"},
	{"value of another kind", nil, (*remedies).replaceKind, "nothing told what the argument is, and the constructor fails"},
	{"another tensor", nil, (*remedies).replaceTensor, "the constructor takes a tensor, whose sizes do not fit"},
	{"list of tensors", nil, (*remedies).makeSequence, "the call goes over the input; late, for a tensor is gone over as well"},
	{"plain objects", nil, (*remedies).makePlain, "an input was made an object of the class that its annotation names, in vain"},
}

// remedied are remedies for what a run failed with; ok is false where there is none that is not made already.
func (t *trial) remedied() (r remedies, ok bool) {
	r = t.fill.choice.made
	f := t.fact()
	for _, row := range remedyTable {
		if (row.fact == nil || row.fact(f)) && row.try(&r, t, f) {
			r.rows = append(slices.Clone(r.rows), row.name)
			return r, true
		}
	}
	return r, false
}

// addKeywords gives arguments that a call lacks to the callee that hands on all keywords: the constructor, or the entry itself.
func (r *remedies) addKeywords(t *trial, f diag.Fact) bool {
	var to *[]string
	switch init := strings.HasSuffix(f.Of, "__init__"); {
	case init && t.fill.open:
		to = &r.extra
	case !init && t.fill.named:
		to = &r.inputs
	}
	added := false
	for _, name := range f.Names {
		if to != nil && !slices.Contains(*to, name) {
			*to, added = append(slices.Clone(*to), name), true
		}
	}
	return added || to == &r.extra && r.addPrefixed(t, f.Names)
}

// fitChannels gives an argument that is named like the channels of an input the size that a layer wants.
func (r *remedies) fitChannels(t *trial, f diag.Fact) bool {
	return r.replaceNumber(t.fill.made, channelsIn, f.Wants, f.Has)
}

// equalSizes gives an argument that has one of two sizes the other one.
func (r *remedies) equalSizes(t *trial, f diag.Fact) bool {
	for _, name := range []*lazyregexp.Regexp{channelsOut, channelsIn} {
		if r.replaceNumber(t.fill.made, name, f.Has, f.Wants) || r.replaceNumber(t.fill.made, name, f.Wants, f.Has) {
			return true
		}
	}
	return r.replaceOnly(t.fill.made, f.Has, f.Wants) || r.replaceOnly(t.fill.made, f.Wants, f.Has) ||
		r.scaleInput(t.fill.made, max(f.Has, f.Wants), min(f.Has, f.Wants))
}

// maxScale bounds by how much an argument is multiplied.
const maxScale = 16

// scaleInput multiplies an argument that is named like the channels of an input by how many times the larger of two sizes is the smaller one,
// neither of which is an argument's.
func (r *remedies) scaleInput(made []string, large, small int64) bool {
	if small < 1 || large%small != 0 || large/small > maxScale {
		return false
	}
	for _, arg := range made {
		name, v, _ := strings.Cut(arg, "=")
		if n, err := strconv.ParseInt(v, 10, 32); err == nil && channelsIn.MatchString(name) && r.instead[name] == "" {
			r.set(name, strconv.FormatInt(n*(large/small), 10))
			return true
		}
	}
	return false
}

// partNumbers doubles an argument of the constructor from which the class takes another one that has the same number.
func (r *remedies) partNumbers(t *trial, _ diag.Fact) bool {
	if t.err != nil {
		return false
	}
	number := map[string]int{}
	for _, m := range madeNumber.FindAllStringSubmatch(strings.Join(t.fill.made, ", "), -1) {
		if n, err := strconv.Atoi(m[2]); err == nil && r.instead[m[1]] == "" {
			number[m[1]] = n
		}
	}
	if len(number) < 2 {
		return false
	}
	for _, m := range difference.FindAllStringSubmatch(srctext.ClassText(t.fill.file.Source.Text(), t.fill.class), -1) {
		if n := number[m[1]]; n > 0 && m[1] != m[2] && n == number[m[2]] {
			r.set(m[1], strconv.Itoa(2*n))
			return true
		}
	}
	return false
}

// difference is what takes one name from another.
var difference = lazyregexp.New(`(?:^|[^\w.])(\w+) ?- ?(\w+)\b`)

// giveAllOptional gives all arguments of the constructor that are None by default, where it fails.
func (r *remedies) giveAllOptional(t *trial, _ diag.Fact) bool {
	if t.fill.called || !t.fill.spared || r.spare {
		return false
	}
	r.spare = true
	return true
}

// makePlain gives inputs that were objects of the program as if nothing were known of their class.
func (r *remedies) makePlain(t *trial, _ diag.Fact) bool {
	if !t.fill.objects || r.plain {
		return false
	}
	r.plain = true
	return true
}

// replaceNumber has another number given to the first argument of a name that has the number had.
func (r *remedies) replaceNumber(made []string, named *lazyregexp.Regexp, had, asked int64) bool {
	for _, arg := range made {
		if name, v, _ := strings.Cut(arg, "="); v == strconv.FormatInt(had, 10) && named.MatchString(name) && r.instead[name] == "" {
			r.set(name, strconv.FormatInt(asked, 10))
			return true
		}
	}
	return false
}

// replaceOnly has another number given to the only argument that has the number had, whatever its name.
func (r *remedies) replaceOnly(made []string, had, asked int64) bool {
	found := ""
	for _, arg := range made {
		if name, v, _ := strings.Cut(arg, "="); v == strconv.FormatInt(had, 10) {
			if found != "" {
				return false
			}
			found = name
		}
	}
	if found == "" || r.instead[found] != "" {
		return false
	}
	r.set(found, strconv.FormatInt(asked, 10))
	return true
}

// addPrefixed gives a class that hands keywords on to several parts, to each those of its prefix, those that a part lacks, with all the
// prefixes
// that stand in the file: groupby_prefix("enc_", kwargs).
func (r *remedies) addPrefixed(t *trial, names []string) bool {
	found := false
	for _, m := range prefixes.FindAllStringSubmatch(t.fill.file.Source.Text(), -1) {
		for _, name := range names {
			if with := m[1] + name; slices.Contains(r.extra, name) && !slices.Contains(r.extra, with) {
				r.extra, found = append(slices.Clone(r.extra), with), true
			}
		}
	}
	if found {
		r.extra = slices.DeleteFunc(r.extra, func(name string) bool { return slices.Contains(names, name) })
	}
	return found
}

var prefixes = lazyregexp.New(`[(,=]\s*["']([a-z]+_)["']`)

var (
	identifier  = lazyregexp.New(`[A-Za-z_]\w*`)
	madeNumber  = lazyregexp.New(`\b(\w+)=(\d+)\b`)
	numberMade  = lazyregexp.New(`\d+`)
	numbersMade = lazyregexp.New(`^\[\d+(, \d+)*\]$`)
	madeByName  = lazyregexp.New(`^(\w+)=(?:\w+\.)*[A-Z]\w*\(`)
	defined     = lazyregexp.New(`^[ \t]*def (\w+)`)
)

// repeatNumber gives a parameter of the constructor several numbers instead of one, where the place of the fault names it.
func (r *remedies) repeatNumber(t *trial, f diag.Fact) bool {
	d := t.first()
	if d == nil || f.Of != "int" {
		return false
	}
	names := identifier.FindAllString(t.textAt(d), -1)
	named := func(name string) bool { return slices.Contains(names, name) }
	ends := func(name string) bool {
		return slices.ContainsFunc(names, func(n string) bool { return strings.HasSuffix(name, "_"+n) })
	}
	for _, is := range []func(string) bool{named, ends} { // where it is handed on, perhaps by its last word
		for _, m := range madeNumber.FindAllStringSubmatch(strings.Join(t.fill.made, ", "), -1) {
			if is(m[1]) && r.instead[m[1]] == "" {
				r.set(m[1], "["+m[2]+", "+m[2]+"]")
				return true
			}
		}
	}
	for _, arg := range t.fill.made { // of elements that are taken from
		if name, v, _ := strings.Cut(arg, "="); slices.Contains(names, name) && numbersMade.MatchString(v) {
			r.set(name, "["+v+", "+v+"]")
			return true
		}
	}
	return false
}

// countNumbers gives a list of numbers as many as the program unpacks, where one argument alone is what was unpacked.
func (r *remedies) countNumbers(t *trial, f diag.Fact) bool {
	found, number := "", ""
	for _, arg := range t.fill.made {
		name, v, _ := strings.Cut(arg, "=")
		if !numbersMade.MatchString(v) || strings.ReplaceAll(v, " ", "") != strings.ReplaceAll(f.Of, " ", "") {
			continue
		}
		if found != "" {
			return false
		}
		found, number = name, strings.Trim(strings.SplitN(v, ",", 2)[0], "[]")
	}
	if found == "" || f.Wants < 1 || f.Wants > maxUnpacked {
		return false
	}
	r.set(found, "["+strings.Repeat(number+", ", int(f.Wants)-1)+number+"]")
	return true
}

// maxUnpacked bounds the numbers of a list that an argument is given because so many are unpacked.
const maxUnpacked = 8

// giveInput gives an input that may be left out, where the program says that it must not, or the fault is about None and
// the place names it; it may be handed on under another name, so that the only one is meant in any case.
func (r *remedies) giveInput(t *trial, f diag.Fact) bool {
	text := t.raised()
	d := t.first()
	if d == nil || !t.fill.called || !f.AboutNone() && !(d.Code == diag.UncaughtRaise && needed.MatchString(text)) {
		return false
	}
	for _, name := range f.LeftOut {
		if !slices.Contains(r.inputs, name) && slices.ContainsFunc(t.fill.others, func(p fill.Param) bool { return p.Name == name }) {
			r.inputs = append(slices.Clone(r.inputs), name)
			return true
		}
	}
	words := identifier.FindAllString(text+" "+t.textAt(d), -1)
	for _, p := range t.fill.others {
		if (slices.Contains(words, p.Name) || len(t.fill.others) == 1) && !slices.Contains(r.inputs, p.Name) {
			r.inputs = append(slices.Clone(r.inputs), p.Name)
			return true
		}
	}
	return false
}

// needed is what a program says of an argument that may not be left out.
var needed = lazyregexp.New(`(?i)\b(required?|requires|must|need(s|ed)?|provide|specify|missing|expect(s|ed)?|cannot be)\b`)

// chooseText gives a parameter the first of the texts that a message lists in the place of the value that it names, or of a
// text for the parameter that it names.
func (r *remedies) chooseText(t *trial, _ diag.Fact) bool {
	text := t.raised()
	if d := t.first(); d == nil || d.Code != diag.UncaughtRaise {
		return false
	}
	m := textsListed.FindStringSubmatch(text)
	for _, words := range []*lazyregexp.Regexp{wordsListed, eitherWord} {
		if m == nil {
			m = words.FindStringSubmatch(text)
		}
	}
	if m == nil {
		return false
	}
	for _, arg := range t.fill.made {
		name, v, _ := strings.Cut(arg, "=")
		if one := strings.TrimSuffix(name, "s"); one != name && numbersMade.MatchString(v) &&
			slices.Contains(identifier.FindAllString(text, -1), one) {
			r.set(name, numberMade.ReplaceAllString(v, "'"+m[1]+"'"))
			return true
		}
		told := strings.Trim(strings.TrimPrefix(v, "torch.nn."), `"'`)
		if len(told) <= 1 {
			told = v // with its quotes: a letter is everywhere
		}
		if !strings.Contains(text, told) && !slices.Contains(identifier.FindAllString(text, -1), name) {
			continue
		}
		if quote := "'" + m[1] + "'"; v != quote && r.instead[name] == "" {
			r.set(name, quote)
			return true
		}
	}
	return false
}

// textsListed is the first of several texts that a message lists: 'a' is not in ['relu', 'gelu'], one of "relu" and "gelu".
var textsListed = lazyregexp.New(
	"(?i)(?:\\b(?:in|of|from|are|be|among|either|expected|supported?|support|options?|choices?|modes?|values?|got)\\b:?|:) *[\\[({]?[`'\"]([\\w.+-]+)[`'\"](?: *, *| *\\| *|,? +(?:or|and) )[`'\"]")

// wordsListed is the first of several words that a message lists without quotes: supported: tanh, relu.
var wordsListed = lazyregexp.New(
	`(?i)\b(?:in|of|from|are|either|supported|allowed|available|valid|options?|choices?|modes?|values?): *[\[({]?([a-z_]\w*)(?:, *[a-z_]\w*)+`)

// eitherWord is the first of two words of which a message asks for one: must be classification or regression.
var eitherWord = lazyregexp.New(`\b(?:must|should|has to|needs to|can only|may only) be (?:either )?([a-z_]\w*) or [a-z_]\w*$`)

// replaceIdentity puts in the place of modules that give back their input some that take more than that, where they are called so.
func (r *remedies) replaceIdentity(t *trial, f diag.Fact) bool {
	takesOne := f.Kind == diag.TakesLess && (len(f.Names) > 0 || f.Wants == 2) || f.Kind == diag.LacksArguments &&
		slices.Equal(f.Names, []string{"input"})
	if f.Of != "forward" || !takesOne {
		return false
	}
	for _, arg := range t.fill.made {
		if name, v, _ := strings.Cut(arg, "="); strings.Contains(v, identityMade) && r.instead[name] == "" {
			r.set(name, strings.ReplaceAll(v, identityMade, srctext.AnyModule))
			return true
		}
	}
	return false
}

const identityMade = "torch.nn.Identity()"

// replaceInstance puts a module that gives back its input in the place of an instance that was made for the constructor, where
// a constructor of another file fails.
func (r *remedies) replaceInstance(t *trial, _ diag.Fact) bool {
	d := t.first()
	if d == nil {
		return false
	}
	if f := t.res.Files.File(d.At.Start); f == t.res.File || t.functionAt(d.At) != "__init__" {
		return false
	}
	for _, arg := range t.fill.made {
		if m := madeByName.FindStringSubmatch(arg); m != nil && r.instead[m[1]] == "" && !strings.Contains(arg, "=torch.") &&
			!strings.Contains(arg, "=types.") && !strings.Contains(arg, ".spaces.") {
			r.set(m[1], "torch.nn.Identity()")
			return true
		}
	}
	return false
}

// otherKinds are what a parameter may be of which nothing is told, after a number.
var otherKinds = []string{"8", "lambda x, *others, **named: x", "[8, 8]", "[]", "None"}

// replaceKind gives the parameter of which nothing is told a value of another kind, where a run fails in the constructor.
func (r *remedies) replaceKind(t *trial, _ diag.Fact) bool {
	name := t.fill.kind
	if d := t.first(); name == "" || d == nil || !t.inConstructor(d) {
		return false
	}
	now := r.instead[name]
	if now == "" {
		now = otherKinds[0]
	}
	i := slices.Index(otherKinds, now)
	if i < 0 || i+1 == len(otherKinds) {
		return false
	}
	r.set(name, otherKinds[i+1])
	return true
}

// separateSizes has the tensors of a call share no sizes, where sizes do not fit.
func (r *remedies) separateSizes(t *trial, _ diag.Fact) bool {
	d := t.first()
	if d == nil || r.apart || !t.fill.called || d.Code != diag.ShapeMismatch && d.Code != diag.InvalidSize {
		return false
	}
	_, r.apart = srctext.Apart(t.fill.args)
	return r.apart
}

// replaceSpace gives a parameter that is a space another kind of space, where a run fails in the constructor.
func (r *remedies) replaceSpace(t *trial, _ diag.Fact) bool {
	return r.exchangeSpace(t, func(string, string) bool { return true })
}

// replaceNamedSpace is replaceSpace for a space whose kind the fault speaks of, or whose name stands at its place.
func (r *remedies) replaceNamedSpace(t *trial, _ diag.Fact) bool {
	d := t.first()
	if d == nil {
		return false
	}
	raised, cond := identifier.FindAllString(t.raised(), -1), ""
	if cond, _ = t.guard(d); cond == "" {
		cond = t.textAt(d)
	}
	place := identifier.FindAllString(cond, -1)
	return r.exchangeSpace(t, func(_, v string) bool {
		return slices.ContainsFunc(raised, func(w string) bool { return strings.Contains(v, ".spaces."+w+"(") })
	}) || r.exchangeSpace(t, func(name, _ string) bool { return slices.Contains(place, name) })
}

// exchangeSpace gives the first parameter that is a space and that is accepted by its name and value the next kind of space.
func (r *remedies) exchangeSpace(t *trial, accepts func(name, v string) bool) bool {
	if d := t.first(); d == nil || !t.inConstructor(d) {
		return false
	}
	for _, arg := range t.fill.made {
		name, v, _ := strings.Cut(arg, "=")
		library, _, _ := strings.Cut(v, ".")
		kinds := srctext.Spaces(library)
		i := slices.Index(kinds, v)
		if i < 0 || slices.Contains(r.spaces, arg) || !accepts(name, v) {
			continue
		}
		r.spaces = append(slices.Clone(r.spaces), arg)
		r.set(name, kinds[(i+1)%len(kinds)])
		return true
	}
	return false
}

// replaceTensor gives a parameter of the constructor that is a tensor other sizes, where sizes do not fit.
func (r *remedies) replaceTensor(t *trial, _ diag.Fact) bool {
	d := t.first()
	if d == nil || !check.OfShapes(d.Code) && !(d.Code == diag.UncaughtRaise && t.inConstructor(d)) {
		return false
	}
	kinds := srctext.TensorKinds()
	for _, arg := range t.fill.made {
		name, v, _ := strings.Cut(arg, "=")
		if i := slices.Index(kinds, v); i >= 0 && i+1 < len(kinds) {
			r.set(name, kinds[i+1])
			return true
		}
	}
	return false
}

// inConstructor reports whether a fault is in a constructor, or in what one calls.
func (t *trial) inConstructor(d *diag.Diagnostic) bool {
	return t.functionAt(d.At) == "__init__" || slices.ContainsFunc(d.Related, func(r diag.Related) bool {
		return r.Call && t.functionAt(r.At) == "__init__"
	})
}

// functionAt is the function whose text is at a place, by its name; empty where there is none.
func (t *trial) functionAt(at source.Span) string {
	f := t.res.Files.File(at.Start)
	if f == nil {
		return ""
	}
	// From the last one back: a file may have thousands before it.
	before := f.Text()[:f.Offset(at.Start)]
	for end := len(before); ; {
		i := strings.LastIndex(before[:end], "def ")
		if i < 0 {
			return ""
		}
		line := strings.LastIndexByte(before[:i], '\n') + 1
		if def := defined.FindStringSubmatch(before[line:]); def != nil {
			return def[1]
		}
		end = i
	}
}

// addKey adds a key to an input of which parts are taken by keys.
func (r *remedies) addKey(t *trial, f diag.Fact) bool {
	d := t.first()
	if d == nil || !t.fill.called {
		return false
	}
	key, words := f.Names[0], identifier.FindAllString(t.textAt(d), -1)
	dict := dictGiven(t.fill.args, words)
	if f.Of == "dict" {
		if len(r.parts[dict]) > 0 && strings.HasPrefix(t.textAt(d), dict) && strings.Count(t.textAt(d), "[") > 1 {
			return add(&r.parts, dict, key) // of a part, as those that were asked for before
		}
		return add(&r.keys, dict, key)
	}
	whole, rows := tensorsGiven(t.fill.args, f.Of)
	for _, name := range append(whole, rows...) {
		if slices.Contains(words, name) || dict == "" && len(whole) > 0 {
			return add(&r.keys, name, key)
		}
	}
	if len(rows) > 0 && (dict == "" || !slices.Contains(words, dict)) { // one after another
		r.several = append(slices.Clone(r.several), rows[0])
		return add(&r.keys, rows[0], key)
	}
	if dict != "" { // of what it has by another key
		return add(&r.parts, dict, key)
	}
	return false
}

// tensorsGiven are the inputs that are tensors of a type, and those whose rows have it.
func tensorsGiven(args []string, typ string) (whole, rows []string) {
	for _, a := range args {
		name, of, ok := strings.Cut(a, ":")
		dtype, sizes, tensor := strings.Cut(of, "[")
		if !ok || !tensor {
			continue
		}
		_, rest, _ := strings.Cut(strings.TrimSuffix(sizes, "]"), ",")
		switch typ {
		case of:
			whole = append(whole, name)
		case dtype + "[" + rest + "]":
			rows = append(rows, name)
		}
	}
	return whole, rows
}

// dictGiven is the input that is a dictionary, or several: one that the words name, else several, else the first; empty where there is
// none.
func dictGiven(args, words []string) string {
	found, many := "", false
	for _, a := range args {
		name, v, _ := strings.Cut(a, "=")
		several := strings.HasPrefix(v, "[{")
		if !several && !strings.HasPrefix(v, "{") {
			continue
		}
		if slices.Contains(words, name) {
			return name
		}
		if found == "" || several && !many {
			found, many = name, several
		}
	}
	return found
}

// add adds a key to those of an input, and reports whether it was not there.
func add(to *map[string][]string, input, key string) bool {
	if key == "" || input == "" || slices.Contains((*to)[input], key) {
		return false
	}
	keys := map[string][]string{}
	maps.Copy(keys, *to)
	keys[input] = append(slices.Clone(keys[input]), key)
	*to = keys
	return true
}

// giveMasks has masks and states given, where something is done with None in the place of one.
func (r *remedies) giveMasks(t *trial, _ diag.Fact) bool {
	if r.masks || !t.fill.called || !slices.ContainsFunc(t.fill.args, func(a string) bool {
		name, v, _ := strings.Cut(a, "=")
		return v == "None" && (srctext.IsMask(name) || srctext.IsState(name))
	}) {
		return false
	}
	r.masks = true
	return true
}

// set has the constructor given a value for a parameter.
func (r *remedies) set(name, v string) {
	instead := map[string]string{}
	maps.Copy(instead, r.instead)
	instead[name] = v
	r.instead = instead
}

// first is the error that a run came upon first; nil where there is none.
func (t *trial) first() *diag.Diagnostic {
	if t == nil || t.err != nil {
		return nil
	}
	for _, d := range t.res.Diagnostics {
		if t.counts(d) {
			return d
		}
	}
	return nil
}

// textAt is the text of the program at a fault.
func (t *trial) textAt(d *diag.Diagnostic) string {
	if f := t.res.Files.File(d.At.Start); f != nil {
		return f.Slice(d.At)
	}
	return ""
}

// fact is what a failed run came upon first.
func (t *trial) fact() diag.Fact {
	var usage *infer.UsageError
	if errors.As(t.err, &usage) {
		return usage.Fact
	}
	if d := t.first(); d != nil {
		return d.Fact
	}
	return diag.Fact{}
}

// raised is the exception of the program by which a run failed first, with its text; empty where it failed otherwise.
func (t *trial) raised() string { return t.fact().Raised }

// rankTold is a number of dimensions in a program's words.
var (
	rankTold  = lazyregexp.New(`\b([1-6])-?\s?(?:[dD]\b|[dD]im)`)
	shapeTold = lazyregexp.New(`(?i)\bshaped?(?: of| as)?:? ?[\[(](\w+(?:, ?\w+){0,5})[\])]`)
)

// toldRank is the number of dimensions that a program's words ask for, by the number or by the names of all sizes; 0: there is none.
func toldRank(text string) int {
	if m := rankTold.FindStringSubmatch(text); m != nil {
		return int(m[1][0] - '0')
	}
	if m := shapeTold.FindStringSubmatch(text); m != nil {
		return strings.Count(m[1], ",") + 1
	}
	return 0
}

// asked are the forms that a fault asks for, by the names of the inputs that have the form which it names; nil
// where it asks for none.
func (t *trial) asked() map[string]srctext.Form {
	if t.err != nil {
		return nil
	}
	f, args := t.fact(), t.fill.args
	var form func(typ string) srctext.Form
	switch {
	case f.Kind == diag.WrongRank:
		form = func(string) srctext.Form { return srctext.OfRank(int(f.Wants)) }
	case toldRank(t.raised()) > 0: // by the program
		return t.ranksTold(t.raised())
	case f.Kind == diag.NeedsIndices && f.Wants > 0 && len(args) > 1: // of what they lead into, which comes first
		_, first, _ := strings.Cut(args[0], ":")
		form, args = func(typ string) srctext.Form {
			return indicesOf(srctext.Form(typ), srctext.Form(first), int(f.Wants-f.Has))
		}, args[1:]
	case f.Kind == diag.NeedsIndices && t.fill.labels && len(args) > 1: // of what is compared with the first
		_, first, _ := strings.Cut(args[0], ":")
		form, args = func(string) srctext.Form { return srctext.Form(first).Labels() }, args[1:]
	case f.Kind == diag.NeedsIndices:
		args = t.namedNear(args) // of several inputs that which is looked up
		form = func(string) srctext.Form { return srctext.Tokens }
	case f.Kind == diag.NeedsComplex:
		form = func(typ string) srctext.Form { return srctext.Form("c64" + strings.TrimPrefix(typ, "f32")) }
	default:
		return nil
	}
	out := map[string]srctext.Form{}
	for _, a := range args {
		name, typ, ok := strings.Cut(a, ":")
		if ok && strings.HasPrefix(typ, "f32[") && (f.Of == "" || strings.TrimPrefix(typ, "f32") == strings.TrimPrefix(f.Of, "f32")) {
			if f := form(typ); f != "" && string(f) != typ {
				out[name] = f
			}
		}
	}
	if len(out) == 0 && f.Kind == diag.WrongRank {
		return t.ranksBy(int(f.Wants) - srctext.Form(f.Of).Rank())
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

// namedNear are the arguments of a call that the place of a fault names, or else the nearest of the calls that lead there: all where none does.
func (t *trial) namedNear(args []string) []string {
	d := t.first()
	if d == nil || len(args) < 2 {
		return args
	}
	for _, text := range t.textsOf(d) {
		words := identifier.FindAllString(text, -1)
		named := slices.DeleteFunc(slices.Clone(args), func(a string) bool {
			name, _, _ := strings.Cut(a, ":")
			return !slices.Contains(words, name)
		})
		if len(named) > 0 {
			return named
		}
	}
	return args
}

// indicesOf is the form of indices into a tensor, where an input of some form has so many dimensions too few.
func indicesOf(form, into srctext.Form, more int) srctext.Form {
	switch rank := form.Rank() + more; {
	case rank == into.Rank():
		return into.Indices()
	case rank == into.Rank()-1 && into.Labels().Rank() == rank:
		return into.Labels()
	default:
		return srctext.OfRank(rank).Indices()
	}
}

// ranksBy gives the only input of numbers so many dimensions more: what it is made into has too few, or too many.
func (t *trial) ranksBy(more int) map[string]srctext.Form {
	var out map[string]srctext.Form
	for _, a := range t.fill.args {
		name, typ, ok := strings.Cut(a, ":")
		if !ok || !strings.HasPrefix(typ, "f32[") {
			continue
		}
		n := srctext.Form(typ).Rank() + more
		if out != nil || n < 1 || n > 5 {
			return nil
		}
		out = map[string]srctext.Form{name: srctext.OfRank(n)}
	}
	return out
}

// ranksTold are the inputs of numbers that have another number of dimensions than a program says, of those that it names if it names any.
func (t *trial) ranksTold(text string) map[string]srctext.Form {
	n := toldRank(text)
	words := identifier.FindAllString(text, -1)
	named := slices.ContainsFunc(t.fill.args, func(a string) bool { name, _, _ := strings.Cut(a, ":"); return slices.Contains(words, name) })
	out := map[string]srctext.Form{}
	for _, a := range t.fill.args {
		if name, typ, ok := strings.Cut(a, ":"); ok && strings.HasPrefix(typ, "f32[") && (!named || slices.Contains(words, name)) &&
			srctext.Form(typ).Rank() != n {
			out[name] = srctext.OfRank(n)
		}
	}
	if len(out) == 0 {
		return nil
	}
	return out
}
