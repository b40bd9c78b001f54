// Shared and weak pointers for what is no UObject; counted for all threads, as by default from 5.0 on.
// https://dev.epicgames.com/documentation/en-us/unreal-engine/unreal-smart-pointer-library
#pragma once

#include "Templates/UnrealTemplate.h"

#include <memory>

enum class ESPMode : uint8
{
	NotThreadSafe,
	ThreadSafe
};

template <typename T, ESPMode Mode = ESPMode::ThreadSafe>
class TSharedRef;

/** What MakeShareable returns: becomes the first pointer. */
template <typename T>
struct TRawPtrProxy
{
	T* Raw;
};
template <typename T>
TRawPtrProxy<T> MakeShareable(T* Raw)
{
	return {Raw};
}

template <typename T, ESPMode Mode = ESPMode::ThreadSafe>
class TSharedPtr
{
public:
	TSharedPtr() = default;
	TSharedPtr(std::nullptr_t) {}
	TSharedPtr(std::shared_ptr<T> Held)
		: Pointer(std::move(Held))
	{
	}
	template <typename U>
	TSharedPtr(TRawPtrProxy<U> Proxy);
	template <typename U>
		requires std::is_convertible_v<U*, T*>
	TSharedPtr(const TSharedPtr<U, Mode>& Other)
		: Pointer(Other.Pointer)
	{
	}
	template <typename U>
		requires std::is_convertible_v<U*, T*>
	TSharedPtr(const TSharedRef<U, Mode>& Other);

	T* Get() const { return Pointer.get(); }
	T& operator*() const
	{
		UE_SHIM_CHECK(Pointer);
		return *Pointer;
	}
	T* operator->() const
	{
		UE_SHIM_CHECK(Pointer);
		return Pointer.get();
	}
	explicit operator bool() const { return Pointer != nullptr; }
	bool IsValid() const { return Pointer != nullptr; }
	void Reset() { Pointer.reset(); }
	TSharedRef<T, Mode> ToSharedRef() const;
	template <typename U>
	bool operator==(const TSharedPtr<U, Mode>& Other) const
	{
		return Get() == Other.Get();
	}
	bool operator==(std::nullptr_t) const { return Pointer == nullptr; }

	std::shared_ptr<T> Pointer; // the shim's own
};

/** Never null. */
template <typename T, ESPMode Mode>
class TSharedRef
{
public:
	explicit TSharedRef(std::shared_ptr<T> Held)
		: Pointer(std::move(Held))
	{
		UE_SHIM_CHECK(Pointer);
	}
	template <typename U>
	TSharedRef(TRawPtrProxy<U> Proxy);
	template <typename U>
		requires std::is_convertible_v<U*, T*>
	TSharedRef(const TSharedRef<U, Mode>& Other)
		: Pointer(Other.Pointer)
	{
	}
	T& Get() const { return *Pointer; }
	T& operator*() const { return *Pointer; }
	T* operator->() const { return Pointer.get(); }
	TSharedPtr<T, Mode> ToSharedPtr() const { return *this; }
	template <typename U>
	bool operator==(const TSharedRef<U, Mode>& Other) const
	{
		return Pointer == Other.Pointer;
	}

	std::shared_ptr<T> Pointer; // the shim's own
};

template <typename T, ESPMode Mode = ESPMode::ThreadSafe>
class TWeakPtr
{
public:
	TWeakPtr() = default;
	TWeakPtr(std::nullptr_t) {}
	template <typename U>
		requires std::is_convertible_v<U*, T*>
	TWeakPtr(const TSharedRef<U, Mode>& Other)
		: Pointer(Other.Pointer)
	{
	}
	template <typename U>
		requires std::is_convertible_v<U*, T*>
	TWeakPtr(const TSharedPtr<U, Mode>& Other)
		: Pointer(Other.Pointer)
	{
	}
	TSharedPtr<T, Mode> Pin() const { return TSharedPtr<T, Mode>(Pointer.lock()); }
	bool IsValid() const { return !Pointer.expired(); }
	void Reset() { Pointer.reset(); }

private:
	std::weak_ptr<T> Pointer;
};

template <typename T, ESPMode Mode = ESPMode::ThreadSafe>
class TSharedFromThis : public std::enable_shared_from_this<T>
{
public:
	TSharedRef<T, Mode> AsShared() { return TSharedRef<T, Mode>(this->shared_from_this()); }
	TWeakPtr<T, Mode> AsWeak()
	{
		return TSharedPtr<T, Mode>(this->weak_from_this().lock());
	}

protected:
	~TSharedFromThis() = default;
};

template <typename T, ESPMode Mode>
template <typename U>
TSharedPtr<T, Mode>::TSharedPtr(TRawPtrProxy<U> Proxy)
	: Pointer(std::shared_ptr<U>(Proxy.Raw))
{
}
template <typename T, ESPMode Mode>
template <typename U>
	requires std::is_convertible_v<U*, T*>
TSharedPtr<T, Mode>::TSharedPtr(const TSharedRef<U, Mode>& Other)
	: Pointer(Other.Pointer)
{
}
template <typename T, ESPMode Mode>
TSharedRef<T, Mode> TSharedPtr<T, Mode>::ToSharedRef() const
{
	return TSharedRef<T, Mode>(Pointer);
}
template <typename T, ESPMode Mode>
template <typename U>
TSharedRef<T, Mode>::TSharedRef(TRawPtrProxy<U> Proxy)
	: Pointer(std::shared_ptr<U>(Proxy.Raw))
{
}

template <typename T, ESPMode Mode = ESPMode::ThreadSafe, typename... ArgumentTypes>
TSharedRef<T, Mode> MakeShared(ArgumentTypes&&... Arguments)
{
	return TSharedRef<T, Mode>(std::make_shared<T>(std::forward<ArgumentTypes>(Arguments)...));
}
