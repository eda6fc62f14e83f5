#ifndef KFTRAIN_BASE_SPECIAL_MEMBERS_HPP
#define KFTRAIN_BASE_SPECIAL_MEMBERS_HPP

/** @file Special members of structs that contain many others. If they are implicit, each source that copies, moves
    or destroys such a struct compiles them for everything within it; compiling them once halves the compile time of
    most sources. */

/// In the struct: declares default constructor, copies, moves and destructor. Moves do not throw.
#define KFTRAIN_DECLARE_SPECIAL_MEMBERS(Type)                                                                          \
    Type();                                                                                                            \
    Type(Type const&);                                                                                                 \
    Type(Type&&) noexcept;                                                                                             \
    Type& operator=(Type const&);                                                                                      \
    Type& operator=(Type&&) noexcept;                                                                                  \
    ~Type()

/// In one source: defines them with the implicit behaviour.
#define KFTRAIN_DEFINE_SPECIAL_MEMBERS(Type)                                                                           \
    Type::Type() = default;                                                                                            \
    Type::Type(Type const&) = default;                                                                                 \
    Type::Type(Type&&) noexcept = default;                                                                             \
    Type& Type::operator=(Type const&) = default;                                                                      \
    Type& Type::operator=(Type&&) noexcept = default;                                                                  \
    Type::~Type() = default

#endif
