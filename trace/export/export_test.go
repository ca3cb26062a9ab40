package export

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"shapecheck/infer/graph"
	"shapecheck/infer/value"
	"shapecheck/internal/source"
	"shapecheck/symshape"
	"shapecheck/tools/testfiles"
)

// An interpreter is a host at one place of a program, with examples of sizes.
type interpreter struct {
	value.Thread
	pool     *symshape.Pool
	heap     value.Heap
	graph    *graph.Builder
	examples map[string]int64
	facts    symshape.Facts
	required []*symshape.Cond
	library  bool // a library's code runs
}

func newInterpreter() *interpreter {
	return &interpreter{pool: symshape.NewPool(), graph: graph.NewBuilder(), examples: map[string]int64{}}
}

func (p *interpreter) Pool() *symshape.Pool                    { return p.pool }
func (p *interpreter) Heap() *value.Heap                       { return &p.heap }
func (p *interpreter) Graph() *graph.Builder                   { return p.graph }
func (p *interpreter) Here() source.Span                       { return source.Span{Start: 1, End: 2} }
func (p *interpreter) Facts() symshape.Facts                   { return p.facts }
func (p *interpreter) OwnCode() bool                           { return !p.library }
func (p *interpreter) IsBuiltin(*value.Class) bool             { return false }
func (p *interpreter) Catching() bool                          { return false }
func (p *interpreter) Example(s string) (int64, bool)          { n, ok := p.examples[s]; return n, ok }
func (p *interpreter) SetExample(s string, n int64)            { p.examples[s] = n }
func (p *interpreter) ExampleDim(d symshape.Dim) symshape.Dim  { return d }
func (p *interpreter) IsRandom(*symshape.Expr) bool            { return false }
func (p *interpreter) IsNumber(*symshape.Expr) bool            { return false }
func (p *interpreter) Guessed(*symshape.Cond) bool             { return false }
func (p *interpreter) Known(value.Value) bool                  { return true }
func (p *interpreter) InProgram(at source.Span) source.Span    { return at }
func (p *interpreter) OwnPlace(*value.Exception) source.Span   { return source.Span{} }
func (p *interpreter) Decide(c *symshape.Cond) symshape.Answer { return p.facts.Decide(c).Answer }
func (p *interpreter) Require(c *symshape.Cond, _ string) symshape.Answer {
	p.Assume(c)
	p.required = append(p.required, c)
	return symshape.Yes
}

func (p *interpreter) Assume(c *symshape.Cond) {
	if f, ok := p.facts.Assume(c); ok {
		p.facts = f
	}
}

// program is a function of one int of 6 that is a Dim named B, in a mode.
func (p *interpreter) program(mode Mode) (*Program, *Run) {
	spec := &value.Tuple{Elems: []value.Value{value.Str("n"),
		&value.Tuple{Elems: []value.Value{value.Str("dim"), value.Str("B"), value.Int(0), value.None, value.Int(1), value.Int(0)}}}}
	x := NewProgram(p, value.None, []value.Value{value.Int(6)}, p.heap.NewDict(), []value.Value{spec}, mode == Trace)
	return x, NewRun(p, x, mode)
}

// relies has a run rely on a condition that the interpreter assumes.
func (p *interpreter) relies(r *Run, c *symshape.Cond) {
	p.Assume(c)
	r.Require(c)
}

// What Python makes a number of is fixed to its example, in the program's own code and not in a library's.
func TestPythonFixesASize(t *testing.T) {
	for _, c := range []struct {
		mode    Mode
		name    string
		library bool
		fixed   bool
	}{
		{Plain, "builtins.int", false, true},
		{Strict, "builtins.int", false, false}, // Dynamo keeps it
		{Strict, "builtins.range", false, true},
		{Plain, "builtins.int", true, false},
		{Plain, "math.floor", false, false},
		{Trace, "math.floor", false, true},
	} {
		p := newInterpreter()
		x, r := p.program(c.mode)
		p.library = c.library
		var got value.Value
		_, err := r.Perform(&value.Builtin{Name: c.name}, x.Args, func(args []value.Value) (value.Value, error) {
			got = args[0]
			return value.None, nil
		})
		if fixed := got == value.Int(6); err != nil || fixed != c.fixed || fixed != (len(p.required) == 1) {
			t.Errorf("%s in mode %d, library %v: it is given %v, required %v, error %v", c.name, c.mode, c.library, got, p.required, err)
		}
	}
}

// The conditions of a run become declarations.
func TestConditionsAsDeclarations(t *testing.T) {
	for _, c := range []struct {
		name   string
		cond   func(p *symshape.Pool, b *symshape.Expr) *symshape.Cond
		fixes  []string
		python []string
	}{
		{"a bound", func(p *symshape.Pool, b *symshape.Expr) *symshape.Cond { return p.Ge(b, p.Const(4)) },
			[]string{"B = Dim('B', min=4)"}, []string{`Dim("B", min=4)`}},
		{"one size", func(p *symshape.Pool, b *symshape.Expr) *symshape.Cond { return p.Eq(b, p.Const(6)) },
			[]string{"B = 6"}, []string{"6"}},
		{"a multiple", func(p *symshape.Pool, b *symshape.Expr) *symshape.Cond { return p.Eq(p.Mod(b, p.Const(3)), p.Const(0)) },
			[]string{"_B = Dim('_B', min=1, max=oo)", "B = 3*_B"}, []string{`Dim("_B", min=1)`, "3*_B"}},
		{"nothing", func(p *symshape.Pool, b *symshape.Expr) *symshape.Cond { return p.Ge(b, p.Const(2)) }, nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newInterpreter()
			x, r := p.program(Plain)
			p.relies(r, c.cond(p.pool, p.pool.Lookup("B")))
			out := x.Outcome(r, nil)
			var fixes, python []string
			if e := out.Error; e != nil {
				for _, d := range e.Fixes {
					fixes, python = append(fixes, d.String()), append(python, d.Python("Dim"))
				}
				if e.Kind != ConstraintsViolated {
					t.Errorf("the error is of kind %q", e.Kind)
				}
			}
			if !slices.Equal(fixes, c.fixes) || !slices.Equal(python, c.python) {
				t.Errorf("declares %q, as Python %q, want %q and %q", fixes, python, c.fixes, c.python)
			}
		})
	}
}

