/** How far behind consumers may be before polls wait. */
import type { ConsumerSettings } from './pipeline-settings.ts';
import type { PollSettings } from './poll-settings.ts';

const MINUTES_PER_HOUR = 60;

/**
 * The bound in minutes: what is half as old as the first consumer gives up, unless the file says
 * otherwise; undefined where polls do not look.
 */
export function behindMinutesMax(
  { behind }: Pick<PollSettings, 'behind'>,
  consumers: readonly Pick<ConsumerSettings, 'recordAgeMaxHours'>[],
): number | undefined {
  if (behind.reaction === 'ignore') return undefined;
  return behind.ageMinutesMax ?? givenUpMinutes(consumers) / 2;
}

/** From which age on a consumer gives a record up: the first that does. */
export function givenUpMinutes(
  consumers: readonly Pick<ConsumerSettings, 'recordAgeMaxHours'>[],
): number {
  return (
    MINUTES_PER_HOUR * Math.min(...consumers.map(({ recordAgeMaxHours }) => recordAgeMaxHours))
  );
}
