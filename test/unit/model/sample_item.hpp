#ifndef KFTRAIN_TEST_UNIT_MODEL_SAMPLE_ITEM_HPP
#define KFTRAIN_TEST_UNIT_MODEL_SAMPLE_ITEM_HPP

#include <kftrain/model/boxed.hpp>
#include <kftrain/model/meta.hpp>

namespace kftrain {

struct sample_item;

/// Cleared of what a patch does not name.
struct sample_retaining {
    sample_retaining() = default;

    std::string name;
    std::string value;
    std::string other;
    string_map simple_map;
    std::vector<std::int32_t> merging_int_list;
    std::vector<sample_item> merging_list;
    std::vector<sample_item> non_merging_list;
    unknown_fields unknown;
};
template <> struct field_rules<sample_retaining> {
    static constexpr std::array<field_rule, 2> list{
        {{.member = "merging_int_list", .merge_key = "*"}, {.member = "merging_list", .merge_key = "name"}}};
};
KFTRAIN_DESCRIBE(sample_retaining, (name, value, other, simple_map, merging_int_list, merging_list, non_merging_list))

/// Lists of every kind that strategic merge patches know.
struct sample_item {
    sample_item() = default;

    std::string name;
    std::string value;
    std::string other;
    quantity amount;
    std::vector<sample_item> merging_list;
    std::vector<sample_item> non_merging_list;
    std::vector<std::int32_t> merging_int_list;
    std::vector<std::int32_t> non_merging_int_list;
    boxed<sample_item> merge_item_ptr;
    string_map simple_map;
    boxed<sample_retaining> retain_keys_map;
    std::vector<sample_item> retain_keys_merging_list;
    unknown_fields unknown;
};
template <> struct field_rules<sample_item> {
    static constexpr std::array<field_rule, 4> list{
        {{.member = "merging_list", .merge_key = "name"},
         {.member = "merging_int_list", .merge_key = "*"},
         {.member = "retain_keys_map", .retain_keys = true},
         {.member = "retain_keys_merging_list", .merge_key = "name", .retain_keys = true}}};
};
KFTRAIN_DESCRIBE(sample_item,
                 (name, value, other, amount, merging_list, non_merging_list, merging_int_list, non_merging_int_list,
                  merge_item_ptr, simple_map, retain_keys_map, retain_keys_merging_list))

} // namespace kftrain

#endif
