package infer

// This file parses the functions of libraries when they are first called. A program
// that imports torchvision runs few of its functions, and most of the time of such a
// run would go into parsing the others. The project's own files are parsed as a whole,
// so that their syntax errors are found wherever they are.

import (
	"errors"
	"sync"

	"shapecheck/internal/diag"
	"shapecheck/internal/source"
	"shapecheck/internal/timing"
	"shapecheck/parser"
	"shapecheck/parser/ast"
	"shapecheck/parser/resolve"
)

// A unit is a parsed and resolved file, or a function that its file's unit leaves out.
type unit struct {
	file *source.File
	tree *ast.Module
	info *resolve.Info
	// diags are the faults of syntax and scopes.
	diags []*diag.Diagnostic

	// outline has the functions that tree leaves out; nil when it is the whole file.
	outline   *parser.Outline
	mu        sync.Mutex
	functions map[*ast.FunctionDef]*deferred
}

// A deferred is a function that was left out at first, in a unit of its own.
type deferred struct {
	unit *unit
	def  *ast.FunctionDef // nil when it has syntax errors
}

// parseUnit parses a file as a whole, or leaves out what is in functions.
func parseUnit(file *source.File, whole bool) *unit {
	u := &unit{file: file}
	if whole {
		u.tree, u.diags = parser.Parse(file)
	} else {
		u.tree, u.outline, u.diags = parser.ParseOutline(file)
	}
	u.resolve()
	return u
}

func (u *unit) resolve() {
	var more []*diag.Diagnostic
	u.info, more = resolve.Resolve(u.tree)
	u.diags = append(u.diags, more...)
	diag.Sort(u.diags)
}

// deferred parses a function that the unit leaves out.
func (u *unit) deferred(def *ast.FunctionDef) *deferred {
	u.mu.Lock()
	defer u.mu.Unlock()
	p := u.functions[def]
	if p == nil {
		p = &deferred{unit: &unit{file: u.file}}
		p.unit.tree, p.def, p.unit.diags = u.outline.Parse(def)
		p.unit.resolve()
		if u.functions == nil {
			u.functions = map[*ast.FunctionDef]*deferred{}
		}
		u.functions[def] = p
	}
	return p
}

// parseBody gives a function of the unit with its body.
func (u *unit) parseBody(def *ast.FunctionDef) *ast.FunctionDef {
	if def.Outline {
		if p := u.deferred(def); p.def != nil {
			return p.def
		}
	}
	return def
}

// Definition is the function's node with its body.
func (c *code) Definition() ast.Node {
	if def, ok := c.node.(*ast.FunctionDef); ok {
		return c.unit.parseBody(def)
	}
	return c.node
}

// errSyntax says that a function cannot be run for its syntax errors.
var errSyntax = errors.New("syntax error")

// complete parses the body of a function that is called for the first time.
func (im *imports) complete(c *code) error {
	def, ok := c.node.(*ast.FunctionDef)
	if !ok || !def.Outline {
		return nil
	}
	span := im.cfg.Time.Begin(timing.Phase, timing.Parsing)
	p := c.unit.deferred(def)
	span.End()
	if c.prelude && len(p.unit.diags) > 0 {
		return errors.New("prelude " + c.unit.file.Name + ": " + p.unit.diags[0].Msg)
	}
	im.reportSyntax(p.unit)
	if p.def == nil || len(p.unit.diags) > 0 {
		return errSyntax
	}
	c.unit, c.node, c.body = p.unit, p.def, p.def.Body
	c.index = p.def.Scope
	c.scope = &p.unit.info.Scopes[c.index]
	return nil
}

// reportSyntax reports the syntax errors of a unit, which other runs have, too.
func (im *imports) reportSyntax(u *unit) {
	for _, d := range u.diags {
		x := *d
		im.host.Report(&x)
	}
	im.reportNewer(u)
}

// bodyOf gives a function of a parsed file with its body.
func (f *finder) bodyOf(def *ast.FunctionDef) *ast.FunctionDef {
	if file := f.files.File(def.Span().Start); file != nil {
		if u := f.parsed(file); u != nil {
			return u.parseBody(def)
		}
	}
	return def
}
