// Package layering holds the test of the architecture: which package may import
// which. It has no code of its own.
package layering
