// Package pieces cuts a module into pieces that run or do not run, and gives each a hash of what it says: its tree, without positions,
// comments, docstrings and formatting.
package pieces

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"

	"shapecheck/internal/source"
	"shapecheck/parser"
	"shapecheck/parser/ast"
)

// A Module is a module in pieces, in the order of the source: each statement outside of functions, without its blocks, and the body of each
// function, without those of the functions in it.
type Module struct {
	pieces []piece
	// public is the hash of what other modules can name.
	public string
}

type piece struct {
	// at are the statements of which one runs where the piece does.
	at  []source.Pos
	sum [sha256.Size]byte
}

// Of cuts a module. A file with syntax errors has the pieces of what could be read.
func Of(f *source.File) *Module {
	again := source.NewFile(f.Name, f.Text())
	tree, _ := parser.Parse(again)
	c := cutter{m: &Module{}, file: f, again: again}
	c.block("", tree.Body)
	sum := sha256.Sum256(ast.AppendDump(nil, publicOf(tree.Body), ast.LeaveFunctions))
	c.m.public = text(sum)
	return c.m
}

// Ran is the hash of the pieces of which a statement ran. The order of pieces counts, and what they stand in.
func (m *Module) Ran(at map[source.Pos]bool) string {
	h := sha256.New()
	for i := range m.pieces {
		if slices.ContainsFunc(m.pieces[i].at, func(p source.Pos) bool { return at[p] }) {
			h.Write(m.pieces[i].sum[:])
		}
	}
	return text([sha256.Size]byte(h.Sum(nil)))
}

// Public is the hash of what other modules can name: imports, assignments, signatures and classes without the bodies of functions, but
// for names with a leading underscore.
func (m *Module) Public() string { return m.public }

func text(sum [sha256.Size]byte) string { return "sha256:" + hex.EncodeToString(sum[:]) }

// A cutter makes the pieces of a file from a tree that has positions of its own.
type cutter struct {
	m           *Module
	file, again *source.File
	buf         []byte
}

// place is a position in the file.
func (c *cutter) place(s ast.Stmt) source.Pos {
	return c.file.Pos(c.again.Offset(s.Span().Start))
}

// add adds a piece with what it stands in.
func (c *cutter) add(in string, at []source.Pos, list []ast.Stmt, leave ast.Leave) {
	c.buf = append(append(c.buf[:0], in...), 0)
	c.buf = ast.AppendDump(c.buf, list, leave)
	c.m.pieces = append(c.m.pieces, piece{at, sha256.Sum256(c.buf)})
}

// block cuts statements that are in no function. in says what they stand in.
func (c *cutter) block(in string, list []ast.Stmt) {
	for _, s := range list {
		if ast.IsText(s) {
			continue
		}
		if def, ok := s.(*ast.FunctionDef); ok {
			c.add(in, []source.Pos{c.place(s)}, []ast.Stmt{s}, ast.LeaveBlocks)
			c.function(in, def)
			continue
		}
		c.add(in, []source.Pos{c.place(s)}, []ast.Stmt{s}, ast.LeaveBlocks)
		below := in + kindOf(s)
		for i, b := range ast.Blocks(s) {
			c.block(below+strconv.Itoa(i), b)
		}
	}
}

// kindOf tells compound statements apart by what is beside their blocks.
func kindOf(s ast.Stmt) string {
	if class, ok := s.(*ast.ClassDef); ok {
		return "/class " + class.Name.Name + " "
	}
	return "/"
}

// function cuts the body of a function, and those of the functions in it.
func (c *cutter) function(in string, def *ast.FunctionDef) {
	in += "/def " + def.Name.Name
	var at []source.Pos
	for _, s := range def.Body {
		at = append(at, c.place(s))
	}
	c.add(in, at, def.Body, ast.LeaveFunctions)
	for _, s := range def.Body {
		ast.Inspect(s, func(n ast.Node) bool {
			if inner, ok := n.(*ast.FunctionDef); ok {
				c.function(in, inner)
				return false
			}
			return true
		})
	}
}

// publicOf are the statements that bind names which other modules can use.
func publicOf(list []ast.Stmt) []ast.Stmt {
	var out []ast.Stmt
	for _, s := range list {
		switch s := s.(type) {
		case *ast.FunctionDef:
			if isPublic(s.Name.Name) {
				out = append(out, s)
			}
		case *ast.ClassDef:
			if isPublic(s.Name.Name) {
				class := *s
				class.Body = publicOf(s.Body)
				out = append(out, &class)
			}
		case *ast.Assign:
			if slices.ContainsFunc(s.Targets, isPublicTarget) {
				out = append(out, s)
			}
		case *ast.AnnAssign:
			if isPublicTarget(s.Target) {
				out = append(out, s)
			}
		case *ast.AugAssign, *ast.Import, *ast.ImportFrom, *ast.TypeAlias:
			out = append(out, s)
		case *ast.If:
			if !isMainTest(s.Test) {
				x := *s
				x.Body, x.Else = publicOf(s.Body), publicOf(s.Else)
				out = append(out, &x)
			}
		case *ast.Try:
			x := *s
			x.Body, x.Else, x.Finally, x.Handlers = publicOf(s.Body), publicOf(s.Else), publicOf(s.Finally), nil
			for _, h := range s.Handlers {
				y := *h
				y.Body = publicOf(h.Body)
				x.Handlers = append(x.Handlers, &y)
			}
			out = append(out, &x)
		}
	}
	return out
}

// isPublic reports whether a name is for other modules. Python's own names, as __all__ and __init__, are.
func isPublic(name string) bool {
	return !strings.HasPrefix(name, "_") || strings.HasPrefix(name, "__") && strings.HasSuffix(name, "__")
}

// isPublicTarget reports whether an assignment may bind a name for other modules.
func isPublicTarget(e ast.Expr) bool {
	n, ok := e.(*ast.Name)
	return !ok || isPublic(n.ID)
}

// isMainTest reports whether a condition asks how the module is run.
func isMainTest(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		if x, ok := n.(*ast.Name); ok && x.ID == "__name__" {
			found = true
		}
		return !found
	})
	return found
}
