/** What a poll does where a source refuses the place that it was asked for. */
import { abandonRun } from '#core/source/cursor';
import type { Cursor } from '#core/source/cursor';
import { isExpired, startResync } from '#core/source/feed';
import type { PageAnswer } from '#ports/page-source';
import { failed } from './poll-end.ts';
import type { PollOutcome } from './poll-options.ts';
import { NO_HORIZON } from './read-page.ts';
import type { PollScope } from './read-page.ts';

/** Refuses whoever asks, whatever was asked for. @source RFC 9110, 15.5.2. */
const UNAUTHORIZED = 401;

/** So many in a row are no accident: the token does not live from one poll to the next. */
const STRANDED_FROM = 3;

type Refused = Extract<PageAnswer, { kind: 'refused' }>;

/**
 * Make what begins again for one poll: once at the boundary or the last token, and once from nothing
 * where the source says that the token is too old. Whatever else is refused fails.
 */
export function beginAgain({
  options: { pipeline, source },
  world: { report, clock },
}: PollScope): (
  answer: Refused,
  cursor: Cursor,
) => Cursor | Extract<PollOutcome, { kind: 'failed' }> {
  let isRestarted = false;
  let isResynced = false;
  return (answer, cursor) => {
    const { detail } = answer;
    const showsToken = cursor.token !== undefined || cursor.run !== null;
    const isTooOld = source.feed !== undefined && isExpired(source.feed.expired, answer);
    if (isTooOld && showsToken && !isResynced) {
      isResynced = true;
      report({ event: 'ResyncStarted', pipeline, detail });
      return startResync(cursor, clock.nowMs());
    }
    // A token may have expired between two pages. Asking for the first page again costs one request,
    // and is refused in the same words if something else is wrong.
    const isOfRun = cursor.run !== null && answer.status !== UNAUTHORIZED;
    if (!isOfRun || isRestarted) return failed(detail);
    isRestarted = true;
    report({ event: 'RunRestarted', pipeline, detail });
    return abandonRun(cursor, source.incremental ?? NO_HORIZON);
  };
}

/** What a poll ends with that has no time for another page. */
export function outOfTime({ stranded = 0 }: Cursor): PollOutcome {
  if (stranded < STRANDED_FROM) return { kind: 'out-of-time' };
  return failed(
    `the source refused the page token that the poll before had left, ${stranded} times in a row, and every poll begins again ` +
      'where the first did: give one the time to read all of it (poll.timeoutSec, source.pageSize), or poll more often',
  );
}
