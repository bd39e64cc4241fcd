import type { Service } from 'kube-endpoints/types';
import { describe, expect, test } from 'vitest';
import { type ExplainOptions, explain } from '../../src/commands/explain.ts';
import type { Inventory } from '../../src/input/collection.ts';
import type { Report } from '../../src/print/report.ts';
import { stateOf } from '../../src/report/explanations.ts';
import {
  endpoints,
  failedStatus,
  inventoryOf,
  markedStyle,
  notReadyStatus,
  plainStyle,
  pod,
  scopeOf,
  service,
  wideStyle,
} from '../objects.ts';

const web = service('web');
const readyPod = pod('a', 'web', '10.0.0.1');

const explainObjects = (objects: Partial<Inventory>, options: Partial<ExplainOptions> = {}): Report =>
  explain(scopeOf(objects), { version: '1.37', hasNames: true, inventory: inventoryOf(objects), live: false, ...options });
const explainAll = (objects: Partial<Inventory>, options: Partial<ExplainOptions> = {}): Report =>
  explainObjects(objects, { hasNames: false, ...options });

describe('hasFindings of explain', () => {
  test.each<[string, Service, ReturnType<typeof pod>[], boolean]>([
    ['is true for an error', web, [], true],
    [
      'is true for a warning',
      service('web', { ports: [{ port: 80, protocol: 'TCP', targetPort: 'http' }] }),
      [readyPod, portNamed('b')],
      true,
    ],
    ['is false for information', service('web', { selector: null }), [], false],
    ['is false without problems', web, [readyPod], false],
    ['is true with a ready pod and an unready one', web, [readyPod, pod('b', 'web', '10.0.0.2', notReadyStatus)], true],
    ['is true with a ready pod and one without an address', web, [readyPod, pod('b', 'web', '', { podIPs: [] })], true],
    ['is false with a ready pod and a pod that has ended', web, [readyPod, pod('b', 'web', '10.0.0.2', failedStatus)], false],
  ])('%s', (_, service, pods, expected) => {
    expect(explainAll({ services: [service], pods }).hasFindings).toBe(expected);
  });

  test('does not depend on --problems', () => {
    expect(explainAll({ services: [web], pods: [readyPod] }, { onlyProblems: true }).hasFindings).toBe(false);
    expect(explainAll({ services: [web] }, { onlyProblems: true }).hasFindings).toBe(true);
  });

  function portNamed(name: string) {
    const plainPod = pod(name, 'web', '10.0.0.9');
    return { ...plainPod, spec: { ...plainPod.spec, containers: [{ ports: [{ name: 'http', containerPort: 80, protocol: 'TCP' }] }] } };
  }
});

