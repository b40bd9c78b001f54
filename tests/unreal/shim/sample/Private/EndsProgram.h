#pragma once

#include "Templates/Function.h"

/** Whether Body aborts; it runs in another process. */
bool EndsProgram(const TFunction<void()>& Body);
