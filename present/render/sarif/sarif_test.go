package sarif

// This file checks logs against what the standard's schema requires: the keys
// that an object may have, those that it must have, and the ranges of values.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"shapecheck/internal/diag"
	"shapecheck/internal/source"
)

// A form says what an object of the log looks like: kinds of its keys, where
// "!" marks required ones. A kind is a form's name, "string", "int" (from 1),
// "index" (from 0), "bool", "bag", "[]" and a kind, or "{}" and a kind for maps.
var forms = map[string]map[string]string{
	"log": {"$schema": "string", "version!": "string", "runs!": "[]run"},
	"run": {"tool!": "tool", "invocations": "[]invocation", "originalUriBaseIds": "{}artifactLocation",
		"columnKind": "columnKind", "results": "[]result", "properties": "bag"},
	"tool":          {"driver!": "toolComponent"},
	"toolComponent": {"name!": "string", "version": "string", "semanticVersion": "string", "rules": "[]rule"},
	"rule": {"id!": "string", "name": "string", "shortDescription": "multi", "fullDescription": "multi", "help": "multi",
		"defaultConfiguration": "configuration"},
	"multi":            {"text!": "string", "markdown": "string"},
	"configuration":    {"level": "level"},
	"invocation":       {"executionSuccessful!": "bool", "toolExecutionNotifications": "[]notification"},
	"notification":     {"level": "level", "message!": "multi", "properties": "bag"},
	"artifactLocation": {"uri": "uri", "uriBaseId": "string", "description": "multi"},
	"result": {"ruleId": "string", "ruleIndex": "index", "level": "level", "message!": "multi", "locations": "[]location",
		"relatedLocations": "[]location",
		"codeFlows":        "[]codeFlow", "partialFingerprints": "{}string", "fixes": "[]fix", "occurrenceCount": "int"},
	"location":           {"id": "index", "physicalLocation": "physicalLocation", "message": "multi"},
	"physicalLocation":   {"artifactLocation": "artifactLocation", "region": "region"},
	"region":             {"startLine": "int", "startColumn": "int", "endLine": "int", "endColumn": "int"},
	"codeFlow":           {"threadFlows!": "[]threadFlow"},
	"threadFlow":         {"locations!": "[]threadFlowLocation"},
	"threadFlowLocation": {"location": "location"},
	"fix":                {"description": "multi", "artifactChanges!": "[]change"},
	"change":             {"artifactLocation!": "artifactLocation", "replacements!": "[]replacement"},
	"replacement":        {"deletedRegion!": "region", "insertedContent": "content"},
	"content":            {"text": "string"},
}

var enums = map[string]string{"columnKind": "utf16CodeUnits unicodeCodePoints", "level": "none note warning error"}

func check(kind, at string, v any) error {
	if inner, ok := strings.CutPrefix(kind, "[]"); ok {
		list, ok := v.([]any)
		if !ok {
			return fmt.Errorf("%s is no array", at)
		}
		for i, x := range list {
			if err := check(inner, fmt.Sprintf("%s/%d", at, i), x); err != nil {
				return err
			}
		}
		if len(list) == 0 && !strings.HasSuffix(at, "/rules") && !strings.HasSuffix(at, "/results") {
			return fmt.Errorf("%s is empty", at)
		}
		return nil
	}
	if inner, ok := strings.CutPrefix(kind, "{}"); ok {
		m, ok := v.(map[string]any)
		if !ok {
			return fmt.Errorf("%s is no object", at)
		}
		for k, x := range m {
			if err := check(inner, at+"/"+k, x); err != nil {
				return err
			}
		}
		return nil
	}
	if form := forms[kind]; form != nil {
		m, ok := v.(map[string]any)
		if !ok {
			return fmt.Errorf("%s is no object", at)
		}
		for k, x := range m {
			inner := form[k]
			if inner == "" {
				inner = form[k+"!"]
			}
			if inner == "" {
				return fmt.Errorf("%s: the standard has no key %s here", at, k)
			}
			if err := check(inner, at+"/"+k, x); err != nil {
				return err
			}
		}
		for k := range form {
			if name, required := strings.CutSuffix(k, "!"); required && m[name] == nil {
				return fmt.Errorf("%s: key %s is missing", at, name)
			}
		}
		return nil
	}
	ok := false
	switch x := v.(type) {
	case map[string]any:
		ok = kind == "bag" // of any keys
	case string:
		ok = kind == "string"
		if values := enums[kind]; values != "" {
			ok = strings.Contains(" "+values+" ", " "+x+" ")
		}
		if kind == "uri" {
			_, err := url.Parse(x)
			ok = err == nil && !strings.ContainsAny(x, " \\")
		}
	case float64:
		ok = x == float64(int(x)) && (kind == "int" && x >= 1 || kind == "index" && x >= 0)
	case bool:
		ok = kind == "bool"
	}
	if !ok {
		return fmt.Errorf("%s: %v is no %s", at, v, kind)
	}
	return nil
}

