package contract

// This file finds sizes that satisfy a contract: an example with the usual sizes or those next to them, and the sizes next to
// one that does not fit.
//
// An example answers "what may I pass", and a misfit "why not this". Both search: conditions can
// be any formula over divisions and roundings, so they are tried and not solved. The search
// begins with usual sizes and goes outwards, and its tries are bounded; that nothing was found
// then says nothing.

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"shapecheck/infer"
	"shapecheck/symshape"
)

// Sizes are values of symbols.
type Sizes map[string]int64

// at gives the values to an evaluation.
func (s Sizes) at(name string) (int64, bool) { n, ok := s[name]; return n, ok }

// String writes the sizes in the order of their names.
func (s Sizes) String() string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(s)) {
		parts = append(parts, fmt.Sprintf("%s=%d", name, s[name]))
	}
	return strings.Join(parts, ",")
}

// An Example is sizes that satisfy a contract.
type Example struct {
	Sizes Sizes
	// Text says those of them that somebody has to choose: "e.g. 224×224"; empty where any do.
	Text string
}

// maxTries bounds the sizes that are looked at for one example.
const maxTries = 20_000

// A search looks for sizes that satisfy conditions. symbols have bounds, a kind (batch, spatial,
// other) and a usual size.
type search struct {
	symbols []symbol
	conds   []*symshape.Cond
	// left are the tries that remain, and spare those that are kept for the second way to look.
	left, spare int
}

func newSearch(r *infer.Result, c *Contract) *search {
	s := &search{symbols: symbolsOf(r, c), left: maxTries, spare: maxTries}
	for _, x := range c.Conditions {
		s.conds = append(s.conds, x.Cond.Repeated()) // 1 is no example of a number
	}
	s.conds = append(s.conds, c.Given...)
	return s
}

// holds reports whether sizes satisfy the conditions.
func holds(conds []*symshape.Cond, env Sizes) bool {
	for _, c := range conds {
		if ok, err := c.Eval(env.at); err != nil || !ok {
			return false
		}
	}
	return true
}

// ExampleOf gives sizes that satisfy the contract of a run, the usual ones where they do; nil: none were found, or there are no
// symbols. A contract that can never be satisfied has none.
func ExampleOf(r *infer.Result, c *Contract) *Example {
	s := newSearch(r, c)
	if len(s.symbols) == 0 || c.Never {
		return nil
	}
	env := Sizes{}
	for _, x := range s.symbols {
		env[x.name] = x.usual
	}
	if !s.complete(env, nil) {
		return nil
	}
	return &Example{Sizes: env, Text: s.text(c, env)}
}

// complete changes sizes, those next to what they are first, until the conditions are satisfied; fixed ones stay. Sizes that no
// condition ties are found one after the other. env is changed in place, also where it fails.
func (s *search) complete(env Sizes, fixed Sizes) bool {
	for _, group := range s.groups() {
		if !s.completeGroup(group, env, fixed) {
			return false
		}
	}
	return holds(s.conds, env)
}

// A group are symbols that conditions tie to each other, and these conditions. Groups have no
// symbol in common, so each can be completed by itself, which keeps the search from growing
// exponentially in all symbols.
type group struct {
	symbols []symbol
	conds   []*symshape.Cond
}

// groups splits the symbols into those that conditions connect: each group can be searched by
// itself, so that the search is exponential in a group's size only.
func (s *search) groups() []*group {
	var out []*group
	for _, x := range s.symbols {
		out = append(out, &group{symbols: []symbol{x}})
	}
	for _, c := range s.conds {
		var with *group
		for _, e := range c.Symbols() {
			name, _ := e.IsSymbol()
			i := slices.IndexFunc(out, func(g *group) bool {
				return slices.ContainsFunc(g.symbols, func(x symbol) bool { return x.name == name })
			})
			switch {
			case i < 0 || out[i] == with:
			case with == nil:
				with = out[i]
			default:
				with.symbols, with.conds = append(with.symbols, out[i].symbols...), append(with.conds, out[i].conds...)
				out = slices.Delete(out, i, i+1)
			}
		}
		if with != nil {
			with.conds = append(with.conds, c)
		}
	}
	return out
}

// completeGroup tries sizes for a group: all of one kind alike, then one after the other around what they are. A size that an equation
// gives by others follows them. Spatial sizes are moved together first, as square images are what
// people expect.
func (s *search) completeGroup(g *group, env, fixed Sizes) bool {
	if holds(g.conds, env) {
		return true
	}
	var free []symbol
	follow := map[string]*symshape.Expr{}
	for _, x := range g.symbols {
		if _, is := fixed[x.name]; !is {
			free = append(free, x)
		}
	}
	for _, c := range g.conds {
		if sym, to := c.Definition(); sym != nil {
			name, _ := sym.IsSymbol()
			if i := slices.IndexFunc(free, func(x symbol) bool { return x.name == name }); i >= 0 && len(to.Symbols()) > 0 {
				follow[name], free = to, slices.Delete(free, i, i+1)
			}
		}
	}
	start := Sizes{}
	for _, x := range g.symbols {
		start[x.name] = env[x.name]
	}
	fits := func() bool {
		s.left--
		for name, to := range follow {
			n, err := to.Eval(env.at)
			if err != nil {
				return false
			}
			env[name] = n
		}
		return s.inBounds(g, env) && holds(g.conds, env)
	}
	if fits() {
		return true
	}
	return s.moveTogether(free, start, env, fits) || s.each(free, start, env, fits)
}