// A Dim from which something is subtracted starts at 1, and one that is made of another comes after it.
func TestRedeclared(t *testing.T) {
	b, h := rangedDim("B", 0, symshape.PosInf), rangedDim("H", 0, 64)
	inner := Declaration{Name: "_B", Dim: "_B", Max: symshape.PosInf}
	got, ok := redeclared([]Declaration{b, h}, []Declaration{inner, {Name: "B", Kind: Derived, Of: multipleOf("_B", 3, -1)}})
	var texts []string
	for _, d := range got {
		texts = append(texts, d.Name+" = "+d.Python(torchDim))
	}
	want := []string{`_B = torch.export.Dim("_B", min=1)`, `H = torch.export.Dim("H", max=64)`, "B = 3*_B - 1"}
	if !ok || !slices.Equal(texts, want) {
		t.Errorf("declares %q, %v, want %q", texts, ok, want)
	}
	if _, ok := redeclared([]Declaration{b}, nil); ok {
		t.Error("declarations of which nothing is suggested are changed")
	}
}

// Arguments of a later run are held against the structure, the fixed sizes and the conditions of the program.
func TestBind(t *testing.T) {
	p := newInterpreter()
	x, r := p.program(Plain)
	p.relies(r, p.pool.Ge(p.pool.Lookup("B"), p.pool.Const(4)))
	for _, c := range []struct {
		args  []value.Value
		other bool
		guard string
	}{
		{[]value.Value{value.Int(5)}, false, ""},
		{[]value.Value{value.Int(3)}, false, "B >= 4"},
		{nil, true, ""},
		{[]value.Value{value.Int(5), value.Int(5)}, true, ""},
	} {
		if b := x.Bind(c.args, nil, r); b.OtherStructure != c.other || b.Guard != c.guard || b.Unsure {
			t.Errorf("%v: %+v, want other structure %v, guard %q", c.args, b, c.other, c.guard)
		}
	}
	if b := x.Bind([]value.Value{value.Int(3)}, nil, nil); b.Guard != "" {
		t.Errorf("of conditions that are not known %q is not met", b.Guard)
	}
}

// Sizes are found that meet conditions, different ones where they can be.
func TestSizeSearch(t *testing.T) {
	p := symshape.NewPool()
	a, b := p.Symbol("A"), p.Symbol("B")
	f := &SizeSearch{Known: []*symshape.Cond{p.Eq(p.Mod(b, p.Const(4)), p.Const(0))}, Symbols: []*symshape.Expr{a, b},
		Env: map[string]int64{}, Least: 8}
	env := f.Find()
	if env == nil || env["A"] < 8 || env["B"]%4 != 0 || env["A"] == env["B"] {
		t.Errorf("found %v", env)
	}
	f = &SizeSearch{Known: []*symshape.Cond{p.Lt(a, p.Const(8))}, Symbols: []*symshape.Expr{a}, Env: map[string]int64{}, Least: 8}
	if env := f.Find(); env != nil {
		t.Errorf("found %v below the least", env)
	}
}

// A host that has nothing to run fails as the interpreter does.
func TestTheErrorOfAnEntryIsHandedOn(t *testing.T) {
	p := newInterpreter()
	want := errors.New("out of time")
	e := NewEntry(p, &value.Module{Attrs: p.heap.NewAttrs()}, value.None, []value.Value{value.FromDim(p.pool.SymDim("B"))}, nil, p.facts)
	if err := (&Sharing{For: ForExport}).Find(failing{p, want}, e); !errors.Is(err, want) {
		t.Errorf("error %v, want %v", err, want)
	}
}

// A failing engine ends each run.
type failing struct {
	*interpreter
	err error
}

func (f failing) Beside(*Program, *Run) (*value.Exception, error) { return nil, f.err }
func (f failing) Eval(string, string, map[string]value.Value) (value.Value, error) {
	return nil, f.err
}
func (f failing) Try(string, string, map[string]value.Value) (*value.Exception, error) {
	return nil, f.err
}

// Each kind of error that a report can name has a row in the guide.
func TestErrorKindsAreInTheGuide(t *testing.T) {
	guide, err := os.ReadFile("../../docs/trace.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(guide), "\n## What torch.export says")
	section, _, _ = strings.Cut(section, "\n## ")
	for _, k := range ErrorKinds() {
		if row := "\n| `" + k.String() + "` | "; k.String() == "" || strings.Count(section, row) != 1 {
			t.Errorf("docs/trace.md has no row, or several, of error kind %d, %q", k, k)
		}
	}
}

// Each kind of error has a program that PyTorch refused for it; trace.TestExportsAgreeWithRecords runs them.
func TestEveryErrorKindHasAProgram(t *testing.T) {
	records, err := os.ReadFile(filepath.Join(testfiles.Unpack(t, "../../testdata/retrace/export"), "records.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range ErrorKinds() {
		if !strings.Contains(string(records), `"kind": "`+k.String()+`"`) {
			t.Errorf("no program in testdata/retrace/export is refused for %q", k)
		}
	}
}
