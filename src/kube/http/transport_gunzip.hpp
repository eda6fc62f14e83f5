#ifndef KFTRAIN_SRC_KUBE_HTTP_TRANSPORT_GUNZIP_HPP
#define KFTRAIN_SRC_KUBE_HTTP_TRANSPORT_GUNZIP_HPP

#include <kftrain/base/error.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace kftrain::kube::detail {

/** Unpacks gzip that arrives in pieces, which may end anywhere; members may follow each other.
    @par Upstream RFC 1952 */
class gunzip {
public:
    gunzip();
    gunzip(gunzip&&) noexcept;
    gunzip& operator=(gunzip&&) noexcept;
    ~gunzip();

    /** Appends what `piece` holds to `out`, which grows to `limit` bytes at most: a few bytes can stand for very many.
        @par Errors `errc::too_large`; `errc::protocol` for what is no gzip, or is damaged. Of no use afterwards. */
    error_code unpack(std::string_view piece, std::string& out, std::size_t limit);
    /// Whether the text may end here.
    bool complete() const noexcept;

private:
    struct state;
    std::unique_ptr<state> state_;
};

} // namespace kftrain::kube::detail

#endif
