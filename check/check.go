package check

// This file checks one entry.

import (
	"context"
	"fmt"
	"slices"
	"time"

	"shapecheck/check/record"
	"shapecheck/contract"
	"shapecheck/infer"
	"shapecheck/internal/diag"
	"shapecheck/internal/source"
	"shapecheck/internal/timing"
)

// A Target is one thing to check.
type Target struct {
	// Name is the name of a configured entry; empty where there is only one.
	Name string
	// Run says what to run. Its FS, Cache and Cancel are the session's.
	Run infer.Config
	// Weights are compared with the model's; nil: none.
	Weights *Weights
	// How says how it was found; empty: somebody asked for it.
	How string
	// Part says that it is for other models of the project, not for users.
	Part bool
	// Traces says that it is a program that has a framework trace its functions.
	Traces bool
	// Basis is how much of what it is run with is evidence.
	Basis Basis
	// Assumed are the arguments that are guesses, those of a constructor ("dim=64") before
	// those of the call ("x:f32[B,3,H,W]").
	Assumed []string
	// Guessed are all arguments that were chosen, those of a constructor before those of the call, with what they were chosen by.
	Guessed []Guessed
	// AnyRank says what the entry takes and gives where the rank of its input makes no difference; nil: it does, or nobody knows.
	AnyRank *AnyRank
	// expect is what the configuration says of the result.
	expect *expectation
}

// An AnyRank is a run with an input whose rank is not known, x:f32[*,64].
type AnyRank struct {
	Args   []string
	Result string // its type
}

// A Guessed is an argument that was chosen: what by, and where the source tells it; File is empty where nothing does. Cell is that of
// a notebook, from 1, whose lines are meant.
type Guessed struct {
	Text       string
	Basis      Basis
	Because    string
	File       string
	Cell, Line int
}

// WithoutExpectation is a copy of a target of which the configuration expects nothing.
func (t *Target) WithoutExpectation() *Target {
	out := *t
	out.expect = nil
	return &out
}

// A Result is what a check found, with the findings that are shown.
type Result struct {
	*infer.Result
	// Target is what was checked.
	Target *Target
	// OutputType is the type of the entry's result; empty when it raised.
	OutputType string
	// Unsettled says what every run with arguments that were tried came upon; empty: it ran.
	Unsettled string
	// Accepted says until when, and why, the state in which it ended is accepted; empty: it is not.
	Accepted string
	// Missing says that a module that was not found is in the way.
	Missing bool
	// Lacks are the modules that were not found.
	Lacks []string
	// Time is how long it took.
	Time time.Duration
	// Recalled says that an earlier process found this: then Result has findings and
	// counts but no values; Stored has the rest, and Texts what was kept with it.
	Recalled bool
	Texts    map[string]string
	stored   *record.Stored
	// Known are the fingerprints of the findings that the baseline hides; of an entry of a project Hidden is their number.
	Known  []string
	Hidden int
	// settled says that only findings and counts stayed (settle.go), and what Trim was told to keep
	// besides: stored, or conditions.
	settled    bool
	conditions []record.Condition
	brief      *record.Brief
	reduced    *contract.Contract // by Reduced
	ran        []*source.File     // where Reached is forgotten
	seen       *record.Interface  // by Interface
}

// Interface is what users of the entry can see of it; nil where the session did not ask for it. It is not safe for concurrent use.
func (r *Result) Interface() *record.Interface {
	if r.seen == nil && !r.Recalled && !r.settled && r.Ran != nil {
		r.seen = record.InterfaceOf(r.Result, r.Reduced())
	}
	return r.seen
}

// Stored is the record of a result of which no more is there, with the findings that are shown; nil where there is none:
// the values of the run are there, or nothing was to be kept.
func (r *Result) Stored() *record.Stored {
	if r.stored == nil {
		return nil
	}
	return r.stored.With(r.Files, r.Diagnostics)
}

// Document is the JSON document of a result in a version (nil where it was not kept); that of record.OldVersion needs its values.
func (r *Result) Document(version int) any {
	switch {
	case r.stored != nil:
		return r.Stored()
	case r.settled:
		return nil
	case version == record.OldVersion:
		return record.Old(r.Result)
	}
	return record.Short(r.Result)
}

