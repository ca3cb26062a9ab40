package jit

import (
	"testing"

	"shapecheck/infer/graph"
	"shapecheck/infer/value"
	"shapecheck/internal/source"
	"shapecheck/symshape"
)

// A program is a host at one place of a program.
type program struct {
	value.Thread
	place Place
}

func (p *program) Place() Place                                    { return p.place }
func (p *program) DecidedBy(s []*symshape.Expr) (sizes, data bool) { return len(s) > 0, false }
func (p *program) IsBuiltin(*value.Class) bool                     { return false }
func (p *program) IsOperation(*value.Builtin) bool                 { return false }
func (p *program) Row(x *value.Tensor, i int) (value.Value, error) { panic("no row is asked for") }
func (p *program) at(line int) *program                            { p.place.At.Start = source.Pos(line); return p }
func newProgram() *program                                         { return &program{place: Place{Frame: new(int), Own: true}} }
func ofTensor() value.Value                                        { return &value.SymInt{Source: &graph.Value{}} }
func giving(v value.Value) func([]value.Value) (value.Value, error) {
	return func([]value.Value) (value.Value, error) { return v, nil }
}
func perform(t *testing.T, tr *Tracer, a, gives value.Value) value.Value {
	t.Helper()
	v, err := tr.Perform(&value.Builtin{Name: "math.floor"}, []value.Value{a}, giving(gives))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// What a function of Python gave in the traced run is kept where a run with symbols shows that it depends on the inputs.
func TestNumbersOfInputsAreKept(t *testing.T) {
	p := newProgram()
	traced := New(p)
	perform(t, traced, ofTensor(), value.Int(3))
	p.at(7)
	perform(t, traced, value.Float(2.5), value.Int(2))

	p.at(0)
	found := traced.Symbolic(nil)
	if v := perform(t, found, ofTensor(), value.Int(5)); v != value.Int(3) {
		t.Errorf("a run with symbols goes on with %v, want 3", v)
	}
	p.at(7)
	perform(t, found, value.Float(2.5), value.Int(2))
	if len(found.Sites) != 1 || found.Sites[0].Kind != "float" || found.Sites[0].At.Start != 0 {
		t.Errorf("sites %v, want that of the number of a tensor", found.Sites)
	}

	p.at(0)
	replay := traced.Replay(found)
	if v := perform(t, replay, ofTensor(), value.Int(9)); v != value.Int(3) {
		t.Errorf("the trace gives %v, want 3", v)
	}
	p.at(7)
	if v := perform(t, replay, value.Float(4.5), value.Int(4)); v != value.Int(4) {
		t.Errorf("what no input decides gives %v, want 4", v)
	}
	if found.Missed || replay.Missed {
		t.Error("something that the trace keeps is not known")
	}
}

// A call that the traced run did not make is not known.
func TestFurtherCallsAreMissed(t *testing.T) {
	p := newProgram()
	traced := New(p)
	perform(t, traced, ofTensor(), value.Int(3))
	found := traced.Symbolic(nil)
	perform(t, found, ofTensor(), value.Int(3))
	perform(t, found, ofTensor(), value.Int(3))
	if !found.Missed {
		t.Error("the second call is not missed")
	}
}

// The index of a list is kept, and an index of a dict is not known.
func TestIndicesAreKept(t *testing.T) {
	for _, c := range []struct {
		of     value.Value
		missed bool
	}{{&value.List{}, false}, {&value.Dict{}, true}} {
		traced := New(newProgram())
		traced.Index(c.of, value.Int(1))
		found := traced.Symbolic(nil)
		if v := found.Index(c.of, ofTensor()); v != value.Int(1) || found.Missed != c.missed {
			t.Errorf("%T: index %v, missed %v", c.of, v, found.Missed)
		}
	}
}

// What a library does is no part of what the trace keeps of the program.
func TestLibrariesTakeNothing(t *testing.T) {
	p := newProgram()
	p.place.Own = false
	found := New(p).Symbolic(nil)
	if v := perform(t, found, ofTensor(), value.Int(5)); v != value.Int(5) || len(found.Sites) > 0 {
		t.Errorf("gives %v with sites %v", v, found.Sites)
	}
}
