#include "Async/TalefoldAsyncAction.h"

#include "TalefoldSubsystem.h"

void UTalefoldAsyncAction::BeginIn(const UObject* Context)
{
	if (Context == nullptr)
	{
		return;
	}
	RegisterWithGameInstance(Context);
	Game = UTalefoldSubsystem::Get(Context);
	if (UTalefoldSubsystem* Found = Game.Get())
	{
		GameEndsHandle = Found->OnEnding().AddUObject(this, &UTalefoldAsyncAction::GameEnds);
	}
}

void UTalefoldAsyncAction::Cancel()
{
	bHasEnded = true;
	Super::Cancel();
}

void UTalefoldAsyncAction::SetReadyToDestroy()
{
	if (UTalefoldSubsystem* Found = Game.Get())
	{
		Found->OnEnding().Remove(GameEndsHandle);
	}
	Super::SetReadyToDestroy();
}

void UTalefoldAsyncAction::Finish(const FTalefoldError& Error)
{
	if (!bHasEnded)
	{
		bHasEnded = true; // first: a handler may do anything, such as cancel this node
		TellEnd(Error);
		SetReadyToDestroy();
	}
}

void UTalefoldAsyncAction::TellEnd(const FTalefoldError& /*Error*/)
{
}

void UTalefoldAsyncAction::GameEnds()
{
	Finish(FTalefoldError::Make(ETalefoldErrorCode::EngineClosed, TEXT("The game instance has ended")));
}
