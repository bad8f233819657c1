/** The place of a partition key on the ring: its MD5 as a number of 128 bits. */
export type HashKey = (partitionKey: string) => bigint;
