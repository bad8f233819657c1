/** How a record of a batch ended. */

/** `folded`: a newer version of its key in the batch stands for it; `refused`: it is set aside. */
export type Finish = 'written' | 'stale' | 'folded' | 'refused';

/** `returned`: it is not finished, and comes again. */
export type RecordEnd = Finish | 'returned';
