# One line a benchmark; assay-bench lists them by file name.
