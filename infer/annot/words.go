package annot

// This file tells shapes from prose. A comment is taken for a shape only when
// each of its axes looks like a size; a doubtful name counts when the program
// has an integer of that name.

import "strings"

// A likeness says how much a name looks like that of a size.
type likeness uint8

const (
	doubtful likeness = iota // a size only if the program has an integer of that name
	possible                 // fits into a shape but does not make one: (h, w)
	strong                   // B, n_heads, seq_len
)

// strongName matches the names by which sizes go: B, N1, H', C_in, nW, Wh,
// n_head, num_patches, d_model, seq_len, embed_dim.
var strongName = pattern(
	`^(?:[A-Z][a-z]?[0-9]{0,2}'*(?:_\w+)?|n[A-Z]\w?|[A-Z]{2,3}|(?:n|num|d|len|max)_\w+|\w+_(?:dim|dims|size|sz|len|length|heads|channels|chans|ch|width|height|classes|features|patches|tokens|hidden)|\w+dim|\w+len)$`)

// possibleName matches what is a size only among others: b, h1, hs.
var possibleName = pattern(`^(?:[bcdehlmnpstwr][0-9]?'*|nh|hs|hd|bs|bsz|nc|ng|np|dk|dv|d[kqv]|ch|in|out)$`)

// sizeWords are the plain words for sizes. Words that mean much else, as hidden
// or size, do not make a shape by themselves: they are possible.
var sizeWords = map[string]likeness{
	"batch": strong, "batchsize": strong, "bs": strong, "bsz": strong, "minibatch": strong, "seq": strong, "seqlen": strong,
	"channels": strong, "channel": possible, "height": possible, "width": possible, "time": possible, "frames": possible,
	"tokens": possible, "token": possible, "dim": possible, "dims": possible, "hidden": possible, "embed": possible, "embedding": possible,
	"features": possible, "feature": possible, "feat": possible, "feats": possible, "heads": possible, "head": possible, "vocab": possible,
	"classes": possible, "patches": possible, "length": possible, "size": possible, "steps": possible, "nodes": possible, "edges": possible,
	"samples": possible, "points": possible, "queries": possible, "keys": possible, "depth": possible, "model": possible, "layers": possible,
	"experts": possible, "groups": possible, "grid": possible, "windows": possible, "sequence": possible, "num": possible, "slots": possible,
}

func nameLikeness(name string) likeness {
	if l, ok := sizeWords[strings.ToLower(name)]; ok {
		return l
	}
	switch {
	case strongName().MatchString(name):
		return strong
	case possibleName().MatchString(name):
		return possible
	}
	return doubtful
}

// judge gives the likeness of an axis and the names that are doubtful in it.
func (a Axis) judge() (l likeness, doubts []string) {
	l = possible
	if a.Kind != Size {
		return l, nil
	}
	a.Expr.names(func(name string) {
		switch n := nameLikeness(name); n {
		case doubtful:
			doubts = append(doubts, name)
		default:
			l = max(l, n)
		}
	})
	return l, doubts
}

// IsBatch reports whether a goes by a name of the batch axis. A shape that
// starts with it has all axes; others may leave leading ones out.
func (a Axis) IsBatch() bool {
	if a.Kind != Size || a.Expr.op != "name" {
		return false
	}
	switch strings.ToLower(strings.TrimRight(a.Expr.name, "'0123456789_")) {
	case "b", "n", "bs", "bsz", "batch", "batchsize", "batch_size", "minibatch", "num_samples", "nbatch", "n_batch", "batch_sz":
		return true
	}
	return false
}

// hedges are words that make a shape something other than a plain statement of
// what the value is: a condition, an alternative, an input, a wish.
var hedges = wordSet("if when unless or optionally optional except usually default before without instead not was previously originally " +
	"should input inputs from expects expected expect want needs need would could must may might either assuming assume eg example " +
	"todo fixme xxx hack bug otherwise maybe sometimes probably original previous takes accepts same like vs versus per each")

func wordSet(s string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(s) {
		m[w] = true
	}
	return m
}

var word = pattern(`[\p{L}_][\p{L}\p{N}_]*`)

// hedged reports whether prose beside a shape makes it doubtful.
func hedged(prose string) bool {
	if strings.ContainsAny(prose, "?") {
		return true
	}
	for _, w := range word().FindAllString(strings.ToLower(prose), -1) {
		if hedges[w] {
			return true
		}
	}
	return false
}
