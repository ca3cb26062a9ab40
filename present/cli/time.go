package cli

// This file says where the time of a command went: --time, as text, as JSON, and as a trace that Perfetto and Chrome open.
//
// Standard output stays what it is without the flag. The table goes to the error stream, as that of clang's -ftime-report and of Go's
// and CPython's profilers of imports do; JSON and a trace go to a file that the flag names, in the form of --output-format FORMAT=FILE,
// or without one to the error stream, in one line, which is its last.

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"shapecheck/internal/atomicfile"
	"shapecheck/internal/columns"
	"shapecheck/internal/safetext"
	"shapecheck/internal/timing"
	"shapecheck/internal/version"
)

// timeFlag is that of commands whose time can be measured.
type timeFlag struct{ specs []string }

func (t *timeFlag) flag(c *cobra.Command) {
	c.Flags().StringArrayVar(&t.specs, "time", nil,
		"say on standard error where the time goes, by phases, modules, functions: text, json or trace (Perfetto); FORMAT=FILE writes to a file; may be repeated")
	c.Flags().Lookup("time").NoOptDefVal = "text"
}

// timeFormats are the forms of what was measured.
var timeFormats = []string{"text", "json", "trace"}

// A measuring is what is measured of a command, and where that is written.
type measuring struct {
	recorder *timing.Recorder
	outs     []output
}

// measure has the time of the command measured, where the flag asks for it. taken are files that the command writes or reads. It returns
// an error for another format, and for a file that cannot be written or has another use.
func (a *app) measure(t *timeFlag, taken ...string) error {
	a.times = nil
	if len(t.specs) == 0 {
		return nil
	}
	m := &measuring{}
	used := map[string]bool{}
	for _, f := range taken {
		if f != "" {
			used[same(f)] = true
		}
	}
	machine, trace := false, false
	for _, s := range t.specs {
		format, file, to := strings.Cut(s, "=")
		if !slices.Contains(timeFormats, format) {
			return fmt.Errorf("--time=%s: expected text, json or trace, or one of them with =FILE", s)
		}
		trace = trace || format == "trace"
		switch {
		case to:
			if err := atomicfile.Check(file); err != nil {
				return fmt.Errorf("--time=%s: %w", s, err)
			}
			if used[same(file)] {
				return fmt.Errorf("--time=%s: the file is not written: it has another use in this command", s)
			}
			used[same(file)] = true
		case format == "trace" && isTerminal(a.err):
			return errors.New("--time=trace: a trace is long: name its file, as in --time=trace=FILE")
		case format != "text" && machine:
			return errors.New("--time: json and trace both go to standard error; give one a file, as in --time=trace=FILE")
		case format != "text":
			machine = true
		}
		m.outs = append(m.outs, output{format, file})
	}
	// What others read goes last.
	slices.SortStableFunc(m.outs, func(x, y output) int { return cmp.Compare(lateness(x), lateness(y)) })
	m.recorder = timing.New(trace)
	a.times = m
	return nil
}

// lateness orders what goes to standard error: what programs read is its last line.
func lateness(o output) int {
	if o.file == "" && o.format != "text" {
		return 1
	}
	return 0
}

// track measures what the command does on its own goroutine; nil where nothing is measured.
func (a *app) track() *timing.Track {
	if a.times == nil {
		return nil
	}
	return a.times.recorder.Main()
}

// printTimes writes what was measured. The error is that of a file.
func (a *app) printTimes() error {
	m := a.times
	if m == nil {
		return nil
	}
	a.times = nil
	r := m.recorder.Report()
	var fault error
	for _, o := range m.outs {
		print := map[string]func(io.Writer, *timing.Report) error{
			"text":  func(w io.Writer, r *timing.Report) error { return printTimeTable(w, r, width(a.err)) },
			"json":  printTimeDocument,
			"trace": printTimeTrace,
		}[o.format]
		if o.file == "" {
			_ = print(a.err, r) // there is nowhere to say that it failed
			continue
		}
		var b bytes.Buffer
		fault = errors.Join(fault, cmp.Or(print(&b, r), atomicfile.Write(o.file, b.Bytes())))
	}
	return fault
}

// tableWidth is the width of the table where the error stream is no terminal.
const tableWidth = 120

