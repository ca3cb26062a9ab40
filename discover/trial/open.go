package trial

// This file finds the faults that remain in an open run: one more run of an entry that failed, of which everything that was
// guessed is unknown. What fails there fails for every input.

import (
	"path/filepath"
	"slices"
	"strings"

	"shapecheck/check"
	srctext "shapecheck/discover/text"
	"shapecheck/infer"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/internal/lazyregexp"
	"shapecheck/internal/source"
)

// anyTensor is the type of an input of which no more is known than that it is a tensor, and anyInput that of one of which
// nothing is known.
const anyTensor, anyInput = "?[*]", "any"

// openRun runs the entry of a failed run again, with inputs of which nothing is guessed, and notes the errors that are certain.
func (p *prober) openRun(best *trial, run func(choice) (*trial, error)) error {
	if best.err != nil || best.res.Exceeded || p.spent() {
		return nil
	}
	if p.call != "" && !p.whole || strings.HasSuffix(best.res.Entry, applied+"()") {
		return nil // all that it works on is given by its callers
	}
	if first := best.first(); first == nil {
		return nil
	}
	c := best.fill.choice
	c.open, c.channels = best.fill.withheld(), ""
	c.constructor = best.fill.openNumbers()
	c.given, c.tensors = nil, map[string]string{}
	for _, a := range best.fill.args {
		name, typ, _ := strings.Cut(a, ":")
		name, _, _ = strings.Cut(name, "=")
		c.open = append(c.open, name)
		if strings.HasSuffix(typ, "]") && best.givesTensor(func(in value.Kw) value.Value { return is(in, name) }) {
			c.tensors[name] = anyTensor
		}
	}
	t, err := run(c)
	if err != nil || t.err != nil {
		return err
	}
	// With arguments of any number the constructor may come to its end, and inputs are given to the call for the first time.
	if more := slices.DeleteFunc(inputNames(t.fill.args), func(name string) bool { return slices.Contains(c.open, name) }); len(more) > 0 {
		c.open = append(c.open, more...)
		if t, err = run(c); err != nil || t.err != nil {
			return err
		}
	}
	var faults []*diag.Diagnostic // of a run with arguments of any kind for the constructor
	for _, d := range t.res.Diagnostics {
		if !t.counts(d) {
			continue
		}
		certain := p.isCertain(d, best)
		if certain && !best.fill.leavesNumbers(d) { // an argument of another kind may avoid it
			if c.constructor != infer.AllOpen {
				c.constructor = infer.AllOpen
				if faults, err = faultsWith(c, run); err != nil {
					return err
				}
			}
			certain = p.named(faults, d)
		}
		if !certain {
			break // what comes later may follow from it
		}
		best.certain = append(best.certain, d)
	}
	t.settle()
	return nil
}

// inputNames are the names of arguments: of x:f32[B] and n=4 x and n.
func inputNames(args []string) []string {
	var out []string
	for _, a := range args {
		name, _, _ := strings.Cut(a, ":")
		name, _, _ = strings.Cut(name, "=")
		out = append(out, name)
	}
	return out
}

// faultsWith are the errors of a run with a choice.
func faultsWith(c choice, run func(choice) (*trial, error)) ([]*diag.Diagnostic, error) {
	t, err := run(c)
	if err != nil || t.err != nil {
		return nil, err
	}
	var out []*diag.Diagnostic
	for _, d := range t.res.Diagnostics {
		if t.counts(d) {
			out = append(out, d)
		}
	}
	t.settle()
	return out, nil
}

// failsTraining reports whether a run that fails in training mode, and not in evaluation, fails there for every input.
func (p *prober) failsTraining(t *trial, run func(choice) (*trial, error)) (bool, error) {
	if err := p.openRun(t, run); err != nil || len(t.certain) > 0 {
		return len(t.certain) > 0, err
	}
	var err error
	t.refuted, _, err = p.refuted(t, run)
	return t.refuted, err
}

