"""McDonnell et al. (2015): weights that are signed sums of samples, under receptive fields, on MNIST."""