const program = "import torch\n\n\ndef forward(x):\n    é = '𝒳'; y = x @ x\n    return y\n"

// sample has a finding with everything, one without a position, and an info.
func sample(t *testing.T, prefix string) (*source.FileSet, []*diag.Diagnostic) {
	t.Helper()
	fs := source.NewFileSet()
	f := source.NewFile("my models/net#1.py", prefix+program)
	if err := fs.Add(f); err != nil {
		t.Fatal(err)
	}
	span := func(text string) source.Span {
		i := strings.Index(f.Text(), text)
		return source.Span{Start: f.Pos(i), End: f.Pos(i + len(text))}
	}
	full := diag.New(diag.ShapeMismatch, span("x @ x"), "sizes 3 and 4 differ")
	full.Related = []diag.Related{{At: span("return y"), Msg: "near"}, {At: span("import torch"), Msg: "far"}}
	full.Notes = []string{"3 is not 4"}
	full.Count = 2
	full.Fixes = []diag.Fix{{Title: "transpose", Edits: []diag.Edit{{At: span("x @ x"), NewText: "x @ x.T"},
		{At: span("import torch"), NewText: ""}}}}
	return fs, []*diag.Diagnostic{
		full, diag.New(diag.InternalError, source.Span{}, "no place"), diag.New(diag.UnknownModule, span("import torch"), "not found"),
		diag.New(diag.ShapeMismatch, span("x @ x"), "sizes 3 and 4 differ"),
	}
}

func logOf(t *testing.T, fs *source.FileSet, list []*diag.Diagnostic) (doc sarifLog) {
	t.Helper()
	var b bytes.Buffer
	if err := Print(&b, fs, list, []diag.Unchecked{{Entry: "e", Why: "why"}, {Why: "why", Failed: true}}, "1.2.3"); err != nil {
		t.Fatal(err)
	}
	var v any
	if err := json.Unmarshal(b.Bytes(), &v); err != nil {
		t.Fatal(err)
	}
	if err := check("log", "", v); err != nil {
		t.Errorf("%v\n%s", err, b.Bytes())
	}
	if err := json.Unmarshal(b.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	return doc
}

func TestLogsHaveTheFormOfTheStandard(t *testing.T) {
	fs, list := sample(t, "")
	logOf(t, fs, nil)
	r := logOf(t, fs, list).Runs[0]
	for i, res := range r.Results {
		if r.Tool.Driver.Rules[res.RuleIndex].ID != res.RuleID || res.RuleID != string(list[i].Code) {
			t.Errorf("result %d: rule %d is %s, not %s", i, res.RuleIndex, r.Tool.Driver.Rules[res.RuleIndex].ID, res.RuleID)
		}
	}
	if r.Invocations[0].OK {
		t.Error("a run with an internal error is successful")
	}
	at := r.Results[0].Locations[0].Physical
	// The line is "    é = '𝒳'; y = x @ x": characters count, not bytes nor UTF-16 units.
	if want := (region{5, 18, 5, 23}); at.Region != want || r.ColumnKind != "unicodeCodePoints" {
		t.Errorf("region %v, want %v; columns are %s", at.Region, want, r.ColumnKind)
	}
	if at.Artifact.URI != "my%20models/net%231.py" || at.Artifact.Base != rootID {
		t.Errorf("artifact %v", at.Artifact)
	}
	var flow []string
	for _, l := range r.Results[0].Flows[0].Threads[0].Locations {
		flow = append(flow, l.Location.Message.Text)
	}
	if got := strings.Join(flow, ", "); got != "far, near, sizes 3 and 4 differ" {
		t.Errorf("the flow is %s", got)
	}
	if len(r.Results[1].Locations) != 0 {
		t.Error("a finding without a position has one")
	}
	if c := r.Results[0].Fixes[0].Changes; len(c) != 1 || len(c[0].Replacements) != 2 {
		t.Errorf("changes %v", c)
	}
}

func TestFingerprintsOutliveMovesAndDiffer(t *testing.T) {
	fs, list := sample(t, "")
	moved, movedList := sample(t, "# one\n# two\n\n")
	a, b := logOf(t, fs, list).Runs[0].Results, logOf(t, moved, movedList).Runs[0].Results
	seen := map[string]bool{}
	for i := range a {
		x, y := a[i].Fingerprints[printKey], b[i].Fingerprints[printKey]
		if x != y {
			t.Errorf("result %d: %s became %s", i, x, y)
		}
		if seen[x] {
			t.Errorf("result %d: %s stands for two", i, x)
		}
		seen[x] = true
	}
}

func TestAbsolutePathsAreFileURIs(t *testing.T) {
	if got := artifactOf("/a b/c.py"); got.URI != "file:///a%20b/c.py" || got.Base != "" {
		t.Errorf("%v", got)
	}
	if got := artifactOf("a:b.py").URI; got != "./a:b.py" {
		t.Errorf("%s", got)
	}
}
