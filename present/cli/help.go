package cli

// This file prints the help of commands: flags in groups, each with an example, and commands in
// groups. Cobra's own help lists all flags by the alphabet, which for more than fifty is no help.
// The groups are by purpose instead, and -h shows only the first of them.

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"shapecheck/internal/safetext"
)

// A flagGroup is a part of a help text. Its flags are in the order in which they are shown. example
// is a whole command line, printed below the group.
type flagGroup struct {
	title, example string
	flags          []string
}

// flagGroups are those of all commands; a flag that none has is of its command alone. -h shows the
// first shortGroups. A test checks that each flag in a group exists.
var flagGroups = []flagGroup{
	{"What to check", "shapecheck net.py --entry 'Net(10)' --arg 'x:f32[B,3,H,W]'", []string{
		"entry", "arg", "call", "eval", "assume", "set", "attributes", "module", "script", "path", "stubs", "stdin-filename", "shard", "explore",
		"arg-first", "arg-second", "map", "no-guess"}},
	{"Environment and project", "shapecheck src --python .venv", []string{
		"python", "python-version", "torch-version", "numpy-version", "device", "config", "no-config"}},
	{"Output", "shapecheck . --output-format github --output-format html=report.html", []string{
		"output-format", "output", "types", "all", "statistics", "verbose", "quiet", "notation", "json-version", "interface", "no-progress",
		"no-step-summary"}},
	{"Findings", "shapecheck . --ignore SC4 --baseline known.json", []string{
		"select", "ignore", "strict", "min-typed", "baseline", "write-baseline", "new-since", "exit-zero"}},
	{"Fixes", "shapecheck net.py --fix --unsafe-fixes --diff", []string{"fix", "unsafe-fixes", "diff", "fix-comments"}},
	{"Limits, time, cache and watching", "shapecheck . --timeout 1m --cache --time", []string{
		"timeout", "budget", "jobs", "max-memory", "max-process-memory", "max-steps", "time", "cache", "no-cache", "watch"}},
	{"Cost and contract", "shapecheck net.py --summary --at B=1,H=224,W=224", []string{"contract", "summary", "at", "depth"}},
	{"Weights", "shapecheck net.py --weights model.safetensors", []string{"weights", "weights-key", "convert-weights", "init"}},
}

// These are what most calls need.
const shortGroups = 3

// A commandGroup is a part of the list of commands.
type commandGroup struct {
	title string
	names []string
}

// Commands that are in no group are not listed.
var commandGroups = []commandGroup{
	{"Check", []string{"check", "pytest", "init", "diff", "add-ignores", "merge", "trace"}},
	{"Use", []string{"summary", "explain", "solve", "rule", "report", "lsp", "mcp", "graph", "ast"}},
	{"ONNX and programs", []string{"export", "infer", "run", "test", "compile", "asm", "disasm", "compare"}},
	{"Tools", []string{"completion", "help", "version"}},
}

// grouped gives a command, and those below it, help in groups. It is set on the root, from which
// all commands inherit it.
func (a *app) grouped(c *cobra.Command) {
	// -h is read from the arguments, as cobra gives both forms alike.
	c.SetHelpFunc(func(c *cobra.Command, _ []string) {
		var b strings.Builder
		printHelp(&b, c, slices.Contains(a.args, "-h"))
		_, _ = a.out.Write([]byte(b.String())) // who writes the rest of the output reports its errors
	})
}

// printHelp writes the help of a command; of a long list of flags short shows the first groups. c
// without a long text shows its short one.
func printHelp(b *strings.Builder, c *cobra.Command, short bool) {
	text := c.Long
	if text == "" {
		text = c.Short
	}
	fmt.Fprintf(b, "%s\n\nUsage:\n", text)
	// The root command checks paths itself, so its usage is not cobra's.
	if c.HasAvailableSubCommands() {
		fmt.Fprintf(b, "  shapecheck [FILE | PATH…] [options]\n  shapecheck COMMAND [options]\n\nExamples:\n")
		for _, e := range []string{"shapecheck .", "shapecheck net.py", flagGroups[0].example} {
			fmt.Fprintf(b, "  %s\n", e)
		}
		printCommands(b, c)
	} else {
		fmt.Fprintf(b, "  %s\n", strings.ReplaceAll(c.UseLine(), "[flags]", "[options]"))
	}
	c.InitDefaultHelpFlag()
	// left has the flags that no group has had yet.
	left := map[string]*pflag.Flag{}
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			left[f.Name] = f
		}
	})
	hidden := 0
	for i, g := range flagGroups {
		set := pflag.NewFlagSet("", pflag.ContinueOnError)
		set.SortFlags = false
		// n counts those flags of the group that the command has; a group of none is not shown.
		n := 0
		for _, name := range g.flags {
			if f := left[name]; f != nil {
				set.AddFlag(f)
				delete(left, name)
				n++
			}
		}
		if short && i >= shortGroups {
			hidden += n
			continue
		}
		if n > 0 {
			printGroup(b, g.title, set)
			if c.HasAvailableSubCommands() || c.Name() == "check" {
				fmt.Fprintf(b, "  Example: %s\n", g.example)
			}
		}
	}
	// What is left is the command's own.
	set := pflag.NewFlagSet("", pflag.ContinueOnError)
	for _, f := range left {
		set.AddFlag(f)
	}
	title := "Options of " + c.Name()
	if c.HasAvailableSubCommands() || c.Name() == "check" {
		title = "Others"
	}
	printGroup(b, title, set)
	if hidden > 0 {
		fmt.Fprintf(b, "\n%d more options: %s --help\n", hidden, c.CommandPath())
	}
	if c.HasAvailableSubCommands() {
		b.WriteString("\nThe options of a command: shapecheck COMMAND --help\n")
	}
}

func printGroup(b *strings.Builder, title string, set *pflag.FlagSet) {
	fmt.Fprintf(b, "\n%s:\n%s", title, set.FlagUsagesWrapped(helpWidth))
}

// helpWidth is where lines of help break.
const helpWidth = 118

// printCommands lists the commands below c in their groups. Names are aligned over all groups.
func printCommands(b *strings.Builder, c *cobra.Command) {
	byName, longest := map[string]*cobra.Command{}, 0
	for _, d := range c.Commands() {
		if d.IsAvailableCommand() || d.Name() == "help" {
			byName[d.Name()] = d
			longest = max(longest, len(d.Name()))
		}
	}
	for _, g := range commandGroups {
		fmt.Fprintf(b, "\nCommands: %s\n", g.title)
		for _, name := range g.names {
			if d := byName[name]; d != nil {
				fmt.Fprintf(b, "  %-*s  %s\n", longest, name, safetext.Line(d.Short))
			}
		}
	}
}
