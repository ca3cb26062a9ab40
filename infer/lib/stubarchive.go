package lib

// This file reads the archives of stubs: packages with many modules, of which a program uses few.

import (
	"archive/zip"
	"bytes"
	"embed"
	"io/fs"
	"strings"
	"sync"
)

// The files of an archive are compressed, each for itself: all of them would be a hundredth of the program.
//
//go:generate go run ../../tools/packstubs stub/torchvision.txtar
//go:embed stub/*.zip
var stubArchives embed.FS

// archives are the archives by their packages, opened when a stub is first asked for.
var archives = sync.OnceValue(func() map[string]*zip.Reader {
	out := map[string]*zip.Reader{}
	list, _ := stubArchives.ReadDir("stub") // it is embedded
	for _, e := range list {
		r, err := openArchive("stub/" + e.Name())
		if err != nil {
			panic(err) // it is embedded, and a test opens it
		}
		out[strings.TrimSuffix(e.Name(), ".zip")] = r
	}
	return out
})

// archivedStub gives the text of a module's stub in the archive of its package; ok is false where the package has no archive,
// found where the archive has no such module.
func archivedStub(pkg, module string) (text string, found, ok bool) {
	r := archives()[pkg]
	if r == nil {
		return "", false, false
	}
	data, err := fs.ReadFile(r, module+".py")
	return string(data), err == nil, true
}

// openArchive opens an archive that is embedded.
func openArchive(name string) (*zip.Reader, error) {
	data, err := stubArchives.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return zip.NewReader(bytes.NewReader(data), int64(len(data)))
}
