# One line a benchmark; assay-bench lists them by file name.
assay_bench(ctu SOURCES ctu_bench.cpp TORCH LIBRARIES curvature_tuning_model)
assay_bench(log SOURCES log_bench.cpp make_log.cpp LIBRARIES SQLiteCpp SQLite::SQLite3)
assay_bench(plot SOURCES plot_bench.cpp LIBRARIES assay_viewers)
