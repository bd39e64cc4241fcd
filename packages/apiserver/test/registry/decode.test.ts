import { describe, expect, it } from 'vitest';
import { deducedType } from '../../src/patch/index.ts';
import { createBuiltInStrategy } from '../../src/registry/built-in-strategy.ts';
import { decodeBody, decodePatched } from '../../src/registry/decode.ts';
import { createSchemalessStrategy } from '../../src/registry/schemaless.ts';
import { descriptions } from '../../src/resources/index.ts';
import { statusOf } from '../store/support.ts';
import { configMaps, object } from './support.ts';

const strategy = createBuiltInStrategy(descriptions.configMaps);

describe('decodeBody', () => {
  it('refuses a body that does not decode', () => {
    const status = statusOf(() => decodeBody(strategy, object('a', { data: 5 })));
    expect(status).toMatchObject({ code: 400, reason: 'BadRequest' });
    expect(status.message).toMatch(
      /^ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal number into Go struct field/,
    );
  });

  it('drops unknown fields, or refuses them with fieldValidation Strict', () => {
    const body = object('a', { wrong: 1, metadata: { other: 2 } });
    expect(decodeBody(strategy, body)).not.toHaveProperty('wrong');
    expect(decodeBody(strategy, body, { fieldValidation: 'Warn' }).metadata).not.toHaveProperty('other');
    expect(statusOf(() => decodeBody(strategy, body, { fieldValidation: 'Strict' })).message).toContain(
      'strict decoding error: unknown field "metadata.other", unknown field "wrong"',
    );
  });
});

it('decodeBody and decodePatched warn of unknown fields with fieldValidation Warn or by default', () => {
  const warnings: string[] = [];
  const warn = (warning: string): void => void warnings.push(warning);
  for (const fieldValidation of ['Ignore', 'Warn'] as const) decodeBody(strategy, object('a', { wrong: 1 }), { fieldValidation, warn });
  decodePatched(strategy, object('a'), { warn, strictErrors: ['unknown field "x"'] });
  expect(warnings).toEqual(['unknown field "wrong"', 'unknown field "x"']);
});

describe('decodePatched', () => {
  it('reports a body that does not decode as an invalid patch', () => {
    const { code, message, details } = statusOf(() => decodePatched(strategy, object('a', { data: 5 })));
    expect(code).toBe(422);
    expect(message).toMatch(/^ "" is invalid: patch: Invalid value: /);
    expect(details?.causes?.[0]).toMatchObject({ reason: 'FieldValueInvalid', field: 'patch' });
  });

  it('includes strict errors of the patch itself', () => {
    const strictErrors = ['unknown field "x"'];
    expect(decodePatched(strategy, object('a'), { strictErrors }).metadata.name).toBe('a');
    const refused = statusOf(() => decodePatched(strategy, object('a'), { strictErrors, fieldValidation: 'Strict' }));
    expect(refused.message).toContain('unknown field');
  });
});

it('decodeBody warns of at most 100 fields', () => {
  const warnings: string[] = [];
  const unknownFields = Object.fromEntries(Array.from({ length: 120 }, (_, i) => [`wrong${i}`, i]));
  const warn = (warning: string): void => void warnings.push(warning);
  decodeBody(strategy, object('a', unknownFields), { warn, strictErrors: ['duplicate field "metadata"'] });
  expect(warnings).toHaveLength(100);
  expect(warnings.slice(0, 2)).toEqual(['duplicate field "metadata"', 'unknown field "wrong0"']);
});

it('decodeBody and decodePatched drop duplicate owner references, with different warnings', () => {
  const warnings: string[] = [];
  const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: 'u' };
  const body = object('a', { metadata: { ownerReferences: [owner, owner] } });
  const warn = (warning: string): void => void warnings.push(warning);
  expect(decodeBody(strategy, body, { warn }).metadata.ownerReferences).toEqual([owner]);
  expect(decodePatched(strategy, body, { warn }).metadata.ownerReferences).toEqual([owner]);
  expect(warnings).toEqual([
    expect.stringMatching(/^\.metadata\.ownerReferences contains duplicate entries; API server dedups .* observed: u$/),
    expect.stringMatching(
      /^\.metadata\.ownerReferences contains duplicate entries after mutating admission happens; API server dedups .*: u$/,
    ),
  ]);
});

it('decodePatched quotes an invalid custom resource with sorted keys', () => {
  const schemaless = createSchemalessStrategy({ resource: configMaps });
  const strategy = { ...schemaless, patchType: deducedType, decode: () => ({ object: { metadata: {} }, unknown: ['z'] }) };
  const patched = { b: { d: '<', c: 1 }, a: [{ f: 1, e: 2 }] };
  const refusal = statusOf(() => decodePatched(strategy, patched, { fieldValidation: 'Strict' }));
  expect(refusal.details?.causes?.[0]?.message).toContain(JSON.stringify('{"a":[{"e":2,"f":1}],"b":{"c":1,"d":"\\u003c"}}'));
});