func (s *search) inBounds(g *group, env Sizes) bool {
	return !slices.ContainsFunc(g.symbols, func(x symbol) bool { return env[x.name] < x.lo || env[x.name] > x.hi })
}

// maxAway is how far from where they are sizes are looked for, and maxOthers for which sizes of the other symbols.
const maxAway, maxOthers = 4096, 4

// moveTogether moves the sizes of each kind together, for a few sizes of the symbols of no axis.
// The distance grows, and both directions are tried at each.
func (s *search) moveTogether(free []symbol, start, env Sizes, fits func() bool) bool {
	for away := range int64(maxAway) {
		for _, by := range [...]int64{away, -away} {
			for others := range int64(maxOthers) {
				for _, x := range free {
					if env[x.name] = start[x.name] + by; x.kind <= Batch {
						env[x.name] = start[x.name] + others
					}
				}
				if s.left <= 0 {
					return false
				}
				if fits() {
					return true
				}
			}
		}
	}
	return false
}

// each moves one size after the other, the later ones through a few values for each of the
// earlier ones. The reach shrinks with the number of symbols, as combinations are multiplied.
func (s *search) each(free []symbol, start, env Sizes, fits func() bool) bool {
	for _, x := range free {
		env[x.name] = start[x.name]
	}
	s.left += s.spare
	reach := []int64{1: maxAway, 2: 64, 3: 12}
	var walk func(i int) bool
	walk = func(i int) bool {
		if i == len(free) {
			return fits()
		}
		for away := range reach[min(len(free), 3)] {
			for _, by := range [...]int64{away, -away} {
				if env[free[i].name] = start[free[i].name] + by; s.left <= 0 {
					return false
				}
				if walk(i + 1) {
					return true
				}
			}
		}
		return false
	}
	return walk(0)
}

// text writes the sizes of an example that a condition is about, but for the batch. Two or more
// spatial axes of one grid are written as 224×224. Where all conditions are lower bounds, the
// smallest sizes say more than an example.
func (s *search) text(c *Contract, env Sizes) string {
	about := map[string]bool{}
	bounds := true // alone
	for _, x := range c.Conditions {
		for _, e := range x.Cond.Symbols() {
			name, _ := e.IsSymbol()
			about[name] = true
			lo, _, ok := x.Cond.Bound(e)
			bounds = bounds && (x.Training || ok && lo > symshape.NegInf)
		}
	}
	var shown []symbol
	for _, x := range s.symbols {
		if x.kind != Batch && about[x.name] {
			shown = append(shown, x)
		}
	}
	if len(shown) == 0 {
		return ""
	}
	grids := slices.DeleteFunc(slices.Clone(s.symbols), func(x symbol) bool {
		return x.kind != Spatial || !slices.ContainsFunc(shown, func(y symbol) bool { return y.kind == Spatial && y.grid == x.grid })
	})
	word := "e.g. "
	if least := s.smallest(c, env, shown); bounds && least != nil {
		word, env = "smallest ", least
	}
	var parts []string
	if len(grids) > 1 && !slices.ContainsFunc(grids, func(x symbol) bool { return x.grid != grids[0].grid }) {
		parts = append(parts, byNames(grids, env))
	} else {
		grids = nil
	}
	for _, x := range shown {
		if !slices.Contains(grids, x) {
			parts = append(parts, fmt.Sprintf("%s=%d", x.name, env[x.name]))
		}
	}
	return word + strings.Join(parts, ", ")
}

// smallest are the smallest sizes that satisfy a contract of lower bounds alone; nil where it asks for more, as may be for what other
// arguments need.
func (s *search) smallest(c *Contract, env Sizes, shown []symbol) Sizes {
	least := maps.Clone(env)
	for _, x := range shown {
		least[x.name] = max(x.lo, 1)
		for _, y := range c.Conditions {
			for _, e := range y.Cond.Symbols() {
				if name, _ := e.IsSymbol(); name == x.name && !y.Training {
					lo, _, _ := y.Cond.Bound(e)
					least[x.name] = max(least[x.name], lo)
				}
			}
		}
	}
	if !holds(s.conds, least) {
		return nil
	}
	return least
}

