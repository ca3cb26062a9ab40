package lint

// This file holds the rules of reshapes: SC401, SC402 and SC408.

import (
	"fmt"
	"slices"
	"strings"

	"shapecheck/infer/graph"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
)

// maxAxes bounds the axes of a group that is looked at.
const maxAxes = 8

// crossing returns the groups of a reshape whose axes cross.
func (l *linter) crossing(n *graph.Node) (in, out *graph.Value, groups []group) {
	in, out = subject(n), result(n)
	if in == nil || out == nil || in.Type.DType != out.Type.DType {
		return nil, nil, nil
	}
	for _, g := range l.align(in, out) {
		if g.crosses() && len(g.from) <= maxAxes && len(g.to) <= maxAxes {
			groups = append(groups, g)
		}
	}
	return in, out, groups
}

// batchMixed is SC401: rows of the result hold parts of several samples.
func batchMixed(l *linter, n *graph.Node) {
	in, out, groups := l.crossing(n)
	for _, g := range groups {
		b := g.batchIn(l)
		if b < 0 {
			continue
		}
		if o := l.misplaced(&g, out); o != nil && !l.wholeSamples(&g, b) {
			l.report(diag.BatchMixed, n, fmt.Sprintf(
				"%s of %s to %s mixes samples of the batch %s: it does not swap axes, the elements keep their order",
				short(n), in.Type.Shape, out.Type.Shape, g.from[b].size.Compact()), "to change the order of the axes use transpose() or permute()")
			return
		}
		if per, size := l.uneven(&g, b, out); per > 0 {
			l.report(diag.BatchMixed, n, fmt.Sprintf("%s of %s to %s mixes samples of the batch %s: a sample has %d elements here, a row %d",
				short(n), in.Type.Shape, out.Type.Shape, g.from[b].size.Compact(), per, size),
				fmt.Sprintf("to keep one row for each sample write %s", keepBatch(n)))
			return
		}
		if per, size := l.gathered(&g, b, out); per > 0 {
			l.report(diag.BatchMixed, n, fmt.Sprintf(
				"%s of %s to %s mixes samples of the batch %s: a sample has %d elements here, and a row %d of %d samples",
				short(n), in.Type.Shape, out.Type.Shape, g.from[b].size.Compact(), per, size, size/per),
				fmt.Sprintf("to keep one row for each sample, the layer before must give %d features", size))
			return
		}
		if rows, size := l.torn(&g, b, n, in, out); rows > 0 {
			l.report(diag.BatchMixed, n, fmt.Sprintf(
				"%s of %s to %s makes %d rows of each sample of the batch %s: a sample has %d elements here, a row %d",
				short(n), in.Type.Shape, out.Type.Shape, rows, g.from[b].size.Compact(), rows*size, size),
				fmt.Sprintf("to keep one row for each sample write %s, and give the next layer %d features", keepBatch(n), rows*size))
			return
		}
	}
}

func keepBatch(n *graph.Node) string {
	if short(n) == "reshape()" {
		return "x.reshape(x.size(0), -1)"
	}
	return "x.view(x.size(0), -1)"
}

// batchIn is the place of the batch in a group that holds something else, too; -1
// without one.
func (g *group) batchIn(l *linter) int {
	for i, o := range g.from {
		if l.batch[o] {
			return i
		}
	}
	return -1
}

// uneven finds that a row is no whole number of samples and no even part of one:
// view(-1, 256) of samples of 400 elements. It returns both numbers.
func (l *linter) uneven(g *group, batch int, out *graph.Value) (sample, row int64) {
	if batch != 0 || g.from[0].size.Expr == nil {
		return 0, 0
	}
	sample = 1
	for _, o := range g.from[1:] {
		n, ok := o.size.Const()
		if !ok {
			return 0, 0
		}
		sample *= n
	}
	row = 1
	for i := len(g.to) - 1; i > 0; i-- {
		n, ok := out.Type.Shape[g.to[i]].Const()
		if !ok {
			return 0, 0
		}
		row *= n
		if row > 0 && sample > 0 && sample%row != 0 && row%sample != 0 {
			return sample, row
		}
	}
	return 0, 0
}

