package isa

// This file reads the text form.
//
// It is the inverse of print.go: Parse(Text(p)) is p for every program in canonical form, which
// tests and a fuzz target ask. The text is for people who read and write programs, and for tests;
// programs are kept in the binary form. The grammar is line by line, and the first word of a line
// decides what it is, so no line needs another one's context except for the tables that it refers
// to, which must stand before.

import (
	"encoding/hex"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"shapecheck/onnx"
)

// A TextError is a fault of a text, at a line from 1.
type TextError struct {
	Line   int
	Reason string
}

func (e *TextError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Reason) }

// Parse assembles a text to a program in canonical form. Programs written by hand may leave
// out the line of values and write any expression where a size is meant. The program must be
// verified before it is run. The error is a *TextError, with the line, for a text that is malformed, and a
// *FormatError if the tables refer to what is not there. What Parse accepts is well formed but
// may still be wrong: that operands have the right types, and jumps go to their regions, is the
// verifier's to say.
func Parse(text string) (p *Program, err error) {
	a := &assembler{p: &Program{}, symbols: map[string]uint32{}, sizes: map[sizeKey]uint32{}, named: map[string]uint32{},
		places: map[string]uint32{}, origins: map[string]uint32{}}
	defer func() {
		switch r := recover().(type) {
		case nil:
		case textFault:
			p, err = nil, &TextError{a.at, string(r)}
		default:
			panic(r)
		}
	}()
	if strings.TrimSpace(text) == "" {
		return nil, &TextError{1, "the text is empty: a program begins with its name and format, as program \"model\" format 1.0"}
	}
	for line := range strings.SplitSeq(text, "\n") {
		a.at++
		words, why := scan(line)
		if why != "" {
			a.fail("%s", why)
		}
		if a.words = words; len(words) > 0 {
			a.line()
		}
	}
	if err := a.finish(); err != nil {
		return nil, err
	}
	return a.p, nil
}

// textFault is the panic of assembler.fail.
type textFault string

// An assembler reads the text of a program, line by line. Errors are panics with the line, which Parse turns
// into an error. words are those of the line that are not read yet. symbols, sizes, places and
// origins find entries of the program's tables by their content, so that equal ones are one
// entry. depth counts nested types and expressions. values is one more than the largest value
// that was named.
type assembler struct {
	p       *Program
	at      int
	words   []word
	symbols map[string]uint32
	sizes   map[sizeKey]uint32
	named   map[string]uint32 // sizes with a name
	places  map[string]uint32
	origins map[string]uint32
	depth   int
	values  int32
}

func (a *assembler) fail(format string, args ...any) { panic(textFault(fmt.Sprintf(format, args...))) }

// At the end of the line it is the empty word, whose kind no reader takes.
func (a *assembler) peek() word {
	if len(a.words) == 0 {
		return word{}
	}
	return a.words[0]
}

func (a *assembler) next() word {
	w := a.peek()
	if len(a.words) > 0 {
		a.words = a.words[1:]
	}
	return w
}

// take takes a name or punctuation if it is next.
func (a *assembler) take(text string) bool {
	if w := a.peek(); (w.kind == 'n' || w.kind == 'p') && w.text == text {
		a.words = a.words[1:]
		return true
	}
	return false
}

func (a *assembler) expect(text string) {
	if !a.take(text) {
		a.fail("%q is expected, not %q", text, a.peek().text)
	}
}

func (a *assembler) name() string {
	if a.peek().kind != 'n' {
		a.fail("a name is expected, not %q", a.peek().text)
	}
	return a.next().text
}

// Names must be valid UTF-8, as protobuf's strings are.
func (a *assembler) quoted() string {
	if w := a.peek(); w.kind != 's' || !utf8.ValidString(w.text) {
		a.fail("a text in quotes is expected")
	}
	return a.next().text
}

// Attributes of strings are bytes and need not be UTF-8.
func (a *assembler) bytes() []byte {
	if a.peek().kind != 's' {
		a.fail("a text in quotes is expected")
	}
	return []byte(a.next().text)
}

