#include "unit/model/patch/sample_item.hpp"
#include "unit/model/sample.hpp"

#include <kftrain/model/reflect.hpp>

template struct kftrain::model::table<kftrain::sample_values>;
template struct kftrain::model::table<kftrain::sample_narrow>;
template struct kftrain::model::table<kftrain::sample_retaining>;
template struct kftrain::model::table<kftrain::sample_item>;
template struct kftrain::model::table<kftrain::sample_spec>;
template struct kftrain::model::table<kftrain::sample_job>;
template struct kftrain::model::table<kftrain::object_list<kftrain::sample_job>>;
template struct kftrain::model::table<kftrain::raw_json>;
template struct kftrain::model::table<std::vector<kftrain::raw_json>>;
