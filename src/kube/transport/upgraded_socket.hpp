#ifndef KFTRAIN_SRC_KUBE_TRANSPORT_UPGRADED_SOCKET_HPP
#define KFTRAIN_SRC_KUBE_TRANSPORT_UPGRADED_SOCKET_HPP

#include "kube/transport/transport_stream.hpp"

#include <kftrain/kube/upgraded_stream.hpp>

#include <memory>
#include <string>

namespace kftrain::kube::detail {

/** A connection after the switch to another protocol. `stream` may be a part of something that is kept alive with it;
    `early` was received together with the head. */
std::unique_ptr<upgraded_stream> make_upgraded_socket(std::shared_ptr<any_stream> stream, std::string early,
                                                      http_fields fields);

} // namespace kftrain::kube::detail

#endif
