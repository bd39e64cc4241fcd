import { expect, test } from 'vitest';
import type { Happening } from '../../../src/happening.ts';
import { createMetrics } from '../../../src/operations/index.ts';
import { plannedSlices, queued, synced, taken } from '../happenings.ts';
import { scrapeAfter } from './scrape.ts';

test('the number of series does not grow with the number of Services', async () => {
  const cycle = (key: string): Happening[] => [
    queued({ key }),
    taken({ key }),
    plannedSlices({ key, there: 1, desired: 1, endpoints: 1 }),
    synced({ key }),
  ];
  const one = await scrapeAfter(cycle('shop/web'));
  const many = await scrapeAfter(Array.from({ length: 500 }, (_, i) => cycle(`shop/web-${i}`)).flat());
  expect(many.size).toBe(one.size);
});

test('the process is reported on by default, and two instances know nothing of each other', async () => {
  const first = createMetrics();
  const second = createMetrics({ process: false });
  first.tell(synced());
  expect(await first.scrape()).toContain('process_cpu_seconds_total');
  expect(await second.scrape()).not.toContain('process_cpu_seconds_total');
  expect(await second.scrape()).toContain('controller_runtime_reconcile_total{controller="endpoints",result="success"} 0');
  expect(first.contentType).toMatch(/^text\/plain; version=0\.0\.4/);
});
