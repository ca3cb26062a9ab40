# Modules that are written to files from templates: who asks for one does without it where that fails, by code that does the same.


def module_from_template(*args, **kwargs):
    raise RuntimeError('templates are not rendered')
