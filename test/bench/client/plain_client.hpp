#ifndef KFTRAIN_TEST_BENCH_CLIENT_PLAIN_CLIENT_HPP
#define KFTRAIN_TEST_BENCH_CLIENT_PLAIN_CLIENT_HPP

#include "bench/client/canned_server.hpp"

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace kftrain::bench {

/** The baseline of clients: HTTPS as one writes it with Beast, Asio and OpenSSL alone. The certificate is verified; the
    buffer has room for 64 KiB, without which Beast reads 512 bytes at a time. Blocks; what goes wrong throws. */
class plain_connection {
public:
    explicit plain_connection(server_address const& server);
    ~plain_connection();

    /// The body of the answer. Gives up if its status is not 200.
    std::string get(std::string const& target);
    /// Calls `take` with an empty text when the answer has begun, then with each piece of its body, until it returns
    /// false.
    void stream(std::string const& target, std::function<bool(std::string_view)> const& take);

private:
    struct state;
    std::unique_ptr<state> state_;
};

struct plain_request {
    plain_request() = default;

    std::string method = "POST";
    std::string target;
    std::string type = "application/json";
    std::string body;
};

/** Sends requests 0 to `count - 1`, which `make` makes, over so many connections that are kept open, in one thread.
    `take` gets the bodies of the answers. Gives up at an answer that is no success. */
void send_all(server_address const& server, int connections, long count, std::function<plain_request(long)> const& make,
              std::function<void(std::string const&)> const& take);

} // namespace kftrain::bench

#endif
