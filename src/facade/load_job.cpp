#include <kftrain/kinds/registry.hpp>
#include <kftrain/training_client.hpp>

#include <cerrno>
#include <fstream>
#include <sstream>

namespace kftrain {

result<any_job> load_job(std::filesystem::path const& file) {
    errno = 0;
    std::ifstream in(file, std::ios::binary);
    std::ostringstream text;
    // Reading a folder fails here, not when it is opened.
    if (in) text << in.rdbuf();
    if (!in || (text.str().empty() && in.peek() != std::ifstream::traits_type::eof())) {
        failure f;
        f.code = error_code(errno != 0 ? errno : EIO, boost::system::system_category());
        f.detail.message = "cannot read " + file.string() + ": " + f.code.message();
        return f;
    }
    auto job = parse_job(text.str());
    if (!job) {
        failure f = job.error();
        f.detail.path = f.detail.path.empty() ? file.string() : file.string() + ": " + f.detail.path;
        return f;
    }
    return job;
}

} // namespace kftrain
