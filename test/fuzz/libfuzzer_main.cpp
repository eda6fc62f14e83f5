#include "fuzz/documents.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    try {
        fuzz::KFTRAIN_FUZZ_TARGET({reinterpret_cast<char const*>(data), size});
    } catch (std::exception const& e) {
        std::fprintf(stderr, "does not hold: %s\n", e.what());
        std::abort();
    }
    return 0;
}
