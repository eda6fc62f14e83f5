#include "kube/answers/answer_check.hpp"

#include "base/in_quotes.hpp"
#include "kube/answers/expected_place.hpp"
#include "kube/answers/json_members.hpp"
#include "kube/http/request_parts.hpp"

#include <kftrain/model/codec.hpp>
#include <kftrain/model/reflect.hpp>

#include <boost/url/pct_string_view.hpp>

#include <cstring>
#include <optional>

namespace kftrain::kube::detail {
namespace {

/// How much of `generateName` a server keeps: a name has 63 characters, of which it draws five.
constexpr std::size_t longest_prefix = 58;

struct named_metadata {
    named_metadata() = default;

    std::string name;
    std::string generate_name;
    std::string namespace_;
};
BOOST_DESCRIBE_STRUCT(named_metadata, (), (name, generate_name, namespace_))

std::string decoded(std::string_view segment) {
    if (segment.find('%') == std::string_view::npos) return std::string(segment);
    auto const text = boost::urls::make_pct_string_view(segment);
    return text ? text->decode() : std::string(segment);
}

/// The text of a string of JSON without escapes, which kinds have none of.
std::string_view unquoted(std::string_view value) {
    return value.size() >= 2 && value.front() == '"' ? value.substr(1, value.size() - 2) : std::string_view();
}

/// Kind and metadata of an object; nothing where the text is no object, or they do not decode.
struct object_head {
    std::string_view kind;
    named_metadata metadata;
};

/// Whether a name of JSON is this one. It is called for each member of the head of each answer: nearly all differ in
/// size already.
template <std::size_t N> [[gnu::always_inline]] inline bool is(std::string_view name, char const (&literal)[N]) {
    return name.size() == N - 1 && std::memcmp(name.data(), literal, N - 1) == 0;
}

/// Takes the names from the metadata at the front of `text`; false if that needs a decoder.
bool take_plain_names(std::string_view text, named_metadata& out) {
    json_members members(text);
    if (!members.enter()) return false;
    std::string_view name, value;
    while ((out.name.empty() || out.namespace_.empty()) && members.next_name(name)) {
        if (members.escaped()) return false;
        auto* const wanted = is(name, "name")           ? &out.name
                             : is(name, "namespace")    ? &out.namespace_
                             : is(name, "generateName") ? &out.generate_name
                                                        : nullptr;
        if (!members.take_value(value)) break;
        if (wanted == nullptr) continue;
        if (value.size() < 2 || value.front() != '"' || members.escaped()) return false;
        *wanted = unquoted(value);
    }
    return true;
}

/// Objects begin with these: the rest is not looked at.
std::optional<object_head> head_of(std::string_view text) {
    json_members members(text);
    if (!members.enter()) return {};
    object_head head;
    std::string_view name, value;
    bool named = false;
    while ((head.kind.empty() || !named) && members.next_name(name)) {
        bool const is_metadata = is(name, "metadata");
        if (is_metadata) named = take_plain_names(members.rest(), head.metadata);
        if (named && !head.kind.empty()) break;
        if (!members.take_value(value)) return {};
        if (is(name, "kind")) head.kind = unquoted(value);
        if (!is_metadata || named) continue;
        auto read = from_json<named_metadata>(value);
        if (!read) return {};
        head.metadata = *std::move(read);
        named = true;
    }
    if ((head.kind.empty() || !named) && !members.ok()) return {};
    return head;
}

bool is_about_object(request_parts const& s) {
    if (s.verb == "create") return s.name.empty() && s.subresource.empty();
    if (s.verb != "get" && s.verb != "update" && s.verb != "patch" && s.verb != "delete") return false;
    return s.subresource.empty() || s.subresource == "status" || s.subresource == "scale";
}

} // namespace

expected_answer::expected_answer(http_request const& request)
    : expected_answer(request, parts_of(request.method, request.target)) {}

expected_answer::expected_answer(http_request const& request, request_parts const& subject) {
    if (request.method == "HEAD" || request.fields.get("Accept").find("as=Table") != std::string::npos) return;
    if (subject.resource.empty()) return;
    resource_ = subject.resource;
    if (subject.verb == "list") form_ = form::list;
    if (!is_about_object(subject)) return;
    form_ = form::object;
    if (subject.resource != "namespaces") namespace_ = decoded(subject.namespace_);
    name_ = decoded(subject.name);
    if (!name_.empty()) return;
    auto const sent = head_of(request.body);
    if (!sent) {
        form_ = form::any;
        return;
    }
    name_ = sent->metadata.name;
    prefix_ = sent->metadata.generate_name.substr(0, longest_prefix);
}

result<void> expected_answer::check(std::string_view text) const {
    switch (form_) {
    case form::list: return check_list(text);
    case form::object: return check_object(text);
    case form::any: break;
    }
    return {};
}

/// A list that has items is one, whatever it calls itself. One without must say so: it means that nothing is there.
result<void> expected_answer::check_list(std::string_view text) const {
    json_members members(text);
    if (!members.enter()) return {};
    std::string_view name, value, kind;
    bool has_version = false;
    bool has_items = false;
    while (members.next_name(name)) {
        if (name == "items" && members.at_filled_array()) return {};
        if (!members.take_value(value)) return {};
        if (name == "kind") kind = unquoted(value);
        if (name == "apiVersion") has_version = true;
        if (name == "items") has_items = true;
    }
    if (!members.ok()) return {};
    auto const wanted = "expected a list of " + resource_ + ", got ";
    if (kind == "Status") return protocol_failure("kind", wanted + "a Status");
    if (kind.empty()) {
        auto const* const missing = !has_items ? "kind and items" : has_version ? "kind" : "apiVersion and kind";
        return protocol_failure("kind", wanted + "an object without " + missing);
    }
    if (!has_items) return protocol_failure("items", wanted + in_quotes(kind) + " without items");
    return {};
}

result<void> expected_answer::check_object(std::string_view text) const {
    auto const head = head_of(text);
    if (!head || head->kind == "Status") return {};
    auto const& got = head->metadata;
    // Objects without a name are checked by callers, which have the type.
    if (!got.name.empty() && !name_.empty() && got.name != name_)
        return protocol_failure("metadata.name", "expected " + in_quotes(name_) + ", the name in the request, got " +
                                                     in_quotes(got.name));
    if (!got.name.empty() && name_.empty() && !got.name.starts_with(prefix_))
        return protocol_failure("metadata.name", "expected a name that begins with " + in_quotes(prefix_) + ", got " +
                                                     in_quotes(got.name));
    if (!namespace_.empty() && !got.namespace_.empty() && got.namespace_ != namespace_)
        return protocol_failure("metadata.namespace", "expected " + in_quotes(namespace_) +
                                                          ", the namespace in the request, got " +
                                                          in_quotes(got.namespace_));
    return {};
}

} // namespace kftrain::kube::detail
