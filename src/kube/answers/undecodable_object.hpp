#ifndef KFTRAIN_SRC_KUBE_ANSWERS_UNDECODABLE_OBJECT_HPP
#define KFTRAIN_SRC_KUBE_ANSWERS_UNDECODABLE_OBJECT_HPP

#include <kftrain/base/diagnostics.hpp>
#include <kftrain/model/name_map.hpp>
#include <kftrain/model/object_type.hpp>
#include <kftrain/model/resource.hpp>
#include <kftrain/model/selector.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace kftrain::kube::detail {

/** A stored object that cannot be decoded as its type, which the schemas of some definitions allow. It must not hide
    other objects. */
struct undecodable_object {
    undecodable_object() = default;

    // Empty if not even these can be decoded.
    std::string namespace_, name;
    std::string uid, resource_version;
    std::vector<std::string> finalizers;
    string_map labels;
    bool labels_known = false; ///< false if the labels cannot be decoded

    std::string kind;
    failure why; ///< path and message of the undecodable value

    /// `PyTorchJob default/a`
    std::string subject() const;
    /// `PyTorchJob default/a: spec.x[0]: expected string, got 1`
    std::string to_string() const;
    /// The same as the message of a failure.
    failure named() const;
    /// Whether a selector selects it. Labels that cannot be read exclude nothing: the object is reported rather than
    /// hidden.
    bool is_selected_by(label_query const& q) const { return !labels_known || q.matches(labels); }
    /// An object of the type with these metadata and nothing else.
    erased_object bare_object(object_type const& type) const;
};

/// Reads the metadata in the text of an object.
undecodable_object read_undecodable(resource_info const& type, std::string_view text, failure why);

} // namespace kftrain::kube::detail

#endif
