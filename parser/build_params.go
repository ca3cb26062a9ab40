package parser

// This file builds parameters of functions and lambdas and type parameters, and
// checks their order.
//
// Grammar rules for the order (/, *, defaults) would give bare syntax errors; the list is parsed
// without an order and checked here, with CPython's messages.

import (
	"shapecheck/internal/source"
	"shapecheck/parser/ast"
)

// A paramItem is an element of a parameter list. p is nil for a bare slash or star. at is where
// an error of order is shown.
type paramItem struct {
	p     *ast.Param
	kind  paramKind
	at    source.Span
	depth int32
}

// A paramKind says what an element of the list is: x, /, *, *x or **x.
type paramKind uint8

const (
	plainParam paramKind = iota
	slashParam
	bareStar
	varParam
	kwParam
)

// addParam adds a parameter whose name is the last token.
func (b *builder) addParam(kind paramKind, start source.Pos) {
	p := b.mem.param.new()
	p.Loc = b.prevLoc()
	p.Name = b.name()
	b.params = append(b.params, paramItem{p: p, kind: kind, at: source.Span{Start: start, End: p.End}})
}

func (b *builder) Param()  { b.addParam(plainParam, b.at(b.prev().start)) }
func (b *builder) VarArg() { b.addParam(varParam, b.at(b.toks[b.pos-2].start)) }
func (b *builder) KwArg()  { b.addParam(kwParam, b.at(b.toks[b.pos-2].start)) }

// ParamSlash is called after "/", BareStar after a "*" without a name.
func (b *builder) ParamSlash() {
	b.params = append(b.params, paramItem{kind: slashParam, at: b.tokenSpan(b.prev())})
}

func (b *builder) BareStar() {
	b.params = append(b.params, paramItem{kind: bareStar, at: b.tokenSpan(b.prev())})
}

// ParamAnnotation gives the last parameter the expression on the stack. A starred one is allowed
// since Python 3.11.
func (b *builder) ParamAnnotation() {
	v := b.pop()
	p := &b.params[len(b.params)-1]
	p.p.Annotation = v.e
	if _, ok := v.e.(*ast.Starred); ok {
		b.needs(ast.StarredAnnotation, v.span())
	}
	p.p.End = v.end
	p.depth = max(p.depth, v.depth)
}

// ParamDefault gives the last parameter its default.
func (b *builder) ParamDefault() {
	v := b.pop()
	p := &b.params[len(b.params)-1]
	p.p.Default = v.e
	p.depth = max(p.depth, v.depth)
}

// makeParams makes Params of the items from mark on. Order errors are reported
// once per list. The second result is the greatest depth of an annotation or a default. The
// slices share one array, as the parameters lie in the order of the source.
func (b *builder) makeParams(mark int32) (*ast.Params, int32) {
	items := b.params[mark:]
	params := &ast.Params{}
	var args, kwonly int
	var depth int32
	slash, star, kw := -1, -1, -1
	msg := ""
	var at source.Span
	bad := func(it *paramItem, m string) {
		if msg == "" {
			msg, at = m, it.at
		}
	}
	sawDefault := false
	for i := range items {
		it := &items[i]
		depth = max(depth, it.depth)
		if kw >= 0 {
			bad(it, "parameters cannot follow the '**' parameter")
		}
		switch it.kind {
		case plainParam:
			if star >= 0 {
				kwonly++
				break
			}
			args++
			if it.p.Default != nil {
				sawDefault = true
			} else if sawDefault {
				bad(it, "parameter without a default follows parameter with a default")
			}
		case slashParam:
			switch {
			case slash >= 0:
				bad(it, "'/' may appear only once")
			case star >= 0:
				bad(it, "'/' must be ahead of '*'")
			case i == 0:
				bad(it, "at least one parameter must precede '/'")
			}
			slash = args
		case bareStar, varParam:
			if star >= 0 {
				bad(it, "'*' may appear only once")
			}
			star = i
			if it.kind == varParam {
				params.VarArg = it.p
			} else if i+1 == len(items) || items[i+1].kind != plainParam {
				bad(it, "named parameters must follow a bare '*'")
			}
		case kwParam:
			kw = i
			params.KwArg = it.p
		}
	}
	if msg != "" {
		b.errorf(at, "%s", msg)
	}
	all := b.mem.params.take(args + kwonly)[:0]
	for i := range items {
		if items[i].kind == plainParam {
			all = append(all, items[i].p)
		}
	}
	b.params = b.params[:mark]
	if slash > 0 {
		params.PosOnly = all[:slash:slash]
		params.Args = all[slash:args:args]
	} else if args > 0 {
		params.Args = all[:args:args]
	}
	if kwonly > 0 {
		params.KwOnly = all[args:]
	}
	return params, depth
}

func (b *builder) BeginTypeParams() { b.Begin() }

// TypeVar is a type parameter without a star, whose bound may follow.
func (b *builder) TypeVar() {
	loc := b.prevLoc()
	b.tparams = append(b.tparams, &ast.TypeVar{Loc: loc, Name: b.newName(loc, b.name(), ast.Store)})
}

// TypeBound gives the last type parameter the bound on the stack.
func (b *builder) TypeBound() {
	v := b.pop()
	t := b.tparams[len(b.tparams)-1].(*ast.TypeVar)
	t.Bound, t.End = v.e, v.end
}

// TypeVarTuple has one star and ParamSpec two; neither has a bound.
func (b *builder) TypeVarTuple() {
	f := b.end()
	name := b.newName(b.prevLoc(), b.name(), ast.Store)
	b.tparams = append(b.tparams, &ast.TypeVarTuple{Loc: b.locFrom(f.pos), Name: name})
}

func (b *builder) ParamSpec() {
	f := b.end()
	name := b.newName(b.prevLoc(), b.name(), ast.Store)
	b.tparams = append(b.tparams, &ast.ParamSpec{Loc: b.locFrom(f.pos), Name: name})
}

// TypeDefault gives the last parameter its default. Defaults are of Python 3.13.
func (b *builder) TypeDefault() {
	v := b.pop()
	b.needs(ast.TypeDefaults, v.span())
	t := b.tparams[len(b.tparams)-1]
	if _, ok := t.(*ast.TypeVarTuple); !ok {
		if _, ok := v.e.(*ast.Starred); ok {
			b.errorf(v.span(), "only a type parameter with '*' may have a starred default")
		}
	}
	switch t := t.(type) {
	case *ast.TypeVar:
		t.Default, t.End = v.e, v.end
	case *ast.ParamSpec:
		t.Default, t.End = v.e, v.end
	case *ast.TypeVarTuple:
		t.Default, t.End = v.e, v.end
	}
}

// EndTypeParams closes the list and tells the statement that it has one.
func (b *builder) EndTypeParams() {
	f := b.end()
	b.needs(ast.TypeParameters, source.Span{Start: f.pos, End: b.prevEnd()})
	list := b.tparams
	// Type parameters nest only through the bodies of lambdas in bounds, which
	// hold no statements: the whole stack is this list.
	b.tplists = append(b.tplists, append([]ast.TypeParam(nil), list...))
	b.tparams = b.tparams[:0]
	b.frame().flags |= hasTypeParams
}

// popTypeParams takes the last list if the flags of the statement say that there is one.
func (b *builder) popTypeParams(flags uint32) []ast.TypeParam {
	if flags&hasTypeParams == 0 {
		return nil
	}
	n := len(b.tplists) - 1
	list := b.tplists[n]
	b.tplists = b.tplists[:n]
	return list
}
