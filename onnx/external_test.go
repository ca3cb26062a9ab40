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
	x := NewExternals(nil, filepath.Join(externalDir(t), "model.onnx"))
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

// In the cache of huggingface_hub the model and its data are links into one folder beside, which is read as that of the model that
// was named. Data that leads further is refused, and so is all of it where the model is no link.
func TestExternalDataInTheCacheOfAHub(t *testing.T) {
	top := t.TempDir()
	data := slices.Concat(make([]byte, 8), NewInts(nil, 7, -1).Raw)
	for _, name := range []string{"models--a--b/blobs/1d", "models--a--b/blobs/2e", "models--a--b/refs/main", "models--c--d/blobs/2e"} {
		p := filepath.Join(top, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(p), 0o777), os.WriteFile(p, data, 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	snapshot := filepath.Join(top, "models--a--b", "snapshots", "5f0e", "onnx")
	if err := os.MkdirAll(snapshot, 0o777); err != nil {
		t.Fatal(err)
	}
	link := func(to, name string) {
		if err := os.Symlink(filepath.FromSlash(to), filepath.Join(snapshot, name)); err != nil {
			t.Skip(err)
		}
	}
	link("../../../blobs/1d", "model.onnx")
	if err := os.WriteFile(filepath.Join(snapshot, "copy.onnx"), data, 0o666); err != nil {
		t.Fatal(err)
	}
	const outside = "outside of the checked folders"
	cases := map[string]struct{ to, want string }{
		"data":      {"../../../blobs/2e", ""},
		"other":     {"../../../../models--c--d/blobs/2e", outside},
		"beside":    {"../../../refs/main", outside},
		"folder":    {"../../../blobs/../refs", outside},
		"twice":     {"data", ""},
		"roundtrip": {"../../../../models--c--d/blobs/../../models--a--b/blobs/2e", ""},
		"absolute":  {filepath.Join(top, "models--c--d", "blobs", "2e"), outside},
		"nothing":   {"../../../blobs/3f", outside},
	}
	for name, c := range cases { // one leads to another
		link(c.to, name)
	}
	for name, c := range cases {
		for _, model := range []string{"model.onnx", "copy.onnx"} {
			want := c.want
			if model == "copy.onnx" {
				want = outside
			}
			x := NewExternals(nil, filepath.Join(snapshot, model))
			got, err := x.Load(t.Context(), external("location", name, "offset", "8"), 16)
			switch {
			case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
				t.Errorf("%s, %s: %v; want %q", model, name, err, want)
			case want == "" && err != nil:
				t.Errorf("%s, %s: %v", model, name, err)
			case want == "":
				if list, err := got.Ints(); err != nil || !slices.Equal(list, []int64{7, -1}) {
					t.Errorf("%s, %s: %v, %v", model, name, list, err)
				}
			}
			if err := x.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

func TestExternalDataTricksAreRefused(t *testing.T) {
	dir := externalDir(t)
	x := NewExternals(nil, filepath.Join(dir, "model.onnx"))
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
