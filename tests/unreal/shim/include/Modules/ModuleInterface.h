// https://dev.epicgames.com/documentation/en-us/unreal-engine/API/Runtime/Core/IModuleInterface
#pragma once

class IModuleInterface
{
public:
	virtual ~IModuleInterface() = default;
	virtual void StartupModule() {}
	virtual void ShutdownModule() {}
};
