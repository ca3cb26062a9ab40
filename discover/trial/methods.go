package trial

// This file tries methods that are called instead of a forward.

import (
	"cmp"

	srctext "shapecheck/discover/text"
)

// wholes tries methods that need no other call before them, and says why the first has no result.
func (p *prober) wholes(list []srctext.Method) (whyNot string, err error) {
	defer func() { p.call, p.whole = "", false }()
	for _, m := range list {
		if p.spent() {
			break
		}
		p.call, p.whole = m.Name, true
		tries, best, err := p.entry(m.Class, m.Class, nil)
		if err != nil {
			return "", err
		}
		if tries, err = p.opened(tries, best); err != nil {
			return "", err
		}
		if best != nil && best.err == nil {
			best.res.Resume()
		}
		out, err := p.take(m.Class, tries, best)
		if err != nil {
			return "", err
		}
		if why := out.WhyNot(); why != "" {
			whyNot = cmp.Or(whyNot, m.Class+"."+m.Name+": "+why)
		}
	}
	return whyNot, nil
}

// methods tries methods of classes that have no forward that runs, until one has a result. They may want others to be called
// before, so that they are no findings.
func (p *prober) methods(list []srctext.Method) error {
	defer func() { p.call = "" }()
	for _, m := range list {
		if p.spent() {
			return nil
		}
		p.call = m.Name
		tries, best, err := p.entry(m.Class, m.Class, nil)
		if err != nil {
			return err
		}
		if best == nil || !best.clean() || !best.known {
			continue
		}
		best.res.Resume()
		_, err = p.take(m.Class, tries, best)
		return err
	}
	return nil
}
