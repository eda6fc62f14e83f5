#include "base/joined.hpp"
#include "model/json/go_text.hpp"
#include "model/schema/schema_outcome.hpp"

namespace kftrain {

namespace json = boost::json;

std::string schema_faults::field(std::string_view path) const {
    if (!path.empty() && path.front() == '.') path.remove_prefix(1);
    if (path.empty()) return prefix_.empty() ? "<nil>" : prefix_;
    return prefix_.empty() ? std::string(path) : prefix_ + "." + std::string(path);
}

schema_outcome::fault schema_faults::make(std::string_view path, std::string_view kind, std::string_view shown,
                                          std::string text) const {
    fault f;
    f.violation.reason = kind;
    f.violation.field = field(path);
    f.violation.message = std::string("Invalid value: ").append(shown).append(": ").append(text);
    f.key = std::move(text);
    return f;
}

schema_outcome::fault schema_faults::invalid(std::string_view path, std::string_view shown, std::string text) const {
    return make(path, "FieldValueInvalid", shown, std::string(path) + " in body " + std::move(text));
}

schema_outcome::fault schema_faults::wrong_type(std::string_view path, std::string_view wanted,
                                                std::string_view got) const {
    auto const quoted = go_text::quoted(got);
    return make(path, "FieldValueTypeInvalid", quoted,
                std::string(path) + " in body must be of type " + std::string(wanted) + ": " + quoted);
}

schema_outcome::fault schema_faults::of_all(std::string text) const {
    return make("", "FieldValueInvalid", "\"\"", std::move(text));
}

schema_outcome::fault schema_faults::required(std::string const& path) const {
    fault f;
    f.key = path + " in body is required";
    f.violation = {"FieldValueRequired", field(path), "Required value"};
    return f;
}

schema_outcome::fault schema_faults::too_long(std::string const& path, std::int64_t most) const {
    fault f;
    f.key = path + " in body should be at most " + std::to_string(most) + " chars long";
    f.violation = {"FieldValueTooLong", field(path), "Too long: may not be longer than " + std::to_string(most)};
    return f;
}

schema_outcome::fault schema_faults::too_many(std::string const& path, std::int64_t size, std::int64_t most,
                                              std::string_view what) const {
    fault f;
    f.key = path + " in body should have at most " + std::to_string(most) + " " + std::string(what);
    f.violation = {"FieldValueTooMany", field(path),
                   "Too many: " + std::to_string(size) + ": must have at most " + std::to_string(most) + " items"};
    return f;
}

schema_outcome::fault schema_faults::unsupported(std::string const& path, json::value const& v,
                                                 std::vector<json::value> const& known) const {
    auto const supported = joined(known, ", ", [](json::value const& one) {
        return go_text::quoted(one.is_string() ? std::string(text_of(one.get_string())) : json::serialize(one));
    });
    fault f;
    f.key = path + " in body should be one of " + supported;
    f.violation.reason = "FieldValueNotSupported";
    f.violation.field = field(path);
    f.violation.message = "Unsupported value: " + (v.is_null() ? std::string("\"null\"") : go_text::syntax(v)) +
                          ": supported values: " + supported;
    return f;
}

} // namespace kftrain
