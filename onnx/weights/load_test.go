package weights

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestLoadGivesWhatOpenReads loads the files that Open reads: the same tensors.
func TestLoadGivesWhatOpenReads(t *testing.T) {
	for name, want := range expectations(t) {
		if strings.HasSuffix(name, ".json") {
			continue // a list of shards
		}
		data, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		_, v, err := Load(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got := map[string]Array{}
		collect("", v, got)
		for _, w := range want {
			found := false
			for path, a := range got {
				if path == w.name || strings.HasSuffix(path, "/"+w.name) || name == "array.npy" {
					found = found || a.DType.String() == w.dtype && len(a.Dims) == len(w.dims)
				}
			}
			if !found {
				t.Errorf("%s: %s %s%v is not among %v", name, w.name, w.dtype, w.dims, got)
			}
		}
	}
}

func collect(path string, v any, into map[string]Array) {
	switch v := v.(type) {
	case Array:
		into[path] = v
	case *Dict:
		for i, k := range v.Keys {
			if s, ok := k.(string); ok {
				collect(strings.TrimPrefix(path+"/"+s, "/"), v.Values[i], into)
			}
		}
	}
}

// TestLoadRefuses says what of values that hold themselves, and of lists of shards.
func TestLoadRefuses(t *testing.T) {
	around := &list{}
	around.items = []any{around}
	wide := &list{}
	for range 40 {
		wide = &list{items: []any{wide, wide}}
	}
	for _, v := range []any{around, wide} {
		if _, err := (&loaded{left: maxObjects}).of(v, maxDepth); err == nil || !strings.Contains(err.Error(), "nested") {
			t.Error(err)
		}
	}
	data, err := os.ReadFile("testdata/model.safetensors.index.json")
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := Load(bytes.NewReader(data), int64(len(data))); err == nil || !strings.Contains(err.Error(), "shards") {
		t.Error(err)
	}
	if _, _, err := Load(bytes.NewReader(nil), 0); err == nil {
		t.Error("an empty file")
	}
}
