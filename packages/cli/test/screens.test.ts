import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { runLine } from './fake-io.ts';
import { shop } from './shop.ts';

const read = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
const files = {
  'shop.yaml': shop,
  'requests.yaml': read('examples/requests.yaml'),
  'slices.yaml': read('examples/slices.yaml'),
  'manifests.yaml': `${read('examples/manifests/orders.yaml')}---\n${read('examples/manifests/web.yaml')}`,
};

/** A command line, its exit code, and the name of the files with its expected output. */
const rows: readonly (readonly [line: string, code: number, file: string])[] = [
  ['explain --problems -A -f shop.yaml', 1, 'screen-problems'],
  ['explain --problems -A -f manifests.yaml', 1, 'screen-problems-manifests'],
  ['explain -A -f shop.yaml', 1, 'screen-overview'],
  ['trace web --from shop/pod/cron -f requests.yaml', 1, 'screen-trace-unreachable'],
  ['trace basket.shop:http -f slices.yaml', 1, 'screen-trace-degraded'],
  ['trace web.shop -f requests.yaml', 0, 'screen-trace-reached-unknown'],
  ['trace https://shop.example.com/cart -f requests.yaml', 1, 'screen-trace-ingress'],
  ['trace http://shop.example.com/ -f requests.yaml', 0, 'screen-trace-ingress-reached'],
];

describe.each([80, 120])('on a terminal of %d columns', (terminalColumns) => {
  test.each(rows)('%s matches its file, and only commands to copy are longer than a line', async (line, code, file) => {
    const outcome = await runLine(`${line} --no-color`, { files, terminalColumns });
    expect(outcome.code).toBe(code);
    await expect(outcome.stdout).toMatchFileSnapshot(`expected/${file}-${terminalColumns}.txt`);
    const longLines = outcome.stdout.split('\n').filter((text) => text.length > terminalColumns);
    expect(longLines.filter((text) => !/^ +kubectl /.test(text))).toStrictEqual([]);
  });
});
