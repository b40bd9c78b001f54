#pragma once

#include "ue_shim/Array.h"
#include "ue_shim/String.h"
#include "ue_shim/Map.h"
#include "ue_shim/Pointers.h"
#include "ue_shim/Function.h"
#include "ue_shim/Threads.h"
#include "ue_shim/Delegates.h"
#include "ue_shim/Object.h"
#include "ue_shim/Text.h"
#include "ue_shim/Log.h"
