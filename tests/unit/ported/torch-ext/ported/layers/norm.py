import tensorflow
