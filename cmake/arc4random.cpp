// The libstdc++ of Debian 12 calls this function of glibc 2.36 for std::random_device. A program that contains
// libstdc++ contains this one, too, and so needs glibc 2.34 only.
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <sys/random.h>

extern "C" std::uint32_t arc4random() noexcept {
    std::uint32_t number = 0;
    while (::getrandom(&number, sizeof(number), 0) != static_cast<ssize_t>(sizeof(number)))
        if (errno != EINTR) std::abort();
    return number;
}
