#ifndef KFTRAIN_SRC_MODEL_COLLECTED_FAULTS_HPP
#define KFTRAIN_SRC_MODEL_COLLECTED_FAULTS_HPP

#include <kftrain/model/codec.hpp>

namespace kftrain::detail {

/// What one decoding adds to `decode_options::found`.
class collected_faults {
public:
    explicit collected_faults(decode_options const& options)
        : list_(options.strict ? options.found : nullptr),
          begin_(list_ != nullptr ? list_->size() : 0),
          more_lines_(options.first_line - 1) {}

    bool wanted() const noexcept { return list_ != nullptr; }
    std::vector<failure>::iterator begin() const { return list_->begin() + static_cast<std::ptrdiff_t>(begin_); }
    std::vector<failure>::iterator end() const { return list_->end(); }
    void forget() {
        if (wanted()) list_->resize(begin_);
    }

    /// Counts lines as the caller does; a good result becomes the first fault that was collected.
    result<void> finish(result<void> r) const {
        auto const shift = [&](failure& f) {
            if (f.detail.line != 0) f.detail.line += more_lines_;
        };
        if (wanted())
            for (auto& f : *this) shift(f);
        if (!r) {
            failure f = r.error();
            shift(f);
            return f;
        }
        if (wanted() && begin() != end()) return *begin();
        return {};
    }

private:
    std::vector<failure>* list_;
    std::size_t begin_;
    std::size_t more_lines_;
};

} // namespace kftrain::detail

#endif
