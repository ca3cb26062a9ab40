// Package packedtext reads tables of text that are compressed in the program: tools/packstubs makes NAME.txt.gz of NAME.txt.
package packedtext

import (
	"bytes"
	"compress/gzip"
	"io"
	"strings"
)

// Read gives the text of an embedded table. It panics where the bytes are damaged: a test reads each.
func Read(packed []byte) string {
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		panic(err)
	}
	var b strings.Builder
	if _, err := io.Copy(&b, r); err != nil {
		panic(err)
	}
	return b.String()
}