// gathered finds a row of several samples whose features, those of one layer, are cut inside of an axis of the row: view(-1, 64, 4, 4) of
// [B,256], where each channel of the images has parts of a sample and the channels those of several. Rows of whole samples beside each
// other, as frames or segments, have a boundary of axes there. It speaks where the rows come to a layer for which they are the batch.
func (l *linter) gathered(g *group, batch int, out *graph.Value) (sample, row int64) {
	if batch != 0 || len(g.from) != 2 || len(g.to) < 3 || g.from[1].birth != layer || !l.rowsOfLayer(out) {
		return 0, 0
	}
	sample, ok := g.from[1].size.Const()
	if !ok || sample < 2 {
		return 0, 0
	}
	row, cut := int64(1), true
	for i := len(g.to) - 1; i > 0; i-- {
		n, ok := out.Type.Shape[g.to[i]].Const()
		if !ok || n < 1 {
			return 0, 0
		}
		row *= n
		cut = cut && row != sample
	}
	if inner, _ := out.Type.Shape[g.to[len(g.to)-1]].Const(); !cut || row <= sample || row%sample != 0 || inner >= sample {
		return 0, 0
	}
	return sample, row
}

// rowsOfLayer reports whether a tensor is given to a layer for which its first axis is the batch.
func (l *linter) rowsOfLayer(v *graph.Value) bool {
	found := false
	l.consumers(v, func(n *graph.Node) { found = found || subject(n) == v && batchFirst(n, v.Type.Rank()) })
	return found
}

// torn finds a row that is an even part of a sample, but begins inside an axis and
// goes on over the ones after it: view(-1, 400) of [B,32,5,5], where each sample
// should be a row and the number is too small. It returns how many rows a sample
// becomes, and the size of one. Rows of whole positions, channels or heads are meant.
func (l *linter) torn(g *group, batch int, n *graph.Node, in, out *graph.Value) (rows, row int64) {
	if batch != 0 || len(in.Type.Shape) < 4 || len(out.Type.Shape) != 2 || len(g.to) != 2 || !writtenSize(l.Text(n.At), -1) {
		return 0, 0
	}
	row, ok := out.Type.Shape[1].Const()
	if !ok || row < 2 {
		return 0, 0
	}
	inner := int64(1) // the elements of the axes after the one that is looked at
	for i := len(g.from) - 1; i > 0; i-- {
		size, ok := g.from[i].size.Const()
		if !ok {
			return 0, 0
		}
		if inner > 1 && inner < row && row < inner*size && g.from[i].birth == layer {
			rows = 1 // cut here
		}
		inner *= size
	}
	if rows == 0 || inner%row != 0 {
		return 0, 0
	}
	return inner / row, row
}

// wholeSamples reports whether the first axis of the result begins with the batch,
// so that no row has parts of two samples.
func (l *linter) wholeSamples(g *group, batch int) bool {
	return batch == 0 && l.Facts.Decide(l.Pool.Divides(g.before[0], g.after[0])).Answer == symshape.Yes
}

// misplaced finds an axis of the input that the result has, by its size, at another
// place: [B,T,C] as [T,B,C], or [T,C] as [C/8,T,8]. Numbers count where the result
// has just the same sizes in another order, or where the axis is one that the user
// gave or split off, and no other has its size.
func (l *linter) misplaced(g *group, out *graph.Value) *origin {
	permuted := l.permuted(g, out)
	for i, o := range g.from {
		_, number := o.size.Const()
		if o.size.Expr == nil || l.pinned(o.size.Expr) && !number && !permuted || number && !l.only(g, i, out, permuted) {
			continue
		}
		for k, j := range g.to {
			if !l.equal(out.Type.Shape[j].Expr, o.size.Expr) {
				continue
			}
			if !l.equal(g.before[i], g.after[k]) && !l.hasPlace(g, o.size.Expr, out) && (l.cut(g) || permuted && (l.rotated(g, out) || l.swapped(g))) {
				return o
			}
		}
	}
	return nil
}

// only reports whether an axis that is a number can be told from the others of its
// group by it.
func (l *linter) only(g *group, at int, out *graph.Value, permuted bool) bool {
	o := g.from[at]
	if !permuted && o.birth != argument && o.birth != part {
		return false
	}
	for i, p := range g.from {
		if i != at && l.equal(p.size.Expr, o.size.Expr) {
			return false
		}
	}
	found := 0
	for _, j := range g.to {
		if l.equal(out.Type.Shape[j].Expr, o.size.Expr) {
			found++
		}
	}
	return found == 1
}

