// The basic types, TEXT, and what of the platform and the target the plugin asks for.
// https://dev.epicgames.com/documentation/en-us/unreal-engine/API/Runtime/Core/FGenericPlatformTypes
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <type_traits>
#include <utility>

using int8 = std::int8_t;
using int16 = std::int16_t;
using int32 = std::int32_t;
using int64 = long long; // not int64_t, which is another type on Linux: pointers to them differ
using uint8 = std::uint8_t;
using uint16 = std::uint16_t;
using uint32 = std::uint32_t;
using uint64 = unsigned long long;
using TCHAR = char16_t; // a UTF-16 unit, as with the engine on Linux: a missing TEXT() does not compile
using ANSICHAR = char;

#define TEXT(Literal) u##Literal
#define INDEX_NONE (-1)
#ifndef UE_BUILD_SHIPPING
#define UE_BUILD_SHIPPING 0
#endif
#ifndef WITH_EDITOR
#define WITH_EDITOR 0
#endif
#define WITH_DEV_AUTOMATION_TESTS (!UE_BUILD_SHIPPING)
#define PLATFORM_WINDOWS 0
#define PLATFORM_MAC 0
#define PLATFORM_LINUX 1
#define PLATFORM_CPU_ARM_FAMILY 0
#define THIRD_PARTY_INCLUDES_START
#define THIRD_PARTY_INCLUDES_END
