#include "apiserver/json/json_path.hpp"

#include <charconv>

namespace kftrain::apiserver {
namespace {

/// One step of a path, cut from its front.
struct step {
    enum class op { member, index, last, where, wrong };
    op what = op::wrong;
    std::string name; // member; for `where` the member that is compared
    std::string value;
    std::size_t index = 0;
};

step cut(std::string_view& rest) {
    step s;
    if (rest.starts_with('.')) {
        std::size_t i = 1;
        for (; i < rest.size() && rest[i] != '.' && rest[i] != '['; ++i) {
            if (rest[i] == '\\' && i + 1 < rest.size()) ++i;
            s.name += rest[i];
        }
        if (i > 1) s.what = step::op::member;
        rest.remove_prefix(i);
        return s;
    }
    auto const end = rest.find(']');
    if (!rest.starts_with('[') || end == std::string_view::npos) return s;
    auto inner = rest.substr(1, end - 1);
    rest.remove_prefix(end + 1);
    if (inner == "-1:" || inner == "-1") {
        s.what = step::op::last;
    } else if (inner == "*") { // only the first result is shown
        s.what = step::op::index;
    } else if (inner.starts_with("?(@.") && (inner.ends_with("\")") || inner.ends_with("')"))) {
        inner.remove_prefix(4);
        inner.remove_suffix(1);
        std::string const opening = std::string("==") + inner.back();
        inner.remove_suffix(1);
        auto const at = inner.find(opening);
        if (at == std::string_view::npos || at == 0) return s;
        s.what = step::op::where;
        s.name = inner.substr(0, at);
        s.value = inner.substr(at + opening.size());
    } else if (inner.size() > 2 && inner.front() == '\'' && inner.back() == '\'') {
        s.what = step::op::member;
        s.name = inner.substr(1, inner.size() - 2);
    } else {
        auto const stop = inner.data() + inner.size();
        auto const read = std::from_chars(inner.data(), stop, s.index);
        if (!inner.empty() && read.ptr == stop && read.ec == std::errc()) s.what = step::op::index;
    }
    return s;
}

} // namespace

json::value const* find_path(json::object const& o, std::string_view path) {
    auto const* object = &o;
    json::array const* list = nullptr;
    json::value const* here = nullptr;
    while (!path.empty()) {
        auto const s = cut(path);
        here = nullptr;
        if (s.what == step::op::member && object != nullptr) {
            here = object->if_contains(s.name);
        } else if (list != nullptr && !list->empty()) {
            if (s.what == step::op::last) here = &list->back();
            if (s.what == step::op::index && s.index < list->size()) here = &(*list)[s.index];
            if (s.what == step::op::where)
                for (auto const& item : *list)
                    if (item.is_object() && text_in(item.get_object(), s.name) == s.value && here == nullptr)
                        here = &item;
        }
        if (here == nullptr) return nullptr;
        object = here->if_object();
        list = here->if_array();
    }
    return here;
}

bool is_path(std::string_view path) {
    if (path.empty()) return false;
    while (!path.empty())
        if (cut(path).what == step::op::wrong) return false;
    return true;
}

} // namespace kftrain::apiserver
