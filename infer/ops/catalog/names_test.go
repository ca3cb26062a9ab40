package catalog_test

// This file checks the names of operations that stand in strings of the Go sources
// outside of the records: each must be the canonical name of a record, so that a
// comparison with Node.Op or Op.Names[0] can hold.

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"shapecheck/infer/ops"
	"shapecheck/infer/ops/catalog"
	"shapecheck/infer/ops/torch"
)

var opName = regexp.MustCompile(`^(torch|numpy|einops)(\.\w+)+$`)

// recordKeys are the fields of a record that hold names of its own.
var recordKeys = map[string]bool{"Names": true, "NoOut": true}

// noOperations are names that stand in strings for other things: classes, constants,
// modules, exceptions, formats. What is below one of them that ends in "." is one, too.
var noOperations = []string{
	"torch.Tensor", "torch.Size", "torch.Size.", "torch.dtype", "torch.device", "torch.layout", "torch.memory_format", "torch.qscheme",
	"torch._C._TensorBase", "torch.return_types", "torch.nn.modules.module", "numpy.generic", "numpy.generic.__hash__", "numpy.dtype",
	"numpy.dtype.",
	"torch.contiguous_format", "torch.preserve_format", "torch.channels_last", "torch.channels_last_3d", "torch.strided",
	"torch.per_tensor_affine",
	"torch.per_channel_affine", "einops.EinopsError", "numpy.linalg.LinAlgError", "numpy.AxisError", "numpy.memmap.",
	"torch.nn.modules._imports", "numpy._types", // modules of names
	"torch.export", "torch.export.Dim.AUTO", // a format of contracts, text of a call
	"torch.autograd._hooks",               // a module of the library
	"torch._dynamo", "torch._dynamo.exc.", // what captures programs, and exceptions
	"torch.fx.experimental.symbolic_shapes.", "torch._subclasses.fake_tensor.",
	"torch.Tensor.data.get",               // what a call was written as
	"torch.Tensor.__", "torch.Tensor.is_", // beginnings
}

func noOperation(name string) bool {
	return slices.ContainsFunc(noOperations, func(s string) bool {
		return s == name || strings.HasSuffix(s, ".") && strings.HasPrefix(name, s)
	})
}

// foreign are files with names that PyTorch gives: versions of its API, recorded
// traces, pickles.
var foreign = []string{"infer/ops/torch/since.go", "tools/conformance/ops.go", "onnx/weights/torch.go"}

