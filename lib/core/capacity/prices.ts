/** What AWS asks, as it was on one day: the only place that holds a price. */
import type { PriceList } from './price-list.ts';

const PRICE_LIST = 'AWS price list, published August 2026';
const INFRACOST = 'Infracost, golden file of aws_kinesis_stream (2026)';
const TIERS = 'AWS Compute Blog, tiered pricing of Lambda; Cloudchipr (2025)';

/** No price list was read live: ask AWS before a budget rests on these. */
export const PRICES: PriceList = {
  date: '2026-08-15',
  regions: {
    'us-east-1': {
      shardHour: { usd: 0.015, per: 1, unit: 'shard-hours', source: INFRACOST, confidence: 'high' },
      putUnit: { usd: 0.014, per: 1e6, unit: 'units', source: INFRACOST, confidence: 'high' },
      // The golden file calls the unit a GB; it is an hour of a shard.
      retentionShardHour: {
        usd: 0.02,
        per: 1,
        unit: 'shard-hours',
        source: INFRACOST,
        confidence: 'high',
      },
      longRetention: {
        usd: 0.023,
        per: 1,
        unit: 'GB-months',
        source: INFRACOST,
        confidence: 'medium',
      },
      streamHour: {
        usd: 0.04,
        per: 1,
        unit: 'stream-hours',
        source: INFRACOST,
        confidence: 'high',
      },
      onDemandIn: {
        usd: 0.08,
        per: 1,
        unit: 'GB',
        source: 'aws.amazon.com/kinesis/data-streams/pricing',
        confidence: 'high',
      },
      onDemandOut: { usd: 0.04, per: 1, unit: 'GB', source: INFRACOST, confidence: 'high' },
      onDemandRetention: {
        usd: 0.1,
        per: 1,
        unit: 'GB-months',
        source: INFRACOST,
        confidence: 'high',
      },
      lambdaRequest: { usd: 0.2, per: 1e6, unit: 'requests', source: TIERS, confidence: 'high' },
      lambdaArmSecond: {
        usd: 0.0000133334,
        beyond: [{ above: 7.5e9, usd: 0.0000120001 }],
        upTo: 18.75e9,
        per: 1,
        unit: 'GB-seconds',
        source: TIERS,
        confidence: 'high',
      },
      tableWrite: { usd: 0.625, per: 1e6, unit: 'units', source: PRICE_LIST, confidence: 'high' },
      tableStorage: {
        usd: 0.25,
        per: 1,
        unit: 'GB-months',
        source: PRICE_LIST,
        confidence: 'high',
      },
      tableRecovery: {
        usd: 0.2,
        per: 1,
        unit: 'GB-months',
        source: PRICE_LIST,
        confidence: 'high',
      },
      logIn: {
        usd: 0.5,
        beyond: [
          { above: 10_240, usd: 0.25 },
          { above: 30_720, usd: 0.1 },
          { above: 51_200, usd: 0.05 },
        ],
        per: 1,
        unit: 'GB',
        source: 'Duckbill, tiers of Lambda logs since May 2025',
        confidence: 'high',
      },
      logKept: { usd: 0.03, per: 1, unit: 'GB-months', source: PRICE_LIST, confidence: 'high' },
      metric: {
        usd: 0.3,
        beyond: [{ above: 10_000, usd: 0.1 }],
        upTo: 250_000,
        per: 1,
        unit: 'metrics',
        source: PRICE_LIST,
        confidence: 'high',
      },
      alarm: { usd: 0.1, per: 1, unit: 'metrics', source: PRICE_LIST, confidence: 'high' },
      scheduleTick: { usd: 1, per: 1e6, unit: 'ticks', source: PRICE_LIST, confidence: 'high' },
      secret: {
        usd: 0.4,
        per: 1,
        unit: 'secrets',
        source: 'AWS price list of us-west-2, August 2026',
        confidence: 'medium',
      },
      secretRequest: {
        usd: 0.05,
        per: 10_000,
        unit: 'requests',
        source: 'AWS price list of us-west-2, August 2026',
        confidence: 'medium',
      },
      keyRequest: {
        usd: 0.03,
        per: 10_000,
        unit: 'requests',
        source: 'AWS price list of us-west-2, August 2026',
        confidence: 'medium',
      },
      objectPut: {
        usd: 0.005,
        per: 1_000,
        unit: 'requests',
        source: PRICE_LIST,
        confidence: 'high',
      },
      objectStorage: {
        usd: 0.023,
        per: 1,
        unit: 'GB-months',
        source: PRICE_LIST,
        confidence: 'high',
      },
    },
  },
};
