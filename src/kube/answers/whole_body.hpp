#ifndef KFTRAIN_SRC_KUBE_ANSWERS_WHOLE_BODY_HPP
#define KFTRAIN_SRC_KUBE_ANSWERS_WHOLE_BODY_HPP

#include "kube/http/transport_gunzip.hpp"

#include <kftrain/base/error.hpp>
#include <kftrain/kube/message.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <utility>

namespace kftrain::kube::detail {

/// A body that is put together from its pieces, and unpacked if it is packed.
class whole_body {
public:
    whole_body() = default;
    /// The body of the answer with these fields.
    whole_body(std::size_t limit, http_fields const& fields);

    /** Adds the next piece.
        @par Errors `errc::too_large` if it would become longer than the limit; `errc::protocol` if it cannot be
        unpacked. */
    error_code add(std::string piece);
    /// The last piece was added. `errc::protocol` if something is missing.
    error_code end() const noexcept;
    std::string const& text() const noexcept { return text_; }
    std::string take() noexcept { return std::move(text_); }

private:
    void make_room(std::size_t needed);

    std::size_t limit_ = 0;
    std::size_t announced_ = 0;
    std::string text_;
    std::optional<gunzip> packed_;
};

} // namespace kftrain::kube::detail

#endif
