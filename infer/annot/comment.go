package annot

// This file reads shape comments as engineers write them:
//
//	# (B, T, C)                      # [N, 3, H, W]           # B x C x H x W
//	# B, Ph*Pw, C                    # x: (batch, d)          # q, k: (B, nh, T, hs)
//	# (B, T, C) -> (B, T, E)         # BLC -> LBC             # shape = [*, grid ** 2, width]
//	# (B, T), (B, S)                 # embeddings of shape (b, t, n_embd)
//	# (B, T, ), which is (B, T, ...)
//
// Whatever is not clearly one of these is prose and gives nothing. False claims would give false
// findings, so that the reader is strict: what could be a range, a kernel size, a colour order or
// an enumeration is refused, and names that the program must know are noted as Doubts, for the
// caller to look up.

import (
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"

	"shapecheck/symshape"
)

// A Claim is one shape that a comment states. Its Shape's axes have offsets of their own, by which
// the linter points at one axis.
type Claim struct {
	// Names are the variables it speaks of; none: the value of the statement.
	Names []string
	Shape Shape
	// From and To are the byte offsets of the axes in the comment, without the
	// brackets around them; Sep is what stands between them.
	From, To int
	Sep      string
	// Doubts are names that the program must know for this to be a shape.
	Doubts []string
	// Explicit says that the comment calls it a shape, or shows it as the result
	// of an arrow.
	Explicit bool
	// Before are the words in front of the shape: "attention of shape (B, T)".
	Before []string
	// Numbers says that all axes are numbers: they may be a range, a kernel, a
	// pair of coordinates, unless they fit the value.
	Numbers bool
}

