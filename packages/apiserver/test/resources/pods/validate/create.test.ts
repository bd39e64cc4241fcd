import { expect, test } from 'vitest';
import { validateMetadataAndSpec, validatePodCreate, validateTrimmed } from '../../../../src/resources/pods/validate/create.ts';
import { example, fieldsOf, found, specOf } from '../../support.ts';

const pod = (spec: object = {}, metadata: object = {}): Record<string, unknown> => {
  const { object } = example('pods/plain');
  return { ...object, metadata: { ...(object['metadata'] as object), ...metadata }, spec: { ...specOf(object), ...spec } };
};
const created = (object: Record<string, unknown>): string[] => fieldsOf(found((causes) => validatePodCreate(object, causes)));

test('a new pod has no ephemeral containers, and no node while it has scheduling gates', () => {
  expect(created(pod())).toEqual([]);
  expect(created(pod({ ephemeralContainers: [{}] }))).toEqual(['spec.ephemeralContainers']);
  expect(created(pod({ nodeName: 'n', schedulingGates: [{ name: 'a' }] }))).toEqual(['spec.nodeName']);
});

test('a projected token requires a service account', () => {
  const volumes = [{ name: 'a', projected: { sources: [{ serviceAccountToken: { path: 'a', expirationSeconds: 600 } }] } }];
  expect(created(pod({ volumes }))).toEqual(['spec.volumes[0].projected.sources[0].serviceAccountToken']);
  expect(created(pod({ volumes, serviceAccountName: 'a' }))).toEqual([]);
  expect(found((causes) => validateMetadataAndSpec({}, causes))).not.toEqual([]);
  expect(found((causes) => validateTrimmed(' a', 'f', causes))).toHaveLength(1);
});
