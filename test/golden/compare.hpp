#ifndef KFTRAIN_TEST_GOLDEN_COMPARE_HPP
#define KFTRAIN_TEST_GOLDEN_COMPARE_HPP

#include <boost/json.hpp>

#include <optional>
#include <string>

namespace golden {

namespace json = boost::json;

/// Without members that are null, empty or zero: encoders differ in which of them they write.
json::value pruned(json::value const&);

/// The path of the first difference and both values, or nothing. `<t?>` in the recording stands for any time.
std::optional<std::string> first_difference(std::string const& path, json::value const& recorded,
                                            json::value const& ours);

/// JSON merge patch (RFC 7386).
void merge(json::value& target, json::value const& patch);

/// The member at this key, as text; empty if there is none.
std::string text(json::object const&, std::string_view key);
/// The object at this key, or an empty one.
json::object const& child_of(json::object const&, std::string_view key);
/// The list at this key, or an empty one.
json::array const& list_of(json::object const&, std::string_view key);

} // namespace golden

#endif