// int reads an integer of 64 bits with an optional sign.
func (a *assembler) int() int64 {
	sign := ""
	if a.take("-") {
		sign = "-"
	}
	w := a.next()
	n, err := strconv.ParseInt(sign+w.text, 10, 64)
	if w.kind != 'i' || err != nil {
		a.fail("an integer is expected, not %q", w.text)
	}
	return n
}

// index reads a number from 0 to 2^31 - 3. The bound leaves room for adding one, and for the
// negative numbers that stand for constants.
func (a *assembler) index() uint32 {
	n := a.int()
	if n < 0 || n > math.MaxInt32-2 {
		a.fail("%d is no index", n)
	}
	return uint32(n)
}

// numbered reads a letter and a number, as c4 or r0.
func (a *assembler) numbered(letter string) int {
	s := a.name()
	n, err := strconv.ParseInt(strings.TrimPrefix(s, letter), 10, 31)
	if err != nil || !strings.HasPrefix(s, letter) {
		a.fail("%s and a number is expected, not %q", letter, s)
	}
	return int(n)
}

func (a *assembler) hex() []byte {
	w := a.next()
	b, err := hex.DecodeString(w.text)
	if w.kind != 'x' || err != nil {
		a.fail("bytes as 0x… are expected")
	}
	return b
}

// line reads one line: a section of the head, or an instruction. Nothing may be left over on the
// line.
func (a *assembler) line() {
	w := a.peek()
	// The name const is an opcode as well: in the line of a constant @ follows.
	isOp := w.kind != 'n' || w.text == "const" && (len(a.words) < 2 || a.words[1].text != "@")
	if isOp || !a.section(w.text) {
		a.instruction()
	}
	if len(a.words) > 0 {
		a.fail("%q is not expected here", a.peek().text)
	}
}

// section reads a line that is no instruction, and reports whether it is one. When it is none,
// the words are put back for the instruction.
func (a *assembler) section(first string) bool {
	rest := a.words
	a.next()
	switch first {
	case "program":
		a.programLine()
	case "producer":
		a.p.Producer = a.quoted()
	case "feature":
		a.p.Features = append(a.p.Features, a.quoted())
	case "meta":
		e := &Entry{Key: a.quoted()}
		a.expect("=")
		e.Value = a.quoted()
		a.p.Metadata = append(a.p.Metadata, e)
	case "sym":
		a.symbolLine()
	case "bound":
		s, ok := a.symbols[strings.TrimPrefix(a.name(), symPrefix)]
		if !ok {
			a.fail("a bound is of a symbol")
		}
		a.expect("<=")
		a.p.Symbols[s].Upper = a.expr(0) + 1
	case "size":
		name := a.name()
		if _, ok := a.named[name]; ok || !isSizeName(name) {
			a.fail("%q is no name of a new size: these are s0, s1 …", name)
		}
		a.expect("=")
		a.named[name] = a.expr(0)
	case "require":
		c := &Condition{Cond: a.quoted()}
		for a.take("because") {
			c.Because = append(c.Because, a.quoted())
		}
		a.p.Contract = append(a.p.Contract, c)
	case "input":
		x := &Port{Name: a.quoted(), Type: a.typ()}
		if a.take("state") {
			x.State = a.index() + 1
		}
		a.p.Inputs = append(a.p.Inputs, x)
	case "output":
		a.p.Outputs = append(a.p.Outputs, &Port{Name: a.quoted(), Type: a.typ()})
	case "segment":
		a.segmentLine()
	case "packed":
		a.packedLine()
	case "const":
		a.constLine()
	case "class":
		if a.numbered("c") != len(a.p.Classes) {
			a.fail("classes are numbered in order")
		}
		a.expect("=")
		c := &Class{Bytes: a.expr(0)}
		if a.take("at") {
			c.Offset = uint64(a.offset()) + 1
		}
		a.p.Classes = append(a.p.Classes, c)
	case "values":
		a.p.Values = a.index()
	case "else":
		a.label(func(r *Region) *uint32 { return &r.Middle })
	case "end":
		a.label(func(r *Region) *uint32 { return &r.End })
	default:
		a.words = rest
		return false
	}
	return true
}

