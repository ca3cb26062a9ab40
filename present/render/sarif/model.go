package sarif

// This file has the part of SARIF 2.1.0 that is written. The names of the JSON
// keys are the standard's; keys that it requires are never left out.

type sarifLog struct {
	Schema  string `json:"$schema"`
	Version string `json:"version"`
	Runs    []run  `json:"runs"`
}

type run struct {
	Tool        tool            `json:"tool"`
	Invocations []invocation    `json:"invocations"`
	Bases       map[string]base `json:"originalUriBaseIds"`
	ColumnKind  string          `json:"columnKind"`
	Properties  properties      `json:"properties"`
	Results     []result        `json:"results"`
}

type tool struct {
	Driver driver `json:"driver"`
}

type driver struct {
	Name            string `json:"name"`
	Version         string `json:"version"`
	SemanticVersion string `json:"semanticVersion"`
	Rules           []rule `json:"rules"`
}

type rule struct {
	ID      string        `json:"id"`
	Name    string        `json:"name"`
	Short   message       `json:"shortDescription"`
	Full    message       `json:"fullDescription"`
	Help    message       `json:"help"`
	Default configuration `json:"defaultConfiguration"`
}

type configuration struct {
	Level string `json:"level"`
}

type invocation struct {
	OK            bool           `json:"executionSuccessful"`
	Notifications []notification `json:"toolExecutionNotifications,omitempty"`
}

type notification struct {
	Level      string         `json:"level"`
	Message    message        `json:"message"`
	Properties entryUnchecked `json:"properties"`
}

// properties are a property bag, whose keys are our own: those of the JSON document.
type properties struct {
	Checked bool `json:"checked"`
	// Partial says that the run was cut short, and Skipped what it did not come to.
	Partial bool     `json:"partial,omitempty"`
	Skipped []string `json:"skipped,omitempty"`
}

// entryUnchecked is the property bag of a notification that an entry was not checked.
type entryUnchecked struct {
	Entry   string `json:"entry"`
	Checked bool   `json:"checked"`
	WhyNot  string `json:"why_not"`
}

type base struct {
	Description message `json:"description"`
}

// A message is also what the standard calls a multiformatMessageString and an
// artifactContent: they share the key text.
type message struct {
	Text     string `json:"text"`
	Markdown string `json:"markdown,omitempty"`
}

type result struct {
	RuleID       string            `json:"ruleId"`
	RuleIndex    int               `json:"ruleIndex"`
	Level        string            `json:"level"`
	Message      message           `json:"message"`
	Locations    []location        `json:"locations,omitempty"`
	Related      []location        `json:"relatedLocations,omitempty"`
	Flows        []codeFlow        `json:"codeFlows,omitempty"`
	Fingerprints map[string]string `json:"partialFingerprints"`
	Fixes        []fix             `json:"fixes,omitempty"`
	Count        int               `json:"occurrenceCount,omitempty"`
}

type location struct {
	ID       int      `json:"id,omitempty"`
	Physical physical `json:"physicalLocation"`
	Message  *message `json:"message,omitempty"`
}

type physical struct {
	Artifact artifact `json:"artifactLocation"`
	Region   region   `json:"region"`
}

type artifact struct {
	URI  string `json:"uri"`
	Base string `json:"uriBaseId,omitempty"`
}

// A region is half-open: endColumn is the column after the last character.
type region struct {
	StartLine   int `json:"startLine"`
	StartColumn int `json:"startColumn,omitempty"`
	EndLine     int `json:"endLine"`
	EndColumn   int `json:"endColumn,omitempty"`
}

type codeFlow struct {
	Threads []threadFlow `json:"threadFlows"`
}

type threadFlow struct {
	Locations []flowLocation `json:"locations"`
}

type flowLocation struct {
	Location location `json:"location"`
}

type fix struct {
	Description message  `json:"description"`
	Changes     []change `json:"artifactChanges"`
}

type change struct {
	Artifact     artifact      `json:"artifactLocation"`
	Replacements []replacement `json:"replacements"`
}

type replacement struct {
	Deleted  region   `json:"deletedRegion"`
	Inserted *message `json:"insertedContent,omitempty"`
}
