package symshape

import "testing"

// TestQuotientsOfIntervals enumerates: every quotient lies in the interval, and where
// the divisor has one sign, 0 aside, both ends are quotients.
func TestQuotientsOfIntervals(t *testing.T) {
	for al := int64(-7); al <= 7; al++ {
		for ah := al; ah <= 7; ah++ {
			for bl := int64(-5); bl <= 5; bl++ {
				for bh := bl; bh <= 5; bh++ {
					least, most, any := int64(0), int64(0), false
					for a := al; a <= ah; a++ {
						for b := bl; b <= bh; b++ {
							if b == 0 {
								continue
							}
							q := floorDiv(a, b)
							if !any {
								least, most, any = q, q, true
							}
							least, most = min(least, q), max(most, q)
						}
					}
					if !any {
						continue
					}
					lo, hi := divRange(al, ah, bl, bh)
					if lo > least || hi < most {
						t.Fatalf("[%d,%d] // [%d,%d] is in [%d,%d], not [%d,%d]", al, ah, bl, bh, least, most, lo, hi)
					}
					if oneSign := bl >= 0 || bh <= 0; oneSign && (lo != least || hi != most) {
						t.Fatalf("[%d,%d] // [%d,%d] is [%d,%d], not [%d,%d]", al, ah, bl, bh, least, most, lo, hi)
					}
				}
			}
		}
	}
}
