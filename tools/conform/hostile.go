package main

// This file checks hostile programs, each in a process of its own.

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"time"

	"shapecheck/tools/conformance/hostile"
)

// hostilePrograms runs generated programs, and files, with a limit of a second and the default limit of memory.
func hostilePrograms(args []string) {
	fs := flag.NewFlagSet("hostile", flag.ExitOnError)
	program := fs.String("program", "shapecheck", "the `file` of the command")
	sample := fs.Int("sample", 150, "how many of the generated programs are run; 0: all")
	seed := fs.Uint64("seed", 1, "which of them")
	only := fs.String("only", "", "a regular expression on the programs' names")
	files := fs.String("files", "", "a `folder` of programs that are run, too")
	keep := fs.String("keep", "", "a `folder` to which the programs that fail are written")
	verbose := fs.Bool("v", false, "print every program")
	if err := fs.Parse(args); err != nil {
		os.Exit(2)
	}
	fail := func(err error) {
		fmt.Fprintln(os.Stderr, "hostile:", err)
		os.Exit(2)
	}
	name, err := regexp.Compile(*only)
	if err != nil {
		fail(err)
	}
	command, err := filepath.Abs(*program)
	if err != nil {
		fail(err)
	}
	var programs []hostile.Program
	for _, p := range hostile.Programs() {
		if name.MatchString(p.Name) {
			programs = append(programs, p)
		}
	}
	if *sample > 0 {
		programs = hostile.Sample(programs, *sample, *seed)
	}
	if *files != "" {
		more, err := hostile.Files(*files)
		if err != nil {
			fail(err)
		}
		for _, p := range more {
			if name.MatchString(p.Name) {
				programs = append(programs, p)
			}
		}
	}
	limits := hostile.Limits{CPU: 3 * time.Second, Memory: 512 << 20}
	runs := make([]hostile.Run, len(programs))
	next := make(chan int)
	var wg sync.WaitGroup
	var lock sync.Mutex
	for range runtime.NumCPU() {
		wg.Go(func() {
			for i := range next {
				r, err := programs[i].Check(command, []string{"--timeout", "1s"}, limits)
				if err != nil {
					fail(err)
				}
				runs[i] = r
				lock.Lock()
				if *verbose || r.Fault != "" {
					fmt.Printf("%s: %.2f s, %d MB %s\n", r.Name, r.CPU.Seconds(), r.Memory>>20, r.Fault)
				}
				lock.Unlock()
			}
		})
	}
	for i := range programs {
		next <- i
	}
	close(next)
	wg.Wait()
	failed, cpu, memory := 0, time.Duration(0), int64(0)
	for i, r := range runs {
		cpu, memory = max(cpu, r.CPU), max(memory, r.Memory)
		if r.Fault == "" {
			continue
		}
		failed++
		if *keep != "" {
			if err := os.WriteFile(filepath.Join(*keep, fmt.Sprintf("%d_%s.py", i, strings.Map(fileRune, r.Name))), []byte(r.Text()),
				0o666); err != nil {
				fail(err)
			}
		}
	}
	fmt.Printf("%d hostile programs, %d failed, at most %.1f s and %d MB\n", len(runs), failed, cpu.Seconds(), memory>>20)
	if failed > 0 || len(runs) == 0 {
		os.Exit(1)
	}
}

// fileRune makes a name of a program that of a file.
func fileRune(r rune) rune {
	if strings.ContainsRune("/ '\\*_", r) {
		return '_'
	}
	return r
}
