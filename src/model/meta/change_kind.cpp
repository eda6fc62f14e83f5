#include <kftrain/model/change_kind.hpp>

namespace kftrain {

std::string_view to_string(change_kind k) noexcept {
    switch (k) {
    case change_kind::added: return "added";
    case change_kind::modified: return "modified";
    case change_kind::deleted: break;
    }
    return "deleted";
}

} // namespace kftrain
