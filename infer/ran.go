package infer

// This file notes of each module which of its statements ran, also while modules load: what a result depends on.

import (
	"cmp"
	"maps"
	"slices"

	"shapecheck/infer/value"
	"shapecheck/internal/source"
	"shapecheck/parser/ast"
	"shapecheck/parser/pieces"
)

// A RanModule is a module of which statements ran.
type RanModule struct {
	Name string
	File *source.File
	// Own says that it is the project's, and no installed package.
	Own   bool
	at    map[source.Pos]bool
	cache *Cache
}

// Hash is the hash of what of the module ran: statements outside of functions, and functions as a whole.
func (m *RanModule) Hash() string { return m.cache.piecesOf(m.File).Ran(m.at) }

// Public is the hash of what other modules can name of the module, whether it ran or not.
func (m *RanModule) Public() string { return m.cache.piecesOf(m.File).Public() }

func (c *Cache) piecesOf(f *source.File) *pieces.Module {
	if m, ok := c.pieces.Load(f); ok {
		return m.(*pieces.Module)
	}
	m, _ := c.pieces.LoadOrStore(f, pieces.Of(f))
	return m.(*pieces.Module)
}

// A ranFile is what ran of a file, which is the module's.
type ranFile struct {
	module *value.Module
	at     map[source.Pos]bool
}

// noteRan notes that a statement of a module ran. What the prelude does is the same for all programs, and a text that a program
// made comes of what made it.
func (r *recorder) noteRan(f *frame, s ast.Stmt) {
	if !f.prelude {
		r.noteAt(f.unit.file, f.globals, s)
	}
}

// noteBody notes that what a function does was read from its text, though it did not run.
func (r *recorder) noteBody(c *code, m *value.Module) {
	if !c.prelude && len(c.body) > 0 {
		r.noteAt(c.unit.file, m, c.body[0])
	}
}

func (r *recorder) noteAt(file *source.File, m *value.Module, s ast.Stmt) {
	if m == nil || m.File != file {
		return
	}
	x := r.ran[file]
	if x == nil {
		if r.ran == nil {
			r.ran = map[*source.File]*ranFile{}
		}
		x = &ranFile{m, map[source.Pos]bool{}}
		r.ran[file] = x
	}
	x.at[s.Span().Start] = true
}

// ranModules are the modules of which statements ran, in the order of their names.
func (in *Interp) ranModules() []RanModule {
	var out []RanModule
	for _, file := range slices.SortedFunc(maps.Keys(in.rec.ran), func(a, b *source.File) int { return cmp.Compare(a.Place(), b.Place()) }) {
		x := in.rec.ran[file]
		out = append(out, RanModule{x.module.Name, file, in.finder.isProjectFile(file), x.at, in.cfg.Cache})
	}
	slices.SortStableFunc(out, func(a, b RanModule) int { return cmp.Compare(a.Name, b.Name) })
	return out
}
