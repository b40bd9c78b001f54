// https://dev.epicgames.com/documentation/en-us/unreal-engine/API/Runtime/Engine/FURL
#pragma once

struct FURL
{
};
