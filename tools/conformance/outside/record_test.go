package outside

// This file looks at what runs ask the file system layer for.

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"shapecheck/check"
	"shapecheck/check/record"
	"shapecheck/codegen"
	"shapecheck/discover/trial"
	"shapecheck/internal/reads"
	"shapecheck/onnx/weights"
	"shapecheck/project/config"
	"shapecheck/runtime/tensor"
	"shapecheck/runtime/vm"
)

// TestNoRunAsksForFilesOutside runs each case as a program of its own, as a file of a folder and as a script. Whoever reads
// a file does it through the layer (TestFilesComeFromTheirFileSystem), so the record has all that was read, by whatever function.
func TestNoRunAsksForFilesOutside(t *testing.T) {
	for _, c := range Cases {
		for _, how := range []string{"file", "folder", "script"} {
			t.Run(c.Name+"/"+how, func(t *testing.T) {
				project, out, err := c.Write(t.TempDir())
				if err != nil {
					t.Skip(err)
				}
				t.Chdir(project)
				log := &reads.Log{}
				for _, text := range runs(t, &c, how, log) {
					if strings.Contains(text, Secret) {
						t.Errorf("what is outside is shown: %s", text)
					}
				}
				noReadsOutside(t, &c, project, out, log)
			})
		}
	}
}

// noReadsOutside looks at the record of a run in a project.
func noReadsOutside(t *testing.T, c *Case, project, out string, log *reads.Log) {
	t.Helper()
	forbidden := []string{out}
	for name, text := range c.Files {
		if strings.Contains(text, Secret) {
			forbidden = append(forbidden, filepath.Join(project, filepath.FromSlash(name)))
		}
	}
	for name := range c.Hard {
		forbidden = append(forbidden, filepath.Join(project, filepath.FromSlash(name)))
	}
	for _, r := range log.List() {
		if r.Kind == reads.State || r.Kind == reads.Real {
			continue // nothing is opened for these
		}
		path := r.Path
		if !filepath.IsAbs(path) {
			path = filepath.Join(project, path)
		}
		real, err := filepath.EvalSymlinks(path)
		if err == nil && slices.ContainsFunc(forbidden, func(f string) bool { return isWithin(real, f) }) {
			t.Errorf("%s of %s is asked for", r.Kind, r.Path)
		}
	}
}

// readers read data that names files.
var readers = []struct {
	name, ext string
	read      func(t *testing.T, log *reads.Log) error
}{
	{"index", "safetensors", func(_ *testing.T, log *reads.Log) error {
		f, err := weights.Open("suite/weights.json", weights.Options{FS: log})
		if err != nil {
			return err
		}
		return f.Close()
	}},
	{"values", "safetensors", func(_ *testing.T, log *reads.Log) error {
		_, err := tensor.ReadFile(log, "suite/weights.json", tensor.TensorKind)
		return err
	}},
	{"model", "bin", func(t *testing.T, log *reads.Log) error {
		_, err := codegen.CompileFile(t.Context(), "suite/model.onnx", codegen.Options{FS: log})
		return err
	}},
	{"program", "bin", func(_ *testing.T, log *reads.Log) error {
		m, err := vm.LoadFile("suite/net.prog", vm.Config{FS: log})
		if err != nil {
			return err
		}
		m.Close()
		return nil
	}},
}

// TestNoReaderOfDataAsksForFilesOutside reads indexes, models and programs that name files outside, and one of each
// that names a file beside, which the record must have.
func TestNoReaderOfDataAsksForFilesOutside(t *testing.T) {
	beside := Case{Name: "a file beside", Main: net, Location: plainLocation}
	for _, c := range append([]Case{beside}, DataCases...) {
		for _, r := range readers {
			t.Run(c.Name+"/"+r.name, func(t *testing.T) {
				project, out, err := c.Write(t.TempDir())
				if err != nil {
					t.Skip(err)
				}
				t.Chdir(project)
				log := &reads.Log{}
				err = r.read(t, log)
				named := slices.ContainsFunc(log.List(), func(x reads.Read) bool {
					return x.Kind == reads.Stamp && filepath.Base(x.Path) == "weights."+r.ext
				})
				switch {
				case c.Named != "":
					return // the reader is given the name of a link
				case c.Location == plainLocation && (err != nil || !named):
					t.Errorf("%v; the record has %v", err, log.List())
				case c.Location != plainLocation && err == nil:
					t.Error("it is read")
				}
				noReadsOutside(t, &c, project, out, log)
			})
		}
	}
}

// isWithin reports whether a path is a folder or lies in it.
func isWithin(path, folder string) bool {
	rel, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(rel)
}

// silent is nobody who waits for a project.
type silent struct{}

func (silent) Begin(string) {}
func (silent) End()         {}

// runs gives the texts that a run may print.
func runs(t *testing.T, c *Case, how string, log *reads.Log) (texts []string) {
	t.Helper()
	s := &check.Session{FS: log, Keep: check.KeepValues}
	s.Environment.Discover = true
	failed := func(err error) bool {
		if err != nil {
			texts = append(texts, err.Error())
		}
		return err != nil
	}
	file, err := config.Find(log, ".")
	if !failed(err) && file != "" {
		conf, err := config.Read(log, file)
		if failed(err) {
			return texts
		}
		s.Config = conf
	}
	shown := func(r *check.Result) {
		data, err := json.Marshal(record.Build(r.Result))
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(data))
	}
	if how == "folder" {
		files, err := s.Files([]string{"."})
		if failed(err) {
			return texts
		}
		p, err := trial.CheckFiles(t.Context(), s, files, silent{}, nil)
		if failed(err) {
			return texts
		}
		for _, e := range p.Entries {
			if !failed(e.Err) && e.Result != nil {
				shown(e.Result)
			}
		}
		return texts
	}
	words := []string{c.File()}
	if how == "script" {
		words = append(words, "--script")
	}
	target, err := check.ParseTarget(words)
	if err != nil {
		t.Fatal(err)
	}
	target.Run.Environment = s.Environment
	if s.Config != nil {
		target.Run.Roots, target.Run.Stubs, target.Run.Environment = s.Roots(), s.Stubs(), s.Installed()
	}
	res, err := s.Check(t.Context(), target)
	if failed(err) {
		return texts
	}
	shown(res)
	return texts
}