func TestNamesOfOperationsInStringsAreCanonical(t *testing.T) {
	root := filepath.Join("..", "..", "..")
	fset := token.NewFileSet()
	found := 0
	check := func(pos token.Pos, name string) {
		if !opName.MatchString(name) || noOperation(name) {
			return
		}
		op, ok := catalog.Lookup(name)
		at := fset.Position(pos)
		switch {
		case !ok && (torch.KnownAPI(name) || catalog.HasPrefix(name)):
		case !ok:
			t.Errorf("%s: %s is the name of no operation", at, name)
		case op.Names[0] != name:
			t.Errorf("%s: %s is called %s in the typed graph", at, name, op.Names[0])
		default:
			found++
		}
	}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name := d.Name(); name == "testdata" || name == "pygen" || strings.HasPrefix(name, ".") && name != ".." {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") ||
			slices.ContainsFunc(foreign, func(f string) bool { return path == filepath.Join(root, f) }) {
			return nil
		}
		file, err := parser.ParseFile(fset, path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ImportSpec:
				return false
			case *ast.KeyValueExpr:
				if k, ok := n.Key.(*ast.Ident); ok && recordKeys[k.Name] {
					return false
				}
			case *ast.BinaryExpr: // nnf + "relu"
				x, ok := n.X.(*ast.Ident)
				y, isText := n.Y.(*ast.BasicLit)
				if ok && isText && x.Name == "nnf" {
					s, _ := strconv.Unquote(y.Value)
					check(n.Pos(), "torch.nn.functional."+s)
					return false
				}
			case *ast.BasicLit:
				if s, err := strconv.Unquote(n.Value); n.Kind == token.STRING && err == nil {
					check(n.Pos(), s)
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if found < 100 {
		t.Errorf("only %d names were found", found)
	}
}

// TestRulesDoNotAskForNames finds what in a rule depends on the name that a function was
// called by: comparisons of c.Short(), c.Name and Op.Names[0] with strings, switches and
// maps over them, names that are made of them. What differs between functions is said by
// their records; a name is for messages. A namespace ("torch.linalg.") may be asked for.
func TestRulesDoNotAskForNames(t *testing.T) {
	kernel, err := filepath.Glob("../*.go")
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("../*/*.go")
	if err != nil {
		t.Fatal(err)
	}
	files = slices.DeleteFunc(append(files, kernel...), func(path string) bool { return filepath.Dir(path) == "../opstest" })
	if len(files) < 90 {
		t.Errorf("only %d files", len(files))
	}
	fset := token.NewFileSet()
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(fset, path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			for _, pos := range namesAsked(d) {
				t.Errorf("%s depends on the name of a function: give the record what is asked for, or the rule a parameter", fset.Position(pos))
			}
		}
	}
}

// namesAsked are the places in a declaration where the name of a function decides.
func namesAsked(d ast.Decl) (at []token.Pos) {
	holds := map[string]bool{"c.Short()": true, "c.Name": true, "c.Op.Names[0]": true, "op.Names[0]": true}
	ast.Inspect(d, func(n ast.Node) bool { // variables that hold a name
		if a, ok := n.(*ast.AssignStmt); ok && len(a.Lhs) == 1 && len(a.Rhs) == 1 && holds[types.ExprString(a.Rhs[0])] {
			holds[types.ExprString(a.Lhs[0])] = true
		}
		return true
	})
	name := func(e ast.Expr) bool { return holds[types.ExprString(e)] }
	text := func(e ast.Expr) string {
		l, ok := e.(*ast.BasicLit)
		if !ok || l.Kind != token.STRING {
			return ""
		}
		s, _ := strconv.Unquote(l.Value)
		return s
	}
	ast.Inspect(d, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			switch n.Op {
			case token.EQL, token.NEQ:
				if name(n.X) && text(n.Y) != "" || name(n.Y) && text(n.X) != "" {
					at = append(at, n.Pos())
				}
			case token.ADD:
				if name(n.Y) && !strings.HasSuffix(text(n.X), " ") { // a sentence
					at = append(at, n.Pos())
				}
			}
		case *ast.SwitchStmt:
			if n.Tag != nil && name(n.Tag) {
				at = append(at, n.Pos())
			}
		case *ast.IndexExpr:
			if name(n.Index) {
				at = append(at, n.Pos())
			}
		case *ast.SliceExpr:
			if name(n.X) {
				at = append(at, n.Pos())
			}
		case *ast.CallExpr:
			switch types.ExprString(n.Fun) {
			case "strings.HasPrefix", "strings.HasSuffix", "strings.Contains":
				if name(n.Args[0]) && !strings.HasSuffix(text(n.Args[1]), ".") {
					at = append(at, n.Pos())
				}
			}
		}
		return true
	})
	return at
}

// TestNamesAsked holds the test above to what it must find.
func TestNamesAsked(t *testing.T) {
	for src, want := range map[string]int{
		`if c.Short() == "sort" {}`:                                                   1,
		`if "sort" != c.Name {}`:                                                      1,
		`called := c.Op.Names[0]; if called == "a" || called == "b" {}`:               2,
		`switch name := c.Short(); name { case "a": }`:                                1,
		`_ = map[string]int{"a": 1}[c.Short()]`:                                       1,
		`_ = c.Short()[:3]`:                                                           1,
		`c.Delegate("torch." + c.Short())`:                                            1,
		`_ = strings.HasPrefix(c.Short(), "sub") || strings.Contains(c.Name, "bool")`: 2,
		`_ = strings.HasPrefix(c.Name, "torch.linalg.")`:                              0,
		`_ = "the method " + c.Short() + " takes no out"`:                             0,
		`if name == "axis" {}`:                                                        0,
	} {
		file, err := parser.ParseFile(token.NewFileSet(), "", "package p\nfunc f(c *Call) { "+src+" }", 0)
		if err != nil {
			t.Fatal(src, err)
		}
		if got := namesAsked(file.Decls[0]); len(got) != want {
			t.Errorf("%s: %d places, want %d", src, len(got), want)
		}
	}
}

