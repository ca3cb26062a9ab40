package infer

// This file lets from NAME import * of installed packages wait (waiting.go).

import (
	"strings"

	"shapecheck/infer/value"
)

// letStarWait has the public names of a module wait: those that its text lists are known,
// others are looked for when they are asked for. A name that is there already must run now.
func (in *Interp) letStarWait(f *frame, w *waitingName) bool {
	path, _, _ := in.findUser(w.module)
	text, err := in.readText(path)
	if err != nil {
		return false
	}
	m := f.globals
	t := in.waitingOf(m)
	for name := range definedIn(text) {
		if _, ok := m.Attrs.Get(name); ok && name[0] != '_' || t.names[name] != nil {
			return false
		}
	}
	names, _ := namesOfAll(text)
	for _, n := range names {
		in.addWaiting(f, n, &waitingName{at: w.at, module: w.module, name: n})
	}
	t.stars = append(t.stars, w)
	return true
}

// awaitedStar looks for a name in the modules of which all names are imported into m: first
// in those that define it by their text, then in all. They can list more than their text does.
func (in *Interp) awaitedStar(m *value.Module, name string) (value.Value, bool, error) {
	t := in.waiting[m]
	if t == nil || strings.HasPrefix(name, "__") {
		return nil, false, nil
	}
	if err := in.Enter(""); err != nil {
		return nil, false, err
	}
	defer in.Leave()
	for i := len(t.stars) - 1; i >= 0; i-- {
		w := t.stars[i]
		if w.busy || w.bound || !in.definesIn(w.module, name) {
			continue
		}
		if v, ok, err := in.fromStar(m, w, name); ok || err != nil {
			return v, ok, err
		}
	}
	if m.Package {
		if _, _, ok := in.findUser(m.Name + "." + name); ok { // what else would have its name
			return nil, false, nil
		}
	}
	ran := 0 // while one of them runs, Python has not come to those after it
	for ; ran < len(t.stars) && !t.stars[ran].busy; ran++ {
		if err := in.runStar(m, t.stars[ran]); err != nil {
			return nil, false, err
		}
	}
	for i := min(ran, len(t.stars)) - 1; i >= 0; i-- {
		if w := t.stars[i]; !w.busy && !w.bound {
			if v, ok, err := in.fromStar(m, w, name); ok || err != nil {
				return v, ok, err
			}
		}
	}
	return nil, false, nil
}

// runStar runs the module of a star that waits.
func (in *Interp) runStar(m *value.Module, w *waitingName) error {
	if w.value != nil {
		return nil
	}
	w.busy = true
	defer func() { w.busy = false }()
	return in.outside(func() (err error) {
		w.value, err = in.importWaiting(m, w)
		return err
	})
}

// fromStar binds the names of a star that waits, and looks for one of them.
func (in *Interp) fromStar(m *value.Module, w *waitingName, name string) (value.Value, bool, error) {
	if err := in.runStar(m, w); err != nil {
		return nil, false, err
	}
	w.busy = true
	err := in.outside(func() error { return in.bindStar(m, w) })
	w.busy, w.bound = false, true
	if err != nil {
		return nil, false, err
	}
	v, ok := m.Attrs.Get(name)
	return v, ok, nil
}

// bindStar binds the public names of a module that has run, but for those that are bound.
func (in *Interp) bindStar(m *value.Module, w *waitingName) error {
	had := map[string]bool{}
	for i := range m.Attrs.Len() {
		had[m.Attrs.Name(i)] = true
	}
	scope := &value.Module{Name: m.Name, Attrs: in.heap.NewAttrs()}
	f := &frame{globals: scope}
	if err := in.importStar(f, w.value, w.module); err != nil {
		return err
	}
	for i := range scope.Attrs.Len() {
		if name := scope.Attrs.Name(i); !had[name] {
			m.Attrs.Set(&in.heap, name, scope.Attrs.At(i))
		}
	}
	if m.Partial == nil {
		m.Partial = scope.Partial
	}
	return nil
}

// definesIn reports whether the text of a module defines a name at its top level.
func (in *Interp) definesIn(module, name string) bool {
	path, _, ok := in.findUser(module)
	if !ok {
		return false
	}
	text, err := in.readText(path)
	return err == nil && (&declared{text: text}).defines(name)
}

// namesOfAll reads the one list of texts that is assigned to __all__.
func namesOfAll(text string) ([]string, bool) {
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
			if len(n) < 3 || n[0] != n[len(n)-1] || n[0] != '"' && n[0] != '\'' || !isIdentifier(n[1:len(n)-1]) {
				return nil, false
			}
			names = append(names, n[1:len(n)-1])
		}
	}
	return names, true
}
