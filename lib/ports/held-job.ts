/** Work that lasts, is done by one process at a time, and is gone on with by another. */
export interface HeldJob {
  /** What was asked for, as text: the same ask goes on with it. */
  readonly ask: string;
  /** What it was taken to mean when it began, as text. */
  readonly plan: string;
  readonly startedAtMs: number;
  /** Null while it is not over. */
  readonly finishedAtMs: number | null;
  /** Rises each time that somebody takes it up. */
  readonly epoch: number;
  /** Who runs it; nobody does after `leaseUntilMs`, by the runner's clock; 0 once it was given back. */
  readonly owner: string;
  readonly leaseUntilMs: number;
}

/** Where jobs of one kind are kept, one of each `Of`; `Places`: how far it has come. */
export interface HeldJobs<Of, Places> {
  /** The last one, finished or not, with the places of no other. */
  read(of: Of): Promise<{ readonly run: HeldJob; readonly places: Places } | undefined>;
  /** Writes it where the epoch that stands is `seenEpoch`, or none is; else false. */
  save(of: Of, run: HeldJob, seenEpoch: number | undefined): Promise<boolean>;
}
