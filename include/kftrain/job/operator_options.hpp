#ifndef KFTRAIN_JOB_OPERATOR_OPTIONS_HPP
#define KFTRAIN_JOB_OPERATOR_OPTIONS_HPP

#include <any>
#include <map>
#include <typeindex>
#include <utility>

namespace kftrain {

/** What the rules may be told by whoever runs an operator. Each kind that can be told something has a struct of its own
    in its header, e.g. `pytorch_operator_options`; what is not set has that struct's defaults, which are upstream's. Rules read
    theirs once, when they are made. A value: copies are independent.
    @par Thread safety Distinct objects: safe. Shared objects: safe as long as none is changed. */
class operator_options {
public:
    operator_options() = default;

    /// Takes the place of what was set of this type.
    template <class T> operator_options& set(T options) {
        values_[typeid(T)] = std::move(options);
        return *this;
    }
    /// A copy of what was set of this type, else its defaults.
    template <class T> T get() const {
        auto const it = values_.find(typeid(T));
        return it == values_.end() ? T() : std::any_cast<T const&>(it->second);
    }

private:
    std::map<std::type_index, std::any> values_;
};

} // namespace kftrain

#endif
