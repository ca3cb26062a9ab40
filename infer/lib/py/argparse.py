# The module argparse. parse_args reads sys.argv, as it does in Python; help
# texts are not formatted, and an error ends the program with SystemExit(2).
import sys as _sys

from _shapecheck import arguments_open, unknown

SUPPRESS = '==SUPPRESS=='
OPTIONAL = '?'
ZERO_OR_MORE = '*'
ONE_OR_MORE = '+'
PARSER = 'A...'
REMAINDER = '...'


class HelpFormatter:
    def __init__(self, prog=None, indent_increment=2, max_help_position=24, width=None):
        self._prog = prog


class RawDescriptionHelpFormatter(HelpFormatter):
    pass


class RawTextHelpFormatter(RawDescriptionHelpFormatter):
    pass


class ArgumentDefaultsHelpFormatter(HelpFormatter):
    pass


class MetavarTypeHelpFormatter(HelpFormatter):
    pass


class ArgumentError(Exception):
    def __init__(self, argument, message):
        self.argument = argument
        self.message = message
        name = '/'.join(argument.option_strings) or argument.dest if argument is not None else None
        super().__init__(message if name is None else 'argument %s: %s' % (name, message))


class ArgumentTypeError(Exception):
    pass


class Namespace:
    def __init__(self, **kwargs):
        for name in kwargs:
            setattr(self, name, kwargs[name])

    def __eq__(self, other):
        if not isinstance(other, Namespace):
            return NotImplemented
        return vars(self) == vars(other)

    def __contains__(self, key):
        return key in self.__dict__

    def __repr__(self):
        return 'Namespace(' + ', '.join([f'{k}={v!r}' for k, v in vars(self).items()]) + ')'


class Action:
    def __init__(self, option_strings, dest, nargs=None, const=None, default=None, type=None, choices=None, required=False, help=None, metavar=None):
        self.option_strings = option_strings
        self.dest = dest
        self.nargs = nargs
        self.const = const
        self.default = default
        self.type = type
        self.choices = choices
        self.required = required
        self.help = help
        self.metavar = metavar
        self.container = None

    def __call__(self, parser, namespace, values, option_string=None):
        raise NotImplementedError('.__call__() not defined')


class _StoreAction(Action):
    def __call__(self, parser, namespace, values, option_string=None):
        setattr(namespace, self.dest, values)


class _StoreConstAction(Action):
    def __init__(self, option_strings, dest, const=None, default=None, required=False, help=None, metavar=None):
        super().__init__(option_strings, dest, nargs=0, const=const, default=default, required=required, help=help)

    def __call__(self, parser, namespace, values, option_string=None):
        setattr(namespace, self.dest, self.const)


class _StoreTrueAction(_StoreConstAction):
    def __init__(self, option_strings, dest, default=False, required=False, help=None):
        super().__init__(option_strings, dest, const=True, default=default, required=required, help=help)


class _StoreFalseAction(_StoreConstAction):
    def __init__(self, option_strings, dest, default=True, required=False, help=None):
        super().__init__(option_strings, dest, const=False, default=default, required=required, help=help)


class BooleanOptionalAction(Action):
    def __init__(self, option_strings, dest, default=None, type=None, choices=None, required=False, help=None, metavar=None):
        names = []
        for s in option_strings:
            names.append(s)
            if s.startswith('--'):
                names.append('--no-' + s[2:])
        super().__init__(names, dest, nargs=0, default=default, required=required, help=help)

    def __call__(self, parser, namespace, values, option_string=None):
        setattr(namespace, self.dest, not option_string.startswith('--no-'))


def _copied(items):
    return [] if items is None else list(items)


class _AppendAction(Action):
    def __call__(self, parser, namespace, values, option_string=None):
        items = _copied(getattr(namespace, self.dest, None))
        items.append(values)
        setattr(namespace, self.dest, items)


class _ExtendAction(Action):
    def __call__(self, parser, namespace, values, option_string=None):
        items = _copied(getattr(namespace, self.dest, None))
        items.extend(values)
        setattr(namespace, self.dest, items)


class _AppendConstAction(Action):
    def __init__(self, option_strings, dest, const=None, default=None, required=False, help=None, metavar=None):
        super().__init__(option_strings, dest, nargs=0, const=const, default=default, required=required, help=help)

    def __call__(self, parser, namespace, values, option_string=None):
        items = _copied(getattr(namespace, self.dest, None))
        items.append(self.const)
        setattr(namespace, self.dest, items)


