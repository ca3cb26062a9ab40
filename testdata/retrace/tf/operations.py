"""Operations: the dtype and shape of the result, or the exception, in a graph."""
import tensorflow as tf
import numpy as np
x=tf.ones([2,3]); i=tf.constant([1,2])
try: tf.function(lambda x, i: x + 1, autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: i + 1.5, autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: x + tf.cast(i[0], tf.int32), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: x + np.ones(3), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: tf.add(x, np.ones(3)), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: tf.matmul(x, np.ones((3, 2))), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: i / 2, autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: i // 2, autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: i ** 2, autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: x + tf.ones([4]), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: tf.matmul(x, x), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: tf.reshape(x, [4]), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: tf.concat([x, tf.ones([3, 3])], 1), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: tf.stack([x, tf.ones([3, 3])]), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: tf.reduce_mean(i), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: x > 1, autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: tf.where(x > 0, x, 0.0), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: tf.where(x > 0, x, 0), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: tf.maximum(x, 0), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: tf.cast(x, 'int64'), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: tf.argmax(x, 1), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: tf.range(3.0), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: tf.range(3), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: tf.range(i[0]), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: tf.linspace(0.0, 1.0, 5), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: len(x), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: int(i[0]), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: float(i[0]), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: bool(i[0]), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: np.sum(x), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: np.array(x), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: x.numpy(), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: [1, 2, 3][i[0]], autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: [a for a in x], autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: [k for k in range(i[0])], autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: x[i], autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: x[x > 0], autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: x[0, 1], autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: x[5], autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: hash(x), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: 1.0 in x, autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: x == x, autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: x == np.ones(3), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: x == tf.ones([5]), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: x == None, autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: x != 'a', autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: tf.reduce_sum(x > 0), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: (x > 0) & (x < 1), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: ~(x > 0), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: -x, autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: i % 2, autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: 2 ** x, autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: 1 - i, autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: 1.5 * i, autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: np.float32(2) * i, autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: np.float64(2) * x, autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: x * np.float64(2), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: x * np.arange(3), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: tf.sqrt(i), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: tf.exp(2), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: tf.sqrt(2.0), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: tf.sqrt(2), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: tf.add(1, 2.5), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: tf.add(1, x), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: tf.gather(x, [0, 1], axis=1), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: len(tf.split(x, 3, axis=1)), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: tf.size(x), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: tf.rank(x), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: tf.shape(x), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: tf.one_hot(i, 4), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: tf.ones_like(i), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: tf.fill([2], 1), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: tf.constant([1, 2.5]), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: tf.constant(np.ones(2)), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: tf.constant([1, 2], tf.float32), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: tf.convert_to_tensor([x, x]), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: tf.constant(1.5, tf.int32), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: tf.divide(i, 2), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: tf.tensordot(x, x, [[0, 1], [0, 1]]), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: tf.einsum('ij,kj->ik', x, x), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: tf.nn.softmax(i), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: tf.nn.relu(i), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: tf.reduce_any(x), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: tf.expand_dims(x, 5), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: tf.squeeze(x, 0), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: tf.transpose(x, [1]), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: tf.broadcast_to(x, [4, 3]), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: f'{x.shape}', autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: {x}, autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: {x: 1}, autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: next(iter(x)), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: x.ndim, autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: x.item(), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: x.reshape(3), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: x.T, autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: sum([x, x]), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: max(i[0], i[1]), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: abs(x), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: x @ tf.ones([3]), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: tf.matmul(x, tf.ones([3, 2], tf.float64)), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: len(tf.unstack(x)), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x, i: tf.meshgrid(i, i)[0], autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.reduce_sum(x, axis=0, keepdims=True), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.reduce_mean(x, [0,1]), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.reduce_max(x, 5), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: x[..., tf.newaxis], autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: x[:, 1:], autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: x[i[0]], autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: x[tf.constant(0), 1], autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.tile(x,[2,1]), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.tile(x,[2]), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.repeat(x,2,axis=0), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.gather_nd(x,[[0,1]]), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.boolean_mask(x, x>0), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.where(x>0), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.cumsum(x), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.linalg.norm(x,axis=1), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.nn.moments(x,[0]), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.nn.l2_normalize(x,1), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.math.top_k(x,2), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.eye(3), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.random.normal([2,2]), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.random.uniform([2],0,5,tf.int32), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.zeros([2],tf.int64), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.cast(x,tf.bool), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.cast(tf.constant("a"),tf.float32), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.strings.length("abc"), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.nn.conv2d(tf.ones([1,8,8,3]),tf.ones([3,3,3,4]),1,"SAME"), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.nn.conv2d(tf.ones([1,8,8,3]),tf.ones([3,3,3,4]),2,"VALID"), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.nn.conv2d(tf.ones([1,8,8,3]),tf.ones([3,3,2,4]),2,"VALID"), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.nn.max_pool2d(tf.ones([1,8,8,3]),2,2,"SAME"), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.nn.bias_add(x,tf.ones([3])), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.nn.bias_add(x,tf.ones([2])), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.nn.dropout(x,0.5), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.nn.softmax_cross_entropy_with_logits(x,x), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.nn.sparse_softmax_cross_entropy_with_logits(i,x), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.nn.sigmoid_cross_entropy_with_logits(x,x), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.nn.embedding_lookup(x,i-1), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.math.squared_difference(x,1.0), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.math.reduce_std(x), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.math.reduce_std(i), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.math.count_nonzero(x), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.add_n([x,x]), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.add_n([x,tf.ones([2,2])]), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.split(x,2,axis=1), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.concat([x,i],0), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.concat([x,x],-1), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.stack([x,x],axis=1), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.squeeze(tf.ones([1,2,1])), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.reverse(x,[0]), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.sort(x), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.argsort(x), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.range(0,10,2), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.range(0.0,1.0,0.25), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.ones_like(x,tf.int32), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.fill([2,2],1.5), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.meshgrid(i,i), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.unique(i), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.vectorized_map(lambda v:v*2,x), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.map_fn(lambda v:v*2,x), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: x@tf.transpose(x), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.linalg.matvec(x,tf.ones([3])), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: x.shape[0], autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: x.shape, autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: x.dtype, autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: {"a":x,"b":[i,None]}, autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: None, autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: (x,1,"a",True), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: object(), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.identity([1,2]), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: i-0.5, autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: i*True, autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: x*True, autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: -(x>0), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: (x>0)+1, autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: x>i, autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: x/0, autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: i%2.0, autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: x&x, autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: i&1, autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: x**2, autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: x**i, autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: 2.0**i, autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: 2**i, autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.abs(i), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.sign(x), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.math.floor(i), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.maximum(0,i), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.maximum(x,i), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.minimum(1.0,x), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.logical_and(x>0,True), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.logical_not(x), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.reduce_all(x>0,1), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.clip_by_value(x,0,1), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.clip_by_value(i,0.5,1), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.clip_by_norm(x,1.0), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.ensure_shape(x,[2,None]), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.ensure_shape(x,[3,None]), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.reshape(x,-1), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.reshape(x,[-1,4]), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.reshape(x,[3,-1]), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.reshape(x,(tf.shape(x)[1],-1)), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.transpose(x), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.one_hot(i,3,dtype=tf.int32), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.one_hot(i,3,on_value=1,off_value=0), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.tensor_scatter_nd_update(x,[[0]],[[1.,1.,1.]]), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.scatter_nd([[0]],[1.0],[4]), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.math.cumsum(i), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.gather(x,1), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.gather(x,1.0), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.gather(x,[0],axis=7), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.linspace(0,1,3), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.slice(x,[0,1],[1,-1]), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.linalg.diag(i), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.linalg.trace(tf.eye(2)), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.einsum("bi,bj->ij",x,x), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.nn.gelu(x), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.nn.leaky_relu(x,0.1), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.nn.log_softmax(x), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.math.sigmoid(i), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.math.divide_no_nan(x,x), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.reduce_logsumexp(x,1), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.convert_to_tensor([1,2.5]), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.constant([[1,2],[3]]), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.constant(5,shape=[2,2]), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.constant([True,1]), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.stop_gradient(x), autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.size(x)/2, autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.shape(x)[0]*2.0, autograph=False)(x, i)
except Exception: pass
try: tf.function(lambda x,i: tf.cast(tf.shape(x)[0],tf.float32)*2.0, autograph=False)(x, i)
except Exception: pass
