import { expect, test } from 'vitest';
import { validatePodUpdate } from '../../../../src/resources/pods/validate/update.ts';
import { example, fieldsOf, reportedCauses, specOf } from '../../support.ts';

const metadata = { name: 'a', namespace: 'b', resourceVersion: '1' };
const pod = (spec: object): Record<string, unknown> => ({ metadata, spec: { ...specOf(example('pods/plain').object), ...spec } });
const check = (after: object, before: object = {}): string[] =>
  fieldsOf(reportedCauses((causes) => validatePodUpdate(pod(after), pod(before), causes)));
const containers = specOf(example('pods/plain').object)['containers'] as Record<string, unknown>[];

test.each([
  [{}, {}, []],
  [{ containers: containers.map((each) => ({ ...each, image: 'new' })) }, {}, []],
  [{ containers: containers.map((each) => ({ ...each, args: ['new'] })) }, {}, ['spec']],
  [{ containers: [...containers, { ...containers[0], name: 'more' }] }, {}, ['spec.containers']],
  [{ nodeName: 'n' }, {}, ['spec']],
  [{ activeDeadlineSeconds: 5 }, {}, []],
  [{ activeDeadlineSeconds: 5 }, { activeDeadlineSeconds: 6 }, []],
  [{ activeDeadlineSeconds: 7 }, { activeDeadlineSeconds: 6 }, ['spec.activeDeadlineSeconds']],
  [{}, { activeDeadlineSeconds: 6 }, ['spec.activeDeadlineSeconds']],
  [{ tolerations: [{ operator: 'Exists' }] }, {}, []],
  [
    { tolerations: [{ operator: 'Exists', tolerationSeconds: 5, effect: 'NoExecute' }] },
    { tolerations: [{ operator: 'Exists', effect: 'NoExecute' }] },
    [],
  ],
  [{}, { tolerations: [{ operator: 'Exists' }] }, ['spec.tolerations']],
  [{ schedulingGates: [{ name: 'b' }] }, { schedulingGates: [{ name: 'a' }] }, ['spec.schedulingGates[0].name']],
  [{}, { schedulingGates: [{ name: 'a' }] }, []],
  [{ nodeSelector: { a: 'b' } }, { schedulingGates: [{ name: 'a' }] }, []],
  [{ terminationGracePeriodSeconds: 1 }, { terminationGracePeriodSeconds: -1 }, []],
])('validatePodUpdate reports the invalid fields of an update to %j from %j', (after, before, fields) =>
  expect(check(after, before)).toEqual(fields),
);
