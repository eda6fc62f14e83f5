#ifndef KFTRAIN_SRC_MODEL_JSON_JSON_OUTPUT_HPP
#define KFTRAIN_SRC_MODEL_JSON_JSON_OUTPUT_HPP

#include "model/json/json_text.hpp"
#include "model/scalars/byte_scan.hpp"

#include <array>
#include <charconv>
#include <cstring>

namespace kftrain::detail {

/** Appends to a string by way of a block on the stack: most pieces are a few bytes, and a string checks and counts for
    each. What was written last can be taken back. finish() must be called in the end. */
class json_output {
public:
    explicit json_output(std::string& out) : out_(out) {}
    json_output(json_output const&) = delete;
    json_output& operator=(json_output const&) = delete;

    [[gnu::always_inline]] inline void put(char c) {
        if (used_ == block_.size()) flush();
        block_[used_++] = c;
    }
    void put(std::string_view s) {
        if (block_.size() - used_ < s.size()) {
            flush();
            if (s.size() > block_.size()) return void(out_.append(s));
        }
        std::memcpy(block_.data() + used_, s.data(), s.size());
        used_ += s.size();
    }
    void put(std::int64_t v) {
        if (block_.size() - used_ < 24) flush();
        auto const r = std::to_chars(block_.data() + used_, block_.data() + block_.size(), v);
        used_ = static_cast<std::size_t>(r.ptr - block_.data());
    }
    /// With quotes and escapes.
    void put_string(std::string_view s) {
        char const* const end = s.data() + s.size();
        if (end_of_unescaped(s.data(), end) != end) {
            flush();
            return append_string(s, out_);
        }
        put('"');
        put(s);
        put('"');
    }

    /// Bytes so far; later to be given to cut().
    std::size_t mark() const noexcept { return out_.size() + used_; }
    void cut(std::size_t mark) {
        if (mark >= out_.size()) return void(used_ = mark - out_.size());
        used_ = 0;
        out_.resize(mark);
    }
    /// Makes room for about so many bytes more than there are now.
    void expect(std::size_t bytes) {
        flush();
        if (out_.capacity() - out_.size() < bytes) out_.reserve(out_.size() + bytes + bytes / 16);
    }
    void finish() { flush(); }

private:
    void flush() {
        out_.append(block_.data(), used_);
        used_ = 0;
    }

    std::string& out_;
    std::size_t used_ = 0;
    std::array<char, 16384> block_;
};

} // namespace kftrain::detail

#endif
