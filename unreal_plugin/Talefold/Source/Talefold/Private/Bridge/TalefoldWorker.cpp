#include "Bridge/TalefoldWorker.h"

FTalefoldWorker::FTalefoldWorker()
	: Thread(FRunnableThread::Create(this, TEXT("TalefoldWorker")))
{
}

FTalefoldWorker::~FTalefoldWorker()
{
	Close();
	if (Thread)
	{
		Thread->WaitForCompletion();
	}
}

void FTalefoldWorker::Enqueue(TUniqueFunction<void()> Work)
{
	Queue.Enqueue(MoveTemp(Work));
	Wake->Trigger();
}

void FTalefoldWorker::Close()
{
	bClosing = true;
	Wake->Trigger();
}

uint32 FTalefoldWorker::Run()
{
	for (;;)
	{
		// Read first: what was enqueued before Close is then in the queue.
		const bool bLastRound = bClosing;
		TUniqueFunction<void()> Work;
		while (Queue.Dequeue(Work))
		{
			Work();
			Work = nullptr; // what it captured goes here, not while the thread sleeps
		}
		if (bLastRound)
		{
			bFinished = true;
			return 0;
		}
		Wake->Wait();
	}
}
