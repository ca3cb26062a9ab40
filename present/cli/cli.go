// Package cli is the command line: one file for each subcommand. Run is the way
// in; it returns the exit code: 0 clean, 1 findings, 2 usage or input error,
// 101 internal error.
//
//	the program        cli.go: the list of commands
//	checks             check.go; paths.go: what is found in files; initproject.go: as a configuration;
//	                   project.go shard.go mergeresults.go newsince.go: projects; watch.go cache.go: again and again
//	what they print    output.go: the formats; agentformat.go html.go statistics.go addignores.go contract.go summary.go; terminal.go progress.go
//	                   stream.go: of many files or entries, as they end; listing.go: their rows; ending.go: their sum
//	                   interface.go: what users of entries can see
//	fixes              fix.go
//	what is not said   guess.go, commandline.go: commands with it
//	shared flags       config.go pyenv.go filter.go limits.go weights.go attributes.go; time.go: where the time goes
//	ONNX models        export.go infer.go; verify.go: runs of what was written
//	programs           compile.go run.go test.go asm.go; model.go: of whatever a command line names;
//	                   observe.go: what is seen of a run; bounds.go: its memory and time; bisect.go: which step makes a difference;
//	                   compare.go runreport.go: with what is recorded, and as JSON
//	two models         comparemodels.go: whether they are the same; diff.go: at two revisions
//	test suites        pytest.go; suiteoutput.go: what it prints
//	several calls      trace.go: what a tracer would keep
//	slips and help     misspelt.go: what a word was meant to be; help.go: flags and commands in groups
//	editors            lsp.go; explain.go: what a hover shows, as a command
//	open numbers       solve.go
//	false alarms       report.go: a small program that has a finding
//	agents             mcp.go
//	signals            interrupt.go interrupt_signals.go interrupt_js.go
//	single stages      ast.go graph.go
//	codes explained    rule.go
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"shapecheck/check"
	"shapecheck/infer"
	"shapecheck/internal/reads"
	"shapecheck/internal/safetext"
	"shapecheck/internal/version"
)

// An app holds the streams and the outcome of one command line. What it writes to
// out and err is made safe on the way.
type app struct {
	in       io.Reader
	out, err *safetext.Writer
	code     int
	// ctx ends the work; who works asks context for it.
	ctx     context.Context
	signals *signals
	// cutSaid says that it was said how far an interrupted run was.
	cutSaid bool
	args    []string // the command line
	// statistics says that text is counts of codes alone.
	statistics bool
	// jsonVersion is that of JSON documents; 0: the newest.
	jsonVersion int
	// noProgress says that a terminal does not show how far the work is.
	noProgress bool
	// noStepSummary says that nothing is appended to the summary of a job of GitHub Actions.
	noStepSummary bool
	// instead, if it is set, does something else with findings than to print them.
	instead func(*findings) error
	// While the program waits for changes, reads is what the check looked at, and
	// parsed keeps the files that did not change.
	reads  *reads.Log
	parsed *infer.Cache
	// times is what is measured of the command; nil: nothing is.
	times *measuring
}

// Run runs a command line (without the program's name).
func Run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return start(&app{}, args, stdin, stdout, stderr)
}

// start runs a command line in a new app.
func start(a *app, args []string, stdin io.Reader, stdout, stderr io.Writer) (code int) {
	defer func() {
		if r := recover(); r != nil {
			fmt.Fprintf(stderr, "shapecheck: internal error: %s\n%s", safetext.Lines(fmt.Sprint(r)), debug.Stack())
			code = check.ExitInternal
		}
	}()
	a.in, a.out, a.err = stdin, safetext.NewWriter(stdout), safetext.NewWriter(stderr)
	allowStyle(a.err)
	return a.run(args)
}

// run runs a command line in a.
func (a *app) run(args []string) int {
	a.code, a.args = check.ExitClean, args
	if a.ctx == nil {
		a.ctx = context.Background()
	}
	root := a.root(args)
	line := check.ScriptArgs(args, root.Flags(), openSource)
	for _, flag := range line.Given {
		a.say("note: %s is given to the script; our flags stand before FILE, or before a -- that the script's arguments follow", flag)
	}
	root.SetArgs(line.Words)
	root.SetIn(a.in)
	// Help and completions are our own text, and the latter have tabs.
	root.SetOut(a.out.To())
	root.SetErr(a.err.To())
	err := a.interrupted(misspelt(root.Execute(), args, root))
	if werr := a.out.Flush(); werr != nil && !errors.Is(err, werr) {
		err = errors.Join(err, fmt.Errorf("standard output: %w", werr))
	}
	if err == nil {
		err = a.printTimes()
	}
	if err != nil {
		a.say("shapecheck: %v", err)
		a.code = check.ExitUsage
	}
	_ = a.err.Flush() // there is nowhere to say that it failed
	return a.code
}

// say writes a message to the error stream. What it is about may be colours, too,
// which are not ours.
func (a *app) say(format string, args ...any) {
	fmt.Fprintln(a.err, safetext.Indented(fmt.Sprintf(format, args...), "    "))
}

