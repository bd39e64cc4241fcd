import { describe, expect, it } from 'vitest';
import { measureDelays, measureWrites } from '../../src/engine/measure.ts';
import { readBuckets } from '../../src/engine/metrics.ts';

/** Lines of a histogram: the number of observations up to each bound. */
const histogram = (name: string, labels: string, counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([le, count]) => `${name}_bucket{${labels}${labels && ','}le="${le}"} ${count}\n`)
    .join('');

const measure = (text: string, quantile = 1) => measureDelays(readBuckets(text), quantile);

const requests = (verb: string, counts: Readonly<Record<string, number>>): string =>
  histogram('apiserver_request_duration_seconds', `verb="${verb}"`, counts);

describe('a range', () => {
  it('begins and ends with the buckets that have observations', () => {
    const text = requests('PATCH', { '0.005': 0, '0.025': 3, '0.1': 4, '0.4': 4, '+Inf': 4 });
    expect(measure(text)).toStrictEqual([
      { name: 'request', metric: 'apiserver_request_duration_seconds', count: 4, range: { min: 5, max: 100 }, limit: 400 },
    ]);
  });

  it.each([
    [0.75, 25],
    [0.76, 100],
    [0.999, 100],
  ])('of the share %d ends at %d ms', (quantile, max) => {
    const text = requests('PATCH', { '0.005': 0, '0.025': 3, '0.1': 4, '+Inf': 4 });
    expect(measure(text, quantile)[0]?.range).toStrictEqual({ min: 5, max });
  });

  it('is that of all components and labels together, also with other buckets', () => {
    const text = `${requests('PATCH', { '0.01': 1, '+Inf': 1 })}${requests('POST', { '0.005': 0, '0.2': 5, '+Inf': 5 })}`;
    expect(measure(text)[0]).toMatchObject({ count: 6, range: { min: 0, max: 200 } });
    expect(measureDelays([...readBuckets(text), ...readBuckets(requests('GET', { '0.2': 0, '0.3': 1, '+Inf': 1 }))], 1)[0]).toMatchObject({
      count: 7,
      range: { min: 0, max: 300 },
    });
  });

  it('ignores other values of labels', () => {
    const text = `${requests('WATCH', { '60': 1, '+Inf': 9 })}${requests('POST', { '0.2': 5, '+Inf': 5 })}`;
    expect(measure(text)[0]).toMatchObject({ count: 5, range: { min: 0, max: 200 } });
  });

  it('adds steps, and is unknown if one of them was not observed', () => {
    const name = 'kubelet_runtime_operations_duration_seconds';
    const create = histogram(name, 'operation_type="create_container"', { '0.1': 0, '0.3': 2, '+Inf': 2 });
    const start = histogram(name, 'operation_type="start_container"', { '0.05': 0, '0.2': 3, '+Inf': 3 });
    expect(measure(create + start)).toStrictEqual([
      { name: 'containerCreation', metric: name, count: 2, range: { min: 150, max: 500 }, limit: 300 },
    ]);
    expect(measure(create)).toStrictEqual([]);
  });

  it('of a period begins at 0', () => {
    const text = histogram('kubelet_pleg_relist_interval_seconds', '', { '0.5': 0, '1': 10, '2.5': 12, '+Inf': 12 });
    expect(measure(text)[0]).toMatchObject({ name: 'podStatusRead', range: { min: 0, max: 2500 } });
  });

  it('is undefined if an observation is longer than the greatest bound', () => {
    const text = requests('POST', { '0.2': 5, '60': 6, '+Inf': 7 });
    expect(measure(text)).toStrictEqual([
      { name: 'request', metric: 'apiserver_request_duration_seconds', count: 7, range: undefined, limit: 60_000 },
    ]);
    expect(measure(text, 0.8)[0]?.range).toStrictEqual({ min: 0, max: 60_000 });
  });

  it('does not exist without observations', () => {
    expect(measure(requests('POST', { '0.2': 0, '+Inf': 0 }))).toStrictEqual([]);
    expect(measure('# HELP up\nup 1\n')).toStrictEqual([]);
  });
});

describe('readBuckets', () => {
  it('reads labels with quotes and braces, timestamps, and unsorted bounds', () => {
    const text = 'a_b_bucket{x="a\\"},",le="+Inf"} 4 1732950000000\na_b_bucket{le="0.5",x="a\\"},"} 1e0\r\n';
    expect(readBuckets(text)).toStrictEqual([
      { metric: 'a_b', labels: { x: 'a\\"},' }, lower: 0, upper: 0.5, count: 1 },
      { metric: 'a_b', labels: { x: 'a\\"},' }, lower: 0.5, upper: Infinity, count: 3 },
    ]);
  });

  it.each([
    'a_bucket{le="0.5"}',
    'a_bucket{le="0.5"} x',
    'a_bucket{le="0.5"} -1',
    'a_bucket{le="x"} 1',
    'a_bucket{} 1',
    'a_bucket{le="0.5} 1',
    'a_bucket{le=0.5} 1',
    'a_bucket{',
  ])('refuses %s with its line', (line) => {
    expect(() => readBuckets(`b_bucket{le="1"} 1\n${line}\n`)).toThrow(
      new RangeError(`line 2 is not a bucket of a histogram in the text format of Prometheus: ${line}`),
    );
  });
});

it.each([
  [1, 21],
  [0.5, 8],
])('writes have a range from the least bound to that of the share %d', (quantile, max) => {
  const writes = [
    { min: 2.6, max: 7.25 },
    { min: 1.5, max: 20.1 },
  ];
  expect(measureWrites(writes, quantile)).toStrictEqual({ name: 'watch', metric: 'writes', count: 2, range: { min: 1, max }, limit: 2.6 });
});
