package check

// This file uses what an earlier process discovered in a file, while every look at the file system gives what it gave then, and the
// files around answer what was asked of them as they did.

import (
	"encoding/json"
	"errors"
	"slices"

	"shapecheck/check/record"
	srctext "shapecheck/discover/text"
	"shapecheck/infer"
	"shapecheck/internal/cache"
	"shapecheck/internal/reads"
)

// A keptFound is a Discovery as it is kept.
type keptFound struct {
	Reads    []reads.Read // of the runs
	Survey   *srctext.Survey
	Entries  []keptEntry
	Comments *keptRun // with the findings of no entry
	WhyNot   string
	Idle     bool
	Untried  int
	Runs     int
}

// A keptEntry is an Outcome as it is kept.
type keptEntry struct {
	Name, How, Entry, Call string
	Args, Assumed, Lacks   []string
	Script                 bool // it is the file, as a program without arguments
	Eval, Part, Traces     bool
	Guessed                []Guessed
	AnyRank                *AnyRank
	Basis                  Basis
	Unsettled              string
	Missing, Exceeded      bool
	Run                    *keptRun // without the looks of the run, which are those of the discovery
	Conditions             []record.Condition
	Brief                  *record.Brief
}

// foundKey is the key of what is discovered in a file; empty: it is not kept.
func (s *Session) foundKey(file string) (string, error) {
	if s.Kept == nil || s.Keep == KeepValues {
		return "", nil
	}
	return cache.Key(s.Kept.version, "discovery", s.FileConfig(file), s.abs(file), s.abs("."), s.base(), s.Keep, s.Interface)
}

// Logged is a session that notes its looks at files, for KeepFound, and keeps no entries by themselves.
func (s *Session) Logged() (*Session, *reads.Log) {
	c, log := *s, &reads.Log{FS: s.FS}
	c.FS, c.Kept = log, nil
	return &c, log
}

// RecallFound finds what was discovered in a file and is still right; nil where there is nothing. Still reports whether what was asked
// of the files around has the same answers; unchanged says that those of them that were read are as they were.
func (s *Session) RecallFound(file string, still func(v *srctext.Survey, unchanged bool) bool) *Discovery {
	key, err := s.foundKey(file)
	if err != nil || key == "" {
		return nil
	}
	data, ok := s.Kept.store.Get(key)
	if !ok {
		return nil
	}
	rec := &keptFound{}
	if json.Unmarshal(data, rec) != nil || !rec.isWhole() {
		return nil // as good as none
	}
	s.allowReads(&Target{Run: s.FileConfig(file)}, &keptRun{Reads: rec.Reads})
	check := &s.Kept.loader.Checker
	if !check.Holds(rec.Reads) || !still(rec.Survey, check.Holds(rec.Survey.Reads)) {
		return nil
	}
	d := &Discovery{File: file, WhyNot: rec.WhyNot, Idle: rec.Idle, Untried: rec.Untried, Runs: rec.Runs}
	comments, err := s.Kept.loader.load(rec.Comments)
	if err != nil {
		return nil
	}
	d.Diagnostics = comments.Diagnostics
	for i := range rec.Entries {
		e := &rec.Entries[i]
		res, err := s.Kept.loader.load(e.Run)
		if err != nil {
			return nil
		}
		res.Exceeded = e.Exceeded
		t := &Target{Name: e.Name, How: e.How, Part: e.Part, Basis: e.Basis, Assumed: e.Assumed, Guessed: e.Guessed, AnyRank: e.AnyRank,
			Traces: e.Traces, Run: s.FileConfig(file)}
		t.Run.Entry, t.Run.Call, t.Run.Args, t.Run.Eval = e.Entry, e.Call, e.Args, e.Eval
		if e.Script {
			t.Run.Script = []string{}
		}
		r := &Result{Result: res, Target: t, OutputType: e.Run.Output, Unsettled: e.Unsettled, Missing: e.Missing, Lacks: e.Lacks,
			Recalled: true, stored: e.Run.Document, conditions: e.Conditions, brief: e.Brief, settled: e.Run.Document == nil,
			seen: e.Run.seen()}
		d.Entries = append(d.Entries, Outcome{Name: e.Name, Result: r})
	}
	return d
}

// KeepFound keeps what a session made by Logged discovered in a file, with its log. That this fails is no fault of the check: Kept.Close
// tells it.
func (s *Session) KeepFound(file string, d *Discovery, log *reads.Log) {
	key, err := s.foundKey(file)
	if key == "" || d.Timed || d.Crowded || d.Survey == nil {
		s.Kept.note(err)
		return
	}
	rec := &keptFound{Reads: log.List(), Survey: d.Survey, WhyNot: d.WhyNot, Idle: d.Idle, Untried: d.Untried, Runs: d.Runs}
	if rec.Comments, err = newKeptFindings(&infer.Result{Files: s.Parsed().Files(), Diagnostics: d.Diagnostics}, rec.Reads); err != nil {
		s.Kept.note(err)
		return
	}
	for i := range d.Entries {
		x := &d.Entries[i]
		if x.Err != nil || x.Result.Exceeded && x.Result.Target.How != ByTrial || ExitCode(x.Result.Result) == ExitInternal {
			return
		}
		e, err := newKeptEntry(x, s.Keep, rec.Reads)
		if err != nil {
			s.Kept.note(err)
			return
		}
		rec.Entries = append(rec.Entries, *e)
	}
	data, err := encodeRecord(rec)
	if err == nil {
		err = s.Kept.store.Put(key, data)
	}
	s.Kept.note(err)
}

// isWhole reports whether a record that was read has all that there is in one: anybody may have written it.
func (r *keptFound) isWhole() bool {
	return r.Survey != nil && !slices.Contains(r.Survey.Questions, nil) && r.Comments.isWhole() &&
		!slices.ContainsFunc(r.Entries, func(e keptEntry) bool { return !e.Run.isWhole() })
}

// newKeptEntry makes the record of an entry, of whose result stays what k says.
func newKeptEntry(x *Outcome, k Keep, looks []reads.Read) (*keptEntry, error) {
	if err := x.Result.Trim(k); err != nil {
		return nil, err
	}
	r, t := x.Result, x.Result.Target
	e := &keptEntry{Name: x.Name, How: t.How, Entry: t.Run.Entry, Call: t.Run.Call, Args: t.Run.Args, Assumed: t.Assumed, Lacks: r.Lacks,
		Script: t.Run.Script != nil, Eval: t.Run.Eval, Part: t.Part, Basis: t.Basis, Guessed: t.Guessed, AnyRank: t.AnyRank, Traces: t.Traces, Unsettled: r.Unsettled, Missing: r.Missing,
		Exceeded: r.Exceeded, Conditions: r.conditions, Brief: r.brief}
	run, err := newKeptFindings(r.Result, looks)
	if err != nil {
		return nil, err
	}
	run.Reads, run.Output, run.Document = nil, r.OutputType, r.stored
	run.see(x.Result)
	e.Run = run
	return e, nil
}

// note keeps an error that Close tells.
func (k *Kept) note(err error) {
	if k == nil || err == nil {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.faults = errors.Join(k.faults, err)
}
