#ifndef KFTRAIN_TEST_UNIT_MODEL_PATCH_SAMPLE_ITEM_HPP
#define KFTRAIN_TEST_UNIT_MODEL_PATCH_SAMPLE_ITEM_HPP

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
    string_map labels;
    std::vector<std::int32_t> numbers;
    std::vector<sample_item> parts;
    std::vector<sample_item> steps;
    unknown_fields unknown;
};
KFTRAIN_FIELD_RULES(sample_retaining, {.member = "numbers", .merge_key = "*"}, {.member = "parts", .merge_key = "name"})
BOOST_DESCRIBE_STRUCT(sample_retaining, (), (name, value, other, labels, numbers, parts, steps))

/// Lists of every kind of strategic merge patches.
struct sample_item {
    sample_item() = default;

    std::string name;
    std::string value;
    std::string other;
    quantity amount;
    std::vector<sample_item> parts;
    std::vector<sample_item> steps;
    std::vector<std::int32_t> numbers;
    std::vector<std::int32_t> digits;
    boxed<sample_item> inner;
    string_map labels;
    boxed<sample_retaining> choice;
    std::vector<sample_item> mounts;
    unknown_fields unknown;
};
KFTRAIN_FIELD_RULES(sample_item, {.member = "parts", .merge_key = "name"}, {.member = "numbers", .merge_key = "*"},
                    {.member = "choice", .retain_keys = true},
                    {.member = "mounts", .merge_key = "name", .retain_keys = true})
BOOST_DESCRIBE_STRUCT(sample_item, (),
                      (name, value, other, amount, parts, steps, numbers, digits, inner, labels, choice, mounts))

} // namespace kftrain

#endif
