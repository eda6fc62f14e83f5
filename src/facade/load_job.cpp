#include <kftrain/facade/load_job.hpp>

#include "base/read_stream.hpp"

#include <fstream>

namespace kftrain {
namespace {

result<std::string> read_file(std::string const& file) {
    errno = 0;
    std::ifstream in(file, std::ios::binary);
    std::string text;
    auto const code = detail::read_stream(in, text);
    if (!code) return text;
    failure f;
    f.code = code;
    f.detail.message = code == make_error_code(errc::too_large)
                           ? "\"" + file + "\" is larger than " + std::to_string(detail::file_limit) + " bytes"
                           : "cannot read \"" + file + "\": " + code.message();
    return f;
}

failure in_file(failure f, std::string const& file) {
    f.detail.path = f.detail.path.empty() ? file : file + ": " + f.detail.path;
    return f;
}

} // namespace

result<any_job> load_job(std::string const& file, decode_options const& options, job_kinds kinds) {
    auto const text = read_file(file);
    if (!text) return text.error();
    auto job = parse_job(*text, options, kinds);
    if (!job) return in_file(job.error(), file);
    return job;
}

} // namespace kftrain
