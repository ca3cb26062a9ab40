package changes

// This file compares a project at two revisions: shapecheck diff. A unit is compared by running it
// at both revisions, each in its own file system, and comparing the snapshots of its entries (changes.go). Units run in
// parallel. What a run read is logged, so that an entry whose files did
// not change is run only once.

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"

	"shapecheck/check"
	"shapecheck/discover/trial"
	"shapecheck/infer"
	"shapecheck/internal/diag"
	"shapecheck/internal/reads"
	"shapecheck/present/summary"
	"shapecheck/project/config"
)

// A Comparison is of one project at two revisions: two sessions whose file systems have the same
// paths.
type Comparison struct {
	Old, New *check.Session
	// Words name what is looked at: files, folders, patterns. Without them it is the entries of the new
	// configuration, or what is found in the working directory where there are none.
	Words []string
	// Sizes are those of the amounts; may be empty.
	Sizes summary.Sizes

	// mu guards named, since units run at the same time.
	mu    sync.Mutex
	named map[string]bool // symbols of what was run
}

// note remembers the symbols of a run.
func (c *Comparison) note(r *infer.Result) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.named == nil {
		c.named = map[string]bool{}
	}
	for _, e := range r.Pool.Symbols() {
		c.named[e.String()] = true
	}
}

// sizesKnown is an error that names the sizes there are, where one of Sizes is a size of nothing
// that was run. Without any run there is no size to know.
func (c *Comparison) sizesKnown() error {
	for _, name := range slices.Sorted(maps.Keys(c.Sizes)) {
		if !c.named[name] && len(c.named) > 0 {
			return fmt.Errorf("--at %s: no entry has a size %s; there are %s", c.Sizes, name, strings.Join(slices.Sorted(maps.Keys(c.named)), ", "))
		}
	}
	return nil
}

// Differences are those of the entries that the new configuration names, and of those that are
// found in files where it names none. What an entry's run did not read at either revision otherwise is not run twice.
// entries is how many there are at either. It returns an error where the entries or files of a revision cannot be
// listed, where one of them cannot be compared, where ctx ends, or where Sizes names a size that no entry has. Only in
// the last case is there a list beside the error. w is told of each unit as it begins and ends.
func (c *Comparison) Differences(ctx context.Context, w check.Watcher) (list []*Difference, entries int, err error) {
	units, err := c.units()
	if err != nil {
		return nil, 0, err
	}
	found := make([][]*Difference, len(units))
	counts := make([]int, len(units))
	faults := make([]error, len(units))
	work := make(chan int)
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(units)) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range work {
				w.Begin(units[i].name)
				found[i], counts[i], faults[i] = c.unit(ctx, &units[i])
				w.End()
			}
		}()
	}
	for i := range units {
		work <- i
	}
	close(work)
	wg.Wait()
	for i := range units {
		list, entries = append(list, found[i]...), entries+counts[i]
	}
	Sort(list)
	if err := errors.Join(append(faults, ctx.Err())...); err != nil {
		return nil, 0, err
	}
	return list, entries, c.sizesKnown()
}

// A unit is what is run at once: an entry of the configuration, or a file. Both revisions may have
// it, or one of them.
type unit struct {
	name     string
	old, now *check.Target // of the configuration; nil: not there
	file     string        // else: a file
	inOld    bool
	inNew    bool
	same     bool // what is asked for is the same
}

// units lists what is compared: all entries of the configuration where no files are named, else the entries in those
// files and, unless discovery is off, each of the files that no entry names. An error is a word
// that names nothing at either revision, or a configuration that cannot be read.
func (c *Comparison) units() ([]unit, error) {
	if len(c.Words) == 0 && configured(c.New.Config) {
		return c.entries()
	}
	found, err := c.files()
	if err != nil || !configured(c.New.Config) {
		return found, err
	}
	inside := map[string]bool{}
	for _, u := range found {
		inside[absolute(c.New, u.file)] = true
	}
	all, err := c.entries()
	if err != nil {
		return nil, err
	}
	named := map[string]bool{}
	var out []unit
	for _, u := range all {
		among := false
		for _, t := range []*check.Target{u.old, u.now} {
			if t != nil && t.Run.File != "" {
				file := absolute(c.New, t.Run.File)
				named[file] = true
				among = among || inside[file]
			}
		}
		if among {
			out = append(out, u)
		}
	}
	if d := c.New.Config.Discover; d != nil && !*d {
		return out, nil
	}
	for _, u := range found {
		if !named[absolute(c.New, u.file)] {
			out = append(out, u)
		}
	}
	return out, nil
}

// files are the files that the words name at either revision. A file may be at one revision only.
func (c *Comparison) files() ([]unit, error) {
	words := c.Words
	if len(words) == 0 {
		words = []string{"."}
	}
	var lists [2][]string
	for i, s := range []*check.Session{c.Old, c.New} {
		for _, word := range words {
			files, err := s.Files([]string{word})
			if err != nil && i == 1 {
				if _, there := c.Old.Files([]string{word}); there != nil {
					return nil, err // at no revision
				}
			}
			lists[i] = append(lists[i], files...)
		}
		slices.Sort(lists[i])
		lists[i] = slices.Compact(lists[i])
	}
	all := slices.Concat(lists[0], lists[1])
	slices.Sort(all)
	same := text(c.Old.Config) == text(c.New.Config)
	var out []unit
	for _, f := range slices.Compact(all) {
		_, old := slices.BinarySearch(lists[0], f)
		_, now := slices.BinarySearch(lists[1], f)
		out = append(out, unit{name: f, file: f, inOld: old, inNew: now, same: same})
	}
	return out, nil
}

// A configuration without entries leaves everything to discovery.
func configured(c *config.Config) bool { return c != nil && len(c.Entries) > 0 }

