package weights

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"shapecheck/onnx"
)

func fileOf(list ...any) *File {
	f := &File{}
	for i := 0; i < len(list); i += 3 {
		f.Tensors = append(f.Tensors, &Tensor{Name: list[i].(string), DType: list[i+1].(onnx.DType), Dims: list[i+2].([]int64)})
	}
	return f
}

func TestAllDifferencesAreListed(t *testing.T) {
	f := fileOf("a.weight", onnx.Float, []int64{3, 2}, "a.bais", onnx.Float, []int64{2}, "b", onnx.Float16, []int64{2}, "c", onnx.Int64,
		[]int64{}, "extra", onnx.Float, []int64{9})
	wants := []Want{
		{Name: "a.weight", DType: onnx.Float, Dims: []int64{2, 3}}, {Name: "a.bias", DType: onnx.Float, Dims: []int64{2}},
		{Name: "b", DType: onnx.Float, Dims: []int64{-1}}, {Name: "c", Dims: nil}, {Name: "bn.num_batches_tracked", Optional: true},
	}
	var got []string
	for _, m := range Compare(f, wants, false) {
		got = append(got, fmt.Sprint(m.Kind, m.Want, " ", m.Msg, m.Notes))
	}
	want := []string{
		`2 0 "a.weight" is f32[3,2] in the file and f32[2,3] in the model[it is transposed]`,
		`0 1 the file has no tensor "a.bias" (f32[2])[did you mean "a.bais", which the model does not have?]`,
		`3 2 "b" has elements of type f16 in the file and f32 in the model[--convert-weights rounds the elements to the model's float type]`,
		`1 -1 the model has no "a.bais" (f32[2]), which is in the file[]`,
		`1 -1 the model has no "extra" (f32[9]), which is in the file[]`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if n := len(Compare(f, wants, true)); n != 4 {
		t.Errorf("%d differences with conversion, want 4", n)
	}
}

func TestACommonPrefixIsNamed(t *testing.T) {
	plain := []string{"a.weight", "a.bias", "b.weight"}
	for _, prefix := range []string{"module.", "_orig_mod.", "model.net."} {
		var wants, more []Want
		file, long := &File{}, &File{}
		for _, n := range plain {
			wants = append(wants, Want{Name: n})
			more = append(more, Want{Name: prefix + n})
			file.Tensors = append(file.Tensors, &Tensor{Name: n})
			long.Tensors = append(long.Tensors, &Tensor{Name: prefix + n})
		}
		if list := Compare(long, wants, false); len(list) != 1 || (list[0].Kind == Wrapped) != (prefix != "model.net.") ||
			list[0].Msg != fmt.Sprintf("the names in the file start with %q, those of the model do not", prefix) {
			t.Errorf("%s: %v", prefix, list)
		}
		if list := Compare(file, more, false); len(list) != 1 ||
			list[0].Msg != fmt.Sprintf("the names of the model start with %q, those in the file do not", prefix) {
			t.Errorf("%s: %v", prefix, list)
		}
		long.Tensors[1].Dims, wants[1].Dims = []int64{2}, []int64{3}
		if list := Compare(long, append(wants, Want{Name: "c"}), false); len(list) != 3 || list[1].Kind != WrongShape || list[2].Kind != Missing {
			t.Errorf("%s, with more differences: %v", prefix, list)
		}
	}
}

func TestFloatsAreRoundedAcrossPieces(t *testing.T) {
	values := []float64{0, 1, -2.5, 1.0 / 3, 65519, 1e-7, math.Inf(-1)}
	var data []byte
	for _, v := range values {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(float32(v)))
	}
	src := &Tensor{Name: "x", DType: onnx.Float, Dims: []int64{int64(len(values))}, size: int64(len(data)),
		write: func(w io.Writer) (int64, error) {
			n := 0
			for _, b := range [][]byte{data[:3], data[3:5], data[5:17], data[17:]} {
				k, err := w.Write(b)
				if n += k; err != nil {
					return int64(n), err
				}
			}
			return int64(n), nil
		}}
	// What numpy and torch make of the same numbers.
	for to, want := range map[onnx.DType][]uint16{
		onnx.Float16:  {0, 0x3c00, 0xc100, 0x3555, 0x7bff, 0x0002, 0xfc00},
		onnx.BFloat16: {0, 0x3f80, 0xc020, 0x3eab, 0x4780, 0x33d7, 0xff80},
	} {
		c, err := Convert(src, to)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if n, err := c.WriteTo(&b); err != nil || n != 14 {
			t.Fatal(n, err)
		}
		got := make([]uint16, len(values))
		for i := range got {
			got[i] = binary.LittleEndian.Uint16(b.Bytes()[2*i:])
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %04x, want %04x", to, got, want)
		}
	}
	if _, err := Convert(&Tensor{DType: onnx.Int64}, onnx.Float); err == nil {
		t.Error("integers are converted to floats")
	}
}
