import { expect, test } from 'vitest';
import { metadataFields } from '../../../../src/apiserver/resources/field/selectable.ts';

test('objects of a cluster have no namespace to be selected by', () => {
  const object = { metadata: { name: 'a', namespace: 'b' } };
  expect(metadataFields(object, true)).toEqual({ 'metadata.name': 'a', 'metadata.namespace': 'b' });
  expect(metadataFields(object, false)).toEqual({ 'metadata.name': 'a' });
  expect(metadataFields({}, false)).toEqual({ 'metadata.name': '' });
});
