#pragma once

#include "Bridge/TalefoldConversation.h"

class UTalefoldAgentComponent;

/** Turns what a conversation tells into the component's events. The component owns it. */
class FTalefoldAgentListener final : public ITalefoldConversationListener
{
public:
	explicit FTalefoldAgentListener(UTalefoldAgentComponent& InComponent)
		: Component(InComponent)
	{
	}

	virtual void OnOpened(const FTalefoldError& Error) override;
	virtual void OnTurnStarted(int32 Request) override;
	virtual void OnTurnEvent(int32 Request, const FTalefoldEvent& Event) override;
	virtual void OnTurnFinished(const FTalefoldTurnResult& Result) override;
	virtual void OnBackgroundEvent(const FTalefoldEvent& Event) override;

private:
	UTalefoldAgentComponent& Component; // closes the conversation before it is gone
};