// absolute is the absolute path of a file in the file system of a session. Both file systems have
// the same paths.
func absolute(s *check.Session, file string) string {
	if abs, err := reads.Or(s.FS).Abs(file); err == nil {
		return abs
	}
	return file
}

// Equal texts mean equal settings.
func text(c *config.Config) string {
	if c == nil {
		return ""
	}
	return c.Text()
}

// entries are the units of a configuration. Where the old revision has none, what the new one says
// is run there, too.
func (c *Comparison) entries() ([]unit, error) {
	now, err := c.New.Targets()
	if err != nil {
		return nil, err
	}
	before := map[string]*check.Target{}
	var order []string
	if configured(c.Old.Config) {
		list, err := c.Old.Targets()
		if err != nil {
			return nil, err
		}
		for _, t := range list {
			before[t.Name] = t
			order = append(order, t.Name)
		}
	}
	var out []unit
	for _, t := range now {
		u := unit{name: t.Name, now: t, inOld: true, inNew: true}
		if u.old = before[t.Name]; u.old == nil && !configured(c.Old.Config) {
			// Its expectations are those of the new revision and would fail at the old one.
			u.old = t.WithoutExpectation()
		}
		if u.old == nil {
			u.inOld = false
			out = append(out, u)
			continue
		}
		// The settings of the entry are the same, so that equal files give equal results.
		u.same = reflect.DeepEqual(u.old.Run, t.Run)
		delete(before, t.Name)
		out = append(out, u)
	}
	// Entries that are no longer there.
	for _, name := range order {
		if t := before[name]; t != nil {
			out = append(out, unit{name: name, old: t, inOld: true})
		}
	}
	return out, nil
}

// unit compares one unit. The new revision runs first, because its log decides whether the old one
// must run.
func (c *Comparison) unit(ctx context.Context, u *unit) ([]*Difference, int, error) {
	var lists [2][]*Snapshot
	if u.inNew {
		log := &reads.Log{FS: reads.Or(c.New.FS)}
		list, err := c.snapshots(ctx, c.New, log, u, u.now)
		if err != nil {
			return nil, 0, err
		}
		// Nothing that it read differs.
		if u.inOld && u.same && (&reads.Checker{FS: reads.Or(c.Old.FS)}).Holds(log.List()) {
			return nil, len(list), nil
		}
		lists[1] = list
	}
	if u.inOld {
		list, err := c.snapshots(ctx, c.Old, reads.Or(c.Old.FS), u, u.old)
		if err != nil {
			return nil, 0, err
		}
		lists[0] = list
	}
	return compared(lists, u.file != "")
}

// compared pairs the snapshots of a unit by their names, which are taken without arguments. A
// configured entry that could not be run before counts as not there; one that is found in the file
// is. Arguments are left out of the name, since an edit may change them; entries of one name are
// paired in their order.
func compared(lists [2][]*Snapshot, found bool) ([]*Difference, int, error) {
	type pair [2]*Snapshot
	pairs := map[string]*pair{}
	var order []string
	for i, list := range lists {
		met := map[string]int{}
		for _, s := range list {
			head, _, _ := strings.Cut(s.Name, "(")
			key := fmt.Sprint(head, " ", met[head])
			met[head]++
			if pairs[key] == nil {
				pairs[key] = &pair{}
				order = append(order, key)
			}
			pairs[key][i] = s
		}
	}
	var out []*Difference
	for _, key := range order {
		p := pairs[key]
		if p[0] != nil && p[0].Failed != "" && !found { // it is not there yet
			p[0] = nil
		}
		// Neither could be run.
		if (p[0] == nil || p[0].Failed != "") && (p[1] == nil || p[1].Failed != "") {
			continue
		}
		if d := Compare(p[0], p[1]); d != nil {
			out = append(out, d)
		}
	}
	return out, len(order), nil
}

// snapshots runs a unit at one revision. An error is one that is not the entry's own, such as the
// end of ctx.
func (c *Comparison) snapshots(ctx context.Context, s *check.Session, fsys reads.FS, u *unit, t *check.Target) ([]*Snapshot, error) {
	at := *s
	at.FS, at.Keep, at.Kept = fsys, check.KeepValues, nil
	var p *check.Project
	var err error
	if t != nil {
		p, err = at.CheckAll(ctx, []*check.Target{t}, check.Unwatched{})
	} else {
		p, err = trial.CheckFiles(ctx, &at, []string{u.file}, check.Unwatched{}, nil)
	}
	if err != nil {
		return nil, err
	}
	var out []*Snapshot
	for _, x := range p.Entries {
		file := u.file
		if t != nil {
			file = t.Run.File
		}
		name := x.Name
		if x.Err != nil {
			// A wrong use of an entry, for example a class that does not exist there, is part of
			// its snapshot.
			if _, ok := errors.AsType[*infer.UsageError](x.Err); !ok {
				return nil, x.Err
			}
			out = append(out, &Snapshot{File: s.Shown(file), Name: name, Failed: x.Err.Error()})
			continue
		}
		if why := x.WhyNot(); why != "" && x.Result.Target.How == check.ByTrial { // it was there before, maybe
			out = append(out, &Snapshot{File: s.Shown(file), Name: name, Failed: why})
			continue
		}
		var findings []*diag.Diagnostic
		for _, d := range x.Result.Diagnostics {
			if slices.Contains(p.Diagnostics, d) {
				findings = append(findings, d)
			}
		}
		// A result that was put aside is needed with its values.
		x.Result.Resume()
		c.note(x.Result.Result)
		out = append(out, Of(s.Shown(file), name, x.Result.Target.Run.Args, x.Result.Result, findings, c.Sizes))
	}
	return out, nil
}