// hasPlace reports whether some axis of that size stays where it is.
func (l *linter) hasPlace(g *group, size *symshape.Expr, out *graph.Value) bool {
	for i, o := range g.from {
		for k, j := range g.to {
			if l.equal(o.size.Expr, size) && l.equal(out.Type.Shape[j].Expr, size) && l.equal(g.before[i], g.after[k]) {
				return true
			}
		}
	}
	return false
}

// permuted reports whether the sizes of a group are the same in another order.
func (l *linter) permuted(g *group, out *graph.Value) bool {
	if len(g.from) != len(g.to) {
		return false
	}
	used := map[int]bool{}
	for _, o := range g.from {
		found := -1
		for k, j := range g.to {
			if found < 0 && !used[k] && l.equal(out.Type.Shape[j].Expr, o.size.Expr) {
				found = k
			}
		}
		if found < 0 {
			return false
		}
		used[found] = true
	}
	return true
}

// rotated reports whether the sizes of a group of three or more are the same with the last
// one in front or the first one at the end: channels that change their side of the places.
func (l *linter) rotated(g *group, out *graph.Value) bool {
	n := len(g.from)
	if n < 3 || len(g.to) != n || g.joins() {
		return false
	}
	for _, by := range [...]int{1, n - 1} {
		same := true
		for k, j := range g.to {
			same = same && l.equal(out.Type.Shape[j].Expr, g.from[(k+by)%n].size.Expr)
		}
		if same {
			return true
		}
	}
	return false
}

// swapped reports whether a group whose sizes are the same in another order is two axes, the batch among them: then it does not
// matter whether one number divides the other.
func (l *linter) swapped(g *group) bool {
	return len(g.from) == 2 && len(g.to) == 2 && !g.joins() && g.batchIn(l) >= 0 && !l.equal(g.from[0].size.Expr, g.from[1].size.Expr)
}

// pinned reports whether the path makes a size a number.
func (l *linter) pinned(e *symshape.Expr) bool {
	lo, hi := l.Facts.Range(e)
	return lo == hi
}

// cut reports whether, at some sizes that come here, a boundary before a reshape
// and one after it do not divide each other: then no finer axes exist of which both
// shapes are made.
func (l *linter) cut(g *group) bool {
	p := l.Pool
	for _, a := range g.before[:len(g.before)-1] {
		for _, b := range g.after[:len(g.after)-1] {
			d := l.Facts.Decide(p.And(p.Not(p.Divides(a, b)), p.Not(p.Divides(b, a))))
			if d.Answer == symshape.Yes || d.True != nil {
				return true
			}
		}
	}
	return false
}

