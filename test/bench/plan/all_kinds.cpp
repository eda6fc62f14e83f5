// A program that reads a job of any kind; `scripts/measure size` prints its size.
#include <kftrain/kinds/registry.hpp>

#include <cstdio>

int main(int argc, char** argv) {
    auto const job = kftrain::parse_job(argc > 1 ? argv[1] : "");
    if (!job) return 1;
    for (auto const& object : job->render()) std::puts(object.to_json().c_str());
    return 0;
}
