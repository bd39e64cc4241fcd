import { describe, expect, it } from 'vitest';
import { printSchema, printVersions, schemaFields, toInternalSpec } from '../../../src/custom-resources/definition/internal.ts';
import { makeVersion, openSchema } from '../support.ts';

describe('toInternalSpec', () => {
  it('moves fields that are equal in all versions to the top level', () => {
    const columns = [{ name: 'A', jsonPath: '.a' }];
    const internalSpec = toInternalSpec({ versions: [makeVersion('v1', { additionalPrinterColumns: columns }), makeVersion('v2')] });
    expect(internalSpec).toMatchObject({ version: 'v1', validation: { openAPIV3Schema: openSchema } });
    expect(internalSpec.versions).toEqual([
      { name: 'v1', served: true, storage: true, additionalPrinterColumns: columns },
      { name: 'v2', served: true, storage: false },
    ]);
    expect(internalSpec).not.toHaveProperty('additionalPrinterColumns');
    expect(toInternalSpec({})).toEqual({ version: '', versions: [] });
  });
});

describe('printVersions', () => {
  it('prints versions with Go field names, including empty fields', () => {
    const [printedValue] = printVersions([
      makeVersion('v1', { schema: {}, subresources: { scale: { specReplicasPath: '.a' } }, additionalPrinterColumns: [{ name: 'A' }] }),
    ]) as Record<string, unknown>[];
    expect(printedValue).toEqual({
      Name: 'v1',
      Served: true,
      Storage: true,
      Deprecated: false,
      DeprecationWarning: null,
      Schema: { OpenAPIV3Schema: null },
      Subresources: { Status: null, Scale: { SpecReplicasPath: '.a', StatusReplicasPath: '', LabelSelectorPath: null } },
      AdditionalPrinterColumns: [{ Name: 'A', Type: '', Format: '', Description: '', Priority: 0, JSONPath: '' }],
      SelectableFields: null,
    });
  });
});

describe('printSchema', () => {
  it('prints all fields in the order of the Go struct', () => {
    const printedValue = printSchema({
      type: 'object',
      items: { type: 'string' },
      properties: { b: {}, a: {} },
      additionalProperties: false,
    }) as Record<string, object>;
    expect(Object.keys(printedValue)).toEqual(schemaFields.map(({ go }) => go));
    expect(printedValue).toMatchObject({
      Type: 'object',
      Items: { Schema: { Type: 'string' }, JSONSchemas: null },
      AdditionalProperties: { Allows: false, Schema: null },
    });
    expect(Object.keys(printedValue['Properties'] ?? {})).toEqual(['a', 'b']);
  });
});
