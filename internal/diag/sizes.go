package diag

// This file derives from the values inside a message what those who act on a finding ask of them.

import (
	"fmt"
	"slices"
	"strconv"
)

// Sizes are what the values inside a message tell of sizes and numbers, whatever its words are. They are made with the
// diagnostic, as the values themselves are not kept.
type Sizes struct {
	// Key is the same for the faults of one place that say the same. Of sizes that do not fit, what depends on the form of an
	// input is left out: types, axes, and which symbols the sizes are made of. Numbers stay: where they are the same for every
	// form, they are the program's own.
	Key uint64 `json:",omitempty"`
	// Symbols are those of the sizes and types, each once.
	Symbols []string `json:",omitempty"`
	// Numbered says that a size, or another number that is no axis, is a number and stands by itself: not in a type.
	Numbered bool `json:",omitempty"`
	// Empty says that a tensor without elements takes part, or a list without.
	Empty bool `json:",omitempty"`
	// Negative says that a number is negative, or that the only number is 0, where a positive one is needed.
	Negative bool `json:",omitempty"`
}

// A Size among the values of a message is a size that stands by itself.
type Size interface {
	// Const is the number that it is, if it is one.
	Const() (int64, bool)
	// SymbolNames are the symbols of which it is made otherwise.
	SymbolNames() []string
	// Outline is the same for sizes that differ in the names of symbols alone.
	Outline() uint64
}

// Values of a message that have sizes: those of shaped ones are parts of a type or a shape, those of listed ones stand by themselves.
type (
	shaped interface {
		EachSize(do func(n int64, isNumber bool, symbols []string))
	}
	listed interface {
		EachListed(do func(Size))
	}
)

// A Count among the values of a message is how many elements a list has.
type Count int

// A Counted among the values of a message is a number with the noun that it counts: "2 dimensions".
type Counted struct {
	N    int
	Noun string // in the singular; the plural takes an s
}

func (c Counted) String() string {
	if c.N == 1 {
		return "1 " + c.Noun
	}
	return fmt.Sprintf("%d %ss", c.N, c.Noun)
}

// sizesOf derives what a message tells: form is what its statement is told by, with values in place of its verbs.
func sizesOf(code Code, form string, values []any) Sizes {
	var s Sizes
	r := sizeReader{out: &s, formless: code == ShapeMismatch || code == InvalidSize, ranks: code == RankMismatch}
	key := keyStart.add(string(code)).add(form)
	for _, v := range values {
		part, all := r.read(v)
		if text, ok := v.(string); ok {
			part = text
		} else if all {
			part = fmt.Sprint(v)
		}
		key = key.add("\x00").add(part)
	}
	s.Key = uint64(key)
	s.Negative = s.Negative || r.numbers == 1 && r.zeros == 1 && !r.shapes
	return s
}

// A keyHash is FNV-1a of texts. Programs raise many exceptions that they catch, so that it allocates nothing.
type keyHash uint64

const keyStart, keyPrime keyHash = 14695981039346656037, 1099511628211

func (h keyHash) add(text string) keyHash {
	for i := range len(text) {
		h = (h ^ keyHash(text[i])) * keyPrime
	}
	return h
}

// A sizeReader reads the values of a message.
type sizeReader struct {
	out      *Sizes
	formless bool // the key leaves the form of inputs out
	ranks    bool // plain integers are numbers of dimensions, which an operation needs
	numbers  int
	zeros    int
	shapes   bool // a type or a shape is among them
}

// read notes what a value tells. Its part of the key is the text, or all that it prints.
func (r *sizeReader) read(v any) (part string, all bool) {
	switch v := v.(type) {
	case Size:
		part = r.size(v)
		return part, !r.formless
	case listed:
		v.EachListed(func(x Size) { part += r.size(x) + " " })
		return part, !r.formless
	case shaped:
		r.shapes = true
		v.EachSize(func(n int64, isNumber bool, symbols []string) {
			r.out.Empty = r.out.Empty || isNumber && n == 0
			r.symbols(symbols)
		})
		return "", !r.formless
	case int: // an axis or another position, a number of dimensions
		r.out.Numbered = r.out.Numbered || r.ranks
		return "", !r.formless
	case Counted:
		r.out.Numbered = r.out.Numbered || r.ranks
		return "", !r.formless
	case Count:
		r.out.Numbered = true
		r.out.Empty = r.out.Empty || v == 0
	case int64:
		r.number(v)
	case float64:
		r.out.Numbered = true
		r.sign(v)
	}
	return "", true
}

// size notes a size that stands by itself.
func (r *sizeReader) size(x Size) string {
	if n, ok := x.Const(); ok {
		r.number(n)
		return strconv.FormatInt(n, 10)
	}
	r.symbols(x.SymbolNames())
	return "~" + strconv.FormatUint(x.Outline(), 16)
}

func (r *sizeReader) number(n int64) {
	r.out.Numbered = true
	r.sign(float64(n))
}

func (r *sizeReader) sign(n float64) {
	r.numbers++
	if n == 0 {
		r.zeros++
	}
	r.out.Negative = r.out.Negative || n < 0
}

func (r *sizeReader) symbols(names []string) {
	for _, name := range names {
		if !slices.Contains(r.out.Symbols, name) {
			r.out.Symbols = append(r.out.Symbols, name)
		}
	}
}
