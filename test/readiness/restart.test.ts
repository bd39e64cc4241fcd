import { expect, test } from 'vitest';
import { readinessSettings } from '../../src/readiness/gates.ts';
import { canRestartAll, findRestartRule, isRestarted } from '../../src/readiness/statuses.ts';
import { makePod } from './pods.ts';

const settings = readinessSettings();
const rule = (action: string, operator: string, ...values: number[]) => ({ action, exitCodes: { operator, values } });

test.each([
  ['Always', undefined, 0, true],
  ['OnFailure', undefined, 0, false],
  ['OnFailure', undefined, 1, true],
  ['Never', undefined, 1, false],
  ['Never', 'Always', 0, true],
  ['Always', 'Never', 1, false],
  ['Never', 'OnFailure', 1, true],
  ['Never', 'else', 1, false],
  ['else', undefined, 0, true],
])('isRestarted, for pod policy %s, container policy %s and exit code %i, returns %j', (restartPolicy, own, code, expected) => {
  const container = { name: 'app', ...(own !== undefined && { restartPolicy: own }) };
  expect(isRestarted(container, makePod({ restartPolicy }), code, settings)).toBe(expected);
});

test('isRestarted applies the first matching rule if the container has a restartPolicy', () => {
  const restartPolicyRules = [rule('Restart', 'In', 42), rule('RestartAllContainers', 'NotIn', 0, 1)];
  const pod = makePod({ restartPolicy: 'Never' });
  const codes = (restartPolicy?: string, version?: string) =>
    [0, 1, 42, 7].map((code) =>
      isRestarted({ ...(restartPolicy && { restartPolicy }), restartPolicyRules }, pod, code, readinessSettings({ version })),
    );
  expect(codes('Never')).toEqual([false, false, true, true]);
  expect(codes('Never', '1.35')).toEqual([false, false, true, false]);
  expect(codes()).toEqual([false, false, false, false]);
  expect(findRestartRule({ restartPolicyRules }, 7)?.action).toBe('RestartAllContainers');
  expect(findRestartRule({ restartPolicyRules: [{ action: 'Restart' }] }, 7)).toBeUndefined();
});

test('canRestartAll is true if any container has a RestartAllContainers rule', () => {
  const restartPolicyRules = [rule('RestartAllContainers', 'In', 1)];
  expect(canRestartAll(makePod({ initContainers: [{ restartPolicyRules }] }))).toBe(true);
  expect(canRestartAll(makePod({ containers: [{ restartPolicyRules: [rule('Restart', 'In', 1)] }] }))).toBe(false);
});
