package pass_test

import "strings"

// This file lists the cases of composites that are taken apart, in the spellings of exporters.

func init() {
	ruleCases = append(ruleCases, recogniseCases...)
}

// attended is attention of three heads of 5 on 4 rows, with the heads in rows: a model's text between its constants and what makes
// weights of the scores %9.
const attended = "in f32[2,4,15], f32[2,4,15], f32[2,4,15], MASK\n%4: f32[2,4,3,5] = vm::view(%0)\n%5: f32[2,3,4,5] = Transpose(%4) {perm=[0,2,1,3]}\n" +
	"%6: f32[2,4,3,5] = vm::view(%1)\n%7: f32[2,3,5,4] = Transpose(%6) {perm=[0,2,3,1]}\n%8: f32[2,3,4,5] = Mul(%5, @0)\n%9: f32[2,3,4,4] = MatMul(%8, %7)\nWEIGHTS" +
	"%20: f32[2,4,3,5] = vm::view(%2)\n%21: f32[2,3,4,5] = Transpose(%20) {perm=[0,2,1,3]}\n%22: f32[2,3,4,5] = MatMul(%19, %21)\nout %22"

func attending(consts, mask, weights string) string {
	return "const f32[] 0.25\n" + consts + strings.NewReplacer("MASK", mask, "WEIGHTS", weights).Replace(attended)
}

// grouping is attention of six heads of queries, with a model's text between its two heads of keys %4 and values %6,
// whose rows are %3 and %5, and transposed keys %11 and values %14 of six.
func grouping(constant, repeats string) string {
	return "const " + constant + "\nin f32[2,6,4,5], f32[2,4,10], f32[2,4,10]\n%3: f32[2,4,2,5] = vm::view(%1)\n%4: f32[2,2,4,5] = Transpose(%3) {perm=[0,2,1,3]}\n%5: f32[2,4,2,5] = vm::view(%2)\n%6: f32[2,2,4,5] = Transpose(%5) {perm=[0,2,1,3]}\n" + repeats +
		"%15: f32[2,6,4,4] = MatMul(%0, %11)\n%16: f32[2,6,4,4] = Softmax(%15)\n%17: f32[2,6,4,5] = MatMul(%16, %14)\nout %17"
}

const (
	groups = "= Attention(%0, %4, %6) {scale=1}"

	// safe is the guard of PyTorch's exporter around a softmax of %10, lost the one of ours.
	safe = "%11: f32[2,3,4,4] = Softmax(%10)\n%12: bool[2,3,4,4] = IsNaN(%11)\n%19: f32[2,3,4,4] = Where(%12, @1, %11)\n"
	lost = "%11: f32[2,3,4,1] = ReduceMax(%10, @2)\n%12: bool[2,3,4,1] = Equal(%11, @3)\n%13: f32[2,3,4,4] = Softmax(%10)\n%19: f32[2,3,4,4] = Where(%12, @1, %13)\n"

	nothing = "const f32[] 0\nconst i64[1] -1\nconst f32[] -inf\n"
	heads   = "{kv_num_heads=3 q_num_heads=3 scale=0.25}"
)

