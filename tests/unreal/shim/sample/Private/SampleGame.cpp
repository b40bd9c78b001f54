#include "SampleGame.h"

int32 USampleSubsystem::Running = 0;
int32 USampleAction::Cancelled = 0;

void USampleComponent::BeginPlay()
{
	Calls.Add(TEXT("BeginPlay"));
	if (Forgets != TEXT("BeginPlay"))
	{
		Super::BeginPlay();
	}
}

void USampleComponent::EndPlay(const EEndPlayReason::Type Reason)
{
	Calls.Add(Reason == EEndPlayReason::Destroyed ? TEXT("EndPlay Destroyed") : TEXT("EndPlay"));
	if (Forgets != TEXT("EndPlay"))
	{
		Super::EndPlay(Reason);
	}
}

void USampleSubsystem::Initialize(FSubsystemCollectionBase& Collection)
{
	Super::Initialize(Collection);
	++Running;
}

void USampleSubsystem::Deinitialize()
{
	--Running;
	if (!bForgets)
	{
		Super::Deinitialize();
	}
}

void USampleAction::Cancel()
{
	++Cancelled;
	Super::Cancel();
}
