# Metrics of torchmetrics, adapters of peft, data sets of datasets, tables of pandas.
import numpy as np
import pandas as pd
import torch
import torchmetrics
from datasets import Dataset, concatenate_datasets
from peft import LoraConfig, get_peft_model
from torch import nn
from torch.utils.data import DataLoader

scores, target = torch.rand(8, 5), torch.arange(8) % 5


def what(x):
    return [list(x.shape), str(x.dtype)] if isinstance(x, torch.Tensor) else x


class Own(torchmetrics.Metric):
    def __init__(self):
        super().__init__()
        self.add_state('total', default=torch.tensor(0.0), dist_reduce_fx='sum')
        self.add_state('seen', default=torch.tensor(0), dist_reduce_fx='sum')

    def update(self, a, b):
        self.total += (a - b).abs().sum()
        self.seen += a.numel()

    def compute(self):
        return self.total / self.seen


def metrics():
    out = []
    for m in (torchmetrics.Accuracy(task='multiclass', num_classes=5), torchmetrics.Accuracy(task='multiclass', num_classes=5, average='none'),
              torchmetrics.F1Score(task='multiclass', num_classes=5, average='macro'), torchmetrics.Precision(task='multiclass', num_classes=5, average=None),
              torchmetrics.AUROC(task='multiclass', num_classes=5), torchmetrics.ConfusionMatrix(task='multiclass', num_classes=5),
              torchmetrics.JaccardIndex(task='multiclass', num_classes=5), torchmetrics.ConfusionMatrix(task='multiclass', num_classes=5, normalize='true')):
        first = m(scores, target)
        m.update(scores, target)
        out.append([what(first), what(m.compute())])
        m.reset()
    return out


def numbers():
    a, b = torch.rand(6), torch.rand(6)
    out = [what(m(a, b)) for m in (torchmetrics.MeanSquaredError(), torchmetrics.MeanAbsoluteError(), torchmetrics.R2Score(), torchmetrics.PearsonCorrCoef(), Own())]
    two = torchmetrics.MeanSquaredError(num_outputs=3)(torch.rand(4, 3), torch.rand(4, 3))
    mean = torchmetrics.MeanMetric()
    mean.update(torch.tensor(2.0))
    mean.update(3.0, weight=2)
    return out + [what(two), what(mean.compute()), what(torchmetrics.Accuracy(task='binary')(torch.rand(4), torch.tensor([0, 1, 1, 0])))]


def collections():
    c = torchmetrics.MetricCollection({'acc': torchmetrics.Accuracy(task='multiclass', num_classes=5), 'f1': torchmetrics.F1Score(task='multiclass', num_classes=5)},
                                      prefix='val_')
    first = {k: what(v) for k, v in c(scores, target).items()}
    c.update(scores, target)
    d = torchmetrics.MetricCollection([torchmetrics.MeanSquaredError(), torchmetrics.MeanAbsoluteError()])
    return [sorted(first.items()), sorted(c.compute()), sorted(d(scores, scores)), isinstance(c, nn.Module), isinstance(Own(), nn.Module)]


def adapters():
    net = nn.Sequential(nn.Linear(4, 6), nn.ReLU(), nn.Linear(6, 3))
    wrapped = get_peft_model(net, LoraConfig(r=2, target_modules=['0', '2']))
    return [what(wrapped(torch.rand(2, 4))), isinstance(wrapped, nn.Module), type(wrapped).__name__, type(wrapped.merge_and_unload()).__name__]


def rows():
    ds = Dataset.from_dict({'x': [[1., 2., 3.]] * 10, 'y': [0] * 10, 't': ['a'] * 10})
    t = ds.with_format('torch')
    few = t.select(range(4)).rename_column('x', 'z').remove_columns(['t'])
    return [len(ds), ds.column_names, ds.num_rows, ds.shape, what(t[0]['x']), what(t['x'][:]), what(t[2:5]['y']), sorted(few[0]), len(few), len(ds['y'][:]),
            ds.shuffle(seed=0).column_names, len(concatenate_datasets([ds, few.with_format(None).rename_column('z', 'x')]))]


def mapped():
    ds = Dataset.from_dict({'x': [[1., 2., 3.]] * 8, 'y': [0] * 8})
    one = ds.map(lambda r: {'n': len(r['x']), 'both': r['x'] + r['x']})
    many = ds.map(lambda b: {'z': [[1, 2]] * len(b['x'])}, batched=True, remove_columns=ds.column_names)
    t = one.with_format('torch', columns=['both', 'y'])
    parts = one.train_test_split(test_size=2)
    return [one.column_names, many.column_names, what(many.with_format('torch')[0]['z']), sorted(t[0]), what(t[0]['both']), sorted(parts),
            [[k, what(v)] for k, v in next(iter(DataLoader(t, batch_size=4))).items()]]


def tables():
    df = pd.DataFrame({'a': [1, 2, 3], 'b': [1., 2., 3.]})
    df['c'] = df['a'] * 2
    x = df[['a', 'b']].to_numpy(dtype='float32')
    f = pd.DataFrame(np.zeros((4, 5), np.float32))
    return [len(df), df.shape, df.iloc[:2].shape, df.iloc[:, 1:].shape, df.drop(columns=['a']).shape, df.drop('a', axis=1).shape, df['a'].shape, list(x.shape), str(x.dtype),
            list(f.values.shape), str(f.values.dtype), f.iloc[1:3].values.shape, str(df['a'].astype('int64').values.dtype), df.head(2).shape, len(df.copy()),
            torch.tensor(df['b'].astype(np.float32).values).shape[0], df.astype('float32').values.shape, df.loc[:, ['a', 'b']].shape]


def elements():
    df = pd.DataFrame({'a': [1, 2, 3], 'b': [0.5, 1.5, 2.5], 'name': ['x', 'y', 'z'], 'fold': [0, 1, 0]})
    rows = [torch.tensor([row['a'], row.b]).float() for _, row in df.iterrows()]
    train = df[df.fold != 1].reset_index(drop=True)
    row = df.iloc[1]
    out = [torch.tensor(df['a'].values[0]).float(), torch.tensor(df.b.tolist()).float(), torch.tensor(df.loc[1, 'b']).double(), torch.tensor(row['a']).long(),
           torch.tensor(df['a'].values, dtype=torch.float32), torch.from_numpy(df.drop(columns=['name']).values).float(), torch.FloatTensor([v for v in df['b']]),
           torch.tensor(df['a'].apply(lambda v: v + 1).values).int(), torch.tensor(pd.concat([df, df]).a.to_numpy()).float(), torch.as_tensor(df.a.iloc[2]).long()]
    return [what(x) for x in out] + [what(rows[0]), len(df['name'].values), train.ndim]
