// https://dev.epicgames.com/documentation/en-us/unreal-engine/API/Runtime/Core/FRunnable
#pragma once

#include "CoreTypes.h"

class FRunnable
{
public:
	virtual ~FRunnable() = default;
	virtual bool Init() { return true; }
	virtual uint32 Run() = 0;
	virtual void Stop() {}
	virtual void Exit() {}
};
