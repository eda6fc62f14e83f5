#include "kube/list_watch.hpp"

#include <kftrain/model/codec.hpp>
#include <kftrain/model/raw_json.hpp>
#include <kftrain/model/reflect.hpp>

namespace kftrain::kube::detail {
namespace {

/// A list whose items are not looked at.
struct raw_list {
    raw_list() = default;

    meta::list_meta metadata;
    std::vector<raw_json> items;
};
BOOST_DESCRIBE_STRUCT(raw_list, (), (metadata, items))

} // namespace

bool is_misfit(error_code ec) noexcept {
    return ec == make_error_code(errc::type_mismatch) || ec == make_error_code(errc::out_of_range) ||
           ec == make_error_code(errc::wrong_kind);
}

/// One object that does not fit must not hide all others, which is what refusing the page would do.
result<meta::list_meta> list_watch::decode_page(std::string_view text) {
    auto const before = items_.size();
    auto page = what_.decode_list(text, items_);
    if (page) share_known(before);
    if (page || !is_misfit(page.error().code)) return page;

    items_.resize(before);
    auto raw = from_json<raw_list>(text);
    if (!raw) return raw.error();
    for (auto const& item : raw->items) {
        if (auto object = what_.decode(item.text))
            items_.push_back(std::move(*object));
        else
            sink_.undecodable(object.error());
    }
    share_known(before);
    return std::move(raw->metadata);
}

} // namespace kftrain::kube::detail
