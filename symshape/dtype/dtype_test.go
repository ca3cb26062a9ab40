// This file tests names and promotion; torch's rules against results recorded from PyTorch 1.13.

package dtype

import (
	"os"
	"strconv"
	"strings"
	"testing"
)

func TestNamesAreCompleteUniqueAndReadBack(t *testing.T) {
	seen := map[string]bool{}
	for _, d := range All() {
		if d.Size() == 0 || d.Kind() == KindInvalid || seen[d.String()] {
			t.Errorf("row of %d: %v", d, d)
		}
		seen[d.String()] = true
		for _, s := range []string{d.String(), d.Torch(), "torch." + d.Torch()} {
			if got, ok := Parse(s); !ok || got != d {
				t.Errorf("Parse(%q) = %v, %v, want %v", s, got, ok, d)
			}
		}
		if d != BF16 && d != C32 && d < F8E4M3FN {
			if got, ok := ParseNumpy(d.Numpy()); !ok || got != d {
				t.Errorf("ParseNumpy(%q) = %v, %v, want %v", d.Numpy(), got, ok, d)
			}
		}
	}
	for s, want := range map[string]DType{
		"half": F16, "long": I64, "torch.double": F64, "float": F32, "int": I32, "np.float": F64, "numpy.int32": I32, "np.int": I64,
		"np.bool_": Bool, "torch.cfloat": C64, "f": Invalid, "torch.f32": Invalid, "?": Invalid, "": Invalid,
	} {
		if got, _ := Parse(s); got != want {
			t.Errorf("Parse(%q) = %v, want %v", s, got, want)
		}
	}
	for s, want := range map[string]DType{"f": F32, "d": F64, "i": I32, "l": I64, "<f4": F32, "f2": F16, "?": Bool, "u1": U8, "i8": I64,
		"u8": U64, "c8": C64, "U": Invalid} {
		if got, _ := ParseNumpy(s); got != want {
			t.Errorf("ParseNumpy(%q) = %v, want %v", s, got, want)
		}
	}
	if d, _ := ParseTensorType("torch.cuda.LongTensor"); d != I64 {
		t.Errorf("LongTensor is %v", d)
	}
}

func TestPromotionAgreesWithTorch(t *testing.T) {
	data, err := os.ReadFile("testdata/torch-promotion.txt")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		call, want, _ := strings.Cut(line, " = ")
		words := strings.Fields(call)
		var types []DType
		var operands []Operand
		for _, w := range words[1:] {
			name, dims, isTensor := strings.Cut(w, "/")
			kind := map[string]Kind{"bool": KindBool, "int": KindInt, "float": KindFloat, "complex": KindComplex}[name]
			d, ok := Parse(name)
			switch {
			case words[0] == "result" && !isTensor:
				operands = append(operands, NumberOp(kind))
				continue
			case !ok:
				t.Fatalf("%s: %s", line, w)
			}
			types = append(types, d)
			rank, _ := strconv.Atoi(dims)
			operands = append(operands, TensorOp(d, rank))
		}
		var got string
		switch words[0] {
		case "promote":
			got = Promote(types[0], types[1]).String()
		case "cast":
			got = map[bool]string{true: "true", false: "false"}[CanCast(types[0], types[1])]
		case "result":
			got = ResultType(F32, operands...).String()
		case "join": // torch.cat looks at the types alone, not at dimensions
			d := types[0]
			for _, x := range types[1:] {
				d = Promote(d, x)
			}
			got = d.String()
		}
		if got != want {
			t.Errorf("%s: got %s", line, got)
		}
		n++
	}
	t.Logf("%d recorded promotions", n)
}

func TestPromotionIsCommutativeAndIdempotent(t *testing.T) {
	for _, a := range All() {
		if Promote(a, a) != a || Numpy(a, a) != a {
			t.Errorf("%v with itself", a)
		}
		for _, b := range All() {
			if Promote(a, b) != Promote(b, a) || Numpy(a, b) != Numpy(b, a) {
				t.Errorf("%v and %v", a, b)
			}
		}
	}
}

// The rows are numpy's own table (numpy.promote_types over the types here).
func TestPromotionAgreesWithNumpy(t *testing.T) {
	order := []DType{Bool, U8, U16, U32, U64, I8, I16, I32, I64, F16, F32, F64, C64, C128}
	table := []string{
		"bool u8 u16 u32 u64 i8 i16 i32 i64 f16 f32 f64 c64 c128",
		"u8 u8 u16 u32 u64 i16 i16 i32 i64 f16 f32 f64 c64 c128",
		"u16 u16 u16 u32 u64 i32 i32 i32 i64 f32 f32 f64 c64 c128",
		"u32 u32 u32 u32 u64 i64 i64 i64 i64 f64 f64 f64 c128 c128",
		"u64 u64 u64 u64 u64 f64 f64 f64 f64 f64 f64 f64 c128 c128",
		"i8 i16 i32 i64 f64 i8 i16 i32 i64 f16 f32 f64 c64 c128",
		"i16 i16 i32 i64 f64 i16 i16 i32 i64 f32 f32 f64 c64 c128",
		"i32 i32 i32 i64 f64 i32 i32 i32 i64 f64 f64 f64 c128 c128",
		"i64 i64 i64 i64 f64 i64 i64 i64 i64 f64 f64 f64 c128 c128",
		"f16 f16 f32 f64 f64 f16 f32 f64 f64 f16 f32 f64 c64 c128",
		"f32 f32 f32 f64 f64 f32 f32 f64 f64 f32 f32 f64 c64 c128",
		"f64 f64 f64 f64 f64 f64 f64 f64 f64 f64 f64 f64 c128 c128",
		"c64 c64 c64 c128 c128 c64 c64 c128 c128 c64 c64 c128 c64 c128",
		"c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128",
	}
	for i, row := range table {
		for j, want := range strings.Fields(row) {
			if got := Numpy(order[i], order[j]).String(); got != want {
				t.Errorf("Numpy(%v, %v) = %s, want %s", order[i], order[j], got, want)
			}
		}
	}
	for _, x := range []struct {
		a    DType
		num  Kind
		want DType
	}{{F32, KindFloat, F32}, {F16, KindInt, F16}, {I32, KindInt, I32}, {I32, KindFloat, F64}, {Bool, KindInt, I64}, {U8, KindBool, U8},
		{F32, KindComplex, C64}, {F64, KindComplex, C128}, {I64, KindComplex, C128}} {
		if got := NumpyScalar(x.a, x.num); got != x.want {
			t.Errorf("NumpyScalar(%v, %v) = %v, want %v", x.a, x.num, got, x.want)
		}
	}
}

func TestChainerRefusesDifferentTypes(t *testing.T) {
	if d, ok := Chainer(F32, F32); !ok || d != F32 {
		t.Error("float32 with float32")
	}
	if _, ok := Chainer(F32, F64); ok {
		t.Error("float32 with float64")
	}
}
