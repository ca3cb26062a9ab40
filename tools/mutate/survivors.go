package main

// This file keeps the list of mutants that are known to survive.

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
)

// survivorsFile is the list, as it is named from the root of the repository.
const survivorsFile = "tools/mutate/survivors.txt"

// A survivors is the list and what a run found of it.
type survivors struct {
	head  string // the comment
	known map[string]bool
	found map[string]bool   // survived in this run, by key
	lost  map[string]string // why a listed one is none any more, by key
}

// readSurvivors reads the list: a comment, then a key on each line. A line that is no key, or is there twice, is an error.
func readSurvivors(text string) (*survivors, error) {
	s := &survivors{known: map[string]bool{}, found: map[string]bool{}, lost: map[string]string{}}
	for i, line := range strings.Split(text, "\n") {
		switch {
		case line == "":
		case strings.HasPrefix(line, "#"):
			s.head += line + "\n"
		case strings.Count(line, "\t") != keyColumns-1 || s.known[line]:
			return nil, fmt.Errorf("%s:%d: expected file, function, change and line of a mutant that is not listed yet, with tabs between them",
				survivorsFile, i+1)
		default:
			s.known[line] = true
		}
	}
	return s, nil
}

// look notes which of the listed mutants of a folder's files are not among those that the folder has.
func (s *survivors) look(dir string, all []mutant) {
	there := map[string]bool{}
	for _, m := range all {
		there[m.key()] = true
	}
	for key := range s.known {
		file, _, _ := strings.Cut(key, "\t")
		if at := strings.LastIndexByte(file, '/'); at >= 0 && file[:at] == dir && !there[key] {
			s.lost[key] = "is not in the code any more"
		}
	}
}

// note takes an outcome.
func (s *survivors) note(m mutant, outcome string) {
	switch key := m.key(); {
	case outcome == survived:
		s.found[key] = true
	case outcome == killed && s.known[key]:
		s.lost[key] = "is killed"
	}
}

// added lists those that survived and are not listed, in order.
func (s *survivors) added() []string {
	var out []string
	for key := range s.found {
		if !s.known[key] {
			out = append(out, key)
		}
	}
	slices.Sort(out)
	return out
}

// differences says what the list lacks and what it has too much; fresh are those that it lacks.
func (s *survivors) differences() (fresh, stale []string) {
	for _, key := range s.added() {
		fresh = append(fresh, "+"+key)
	}
	for key, why := range s.lost {
		stale = append(stale, "-"+key+"\t"+why)
	}
	slices.Sort(stale)
	return fresh, stale
}

// text is the list with what the run found.
func (s *survivors) text() []byte {
	list := s.added()
	for key := range s.known {
		if s.lost[key] == "" {
			list = append(list, key)
		}
	}
	slices.Sort(list)
	var b bytes.Buffer
	b.WriteString(s.head)
	for _, key := range list {
		b.WriteString(key + "\n")
	}
	return b.Bytes()
}

// write rewrites the file.
func (s *survivors) write() error { return os.WriteFile(survivorsFile, s.text(), 0o666) }
