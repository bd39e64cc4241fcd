import { expect, test } from 'vitest';
import { validateLifecycle, validateProbes } from '../../../../src/resources/pods/validate/handlers.ts';
import { fieldsOf, reportedCauses } from '../../support.ts';

const probe = { exec: { command: ['true'] }, successThreshold: 1 };
const check = (container: object): string[] =>
  fieldsOf(reportedCauses((causes) => validateProbes(container as Record<string, unknown>, 'c', causes)));

test('a probe has one handler and valid thresholds', () => {
  expect(check({ livenessProbe: probe, readinessProbe: { ...probe, successThreshold: 3 } })).toEqual([]);
  expect(
    check({
      startupProbe: { successThreshold: 2 },
      livenessProbe: { ...probe, tcpSocket: {}, periodSeconds: -1, terminationGracePeriodSeconds: 0 },
    }),
  ).toEqual([
    'c.livenessProbe.tcpSocket',
    'c.livenessProbe.periodSeconds',
    'c.livenessProbe.terminationGracePeriodSeconds',
    'c.startupProbe',
    'c.startupProbe.successThreshold',
  ]);
  expect(check({ readinessProbe: { ...probe, terminationGracePeriodSeconds: 5 } })).toEqual([
    'c.readinessProbe.terminationGracePeriodSeconds',
  ]);
});

test.each([
  [{ exec: {} }, ['exec.command']],
  [
    { httpGet: { port: 0, scheme: 'x', httpHeaders: [{ name: 'a b' }] } },
    ['httpGet.path', 'httpGet.port', 'httpGet.scheme', 'httpGet.httpHeaders'],
  ],
  [{ tcpSocket: { port: 'http' } }, []],
  [{ grpc: {} }, ['grpc.port']],
])('a probe checks the handler %j', (handler, fields) => {
  expect(check({ livenessProbe: { ...handler, successThreshold: 1 } })).toEqual(fields.map((field) => `c.livenessProbe.${field}`));
});

test('a preStop sleep must not be longer than the grace period', () => {
  const sleep = (seconds: number): string[] =>
    reportedCauses((causes) => validateLifecycle({ preStop: { sleep: { seconds } } }, { terminationGracePeriodSeconds: 30 }, 'l', causes));
  expect([sleep(0), sleep(30)]).toEqual([[], []]);
  expect(sleep(31)).toEqual([
    'FieldValueInvalid l.preStop.sleep: Invalid value: 31: must be non-negative and less than terminationGracePeriodSeconds (30)',
  ]);
});
