package trial

// This file names the axes of inputs by what the code does with them: an image that is permuted first is f32[H,W,3].

import (
	"maps"
	"slices"
	"strings"

	srctext "shapecheck/discover/text"
	"shapecheck/infer/graph"
	"shapecheck/infer/ops/catalog"
	"shapecheck/infer/value"
)

// spatialLetters are the letters of axes that windows go over, by their number.
var spatialLetters = [...][]string{1: {"T"}, 2: {"H", "W"}, 3: {"D", "H", "W"}}

// lettersOf are the letters of the axes of the first argument of a call that takes one rank; nil: it is another call.
func lettersOf(name string, in []value.Value, rank int) []string {
	op, ok := catalog.Lookup(name)
	switch n := 0; {
	case !ok:
		return nil
	case op.Spatial > 0 && int(op.Spatial) < len(spatialLetters):
		n = int(op.Spatial)
		return map[int][]string{n + 2: append([]string{"B", srctext.ChannelSymbol}, spatialLetters[n]...),
			n + 1: append([]string{srctext.ChannelSymbol}, spatialLetters[n]...)}[rank]
	case op.Form == graph.Recurrent && rank == 3 && len(in) > 0:
		switch first, known := in[len(in)-1].(value.Bool); {
		case !known:
			return nil
		case bool(first):
			return []string{"B", "T", srctext.ChannelSymbol}
		}
		return []string{"T", "B", srctext.ChannelSymbol}
	}
	return nil
}

// roles are the letters for symbols of the inputs by the first call that takes one rank of tensors.
func (t *trial) roles() map[string]string {
	out := map[string]string{}
	for _, call := range t.res.Ops {
		if len(call.In) == 0 || len(out) > 0 {
			continue
		}
		x, ok := call.In[0].(*value.Tensor)
		if !ok || !x.V.Type.Ranked {
			continue
		}
		shape := x.V.Type.Shape
		if len(shape) == 0 {
			continue
		}
		if rows, ok := shape[0].Const(); ok && rows > 1 {
			continue // of the program's own: where the batch should be is none
		}
		for i, letter := range lettersOf(call.Name, call.In, len(shape)) {
			if shape[i].Expr == nil {
				continue
			}
			if name, ok := shape[i].Expr.IsSymbol(); ok && out[name] == "" {
				out[name] = letter
			}
		}
	}
	return out
}

// renamed are the arguments of the best run with the letters that its code gives their axes; ok is false where these are the same, where
// an argument is no tensor, or where the first axis is another one than the batch: a caller may give time first, but a guess does not.
func (t *trial) renamed() (args []string, ok bool) {
	var symbols []string
	sizes := make([][]string, len(t.fill.args))
	for i, a := range t.fill.args {
		name, typ, isType := strings.Cut(a, ":")
		if strings.Contains(name, "=") {
			return nil, false // a list or a dictionary
		}
		if f := t.fill; string(f.file.Shape(f.class, name)) == typ || i < len(f.inputs) && f.inputs[i] != "" {
			return nil, false // the letters are the program's
		}
		at := strings.IndexByte(typ, '[')
		if !isType || at <= 0 || strings.ContainsAny(typ, "{(*") || strings.Count(typ, "[") != 1 || !strings.HasSuffix(typ, "]") {
			return nil, false
		}
		sizes[i] = strings.Split(typ[at+1:len(typ)-1], ",")
		for _, s := range sizes[i] {
			if isSymbol(s) && !slices.Contains(symbols, s) {
				symbols = append(symbols, s)
			}
		}
	}
	roles := t.roles()
	batch := slices.Contains(slices.Collect(maps.Values(roles)), "B")
	for _, list := range sizes {
		if role := roles[list[0]]; batch && role != "" && role != "B" {
			return nil, false
		}
	}
	for _, list := range sizes { // the letters of another input stay its own
		if slices.ContainsFunc(list, func(s string) bool {
			return roles[s] != "" && slices.Contains(symbols, roles[s]) && !slices.Contains(list, roles[s])
		}) {
			roles = nil
		}
	}
	to, taken := map[string]string{}, map[string]bool{}
	for _, s := range symbols {
		if role := roles[s]; role != "" && !taken[role] {
			to[s], taken[role] = role, true
		}
	}
	for _, s := range symbols {
		if to[s] != "" {
			continue
		}
		for _, letter := range append([]string{s}, symbols...) {
			if to[s] == "" && !taken[letter] {
				to[s], taken[letter] = letter, true
			}
		}
	}
	for i, a := range t.fill.args {
		for k, s := range sizes[i] {
			if x := to[s]; x != "" {
				ok = ok || x != s
				sizes[i][k] = x
			}
		}
		head, _, _ := strings.Cut(a, "[")
		args = append(args, head+"["+strings.Join(sizes[i], ",")+"]")
	}
	return args, ok
}

// relettered is the best run with the axes of its inputs called by what the code does with them; the best itself where they are already, or
// where the run is not as good with other letters.
func (t *trial) relettered(run func(choice) (*trial, error)) (*trial, error) {
	args, ok := t.renamed()
	if !ok {
		return t, nil
	}
	c := t.fill.choice
	c.channels, c.given = "", map[string]string{}
	for _, a := range args {
		name, _, _ := strings.Cut(a, ":")
		c.given[name] = a
	}
	best := t
	for range 2 {
		r, err := run(c)
		if err != nil {
			return nil, err
		}
		if !r.clean() || r.res.Open > best.res.Open || len(r.fill.args) != len(args) {
			break
		}
		best = r
		if r.channels == "" {
			break
		}
		for name, a := range c.given { // which layers decide
			c.given[name] = srctext.WithChannels(a, r.channels)
		}
	}
	if best != t {
		best.basis, best.open = t.basis, t.open
		best.fill.argWhy, best.fill.evident, best.fill.formed = t.fill.argWhy, t.fill.evident, t.fill.formed
	}
	return best, nil
}

// isSymbol reports whether a size is a name.
func isSymbol(size string) bool { return size != "" && (size[0] >= 'A' && size[0] <= 'Z') }
