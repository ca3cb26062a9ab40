# entry: run
import collections
import copy
import random
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class QFunction(chainer.Chain):
    def __init__(self, obs_size, n_actions, n_units=100):
        super(QFunction, self).__init__()
        with self.init_scope():
            self.l0 = L.Linear(obs_size, n_units)
            self.l1 = L.Linear(n_units, n_units)
            self.l2 = L.Linear(n_units, n_actions, initialW=chainer.initializers.HeNormal(1e-3))

    def forward(self, x):
        h = F.relu(self.l0(x))
        h = F.relu(self.l1(h))
        return self.l2(h)


def get_greedy_action(Q, obs):
    obs = Q.xp.asarray(obs[None], dtype=np.float32)
    with chainer.no_backprop_mode():
        q = Q(obs).array[0]
    return int(q.argmax())


def mean_clipped_loss(y, t):
    return F.mean(F.huber_loss(y, t, delta=1.0, reduce='no'))


def update(Q, target_Q, opt, samples, gamma=0.99, target_type='double_dqn'):
    xp = Q.xp
    obs = xp.asarray([sample[0] for sample in samples], dtype=np.float32)
    action = xp.asarray([sample[1] for sample in samples], dtype=np.int32)
    reward = xp.asarray([sample[2] for sample in samples], dtype=np.float32)
    done = xp.asarray([sample[3] for sample in samples], dtype=np.float32)
    obs_next = xp.asarray([sample[4] for sample in samples], dtype=np.float32)
    y = F.select_item(Q(obs), action)
    with chainer.no_backprop_mode():
        if target_type == 'dqn':
            next_q = F.max(target_Q(obs_next), axis=1)
        elif target_type == 'double_dqn':
            next_q = F.select_item(target_Q(obs_next), F.argmax(Q(obs_next), axis=1).array.astype(np.int32))
        else:
            raise ValueError('Unsupported target_type: {}'.format(target_type))
        target = reward + gamma * (1 - done) * next_q
    loss = mean_clipped_loss(y, target)
    Q.cleargrads()
    loss.backward()
    opt.update()
    return y, target, loss


def run():
    D = collections.deque(maxlen=50)
    rs = np.random.RandomState(0)
    Q = QFunction(4, 2, 16)
    target_Q = copy.deepcopy(Q)
    opt = chainer.optimizers.Adam(eps=1e-2)
    opt.setup(Q)
    obs = rs.rand(4).astype('f')
    for i in range(10):
        action = rs.randint(2) if i < 5 else get_greedy_action(Q, obs)
        new_obs = rs.rand(4).astype('f')
        D.append((obs, action, 1.0, False, new_obs))
        obs = new_obs
    sample_indices = random.sample(range(len(D)), 8)
    samples = [D[i] for i in sample_indices]
    r1 = update(Q, target_Q, opt, samples)
    target_Q.copyparams(Q)
    r2 = update(Q, target_Q, opt, samples, target_type='dqn')
    return r1, r2, len(D)
