package cli

// This file lists the signals that end the program where there is no terminal: js has no SIGHUP.

import "syscall"

var ending = []endingSignal{{syscall.SIGINT, "SIGINT"}, {syscall.SIGTERM, "SIGTERM"}}
