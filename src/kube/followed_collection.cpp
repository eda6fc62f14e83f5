#include "kube/followed_collection.hpp"

#include <kftrain/kube/metadata.hpp>

namespace kftrain::kube::detail {

result<http_request> followed_collection::list(list_options const& options) const {
    auto r = request::list(info(), namespace_, options);
    return metadata_only_ ? request::metadata_only(std::move(r), request::metadata_form::list) : r;
}

result<http_request> followed_collection::watch(watch_options const& options) const {
    auto r = request::watch(info(), namespace_, options);
    return metadata_only_ ? request::metadata_only(std::move(r), request::metadata_form::object) : r;
}

erased_object followed_collection::reduced(erased_object const& whole) const {
    auto slim = std::make_shared<object_metadata>();
    slim->metadata = of_->metadata(whole.get());
    return slim;
}

result<erased_object> followed_collection::decode(std::string_view text) const {
    if (!reduces()) return shown_.decode(text);
    auto whole = of_->decode(text);
    if (!whole) return whole;
    return reduced(*whole);
}

result<meta::list_meta> followed_collection::decode_list(std::string_view text,
                                                         std::vector<erased_object>& items) const {
    if (!reduces()) return shown_.decode_list(text, items);
    auto const before = items.size();
    auto page = of_->decode_list(text, items);
    if (page)
        for (auto i = before; i != items.size(); ++i) items[i] = reduced(items[i]);
    return page;
}

} // namespace kftrain::kube::detail
