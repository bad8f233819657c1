import { bare, ours } from './senders.ts';
import { measure, openEndpoint } from './measure.ts';
const endpoint = await openEndpoint();
for (const lateMs of [0, 20]) {
  const m = await measure(endpoint, [bare(1), ours(1), bare(4), ours(4)], {
    mode: { refused: 0, lateMs, judges: false },
    count: 50_000,
    keys: 20_000,
    rounds: 5,
  });
  for (const x of m)
    console.log(x.name, x.perSec | 0, x.spread.map(Math.round), x.cpuUs.toFixed(1));
}
await endpoint.stop();
