package differential

// This file holds programs against their other forms: two compilations have the same bytes, and
// the text assembles to them. Everything, instead of a part:
//
//	go test ./tools/differential -run OneForm -timeout 1h -args -models . -torchvision DIST

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"shapecheck/codegen"
	"shapecheck/codegen/isa"
	"shapecheck/codegen/pass"
)

var levels = []pass.Level{pass.NoneO, pass.ExactO, pass.Fast}

// oneForm compiles a model's file at all levels and checks the forms of its programs. It reports
// whether the model can be compiled.
func oneForm(t *testing.T, name string, file []byte) bool {
	t.Helper()
	for _, level := range levels {
		var all [2][]byte
		var p *codegen.Program
		for i := range all {
			var err error
			if p, err = codegen.Compile(context.Background(), unmarshal(file), codegen.Options{Passes: pass.Options{Level: level}}); err != nil {
				return false
			}
			if all[i], err = p.Bytes(); err != nil {
				t.Errorf("%s: %v", name, err)
				return true
			}
		}
		if !bytes.Equal(all[0], all[1]) {
			t.Errorf("%s, level %d: two compilations have other bytes", name, level)
		}
		f, err := isa.Read(bytes.NewReader(all[0]), int64(len(all[0])))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			return true
		}
		throughText(t, fmt.Sprintf("%s, level %d", name, level), f.Program)
	}
	return true
}

// throughText checks that a program's text assembles to its bytes.
func throughText(t *testing.T, name string, p *isa.Program) {
	t.Helper()
	want, err := isa.Encode(p.Clone())
	if err != nil {
		t.Fatal(err)
	}
	text, err := isa.Text(p)
	if err != nil {
		t.Fatal(err)
	}
	q, err := isa.Parse(text)
	if err != nil {
		t.Errorf("%s: its text is not read: %v", name, err)
		return
	}
	got, err := isa.Encode(q)
	if err != nil || !bytes.Equal(want, got) {
		t.Errorf("%s: its text assembles to other bytes (%v)", name, err)
	}
	if err := isa.Verify(q); err != nil {
		t.Errorf("%s: what its text assembles to is refused: %v", name, err)
	}
}

func TestProgramsHaveOneForm(t *testing.T) {
	done, refused := tally{}, tally{}
	eachExample(t, share{24, 120, 20, `^(unet.labels|text.Llama|branch\.\w*s|loop\.w\w*)$`}, func(x *example) {
		if oneForm(t, x.name, x.file) {
			done[x.kind]++
		} else {
			refused[x.kind]++
		}
	})
	t.Logf("at %d levels: %v; not compiled: %v", len(levels), done, refused)
	for _, k := range []string{"node tests", "numeric programs", "models", "random graphs"} {
		if *kinds == "" && done[k] < 10*refused[k]+4 {
			t.Errorf("only %d of %d %s compile", done[k], done[k]+refused[k], k)
		}
	}
}

// Programs of older versions, which are kept, have one form, too.
func TestKeptProgramsHaveOneForm(t *testing.T) {
	files, err := filepath.Glob(kept + "/*/program.prog")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d programs, %v", len(files), err)
	}
	for _, name := range files {
		f, c, err := isa.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		throughText(t, name, f.Program)
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
