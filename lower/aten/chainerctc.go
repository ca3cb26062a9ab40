package aten

// This file lowers Chainer's connectionist temporal classification: the likelihood of labels whose places in a sequence are not known.

import "shapecheck/onnx"

// ctc is minus the logarithm of the probability of the labels, or the mean over the examples. A path has the blank symbol in
// front of, between and behind the labels; what remains to be seen from each of its places is summed from the end of each
// sequence to its start, in logarithms, where one number stands for that of 0.
//
// As Chainer does it, sequences and paths are turned around their own lengths, so that all end at the same place: place k of
// n is (n-1-k + length) mod n.
func ctc(c *Call) {
	list := c.List("x")
	d := c.OutDType(0)
	impossible := -1e10 // the logarithm of 0
	if d == onnx.Float16 {
		impossible = -1e4
	}
	never := c.Scalar(d, impossible)
	for i := range list {
		list[i] = c.Unsqueeze(list[i], 0)
	}
	y := c.Op("Softmax", In(c.Concat(0, list...)), onnx.IntAttr("axis", 2))
	log := c.either(c.isZero(y), never, c.Op("Log", In(y))) // step, example, symbol

	t := c.Operand("t", onnx.Int64)
	examples, labels := c.flat(c.dimSize(t, 0)), c.dimSize(t, 1)
	blank := c.I64Scalar(c.Int("blank_symbol"))
	t = c.Unsqueeze(t, 2)
	pairs := c.Concat(2, c.Op("Expand", In(blank, c.Shape(t))), t)
	one := c.I64(1)
	path := c.Op("Reshape", In(pairs, c.Concat(0, examples, c.flat(c.mul(labels, c.I64Scalar(2))))), c.allowZero(true)...)
	path = c.Concat(1, path, c.Op("Expand", In(blank, c.Concat(0, examples, one)))) // example, place
	places := c.dimSize(path, 1)

	length := func(name string, def V) V { // of each example, in a column
		if c.Has(name) {
			return c.Unsqueeze(c.Operand(name, onnx.Int64), 1)
		}
		return c.Op("Expand", In(def, c.Concat(0, examples, one)))
	}
	steps := c.I64Scalar(int64(len(list)))
	input := length("input_length", steps)
	pathLength := c.add(c.mul(length("label_length", labels), c.I64Scalar(2)), c.I64Scalar(1))
	turned := func(n, length V) V { // example, place
		back := c.sub(c.sub(n, c.I64Scalar(1)), c.rangeTo(n))
		return c.Op("Mod", In(c.add(back, length), n))
	}
	turn := turned(places, pathLength)
	onPath := func(v V) V { return c.Op("GatherElements", In(v, turn), onnx.IntAttr("axis", 1)) }
	outside := c.Op("GreaterOrEqual", In(c.rangeTo(places), pathLength))
	whole := c.Concat(0, c.flat(steps), c.Shape(path))
	seen := c.Op("GatherElements", In(log, c.Op("Expand", In(path, whole))), onnx.IntAttr("axis", 2)) // step, example, place
	back := c.Op("Expand", In(c.Unsqueeze(c.Transpose(turned(steps, input), 1, 0), 2), whole))
	reverse := c.Op("GatherElements", In(seen, back), onnx.IntAttr("axis", 0))
	reverse = c.Op("GatherElements", In(reverse, c.Op("Expand", In(turn, whole))), onnx.IntAttr("axis", 2))

	two := c.Concat(0, examples, c.I64(2))
	noPlaces := c.Op("Expand", In(never, two))
	// may says where a path may leave out the blank between two labels.
	may := func(path V) V {
		before := c.Slice(c.Concat(1, c.Op("Expand", In(c.I64Scalar(-1), two)), path), 1, 0, -2, 1)
		return c.Op("Not", In(c.Op("Equal", In(before, path))))
	}
	// next is what reaches each place from itself, the one before and the one before that.
	next := func(s *Call, prev, leap V) V {
		all := s.Concat(1, noPlaces, prev)
		sum := []V{prev, s.Slice(all, 1, 1, -1, 1), s.either(leap, s.Slice(all, 1, 0, -2, 1), s.Scalar(d, impossible))}
		most := s.Op("Max", sum)
		total := s.Op("Exp", In(s.sub(sum[0], most)))
		for _, v := range sum[1:] {
			total = s.add(total, s.Op("Exp", In(s.sub(v, most))))
		}
		return s.either(outside, s.Scalar(d, impossible), s.add(most, s.Op("Log", In(total))))
	}
	start := c.either(c.Op("Equal", In(c.rangeTo(places), c.I64Scalar(0))), c.Scalar(d, 0), c.Op("Expand", In(never, c.Shape(path))))
	first := c.add(next(c, start, may(path)), c.Squeeze(c.Slice(seen, 0, 0, 1, 1), 0))
	leap, last := may(onPath(path)), c.Op("Mod", In(c.sub(input, c.I64Scalar(1)), steps))
	rest := c.foldSteps(reverse, []V{start, start, c.I64Scalar(0)}, []int{2, 2, 0}, func(s *Call, state []V, at V) []V {
		p := next(s, state[0], leap)
		kept := s.either(s.Op("Equal", In(last, state[2])), p, state[1])
		return In(s.add(p, at), kept, s.add(state[2], s.I64Scalar(1)))
	})[1]
	total := c.add(first, onPath(rest))
	most := c.Reduce("ReduceMax", total, true, 1)
	sum := c.Reduce("ReduceSum", c.Op("Exp", In(c.sub(total, most))), true, 1)
	loss := c.neg(c.Squeeze(c.add(most, c.Op("Log", In(sum))), 1))
	if c.Str("reduce") != "no" {
		loss = c.overAll(loss)
	}
	c.Return(loss)
}