// The version is two words of digits with a point; whether this machine can run it is the
// verifier's question.
func (a *assembler) programLine() {
	a.p.Name = a.quoted()
	a.expect("format")
	v := a.next().text
	major, minor, _ := strings.Cut(v, ".")
	ma, err1 := strconv.ParseUint(major, 10, 32)
	mi, err2 := strconv.ParseUint(minor, 10, 32)
	if err1 != nil || err2 != nil {
		a.fail("a version is expected, not %q", v)
	}
	a.p.Major, a.p.Minor = uint32(ma), uint32(mi)
}

func (a *assembler) offset() int64 {
	n := a.int()
	if n < 0 {
		a.fail("%d is no place", n)
	}
	return n
}

// symbolLine reads sym NAME LO..HI; without HI there is no bound.
func (a *assembler) symbolLine() {
	s := &Symbol{Name: a.name()}
	if _, ok := a.symbols[s.Name]; ok {
		a.fail("the symbol %s is there twice", s.Name)
	}
	s.Lo = a.int()
	a.expect("..")
	if a.peek().kind == 'i' || a.peek().text == "-" {
		s.Hi = a.int()
	}
	a.symbols[s.Name] = uint32(len(a.p.Symbols))
	a.p.Symbols = append(a.p.Symbols, s)
}

// segmentLine reads an entry of the table of segments; what is optional stands behind its
// keyword, in a fixed order.
func (a *assembler) segmentLine() {
	if int(a.index()) != len(a.p.Segments) {
		a.fail("segments are numbered in order")
	}
	s := &Segment{Kind: a.quoted()}
	if a.take("tier") {
		s.Tier = a.quoted()
	}
	a.expect("at")
	s.Offset = uint64(a.offset())
	a.expect("length")
	s.Length = uint64(a.offset())
	if a.take("sha256") {
		s.Sha256 = a.hex()
	}
	if a.take("file") {
		s.File = a.quoted()
	}
	if a.take("name") {
		s.Name = a.quoted()
	}
	a.p.Segments = append(a.p.Segments, s)
}

// packedLine reads what is in the last segment.
func (a *assembler) packedLine() {
	if len(a.p.Segments) == 0 {
		a.fail("what is packed is in a segment")
	}
	a.expect("@")
	x := &Packed{Constant: a.index(), Form: a.quoted()}
	a.expect("op")
	x.Op = a.index()
	a.expect("flags")
	x.Flags = uint64(a.offset())
	a.expect("at")
	x.Offset = uint64(a.offset())
	a.expect("length")
	x.Length = uint64(a.offset())
	s := a.p.Segments[len(a.p.Segments)-1]
	s.Packed = append(s.Packed, x)
}

// constLine reads a constant: its bytes, or where they lie in a segment. Segments are numbered
// from 1 in the program, as 0 says that the bytes are in the program itself.
func (a *assembler) constLine() {
	a.expect("@")
	if int(a.index()) != len(a.p.Constants) {
		a.fail("constants are numbered in order")
	}
	c := &Constant{}
	if a.peek().kind == 's' {
		c.Name = a.quoted()
	}
	c.Type = a.typ()
	a.expect("=")
	if a.take("segment") {
		c.Segment = a.index() + 1
		a.expect("at")
		c.Offset = uint64(a.offset())
	} else {
		c.Data = a.hex()
	}
	a.p.Constants = append(a.p.Constants, c)
}

// label sets a place of a region to the next instruction. An else is the middle of a conditional
// region, an end its end; those of loops are set by their instructions.
func (a *assembler) label(of func(*Region) *uint32) {
	k := a.numbered("r")
	a.expect(":")
	*of(a.region(k)) = uint32(len(a.p.Code))
}

// region gives a region that has begun.
func (a *assembler) region(k int) *Region {
	if k >= len(a.p.Regions) {
		a.fail("the region r%d has not begun", k)
	}
	return a.p.Regions[k]
}

