import { expect, test } from 'vitest';
import {
  validateAnnotationsUpdate,
  validateMetadataAndSpec,
  validatePodAnnotations,
  validatePodCreate,
  validateTrimmed,
} from '../../../../../src/apiserver/resources/pods/validate/create.ts';
import { example, fieldsOf, found, specOf } from '../../support.ts';

const pod = (spec: object = {}, metadata: object = {}): Record<string, unknown> => {
  const { object } = example('pods/plain');
  return { ...object, metadata: { ...(object['metadata'] as object), ...metadata }, spec: { ...specOf(object), ...spec } };
};
const created = (object: Record<string, unknown>): string[] => fieldsOf(found((causes) => validatePodCreate(object, causes)));

test('begins without what comes later', () => {
  expect(created(pod())).toEqual([]);
  expect(created(pod({ ephemeralContainers: [{}] }))).toEqual(['spec.ephemeralContainers']);
  expect(created(pod({ nodeName: 'n', schedulingGates: [{ name: 'a' }] }))).toEqual(['spec.nodeName']);
});

test('a token is of a service account', () => {
  const volumes = [{ name: 'a', projected: { sources: [{ serviceAccountToken: { path: 'a', expirationSeconds: 600 } }] } }];
  expect(created(pod({ volumes }))).toEqual(['spec.volumes[0].projected.sources[0].serviceAccountToken']);
  expect(created(pod({ volumes, serviceAccountName: 'a' }))).toEqual([]);
  expect(found((causes) => validateMetadataAndSpec({}, causes))).not.toEqual([]);
  expect(found((causes) => validateTrimmed(' a', 'f', causes))).toHaveLength(1);
});

test('annotations that mean something', () => {
  const check = (annotations: object): string[] => fieldsOf(found((causes) => validatePodAnnotations(pod({}, { annotations }), causes)));
  const cost = 'controller.kubernetes.io/pod-deletion-cost';
  expect(check({ [cost]: '-5' })).toEqual([]);
  for (const bad of ['+5', '05', '1.5', '2147483648']) expect(check({ [cost]: bad })).toEqual([`metadata.annotations[${cost}]`]);
  expect(check({ 'kubernetes.io/config.mirror': '' })).toEqual(['metadata.annotations[kubernetes.io/config.mirror]']);
  const old = 'scheduler.alpha.kubernetes.io/tolerations';
  expect(check({ [old]: '{' })).toEqual(['metadata.annotations']);
  expect(check({ [old]: '[{}]' })).toEqual([`metadata.annotations.${old}[0].operator`]);
});

test('some of which stay', () => {
  const key = 'container.apparmor.security.beta.kubernetes.io/a';
  const change = (after: object, before: object): string[] =>
    found((causes) => validateAnnotationsUpdate(pod({}, { annotations: after }), pod({}, { annotations: before }), causes));
  expect(change({ [key]: 'x' }, {})).toEqual([
    `FieldValueForbidden metadata.annotations[${key}]: Forbidden: may not add AppArmor annotations`,
  ]);
  expect(change({}, { [key]: 'x' })[0]).toMatch(/may not remove or update/);
  expect(change({ other: 'x' }, {})).toEqual([]);
});
