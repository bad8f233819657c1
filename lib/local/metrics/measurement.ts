/** One number that CloudWatch would be sent. */

export type Dimensions = Readonly<Record<string, string>>;

export interface Metric {
  /** As `AWS/Kinesis`. */
  readonly namespace: string;
  readonly name: string;
  readonly dimensions: Dimensions;
}

export interface Measurement extends Metric {
  readonly value: number;
}

/** Told of every number, at the time it becomes known. */
export type Measure = (measurement: Measurement) => void;

/** The same text for the same metric, in whatever order its dimensions stand. */
export function metricKey({ namespace, name, dimensions }: Metric): string {
  const pairs = Object.entries(dimensions).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([namespace, name, pairs]);
}
