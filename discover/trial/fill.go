package trial

// This file chooses the arguments of one run.

import (
	"cmp"
	"slices"
	"strings"

	srctext "shapecheck/discover/text"
	"shapecheck/infer"
	"shapecheck/infer/fill"
)

// A choice is what decides about the arguments of a run.
type choice struct {
	form srctext.Form
	// seen are forms by the name of an input, from an earlier run.
	seen map[string]srctext.Form
	// climbed says that seen are forms that were varied one at a time.
	climbed bool
	// open are inputs of which nothing is to be known, but for the types of tensors.
	open    []string
	tensors map[string]string
	// constructor says what of the arguments of the constructor is open.
	constructor infer.OpenArguments
	// solved are those of the constructor that a contract told: no other number fits.
	solved []string
	// given are arguments as they stand, by the name of an input.
	given map[string]string
	// alone says that form goes before what the name of an input tells.
	alone bool
	// alike says that all inputs have the form, as those of losses have.
	alike bool
	// labels says that the labels of a loss are of the form of its input, without the channels.
	labels bool
	// channels is written in the place of the channels' symbol; empty: it stays.
	channels string
	// optional says that arguments are given though the call needs none: without, it does not run.
	optional bool
	// eval says that the model is evaluated, not trained.
	eval bool
	// made are remedies for faults of the constructor.
	made remedies
}

// A filler chooses arguments for one run and remembers what it chose.
type filler struct {
	choice
	file  *srctext.File
	class string
	// layers is the form that the layers of the class speak for.
	layers srctext.Form
	// inputs are types by the position of an input; empty where there is none.
	inputs []string

	// beside finds a class with attributes in the files beside the one that is tried, derived classes that derive from one.
	beside           func(attrs []string) (module, class string)
	derived, defined func(class string) []string
	// holding finds classes around with attributes.
	holding func(attrs []string) []string
	// passed finds the instances that calls around make for a parameter.
	passed func(class, param string, position int) []string

	made, args   []string          // of the constructor, of the call
	madeWhy      []reason          // by what those of the constructor were chosen, as far as that is known
	argWhy       map[string]reason // by what those of the call were
	open, spared bool              // the constructor takes keywords of any name, and has parameters that are None by default
	spares       []spared          // of the classes whose instances were made
	objects      bool              // an input is an object of a class of the program
	openObject   bool              // its constructor takes keywords of any name
	mayBe        bool              // there are parameters that Optional gives something
	formed       bool              // form decides about an argument
	handed       bool              // the constructor is given what calls around give it
	called       bool              // the instance was made
	named        bool              // its call takes keywords of any name
	others       []fill.Param      // of the call, that may be left out
	missing      string
	kind         string              // the parameter that may be of another kind
	untold       string              // the first parameter of the constructor that was given something though nothing tells what it is
	noted        []string            // what else was assumed
	sequences    map[string]int      // how many elements the call asks of its inputs
	attributes   map[string][]string // that the call takes of its inputs
	evident      map[string]bool     // the inputs of which the text, or what a run asked for, tells the form
}

// Begin forgets what was chosen for an earlier run.
func (f *filler) Begin() {
	*f = filler{choice: f.choice, file: f.file, class: f.class, layers: f.layers, inputs: f.inputs, beside: f.beside, derived: f.derived,
		defined: f.defined, holding: f.holding, passed: f.passed, argWhy: map[string]reason{}}
}

