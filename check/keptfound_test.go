package check

import (
	"encoding/json"
	"testing"
)

// Anybody may have written a record: one that lacks a part is none.
func TestRecordsThatLackAPart(t *testing.T) {
	const survey, findings = `"Survey":{"Questions":[{"About":"exports","Names":["A"]}]}`, `"Comments":{"Diagnostics":[]}`
	for text, want := range map[string]bool{
		`{}`:                                false,
		`{` + survey + `}`:                  false,
		`{` + findings + `}`:                false,
		`{` + survey + `,` + findings + `}`: true,
		`{"Survey":{"Questions":[null]},` + findings + `}`:                       false,
		`{` + survey + `,"Comments":{"Diagnostics":[null]}}`:                     false,
		`{` + survey + `,` + findings + `,"Entries":[{}]}`:                       false,
		`{` + survey + `,` + findings + `,"Entries":[{"Run":{}}]}`:               true,
		`{` + survey + `,` + findings + `,"Entries":[{"Run":{"Unknown":null}}]}`: true,
	} {
		r := &keptFound{}
		if err := json.Unmarshal([]byte(text), r); err != nil {
			t.Fatal(err)
		}
		if r.isWhole() != want {
			t.Errorf("%s: %v", text, !want)
		}
	}
}
