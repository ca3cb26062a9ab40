package cli

// This file uses what an earlier run found: --cache.

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"shapecheck/check"
	"shapecheck/infer"
	"shapecheck/internal/cache"
	"shapecheck/internal/version"
	"shapecheck/present/report"
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

// openCache opens the results that the flags or the configuration ask for; nil when
// none do. On a CI system only the flag counts. A cache that cannot be used is no
// reason to fail: that is said, and the run goes on without.
func (a *app) openCache(f *cacheFlags, s *check.Session, texts check.Texts) (*check.Kept, error) {
	dir, conf := f.dir, s.Config
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
	kept, err := check.OpenKept(dir, version.String(), s.FS, s.Cache, texts)
	if err != nil {
		a.say("shapecheck: the cache is not used: %v", err)
		return nil, nil
	}
	return kept, nil
}

// onCI reports whether a CI system runs this; all of them set CI.
func onCI() bool {
	v := os.Getenv("CI")
	return v != "" && v != "false" && v != "0"
}

// closeCache keeps the cache small, and says when it could not be written.
func (a *app) closeCache(k *check.Kept) {
	if err := k.Close(); err != nil {
		a.say("shapecheck: the cache is not up to date: %v", err)
	}
}

// texts are the annotated sources that are kept with a result: one for each form
// that the outputs need.
func (a *app) texts(outs []output, shown shown) check.Texts {
	t := check.Texts{Key: []any{shown.all, shown.types, shown.notation, shown.verbose}}
	byForm := map[string]io.Writer{}
	for _, o := range outs {
		if o.format == "text" {
			w := a.writer(o)
			if byForm[body(w)] == nil {
				t.Forms = append(t.Forms, body(w))
			}
			byForm[body(w)] = w
		}
	}
	t.Make = func(form string, r *check.Result) string { return annotated(byForm[form], r.Result, shown) }
	return t
}

// body names the form of the text that w gets.
func body(w io.Writer) string {
	return fmt.Sprintf("colours %v, links %v, width %d", colored(w), linked(w), width(w))
}

// writer is where an output goes, as far as its colours depend on it.
func (a *app) writer(o output) io.Writer {
	if o.file == "" {
		return a.out
	}
	return &bytes.Buffer{}
}

// annotated is the text of a result.
func annotated(w io.Writer, res *infer.Result, shown shown) string {
	var b bytes.Buffer
	report.Text(&b, res, optionsFor(w, shown, nil))
	return b.String()
}

// optionsFor is how results are printed to w.
func optionsFor(w io.Writer, shown shown, marks []report.Mark) report.Options {
	st := styleOf(w)
	if shown.verbose {
		st.Places = 0
	}
	return report.Options{Style: st, Width: width(w), All: shown.all, Types: shown.types, Marks: marks,
		Seed: shown.notation == seedNotation}
}
