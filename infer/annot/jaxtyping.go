package annot

// This file reads the shape strings of jaxtyping. The grammar is that of its
// documentation (docs.kidger.site/jaxtyping/api/array): axes separated by spaces,
// each a number, a name or an expression, after modifiers in any order.

import (
	"errors"
	"fmt"
	"strings"
)

// MaxAxes bounds the axes of a shape.
const MaxAxes = 64

// Jaxtyping reads a shape string. What jaxtyping refuses is an error here, too,
// in the reader's words.
func Jaxtyping(s string) (Shape, error) {
	var out Shape
	for _, text := range strings.Fields(s) {
		if len(out.Axes) == MaxAxes {
			return Shape{}, errors.New("there are too many axes")
		}
		a, err := jaxAxis(text)
		if err != nil {
			return Shape{}, err
		}
		if a.Kind == Rest && out.Rest() >= 0 {
			return Shape{}, errors.New("only one of the axes can stand for several (*name or ...)")
		}
		out.Axes = append(out.Axes, a)
	}
	return out, nil
}

// jaxAxis reads one axis as jaxtyping's documentation has it: modifiers in any order (# may be broadcast, *
// several axes, _ any size, ? another size for each leaf of a tree), then name=size, a name, or an expression.
// The refusals are those of jaxtyping; an expression that is beyond this package says nothing about the size
// instead.
func jaxAxis(text string) (Axis, error) {
	if text == "..." {
		return Axis{Kind: Rest}, nil
	}
	switch {
	case strings.Contains(text, ","):
		if !strings.Contains(text, "(") {
			return Axis{}, fmt.Errorf("axes are separated by spaces, not by commas: %q", text)
		}
	case strings.Contains(text, "..."):
		return Axis{}, fmt.Errorf("'...' stands alone: %q", text)
	case strings.HasSuffix(text, "#"):
		return Axis{}, fmt.Errorf("the # of an axis that may be broadcast comes first: %q", text)
	}
	rest := text
	seen := map[byte]bool{}
	for {
		if rest != "" && strings.IndexByte("#*_?", rest[0]) >= 0 {
			if seen[rest[0]] {
				return Axis{}, fmt.Errorf("%q has the modifier %c twice", text, rest[0])
			}
			seen[rest[0]] = true
			rest = rest[1:]
			continue
		}
		if strings.Count(rest, "=") == 1 && !strings.ContainsAny(rest, "<>!") {
			_, rest, _ = strings.Cut(rest, "=") // rows=4 is 4
			continue
		}
		break
	}
	broadcast, several, anonymous, local := seen['#'], seen['*'], seen['_'], seen['?']
	if rest == "" || IsName(rest) {
		switch {
		case anonymous && broadcast:
			return Axis{}, fmt.Errorf("an axis of any size needs no #: %q", text)
		case anonymous && several:
			return Axis{Kind: Rest}, nil
		case anonymous, local && !several:
			// The size of ?name differs between the leaves of a tree: it binds nothing.
			return Axis{Kind: Any}, nil
		case rest == "":
			return Axis{}, fmt.Errorf("a name is missing: %q", text)
		case several && local:
			return Axis{Kind: Rest}, nil
		case several:
			return Axis{Kind: Rest, Name: rest, Broadcast: broadcast}, nil
		}
		return Axis{Expr: Named(rest), Broadcast: broadcast}, nil
	}
	if several || anonymous || local {
		return Axis{}, fmt.Errorf("*, _ and ? go with names only: %q", text)
	}
	e, err := ParseExpr(rest, false)
	if err != nil { // any Python may stand here; what is not read says nothing
		return Axis{Kind: Any}, nil
	}
	if n, ok := e.Const(); ok && n < 0 {
		return Axis{}, fmt.Errorf("a size cannot be negative: %q", text)
	}
	unbound := false // an axis _name binds nothing, so that an expression of such a name has no value
	e.names(func(name string) { unbound = unbound || name[0] == '_' })
	if unbound {
		return Axis{Kind: Any}, nil
	}
	return Axis{Expr: e, Broadcast: broadcast}, nil
}
