// No spaces, no line breaks. https://dev.epicgames.com/documentation/en-us/unreal-engine/API/Runtime/Json/TCondensedJsonPrintPolicy
#pragma once

template <typename CharType>
struct TCondensedJsonPrintPolicy
{
};
