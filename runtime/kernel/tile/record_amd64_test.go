package tile

import (
	"os"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// The collector looks at the pointers of a record: one that the assembly has moved behind its object ends the process. So
// what moves lies in fields that are no pointers.
func TestAssemblyMovesNoPointersOfRecords(t *testing.T) {
	records := map[string]reflect.Type{}
	for _, r := range []any{Product{}, Row{}, Window{}, Columns{}, Winograd{}, Depth{}, Halves{}, Block{}, Ending{}, Turn{}, Step{},
		Widening{}, Requantizing{}, Cell{}} {
		records[reflect.TypeOf(r).Name()] = reflect.TypeOf(r)
	}
	read := func(name string) string {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	record := map[string]reflect.Type{} // of functions
	for _, m := range regexp.MustCompile(`(?m)^func (\w+)\(p \*(\w+)\)$`).FindAllStringSubmatch(read("gen_amd64.go"), -1) {
		if record[m[1]] = records[m[2]]; record[m[1]] == nil {
			t.Fatalf("%s takes a record that this test does not know: %s", m[1], m[2])
		}
	}
	stored := map[bool]*regexp.Regexp{}
	for chain, base := range map[bool]string{false: "DI", true: "SI"} {
		stored[chain] = regexp.MustCompile(`^(?:[A-Z0-9.]+\t? ?.*, |(?:DECQ|INCQ|NEGQ|NOTQ)\s+)(\d*)\(` + base + `\)$`)
	}
	var of reflect.Type
	stores := 0
	for i, l := range strings.Split(read("gen_amd64.s"), "\n") {
		if name, ok := strings.CutPrefix(l, "TEXT ·"); ok {
			name, _, _ = strings.Cut(name, "(")
			if of = record[name]; strings.HasPrefix(name, "chain") {
				of = records["Step"]
			}
			if of == nil {
				t.Fatalf("%s has no declaration", name)
			}
			continue
		}
		m := stored[of == records["Step"]].FindStringSubmatch(strings.TrimSpace(l))
		if m == nil || strings.HasPrefix(strings.TrimSpace(l), "TESTQ") || strings.HasPrefix(strings.TrimSpace(l), "CMPQ") {
			continue
		}
		off, _ := strconv.Atoi(m[1]) // nothing is 0
		stores++
		for _, f := range reflect.VisibleFields(of) {
			if f.Offset <= uintptr(off) && uintptr(off) < f.Offset+f.Type.Size() &&
				(f.Type.Kind() == reflect.UnsafePointer || f.Type.Kind() == reflect.Pointer) {
				t.Errorf("gen_amd64.s:%d: %s: %s.%s is a pointer", i+1, strings.TrimSpace(l), of.Name(), f.Name)
			}
		}
	}
	if stores == 0 {
		t.Error("no store into a record is found: this test reads the assembly wrongly")
	}
}
