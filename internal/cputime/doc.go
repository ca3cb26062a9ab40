// Package cputime measures processor time, which tells more than a clock where other
// programs run, and memory.
package cputime