// Reduced is the contract; nil where only findings stayed. It is not safe for concurrent use.
func (r *Result) Reduced() *contract.Contract {
	if r.stored != nil || r.settled {
		return nil
	}
	if r.reduced == nil {
		r.reduced = contract.Of(r.Result)
	}
	return r.reduced
}

// Conditions are those of the contract, as text.
func (r *Result) Conditions() []string {
	list := r.conditions
	switch {
	case r.stored != nil:
		list = r.stored.Conditions()
	case !r.settled:
		list = record.Contract(r.Result, r.Reduced())
	}
	out := make([]string, len(list))
	for i, c := range list {
		out[i] = c.Condition
	}
	return out
}

// Brief is the contract as it is shown beside the entry.
func (r *Result) Brief() *record.Brief {
	switch {
	case r.stored != nil:
		return r.stored.Brief()
	case r.settled:
		return r.brief
	}
	return record.BriefOf(r.Result, r.Reduced())
}

// Check checks an entry. An error is one of infer.Run's, that of ctx, or one of
// Target.Weights.
func (s *Session) Check(ctx context.Context, t *Target) (*Result, error) {
	start := time.Now()
	filter, err := s.filter()
	if err != nil {
		return nil, err
	}
	key, err := s.Kept.key(t, s.base(), *filter, s.Strict, s.MinTyped, s.Explore, s.Interface)
	if err != nil {
		return nil, err
	}
	if r := s.recall(key, t); r != nil {
		r.Time = time.Since(start)
		return r, nil
	}
	defer s.timeEntry(t).End()
	with := *t
	err = s.Time.Do(timing.Weights, func() (err error) { with.Run.Saved, err = t.Weights.saved(); return err })
	if err != nil {
		return nil, err
	}
	res, looks, err := s.analyse(ctx, &with)
	if err != nil {
		return nil, err
	}
	if err := s.Time.Do(timing.Weights, func() error { return t.Weights.compare(res) }); err != nil {
		return nil, err
	}
	told := s.Time.Begin(timing.Phase, timing.Findings)
	res.Diagnostics = t.withoutTies(res.Diagnostics)
	if t.Run.Entry != "" {
		res.Diagnostics = besideEntry(res.Diagnostics)
	}
	s.hold(res)
	if s.More != nil {
		s.More(res)
	}
	if res.Reached == nil { // nothing ran: comments are read all the same
		res.Reached = map[*source.File]map[int]bool{}
	}
	list, known := filter.Split(res.Files, res.Diagnostics, res.Reached)
	res.Diagnostics = list
	r := NewResult(t, res)
	r.Known, r.Hidden = known, len(known)
	told.End()
	if s.Verify {
		within, done := ctx, context.CancelFunc(func() {})
		if limit := s.Limits.Timeout; limit > 0 { // what is left of it, as for the contract
			within, done = context.WithTimeout(ctx, max(limit-time.Since(start), min(limit, ReduceTime)))
		}
		s.VerifyFixes(within, OfEntry(t), &Project{Files: r.Files, Entries: []Outcome{{Name: t.Name, Result: r}}})
		done()
	}
	s.keep(key, r, looks)
	r.Time = time.Since(start)
	return r, nil
}

// besideEntry makes infos of faults of the top level that an entry which somebody names has nothing to do with: they are the program's,
// and a run of the program has them.
func besideEntry(list []*diag.Diagnostic) []*diag.Diagnostic {
	out := slices.Clone(list)
	for i, d := range out {
		if !d.Aside || d.Severity <= diag.Info || d.Code == diag.InternalError {
			continue
		}
		x := *d
		x.Severity = diag.Info
		x.Notes = append(slices.Clone(d.Notes), "the entry does not depend on this line of the top level; --script checks the file as a program")
		out[i] = &x
	}
	return out
}

// NewResult is what a run of a target found, before any filter.
func NewResult(t *Target, res *infer.Result) *Result {
	r := &Result{Result: res, Target: t}
	if res.Output != nil {
		r.OutputType = res.Output.String()
	}
	for _, d := range res.Diagnostics {
		if d.Code == diag.UnknownModule && len(d.Args) > 0 {
			if m := fmt.Sprint(d.Args[0]); !slices.Contains(r.Lacks, m) {
				r.Lacks = append(r.Lacks, m)
			}
		}
	}
	return r
}

