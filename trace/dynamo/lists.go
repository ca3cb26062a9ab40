package dynamo

// This file says which elements of a list or tuple a graph of torch.compile looks at: Dynamo guards the length of one that is
// read, and an element when it is used. Where a function asks for an element by its index, keeps the list in a variable or gives
// it to a function of the program, the others are not looked at.

import (
	"strconv"

	"shapecheck/infer/value"
	"shapecheck/parser/ast"
)

// A listUse is how an expression that gives a list is used. A graph guards an element only if the
// element itself is read, so that a list which is merely passed on is noted where its elements are
// taken. The zero value is any other use, which looks at the whole list.
type listUse struct {
	handedOn bool // by index, to a variable or to a function: what is used of it is noted there
	field    bool // an attribute of it is read: the field of a named tuple
	held     bool // a loop goes through it one by one
	each     bool // it is unpacked: unread are the elements that nothing reads
	unread   []bool
	targets  []string // the variables in which its elements are kept; empty: others, too
}

// listUses are those of the expressions of a function, and the variables of its loops by what they
// go through. Both are maps by the node of the syntax tree. An expression that is in neither is
// used in another way.
func listUses(body []ast.Stmt) (uses map[ast.Expr]listUse, loops map[ast.Expr][]loopTarget) {
	// read has the variables that are read anywhere, so that those which are only bound are known.
	read := map[string]bool{}
	uses, loops = map[ast.Expr]listUse{}, map[ast.Expr][]loopTarget{}
	var unpacked []*ast.Assign
	goes := func(target, iter ast.Expr) {
		if targets := loopTargets(target, iter); targets != nil {
			loops[iter] = targets
		}
	}
	clauses := func(list []*ast.Comprehension) {
		for _, c := range list {
			goes(c.Target, c.Iter)
		}
	}
	for _, s := range body {
		ast.Inspect(s, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Name:
				read[n.ID] = read[n.ID] || n.Ctx != ast.Store
			case *ast.Subscript:
				if n.Ctx == ast.Load {
					uses[n.Value] = listUse{handedOn: true}
				}
			case *ast.Attribute:
				if n.Ctx == ast.Load {
					uses[n.Value] = listUse{field: true}
				}
			case *ast.Call:
				for _, a := range n.Args {
					uses[a] = listUse{handedOn: true}
				}
				// A ** argument has no name: the call reads the whole of the mapping.
				for _, k := range n.Keywords {
					if k.Name.Name != "" {
						uses[k.Value] = listUse{handedOn: true}
					}
				}
			case *ast.Assign:
				// Of a chained assignment the value is looked at as a whole.
				if len(n.Targets) == 1 {
					switch n.Targets[0].(type) {
					case *ast.Name:
						uses[n.Value] = listUse{handedOn: true}
					case *ast.Tuple:
						unpacked = append(unpacked, n)
					}
				}
			case *ast.For:
				goes(n.Target, n.Iter)
			case *ast.ListComp:
				clauses(n.Generators)
			case *ast.SetComp:
				clauses(n.Generators)
			case *ast.DictComp:
				clauses(n.Generators)
			case *ast.GeneratorExp:
				clauses(n.Generators)
			}
			return true
		})
	}
	// A target that is no variable, such as an attribute or a starred one, may be read elsewhere:
	// then nothing is known of what is unread.
	unread := func(e ast.Expr) (yes, known bool) {
		n, ok := e.(*ast.Name)
		return ok && !read[n.ID], ok
	}
	// Unpacking is decided after the whole body was seen, since a variable may be read further
	// below.
	for _, s := range unpacked {
		u := listUse{each: true}
		for _, t := range s.Targets[0].(*ast.Tuple).Elts {
			yes, known := unread(t)
			if !known {
				u.each = false
			}
			u.unread = append(u.unread, yes)
			if name, ok := t.(*ast.Name); ok {
				u.targets = append(u.targets, name.ID)
			}
		}
		// With a target that is no variable the names do not cover all elements.
		if len(u.targets) < len(u.unread) {
			u.targets = nil
		}
		uses[s.Value] = u
	}
	// The use by a loop replaces those from above: enumerate(a) is a call, but does not read all of
	// a.
	for _, targets := range loops {
		for _, t := range targets {
			uses[t.of] = listUse{held: true}
		}
	}
	return uses, loops
}

// Evaluate notes which expression is evaluated.
func (d *Run) Evaluate(f Frame, e ast.Expr) {
	if f.InLibrary() {
		return
	}
	// site and element are the expression and the lazy variable until its value is there.
	d.site, d.element, d.took = e, "", false
	if d.node != nil && d.node.lazy != nil {
		d.element = d.node.lazy.elements[e]
	}
}

