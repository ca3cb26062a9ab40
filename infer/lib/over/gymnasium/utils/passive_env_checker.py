# What gymnasium.make looks at in the first steps of an environment warns only.


def env_reset_passive_checker(env, **kwargs):
    return env.reset(**kwargs)


def env_step_passive_checker(env, action):
    return env.step(action)


def env_data_reuse_passive_checker(*args, **kwargs):
    pass


def env_render_passive_checker(env):
    return env.render()
