import { describe, expect, test } from 'vitest';
import { explain } from '../../src/commands/explain.ts';
import { stateOf } from '../../src/report/explanations.ts';
import { endpoints, failedStatus, markedStyle, notReadyStatus, plainStyle, pod, scopeOf, service, wideStyle } from '../objects.ts';

const web = service('web');
const readyPod = pod('a', 'web', '10.0.0.1');

describe('hasFindings of explain', () => {
  test.each([
    ['is true for an error', web, [], true],
    [
      'is true for a warning',
      service('web', { ports: [{ port: 80, protocol: 'TCP', targetPort: 'http' }] }),
      [readyPod, portNamed('b')],
      true,
    ],
    ['is false for information', service('web', { selector: null }), [], false],
    ['is false without problems', web, [readyPod], false],
    ['is false with a ready pod and an unready one', web, [readyPod, pod('b', 'web', '10.0.0.2', notReadyStatus)], false],
  ])('%s', (_, service, pods, expected) => {
    expect(explain(scopeOf({ services: [service], pods }), { version: '1.37', hasNames: false }).hasFindings).toBe(expected);
  });

  function portNamed(name: string) {
    const plainPod = pod(name, 'web', '10.0.0.9');
    return { ...plainPod, spec: { ...plainPod.spec, containers: [{ ports: [{ name: 'http', containerPort: 80, protocol: 'TCP' }] }] } };
  }
});

describe('the text of explain', () => {
  const pods = [readyPod, pod('b', 'web', '10.0.0.2', notReadyStatus), pod('c', 'web', '10.0.0.3', failedStatus)];

  test('shows a line per Service with each problem code once, without names', () => {
    const missingPort = (name: string) => ({ name, port: 80, protocol: 'TCP', targetPort: name });
    const services = [
      web,
      service('by-hand', { selector: null }),
      service('zoo', { selector: { app: 'web' }, ports: [missingPort('a'), missingPort('b')] }),
    ];
    expect(explain(scopeOf({ services, pods }), { version: '1.37', hasNames: false }).text(plainStyle)).toEqual([
      'NAMESPACE   SERVICE   READY   NOT READY   LEFT OUT   PROBLEMS',
      'shop        by-hand   -       -           -          ServiceHasNoSelector',
      'shop        web       1       1           1          <none>',
      'shop        zoo       0       0           3          NoPodEligible, PortFoundInNoPod',
    ]);
  });

  test('shows the state of each pod of a named Service', () => {
    const lines = explain(scopeOf({ services: [web], pods }), { version: '1.37', hasNames: true }).text(plainStyle);
    expect(lines.map((line) => line.split(/ {3,}/).slice(0, 4))).toEqual([
      ['SERVICE shop/web  (Kubernetes 1.37)', '1 ready, 1 not ready, 1 left out'],
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
    expect(lines[4]).toContain('PodTerminal: ');
  });

  test('explains all Services with -o wide, separated by blank lines', () => {
    const scope = scopeOf({ services: [service('db'), web], pods });
    const lines = explain(scope, { version: '1.37', hasNames: false }).text(wideStyle);
    expect(lines).toEqual(explain(scope, { version: '1.37', hasNames: true }).text(plainStyle));
    expect(lines.indexOf('')).toBe(lines.findIndex((line) => line.startsWith('SERVICE shop/web')) - 1);
    expect(lines[0]).not.toBe('');
  });

  test('is empty without Services', () => {
    const report = explain(scopeOf({ pods }), { version: '1.37', hasNames: false });
    expect({ found: report.hasFindings, text: report.text(plainStyle), data: report.data() }).toEqual({
      found: false,
      text: [],
      data: { items: [] },
    });
  });

  test.each([
    ['one ready pod', [readyPod], 'green(1 ready)'],
    ['no ready pod', [pod('b', 'web', '10.0.0.2', notReadyStatus)], 'red(0 ready), yellow(1 not ready)'],
    ['a pod that is left out', [readyPod, pod('c', 'web', '10.0.0.3', failedStatus)], 'green(1 ready), red(1 left out)'],
    ['no pods', [], 'red(no pods)'],
  ])('has a headline for %s', (_, pods, verdict) => {
    const [title] = explain(scopeOf({ services: [web], pods }), { version: '1.37', hasNames: true }).text(markedStyle);
    expect(title).toBe(`bold(SERVICE shop/web)  (Kubernetes 1.37)   ${verdict}`);
  });

  test('marks problems by severity and wraps them on a terminal', () => {
    const text = (explainedService: ReturnType<typeof service>, width?: number) =>
      explain(scopeOf({ services: [explainedService], pods: [] }), { version: '1.37', hasNames: true })
        .text({ ...markedStyle, width })
        .slice(1);
    expect(text(web)[0]).toMatch(/^ {2}red\(!\) SelectorMatchesNothing: /);
    expect(text(service('web', { selector: null }))[0]).toMatch(/^ {2}cyan\(-\) ServiceHasNoSelector: /);
    const [firstLine, ...otherLines] = text(web, 50);
    const continuationLines = otherLines.slice(
      0,
      otherLines.findIndex((line) => line.includes('ENDPOINTSLICES')),
    );
    expect(firstLine).toMatch(/^ {2}red\(!\) \S/);
    expect(continuationLines.length).toBeGreaterThan(0);
    for (const line of continuationLines) {
      expect(line).toMatch(/^ {4}\S/);
      expect(line.length).toBeLessThanOrEqual(50);
    }
  });

  test('counts existing Endpoints of a Service without a selector', () => {
    const existing = endpoints('web', [{ addresses: [{ ip: '1.1.1.1' }], ports: [{ port: 80 }] }]);
    const lines = explain(scopeOf({ services: [service('web', { selector: null })], endpoints: [existing] }), {
      version: '1.37',
      hasNames: true,
    }).text(plainStyle);
    expect(lines[1]).toContain('; the existing ones have 1 address');
  });

  test('follows the rules of the release', () => {
    const scope = scopeOf({ services: [web], pods });
    expect(explain(scope, { version: '1.21', hasNames: true }).text(plainStyle)[0]).toBe(
      'SERVICE shop/web  (Kubernetes 1.21)   1 ready, 2 not ready',
    );
  });

  test('escapes control characters of the input', () => {
    const withEscape = service('web', { selector: { app: 'x\u001b[2J' } });
    expect(
      explain(scopeOf({ services: [withEscape] }), { version: '1.37', hasNames: true })
        .text(plainStyle)
        .join('\n'),
    ).toContain('app=x\\u001b[2J');
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