var recogniseCases = []ruleCase{
	{rule: "recognise:attention", hits: 1, loose: true, text: attending("", "f32[1]", "%19: f32[2,3,4,4] = Softmax(%9)\n"),
		has: []string{heads}},
	{rule: "recognise:attention", hits: 1, loose: true, text: attending(nothing, "f32[2,1,4,4]", "%10: f32[2,3,4,4] = Add(%9, %3)\n"+safe),
		has: []string{", %3) " + heads}},
	{rule: "recognise:attention", hits: 1, loose: true, text: attending(nothing, "f32[4]", "%10: f32[2,3,4,4] = Add(%3, %9)\n"+lost),
		has: []string{", %3) " + heads}},
	{rule: "recognise:attention", hits: 1, loose: true, text: attending("const f32[4,4] 0 -inf -inf -inf 0 0 -inf -inf 0 0 0 -inf 0 0 0 0\n",
		"f32[1]", "%10: f32[2,3,4,4] = Add(%9, @1)\n%19: f32[2,3,4,4] = Softmax(%10)\n"),
		has: []string{"{is_causal=1 kv_num_heads=3"}},
	{rule: "recognise:attention", hits: 1, loose: true, text: attending("const f32[4,4] 0 -2 -inf -inf 0 0 -inf -inf 0 0 0 -inf 0 0 0 0\n",
		"f32[1]", "%10: f32[2,3,4,4] = Add(%9, @1)\n%19: f32[2,3,4,4] = Softmax(%10)\n"),
		has: []string{", @1) " + heads}}, // nearly causal
	{rule: "recognise:attention", hits: 1, loose: true, text: attending(nothing+"const i64[] 1\n", "f32[1]",
		"%10: i64[4,4] = vm::fill(@4)\n%11: i64[4,4] = Trilu(%10) {upper=0}\n%12: bool[4,4] = Cast(%11) {to=9}\n%13: bool[4,4] = Not(%12)\n"+
			"%14: f32[4,4] = Where(%13, @3, @1)\n%15: f32[2,3,4,4] = Add(%9, %14)\n%19: f32[2,3,4,4] = Softmax(%15)\n"),
		has: []string{"{is_causal=1 kv_num_heads=3"}},
	{rule: "recognise:attention", hits: 1, loose: true, text: attending("", "f32[1]",
		"%10: f32[2,3,4,4] = Mul(%9, @0)\n%19: f32[2,3,4,4] = Softmax(%10)\n"), has: []string{"scale=0.0625"}},
	// Keys whose transpose goes through three axes, a factor on both sides, and heads that are no rows.
	{rule: "recognise:attention", hits: 1, loose: true,
		text: "const f32[] 0.5\nin f32[2,3,4,5], f32[2,3,6,5], f32[2,3,6,7]\n%3: f32[2,3,4,5] = Mul(%0, @0)\n%4: f32[6,6,5] = vm::view(%1)\n%5: f32[6,5,6] = Transpose(%4) {perm=[0,2,1]}\n" +
			"%6: f32[2,3,5,6] = vm::view(%5)\n%7: f32[2,3,5,6] = Mul(%6, @0)\n%8: f32[2,3,4,6] = MatMul(%3, %7)\n%9: f32[2,3,4,6] = Softmax(%8)\n%10: f32[2,3,4,7] = MatMul(%9, %2)\nout %10", has: []string{"Attention(%0, %1, %2) {scale=0.25}"}},
	// A batch of 1 behind the rows, as of PyTorch's MultiheadAttention.
	{rule: "recognise:attention", hits: 1, loose: true,
		text: "in f32[4,3,5], f32[6,3,5], f32[6,3,5]\n%3: f32[3,4,5] = Transpose(%0) {perm=[1,0,2]}\n%4: f32[1,3,4,5] = vm::view(%3)\n%5: f32[3,5,6] = Transpose(%1) {perm=[1,2,0]}\n%6: f32[1,3,5,6] = vm::view(%5)\n" +
			"%7: f32[1,3,4,6] = MatMul(%4, %6)\n%8: f32[1,3,4,6] = Softmax(%7)\n%9: f32[3,6,5] = Transpose(%2) {perm=[1,0,2]}\n%10: f32[1,3,6,5] = vm::view(%9)\n%11: f32[1,3,4,5] = MatMul(%8, %10)\nout %11", has: []string{"q_num_heads=3 scale=1}"}},
	// Batch and heads are one axis, as bmm has them; with a mask of each, and keys that are transposed already.
	{rule: "recognise:attention", hits: 1, loose: true,
		text: "const f32[] 0.5\nin f32[6,4,5], f32[6,3,5], f32[6,3,7]\n%3: f32[6,5,3] = Transpose(%1) {perm=[0,2,1]}\n%4: f32[6,4,3] = MatMul(%0, %3)\n%5: f32[6,4,3] = Mul(%4, @0)\n" +
			"%6: f32[6,4,3] = Softmax(%5)\n%7: f32[6,4,7] = MatMul(%6, %2)\nout %7", has: []string{"f32[6,1,4,5] = vm::view(%0)", "{scale=0.5}"}},
	{rule: "recognise:attention", hits: 1, loose: true,
		text: "const f32[] 0\nin f32[6,4,5], f32[6,5,3], f32[6,3,7], f32[6,1,3]\n%4: f32[6,4,3] = MatMul(%0, %1)\n%5: f32[6,4,3] = Add(%4, %3)\n" +
			"%6: f32[6,4,3] = Softmax(%5)\n%8: bool[6,4,3] = IsNaN(%6)\n%9: f32[6,4,3] = Where(%8, @0, %6)\n%7: f32[6,4,7] = MatMul(%9, %2)\nout %7", has: []string{"f32[6,1,1,3] = vm::view(%3)", "{scale=1}"}},
	// keys for all
	{rule: "recognise:attention", why: "the sizes of queries f32[6,4,5], transposed keys f32[1,5,3] and values f32[6,3,7] differ",
		text: "in f32[6,4,5], f32[1,5,3], f32[6,3,7]\n%4: f32[6,4,3] = MatMul(%0, %1)\n%6: f32[6,4,3] = Softmax(%4)\n%7: f32[6,4,7] = MatMul(%6, %2)\nout %7"},
	// Heads that are repeated for groups of those of queries: by Expand, with keys as PyTorch's exporter turns them;
	// by Tile; by Gather; of rows; one for all, repeated or not.
	{rule: "recognise:attention", hits: 1, loose: true, text: grouping("i64[5] 2 2 3 4 5",
		"%7: f32[2,2,1,4,5] = vm::view(%4)\n%8: f32[2,2,3,4,5] = Expand(%7, @0)\n%9: f32[12,4,5] = vm::view(%8)\n%10: f32[12,5,4] = Transpose(%9) {perm=[0,2,1]}\n%11: f32[2,6,5,4] = vm::view(%10)\n"+
			"%12: f32[2,2,1,4,5] = vm::view(%6)\n%13: f32[2,2,3,4,5] = Expand(%12, @0)\n%14: f32[2,6,4,5] = vm::view(%13)\n"), has: []string{groups}},
	{rule: "recognise:attention", hits: 1, loose: true, text: grouping("i64[5] 1 1 3 1 1",
		"%7: f32[2,2,1,4,5] = vm::view(%4)\n%8: f32[2,2,3,4,5] = Tile(%7, @0)\n%9: f32[2,6,4,5] = vm::view(%8)\n%11: f32[2,6,5,4] = Transpose(%9) {perm=[0,1,3,2]}\n"+
			"%12: f32[2,2,1,4,5] = vm::view(%6)\n%13: f32[2,2,3,4,5] = Tile(%12, @0)\n%14: f32[2,6,4,5] = vm::view(%13)\n"), has: []string{groups}},
	{rule: "recognise:attention", hits: 1, loose: true, text: grouping("i64[6] 0 0 0 1 1 1",
		"%9: f32[2,6,4,5] = Gather(%4, @0) {axis=1}\n%11: f32[2,6,5,4] = Transpose(%9) {perm=[0,1,3,2]}\n%14: f32[2,6,4,5] = Gather(%6, @0) {axis=1}\n"), has: []string{groups}},
	{rule: "recognise:attention", hits: 1, loose: true, text: grouping("i64[6] 0 0 0 1 1 1",
		"%9: f32[2,4,6,5] = Gather(%3, @0) {axis=2}\n%11: f32[2,6,5,4] = Transpose(%9) {perm=[0,2,3,1]}\n%13: f32[2,4,6,5] = Gather(%5, @0) {axis=2}\n%14: f32[2,6,4,5] = Transpose(%13) {perm=[0,2,1,3]}\n"), has: []string{"Transpose(%3) {perm=[0,2,1,3]}  # - | \"n\" | recognise", "= Attention(%0, %18, %19) {scale=1}"}},
	{rule: "recognise:attention", hits: 1, loose: true,
		text: "const i64[4] 2 3 6 5\nin f32[2,3,4,5], f32[2,1,6,5], f32[2,1,6,5]\n%3: f32[2,3,6,5] = Expand(%1, @0)\n%4: f32[2,3,5,6] = Transpose(%3) {perm=[0,1,3,2]}\n%5: f32[2,3,6,5] = Expand(%2, @0)\n" +
			"%6: f32[2,3,4,6] = MatMul(%0, %4)\n%7: f32[2,3,4,6] = Softmax(%6)\n%8: f32[2,3,4,5] = MatMul(%7, %5)\nout %8",
		has: []string{"Attention(%0, %1, %2) {scale=1}"}},
	{rule: "recognise:attention", hits: 1, loose: true,
		text: "in f32[2,4,3,5], f32[2,1,5,6], f32[2,1,6,7]\n%3: f32[2,3,4,5] = Transpose(%0) {perm=[0,2,1,3]}\n%4: f32[2,3,4,6] = MatMul(%3, %1)\n%5: f32[2,3,4,6] = Softmax(%4)\n%6: f32[2,3,4,7] = MatMul(%5, %2)\nout %6",
		has:  []string{"{kv_num_heads=1 q_num_heads=3 scale=1}"}},
	// Heads in another order, and values that are not as their keys.
	{rule: "recognise:attention", hits: 1, loose: true, text: grouping("i64[4] 1 3 1 1",
		"%9: f32[2,6,4,5] = Tile(%4, @0)\n%11: f32[2,6,5,4] = Transpose(%9) {perm=[0,1,3,2]}\n%14: f32[2,6,4,5] = Tile(%6, @0)\n"),
		has: []string{"Attention(%0, %9, %14) {scale=1}"}},
	{rule: "recognise:attention", hits: 1, loose: true, text: grouping("i64[6] 0 1 0 1 0 1",
		"%9: f32[2,6,4,5] = Gather(%4, @0) {axis=1}\n%11: f32[2,6,5,4] = Transpose(%9) {perm=[0,1,3,2]}\n%14: f32[2,6,4,5] = Gather(%6, @0) {axis=1}\n"), has: []string{"Attention(%0, %9, %14) {scale=1}"}},
	{rule: "recognise:attention", hits: 1, loose: true, text: grouping("i64[5] 2 3 2 4 5",
		"%7: f32[2,1,2,4,5] = vm::view(%4)\n%8: f32[2,3,2,4,5] = Expand(%7, @0)\n%9: f32[2,6,4,5] = vm::view(%8)\n%11: f32[2,6,5,4] = Transpose(%9) {perm=[0,1,3,2]}\n"+
			"%12: f32[2,1,2,4,5] = vm::view(%6)\n%13: f32[2,3,2,4,5] = Expand(%12, @0)\n%14: f32[2,6,4,5] = vm::view(%13)\n"),
		has: []string{"Attention(%0, %9, %14) {scale=1}"}},
	{rule: "recognise:attention", hits: 1, loose: true,
		text: "const i64[6] 0 0 0 1 1 1\nconst i64[6] 0 0 1 1 2 2\nin f32[2,6,4,5], f32[2,2,4,5], f32[2,3,4,5]\n%9: f32[2,6,4,5] = Gather(%1, @0) {axis=1}\n%11: f32[2,6,5,4] = Transpose(%9) {perm=[0,1,3,2]}\n%14: f32[2,6,4,5] = Gather(%2, @1) {axis=1}\n" +
			"%15: f32[2,6,4,4] = MatMul(%0, %11)\n%16: f32[2,6,4,4] = Softmax(%15)\n%17: f32[2,6,4,5] = MatMul(%16, %14)\nout %17",
		has: []string{"Attention(%0, %9, %14) {scale=1}"}},
	// The causal mask of PyTorch's exporter at any length.
	{rule: "recognise:attention", hits: 1, loose: true, text: attending(nothing+"const f32[] 1\nconst i64[2] 4 4\n", "f32[1]",
		"%10: f32[4,4] = Expand(@4, @5)\n%11: f32[4,4] = Trilu(%10) {upper=0}\n%12: bool[4,4] = Equal(%11, @1)\n"+
			"%14: f32[4,4] = Where(%12, @3, @1)\n%15: f32[2,3,4,4] = Add(%9, %14)\n%19: f32[2,3,4,4] = Softmax(%15)\n"),
		has: []string{"{is_causal=1 kv_num_heads=3"}},
	// Near misses.
	// a mask that may exclude all keys gives NaN
	{rule: "recognise:attention", why: "the mask may exclude all keys of a row, which gives NaN here and 0 in attention",
		text: attending("", "f32[4]", "%10: f32[2,3,4,4] = Add(%3, %9)\n%19: f32[2,3,4,4] = Softmax(%10)\n")},
	// so does this one
	{rule: "recognise:attention", why: "the mask excludes all keys of a row, which gives NaN here and 0 in attention",
		text: attending("const f32[4,4] 0 -inf -inf -inf -inf -inf -inf -inf 0 0 0 -inf 0 0 0 0\n", "f32[1]",
			"%10: f32[2,3,4,4] = Add(%9, @1)\n%19: f32[2,3,4,4] = Softmax(%10)\n")},
	// a number for each row
	{rule: "recognise:attention", why: "the mask f32[2,3,4,1] has not a number for each key",
		text: attending(nothing, "f32[2,3,4,1]", "%10: f32[2,3,4,4] = Add(%9, %3)\n"+safe)},
	// along the queries
	{rule: "recognise:attention", why: "the softmax is along another axis than the last one",
		text: attending("", "f32[1]", "%19: f32[2,3,4,4] = Softmax(%9) {axis=2}\n")},
	// the weights are an output
	{rule: "recognise:attention", why: "the weights are an output", text: attending("", "f32[1]", "%19: f32[2,3,4,4] = Softmax(%9)\n") +
		", %19"},
	// the scores are
	{rule: "recognise:attention", why: "the scores are an output", text: attending("", "f32[1]", "%19: f32[2,3,4,4] = Softmax(%9)\n") +
		", %9"},
	// a dropout
	{rule: "recognise:attention", why: "Mul stands between the softmax and the product with the values",
		text: attending("", "f32[2,3,4,4]", "%10: f32[2,3,4,4] = Softmax(%9)\n%19: f32[2,3,4,4] = Mul(%10, %3)\n")},
	// another number instead of NaN
	{rule: "recognise:attention", why: "the guard of rows without keys has another form",
		text: attending("const f32[] 2\n", "f32[1]",
			"%10: f32[2,3,4,4] = Softmax(%9)\n%11: bool[2,3,4,4] = IsNaN(%10)\n%19: f32[2,3,4,4] = Where(%11, @1, %10)\n")},
	{rule: "recognise:attention", why: "the scale of the scores is no constant number",
		text: attending("", "f32[]", "%10: f32[2,3,4,4] = Mul(%9, %3)\n%19: f32[2,3,4,4] = Softmax(%10)\n")},
	{rule: "recognise:attention", why: "Where makes the scores, and no product, constant scale or added mask",
		text: attending(nothing, "bool[2,3,4,4]", "%10: f32[2,3,4,4] = Where(%3, @3, %9)\n%19: f32[2,3,4,4] = Softmax(%10)\n")},
	{rule: "recognise:attention", why: "what it adds as a mask is added to no product with a constant scale, or has other sizes than the product", text: attending("", "f32[2,3,4,4]", "%10: f32[2,3,4,4] = Mul(%9, %3)\n%11: f32[2,3,4,4] = Add(%10, %3)\n%19: f32[2,3,4,4] = Softmax(%11)\n")},
	{rule: "recognise:attention", why: "the mask has NaN", text: attending("const f32[4,4] 0 nan 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n", "f32[1]",
		"%10: f32[2,3,4,4] = Add(%9, @1)\n%19: f32[2,3,4,4] = Softmax(%10)\n")},
	{rule: "recognise:attention", why: "its product with the values is f32[4,7], and not f32 of 3 or 4 axes",
		text: "in f32[4,5], f32[5,6], f32[6,7]\n%3: f32[4,6] = MatMul(%0, %1)\n%4: f32[4,6] = Softmax(%3)\n%5: f32[4,7] = MatMul(%4, %2)\nout %5"},
	// keys for all heads
	{rule: "recognise:attention", why: "the sizes of queries f32[2,3,4,5], transposed keys f32[2,1,5,6] and values f32[2,3,6,7] differ",
		text: "in f32[2,3,4,5], f32[2,1,5,6], f32[2,3,6,7]\n%3: f32[2,3,4,6] = MatMul(%0, %1)\n%4: f32[2,3,4,6] = Softmax(%3)\n%5: f32[2,3,4,7] = MatMul(%4, %2)\nout %5"},

	{rule: "canon:transpose-of-ones", hits: 1, text: "in f32[1,4,1,5]\n%1: f32[4,1,5,1] = Transpose(%0) {perm=[1,0,3,2]}\nout %1",
		has: []string{"vm::view(%0)"}},
	{rule: "canon:transpose-of-ones", text: "in f32[1,4,2,5]\n%1: f32[2,4,1,5] = Transpose(%0) {perm=[2,1,0,3]}\nout %1"},
	// no order of axes: the run says so
	{rule: "canon:transpose-of-ones", text: "in f32[1,4,1,5]\n%1: f32[4,1,5,1] = Transpose(%0) {perm=[-3,0,3,2]}\nout %1"},
}
