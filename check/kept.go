package check

// This file uses what an earlier process found, while every look at the file system
// gives what it gave then.

import (
	"errors"
	"slices"
	"sync"

	"shapecheck/infer"
	"shapecheck/internal/cache"
	"shapecheck/internal/reads"
)

// Kept are results in a folder. A nil *Kept keeps none.
type Kept struct {
	store   *cache.Store
	loader  *loader
	version string
	texts   Texts

	mu     sync.Mutex
	faults error
}

// Texts are texts that are made of a result and kept with it.
type Texts struct {
	// Forms are those that are needed: a record without one of them is none.
	Forms []string
	// Make writes a text in a form.
	Make func(form string, r *Result) string
	// Key is what they depend on besides.
	Key []any
}

// OpenKept opens a folder of results, which is made where it is missing. parsed
// are the files of the session, version is that of the program. It returns an error where the folder or the files that
// mark it cannot be made.
func OpenKept(dir, version string, fsys reads.FS, parsed *infer.Cache, texts Texts) (*Kept, error) {
	store, err := cache.Open(dir)
	if err != nil {
		return nil, err
	}
	return &Kept{store: store, loader: newLoader(fsys, parsed.Files()), version: version, texts: texts}, nil
}

// Close keeps the folder small, and says why results could not be kept. It returns an error where a result could not be
// kept, or where the folder cannot be kept within its bounds.
func (k *Kept) Close() error {
	if k == nil {
		return nil
	}
	return errors.Join(k.faults, k.store.Close())
}

// key is the key of a target and of what else its result depends on; empty: the
// result is not kept.
func (k *Kept) key(t *Target, more ...any) (string, error) {
	if k == nil || t.Weights != nil || t.Run.Text != "" {
		return "", nil
	}
	return cache.Key(k.version, append(append([]any{t.Run}, k.texts.Key...), more...)...)
}

// looks is how a run looks at files.
type looks struct {
	fs  reads.FS
	log *reads.Log // nil: nothing is to be kept
}

func (k *Kept) looks(fsys reads.FS) *looks {
	if k == nil {
		return &looks{fs: fsys}
	}
	log := &reads.Log{FS: fsys}
	return &looks{log, log}
}

// recall finds a result that still holds; nil when there is none.
func (s *Session) recall(key string, t *Target) *Result {
	if key == "" {
		return nil
	}
	data, ok := s.Kept.store.Get(key)
	if !ok {
		return nil
	}
	rec, err := decodeKeptRun(data)
	if err != nil || !rec.prints(s.Kept.texts.Forms) {
		return nil // as good as none
	}
	s.allowReads(t, rec)
	res, err := s.Kept.loader.load(rec)
	if err != nil {
		return nil
	}
	if log, ok := s.FS.(*reads.Log); ok {
		log.Add(rec.Reads)
	}
	return &Result{Result: res, Target: t, OutputType: rec.Output, Recalled: true, Texts: rec.Bodies, stored: rec.Document,
		Known: rec.Known, Hidden: len(rec.Known), seen: rec.seen()}
}

// allowReads lets the loader read the files that a run of the target could read, whatever the record names.
func (s *Session) allowReads(t *Target, rec *keptRun) {
	gate := s.Kept.loader.FS
	cfg := t.Run
	cfg.FS, cfg.Base = gate.Ungated(), s.base()
	gate.Add(cfg.Gate().Roots()...)
	refused := func(r reads.Read) bool {
		return r.Kind != reads.State && r.Kind != reads.Real && gate.Allow(r.Path) != nil
	}
	if slices.ContainsFunc(rec.Reads, refused) { // it had an environment
		gate.Add(cfg.EnvironmentRoots()...)
	}
}

// keep keeps a result. That this fails is no fault of the check: Close tells it.
func (s *Session) keep(key string, r *Result, l *looks) {
	if key == "" || l.log == nil || r.Exceeded || ExitCode(r.Result) == ExitInternal {
		return
	}
	if err := s.Kept.put(key, r, l); err != nil {
		s.Kept.mu.Lock()
		s.Kept.faults = errors.Join(s.Kept.faults, err)
		s.Kept.mu.Unlock()
	}
}

// put writes the record of a result, with its texts. The error says why it could not be made or written.
func (k *Kept) put(key string, r *Result, l *looks) error {
	rec, err := newKeptRun(r.Result, l.log.List())
	if err != nil {
		return err
	}
	rec.Known = r.Known
	rec.see(r)
	if len(k.texts.Forms) > 0 {
		rec.Bodies = map[string]string{}
		for _, form := range k.texts.Forms {
			rec.Bodies[form] = k.texts.Make(form, r)
		}
	}
	data, err := rec.encode()
	if err != nil {
		return err
	}
	return k.store.Put(key, data)
}
