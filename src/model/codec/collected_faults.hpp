#ifndef KFTRAIN_SRC_MODEL_CODEC_COLLECTED_FAULTS_HPP
#define KFTRAIN_SRC_MODEL_CODEC_COLLECTED_FAULTS_HPP

#include <kftrain/model/codec.hpp>

#include <algorithm>
#include <span>

namespace kftrain::detail {

/// Whether the fault is a value with the wrong type; the other collected faults concern fields, and leave a usable
/// target.
inline bool is_type_fault(error_code const& code) { return code == errc::type_mismatch || code == errc::out_of_range; }

/// The faults that one decoding adds to `decode_options::found`.
class collected_faults {
public:
    explicit collected_faults(decode_options const& options)
        : list_(options.strict ? options.found : nullptr),
          begin_(list_ != nullptr ? list_->size() : 0),
          more_lines_(options.first_line - 1) {}

    bool wanted() const noexcept { return list_ != nullptr; }
    std::vector<failure>::iterator begin() const { return list_->begin() + static_cast<std::ptrdiff_t>(begin_); }
    std::vector<failure>::iterator end() const { return list_->end(); }
    /// Leaves none.
    std::vector<failure> take() {
        if (!wanted()) return {};
        std::vector<failure> taken(begin(), end());
        list_->resize(begin_);
        return taken;
    }
    /// Makes them those that were taken.
    void put_back(std::vector<failure> const& taken) {
        if (!wanted()) return;
        list_->resize(begin_);
        list_->insert(list_->end(), taken.begin(), taken.end());
    }

    /// Counts lines as the caller does; a good result becomes the first value that does not fit, else the first fault.
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
        if (!wanted() || begin() == end()) return {};
        auto const mismatch = std::find_if(begin(), end(), [](failure const& f) { return is_type_fault(f.code); });
        return mismatch == end() ? *begin() : *mismatch;
    }

private:
    std::vector<failure>* list_;
    std::size_t begin_;
    std::size_t more_lines_;
};

} // namespace kftrain::detail

#endif
