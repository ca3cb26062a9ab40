package emit_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"shapecheck/codegen/emit"
	"shapecheck/codegen/ir"
	"shapecheck/codegen/ir/irtext"
	"shapecheck/codegen/isa"
	"shapecheck/codegen/op"
)

// Each module of testdata becomes a program that the verifier accepts and whose text is
// as recorded. UPDATE_GOLDEN=1 records it anew.
func TestModulesBecomePrograms(t *testing.T) {
	files, err := filepath.Glob("testdata/*.ir")
	if err != nil || len(files) < 4 {
		t.Fatalf("%d modules (%v)", len(files), err)
	}
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		m, err := irtext.Parse(string(b), op.Lookup, nil)
		if err != nil {
			t.Fatal(f, err)
		}
		if err := m.BindSymbols(); err != nil {
			t.Fatal(f, err)
		}
		if err := m.Verify(ir.Building); err != nil {
			t.Fatal(f, err)
		}
		res, err := emit.Program(m, "test")
		if err != nil {
			t.Fatal(f, err)
		}
		text, err := isa.Text(res.Program)
		if err != nil {
			t.Fatal(f, err)
		}
		if err := isa.Verify(res.Program); err != nil {
			t.Errorf("%s: %v\n%s", f, err, text)
		}
		golden := f[:len(f)-3] + ".prog"
		if os.Getenv("UPDATE_GOLDEN") != "" {
			if err := os.WriteFile(golden, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(want, []byte(text)) {
			t.Errorf("%s: got\n%s\nwant\n%s", f, text, want)
		}
		m2, err := irtext.Parse(string(b), op.Lookup, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := m2.BindSymbols(); err != nil {
			t.Fatal(err)
		}
		again, err := emit.Program(m2, "test")
		if err != nil {
			t.Fatal(err)
		}
		var one, two bytes.Buffer
		if err := res.Write(&one); err != nil {
			t.Fatal(err)
		}
		if err := again.Write(&two); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(one.Bytes(), two.Bytes()) {
			t.Errorf("%s: two emissions differ", f)
		}
	}
}
