package codegen_test

import (
	"bytes"
	"context"
	"io/fs"
	"testing"

	"shapecheck/codegen"
	"shapecheck/codegen/pass"
	"shapecheck/internal/onnx"
	"shapecheck/internal/onnx/eval/evaltest"
)

// Programs of node tests are accepted by the verifier at every level, also with schedules
// and aliases, and compiling twice gives equal bytes.
func TestProgramsAreAcceptedAndDeterministic(t *testing.T) {
	fsys, err := evaltest.Archive("../internal/onnx/eval/testdata/onnx1.23.tar.gz")
	if err != nil {
		t.Fatal(err)
	}
	dirs, err := evaltest.List(fsys)
	if err != nil {
		t.Fatal(err)
	}
	compile := func(dir string, level pass.Level) []byte {
		b, err := fs.ReadFile(fsys, dir+"/model.onnx")
		if err != nil {
			t.Fatal(err)
		}
		m, err := onnx.Unmarshal(b)
		if err != nil {
			t.Fatal(err)
		}
		p, err := codegen.Compile(context.Background(), m, codegen.Options{Passes: pass.Options{Level: level, Verify: true}})
		if err != nil {
			t.Logf("%s: %v", dir, err)
			return nil
		}
		if level != pass.NoneO && (p.Report.Memory == nil || p.Report.Memory.Peak < 0) {
			t.Errorf("%s: the report says nothing of memory", dir)
		}
		out, err := p.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	done, all := 0, 0
	for i, dir := range dirs {
		if i%6 != 0 {
			continue
		}
		all++
		none, exact, fast := compile(dir, pass.NoneO), compile(dir, pass.ExactO), compile(dir, pass.Fast)
		if (none == nil) != (exact == nil) || (none == nil) != (fast == nil) {
			t.Errorf("%s compiles at some levels only", dir)
		}
		if !bytes.Equal(fast, compile(dir, pass.Fast)) {
			t.Errorf("%s: two compilations differ", dir)
		}
		if fast != nil {
			done++
		}
	}
	if done < all*9/10 {
		t.Errorf("only %d of %d models compile", done, all)
	}
}