// inPython are names of operations that are those of Python's builtins, protocols and types, or of dtypes, too: what stands in a
// table is one of those more often than not.
var inPython = strings.Fields(`abs all any bool bytes complex divmod filter float int len map max min pow range repr round set slice sum type
	append copy count extend get index insert pop remove sort update
	bfloat16 byte cdouble cfloat chalf char double half long short uint8
	data device dtype grad name ndim real imag requires_grad shape size T`)

// otherTables are files in which names of operations choose something else, with what that is.
var otherTables = map[string]string{
	"infer/lib/":             "functions of Python's own modules: math, operator, itertools",
	"trace/dynamo/floats.go": "functions of Python's math",
	"infer/advice/moves.go":  "patterns of callees, functions and classes alike",
	"infer/operator.go":      "operators of Python",
}

// TestNamesOfOperationsStandInRecords finds tables and switches outside of the records that choose by the last parts of names of
// operations: what is known of a function is said by its record (ops.Op: Form, Is, Quirks, Trace), which all its names share.
func TestNamesOfOperationsStandInRecords(t *testing.T) {
	last := map[string]bool{}
	catalog.All(func(op *ops.Op) {
		for _, n := range op.Names {
			n = strings.TrimSuffix(n, ".get")
			last[n[strings.LastIndexByte(n, '.')+1:]] = true
			if op.InPlace {
				last[n[strings.LastIndexByte(n, '.')+1:]+"_"] = true
			}
		}
	})
	for _, n := range inPython {
		delete(last, n)
	}
	root := filepath.Join("..", "..", "..")
	fset := token.NewFileSet()
	used := map[string]bool{}
	for _, room := range []string{"infer", "check", "discover", "trace", "lower", "present/report"} {
		err := filepath.WalkDir(filepath.Join(root, room), func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			name := filepath.ToSlash(strings.TrimPrefix(path, root+string(filepath.Separator)))
			if d.IsDir() {
				if d.Name() == "testdata" || name == "infer/ops" || name == "lower/aten" { // the records
					return fs.SkipDir
				}
				return nil
			}
			if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return nil
			}
			file, err := parser.ParseFile(fset, path, nil, 0)
			if err != nil {
				return err
			}
			for _, table := range tablesOfTexts(file) {
				var names []string
				for _, w := range table.words {
					if last[w] && !strings.HasPrefix(w, "__") {
						names = append(names, w)
					}
				}
				if len(names) < 2 && !(len(names) == 1 && strings.ContainsAny(names[0], "_0123456789")) || 2*len(names) < len(table.words) {
					continue
				}
				excepted := false
				for prefix := range otherTables {
					if strings.HasPrefix(name, prefix) {
						used[prefix], excepted = true, true
					}
				}
				if !excepted {
					t.Errorf("%s: a table of the operations %s: their records say what is asked of them", fset.Position(table.pos),
						strings.Join(names, ", "))
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for prefix, why := range otherTables {
		if !used[prefix] {
			t.Errorf("%s (%s) has no such table", prefix, why)
		}
	}
}

// A textTable is what chooses by texts: the keys or elements of a literal, the labels of a switch, the words of a text.
type textTable struct {
	pos   token.Pos
	words []string
}

func tablesOfTexts(file *ast.File) (out []textTable) {
	words := func(e ast.Expr) []string {
		if l, ok := e.(*ast.BasicLit); ok && l.Kind == token.STRING {
			s, _ := strconv.Unquote(l.Value)
			return []string{s}
		}
		return nil
	}
	ast.Inspect(file, func(n ast.Node) bool {
		table := textTable{}
		switch n := n.(type) {
		case *ast.CompositeLit:
			for _, e := range n.Elts {
				if kv, ok := e.(*ast.KeyValueExpr); ok {
					e = kv.Key
				}
				table.words = append(table.words, words(e)...)
			}
		case *ast.SwitchStmt:
			for _, c := range n.Body.List {
				for _, e := range c.(*ast.CaseClause).List {
					table.words = append(table.words, words(e)...)
				}
			}
		case *ast.CallExpr:
			if types.ExprString(n.Fun) == "strings.Fields" && len(n.Args) == 1 {
				for _, s := range words(n.Args[0]) {
					table.words = strings.Fields(s)
				}
			}
		}
		if len(table.words) > 0 {
			table.pos = n.Pos()
			out = append(out, table)
		}
		return true
	})
	return out
}
