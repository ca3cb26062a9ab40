package irtext

// This file reads the text form of types, which inference.Type.String writes.

import (
	"fmt"
	"strings"

	"shapecheck/onnx"
	"shapecheck/onnx/inference"
	"shapecheck/symshape"
)

const (
	// maxTypeText bounds the length of a type that is read.
	maxTypeText = 1 << 16
	// maxTypeNest bounds how deep it nests.
	maxTypeNest = 60
)

// ParseType reads a type: f32[N,3], f32[...], seq(i64[]), optional(seq(f32[...])). It returns an error if the text is
// longer than maxTypeText, nests more than maxTypeNest deep, or has an unknown element type or a size that cannot be
// parsed.
func ParseType(pool *symshape.Pool, text string) (inference.Type, error) {
	if len(text) > maxTypeText {
		return inference.Type{}, fmt.Errorf("a type of %d bytes is too long", len(text))
	}
	return parseType(pool, strings.TrimSpace(text), 0)
}

// parseType parses the text of a type: seq(...) and optional(...) of a type, "?" for an unknown one, or a
// dtype with sizes in brackets, where "..." is an unknown rank. A size is an expression over the symbols
// of pool.
func parseType(pool *symshape.Pool, s string, depth int) (inference.Type, error) {
	if depth > maxTypeNest {
		return inference.Type{}, fmt.Errorf("types nest deeper than %d", maxTypeNest)
	}
	for _, k := range []struct {
		name string
		kind onnx.TypeKind
	}{{"seq(", onnx.SequenceType}, {"optional(", onnx.OptionalType}} {
		if rest, ok := strings.CutPrefix(s, k.name); ok && strings.HasSuffix(rest, ")") {
			of, err := parseType(pool, strings.TrimSpace(rest[:len(rest)-1]), depth+1)
			return inference.Type{Kind: k.kind, Of: &of}, err
		}
	}
	if s == "?" {
		return inference.Type{}, nil
	}
	name, rest, ok := strings.Cut(s, "[")
	dims, closed := strings.CutSuffix(rest, "]")
	elem, known := onnx.DTypeOf(name)
	if name == "?" {
		known = true
	}
	if !ok || !closed || !known {
		return inference.Type{}, fmt.Errorf("%q is no type", s)
	}
	t := inference.Type{Kind: onnx.TensorType, Elem: elem}
	if dims == "..." {
		return t, nil
	}
	t.Ranked = true
	for _, d := range splitTop(dims) {
		x, err := pool.Parse(d)
		if err != nil {
			return t, fmt.Errorf("%q: %w", d, err)
		}
		if x == nil {
			return t, fmt.Errorf("%q is no size", d)
		}
		t.Dims = append(t.Dims, x)
	}
	return t, nil
}

// splitTop splits at the commas that are in no brackets. Nothing gives no parts.
func splitTop(s string) []string {
	parts := symshape.SplitList(s)
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	if len(parts) == 1 && parts[0] == "" {
		return nil
	}
	return parts
}
