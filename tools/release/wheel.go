package main

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"shapecheck/internal/version"
)

// A file is an entry of an archive.
type file struct {
	name string // with slashes
	data []byte
	mode fs.FileMode
}

// wheels is the folder of the wheels in the release. They are apart, as pip takes archives
// beside them for sources.
const wheels = "wheels"

// wheel makes the wheel of a target, as the specification of binary distributions says
// (packaging.python.org): the package, the program as a script, and the metadata.
func (r *release) wheel(t target, program string) error {
	dist := version.Distribution + "-" + r.version
	files, err := r.python()
	if err != nil {
		return err
	}
	exe, err := os.ReadFile(program)
	if err != nil {
		return err
	}
	license, err := os.ReadFile(filepath.Join(r.root, "LICENSE"))
	if err != nil {
		return err
	}
	metadata, err := r.metadata()
	if err != nil {
		return err
	}
	bill, err := r.bill()
	if err != nil {
		return err
	}
	info := dist + ".dist-info/"
	var tags strings.Builder
	for tag := range strings.SplitSeq(t.tag, ".") {
		fmt.Fprintf(&tags, "Tag: py3-none-%s\n", tag)
	}
	files = append(files,
		file{dist + ".data/scripts/" + t.program(), exe, 0o755},
		file{info + "METADATA", metadata, 0o644},
		file{info + "WHEEL", []byte("Wheel-Version: 1.0\nGenerator: shapecheck-release\nRoot-Is-Purelib: false\n" + tags.String()), 0o644},
		file{info + "entry_points.txt", entryPoints(), 0o644},
		file{info + "licenses/LICENSE", license, 0o644},
		file{info + "sboms/shapecheck.cdx.json", bill, 0o644},
	)
	slices.SortFunc(files, func(a, b file) int { return strings.Compare(a.name, b.name) })
	var record bytes.Buffer
	for _, f := range files {
		sum := sha256.Sum256(f.data)
		fmt.Fprintf(&record, "%s,sha256=%s,%d\n", f.name, base64.RawURLEncoding.EncodeToString(sum[:]), len(f.data))
	}
	fmt.Fprintf(&record, "%sRECORD,,\n", info)
	files = append(files, file{info + "RECORD", record.Bytes(), 0o644}) // the last, as advised
	data, err := zipped(files)
	if err != nil {
		return err
	}
	return r.write(wheels+"/"+wheelName(r.version, t), data)
}

// wheelName is the name of the wheel's file.
func wheelName(v string, t target) string {
	return fmt.Sprintf("%s-%s-py3-none-%s.whl", version.Distribution, v, t.tag)
}

// python is the Python package.
func (r *release) python() ([]file, error) {
	var files []file
	root := filepath.Join(r.root, "python", version.Distribution)
	entries, err := os.ReadDir(root)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if ext := filepath.Ext(e.Name()); ext != ".py" && e.Name() != "py.typed" {
			continue
		}
		data, err := os.ReadFile(filepath.Join(root, e.Name()))
		if err != nil {
			return nil, err
		}
		files = append(files, file{version.Distribution + "/" + e.Name(), data, 0o644})
	}
	return files, nil
}

// entryPoints are the script that starts the program under the package's name, as uvx and pipx
// look for it, and the plug-in of pytest.
func entryPoints() []byte {
	return fmt.Appendf(nil, "[console_scripts]\n%[1]s = %[1]s.__main__:main\n\n[pytest11]\nshapecheck = %[1]s.pytest_plugin\n",
		version.Distribution)
}

// metadata is the wheel's METADATA (core metadata 2.4), whose description is README.md.
func (r *release) metadata() ([]byte, error) {
	readme, err := os.ReadFile(filepath.Join(r.root, "README.md"))
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, `Metadata-Version: 2.4
Name: %s
Version: %s
Summary: Finds shape errors of tensor programs before they run
License-Expression: Apache-2.0
License-File: LICENSE
Keywords: pytorch,chainer,numpy,onnx,tensor,shape,static analysis,linter
Classifier: Development Status :: 4 - Beta
Classifier: Environment :: Console
Classifier: Framework :: Pytest
Classifier: Intended Audience :: Developers
Classifier: Intended Audience :: Science/Research
Classifier: Operating System :: MacOS
Classifier: Operating System :: Microsoft :: Windows
Classifier: Operating System :: POSIX :: Linux
Classifier: Programming Language :: Python :: 3
Classifier: Topic :: Scientific/Engineering :: Artificial Intelligence
Classifier: Topic :: Software Development :: Quality Assurance
Classifier: Typing :: Typed
Requires-Python: >=3.8
Description-Content-Type: text/markdown

`, version.Distribution, r.version)
	b.Write(readme)
	return b.Bytes(), nil
}

// epoch is the time of all entries of archives: the first that zip can say.
var epoch = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

// zipped is a zip archive that depends on its files alone. Unix modes are kept: without them
// pip installs a program that cannot be run.
func zipped(files []file) ([]byte, error) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	w.RegisterCompressor(zip.Deflate, func(out io.Writer) (io.WriteCloser, error) { return flate.NewWriter(out, flate.BestCompression) })
	for _, f := range files {
		h := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: epoch}
		h.SetMode(f.mode)
		e, err := w.CreateHeader(h)
		if err != nil {
			return nil, err
		}
		if _, err := e.Write(f.data); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return b.Bytes(), err
}
