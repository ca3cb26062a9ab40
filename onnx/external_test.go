package onnx

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func external(entries ...string) *Tensor {
	t := &Tensor{Name: "w", DType: Int64, Dims: []int64{2}, IsExternal: true}
	for i := 0; i < len(entries); i += 2 {
		t.External = append(t.External, Entry{Key: entries[i], Value: entries[i+1]})
	}
	return t
}

func externalDir(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	data := slices.Concat(make([]byte, 8), NewInts(nil, 7, -1).Raw)
	for name, b := range map[string][]byte{"m/w.bin": data, "m/sub/w.bin": data[8:], "out.bin": data} {
		p := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(p), 0o777), os.WriteFile(p, b, 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	m := filepath.Join(dir, "m")
	for name, to := range map[string]string{"link.bin": "../out.bin", "up": "..", "dir": "sub", "same.bin": "w.bin"} {
		if err := os.Symlink(to, filepath.Join(m, name)); err != nil {
			t.Skip(err)
		}
	}
	if err := os.Link(filepath.Join(dir, "out.bin"), filepath.Join(m, "hard.bin")); err != nil {
		t.Skip(err)
	}
	return m
}

func TestExternalDataIsRead(t *testing.T) {
	x := NewExternals(nil, externalDir(t))
	for _, e := range [][]string{{"location", "w.bin", "offset", "8", "length", "16"}, {"location", "w.bin", "offset", "8"},
		{"location", "sub/w.bin", "checksum", "00"},
		{"location", "same.bin", "offset", "8"}, {"location", "dir/w.bin"}} {
		got, err := x.Load(t.Context(), external(e...), 16)
		if err != nil {
			t.Fatal(err)
		}
		if list, err := got.Ints(); err != nil || !slices.Equal(list, []int64{7, -1}) {
			t.Errorf("%v: %v, %v", e, list, err)
		}
	}
	if _, err := x.Load(t.Context(), external("location", "w.bin"), 15); !errors.Is(err, ErrExternal) {
		t.Errorf("beyond the limit: %v", err)
	}
	if err := x.Close(); err != nil {
		t.Error(err)
	}
}

func TestExternalDataTricksAreRefused(t *testing.T) {
	dir := externalDir(t)
	x := NewExternals(nil, dir)
	for _, c := range []struct {
		want    string
		entries []string
	}{
		{"no location", nil},
		{"is empty", []string{"location", ""}},
		{"absolute", []string{"location", filepath.Join(filepath.Dir(dir), "out.bin")}},
		{`".."`, []string{"location", "../out.bin"}},
		{`".."`, []string{"location", "sub/../../out.bin"}},
		{"outside of the checked folders", []string{"location", "link.bin"}},
		{"outside of the checked folders", []string{"location", "up/out.bin"}},
		{"hard links", []string{"location", "hard.bin"}},
		{"not a regular file", []string{"location", "sub"}},
		{"no such file", []string{"location", "none.bin"}},
		{"not a plain decimal", []string{"location", "w.bin", "offset", "-8"}},
		{"not a plain decimal", []string{"location", "w.bin", "offset", "+8"}},
		{"not a plain decimal", []string{"location", "w.bin", "offset", "0x8"}},
		{"range of a file", []string{"location", "w.bin", "offset", ""}},
		{"range of a file", []string{"location", "w.bin", "offset", "9999999999999999999"}},
		{"range of a file", []string{"location", "w.bin", "offset", "18446744073709551624"}},
		{"beyond the end", []string{"location", "w.bin", "offset", "9223372036854775807"}},
		{"beyond the end", []string{"location", "w.bin", "offset", "9"}},
		{"beyond the end", []string{"location", "w.bin", "offset", "9223372036854775800", "length", "16"}},
		{"not a plain decimal", []string{"location", "w.bin", "length", "-16"}},
		{"range of a file", []string{"location", "w.bin", "length", "99999999999999999999"}},
		{"the length is 8 where the dimensions need 16", []string{"location", "w.bin", "length", "8"}},
		{"not in the specification", []string{"location", "w.bin", "basepath", "/"}},
		{"twice", []string{"location", "w.bin", "location", "w.bin"}},
	} {
		if _, err := x.Open(external(c.entries...)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v; want %q", c.entries, err, c.want)
		}
	}
	huge := external("location", "w.bin")
	huge.Dims = []int64{1 << 40, 1 << 40}
	if _, err := x.Open(huge); err == nil {
		t.Error("a tensor of 2^80 elements is opened")
	}
	if _, err := x.Open(&Tensor{Name: "s", DType: String, Dims: []int64{1}, IsExternal: true,
		External: []Entry{{Key: "location", Value: "w.bin"}}}); err == nil {
		t.Error("external strings are opened")
	}
}
