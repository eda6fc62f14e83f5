// usage: bench_data DIRECTORY
//
// Writes what the benches of clients are served (see sample_objects.hpp) as lists for other servers: pods.json (6000
// pods), pods5000.json, pods100.json and jobs5000.json (PyTorchJobs).
#include "bench/samples/sample_objects.hpp"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace {

void write(std::filesystem::path const& file, std::string const& text, std::size_t count) {
    std::ofstream out(file, std::ios::binary);
    out << text;
    if (!out.flush()) {
        std::fprintf(stderr, "bench_data: cannot write %s\n", file.c_str());
        std::exit(1);
    }
    std::printf("%s: %zu objects, %zu bytes, %zu each\n", file.c_str(), count, text.size(), text.size() / count);
}

} // namespace

int main(int argc, char** argv) {
    if (argc != 2 || argv[1][0] == '-') {
        std::fprintf(stderr, "usage: bench_data DIRECTORY\n");
        return 2;
    }
    std::filesystem::path const directory = argv[1];
    std::filesystem::create_directories(directory);
    for (auto const& [name, count] : {std::pair("pods.json", 6000), {"pods5000.json", 5000}, {"pods100.json", 100}}) {
        auto const n = static_cast<std::size_t>(count);
        write(directory / name, kftrain::bench::sample_pod_list(n), n);
    }
    write(directory / "jobs5000.json", kftrain::bench::sample_pytorch_job_list(5000), 5000);
}
