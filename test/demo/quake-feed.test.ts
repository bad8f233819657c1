import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { quakeFeed } from '#demo/quake-feed';

const text = readFileSync('node_modules/vega-datasets/data/earthquakes.json', 'utf8');
const { features } = JSON.parse(text) as {
  features: { id: string; properties: { mag: number | null } }[];
};
const feed = quakeFeed(text);

test('it spans the week of the collection', () => {
  expect(new Date(feed.startMs).toISOString()).toBe('2018-01-31T01:49:59.650Z');
  expect(new Date(feed.endMs).toISOString()).toBe('2018-02-07T01:45:04.877Z');
});

test('in the end it holds every event as the collection does', () => {
  const last = feed.at(feed.endMs).map((quake) => JSON.parse(quake.text) as { id: string });
  const byId = <T extends { id: string }>(list: readonly T[]) =>
    list.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  expect(byId(last)).toEqual(byId(features));
  expect(feed.versionsAt(feed.endMs)).toBe(feed.versions);
  expect(feed.versions).toBe(3_414);
});

test('an event appears at its time as a first version that says it is made up', () => {
  const [first] = feed.at(feed.startMs);
  const { properties } = JSON.parse(first?.text ?? '') as { properties: Record<string, unknown> };
  expect(feed.at(feed.startMs - 1)).toEqual([]);
  expect(properties['synthetic']).toBe(true);
  expect(properties['updated']).toBe(properties['time']);
  const real = features.find(({ id }) => id === first?.id);
  expect(properties['mag']).not.toBe(real?.properties.mag);
});

test('a revised event no longer says it is made up', () => {
  for (const { text: quake } of feed.at(feed.endMs)) expect(quake).not.toContain('synthetic');
});

test('events stand in the order of their time at every moment, and their number never falls', () => {
  let before = 0;
  for (let nowMs = feed.startMs; nowMs <= feed.endMs; nowMs += 3_600_000 * 7) {
    const times = feed.at(nowMs).map(({ timeMs }) => timeMs);
    expect(times).toEqual(times.toSorted((one, other) => one - other));
    expect(times.length).toBeGreaterThanOrEqual(before);
    before = times.length;
  }
});
