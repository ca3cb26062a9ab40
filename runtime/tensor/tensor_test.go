package tensor

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"shapecheck/onnx"
)

// The sums are of all values of a type as float64, with 12345 for NaN, and the bits those of
// samples, as the Python package ml_dtypes has them.
func TestSmallFloatsAreThoseOfMLDtypes(t *testing.T) {
	samples := []float64{0.3, -1.7, 0.013, 2.5, -3.25, 5.0, 0.0625, 100.0}
	for _, c := range []struct {
		d    DType
		sum  string
		bits []byte
	}{
		{Float8E4M3FN, "75e6b26677b9dc26", []byte{42, 190, 7, 66, 197, 74, 24, 108}},
		{Float8E4M3FNUZ, "0c821071cfc44dd5", []byte{50, 198, 13, 74, 205, 82, 32, 116}},
		{Float8E5M2, "35332830cc8e1a74", []byte{53, 191, 35, 65, 194, 69, 44, 86}},
		{Float8E5M2FNUZ, "48b782fae8b3aa61", []byte{57, 195, 39, 69, 198, 73, 48, 90}},
		{Float8E8M0, "a213b0a39f8b2d52", nil},
		{Float4E2M1, "bafb8c3b8a81bdda", []byte{1, 11, 0, 4, 13, 6, 0, 7}},
	} {
		var b []byte
		for _, v := range smallFloats(c.d) {
			if math.IsNaN(v) {
				v = 12345
			}
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
		}
		sum := sha256.Sum256(b)
		if got := fmt.Sprintf("%x", sum[:8]); got != c.sum {
			t.Errorf("%s: the values have the sum %s, not %s", c.d, got, c.sum)
		}
		for i, want := range c.bits {
			if got := toSmall(c.d, samples[i]); got != want {
				t.Errorf("%s: %v has the bits %d, not %d", c.d, samples[i], got, want)
			}
		}
	}
}

func TestBFloat16IsRoundedOnce(t *testing.T) {
	const middle = 1.00390625 // between 1 and 1.0078125
	for f, want := range map[float64]uint16{middle + 0x1p-30: 0x3f81, middle - 0x1p-30: 0x3f80, middle: 0x3f80, -middle - 0x1p-40: 0xbf81,
		math.Inf(1): 0x7f80, 1e39: 0x7f80} {
		if got := toBFloat16(f); got != want {
			t.Errorf("%v: %#x, not %#x", f, got, want)
		}
	}
}

var allTypes = []DType{Float32, Float64, Float16, BFloat16, Int8, Int16, Int32, Int64, Uint8, Uint16, Uint32, Uint64, Bool, Complex64,
	Complex128,
	Float8E4M3FN, Float8E4M3FNUZ, Float8E5M2, Float8E5M2FNUZ, Float8E8M0, Float4E2M1, Uint4, Int4, Uint2, Int2}

func TestElementsAreReadAsTheyWereWritten(t *testing.T) {
	for _, d := range allTypes {
		x, err := New(d, 7)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 7 {
			x.SetFloat(i, float64(int(1)<<(i%2)))
		}
		for i := range 7 {
			want := float64(int(1) << (i % 2))
			if d == Bool || d == Int2 {
				want = map[float64]float64{1: 1, 2: map[DType]float64{Bool: 1, Int2: -2}[d]}[want]
			}
			if got := x.Float(i); got != want {
				t.Errorf("%s: element %d is %v, not %v", d, i, got, want)
			}
		}
	}
}

