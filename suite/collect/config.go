package collect

// This file finds the folder of a suite and reads its configuration, as pytest does.

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"shapecheck/internal/reads"
)

// A Config is what a suite's configuration says.
type Config struct {
	// Root is the root folder, absolute; File the file of the configuration, empty where there is none.
	Root, File string
	// Lists are the options that are lists, by name; Texts those that are one text.
	Lists map[string][]string
	Texts map[string]string

	PythonFiles, PythonClasses, PythonFunctions, NoRecurse, TestPaths, PythonPath []string
	// The options of addopts.
	Keyword, Marks, ImportMode   string
	Ignore, IgnoreGlob, Deselect []string
	// Other are options of addopts for others, with their values: "--runslow" has "".
	Other [][2]string
}

const maxConfig = 1 << 20 // bytes of a file of configuration

// Read finds the root folder for the arguments, paths without node ids, and reads the configuration. Dir is the working directory.
func Read(fsys reads.FS, dir string, args []string) (*Config, error) {
	c := &Config{
		Lists: map[string][]string{}, Texts: map[string]string{},
		PythonFiles: []string{"test_*.py", "*_test.py"}, PythonClasses: []string{"Test"}, PythonFunctions: []string{"test"},
		NoRecurse: []string{"*.egg", ".*", "_darcs", "build", "CVS", "dist", "node_modules", "venv", "{arch}"}, ImportMode: "prepend",
	}
	ancestor := commonAncestor(fsys, dir, args)
	if err := c.locate(fsys, ancestor); err != nil {
		return nil, err
	}
	if c.File == "" && c.Root == "" {
		for d := ancestor; c.Root == ""; d = filepath.Dir(d) {
			if exists(fsys, filepath.Join(d, "setup.py")) {
				c.Root = d
			}
			if d == filepath.Dir(d) {
				break
			}
		}
	}
	if c.Root == "" {
		c.Root = commonOf(dir, ancestor)
		if c.Root == string(filepath.Separator) {
			c.Root = ancestor
		}
	}
	c.settle()
	return c, c.addopts(c.list("addopts"))
}

// commonAncestor is the deepest folder above all arguments that exist; the working directory where none does.
func commonAncestor(fsys reads.FS, dir string, args []string) string {
	common := ""
	for _, a := range args {
		p := a
		if !filepath.IsAbs(p) {
			p = filepath.Join(dir, p)
		}
		p = filepath.Clean(p)
		info, err := fsys.Stat(p)
		if err != nil {
			continue
		}
		if !info.IsDir() {
			p = filepath.Dir(p)
		}
		if common == "" {
			common = p
		} else {
			common = commonOf(common, p)
		}
	}
	if common == "" {
		return dir
	}
	return common
}

// commonOf is the deepest folder that two absolute paths share.
func commonOf(a, b string) string {
	for a != b {
		if rel, err := filepath.Rel(a, b); err == nil && filepath.IsLocal(rel) {
			return a
		}
		if a == filepath.Dir(a) {
			return a
		}
		a = filepath.Dir(a)
	}
	return a
}

func exists(fsys reads.FS, path string) bool {
	info, err := fsys.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// configFiles are the files in which the configuration may be, the first first.
var configFiles = []string{"pytest.toml", ".pytest.toml", "pytest.ini", ".pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg"}

// locate reads the first file of configuration in the folder or one above it. A pyproject.toml without a table of pytest marks the root
// where no other file has one.
func (c *Config) locate(fsys reads.FS, dir string) error {
	plain := ""
	for d := dir; ; d = filepath.Dir(d) {
		for _, name := range configFiles {
			path := filepath.Join(d, name)
			if !exists(fsys, path) {
				continue
			}
			data, err := reads.File(fsys, path, maxConfig)
			if err != nil {
				return err
			}
			found, err := c.parse(name, string(data))
			if err != nil {
				return fmt.Errorf("%s: %w", path, err)
			}
			if found {
				c.Root, c.File = d, path
				return nil
			}
			if name == "pyproject.toml" && plain == "" {
				plain = path
			}
		}
		if d == filepath.Dir(d) {
			break
		}
	}
	if plain != "" {
		c.Root, c.File = filepath.Dir(plain), plain
	}
	return nil
}

// parse reads a file of configuration; found is false where it has nothing for pytest.
func (c *Config) parse(name, text string) (found bool, err error) {
	if strings.HasSuffix(name, ".toml") {
		var doc struct {
			Pytest map[string]any `toml:"pytest"`
			Tool   struct {
				Pytest map[string]any `toml:"pytest"`
			} `toml:"tool"`
		}
		if _, err := toml.Decode(text, &doc); err != nil {
			return false, err
		}
		table := doc.Tool.Pytest
		if name != "pyproject.toml" {
			c.take(doc.Pytest)
			return true, nil
		}
		if options, ok := table["ini_options"].(map[string]any); ok {
			c.take(options)
			return true, nil
		}
		c.take(table)
		return table != nil, nil
	}
	section := map[string]string{"tox.ini": "pytest", "setup.cfg": "tool:pytest"}[name]
	if section == "" {
		section, found = "pytest", true // pytest.ini may be empty
	}
	table, has := readINI(text, section)
	for k, v := range table {
		c.Texts[k] = v
	}
	return found || has, nil
}

// take takes the options of a TOML table.
func (c *Config) take(table map[string]any) {
	for k, v := range table {
		switch v := v.(type) {
		case []any:
			list := []string{}
			for _, x := range v {
				list = append(list, fmt.Sprint(x))
			}
			c.Lists[k] = list
		case map[string]any:
		default:
			c.Texts[k] = fmt.Sprint(v)
		}
	}
}

// readINI reads a section of an INI file; has is false where there is none. Lines that begin with blanks go on a value.
func readINI(text, section string) (table map[string]string, has bool) {
	table = map[string]string{}
	in, key := false, ""
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		trimmed := strings.TrimSpace(line)
		switch {
		case trimmed == "" || trimmed[0] == '#' || trimmed[0] == ';':
		case line[0] == '[' && strings.Contains(line, "]"):
			in = strings.TrimSpace(line[1:strings.IndexByte(line, ']')]) == section
			has, key = has || in, ""
		case !in:
		case line[0] == ' ' || line[0] == '\t':
			if key != "" {
				table[key] += "\n" + trimmed
			}
		default:
			i := strings.IndexAny(line, "=:")
			if i < 0 {
				continue
			}
			key = strings.TrimSpace(line[:i])
			value := strings.TrimSpace(line[i+1:])
			if j := strings.Index(value, " #"); j >= 0 {
				value = strings.TrimSpace(value[:j])
			}
			table[key] = value
		}
	}
	return table, has
}

