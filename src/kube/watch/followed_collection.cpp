#include "kube/watch/followed_collection.hpp"

#include "base/failure_at.hpp"
#include "base/undecodable.hpp"
#include "kube/answers/expected_place.hpp"
#include "kube/answers/json_members.hpp"

#include <kftrain/kube/metadata.hpp>
#include <kftrain/model/codec.hpp>

namespace kftrain::kube::detail {
namespace {

/// Whether one object of a list is to blame, and not the list.
bool is_of_item(failure const& f) {
    return kftrain::detail::is_undecodable(f.code) && f.detail.path.starts_with("items[");
}

} // namespace

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

undecodable_object followed_collection::undecodable_of(std::string_view text, failure why) const {
    auto m = read_undecodable(info(), text, std::move(why));
    if (m.namespace_.empty()) m.namespace_ = namespace_;
    return m;
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

result<meta::list_meta> followed_collection::decode_page(std::string_view text, std::vector<erased_object>& items,
                                                         std::vector<undecodable_object>& undecodable) const {
    auto const before = items.size();
    auto const undecodable_before = undecodable.size();
    auto page = decode_list(text, items);
    if (!page && is_of_item(page.error())) {
        items.resize(before);
        page = decode_each(text, items, undecodable);
    }
    if (!page) {
        auto why = page.error();
        if (kftrain::detail::is_undecodable(why.code)) why.code = errc::protocol; // the list itself
        return why;
    }
    expected_place const place(namespace_);
    for (auto i = before; i != items.size(); ++i) {
        auto const& m = shown_.metadata(items[i].get());
        if (auto fits = place.check(m.namespace_, m.name); !fits) return fits.error();
    }
    for (auto i = undecodable_before; i != undecodable.size(); ++i)
        if (!undecodable[i].name.empty())
            if (auto fits = place.check(undecodable[i].namespace_, undecodable[i].name); !fits) return fits.error();
    return page;
}

result<meta::list_meta> followed_collection::decode_each(std::string_view text, std::vector<erased_object>& items,
                                                         std::vector<undecodable_object>& undecodable) const {
    json_members members(text);
    std::string_view name, value, list_metadata = "{}", all;
    if (members.enter())
        while (members.next(name, value)) {
            if (name == "metadata") list_metadata = value;
            if (name == "items") all = value;
        }
    json_members each(all);
    if (each.enter_array())
        while (each.next_item(value)) {
            auto object = decode(value);
            if (object)
                items.push_back(std::move(*object));
            else if (kftrain::detail::is_undecodable(object.error().code))
                undecodable.push_back(undecodable_of(value, object.error()));
            else
                return object.error();
        }
    if (members.ok() && each.ok()) return from_json<meta::list_meta>(list_metadata);
    return failure_at("items", "expected an array", errc::syntax);
}

} // namespace kftrain::kube::detail