// maxTimeLines bounds the lines of the table.
const maxTimeLines = 40

// timeSections are the parts of the table: what a row is called, how often it was met, and how many rows are shown at most.
var timeSections = []struct {
	kind         timing.Kind
	title, count string
	most         int
}{
	{timing.Phase, "phase", "times", 9},
	{timing.Pass, "pass", "times", 9},
	{timing.File, "file", "runs", 5},
	{timing.Entry, "entry", "runs", 6},
	{timing.Module, "module", "imports", 6},
	{timing.Function, "function", "calls", 6},
}

// printTimeTable writes the dearest rows of each kind, in lines of at most so many columns; 0: it is no terminal.
func printTimeTable(w io.Writer, r *timing.Report, width int) error {
	t := &timeTable{unit: time.Millisecond, decimals: 1, name: "ms", report: r, width: cmp.Or(width, tableWidth)}
	if r.Total.Time >= 10*time.Second {
		t.unit, t.decimals, t.name = time.Second, 2, "s"
	}
	head := t.headline()
	lines := len(head)
	kinds := make([][]*timing.Row, len(timeSections))
	shown := make([]int, len(timeSections))
	for i, s := range timeSections {
		list := slices.DeleteFunc(slices.Clone(r.Rows), func(x *timing.Row) bool { return x.Kind != s.kind })
		slices.SortStableFunc(list, func(x, y *timing.Row) int {
			return cmp.Or(cmp.Compare(y.Self.Time, x.Self.Time), cmp.Compare(y.Total.Time, x.Total.Time))
		})
		kinds[i] = list
		if shown[i] = min(len(list), s.most); shown[i] > 0 {
			lines += 1 + shown[i]
		}
	}
	for lines > maxTimeLines {
		shown[slices.Index(shown, slices.Max(shown))]--
		lines--
	}
	for i, s := range timeSections {
		if shown[i] == 0 {
			continue
		}
		title := s.title
		if n := len(kinds[i]); shown[i] < n {
			title = fmt.Sprintf("%s (%d of %d)", title, shown[i], n)
		}
		t.add([]string{"self " + t.name, "total " + t.name, s.count, "steps", "nodes", "bytes"}, title, "")
		for _, x := range kinds[i][:shown[i]] {
			count := x.Count
			if s.count == "runs" {
				count = x.Total.Runs
			}
			place := x.File
			if s.kind == timing.File {
				place = ""
			} else if x.Line > 0 {
				place += ":" + strconv.Itoa(x.Line)
			}
			t.add([]string{t.time(x.Self.Time), t.time(x.Total.Time), short(count), short(x.Self.Steps), short(x.Self.Nodes),
				bytesText(x.Self.Bytes)}, x.Name, place)
		}
	}
	_, err := io.WriteString(w, strings.Join(head, "\n")+"\n"+t.text())
	return err
}

// A timeTable has the unit of times, the width of the lines, and the lines.
type timeTable struct {
	report   *timing.Report
	unit     time.Duration
	decimals int
	name     string
	width    int
	lines    []timeLine
}

// A timeLine has numbers, a name and where it is.
type timeLine struct {
	numbers     []string
	name, place string
}

func (t *timeTable) add(numbers []string, name, place string) {
	if !t.report.BytesByRow {
		numbers = numbers[:len(numbers)-1]
	}
	t.lines = append(t.lines, timeLine{numbers, safetext.Line(name), safetext.Line(place)})
}

// headline says what the process took as a whole.
func (t *timeTable) headline() []string {
	r := t.report
	used := r.Processor
	if used == 0 {
		used = r.Total.Time
	}
	parts := []string{fmt.Sprintf("time: %s %s of processor time, %s %s by the clock", t.time(used), t.name, t.time(r.Clock), t.name)}
	if r.Workers > 1 {
		parts = append(parts, fmt.Sprintf("%d workers", r.Workers))
	}
	parts = append(parts, bytesText(r.Allocated)+" allocated")
	if r.Peak > 0 {
		parts = append(parts, bytesText(r.Peak)+" at most")
	}
	if !r.ByThread {
		parts = append(parts, "rows by the clock")
	}
	if r.Running > 0 {
		parts = append(parts, fmt.Sprintf("without %s that did not end", counted(r.Running, "worker")))
	}
	return columns.Wrap(strings.Join(parts, ", "), t.width)
}

