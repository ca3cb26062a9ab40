module shapecheck

go 1.26.0

require (
	github.com/antlr4-go/antlr/v4 v4.13.1
	github.com/shopspring/decimal v1.6.0
	golang.org/x/text v0.43.0
	golang.org/x/tools v0.52.0
)

require golang.org/x/exp v0.0.0-20240506185415-9bf2ced13842 // indirect
