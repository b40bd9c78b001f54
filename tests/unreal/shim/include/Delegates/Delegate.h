// Delegates: native ones hold functions, weakly for objects; dynamic ones are bound to a UFUNCTION by its
// name, on objects that they do not keep, and broadcast on the game thread alone. Both call what was
// bound last first: the engine promises no order.
// https://dev.epicgames.com/documentation/en-us/unreal-engine/delegates-and-lambda-functions-in-unreal-engine
#pragma once

#include "Containers/UnrealString.h"
#include "Templates/Function.h"
#include "Templates/SharedPointer.h"
#include "UObject/WeakObjectPtr.h"

bool IsInGameThread();

class FDelegateHandle
{
public:
	bool IsValid() const { return Id != 0; }
	void Reset() { Id = 0; }
	bool operator==(const FDelegateHandle&) const = default;
	static FDelegateHandle Next();

private:
	uint64 Id = 0;
};

namespace ue_shim
{
	/** What is called, while its owner lives. */
	template <typename ResultType, typename... ArgumentTypes>
	struct TBinding
	{
		FDelegateHandle Handle;
		TFunction<bool()> IsAlive;
		TFunction<ResultType(ArgumentTypes...)> Call;
	};
	/** Keeps what has to live during the call. */
	TFunction<bool()> Always();
	TFunction<bool()> WhileAlive(const UObject* Object);
} // namespace ue_shim

template <typename Signature>
class TDelegate;

template <typename ResultType, typename... ArgumentTypes>
class TDelegate<ResultType(ArgumentTypes...)>
{
public:
	template <typename CallType>
	static TDelegate CreateLambda(CallType Call)
	{
		return Make(ue_shim::Always(), std::move(Call));
	}
	template <typename CallType>
	static TDelegate CreateWeakLambda(const UObject* Owner, CallType Call)
	{
		return Make(ue_shim::WhileAlive(Owner), std::move(Call));
	}
	template <typename T>
	static TDelegate CreateUObject(T* Owner, ResultType (T::*Method)(ArgumentTypes...))
	{
		return Make(ue_shim::WhileAlive(Owner),
			[Owner, Method](ArgumentTypes... Arguments) { return (Owner->*Method)(Arguments...); });
	}
	bool IsBound() const { return Binding.Call && Binding.IsAlive(); }
	ResultType Execute(ArgumentTypes... Arguments) const
	{
		UE_SHIM_CHECK(IsBound());
		return Binding.Call(Arguments...);
	}
	void ExecuteIfBound(ArgumentTypes... Arguments) const
	{
		if (IsBound())
		{
			Binding.Call(Arguments...);
		}
	}

private:
	static TDelegate Make(TFunction<bool()> IsAlive, TFunction<ResultType(ArgumentTypes...)> Call)
	{
		TDelegate Made;
		Made.Binding = {FDelegateHandle::Next(), std::move(IsAlive), std::move(Call)};
		return Made;
	}
	ue_shim::TBinding<ResultType, ArgumentTypes...> Binding;
};

template <typename Signature>
class TMulticastDelegate;

template <typename... ArgumentTypes>
class TMulticastDelegate<void(ArgumentTypes...)>
{
public:
	template <typename T>
	FDelegateHandle AddUObject(T* Owner, void (T::*Method)(ArgumentTypes...))
	{
		return Add(ue_shim::WhileAlive(Owner), [Owner, Method](ArgumentTypes... Arguments) { (Owner->*Method)(Arguments...); });
	}
	template <typename T, typename U>
	FDelegateHandle AddSP(const TSharedRef<T>& Owner, void (U::*Method)(ArgumentTypes...))
	{
		const TWeakPtr<T> Weak = Owner;
		return Add([Weak] { return Weak.IsValid(); },
			[Weak, Method](ArgumentTypes... Arguments) {
				const TSharedPtr<T> Held = Weak.Pin();
				(Held.Get()->*Method)(Arguments...);
			});
	}
	template <typename CallType>
	FDelegateHandle AddLambda(CallType Call)
	{
		return Add(ue_shim::Always(), std::move(Call));
	}
	bool Remove(FDelegateHandle Handle)
	{
		return Bindings.RemoveAll([Handle](const auto& Each) { return Each.Handle == Handle; }) > 0;
	}
	void Broadcast(ArgumentTypes... Arguments)
	{
		const auto Called = Bindings; // a call may add and remove
		for (int32 Index = Called.Num() - 1; Index >= 0; --Index)
		{
			const auto& Each = Called[Index];
			const bool bIsBound = Bindings.ContainsByPredicate([&Each](const auto& Other) { return Other.Handle == Each.Handle; });
			if (bIsBound && Each.IsAlive())
			{
				Each.Call(Arguments...);
			}
		}
		Bindings.RemoveAll([](const auto& Each) { return !Each.IsAlive(); });
	}

private:
	FDelegateHandle Add(TFunction<bool()> IsAlive, TFunction<void(ArgumentTypes...)> Call)
	{
		const FDelegateHandle Handle = FDelegateHandle::Next();
		Bindings.Add({Handle, std::move(IsAlive), std::move(Call)});
		return Handle;
	}
	TArray<ue_shim::TBinding<void, ArgumentTypes...>> Bindings;
};
using FSimpleMulticastDelegate = TMulticastDelegate<void()>;
using FSimpleDelegate = TDelegate<void()>;

