#include "fuzz/documents.hpp"

#include <kftrain/model/selector.hpp>

namespace fuzz {

using namespace kftrain;

namespace {

string_map const labels{{"a", "b"}, {"app", ""}, {"n", "12"}, {"kubernetes.io/name", "x_y.z"}};

void labels_read_back(label_query const& q) {
    std::string const text = q.to_string();
    auto const again = label_query::parse(text);
    require(again.has_value(), "the printed query is rejected: " + text);
    require(*again == q, "the printed query differs: " + text);
    require(again->to_string() == text, "the printed query prints differently: " + again->to_string());
    require(again->matches(labels) == q.matches(labels), "the printed query selects other objects: " + text);
    require(q.matches({}) == again->matches({}), "the printed query selects other objects: " + text);
}

void fields_read_back(field_query const& q) {
    std::string const text = q.to_string();
    auto const again = field_query::parse(text);
    require(again.has_value(), "the printed query is rejected: " + text);
    require(*again == q, "the printed query differs: " + text);
    auto const get = [](std::string_view path) { return path == "status.phase" ? "Running" : ""; };
    require(again->matches_fields(get) == q.matches_fields(get), "the printed query selects other objects: " + text);
}

} // namespace

void try_selector(std::string_view text) {
    if (auto const q = label_query::parse(text))
        labels_read_back(*q);
    else
        require(!q.error().detail.message.empty(), "an error without a message");
    if (auto const q = field_query::parse(text))
        fields_read_back(*q);
    else
        require(!q.error().detail.message.empty(), "an error without a message");
    if (auto const object = from_json<label_selector>(text))
        if (auto const q = label_query::from(*object)) labels_read_back(*q);
}

} // namespace fuzz
