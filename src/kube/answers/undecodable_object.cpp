#include "kube/answers/undecodable_object.hpp"

#include "kube/answers/json_members.hpp"

#include <kftrain/model/codec.hpp>
#include <kftrain/model/meta.hpp>
#include <kftrain/model/reflect.hpp>

#include <utility>

namespace kftrain::kube::detail {
namespace {

struct bare_metadata {
    bare_metadata() = default;

    std::string name;
    std::string namespace_;
    std::string uid;
    std::string resource_version;
};
BOOST_DESCRIBE_STRUCT(bare_metadata, (), (name, namespace_, uid, resource_version))

/// Apart, for the same reason as labels.
struct finalizers_alone {
    finalizers_alone() = default;

    std::vector<std::string> finalizers;
};
BOOST_DESCRIBE_STRUCT(finalizers_alone, (), (finalizers))

/// Apart, because labels may be undecodable.
struct labels_alone {
    labels_alone() = default;

    string_map labels;
};
BOOST_DESCRIBE_STRUCT(labels_alone, (), (labels))

/// Its text alone: the undecodable value may be anywhere else.
std::string_view metadata_in(std::string_view object) {
    json_members members(object);
    std::string_view name, value;
    if (members.enter())
        while (members.next(name, value))
            if (name == "metadata") return value;
    return "{}";
}

} // namespace

undecodable_object read_undecodable(resource_info const& type, std::string_view text, failure why) {
    undecodable_object m;
    m.kind = type.kind;
    m.why = std::move(why);
    m.why.detail.line = m.why.detail.column = 0; // of a text that no user sees
    auto const metadata = metadata_in(text);
    if (auto bare = from_json<bare_metadata>(metadata)) {
        m.name = std::move(bare->name);
        m.namespace_ = std::move(bare->namespace_);
        m.uid = std::move(bare->uid);
        m.resource_version = std::move(bare->resource_version);
    }
    if (auto kept = from_json<finalizers_alone>(metadata)) m.finalizers = std::move(kept->finalizers);
    if (auto labelled = from_json<labels_alone>(metadata)) {
        m.labels = std::move(labelled->labels);
        m.labels_known = true;
    }
    return m;
}

std::string undecodable_object::subject() const {
    auto text = kind;
    if (!name.empty()) text.append(" ").append(namespace_).append(namespace_.empty() ? "" : "/").append(name);
    return text;
}

std::string undecodable_object::to_string() const { return subject() + ": " + why.to_string(); }

failure undecodable_object::named() const {
    failure f = why;
    f.detail.path.clear();
    f.detail.message = to_string();
    return f;
}

erased_object undecodable_object::bare_object(object_type const& type) const {
    auto object = type.make();
    auto& m = type.metadata_of(object.get());
    m.namespace_ = namespace_;
    m.name = name;
    m.uid = uid;
    m.resource_version = resource_version;
    m.finalizers = finalizers;
    m.labels = labels;
    return object;
}

} // namespace kftrain::kube::detail
