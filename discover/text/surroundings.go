package text

// This file asks what the files of a project say of the names of one of them. Every question is noted with its answer, and the
// files that were looked at for it, so that a later run knows whether what was found then is still right.

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"shapecheck/internal/reads"
	"shapecheck/internal/source"
	"shapecheck/parser/ast"
)

// Surroundings are a file's place in the index of its project. They are safe for concurrent use.
type Surroundings struct {
	index *Index
	fsys  reads.FS
	log   *reads.Log // of what is looked at for the questions, but for the texts of Around
	file  string     // absolute
	own   *module

	mu    sync.Mutex
	asked map[string]*Question
	order []*Question
}

// A Question is about names of a file; its answer is a list of texts, or of none for no.
type Question struct {
	About  string
	Names  []string
	Answer []string
}

// A Survey is all that was asked of the files around one.
type Survey struct {
	// Around is a hash of the texts of the package around the file; empty where none was looked at.
	Around string
	// Reads are the looks at other files.
	Reads     []reads.Read
	Questions []*Question
}

// Of are the surroundings of a file, whose tree may be nil: it is read then.
func (x *Index) Of(fsys reads.FS, src *source.File, tree *ast.Module) *Surroundings {
	s := &Surroundings{index: x, log: &reads.Log{FS: fsys}, asked: map[string]*Question{}}
	s.fsys = s.log
	path, err := fsys.Abs(src.Place())
	if err != nil { // there is no working directory: names lead nowhere then
		path = src.Place()
	}
	s.file = path
	if tree == nil {
		s.own = x.moduleOf(fsys, path)
	} else {
		s.own = x.ownModule(fsys, path, tree)
	}
	return s
}

// Survey is what was asked up to now.
func (s *Surroundings) Survey() *Survey {
	s.mu.Lock()
	defer s.mu.Unlock()
	return &Survey{Around: s.index.aroundSum(filepath.Dir(s.file)), Reads: s.log.List(), Questions: slices.Clone(s.order)}
}

// Confirms reports whether all questions of a survey are answered as they were.
func (s *Surroundings) Confirms(v *Survey) bool {
	return s.own != nil && !slices.ContainsFunc(v.Questions, func(q *Question) bool {
		if _, known := questions[q.About]; !known || len(q.Names) == 0 || q.About == setting && len(q.Names) < 2 ||
			q.About == given && len(q.Names) < 3 {
			return true // anybody may have written it
		}
		return !slices.Equal(s.ask(q.About, q.Names...), q.Answer)
	})
}

// AroundSum is a hash of the texts of the package around the file.
func (s *Surroundings) AroundSum() string {
	s.around()
	return s.index.aroundSum(filepath.Dir(s.file))
}

// The questions.
const (
	inherits   = "inherits"   // whether the base of that name is, or completes, a model
	exports    = "exports"    // whether a package around exports the class
	constructs = "constructs" // whether a class of another file calls the class
	passes     = "passes"     // whether the class is a value somewhere
	deriving   = "deriving"   // classes that derive from the class, by their full names
	defining   = "defining"   // classes of the name, by their full names
	given      = "given"      // instances that calls of the class make for its parameter, their classes by their full names
	having     = "having"     // classes that have all the attributes, by their full names
	calledWith = "called"     // whether another file calls the name with arguments
	literal    = "literal"    // calls of the name in other files with arguments that are literals
	setting    = "setting"    // whether another file derives from the class, or sets the attribute from outside
)

// questions are their answers, by what the question is about.
var questions map[string]func(*Surroundings, []string) []string

