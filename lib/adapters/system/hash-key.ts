import { hash } from 'node:crypto';
import type { HashKey } from '#ports/hash-key';

/** @source Kinesis Developer Guide, partition key: MD5 of its UTF-8. */
export const md5HashKey: HashKey = (partitionKey) =>
  BigInt(`0x${hash('md5', partitionKey, 'hex')}`);
