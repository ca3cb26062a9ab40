package memory

// An Arena hands out memory that is given back all at once. What it hands out lies side by side: a buffer of its own
// ends in a huge page that is mostly empty. It is not safe for concurrent use; the zero Arena is empty.
type Arena struct {
	chunks []*Buffer
	rest   []byte // of the last chunk
	total  int64
}

// Chunks of an arena are as large as all before together, within these bounds; larger pieces are chunks of their own.
const (
	firstChunk = 64 << 10
	lastChunk  = 32 << 20
)

// Take gives n bytes, which are aligned and zero. The error is a *FullError: n is negative or the process may not have
// as much.
func (a *Arena) Take(n int64) ([]byte, error) {
	if n < 0 || n > largest {
		return nil, &FullError{Bytes: n, Limit: largest}
	}
	whole := (n + Align - 1) &^ (Align - 1)
	if whole > int64(len(a.rest)) {
		b, err := kept(max(whole, firstChunk, min(a.total, lastChunk)))
		if err != nil {
			return nil, err
		}
		a.chunks = append(a.chunks, b)
		a.total += b.size()
		if b.size()-whole <= int64(len(a.rest)) { // more is left of the chunk before
			return b.Bytes[:n:n], nil
		}
		a.rest = b.Bytes
	}
	out := a.rest[:n:n]
	a.rest = a.rest[whole:]
	return out, nil
}

// Free gives all memory back. Nobody may use it afterwards.
func (a *Arena) Free() {
	for _, b := range a.chunks {
		b.Free()
	}
	*a = Arena{}
}
