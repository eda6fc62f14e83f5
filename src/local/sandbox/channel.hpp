#ifndef KFTRAIN_SRC_LOCAL_SANDBOX_CHANNEL_HPP
#define KFTRAIN_SRC_LOCAL_SANDBOX_CHANNEL_HPP

#include "local/sandbox/system.hpp"

#include <boost/json/object.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace kftrain::local::sandbox {

/// One message: a JSON object and the descriptors that travel with it.
struct datagram {
    datagram() = default;

    boost::json::object body;
    std::vector<unique_fd> fds;
    /// The receiver had no room for descriptors: there are none, and the body holds no more than the `id`.
    bool cut = false;
};

enum class transfer { done, would_block, closed };

/** Sends one message over a SOCK_SEQPACKET socket. A long text travels as a memory file, since a packet must fit
    into the socket's buffer; `id`, unless 0, arrives even if the file does not. Throws `std::system_error`. */
transfer send(int socket, std::string const& text, std::span<int const> fds = {}, bool wait = true,
              std::int64_t id = 0);
transfer send(int socket, boost::json::object const& body, std::span<int const> fds = {});

/// Receives one message; `closed` when every copy of the other end is gone or was shut down. Throws on broken messages.
transfer receive(int socket, datagram& into, bool wait = true);

/// Sends a request together with a socket for the reply, and waits for that. Throws if the other side ends first.
datagram call(int socket, boost::json::object const& request);

/// A string member; throws `std::invalid_argument` naming the member when it is missing or no string.
std::string text_of(boost::json::object const& body, std::string_view member);
/// The same for an integer.
std::int64_t number_of(boost::json::object const& body, std::string_view member);
/// The same for an array of strings; a missing member is empty.
std::vector<std::string> texts_of(boost::json::object const& body, std::string_view member);

} // namespace kftrain::local::sandbox

#endif
