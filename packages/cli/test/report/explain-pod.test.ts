import { explainService, type PodExplanation } from 'kube-endpoints/explain';
import type { Pod, Service } from 'kube-endpoints/types';
import { describe, expect, test } from 'vitest';
import { type ExplainPodOptions, explainPod } from '../../src/report/explain-pod.ts';
import { failedStatus, notReadyStatus, plainStyle, pod, scopeOf, service } from '../objects.ts';

const options: ExplainPodOptions = { version: '1.37', pod: 'a', namespace: 'shop', hasNames: false };
const report = (services: readonly Service[], pods: readonly Pod[], overrides: Partial<ExplainPodOptions> = {}) =>
  explainPod(scopeOf({ services, pods }), pods, { ...options, ...overrides });
const itemsOf = (data: unknown) => (data as { items: { service: { namespace: string; name: string }; pod: PodExplanation }[] }).items;

describe('the exit code of explain --pod', () => {
  const readyPod = pod('a', 'web', '10.0.0.1');
  test.each([
    ['is 0 if the pod is ready for the only Service that selects it', [service('web'), service('db')], readyPod, false, false],
    ['is 1 if the pod is not ready', [service('web')], pod('a', 'web', '10.0.0.1', notReadyStatus), false, true],
    ['is 1 if the pod is left out', [service('web')], pod('a', 'web', '10.0.0.1', failedStatus), false, true],
    [
      'is 1 if the pod is ready for one Service and not for another',
      [service('web'), service('all', { selector: {}, ports: [portWithTarget('x')] })],
      readyPod,
      false,
      true,
    ],
    ['is 1 if no Service selects the pod', [service('db')], readyPod, false, true],
    ['is 1 without Services', [], readyPod, false, true],
    ['is 1 if the named Service does not select the pod', [service('db')], readyPod, true, true],
    ['is 0 if the pod is ready for the named Service', [service('web')], readyPod, true, false],
  ])('%s', (_, services, explainedPod, hasNames, hasFindings) => {
    expect(report(services, [explainedPod], { hasNames }).hasFindings).toBe(hasFindings);
  });

  function portWithTarget(targetPort: string) {
    return { port: 80, protocol: 'TCP', targetPort };
  }
});

test('explain --pod lists selecting Services first, and omits other namespaces', () => {
  const services = [service('a-db'), service('web'), service('web', {}, { namespace: 'other' })];
  const explained = report(services, [pod('a', 'web', '10.0.0.1'), pod('b', 'web', '10.0.0.2')]);
  expect(itemsOf(explained.data()).map(({ service: { namespace, name }, pod: { selected } }) => [namespace, name, selected])).toEqual([
    ['shop', 'web', true],
    ['shop', 'a-db', false],
  ]);
  const [title, ...rows] = explained.text(plainStyle);
  expect(title).toBe('POD shop/a  (Kubernetes 1.37)   ready for 1 of 1 Service that selects it');
  expect(rows.map((line) => line.split(/ {3,}/).slice(0, 4))).toEqual([
    ['  SERVICE', 'STATE', 'ADDRESS', 'PORTS'],
    ['  web', 'ready', '10.0.0.1', '8080/TCP'],
    ['  a-db', 'not selected', '<none>', '<none>'],
    ['  IN ENDPOINTSLICES'],
    ['  SERVICE', 'TYPE', 'PORTS', 'CONDITIONS'],
    ['  web', 'IPv4', '8080/TCP', 'ready'],
  ]);
});

test('explain --pod covers the pods of the given name in all namespaces, sorted by namespace', () => {
  const pods = [pod('a', 'web', '10.0.0.1'), pod('a', 'web', '10.0.0.2', {}, 'other')];
  const titles = report([service('web')], pods, { namespace: undefined })
    .text(plainStyle)
    .filter((line) => line === '' || line.startsWith('POD'));
  expect(titles).toEqual([
    'POD other/a  (Kubernetes 1.37)   no Services in its namespace',
    '',
    'POD shop/a  (Kubernetes 1.37)   ready for 1 of 1 Service that selects it',
  ]);
});

test.each([
  ['shop', 'pods "a" not found in namespace "shop"'],
  [undefined, 'pods "a" not found in any namespace'],
])('explain --pod reports that the pod does not exist (namespace: %s)', (namespace, error) => {
  const missingPodReport = report([service('web')], [pod('b', 'web', '10.0.0.2')], { namespace });
  expect({
    found: missingPodReport.hasFindings,
    text: missingPodReport.text(plainStyle),
    data: missingPodReport.data(),
    errors: missingPodReport.errors,
  }).toEqual({
    found: false,
    text: [],
    data: { items: [] },
    errors: [error],
  });
});

test('explain --pod takes the capacity limit of Endpoints into account', () => {
  const pods = Array.from({ length: 1001 }, (_, i) => pod(`p${i}`, 'web', `10.0.${i >> 8}.${i & 255}`));
  const { pods: explained } = explainService(service('web'), pods, { version: '1.37' });
  const excluded = explained.find(({ included }) => !included) as PodExplanation;
  const [item] = itemsOf(report([service('web')], pods, { pod: excluded.name }).data());
  expect(item?.pod).toEqual(excluded);
  expect(item?.pod.reasons.map(({ code }) => code)).toContain('CutByCapacity');
});

test('explain --pod escapes control characters of the input', () => {
  const podWithControlCharacter = pod('a\u009b1m', 'web', '10.0.0.1');
  expect(report([], [podWithControlCharacter], { pod: 'a\u009b1m' }).text(plainStyle)[0]).toMatch(/^POD shop\/a\\u009b1m /);
});
