package counts

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func TestTablesAreComparedAndRewritten(t *testing.T) {
	file := filepath.Join(t.TempDir(), "counts.txt")
	if err := os.WriteFile(file, []byte("# all counts\n\n[a]\nx  equal 1\n\n[c]\ny  equal 5\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	a := []Row{{"x", []Count{{"equal", 2}, {"wrong", 0}}}, {"z", []Count{{"equal", 7}, {"wrong", 1}}}}
	err := Check(file, "a", a, false)
	if err == nil || !strings.Contains(err.Error(), "-x  equal 1") || !strings.Contains(err.Error(), "equal 7, wrong 1") {
		t.Errorf("the difference is %v", err)
	}
	b := []Row{{"only", []Count{{"equal", 3}}}}
	if err := Check(file, "b", b, false); err == nil {
		t.Error("a table that the file lacks passes")
	}
	for name, rows := range map[string][]Row{"a": a, "b": b} {
		if err := Check(file, name, rows, true); err != nil {
			t.Fatal(err)
		}
	}
	for name, rows := range map[string][]Row{"a": a, "b": b, "c": {{"y", []Count{{"equal", 5}}}}} {
		err := Check(file, name, rows, false)
		if name == "c" { // another table stays as it was, spaces and all
			data, _ := os.ReadFile(file)
			if !strings.Contains(string(data), "[c]\ny  equal 5\n") || !strings.HasPrefix(string(data), "# all counts\n") {
				t.Errorf("the file is now\n%s", data)
			}
		} else if err != nil {
			t.Errorf("table %s after the update: %v", name, err)
		}
	}
	if err := Check(file, "a", a[:1], false); err == nil || !strings.Contains(err.Error(), "-z") {
		t.Errorf("a row that is gone gives %v", err)
	}
}

func TestWaiversNameVerdictAndCount(t *testing.T) {
	file := filepath.Join(t.TempDir(), "waivers.txt")
	read := func(text string) (*Waivers, error) {
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return ReadWaivers(file)
	}
	for _, bad := range []string{"f\twrong\tbecause", "f\twrong\t0\tbecause", "f\twrong\tmany\tbecause", "f\twrong\t1\t",
		"f\twrong\t1\tx\nf\twrong\t2\ty"} {
		if _, err := read(bad); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
	w, err := read("# comment\nf\twrong\t2\tbecause\ng\tunknown\t1\tdata\n")
	if err != nil {
		t.Fatal(err)
	}
	found := Found{}
	found.Add("f", "wrong")
	found.Add("f", "wrong")
	found.Add("g", "unknown")
	if p := w.Check(found); p != nil {
		t.Errorf("what is listed exactly is a problem: %v", p)
	}
	if !w.Has("f", "wrong") || w.Has("f", "unknown") {
		t.Error("Has")
	}
	found.Add("f", "wrong")
	found.Add("f", "unknown")
	delete(found, [2]string{"g", "unknown"})
	want := []string{
		file + ": f, unknown: 1 cases have no line",
		file + ": f, wrong: 3 cases, the line says 2",
		file + ": g, unknown: 0 cases, the line says 1",
	}
	if p := w.Check(found); !reflect.DeepEqual(p, want) {
		t.Errorf("%v", p)
	}
}
