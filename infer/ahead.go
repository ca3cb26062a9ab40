package infer

// This file has the files that a module imports parsed on another processor while
// the module runs. It changes when work is done, not what comes of it: the files
// get their positions here, in the order in which the imports stand.

import (
	"runtime"
	"strings"
	"sync"

	"shapecheck/infer/lib"
	"shapecheck/internal/source"
	"shapecheck/internal/timing"
	"shapecheck/parser/ast"
)

// A job is a file to be parsed, by the worker or by who needs it first.
type job struct {
	file  *source.File
	whole bool
	once  sync.Once
	unit  *unit // nil: the worker failed
}

func (j *job) run() { j.once.Do(func() { j.unit = parseUnit(j.file, j.whole) }) }

// ahead lets a worker parse files, before those that wait already: what a module
// imports is needed before what its importer imports next. time is the track of who needs them.
func (c *Cache) ahead(files []*source.File, whole func(*source.File) bool, time *timing.Track) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var list []*job
	for _, file := range files {
		if c.units[keyOf(file)] != nil || c.jobs[file.Place()] != nil || c.files.Add(file) != nil {
			continue
		}
		j := &job{file: file, whole: whole(file)}
		c.jobs[file.Place()] = j
		list = append(list, j)
	}
	c.queue = append(list, c.queue...)
	if !c.working && len(c.queue) > 0 && runtime.GOMAXPROCS(0) > 1 {
		c.working = true
		go c.work(time.Helper())
	}
}

// work parses the queue. A fault of the parser is left to who needs the file.
func (c *Cache) work(time *timing.Track) {
	defer time.Join()
	defer time.Begin(timing.Phase, timing.Parsing).End()
	defer func() {
		if r := recover(); r != nil {
			c.mu.Lock()
			c.working = false
			c.mu.Unlock()
		}
	}()
	for {
		c.mu.Lock()
		if len(c.queue) == 0 {
			c.working = false
			c.mu.Unlock()
			return
		}
		j := c.queue[0]
		c.queue = c.queue[1:]
		c.mu.Unlock()
		j.run()
	}
}

// take gives what a worker made of a file, or makes it.
func (c *Cache) take(file *source.File, whole bool) *unit {
	c.mu.Lock()
	j := c.jobs[file.Place()]
	c.mu.Unlock()
	if j == nil || whole && !j.whole || !sameFile(j.file, file) {
		return nil
	}
	j.run()
	return j.unit
}

// parseAhead finds the user's files that the top level of a module imports.
func (im *imports) parseAhead(f *frame, body []ast.Stmt) {
	if !im.cfg.Ahead || f.prelude || im.mayWait(f) {
		return
	}
	var files []*source.File
	add := func(name string) {
		if im.modules[name] != nil || im.asked[name] || lib.Known(name) && !im.finder.shadowed(name) {
			return
		}
		im.asked[name] = true
		if path, _, ok := im.finder.findUser(name); ok {
			if file, err := im.finder.readModule(path); err == nil {
				files = append(files, file)
			}
		}
	}
	var walk func(body []ast.Stmt)
	walk = func(body []ast.Stmt) {
		for _, s := range body {
			switch s := s.(type) {
			case *ast.Import:
				for _, a := range s.Names {
					name, _, _ := strings.Cut(a.Name.Name, ".")
					add(name)
				}
			case *ast.ImportFrom:
				base, fault := absoluteName(f.globals, s)
				if fault != "" {
					continue
				}
				add(base)
				if m := im.modules[base]; m != nil && m.Package {
					for _, a := range s.Names {
						if _, ok := m.Attrs.Get(a.Name.Name); !ok {
							add(base + "." + a.Name.Name)
						}
					}
				}
			case *ast.Try:
				walk(s.Body)
			}
		}
	}
	walk(body)
	im.cfg.Cache.ahead(files, im.finder.isProjectFile, im.cfg.Time)
}