// finish completes what hand-written programs may leave out. An error says that a table refers to
// an entry that is not there. Canonicalize sorts the tables, so that equal programs have equal
// bytes.
func (a *assembler) finish() error {
	p := a.p
	for _, r := range p.Regions { // without else, the other arm begins at the end
		if r.Kind == Region_IF && r.Middle == 0 {
			r.Middle = r.End
		}
	}
	if p.Values == 0 {
		p.Values = uint32(a.values)
	}
	if err := p.checkTables(); err != nil {
		return err
	}
	p.Canonicalize()
	return nil
}

// operand reads %value, @constant or ~ for an absent one.
func (a *assembler) operand() int32 {
	switch {
	case a.take("~"):
		return Absent
	case a.take("@"):
		return ConstOperand(int(a.index()))
	case a.take("%"):
		v := int32(a.index())
		a.values = max(a.values, v+1)
		return v
	}
	a.fail("a value, a constant or ~ is expected, not %q", a.peek().text)
	return 0
}

func (a *assembler) operands() (out []int32) {
	if w := a.peek(); w.kind != 'p' || !strings.Contains("~@%", w.text) {
		return nil
	}
	for {
		out = append(out, a.operand())
		if !a.take(",") {
			return out
		}
	}
}

// instruction parses an instruction as printer.inst writes it: the opcode, results before "=", operands,
// attributes in braces, the region of a jump or loop, the types of results after "->", the symbols that it
// binds, and its origin. Words of one letter and a number (r0, c4) cannot be mistaken for
// attributes, which stand in braces.
func (a *assembler) instruction() {
	name := a.name()
	op := table().byText[name]
	if op == 0 {
		a.fail("%q is no opcode", name)
	}
	i := &Instruction{Op: uint32(op)}
	first := a.operands()
	var outs []int32
	if a.take("=") {
		outs, first = first, a.operands()
	}
	i.In = first
	if a.take("{") {
		for !a.take("}") {
			n := a.name()
			a.expect("=")
			i.Attr = append(i.Attr, a.attr(n))
		}
	}
	if w := a.peek(); w.kind == 'n' && strings.HasPrefix(w.text, "r") && w.text != "require" {
		a.inRegion(i, op)
	}
	if len(outs) > 0 {
		a.expect("->")
	}
	for k, v := range outs {
		if k > 0 {
			a.expect(",")
		}
		r := &Result{Value: v}
		if !a.take("?") { // the type of a result that is not wanted may be absent
			r.Type = a.typ()
		}
		if w := a.peek(); w.kind == 'n' && strings.HasPrefix(w.text, "c") {
			r.Class = uint32(a.numbered("c")) + 1
		}
		if a.take("alias") {
			r.Alias = a.index() + 1
		}
		i.Out = append(i.Out, r)
	}
	if a.take("binds") {
		for {
			n := strings.TrimPrefix(a.name(), symPrefix)
			s, ok := a.symbols[n]
			if !ok {
				a.fail("%q is no symbol", n)
			}
			i.Binds = append(i.Binds, s)
			if !a.take(",") {
				break
			}
		}
	}
	if a.take(";") {
		i.Debug = a.origin()
	}
	a.p.Code = append(a.p.Code, i)
}

// inRegion reads the region of a jump or a loop's instruction and sets its places. A region
// begins with the first instruction that names it: a jump makes a conditional, loop.begin a loop.
// Regions are numbered in the order of their beginnings.
func (a *assembler) inRegion(i *Instruction, op Op) {
	k, pc := a.numbered("r"), uint32(len(a.p.Code))
	i.Region = uint32(k) + 1
	if k == len(a.p.Regions) {
		kind := Region_IF
		if op == LoopBegin {
			kind = Region_LOOP
		}
		a.p.Regions = append(a.p.Regions, &Region{Kind: kind, Begin: pc})
	}
	r := a.region(k)
	switch op {
	case LoopNext:
		r.Middle = pc
	case LoopEnd:
		r.End = pc
	}
}