// pattern is an expression that is compiled when it is first used: most programs have few
// comments, and many commands read none. An expression that does not compile panics at its first
// use, which the tests make.
func pattern(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

// maxComment bounds the length of a comment in bytes. Longer comments are prose or code that was
// commented out.
const maxComment = 400

// namePrefix is "x:", "q, k =", "x.shape is" and the like; shapePhrase the word that introduces a
// shape.
var (
	arrow      = pattern(`\s*(?:-{1,2}>|=>|→|⟶|⇒)\s*`)
	namePrefix = pattern(
		`^([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*(?:\s*[,&/]\s*[A-Za-z_]\w*)*)(\.shape|\.size\(\))?\s*(?::|==?|\bis\b|\bare\b|\bhas shape\b|\bhave shape\b|\bof shape\b)\s*`)
	shapePhrase = pattern(`(?i)\b(?:shapes?|torch\.Size)\b\s*(?:is|are|now|becomes|will be|:|==?|->)?\s*`)
	letterRun   = pattern(`^[A-Z]{2,6}$`)
)

// generic are words before a colon that are no variables: "output: (B, C)". They stand for the
// value of the statement.
var generic = wordSet("shape size output outputs out result results returns return now becomes dims dim dimensions")

// Comment reads a comment, from its # on. Claims are in the order of the text;
// none means that it is prose. A text that is not UTF-8 is none.
func Comment(text string) []Claim {
	if len(text) > maxComment || !utf8.ValidString(text) {
		return nil
	}
	c := commentReader{text: text}
	from, to := c.trim(0, len(text), "# \t:")
	// Only the first of several comments in a line counts.
	if i := strings.Index(text[from:to], " #"); i >= 0 { // a second comment
		_, to = c.trim(from, from+i, "")
	}
	if from >= to {
		return nil
	}
	body := text[from:to]
	// Of several arrows the last one's right side is the result.
	if m := arrow().FindAllStringIndex(body, -1); m != nil {
		return c.afterArrow(from, to, m)
	}
	return c.statement(from, to, false)
}

// It has no state but the text; offsets of all its methods are bytes in it.
type commentReader struct{ text string }

// trim drops characters of the set at the start, and spaces at both ends.
func (c *commentReader) trim(from, to int, set string) (int, int) {
	for from < to && strings.IndexByte(set, c.text[from]) >= 0 {
		from++
	}
	for to > from && (c.text[to-1] == ' ' || c.text[to-1] == '\t' || c.text[to-1] == '\r') {
		to--
	}
	return from, to
}

// afterArrow reads what follows the last arrow outside of brackets, provided that
// a shape stands before it. What stands before the arrow says what kind of text it is.
func (c *commentReader) afterArrow(from, to int, arrows [][]int) []Claim {
	body := c.text[from:to]
	last := arrows[len(arrows)-1]
	before := from
	if len(arrows) > 1 {
		before = from + arrows[len(arrows)-2][1]
	}
	head, tail := strings.TrimSpace(body[:last[0]]), strings.TrimSpace(body[last[1]:])
	// An arrow inside of brackets belongs to a type or signature.
	if strings.Count(head, "(") != strings.Count(head, ")") || strings.Count(head, "[") != strings.Count(head, "]") {
		return nil
	}
	// Letters alone on both sides: the permutation of axes.
	if i := strings.LastIndexByte(head, ' '); letterRun().MatchString(tail) && letterRun().MatchString(head[i+1:]) { // NLD -> LND
		return c.letters(from+last[1], tail, head[i+1:])
	}
	explicit := c.endsInShape(before, from+last[0])
	claims := c.statement(from+last[1], to, explicit)
	// Without a shape on the left only a name or a generic word may stand there.
	if !explicit && (head != "" && !generic[strings.ToLower(head)] && !IsName(head)) {
		return nil
	}
	if len(claims) == 1 && IsName(head) && !generic[strings.ToLower(head)] && len(claims[0].Names) == 0 {
		claims[0].Names = []string{head} // x -> (B, C)
	}
	return claims
}

// axisLetters are the letters by which axes go in an axis order. N and B batch, C channels, H, W, D
// sizes of space, L, T, S time, E, K, M, Q, F features.
const axisLetters = "BNCHWDLTSEKMQF"

// letters reads the permutation of an axis order. Both sides may differ by at most two letters, and
// must have two in common. Each letter is an axis.
func (c *commentReader) letters(from int, to, before string) []Claim {
	if len(to) > len(before)+2 || len(before) > len(to)+2 || strings.Trim(to+before, axisLetters) != "" {
		return nil
	}
	cl := Claim{From: from, To: from + len(to), Explicit: true}
	common := 0
	for i, r := range to {
		if strings.ContainsRune(before, r) {
			common++
		}
		if strings.ContainsRune(to[:i], r) {
			return nil
		}
		cl.Shape.Axes = append(cl.Shape.Axes, Axis{Expr: Named(string(r)), From: from + i, To: from + i + 1})
	}
	// Three colour letters are a colour order.
	if common < 2 || sorted(to) == "RGB" {
		return nil
	}
	return []Claim{cl}
}

// sorted gives RGB for any order of the three letters, else the text itself.
func sorted(s string) string {
	for _, p := range [...]string{"RGB", "RBG", "GRB", "GBR", "BRG", "BGR"} {
		if s == p {
			return "RGB"
		}
	}
	return s
}

// endsInShape reports whether the text before an arrow ends in a shape. A shape with doubts is none
// here.
func (c *commentReader) endsInShape(from, to int) bool {
	from, to = c.trim(from, to, " \t")
	if from >= to {
		return false
	}
	end := c.text[to-1]
	if end == ')' || end == ']' {
		open := byte('(')
		if end == ']' {
			open = '['
		}
		depth := 0
		for i := to - 1; i >= from; i-- {
			switch c.text[i] {
			case end:
				depth++
			case open:
				if depth--; depth == 0 {
					cl, _, ok := c.group(i, to, false)
					return ok && len(cl.Doubts) == 0
				}
			}
		}
		return false
	}
	cl, ok := c.bare(from, to, false)
	return ok && len(cl.Doubts) == 0
}

// statement reads claims: named, in brackets, after the word shape, or bare. The order of the forms
// is that of how sure they are.
func (c *commentReader) statement(from, to int, explicit bool) []Claim {
	from, to = c.trim(from, to, " \t")
	if from >= to {
		return nil
	}
	if m := namePrefix().FindStringSubmatchIndex(c.text[from:to]); m != nil {
		list := c.text[from+m[2] : from+m[3]]
		said := strings.HasSuffix(list, ".shape") || m[4] >= 0 || strings.Contains(c.text[from+m[3]:from+m[1]], "shape")
		// The name is dropped, and what follows counts as called a shape.
		if generic[strings.ToLower(list)] {
			list, said = "", true
		}
		if list = strings.TrimSuffix(list, ".shape"); strings.HasSuffix(list, "torch") { // torch.Size
			return nil
		}
		return c.named(list, from+m[1], to, explicit || said)
	}
	if c.text[from] == '(' || c.text[from] == '[' {
		return c.groups(from, to, explicit)
	}
	if m := shapePhrase().FindAllStringIndex(c.text[from:to], -1); m != nil {
		last := m[len(m)-1]
		start := from + last[1]
		// Words as "should" or "maybe" before a shape make it no claim (hedged).
		if hedged(c.text[from : from+last[0]]) {
			return nil
		}
		if start < to && c.text[start] == '(' && start+1 < to && c.text[start+1] == '[' { // torch.Size([2, 3])
			cl, end, ok := c.group(start+1, to, true)
			if !ok || end >= to || c.text[end] != ')' || !c.proseAfter(end+1, to) {
				return nil
			}
			return []Claim{cl}
		}
		var claims []Claim
		if start < to && (c.text[start] == '(' || c.text[start] == '[') {
			claims = c.groups(start, to, true)
		} else if cl, ok := c.bare(start, to, true); ok {
			claims = []Claim{cl}
		}
		// The words before help to tell which value is meant.
		for i := range claims {
			claims[i].Before = word().FindAllString(c.text[from:from+last[0]], -1)
		}
		return claims
	}
	if cl, ok := c.bare(from, to, explicit); ok {
		return []Claim{cl}
	}
	return nil
}

// named reads what follows "x:", and further "y: …" after a comma. Without brackets a bare list
// must fill the rest. It gives nil where a part is no shape.
func (c *commentReader) named(list string, from, to int, explicit bool) []Claim {
	from, to = c.trim(from, to, " \t")
	if from >= to || c.text[from] != '(' && c.text[from] != '[' {
		cl, ok := c.bare(from, to, explicit)
		if !ok {
			return nil
		}
		cl.Names = splitNames(list)
		return []Claim{cl}
	}
	cl, end, ok := c.group(from, to, explicit)
	if !ok {
		return nil
	}
	cl.Names = splitNames(list)
	next, _ := c.trim(end, to, " \t,;")
	if next > end {
		if m := namePrefix().FindStringSubmatchIndex(c.text[next:to]); m != nil {
			more := c.named(c.text[next+m[2]:next+m[3]], next+m[1], to, explicit)
			if more == nil {
				return nil
			}
			return append([]Claim{cl}, more...)
		}
	}
	if !c.proseAfter(end, to) {
		return nil
	}
	return []Claim{cl}
}

// splitNames takes a list of names apart; .shape behind one is dropped.
func splitNames(list string) []string {
	var names []string
	for _, n := range strings.FieldsFunc(list, func(r rune) bool { return strings.ContainsRune(",&/ ", r) }) {
		names = append(names, strings.TrimSuffix(n, ".shape"))
	}
	return names
}

// groups reads one shape in brackets, or several separated by commas. At most MaxAxes shapes are
// read.
func (c *commentReader) groups(from, to int, explicit bool) []Claim {
	var out []Claim
	for {
		cl, end, ok := c.group(from, to, explicit)
		if !ok {
			return nil
		}
		out = append(out, cl)
		next, _ := c.trim(end, to, " \t")
		if next < to && (c.text[next] == ',' || c.text[next] == ';') {
			after, _ := c.trim(next+1, to, " \t")
			if after < to && (c.text[after] == '(' || c.text[after] == '[') {
				if from = after; len(out) < MaxAxes {
					continue
				}
			}
		}
		if !c.proseAfter(end, to) {
			return nil
		}
		return out
	}
}

// proseAfter reports whether what follows a shape may follow one: nothing, or
// words that do not make it doubtful. "(B, T) tokens" is a shape with a remark, "(B, T) + (T,)"
// speaks of operands.
func (c *commentReader) proseAfter(from, to int) bool {
	rest := c.text[from:to]
	if strings.TrimSpace(rest) == "" {
		return true
	}
	r, _ := utf8.DecodeRuneInString(rest)
	if !strings.ContainsRune(" \t,;:.—–", r) || hedged(rest) || strings.IndexByte(",;:.", rest[0]) >= 0 && len(rest) > 1 && rest[1] != ' ' {
		return false
	}
	trimmed := strings.TrimLeft(rest, " \t,;:.—–-")
	if strings.TrimSpace(rest) != "" && trimmed == "" {
		return true
	}
	// An operator, or a bracket that holds another shape: this speaks of operands.
	if first, _ := utf8.DecodeRuneInString(trimmed); !isNameStart(first) && first != '#' && first != '`' && first != '"' {
		return false
	}
	if strings.HasPrefix(trimmed, "x ") || strings.HasPrefix(trimmed, "in ") && strings.ContainsAny(trimmed, "[(") {
		return false
	}
	for i := 0; i < len(trimmed); i++ {
		// A second shape in the words: it is not clear which of them is claimed.
		if trimmed[i] == '(' || trimmed[i] == '[' {
			sub := commentReader{text: trimmed}
			if cl, _, ok := sub.group(i, len(trimmed), false); ok && len(cl.Doubts) == 0 && !cl.Numbers {
				return false
			}
		}
	}
	return !strings.Contains(trimmed, "==")
}

// group reads a shape in brackets at from; end is the offset after it. ok is false for what is no
// shape. The brackets may hold others of the same kind.
func (c *commentReader) group(from, to int, explicit bool) (cl Claim, end int, ok bool) {
	open := c.text[from]
	shut := map[byte]byte{'(': ')', '[': ']'}[open]
	depth := 0
	for i := from; i < to; i++ {
		switch c.text[i] {
		case open:
			depth++
		case shut:
			depth--
		}
		if depth > 0 {
			continue
		}
		inner := c.text[from+1 : i]
		sep, parts := ",", symshape.SplitList(inner)
		trailing := false
		// A trailing comma: one axis, or a list that goes on.
		if n := len(parts); n > 1 && strings.TrimSpace(parts[n-1]) == "" { // (B,)
			parts, trailing = parts[:n-1], true
		}
		if len(parts) == 1 && !trailing {
			sep, parts = splitBare(inner)
		}
		cl, ok = c.axes(from+1, sep, parts, explicit)
		cl.From, cl.To = from+1, i
		if trailing && len(cl.Shape.Axes) > 1 && cl.Shape.Rest() < 0 { // (B, T, ): the list is not finished
			cl.Shape.Axes = append(cl.Shape.Axes, Axis{Kind: Rest, From: i, To: i})
		}
		// A single axis in brackets is only a shape if it is one or two capitals, as (N).
		if len(cl.Shape.Axes) < 2 && !trailing { // (optional), [1], (N)
			a := cl.Shape.Axes
			if len(a) == 0 || a[0].Kind != Size || a[0].Expr.op != "name" || a[0].Expr.name != strings.ToUpper(a[0].Expr.name) ||
				len(a[0].Expr.name) > 2 {
				ok = false
			}
		}
		return cl, i + 1, ok
	}
	return cl, to, false
}

var (
	timesSep = pattern(`\s+[xX]\s+|\s*×\s*`)
	tightX   = pattern(`^(?:[A-Z][0-9]?|[0-9]+|[bcdhlmnstw])(?:x(?:[A-Z][0-9]?|[0-9]+|[bcdhlmnstw]))+$`)
)

// splitBare splits a list without commas: by x, ×, or spaces. sep is the first separator, as it is
// written.
func splitBare(s string) (sep string, parts []string) {
	if m := timesSep().FindAllStringIndex(s, -1); m != nil {
		start := 0
		for _, x := range m {
			parts = append(parts, s[start:x[0]])
			start = x[1]
		}
		return s[m[0][0]:m[0][1]], append(parts, s[start:])
	}
	if t := strings.TrimSpace(s); tightX().MatchString(t) {
		return "x", strings.Split(t, "x")
	}
	return " ", strings.Fields(s)
}

// axes reads the parts of a list that lies in the text from an offset on. It is given for repairs
// of a comment. Offsets of parts are found one after the other.
func (c *commentReader) axes(at int, sep string, parts []string, explicit bool) (Claim, bool) {
	cl := Claim{Sep: sep, Explicit: explicit}
	if strings.TrimSpace(sep) == "," {
		cl.Sep = ", "
	}
	if len(parts) > MaxAxes || len(parts) == 0 {
		return cl, false
	}
	numbers, best := true, doubtful
	var spelled string
	// Parts may be equal, so that each is looked for behind the one before.
	for _, raw := range parts {
		i := strings.Index(c.text[at:], raw)
		if i < 0 {
			return cl, false
		}
		from := at + i
		at = from + len(raw)
		part := strings.TrimSpace(raw)
		from += strings.Index(raw, part)
		// A part that is no axis makes the whole no shape.
		a, ok := looseAxis(part)
		if !ok {
			return cl, false
		}
		a.From, a.To = from, from+len(part)
		// Two rests leave open what is where.
		if a.Kind == Rest && cl.Shape.Rest() >= 0 {
			return cl, false
		}
		_, isNumber := a.Expr.Const()
		numbers = numbers && a.Kind == Size && isNumber
		l, doubts := a.judge()
		best = max(best, l)
		cl.Doubts = append(cl.Doubts, doubts...)
		cl.Shape.Axes = append(cl.Shape.Axes, a)
		// Letters of one-letter parts, for colours.
		if len(part) == 1 {
			spelled += strings.ToUpper(part)
		}
	}
	cl.Numbers = numbers
	if sorted(spelled) == "RGB" && len(parts) == 3 {
		return cl, false
	}
	// Lower case letters alone may be anything.
	if !numbers && !explicit && best != strong { // (b, t): the program must know them
		cl.Doubts = nil
		cl.Shape.Names(func(name string) { cl.Doubts = append(cl.Doubts, name) })
		return cl, len(cl.Doubts) > 0
	}
	return cl, true
}

// looseAxis reads one axis as people write it. ok is false for what is no axis, and for numbers
// below 1.
func looseAxis(s string) (Axis, bool) {
	switch s {
	case "...", "…", "*", "**":
		return Axis{Kind: Rest}, true
	case "_", "?", "-1", ":", "-":
		return Axis{Kind: Any}, true
	}
	if strings.HasPrefix(s, "*") && IsName(s[1:]) {
		return Axis{Kind: Rest}, true
	}
	// Two words are one name with a blank, if both look like names of sizes.
	if words := strings.Fields(s); len(words) == 2 && IsName(words[0]) && IsName(words[1]) { // batch size
		if nameLikeness(words[0]) != doubtful && nameLikeness(words[1]) != doubtful && len(words[0]) > 2 && len(words[1]) > 2 {
			return Axis{Expr: Named(words[0] + "_" + words[1])}, true
		}
		return Axis{}, false
	}
	e, err := ParseExpr(s, true)
	if err != nil {
		return Axis{}, false
	}
	if n, ok := e.Const(); ok && n < 1 || e.op == "neg" {
		return Axis{}, false // [0, 1] and [-1, 1] are ranges
	}
	return Axis{Expr: e}, true
}

// bare reads a list without brackets that fills the text: B x C x H, B, N, C or
// B N C. Words need brackets: without them they are prose. ok is false where the text may be prose.
func (c *commentReader) bare(from, to int, explicit bool) (Claim, bool) {
	from, to = c.trim(from, to, " \t")
	if from >= to {
		return Claim{}, false
	}
	inner := c.text[from:to]
	sep, parts := ",", symshape.SplitList(inner)
	if len(parts) == 1 {
		sep, parts = splitBare(inner)
	} else if last := strings.TrimSpace(parts[len(parts)-1]); last == "" || strings.Contains(last, " ") && strings.ContainsAny(last, "-:;.") {
		return Claim{}, false // R, per-anchor match
	}
	cl, ok := c.axes(from, sep, parts, explicit)
	cl.From, cl.To = from, to
	// Two numbers are a kernel, a stride or a range.
	if !ok || len(parts) < 2 || cl.Numbers && sep != "," && len(parts) < 3 || cl.Numbers && len(parts) < 3 {
		return cl, false // 3x3 is a kernel
	}
	// A list by commas or blanks is the least sure form: each name must be known to the program or
	// be a strong one.
	if !explicit && (strings.TrimSpace(sep) == "," || sep == " ") {
		for _, a := range cl.Shape.Axes {
			l, doubts := a.judge()
			if _, number := a.Expr.Const(); a.Kind == Size && !number && l != strong && len(doubts) == 0 {
				cl.Doubts = append(cl.Doubts, firstName(a.Expr))
			}
			if words := strings.Fields(c.text[a.From:a.To]); len(words) > 1 && IsName(words[0]) && IsName(words[1]) {
				return cl, false
			}
		}
		// Without any bracket or x, capitals or the program's own names make a shape.
		capital := false
		for _, a := range cl.Shape.Axes {
			a.Expr.names(func(n string) { capital = capital || n[0] >= 'A' && n[0] <= 'Z' })
		}
		if !capital && len(cl.Doubts) == 0 {
			return cl, false
		}
	}
	return cl, true
}

// firstName is the first name in an expression, empty if it has none.
func firstName(e Expr) string {
	name := ""
	e.names(func(n string) {
		if name == "" {
			name = n
		}
	})
	return name
}

// Words reads the shape in the metadata of Annotated[Tensor, "B T D"]: axes
// separated by spaces, commas or x, perhaps in brackets. What looks like prose
// is no shape. ok is false for such text, and for shapes with doubts.
func Words(text string) (Shape, bool) {
	if len(text) > maxComment || !utf8.ValidString(text) {
		return Shape{}, false
	}
	c := commentReader{text: text}
	from, to := c.trim(0, len(text), " \t")
	if from >= to {
		return Shape{}, false
	}
	if c.text[from] == '(' || c.text[from] == '[' {
		cl, end, ok := c.group(from, to, true)
		return cl.Shape, ok && end == to
	}
	sep, parts := ",", symshape.SplitList(c.text[from:to])
	if len(parts) == 1 {
		sep, parts = splitBare(c.text[from:to])
	}
	cl, ok := c.axes(from, sep, parts, true)
	return cl.Shape, ok && len(cl.Doubts) == 0
}
