package ast

// This file writes trees in the form of CPython's ast.dump, byte for byte. The
// comparison with CPython and "shapecheck ast --format=cpython" use it.

import (
	"io"
	"slices"
	"strconv"

	"shapecheck/internal/source"
)

// A DumpVersion is the Python version whose form of ast.dump is written.
type DumpVersion int

const (
	Dump311 DumpVersion = 311 // without type_params
	Dump312 DumpVersion = 312 // without defaults of type parameters
	Dump314 DumpVersion = 314
)

// DumpOptions say what DumpCPython writes. The zero value writes the tree only,
// in the form of 3.14.
type DumpOptions struct {
	Version DumpVersion // 0 means Dump314
	// Attributes adds lineno, col_offset and their ends.
	Attributes bool
	// MaskFStrings writes zeros for all positions inside f-strings. Before 3.12
	// CPython's are those of the whole string or wrong.
	MaskFStrings bool
	// Leave says which blocks of statements are written as if they were empty.
	Leave Leave
}

// A Leave is what a dump leaves out, each with all before it.
type Leave int

// What may be left out, for who compares parts of a program by themselves.
const (
	LeaveNothing   Leave = iota
	LeaveFunctions       // bodies of functions, and statements that are texts, as docstrings are
	LeaveBlocks          // all blocks
)

// AppendDump appends statements in the form of ast.dump, without positions.
func AppendDump(b []byte, list []Stmt, leave Leave) []byte {
	d := &dumper{b: b, opts: DumpOptions{Leave: leave}}
	d.stmts(list)
	return d.b
}

// IsText reports whether a statement is a text alone, as a docstring is: it has no effect.
func IsText(s Stmt) bool {
	e, ok := s.(*ExprStmt)
	if !ok {
		return false
	}
	c, ok := e.Value.(*Constant)
	return ok && c.Kind == StrConst
}

// Dump returns the tree in the form of ast.dump(tree, include_attributes=True).
func Dump(m *Module, opts DumpOptions) string {
	d := newDumper(m, opts)
	d.module(m)
	return string(d.b)
}

// DumpCPython writes what Dump returns. The error is that of w.
func DumpCPython(w io.Writer, m *Module, opts DumpOptions) error {
	d := newDumper(m, opts)
	d.module(m)
	_, err := w.Write(d.b)
	return err
}

type dumper struct {
	b        []byte
	file     *source.File
	opts     DumpOptions
	fstrings int // depth of enclosing f-strings
}

func newDumper(m *Module, opts DumpOptions) *dumper {
	return &dumper{b: make([]byte, 0, 16*m.File.Size()+64), file: m.File, opts: opts}
}

func (d *dumper) s(s string) { d.b = append(d.b, s...) }

func (d *dumper) module(m *Module) {
	d.s("Module(body=")
	d.stmts(m.Body)
	d.s(", type_ignores=[])")
}

// end closes a node that has a position.
func (d *dumper) end(l *Loc) {
	if d.opts.Attributes {
		var line, col, endLine, endCol int
		if d.fstrings == 0 || !d.opts.MaskFStrings {
			line, col = d.file.LineCol(l.Start)
			endLine, endCol = d.file.LineCol(l.End)
		}
		if d.b[len(d.b)-1] != '(' {
			d.s(", ")
		}
		d.s("lineno=")
		d.int(line)
		d.s(", col_offset=")
		d.int(col)
		d.s(", end_lineno=")
		d.int(endLine)
		d.s(", end_col_offset=")
		d.int(endCol)
	}
	d.b = append(d.b, ')')
}

func (d *dumper) int(n int)    { d.b = strconv.AppendInt(d.b, int64(n), 10) }
func (d *dumper) str(s string) { d.b = appendStrRepr(d.b, s) }

// before reports whether the form is that of an older version than v, as 312.
func (d *dumper) before(v DumpVersion) bool { return d.opts.Version != 0 && d.opts.Version < v }

func (d *dumper) bit(v bool) string {
	if v {
		return "1"
	}
	return "0"
}

// opt writes ", field=expr" unless e is nil.
func (d *dumper) opt(field string, e Expr) {
	if e != nil {
		d.sep(field)
		d.expr(e)
	}
}

