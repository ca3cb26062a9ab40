//go:build !js

package cli

// This file lists the signals that end the program.

import "syscall"

var ending = []endingSignal{{syscall.SIGINT, "SIGINT"}, {syscall.SIGTERM, "SIGTERM"}, {syscall.SIGHUP, "SIGHUP"}}
