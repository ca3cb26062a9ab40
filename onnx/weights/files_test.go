package weights

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// An expected tensor is [name, type, shape, bytes in hexadecimal] of testdata/expect.json.
type expected struct {
	name, dtype string
	dims        []int64
	data        []byte
}

func (e *expected) UnmarshalJSON(b []byte) error {
	var text string
	if err := json.Unmarshal(b, &[]any{&e.name, &e.dtype, &e.dims, &text}); err != nil {
		return err
	}
	var err error
	e.data, err = hex.DecodeString(text)
	return err
}

func expectations(t *testing.T) map[string][]expected {
	t.Helper()
	all := map[string][]expected{}
	for _, name := range []string{"expect.json", "expect_hdf5.json"} {
		b, err := os.ReadFile("testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(b, &all); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// TestFilesOfTorchAndNumpyAreRead compares what testdata/write.py and write_hdf5.py
// wrote with what is read. The safetensors files are laid out by that script itself,
// from the description of the format.
func TestFilesOfTorchAndNumpyAreRead(t *testing.T) {
	all := expectations(t)
	if len(all) < 9 {
		t.Fatalf("%d files", len(all))
	}
	for _, slab := range []int64{32 << 20, 8} { // as a whole, and element by element
		defer func(n int64) { slabSize = n }(slabSize)
		slabSize = slab
		for name, want := range all {
			f, err := Open(filepath.Join("testdata", name), Options{})
			if err != nil {
				t.Error(err)
				continue
			}
			byName := map[string]*Tensor{}
			for _, x := range f.Tensors {
				byName[x.Name] = x
			}
			if len(f.Tensors) != len(want) {
				t.Errorf("%s: %d tensors, want %d", name, len(f.Tensors), len(want))
			}
			for _, w := range want {
				x := byName[w.name]
				if x == nil {
					t.Errorf("%s: no tensor %q", name, w.name)
					continue
				}
				var b bytes.Buffer
				n, err := x.WriteTo(&b)
				if err != nil || n != x.Size() || x.DType.String() != w.dtype || !slices.Equal(x.Dims, w.dims) || !bytes.Equal(b.Bytes(), w.data) {
					t.Errorf("%s: %s is %s%v %x, %v; want %s%v %x", name, w.name, x.DType, x.Dims, b.Bytes(), err, w.dtype, w.dims, w.data)
				}
			}
			if err := f.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

func TestOtherFilesAreRefusedWithTheReason(t *testing.T) {
	for name, want := range map[string]string{
		"module.pt":    `refers to "torch.nn.modules.container.Sequential"`,
		"script.pt":    "TorchScript",
		"ambiguous.pt": "the entries a, b hold tensors",
		"objects.npz":  "Python objects",
		"expect.json":  "not a key of an index",
		"write.py":     "not a weights file",
	} {
		f, err := Open(filepath.Join("testdata", name), Options{})
		if err == nil {
			t.Errorf("%s is read", name)
			f.Close()
		} else if !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %q", name, err, want)
		}
	}
	f, err := Open("testdata/ambiguous.pt", Options{Key: "b"})
	if err != nil || len(f.Tensors) != 1 || f.Tensors[0].Name != "w" {
		t.Fatal(f, err)
	}
	f.Close()
	for _, key := range []string{"c", "b.w", "b.x"} {
		if _, err := Open("testdata/ambiguous.pt", Options{Key: key}); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("%q", key)) {
			t.Errorf("entry %s: %v", key, err)
		}
	}
}