// isCertain reports whether an error of an open run is one whatever the entry is given and however it is made.
func (p *prober) isCertain(d *diag.Diagnostic, best *trial) bool {
	if !p.isOwn(best.res.Files.File(d.At.Start)) || p.leftOpen(d, best) {
		return false
	}
	switch {
	case d.Fact.AboutNone(), d.Fact.Kind == diag.NotImplemented, d.Code == diag.UncaughtRaise, d.Code == diag.ImportFailed:
		return false // what it is when it is given, or in a class that derives, is not known
	case d.Code == diag.BadCall && p.found.LeavesMethod(best.fill.class, d.Fact.Of):
		return false
	case d.Fact.Kind == diag.LacksArguments && strings.Contains(best.textAt(d), "*"):
		return false // callers give what is handed on
	case d.Code == diag.UnknownName:
		f := best.res.Files.File(d.At.Start)
		return !srctext.Binds(f.Text(), f.Slice(d.At)) // a loop of which nothing is known may bind it
	case d.Fact.Kind == diag.LacksAttribute && (p.whole || p.mayHave(d.Fact.Of, d.Fact.Names[0])):
		return false
	}
	name, _, _ := strings.Cut(best.res.Entry, "(")
	_, called := p.found.Calls(name)
	if isMissingName(d) {
		return !called && !p.around.IsCalledWith(name)
	}
	return !called && !p.madeElsewhere(name)
}

// isMissingName reports whether a fault is a name that nothing has, which no argument of a constructor changes.
func isMissingName(d *diag.Diagnostic) bool {
	return d.Code == diag.UnknownName || d.Code == diag.UnknownAttribute
}

// openNumbers is what of the constructor's arguments is open where numbers are: what the file gives is no guess.
func (f *filler) openNumbers() infer.OpenArguments {
	if len(f.made) == 0 {
		return infer.NothingOpen
	}
	return infer.NumbersOpen
}

// leavesNumbers reports whether a fault rests on no more of the constructor's arguments than that they are numbers, where those are open:
// one of sizes or dtypes.
func (f *filler) leavesNumbers(d *diag.Diagnostic) bool {
	return len(f.made) == 0 || f.numbersAlone() && (d.Code == diag.DTypeMismatch || check.OfShapes(d.Code))
}

// openArgument is an argument of a constructor that is open in an open run: a number, or settings made with their own defaults.
var openArgument = lazyregexp.New(`^(?:\w+=)?(?:\d+|\w+(?:\.\w+)*\(\))$`)

// numbersAlone reports whether what was guessed for the constructor is open in an open run.
func (f *filler) numbersAlone() bool {
	return f.untold == "" && f.kind == "" && !slices.ContainsFunc(f.made, func(arg string) bool {
		return !openArgument.MatchString(arg) || srctext.IsMadeUp(arg)
	})
}

// isOwn reports whether a file is the project's own: it is no part of an installed package, but for that of the file that is
// checked.
func (p *prober) isOwn(f *source.File) bool {
	if f == nil || f.Prelude {
		return false
	}
	fsys := p.s.Gate(p.file)
	path, err := fsys.Abs(f.Place())
	if err != nil {
		return false
	}
	file, err := fsys.Abs(p.file)
	if err != nil || path == file {
		return err == nil
	}
	parts := strings.Split(filepath.ToSlash(path), "/")
	if !slices.Contains(parts, "site-packages") && !slices.Contains(parts, "dist-packages") {
		return true
	}
	top := srctext.PackageAround(fsys, file)
	return top != filepath.Dir(file) && strings.HasPrefix(path, top+string(filepath.Separator)) || filepath.Dir(path) == top
}

// mayHave reports whether an object of a class may have an attribute that it has not: a method that has not run sets it, a class around
// derives from it, or a text around sets the attribute from outside.
func (p *prober) mayHave(class, attr string) bool {
	if p.found.Assigns(class, attr) {
		return true
	}
	own := p.found.Source.Text()
	return len(srctext.Deriving(own, class)) > 0 || srctext.SetsAttribute(own, attr) || p.around.MaySet(class, attr)
}

// named reports whether a finding is one of those, at the same place with the same code.
func (p *prober) named(list []*diag.Diagnostic, d *diag.Diagnostic) bool {
	files := p.s.Parsed().Files()
	return slices.ContainsFunc(list, func(x *diag.Diagnostic) bool {
		return x.Code == d.Code && files.Position(x.At.Start).Line == files.Position(d.At.Start).Line
	})
}

// withCertain adds to the findings of the best run those errors of the open run that it does not have.
func (p *prober) withCertain(list []*diag.Diagnostic, best *trial) []*diag.Diagnostic {
	for _, d := range best.certain {
		if !p.named(list, d) {
			list = append(list[:len(list):len(list)], d)
		}
	}
	return list
}
