#include "model/json/json_order.hpp"

#include <algorithm>
#include <utility>

namespace kftrain::detail {
namespace {

namespace json = boost::json;

template <class T> int three_way(T const& a, T const& b) { return a < b ? -1 : b < a ? 1 : 0; }

/// Both kinds of integers are one: 1 equals 1, however it is stored.
int rank_of(json::value const& v) { return static_cast<int>(v.is_uint64() ? json::kind::int64 : v.kind()); }

int compare_integers(json::value const& a, json::value const& b) {
    if (a.is_int64() && b.is_int64()) return three_way(a.get_int64(), b.get_int64());
    if (a.is_uint64() && b.is_uint64()) return three_way(a.get_uint64(), b.get_uint64());
    if (a.is_uint64()) return -compare_integers(b, a);
    return std::cmp_less(a.get_int64(), b.get_uint64()) ? -1 : std::cmp_equal(a.get_int64(), b.get_uint64()) ? 0 : 1;
}

std::vector<json::key_value_pair const*> by_key(json::object const& o) {
    std::vector<json::key_value_pair const*> members;
    members.reserve(o.size());
    for (auto const& m : o) members.push_back(&m);
    std::sort(members.begin(), members.end(), [](auto const* a, auto const* b) { return a->key() < b->key(); });
    return members;
}

int compare_objects(json::object const& a, json::object const& b) {
    if (a.size() != b.size()) return three_way(a.size(), b.size());
    auto const left = by_key(a);
    auto const right = by_key(b);
    for (std::size_t i = 0; i < left.size(); ++i) {
        if (int const c = left[i]->key().compare(right[i]->key()); c != 0) return c;
        if (int const c = json_order::compare(left[i]->value(), right[i]->value()); c != 0) return c;
    }
    return 0;
}

int compare_arrays(json::array const& a, json::array const& b) {
    if (a.size() != b.size()) return three_way(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i)
        if (int const c = json_order::compare(a[i], b[i]); c != 0) return c;
    return 0;
}

} // namespace

int json_order::compare(json::value const& a, json::value const& b) {
    if (int const c = three_way(rank_of(a), rank_of(b)); c != 0) return c;
    switch (a.kind()) {
    case json::kind::null: return 0;
    case json::kind::bool_: return three_way(a.get_bool(), b.get_bool());
    case json::kind::int64: [[fallthrough]];
    case json::kind::uint64: return compare_integers(a, b);
    case json::kind::double_: return three_way(a.get_double(), b.get_double());
    case json::kind::string: return a.get_string().compare(b.get_string());
    case json::kind::array: return compare_arrays(a.get_array(), b.get_array());
    case json::kind::object: return compare_objects(a.get_object(), b.get_object());
    }
    return 0;
}

} // namespace kftrain::detail
