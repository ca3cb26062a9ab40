package pass_test

// This file lists the cases of merges.

func init() {
	ruleCases = append(ruleCases, mergeCases...)
}

const convHead = "const f32[2,3,3,3] 1 2 0.5 -1 0.25 3 -2 1 0 1 1 2 -1 1 -1\nconst f32[2] 0.5 -1\n"

const wideHead = "const f32[32,32,3,3] 1 2 0.5 -1 0.25 3 -2 1 0 1 1 2 -1 1 -1\nconst f32[32] 0.5 -1\n"

var mergeCases = []ruleCase{
	{rule: "merge:pad-conv", hits: 1, text: convHead +
		"const i64[8] 0 0 1 2 0 0 0 1\nin f32[1,3,5,6]\n%1: f32[1,3,6,9] = Pad(%0, @2)\n%2: f32[1,2,6,8] = Conv(%1, @0, @1) {pads=[0,0,2,1]}\nout %2",
		has: []string{"Conv(%0, @0, @1) {pads=[1,2,2,2]}"}},
	{rule: "merge:pad-conv", text: convHead +
		"const i64[8] 0 0 1 2 0 0 0 1\nin f32[1,3,5,6]\n%1: f32[1,3,6,9] = Pad(%0, @2)\n%2: f32[1,2,4,7] = Conv(%1, @0, @1)\nout %2, %1"},
	{rule: "merge:pad-conv", text: convHead +
		"const i64[8] 0 0 1 2 0 0 0 1\nin f32[1,3,5,6]\n%1: f32[1,3,6,9] = Pad(%0, @2) {mode=\"edge\"}\n%2: f32[1,2,4,7] = Conv(%1, @0, @1)\nout %2"},
	{rule: "merge:pad-conv", text: convHead +
		"const i64[8] 0 0 1 2 0 0 0 1\nin f32[1,3,5,6]\n%1: f32[1,3,6,9] = Pad(%0, @2)\n%2: f32[1,2,6,9] = Conv(%1, @0, @1) {auto_pad=\"SAME_UPPER\"}\nout %2"},
	// channels
	{rule: "merge:pad-conv", text: convHead +
		"const i64[8] 0 1 1 2 0 0 0 1\nin f32[1,2,5,6]\n%1: f32[1,3,6,9] = Pad(%0, @2)\n%2: f32[1,2,4,7] = Conv(%1, @0, @1)\nout %2"},
	{rule: "merge:pad-conv", text: convHead +
		"const i64[8] 0 0 1 2 0 0 -1 1\nin f32[1,3,6,6]\n%1: f32[1,3,6,9] = Pad(%0, @2)\n%2: f32[1,2,4,7] = Conv(%1, @0, @1)\nout %2"},
	// weights may be infinite
	{rule: "merge:pad-conv", text: convHead +
		"const i64[8] 0 0 1 2 0 0 0 1\nin f32[1,3,5,6], f32[2,3,3,3]\n%2: f32[1,3,6,9] = Pad(%0, @2)\n%3: f32[1,2,4,7] = Conv(%2, %1, @1)\nout %3"},
	{rule: "merge:pad-pool", hits: 1,
		text: "const i64[4] 1 0 0 1\nconst i64[2] 2 3\nin f32[1,3,5,6]\n%1: f32[1,3,6,7] = Pad(%0, @0, ~, @1)\n%2: f32[1,3,5,6] = AveragePool(%1) {kernel_shape=[2,2]}\nout %2",
		has:  []string{"AveragePool(%0) {count_include_pad=1 kernel_shape=[2,2] pads=[1,0,0,1]}"}},
	{rule: "merge:pad-pool", text: "const i64[4] 1 0 0 1\nconst i64[2] 2 3\nin f32[1,3,5,6]\n%1: f32[1,3,6,7] = Pad(%0, @0, ~, @1)\n%2: f32[1,3,7,8] = AveragePool(%1) {kernel_shape=[2,2] pads=[1,1,1,1]}\nout %2"},
	{rule: "merge:conv-norm", hits: 1, loose: true, text: convHead +
		"const f32[2] 2 3\nconst f32[2] 0.5 1.5\nin f32[2,3,5,6]\n%1: f32[2,2,3,4] = Conv(%0, @0, @1)\n%2: f32[2,2,3,4], ~, ~ = BatchNormalization(%1, @2, @1, @3, @2)\nout %2", has: []string{"Conv(%0, @4, @5)"}},
	{rule: "merge:conv-norm", hits: 1, loose: true,
		text: "const f32[4,1,2,2] 1 2 0.5 -1 0.25 3 -2 1 0 1 1 2 -1 1 -1\nconst f32[4] 2 3 0.5 1\nconst f32[4] 0.5 1.5 1 2\nin f32[2,4,5,6]\n" +
			"%1: f32[2,4,6,7] = ConvTranspose(%0, @0) {group=4}\n%2: f32[2,4,6,7], ~, ~ = BatchNormalization(%1, @1, @2, @1, @2)\nout %2",
		has: []string{"{group=4}"}},
	{rule: "merge:conv-norm", hits: 1, loose: true,
		text: "const f32[4,3,2] 1 2 0.5 -1 0.25 3 -2 1 0 1 1 2 -1 1 -1 5 2 7 1 3 9 0.5 -4 1\nconst f32[6] 2 3 0.5 1 -1 4\nconst f32[6] 0.5 1.5 1 2 3 1\nin f32[2,4,5]\n" +
			"%1: f32[2,6,6] = ConvTranspose(%0, @0) {group=2}\n%2: f32[2,6,6], ~, ~ = BatchNormalization(%1, @1, @2, @1, @2)\nout %2",
		has: []string{"{group=2}"}},
	{rule: "merge:conv-norm", text: convHead +
		"const f32[2] 2 3\nconst f32[2] 0.5 1.5\nin f32[2,3,5,6]\n%1: f32[2,2,3,4] = Conv(%0, @0, @1)\n%2: f32[2,2,3,4], %3: f32[2], %4: f32[2] = BatchNormalization(%1, @2, @1, @3, @2) {training_mode=1}\nout %2"},
	{rule: "merge:conv-norm", text: convHead +
		"const f32[2] 2 3\nconst f32[2] 0.5 1.5\nin f32[2,3,5,6], f32[2]\n%2: f32[2,2,3,4] = Conv(%0, @0, @1)\n%3: f32[2,2,3,4], ~, ~ = BatchNormalization(%2, @2, %1, @3, @2)\nout %3"},
	{rule: "merge:conv-norm", text: convHead +
		"const f32[2] 2 3\nconst f32[2] 0.5 1.5\nin f32[2,3,5,6]\n%1: f32[2,2,3,4] = Conv(%0, @0, @1)\n%2: f32[2,2,3,4], ~, ~ = BatchNormalization(%1, @2, @1, @3, @2)\nout %2, %1"},
	{rule: "merge:conv-factor", hits: 1, loose: true, text: convHead +
		"const f32[2,1,1] 2 3\nin f32[2,3,5,6]\n%1: f32[2,2,3,4] = Conv(%0, @0, @1)\n%2: f32[2,2,3,4] = Mul(@2, %1)\nout %2",
		has: []string{"Conv(%0, @3, @4)"}},
	{rule: "merge:conv-factor", hits: 1, loose: true, text: convHead +
		"const f32[] 3\nin f32[2,3,5,6]\n%1: f32[2,2,3,4] = Conv(%0, @0, @1)\n%2: f32[2,2,3,4] = Mul(@2, %1)\nout %2",
		has: []string{"Conv(%0, @3, @4)"}},
	// along the last axis
	{rule: "merge:conv-factor", text: "const f32[2,3,3,3] 1 2\nconst f32[2] 0.5 -1\nin f32[2,3,5,4]\n%1: f32[2,2,3,2] = Conv(%0, @0, @1)\n%2: f32[2,2,3,2] = Mul(@1, %1)\nout %2"},
	// along the batch
	{rule: "merge:conv-factor", text: convHead +
		"const f32[2,1,1,1] 2 3\nin f32[2,3,5,6]\n%1: f32[2,2,3,4] = Conv(%0, @0, @1)\n%2: f32[2,2,3,4] = Mul(@2, %1)\nout %2"},
	{rule: "merge:conv-bias", hits: 1, loose: true, text: convHead +
		"const f32[1,2,1,1] 2 3\nin f32[2,3,5,6]\n%1: f32[2,2,5,6] = Conv(%0, @0) {pads=[1,1,1,1]}\n%2: f32[2,2,5,6] = Add(@2, %1)\nout %2",
		has: []string{"Conv(%0, @0, @3) {pads=[1,1,1,1]}"}},
	{rule: "merge:conv-bias", text: "const f32[2,3,3,3] 1 2\nconst f32[2] 0.5 -1\nin f32[2,3,5,4]\n%1: f32[2,2,3,2] = Conv(%0, @0, @1)\n%2: f32[2,2,3,2] = Add(@1, %1)\nout %2"},
	{rule: "merge:conv-bias", text: convHead +
		"const f32[1,2,1,1] 2 3\nin f32[2,3,5,6]\n%1: f32[2,2,3,4] = Conv(%0, @0)\n%2: f32[2,2,3,4] = Add(@2, %1)\n%3: f32[2,2,3,4] = Neg(%1)\nout %2, %3"},

	{rule: "algorithm:winograd", hits: 1, loose: true, text: wideHead +
		"in f32[1,32,5,6]\n%1: f32[1,32,5,6] = Conv(%0, @0, @1) {pads=[1,1,1,1]}\nout %1",
		has: []string{`vm::conv(%0, @0, @1) {algo="winograd"`}},
	{rule: "algorithm:winograd", hits: 1, loose: true, text: wideHead +
		"in f32[1,32,5,6]\n%1: f32[1,32,3,4] = vm::conv(%0, @0, @1) {act=\"relu\"}\nout %1", has: []string{`algo="winograd"`}},
	{rule: "algorithm:winograd", text: wideHead + "in f32[1,32,5,6]\n%1: f32[1,32,2,2] = Conv(%0, @0, @1) {strides=[2,2]}\nout %1"},
	{rule: "algorithm:winograd", text: wideHead + "in f32[1,32,5,6]\n%1: f32[1,32,1,4] = Conv(%0, @0, @1) {dilations=[2,1]}\nout %1"},
	{rule: "algorithm:winograd", text: wideHead + "in f32[1,64,5,6]\n%1: f32[1,32,3,4] = Conv(%0, @0, @1) {group=2}\nout %1"},
	// few channels
	{rule: "algorithm:winograd", text: "const f32[32,15,3,3] 1 2 0.5\nin f32[1,15,5,6]\n%1: f32[1,32,3,4] = Conv(%0, @0)\nout %1"},
	// nothing times infinity
	{rule: "algorithm:winograd", text: "const f32[32,32,3,3] 1 2 inf\nin f32[1,32,5,6]\n%1: f32[1,32,3,4] = Conv(%0, @0)\nout %1"},
	// many weights
	{rule: "algorithm:winograd", text: "const f32[257,256,3,3] 1 2\nin f32[1,256,3,3]\n%1: f32[1,257,1,1] = Conv(%0, @0)\nout %1"},
	{rule: "algorithm:winograd", text: "const f32[32,32,3] 1 2 0.5\nin f32[1,32,5]\n%1: f32[1,32,3] = Conv(%0, @0)\nout %1"}, // one axis
	// unknown weights
	{rule: "algorithm:winograd", text: "in f32[1,32,5,6], f32[32,32,3,3]\n%2: f32[1,32,3,4] = Conv(%0, %1)\nout %2"},
	{rule: "merge:product-transpose", hits: 1,
		text: "in f32[5,2,3], f32[5,4,3]\n%2: f32[5,3,4] = Transpose(%1) {perm=[0,2,1]}\n%3: f32[5,2,4] = MatMul(%0, %2)\nout %3",
		has:  []string{"vm::matmul(%0, %1) {tb=1}"}},
	// X·Xᵀ
	{rule: "merge:product-transpose", hits: 1, text: "in f32[2,3]\n%1: f32[3,2] = Transpose(%0)\n%2: f32[2,2] = MatMul(%0, %1)\nout %2, %1",
		has: []string{"vm::matmul(%0, %0) {tb=1}"}},
	{rule: "merge:product-transpose", hits: 1, text: "in f32[2,3]\n%1: f32[3,2] = Transpose(%0)\n%2: f32[3,3] = MatMul(%1, %0)\nout %2",
		has: []string{"vm::matmul(%0, %0) {ta=1}"}},
	{rule: "merge:product-transpose",
		text: "in f32[5,2,3], f32[3,4,5]\n%2: f32[5,3,4] = Transpose(%1) {perm=[2,0,1]}\n%3: f32[5,2,4] = MatMul(%0, %2)\nout %3"},
	{rule: "merge:product-transpose", text: "in i32[2,3]\n%1: i32[3,2] = Transpose(%0)\n%2: i32[2,2] = MatMul(%0, %1)\nout %2"},
	{rule: "merge:gemm", hits: 1, loose: true,
		text: "in f32[3,2], f32[4,3], f32[4]\n%3: f32[2,4] = Gemm(%0, %1, %2) {transA=1 transB=1}\nout %3",
		has:  []string{"vm::matmul(%0, %1, %2) {ta=1 tb=1}"}},
	{rule: "merge:gemm", hits: 1, loose: true, text: "in f32[2,3], f32[3,4], f32[2,4]\n%3: f32[2,4] = Gemm(%0, %1, %2)\nout %3",
		has: []string{"vm::matmul(%0, %1, ~, %2)"}},
	{rule: "merge:gemm", text: "in f32[2,3], f32[3,4], f32[2,1]\n%3: f32[2,4] = Gemm(%0, %1, %2)\nout %3"},
	{rule: "merge:gemm", text: "in f32[2,3], f32[3,4], f32[2,4]\n%3: f32[2,4] = Gemm(%0, %1, %2) {beta=2.}\nout %3"},
	{rule: "merge:product-add", hits: 1,
		text: "in f32[5,2,3], f32[3,4], f32[4]\n%3: f32[5,2,4] = MatMul(%0, %1)\n%4: f32[5,2,4] = Add(%2, %3)\nout %4",
		has:  []string{"vm::matmul(%0, %1, %2)"}},
	{rule: "merge:product-add", hits: 2,
		text: "in f32[5,2,3], f32[3,4], f32[4], f32[5,2,4]\n%4: f32[5,2,4] = MatMul(%0, %1)\n%5: f32[5,2,4] = Add(%2, %4)\n%6: f32[5,2,4] = Add(%3, %5)\nout %6", has: []string{"vm::matmul(%0, %1, %2, %3)"}},
	// the product is broadcast
	{rule: "merge:product-add", text: "in f32[2,3], f32[3,4], f32[5,2,4]\n%3: f32[2,4] = MatMul(%0, %1)\n%4: f32[5,2,4] = Add(%3, %2)\nout %4"},
	{rule: "merge:product-add", text: "in f32[2,3], f32[3,4], f32[4]\n%3: f32[2,4] = MatMul(%0, %1)\n%4: f32[2,4] = Add(%3, %2)\nout %4, %3"},
	{rule: "merge:product-add", text: "in f32[2,3], f32[3,4]\n%2: f32[2,4] = MatMul(%0, %1)\n%3: f32[2,4] = Add(%2, %2)\nout %3"},
	{rule: "merge:product-add", text: "in f32[2,3], f32[3,1], f32[2]\n%3: f32[2,1] = MatMul(%0, %1)\n%4: f32[2,2] = Add(%3, %2)\nout %4"},
	{rule: "merge:product-add", hits: 1, text: convHead +
		"in f32[2,3,5,6], f32[2,2,3,4]\n%2: f32[2,2,3,4] = Conv(%0, @0, @1)\n%3: f32[2,2,3,4] = Add(%1, %2)\nout %3",
		has: []string{"vm::conv(%0, @0, @1, %1)"}},
	{rule: "merge:product-rows", hits: 1,
		text: "in f32[5,2,3], f32[3,4]\n%2: f32[10,3] = vm::view(%0)\n%3: f32[10,4] = MatMul(%2, %1)\n%4: f32[5,2,4] = vm::view(%3)\nout %4",
		has:  []string{"vm::matmul(%5, %1)"}},
	// rows that are cut
	{rule: "merge:product-rows", text: "in f32[5,2,3], f32[3,4]\n%2: f32[10,3] = vm::view(%0)\n%3: f32[10,4] = MatMul(%2, %1)\n%4: f32[5,2,2,2] = vm::view(%3)\nout %4"},
	// the matrix is needed, too
	{rule: "merge:product-rows", text: "in f32[5,2,3], f32[3,4]\n%2: f32[10,3] = vm::view(%0)\n%3: f32[10,4] = MatMul(%2, %1)\n%4: f32[5,2,4] = vm::view(%3)\nout %4, %3"},
	{rule: "merge:product-relu", hits: 1, text: convHead +
		"in f32[2,3,5,6]\n%1: f32[2,2,2,4] = Conv(%0, @0, @1) {strides=[2,1]}\n%2: f32[2,2,2,4] = Relu(%1)\nout %2",
		has: []string{`vm::conv(%0, @0, @1) {act="relu" strides=[2,1]}`}},
	{rule: "merge:product-relu", hits: 1,
		text: "in f32[2,3], f32[3,4]\n%2: f32[2,4] = MatMul(%0, %1)\n%3: f32[2,4] = Relu(%2)\n%4: f32[2,4] = Add(%3, %3)\nout %4",
		has:  []string{`vm::matmul(%0, %1) {act="relu"}`}},
	{rule: "merge:product-add", text: "in f32[2,3], f32[3,4], f32[4]\n%3: f32[2,4] = vm::matmul(%0, %1) {act=\"relu\"}\n%4: f32[2,4] = Add(%3, %2)\nout %4"},
	{rule: "merge:product-clip", hits: 1, text: convHead +
		"const f32[] 0\nconst f32[] 1.5\nin f32[2,3,5,6]\n%1: f32[2,2,3,4] = Conv(%0, @0, @1)\n%2: f32[2,2,3,4] = Clip(%1, @2, @3)\nout %2",
		has: []string{`vm::conv(%0, @0, @1) {act="clip"`}},
	{rule: "merge:product-clip", text: convHead +
		"const f32[] 0\nconst f32[] 1.5\nin f32[2,3,5,6]\n%1: f32[2,2,3,4] = Conv(%0, @0, @1)\n%2: f32[2,2,3,4] = Clip(%1, @2, @3)\nout %2, %1"},
	// a bound may be anything
	{rule: "merge:product-clip", text: convHead +
		"const f32[] 1.5\nin f32[2,3,5,6], f32[]\n%2: f32[2,2,3,4] = Conv(%0, @0, @1)\n%3: f32[2,2,3,4] = Clip(%2, %1, @2)\nout %3"},
	{rule: "merge:product-relu", text: convHead +
		"in f32[2,3,5,6]\n%1: f32[2,2,3,4] = Conv(%0, @0, @1)\n%2: f32[2,2,3,4] = Relu(%1)\nout %2, %1"},
	{rule: "merge:product-relu", text: convHead +
		"in f32[2,3,5,6]\n%1: f32[2,2,5,6] = Conv(%0, @0, @1) {auto_pad=\"SAME_LOWER\"}\n%2: f32[2,2,5,6] = Relu(%1)\nout %2"},
}
