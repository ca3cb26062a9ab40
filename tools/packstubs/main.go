// Command packstubs compresses archives of stubs for the program: NAME.txtar becomes NAME.zip.
package main

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"fmt"
	"io"
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

// pack writes the same bytes for the same text: entries have no time.
func pack(file string) error {
	text, err := localfile.Read(file, maxArchive)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	w.RegisterCompressor(zip.Deflate, func(out io.Writer) (io.WriteCloser, error) { return flate.NewWriter(out, flate.BestCompression) })
	for _, f := range txtar.Parse(text).Files {
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
	return atomicfile.Write(strings.TrimSuffix(file, ".txtar")+".zip", b.Bytes())
}
