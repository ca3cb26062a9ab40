package op

// This file lists the operators of ONNX's domains beside the standard one: optimisers, and
// those of classical machine learning that take and give numbers.

var trainingOps = []row{
	{name: "Adagrad", traits: pure},
	{name: "Adam", traits: pure},
	{name: "Momentum", traits: pure},
}

var learningOps = []row{
	{name: "ArrayFeatureExtractor", traits: pure},
	{name: "Binarizer", traits: pure},
	{name: "FeatureVectorizer", traits: pure},
	{name: "Imputer", traits: pure},
	{name: "LabelEncoder", traits: pure, doc: "of numbers"},
	{name: "LinearRegressor", traits: pure},
	{name: "OneHotEncoder", traits: pure},
	{name: "Scaler", traits: pure},
	{name: "TreeEnsemble", traits: pure},
	{name: "TreeEnsembleRegressor", traits: pure},
}
