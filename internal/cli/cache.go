package cli

// This file uses what an earlier run found: --cache.

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"shapecheck/infer"
	"shapecheck/internal/cache"
	"shapecheck/internal/config"
	"shapecheck/internal/contract"
	"shapecheck/internal/diag/render/text"
	"shapecheck/internal/reads"
	"shapecheck/internal/report"
	"shapecheck/internal/source"
	"shapecheck/internal/suppress"
)

type cacheFlags struct {
	dir string
	off bool
}

func (f *cacheFlags) flags(c *cobra.Command) {
	s := c.Flags()
	s.StringVar(&f.dir, "cache", "", "use results of earlier runs while all files are as they were; they are kept in this folder")
	s.Lookup("cache").NoOptDefVal = cache.DirName
	s.BoolVar(&f.off, "no-cache", false, "keep and use no results, whatever the configuration says")
}

// A memory is the cache of a run. A nil *memory remembers nothing.
type memory struct {
	store  *cache.Store
	loader *cache.Loader
}

// open opens the cache that the flags or the configuration ask for; nil when
// none do. On a CI system only the flag counts. A cache that cannot be used is no
// reason to fail: that is said, and the run goes on without.
func (a *app) openCache(f *cacheFlags, conf *config.Config, fs *source.FileSet) (*memory, error) {
	dir := f.dir
	switch {
	case f.off && dir != "":
		return nil, errors.New("give either --cache or --no-cache")
	case f.off:
		return nil, nil
	case dir == "" && conf != nil && !onCI():
		dir = conf.Cache
	}
	if dir == "" {
		return nil, nil
	}
	if conf != nil && (f.dir == "" || f.dir == cache.DirName) && !filepath.IsAbs(dir) {
		dir = filepath.Join(filepath.Dir(conf.File()), dir)
	}
	store, err := cache.Open(dir)
	if err != nil {
		a.say("shapecheck: the cache is not used: %v", err)
		return nil, nil
	}
	return &memory{store, &cache.Loader{Files: fs}}, nil
}

// onCI reports whether a CI system runs this; all of them set CI.
func onCI() bool {
	v := os.Getenv("CI")
	return v != "" && v != "false" && v != "0"
}

// key is the key of a run and of what else its record depends on.
func (m *memory) key(cfg infer.Config, more ...any) (string, error) {
	if m == nil {
		return "", nil
	}
	cfg.Cache, cfg.Reads = nil, nil
	return cache.Key(Version, append([]any{cfg}, more...)...)
}

// recall finds a record that still holds, with the part of the result that it
// keeps.
func (m *memory) recall(key string) (*cache.Record, *infer.Result) {
	if m == nil {
		return nil, nil
	}
	data, ok := m.store.Get(key)
	if !ok {
		return nil, nil
	}
	rec, err := cache.Decode(data)
	if err != nil {
		return nil, nil // as good as none
	}
	res, err := m.loader.Load(rec)
	if err != nil {
		return nil, nil
	}
	return rec, res
}

// keep makes the record of a run; edit may add to it.
func (m *memory) keep(key string, res *infer.Result, looks []reads.Read, edit func(*cache.Record)) error {
	if m == nil || exitCode(res, false) == exitInternal {
		return nil
	}
	rec, err := cache.NewRecord(res, looks)
	if err != nil {
		return err
	}
	if edit != nil {
		edit(rec)
	}
	data, err := rec.Encode()
	if err != nil {
		return err
	}
	return m.store.Put(key, data)
}

// close keeps the cache small, and says when it could not be written.
func (a *app) closeCache(m *memory, err error) {
	if m == nil {
		return
	}
	if err := errors.Join(err, m.store.Close()); err != nil {
		a.say("shapecheck: the cache is not up to date: %v", err)
	}
}

// run runs a configured entry, or brings back what an earlier run found.
func (x *checked) run(cfg infer.Config, m *memory, log *reads.Log) error {
	key, err := m.key(cfg)
	if err != nil {
		return err
	}
	if rec, res := m.recall(key); rec != nil {
		x.res, x.output, x.stored, x.cached = res, rec.Output, rec.Document, true
		log.Add(rec.Reads)
		return nil
	}
	own := &reads.Log{}
	cfg.Reads = own
	x.res, x.err = infer.Run(cfg)
	log.Add(own.List())
	if x.err != nil {
		return nil
	}
	contract.Check(x.res)
	if x.res.Output != nil {
		x.output = x.res.Output.String()
	}
	return m.keep(key, x.res, own.List(), nil)
}

// checkCached checks one entry with a cache.
func (a *app) checkCached(r *checkRun, outs []output, filter *suppress.Filter, mem *memory, start time.Time) error {
	key, err := mem.key(r.cfg, *filter, width(), r.all)
	if err != nil {
		return err
	}
	if rec, res := mem.recall(key); rec != nil && rec.Prints(a.bodies(outs)) {
		a.reads.Add(rec.Reads)
		a.code = exitCode(res, r.strict)
		f := &findings{
			files: res.Files, list: res.Diagnostics,
			text: func(w io.Writer) error {
				_, err := fmt.Fprintf(w, "%s\n%s, cached\n", rec.Bodies[body(w)], report.Tally(res))
				return err
			},
			json: func(w io.Writer) error { return printJSON(w, rec.Document.With(res.Files, res.Diagnostics)) },
		}
		if err := a.write(outs, f); err != nil {
			return err
		}
		return a.finish(&r.filters, res.Files, res.Diagnostics)
	}
	own := &reads.Log{}
	r.cfg.Reads = own
	res, err := checker(filter)(r.cfg)
	a.reads.Add(own.List())
	if err != nil {
		return err
	}
	a.code = exitCode(res, r.strict)
	a.closeCache(mem, mem.keep(key, res, own.List(), func(rec *cache.Record) {
		rec.Bodies = map[string]string{}
		for _, o := range outs {
			if o.format == "text" {
				w := a.writer(o)
				rec.Bodies[body(w)] = annotated(w, res, r.all)
			}
		}
	}))
	if err := a.write(outs, a.findings(res, r.all, start)); err != nil {
		return err
	}
	return a.finish(&r.filters, res.Files, res.Diagnostics)
}

// body names the form of the text that w gets.
func body(w io.Writer) string {
	if colored(w) {
		return "coloured"
	}
	return "plain"
}

// bodies are the forms of the text that the outputs need.
func (a *app) bodies(outs []output) []string {
	var list []string
	for _, o := range outs {
		if o.format == "text" {
			list = append(list, body(a.writer(o)))
		}
	}
	return list
}

// writer is where an output goes, as far as its colours depend on it.
func (a *app) writer(o output) io.Writer {
	if o.file == "" {
		return a.out
	}
	return &bytes.Buffer{}
}

// annotated is the text of a result.
func annotated(w io.Writer, res *infer.Result, all bool) string {
	var b bytes.Buffer
	report.Text(&b, res, report.Options{Style: text.Style{Color: colored(w)}, Width: width(), All: all})
	return b.String()
}