func init() { // an answer may ask another question
	questions = map[string]func(*Surroundings, []string) []string{
		inherits: func(s *Surroundings, names []string) []string {
			sym := s.index.resolve(s.fsys, s.own, names[0], 0)
			return yes(sym != (symbol{}) && s.index.lineageOf(s.fsys, sym, 0).isModel())
		},
		exports: func(s *Surroundings, names []string) []string { return yes(s.index.exports(s.fsys, s.own, names[0])) },
		constructs: func(s *Surroundings, names []string) []string {
			return yes(s.index.constructs(s.fsys, s.own, names[0]))
		},
		passes: func(s *Surroundings, names []string) []string { return yes(s.index.passes(s.fsys, s.own, names[0])) },
		deriving: func(s *Surroundings, names []string) []string {
			return s.classes(func(text string) []string { return Deriving(text, names[0]) })
		},
		defining: func(s *Surroundings, names []string) []string {
			return s.classes(func(text string) []string {
				if text = "\n" + text; strings.Contains(text, "\nclass "+names[0]+":") || strings.Contains(text, "\nclass "+names[0]+"(") {
					return names[:1]
				}
				return nil
			})
		},
		given: func(s *Surroundings, names []string) []string { return s.given(names[0], names[1], names[2]) },
		having: func(s *Surroundings, names []string) []string {
			return s.classes(func(text string) []string { return ClassesHolding(text, names) })
		},
		calledWith: func(s *Surroundings, names []string) []string { return yes(s.isCalled(names[0])) },
		literal:    func(s *Surroundings, names []string) []string { return s.literalCalls(names[0]) },
		setting: func(s *Surroundings, names []string) []string {
			return yes(slices.ContainsFunc(s.others(), func(n *Neighbour) bool {
				return len(Deriving(n.Text, names[0])) > 0 || SetsAttribute(n.Text, names[1])
			}))
		},
	}
}

func yes(b bool) []string {
	if b {
		return []string{"yes"}
	}
	return nil
}

// ask answers a question, once.
func (s *Surroundings) ask(about string, names ...string) []string {
	key := fmt.Sprintf("%s %q", about, names)
	s.mu.Lock()
	q := s.asked[key]
	s.mu.Unlock()
	if q != nil {
		return q.Answer
	}
	q = &Question{about, slices.Clone(names), questions[about](s, names)}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.asked[key] == nil {
		s.asked[key] = q
		s.order = append(s.order, q)
	}
	return q.Answer
}

func (s *Surroundings) inherits(base ast.Expr) bool {
	name := dottedName(base)
	return name != "" && len(s.ask(inherits, name)) > 0
}

func (s *Surroundings) exports(class string) bool    { return len(s.ask(exports, class)) > 0 }
func (s *Surroundings) constructs(class string) bool { return len(s.ask(constructs, class)) > 0 }
func (s *Surroundings) passes(class string) bool     { return len(s.ask(passes, class)) > 0 }

// Deriving are classes that derive from one of the file, by their full names, in the package of the file: those beside it first.
func (s *Surroundings) Deriving(class string) []string { return s.ask(deriving, class) }

// Defining are classes of a name in the package of the file, by their full names.
func (s *Surroundings) Defining(class string) []string { return s.ask(defining, class) }

// Given are the instances that calls of a class in the package of the file make for a parameter of its constructor, as of GivenInstances: their
// classes by their full names, or by their own where they are the file's. position is that of the parameter, as PositionOf gives it.
func (s *Surroundings) Given(class, param string, position int) []string {
	return s.ask(given, class, param, strconv.Itoa(position))
}

// given is Given.
func (s *Surroundings) given(class, param, position string) []string {
	at, err := strconv.Atoi(position)
	if err != nil {
		return nil
	}
	var out []string
	for _, n := range s.around() {
		for _, one := range GivenInstances(n.Text, class, param, at) {
			name, args, _ := strings.Cut(one, "(")
			for _, full := range s.named(name) {
				if full += "(" + args; !slices.Contains(out, full) {
					out = append(out, full)
				}
			}
			if len(out) >= maxClasses {
				return out
			}
		}
	}
	return out
}