// analyse runs an entry and finds all that is to be said of it.
func (s *Session) analyse(ctx context.Context, t *Target) (*infer.Result, *looks, error) {
	cfg := t.Run
	looks := s.Kept.looks(s.FS)
	s.Bind(ctx, &cfg)
	cfg.FS, cfg.Explore = looks.fs, s.Explore
	start := time.Now()
	var res *infer.Result
	err := s.Time.Do(timing.Run, func() (err error) { res, err = infer.Run(cfg); return err })
	if err != nil {
		return nil, nil, ContextError(ctx, err)
	}
	if s.Explore && !res.Exceeded {
		if err := s.Time.Do(timing.Explore, func() error { return explore(ctx, cfg, res, start) }); err != nil {
			return nil, nil, ContextError(ctx, err)
		}
	}
	if !res.Exceeded {
		if err := s.Time.Do(timing.Numbers, func() error { return tryNumbers(ctx, cfg, res) }); err != nil {
			return nil, nil, err
		}
	}
	if !res.Exceeded {
		if err := s.Time.Do(timing.OpenSizes, func() error { return openSizes(ctx, cfg, res) }); err != nil {
			return nil, nil, err
		}
	}
	err = s.Time.Do(timing.Contract, func() error { return ReduceContract(ctx, res, cfg.Timeout, time.Since(start)) })
	if err != nil {
		return nil, nil, err
	}
	PlaceInProject(res)
	return res, looks, nil
}

// PlaceInProject places findings that lie in installed packages at the innermost call of the project's own code that led there: a
// change of the project shows nothing of the package's files, and mends nothing there. The place in the package is the first that leads to it.
func PlaceInProject(res *infer.Result) {
	for i, d := range res.Diagnostics {
		if !res.Foreign[res.Files.File(d.At.Start)] {
			continue
		}
		own := slices.IndexFunc(d.Related, func(r diag.Related) bool {
			f := res.Files.File(r.At.Start)
			return r.Call && f != nil && !f.Prelude && !f.Hidden && !res.Foreign[f]
		})
		if own < 0 {
			continue
		}
		x := *d
		x.At = d.Related[own].At
		x.Related = append([]diag.Related{{At: d.At, Msg: diag.FailsHere}}, slices.Delete(slices.Clone(d.Related), own, own+1)...)
		x.Fixes = slices.DeleteFunc(slices.Clone(d.Fixes), func(f diag.Fix) bool {
			return slices.ContainsFunc(f.Edits, func(e diag.Edit) bool { return res.Foreign[res.Files.File(e.At.Start)] })
		})
		res.Diagnostics[i] = &x
	}
}

// ReduceTime is what may be left for the contract of a run that took all its time.
const ReduceTime = time.Second

// ReduceContract makes the contract of the conditions that a run has met. Where that takes
// longer than what the run has left of its limit there is none. It returns an error only when ctx itself ends before
// the contract is complete.
func ReduceContract(ctx context.Context, res *infer.Result, limit, took time.Duration) error {
	within := ctx
	if limit > 0 {
		var done context.CancelFunc
		within, done = context.WithTimeout(ctx, max(limit-took, ReduceTime))
		defer done()
	}
	found, conds := slices.Clone(res.Diagnostics), res.Contract
	err := Cancellable(within, res.Pool, func() error { contract.Check(res); return nil })
	if err == nil || ctx.Err() != nil {
		return err
	}
	res.Diagnostics, res.Contract = found, conds
	DropContract(res, limit)
	return nil
}

// DropContract takes the conditions from a result that were not reduced in time, so that
// nobody begins again with them.
func DropContract(res *infer.Result, limit time.Duration) {
	conds := res.Contract
	res.Contract = nil
	if !res.Exceeded && len(conds) > 0 {
		res.Exceeded = true
		res.Diagnostics = append(res.Diagnostics, diag.New(diag.BudgetExceeded, conds[0].At,
			fmt.Sprintf("the conditions on the sizes were not reduced within %v (--timeout)", limit)))
	}
}

// HasErrors reports whether there is an error among findings.
func HasErrors(list []*diag.Diagnostic) bool {
	for _, d := range list {
		if d.Severity == diag.Error {
			return true
		}
	}
	return false
}
