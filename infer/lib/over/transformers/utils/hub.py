# Names of revisions stay as they are: no hub is asked.


def resolve_revision(path_or_repo_id, revision=None, **kwargs):
    return revision
