package lib

// This file reads the archives of Python of ours: stubs of packages with many modules, of which a program uses few, and the modules of
// the frameworks that few programs use.

import (
	"archive/zip"
	"bytes"
	"embed"
	"io/fs"
	"slices"
	"strings"
	"sync"
)

// The files of an archive are compressed, each for itself: all of them would be a fiftieth of the program.
//
//go:generate bash -c "go run ../../tools/packstubs stub/torchvision.txtar stub/*/ packed/*/"
//go:embed stub/*.zip packed/*.zip
var archiveFiles embed.FS

// An archiveSet is the archives of a folder, by their packages.
type archiveSet func() map[string]*zip.Reader

// archives opens the archives of a folder when one is first asked for.
func archives(folder string) archiveSet {
	return sync.OnceValue(func() map[string]*zip.Reader {
		out := map[string]*zip.Reader{}
		list, _ := archiveFiles.ReadDir(folder) // it is embedded
		for _, e := range list {
			r, err := openArchive(folder + "/" + e.Name())
			if err != nil {
				panic(err) // it is embedded, and a test opens it
			}
			out[strings.TrimSuffix(e.Name(), ".zip")] = r
		}
		return out
	})
}

var stubArchives, packed = archives("stub"), archives("packed")

// archivedStub gives the text of a module's stub in the archive of its package; ok is false where the package has no archive,
// found where the archive has no such module.
func archivedStub(pkg, module string) (text string, found, ok bool) {
	r := stubArchives()[pkg]
	if r == nil {
		return "", false, false
	}
	data, err := fs.ReadFile(r, module+".py")
	return string(data), err == nil, true
}

// singleStubs is the archive of packages with few modules: one file for each, by its full name. No package has its name.
const singleStubs = "single-modules"

// singleStub gives the text of a module's stub in the archive of packages with few modules.
func singleStub(module string) (text string, ok bool) {
	data, err := fs.ReadFile(stubArchives()[singleStubs], module+".py")
	return string(data), err == nil
}

// hasSingleStubs reports whether that archive has a module of a package.
func hasSingleStubs(pkg string) bool {
	return slices.ContainsFunc(stubArchives()[singleStubs].File, func(f *zip.File) bool {
		of, _, _ := strings.Cut(f.Name, ".")
		return of == pkg
	})
}

// packedFile gives the file of a path below py that is in the archive of its package.
func packedFile(path string) (fs.File, error) {
	pkg, name, _ := strings.Cut(strings.TrimPrefix(path, "py/"), "/")
	if r := packed()[pkg]; r != nil {
		return r.Open(name)
	}
	return nil, fs.ErrNotExist
}

// openArchive opens an archive that is embedded.
func openArchive(name string) (*zip.Reader, error) {
	data, err := archiveFiles.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return zip.NewReader(bytes.NewReader(data), int64(len(data)))
}
