package value

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"slices"
	"strings"
	"testing"
)

// texts are the texts among the values of a walk: the cases mark their parts with them.
func texts(v Value, depth int, which Parts) string {
	var out []string
	for x := range Walk(v, depth, which) {
		if s, ok := x.(Str); ok {
			out = append(out, string(s))
		}
	}
	return strings.Join(out, " ")
}

func attrsOf(h *Heap, vals ...string) *Attrs {
	a := h.NewAttrs()
	for _, s := range vals {
		a.Set(h, "name_"+s, Str(s))
	}
	return a
}

// partCases has a value of each kind that has parts, with all of them set to texts.
func partCases(h *Heap) map[string][]partCase {
	open := &Open{Key: Str("ok"), Elem: Str("oe")}
	list := h.NewList([]Value{Str("a"), Str("b")})
	list.Open, list.Attrs = open, attrsOf(h, "x")
	dict := h.NewDict()
	dict.SetStr(h, "k1", Str("v1"))
	dict.SetStr(h, "k2", Str("v2"))
	dict.Open, dict.Attrs, dict.Factory = open, attrsOf(h, "x"), Str("f")
	set := h.NewSet()
	set.Add(h, "a", Str("a"))
	set.Add(h, "b", Str("b"))
	set.Open, set.Attrs = open, attrsOf(h, "x")
	inst := h.NewInstance(&Class{Name: "C"})
	inst.Attrs, inst.Payload = attrsOf(h, "x", "y"), Str("p")
	return map[string][]partCase{
		"Tuple": {{&Tuple{Elems: []Value{Str("a"), Str("b")}, Attrs: attrsOf(h, "x")}, TupleElems, "a b"},
			{&Tuple{Attrs: attrsOf(h, "x")}, Others, "x"}},
		"List":         {{list, ListElems, "a b"}, {list, OpenElems, "oe"}, {list, AllParts, "a b ok oe x"}},
		"Dict":         {{dict, DictKeys, "k1 k2"}, {dict, DictValues, "v1 v2"}, {dict, AllParts, "k1 k2 v1 v2 ok oe x f"}},
		"Set":          {{set, SetElems, "a b"}, {set, AllParts, "a b ok oe x"}},
		"Instance":     {{inst, Attributes, "x y"}, {inst, Payloads, "p"}},
		"Choice":       {{&Choice{Then: Str("t"), Else: Str("e")}, Sides, "t e"}},
		"Range":        {{&Range{Str("a"), Str("b"), Str("c")}, Bounds, "a b c"}},
		"Slice":        {{&Slice{Start: Str("a"), Stop: Str("b"), Step: Str("c")}, Bounds, "a b c"}},
		"Class":        {{&Class{Attrs: attrsOf(h, "x")}, Others, "x"}},
		"Module":       {{&Module{Attrs: attrsOf(h, "x")}, Others, "x"}},
		"Tensor":       {{&Tensor{Elems: []Value{Str("a")}, Attrs: attrsOf(h, "x")}, Others, "x a"}},
		"Iterator":     {{&Iterator{First: []Value{Str("a")}, Open: open, Attrs: attrsOf(h, "x")}, AllParts, "a ok oe x"}},
		"Builtin":      {{&Builtin{Defaults: h.NewCell(Str("d"))}, Others, "d"}},
		"BoundMethod":  {{&BoundMethod{Self: Str("s"), Func: Str("f")}, Others, "s f"}},
		"Property":     {{&Property{Get: Str("g"), Del: Str("d"), Doc: Str("t"), Attrs: attrsOf(h, "x")}, Others, "g d t x"}},
		"StaticMethod": {{&StaticMethod{Func: Str("f"), Attrs: attrsOf(h, "x")}, Others, "f x"}},
		"ClassMethod":  {{&ClassMethod{Func: Str("f"), Attrs: attrsOf(h, "x")}, Others, "f x"}},
		"Super":        {{&Super{Self: Str("s")}, Others, "s"}},
		"GenericAlias": {{&GenericAlias{Str("o"), []Value{Str("a")}}, Others, "o a"}},
		"Func": {{&Func{Defaults: []Value{Str("d")}, KwDefaults: []Value{nil, Str("k")}, Closure: []*Cell{h.NewCell(nil), h.NewCell(Str("c"))},
			Attrs: attrsOf(h, "x")}, Others, "x d k c"}},
	}
}

type partCase struct {
	v     Value
	which Parts
	want  string
}

