#ifndef KFTRAIN_SRC_APISERVER_HTTP_CONNECTION_PLACES_HPP
#define KFTRAIN_SRC_APISERVER_HTTP_CONNECTION_PLACES_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>

namespace kftrain::apiserver {

/** The connections that hold the places of a listener. A connection is a stranger until its first request was
    authenticated. Strangers hold only a part of the places and are closed for new connections, the oldest first, so
    that a peer without credentials cannot keep other clients out. */
class connection_places {
public:
    /// Numbers that grow: the smaller one came earlier.
    using number = std::uint64_t;

    /// Strangers hold at most half of the places, and at least one: every connection begins as a stranger.
    connection_places(std::size_t limit, std::size_t strangers) noexcept;

    /// Returns whether a new connection needs the place of a stranger.
    bool is_full() const noexcept;
    /// The one to give way; nothing when all are known.
    std::optional<number> oldest_stranger() const noexcept;

    /// A place for a stranger. Call this only if there is one.
    number take();
    /// The connection is no stranger any more. It may have given way already.
    void know(number n) noexcept;
    /// The connection is closed or closing. May be called twice.
    void leave(number n) noexcept;

    std::size_t limit() const noexcept { return limit_; }
    std::size_t taken() const noexcept { return strangers_.size() + known_.size(); }

private:
    std::size_t limit_;
    std::size_t strangers_limit_;
    number last_ = 0;
    std::set<number> strangers_;
    std::set<number> known_;
};

/// `wanted`, unless the process may not open enough descriptors for it: then as many as leave it a quarter of them.
std::size_t connections_within_descriptors(std::size_t wanted) noexcept;

} // namespace kftrain::apiserver

#endif
