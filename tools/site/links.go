package main

import (
	"fmt"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// follow makes the links of a page lead to pages, and says which lead nowhere. Links to the repository's other
// files, outside of the documents, cannot be followed in a site.
func (p *page) follow(pages map[string]*page, files map[string][]byte) []error {
	var faults []error
	_ = ast.Walk(p.tree, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		var where *[]byte
		switch n := n.(type) {
		case *ast.Link:
			where = &n.Destination
		case *ast.Image:
			where = &n.Destination
		default:
			return ast.WalkContinue, nil
		}
		to := string(*where)
		if strings.HasPrefix(to, "https://") {
			if n.Kind() == ast.KindImage {
				faults = append(faults, fmt.Errorf("%s: an image from elsewhere: %s", p.name, to))
			}
			return ast.WalkContinue, nil
		}
		document, fragment, _ := strings.Cut(to, "#")
		target := pages[document]
		if document == "" {
			target = p
		}
		switch {
		case target == nil && files[document] == nil:
			faults = append(faults, fmt.Errorf("%s: there is no %s", p.name, to))
		case target == nil:
		case fragment != "" && !target.anchors[fragment]:
			faults = append(faults, fmt.Errorf("%s: %s has no heading #%s", p.name, target.name, fragment))
		default:
			to = ""
			if document != "" {
				to = address(document)
			}
			if fragment != "" {
				to += "#" + fragment
			}
			*where = []byte(to)
		}
		return ast.WalkContinue, nil
	})
	return faults
}
