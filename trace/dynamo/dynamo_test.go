package dynamo

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"shapecheck/infer/graph"
	"shapecheck/infer/value"
	"shapecheck/internal/source"
	"shapecheck/parser"
	"shapecheck/parser/ast"
	"shapecheck/parser/resolve"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
	"shapecheck/tools/testfiles"
	"shapecheck/trace/export"
)

// An interpreter is a host that runs the program's own code, with a setting of torch._dynamo.config.
type interpreter struct {
	value.Thread
	pool     *symshape.Pool
	heap     value.Heap
	graph    *graph.Builder
	examples map[string]int64
	limit    int64                                 // of graphs
	relies   func(p *symshape.Pool) *symshape.Cond // what a graph with symbols relies on; nil: on nothing
}

func newInterpreter() *interpreter {
	return &interpreter{pool: symshape.NewPool(), graph: graph.NewBuilder(), examples: map[string]int64{}, limit: 8}
}

func (p *interpreter) Pool() *symshape.Pool                   { return p.pool }
func (p *interpreter) Heap() *value.Heap                      { return &p.heap }
func (p *interpreter) Graph() *graph.Builder                  { return p.graph }
func (p *interpreter) Here() source.Span                      { return source.Span{Start: 30, End: 31} }
func (p *interpreter) Enter(string) error                     { return nil }
func (p *interpreter) Leave()                                 {}
func (p *interpreter) OwnCode() bool                          { return true }
func (p *interpreter) InLibrary() bool                        { return false }
func (p *interpreter) IsBuiltin(*value.Class) bool            { return false }
func (p *interpreter) Catching() bool                         { return false }
func (p *interpreter) Example(s string) (int64, bool)         { n, ok := p.examples[s]; return n, ok }
func (p *interpreter) SetExample(s string, n int64)           { p.examples[s] = n }
func (p *interpreter) ExampleDim(d symshape.Dim) symshape.Dim { return d }
func (p *interpreter) Assume(*symshape.Cond)                  {}
func (p *interpreter) IsRandom(*symshape.Expr) bool           { return false }
func (p *interpreter) IsNumber(*symshape.Expr) bool           { return false }
func (p *interpreter) Guessed(*symshape.Cond) bool            { return false }
func (p *interpreter) Known(value.Value) bool                 { return true }
func (p *interpreter) InProgram(at source.Span) source.Span   { return at }
func (p *interpreter) OwnPlace(*value.Exception) source.Span  { return source.Span{} }
func (p *interpreter) Certain() bool                          { return true }
func (p *interpreter) Recording() bool                        { return true }
func (p *interpreter) BuiltinName(value.Value) string         { return "" }
func (p *interpreter) RequiresGrad(*value.Tensor) bool        { return false }
func (p *interpreter) MadeInInference(*graph.Value) bool      { return false }
func (p *interpreter) InferenceMode() bool                    { return false }
func (p *interpreter) Key(v value.Value) (any, bool, error)   { return v, true, nil }
func (p *interpreter) Setting(name string) (value.Value, bool) {
	return value.Int(p.limit), name == "recompile_limit"
}

func (p *interpreter) RunIn(_ []value.Change, _ *export.Program, r *export.Run) error {
	if p.relies != nil {
		r.Require(p.relies(p.pool))
	}
	return nil
}

// An activation runs the function f(n) of a program.
type activation struct {
	fn    *value.Func
	def   *ast.FunctionDef
	slots []value.Value
}

func (f *activation) InLibrary() bool          { return false }
func (f *activation) CalledByProgram() bool    { return true }
func (f *activation) CallSite() source.Span    { return source.Span{} }
func (f *activation) Func() *value.Func        { return f.fn }
func (f *activation) Code() Code               { return f }
func (f *activation) Body() []ast.Stmt         { return f.def.Body }
func (f *activation) Definition() ast.Node     { return f.def }
func (f *activation) Variables() []value.Value { return f.slots }
func (f *activation) Cells() []*value.Cell     { return nil }
func (f *activation) Free() []*value.Cell      { return nil }
func (f *activation) Binding(n *ast.Name) resolve.Binding {
	return resolve.Binding{Kind: resolve.Local}
}

// A script calls the function of one statement with values of its parameter n.
type script struct {
	*interpreter
	graphs *Graphs
	f      *activation
	read   *ast.Name // n in its body
	breaks bool      // the graph ends at the statement
}

func newScript(t *testing.T, body string) *script {
	t.Helper()
	tree, diags := parser.Parse(source.NewFile("net.py", "def f(n):\n    "+body+"\n"))
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	def := tree.Body[0].(*ast.FunctionDef)
	s := &script{interpreter: newInterpreter(), graphs: NewGraphs(), f: &activation{def: def}}
	s.f.fn = &value.Func{Name: "f", Params: def.Params, Node: def}
	ast.Inspect(def.Body[0], func(n ast.Node) bool {
		if name, ok := n.(*ast.Name); ok && name.ID == "n" {
			s.read = name
		}
		return true
	})
	return s
}

// call is a call that reads n, computes and returns.
func (s *script) call(opts Options, n value.Value) Result {
	if opts.Dynamic == nil {
		opts.Dynamic = value.None
	}
	s.f.slots = []value.Value{n}
	d := NewRun(s, s.graphs, opts, s.f.fn, []value.Value{n}, nil, "")
	leave := d.Enter(s.f)
	d.Name(s.f, s.read, resolve.Binding{Kind: resolve.Local}, n)
	if s.breaks {
		d.Breaks()
	}
	d.Opaque(tensor(s.interpreter, 3))
	leave()
	d.Ran(nil, nil)
	return d.Settle(nil, source.Span{})
}

