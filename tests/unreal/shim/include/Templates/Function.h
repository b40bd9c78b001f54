// TFunction is copied with what it captures, TUniqueFunction is only moved.
// https://dev.epicgames.com/documentation/en-us/unreal-engine/API/Runtime/Core/TFunction
#pragma once

#include "Templates/UnrealTemplate.h"

#include <functional>
#include <memory>

template <typename Signature>
using TFunction = std::function<Signature>;

template <typename Signature>
class TUniqueFunction;

/** Owns what it captures, and is only moved. */
template <typename ResultType, typename... ArgumentTypes>
class TUniqueFunction<ResultType(ArgumentTypes...)>
{
public:
	TUniqueFunction() = default;
	TUniqueFunction(std::nullptr_t) {}
	template <typename CallType>
		requires(!std::is_same_v<std::decay_t<CallType>, TUniqueFunction> && std::is_invocable_r_v<ResultType, std::decay_t<CallType>&, ArgumentTypes...>)
	TUniqueFunction(CallType&& Call)
		: Held(new THeld<std::decay_t<CallType>>(std::forward<CallType>(Call)))
	{
	}
	explicit operator bool() const { return Held != nullptr; }
	ResultType operator()(ArgumentTypes... Arguments) const
	{
		UE_SHIM_CHECK(Held);
		return Held->Call(std::forward<ArgumentTypes>(Arguments)...);
	}

private:
	struct FHeld
	{
		virtual ~FHeld() = default;
		virtual ResultType Call(ArgumentTypes... Arguments) = 0;
	};
	template <typename CallType>
	struct THeld final : FHeld
	{
		explicit THeld(CallType&& InCall)
			: Function(std::move(InCall))
		{
		}
		explicit THeld(const CallType& InCall)
			: Function(InCall)
		{
		}
		ResultType Call(ArgumentTypes... Arguments) override { return Function(std::forward<ArgumentTypes>(Arguments)...); }
		CallType Function;
	};
	std::unique_ptr<FHeld> Held;
};
