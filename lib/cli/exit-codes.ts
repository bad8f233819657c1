/** What a shell or a CI job reads of a command. */
import { INTERRUPTED } from './interrupt.ts';

export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  overBound: 2,
  interrupted: INTERRUPTED,
} as const;

export const EXIT_MEANINGS: Readonly<Record<keyof typeof EXIT, string>> = {
  ok: 'done, and nothing is wrong',
  failed: 'failed, or something wrong was found',
  usage: 'the command line is wrong; nothing was done',
  overBound: 'of lag: a consumer is further behind than --max-behind allows',
  interrupted: 'interrupted',
};
