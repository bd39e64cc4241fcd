import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { createCounter, createGauge, createHistogram } from '../../../src/operations/metrics/series.ts';

const textOf = async (registry: Registry): Promise<string[]> => (await registry.metrics()).split('\n').filter(Boolean);

test('counters and gauges print a line per label set', async () => {
  const registry = new Registry();
  const counter = createCounter({ registry, name: 'c', help: 'Counts.', labelNames: ['a', 'b'] });
  const gauge = createGauge({ registry, name: 'g', help: 'Measures.', labelNames: ['a'] });
  counter.inc(['x', 'y']);
  counter.inc(['x', 'y'], 2);
  counter.inc(['x', 'say "hi"\n'], 0);
  gauge.set(['x'], 5);
  gauge.inc(['x'], -2);
  expect(await textOf(registry)).toEqual([
    '# HELP c Counts.',
    '# TYPE c counter',
    'c{a="x",b="y"} 3',
    'c{a="x",b="say \\"hi\\"\\n"} 0',
    '# HELP g Measures.',
    '# TYPE g gauge',
    'g{a="x"} 3',
  ]);
});

test('histograms have cumulative buckets', async () => {
  const registry = new Registry();
  const labelled = createHistogram({ registry, name: 'h', help: 'Times.', labelNames: ['a'] }, [1, 2]);
  createHistogram({ registry, name: 'empty', help: 'Nothing.' }, [1]);
  for (const value of [0.5, 1, 1.5, 3]) labelled.observe(['x'], value);
  expect(await textOf(registry)).toEqual([
    '# HELP h Times.',
    '# TYPE h histogram',
    'h_bucket{le="1",a="x"} 2',
    'h_bucket{le="2",a="x"} 3',
    'h_bucket{le="+Inf",a="x"} 4',
    'h_sum{a="x"} 6',
    'h_count{a="x"} 4',
    '# HELP empty Nothing.',
    '# TYPE empty histogram',
    'empty_bucket{le="1"} 0',
    'empty_bucket{le="+Inf"} 0',
    'empty_sum 0',
    'empty_count 0',
  ]);
});
