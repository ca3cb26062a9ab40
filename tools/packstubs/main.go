// Command packstubs compresses texts of ours for the program: the archive NAME.txtar, or the .py files of the folder NAME, become NAME.zip,
// and the table NAME.txt becomes NAME.txt.gz.
package main

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"golang.org/x/tools/txtar"

	"shapecheck/internal/atomicfile"
	"shapecheck/internal/localfile"
)

// maxArchive bounds an archive, in bytes.
const maxArchive = 16 << 20

func main() {
	for _, file := range os.Args[1:] {
		if err := pack(file); err != nil {
			fmt.Fprintln(os.Stderr, "packstubs:", err)
			os.Exit(1)
		}
	}
}

// pack writes the same bytes for the same texts: entries have no time.
func pack(path string) error {
	if strings.HasSuffix(path, ".txt") {
		return packTable(path)
	}
	files, err := read(path)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	w.RegisterCompressor(zip.Deflate, func(out io.Writer) (io.WriteCloser, error) { return flate.NewWriter(out, flate.BestCompression) })
	for _, f := range files {
		e, err := w.CreateHeader(&zip.FileHeader{Name: f.Name, Method: zip.Deflate})
		if err != nil {
			return err
		}
		if _, err := e.Write(f.Data); err != nil {
			return err
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	return atomicfile.Write(strings.TrimSuffix(strings.TrimSuffix(path, "/"), ".txtar")+".zip", b.Bytes())
}

// packTable compresses a table.
func packTable(path string) error {
	text, err := localfile.Read(path, maxArchive)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err := w.Write(text); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	return atomicfile.Write(path+".gz", b.Bytes())
}

// read gives the files of an archive or a folder, those of a folder in the order of their paths, relative to it.
func read(path string) ([]txtar.File, error) {
	if strings.HasSuffix(path, ".txtar") {
		text, err := localfile.Read(path, maxArchive)
		if err != nil {
			return nil, err
		}
		return txtar.Parse(text).Files, nil
	}
	var files []txtar.File
	root := os.DirFS(path)
	err := fs.WalkDir(root, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(name, ".py") {
			return err
		}
		text, err := fs.ReadFile(root, name)
		files = append(files, txtar.File{Name: name, Data: text})
		return err
	})
	return files, err
}
