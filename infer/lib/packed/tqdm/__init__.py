# The package tqdm: progress bars that only pass the elements on.
from _shapecheck import unknown


class tqdm:
    def __init__(self, iterable=None, desc=None, total=None, *args, **kwargs):
        self.iterable = iterable
        self.desc = desc
        self.total = total
        self.n = 0
        self.disable = False
        elapsed, rate = unknown('what a progress bar measures'), unknown('what a progress bar measures')
        self.format_dict = {'n': 0, 'total': total, 'elapsed': elapsed, 'ncols': None, 'nrows': None, 'prefix': desc or '', 'ascii': False, 'unit': 'it',
                            'unit_scale': False, 'rate': rate, 'bar_format': None, 'postfix': None, 'unit_divisor': 1000, 'initial': 0, 'colour': None}

    def __iter__(self):
        return iter(self.iterable)

    def __len__(self):
        return self.total if self.iterable is None else len(self.iterable)

    def __enter__(self):
        return self

    def __exit__(self, exc_type, exc_value, traceback):
        return None

    def __bool__(self):
        return True

    def update(self, n=1):
        pass

    def set_postfix(self, ordered_dict=None, refresh=True, **kwargs):
        pass

    def set_postfix_str(self, s='', refresh=True):
        pass

    def set_description(self, desc=None, refresh=True):
        self.desc = desc

    set_description_str = set_description

    def close(self):
        pass

    def refresh(self, *args, **kwargs):
        pass

    clear = display = unpause = refresh

    def reset(self, total=None):
        self.total = total

    @classmethod
    def write(cls, s, file=None, end='\n', nolock=False):
        pass

    @classmethod
    def pandas(cls, *args, **kwargs):
        pass


tqdm_notebook = tqdm


def trange(*args, **kwargs):
    return tqdm(range(*args), **kwargs)


tnrange = trange
