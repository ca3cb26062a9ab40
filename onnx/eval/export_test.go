package eval

// Unsupported gives the reason why an operator is not computed; empty when it is, or when
// there is no such operator.
func Unsupported(op Op) string { return unsupported[opName{domain: op.Domain, name: op.Name}] }
