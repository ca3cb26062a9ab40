# This file holds what tests and hooks see of the configuration.
import _shapecheck

MISSING = object()


class OptionGroup:
    def __init__(self, config):
        self.config = config

    def addoption(self, *names, **attrs):
        dest = attrs.get('dest')
        if dest is None:
            long = [n for n in names if n.startswith('--')]
            name = long[0] if long else names[0]
            dest = name.lstrip('-').replace('-', '_')
        default = attrs.get('default')
        if 'default' not in attrs:
            default = {'store_true': False, 'store_false': True, 'count': None}.get(attrs.get('action'), None)
        for n in names:
            self.config.names[n] = dest
        if dest not in self.config.values:
            self.config.values[dest] = default
        else:
            given = self.config.values[dest]
            if attrs.get('type') is not None and isinstance(given, str):
                self.config.values[dest] = attrs['type'](given)

    _addoption = addoption


class Parser(OptionGroup):
    def getgroup(self, name, description='', after=None):
        return OptionGroup(self.config)

    def addini(self, name, help, type=None, default=None, **kwargs):
        if name in self.config.ini:
            if type in ('args', 'linelist', 'paths', 'pathlist') and isinstance(self.config.ini[name], str):
                self.config.ini[name] = self.config.ini[name].split() if type == 'args' else self.config.ini[name].splitlines()
            elif type == 'bool' and isinstance(self.config.ini[name], str):
                self.config.ini[name] = self.config.ini[name].lower() in ('1', 'true', 'yes', 'on')
            return
        if default is None and type in ('args', 'linelist', 'paths', 'pathlist'):
            default = []
        self.config.ini[name] = default


class Options:
    def __init__(self, config):
        self.__dict__['_config'] = config

    def __getattr__(self, name):
        if name in self._config.values:
            return self._config.values[name]
        raise AttributeError(name)

    def __setattr__(self, name, value):
        self._config.values[name] = value


class PluginManager:
    def __init__(self, config):
        self.config = config
        self.plugins = {}

    def hasplugin(self, name):
        return self.getplugin(name) is not None

    has_plugin = hasplugin

    def getplugin(self, name):
        return self.plugins.get(name)

    get_plugin = getplugin

    def register(self, plugin, name=None):
        self.plugins[name or getattr(plugin, '__name__', str(id(plugin)))] = plugin

    def unregister(self, plugin=None, name=None):
        pass

    def add_hookspecs(self, module):
        pass

    def import_plugin(self, name):
        pass

    def list_name_plugin(self):
        return list(self.plugins.items())


class InvocationParams:
    args = ()

    def __init__(self, dir):
        self.dir = dir


class Config:
    def __init__(self, rootdir):
        import pathlib
        self.rootpath = pathlib.Path(rootdir)
        self.rootdir = self.rootpath
        self.inipath = None
        self.names = {}
        self.values = {
            'verbose': 0, 'keyword': '', 'markexpr': '', 'collectonly': False, 'capture': 'fd', 'tbstyle': 'auto', 'maxfail': 0,
            'numprocesses': None, 'dist': 'no', 'tx': [], 'usepdb': False, 'setupshow': False, 'durations': None, 'lf': False, 'runxfail': False,
            'file_or_dir': [], 'ignore': None, 'strict_markers': False, 'disable_warnings': False, 'doctestmodules': False, 'color': 'auto',
        }
        self.ini = {'python_files': ['test_*.py', '*_test.py'], 'python_classes': ['Test'], 'python_functions': ['test'],
                    'xfail_strict': False, 'markers': [], 'filterwarnings': [], 'addopts': [], 'testpaths': [], 'usefixtures': []}
        self.option = Options(self)
        self.stash = {}
        self.pluginmanager = PluginManager(self)
        self.invocation_params = InvocationParams(self.rootpath)
        self.args = []
        self._store = self.stash

    @property
    def hook(self):
        return _shapecheck.unknown('the hooks of plug-ins')

    @property
    def cache(self):
        return _shapecheck.unknown('what earlier runs have kept')

    def getoption(self, name, default=MISSING, skip=False):
        name = self.names.get(name, name.lstrip('-').replace('-', '_'))
        if name in self.values:
            v = self.values[name]
            if v is None and default is not MISSING:
                return default
            return v
        if default is not MISSING:
            return default
        raise ValueError('no option named %r' % name)

    getvalue = getoption

    def getini(self, name):
        if name in self.ini:
            return self.ini[name]
        raise ValueError('unknown configuration value: %r' % name)

    def addinivalue_line(self, name, line):
        if not isinstance(self.ini.get(name), list):
            self.ini[name] = []
        self.ini[name].append(line)

    def issue_config_time_warning(self, warning, stacklevel):
        pass

    def add_cleanup(self, func):
        pass

    def get_verbosity(self, kind=None):
        return 0

    def __repr__(self):
        return '<Config>'
