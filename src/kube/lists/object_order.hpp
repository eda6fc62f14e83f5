#ifndef KFTRAIN_SRC_KUBE_LISTS_OBJECT_ORDER_HPP
#define KFTRAIN_SRC_KUBE_LISTS_OBJECT_ORDER_HPP

#include <kftrain/model/object_type.hpp>

#include <string_view>
#include <utility>

namespace kftrain::kube::detail {

/// The place of an object: its namespace, empty at cluster scope, and its name.
using full_name = std::pair<std::string_view, std::string_view>;

/// Orders objects by namespace and name.
class by_name {
public:
    using is_transparent = void;

    explicit by_name(object_type const& type) : type_(&type) {}

    full_name operator()(erased_object const& o) const {
        auto const& meta = type_->metadata(o.get());
        return {meta.namespace_, meta.name};
    }
    full_name operator()(full_name const& n) const noexcept { return n; }
    bool operator()(auto const& a, auto const& b) const { return (*this)(a) < (*this)(b); }

private:
    object_type const* type_;
};

} // namespace kftrain::kube::detail

#endif
