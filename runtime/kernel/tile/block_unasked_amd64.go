//go:build !linux

package tile

// allowTiles is false where it is not known how to ask.
func allowTiles() bool { return false }
