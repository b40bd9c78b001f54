// As GENERATED_BODY, for the classes of the engine.
#pragma once

#include "UObject/Object.h"

#define UE_SHIM_CLASS(Name, Base) \
public:                           \
	using Super = Base;           \
	using ThisClass = Name;       \
	static UClass* StaticClass(); \
	static void ShimVisit(void* Object, ue_shim::FPropertyVisitor& Visitor);
