#include "model/schema/schema_scale.hpp"
#include "model/json/go_text.hpp"

#include <limits>

namespace kftrain {

namespace json = boost::json;

scale_value read_scale_path(json::object const& object, std::string_view path, std::string_view wanted) {
    if (!path.empty() && path.front() == '.') path.remove_prefix(1);
    scale_value out;
    json::value const* here = nullptr;
    json::object const* inside = &object;
    auto const wrong = [&](std::string_view up_to, std::string_view expected) {
        out.value = nullptr;
        out.fault = "." + std::string(up_to) + " accessor error: " + go_text::plain(*here) + " is of the type " +
                    std::string(go_text::type(*here)) + ", expected " + std::string(expected);
        return out;
    };
    for (std::size_t from = 0;;) {
        auto const dot = path.find('.', from);
        auto const name = path.substr(from, dot == path.npos ? path.npos : dot - from);
        if (inside == nullptr) {
            if (here->is_null()) return out;
            return wrong(path.substr(0, dot), "map[string]interface{}");
        }
        here = inside->if_contains(json::string_view(name.data(), name.size()));
        if (here == nullptr) return out;
        if (dot == path.npos) break;
        inside = here->if_object();
        from = dot + 1;
    }
    if (go_text::type(*here) != wanted) return wrong(path, wanted);
    out.value = here;
    return out;
}

namespace {

void check_count(json::object const& o, std::string const& path, std::vector<schema_violation>& out) {
    auto const invalid = [&](std::int64_t n, std::string const& why) {
        out.emplace_back("FieldValueInvalid", path, "Invalid value: " + std::to_string(n) + ": " + why);
    };
    auto const found = read_scale_path(o, path, "int64");
    auto const n = found.value != nullptr ? found.value->get_int64() : 0;
    constexpr auto most = std::numeric_limits<std::int32_t>::max();
    if (!found.fault.empty())
        invalid(0, found.fault);
    else if (n < 0)
        invalid(n, "should be a non-negative integer");
    else if (n > most)
        invalid(n, "should be less than or equal to " + std::to_string(most));
}

} // namespace

void check_scale_spec(scale_paths const& paths, json::object const& o, std::vector<schema_violation>& out) {
    check_count(o, paths.spec_replicas, out);
}

void check_scale_status(scale_paths const& paths, json::object const& o, std::vector<schema_violation>& out) {
    check_count(o, paths.status_replicas, out);
    if (paths.label_selector.empty()) return;
    auto const found = read_scale_path(o, paths.label_selector, "string");
    if (!found.fault.empty())
        out.emplace_back("FieldValueInvalid", paths.label_selector, "Invalid value: \"\": " + found.fault);
}

} // namespace kftrain
