package annot

// This file reads shape comments as engineers write them:
//
//	# (B, T, C)                      # [N, 3, H, W]           # B x C x H x W
//	# B, Ph*Pw, C                    # x: (batch, d)          # q, k: (B, nh, T, hs)
//	# (B, T, C) -> (B, T, E)         # BLC -> LBC             # shape = [*, grid ** 2, width]
//	# (B, T), (B, S)                 # embeddings of shape (b, t, n_embd)
//	# (B, T, ), which is (B, T, ...)
//
// Whatever is not clearly one of these is prose and gives nothing.

import (
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"

	"shapecheck/symshape"
)

// A Claim is one shape that a comment states.
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
// comments, and many commands read none.
func pattern(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

// maxComment bounds the length of a comment in bytes.
const maxComment = 400

var (
	arrow      = pattern(`\s*(?:-{1,2}>|=>|→|⟶|⇒)\s*`)
	namePrefix = pattern(
		`^([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*(?:\s*[,&/]\s*[A-Za-z_]\w*)*)(\.shape|\.size\(\))?\s*(?::|==?|\bis\b|\bare\b|\bhas shape\b|\bhave shape\b|\bof shape\b)\s*`)
	shapePhrase = pattern(`(?i)\b(?:shapes?|torch\.Size)\b\s*(?:is|are|now|becomes|will be|:|==?|->)?\s*`)
	letterRun   = pattern(`^[A-Z]{2,6}$`)
)

// generic are words before a colon that are no variables: "output: (B, C)".
var generic = wordSet("shape size output outputs out result results returns return now becomes dims dim dimensions")

// Comment reads a comment, from its # on. Claims are in the order of the text;
// none means that it is prose.
func Comment(text string) []Claim {
	if len(text) > maxComment || !utf8.ValidString(text) {
		return nil
	}
	c := commentReader{text: text}
	from, to := c.trim(0, len(text), "# \t:")
	if i := strings.Index(text[from:to], " #"); i >= 0 { // a second comment
		_, to = c.trim(from, from+i, "")
	}
	if from >= to {
		return nil
	}
	body := text[from:to]
	if m := arrow().FindAllStringIndex(body, -1); m != nil {
		return c.afterArrow(from, to, m)
	}
	return c.statement(from, to, false)
}

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
// a shape stands before it.
func (c *commentReader) afterArrow(from, to int, arrows [][]int) []Claim {
	body := c.text[from:to]
	last := arrows[len(arrows)-1]
	before := from
	if len(arrows) > 1 {
		before = from + arrows[len(arrows)-2][1]
	}
	head, tail := strings.TrimSpace(body[:last[0]]), strings.TrimSpace(body[last[1]:])
	if strings.Count(head, "(") != strings.Count(head, ")") || strings.Count(head, "[") != strings.Count(head, "]") {
		return nil
	}
	if i := strings.LastIndexByte(head, ' '); letterRun().MatchString(tail) && letterRun().MatchString(head[i+1:]) { // NLD -> LND
		return c.letters(from+last[1], tail, head[i+1:])
	}
	explicit := c.endsInShape(before, from+last[0])
	claims := c.statement(from+last[1], to, explicit)
	if !explicit && (head != "" && !generic[strings.ToLower(head)] && !IsName(head)) {
		return nil
	}
	if len(claims) == 1 && IsName(head) && !generic[strings.ToLower(head)] && len(claims[0].Names) == 0 {
		claims[0].Names = []string{head} // x -> (B, C)
	}
	return claims
}

// axisLetters are the letters by which axes go in an axis order.
const axisLetters = "BNCHWDLTSEKMQF"

// letters reads the permutation of an axis order.
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
	if common < 2 || sorted(to) == "RGB" {
		return nil
	}
	return []Claim{cl}
}

func sorted(s string) string {
	for _, p := range [...]string{"RGB", "RBG", "GRB", "GBR", "BRG", "BGR"} {
		if s == p {
			return "RGB"
		}
	}
	return s
}

// endsInShape reports whether the text before an arrow ends in a shape.
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

// statement reads claims: named, in brackets, after the word shape, or bare.
func (c *commentReader) statement(from, to int, explicit bool) []Claim {
	from, to = c.trim(from, to, " \t")
	if from >= to {
		return nil
	}
	if m := namePrefix().FindStringSubmatchIndex(c.text[from:to]); m != nil {
		list := c.text[from+m[2] : from+m[3]]
		said := strings.HasSuffix(list, ".shape") || m[4] >= 0 || strings.Contains(c.text[from+m[3]:from+m[1]], "shape")
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

// named reads what follows "x:", and further "y: …" after a comma.
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

func splitNames(list string) []string {
	var names []string
	for _, n := range strings.FieldsFunc(list, func(r rune) bool { return strings.ContainsRune(",&/ ", r) }) {
		names = append(names, strings.TrimSuffix(n, ".shape"))
	}
	return names
}

// groups reads one shape in brackets, or several separated by commas.
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
// words that do not make it doubtful.
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
		if trimmed[i] == '(' || trimmed[i] == '[' {
			sub := commentReader{text: trimmed}
			if cl, _, ok := sub.group(i, len(trimmed), false); ok && len(cl.Doubts) == 0 && !cl.Numbers {
				return false
			}
		}
	}
	return !strings.Contains(trimmed, "==")
}

// group reads a shape in brackets at from; end is the offset after it.
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

// splitBare splits a list without commas: by x, ×, or spaces.
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

// axes reads the parts of a list that lies in the text from an offset on.
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
	for _, raw := range parts {
		i := strings.Index(c.text[at:], raw)
		if i < 0 {
			return cl, false
		}
		from := at + i
		at = from + len(raw)
		part := strings.TrimSpace(raw)
		from += strings.Index(raw, part)
		a, ok := looseAxis(part)
		if !ok {
			return cl, false
		}
		a.From, a.To = from, from+len(part)
		if a.Kind == Rest && cl.Shape.Rest() >= 0 {
			return cl, false
		}
		_, isNumber := a.Expr.Const()
		numbers = numbers && a.Kind == Size && isNumber
		l, doubts := a.judge()
		best = max(best, l)
		cl.Doubts = append(cl.Doubts, doubts...)
		cl.Shape.Axes = append(cl.Shape.Axes, a)
		if len(part) == 1 {
			spelled += strings.ToUpper(part)
		}
	}
	cl.Numbers = numbers
	if sorted(spelled) == "RGB" && len(parts) == 3 {
		return cl, false
	}
	if !numbers && !explicit && best != strong { // (b, t): the program must know them
		cl.Doubts = nil
		cl.Shape.Names(func(name string) { cl.Doubts = append(cl.Doubts, name) })
		return cl, len(cl.Doubts) > 0
	}
	return cl, true
}

// looseAxis reads one axis as people write it.
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
// B N C. Words need brackets: without them they are prose.
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
	if !ok || len(parts) < 2 || cl.Numbers && sep != "," && len(parts) < 3 || cl.Numbers && len(parts) < 3 {
		return cl, false // 3x3 is a kernel
	}
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
// is no shape.
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
