package pyenv

// This file reads where packages are that are installed in editable form: what setuptools
// writes for the import system, read as data, and the record of installers (PEP 610). Both are data
// of the environment, which may be anything: files that cannot be read or parsed, and paths that
// are not absolute, are left out without an error, and all lists are bounded.

import (
	"encoding/json"
	"net/url"
	"path/filepath"
	"runtime"
	"strings"

	"shapecheck/internal/source"
	"shapecheck/parser"
	"shapecheck/parser/ast"
)

// finder reads the tables of a module __editable___NAME_finder, which setuptools writes. Of the
// tables MAPPING has modules and packages with their files, NAMESPACES packages without a file.
// Keys and values that are no literals are passed over.
func (r *reader) finder(path string) {
	text, err := r.text(path)
	if err != nil {
		return
	}
	tree, diags := parser.Parse(source.NewFile(path, text))
	if len(diags) > 0 {
		return
	}
	for _, s := range tree.Body {
		name, table := assigned(s)
		if table == nil {
			continue
		}
		for i, k := range table.Keys {
			key, ok := literal(k)
			if !ok {
				continue
			}
			switch name {
			case "MAPPING":
				if path, ok := literal(table.Values[i]); ok {
					r.module(key, path)
				}
			case "NAMESPACES":
				r.namespace(key, table.Values[i])
			}
		}
	}
}

// assigned is the name and the dict of an assignment of a dict to a name. The name is empty and the
// dict nil for other statements.
func assigned(s ast.Stmt) (string, *ast.Dict) {
	var target, value ast.Expr
	switch s := s.(type) {
	case *ast.Assign:
		if len(s.Targets) == 1 {
			target, value = s.Targets[0], s.Value
		}
	case *ast.AnnAssign:
		target, value = s.Target, s.Value
	}
	name, isName := target.(*ast.Name)
	table, isDict := value.(*ast.Dict)
	if !isName || !isDict {
		return "", nil
	}
	return name.ID, table
}

// literal is the value of a text. ok is false for an expression that is no literal text.
func literal(e ast.Expr) (string, bool) {
	c, ok := e.(*ast.Constant)
	if !ok || c.Kind != ast.StrConst {
		return "", false
	}
	return c.Str, true
}

// module adds one module or package by its full name; setuptools leaves out the .py of a
// module's file. The first environment that has a module decides. A path outside of what may be
// read is left out.
func (r *reader) module(name, path string) {
	if len(r.env.Modules) >= maxPaths || !filepath.IsAbs(path) {
		return
	}
	if !isDir(r.fsys, path) && !strings.HasSuffix(path, ".py") {
		path += ".py"
	}
	if _, ok := r.allowed(path); !ok {
		return
	}
	if r.env.Modules == nil {
		r.env.Modules = map[string]string{}
	}
	if _, known := r.env.Modules[name]; !known {
		r.env.Modules[name] = filepath.Clean(path)
	}
}

// namespace adds a package that has folders and no file. It may have none: its modules
// are named one by one then.
func (r *reader) namespace(name string, value ast.Expr) {
	list, ok := value.(*ast.List)
	if !ok || len(r.env.Namespaces) >= maxPaths {
		return
	}
	if r.env.Namespaces == nil {
		r.env.Namespaces = map[string][]string{}
	}
	dirs := r.env.Namespaces[name]
	for _, e := range list.Elts {
		if dir, ok := literal(e); ok && filepath.IsAbs(dir) && len(dirs) < maxPaths {
			if _, ok := r.allowed(dir); ok {
				dirs = append(dirs, filepath.Clean(dir))
			}
		}
	}
	r.env.Namespaces[name] = dirs
}

// editable adds the folder of a project that is installed in editable form, by the
// record of where it came from: its src, or itself. A project that is not on this machine, or not
// editable, adds nothing.
func (r *reader) editable(info string) {
	text, err := r.text(filepath.Join(info, "direct_url.json"))
	if err != nil {
		return
	}
	var from struct {
		URL     string `json:"url"`
		DirInfo struct {
			Editable bool `json:"editable"`
		} `json:"dir_info"`
	}
	if json.Unmarshal([]byte(text), &from) != nil || !from.DirInfo.Editable {
		return
	}
	u, err := url.Parse(from.URL)
	if err != nil || u.Scheme != "file" || u.Path == "" {
		return
	}
	path := u.Path
	if runtime.GOOS == "windows" {
		path = strings.TrimPrefix(path, "/") // file:///C:/x
	}
	dir := filepath.FromSlash(path)
	if src := filepath.Join(dir, "src"); isDir(r.fsys, src) {
		dir = src
	}
	r.add(dir)
}