// byNames writes the sizes of axes side by side: 224×224.
func byNames(list []symbol, env Sizes) string {
	parts := make([]string, len(list))
	for i, x := range list {
		parts[i] = fmt.Sprint(env[x.name])
	}
	return strings.Join(parts, "×")
}

// A Misfit is a size that satisfies a contract with no sizes of the symbols that are free. Its
// text is made by String.
type Misfit struct {
	// Name is the symbol, and Size what it cannot be; empty: the sizes fit each by itself, but not together.
	Name string
	Size int64
	// Nearest are the next sizes below and above that fit, in ascending order; none: none is near.
	Nearest []int64
	// Breaks are the conditions that are not satisfied.
	Breaks []*symshape.Cond
}

// Misfits says what of given sizes breaks the contract of a run; none: they fit, with some sizes
// of the others. A size that fits with no values of the others is reported by itself; sizes that
// only fit together badly are reported as the last of them.
func Misfits(r *infer.Result, c *Contract, given Sizes) []Misfit {
	s := newSearch(r, c)
	if s.fit(given, maxTries) {
		return nil
	}
	var out []Misfit
	for _, x := range s.symbols {
		n, is := given[x.name]
		if is && !s.fit(Sizes{x.name: n}, maxTries) {
			out = append(out, s.misfit(x, n, nil, given))
		}
	}
	if len(out) > 0 {
		return out
	}
	for i := len(s.symbols) - 1; i >= 0; i-- { // of those that do not fit together the last one moves
		x := s.symbols[i]
		n, is := given[x.name]
		if m := s.misfit(x, n, given, given); is && len(m.Nearest) > 0 {
			return []Misfit{m}
		}
	}
	return []Misfit{{Breaks: s.broken(given)}}
}

// fit reports whether the free sizes can be chosen so that all satisfy the conditions, by so many
// tries. Fixed sizes that are out of their bounds do not fit.
func (s *search) fit(given Sizes, tries int) bool {
	env := Sizes{}
	for _, x := range s.symbols {
		if env[x.name] = x.usual; given != nil {
			if n, is := given[x.name]; is {
				env[x.name] = n
			}
		}
		if n := env[x.name]; n < x.lo || n > x.hi {
			return false
		}
	}
	s.left, s.spare = tries, tries
	return s.complete(env, given)
}

// broken are the conditions that sizes break: those on no other symbols.
func (s *search) broken(given Sizes) []*symshape.Cond {
	var out []*symshape.Cond
	for _, c := range s.conds {
		if ok, err := c.Eval(given.at); err == nil && !ok {
			out = append(out, c)
		}
	}
	return out
}

// misfit finds the sizes of a symbol next to n that fit beside those of with.
func (s *search) misfit(x symbol, n int64, with, given Sizes) Misfit {
	out := Misfit{Name: x.name, Size: n}
	for _, c := range s.broken(given) {
		if slices.ContainsFunc(c.Symbols(), func(e *symshape.Expr) bool { name, _ := e.IsSymbol(); return name == x.name }) {
			out.Breaks = append(out.Breaks, c)
		}
	}
	trial := Sizes{}
	maps.Copy(trial, with)
	for _, step := range [...]int64{-1, 1} {
		for v := n + step; v >= max(x.lo, 1) && v <= x.hi && (v-n)*step < maxAway; v += step {
			if s.sizeFits(trial, x.name, v) {
				out.Nearest = append(out.Nearest, v)
				break
			}
		}
	}
	return out
}

// nearTries bounds the sizes of the others that are looked at for one size next to one that does not fit.
const nearTries = 64

// sizeFits reports whether a size fits. What single conditions refuse needs no search.
func (s *search) sizeFits(trial Sizes, name string, v int64) bool {
	trial[name] = v
	alone := Sizes{name: v}
	for _, c := range s.conds {
		if ok, err := c.Eval(alone.at); err == nil && !ok {
			return false
		}
	}
	return s.fit(trial, nearTries)
}

// String says what does not fit: "H = 225 does not fit; nearest: 224, 256 (H % 32 == 0)".
func (m Misfit) String() string {
	text := "these sizes do not fit together"
	if m.Name != "" {
		text = fmt.Sprintf("%s = %d does not fit", m.Name, m.Size)
	}
	if len(m.Nearest) > 0 {
		var list []string
		for _, n := range m.Nearest {
			list = append(list, fmt.Sprint(n))
		}
		text += "; nearest: " + strings.Join(list, ", ")
	}
	if len(m.Breaks) > 0 {
		var list []string
		for _, c := range m.Breaks {
			list = append(list, c.String())
		}
		text += " (" + strings.Join(list, ", ") + ")"
	}
	return text
}

// Nearest are the sizes next to those that do not fit, by symbol.
func Nearest(list []Misfit) map[string][]int64 {
	out := map[string][]int64{}
	for _, m := range list {
		if m.Name != "" {
			out[m.Name] = append([]int64{}, m.Nearest...)
		}
	}
	return out
}
