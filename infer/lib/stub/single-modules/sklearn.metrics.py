# Scores are numbers of Python; matrices by the number of classes are not known.
import numpy as _np
from _shapecheck import is_unknown as _is_unknown, unknown as _unknown


def _score(*args, **kwargs):
    average = kwargs.get('average', 'binary')
    if _is_unknown(average) or average is None or kwargs.get('multioutput', 'uniform_average') != 'uniform_average':
        return _unknown('a score for each of some classes')
    return float(_np.empty((1,), _np.float64)[0])


f1_score = precision_score = recall_score = fbeta_score = jaccard_score = roc_auc_score = average_precision_score = _score
mean_squared_error = mean_absolute_error = r2_score = root_mean_squared_error = mean_squared_log_error = mean_absolute_percentage_error = _score
accuracy_score = balanced_accuracy_score = log_loss = matthews_corrcoef = cohen_kappa_score = brier_score_loss = _score
adjusted_rand_score = normalized_mutual_info_score = silhouette_score = _score