// attr parses the value of an attribute, whose form follows from its first word: a string, ":" and a type,
// "@" and a constant, a list of integers, one marked f, t or z of floats, strings or sizes, or a
// number. Numbers without a point or exponent are integers, all others floats, and so are inf and
// nan; the printer writes floats such that they are read as floats.
func (a *assembler) attr(name string) *Attr {
	w := a.peek()
	at := &Attr{Name: name}
	items := func(f func()) {
		for !a.take("]") {
			f()
			if !a.take(",") && a.peek().text != "]" {
				a.fail("a list is not closed")
			}
		}
	}
	switch {
	case w.kind == 's':
		at.V = &Attr_S{a.bytes()}
	case a.take(":"):
		at.V = &Attr_Type{a.typ()}
	case a.take("@"):
		at.V = &Attr_Constant{a.index()}
	case a.take("["):
		l := &Ints{}
		items(func() { l.List = append(l.List, a.int()) })
		at.V = &Attr_Ints{l}
	case w.kind == 'n' && len(a.words) > 1 && a.words[1].text == "[":
		a.words = a.words[2:]
		switch w.text {
		case "f":
			l := &Floats{}
			items(func() { l.List = append(l.List, a.float()) })
			at.V = &Attr_Floats{l}
		case "t":
			l := &Strings{}
			items(func() { l.List = append(l.List, a.bytes()) })
			at.V = &Attr_Strings{l}
		case "z":
			l := &SizeList{}
			items(func() { l.List = append(l.List, a.expr(0)) })
			at.V = &Attr_Sizes{l}
		default:
			a.fail("%s[ begins no list", w.text)
		}
	default:
		isInt := w.kind == 'i' || w.text == "-" && len(a.words) > 1 && a.words[1].kind == 'i'
		if isInt {
			at.V = &Attr_I{a.int()}
		} else {
			at.V = &Attr_F{a.float()}
		}
	}
	return at
}

// float reads a number with an optional sign; inf and nan are numbers too.
func (a *assembler) float() float64 {
	sign := ""
	if a.take("-") {
		sign = "-"
	}
	w := a.next()
	f, err := strconv.ParseFloat(sign+w.text, 64)
	if w.kind != 'f' && w.kind != 'i' && w.text != "inf" && w.text != "nan" || err != nil {
		a.fail("a number is expected, not %q", w.text)
	}
	return f
}

// origin reads where an instruction is from: places in the source, nodes of the model, and the pass that made
// it. Equal origins are kept once. The result is the index of the origin plus one, as 0 says that
// an instruction has none.
func (a *assembler) origin() uint32 {
	p := a.p
	if p.Debug == nil {
		p.Debug = &Debug{}
	}
	o := &Origin{}
	for a.take("at") {
		x := &Place{File: a.quoted()}
		a.expect(":")
		x.Line = a.index()
		if a.peek().kind == 's' {
			x.Module = a.quoted()
		}
		key := fmt.Sprintf("%q %d %q", x.File, x.Line, x.Module)
		id, ok := a.places[key]
		if !ok {
			id = uint32(len(p.Debug.Places))
			a.places[key] = id
			p.Debug.Places = append(p.Debug.Places, x)
		}
		o.Places = append(o.Places, id)
	}
	for a.take("node") {
		o.Nodes = append(o.Nodes, a.quoted())
	}
	if a.take("by") {
		o.Pass = a.quoted()
	}
	key := originKey(o)
	id, ok := a.origins[key]
	if !ok {
		p.Debug.Origins = append(p.Debug.Origins, o)
		id = uint32(len(p.Debug.Origins))
		a.origins[key] = id
	}
	return id
}

// typ reads a type as print.go writes it.
func (a *assembler) typ() *Type {
	if a.depth++; a.depth > MaxNesting {
		a.fail("types are nested more than %d deep", MaxNesting)
	}
	defer func() { a.depth-- }()
	name := a.name()
	switch name {
	case "seq", "opt":
		a.expect("(")
		t := &Type{Kind: Type_SEQUENCE, Of: a.typ()}
		if name == "opt" {
			t.Kind = Type_OPTIONAL
		}
		a.expect(")")
		return t
	}
	d, ok := onnx.DTypeOf(name)
	if !ok {
		a.fail("%q is no type", name)
	}
	t := &Type{Kind: Type_TENSOR, Elem: uint32(d)}
	a.expect("[")
	if a.take("...") {
		t.Unranked = true
		a.expect("]")
	} else {
		for !a.take("]") {
			t.Dims = append(t.Dims, a.expr(0))
			if !a.take(",") && a.peek().text != "]" {
				a.fail("the dimensions are not closed")
			}
		}
	}
	return t
}