class _CountAction(Action):
    def __init__(self, option_strings, dest, default=None, required=False, help=None):
        super().__init__(option_strings, dest, nargs=0, default=default, required=required, help=help)

    def __call__(self, parser, namespace, values, option_string=None):
        setattr(namespace, self.dest, (getattr(namespace, self.dest, None) or 0) + 1)


class _HelpAction(Action):
    def __init__(self, option_strings, dest=SUPPRESS, default=SUPPRESS, help=None):
        super().__init__(option_strings, dest, nargs=0, default=default, help=help)

    def __call__(self, parser, namespace, values, option_string=None):
        parser.exit()


class _VersionAction(Action):
    def __init__(self, option_strings, version=None, dest=SUPPRESS, default=SUPPRESS, help=None):
        super().__init__(option_strings, dest, nargs=0, default=default, help=help)

    def __call__(self, parser, namespace, values, option_string=None):
        parser.exit()


class _SubParsersAction(Action):
    def __init__(self, option_strings, prog=None, parser_class=None, dest=SUPPRESS, required=False, help=None, metavar=None):
        super().__init__(option_strings, dest, nargs=PARSER, choices={}, required=required, help=help, metavar=metavar)
        self._parser_class = parser_class

    def add_parser(self, name, *, aliases=(), help=None, **kwargs):
        parser = self._parser_class(**kwargs)
        self.choices[name] = parser
        for alias in aliases:
            self.choices[alias] = parser
        return parser

    def __call__(self, parser, namespace, values, option_string=None):
        name = values[0]
        if self.dest is not SUPPRESS:
            setattr(namespace, self.dest, name)
        sub, rest = self.choices[name].parse_known_args(values[1:], None)
        for key, value in vars(sub).items():
            setattr(namespace, key, value)
        if rest:
            namespace._unrecognized_args = getattr(namespace, '_unrecognized_args', []) + rest


class FileType:
    def __init__(self, mode='r', bufsize=-1, encoding=None, errors=None):
        self._mode = mode

    def __call__(self, string):
        return open(string, self._mode)


_ACTIONS = {None: _StoreAction, 'store': _StoreAction, 'store_const': _StoreConstAction, 'store_true': _StoreTrueAction,
            'store_false': _StoreFalseAction, 'append': _AppendAction, 'append_const': _AppendConstAction, 'count': _CountAction,
            'help': _HelpAction, 'version': _VersionAction, 'parsers': _SubParsersAction, 'extend': _ExtendAction}


class _ActionsContainer:
    def _setup(self, owner, argument_default, conflict_handler):
        self._owner = owner
        self.argument_default = argument_default
        self.conflict_handler = conflict_handler

    def register(self, registry_name, value, object):
        if registry_name == 'action':
            self._owner._registered[value] = object
        else:
            self._owner._types[value] = object

    def set_defaults(self, **kwargs):
        self._owner._defaults.update(kwargs)
        for action in self._owner._actions:
            if action.dest in kwargs:
                action.default = kwargs[action.dest]

    def get_default(self, dest):
        for action in self._owner._actions:
            if action.dest == dest and action.default is not None:
                return action.default
        return self._owner._defaults.get(dest)

    def add_argument(self, *args, **kwargs):
        owner = self._owner
        chars = owner.prefix_chars
        if not args or len(args) == 1 and args[0][0] not in chars:
            if args and 'dest' in kwargs:
                raise ValueError('dest supplied twice for positional argument')
            dest = args[0] if args else kwargs.pop('dest')
            if 'required' in kwargs:
                raise TypeError("'required' is an invalid argument for positionals")
            if kwargs.get('nargs') not in ('?', '*', REMAINDER, SUPPRESS):
                kwargs['required'] = True
            if kwargs.get('nargs') == '*' and 'default' not in kwargs:
                kwargs['required'] = True
            options = []
        else:
            options = list(args)
            for option in options:
                if option[0] not in chars:
                    raise ValueError(f'invalid option string {option!r}: must start with a character {chars!r}')
            dest = kwargs.pop('dest', None)
            if dest is None:
                long = [o for o in options if len(o) > 1 and o[1] in chars]
                dest = (long[0] if long else options[0]).lstrip(chars).replace('-', '_')
        if 'default' not in kwargs:
            if dest in owner._defaults:
                kwargs['default'] = owner._defaults[dest]
            elif self.argument_default is not None:
                kwargs['default'] = self.argument_default
        action_name = kwargs.pop('action', None)
        if isinstance(action_name, str) and action_name in owner._registered:
            action_class = owner._registered[action_name]
        elif action_name is None or isinstance(action_name, str):
            if action_name not in _ACTIONS:
                raise ValueError('unknown action "%s"' % (action_name,))
            action_class = _ACTIONS[action_name]
        else:
            action_class = action_name
        if not options and action_class in (_StoreTrueAction, _StoreFalseAction, _StoreConstAction, _CountAction):
            kwargs.pop('required', None)
        action = action_class(option_strings=options, dest=dest, **kwargs)
        if action.type is not None and not callable(action.type) and action.type not in owner._types:
            raise ValueError(f'{action.type!r} is not callable')
        return self._add_action(action)

    def _add_action(self, action):
        owner = self._owner
        for option in action.option_strings:
            if option in owner._option_string_actions:
                if self.conflict_handler != 'resolve':
                    raise ArgumentError(action, f'conflicting option string: {option}')
                old = owner._option_string_actions[option]
                old.option_strings = [o for o in old.option_strings if o != option]
                if not old.option_strings:
                    owner._actions.remove(old)
        for option in action.option_strings:
            owner._option_string_actions[option] = action
        owner._actions.append(action)
        action.container = self
        return action

    def add_argument_group(self, *args, **kwargs):
        return _ArgumentGroup(self._owner, *args, **kwargs)

    def add_mutually_exclusive_group(self, **kwargs):
        group = _MutuallyExclusiveGroup(self._owner, **kwargs)
        self._owner._exclusive.append(group)
        return group