// Construct gives the arguments with which a class is made, by the names and annotations of its parameters; false where
// there is nothing to give for a parameter that is needed. It notes the parameters that got something although nothing
// tells what they are.
func (f *filler) Construct(c fill.Constructor) ([]string, bool) {
	f.missing = ""
	if !c.Input { // which is asked for when the entry's own arguments are chosen
		f.made, f.madeWhy = nil, nil
	}
	var out []string
	var reasons []reason
	height := slices.ContainsFunc(c.Needed, func(p fill.Param) bool { return p.Name == "w" })
	why := "" // of the last value
	value := func(p fill.Param) string {
		if p.Name == "h" && height { // and no number of heads
			p.Name = "height"
		}
		why = byRun
		if v := f.elementsFor(c, f.choice.made.elements[p.Name]); v != "" {
			return v
		}
		if v := f.choice.made.instead[p.Name]; v != "" {
			return v
		}
		as := srctext.Param{Name: p.Name, Annotation: p.Annotation, Made: p.Made, Scope: p.Scope}
		v := f.file.Construct(c.Class, as)
		why = map[srctext.Evidence]string{srctext.ByCall: byCall, srctext.ByClass: byClass, srctext.ByCompared: byCompared, srctext.ByName: byName,
			srctext.ByUse: byUse, srctext.ByConstant: byConstant}[f.file.EvidenceOf(c.Class, as, v)]
		if made := f.settingsFor(c, v); made != "" {
			v, why = made, byClass
		}
		if made := f.givenFor(c, p, v); made != "" {
			v, why = made, byGiven
		}
		return v
	}
	if c.Input {
		return f.object(c, value)
	}
	f.spares = append(f.spares, spared{c.Class, names(c.Spare)})
	for _, p := range c.Needed {
		v := value(p)
		if v == "" {
			v, why = srctext.Anything(srctext.Plain(p.Annotation)), byNothing
			if srctext.Ignores(p.Scope, p.Name) {
				why = byIgnored
			} else {
				if v != "" && f.untold == "" {
					f.untold = p.Name
				}
				if v == otherKinds[0] && f.kind == "" {
					f.kind = p.Name
				}
			}
		} else if v == f.choice.made.instead[p.Name] && slices.Contains(otherKinds, v) {
			f.kind = p.Name
		}
		if v == "" {
			f.missing = p.Name
			return nil, false
		}
		reasons = append(reasons, reason{text: why, weak: p.Name == f.untold || p.Name == f.kind, at: parameterAt(p.Scope, p.Name)})
		if !p.ByPlace {
			v = p.Name + "=" + v
		}
		out = append(out, v)
	}
	for _, p := range c.Spare {
		if slices.Contains(f.choice.made.spares[c.Class], p.Name) && !slices.Contains(f.choice.made.extra, p.Name) {
			if v := f.spare(p, value); v != "" {
				out = append(out, p.Name+"="+v)
			}
		}
	}
	if c.Class == f.class {
		out = append(out, f.choice.made.more(c)...)
		f.open, f.spared = c.Open, len(c.Spare) > 0
	}
	f.made, f.madeWhy = out, reasons
	return out, true
}

// givenFor is an instance of the class of which calls of a class around make one for a parameter, in the place of a module or a function that
// would be made up, or of nothing; empty where there is none.
func (f *filler) givenFor(c fill.Constructor, p fill.Param, madeUp string) string {
	if c.Instance == nil || p.Scope == nil || f.passed == nil || madeUp != "" && !srctext.IsStandIn(madeUp) {
		return ""
	}
	for _, one := range f.passed(c.Class, p.Name, srctext.PositionOf(p.Scope, p.Name)) {
		path, args, _ := strings.Cut(one, "(")
		if text := c.Instance(path); text != "" {
			f.handed = true
			return srctext.Completed(text, strings.TrimSuffix(args, ")"))
		}
	}
	return ""
}

// settingsFor is an instance of the class of settings around that has all the fields of an object that would be made up; empty where there is
// none.
func (f *filler) settingsFor(c fill.Constructor, madeUp string) string {
	fields := srctext.MadeFields(madeUp)
	if len(fields) == 0 || c.Instance == nil {
		return ""
	}
	for _, path := range f.holding(fields) {
		if srctext.IsSettings(path) {
			if text := c.Instance(path); text != "" {
				return text
			}
		}
	}
	return ""
}

// Having looks for a class in the files beside the one that is tried.
func (f *filler) Having(attrs []string) (module, class string) { return f.beside(attrs) }

// Deriving looks for classes in the package of the file that is tried.
func (f *filler) Deriving(class string) []string { return f.derived(class) }

