import { describe, expect, test } from 'vitest';
import { upgrade } from '../../../src/cli/commands/upgrade.ts';
import type { ReleaseComparison } from '../../../src/explain/index.ts';
import type { Pod, Service } from '../../../src/types/index.ts';
import { failed, marked, plain, pod, scopeOf, service, wide } from '../objects.ts';

const web = service('web');
const db = service('db');
const pods = [pod('a', 'web', '10.0.0.1'), pod('b', 'web', '10.0.0.2', failed), pod('c', 'db', '10.0.0.3')];
const report = (services: readonly Service[], some: readonly Pod[], from: string, to: string) =>
  upgrade(scopeOf({ services, pods: some }), { from, to });
const cells = (lines: readonly string[]): string[][] => lines.map((line) => line.split(/ {3,}/));

test('nothing of no Services', () => {
  const none = report([], pods, '1.21', '1.37');
  expect({ found: none.found, text: none.text(plain), data: none.data() }).toEqual({ found: false, text: [], data: { items: [] } });
});

test('where nothing changes, one line says so; wide, every Service has its row', () => {
  const same = report([web, db], pods, '1.36', '1.37');
  const verdict =
    'Kubernetes 1.36 to 1.37: 0 of 2 Services with other Endpoints, 0 pods moved, 0 Endpoints objects written at the first sync.';
  expect(same.found).toBe(false);
  expect(same.text(plain)).toEqual([verdict]);
  expect(cells(same.text(wide))).toEqual([
    ['NAMESPACE', 'SERVICE', 'PODS MOVED', 'FIRST SYNC', 'BECAUSE', 'DIFFERENCES'],
    ['shop', 'db', '0', 'none', 'EndpointsEqual'],
    ['shop', 'web', '0', 'none', 'EndpointsEqual'],
    [''],
    [verdict],
  ]);
});

test('Services, pods and causes that change', () => {
  const changed = report([web, db], pods, '1.21', '1.33');
  expect(changed.found).toBe(true);
  const lines = changed.text(plain);
  expect(cells(lines.slice(0, 4))).toEqual([
    ['NAMESPACE', 'SERVICE', 'PODS MOVED', 'FIRST SYNC', 'DIFFERENCES'],
    ['shop', 'db', '0', 'update', 'labels'],
    ['shop', 'web', '1', 'update', 'addresses, labels'],
    [''],
  ]);
  expect(cells(lines.slice(4, 7))).toEqual([
    ['POD', 'SERVICE', '1.21', '1.33', 'WHY'],
    ['b', 'shop/web', 'not ready 10.0.0.2', 'left out', expect.stringMatching(/^1\.33: PodTerminal: /)],
    [''],
  ]);
  const causes = cells(lines.slice(7, -2));
  expect(causes[0]).toEqual(['CAUSE', 'REFERENCE', 'SINCE', 'SERVICES', 'WHAT CHANGED']);
  expect(causes.slice(1).map(([gate, , , services]) => [gate, services])).toEqual([
    ['terminalPodsLeftOut', '1'],
    ['managedByLabel', '2'],
  ]);
  expect(lines.at(-1)).toBe(
    'Kubernetes 1.21 to 1.33: 2 of 2 Services with other Endpoints, 1 pod moved, 2 Endpoints objects written at the first sync.',
  );
});

test('back to an older release, the reasons are those of the release that leaves the pod out', () => {
  const lines = report([web], pods, '1.33', '1.21').text(plain);
  const moved = lines.find((line) => line.startsWith('b '));
  expect(moved?.split(/ {3,}/)).toEqual([
    'b',
    'shop/web',
    'left out',
    'not ready 10.0.0.2',
    expect.stringMatching(/^1\.33: PodTerminal: /),
  ]);
});

describe('wide', () => {
  test('says why there is a write, and each difference in a sentence', () => {
    const lines = report([web], pods, '1.21', '1.33').text(wide);
    expect(cells(lines.slice(1, 3))).toEqual([
      ['shop', 'web', '1', 'update', 'SubsetsDiffer,LabelsDiffer', 'addresses: Other addresses are listed.'],
      ['', 'labels: The labels differ.'],
    ]);
  });
});

test('a Service that only one of the releases manages', () => {
  const external = service('web', { type: 'ExternalName' });
  const gone = report([external], pods, '1.26', '1.27');
  expect(gone.found).toBe(true);
  expect(cells(gone.text(plain))[1]).toEqual(['shop', 'web', expect.any(String), 'none', 'existence']);
  const [back] = (report([external], pods, '1.27', '1.26').data() as { items: ReleaseComparison[] }).items;
  expect(back?.takeover.action).toBe('create');
});

test('pods of other namespaces and other labels do not count', () => {
  const strangers = [pod('x', 'web', '10.0.0.9', failed, 'other'), pod('y', 'else', '10.0.0.8', failed)];
  const [one] = (report([web], strangers, '1.21', '1.25').data() as { items: ReleaseComparison[] }).items;
  expect(one?.pods).toEqual([]);
});

test('states and writes are coloured', () => {
  const text = report([web], pods, '1.21', '1.33').text(marked).join('\n');
  for (const painted of ['yellow(update)', 'yellow(not ready 10.0.0.2)', 'red(left out)']) expect(text).toContain(painted);
});
