package weights

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// fuzzRead reads what a reader found, up to a size: no input may make it panic,
// hang, or write another number of bytes than it says.
func fuzzRead(t *testing.T, list []*Tensor, err error) {
	if err != nil {
		return
	}
	for i, x := range list {
		if x.Size() > 1<<20 || i > 100 {
			continue
		}
		var n countingWriter
		if k, err := x.WriteTo(&n); err == nil && (k != x.Size() || int64(n) != k) {
			t.Errorf("%q: %d bytes written, %d said, %d expected", x.Name, n, k, x.Size())
		}
	}
}

type countingWriter int64

func (w *countingWriter) Write(b []byte) (int, error) {
	*w += countingWriter(len(b))
	return len(b), nil
}

func seeds(f *testing.F, names ...string) {
	for _, name := range names {
		b, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
}

// seedFormats adds the files of formats.zip whose names begin so, without the large ones.
func seedFormats(f *testing.F, prefixes ...string) {
	from := formatFiles(f)
	for name := range expectedFormats(f, from) {
		b, err := fs.ReadFile(from, name)
		if err != nil {
			f.Fatal(err)
		}
		if len(b) < 64<<10 && slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(name, p) }) {
			f.Add(b)
		}
	}
}

func FuzzSafetensors(f *testing.F) {
	seeds(f, "plain.safetensors", "model-00001-of-00002.safetensors")
	f.Fuzz(func(t *testing.T, b []byte) {
		list, err := readSafetensors(bytes.NewReader(b), int64(len(b)))
		fuzzRead(t, list, err)
	})
}

func FuzzNPZ(f *testing.F) {
	seeds(f, "plain.npz", "deflated.npz")
	seedFormats(f, "numpy_big.npz", "numpy_big_deflated")
	f.Fuzz(func(t *testing.T, b []byte) {
		a, err := openArchive(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			return
		}
		list, err := readNPZ(a)
		fuzzRead(t, list, err)
	})
}

func FuzzTorch(f *testing.F) {
	seeds(f, "state.pt", "checkpoint.pt", "ambiguous.pt", "module.pt")
	seedFormats(f, "torch_negative", "torch_con", "torch_big", "torch_b")
	f.Fuzz(func(t *testing.T, b []byte) {
		list, err := (&File{}).readZip(bytes.NewReader(b), int64(len(b)), Options{})
		fuzzRead(t, list, err)
	})
}

// FuzzPickle has the pickle alone: a change of a byte in an archive mostly breaks
// its sums.
func FuzzPickle(f *testing.F) {
	for _, name := range []string{"state.pt", "checkpoint.pt", "ambiguous.pt"} {
		b, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		a, err := openArchive(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			f.Fatal(err)
		}
		for _, e := range a.order {
			if filepath.Base(e.Name) == "data.pkl" {
				p, err := a.readEntry(e, maxPickle)
				if err != nil {
					f.Fatal(err)
				}
				f.Add(p)
			}
		}
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		entries := []string{"a/data.pkl", string(b)}
		for _, key := range []string{"0", "1", "2", "3"} {
			entries = append(entries, "a/data/"+key, string(make([]byte, 240)))
		}
		x, err := readBytes(archiveOf(t, entries...))
		fuzzRead(t, x.Tensors, err)
	})
}

func FuzzNPYHeader(f *testing.F) {
	f.Add([]byte(npy("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }", 24)))
	f.Fuzz(func(t *testing.T, b []byte) {
		list, err := readNPY(bytes.NewReader(b), int64(len(b)), "x")
		fuzzRead(t, list, err)
	})
}

func FuzzLoad(f *testing.F) {
	seeds(f, "state.pt", "checkpoint.pt", "plain.npz", "array.npy", "plain.safetensors")
	f.Fuzz(func(t *testing.T, b []byte) {
		if _, v, err := Load(bytes.NewReader(b), int64(len(b))); err == nil && v == nil && !bytes.Contains(b, []byte("N.")) {
			t.Error("nothing, and no error")
		}
	})
}

// FuzzHDF5 also reads files whose checksums are wrong: a change of a byte in a newer file mostly breaks one.
func FuzzHDF5(f *testing.F) {
	seeds(f, "chainer.h5", "kinds.h5")
	seedFormats(f, "hdf5_")
	f.Fuzz(func(t *testing.T, b []byte) {
		list, err := readHDF5(bytes.NewReader(b), int64(len(b)))
		fuzzRead(t, list, err)
		list, err = readHDF5File(&h5file{r: bytes.NewReader(b), size: int64(len(b)), unsummed: true})
		fuzzRead(t, list, err)
	})
}

func FuzzLegacy(f *testing.F) {
	seedFormats(f, "torch_old")
	f.Fuzz(func(t *testing.T, b []byte) {
		root, err := readLegacy(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			return
		}
		list, err := torchTensors(root, bytes.NewReader(b), Options{})
		fuzzRead(t, list, err)
	})
}
