// Command codesdoc writes docs/codes.md from the table of diagnostic codes. Run
// it from the root of the repository: go run ./tools/codesdoc.
package main

import (
	"bytes"
	"fmt"
	"os"

	"shapecheck/internal/diag"
	"shapecheck/present/render/rule"
)

// document is the path from the root of the repository.
const document = "docs/codes.md"

func main() {
	if err := os.WriteFile(document, generate(), 0o666); err != nil {
		fmt.Fprintln(os.Stderr, "codesdoc:", err)
		os.Exit(1)
	}
}

func generate() []byte {
	var b bytes.Buffer
	rule.Markdown(&b, diag.Codes())
	return b.Bytes()
}
