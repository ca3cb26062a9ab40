// Command site makes a folder of static pages from docs/: each page with the navigation that docs/README.md
// gives, links between pages, and nothing that is loaded from elsewhere. A link to what is not there is an error.
// Run it in the repository:
//
//	go run ./tools/site FOLDER
//
// main.go reads the documents and writes the pages, page.go has one page, links.go follows the links.
package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: go run ./tools/site FOLDER")
		os.Exit(2)
	}
	files, err := site("docs")
	if err == nil {
		err = write(os.Args[1], files)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "site:", err)
		os.Exit(1)
	}
}

// home is the document that has the navigation; it becomes index.html.
const home = "README.md"

// site is the files of the site by their names, from the documents of a folder.
func site(docs string) (map[string][]byte, error) {
	entries, err := os.ReadDir(docs)
	if err != nil {
		return nil, err
	}
	out := map[string][]byte{"style.css": []byte(style)}
	texts := map[string][]byte{}
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(docs, e.Name()))
		if err != nil {
			return nil, err
		}
		switch filepath.Ext(e.Name()) {
		case ".md":
			texts[e.Name()] = data
		case ".json", ".svg":
			out[e.Name()] = data
		}
	}
	if texts[home] == nil {
		return nil, fmt.Errorf("%s has no %s", docs, home)
	}
	nav := navigation(texts[home])
	pages := map[string]*page{}
	var faults []error
	for name, text := range texts {
		p, err := newPage(name, text)
		if err != nil {
			faults = append(faults, err)
			continue
		}
		if name != home && !slices.ContainsFunc(nav, func(s section) bool {
			return slices.ContainsFunc(s.links, func(l link) bool { return l.document == name })
		}) {
			faults = append(faults, fmt.Errorf("%s does not lead to %s", home, name))
		}
		pages[name] = p
	}
	for name, p := range pages {
		faults = append(faults, p.follow(pages, out)...)
		data, err := p.html(nav)
		if err != nil {
			faults = append(faults, err)
		}
		out[address(name)] = data
	}
	slices.SortFunc(faults, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	return out, errors.Join(faults...)
}

// address is the file of a document's page.
func address(document string) string {
	if document == home {
		return "index.html"
	}
	return strings.TrimSuffix(document, ".md") + ".html"
}

// write writes files to a folder, which must be empty or missing.
func write(folder string, files map[string][]byte) error {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	if old, err := os.ReadDir(folder); err != nil || len(old) > 0 {
		return errors.Join(err, fmt.Errorf("%s is not empty", folder))
	}
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(folder, name), data, 0o666); err != nil {
			return err
		}
	}
	return nil
}
