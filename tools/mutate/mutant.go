package main

// This file finds the places that can be changed.
//
// The mutations are the usual ones of mutation testing (DeMillo, Lipton and Sayward 1978): one
// operator for another, a number plus one, a boolean or a sign the other way. Each changes one
// token only, so that the mutated file has the same lines and, by construction, nearly always
// compiles; the mutants of a file can be woven into one program, which chooses by its
// environment.

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"hash/fnv"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// A mutant is a file with one token changed. line and column count from 1, columns in bytes.
type mutant struct {
	file         string
	line, column int
	offset       int // of the token in the file
	from, to     string
	source       string    // the line
	owner        string    // the function or variable of the package that the token is in: "f", "T.method"
	nth          int       // how many before it in the file have the same owner, line and change
	in           *function // nil for what is initialized before any function runs
}

// A function is the outermost one around a token. weave copies whole functions, which is why
// labels are noted: copies need labels of their own.
type function struct {
	open, end int  // the offsets of its braces
	results   bool // it returns some
	labels    []int
}

// place is the position as compilers print it.
func (m mutant) place() string { return fmt.Sprintf("%s:%d:%d", m.file, m.line, m.column) }

func (m mutant) String() string {
	return fmt.Sprintf("%s\t%s → %s\t%s", m.place(), m.from, m.to, strings.TrimSpace(m.source))
}

// keyColumns is how many columns a key has. Files of answers and survivors have one mutant on a
// line, with these columns and, for an answer, its reason.
const keyColumns = 4

// key identifies a mutant by what it changes, so that lines before it may come and go, and so may the same line in another
// function: file, function, change and line. "return nil, false" stands many times in a file and a few times in a function; a
// key of file and line alone had one entry for all of them, and one killed took the others out of the list.
func (m mutant) key() string {
	line := strings.TrimSpace(m.source)
	at := m.column - 1 - strings.Index(m.source, line)
	change := fmt.Sprintf("%d %s → %s", at, m.from, m.to)
	if m.nth > 0 {
		change += fmt.Sprintf(" #%d", m.nth+1)
	}
	return strings.Join([]string{m.file, m.owner, change, line}, "\t")
}

// ownersOf names the function or the variables that a declaration of a file declares. The keys
// are nodes below the declaration, in which the names are valid.
func ownersOf(d ast.Decl) map[ast.Node]string {
	owners := map[ast.Node]string{}
	switch d := d.(type) {
	case *ast.FuncDecl:
		owners[d] = d.Name.Name
		if d.Recv != nil {
			t := d.Recv.List[0].Type
			if star, ok := t.(*ast.StarExpr); ok {
				t = star.X
			}
			switch g := t.(type) { // the parameters of a generic type are no part of its name
			case *ast.IndexExpr:
				t = g.X
			case *ast.IndexListExpr:
				t = g.X
			}
			if name, ok := t.(*ast.Ident); ok {
				owners[d] = name.Name + "." + d.Name.Name
			}
		}
	case *ast.GenDecl:
		for _, s := range d.Specs {
			if s, ok := s.(*ast.ValueSpec); ok && d.Tok == token.VAR {
				owners[s] = s.Names[0].Name
			}
		}
	}
	return owners
}

// draw puts mutants into an order that a seed and their text decide: a change of the
// code elsewhere draws the same ones. Ranks are hashes, so that the sample of one revision and
// that of the next have most mutants in common. The final mixing step is that of MurmurHash3.
func draw(seed uint64, all []mutant) {
	rank := func(m mutant) uint64 {
		h := fnv.New64a()
		fmt.Fprintf(h, "%d\t%s", seed, m.key())
		x := h.Sum64() // and mixed, as FNV leaves texts that end alike close together
		x ^= x >> 33
		x *= 0xff51afd7ed558ccd
		return x ^ x>>33
	}
	slices.SortStableFunc(all, func(a, b mutant) int { return cmp.Compare(rank(a), rank(b)) })
}

// others are the tokens that stand for an operator. Comparisons move their bound by one (< and
// <=), which is the mistake that people make; + and - replace each other.
var others = map[token.Token]token.Token{
	token.ADD: token.SUB, token.SUB: token.ADD, token.MUL: token.ADD, token.QUO: token.MUL, token.REM: token.QUO,
	token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR, token.EQL: token.NEQ, token.NEQ: token.EQL,
	token.LAND: token.LOR, token.LOR: token.LAND, token.AND: token.OR, token.OR: token.AND, token.SHL: token.SHR, token.SHR: token.SHL,
	token.INC: token.DEC, token.DEC: token.INC, token.ADD_ASSIGN: token.SUB_ASSIGN, token.SUB_ASSIGN: token.ADD_ASSIGN,
	token.MUL_ASSIGN: token.ADD_ASSIGN,
	token.BREAK:      token.CONTINUE, token.CONTINUE: token.BREAK,
}

