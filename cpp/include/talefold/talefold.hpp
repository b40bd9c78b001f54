// Everything: include this one header to use Talefold from C++.
#pragma once

#include "talefold/agent.h"
#include "talefold/embedding_model.h"
#include "talefold/engine.h"
#include "talefold/error.h"
#include "talefold/event.h"
#include "talefold/graph.h"
#include "talefold/knowledge.h"
#include "talefold/llama_model.h"
#include "talefold/log.h"
#include "talefold/node_params.h"
#include "talefold/recorded_request.h"
#include "talefold/scripted_model.h"
#include "talefold/speech.h"
#include "talefold/storage.h"
#include "talefold/tool.h"
#include "talefold/turn.h"
