"""A plan becomes records: configs, cells, inputs, families of models, executors, stores."""
