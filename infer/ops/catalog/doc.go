// Package catalog has the records of all libraries. It is the one list of them: a
// record is found by any of its names (Lookup), in-place forms included, and applied by
// Apply; NewNode makes a node of the typed graph by its canonical name.
//
// The libraries are PyTorch (package torch), numpy and einops. Another one is a package
// with a Library and Families, which are named in catalog.go.
package catalog
