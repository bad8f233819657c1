/** An alarm as data: what CloudWatch is told, and what a person is. */

/** The id that AWS gives the mapping of a consumer: known once it is deployed. */
export interface MappingOf {
  readonly mappingOf: string;
}

export interface PlannedMetric {
  /** Its name within the alarm's expression. */
  readonly id: string;
  readonly namespace: string;
  readonly name: string;
  readonly statistic: 'Sum' | 'Maximum';
  readonly dimensions: Readonly<Record<string, string | MappingOf>>;
}

export interface PlannedAlarm {
  /** Unique within its pipeline; the last part of the alarm's name. */
  readonly id: string;
  readonly title: string;
  /** What is the matter when it rings. */
  readonly meaning: string;
  /** The command that tells more, or mends it. */
  readonly firstStep: string;
  /** One; or several, of which `expression` makes one. */
  readonly metrics: readonly PlannedMetric[];
  /** CloudWatch metric math over the metrics' ids. */
  readonly expression?: string;
  readonly periodSec: number;
  /** Periods that are looked at. */
  readonly evaluationPeriods: number;
  /** How many of them must breach. */
  readonly datapointsToAlarm: number;
  readonly comparison: 'at-least' | 'below';
  readonly threshold: number;
  readonly missingData: 'breaching' | 'notBreaching' | 'ignore';
  /** From its creation until it is judged at all. At once, unless given. */
  readonly warmUpMinutes?: number;
}