// withoutParts are the kinds of values that hold no others.
var withoutParts = []string{
	"NoneType", "EllipsisType", "NotImplementedType", "Bool", "Int", "BigInt", "SymInt", "Float", "SymFloat", "SymBool", "Complex", "Str",
	"Bytes",
	"Abstract", "DType", "Device", "Constant", "Unknown",
}

func TestPartsOfEachKind(t *testing.T) {
	for kind, list := range partCases(new(Heap)) {
		for _, c := range list {
			if got := texts(c.v, 1, c.which); got != c.want {
				t.Errorf("%s: parts %b: got %q, want %q", kind, c.which, got, c.want)
			}
			if got := texts(c.v, Deep, AllParts&^c.which); c.which != AllParts && sharesWord(got, c.want) {
				t.Errorf("%s: got %q without parts %b", kind, got, c.which)
			}
			if got := texts(c.v, 0, AllParts&^Sides); got != "" {
				t.Errorf("%s: got %q at depth 0", kind, got)
			}
		}
	}
}

func sharesWord(a, b string) bool {
	return slices.ContainsFunc(strings.Fields(a), func(s string) bool { return slices.Contains(strings.Fields(b), s) })
}

// TestPartsAreKnownOfEveryKind reads which types are values: each has a case above, or
// holds no other values.
func TestPartsAreKnownOfEveryKind(t *testing.T) {
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	cases, n := partCases(new(Heap)), 0
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), ".go") || strings.HasSuffix(f.Name(), "_test.go") {
			continue
		}
		tree, err := parser.ParseFile(token.NewFileSet(), f.Name(), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range tree.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Recv == nil || fn.Name.Name != "value" || len(fn.Body.List) > 0 {
				continue
			}
			n++
			recv := fn.Recv.List[0].Type
			if star, ok := recv.(*ast.StarExpr); ok {
				recv = star.X
			}
			name := recv.(*ast.Ident).Name
			if (cases[name] != nil) == slices.Contains(withoutParts, name) {
				t.Errorf("%s must have a case in partCases or be listed in withoutParts, and only one of them", name)
			}
		}
	}
	if want := len(cases) + len(withoutParts); n != want {
		t.Errorf("%d kinds of values, but %d are listed", n, want)
	}
}

func TestWalkOrderAndDepth(t *testing.T) {
	var h Heap
	inner := NewTuple(Str("b"), h.NewList([]Value{Str("c")}))
	v := h.NewList([]Value{Str("a"), inner, &Choice{Then: NewTuple(Str("d")), Else: Str("e")}, Str("f")})
	for depth, want := range map[int]string{0: "", 1: "a e f", 2: "a b d e f", 3: "a b c d e f", Deep: "a b c d e f"} {
		if got := texts(v, depth, AllParts); got != want {
			t.Errorf("depth %d: got %q, want %q", depth, got, want)
		}
	}
	if got := texts(v, Deep, ListElems); got != "a f" {
		t.Errorf("lists alone: got %q", got)
	}
	if got := texts(&Choice{Then: Str("t"), Else: Str("e")}, 0, Sides); got != "t e" {
		t.Errorf("a choice is no nesting: got %q", got)
	}
	n := 0
	for range Walk(v, Deep, AllParts) {
		if n++; n == 4 { // inside the inner tuple
			break
		}
	}
	if n != 4 {
		t.Errorf("the walk ended after %d values", n)
	}
}

func TestWalkEndsOnCyclesAndSharing(t *testing.T) {
	var h Heap
	l := h.NewList([]Value{Str("a"), nil})
	l.Elems[1] = NewTuple(l, Str("b"))
	if got := texts(l, Deep, AllParts); got != "a b" {
		t.Errorf("a list inside itself: got %q", got)
	}
	if got := texts(l, 50, AllParts); got != "a b" {
		t.Errorf("a list inside itself, to a depth: got %q", got)
	}
	var c Value = Str("end")
	for range 100 {
		c = &Choice{Then: NewTuple(c, c), Else: c}
	}
	n := 0
	for range Walk(c, Deep, AllParts) {
		if n++; n > 1000 {
			t.Fatal("shared parts are walked again and again")
		}
	}
	// The shared list is met first at the depth where the walk ends, then higher up.
	shared := h.NewList([]Value{Str("s")})
	if got := texts(NewTuple(NewTuple(shared), shared), 2, AllParts); got != "s" {
		t.Errorf("a part that lies less deep: got %q", got)
	}
	if got := texts(NewTuple(Str("x"), Str("x")), Deep, AllParts); got != "x x" {
		t.Errorf("a value that occurs twice: got %q", got)
	}
}
