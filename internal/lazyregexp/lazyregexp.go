// Package lazyregexp has regular expressions that are compiled when they are used for the first time: a start of the
// program, in the browser too, does not wait for those that it does not use.
//
//   - lazyregexp.go: the expressions and their methods
package lazyregexp

import (
	"regexp"
	"sync"
)

// A Regexp is a regular expression; its methods are those of regexp.Regexp. It is safe for concurrent use.
type Regexp struct{ get func() *regexp.Regexp }

// New is the expression of a pattern. One that is wrong panics when it is used.
func New(pattern string) *Regexp {
	return &Regexp{sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })}
}

// MatchString reports whether s contains a match.
func (r *Regexp) MatchString(s string) bool { return r.get().MatchString(s) }

// Find returns the bytes of the first match; nil: there is none.
func (r *Regexp) Find(b []byte) []byte { return r.get().Find(b) }

// FindAllString returns the texts of the first n matches; -1: of all.
func (r *Regexp) FindAllString(s string, n int) []string { return r.get().FindAllString(s, n) }

// FindStringSubmatch returns the texts of the first match and of its groups; nil: there is none.
func (r *Regexp) FindStringSubmatch(s string) []string { return r.get().FindStringSubmatch(s) }

// FindStringSubmatchIndex gives the places of what FindStringSubmatch finds.
func (r *Regexp) FindStringSubmatchIndex(s string) []int { return r.get().FindStringSubmatchIndex(s) }

// FindAllStringSubmatch is FindStringSubmatch of the first n matches; -1: of all.
func (r *Regexp) FindAllStringSubmatch(s string, n int) [][]string {
	return r.get().FindAllStringSubmatch(s, n)
}

// FindAllStringSubmatchIndex gives the places of what FindAllStringSubmatch finds.
func (r *Regexp) FindAllStringSubmatchIndex(s string, n int) [][]int {
	return r.get().FindAllStringSubmatchIndex(s, n)
}

// ReplaceAllString replaces all matches; $1 stands for the first group.
func (r *Regexp) ReplaceAllString(s, by string) string { return r.get().ReplaceAllString(s, by) }

// ReplaceAllStringFunc replaces each match by what f gives for it.
func (r *Regexp) ReplaceAllStringFunc(s string, f func(string) string) string {
	return r.get().ReplaceAllStringFunc(s, f)
}