// A command is one beside the plain check, by name.
type command struct {
	name string
	make func(*app) *cobra.Command
}

func commands() []command {
	return []command{
		{"check", (*app).checkCommand},
		{"init", (*app).initCommand},
		{"add-ignores", (*app).addIgnoresCommand},
		{"diff", (*app).diffCommand},
		{"graph", (*app).graphCommand},
		{"ast", (*app).astCommand},
		{"lsp", (*app).lspCommand},
		{"rule", (*app).ruleCommand},
		{"export", (*app).exportCommand},
		{"infer", (*app).inferCommand},
		{"merge", (*app).mergeCommand},
		{"compile", (*app).compileCommand},
		{"asm", (*app).asmCommand},
		{"disasm", (*app).disasmCommand},
		{"run", (*app).runCommand},
		{"test", (*app).testCommand},
		{"trace", (*app).traceCommand},
		{"compare", (*app).compareCommand},
		{"pytest", (*app).pytestCommand},
		{"explain", (*app).explainCommand},
		{"solve", (*app).solveCommand},
		{"mcp", (*app).mcpCommand},
		{"summary", (*app).summaryCommand},
		{"report", (*app).reportCommand},
		{"version", (*app).versionCommand},
	}
}

// Command is the command with all that are below it, for manual pages and completions; it is
// not run.
func Command() *cobra.Command { return (&app{}).root([]string{"help"}) }

// root makes the command of a command line. Most are a plain check, which is spared
// the making of all other commands with their flags.
func (a *app) root(args []string) *cobra.Command {
	c := a.checkCommand()
	c.Use = "shapecheck [FILE] [flags]"
	a.versionFlag(c)
	c.SilenceErrors, c.SilenceUsage = true, true
	a.grouped(c)
	if slices.ContainsFunc(args, concernsCommands) {
		named := func(d command) bool { return len(args) > 0 && d.name == args[0] }
		all := commands()
		if i := slices.IndexFunc(all, named); i >= 0 { // no other one runs or is listed
			all = all[i : i+1]
		}
		for _, d := range all {
			c.AddCommand(d.make(a))
		}
	}
	return c
}

// versionFlag gives a command that takes any arguments the flag --version. Cobra's own makes its text
// of a template, and who uses text/template links every method of the program.
func (a *app) versionFlag(c *cobra.Command) {
	asked := c.Flags().Bool("version", false, "version for shapecheck")
	run := c.RunE
	c.RunE = func(c *cobra.Command, list []string) error {
		if *asked {
			return a.printVersion()
		}
		return run(c, list)
	}
}

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version, as --version does",
		Args:  cobra.NoArgs,
		RunE:  func(*cobra.Command, []string) error { return a.printVersion() },
	}
}

func (a *app) printVersion() error {
	_, err := fmt.Fprintf(a.out, "shapecheck %s\n", version.Long())
	return err
}

// concernsCommands reports whether an argument may name a command, or ask for their list.
func concernsCommands(arg string) bool {
	return slices.ContainsFunc(commands(), func(d command) bool { return d.name == arg }) ||
		arg == "help" || arg == "-h" || strings.HasPrefix(arg, "--help") || arg == "completion" ||
		strings.HasPrefix(arg, cobra.ShellCompRequestCmd)
}

// target are the flags that say what to run.
type target struct {
	check.Target
	limits   limits
	contract string
	// attributes is the file of --attributes; empty: none.
	attributes string
	// noGuess says that what the command line does not say is not guessed.
	noGuess bool
	// command is the one whose flags they are.
	command *cobra.Command
}

func (t *target) flags(c *cobra.Command) {
	t.command = c
	t.Flags(c.Flags())
	c.Flags().StringVar(&t.attributes, "attributes", "",
		"a file, .json or .npz, of attributes and parameters of the entry's object that only a running program knows")
	c.Flags().BoolVar(&t.noGuess, "no-guess", false, "choose no entry and no arguments: say what would be chosen, and end")
	t.limits.flags(c)
}

// resolve completes the target from the positional arguments.
func (t *target) resolve(args []string, script bool) (err error) {
	t.Run.Ahead = true
	if script && t.attributes != "" {
		return errors.New("--attributes needs an entry: a script has none")
	}
	if t.Run.Attributes, err = readAttributes(t.attributes); err != nil {
		return err
	}
	if err := t.findEnvironment(); err != nil {
		return err
	}
	if err := wrongCommand(args, script); err != nil {
		return err
	}
	if err := t.Resolve(args, script); errors.Is(err, check.ErrNoFile) {
		return fmt.Errorf("%w, and no shapecheck.toml or pyproject.toml with [tool.shapecheck] found; try: shapecheck FILE --arg 'x:f32[B,3,H,W]'", err)
	} else if err != nil {
		return err
	}
	for _, r := range t.Run.Roots {
		info, err := os.Stat(r)
		if err != nil || !info.IsDir() {
			return fmt.Errorf("--path %s: no such directory", r)
		}
	}
	for _, r := range t.Run.Stubs {
		if info, err := os.Stat(r); err != nil || !info.IsDir() {
			return fmt.Errorf("--stubs %s: no such directory", r)
		}
	}
	return nil
}