// list is an option that is a list: that of a TOML file, or a text whose words it is.
func (c *Config) list(name string) []string {
	if list, ok := c.Lists[name]; ok {
		return list
	}
	words, _ := SplitWords(c.Texts[name])
	return words
}

// settle takes the options that concern the collection.
func (c *Config) settle() {
	for name, to := range map[string]*[]string{
		"python_files": &c.PythonFiles, "python_classes": &c.PythonClasses, "python_functions": &c.PythonFunctions,
		"norecursedirs": &c.NoRecurse, "testpaths": &c.TestPaths, "pythonpath": &c.PythonPath,
	} {
		_, list := c.Lists[name]
		_, text := c.Texts[name]
		if list || text {
			*to = c.list(name)
		}
	}
}

// SplitWords splits a line into words as a shell does, with quotes and backslashes.
func SplitWords(text string) ([]string, error) {
	var words []string
	var b strings.Builder
	in, quote := false, rune(0)
	runes := []rune(text)
	for i := 0; i < len(runes); i++ {
		r := runes[i]
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote == '\'':
			b.WriteRune(r)
		case r == '\\' && i+1 < len(runes):
			i++
			b.WriteRune(runes[i])
			in = true
		case quote != 0:
			b.WriteRune(r)
		case r == '\'' || r == '"':
			quote, in = r, true
		case r == ' ' || r == '\t' || r == '\n' || r == '\r':
			if in {
				words = append(words, b.String())
				b.Reset()
				in = false
			}
		default:
			b.WriteRune(r)
			in = true
		}
	}
	if in {
		words = append(words, b.String())
	}
	if quote != 0 {
		return words, errors.New("a quote is not closed")
	}
	return words, nil
}

// valued are options of pytest that take a value, which is none of the collection's.
var valued = []string{"-p", "-o", "-c", "-W", "-n", "-r", "--maxfail", "--cov", "--durations", "--junitxml", "--junit-xml", "--tb", "--color", "--capture",
	"--basetemp", "--cov-report", "--cov-config", "--dist", "--timeout", "--log-level", "--log-cli-level", "--override-ini", "--rootdir",
	"--confcutdir", "--durations-min", "--numprocesses", "--pythonwarnings", "--config-file", "--show-capture", "--verbosity"}

// addopts takes the options of addopts that concern the collection.
func (c *Config) addopts(words []string) error {
	for i := 0; i < len(words); i++ {
		word := words[i]
		name, value, has := strings.Cut(word, "=")
		if !strings.HasPrefix(word, "--") && len(word) > 2 && word[0] == '-' && strings.ContainsRune("kmpoWnr", rune(word[1])) {
			name, value, has = word[:2], word[2:], true
		}
		var to *[]string
		var one *string
		switch name {
		case "-k":
			one = &c.Keyword
		case "-m":
			one = &c.Marks
		case "--import-mode":
			one = &c.ImportMode
		case "--ignore":
			to = &c.Ignore
		case "--ignore-glob":
			to = &c.IgnoreGlob
		case "--deselect":
			to = &c.Deselect
		default:
			if slices.Contains(valued, name) {
				if !has && !slices.Contains([]string{"--cov", "-r"}, name) {
					i++
				}
			} else if strings.HasPrefix(name, "--") {
				c.Other = append(c.Other, [2]string{name, value})
			}
			continue
		}
		if !has {
			if i++; i == len(words) {
				return fmt.Errorf("addopts: %s has no value", name)
			}
			value = words[i]
		}
		if one != nil {
			*one = value
		} else {
			*to = append(*to, value)
		}
	}
	return nil
}