// reshapeReorders is SC402: the axes of a sample change their order.
func reshapeReorders(l *linter, n *graph.Node) {
	in, out, groups := l.crossing(n)
	for _, g := range groups {
		if l.rejoined(&g, out) {
			head := g.from[len(g.from)-1]
			l.report(diag.ReshapeReorders, n,
				fmt.Sprintf("%s of %s to %s joins the last axis with %s before it, but the axes were split as (%s, %s): the heads were not moved back",
					short(n), in.Type.Shape, out.Type.Shape, g.from[len(g.from)-2].size.Compact(), l.split(&g, out).size.Compact(), head.size.Compact()),
				"move the heads beside their features first, as with transpose(1, 2), and reshape then")
			return
		}
		if o := l.classesMoved(&g, out); o != nil {
			l.report(diag.ReshapeReorders, n,
				fmt.Sprintf("%s of %s to %s takes the last axis for the classes of the loss, but the axis of the %s classes is another: scores of different elements get into one row",
					short(n), in.Type.Shape, out.Type.Shape, o.size.Compact()),
				"move the classes to the end first, with permute() or transpose(), or give the loss the tensor as it is: classes come second there")
			return
		}
		b := g.batchIn(l)
		if b >= 0 && !l.wholeSamples(&g, b) {
			continue
		}
		if o := l.misplaced(&g, out); o != nil && !g.adds() {
			l.report(diag.ReshapeReorders, n,
				fmt.Sprintf("%s of %s to %s moves the axis %s, but the elements keep their order: they come to lie in others' places",
					short(n), in.Type.Shape, out.Type.Shape, o.size.Compact()),
				"to change the order of the axes use transpose() or permute(); to split an axis, split it where it stands and transpose then")
			return
		}
		if o := l.cutThrough(&g, in, out); o != nil {
			d := l.report(diag.ReshapeReorders, n,
				fmt.Sprintf("%s of %s to %s cuts the axis %s in two, while whole axes in another order make the sizes: the permutation before it is another than the one that is meant",
					short(n), in.Type.Shape, out.Type.Shape, o.size.Compact()), "permute() the axes that belong together beside each other")
			shows(d, in.Def.At, "the permutation")
			return
		}
		if l.windowsJoined(&g, out) {
			l.report(diag.ReshapeReorders, n,
				fmt.Sprintf("%s of %s to %s joins (%s, %s) and (%s, %s), which do not lie beside each other: the elements keep their order",
					short(n), in.Type.Shape, out.Type.Shape, g.from[0].size.Compact(), g.from[2].size.Compact(), g.from[1].size.Compact(),
					g.from[3].size.Compact()),
				"move the rows of each window beside the windows of a row first, as with permute(0, 1, 3, 2, 4, 5)")
			return
		}
		if o := l.headsFirst(&g, out); o != nil {
			l.report(diag.ReshapeReorders, n,
				fmt.Sprintf("%s of %s to %s splits the axis %s with the axis %s between its parts: the elements keep their order, so that both mix",
					short(n), in.Type.Shape, out.Type.Shape, o.size.Compact(), g.from[0].size.Compact()),
				"split the axis where it stands, and move the heads then, as with view(b, t, heads, -1).transpose(1, 2)")
			return
		}
		if o := l.channelsSplit(&g, out); o != nil {
			l.report(diag.ReshapeReorders, n,
				fmt.Sprintf("%s of %s to %s puts the other axes between two parts of the %s channels, but does not move them there: the elements keep their order",
					short(n), in.Type.Shape, out.Type.Shape, o.size.Compact()),
				"split the channels where they stand, and move the second part to the end then, as with permute(0, 1, 3, 4, 2)")
			return
		}
		if o := l.channelsLast(&g, out); o != nil {
			l.report(diag.ReshapeReorders, n,
				fmt.Sprintf("%s of %s to %s has the %s channels last, but does not move them there: the elements keep their order",
					short(n), in.Type.Shape, out.Type.Shape, o.size.Compact()),
				"move the channels to the end first, as with permute(0, 2, 3, 1) or flatten(2).transpose(1, 2)")
			return
		}
	}
}

// cutThrough finds an axis that lies on both sides of a boundary of the result, in a reshape
// that joins what a permutation put beside each other, where whole axes in another order
// would make all sizes of the result: [B,P,P,h,w,C] as [B,h*w,P*P*C].
func (l *linter) cutThrough(g *group, in, out *graph.Value) *origin {
	if in.Def == nil || in.Def.Form != graph.Permute || len(g.from) < 4 || len(g.to) < 2 {
		return nil
	}
	var before, sizes []int64
	parts, product := 0, int64(1)
	for _, o := range g.from {
		n, ok := o.size.Const()
		if !ok || n < 1 {
			return nil
		}
		if o.birth == part {
			parts++
		}
		sizes = append(sizes, n)
		product *= n
		before = append(before, product)
	}
	var want []int64
	for _, j := range g.to {
		n, ok := out.Type.Shape[j].Const()
		if !ok || n < 1 {
			return nil
		}
		want = append(want, n)
	}
	if parts < 3 || !wholes(sizes, want) {
		return nil
	}
	end := want[0]
	for i, b := range before {
		if b >= end {
			if b == end {
				return nil
			}
			return g.from[i]
		}
	}
	return nil
}

// windowsJoined reports whether a reshape makes a picture of windows that were not moved: rows and columns of windows, and those in
// a window, as [h,w,r,c] to [h*r,w*c].
func (l *linter) windowsJoined(g *group, out *graph.Value) bool {
	if len(g.from) != 4 || len(g.to) != 2 || g.joins() {
		return false
	}
	parts := 0
	var s [4]*symshape.Expr
	for i, o := range g.from {
		if s[i] = o.size.Expr; o.birth == part {
			parts++
		}
	}
	return parts >= 2 && l.equal(l.Pool.Mul(s[0], s[2]), out.Type.Shape[g.to[0]].Expr) &&
		l.equal(l.Pool.Mul(s[1], s[3]), out.Type.Shape[g.to[1]].Expr)
}

// wholes reports whether the sizes can be dealt to products of these numbers.
func wholes(sizes, want []int64) bool {
	if len(sizes) == 0 {
		return !slices.ContainsFunc(want, func(n int64) bool { return n != 1 })
	}
	for i, n := range want {
		if n%sizes[0] == 0 && !slices.Contains(want[:i], n) {
			rest := slices.Clone(want)
			rest[i] /= sizes[0]
			if wholes(sizes[1:], rest) {
				return true
			}
		}
	}
	return false
}