namespace ue_shim
{
	/** A UFUNCTION of the object's class. */
	bool HasFunction(const UObject* Object, const FString& Name);

	/** What reflection knows them by. */
	class FDynamicDelegate
	{
	};

	template <typename... ArgumentTypes>
	class TDynamicMulticastDelegate : public FDynamicDelegate
	{
	public:
		/** AddDynamic is a macro that calls this with the name of the function. */
		template <typename T>
		void AddByName(T* Object, void (T::*Method)(ArgumentTypes...), const TCHAR* QualifiedName)
		{
			const FString FunctionName = NameOf(QualifiedName);
			UE_SHIM_CHECK(Object != nullptr);
			UE_SHIM_CHECK(HasFunction(Object, FunctionName));            // a UFUNCTION
			UE_SHIM_CHECK(!IsAlreadyBoundByName(Object, QualifiedName)); // bound twice
			Bindings.Add({TWeakObjectPtr<UObject>(Object), FunctionName,
				[Object, Method](ArgumentTypes... Arguments) { (Object->*Method)(Arguments...); }});
		}
		void RemoveByName(const UObject* Object, const TCHAR* QualifiedName)
		{
			const FString FunctionName = NameOf(QualifiedName);
			Bindings.RemoveAll([&](const FBinding& Each) {
				return Each.Object == TWeakObjectPtr<UObject>(Object) && Each.FunctionName == FunctionName;
			});
		}
		bool IsAlreadyBoundByName(const UObject* Object, const TCHAR* QualifiedName) const
		{
			const FString FunctionName = NameOf(QualifiedName);
			return Bindings.ContainsByPredicate([&](const FBinding& Each) {
				return Each.Object == TWeakObjectPtr<UObject>(Object) && Each.FunctionName == FunctionName;
			});
		}
		/** What is unbound meanwhile is still called, as with the engine. */
		void Broadcast(ArgumentTypes... Arguments) const
		{
			UE_SHIM_CHECK(IsInGameThread());
			const TArray<FBinding> Called = Bindings;
			for (int32 Index = Called.Num() - 1; Index >= 0; --Index)
			{
				if (Called[Index].Object.IsValid())
				{
					Called[Index].Call(Arguments...);
				}
			}
		}

	private:
		struct FBinding
		{
			TWeakObjectPtr<UObject> Object;
			FString FunctionName;
			TFunction<void(ArgumentTypes...)> Call;
		};
		static FString NameOf(const TCHAR* QualifiedName)
		{
			const std::u16string_view Name(QualifiedName);
			return FString(std::u16string(Name.substr(Name.rfind(u':') + 1)));
		}
		TArray<FBinding> Bindings;
	};
} // namespace ue_shim

#define UE_SHIM_TEXT(Literal) u##Literal
#define AddDynamic(Object, Function) AddByName(Object, Function, UE_SHIM_TEXT(#Function))
#define RemoveDynamic(Object, Function) RemoveByName(Object, UE_SHIM_TEXT(#Function))
#define IsAlreadyBound(Object, Function) IsAlreadyBoundByName(Object, UE_SHIM_TEXT(#Function))

#define UE_SHIM_DYNAMIC(Name, ...)                                      \
	class Name : public ue_shim::TDynamicMulticastDelegate<__VA_ARGS__> \
	{                                                                   \
	};
#define DECLARE_DYNAMIC_MULTICAST_DELEGATE(Name) UE_SHIM_DYNAMIC(Name)
#define DECLARE_DYNAMIC_MULTICAST_DELEGATE_OneParam(Name, A, N1) UE_SHIM_DYNAMIC(Name, A)
#define DECLARE_DYNAMIC_MULTICAST_DELEGATE_TwoParams(Name, A, N1, B, N2) UE_SHIM_DYNAMIC(Name, A, B)
#define DECLARE_DYNAMIC_MULTICAST_DELEGATE_ThreeParams(Name, A, N1, B, N2, C, N3) UE_SHIM_DYNAMIC(Name, A, B, C)
#define DECLARE_DYNAMIC_MULTICAST_DELEGATE_FourParams(Name, A, N1, B, N2, C, N3, D, N4) UE_SHIM_DYNAMIC(Name, A, B, C, D)
#define DECLARE_DYNAMIC_MULTICAST_DELEGATE_FiveParams(Name, A, N1, B, N2, C, N3, D, N4, E, N5) \
	UE_SHIM_DYNAMIC(Name, A, B, C, D, E)
#define DECLARE_MULTICAST_DELEGATE(Name) using Name = TMulticastDelegate<void()>;
#define DECLARE_MULTICAST_DELEGATE_OneParam(Name, A) using Name = TMulticastDelegate<void(A)>;
#define DECLARE_MULTICAST_DELEGATE_TwoParams(Name, A, B) using Name = TMulticastDelegate<void(A, B)>;
#define DECLARE_DELEGATE(Name) using Name = TDelegate<void()>;
#define DECLARE_DELEGATE_OneParam(Name, A) using Name = TDelegate<void(A)>;
#define DECLARE_DELEGATE_ThreeParams(Name, A, B, C) using Name = TDelegate<void(A, B, C)>;