// levels are the binary operations by how tightly they bind.
var levels = [][]SizeOp_Kind{{SizeOp_ADD, SizeOp_SUB}, {SizeOp_MUL, SizeOp_FLOORDIV, SizeOp_MOD}}

// expr reads an expression of sizes and gives its entry. Operations of one level go from left to
// right. It is precedence climbing: level 0 are sums, level 1 products, quotients and remainders,
// level 2 the primaries. Equal subexpressions become one entry of the program's table of sizes.
func (a *assembler) expr(level int) uint32 {
	if a.depth++; a.depth > 4*MaxNesting {
		a.fail("expressions are nested too deep")
	}
	defer func() { a.depth-- }()
	if level == len(levels) {
		return a.primary()
	}
	x := a.expr(level + 1)
next:
	for {
		for _, k := range levels[level] {
			if a.take(opText(k)) {
				y := a.expr(level + 1)
				x = a.size(sizeKey{kind: int(k), a: int64(x), b: int64(y)})
				continue next
			}
		}
		return x
	}
}

// primary parses the smallest part of a size: a parenthesis, an integer, max or min of two sizes, a
// rounding of a real expression, a named size, or a symbol. A negative number is written in
// parentheses inside of an expression. Names s0, s1 … are those of sizes, and symbols with such
// names are written with a prefix.
func (a *assembler) primary() uint32 {
	w := a.peek()
	switch {
	case a.take("("):
		if w := a.peek(); w.text == "-" && len(a.words) > 2 && a.words[1].kind == 'i' && a.words[2].text == ")" {
			n := a.int()
			a.expect(")")
			return a.size(sizeKey{kind: -2, a: n})
		}
		x := a.expr(0)
		a.expect(")")
		return x
	case w.kind == 'i' || w.text == "-":
		return a.size(sizeKey{kind: -2, a: a.int()})
	}
	name := a.name()
	if (name == "max" || name == "min") && a.take("(") {
		k := SizeOp_MAX
		if name == "min" {
			k = SizeOp_MIN
		}
		x := a.expr(0)
		a.expect(",")
		y := a.expr(0)
		a.expect(")")
		return a.size(sizeKey{kind: int(k), a: int64(x), b: int64(y)})
	}
	for round, how := range roundings {
		if round > 0 && how.String() == name && a.peek().text == "(" {
			return a.rounded(RealSize_Round(round))
		}
	}
	if i, ok := a.named[name]; ok {
		return i
	}
	if s, ok := a.symbols[strings.TrimPrefix(name, symPrefix)]; ok && (!isSizeName(name)) {
		return a.size(sizeKey{kind: -1, a: int64(s)})
	}
	a.fail("%q is neither a symbol nor a size", name)
	return 0
}

// size gives the entry with that content. The key's kind is -2 for a constant, -1 for a symbol,
// and else the operation, with its operands in a and b.
func (a *assembler) size(k sizeKey) uint32 {
	z := &Size{}
	switch k.kind {
	case -2:
		z.E = &Size_Const{k.a}
	case -1:
		z.E = &Size_Symbol{uint32(k.a)}
	default:
		z.E = &Size_Op{&SizeOp{Kind: SizeOp_Kind(k.kind), A: uint32(k.a), B: uint32(k.b)}}
	}
	return a.entry(k, z)
}

// entry gives the entry with that content, a new one if there is none.
func (a *assembler) entry(k sizeKey, z *Size) uint32 {
	if i, ok := a.sizes[k]; ok {
		return i
	}
	i := uint32(len(a.p.Sizes))
	a.sizes[k] = i
	a.p.Sizes = append(a.p.Sizes, z)
	return i
}
