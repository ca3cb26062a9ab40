package lsp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
)

// collected is where a server writes.
type collected struct{ bytes.Buffer }

func (*collected) Close() error { return nil }

func framed(bodies ...string) string {
	var b strings.Builder
	for _, body := range bodies {
		fmt.Fprintf(&b, "Content-Length: %d\r\n\r\n%s", len(body), body)
	}
	return b.String()
}

const (
	asksInitialize = `{"jsonrpc":"2.0","id":"first","method":"initialize","params":{"capabilities":{}}}`
	asksShutdown   = `{"jsonrpc":"2.0","id":"last","method":"shutdown","params":null}`
)

// served gives the answers to what a server reads, as "id code" (0: no error), with what Serve returns.
func served(t *testing.T, input string) (answers []string, code int, err error) {
	t.Helper()
	var out collected
	code, err = Serve(context.Background(), strings.NewReader(input), &out, Options{Log: testLog})
	s := newStream(&out, nil, t.Logf)
	for {
		body, _, err := s.frame()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		var m struct {
			Version string          `json:"jsonrpc"`
			ID      json.RawMessage `json:"id"`
			Result  json.RawMessage `json:"result"`
			Error   *struct {
				Code    int    `json:"code"`
				Message string `json:"message"`
			} `json:"error"`
		}
		if err := json.Unmarshal(body, &m); err != nil {
			t.Fatal(err)
		}
		said := 0
		if m.Error != nil {
			said = m.Error.Code
		}
		if m.Version != "2.0" || m.ID == nil || (m.Error == nil) == (m.Result == nil) || m.Error != nil && m.Error.Message == "" {
			t.Errorf("no answer of JSON-RPC: %s", body)
		}
		answers = append(answers, fmt.Sprintf("%s %d", m.ID, said))
	}
	return answers, code, err
}

// TestWhatIsNoMessageIsAnswered sends bodies that are no request, and goes on.
func TestWhatIsNoMessageIsAnswered(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{``, "null -32700"},
		{` `, "null -32700"},
		{`{"a":`, "null -32700"},
		{`{} {}`, "null -32700"},
		{`nul`, "null -32700"},
		{"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}", "null -32700"},
		{strings.Repeat("[", 20000), "null -32700"},
		{strings.Repeat(`{"a":`, 20000), "null -32700"},
		{`null`, "null -32600"},
		{`5`, "null -32600"},
		{`"text"`, "null -32600"},
		{`true`, "null -32600"},
		{`[]`, "null -32600"},
		{`[1]`, "null -32600"},
		{`[` + asksInitialize + `]`, "null -32600"},
		{`{}`, "null -32600"},
		{`{"jsonrpc":"2.0"}`, "null -32600"},
		{`{"jsonrpc":"2.0","id":7}`, "7 -32600"},
		{`{"id":7,"method":"shutdown"}`, "7 -32600"},
		{`{"jsonrpc":"1.0","id":7,"method":"shutdown"}`, "7 -32600"},
		{`{"jsonrpc":2.0,"id":7,"method":"shutdown"}`, "7 -32600"},
		{`{"jsonrpc":"2.0","id":{},"method":"shutdown"}`, "null -32600"},
		{`{"jsonrpc":"2.0","id":{"a":1},"method":"shutdown"}`, "null -32600"},
		{`{"jsonrpc":"2.0","id":[1],"method":"shutdown"}`, "null -32600"},
		{`{"jsonrpc":"2.0","id":true,"method":"shutdown"}`, "null -32600"},
		{`{"jsonrpc":"2.0","id":null,"method":"shutdown"}`, "null -32600"},
		{`{"jsonrpc":"2.0","id":1.5,"method":"shutdown"}`, "null -32600"},
		{`{"jsonrpc":"2.0","id":1,"method":5}`, "1 -32600"},
		{`{"jsonrpc":"2.0","id":1,"method":null}`, "1 -32600"},
		{`{"jsonrpc":"2.0","method":1,"params":"bar"}`, "null -32600"},
		{`{"jsonrpc":"2.0","id":1,"method":"shutdown","params":5}`, "1 -32600"},
		{`{"jsonrpc":"2.0","id":1,"method":"shutdown","params":"x"}`, "1 -32600"},
		{`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":5}`, "null -32600"},
		// Requests that are well formed have answers with their ids.
		{`{"jsonrpc":"2.0","id":-3,"method":"none"}`, "-3 -32601"},
		{`{"jsonrpc":"2.0","id":12345678901234567890123,"method":"none"}`, "12345678901234567890123 -32601"},
		{`{"jsonrpc":"2.0","id":"a\u0062\n","method":"none"}`, `"ab\n" -32601`},
		{`{"jsonrpc":"2.0","id":"","method":"none"}`, `"" -32601`},
		{`{"jsonrpc":"2.0","id":0,"method":"none"}`, `0 -32601`},
		{`{"jsonrpc":"2.0","id":1,"method":""}`, "1 -32601"},
		{`{"jsonrpc":"2.0","id":1,"method":"$/none"}`, "1 -32601"},
		{`{"jsonrpc":"2.0","id":1,"method":"textDocument/didOpen","params":{}}`, "1 -32601"},
		{`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}`, "1 -32600"},
		// Notifications and answers have none.
		{`{"jsonrpc":"2.0","method":"none"}`, ""},
		{`{"jsonrpc":"2.0","method":"$/none","params":[1]}`, ""},
		{`{"jsonrpc":"2.0","method":"shutdown"}`, ""},
		{`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":{}}}`, ""},
		{`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":[]}`, ""},
		{`{"jsonrpc":"2.0","id":99,"result":null}`, ""},
		{`{"jsonrpc":"2.0","id":"x","result":{}}`, ""},
		{`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"x"}}`, ""},
		{`{"jsonrpc":"2.0","id":5,"error":"x"}`, ""},
		{`{"jsonrpc":"2.0","id":5,"result":1,"error":{"code":1,"message":"x"}}`, ""},
	} {
		got, code, err := served(t, framed(asksInitialize, c.body, asksShutdown))
		want := []string{`"first" 0`, c.want, `"last" 0`}
		if c.want == "" {
			want = []string{`"first" 0`, `"last" 0`}
		}
		if !slices.Equal(got, want) || code != 0 || err != nil {
			t.Errorf("%.100s: %q, exit code %d, %v; want %q", c.body, got, code, err, c.want)
		}
	}
}

