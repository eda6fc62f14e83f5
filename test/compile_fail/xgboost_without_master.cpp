// expect: an XGBoostJob needs its master
#include <kftrain/kinds/xgboost_job_builder.hpp>

auto job() { return kftrain::xgboost_job_builder("trees").image("a:1").workers(2).build(); }