func TestFilesGiveBackWhatWasWritten(t *testing.T) {
	dir := t.TempDir()
	for _, d := range allTypes {
		for _, dims := range [][]int64{{}, {0}, {3}, {2, 3, 5}} {
			x, err := FromType(t.Context(), (&Tensor{dtype: d, dims: dims}).Type(), "x", 1)
			if err != nil {
				t.Fatal(err)
			}
			names := []string{"x.pb"}
			if npyTypes[d] != "" {
				names = append(names, "x.npy")
			}
			for _, name := range names {
				path := filepath.Join(dir, name)
				if err := WriteFile(path, "x", x); err != nil {
					t.Fatal(err)
				}
				list, err := ReadFile(nil, path, TensorKind)
				if err != nil || len(list) != 1 || list[0].Name != "x" || !Equal(list[0].Value, x) {
					t.Errorf("%s of %s: %v, %v", name, x.Type(), list, err)
				}
			}
		}
	}
	var b bytes.Buffer
	one, two := Of([]float32{1, 2}), Of([]int64{3}, 1, 1)
	if err := WriteNPZ(&b, []Named{{"a", one}, {"b", two}}); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "x.npz")
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	list, err := ReadFile(nil, path, TensorKind)
	if err != nil || len(list) != 2 || !Equal(list[0].Value, one) || !Equal(list[1].Value, two) {
		t.Errorf("npz: %v, %v", list, err)
	}
}

func TestTypedFieldsAreRead(t *testing.T) {
	for _, c := range []struct {
		p    onnx.Tensor
		want []int64
	}{
		{onnx.Tensor{DType: Int4, Dims: []int64{3}, Int32s: []int32{0x7f, 0x0e}}, []int64{-1, 7, -2}},
		{onnx.Tensor{DType: Uint2, Dims: []int64{5}, Int32s: []int32{0b11100100, 2}}, []int64{0, 1, 2, 3, 2}},
		{onnx.Tensor{DType: Bool, Dims: []int64{2}, Int32s: []int32{0, 1}}, []int64{0, 1}},
		{onnx.Tensor{DType: Uint32, Dims: []int64{1}, Uint64s: []uint64{1 << 31}}, []int64{1 << 31}},
		{onnx.Tensor{DType: Bool, Dims: []int64{2}, Raw: []byte{0, 7}, HasRaw: true}, []int64{0, 1}},
	} {
		x, err := FromProto(&c.p)
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := x.Ints(); fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%s: %v, not %v", x.Type(), got, c.want)
		}
	}
	for _, p := range []onnx.Tensor{{DType: Float32, Dims: []int64{2}, Floats: []float32{1}},
		{DType: Float32, Dims: []int64{1 << 62, 4}, HasRaw: true},
		{DType: onnx.String, Dims: []int64{0}}, {DType: Int4, Dims: []int64{3}, Int32s: []int32{1}}, {DType: 99, Dims: nil},
		{DType: Int8, Dims: []int64{-1}}} {
		if x, err := FromProto(&p); err == nil {
			t.Errorf("%s is accepted", x.Type())
		}
	}
}

func TestNestedValuesAreWrittenAndRead(t *testing.T) {
	seq := NewSequence(NewSequence(Of([]float32{1}), Of([]float32{2, 3})), NewSequence())
	for _, c := range []struct {
		v    Value
		kind Kind
	}{{seq, SequenceKind}, {&Optional{seq}, OptionalKind}, {&Optional{}, OptionalKind}, {NewSequence(), SequenceKind}} {
		b, err := MarshalProto("v", c.v)
		if err != nil {
			t.Fatal(err)
		}
		got, err := UnmarshalProto(b, c.kind)
		if err != nil || !Equal(got, c.v) {
			t.Errorf("%s: %v, %v", c.v.Type(), got, err)
		}
	}
}

func TestSequenceIsAList(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		s, want := &Sequence{}, []Value{}
		type old struct {
			s    *Sequence
			want []Value
		}
		var kept []old
		for range 200 {
			v := Scalar(int64(r.IntN(1000)))
			switch n := len(want); {
			case n > 0 && r.IntN(4) == 0:
				i := r.IntN(n)
				s, want = s.Erase(i), append(append([]Value{}, want[:i]...), want[i+1:]...)
			case n > 0 && r.IntN(4) == 0:
				i := r.IntN(n)
				s = s.Set(i, v)
				want = append([]Value{}, want...)
				want[i] = v
			case n > 2 && r.IntN(9) == 0:
				i := r.IntN(n)
				j := i + r.IntN(n-i+1)
				a, b, c := s.Slice(0, i), s.Slice(i, j), s.Slice(j, n)
				s = c.Concat(a).Concat(b)
				want = append(append(append([]Value{}, want[j:]...), want[:i]...), want[i:j]...)
			default:
				i := r.IntN(n + 1)
				s, want = s.Insert(i, v), append(append(append([]Value{}, want[:i]...), v), want[i:]...)
			}
			kept = append(kept, old{s, want})
		}
		for _, k := range kept { // none was changed by what came later
			if !balanced(k.s.root) || k.s.Len() != len(k.want) {
				t.Fatal("not balanced, or of another length")
			}
			for i, v := range k.s.All {
				if v != k.want[i] || k.s.At(i) != v {
					t.Fatalf("element %d differs", i)
				}
			}
		}
	}
}