// TestMessagesOutOfTurn are those before initialize and after shutdown.
func TestMessagesOutOfTurn(t *testing.T) {
	open := `{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///none/a.py","text":"x"}}}`
	hover := `{"jsonrpc":"2.0","id":5,"method":"textDocument/hover","params":{}}`
	none := `{"jsonrpc":"2.0","id":6,"method":"none"}`
	got, code, err := served(t, framed(open, "null", hover, none, asksInitialize, asksShutdown))
	if want := `["null -32600" "5 -32002" "6 -32002" "\"first\" 0" "\"last\" 0"]`; fmt.Sprintf("%q", got) != want || code != 0 || err != nil {
		t.Errorf("%q, %d, %v; want %s", got, code, err, want)
	}
}

// TestHeaders reads headers of other forms, and ends at those that do not say where the body ends.
func TestHeaders(t *testing.T) {
	n := len(asksInitialize)
	for _, header := range []string{
		fmt.Sprintf("Content-Length: %d\r\n", n), fmt.Sprintf("content-length:%d \r\n", n),
		fmt.Sprintf("Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: %d\r\n", n),
		fmt.Sprintf("Content-Length: %d\r\nContent-Type: application/vscode-jsonrpc; charset=utf8\r\nX: y\r\n", n),
	} {
		got, code, err := served(t, header+"\r\n"+asksInitialize)
		if len(got) != 1 || got[0] != `"first" 0` || code != 1 || err != nil {
			t.Errorf("%q: %q, exit code %d, %v", header, got, code, err)
		}
	}
	got, _, err := served(t, fmt.Sprintf("Content-Length: %d\r\nContent-Type: text; charset=utf-16\r\n\r\n%s", n,
		asksInitialize)+framed(asksInitialize))
	if fmt.Sprintf("%q", got) != `["null -32700" "\"first\" 0"]` || err != nil {
		t.Errorf("another encoding: %q, %v", got, err)
	}
	for header, want := range map[string]string{
		"Content-Length: -5\r\n\r\n":                           "no length",
		"Content-Length: +5\r\n\r\n":                           "no length",
		"Content-Length: x\r\n\r\n":                            "no length",
		"Content-Length: 0x10\r\n\r\n":                         "no length",
		"Content-Length: 5 5\r\n\r\n":                          "no length",
		"Content-Length: \r\n\r\n":                             "no length",
		"Content-Length: 99999999999999999999999\r\n\r\n":      "no length",
		"Content-Length: 99999999999\r\n\r\n":                  "are more than",
		"Content-Length: 100\r\n\r\n{":                         "ends after 1 of 100",
		"Content-Length: 5\r\nContent-Length: 6\r\n\r\n123456": "two lengths",
		"Content-Type: a\r\n\r\n{}":                            "without Content-Length",
		"\r\n":                                                 "without Content-Length",
		"Content-Length 5\r\n\r\n12345":                        "no colon",
		"{\"jsonrpc\":\"2.0\"}\r\n\r\n":                        "is no length|no colon|without",
		"Content-Length: 5\n\n12345":                           "does not end with",
		"Content-Length: 5":                                    "ends in a header",
		"Content-Length: 5\r\n":                                "ends in a header",
		"Content-Length: 5\r\n\r":                              "ends in a header",
		"X: " + strings.Repeat("x", 10000):                     "more than 8192 bytes",
		strings.Repeat("X: y\r\n", 5000):                       "more than 8192 bytes",
	} {
		got, code, err := served(t, framed(asksInitialize)+header)
		found := false
		for _, w := range strings.Split(want, "|") {
			found = found || err != nil && strings.Contains(err.Error(), w)
		}
		if !found || code != 1 || len(got) != 1 {
			t.Errorf("%.40q: exit code %d, %v, answers %q; want %q", header, code, err, got, want)
		}
		if _, code, err := served(t, framed(asksInitialize, asksShutdown)+header); code != 1 || err == nil {
			t.Errorf("%.40q after shutdown: exit code %d, %v", header, code, err)
		}
	}
}

func FuzzMessages(f *testing.F) {
	for _, body := range []string{asksInitialize, asksShutdown, "null", `{"jsonrpc":"2.0","id":{},"method":"x"}`,
		`{"jsonrpc":"2.0","id":1,"result":null}`, `[]`} {
		f.Add(framed(body))
	}
	f.Add("Content-Length: 5\r\nContent-Type: a; charset=utf-8\r\n\r\n{}   ")
	f.Fuzz(func(t *testing.T, input string) {
		var out collected
		s := newStream(strings.NewReader(input), &out, func(string, ...any) {})
		var err error
		for err == nil {
			var m any
			if err = s.ReadObject(&m); err == nil {
				o, ok := m.(map[string]any)
				if _, request := o["method"].(string); !ok || o["jsonrpc"] != "2.0" || !request && o["id"] == nil {
					t.Errorf("%v is no message", m)
				}
			}
		}
		if (err == io.EOF) != (s.fault() == nil) {
			t.Errorf("%v, fault %v", err, s.fault())
		}
	})
}
