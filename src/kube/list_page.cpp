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

/// What is read of an object that cannot be read as a whole.
struct bare_metadata {
    bare_metadata() = default;

    std::string name;
    std::string namespace_;
};
BOOST_DESCRIBE_STRUCT(bare_metadata, (), (name, namespace_))

struct bare_object {
    bare_object() = default;

    bare_metadata metadata;
};
BOOST_DESCRIBE_STRUCT(bare_object, (), (metadata))

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
            pass_over(item.text, object.error());
    }
    share_known(before);
    return std::move(raw->metadata);
}

/// It is there all the same: what is not in a list counts as deleted.
void list_watch::pass_over(std::string_view text, failure const& why) {
    sink_.undecodable(failure(why.code, client_.redact(why.detail)));
    if (stream_ && !streamed_.going()) return; // of no list
    auto bare = from_json<bare_object>(text);
    if (bare && !bare->metadata.name.empty())
        unread_.emplace_back(std::move(bare->metadata.namespace_), std::move(bare->metadata.name));
}

} // namespace kftrain::kube::detail
