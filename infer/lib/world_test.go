package lib

// This file tests the world of builtin classes and the making of classes.

import (
	"testing"

	"shapecheck/infer/value"
)

func BenchmarkNewWorld(b *testing.B) {
	b.ReportAllocs()
	for range b.N {
		var h value.Heap
		NewWorld(&h)
	}
}

func TestProcsFitTheirArena(t *testing.T) {
	var h value.Heap
	a := NewWorld(&h).arena
	if n := len(a.procs); n > procCount {
		t.Errorf("%d procs, arena of %d", n, procCount)
	}
	if n := len(a.classes); n > classCount || len(a.lists) > 6*classCount {
		t.Errorf("%d classes in %d lists, arena of %d", n, len(a.lists), classCount)
	}
	if n := a.names.Len(); n > nameBytes {
		t.Errorf("%d bytes of names, arena of %d", n, nameBytes)
	}
}

func TestSignaturesOfProcsParse(t *testing.T) {
	var h value.Heap
	for _, b := range NewWorld(&h).arena.procs {
		s := b.p.parse()
		if s.min > s.pos || s.posOnly > len(s.names) {
			t.Errorf("%s: parameters %q", b.p.name, b.p.params)
		}
	}
}

func TestEveryKindOfValueHasAType(t *testing.T) {
	th := newTestThread()
	for name, v := range map[string]value.Value{
		"int": &value.SymInt{}, "float": &value.SymFloat{}, "bool": th.DataBool(nil), "NoneType": value.None, "ellipsis": value.Ellipsis,
		"str": value.Str(""), "type": th.w.Class("int"), "list": th.heap.NewList(nil), "dict": th.heap.NewDict(), "set": th.heap.NewSet(),
		"frozenset": &value.Set{Frozen: true}, "function": &value.Func{}, "method": &value.BoundMethod{Func: &value.Func{}},
		"module":   &value.Module{},
		"property": &value.Property{}, "generator": &value.Iterator{Name: "generator"}, "range": &value.Range{}, "slice": &value.Slice{},
		"Tensor": &value.Tensor{}, "dtype": value.DType{}, "device": value.Device{},
	} {
		if c := th.w.TypeOf(v); c == nil || c.Name != name {
			t.Errorf("type of %T: got %v, want %s", v, c, name)
		}
	}
}

func newClass(t *testing.T, th *testThread, name string, bases ...*value.Class) *value.Class {
	t.Helper()
	c, err := th.w.NewClass(&th.heap, name, "m", bases, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestMethodResolutionOrderIsC3(t *testing.T) {
	th := newTestThread()
	a := newClass(t, th, "A")
	b, c := newClass(t, th, "B", a), newClass(t, th, "C", a)
	d := newClass(t, th, "D", b, c)
	var names string
	for _, k := range d.MRO {
		names += k.Name + " "
	}
	if names != "D B C A object " {
		t.Errorf("MRO of the diamond: %s", names)
	}
	if _, err := th.w.NewClass(&th.heap, "E", "m", []*value.Class{a, b}, nil, nil); err == nil {
		t.Error("inconsistent bases were accepted")
	}
}

func TestMetaclassAndLayoutAreInherited(t *testing.T) {
	th := newTestThread()
	meta := newClass(t, th, "Meta", th.w.Class("type"))
	a, err := th.w.NewClass(&th.heap, "A", "m", []*value.Class{th.w.Class("dict")}, nil, meta)
	if err != nil {
		t.Fatal(err)
	}
	b := newClass(t, th, "B", a)
	if b.Meta != meta || b.Layout != value.DictLayout || meta.Layout != value.ClassLayout {
		t.Errorf("B: meta %v, layout %d", b.Meta, b.Layout)
	}
	other := newClass(t, th, "Other", th.w.Class("type"))
	if _, err := th.w.NewClass(&th.heap, "C", "m", []*value.Class{a}, nil, other); err == nil {
		t.Error("conflicting metaclasses were accepted")
	}
}

func TestWritesAreRolledBack(t *testing.T) {
	th := newTestThread()
	if _, err := th.run("l=[1,2]; d={1:2}; s={1}; it=iter([1,2,3]); e=enumerate('abc'); z=zip([1,2],[3,4]); next(e)"); err != nil {
		t.Fatal(err)
	}
	m := th.heap.Mark()
	if _, err := th.run("l.append(3); l.sort(reverse=True); l.pop(0); d[5]=6; d.pop(1); s.add(9); s.discard(1); next(it); next(e); next(z)"); err != nil {
		t.Fatal(err)
	}
	th.heap.Rollback(m)
	th.heap.Close(m)
	v, err := th.run("(l, d, s, list(it), list(e), list(z))")
	if err != nil {
		t.Fatal(err)
	}
	got, _ := th.Repr(v)
	if want := "([1, 2], {1: 2}, {1}, [1, 2, 3], [(1, 'b'), (2, 'c')], [(1, 3), (2, 4)])"; got != want {
		t.Errorf("after rollback\n got %s\nwant %s", got, want)
	}
}

func TestDictOfAttributesReachesTheObject(t *testing.T) {
	th := newTestThread()
	i := th.heap.NewInstance(newClass(t, th, "A"))
	i.Attrs.Set(&th.heap, "x", value.Int(1))
	th.vars["o"] = i
	if _, err := th.run("d=o.__dict__; d['y']=2; d.update(z=3); d.pop('x')"); err != nil {
		t.Fatal(err)
	}
	y, _ := i.Attrs.Get("y")
	z, _ := i.Attrs.Get("z")
	if _, ok := i.Attrs.Get("x"); ok || y != value.Value(value.Int(2)) || z != value.Value(value.Int(3)) {
		t.Errorf("attributes: y=%v z=%v", y, z)
	}
}

func TestSubclassesOfScalarsKeepTheirValue(t *testing.T) {
	th := newTestThread()
	v, err := th.run("X=type('X',(int,),{}); x=X(5); (x+1, x==5, {5:'k'}[x], isinstance(x,int), type(x).__name__, [0,1,2,3,4,9][x], f'{x:03d}', range(x))")
	if err != nil {
		t.Fatal(err)
	}
	got, _ := th.Repr(v)
	if want := "(6, True, 'k', True, 'X', 9, '005', range(0, 5))"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func BenchmarkAppend(b *testing.B) {
	th := newTestThread()
	l := th.heap.NewList(nil)
	f, _ := th.w.Class("list").Lookup("append")
	fn := f.(*value.Builtin).Fn
	args := []value.Value{l, value.Int(1)}
	b.ReportAllocs()
	for range b.N {
		if _, err := fn(th, args, nil); err != nil {
			b.Fatal(err)
		}
	}
}