// Defining looks for a class in the package of the file that is tried.
func (f *filler) Defining(class string) []string { return f.defined(class) }

// Inputs gives the arguments of the call. The form of each comes from what is given or was seen in use, from its name,
// its annotation and the texts of its class, or is the form that this attempt tries.
func (f *filler) Inputs(params, spare []fill.Param, open bool) []string {
	f.called, f.named, f.others = true, open, spare
	for _, name := range f.choice.made.inputs {
		is := func(p fill.Param) bool { return p.Name == name }
		if i := slices.IndexFunc(spare, is); i >= 0 {
			one := spare[i]
			if of, ok := strings.CutPrefix(one.Annotation, "Optional["); ok {
				one.Annotation = strings.TrimSuffix(of, "]")
			}
			one.Annotation = strings.TrimSpace(strings.TrimSuffix(one.Annotation, "| None"))
			params = append(params[:len(params):len(params)], one)
		} else if open && !slices.ContainsFunc(params, is) {
			params = append(params[:len(params):len(params)], fill.Param{Name: name})
		}
	}
	for _, one := range spare {
		if slices.Contains(f.choice.open, one.Name) && !slices.Contains(f.choice.made.inputs, one.Name) {
			params = append(params[:len(params):len(params)], one)
		}
	}
	graph := slices.ContainsFunc(params, func(p fill.Param) bool { return srctext.IsEdges(p.Name) })
	var names []string
	for _, p := range params {
		names = append(names, p.Name)
	}
	var out []string
	f.attributes, f.sequences, f.evident, f.argWhy = map[string][]string{}, map[string]int{}, map[string]bool{}, map[string]reason{}
	for i, p := range params {
		if arg := f.given[p.Name]; arg != "" {
			out = append(out, arg)
			continue
		}
		if slices.Contains(f.choice.open, p.Name) {
			out = append(out, p.Name+":"+cmp.Or(f.choice.tensors[p.Name], anyInput))
			continue
		}
		f.attributes[p.Name], f.sequences[p.Name] = srctext.Fields(p.Scope, p.Name), srctext.Counted(p.Scope, p.Name)
		in := srctext.Input{Name: p.Name, Annotation: p.Annotation, Keys: slices.Concat(p.Keys, f.choice.made.keys[p.Name]),
			Parts:  f.choice.made.parts[p.Name],
			Fields: f.choice.made.fields[p.Name], Elements: srctext.Elements(p.Scope, p.Name), Several: f.choice.made.lists[p.Name],
			Given: i == 0 || f.choice.made.masks, Beside: names}
		if slices.Contains(f.choice.made.several, p.Name) {
			in.Annotation = "list[dict]"
		}
		form := f.seen[p.Name]
		f.because(p, byTrial)
		if form != "" && !f.climbed {
			f.because(p, byForm)
		}
		if f.labels && !f.alike && i > 0 && form == "" && in.Told(f.layers) == srctext.Numbers &&
			f.file.Shape(f.class, p.Name) == "" && f.file.Shape(f.class, params[0].Name) == "" {
			form = f.form.Labels()
		}
		edges := false // of which everybody knows the form
		if told := in.Told(f.layers); form == "" && told != "" && !f.alike && (!f.alone || len(params) > 1) {
			form, edges = told, srctext.IsEdges(p.Name) && f.choice.tensors[p.Name] == ""
			f.because(p, byName)
		}
		text := f.file.Shape(f.class, p.Name)
		if text != "" && f.seen[p.Name] == "" && !f.alike && (!f.alone || len(params) > 1) &&
			(form == "" && text.Rank() != f.form.Rank() || form != "" && text.Rank() != form.Rank()) {
			form = text
			f.because(p, byText)
		}
		tells := text != "" && text.Rank() == cmp.Or(form, f.form).Rank() // the rank; the dtype is what the name, the layers or the runs tell
		f.evident[p.Name] = f.seen[p.Name] != "" && !f.climbed ||
			tells && (form != "" || strings.HasPrefix(string(f.form), "f32[") || f.form == f.layers)
		if graph && form == "" {
			form = srctext.OfNodes(p.Name)
		}
		exampled := i < len(f.inputs) && f.inputs[i] != ""
		f.evident[p.Name] = f.evident[p.Name] || exampled || edges || in.Arg(srctext.Image) == in.Arg(srctext.Features)
		if form == "" {
			form, f.formed = f.form, f.formed || !exampled
		}
		arg := in.Arg(form)
		if p.Made != "" && !f.choice.made.plain {
			arg, f.objects = p.Name+"="+p.Made, true
			f.because(p, byClass)
		}
		if of := srctext.Observation(p.Name, f.made); of != "" && f.seen[p.Name] == "" && len(in.Keys) == 0 {
			arg, f.evident[p.Name] = of, true
			f.because(p, bySpace)
		}
		switch list := f.file.List(f.class, p.Name); {
		case exampled:
			arg = p.Name + ":" + f.inputs[i]
			f.because(p, byCall)
		case list != "" && f.seen[p.Name] == "" && !f.alike && len(f.attributes[p.Name]) == 0:
			arg, f.evident[p.Name] = p.Name+":"+list, true
			f.because(p, byText)
		}
		if f.choice.made.masks && i > 0 && srctext.IsMask(p.Name) && len(f.choice.open) == 0 {
			first, _, _ := strings.Cut(strings.TrimPrefix(out[0], params[0].Name+":"), "=")
			mask := srctext.Form(first)
			switch {
			case f.seen[p.Name] != "":
				mask = f.seen[p.Name]
			case !f.labels || mask.Rank() != 4: // what a loss compares with its input is as large
				mask = mask.Mask()
			}
			arg = p.Name + ":" + string(mask)
		}
		if other := srctext.AsLargeAs(p.Scope, p.Name, names[:i]); other != "" && f.seen[p.Name] == "" && !exampled {
			if j := slices.IndexFunc(out, func(a string) bool { return strings.HasPrefix(a, other+":") }); j >= 0 {
				arg, f.evident[p.Name] = p.Name+strings.TrimPrefix(out[j], other), f.evident[other]
				f.because(p, byText)
			}
		}
		if arg == "" && in.Annotation == "str" {
			if text := f.file.Compared(p.Name); text != "" {
				arg = p.Name + "=" + text
				f.because(p, byCompared)
			}
		}
		if arg == "" {
			f.missing = p.Name
			continue
		}
		out = append(out, arg)
	}
	if f.choice.made.apart {
		out, _ = srctext.Apart(out)
	}
	if f.channels != "" {
		for i, arg := range out {
			out[i] = srctext.WithChannels(arg, f.channels)
		}
	}
	f.args = out
	return out
}

// Optional gives the arguments of a call that needs none: nothing at first, those that a run asked for, or what they usually are.
func (f *filler) Optional(params []fill.Param) []string {
	if len(f.choice.made.inputs)+len(f.choice.open) > 0 {
		return f.Inputs(nil, params, false)
	}
	f.called, f.others = true, params
	var out []string
	for _, p := range params {
		arg := (srctext.Input{Name: p.Name}).Usual()
		if f.channels != "" {
			arg = srctext.WithChannels(arg, f.channels)
		}
		if arg != "" {
			out = append(out, arg)
		}
	}
	f.mayBe = len(out) > 0
	if !f.optional {
		return nil
	}
	f.args = out
	return out
}

// withheld are the inputs that were left out, but for masks, which change no sizes.
func (f *filler) withheld() []string {
	var out []string
	for _, o := range f.others {
		given := func(a string) bool { return strings.HasPrefix(a, o.Name+":") || strings.HasPrefix(a, o.Name+"=") }
		if !srctext.IsMask(o.Name) && !slices.ContainsFunc(f.args, given) {
			out = append(out, o.Name)
		}
	}
	return out
}

// assumed is all that was chosen.
func (f *filler) assumed() []string { return slices.Concat(f.noted, f.made, f.args) }