func (t *timeTable) time(d time.Duration) string {
	return strconv.FormatFloat(float64(d)/float64(t.unit), 'f', t.decimals, 64)
}

const (
	// leastName is the room that names have at least before a column of numbers is left out, the last one first.
	leastName = 24
	// leastPlace is the room from which on a place is told behind a name.
	leastPlace = 8
)

// text has the columns of numbers at the left, each as wide as need be, then names and, as far as there is room, places.
func (t *timeTable) text() string {
	var b strings.Builder
	room := t.width - 2
	var widths []int
	for i := range t.lines[0].numbers {
		widest := 0
		for _, l := range t.lines {
			widest = max(widest, len(l.numbers[i]))
		}
		if i > 1 && room-widest-1 < leastName {
			break
		}
		widths = append(widths, widest+1)
		room -= widest + 1
	}
	for _, l := range t.lines {
		for i, n := range widths {
			fmt.Fprintf(&b, "%*s", n, l.numbers[i])
		}
		name, _ := columns.Cut(l.name, room, false)
		b.WriteString("  " + name)
		if left := room - columns.Of(name) - 2; l.place != "" && left >= leastPlace {
			place, _ := columns.Cut(columns.CutPath(l.place, left), left, false)
			b.WriteString("  " + place)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// short is a count in at most five characters; nothing for 0.
func short(n int64) string {
	if n == 0 {
		return ""
	}
	return inUnits(n, 100_000, []string{"", "k", "M", "G", "T", "P", "E"})
}

// bytesText is a number of bytes in at most seven characters; nothing for 0.
func bytesText(n int64) string {
	if n == 0 {
		return ""
	}
	return inUnits(n, 10_000, []string{" B", " kB", " MB", " GB", " TB", " PB", " EB"})
}

// inUnits writes a number below the given one with the first of the units, each a thousand times the one before, with which it is.
func inUnits(n, below int64, units []string) string {
	i := 0
	for ; n >= below && i < len(units)-1; i++ {
		n = (n + 500) / 1000
	}
	return strconv.FormatInt(n, 10) + units[i]
}

// timeVersion is that of the document.
const timeVersion = 1

// A timeDocument is what --time=json writes. Lists are in the order of files, lines and names.
type timeDocument struct {
	Version int `json:"version"`
	// Clock is thread, or wall where the times of rows are those of the clock.
	Clock      string  `json:"clock"`
	Workers    int     `json:"workers"`
	Processors int     `json:"processors"`
	Elapsed    float64 `json:"elapsed_ms"`
	// Processor is what the process used, 0 where that is not measured.
	Processor float64     `json:"processor_ms"`
	Allocated int64       `json:"allocated_bytes"`
	Peak      int64       `json:"peak_bytes"`
	Total     timeAmounts `json:"total"`
	// Running is how many workers had not ended, whose rows are not here.
	Running   int       `json:"running,omitempty"`
	Phases    []timeRow `json:"phases"`
	Passes    []timeRow `json:"passes"`
	Files     []timeRow `json:"files"`
	Entries   []timeRow `json:"entries"`
	Modules   []timeRow `json:"modules"`
	Functions []timeRow `json:"functions"`
}

type timeRow struct {
	Name  string      `json:"name"`
	File  string      `json:"file,omitempty"`
	Line  int         `json:"line,omitempty"`
	Count int64       `json:"count"`
	Self  timeAmounts `json:"self"`
	Total timeAmounts `json:"total"`
}

type timeAmounts struct {
	Time  float64 `json:"ms"`
	Steps int64   `json:"steps"`
	Nodes int64   `json:"nodes"`
	Runs  int64   `json:"runs"`
	// Bytes is nil where several workers ran.
	Bytes *int64 `json:"bytes,omitempty"`
}

// inMilliseconds is a duration in milliseconds, to a microsecond.
func inMilliseconds(d time.Duration) float64 { return math.Round(float64(d)/1e3) / 1e3 }

func amountsOf(a timing.Amounts, r *timing.Report) timeAmounts {
	out := timeAmounts{Time: inMilliseconds(a.Time), Steps: a.Steps, Nodes: a.Nodes, Runs: a.Runs}
	if r.BytesByRow {
		out.Bytes = &a.Bytes
	}
	return out
}

func (d *timeDocument) list(k timing.Kind) *[]timeRow {
	return [...]*[]timeRow{timing.Phase: &d.Phases, timing.Pass: &d.Passes, timing.File: &d.Files, timing.Entry: &d.Entries,
		timing.Module: &d.Modules, timing.Function: &d.Functions}[k]
}

// clockName is the clock of rows.
func clockName(r *timing.Report) string {
	if r.ByThread {
		return "thread"
	}
	return "wall"
}

// printTimeDocument writes all rows as JSON, in one line.
func printTimeDocument(w io.Writer, r *timing.Report) error {
	d := &timeDocument{Version: timeVersion, Clock: clockName(r), Workers: r.Workers, Processors: r.Processors, Elapsed: inMilliseconds(r.Clock),
		Processor: inMilliseconds(r.Processor), Allocated: r.Allocated, Peak: r.Peak, Total: amountsOf(r.Total, r), Running: r.Running}
	for _, s := range timeSections {
		*d.list(s.kind) = []timeRow{}
	}
	for _, x := range r.Rows {
		list := d.list(x.Kind)
		*list = append(*list, timeRow{x.Name, x.File, x.Line, x.Count, amountsOf(x.Self, r), amountsOf(x.Total, r)})
	}
	return json.NewEncoder(w).Encode(d)
}

// A traceEvent is one of the Chrome trace-event format. Times are in microseconds.
type traceEvent struct {
	Name     string      `json:"name"`
	Category string      `json:"cat,omitempty"`
	Phase    string      `json:"ph"`
	Process  int         `json:"pid"`
	Thread   int         `json:"tid"`
	Begin    json.Number `json:"ts"`
	Duration json.Number `json:"dur,omitempty"`
	// Worked is the processor time.
	Worked json.Number    `json:"tdur,omitempty"`
	Args   map[string]any `json:"args,omitempty"`
}

// microseconds is a duration in microseconds, exactly.
func microseconds(d time.Duration) json.Number {
	return json.Number(fmt.Sprintf("%d.%03d", d/time.Microsecond, d%time.Microsecond))
}

// printTimeTrace writes single spans as a trace, in one line.
func printTimeTrace(to io.Writer, r *timing.Report) error {
	w := bufio.NewWriter(to)
	w.WriteString(`{"traceEvents":[`)
	first := true
	var fault error
	put := func(e traceEvent) {
		if !first {
			w.WriteByte(',')
		}
		first = false
		e.Process, e.Thread = 1, e.Thread+1
		data, err := json.Marshal(e)
		fault = cmp.Or(fault, err)
		w.Write(data)
	}
	put(traceEvent{Name: "process_name", Phase: "M", Begin: "0", Args: map[string]any{"name": "shapecheck"}})
	last := -1
	for _, e := range r.Events {
		if e.Track != last {
			last = e.Track
			name := "main"
			if last > 0 {
				name = fmt.Sprintf("worker %d", last)
			}
			put(traceEvent{Name: "thread_name", Phase: "M", Thread: last, Begin: "0", Args: map[string]any{"name": name}})
		}
		args := map[string]any{}
		for name, n := range map[string]int64{"steps": e.Spent.Steps, "nodes": e.Spent.Nodes, "runs": e.Spent.Runs, "line": int64(e.Line)} {
			if n != 0 {
				args[name] = n
			}
		}
		if r.BytesByRow {
			args["bytes"] = e.Spent.Bytes
		}
		if e.File != "" {
			args["file"] = e.File
		}
		put(traceEvent{Name: e.Name, Category: e.Kind.String(), Phase: "X", Thread: last, Begin: microseconds(e.Begin),
			Duration: microseconds(e.Duration), Worked: microseconds(e.Spent.Time), Args: args})
	}
	other, err := json.Marshal(map[string]any{"producer": "shapecheck " + version.String(), "clock": clockName(r), "most_events": timing.MaxEvents,
		"left_out": r.LeftOut, "left_out_shorter_than_us": microseconds(r.Shortest)})
	fmt.Fprintf(w, "],\"displayTimeUnit\":\"ms\",\"otherData\":%s}\n", other)
	return cmp.Or(fault, err, w.Flush())
}
