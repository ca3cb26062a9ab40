package infer

// This file lets from NAME import * of installed packages wait (waiting.go).

import (
	"strings"

	"shapecheck/infer/value"
)

// letStarWait has the public names of a module wait: those that its text lists are known,
// others are looked for when they are asked for. A name that is there already must run now.
func (im *imports) letStarWait(f *frame, w *waitingName) bool {
	path, _, _ := im.finder.findUser(w.module)
	text, err := im.finder.readText(path)
	if err != nil {
		return false
	}
	m := f.globals
	t := im.waitingOf(m)
	for name := range definedIn(text) {
		if _, ok := m.Attrs.Get(name); ok && name[0] != '_' || t.names[name] != nil {
			return false
		}
	}
	names, _ := namesOfAll(text)
	for _, n := range names {
		im.addWaiting(f, n, &waitingName{at: w.at, module: w.module, name: n})
	}
	t.stars = append(t.stars, w)
	return true
}

// awaitedStar looks for a name in the modules of which all names are imported into m: first
// in those that define it by their text, then in all. They can list more than their text does.
func (im *imports) awaitedStar(m *value.Module, name string) (value.Value, bool, error) {
	t := im.waiting[m]
	if t == nil || strings.HasPrefix(name, "__") {
		return nil, false, nil
	}
	if err := im.host.Enter(""); err != nil {
		return nil, false, err
	}
	defer im.host.Leave()
	for i := len(t.stars) - 1; i >= 0; i-- {
		w := t.stars[i]
		if w.busy || w.bound || !im.finder.definesIn(w.module, name) {
			continue
		}
		if v, ok, err := im.fromStar(m, w, name); ok || err != nil {
			return v, ok, err
		}
	}
	if m.Package {
		if _, _, ok := im.finder.findUser(m.Name + "." + name); ok { // what else would have its name
			return nil, false, nil
		}
	}
	ran := 0 // while one of them runs, Python has not come to those after it
	for ; ran < len(t.stars) && !t.stars[ran].busy; ran++ {
		if err := im.runStar(m, t.stars[ran]); err != nil {
			return nil, false, err
		}
	}
	for i := min(ran, len(t.stars)) - 1; i >= 0; i-- {
		if w := t.stars[i]; !w.busy && !w.bound {
			if v, ok, err := im.fromStar(m, w, name); ok || err != nil {
				return v, ok, err
			}
		}
	}
	return nil, false, nil
}

// runStar runs the module of a star that waits.
func (im *imports) runStar(m *value.Module, w *waitingName) error {
	if w.value != nil {
		return nil
	}
	w.busy = true
	defer func() { w.busy = false }()
	return im.host.outside(func() (err error) {
		w.value, err = im.importWaiting(m, w)
		return err
	})
}

// fromStar binds the names of a star that waits, and looks for one of them.
func (im *imports) fromStar(m *value.Module, w *waitingName, name string) (value.Value, bool, error) {
	if err := im.runStar(m, w); err != nil {
		return nil, false, err
	}
	w.busy = true
	err := im.host.outside(func() error { return im.bindStar(m, w) })
	w.busy, w.bound = false, true
	if err != nil {
		return nil, false, err
	}
	v, ok := m.Attrs.Get(name)
	return v, ok, nil
}

// bindStar binds the public names of a module that has run, but for those that are bound.
func (im *imports) bindStar(m *value.Module, w *waitingName) error {
	had := map[string]bool{}
	for i := range m.Attrs.Len() {
		had[m.Attrs.Name(i)] = true
	}
	scope := &value.Module{Name: m.Name, Attrs: im.heap.NewAttrs()}
	f := &frame{globals: scope}
	if err := im.importStar(f, w.value, w.module); err != nil {
		return err
	}
	for i := range scope.Attrs.Len() {
		if name := scope.Attrs.Name(i); !had[name] {
			m.Attrs.Set(&im.heap, name, scope.Attrs.At(i))
		}
	}
	if m.Partial == nil {
		m.Partial = scope.Partial
	}
	return nil
}

// definesIn reports whether the text of a module defines a name at its top level.
func (f *finder) definesIn(module, name string) bool {
	path, _, ok := f.findUser(module)
	if !ok {
		return false
	}
	text, err := f.readText(path)
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
