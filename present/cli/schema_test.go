package cli

// This file holds what is printed as JSON against the schemas in docs. They are
// taken strictly here: a key that a schema does not name is a fault.

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/tools/txtar"
)

const docs = "../../docs/"

var schemaNames = []string{"json-schema.json", "project-schema.json", "summary-schema.json", "contract-schema.json",
	"compare-schema.json", "diff-schema.json", "time-schema.json", "interface-schema.json"}

// schemas are the compiled schemas by file name.
var schemas = sync.OnceValues(func() (map[string]*jsonschema.Schema, error) {
	c := jsonschema.NewCompiler()
	for _, name := range schemaNames {
		data, err := os.ReadFile(docs + name)
		if err != nil {
			return nil, err
		}
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
		if err != nil {
			return nil, err
		}
		closeObjects(doc)
		if err := c.AddResource("https://shapecheck.invalid/"+name, doc); err != nil {
			return nil, err
		}
	}
	out := map[string]*jsonschema.Schema{}
	for _, name := range schemaNames {
		s, err := c.Compile("https://shapecheck.invalid/" + name)
		if err != nil {
			return nil, err
		}
		out[name] = s
	}
	return out, nil
})

// closeObjects forbids keys that a schema does not name.
func closeObjects(v any) {
	switch v := v.(type) {
	case map[string]any:
		if _, ok := v["properties"].(map[string]any); ok && v["additionalProperties"] == nil {
			v["additionalProperties"] = false
		}
		for _, x := range v {
			closeObjects(x)
		}
	case []any:
		for _, x := range v {
			closeObjects(x)
		}
	}
}

func validate(t *testing.T, schema, text string) {
	t.Helper()
	all, err := schemas()
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err == nil {
		err = all[schema].Validate(doc)
	}
	if err != nil {
		t.Errorf("%s: %v\n%.2000s", schema, err, text)
	}
}

func TestResultsOfTheModelsFollowTheSchemas(t *testing.T) {
	paths, err := filepath.Glob("../../testdata/models/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no models: %v", err)
	}
	for _, p := range paths {
		t.Run(filepath.Base(p), func(t *testing.T) {
			t.Parallel()
			ar, err := txtar.ParseFile(p)
			if err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			met := map[string]bool{}
			for _, f := range ar.Files { // of several cases the first one's
				if strings.HasSuffix(f.Name, ".py") && !met[f.Name] {
					met[f.Name] = true
					if err := os.WriteFile(filepath.Join(dir, f.Name), f.Data, 0o666); err != nil {
						t.Fatal(err)
					}
				}
			}
			_, line, _ := strings.Cut(string(ar.Comment), "run: ")
			line, _, _ = strings.Cut(line, "\n")
			args := words(line)
			args[0] = filepath.Join(dir, args[0])
			_, stdout, stderr := run(append(args, "--output-format", "json")...)
			if stderr != "" {
				t.Fatal(stderr)
			}
			validate(t, "json-schema.json", stdout)
			_, stdout, _ = run(append(args, "--summary=json", "--no-config")...)
			validate(t, "summary-schema.json", stdout)
			_, stdout, _ = run(append(args, "--contract=json", "--no-config")...)
			validate(t, "contract-schema.json", stdout)
		})
	}
}

// words splits a command line, in which single quotes hold words together.
func words(line string) []string {
	var out []string
	for i, part := range strings.Split(line, "'") {
		if i%2 == 1 {
			out = append(out, part)
		} else {
			out = append(out, strings.Fields(part)...)
		}
	}
	return out
}

func TestResultsOfProjectsFollowTheSchema(t *testing.T) {
	if _, err := schemas(); err != nil { // before the folder changes
		t.Fatal(err)
	}
	enter(t, projectFile+"[[entries]]\nname = \"lost\"\nfile = \"src/lost.py\"\nentry = \"f\"\n")
	for _, args := range [][]string{nil, {"--shard", "1/2"}, {"--cache"}, {"--cache"}} {
		_, stdout, _ := run(append(args, "--output-format", "json")...)
		validate(t, "project-schema.json", stdout)
	}
	_, stdout, _ := run("--output-format", "json")
	if !strings.Contains(stdout, `"error": "src/lost.py: no such file"`) {
		t.Error("the entry that cannot be run is missing")
	}
	enter(t, "[[entries]]\nname = \"unneeded\"\nfile = \"src/net.py\"\nentry = \"known\"\nargs = [\"x:f32[4,4]\"]\n")
	_, stdout, _ = run("--output-format", "json")
	validate(t, "project-schema.json", stdout)
	if !strings.Contains(stdout, `"code": "SC690"`) {
		t.Error("the comment without effect is missing")
	}
}

func TestTheSchemasRefuse(t *testing.T) {
	all, err := schemas()
	if err != nil {
		t.Fatal(err)
	}
	_, stdout, _ := run(model, "--arg", "x:f32[B,3,32,32]", "--output-format", "json", "--no-config")
	for _, c := range []struct{ old, with string }{
		{`"version": 2`, `"version": 1`}, {`"severity": "error"`, `"severity": "fatal"`}, {`"line": 16`, `"line": "16"`},
		{`"column"`, `"kolumn"`},
	} {
		bad := strings.Replace(stdout, c.old, c.with, 1)
		var doc any
		if err := json.Unmarshal([]byte(bad), &doc); err != nil || bad == stdout {
			t.Fatalf("%s: %v", c.with, err)
		}
		if all["json-schema.json"].Validate(doc) == nil {
			t.Errorf("%s is accepted", c.with)
		}
	}
}
