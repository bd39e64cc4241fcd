import { expect, test } from 'vitest';
import { validateResizePolicy, validateRestartPolicy } from '../../../../src/resources/pods/validate/restart.ts';
import { fieldsOf, reportedCauses } from '../../support.ts';

const rule = { action: 'Restart', exitCodes: { operator: 'In', values: [1] } };
const check = (container: object, { isInit = false } = {}): string[] =>
  fieldsOf(reportedCauses((causes) => validateRestartPolicy(container as Record<string, unknown>, isInit, 'c', causes)));

test('restart policy rules require a restart policy and valid exit codes', () => {
  expect(check({ restartPolicy: 'Never', restartPolicyRules: [rule] })).toEqual([]);
  expect(check({ restartPolicyRules: [{}] })).toEqual([
    'c.restartPolicy',
    'c.restartPolicyRules[0].action',
    'c.restartPolicyRules[0].exitCodes',
  ]);
  expect(check({ restartPolicyRules: [{}] }, { isInit: true })).toEqual(['c.restartPolicy']);
  const codes = { operator: 'Odd', values: Array.from({ length: 256 }, () => 1) };
  expect(check({ restartPolicy: 'Odd', restartPolicyRules: [{ ...rule, exitCodes: codes }] })).toEqual([
    'c.restartPolicy',
    'c.restartPolicyRules[0].exitCodes.operator',
    'c.restartPolicyRules[0].exitCodes.values',
  ]);
  expect(check({ restartPolicy: 'Never', restartPolicyRules: Array.from({ length: 21 }, () => rule) })).toEqual(['c.restartPolicyRules']);
});

test('validateResizePolicy accepts cpu and memory, each once', () => {
  const resizePolicy = [
    { resourceName: 'cpu', restartPolicy: 'RestartContainer' },
    { resourceName: 'cpu', restartPolicy: '' },
    { resourceName: 'odd', restartPolicy: 'NotRequired' },
  ];
  const lines = reportedCauses((causes) => validateResizePolicy({ resizePolicy }, 'Never', 'r', causes));
  expect(fieldsOf(lines)).toEqual(['r', 'r[1]', 'r', 'r', 'r']);
});
