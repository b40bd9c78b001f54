// https://dev.epicgames.com/documentation/en-us/unreal-engine/API/Runtime/Projects/IPluginManager
#pragma once

#include "Containers/UnrealString.h"
#include "Templates/SharedPointer.h"

class IPlugin
{
public:
	explicit IPlugin(const FString& InBaseDir)
		: BaseDir(InBaseDir)
	{
	}
	/** Mostly relative to FPlatformProcess::BaseDir. */
	const FString& GetBaseDir() const { return BaseDir; }

private:
	FString BaseDir;
};
class IPluginManager
{
public:
	static IPluginManager& Get();
	/** Null in games that were packaged without the plugin's folder. */
	TSharedPtr<IPlugin> FindPlugin(const FString& Name);
};
