package pass_test

// This file lists the cases of the rules that simplify.

var ruleCases = []ruleCase{
	// views
	{rule: "canon:identity", hits: 1, text: "in f32[2]\n%1: f32[2] = Identity(%0)\n%2: f32[2] = Neg(%1)\nout %2", has: []string{"Neg(%0)"}},
	{rule: "canon:identity", hits: 1, text: "in f32[2]\n%1: f32[2] = Identity(%0)\nout %1", has: []string{`return %0 "y0"`}},
	{rule: "canon:view", hits: 1, text: "sym N 0.0\nconst i64[2] 1 -1\nin f32[N,4]\n%1: f32[1,4*N] = Reshape(%0, @0)\nout %1", has: []string{"vm::view(%0)"}},
	{rule: "canon:view", hits: 1, text: "sym N 0.0\nin f32[N,2,3]\n%1: f32[N,6] = Flatten(%0)\nout %1", has: []string{"vm::view(%0)"}},
	{rule: "canon:view-of-view", hits: 1, text: "in f32[2,6]\n%1: f32[12] = vm::view(%0)\n%2: f32[3,4] = vm::view(%1)\nout %2, %1", has: []string{"f32[3,4] = vm::view(%0)"}},
	{rule: "canon:view-of-view", text: "in f32[2,6]\n%1: f32[12] = vm::view(%0)\n%2: f32[12] = Neg(%1)\n%3: f32[3,4] = vm::view(%2)\nout %3"},
	{rule: "canon:same-view", hits: 1, text: "sym N 0.0\nin f32[N,6]\n%1: f32[N,6] = vm::view(%0)\nout %1", has: []string{"return %0"}},
	{rule: "canon:same-view", text: "sym N 0.0\nin f32[N,1]\n%1: f32[1,N] = vm::view(%0)\nout %1"},
	{rule: "canon:same-cast", hits: 1, text: "in f32[2]\n%1: f32[2] = Cast(%0) {to=1}\nout %1", has: []string{"return %0"}},
	{rule: "canon:same-cast", text: "in f32[2]\n%1: f16[2] = Cast(%0) {to=10}\nout %1"},
	{rule: "canon:transpose-of-transpose", hits: 1, text: "in f32[2,3,4]\n%1: f32[4,2,3] = Transpose(%0) {perm=[2,0,1]}\n%2: f32[2,4,3] = Transpose(%1) {perm=[1,0,2]}\nout %2", has: []string{"Transpose(%0) {perm=[0,2,1]}"}},
	{rule: "canon:transpose-of-transpose", text: "in f32[2,3]\n%1: f32[3,2] = Transpose(%0)\n%2: f32[3,2] = Neg(%1)\n%3: f32[2,3] = Transpose(%2)\nout %3"},
	{rule: "canon:no-transpose", hits: 1, text: "in f32[2,3]\n%1: f32[3,2] = Transpose(%0)\n%2: f32[2,3] = Transpose(%1)\nout %2", has: []string{"return %0"}},
	{rule: "canon:no-transpose", text: "in f32[2,2]\n%1: f32[2,2] = Transpose(%0)\nout %1"},
	{rule: "canon:concat-of-one", hits: 1, text: "in f32[2,2]\n%1: f32[2,2] = Concat(%0) {axis=0}\nout %1", has: []string{"return %0"}},
	{rule: "canon:concat-of-one", text: "in f32[2]\n%1: f32[4] = Concat(%0, %0) {axis=0}\nout %1"},
	{rule: "canon:expand-of-same", hits: 1, text: "const i64[2] 1 3\nin f32[2,3]\n%1: f32[2,3] = Expand(%0, @0)\nout %1", has: []string{"return %0"}},
	{rule: "canon:expand-of-same", text: "const i64[2] 2 3\nin f32[1,3]\n%1: f32[2,3] = Expand(%0, @0)\nout %1"},
	{rule: "canon:no-dropout", hits: 1, text: "in f32[2]\n%1: f32[2] = Dropout(%0)\nout %1", has: []string{"return %0"}},
	{rule: "canon:no-dropout", text: "in f32[2]\n%1: f32[2], %2: bool[2] = Dropout(%0)\nout %1, %2"},

	// moves
	{rule: "canon:fill", hits: 1, text: "sym N 0.0\nin f32[N]\n%1: i64[1]{N} = Shape(%0)\n%2: f32[N] = ConstantOfShape(%1)\n%3: f32[N] = Sub(%2, %0)\nout %3", has: []string{"f32[N] = vm::fill(@0)"}},
	{rule: "canon:slice-of-slice", hits: 1, text: "sym N 0.0\nconst i64[1] 1\nconst i64[1] 100\nconst i64[1] 0\nconst i64[1] 2\nin f32[N], f32[N+3,5]\n%2: f32[N+2,5] = Slice(%1, @0, @1, @2)\n" +
		"%3: f32[(N+2)//2,5] = Slice(%2, @0, @1, @2, @3)\nout %3", has: []string{"= Slice(%1"}},
	{rule: "canon:slice-of-slice", hits: 1, text: "const i64[1] 1\nconst i64[1] 4\nconst i64[1] 0\nin f32[3,5]\n%1: f32[3,3] = Slice(%0, @0, @1, @0)\n%2: f32[2,3] = Slice(%1, @0, @1, @2)\nout %2",
		has: []string{"f32[2,3] = Slice(%0"}},
	{rule: "canon:slice-of-slice", hits: 1, text: "const i64[1] 3\nconst i64[1] 9\nconst i64[1] 0\nin f32[5]\n%1: f32[2] = Slice(%0, @0, @1, @2)\n%2: f32[0] = Slice(%1, @0, @1, @2)\nout %2"},
	{rule: "canon:slice-of-slice", text: "const i64[1] -2\nconst i64[1] 9\nconst i64[1] 0\nconst i64[1] 1\nin f32[5]\n%1: f32[2] = Slice(%0, @0, @1, @2)\n%2: f32[1] = Slice(%1, @3, @1, @2)\nout %2"},
	{rule: "canon:slice-of-slice", text: "const i64[1] 1\nconst i64[1] 9\nconst i64[1] 0\nin f32[5]\n%1: f32[4] = Slice(%0, @0, @1, @2)\n%2: f32[3] = Slice(%1, @0, @1, @2)\nout %2, %1"},
	{rule: "canon:whole-slice", hits: 1, text: "sym N 0.0\nconst i64[1] 0\nconst i64[1] 1000000000000000\nin f32[N]\n%1: f32[N] = Slice(%0, @0, @1, @0)\nout %1", has: []string{"return %0"}},
	{rule: "canon:whole-slice", text: "const i64[1] -1\nconst i64[1] -9\nconst i64[1] 0\nin f32[4]\n%1: f32[4] = Slice(%0, @0, @1, @2, @0)\nout %1"},
	{rule: "canon:gather-of-one", hits: 1, text: "sym N 0.0\nconst i64[] 0\nin f32[N,4]\n%1: f32[4] = Gather(%0, @0)\nout %1", has: []string{"f32[1,4] = Slice(%0", "f32[4] = vm::view("}},
	{rule: "canon:gather-of-one", hits: 1, text: "sym N 0.0\nconst i64[1] -1\nin f32[4,N]\n%1: f32[4,1] = Gather(%0, @0) {axis=-1}\nout %1", has: []string{"i64[1]{N-1} = vm::sizes()"}},
	{rule: "canon:gather-of-one", text: "sym N 0.0\nconst i64[] 1\nin f32[N], f32[N+1,4]\n%2: f32[4] = Gather(%1, @0)\nout %2", hits: 1},
	{rule: "canon:gather-of-one", text: "const i64[2] 0 1\nin f32[3,4]\n%1: f32[2,4] = Gather(%0, @0)\nout %1"},
	{rule: "canon:no-pad", hits: 1, text: "const i64[4] 0\nin f32[3,4]\n%1: f32[3,4] = Pad(%0, @0)\nout %1", has: []string{"return %0"}},
	{rule: "canon:no-pad", text: "const i64[4] 1 0 -1 0\nin f32[3,4]\n%1: f32[3,4] = Pad(%0, @0)\nout %1"},
	{rule: "canon:split-of-one", hits: 1, text: "in f32[3]\n%1: f32[3] = Split(%0) {num_outputs=1}\nout %1", has: []string{"return %0"}},
	{rule: "canon:concat-of-split", hits: 1, text: "in f32[4,3]\n%1: f32[2,3], %2: f32[2,3] = Split(%0) {num_outputs=2}\n%3: f32[4,3] = Concat(%1, %2) {axis=-2}\nout %3", has: []string{"return %0"}},
	{rule: "canon:concat-of-split", text: "in f32[4,3]\n%1: f32[2,3], %2: f32[2,3] = Split(%0) {num_outputs=2}\n%3: f32[4,3] = Concat(%2, %1) {axis=0}\nout %3"},
	{rule: "canon:concat-of-split", text: "in f32[4,3]\n%1: f32[2,3], %2: f32[2,3] = Split(%0) {num_outputs=2}\n%3: f32[2,6] = Concat(%1, %2) {axis=1}\nout %3"},
	{rule: "canon:concat-of-concat", hits: 1, text: "in f32[4], f32[3]\n%2: f32[7] = Concat(%0, %1) {axis=0}\n%3: f32[11] = Concat(%0, %2) {axis=0}\nout %3", has: []string{"Concat(%0, %0, %1)"}},
	{rule: "canon:concat-of-concat", text: "in f32[4], f32[3]\n%2: f32[7] = Concat(%0, %1) {axis=0}\n%3: f32[11] = Concat(%0, %2) {axis=0}\nout %3, %2"},
	{rule: "canon:concat-of-concat", text: "in f32[2,2]\n%1: f32[4,2] = Concat(%0, %0) {axis=0}\n%2: f32[4,4] = Concat(%1, %1) {axis=1}\nout %2"},
	{rule: "canon:absorbed-expand", hits: 1, text: "sym N 0.0\nin f32[N,4], f32[4]\n%2: i64[2]{N,4} = Shape(%0)\n%3: f32[N,4] = Expand(%1, %2)\n%4: f32[N,4] = Sub(%3, %0)\nout %4", has: []string{"Sub(%1, %0)"}},
	{rule: "canon:absorbed-expand", hits: 2, text: "const i64[2] 2 4\nin f32[4], f32[2,1]\n%2: f32[2,4] = Expand(%0, @0)\n%3: f32[2,4] = Expand(%1, @0)\n%4: f32[2,4] = Add(%2, %3)\nout %4", has: []string{"Add(%0, %1)"}},
	{rule: "canon:absorbed-expand", text: "const i64[2] 2 4\nin f32[4], f32[4]\n%2: f32[2,4] = Expand(%0, @0)\n%3: f32[2,4] = Add(%2, %1)\nout %3"},
	{rule: "canon:absorbed-expand", text: "const i64[2] 1 2\nin f32[2], f32[1]\n%2: f32[1,2] = Expand(%0, @0)\n%3: f32[1,2] = Mul(%2, %1)\nout %3"}, // the axis of size 1

	// arithmetic
	{rule: "canon:neutral", hits: 1, text: "const f32[1] 1\nin f32[2]\n%1: f32[2] = Mul(@0, %0)\nout %1", has: []string{"return %0"}},
	{rule: "canon:neutral", hits: 1, text: "const f32[] 0\nin f32[2]\n%1: f32[2] = Sub(%0, @0)\nout %1", has: []string{"return %0"}},
	{rule: "canon:neutral", hits: 1, text: "const i32[] 0\nin i32[2]\n%1: i32[2] = Add(@0, %0)\nout %1", has: []string{"return %0"}},
	{rule: "canon:neutral", text: "const f32[] 0\nin f32[2]\n%1: f32[2] = Add(%0, @0)\nout %1"},  // -0 + 0 is 0
	{rule: "canon:neutral", text: "const f32[] -0\nin f32[2]\n%1: f32[2] = Sub(%0, @0)\nout %1"}, // -0 - -0 is 0
	{rule: "canon:neutral", text: "const f32[] 1\nin f32[2]\n%1: f32[2] = Div(@0, %0)\nout %1"},
	{rule: "canon:neutral", text: "const f32[2,2] 1\nin f32[2]\n%1: f32[2,2] = Mul(%0, @0)\nout %1"}, // broadcasting
	{rule: "canon:neutral", text: "const f32[2] 1 2\nin f32[2]\n%1: f32[2] = Mul(%0, @0)\nout %1"},
	{rule: "canon:double-negation", hits: 1, text: "in f32[2]\n%1: f32[2] = Neg(%0)\n%2: f32[2] = Neg(%1)\nout %2, %1", has: []string{"return %0"}},
	{rule: "canon:double-negation", text: "in f32[2]\n%1: f32[2] = Neg(%0)\n%2: f32[2] = Abs(%1)\nout %2"},
	{rule: "canon:idempotent", hits: 1, text: "in f32[2]\n%1: f32[2] = Relu(%0)\n%2: f32[2] = Relu(%1)\nout %2", has: []string{"return %1"}},
	{rule: "canon:idempotent", text: "in f32[2]\n%1: f32[2] = Floor(%0)\n%2: f32[2] = Ceil(%1)\nout %2"},
	{rule: "canon:lossless-cast", hits: 1, text: "in f16[2]\n%1: f32[2] = Cast(%0) {to=1}\n%2: f64[2] = Cast(%1) {to=11}\nout %2", has: []string{"Cast(%0) {to=11}"}},
	{rule: "canon:lossless-cast", hits: 1, text: "in u8[2]\n%1: f16[2] = Cast(%0) {to=10}\n%2: i32[2] = Cast(%1) {to=6}\nout %2", has: []string{"Cast(%0) {to=6}"}},
	{rule: "canon:lossless-cast", text: "in f32[2]\n%1: f16[2] = Cast(%0) {to=10}\n%2: f64[2] = Cast(%1) {to=11}\nout %2"},
	{rule: "canon:lossless-cast", text: "in i32[2]\n%1: f32[2] = Cast(%0) {to=1}\n%2: f64[2] = Cast(%1) {to=11}\nout %2"},
	{rule: "canon:known-where", hits: 1, text: "const bool[1] 1\nin f32[2], f32[2]\n%2: f32[2] = Where(@0, %0, %1)\nout %2", has: []string{"return %0"}},
	{rule: "canon:known-where", hits: 1, text: "const bool[2] 0\nin f32[2], f32[2]\n%2: f32[2] = Where(@0, %0, %1)\nout %2", has: []string{"return %1"}},
	{rule: "canon:known-where", text: "const bool[2] 0 1\nin f32[2], f32[2]\n%2: f32[2] = Where(@0, %0, %1)\nout %2"},
	{rule: "canon:known-where", text: "const bool[1] 1\nin f32[1], f32[2]\n%2: f32[2] = Where(@0, %0, %1)\nout %2"},
	{rule: "canon:sum-of-one", hits: 1, text: "in f32[2]\n%1: f32[2] = Mean(%0)\nout %1", has: []string{"return %0"}},
	{rule: "canon:sum-of-two", hits: 1, text: "in f32[2], f32[1]\n%2: f32[2] = Sum(%0, %1)\nout %2", has: []string{"Add(%0, %1)"}},
	{rule: "canon:sum-of-one", text: "in f32[2], f32[1]\n%2: f32[2] = Sum(%0, %1)\nout %2"},
	{rule: "canon:sum-of-two", text: "in f32[2], f32[1]\n%2: f32[2] = Mean(%0, %1)\nout %2"},
	{rule: "canon:sum-of-more", text: "in f32[2], f32[1]\n%2: f32[2] = Sum(%0, %1)\nout %2"},
	{rule: "canon:sum-of-more", text: "in f32[2], f32[1], f32[3,1]\n%3: f32[3,2] = Mean(%0, %1, %2)\nout %3"},
	{rule: "canon:first-power", text: "const f32[1,1] 1\nin f32[9]\n%1: f32[1,9] = Pow(%0, @0)\nout %1"},
	{rule: "canon:split-of-one", text: "in f32[4]\n%1: f32[2], %2: f32[2] = Split(%0) {num_outputs=2}\nout %1, %2"},
	{rule: "canon:global-pool", text: "in f32[2,3,4]\n%1: f32[2,3,1] = GlobalLpPool(%0)\nout %1"},
	{rule: "canon:sum-of-more", hits: 1, loose: true, text: "in f32[2], f32[1], f32[3,1]\n%3: f32[3,2] = Sum(%0, %1, %2)\nout %3", has: []string{"f32[2] = Add(%0, %1)", "f32[3,2] = Add("}},
	{rule: "canon:square", hits: 1, text: "const f32[] 2\nin f32[9]\n%1: f32[9] = Pow(%0, @0)\nout %1", has: []string{"Mul(%0, %0)"}},
	{rule: "canon:square", hits: 1, text: "const i64[1] 2\nin i32[9]\n%1: i32[9] = Pow(%0, @0)\nout %1", has: []string{"Mul(%0, %0)"}},
	{rule: "canon:square", text: "const f32[1,1] 2\nin f32[9]\n%1: f32[1,9] = Pow(%0, @0)\nout %1"},
	{rule: "canon:square", text: "const f32[] 3\nin f32[9]\n%1: f32[9] = Pow(%0, @0)\nout %1"},
	{rule: "canon:root", hits: 1, loose: true, text: "const f32[] 0.5\nin f32[9]\n%1: f32[9] = Mul(%0, %0)\n%2: f32[9] = Pow(%1, @0)\nout %2", has: []string{"Sqrt("}},
	{rule: "canon:root", text: "const f32[] 0.5\nin f32[9]\n%2: f32[9] = Pow(%0, @0)\nout %2"},
	{rule: "canon:reciprocal", hits: 1, text: "const f32[1] -1\nin f32[9]\n%1: f32[9] = Pow(%0, @0)\nout %1", has: []string{"Reciprocal(%0)"}},
	{rule: "canon:reciprocal", text: "const f32[1] -2\nin f32[9]\n%1: f32[9] = Pow(%0, @0)\nout %1"},
	{rule: "canon:first-power", hits: 1, text: "const f32[1] 1\nin f32[9]\n%1: f32[9] = Pow(%0, @0)\nout %1", has: []string{"return %0"}},
	{rule: "canon:div-by-power-of-two", hits: 1, text: "const f32[2] -8 0.25\nin f32[9,2]\n%1: f32[9,2] = Div(%0, @0)\nout %1", has: []string{"Mul(%0, @1)"}},
	{rule: "canon:div-by-power-of-two", text: "const f32[] 3\nin f32[9,2]\n%1: f32[9,2] = Div(%0, @0)\nout %1"}, // its inverse would be rounded
	{rule: "canon:div-by-power-of-two", text: "const i32[1] 8\nin i32[9]\n%1: i32[9] = Div(%0, @0)\nout %1"},
	{rule: "canon:div-by-power-of-two", text: "const f32[1] 1.7014118346046923e+38\nin f32[9]\n%1: f32[9] = Div(%0, @0)\nout %1"}, // the inverse is no normal number
	{rule: "canon:div-by-power-of-two", text: "const f32[2] 8 0\nin f32[9,2]\n%1: f32[9,2] = Div(%0, @0)\nout %1"},

	// reductions and products
	{rule: "canon:global-pool", hits: 1, text: "sym H 0.2\nin f32[2,3,H,2]\n%1: f32[2,3,1,1] = GlobalAveragePool(%0)\nout %1", has: []string{"ReduceMean(%0, @0)"}},
	{rule: "canon:global-pool", hits: 1, text: "sym H 0.2\nin f32[2,3,H]\n%1: f32[2,3,1] = GlobalMaxPool(%0)\nout %1", has: []string{"ReduceMax(%0, @0)"}},
	{rule: "canon:no-reduction", hits: 1, text: "const i64[0] 0\nin f32[2,3]\n%1: f32[2,3] = ReduceSum(%0, @0) {noop_with_empty_axes=1}\nout %1", has: []string{"return %0"}},
	{rule: "canon:no-reduction", text: "in f32[2,3]\n%1: f32[1,1] = ReduceSum(%0)\nout %1"},
	{rule: "canon:einsum-product", hits: 1, text: "sym T 0.1\nin f32[2,T,3,4], f32[2,5,3,4]\n%2: f32[2,3,T,5] = Einsum(%0, %1) {equation=\"bqhd,bkhd->bhqk\"}\nout %2", has: []string{"MatMul("}},
	{rule: "canon:einsum-product", hits: 1, text: "in f32[2,3,4], f32[3,4,5]\n%2: f32[5,2] = Einsum(%0, %1) {equation=\"bhd,hdo->ob\"}\nout %2", has: []string{"f32[2,12] = vm::view(%0)", "MatMul("}},
	{rule: "canon:einsum-product", hits: 1, text: "in f32[2,3], f32[3,4]\n%2: f32[2,4] = Einsum(%0, %1) {equation=\"ij,jk\"}\nout %2", has: []string{"MatMul("}},
	{rule: "canon:einsum-product", hits: 1, text: "in f32[3,2], f32[3,4]\n%2: f32[4,2] = Einsum(%0, %1) {equation=\"jz, jA\"}\nout %2", has: []string{"MatMul("}}, // capital letters come first
	{rule: "canon:einsum-product", hits: 1, text: "sym N 0.0\nin f32[N,3,2,5], f32[3,5,4]\n%2: f32[N,3,2,4] = Einsum(%0, %1) {equation=\"...ij,...jk\"}\nout %2", has: []string{"MatMul("}},
	{rule: "canon:einsum-product", hits: 1, text: "in f32[2,3,4,5], f32[5,6]\n%2: f32[2,3,4,6] = Einsum(%0, %1) {equation=\"...i,ij->...j\"}\nout %2", has: []string{"f32[24,5] = vm::view(%0)", "MatMul("}},
	{rule: "canon:einsum-product", hits: 1, text: "in f32[3,2,5], f32[1,5,4]\n%2: f32[3,2,4] = Einsum(%0, %1) {equation=\"bij,bjk->bik\"}\nout %2", has: []string{"f32[5,4] = vm::view(%1)", "MatMul("}}, // a size of 1 that is broadcast
	{rule: "canon:einsum-product", hits: 1, text: "in f32[2,3,4]\n%1: f32[3] = Einsum(%0) {equation=\"aib->i\"}\nout %1", has: []string{"ReduceSum(%0, @0) {keepdims=0}"}},
	{rule: "canon:einsum-product", hits: 1, text: "in f32[2,3,4]\n%1: f32[4,2] = Einsum(%0) {equation=\"aib->ba\"}\nout %1", has: []string{"ReduceSum(", "Transpose("}},
	{rule: "canon:einsum-product", hits: 1, text: "in f16[2,3]\n%1: f16[] = Einsum(%0) {equation=\"ij->\"}\nout %1", has: []string{"ReduceSum("}},
	{rule: "canon:einsum-product", hits: 1, text: "in f32[7], f32[7]\n%2: f32[] = Einsum(%0, %1) {equation=\"i,i\"}\nout %2", has: []string{"MatMul("}},
	{rule: "canon:einsum-product", text: "in f32[2,2], f32[2,4]\n%2: f32[2,4] = Einsum(%0, %1) {equation=\"ii,ik->ik\"}\nout %2"},
	{rule: "canon:einsum-product", text: "in f32[3,3]\n%1: f32[] = Einsum(%0) {equation=\"ii\"}\nout %1"},
	{rule: "canon:einsum-product", text: "in i32[2,3], i32[3,4]\n%2: i32[2,4] = Einsum(%0, %1) {equation=\"ij,jk->ik\"}\nout %2"},
	{rule: "canon:einsum-parts", hits: 1, loose: true, text: "in f32[2,3], f32[2,3]\n%2: f32[3,2] = Einsum(%0, %1) {equation=\"ij,ij->ji\"}\nout %2", has: []string{"Mul("}},
	{rule: "canon:einsum-parts", hits: 1, loose: true, text: "sym N 0.0\nin f32[N,3], f32[3]\n%2: f32[N,3] = Einsum(%0, %1) {equation=\"bi,i->bi\"}\nout %2", has: []string{"Mul(%0, %1)"}},
	{rule: "canon:einsum-parts", hits: 1, loose: true, text: "sym N 0.0\nin f32[N], f32[3,2]\n%2: f32[2,N,3] = Einsum(%0, %1) {equation=\"i,jk->kij\"}\nout %2", has: []string{"f32[N,1] = vm::view(%0)", "Mul("}},
	{rule: "canon:einsum-parts", hits: 1, loose: true, text: "in f32[2,3]\n%1: f32[3,2] = Einsum(%0) {equation=\"ij->ji\"}\nout %1", has: []string{"Transpose(%0)"}},
	{rule: "canon:einsum-parts", hits: 1, loose: true, text: "in f32[2,1], f32[3,4]\n%2: f32[2,4] = Einsum(%0, %1) {equation=\"ij,jk->ik\"}\nout %2", has: []string{"ReduceSum(%1", "Mul("}}, // a size of 1 that is broadcast
	{rule: "canon:einsum-parts", hits: 1, loose: true, text: "in f32[2,3], f32[4,5]\n%2: f32[2,5] = Einsum(%0, %1) {equation=\"ij,kl->il\"}\nout %2", has: []string{"ReduceSum(%0", "ReduceSum(%1", "Mul("}},
	{rule: "canon:einsum-parts", hits: 1, loose: true, text: "in f32[2,6,3], f32[3,4]\n%2: f32[2,4] = Einsum(%0, %1) {equation=\"iaj,jk->ik\"}\nout %2", has: []string{"ReduceSum(%0", "MatMul("}},
	{rule: "canon:einsum-parts", hits: 1, loose: true, text: "sym N 0.0\nin f32[N,3], f32[4,3,5], f32[N,5]\n%3: f32[N,4] = Einsum(%0, %1, %2) {equation=\"bi,oij,bj->bo\"}\nout %3", has: []string{"MatMul("}}, // a bilinear layer
	{rule: "canon:einsum-parts", hits: 1, loose: true, text: "in f32[2,3], f32[4,5], f32[3,4]\n%3: f32[2,5] = Einsum(%0, %1, %2) {equation=\"ij,kl,jk->il\"}\nout %3", has: []string{"f32[2,4] = MatMul("}},    // the first and the last sum something
	{rule: "canon:einsum-parts", hits: 1, loose: true, text: "in f32[2,3], f32[3,4], f32[4]\n%3: f32[] = Einsum(%0, %1, %2) {equation=\"...ij,jk,k->...\"}\nout %3", has: []string{"MatMul("}},                 // all of i is one operand's
	{rule: "canon:einsum-parts", text: "in f32[4,2], f32[4,2], f32[4,2]\n%3: f32[2,2,2] = Einsum(%0, %1, %2) {equation=\"ab,ac,ad->bcd\"}\nout %3"},                                                            // each product alone is larger than all that there is
	{rule: "canon:einsum-parts", text: "in f32[2,3], f32[3,4], f32[4,5], f32[5]\n%4: f32[2] = Einsum(%0, %1, %2, %3) {equation=\"ij,jk,kl,l->i\"}\nout %4"},
	{rule: "canon:einsum-parts", text: "in f32[2,2], f32[2]\n%2: f32[2] = Einsum(%0, %1) {equation=\"ii,i->i\"}\nout %2"},

	// operators of ONNX+
	{rule: "canon:linear", hits: 1, text: "sym N 0.0\nin f32[N,2,3], f32[4,6], f32[4]\n%3: f32[N,4] = org.chainer::ChainerLinear(%0, %1, %2)\nout %3", has: []string{"f32[N,6] = vm::view(%0)", "Gemm(%4, %1, %2) {transB=1}"}},
	{rule: "canon:linear", hits: 1, text: "in f32[2,5,6], f32[4,6]\n%2: f32[2,5,4] = org.chainer::ChainerLinear(%0, %1) {n_batch_axes=2}\nout %2", has: []string{"f32[10,6] = vm::view(%0)", "f32[2,5,4] = vm::view("}},
	{rule: "canon:select-item", hits: 1, text: "sym N 0.0\nconst i64[3] 2 0 -1\nin f32[3,4]\n%1: f32[3] = org.chainer::ChainerSelectItem(%0, @0)\nout %1", has: []string{"GatherElements(%0"}},
	{rule: "canon:select-item", text: "const i64[3,1] 2 0 -1\nin f32[3,4]\n%1: f32[3,1] = GatherElements(%0, @0) {axis=1}\nout %1"},
	{rule: "canon:linear", text: "in f32[5,6], f32[4,6]\n%2: f32[5,4] = Gemm(%0, %1) {transB=1}\nout %2"},
	{rule: "canon:no-sum", hits: 1, loose: true, text: "sym N 0.0\nin f32[N,3]\n%1: i64[2]{N,3} = Shape(%0)\n%2: f32[N,3] = org.chainer::ChainerReduceSumTo(%0, %1)\nout %2", has: []string{"return %0"}},
	{rule: "canon:no-sum", loose: true, text: "in f32[2,3]\nconst i64[2] 1 3\n%1: f32[1,3] = org.chainer::ChainerReduceSumTo(%0, @0)\nout %1"},
}
