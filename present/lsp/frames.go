package lsp

// This file reads and writes the messages of a stream: a header with Content-Length and a body in JSON. A body that is no
// message of JSON-RPC 2.0, as the Language Server Protocol 3.17 has it, is answered with an error, and the next one is read;
// a header that does not say where the body ends is the end of the stream.

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/sourcegraph/jsonrpc2"
)

// Limits of messages. Both bound what a client that does not keep to the protocol can make the
// server allocate.
const (
	maxBody   = 256 << 20
	maxHeader = 8 << 10 // of all lines of a header
)

// A stream is a jsonrpc2.ObjectStream. The ids of requests are their JSON texts there, so that an
// answer has the same id. in is read by one goroutine alone; writes come from many and are one at a
// time.
type stream struct {
	in  *bufio.Reader
	out io.WriteCloser
	log func(format string, args ...any)

	writing sync.Mutex

	mu     sync.Mutex
	broken error // why reading ended, if not between two messages
}

// fault is why reading ended where it should not have; nil: it did not.
func (s *stream) fault() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.broken
}

// The stream owns out and closes it.
func newStream(in io.Reader, out io.WriteCloser, log func(format string, args ...any)) *stream {
	return &stream{in: bufio.NewReader(in), out: out, log: log}
}

// WriteObject writes a message. It returns an error where x cannot be encoded, or where the output cannot be written.
func (s *stream) WriteObject(x any) error {
	data, err := json.Marshal(x)
	if err != nil {
		return err
	}
	s.writing.Lock()
	defer s.writing.Unlock()
	_, err = s.out.Write(append(fmt.Appendf(nil, "Content-Length: %d\r\n\r\n", len(data)), data...))
	return err
}

// Close closes what is written: the reader is the program's input, and who waits for it cannot be woken. The error is
// that of the output.
func (s *stream) Close() error { return s.out.Close() }

// ReadObject reads the next message that is one. It returns io.EOF at the end of the input between two messages, and an
// error where a header is invalid or the input ends within a message, which ends the stream, where an answer to an
// invalid message cannot be written, or where the message does not have the form of x.
func (s *stream) ReadObject(x any) error {
	for {
		body, charset, err := s.frame()
		if err != nil {
			// Why it ended is kept, since the connection only says that it is closed.
			if err != io.EOF {
				s.mu.Lock()
				s.broken = err
				s.mu.Unlock()
			}
			return err
		}
		text, refusal := message(body, charset)
		switch {
		case refusal != nil:
			s.log("refused: %s", refusal.Error.Message)
			if err := s.WriteObject(refusal); err != nil {
				return err
			}
		case text == nil:
			s.log("an answer to no request is ignored")
		default:
			return json.Unmarshal(text, x)
		}
	}
}

// frame reads a body and what the header says of its encoding. io.EOF is the end between two
// messages. Lines other than Content-Length and Content-Type are ignored, as headers that a later
// version may add.
func (s *stream) frame() (body []byte, charset string, err error) {
	length, left := -1, maxHeader
	for first := true; ; first = false {
		line, err := s.line(&left)
		if err != nil {
			if err == io.EOF && (!first || line != "") {
				err = errors.New("the input ends in a header")
			}
			return nil, "", err
		}
		if line == "" {
			break
		}
		name, value, ok := strings.Cut(line, ":")
		if !ok {
			return nil, "", fmt.Errorf("the line %.100q of a header has no colon", line)
		}
		value = strings.Trim(value, " \t")
		switch strings.ToLower(name) {
		case "content-length":
			n, err := strconv.ParseUint(value, 10, 64)
			// ParseUint takes no sign but a plus; the protocol has none.
			if err != nil || strings.HasPrefix(value, "+") {
				return nil, "", fmt.Errorf("Content-Length: %.100q is no length", value)
			}
			if n > maxBody {
				return nil, "", fmt.Errorf("Content-Length: %d bytes are more than %d", n, maxBody)
			}
			if length >= 0 && length != int(n) {
				return nil, "", fmt.Errorf("two lengths, %d and %d, in a header", length, n)
			}
			length = int(n)
		case "content-type":
			for param := range strings.SplitSeq(value, ";") {
				if k, v, _ := strings.Cut(strings.TrimSpace(param), "="); strings.EqualFold(k, "charset") {
					charset = strings.Trim(v, `"`)
				}
			}
		}
	}
	if length < 0 {
		return nil, "", errors.New("a header without Content-Length")
	}
	// What is there is read piece by piece: a length alone takes no memory.
	var b bytes.Buffer
	if n, err := io.CopyN(&b, s.in, int64(length)); err == io.EOF {
		return nil, "", fmt.Errorf("the input ends after %d of %d bytes of a body", n, length)
	} else if err != nil {
		return nil, "", err
	}
	return b.Bytes(), charset, nil
}

// line reads a line of a header, without its end; left is how long the header may still be. At the end of the input it gives what
// there was. A line that ends without \r\n is an error, as Content-Length then counts from an
// unknown place.
func (s *stream) line(left *int) (string, error) {
	var line []byte
	for {
		c, err := s.in.ReadByte()
		if err != nil {
			return string(line), err
		}
		if *left--; *left < 0 {
			return "", fmt.Errorf("a header of more than %d bytes", maxHeader)
		}
		if c == '\n' {
			text, ok := strings.CutSuffix(string(line), "\r")
			if !ok {
				return "", errors.New(`a line of a header does not end with \r\n`)
			}
			return text, nil
		}
		line = append(line, c)
	}
}

