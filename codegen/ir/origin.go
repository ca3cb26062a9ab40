package ir

// This file holds where nodes come from. A rewrite gives its new nodes the union of the
// origins of the nodes that it replaces; nothing may drop one.

import "slices"

// A Place is a line of the user's source.
type Place struct {
	File string
	Line int
	// Module is the path of the module whose call it is: layer1.0.conv1; or empty.
	Module string
}

// A PlaceID names a place of a module's table.
type PlaceID int32

// Places interns places.
type Places struct {
	List []Place
	ids  map[Place]PlaceID
}

// Add gives a place its number.
func (p *Places) Add(x Place) PlaceID {
	if id, ok := p.ids[x]; ok {
		return id
	}
	if p.ids == nil {
		p.ids = map[Place]PlaceID{}
	}
	id := PlaceID(len(p.List))
	p.List = append(p.List, x)
	p.ids[x] = id
	return id
}

// An Origin says what a node stands for.
type Origin struct {
	// Places in ascending order, each once.
	Places []PlaceID
	// Nodes are the names of the original model's nodes (their first output's when they have no
	// name), in the order in which they were met, each once.
	Nodes []string
	// Pass made the node; empty: the reader.
	Pass string
}

// maxOrigins bounds the places and the names of an origin: who merges a node with many others, one after the other, looks at all each time.
const maxOrigins = 1024

// Union is the origin of what replaces several nodes: all their places and names, up to maxOrigins of them. pass is
// the one that does it.
func Union(pass string, list ...Origin) Origin {
	out := Origin{Pass: pass}
	for k, o := range list {
		if k == 0 { // neither has one twice
			out.Places, out.Nodes = slices.Clone(o.Places), slices.Clone(o.Nodes)
			continue
		}
		for _, p := range o.Places {
			if i, found := slices.BinarySearch(out.Places, p); !found && len(out.Places) < maxOrigins {
				out.Places = slices.Insert(out.Places, i, p)
			}
		}
		for _, n := range o.Nodes {
			if len(out.Nodes) < maxOrigins && !slices.Contains(out.Nodes, n) {
				out.Nodes = append(out.Nodes, n)
			}
		}
	}
	return out
}

// Empty reports whether an origin says nothing of where the node comes from.
func (o Origin) Empty() bool { return len(o.Places) == 0 && len(o.Nodes) == 0 && o.Pass == "" }
