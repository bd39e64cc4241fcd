import { expect, test } from 'vitest';
import { validateMetadataAndSpec, validatePodCreate, validateTrimmed } from '../../../../src/resources/pods/validate/create.ts';
import { example, fieldsOf, reportedCauses, specOf } from '../../support.ts';

const pod = (spec: object = {}, metadata: object = {}): Record<string, unknown> => {
  const { object } = example('pods/plain');
  return { ...object, metadata: { ...(object['metadata'] as object), ...metadata }, spec: { ...specOf(object), ...spec } };
};
const createErrors = (object: Record<string, unknown>): string[] => fieldsOf(reportedCauses((causes) => validatePodCreate(object, causes)));

test('a new pod has no ephemeral containers, and no node while it has scheduling gates', () => {
  expect(createErrors(pod())).toEqual([]);
  expect(createErrors(pod({ ephemeralContainers: [{}] }))).toEqual(['spec.ephemeralContainers']);
  expect(createErrors(pod({ nodeName: 'n', schedulingGates: [{ name: 'a' }] }))).toEqual(['spec.nodeName']);
});

test('a projected token requires a service account', () => {
  const volumes = [{ name: 'a', projected: { sources: [{ serviceAccountToken: { path: 'a', expirationSeconds: 600 } }] } }];
  expect(createErrors(pod({ volumes }))).toEqual(['spec.volumes[0].projected.sources[0].serviceAccountToken']);
  expect(createErrors(pod({ volumes, serviceAccountName: 'a' }))).toEqual([]);
});

test('validateMetadataAndSpec refuses a pod without metadata and spec', () => {
  expect(reportedCauses((causes) => validateMetadataAndSpec({}, causes))).not.toEqual([]);
});

test('validateTrimmed refuses a leading space', () => {
  expect(reportedCauses((causes) => validateTrimmed(' a', 'f', causes))).toHaveLength(1);
});
