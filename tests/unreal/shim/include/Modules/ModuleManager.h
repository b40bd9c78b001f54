// Modules start when they are first asked for, and end in the reverse order.
// https://dev.epicgames.com/documentation/en-us/unreal-engine/API/Runtime/Core/FModuleManager
#pragma once

#include "Modules/ModuleInterface.h"
#include "UObject/NameTypes.h"

class FDefaultModuleImpl : public IModuleInterface
{
};

namespace ue_shim
{
	IModuleInterface* LoadModule(const FString& Name);
	struct FRegisterModule
	{
		FRegisterModule(const TCHAR* Name, IModuleInterface* (*Make)());
	};
} // namespace ue_shim

struct FModuleManager
{
	template <typename T>
	static T& LoadModuleChecked(const FName& Name)
	{
		IModuleInterface* const Module = ue_shim::LoadModule(Name.ToString());
		UE_SHIM_CHECK(Module != nullptr);
		return *static_cast<T*>(Module);
	}
};
#define UE_SHIM_MODULE_NAME(Literal) u##Literal
#define IMPLEMENT_MODULE(Class, Name)                       \
	static const ue_shim::FRegisterModule Name##Registered( \
		UE_SHIM_MODULE_NAME(#Name), []() -> IModuleInterface* { return new Class(); });
