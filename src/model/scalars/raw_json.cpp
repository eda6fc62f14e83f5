#include <kftrain/model/raw_json.hpp>

namespace kftrain {

unknown_fields::value_type const* unknown_fields::begin() const noexcept {
    return list_ != nullptr ? list_->data() : nullptr;
}

unknown_fields::value_type const* unknown_fields::end() const noexcept {
    return list_ != nullptr ? list_->data() + list_->size() : nullptr;
}

raw_json const* unknown_fields::find(std::string_view name) const noexcept {
    for (auto const& [n, v] : *this)
        if (n == name) return &v;
    return nullptr;
}

unknown_fields::value_type& unknown_fields::append(std::string_view name) {
    if (list_ == nullptr) list_ = new list;
    return list_->emplace_back(name, raw_json());
}

void unknown_fields::set(std::string_view name, raw_json value) {
    if (list_ == nullptr) list_ = new list;
    for (auto& [n, v] : *list_)
        if (n == name) return void(v = std::move(value));
    list_->emplace_back(name, std::move(value));
}

unknown_fields::list* unknown_fields::copy(list const& l) { return new list(l); }

void unknown_fields::destroy(list* l) noexcept { delete l; }

} // namespace kftrain
