/** Reads an AWS::CloudWatch::Alarm. */
import type { Metric } from '#local/metrics/measurement';
import type { Properties } from '#local/template/resource-type';
import { COMPARISONS } from './alarm-rule.ts';
import type { AlarmRule, Comparison, MissingData, Statistic, WatchedMetric } from './alarm-rule.ts';
import { namesIn } from './expression.ts';
import type { Expression } from './expression.ts';
import { parseExpression } from './parse-expression.ts';

/** What is evaluated of its properties. */
export const ALARM_PROPERTIES: readonly string[] = [
  'AlarmName',
  'ComparisonOperator',
  'DatapointsToAlarm',
  'Dimensions',
  'EvaluationPeriods',
  'MetricName',
  'Metrics',
  'Namespace',
  'Period',
  'Statistic',
  'Threshold',
  'TreatMissingData',
  'WarmUpConfiguration',
];

const STATISTICS: readonly string[] = ['Sum', 'Average', 'Minimum', 'Maximum', 'SampleCount'];
const MISSING: readonly string[] = ['breaching', 'notBreaching', 'ignore', 'missing'];

/**
 * Read the resolved properties, less those that only say whom to tell.
 *
 * @throws {Error} saying what cannot be evaluated here.
 */
export function parseAlarm(properties: Properties): AlarmRule {
  const watched = 'Metrics' in properties ? metricsOf(properties) : metricOf(properties);
  const evaluationPeriods = Number(properties['EvaluationPeriods']);
  const { periodSec } = watched;
  if (!(periodSec > 0 && periodSec % 60 === 0)) {
    throw new Error(`a period of ${periodSec} s is not evaluated here: only whole minutes are`);
  }
  const missing = properties['TreatMissingData'] ?? 'missing';
  return {
    ...watched,
    name: String(properties['AlarmName']),
    evaluationPeriods,
    datapointsToAlarm: Number(properties['DatapointsToAlarm'] ?? evaluationPeriods),
    comparison: oneOf(Object.keys(COMPARISONS), properties['ComparisonOperator']) as Comparison,
    threshold: Number(properties['Threshold']),
    missingData: oneOf(MISSING, missing) as MissingData,
    warmUpMinutes: warmUpOf(properties),
  };
}

/** @source CloudWatch User Guide, "Alarm warm-up periods". */
function warmUpOf({ WarmUpConfiguration }: Properties): number {
  if (WarmUpConfiguration === undefined) return 0;
  const { WarmUpPeriodDurationInMinutes, OnlyStartEvaluatingAfterWarmUpPeriodEnds } =
    WarmUpConfiguration as Properties;
  if (String(OnlyStartEvaluatingAfterWarmUpPeriodEnds) !== 'true') {
    throw new Error('a warm-up that may end early is not evaluated here: only a whole one is');
  }
  return Number(WarmUpPeriodDurationInMinutes);
}

type Watched = Pick<AlarmRule, 'expression' | 'metrics' | 'periodSec' | 'label'>;

/** The short form: one metric, in the alarm's own properties. */
function metricOf(properties: Properties): Watched {
  const metric = readMetric(properties);
  const statistic = statisticIn(properties['Statistic']);
  return {
    label: labelOf(metric, statistic),
    expression: { kind: 'name', name: 'metric' },
    metrics: [{ id: 'metric', metric, statistic }],
    periodSec: Number(properties['Period']),
  };
}

interface DataQuery {
  readonly Id: string;
  readonly Label?: string;
  readonly Expression?: string;
  readonly MetricStat?: {
    readonly Metric: Properties;
    readonly Period: unknown;
    readonly Stat: unknown;
  };
  readonly ReturnData?: unknown;
}

/** The long form: metrics and expressions, of which one is what the alarm looks at. */
function metricsOf({ Metrics }: Properties): Watched {
  const queries = Metrics as readonly DataQuery[];
  const metrics = queries.flatMap(({ Id: id, MetricStat }): readonly WatchedMetric[] =>
    MetricStat === undefined
      ? []
      : [{ id, metric: readMetric(MetricStat.Metric), statistic: statisticIn(MetricStat.Stat) }],
  );
  const returned = queries.filter(({ ReturnData }) => String(ReturnData ?? true) === 'true');
  const [answer] = returned;
  if (answer === undefined || returned.length > 1) {
    throw new Error(`of its metrics ${returned.length} return data, and exactly one must`);
  }
  const periods = new Set(
    queries.flatMap(({ MetricStat }) => (MetricStat === undefined ? [] : [MetricStat.Period])),
  );
  if (periods.size !== 1) throw new Error('its metrics are not all of one period');
  const expression = expand({ kind: 'name', name: answer.Id }, queries);
  const own = metrics.find(({ id }) => id === answer.Id);
  return {
    label:
      answer.Label ??
      answer.Expression ??
      (own === undefined ? answer.Id : labelOf(own.metric, own.statistic)),
    expression,
    metrics: metrics.filter(({ id }) => namesIn(expression).includes(id)),
    periodSec: Number([...periods][0]),
  };
}

/** Puts expressions in the place of their names; metrics are left. */
function expand(
  expression: Expression,
  queries: readonly DataQuery[],
  within: readonly string[] = [],
): Expression {
  if (expression.kind === 'number') return expression;
  if (expression.kind === 'call') {
    const inputs = expression.inputs.map((input) => expand(input, queries, within));
    return { ...expression, inputs };
  }
  const { name } = expression;
  const query = queries.find(({ Id }) => Id === name);
  if (query === undefined || within.includes(name)) {
    throw new Error(`${name} in its expression is none of its metrics`);
  }
  if (query.Expression === undefined) return expression;
  return expand(parseExpression(query.Expression), queries, [...within, name]);
}

function readMetric({ Namespace, MetricName, Dimensions = [] }: Properties): Metric {
  const pairs = Dimensions as readonly { readonly Name: string; readonly Value: unknown }[];
  return {
    namespace: String(Namespace),
    name: String(MetricName),
    dimensions: Object.fromEntries(pairs.map(({ Name, Value }) => [Name, String(Value)])),
  };
}

const statisticIn = (value: unknown): Statistic => oneOf(STATISTICS, value) as Statistic;

function labelOf({ namespace, name }: Metric, statistic: Statistic): string {
  return `${namespace} ${name}, ${statistic}`;
}

function oneOf(known: readonly string[], value: unknown): string {
  const text = String(value);
  if (known.includes(text)) return text;
  throw new Error(`${text} is not evaluated here: only ${known.join(', ')} are`);
}