// mutants lists those of the Go files of a folder, in order. Tests are left out. It returns an
// error if the folder has no Go files, or one cannot be read or parsed.
func mutants(dir string) ([]mutant, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	names = slices.DeleteFunc(names, func(n string) bool { return strings.HasSuffix(n, "_test.go") })
	if len(names) == 0 {
		return nil, fmt.Errorf("%s has no Go files", dir)
	}
	var all []mutant
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		found, err := mutantsOf(name, text)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

// isText reports whether an expression joins texts, one of which is a literal. A - between texts
// would not compile.
func isText(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.BasicLit:
		return e.Kind == token.STRING
	case *ast.BinaryExpr:
		return e.Op == token.ADD && (isText(e.X) || isText(e.Y))
	}
	return false
}

// mutantsOf changes operators, whole numbers, booleans and negations. Strings, types
// and constant declarations stay: they are names and tables, not behaviour. The line of each
// mutant is cut out of the text here, since the key needs it. Positions are visited in the order
// of the source.
func mutantsOf(name string, text []byte) ([]mutant, error) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, name, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var all []mutant
	var in *function
	owner, same := "", map[string]int{}
	// What the parser says and what stands in the text differ for tokens that were inserted;
	// those are left out.
	add := func(at token.Pos, from, to string) {
		p := files.Position(at)
		if from == to || !strings.HasPrefix(string(text[p.Offset:]), from) {
			return
		}
		line, _, _ := strings.Cut(string(text[p.Offset-p.Column+1:]), "\n")
		m := mutant{file: name, line: p.Line, column: p.Column, offset: p.Offset, from: from, to: to, source: line, owner: owner}
		key := m.key()
		m.nth = same[key]
		same[key]++
		if in != nil && in.open < p.Offset && p.Offset < in.end {
			m.in = in
		}
		all = append(all, m)
	}
	operator := func(at token.Pos, op token.Token) {
		if other, ok := others[op]; ok {
			add(at, op.String(), other.String())
		}
	}
	// Only the outermost function counts, as literals within it are copied along.
	enter := func(t *ast.FuncType, body *ast.BlockStmt) {
		if body == nil || in != nil && files.Position(body.Pos()).Offset < in.end {
			return
		}
		in = &function{open: files.Position(body.Lbrace).Offset, end: files.Position(body.Rbrace).Offset, results: t.Results != nil}
		ast.Inspect(body, func(n ast.Node) bool {
			var label *ast.Ident
			switch n := n.(type) {
			case *ast.LabeledStmt:
				label = n.Label
			case *ast.BranchStmt:
				label = n.Label
			}
			if label != nil {
				in.labels = append(in.labels, files.Position(label.End()).Offset)
			}
			return true
		})
	}
	visit := func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			enter(n.Type, n.Body)
		case *ast.FuncLit:
			enter(n.Type, n.Body)
		case *ast.GenDecl:
			return n.Tok == token.VAR
		case *ast.ArrayType:
			return false
		case *ast.BinaryExpr:
			if !isText(n) { // of which no other operator compiles
				operator(n.OpPos, n.Op)
			}
		case *ast.IncDecStmt:
			operator(n.TokPos, n.Tok)
		case *ast.AssignStmt:
			operator(n.TokPos, n.Tok)
		case *ast.BranchStmt:
			if n.Label == nil {
				operator(n.TokPos, n.Tok)
			}
		case *ast.UnaryExpr:
			if n.Op == token.NOT {
				add(n.OpPos, "!", "")
			} else if n.Op == token.SUB {
				add(n.OpPos, "-", "")
			}
		case *ast.BasicLit:
			if k, err := strconv.Atoi(n.Value); n.Kind == token.INT && err == nil {
				add(n.ValuePos, n.Value, strconv.Itoa(k+1))
			}
		case *ast.Ident:
			switch n.Name {
			case "true":
				add(n.NamePos, "true", "false")
			case "false":
				add(n.NamePos, "false", "true")
			}
		}
		return true
	}
	for _, d := range file.Decls {
		owners := ownersOf(d)
		ast.Inspect(d, func(n ast.Node) bool {
			if name, ok := owners[n]; ok {
				owner = name
			}
			return visit(n)
		})
	}
	return all, nil
}
