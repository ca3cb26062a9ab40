package main

import (
	"debug/elf"
	"debug/macho"
	"debug/pe"
	"errors"
	"fmt"
)

// checkHeader says whether the program in a file is one for the target: its format and its machine, and for Linux that it
// is static, for one wheel serves every C library.
func checkHeader(t target, name string) error {
	var machine any
	switch t.os {
	case "linux":
		f, err := elf.Open(name)
		if err != nil {
			return fmt.Errorf("%s: %s: %w", t, name, err)
		}
		defer f.Close()
		for _, p := range f.Progs {
			if p.Type == elf.PT_INTERP {
				return fmt.Errorf("%s: %s is not static", t, name)
			}
		}
		machine = f.Machine
	case "darwin":
		f, err := macho.Open(name)
		if err != nil {
			return fmt.Errorf("%s: %s: %w", t, name, err)
		}
		defer f.Close()
		machine = f.Cpu
	case "windows":
		f, err := pe.Open(name)
		if err != nil {
			return fmt.Errorf("%s: %s: %w", t, name, err)
		}
		defer f.Close()
		machine = f.Machine
	default:
		return errors.New(t.os + ": no such system")
	}
	want := map[string]any{
		"linux/amd64": elf.EM_X86_64, "linux/arm64": elf.EM_AARCH64,
		"darwin/amd64": macho.CpuAmd64, "darwin/arm64": macho.CpuArm64,
		"windows/amd64": uint16(pe.IMAGE_FILE_MACHINE_AMD64), "windows/arm64": uint16(pe.IMAGE_FILE_MACHINE_ARM64),
	}[t.String()]
	if machine != want {
		return fmt.Errorf("%s: %s is for the machine %v, want %v", t, name, machine, want)
	}
	return nil
}