// split finds, for a result whose last axis is as large as an axis was that a reshape
// split, the outer part of that one, if the inner part is the last of the group and other
// axes lie between: heads and their features, [H,T,d] as [T,H*d].
func (l *linter) split(g *group, out *graph.Value) *origin {
	last := len(g.from) - 1
	size := out.Type.Shape[g.to[len(g.to)-1]].Expr
	inner := g.from[last]
	if last < 2 || inner.birth != part || size == nil {
		return nil
	}
	for _, o := range g.from[:last-1] {
		if o.birth == part && o.of != nil && o.of.size.Expr != nil && l.equal(o.of.size.Expr, size) &&
			l.equal(l.Pool.Mul(o.size.Expr, inner.size.Expr), size) {
			return o
		}
	}
	return nil
}

// rejoined reports whether a reshape joins what was split from one axis without moving the
// parts beside each other.
func (l *linter) rejoined(g *group, out *graph.Value) bool {
	return g.to[len(g.to)-1] == len(out.Type.Shape)-1 && l.split(g, out) != nil
}

// headsFirst finds the last axis of a group of two that is split in two parts with the other
// axis between them: [T,C] as [H,T,C/H].
func (l *linter) headsFirst(g *group, out *graph.Value) *origin {
	if len(g.from) != 2 || len(g.to) != 3 {
		return nil
	}
	var s [3]*symshape.Expr
	for i, j := range g.to {
		s[i] = out.Type.Shape[j].Expr
	}
	time, split := g.from[0], g.from[1]
	if !l.equal(time.size.Expr, s[1]) || l.equal(s[0], s[1]) || l.equal(s[1], s[2]) || !l.equal(l.Pool.Mul(s[0], s[2]), split.size.Expr) {
		return nil
	}
	return split
}

// channelsLast finds the channels of a layer, which come first in a group, where a reshape
// of the group to two axes makes another last axis of their size: [C,H,W] as [H*W,C].
func (l *linter) channelsLast(g *group, out *graph.Value) *origin {
	o := g.from[0]
	last := out.Type.Shape[g.to[len(g.to)-1]].Expr
	if o.birth != layer || len(g.to) != 2 || !l.equal(o.size.Expr, last) {
		return nil
	}
	for _, other := range g.from[1:] {
		if l.equal(other.size.Expr, last) {
			return nil
		}
	}
	return o
}

// channelsSplit finds the channels of a layer, which come first in a group, where a reshape
// makes two axes of them with all others between: [27,H,W] as [3,H,W,9], where the elements
// of one channel lie beside each other.
func (l *linter) channelsSplit(g *group, out *graph.Value) *origin {
	last := len(g.to) - 1
	o := g.from[0]
	if o.birth != layer || len(g.from) < 3 || len(g.to) != len(g.from)+1 {
		return nil
	}
	size := func(k int) *symshape.Expr { return out.Type.Shape[g.to[k]].Expr }
	for i, between := range g.from[1:] {
		if !l.equal(between.size.Expr, size(i+1)) {
			return nil
		}
	}
	if l.equal(size(last), size(1)) || !l.equal(l.Pool.Mul(size(0), size(last)), o.size.Expr) {
		return nil
	}
	return o
}

// classesMoved finds the axis of classes, which a layer gave, where a reshape before a loss
// makes another last axis of its size.
func (l *linter) classesMoved(g *group, out *graph.Value) *origin {
	last := len(g.from) - 1
	end := len(out.Type.Shape) - 1
	if end != 1 || g.to[len(g.to)-1] != end || !l.scoresLoss(out) {
		return nil
	}
	var classes *origin
	for i, o := range g.from {
		if !l.equal(o.size.Expr, out.Type.Shape[end].Expr) {
			continue
		}
		if i == last || classes != nil || o.birth != layer {
			return nil
		}
		classes = o
	}
	return classes
}

// scoresLoss reports whether v has the scores of a loss of classes.
func (l *linter) scoresLoss(v *graph.Value) bool {
	found := false
	l.consumers(v, func(n *graph.Node) {
		found = found || (n.Form == graph.CrossEntropy || n.Form == graph.NLL) && subject(n) == v
		if out := result(n); n.Is.Has(graph.AlongDim) && out != nil { // log_softmax
			l.consumers(out, func(m *graph.Node) { found = found || m.Form == graph.NLL && subject(m) == out })
		}
	})
	return found
}