describe('the text of explain', () => {
  const pods = [readyPod, pod('b', 'web', '10.0.0.2', notReadyStatus), pod('c', 'web', '10.0.0.3', failedStatus)];

  test('shows a line per Service with each cause once, without names', () => {
    const missingPort = (name: string) => ({ name, port: 80, protocol: 'TCP', targetPort: name });
    const services = [
      web,
      service('by-hand', { selector: null }),
      service('zoo', { selector: { app: 'web' }, ports: [missingPort('a'), missingPort('b')] }),
    ];
    expect(explainAll({ services, pods }).text(plainStyle)).toEqual([
      'NAMESPACE   SERVICE   STATE      READY   NOT READY   LEFT OUT   CAUSES',
      'shop        by-hand   ok         -       -           -          <none>',
      'shop        web       degraded   1       1           1          PodNotReady',
      'shop        zoo       broken     0       0           3          PortFoundInNoPod',
      '',
      '3 Services: 1 broken, 1 degraded, 1 ok',
    ]);
  });

  test('shows with --problems the worst Service first, each with its root cause only', () => {
    const services = [service('db'), web, service('zoo', { selector: { app: 'none' } })];
    const lines = explainAll({ services, pods: [...pods, pod('d', 'db', '10.0.0.4')] }, { onlyProblems: true }).text(plainStyle);
    expect(lines.filter((line) => /^\S/.test(line))).toEqual([
      'broken shop/zoo',
      'degraded shop/web',
      '3 Services: 1 broken, 1 degraded, 1 ok',
    ]);
    expect(lines.filter((line) => line.includes('Cause:')).map((line) => line.split(':')[1]?.trim())).toEqual([
      'SelectorMatchesNothing',
      'PodNotReady',
    ]);
    expect(explainAll({ services: [service('db')], pods: [pod('d', 'db', '10.0.0.4')] }, { onlyProblems: true }).text(plainStyle)).toEqual(
      [],
    );
  });

  test('shows the state of each pod of a named Service', () => {
    const lines = explainObjects({ services: [web], pods }).text(plainStyle);
    expect(lines.map((line) => line.split(/ {3,}/).slice(0, 4))).toEqual([
      ['SERVICE shop/web  degraded: 1 ready, 1 not ready, 1 left out  (Kubernetes 1.37)'],
      ['  Cause:', 'PodNotReady: Pod b is not ready: its Ready condition is "False"'],
      ['  Evidence: Pod shop/b, status.conditions[Ready].status: "False"'],
      ['  Fix:', 'Check the readiness probe, the readiness gates and the state of its containers'],
      ['', 'kubectl -n shop describe pod b'],
      ['  POD', 'STATE', 'ADDRESS', 'PORTS'],
      ['  a', 'ready', '10.0.0.1', '8080/TCP'],
      ['  b', 'not ready', '10.0.0.2', '8080/TCP'],
      ['  c', 'left out', '<none>', '<none>'],
      ['  ENDPOINTSLICES', '1 computed'],
      ['  POD', 'TYPE', 'PORTS', 'CONDITIONS'],
      ['  a', 'IPv4', '8080/TCP', 'ready'],
      ['  b', 'IPv4', '8080/TCP', 'not ready'],
      ['  c', '<none>', '<none>', 'in no slice'],
    ]);
    expect(lines[8]).toContain('PodTerminal: ');
  });

  test('shows pods with the same state and reasons in one row, but all of them with -o wide', () => {
    const twins = {
      services: [web],
      pods: [readyPod, pod('b', 'web', '10.0.0.2'), pod('c', 'web', '10.0.0.3', failedStatus), pod('d', 'web', '', failedStatus)],
    };
    const rowsOf = (style: typeof plainStyle) =>
      explainObjects(twins)
        .text(style)
        .slice(2, 6)
        .map((line) => line.split(/ {3,}/).slice(0, 3));
    expect(rowsOf(plainStyle).slice(0, 2)).toEqual([
      ['  a and 1 more', 'ready', '2 addresses'],
      ['  c and 1 more', 'left out', '<none>'],
    ]);
    expect(rowsOf(wideStyle).map(([name]) => name)).toEqual(['  a', '  b', '  c', '  d']);
  });

  test('marks the pods of templates', () => {
    const lines = explainObjects({ services: [web], pods: [readyPod], templatePods: new Set(['shop/a']) }).text(plainStyle);
    expect(lines.map((line) => line.split(/ {3,}/).slice(0, 3))).toEqual([
      ['SERVICE shop/web  ok: 1 ready  (Kubernetes 1.37)'],
      ['  POD', 'STATE', 'ADDRESS'],
      ['  a', 'ready', 'template'],
    ]);
  });

  test('explains all Services with -o wide, separated by blank lines', () => {
    const objects = { services: [service('db'), web], pods: [readyPod, ...pods.slice(2)] };
    const lines = explainAll(objects).text(wideStyle);
    expect(lines).toEqual(explainObjects(objects).text(plainStyle));
    expect(lines.indexOf('')).toBe(lines.findIndex((line) => line.startsWith('SERVICE shop/web')) - 1);
    expect(lines[0]).not.toBe('');
  });

  test('is empty without Services', () => {
    const report = explainAll({ pods });
    expect({ found: report.hasFindings, text: report.text(plainStyle), data: report.data() }).toEqual({
      found: false,
      text: [],
      data: { items: [] },
    });
  });

  test.each([
    ['one ready pod', [readyPod], 'green(ok): green(1 ready)'],
    ['no ready pod', [pod('b', 'web', '10.0.0.2', notReadyStatus)], 'red(broken): red(0 ready), yellow(1 not ready)'],
    ['a pod that is left out', [readyPod, pod('c', 'web', '10.0.0.3', failedStatus)], 'green(ok): green(1 ready), red(1 left out)'],
    ['a pod that is not ready', pods.slice(0, 2), 'yellow(degraded): green(1 ready), yellow(1 not ready)'],
    ['no pods', [pod('d', 'db', '10.0.0.4')], 'red(broken): red(no pods)'],
    ['an input without pods', [], 'yellow(unknown): red(no pods)'],
  ])('has a headline for %s', (_, pods, verdict) => {
    const [title] = explainObjects({ services: [web], pods }).text(markedStyle);
    expect(title).toBe(`bold(SERVICE shop/web)  ${verdict}  (Kubernetes 1.37)`);
  });

  test('marks causes by severity, and wraps everything but the command on a terminal', () => {
    const stranger = pod('d', 'db', '10.0.0.4');
    const text = (explainedService: ReturnType<typeof service>, pods: Inventory['pods'], width?: number) =>
      explainObjects({ services: [explainedService], pods })
        .text({ ...markedStyle, width })
        .slice(1);
    expect(text(web, [stranger])[0]).toMatch(/^ {2}red\(Cause: {4}\)SelectorMatchesNothing: /);
    expect(text(web, pods)[0]).toMatch(/^ {2}yellow\(Cause: {4}\)PodNotReady: /);
    expect(text(service('web', { selector: null }), [])[0]).toMatch(/^ {2}cyan\(-\) ServiceHasNoSelector: /);
    const lines = explainObjects({ services: [web], pods: [stranger] }).text({ ...plainStyle, width: 50 });
    const command = '            kubectl -n shop get pods --show-labels';
    expect(lines).toContain(command);
    for (const line of lines.filter((each) => each !== command)) expect(line.length, line).toBeLessThanOrEqual(50);
    expect(lines.slice(0, 2)).toEqual(['SERVICE shop/web  broken: no pods', '  (Kubernetes 1.37)']);
    for (const line of lines.slice(3, 5)) expect(line).toMatch(/^ {12}\S/);
  });

  test('counts existing Endpoints of a Service without a selector', () => {
    const existing = endpoints('web', [{ addresses: [{ ip: '1.1.1.1' }], ports: [{ port: 80 }] }]);
    const lines = explainObjects({ services: [service('web', { selector: null })], endpoints: [existing] }).text(plainStyle);
    expect(lines[1]).toContain('; the existing ones have 1 address');
  });

  test('follows the rules of the release', () => {
    expect(explainObjects({ services: [web], pods }, { version: '1.21' }).text(plainStyle)[0]).toBe(
      'SERVICE shop/web  degraded: 1 ready, 2 not ready  (Kubernetes 1.21)',
    );
  });

  test('escapes control characters of the input', () => {
    const withEscape = service('web', { selector: { app: 'x\u001b[2J' } });
    const text = explainObjects({ services: [withEscape], pods: [readyPod] })
      .text(plainStyle)
      .join('\n');
    expect(text).toContain('app=x\\u001b[2J');
    expect(text).not.toContain('\u001b');
  });
});

test('the data of explain has the causes and the health of each Service', () => {
  const { items } = explainObjects({ services: [web], pods: [pod('b', 'web', '10.0.0.2', notReadyStatus)] }).data() as {
    items: readonly Record<string, unknown>[];
  };
  expect(items[0]).toMatchObject({
    health: 'broken',
    causes: [
      {
        code: 'PodNotReady',
        severity: 'error',
        objects: ['pod/shop/b'],
        evidence: [{ object: 'Pod shop/b', path: 'status.conditions[Ready].status', value: '"False"' }],
        fix: { command: 'kubectl -n shop describe pod b' },
      },
    ],
  });
});

test.each([
  [{ selected: true, included: true, ready: true }, 'ready', 'green'],
  [{ selected: true, included: true, ready: false }, 'not ready', 'yellow'],
  [{ selected: true, included: false, ready: false }, 'left out', 'red'],
  [{ selected: false, included: false, ready: false }, 'not selected', 'dim'],
])('stateOf names and colours the state of a pod: %j', (flags, word, colour) => {
  expect(stateOf({ namespace: 'shop', name: 'a', ports: [], reasons: [], ...flags })).toEqual({ word, colour });
});
