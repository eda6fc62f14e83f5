#ifndef KFTRAIN_SRC_KUBE_WATCH_FOLLOWED_COLLECTION_HPP
#define KFTRAIN_SRC_KUBE_WATCH_FOLLOWED_COLLECTION_HPP

#include "kube/answers/undecodable_object.hpp"

#include <kftrain/kube/request.hpp>
#include <kftrain/model/object_type.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kftrain::kube::detail {

/// A collection that is listed and watched, and the form in which its objects are requested.
class followed_collection {
public:
    /// The objects of a type as they are; in all namespaces if `ns` is empty.
    followed_collection(object_type const& t, std::string ns) : of_(t.share()), shown_(t), namespace_(std::move(ns)) {}
    /// Only their metadata, as objects of the type `metadata`, which is that of object_metadata.
    followed_collection(object_type const& t, std::string ns, object_type const& metadata)
        : of_(t.share()), shown_(metadata), namespace_(std::move(ns)), metadata_only_(true) {}

    /// Empty for all.
    std::string const& get_namespace() const noexcept { return namespace_; }
    resource_info const& info() const noexcept { return *of_->info; }
    /// The type of the decoded objects. Lives as long as this does.
    object_type const& shown() const noexcept { return shown_; }

    result<http_request> list(list_options const& options) const;
    result<http_request> watch(watch_options const& options) const;
    result<erased_object> decode(std::string_view text) const;
    /// An object that could not be decoded. Servers may leave out the namespace, which is that of the collection then.
    undecodable_object undecodable_of(std::string_view text, failure why) const;
    /** Appends the objects of a page, and apart from them those that do not fit the type, which hide no others.
        @par Errors of what is no list of these objects, `errc::protocol` for objects of another namespace or without a
        name */
    result<meta::list_meta> decode_page(std::string_view text, std::vector<erased_object>& items,
                                        std::vector<undecodable_object>& undecodable) const;

    /// For a server that only sends whole objects: requests those from now on, and reduces them here. False if it
    /// already does so.
    bool request_whole_objects() noexcept { return std::exchange(metadata_only_, false); }

private:
    bool reduces() const noexcept { return !metadata_only_ && &shown_ != of_.get(); }
    erased_object reduced(erased_object const& whole) const;
    result<meta::list_meta> decode_list(std::string_view text, std::vector<erased_object>& items) const;
    result<meta::list_meta> decode_each(std::string_view text, std::vector<erased_object>& items,
                                        std::vector<undecodable_object>& undecodable) const;

    std::shared_ptr<object_type const> of_;
    object_type const& shown_;
    std::string namespace_;
    bool metadata_only_ = false;
};

} // namespace kftrain::kube::detail

#endif
