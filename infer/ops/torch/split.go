package torch

// This file holds the functions that cut a tensor into several views. The number of pieces decides
// how many results there are, and programs unpack them: it is made a number wherever that is
// possible (pieceCount). Where it is not, the result is a list of unknown length whose element is a
// view like each piece, with a function that gives piece i for loops over it.

import (
	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// The functions of numpy's kind, which count sections or take indices.
const (
	splitSig       = "(Tensor self, int sections) | (Tensor self, int[] indices)"
	splitMethodSig = "(Tensor self, int sections) | (Tensor self, int[]* indices)"
)

var splitOps = [...]ops.Op{
	{Names: []string{"torch.split", "torch.functional.split"}, Sig: "(Tensor tensor, any split_size_or_sections, int dim=0)",
		Rule: splitRule("tensor", "split_size_or_sections"),
		Is:   graph.View, Quirks: ops.InPython,
		Trace: ops.Slices | ops.KeepsNumbers | ops.WarnsInLibrary | ops.GivesPieces, Doc: "pieces of a given size, or of the given sizes"},
	{Names: []string{"torch.Tensor.split"}, Sig: "(Tensor self, any split_size, int dim=0)", Rule: splitRule("self", "split_size"),
		Is: graph.View, Quirks: ops.InPython,
		Trace: ops.Slices | ops.KeepsNumbers | ops.WarnsInLibrary | ops.GivesPieces, Doc: "pieces of a given size, or of the given sizes"},
	{Names: []string{"torch.unsafe_split", "torch.Tensor.unsafe_split"}, Sig: "(Tensor self, int split_size, int dim=0)",
		Rule: splitRule("self", "split_size"),
		Is:   graph.View, Doc: "split without the check of in-place changes"},
	{Names: []string{"torch.split_with_sizes", "torch.Tensor.split_with_sizes", "torch.unsafe_split_with_sizes",
		"torch.Tensor.unsafe_split_with_sizes"},
		Sig: "(Tensor self, int[] split_sizes, int dim=0)", Rule: splitRule("self", "split_sizes"), Is: graph.View,
		Doc: "pieces of the given sizes"},
	{Names: []string{"torch.chunk", "torch.Tensor.chunk", "torch.unsafe_chunk", "torch.Tensor.unsafe_chunk"},
		Sig:  "(Tensor self, int chunks, int dim=0)",
		Rule: chunkRule, Is: graph.View,
		Trace: ops.Slices | ops.FixesGiven | ops.KeepsNumbers | ops.GivesPieces,
		Doc:   "at most the given number of pieces, all of one size but the last"},
	{Names: []string{"torch.tensor_split", "torch.Tensor.tensor_split"},
		Sig:  "(Tensor self, int sections, int dim=0) | (Tensor self, int[] indices, int dim=0) | (Tensor self, Tensor tensor_indices_or_sections, int dim=0)",
		Rule: tensorSplitRule, Is: graph.View,
		Trace: ops.Slices | ops.KeepsNumbers | ops.GivesPieces, Doc: "exactly the given number of pieces, or pieces between the given indices"},
	{Names: []string{"torch.hsplit"}, Sig: splitSig, Rule: axisSplitRule(1),
		Is: graph.View, Doc: "tensor_split of the second dimension, or of a vector"},
	{Names: []string{"torch.vsplit"}, Sig: splitSig, Rule: axisSplitRule(0),
		Is: graph.View, Doc: "tensor_split of the first dimension"},
	{Names: []string{"torch.dsplit"}, Sig: splitSig, Rule: axisSplitRule(2),
		Is: graph.View, Doc: "tensor_split of the third dimension"},
	{Names: []string{"torch.Tensor.hsplit"}, Sig: splitMethodSig, Rule: axisSplitRule(1),
		Is: graph.View, Doc: "hsplit as a method, which takes the indices as separate arguments, too"},
	{Names: []string{"torch.Tensor.vsplit"}, Sig: splitMethodSig, Rule: axisSplitRule(0),
		Is: graph.View, Doc: "vsplit as a method, which takes the indices as separate arguments, too"},
	{Names: []string{"torch.Tensor.dsplit"}, Sig: splitMethodSig, Rule: axisSplitRule(2),
		Is: graph.View, Doc: "dsplit as a method, which takes the indices as separate arguments, too"},
	{Names: []string{"torch.unbind", "torch.Tensor.unbind"}, Sig: "(Tensor self, any dim=0)", Rule: unbindRule,
		Is: graph.View, Quirks: ops.NamedDims,
		Trace: ops.KeepsNumbers | ops.GivesPieces, Doc: "the slices of a dimension, which is dropped"},
}

// maxPieces bounds the number of pieces that are told apart.
const maxPieces = 1 << 14

// piecesOf makes views of t along axis with the given sizes, one after the other. It gives nil
// after a fault.
func piecesOf(c *ops.Call, t *value.Tensor, axis int, sizes []symshape.Dim) value.Value {
	if !c.OK() {
		return nil
	}
	s := t.Type().Shape
	at := c.Const(0)
	out := make([]value.Value, len(sizes))
	for i, n := range sizes {
		axes := keepAll(s)
		axes[axis].Size = n
		out[i] = c.ViewOf(t, axes, map[int]symshape.Dim{axis: at})
		at = c.P.DimAdd(at, n)
	}
	return value.NewTuple(out...)
}

// openPieces is the result when the number of pieces is not known: each is like one of size n,
// which may be unknown.
func openPieces(c *ops.Call, t *value.Tensor, axis int, n, count symshape.Dim) *value.List {
	axes := keepAll(t.Type().Shape)
	axes[axis].Size = n
	elem := c.ViewOf(t, axes, nil)
	return c.Th.Heap().NewOpenList(&value.Open{Elem: elem, Len: count})
}

// pieceAt applies the operation that takes one piece, which the body of a loop over open pieces
// calls. It is a call of its own, since the one that made the pieces has ended. Its error is that
// of the operation.
func pieceAt(c *ops.Call, th value.Thread, op string, args ...value.Value) (value.Value, error) {
	sub := &ops.Call{Th: th, P: th.Pool(), Op: c.Op, Name: op, Lib: ops.Torch, Find: c.Find}
	v := sub.Delegate(op, args)
	switch {
	case sub.Err() != nil:
		return nil, sub.Err()
	case v == nil:
		return th.Unknown(c.Short() + ": " + sub.Lost()), nil
	}
	return v, nil
}

// splitAxis reads the tensor and dim, and the size n of that axis. ok is false after a fault; what
// is the function's name in its message.
func splitAxis(c *ops.Call, name, what string) (t *value.Tensor, axis int, n symshape.Dim, ok bool) {
	t = c.Tensor(name)
	s := c.Shape(t)
	if !c.OK() {
		return
	}
	if len(s) == 0 {
		c.Errorf("RuntimeError", diag.RankMismatch, "%s needs a tensor of at least one dimension, but got %s", what, t)
		return
	}
	axis = c.Axis("dim", len(s))
	if !c.OK() {
		return
	}
	return t, axis, s[axis], true
}

// splitRule makes the rule of split and split_with_sizes: a number is the size of each piece, the last being
// shorter, and a sequence the sizes of all of them, which must add up to the axis. A tensor of one element
// counts as a number.
func splitRule(self, sizes string) func(c *ops.Call) value.Value {
	return func(c *ops.Call) value.Value {
		v := c.Value(sizes)
		if ops.IsSequence(v) {
			return splitSizes(c, self, sizes)
		}
		t, axis, n, ok := splitAxis(c, self, "split()")
		if !ok {
			return nil
		}
		var size symshape.Dim
		switch v := v.(type) {
		case value.Bool:
			size, _ = value.AsDim(c.P, v)
		case *value.Tensor:
			if n, ok := c.NumelOf(v).Const(); ok && n != 1 {
				return c.Errorf("TypeError", diag.TypeMismatch, "split(): the size must be int or a list of ints, not %s", v)
			}
			size = c.Dim(sizes)
		case value.Float, *value.SymFloat, value.NoneType, value.Str, value.Complex:
			return c.Errorf("TypeError", diag.TypeMismatch, "split(): the size must be int or a list of ints, not %s", ops.TypeName(v))
		default:
			size = c.Dim(sizes)
		}
		if !c.OK() {
			return nil
		}
		return splitBySize(c, t, axis, n, size)
	}
}

// splitBySize cuts n into pieces of size and a rest: ceil(n / size) pieces, at least one. A size of
// 0 is for an empty axis only.
func splitBySize(c *ops.Call, t *value.Tensor, axis int, n, size symshape.Dim) value.Value {
	if v, ok := ops.DimVal(size); ok && v < 0 {
		return c.Errorf("RuntimeError", diag.InvalidSize, "split() needs a size that is not negative, but got %d", v)
	} else if ok && v == 0 {
		if _, same := c.Same(n, c.Const(0)); !same {
			return c.Errorf("RuntimeError", diag.InvalidSize, "split(): the size can only be 0 for a dimension of size 0, but it is %s", n)
		}
		return piecesOf(c, t, axis, []symshape.Dim{c.Const(0)})
	}
	// A symbolic size is positive from now on, or both are 0.
	if size.Expr != nil && n.Expr != nil {
		zero := c.P.Const(0)
		positive := c.P.Gt(size.Expr, zero)
		if c.Decide(positive) != symshape.Yes && !require(c, c.P.Or(positive, c.P.And(c.P.Eq(size.Expr, zero), c.P.Eq(n.Expr, zero)))) {
			return c.Errorf("RuntimeError", diag.InvalidSize, "split() needs a positive size, but got %s for a dimension of size %s", size, n)
		}
	}
	count := c.P.DimMax(c.P.DimCeilDiv(n, size), c.Const(1))
	k, ok := pieceCount(c, count)
	if !ok {
		// The pieces are of one size where that divides the axis.
		elem := symshape.Dim{}
		if n.Expr != nil && size.Expr != nil && c.Decide(c.P.Divides(size.Expr, n.Expr)) == symshape.Yes {
			elem = size
		}
		pieces := openPieces(c, t, axis, elem, count)
		pieces.Open.At = func(th value.Thread, i *value.SymInt) (value.Value, error) {
			start, length := c.P.DimMul(i.D, size), elem
			if length.Expr == nil {
				length = c.P.DimMin(size, c.P.DimSub(n, start))
			}
			return pieceAt(c, th, "torch.narrow", t, value.Int(axis), value.FromDim(start), value.FromDim(length))
		}
		return pieces
	}
	sizes := make([]symshape.Dim, k)
	rest := n
	for i := range sizes {
		sizes[i] = size
		if i == k-1 {
			sizes[i] = rest
		}
		rest = c.P.DimSub(rest, size)
	}
	return piecesOf(c, t, axis, sizes)
}

// pieceCount makes the number of pieces concrete: it is a constant, or follows from the path, or
// the example decides, which becomes a condition. ok is false where there are too many, or none of
// these is the case.
func pieceCount(c *ops.Call, count symshape.Dim) (int, bool) {
	if n, ok := count.Const(); ok {
		return int(n), n <= maxPieces
	}
	if count.Expr == nil {
		return int(count.Val), count.Known && count.Val <= maxPieces
	}
	lo, hi := c.Th.Facts().Range(count.Expr)
	if lo == hi && lo >= 0 && lo <= maxPieces {
		return int(lo), true
	}
	if count.Known && count.Val <= maxPieces {
		c.Pin(count, count.Val)
		return int(count.Val), true
	}
	return 0, false
}

// splitSizes needs at least one dimension and sizes >= 0, ints or tensors without dimensions, that add up
// to the size of dim. The results are views, one of each size; a bool is taken for an int except in the
// first place.
func splitSizes(c *ops.Call, self, name string) value.Value {
	t := c.Tensor(self)
	s := c.Shape(t)
	if !c.OK() {
		return nil
	}
	if len(s) == 0 {
		return c.Errorf("RuntimeError", diag.RankMismatch, "split() needs a tensor of at least one dimension, but got %s", t)
	}
	var sizes []symshape.Dim
	elems, ok := c.Elems(name)
	if !ok {
		return nil
	}
	for i, e := range elems {
		d, ok := value.AsDim(c.P, e)
		if _, isBool := e.(value.Bool); isBool { // PyTorch looks at the type of the first alone
			d, ok = c.ToDim(name, e), i > 0
		}
		if x, isTensor := e.(*value.Tensor); isTensor && x.Type().Rank() <= 0 {
			d, ok = sliceBound(c, x), true
		}
		if !ok {
			return c.Errorf("TypeError", diag.TypeMismatch, "%s(): size number %d must be int, not %s", c.Short(), i, ops.TypeName(e))
		}
		sizes = append(sizes, d)
	}
	axis := c.Axis("dim", len(s))
	if !c.OK() {
		return nil
	}
	sum := c.Const(0)
	for _, d := range sizes {
		if !c.AtLeast(d, 0) {
			return c.Errorf("RuntimeError", diag.InvalidSize, "%s(): size %s is negative", c.Short(), d)
		}
		sum = c.P.DimAdd(sum, d)
	}
	if _, ok := c.Same(sum, s[axis]); !ok {
		c.Blame(ops.Ref{Tensor: t, Axis: axis})
		return c.Shapef("%s(): the sizes %s add up to %s, but dimension %d of %s has size %s", c.Short(), symshape.Shape(sizes), sum, axis, t,
			s[axis])
	}
	return piecesOf(c, t, axis, sizes)
}

// chunkRule: pieces of ceil(n / chunks), of which there may be fewer than asked
// for. Where the sizes do not decide, the number asked for is a condition: code
// that unpacks the result relies on it.
func chunkRule(c *ops.Call) value.Value {
	t, axis, n, ok := splitAxis(c, "self", "chunk()")
	if !ok {
		return nil
	}
	chunks := c.Dim("chunks")
	if !c.OK() {
		return nil
	}
	k, known := ops.DimVal(chunks)
	// Chunks that are a symbol: ceil(n / ceil(n / chunks)) pieces.
	if !known {
		if n.Expr == nil || chunks.Expr == nil || !require(c, c.P.Gt(chunks.Expr, c.P.Const(0))) {
			return c.Lose("the value of 'chunks' is not known")
		}
		return splitBySize(c, t, axis, n, c.P.DimCeilDiv(n, chunks))
	}
	if k <= 0 {
		return c.Errorf("RuntimeError", diag.InvalidSize, "chunk() expects chunks to be greater than 0, but got %d", k)
	}
	if k > maxPieces {
		return c.Lose("the number of pieces is too large")
	}
	p := c.P
	size := p.DimCeilDiv(n, chunks)
	// Of nothing there are as many empty pieces as asked for.
	if ops.IsConst(n, 0) {
		sizes := make([]symshape.Dim, k)
		for i := range sizes {
			sizes[i] = n
		}
		return piecesOf(c, t, axis, sizes)
	}
	if _, isConst := n.Const(); isConst || n.Known {
		return splitBySize(c, t, axis, n, size)
	}
	if n.Expr == nil {
		return openPieces(c, t, axis, symshape.Dim{}, symshape.Dim{})
	}
	// Two pieces of a symbol: there are two where the size is at least 2.
	if k == 2 {
		if !require(c, p.Ge(n.Expr, p.Const(2))) {
			return splitBySize(c, t, axis, n, size)
		}
		return piecesOf(c, t, axis, []symshape.Dim{size, p.DimFloorDiv(n, c.Const(2))})
	}
	// There are k pieces where k-1 of them do not hold all.
	before := p.DimMul(size, c.Const(int64(k-1)))
	if before.Expr == nil || !require(c, p.Lt(before.Expr, n.Expr)) {
		return splitBySize(c, t, axis, n, size)
	}
	sizes := make([]symshape.Dim, k)
	for i := range sizes {
		sizes[i] = size
	}
	sizes[k-1] = p.DimSub(n, before)
	return piecesOf(c, t, axis, sizes)
}

// tensorSplitRule: a number n gives n pieces, the first of which are one longer where it does not divide the
// size (as numpy.array_split); a sequence has the positions at which it is cut. A tensor may be either, by its
// number of dimensions, and then its elements must be known here, as they decide how many results there are.
func tensorSplitRule(c *ops.Call) value.Value {
	t, axis, n, ok := splitAxis(c, "self", "tensor_split()")
	if !ok {
		return nil
	}
	if c.HasParam("tensor_indices_or_sections") {
		x := c.Tensor("tensor_indices_or_sections")
		s := c.Shape(x)
		if !c.OK() {
			return nil
		}
		switch d := x.Type().DType; {
		case d != dtype.I64 && d != dtype.Unknown:
			return c.Errorf("RuntimeError", diag.DTypeMismatch, "tensor_split() needs sections or indices of i64, but got %s", x)
		case len(s) > 1:
			return c.Errorf("RuntimeError", diag.RankMismatch, "tensor_split() needs sections or indices of at most one dimension, but got %s", x)
		case x.Contents() == nil:
			return c.Lose("the contents of the sections are not known")
		case len(s) == 0:
			return splitEvenly(c, t, axis, n, c.ToDim("tensor_indices_or_sections", x))
		}
		return splitAt(c, t, axis, n, c.Ints("tensor_indices_or_sections"))
	}
	if c.HasParam("sections") {
		if x, isTensor := c.Value("sections").(*value.Tensor); isTensor && x.Type().DType != dtype.I64 && x.Type().DType != dtype.Unknown {
			return c.Errorf("RuntimeError", diag.DTypeMismatch, "tensor_split() needs sections of i64, but got %s", x)
		}
		return splitEvenly(c, t, axis, n, c.Dim("sections"))
	}
	return splitAt(c, t, axis, n, c.Ints("indices"))
}

// splitEvenly makes k pieces of which the first n % k have one element more. An unknown or very
// large k gives pieces that are not known one by one.
func splitEvenly(c *ops.Call, t *value.Tensor, axis int, n, sections symshape.Dim) value.Value {
	k, ok := ops.DimVal(sections)
	if !c.OK() {
		return nil
	}
	if !ok || k > maxPieces {
		return openPieces(c, t, axis, symshape.Dim{}, sections)
	}
	if k <= 0 {
		return c.Errorf("RuntimeError", diag.InvalidSize, "%s(): the number of sections must be larger than 0, but got %d", c.Short(), k)
	}
	sizes := make([]symshape.Dim, k)
	for i := range sizes { // (n + k - 1 - i) // k
		sizes[i] = c.P.DimFloorDiv(c.P.DimAdd(n, c.Const(k-1-int64(i))), c.Const(k))
	}
	return piecesOf(c, t, axis, sizes)
}

// splitAt cuts at indices, each counted as a slice counts its bounds: there is one piece more than
// indices.
func splitAt(c *ops.Call, t *value.Tensor, axis int, n symshape.Dim, at []symshape.Dim) value.Value {
	if !c.OK() {
		return nil
	}
	s := t.Type().Shape
	out := make([]value.Value, 0, len(at)+1)
	var start value.Value = value.Int(0)
	for i := 0; i <= len(at); i++ {
		var stop value.Value = value.None
		if i < len(at) {
			stop = value.FromDim(at[i])
		}
		k := sliceCut(c, n, start, stop, value.None)
		axes := keepAll(s)
		axes[axis].Size = k.size
		out = append(out, c.ViewOf(t, axes, map[int]symshape.Dim{axis: k.start}))
		start = stop
	}
	return value.NewTuple(out...)
}

// axisSplitRule makes the rule of vsplit, hsplit and dsplit, which cut axis 0, 1 or 2; hsplit cuts
// a vector along its only axis. A number of sections must divide the size.
func axisSplitRule(axis int) func(c *ops.Call) value.Value {
	return func(c *ops.Call) value.Value {
		t := c.Tensor("self")
		s := c.Shape(t)
		if !c.OK() {
			return nil
		}
		need, a := axis+1, axis
		if axis == 1 {
			need = 1
			if len(s) == 1 {
				a = 0
			}
		} else if axis == 0 {
			need = 2
		}
		if len(s) < need {
			return c.Errorf("RuntimeError", diag.RankMismatch, "%s() needs a tensor of at least %s, but got %s", c.Short(),
				ops.CountWord(need, "dimension"), t)
		}
		if !c.HasParam("sections") {
			return splitAt(c, t, a, s[a], c.Ints("indices"))
		}
		k := c.Dim("sections")
		if !c.OK() {
			return nil
		}
		if v, ok := ops.DimVal(k); ok && v == 0 || !exactDivision(c, s[a], k) {
			return c.Errorf("RuntimeError", diag.InvalidSize, "%s(): size %s of dimension %d is not divisible by %s", c.Short(), s[a], a, k)
		}
		return splitEvenly(c, t, a, s[a], k)
	}
}

// unbindRule gives a view for each index of an axis, without that axis.
func unbindRule(c *ops.Call) value.Value {
	t := c.Tensor("self")
	s := c.Shape(t)
	if !c.OK() {
		return nil
	}
	if c.Value("dim") == value.None {
		return c.Errorf("RuntimeError", diag.BadValue, "unbind(): dim must not be None")
	}
	if d, ok := c.Value("dim").(value.Float); ok {
		return c.Errorf("TypeError", diag.TypeMismatch, "unbind(): dim must be int, not %s", ops.TypeName(d))
	}
	axis := c.Axis("dim", len(s))
	if !c.OK() {
		return nil
	}
	if len(s) == 0 {
		return c.Errorf("IndexError", diag.RankMismatch, "unbind() needs a tensor of at least one dimension, but got %s", t)
	}
	k, ok := pieceCount(c, s[axis])
	drop := func() []ops.AxisMap {
		axes := keepAll(s)
		return append(axes[:axis], axes[axis+1:]...)
	}
	if !ok {
		at := func(th value.Thread, i *value.SymInt) (value.Value, error) {
			return pieceAt(c, th, "torch.select", t, value.Int(axis), i)
		}
		return c.Th.Heap().NewOpenList(&value.Open{Elem: c.ViewOf(t, drop(), nil), Len: s[axis], At: at})
	}
	out := make([]value.Value, k)
	for i := range out {
		out[i] = c.ViewOf(t, drop(), map[int]symshape.Dim{axis: c.Const(int64(i))})
	}
	return value.NewTuple(out...)
}
