#include "golden/checks/request_compare.hpp"

namespace golden {

request read_request(json::object const& recorded) {
    request r(text(recorded, "method"), text(recorded, "path"), "");
    if (r.method != "DELETE" && recorded.contains("body")) r.body = normal_body(recorded.at("body"));
    r.name = r.method == "POST" ? text(child_of(r.body.as_object(), "metadata"), "name")
                                : r.path.substr(r.path.rfind('/') + 1);
    if (auto const* code = recorded.if_contains("code")) r.code = code->as_int64();
    r.message = text(child_of(recorded, "error"), "message");
    return r;
}

outcome differ(std::string const& path, request const& recorded, request const& ours) {
    auto const at = path + "[" + recorded.title() + "]";
    if (recorded.code != ours.code)
        return at + ".code: recorded " + std::to_string(recorded.code) + ", kftrain " + std::to_string(ours.code);
    // Of a conflict, the recording does not keep whose.
    if (recorded.code != 0 && recorded.code != 409 && recorded.message != ours.message)
        return at + ".error.message: recorded " + recorded.message + ", kftrain " + ours.message;
    return recorded.body.is_null() ? std::nullopt : first_difference(at + ".body", recorded.body, ours.body);
}

request without_generation(request r) {
    if (auto* o = r.body.if_object())
        if (auto* metadata = o->if_contains("metadata")) metadata->as_object().erase("generation");
    return r;
}

outcome beyond(std::string const& path, json::value const& recorded, json::value const& ours) {
    if (recorded.is_array() && ours.is_array() && recorded.get_array().size() == ours.get_array().size()) {
        for (std::size_t i = 0; i < recorded.get_array().size(); ++i)
            if (auto d = beyond(path + "[" + std::to_string(i) + "]", recorded.get_array()[i], ours.get_array()[i]))
                return d;
        return std::nullopt;
    }
    if (!recorded.is_object() || !ours.is_object()) return first_difference(path, recorded, ours);
    for (auto const& [key, value] : recorded.get_object()) {
        auto const* other = ours.get_object().if_contains(key);
        auto const at = path + "." + std::string(key);
        if (auto d = other == nullptr ? first_difference(at, value, nullptr) : beyond(at, value, *other)) return d;
    }
    return std::nullopt;
}

json::value member(json::value const& body, std::string_view name) {
    auto const* o = body.if_object();
    return o == nullptr ? json::value() : json::value(child_of(*o, name));
}

outcome differ_itself(std::string const& path, request const& recorded, request const& ours, bool many) {
    auto const at = path + "[" + recorded.title() + "].body";
    auto const metadata = [](request const& r, char const* key) { return member(member(r.body, "metadata"), key); };
    for (auto const* key : {"labels", "annotations"})
        if (auto d = first_difference(at + ".metadata", metadata(recorded, key), metadata(ours, key)); d && !many)
            return d;
    if (auto d = first_difference(at + ".status", member(recorded.body, "status"), member(ours.body, "status")))
        return d;
    return beyond(at + ".spec", member(recorded.body, "spec"), member(ours.body, "spec"));
}

bool same_object(request const& a, request const& b) {
    return a.method == b.method && a.path == b.path && a.name == b.name;
}

} // namespace golden
