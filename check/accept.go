package check

// This file says which entries ended in a state that is accepted for a time.

import (
	"fmt"
	"slices"
	"strings"

	"shapecheck/internal/source"
	"shapecheck/project/suppress"
)

// AcceptedIn is what is accepted in a file.
type AcceptedIn struct {
	File *source.File
	List []*suppress.Accepted
	// Today is the day of the check.
	Today string
}

// Accepts is what is accepted in the file of a result; nil: nothing is.
func (s *Session) Accepts(r *Result) ([]AcceptedIn, error) {
	filter, err := s.filter()
	if err != nil || r.File == nil {
		return nil, err
	}
	if list := filter.Accepts(r.File); len(list) > 0 {
		return []AcceptedIn{{r.File, list, filter.Today}}, nil
	}
	return nil, nil
}

// accept marks an entry whose state is accepted, and notes what is accepted in its file.
func (p *Project) accept(x Outcome, filter *suppress.Filter) {
	if x.Err != nil {
		return
	}
	file := x.Result.File
	if file == nil { // nothing of it ran
		list := p.Files.Files()
		i := slices.IndexFunc(list, func(f *source.File) bool { return f.Place() == x.Result.Target.Run.File })
		if i < 0 {
			return
		}
		file = list[i]
	}
	i := slices.IndexFunc(p.Accepted, func(a AcceptedIn) bool { return a.File.Place() == file.Place() })
	if i < 0 {
		list := filter.Accepts(file)
		if len(list) == 0 {
			return
		}
		i, p.Accepted = len(p.Accepted), append(p.Accepted, AcceptedIn{file, list, filter.Today})
	}
	state := strings.ReplaceAll(x.State().String(), " ", "-")
	for _, a := range p.Accepted[i].List {
		if !a.Expired(filter.Today) && a.Covers(state, x.Result.Target.Run.Entry) {
			x.Result.Accepted = fmt.Sprintf("until %s: %s", a.Until, a.Reason)
		}
	}
}

// accepted reports whether the state of an entry is accepted.
func (x *Outcome) accepted() bool { return x.Result != nil && x.Result.Accepted != "" }

// unaccepted counts the entries by their states, but for those whose state is accepted.
func (p *Project) unaccepted() (n Counts, accepted int) {
	for i := range p.Entries {
		if p.Entries[i].accepted() {
			accepted++
			continue
		}
		n[p.Entries[i].State()]++
	}
	return n, accepted
}
