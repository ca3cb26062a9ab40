package cache

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestTheFolderStaysSmall(t *testing.T) {
	dir := t.TempDir()
	s, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	s.max = 40 << 10
	noise := func(n int) []byte {
		out := make([]byte, n)
		for i := range out {
			out[i] = byte(rand.IntN(256))
		}
		return out
	}
	old := time.Now().Add(-time.Hour)
	for i := range 10 {
		key := fmt.Sprint("key", i)
		data := noise(8 << 10)
		if err := s.Put(key, data); err != nil {
			t.Fatal(err)
		}
		if got, ok := s.Get(key); !ok || !bytes.Equal(got, data) {
			t.Fatalf("%s is not what was written", key)
		}
		if err := os.Chtimes(s.file(key), old, old.Add(time.Duration(i)*time.Minute)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "foreign"), noise(100<<10), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, ok := s.Get("key0"); !ok { // it was used now
		t.Fatal("key0 is gone")
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	var sum int64
	left := map[string]bool{}
	for i := range 10 {
		if info, err := os.Stat(s.file(fmt.Sprint("key", i))); err == nil {
			sum += info.Size()
			left[fmt.Sprint(i)] = true
		}
	}
	if sum > s.max || !left["0"] || !left["9"] || left["1"] {
		t.Errorf("%d bytes are left of %v", sum, left)
	}
	if _, err := os.Stat(filepath.Join(dir, "foreign")); err != nil {
		t.Error("a file that is not ours was removed")
	}
	if err := s.Put("large", noise(int(s.max))); err != nil {
		t.Fatal(err)
	}
	if _, ok := s.Get("large"); ok {
		t.Error("an entry that is too large is kept")
	}
}

func TestWhatIsNoEntryOfTheKeyCountsAsNone(t *testing.T) {
	s, err := Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"a", "b"} {
		if err := s.Put(key, []byte(key)); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(s.file("b"))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{
		"another's": data, "cut": data[:len(data)-1], "longer": append(bytes.Clone(data), 0), "empty": nil,
		"renamed": bytes.Replace(data, []byte("\nb\n"), []byte("\na\n"), 1)[:len(data)-2],
	} {
		if err := os.WriteFile(s.file("a"), text, 0o666); err != nil {
			t.Fatal(err)
		}
		if got, ok := s.Get("a"); ok {
			t.Errorf("%s: %q is an entry", name, got)
		}
	}
	if err := errors.Join(os.Remove(s.file("a")), os.Mkdir(s.file("a"), 0o777)); err != nil {
		t.Fatal(err)
	}
	if _, ok := s.Get("a"); ok {
		t.Error("a folder is an entry")
	}
	if got, ok := s.Get("b"); !ok || string(got) != "b" {
		t.Errorf("b is %q, %v", got, ok)
	}
}

func TestKeysDependOnEverything(t *testing.T) {
	a, err := Key("1", "x", 2)
	if err != nil {
		t.Fatal(err)
	}
	for _, other := range [][]any{{"x", 3}, {"x"}, {"x2"}, {2, "x"}} {
		if b, err := Key("1", other...); err != nil || b == a {
			t.Errorf("%v: %v", other, err)
		}
	}
	if b, _ := Key("2", "x", 2); b == a {
		t.Error("the version does not matter")
	}
	if b, _ := Key("1", "x", 2); b != a {
		t.Error("the key is not stable")
	}
}
