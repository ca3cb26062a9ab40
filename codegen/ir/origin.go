package ir

// This file holds where nodes come from. A rewrite gives its new nodes the union of the
// origins of the nodes that it replaces; nothing may drop one.

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
