# Configurations of OmegaConf, functions of hydra.
from dataclasses import dataclass, field
import hydra
from omegaconf import DictConfig, ListConfig, OmegaConf, open_dict


@dataclass
class Optim:
    lr: float = 0.1


@dataclass
class Config:
    width: int = 3
    layers: list = field(default_factory=lambda: [4, 5])
    optim: Optim = field(default_factory=Optim)


def made():
    return OmegaConf.create({'model': {'width': 3, 'layers': [4, 5]}, 'lr': 0.1, 'name': 'a'})


def reads():
    c = made()
    return [c.model.width, c['model']['width'], c.model.layers[1], list(c.model.layers), len(c.model.layers), c.get('none', 7), c.get('lr'), 'lr' in c, 'x' in c,
            sorted(c.keys()), sum([n for n in c.model.layers]), c.model.get('none') is None, {**c.model}['width'], [k for k in c], len(c)]


def kinds():
    c = made()
    return [isinstance(c, DictConfig), isinstance(c.model.layers, ListConfig), isinstance(c, dict), isinstance(c.model.layers, list), OmegaConf.is_config(c),
            OmegaConf.is_dict(c.model), OmegaConf.is_list(c.model), c.model.layers == [4, 5], c.model == {'width': 3, 'layers': [4, 5]}]


def writes():
    c = made()
    c.model.width = 9
    c.extra = {'a': {'b': 1}}
    c['lr'] = 2
    c.model.layers.append(6)
    with open_dict(c):
        c.more = [1]
    del c.name
    d = c.copy()
    d.model.width = 1
    return [OmegaConf.to_container(c), c.extra.a.b, c.pop('lr'), 'lr' in c, d.model.width, c.model.width, hasattr(c, 'name'), getattr(c, 'more')[0]]


def merged():
    c = OmegaConf.merge(made(), {'model': {'width': 8}}, OmegaConf.create({'new': 1}))
    return [OmegaConf.to_container(c, resolve=True), made().model.width]


def structured():
    c = OmegaConf.structured(Config)
    d = OmegaConf.structured(Config(width=6))
    return [c.width, list(c.layers), c.optim.lr, d.width, OmegaConf.to_container(OmegaConf.merge(c, {'optim': {'lr': 0.5}}))]


def missing():
    out = []
    for wrong in (lambda: made().none, lambda: made()['none'], lambda: made().model.layers[5]):
        try:
            wrong()
        except (AttributeError, KeyError, IndexError) as e:
            out.append([isinstance(e, AttributeError), isinstance(e, KeyError), isinstance(e, IndexError)])
    return out


@hydra.main(version_base=None, config_path=None, config_name=None)
def main(cfg):
    return cfg.model.width


def passed():
    return [main(made()), main.__name__]
