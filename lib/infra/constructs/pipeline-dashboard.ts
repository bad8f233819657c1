import { Aws, Stack } from 'aws-cdk-lib';
import { CfnDashboard } from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import type { PlannedGraph, PlannedLine } from '#infra/dashboard/plan-dashboard';

export interface PipelineDashboardProps {
  readonly dashboardName: string;
  readonly alarmArns: readonly string[];
  readonly graphs: readonly PlannedGraph[];
}

/** @source CloudWatch, dashboard body structure: a grid 24 wide. */
const GRID_WIDTH = 24;
const COLUMNS = 2;
const HEIGHT = 6;
const PERIOD_SEC = 60;

/** The alarms' states, and below them graphs in two columns. */
export class PipelineDashboard extends Construct {
  constructor(scope: Construct, id: string, props: PipelineDashboardProps) {
    super(scope, id);
    const health = {
      type: 'alarm',
      ...place(0, GRID_WIDTH),
      properties: { title: 'Health', alarms: props.alarmArns },
    };
    const widgets = [health, ...props.graphs.map(graph)];
    new CfnDashboard(this, 'Dashboard', {
      dashboardName: props.dashboardName,
      dashboardBody: Stack.of(this).toJsonString({ widgets }),
    });
  }
}

function graph({ title, unit, lines }: PlannedGraph, index: number) {
  return {
    type: 'metric',
    ...place(index + COLUMNS, GRID_WIDTH / COLUMNS),
    properties: {
      title,
      region: Aws.REGION,
      view: 'timeSeries',
      period: PERIOD_SEC,
      yAxis: { left: { min: 0, label: unit, showUnits: false } },
      metrics: lines.flatMap(line),
    },
  };
}

function line({ label, metric, ofPerSec }: PlannedLine, index: number): readonly unknown[] {
  const { namespace, name, statistic: stat, dimensions } = metric;
  const place = [namespace, name, ...Object.entries(dimensions).flat()];
  if (ofPerSec === undefined) return [[...place, { label, stat }]];
  const id = `m${index}`;
  const share = { expression: `100 * ${id} / PERIOD(${id}) / ${ofPerSec}`, label };
  return [[share], [...place, { id, stat, visible: false }]];
}

/** Where the widget of a cell goes, in reading order. */
function place(cell: number, width: number) {
  const x = (cell % COLUMNS) * (GRID_WIDTH / COLUMNS);
  return { x, y: Math.floor(cell / COLUMNS) * HEIGHT, width, height: HEIGHT };
}
