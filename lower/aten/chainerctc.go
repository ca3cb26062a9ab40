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
	e := c.emit
	list := c.List("x")
	d := c.OutDType(0)
	impossible := -1e10 // the logarithm of 0
	if d == onnx.Float16 {
		impossible = -1e4
	}
	never := e.Scalar(d, impossible)
	for i := range list {
		list[i] = e.Unsqueeze(list[i], 0)
	}
	y := e.Op("Softmax", In(e.Concat(0, list...)), onnx.IntAttr("axis", 2))
	log := e.either(e.isZero(y), never, e.Op("Log", In(y))) // step, example, symbol

	t := c.Operand("t", onnx.Int64)
	examples, labels := e.flat(e.dimSize(t, 0)), e.dimSize(t, 1)
	blank := e.I64Scalar(c.Int("blank_symbol"))
	t = e.Unsqueeze(t, 2)
	pairs := e.Concat(2, e.Op("Expand", In(blank, e.Shape(t))), t)
	one := e.I64(1)
	path := e.Op("Reshape", In(pairs, e.Concat(0, examples, e.flat(e.mul(labels, e.I64Scalar(2))))), allowZero(true)...)
	path = e.Concat(1, path, e.Op("Expand", In(blank, e.Concat(0, examples, one)))) // example, place
	places := e.dimSize(path, 1)

	length := func(name string, def V) V { // of each example, in a column
		if c.Has(name) {
			return e.Unsqueeze(c.Operand(name, onnx.Int64), 1)
		}
		return e.Op("Expand", In(def, e.Concat(0, examples, one)))
	}
	steps := e.I64Scalar(int64(len(list)))
	input := length("input_length", steps)
	pathLength := e.add(e.mul(length("label_length", labels), e.I64Scalar(2)), e.I64Scalar(1))
	turned := func(n, length V) V { // example, place
		back := e.sub(e.sub(n, e.I64Scalar(1)), e.rangeTo(n))
		return e.Op("Mod", In(e.add(back, length), n))
	}
	turn := turned(places, pathLength)
	onPath := func(v V) V { return e.Op("GatherElements", In(v, turn), onnx.IntAttr("axis", 1)) }
	outside := e.Op("GreaterOrEqual", In(e.rangeTo(places), pathLength))
	whole := e.Concat(0, e.flat(steps), e.Shape(path))
	seen := e.Op("GatherElements", In(log, e.Op("Expand", In(path, whole))), onnx.IntAttr("axis", 2)) // step, example, place
	back := e.Op("Expand", In(e.Unsqueeze(e.Transpose(turned(steps, input), 1, 0), 2), whole))
	reverse := e.Op("GatherElements", In(seen, back), onnx.IntAttr("axis", 0))
	reverse = e.Op("GatherElements", In(reverse, e.Op("Expand", In(turn, whole))), onnx.IntAttr("axis", 2))

	two := e.Concat(0, examples, e.I64(2))
	noPlaces := e.Op("Expand", In(never, two))
	// may says where a path may leave out the blank between two labels.
	may := func(path V) V {
		before := e.Slice(e.Concat(1, e.Op("Expand", In(e.I64Scalar(-1), two)), path), 1, 0, -2, 1)
		return e.Op("Not", In(e.Op("Equal", In(before, path))))
	}
	// next is what reaches each place from itself, the one before and the one before that.
	next := func(s *Emitter, prev, leap V) V {
		all := s.Concat(1, noPlaces, prev)
		sum := []V{prev, s.Slice(all, 1, 1, -1, 1), s.either(leap, s.Slice(all, 1, 0, -2, 1), s.Scalar(d, impossible))}
		most := s.Op("Max", sum)
		total := s.Op("Exp", In(s.sub(sum[0], most)))
		for _, v := range sum[1:] {
			total = s.add(total, s.Op("Exp", In(s.sub(v, most))))
		}
		return s.either(outside, s.Scalar(d, impossible), s.add(most, s.Op("Log", In(total))))
	}
	start := e.either(e.Op("Equal", In(e.rangeTo(places), e.I64Scalar(0))), e.Scalar(d, 0), e.Op("Expand", In(never, e.Shape(path))))
	first := e.add(next(e, start, may(path)), e.Squeeze(e.Slice(seen, 0, 0, 1, 1), 0))
	leap, last := may(onPath(path)), e.Op("Mod", In(e.sub(input, e.I64Scalar(1)), steps))
	rest := e.foldSteps(reverse, []V{start, start, e.I64Scalar(0)}, []int{2, 2, 0}, func(s *Emitter, state []V, at V) []V {
		p := next(s, state[0], leap)
		kept := s.either(s.Op("Equal", In(last, state[2])), p, state[1])
		return In(s.add(p, at), kept, s.add(state[2], s.I64Scalar(1)))
	})[1]
	total := e.add(first, onPath(rest))
	most := e.Reduce("ReduceMax", total, true, 1)
	sum := e.Reduce("ReduceSum", e.Op("Exp", In(e.sub(total, most))), true, 1)
	loss := e.neg(e.Squeeze(e.add(most, e.Op("Log", In(sum))), 1))
	if c.Str("reduce") != "no" {
		loss = e.overAll(loss)
	}
	c.Return(loss)
}
