package vm

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"shapecheck/codegen/isa"
	"shapecheck/runtime/kernel"
	"shapecheck/runtime/tensor"
)

// weightyFile is the file of weighty, with packed constants of a tier where there is one.
func weightyFile(t *testing.T, weights []float32, tier string) string {
	t.Helper()
	p, err := isa.Parse(weighty)
	if err != nil {
		t.Fatal(err)
	}
	data := []*isa.Data{{}}
	data[0].Add(tensor.Of(weights, int64(len(weights))).Bytes())
	if tier != "" {
		m, err := LoadMemory(p, data, Config{Tier: tier, Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		defer m.Close()
		if _, err := m.Run(context.Background(), weightyInputs()); err != nil {
			t.Fatal(err)
		}
		s, d := m.Packed()
		if len(s.Packed) != 2 || s.Tier != tier {
			t.Fatalf("%d constants are packed for %s", len(s.Packed), s.Tier)
		}
		p.Segments, data, p.Minor = append(p.Segments, s), append(data, d), isa.MinorPacked
		p.Layout()
	}
	if err := p.Seal(data); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	var list []io.Reader
	for _, d := range data {
		list = append(list, d.Reader())
	}
	if err := isa.Write(&b, p, list); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "p.prog")
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func weightyInputs() Inputs {
	x, p := make([]float32, 3*128), make([]float32, 32*9*8)
	for i := range x {
		x[i] = float32(i%17) - 8
	}
	for i := range p {
		p[i] = float32(i%13) - 6
	}
	return Inputs{"x": tensor.Of(x, 3, 128), "p": tensor.Of(p, 1, 32, 9, 8)}
}

// A program has the same bits from its file in memory as when it is read, with packed weights or without, and makes no form that the file
// has.
func TestProgramsRunWhereTheirFilesAre(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	weights := make([]float32, 204800/4)
	for i := range weights {
		weights[i] = r.Float32() - 0.5
	}
	for tier := kernel.Portable; tier <= kernel.Best(); tier++ {
		for _, packed := range []string{"", tier.String()} {
			path := weightyFile(t, weights, packed)
			var want Outputs
			for _, read := range []bool{true, false} {
				mode := os.FileMode(0o600)
				if read {
					mode = 0o666 // somebody else may change it
				}
				if err := os.Chmod(path, mode); err != nil {
					t.Fatal(err)
				}
				m, err := LoadFile(path, Config{Tier: tier.String(), Threads: 1, CheckSums: true})
				if err != nil {
					t.Fatal(err)
				}
				if mapped := m.file != nil; mapped == read && runtime.GOOS == "linux" {
					t.Errorf("%s: mapped: %t", tier, mapped)
				}
				got, err := m.Run(context.Background(), weightyInputs())
				if err != nil {
					t.Fatal(err)
				}
				for k, b := range m.packed.list {
					if m.file != nil && m.file.has(b) != (packed != "") {
						t.Errorf("%s: the form %s is in the file: %t", tier, k.form, m.file.has(b))
					}
				}
				for name, v := range want {
					if !bytes.Equal(v.(*tensor.Tensor).Bytes(), got[name].(*tensor.Tensor).Bytes()) {
						t.Errorf("%s: %s differs in bits", tier, name)
					}
				}
				want = got
				m.Close()
			}
		}
	}
}

// Somebody else's file, or one whose sums are to be compared, is read; a sum that differs is then an error.
func TestSumsAreCompared(t *testing.T) {
	weights := make([]float32, 204800/4)
	path := weightyFile(t, weights, kernel.Best().String())
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	b[len(b)-1] ^= 1
	for _, mode := range []os.FileMode{0o600, 0o622} {
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		for _, check := range []bool{false, true} {
			m, err := LoadFile(path, Config{CheckSums: check})
			if err == nil {
				m.Close()
			}
			var e *Error
			want := check && mode == 0o600 && runtime.GOOS == "linux" // what is packed is not read from a file that is not mapped
			if refused := errors.As(err, &e) && strings.Contains(e.Reason, "sum"); refused != want {
				t.Errorf("mode %o, sums compared: %t: %v", mode, check, err)
			}
		}
	}
}

// A value that the caller has outlives the model, also when it lies in the file.
func TestValuesOutliveTheirFile(t *testing.T) {
	const text = `program "constant" format 1.0
output "y" f32[32768]
segment 0 "data" at 0 length 131072
const @0 f32[32768] = segment 0 at 0
out @0 {port=0}
`
	p, err := isa.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "p.prog")
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(isa.Write(f, p, []io.Reader{bytes.NewReader(bytes.Repeat([]byte{0, 0, 0x80, 0x3f}, 32768))}),
		f.Close()); err != nil {
		t.Fatal(err)
	}
	m, err := LoadFile(path, Config{})
	if err != nil {
		t.Fatal(err)
	}
	out, err := m.Run(context.Background(), Inputs{})
	if err != nil {
		t.Fatal(err)
	}
	m.Close()
	if y := out["y"].(*tensor.Tensor); y.Float(32767) != 1 {
		t.Errorf("the last element is %v", y.Float(32767))
	}
}
