package differential

// This file holds programs against their other forms: two compilations have the same bytes, and
// the text assembles to them. Everything, instead of a part:
//
//	go test ./internal/differential -run OneForm -timeout 1h -args -models .

import (
	"bytes"
	"context"
	"io/fs"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"shapecheck/codegen"
	"shapecheck/codegen/isa"
	"shapecheck/codegen/pass"
	"shapecheck/internal/onnx/eval/evaltest"
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
		want, err := isa.Encode(proto.Clone(f.Program).(*isa.Program))
		if err != nil {
			t.Fatal(err)
		}
		text, err := isa.Text(f.Program)
		if err != nil {
			t.Fatal(err)
		}
		q, err := isa.Parse(text)
		if err != nil {
			t.Errorf("%s, level %d: its text is not read: %v", name, level, err)
			return true
		}
		got, err := isa.Encode(q)
		if err != nil || !bytes.Equal(want, got) {
			t.Errorf("%s, level %d: its text assembles to other bytes (%v)", name, level, err)
		}
		if err := isa.Verify(q); err != nil {
			t.Errorf("%s, level %d: what its text assembles to is refused: %v", name, level, err)
		}
	}
	return true
}

func TestProgramsHaveOneForm(t *testing.T) {
	every, files := 1, []string{"models.jsonl", "control.jsonl", "layers.jsonl", "indexing.jsonl", "patterns.jsonl"}
	if *models == "" {
		every, files = 12, files[:2]
	}
	done, refused := 0, 0
	count := func(ok bool) {
		if ok {
			done++
		} else {
			refused++
		}
	}
	fsys, err := evaltest.Archive("../onnx/eval/testdata/onnx1.23.tar.gz")
	if err != nil {
		t.Fatal(err)
	}
	dirs, err := evaltest.List(fsys)
	if err != nil {
		t.Fatal(err)
	}
	for i := range dirs {
		if i%every != 0 && !strings.Contains(dirs[i], "rnn") { // recurrent nets have results that are not wanted
			continue
		}
		b, err := fs.ReadFile(fsys, dirs[i]+"/model.onnx")
		if err != nil {
			t.Fatal(err)
		}
		count(oneForm(t, dirs[i], b))
	}
	if done < (done+refused)*9/10 {
		t.Errorf("only %d of %d node tests compile", done, done+refused)
	}
	nodes := done
	for _, file := range files {
		for _, c := range modelCases(t, file, `^(unet.labels|text.Llama|branch\.\w*s|loop\.w\w*)$`) {
			t.Run(c.Name, func(t *testing.T) { count(oneForm(t, c.Name, c.export(t))) })
		}
	}
	t.Logf("%d node tests and %d models at %d levels; %d are not compiled", nodes, done-nodes, len(levels), refused)
}