func balanced(n *node) bool {
	if n == nil {
		return true
	}
	l, r := n.left.len()+1, n.right.len()+1
	return l <= weight*r && r <= weight*l && n.size == l+r-1 && balanced(n.left) && balanced(n.right)
}

func TestTypeStringsGiveTheSameElementsAlways(t *testing.T) {
	x, err := FromType(t.Context(), "f32[2,2]", "x", 7)
	if err != nil {
		t.Fatal(err)
	}
	y, _ := FromType(t.Context(), "f32[ 2, 2 ]", "x", 7)
	z, _ := FromType(t.Context(), "f32[2,2]", "z", 7)
	if !Equal(x, y) || Equal(x, z) {
		t.Error("the elements depend on something else than seed and name")
	}
	if got, want := fmt.Sprint(view[float32](x)), "[-0.21326888 0.18471837 0.040905595 -0.78170764]"; got != want {
		t.Errorf("the elements are %s, not %s", got, want)
	}
	for _, s := range []string{"f32", "f32[N]", "f33[2]", "f32[2", "f32[-1]", "str[1]", "f32[99999999999,99999999999]", ""} {
		if _, err := FromType(t.Context(), s, "x", 0); err == nil {
			t.Errorf("%q is accepted", s)
		}
	}
}

func TestMemoryIsAligned(t *testing.T) {
	for n := range int64(100) {
		x, err := New(Uint8, n)
		if err != nil {
			t.Fatal(err)
		}
		if n > 0 && addr(x)%Align != 0 || int64(len(x.Bytes())) != n {
			t.Errorf("%d bytes at %x", n, addr(x))
		}
	}
	w, err := Wrap(Float32, []int64{2}, make([]byte, 16)[1:9])
	if err != nil || addr(w)%4 != 0 {
		t.Errorf("wrapped at a bad address: %v", err)
	}
}

// The node tests of ONNX hold sequences and optionals as well; those that are at hand are
// read and written back.
func TestNodeTestDataIsRead(t *testing.T) {
	models, _ := filepath.Glob("/usr/share/libonnx-testdata/data/node/*/model.onnx")
	if len(models) == 0 {
		t.Skip("Debian's libonnx-testdata is not installed")
	}
	read := 0
	for _, path := range models {
		m, err := onnx.Unmarshal(must(os.ReadFile(path)))
		if err != nil {
			t.Fatal(err)
		}
		for side, ports := range map[string][]*onnx.ValueInfo{"input": m.Graph.Inputs, "output": m.Graph.Outputs} {
			for i, port := range ports {
				kind, typ := TensorKind, port.Type
				switch port.Type.Kind {
				case onnx.SequenceType:
					kind, typ = SequenceKind, typ.Of
				case onnx.OptionalType:
					kind, typ = OptionalKind, typ.Of
				case onnx.MapType:
					continue
				}
				b, err := os.ReadFile(filepath.Join(filepath.Dir(path), "test_data_set_0", fmt.Sprintf("%s_%d.pb", side, i)))
				if errors.Is(err, os.ErrNotExist) || typ.Elem == onnx.String || typ.Kind == onnx.MapType {
					continue
				}
				x, err := UnmarshalProto(b, kind)
				if err != nil {
					t.Errorf("%s, %s %d: %v", path, side, i, err)
					continue
				}
				read++
				again, err := UnmarshalProto(must(MarshalProto("x", x)), kind)
				if err != nil || !Equal(again, x) {
					t.Errorf("%s, %s %d: not read back: %v", path, side, i, err)
				}
			}
		}
	}
	if read < 2000 {
		t.Errorf("only %d values were read", read)
	}
}

func must(b []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return b
}
