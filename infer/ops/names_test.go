package ops_test

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
)

var opName = regexp.MustCompile(`^(torch|numpy|einops)(\.\w+)+$`)

// recordKeys are the fields of a record that hold names of its own.
var recordKeys = map[string]bool{"Names": true, "NoOut": true}

// noOperations are names that stand in strings for other things: classes, constants,
// modules, exceptions, formats. What is below one of them that ends in "." is one, too.
var noOperations = []string{
	"torch.Tensor", "torch.Size", "torch.Size.", "torch.dtype", "torch.device", "torch.layout", "torch.memory_format", "torch.qscheme",
	"torch._C._TensorBase", "torch.return_types", "torch.nn.modules.module", "numpy.generic", "numpy.generic.__hash__", "numpy.dtype", "numpy.dtype.",
	"torch.contiguous_format", "torch.preserve_format", "torch.channels_last", "torch.channels_last_3d", "torch.strided", "torch.per_tensor_affine",
	"torch.per_channel_affine", "einops.EinopsError", "numpy.linalg.LinAlgError", "numpy.AxisError",
	"torch.export",                        // a format of contracts
	"torch.Tensor.__", "torch.Tensor.is_", // beginnings
}

func noOperation(name string) bool {
	return slices.ContainsFunc(noOperations, func(s string) bool {
		return s == name || strings.HasSuffix(s, ".") && strings.HasPrefix(name, s)
	})
}

// foreign are files with names that PyTorch gives: versions of its API, recorded
// traces, pickles.
var foreign = []string{"infer/ops/since.go", "internal/conformance/ops.go", "internal/weights/torch.go"}

func TestNamesOfOperationsInStringsAreCanonical(t *testing.T) {
	root := filepath.Join("..", "..")
	fset := token.NewFileSet()
	found := 0
	check := func(pos token.Pos, name string) {
		if !opName.MatchString(name) || noOperation(name) {
			return
		}
		op, ok := ops.Lookup(name)
		at := fset.Position(pos)
		switch {
		case !ok && (ops.KnownAPI(name) || ops.HasPrefix(name)):
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

// byName are the files in which rules look at the name that they were called by, with
// the number of comparisons: the names of one record differ there. Others are told
// apart by a field of the record.
var byName = map[string]int{
	"binary.go": 2, "cast.go": 4, "interpolate.go": 1, "numpy_create.go": 2, "numpy_join.go": 1, "numpy_linalg.go": 3, "numpy_object.go": 1,
	"numpy_reduce.go": 7, "numpy_shape.go": 4,
}

// TestRulesDoNotCompareNames counts comparisons of c.short(), c.Name and c.Op.Names[0]
// with strings.
func TestRulesDoNotCompareNames(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	text := func(e ast.Expr) bool {
		l, ok := e.(*ast.BasicLit)
		return ok && l.Kind == token.STRING && l.Value != `""`
	}
	name := func(e ast.Expr) bool {
		switch s := types.ExprString(e); s {
		case "c.short()", "c.Name", "c.Op.Names[0]", "op.Names[0]", "name":
			return true
		}
		return false
	}
	got := map[string]int{}
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(fset, path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		short := false // "name" is the function's in a function that takes it from there
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				short = false
			case *ast.AssignStmt:
				if len(n.Lhs) == 1 && len(n.Rhs) == 1 && types.ExprString(n.Lhs[0]) == "name" {
					short = name(n.Rhs[0])
				}
			case *ast.BinaryExpr:
				if (n.Op == token.EQL || n.Op == token.NEQ) && text(n.Y) && name(n.X) && (short || types.ExprString(n.X) != "name") {
					got[path]++
				}
			case *ast.SwitchStmt:
				if n.Tag != nil && name(n.Tag) && (short || types.ExprString(n.Tag) != "name") {
					got[path]++
				}
			case *ast.IndexExpr:
				if types.ExprString(n.Index) == "c.short()" || types.ExprString(n.Index) == "c.Name" {
					got[path]++
				}
			case *ast.CallExpr:
				if f := types.ExprString(n.Fun); (f == "strings.HasPrefix" || f == "strings.HasSuffix" || f == "strings.Contains") &&
					types.ExprString(n.Args[0]) == "c.short()" {
					got[path]++
				}
			}
			return true
		})
	}
	for path, n := range got {
		if n != byName[path] {
			t.Errorf("%s: %d comparisons with the name of a function, not %d: give the records a Variant", path, n, byName[path])
		}
	}
	for path, n := range byName {
		if got[path] == 0 && n > 0 {
			t.Errorf("%s compares no names any more: remove it from the list", path)
		}
	}
}