// A response answers a request. Result and Error exclude each other.
type response struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *jsonrpc2.Error `json:"error,omitempty"`
}

// A request whose id is not known is answered with the id null, as JSON-RPC has it.
func failed(id json.RawMessage, err *jsonrpc2.Error) *response {
	if id == nil {
		id = json.RawMessage("null")
	}
	return &response{Version: "2.0", ID: id, Error: err}
}

// message checks a body. It gives the message in the form in which the connection takes it; nil: there is nothing to do. What
// is no message has a refusal. Numbers and spaces of params stay as they were sent: they are passed
// on as raw JSON.
func message(body []byte, charset string) (text []byte, refusal *response) {
	refuse := func(code int64, id json.RawMessage, why string) ([]byte, *response) {
		return nil, failed(id, &jsonrpc2.Error{Code: code, Message: why})
	}
	// The protocol allows utf-8 alone, and utf8 for old clients.
	if charset != "" && !strings.EqualFold(charset, "utf-8") && !strings.EqualFold(charset, "utf8") {
		return refuse(jsonrpc2.CodeParseError, nil, fmt.Sprintf("the encoding %q of a message: UTF-8 is read", charset))
	}
	if !utf8.Valid(body) {
		return refuse(jsonrpc2.CodeParseError, nil, "the message is not UTF-8")
	}
	// A first pass finds the kind, as decoding into a map reports an array in another way.
	var value json.RawMessage
	if err := json.Unmarshal(body, &value); err != nil {
		return refuse(jsonrpc2.CodeParseError, nil, "the message is not JSON: "+err.Error())
	}
	if value[0] == '[' {
		return refuse(jsonrpc2.CodeInvalidRequest, nil, "the protocol has no batches: send one message at a time")
	}
	if value[0] != '{' {
		return refuse(jsonrpc2.CodeInvalidRequest, nil, "the message is no object")
	}
	var m map[string]json.RawMessage
	if err := json.Unmarshal(value, &m); err != nil {
		return refuse(jsonrpc2.CodeParseError, nil, "the message is not JSON: "+err.Error())
	}
	// The id is echoed in refusals as far as it is known.
	id, known := idOf(m["id"])
	echo := json.RawMessage(nil)
	if known {
		echo = json.RawMessage(id.Str)
	}
	if string(m["jsonrpc"]) != `"2.0"` {
		return refuse(jsonrpc2.CodeInvalidRequest, echo, `jsonrpc is not "2.0"`)
	}
	// What has no method is an answer.
	_, request := m["method"]
	if !request {
		return answer(m)
	}
	if m["id"] != nil && !known {
		return refuse(jsonrpc2.CodeInvalidRequest, nil, "the id is neither an integer nor a string")
	}
	var name string
	if m["method"][0] != '"' || json.Unmarshal(m["method"], &name) != nil {
		return refuse(jsonrpc2.CodeInvalidRequest, echo, "the method is no string")
	}
	out := map[string]any{"jsonrpc": "2.0", "method": name}
	// params: null is the same as none, which the connection would refuse.
	if p := m["params"]; p != nil && string(p) != "null" {
		if p[0] != '{' && p[0] != '[' {
			return refuse(jsonrpc2.CodeInvalidRequest, echo, "params are neither an object nor an array")
		}
		out["params"] = p
	}
	if known {
		out["id"] = id.Str
	}
	return marshal(out), nil
}

// answer checks a message without a method: the answer to a request of the server, whose ids are
// numbers. An answer to an id that the server did not use is nil: it is ignored. One with neither
// result nor error is refused.
func answer(m map[string]json.RawMessage) (text []byte, refusal *response) {
	_, result := m["result"]
	if !result && m["error"] == nil {
		id, known := idOf(m["id"])
		if !known {
			id.Str = "null"
		}
		return nil, failed(json.RawMessage(id.Str), &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidRequest, Message: "the message has no method"})
	}
	var id uint64
	if json.Unmarshal(m["id"], &id) != nil || string(m["id"]) == "null" {
		return nil, nil
	}
	out := map[string]any{"jsonrpc": "2.0", "id": id}
	// An error that does not have the form of one still ends the request that it answers.
	if e := m["error"]; e != nil && string(e) != "null" {
		var said jsonrpc2.Error
		if json.Unmarshal(e, &said) != nil {
			said.Message = "an error that is none of JSON-RPC"
		}
		out["error"] = said
	} else {
		out["result"] = m["result"]
		if m["result"] == nil {
			out["result"] = nil
		}
	}
	return marshal(out), nil
}

// marshal panics where x is not JSON, which cannot be for what was decoded.
func marshal(x any) []byte {
	b, err := json.Marshal(x)
	if err != nil { // all of it was JSON
		panic(err)
	}
	return b
}

// idOf is a request's id, an integer or a string, in the connection's form: its JSON text; false:
// it is none of these. A number with a fraction or exponent is none, although JSON-RPC only advises
// against it.
func idOf(raw json.RawMessage) (id jsonrpc2.ID, ok bool) {
	var s string
	switch {
	case len(raw) == 0:
		return id, false
	case raw[0] == '"' && json.Unmarshal(raw, &s) == nil:
		return jsonrpc2.ID{Str: string(marshal(s)), IsString: true}, true
	case raw[0] == '-' || raw[0] >= '0' && raw[0] <= '9':
		return jsonrpc2.ID{Str: string(raw), IsString: true}, !bytes.ContainsAny(raw, ".eE")
	}
	return id, false
}