func tensor(p *interpreter, sizes ...int64) *value.Tensor {
	typ := graph.TensorType{DType: dtype.F32, Ranked: true}
	for _, n := range sizes {
		typ.Shape = append(typ.Shape, p.pool.ConstDim(n))
	}
	return &value.Tensor{Header: p.heap.Header(), V: p.graph.NewValue(graph.TensorKind, typ, source.Span{})}
}

// A graph is for a number until another one makes it a symbol, which serves all that meet what it relies on.
func TestNumbersBecomeSymbols(t *testing.T) {
	s := newScript(t, "return x[n]")
	s.relies = func(p *symshape.Pool) *symshape.Cond { return p.Le(p.Lookup("d0"), p.Const(50)) }
	for i, c := range []struct {
		n    int64
		made int
		kind GuardKind
	}{{5, 1, GuardNone}, {5, 0, GuardNone}, {7, 1, GuardValue}, {9, 0, GuardNone}, {90, 1, GuardValueCondition}} {
		r := s.call(Options{}, value.Int(c.n))
		if r.Traces == nil || *r.Traces != c.made {
			t.Fatalf("call %d with %d: compiled %v times, want %d", i, c.n, r.Traces, c.made)
		}
		kind := GuardNone
		if len(r.Compiled.Reasons) > 0 {
			kind = r.Compiled.Reasons[0].Kind
		}
		if kind != c.kind {
			t.Errorf("call %d with %d: the guard %q fails, want %q", i, c.n, kind, c.kind)
		}
	}
}

// Sizes of tensors, their types and what they are guard a graph.
func TestTensorsGuard(t *testing.T) {
	s := newScript(t, "return x[n]")
	ints := tensor(s.interpreter, 3)
	ints.V.Type.DType = dtype.I64
	for i, c := range []struct {
		v    value.Value
		kind GuardKind
	}{{tensor(s.interpreter, 3), GuardNone}, {tensor(s.interpreter, 3), GuardNone}, {tensor(s.interpreter, 3, 4), GuardRank},
		{ints, GuardDType}, {value.None, GuardType}} {
		r := s.call(Options{}, c.v)
		kind := GuardNone
		if len(r.Compiled.Reasons) > 0 {
			kind = r.Compiled.Reasons[0].Kind
		}
		if kind != c.kind {
			t.Errorf("call %d: the guard %q fails, want %q", i, kind, c.kind)
		}
	}
}

// No more graphs are made of a function than torch._dynamo.config says.
func TestGraphsAreLimited(t *testing.T) {
	s := newScript(t, "return x[n]")
	s.limit = 2
	limited := false
	for _, text := range []string{"a", "b", "c", "d"} {
		limited = s.call(Options{}, value.Str(text)).Compiled.Limit || limited
	}
	if n := len(s.graphs.codes[codeKey{s.f.def, 0}].entries); n != 2 || !limited {
		t.Errorf("%d graphs are kept, limit said: %v", n, limited)
	}
}

// A break ends a graph, and the program where no break is allowed.
func TestBreaks(t *testing.T) {
	s := newScript(t, "return x[n]")
	s.breaks = true
	r := s.call(Options{}, value.Int(5))
	if len(r.Compiled.Breaks) != 1 || r.Err != nil {
		t.Errorf("breaks at %v, error %v", r.Compiled.Breaks, r.Err)
	}
}

// Calls go the same way where all places do, as far as that is known.
func TestSameBranches(t *testing.T) {
	a := []Branch{{Kind: "if", Ways: []int{1}}}
	for _, c := range []struct {
		b    []Branch
		same bool
	}{{[]Branch{{Kind: "if", Ways: []int{1}}}, true}, {[]Branch{{Kind: "if", Ways: []int{0}}}, false}, {nil, false},
		{[]Branch{{Kind: "if", Ways: []int{1}, At: source.Span{Start: 1}}}, false}} {
		if got := sameBranches(a, c.b); got != c.same {
			t.Errorf("%v: %v, want %v", c.b, got, c.same)
		}
	}
	if unknown := []Branch{{Kind: "if", Ways: []int{-1}}}; sameBranches(unknown, unknown) {
		t.Error("ways that are not known are the same")
	}
}

// Each kind of guard that a report can name has a row in the guide.
func TestGuardKindsAreInTheGuide(t *testing.T) {
	guide, err := os.ReadFile("../../docs/trace.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(guide), "\n## What torch.compile compiles")
	for _, k := range GuardKinds() {
		if row := "\n| `" + k.String() + "` | "; k.String() == "" || strings.Count(section, row) != 1 {
			t.Errorf("docs/trace.md has no row, or several, of guard kind %d, %q", k, k)
		}
	}
}

// Each kind of guard has a program that PyTorch compiled again for it; trace.TestCompilationsAgreeWithRecords runs them.
func TestEveryGuardKindHasAProgram(t *testing.T) {
	records, err := os.ReadFile(filepath.Join(testfiles.Unpack(t, "../../testdata/retrace/compile"), "records.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range GuardKinds() {
		if !strings.Contains(string(records), `"reason": "`+k.String()+`"`) {
			t.Errorf("no program in testdata/retrace/compile is compiled again because of %q", k)
		}
	}
}