// sep begins a field. The first field of a node has no comma.
func (d *dumper) sep(field string) {
	if d.b[len(d.b)-1] != '(' {
		d.s(", ")
	}
	d.s(field)
	d.b = append(d.b, '=')
}

// field begins a field and writes an expression.
func (d *dumper) field(name string, e Expr) {
	d.sep(name)
	d.expr(e)
}

func list[T any](d *dumper, items []T, f func(T)) {
	d.b = append(d.b, '[')
	for i, x := range items {
		if i > 0 {
			d.s(", ")
		}
		f(x)
	}
	d.b = append(d.b, ']')
}

func (d *dumper) stmts(body []Stmt) {
	if d.opts.Leave >= LeaveFunctions && slices.ContainsFunc(body, IsText) {
		body = slices.DeleteFunc(slices.Clone(body), IsText)
	}
	list(d, body, d.stmt)
}

func (d *dumper) exprs(field string, elts []Expr) {
	d.sep(field)
	list(d, elts, d.expr)
}

func (d *dumper) block(field string, body []Stmt) {
	d.sep(field)
	if d.opts.Leave == LeaveBlocks {
		body = nil
	}
	d.stmts(body)
}

func (d *dumper) names(field string, ids []Ident) {
	d.sep(field)
	list(d, ids, func(id Ident) { d.str(id.Name) })
}

func (d *dumper) ctx(c ExprContext) {
	d.s([...]string{", ctx=Load()", ", ctx=Store()", ", ctx=Del()"}[c])
}

func (d *dumper) typeParams(list []TypeParam) {
	if d.before(312) {
		return
	}
	d.sep("type_params")
	d.typeParamList(list)
}

func (d *dumper) typeParamList(params []TypeParam) {
	list(d, params, func(p TypeParam) {
		switch p := p.(type) {
		case *TypeVar:
			d.s("TypeVar(name=")
			d.str(p.Name.ID)
			d.opt("bound", p.Bound)
			d.typeDefault(&p.Loc, p.Default)
		case *ParamSpec:
			d.s("ParamSpec(name=")
			d.str(p.Name.ID)
			d.typeDefault(&p.Loc, p.Default)
		case *TypeVarTuple:
			d.s("TypeVarTuple(name=")
			d.str(p.Name.ID)
			d.typeDefault(&p.Loc, p.Default)
		}
	})
}

// typeDefault closes a type parameter.
func (d *dumper) typeDefault(l *Loc, e Expr) {
	if !d.before(313) {
		d.opt("default_value", e)
	}
	d.end(l)
}

// params writes defaults as Python's tree has them: kw_defaults has None for a parameter without
// one, defaults only those of positional parameters.
func (d *dumper) params(p *Params) {
	d.s("arguments(posonlyargs=")
	list(d, p.PosOnly, d.param)
	d.s(", args=")
	list(d, p.Args, d.param)
	if p.VarArg != nil {
		d.s(", vararg=")
		d.param(p.VarArg)
	}
	d.s(", kwonlyargs=")
	list(d, p.KwOnly, d.param)
	d.s(", kw_defaults=")
	list(d, p.KwOnly, func(p *Param) {
		if p.Default == nil {
			d.s("None")
			return
		}
		d.expr(p.Default)
	})
	if p.KwArg != nil {
		d.s(", kwarg=")
		d.param(p.KwArg)
	}
	d.s(", defaults=[")
	first := true
	for _, group := range [...][]*Param{p.PosOnly, p.Args} {
		for _, x := range group {
			if x.Default == nil {
				continue
			}
			if !first {
				d.s(", ")
			}
			first = false
			d.expr(x.Default)
		}
	}
	d.s("])")
}

func (d *dumper) param(p *Param) {
	d.s("arg(arg=")
	d.str(p.Name)
	d.opt("annotation", p.Annotation)
	d.end(&p.Loc)
}

func (d *dumper) keywords(kws []*Keyword) {
	d.sep("keywords")
	list(d, kws, func(k *Keyword) {
		d.s("keyword(")
		if k.Name.Name != "" {
			d.s("arg=")
			d.str(k.Name.Name)
		}
		d.field("value", k.Value)
		d.end(&k.Loc)
	})
}
