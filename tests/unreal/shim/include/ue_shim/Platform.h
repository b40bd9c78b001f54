// Types, text literals and checks: "Core types" and "Asserts" of the engine's documentation,
// https://dev.epicgames.com/documentation/en-us/unreal-engine/asserts-in-unreal-engine
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <type_traits>
#include <utility>

using int8 = std::int8_t;
using int16 = std::int16_t;
using int32 = std::int32_t;
using int64 = std::int64_t;
using uint8 = std::uint8_t;
using uint16 = std::uint16_t;
using uint32 = std::uint32_t;
using uint64 = std::uint64_t;
using TCHAR = char16_t; // a UTF-16 unit: a missing TEXT() does not compile
using ANSICHAR = char;
using UTF8CHAR = char;

#define TEXT(Literal) u##Literal
#define INDEX_NONE (-1)
#define UE_BUILD_DEVELOPMENT (!UE_BUILD_SHIPPING)
#ifndef UE_BUILD_SHIPPING
#define UE_BUILD_SHIPPING 0
#endif
#ifndef WITH_EDITOR
#define WITH_EDITOR 0
#endif
#define WITH_EDITORONLY_DATA WITH_EDITOR
#define WITH_DEV_AUTOMATION_TESTS (!UE_BUILD_SHIPPING)
#define PLATFORM_WINDOWS 0
#define PLATFORM_MAC 0
#define PLATFORM_LINUX 1
#define PLATFORM_CPU_ARM_FAMILY 0
#define THIRD_PARTY_INCLUDES_START
#define THIRD_PARTY_INCLUDES_END
#define FORCEINLINE inline
#define UE_NODISCARD [[nodiscard]]

namespace ue_shim
{
	/** Prints what does not hold, and aborts: a programmer's mistake. */
	[[noreturn]] void Fail(const char* File, int Line, const char* What);
} // namespace ue_shim

#define UE_SHIM_CHECK(Condition) \
	((Condition) ? static_cast<void>(0) : ::ue_shim::Fail(__FILE__, __LINE__, #Condition))
#if UE_BUILD_SHIPPING
#define check(Condition) static_cast<void>(0)
#define checkf(Condition, ...) static_cast<void>(0)
#else
#define check(Condition) UE_SHIM_CHECK(Condition)
#define checkf(Condition, ...) UE_SHIM_CHECK(Condition)
#endif

template <typename T>
constexpr std::remove_reference_t<T>&& MoveTemp(T&& Value) noexcept
{
	static_assert(std::is_lvalue_reference_v<T&&>, "MoveTemp of a temporary");
	static_assert(!std::is_const_v<std::remove_reference_t<T>>, "MoveTemp of a const");
	return static_cast<std::remove_reference_t<T>&&>(Value);
}
template <typename T>
constexpr T&& Forward(std::remove_reference_t<T>& Value) noexcept
{
	return static_cast<T&&>(Value);
}

struct FMath
{
	template <typename T>
	static constexpr T Max(T First, T Second)
	{
		return First < Second ? Second : First;
	}
	template <typename T>
	static constexpr T Min(T First, T Second)
	{
		return Second < First ? Second : First;
	}
};