class _ArgumentGroup(_ActionsContainer):
    def __init__(self, container, title=None, description=None, **kwargs):
        self._setup(container, container.argument_default, container.conflict_handler)
        self.title = title
        self.description = description


class _MutuallyExclusiveGroup(_ActionsContainer):
    def __init__(self, container, required=False):
        self._setup(container, container.argument_default, container.conflict_handler)
        self.required = required
        self._group_actions = []

    def _add_action(self, action):
        self._group_actions.append(action)
        return super()._add_action(action)


class ArgumentParser(_ActionsContainer):
    def __init__(self, prog=None, usage=None, description=None, epilog=None, parents=(), formatter_class=HelpFormatter, prefix_chars='-',
                 fromfile_prefix_chars=None, argument_default=None, conflict_handler='error', add_help=True, allow_abbrev=True, exit_on_error=True, **kwargs):
        self._setup(self, argument_default, conflict_handler)
        self.prog = prog
        self.usage = usage
        self.description = description
        self.epilog = epilog
        self.formatter_class = formatter_class
        self.prefix_chars = prefix_chars
        self.fromfile_prefix_chars = fromfile_prefix_chars
        self.add_help = add_help
        self.allow_abbrev = allow_abbrev
        self.exit_on_error = exit_on_error
        self._actions = []
        self._option_string_actions = {}
        self._defaults = {}
        self._registered = {}
        self._types = {}
        self._exclusive = []
        if add_help:
            self.add_argument('-h', '--help', action='help')
        for parent in parents:
            for action in parent._actions:
                if not (add_help and isinstance(action, _HelpAction)):
                    self._add_action(action)
            self._defaults.update(parent._defaults)
            self._exclusive.extend(parent._exclusive)

    def add_subparsers(self, **kwargs):
        kwargs.pop('title', None)
        kwargs.pop('description', None)
        kwargs.setdefault('parser_class', type(self))
        action = _SubParsersAction(option_strings=[], **kwargs)
        return self._add_action(action)

    def parse_args(self, args=None, namespace=None):
        namespace, rest = self.parse_known_args(args, namespace)
        if rest:
            self.error('unrecognized arguments: ' + ' '.join(rest))
        return namespace

    def parse_intermixed_args(self, args=None, namespace=None):
        return self.parse_args(args, namespace)

    def parse_known_args(self, args=None, namespace=None):
        self._asked = args is not None or _sys.argv[0] != ''  # else the file is not run as a script
        args = list(_sys.argv[1:] if args is None else args)
        if namespace is None:
            namespace = Namespace()
        for action in self._actions:
            if action.dest is not SUPPRESS and action.default is not SUPPRESS and not hasattr(namespace, action.dest):
                setattr(namespace, action.dest, action.default)
        for dest, value in self._defaults.items():
            if not hasattr(namespace, dest):
                setattr(namespace, dest, value)
        if not self.exit_on_error:
            return self._parse(args, namespace)
        try:
            return self._parse(args, namespace)
        except ArgumentError as e:
            self.error(str(e))

    parse_known_intermixed_args = parse_known_args

    def _find_option(self, arg):
        """Returns the action, the option's name and the value after '='; None for a positional argument."""
        if not arg or arg[0] not in self.prefix_chars:
            return None
        if arg in self._option_string_actions:
            return self._option_string_actions[arg], arg, None
        if len(arg) == 1:
            return None
        name, eq, value = arg.partition('=')
        if eq and name in self._option_string_actions:
            return self._option_string_actions[name], name, value
        matches = []
        if arg[1] in self.prefix_chars:
            if self.allow_abbrev:
                matches = [o for o in self._option_string_actions if o.startswith(name)]
                value = value if eq else None
        else:
            short = arg[:2]
            if short in self._option_string_actions:
                return self._option_string_actions[short], short, arg[2:]
            matches = [o for o in self._option_string_actions if o.startswith(name)]
            value = value if eq else None
        if len(matches) > 1:
            self.error(f'ambiguous option: {arg} could match ' + ', '.join(matches))
        if matches:
            return self._option_string_actions[matches[0]], matches[0], value
        if self._looks_negative(arg) and not [o for o in self._option_string_actions if self._looks_negative(o)]:
            return None
        if ' ' in arg:
            return None
        return None, arg, None

    def _looks_negative(self, arg):
        rest = arg[1:]
        return arg[0] == '-' and rest.replace('.', '', 1).isdigit()

    def _parse(self, args, namespace):
        kinds = []
        options = []
        only_positional = False
        for arg in args:
            found = None
            if not only_positional:
                if arg == '--':
                    only_positional = True
                    kinds.append('-')
                    options.append(None)
                    continue
                found = self._find_option(arg)
            kinds.append('A' if found is None else 'O')
            options.append(found)
        extras = []
        seen = []
        waiting = [a for a in self._actions if not a.option_strings]
        i = 0
        n = len(args)

        def run(action, values, option=None):
            seen.append(action)
            for group in self._exclusive:
                if action in group._group_actions:
                    for other in group._group_actions:
                        if other is not action and other in seen:
                            raise ArgumentError(action, 'not allowed with argument ' + ('/'.join(other.option_strings) or other.dest))
            value = self._get_values(action, values)
            if value is not SUPPRESS:
                action(self, namespace, value, option)

        def take(action, start, limit):
            """Returns how many of the arguments from start on belong to an option, or None."""
            nargs = action.nargs
            if nargs in (REMAINDER, PARSER):
                return n - start
            count = 0
            while start + count < n and kinds[start + count] == 'A':
                count += 1
            if nargs is None:
                return 1 if count >= 1 else None
            if nargs == '?':
                return min(count, 1)
            if nargs == '*':
                return count
            if nargs == '+':
                return count if count >= 1 else None
            return nargs if count >= nargs else None

        def positionals(start):
            """Runs the positional arguments that the words from start on satisfy; returns where they end."""
            end = start
            while end < n and kinds[end] != 'O':
                end += 1
            words = [w for w in range(start, end) if kinds[w] == 'A']
            least = [_least(a) for a in waiting]
            at = 0
            while waiting:
                action = waiting[0]
                nargs = action.nargs
                if nargs in (REMAINDER, PARSER):
                    if nargs == PARSER and at >= len(words):
                        break
                    first = words[at] if at < len(words) else end
                    if nargs == REMAINDER and first >= n and start < n:
                        break
                    waiting.pop(0)
                    run(action, args[first:])
                    return n
                left = len(words) - at
                reserved = 0
                for other in waiting[1:]:
                    need = _least(other)
                    if reserved + need + _least(action) <= left:
                        reserved += need
                    else:
                        break
                if left < _least(action) or left == 0 and start < n and end < n:
                    break
                if nargs is None:
                    count = 1
                elif nargs == '?':
                    count = 1 if left - reserved >= 1 else 0
                elif nargs in ('*', '+'):
                    count = left - reserved
                else:
                    count = nargs
                if count == 0 and end < n:
                    break
                waiting.pop(0)
                run(action, [args[w] for w in words[at:at + count]])
                at += count
            extras.extend([args[w] for w in words[at:]])
            return end

        while i < n:
            if kinds[i] != 'O':
                i = positionals(i)
                continue
            action, name, value = options[i]
            if action is None:
                extras.append(args[i])
                i += 1
                while i < n and kinds[i] == 'A' and not waiting:
                    extras.append(args[i])
                    i += 1
                continue
            if value is not None:
                if action.nargs == 0:
                    if len(name) == 2 and name[1] not in self.prefix_chars:
                        run(action, [], name)
                        args[i] = name[0] + value
                        options[i] = self._find_option(args[i])
                        if options[i] is None or options[i][0] is None:
                            raise ArgumentError(action, f'ignored explicit argument {value!r}')
                        continue
                    raise ArgumentError(action, f'ignored explicit argument {value!r}')
                if len(name) == 2 and name[1] not in self.prefix_chars and value.startswith('='):
                    value = value[1:]
                run(action, [value], name)
                i += 1
                continue
            if action.nargs == 0:
                run(action, [], name)
                i += 1
                continue
            count = take(action, i + 1, n)
            if count is None:
                wanted = {None: 'expected one argument', '?': 'expected at most one argument', '+': 'expected at least one argument'}
                raise ArgumentError(action, wanted.get(action.nargs, f'expected {action.nargs} arguments'))
            run(action, args[i + 1:i + 1 + count], name)
            i += 1 + count
        if waiting:
            positionals(n)
        missing = []
        for action in self._actions:
            if action in seen:
                continue
            if action.required:
                missing.append('/'.join(action.option_strings) or action.metavar or action.dest)
            elif isinstance(action.default, str) and action.dest is not SUPPRESS and getattr(namespace, action.dest, None) is action.default:
                setattr(namespace, action.dest, self._get_value(action, action.default))
        if arguments_open() or missing and not self._asked:
            for action in self._actions:
                if action not in seen and action.dest is not SUPPRESS and (action.required or arguments_open() and action.nargs != 0
                                                                           and getattr(namespace, action.dest, SUPPRESS) is None):
                    setattr(namespace, action.dest, unknown('the argument ' + action.dest))
        elif missing:
            self.error('the following arguments are required: ' + ', '.join([str(m) for m in missing]))
        for group in self._exclusive:
            if group.required and not [a for a in group._group_actions if a in seen]:
                names = ['/'.join(a.option_strings) or a.dest for a in group._group_actions]
                self.error('one of the arguments ' + ' '.join(names) + ' is required')
        extras.extend(namespace.__dict__.get('_unrecognized_args', []))
        if hasattr(namespace, '_unrecognized_args'):
            delattr(namespace, '_unrecognized_args')
        return namespace, extras

    def _get_values(self, action, words):
        nargs = action.nargs
        if nargs == 0:
            return []
        if nargs == '?' and not words:
            value = action.const if action.option_strings else action.default
            if isinstance(value, str):
                value = self._get_value(action, value)
                self._check_value(action, value)
            return value
        if nargs == '*' and not words and not action.option_strings:
            return action.default if action.default is not None else words
        if nargs in (None, '?'):
            value = self._get_value(action, words[0])
            self._check_value(action, value)
            return value
        if nargs == REMAINDER:
            return [self._get_value(action, w) for w in words]
        if nargs == PARSER:
            self._check_value(action, words[0])
            return words
        values = [self._get_value(action, w) for w in words]
        for value in values:
            self._check_value(action, value)
        return values

    def _get_value(self, action, word):
        convert = action.type
        if convert is None:
            return word
        if not callable(convert):
            convert = self._types[convert]
        try:
            return convert(word)
        except ArgumentTypeError as e:
            raise ArgumentError(action, str(e))
        except (TypeError, ValueError):
            name = getattr(convert, '__name__', repr(convert))
            raise ArgumentError(action, f'invalid {name} value: {word!r}')

    def _check_value(self, action, value):
        if action.choices is not None and value not in action.choices:
            choices = ', '.join([repr(c) for c in action.choices])
            raise ArgumentError(action, f'invalid choice: {value!r} (choose from {choices})')

    def convert_arg_line_to_args(self, arg_line):
        return [arg_line]

    def format_usage(self):
        return 'usage: ' + (self.prog or '')

    format_help = format_usage

    def print_usage(self, file=None):
        pass

    print_help = print_usage

    def exit(self, status=0, message=None):
        _sys.exit(status)

    def error(self, message):
        e = SystemExit(2)
        e._argparse = message
        raise e


def _least(action):
    nargs = action.nargs
    if nargs in ('?', '*', REMAINDER, 0):
        return 0
    if nargs in (None, '+', PARSER):
        return 1
    return nargs
