package schema

// This file holds sets of types: what an input or an output may be.

import (
	"fmt"
	"math/bits"
	"strings"

	"shapecheck/onnx"
)

// DTypes is a set of element types.
type DTypes uint64

// Has reports whether d is in the set.
func (s DTypes) Has(d onnx.DType) bool { return d >= 0 && d < 64 && s>>d&1 != 0 }

// List gives the element types in the order of their numbers.
func (s DTypes) List() []onnx.DType {
	var out []onnx.DType
	for ; s != 0; s &= s - 1 {
		out = append(out, onnx.DType(bits.TrailingZeros64(uint64(s))))
	}
	return out
}

// Types is a set of types, by kind: the element types of tensors, of sequences of
// tensors, of optional tensors, of optional sequences and of sparse tensors.
type Types struct {
	Tensors, Sequences, Optionals, OptionalSequences, Sparse DTypes
	// Maps are the maps, and the sequences of maps, as their types are written in
	// operators.txt.
	Maps []string
	text string
}

// String lists the types: `f32 f64 seq(f32)`.
func (t *Types) String() string { return t.text }

// Accepts reports whether a type, as a file declares it, may be in the set. What the
// file leaves out is no reason to refuse.
func (t *Types) Accepts(x *onnx.Type) bool {
	if x == nil {
		return true
	}
	elem := func(s DTypes, of *onnx.Type) bool {
		if s == 0 || of != nil && of != x && of.Kind != onnx.TensorType && of.Kind != onnx.NoType {
			return false
		}
		return of == nil || of.Elem == onnx.Undefined || s.Has(of.Elem)
	}
	switch x.Kind {
	case onnx.NoType:
		return true
	case onnx.TensorType:
		return elem(t.Tensors, x)
	case onnx.SparseTensorType:
		return elem(t.Sparse, x)
	case onnx.SequenceType:
		if x.Of != nil && x.Of.Kind == onnx.MapType {
			return t.hasMap("seq(" + mapName(x.Of) + ")")
		}
		return elem(t.Sequences, x.Of)
	case onnx.OptionalType:
		if x.Of != nil && x.Of.Kind == onnx.SequenceType {
			return elem(t.OptionalSequences, x.Of.Of)
		}
		return elem(t.Optionals, x.Of)
	case onnx.MapType:
		return t.hasMap(mapName(x))
	}
	return false
}

func (t *Types) hasMap(name string) bool {
	for _, m := range t.Maps {
		if m == name {
			return true
		}
	}
	return false
}

func mapName(x *onnx.Type) string {
	of := onnx.Undefined
	if x.Of != nil {
		of = x.Of.Elem
	}
	return fmt.Sprintf("map(%s,%s)", x.Key, of)
}

// typesOf reads a set of types.
func typesOf(text string) (*Types, error) {
	out := &Types{text: text}
	for _, word := range strings.Fields(text) {
		set, name := &out.Tensors, word
		for _, k := range []struct {
			prefix string
			set    *DTypes
		}{{"opt(seq(", &out.OptionalSequences}, {"opt(", &out.Optionals}, {"seq(", &out.Sequences}, {"sparse(", &out.Sparse}} {
			if rest, ok := strings.CutPrefix(word, k.prefix); ok {
				set, name = k.set, strings.TrimRight(rest, ")")
				break
			}
		}
		if strings.Contains(word, "map(") {
			out.Maps = append(out.Maps, word)
			continue
		}
		d, ok := onnx.DTypeOf(name)
		if !ok {
			return nil, fmt.Errorf("%q is no type", word)
		}
		*set |= 1 << d
	}
	return out, nil
}
