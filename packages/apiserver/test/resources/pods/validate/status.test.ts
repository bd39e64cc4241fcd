import { expect, test } from 'vitest';
import { validatePodStatusUpdate } from '../../../../src/resources/pods/validate/status.ts';
import { fieldsOf, reportedCauses } from '../../support.ts';

const metadata = { name: 'a', namespace: 'b', resourceVersion: '1' };
const check = (status: object, before: object = {}, spec: object = {}): string[] =>
  fieldsOf(reportedCauses((causes) => validatePodStatusUpdate({ metadata, spec, status }, { metadata, spec, status: before }, causes)));

test.each([
  [{ podIPs: [{ ip: '10.0.0.1' }, { ip: 'fd00::1' }] }, []],
  [{ podIPs: [{ ip: '10.0.0.1' }, { ip: '10.0.0.2' }] }, ['status.podIPs']],
  [{ podIPs: [{ ip: 'x' }, { ip: '::1' }] }, ['status.podIPs[0]', 'status.podIPs', 'status.podIPs']],
  [{ hostIPs: [{ ip: '10.0.0.1' }] }, ['status.hostIPs[0].ip']],
  [
    { conditions: [{ type: 'Ready' }, { type: 'a b', observedGeneration: -1 }] },
    ['status.conditions[1].observedGeneration', 'status.conditions[1].Type'],
  ],
  [{ qosClass: 'Guaranteed' }, ['status.qosClass']],
  [{ nominatedNodeName: 'A', observedGeneration: -1 }, ['status.nominatedNodeName', 'status.observedGeneration']],
])('validatePodStatusUpdate checks %j', (status, fields) => expect(check(status)).toEqual(fields));

test('nominatedNodeName may not name a node other than nodeName', () => {
  expect(check({ nominatedNodeName: 'n' }, {}, { nodeName: 'm' })).toEqual(['status.nominatedNodeName']);
  expect(check({ nominatedNodeName: 'n' }, { nominatedNodeName: 'n' }, { nodeName: 'm' })).toEqual([]);
});

test.each([
  ['Always', {}, 0, true],
  ['Never', {}, 0, false],
  ['OnFailure', {}, 1, true],
  ['OnFailure', {}, 0, false],
  ['Never', { restartPolicy: 'Always' }, 0, true],
  ['Never', { restartPolicy: 'Never', restartPolicyRules: [{ action: 'Restart', exitCodes: { operator: 'In', values: [3] } }] }, 3, true],
  [
    'Never',
    { restartPolicy: 'Never', restartPolicyRules: [{ action: 'Restart', exitCodes: { operator: 'NotIn', values: [3] } }] },
    3,
    false,
  ],
])('a pod with restartPolicy %s, container %j and exit code %d: mayRestart is %s', (restartPolicy, container, exitCode, mayRestart) => {
  const spec = { restartPolicy, containers: [{ name: 'c', ...container }] };
  const before = { containerStatuses: [{ name: 'c', state: { terminated: { exitCode } } }] };
  const after = { containerStatuses: [{ name: 'c', state: { running: {} } }] };
  expect(check(after, before, spec)).toEqual(mayRestart ? [] : ['status.containerStatuses[0].state']);
});