// Evaluated notes that an expression of the program gave a value: a list of which the function takes more than elements by their
// index is looked at as a whole. The cases are: an expression that a loop goes through, which is
// noted by the loop; a tuple that is unpacked; a list that is handed on; and all others, which read
// every element.
func (d *Run) Evaluated(f Frame, e ast.Expr, v value.Value) {
	d.site = nil
	if d.node == nil || f.InLibrary() {
		return
	}
	if lazy := d.node.lazy; lazy != nil {
		if name := lazy.elements[e]; name != "" && (d.element != name || !d.took) { // nothing that was there before
			lazy.sees(name)
		}
	}
	d.element = ""
	u := d.node.uses[e]
	if u.held {
		d.iterates(e, v)
		return
	}
	if sequence(v) == nil {
		if u.each {
			d.unpacks(v, u)
		}
		return
	}
	tuple, isTuple := v.(*value.Tuple)
	switch {
	case u.handedOn || u.field && isTuple && tuple.Class != nil:
	case u.each:
		d.unpacks(v, u)
	default:
		d.noteList(v, nil)
	}
}

// Arguments notes that a function is called: one that is not of the program looks at all of the lists it is given.
func (d *Run) Arguments(f Frame, e *ast.Call, fn value.Value, args []value.Value, kw []value.Kw) {
	if d.node == nil || f.InLibrary() {
		// What a list is handed to may look at it, unless it is a function of the program. Calls
		// within a library add nothing: its functions were taken to look at the whole list.
		return
	}
	d.handsOn(e, fn)
	if m, ok := fn.(*value.BoundMethod); ok {
		fn = m.Func
	}
	d.through = d.goesThrough(e, fn)
	switch fn := fn.(type) {
	case *value.Func:
		if c, ok := fn.Code.(Code); ok && !c.InLibrary() {
			return
		}
	// Dynamo guards the length of each list that is read, so len() needs no element.
	case *value.Builtin:
		if fn.Name == "len" {
			return
		}
	}
	// A function of a library looks at a list as a whole.
	for i, a := range args {
		if !d.through || i >= len(e.Args) || !d.node.uses[e.Args[i]].held {
			d.noteList(a, nil)
		}
	}
	for _, k := range kw {
		d.noteList(k.Value, nil)
	}
}

// sequence is the elements of a list or tuple; nil: it is none. A list of unknown length gives the
// elements that are known.
func sequence(v value.Value) []value.Value {
	switch v := v.(type) {
	case *value.List:
		return v.Elems
	case *value.Tuple:
		return v.Elems
	}
	return nil
}

// noteList notes that a list is looked at: but for the elements of which unread says so. The note
// is made in each frame from the present one outwards that has a source for the list and has read
// it in the present part, and once for the whole. With unread of another length than the list
// nothing is skipped.
func (d *Run) noteList(v value.Value, unread []bool) {
	elems := sequence(v)
	if elems == nil {
		return
	}
	skip := func(i int) bool { return len(unread) == len(elems) && unread[i] }
	for p := d.node; p != nil; p = p.parent {
		src := p.paths[v]
		r := p.reads[src]
		if src == "" || r == nil || r.part != p.part || r.whole {
			continue
		}
		r.whole = unread == nil
		for i, e := range elems {
			if !skip(i) {
				d.note(p, elementSource(src, i), e, r.fixed)
			}
		}
	}
}

// elementSource is the source of an element of a list.
func elementSource(src string, i int) string { return src + "[" + strconv.Itoa(i) + "]" }

// elementOf notes that a program took an element of a list: that element, or those of a slice, or,
// where the index is not known, all.
func (d *Run) elementOf(v, index, x value.Value) {
	if part, ok := index.(*value.Slice); ok {
		d.noteList(v, outside(part, len(sequence(v))))
		return
	}
	i, ok := value.AsInt(index)
	n := int64(len(sequence(v)))
	if i < 0 {
		i += n
	}
	if !ok || i < 0 || i >= n {
		d.noteList(v, nil)
		return
	}
	// Within an expression of the program the element is used further, and what is used of it is
	// noted there; after it the element counts as looked at as a whole.
	handed := d.site != nil
	for p := d.node; p != nil; p = p.parent {
		if src := p.paths[v]; src != "" && p.reads[src] != nil {
			d.notes(p, elementSource(src, int(i)), x, p.reads[src].fixed, !handed)
		}
	}
}

// outside says which elements of a list are not in a slice of it; nil: that is not known, as for
// steps. Its index i says whether element i lies outside. Bounds that are not known give nil too.
func outside(part *value.Slice, n int) []bool {
	// Bounds are cut to the list, as Python does.
	bound := func(v value.Value, otherwise int) (int, bool) {
		if _, none := v.(value.NoneType); none {
			return otherwise, true
		}
		i, ok := value.AsInt(v)
		if i < 0 {
			i += int64(n)
		}
		return int(min(max(i, 0), int64(n))), ok
	}
	from, ok1 := bound(part.Start, 0)
	to, ok2 := bound(part.Stop, n)
	if _, plain := part.Step.(value.NoneType); !ok1 || !ok2 || !plain {
		return nil
	}
	out := make([]bool, n)
	for i := range out {
		out[i] = i < from || i >= to
	}
	return out
}

// fieldOf notes that a program read an attribute of a tuple: a field of a named one, or else
// something of the whole.
func (d *Run) fieldOf(t *value.Tuple, name string, x value.Value) {
	if t.Class != nil {
		fields, _ := t.Class.Lookup("_fields")
		for i, field := range sequence(fields) {
			if field == value.Str(name) {
				d.elementOf(t, value.Int(i), x)
				return
			}
		}
	}
	d.noteList(t, nil)
}
