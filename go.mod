module shapecheck

go 1.26.0
