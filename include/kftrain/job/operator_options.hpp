#ifndef KFTRAIN_JOB_OPERATOR_OPTIONS_HPP
#define KFTRAIN_JOB_OPERATOR_OPTIONS_HPP

#include <any>
#include <map>
#include <typeindex>
#include <utility>

namespace kftrain {

/** Options for the rules of an operator. Each configurable kind has an options struct in its header, e.g.
    `pytorch_operator_options`; its defaults, which are those of upstream, apply unless set. Rules read their options
    once, at construction. A value: copies are independent.
    @par Thread safety Distinct objects: safe. Shared objects: safe as long as none is changed. */
class operator_options {
public:
    operator_options() = default;

    /// Replaces the options of this type.
    template <class T> operator_options& set(T options) {
        values_[typeid(T)] = std::move(options);
        return *this;
    }
    /// Returns a copy of the options of this type; the defaults if none were set.
    template <class T> T get() const {
        auto const it = values_.find(typeid(T));
        return it == values_.end() ? T() : std::any_cast<T const&>(it->second);
    }

private:
    std::map<std::type_index, std::any> values_;
};

} // namespace kftrain

#endif