// joins reports whether an axis of the input was padded, cut or joined before.
func (g *group) joins() bool {
	return slices.ContainsFunc(g.from, func(o *origin) bool { return o.birth == joined })
}

// adds reports whether an axis of the input was padded, cut or joined before: the
// shift of relative positions reshapes on purpose. So may do a group of numbers of
// which none is an axis that the user gave, or a part of one.
func (g *group) adds() bool {
	numbers, known := true, false
	for _, o := range g.from {
		if o.birth == joined {
			return true
		}
		_, number := o.size.Const()
		numbers = numbers && number
		known = known || o.root().birth == argument
	}
	return numbers && !known
}

// fixedBatch is SC408: a number in the code stands for the size of the batch.
func fixedBatch(l *linter, n *graph.Node) {
	in, out := subject(n), result(n)
	if in == nil || out == nil || len(in.Type.Shape) == 0 || len(out.Type.Shape) < 2 || l.numberForSize(n) || !l.isBatch(l.of(in)[0]) {
		return
	}
	size, ok := out.Type.Shape[0].Const()
	if !ok || size < 2 {
		return
	}
	batch := l.of(in)[0][0].size
	if o := l.of(in)[0][0]; o.drawn || slices.Contains(l.loaded, o) {
		return // the program has that number where the batch is made, too; each size a loader gives is run
	}
	if l.demandsNumber(batch.Expr) {
		return
	}
	same := l.equal(batch.Expr, out.Type.Shape[0].Expr)
	if !same && !l.cutsBatch(in, out) || !writtenSize(l.Text(n.At), size) {
		return
	}
	msg := fmt.Sprintf("%s has the number %d where the batch is: it works for batches of %d only", short(n), size, size)
	if !same {
		msg = fmt.Sprintf("%s has the number %d where the batch %s is: it mixes samples unless that is %d", short(n), size, batch.Compact(), size)
	}
	l.report(diag.FixedBatch, n, msg, "write -1, x.size(0) or flatten(1) instead")
}

// numberForSize is SC408 where the number stands in the place of any size that the
// user named: [B,64] as [4,2*B,8]. The size turns up in an axis after it, and unless
// it is a multiple of the number the rows mix what belongs to different ones.
func (l *linter) numberForSize(n *graph.Node) bool {
	in, out, groups := l.crossing(n)
	for _, g := range groups {
		o := g.from[0]
		number, ok := out.Type.Shape[g.to[0]].Const()
		_, symbol := o.size.Expr.IsSymbol()
		if !ok || number < 2 || len(out.Type.Shape) < 3 || !symbol || o.birth != argument || g.joins() {
			continue
		}
		later := symshape.Shape{}
		for _, i := range g.to[1:] {
			later = append(later, out.Type.Shape[i])
		}
		stays := slices.ContainsFunc(later, func(d symshape.Dim) bool { return d.Expr == o.size.Expr }) // SC401 and SC402
		moves := slices.ContainsFunc(later, func(d symshape.Dim) bool { return slices.Contains(d.Expr.Symbols(), o.size.Expr) })
		if stays || !moves || !l.cut(&g) {
			continue
		}
		size := o.size.Compact()
		l.report(diag.FixedBatch, n, fmt.Sprintf(
			"%s of %s to %s has the number %d where the axis %s is, which moves into another axis: rows mix unless %s is a multiple of %d",
			short(n), in.Type.Shape, out.Type.Shape, number, size, size, number),
			"write the size itself there, as x.size(0), and the number after it")
		return true
	}
	return false
}

// leastBatch is the least number that is taken for a batch where the sizes do not
// say so: smaller ones count ways, shots and views.
const leastBatch = 8

// cutsBatch reports whether a reshape to a number of rows has the batch in a group
// that crosses, with one more axis at least: [B,192] as [32,6*B].
func (l *linter) cutsBatch(in, out *graph.Value) bool {
	if _, number := in.Type.Shape[0].Const(); number {
		return false // SC401 has the numbers
	}
	n, _ := out.Type.Shape[0].Const()
	groups := l.align(in, out)
	return n >= leastBatch && len(out.Type.Shape) == 2 && len(groups) > 0 && groups[0].crosses() && l.batch[groups[0].from[0]] &&
		groups[0].to[0] == 0
}

// short is the last part of the name of an operation.
func short(n *graph.Node) string { return n.Op[strings.LastIndexByte(n.Op, '.')+1:] + "()" }
