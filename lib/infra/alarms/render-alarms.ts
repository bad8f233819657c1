/** Renders the reference page of alarms from their plan. */
import { parsePipeline } from '#config/parse-pipeline';
import type { PipelineSettings } from '#config/pipeline-settings';
import { planAlarms } from './plan-alarms.ts';
import type { PlannedAlarm } from './planned-alarm.ts';

/** Numbers on the page are of this pipeline: every setting that may be left out is. */
const EXAMPLE = {
  name: 'pipeline',
  source: {
    url: 'https://source.example',
    records: '',
    pagination: { kind: 'offset', param: 'offset' },
    incremental: { param: 'since', field: 'changed' },
    pageSize: { param: 'limit', value: 100 },
  },
  schedule: { everyMinutes: 5 },
  record: { key: 'id', version: 'changed', eventTime: 'changed' },
  stream: { load: { recordsPerSecPeak: 100, recordBytesMean: 1_000 } },
  consumers: [{ kind: 'table', name: 'consumer' }],
};

const INTRODUCTION = `# Alarms

<!-- Written by \`npm run docs\` from the plan in lib/infra/alarms. Do not edit. -->

Every pipeline has these alarms, each named \`penstock-<stage>-<pipeline>-<alarm>\`. They speak to the topic
\`penstock-<stage>-alarms\` when they begin and when they end. Deploy with \`-c alarmEmail=ops@example.com\` to
subscribe an address; AWS asks it to confirm. The dashboard \`penstock-<stage>-<pipeline>\` shows them all, and
below them how far behind the pipeline is, what flows, how full its shards are, and what fails.

\`<function>\` in a name is \`poll\` or a consumer. Numbers are those of a pipeline polled every five minutes that
leaves out every setting; [\`alarms\`](configuration.md#alarms) changes two of them, and the schedule, the
timeouts and the load of a pipeline the others. A pipeline on demand has no alarm for a full stream, and one polled less
often than every three and a half days none for a source that is not read: CloudWatch looks back a week.
`;

/** The whole page, in Markdown. */
export function renderAlarms(): string {
  const alarms = planAlarms('<stage>', example());
  const sections = alarms.map(
    (alarm) =>
      `## \`${alarm.id}\`\n\n**${alarm.title}.** ${alarm.meaning}\n\n` +
      `Rings when ${condition(alarm)}. ${MISSING[alarm.missingData]}\n\n` +
      `\`\`\`sh\n${alarm.firstStep}\n\`\`\`\n`,
  );
  return [INTRODUCTION, ...sections].join('\n');
}

const MISSING: Readonly<Record<PlannedAlarm['missingData'], string>> = {
  breaching: 'Silence rings, once the alarm has been there as long.',
  notBreaching: 'Silence is well.',
  ignore: 'Silence changes nothing.',
};

/** @throws {Error} when the example is no longer a pipeline. */
function example(): PipelineSettings {
  const parsed = parsePipeline(EXAMPLE);
  if (parsed.kind === 'faulty') throw new Error(parsed.faults.join('\n'));
  const consumers = parsed.settings.consumers.map((one) => ({ ...one, name: '<consumer>' }));
  return { ...parsed.settings, name: '<pipeline>', consumers };
}

function condition(alarm: PlannedAlarm): string {
  const { periodSec, evaluationPeriods, datapointsToAlarm: least } = alarm;
  const bound = `${alarm.comparison === 'below' ? 'below' : 'at least'} ${alarm.threshold}`;
  const span = `${periodSec / 60} min`;
  const often =
    evaluationPeriods === 1 ? `in ${span}` : `in ${least} of ${evaluationPeriods} × ${span}`;
  return `${watched(alarm)} is ${bound} ${often}`;
}

function watched({ metrics, expression }: PlannedAlarm): string {
  const named = metrics.map(({ id, namespace, name, statistic }) => {
    const metric = `the ${statistic === 'Sum' ? 'sum' : 'maximum'} of \`${namespace}\` \`${name}\``;
    return expression === undefined ? metric : `\`${id}\` ${metric}`;
  });
  return expression === undefined
    ? named.join('')
    : `\`${expression}\`, with ${named.join(' and ')},`;
}