// named are the classes of a name in the package of the file, by their full names, or by the name where the file has it.
func (s *Surroundings) named(name string) []string {
	for _, n := range s.around() {
		if n.Path == s.file && ClassText(n.Text, name) != "" {
			return []string{name}
		}
	}
	return s.Defining(name)
}

// Having are classes of other files of the package that have all the attributes, by their full names.
func (s *Surroundings) Having(attrs []string) []string { return s.ask(having, attrs...) }

// IsCalledWith reports whether a file around calls a class or function with arguments.
func (s *Surroundings) IsCalledWith(name string) bool { return len(s.ask(calledWith, name)) > 0 }

// LiteralCalls are calls of a class or function in the files around, with arguments that are all literals; at most maxLiteralCalls.
func (s *Surroundings) LiteralCalls(name string) []string { return s.ask(literal, name) }

// MaySet reports whether a file around derives from a class or sets an attribute from outside.
func (s *Surroundings) MaySet(class, attr string) bool { return len(s.ask(setting, class, attr)) > 0 }

// around are the files of the package of the file, as of Index.Around.
func (s *Surroundings) around() []*Neighbour { return s.index.Around(s.log.FS, s.file) }

// others are those of them that are not the file itself.
func (s *Surroundings) others() []*Neighbour {
	return slices.DeleteFunc(slices.Clone(s.around()), func(n *Neighbour) bool { return n.Path == s.file })
}

// maxClasses bounds the classes that an answer names.
const maxClasses = 3

// classes are those that in gives of the texts of the package of the file, by their full names.
func (s *Surroundings) classes(in func(text string) []string) []string {
	top := PackageAround(s.fsys, s.file)
	if info, err := s.fsys.Stat(filepath.Join(top, "__init__.py")); err != nil || !info.Mode().IsRegular() {
		return nil // no name leads from one file to the other
	}
	var out []string
	for _, n := range s.others() {
		module := strings.TrimSuffix(n.Path, ".py")
		if filepath.Base(module) == "__init__" {
			module = filepath.Dir(module)
		}
		rel, err := filepath.Rel(filepath.Dir(top), module)
		if err != nil {
			continue
		}
		for _, name := range in(n.Text) {
			if out = append(out, strings.ReplaceAll(filepath.ToSlash(rel), "/", ".")+"."+name); len(out) == maxClasses {
				return out
			}
		}
	}
	return out
}

// isCalled reports whether a file around calls a name with arguments.
func (s *Surroundings) isCalled(name string) bool {
	call, err := regexp.Compile(`\b` + regexp.QuoteMeta(name) + `\(\s*[^)\s]`)
	if err != nil {
		return false
	}
	return slices.ContainsFunc(s.others(), func(n *Neighbour) bool {
		if !strings.Contains(n.Text, name+"(") {
			return false
		}
		for rest := n.Text; ; { // but for a class of that name
			at := call.FindStringIndex(rest)
			if at == nil {
				return false
			}
			line := rest[strings.LastIndexByte(rest[:at[0]], '\n')+1 : at[0]]
			if word := strings.TrimSpace(line); word != "class" && word != "def" {
				return true
			}
			rest = rest[at[1]:]
		}
	})
}

// maxLiteralCalls bounds the calls of other files that are tried.
const maxLiteralCalls = 2

// literalCalls are calls of a name in the files around with arguments that are all literals.
func (s *Surroundings) literalCalls(name string) []string {
	var out []string
	for _, n := range s.others() {
		for start, end := range Calls(n.Text, name) {
			line := n.Text[strings.LastIndexByte(n.Text[:start], '\n')+1 : start]
			args := LiteralArguments(n.Text[end:])
			if one := name + "(" + args + ")"; args != "" && !strings.ContainsAny(line, "#") && strings.TrimSpace(line) != "def" &&
				!slices.Contains(out, one) {
				out = append(out, one)
			}
			if len(out) == maxLiteralCalls {
				return out
			}
		}
	}
	return out
}
