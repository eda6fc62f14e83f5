#ifndef KFTRAIN_SRC_KUBE_STREAMS_HEADER_INFLATER_HPP
#define KFTRAIN_SRC_KUBE_STREAMS_HEADER_INFLATER_HPP

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace kftrain::kube::detail {

/// Returns the preset dictionary of the header blocks of SPDY. @par Upstream SPDY protocol draft 3.1, section 2.6.10.1
std::string const& spdy_dictionary();

/** Decompresses the header blocks of a SPDY connection: one zlib stream with a preset dictionary, flushed after each
    block. After a failure it is of no use. */
class header_inflater {
public:
    header_inflater();
    header_inflater(header_inflater&&) noexcept;
    header_inflater& operator=(header_inflater&&) noexcept;
    ~header_inflater();

    /// Appends the text of the next block to `out`. Returns false if the block is malformed or `out` would become
    /// longer than `limit`.
    bool unpack(std::string_view block, std::string& out, std::size_t limit);

private:
    struct state;
    std::unique_ptr<state> state_;
};

} // namespace kftrain::kube::detail

#endif
