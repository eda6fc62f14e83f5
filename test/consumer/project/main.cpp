#include <kftrain/kftrain.hpp>

#include <iostream>

int main(int argc, char** argv) {
    if (argc != 2) return 2;
    auto const job = kftrain::load_job(argv[1]);
    if (!job) {
        std::cerr << job.error().to_string() << '\n';
        return 1;
    }
    std::cout << "kftrain " << kftrain::version() << ": job " << job->metadata().name << " becomes\n";
    auto const children = job->render();
    for (auto const& child : children)
        std::cout << "  " << child.resource().kind << ' ' << child.metadata().name << '\n';
    return children.size() == 6 ? 0 : 1; // a pod and a service for each of the three replicas
}
