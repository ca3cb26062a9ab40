package cli

// This file writes what users of the checked entries can see of them: --interface FILE. A build system that finds the file as it was need
// not check them again.

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"shapecheck/check"
	"shapecheck/check/record"
	"shapecheck/internal/atomicfile"
)

// interfaceOutput stands for --interface among outputs. It is no format that somebody can name.
const interfaceOutput = "interface"

// interfaceOut adds the file of --interface to outputs. It returns an error where the file cannot be written, has another purpose, or where
// what else is asked for leaves no results to write of.
func (r *checkRun) interfaceOut(outs []output, inputs []string) ([]output, error) {
	file := r.interfaceFile
	if file == "" {
		return outs, nil
	}
	for _, f := range []struct {
		name  string
		given bool
	}{
		{"--contract", r.contract != ""}, {"--summary", r.cost.format != ""}, {"--diff", r.fixes.diff}, {"--new-since", r.newSince != ""}, {"--shard", r.shard != ""},
	} {
		if f.given {
			return nil, fmt.Errorf("--interface is of a whole check: give it without %s", f.name)
		}
	}
	if r.annotate {
		return nil, errors.New("--interface is of a check, and add-ignores is none")
	}
	if err := atomicfile.Check(file); err != nil {
		return nil, fmt.Errorf("--interface %s: %w", file, err)
	}
	switch {
	case slices.ContainsFunc(inputs, func(in string) bool { return in != "" && same(in) == same(file) }):
		return nil, fmt.Errorf("--interface %s: the file is not written: it is an input", file)
	case slices.ContainsFunc(outs, func(o output) bool { return o.file != "" && same(o.file) == same(file) }):
		return nil, fmt.Errorf("--interface %s: the file is not written: another format goes there", file)
	}
	return append(outs, output{interfaceOutput, file}), nil
}

// interfaces writes the document of --interface. It returns an error where the check was cut short: who reads the document could take what
// is missing for what is gone.
func (f *findings) interfaces(w io.Writer) error {
	if f.project != nil && f.project.Skipped != nil {
		return errors.New("--interface: the check was cut short, so the file is not written")
	}
	doc := record.Interfaces{Version: record.InterfaceVersion, Entries: []record.InterfaceEntry{}, Modules: []record.InterfaceModule{}}
	for i := range f.outcomes {
		x := &f.outcomes[i]
		if x.Err != nil || x.State() == check.NotChecked {
			continue
		}
		seen := x.Result.Interface()
		if seen == nil {
			continue
		}
		t := x.Result.Target
		e := record.InterfaceEntry{Name: filepath.ToSlash(sourceOf(f.session, x.Result)) + "::" + x.Name, State: x.State().String(),
			Basis: t.Basis.String(), Args: []record.InterfaceArg{}, Call: t.Run.Call, Eval: t.Run.Eval, Set: t.Run.Set, Assume: t.Run.Assume,
			Interface: seen}
		for _, g := range guessOf(t) {
			e.Args = append(e.Args, record.InterfaceArg{Text: g.Text, Basis: g.Basis})
		}
		doc.Entries = append(doc.Entries, e)
		doc.Modules = append(doc.Modules, seen.Own...)
	}
	slices.SortStableFunc(doc.Modules, func(a, b record.InterfaceModule) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.Public, b.Public))
	})
	doc.Modules = slices.Compact(doc.Modules)
	return printJSON(w, doc)
}
