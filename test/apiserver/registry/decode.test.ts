import { describe, expect, it } from 'vitest';
import { decodeBody, decodePatched } from '../../../src/apiserver/registry/decode.ts';
import { describedStrategy } from '../../../src/apiserver/registry/described.ts';
import { descriptions } from '../../../src/apiserver/resources/index.ts';
import { statusOf } from '../store/support.ts';
import { object } from './support.ts';

const strategy = describedStrategy(descriptions.configMaps);

describe('decodeBody', () => {
  it('refuses what cannot be read', () => {
    const status = statusOf(() => decodeBody(strategy, object('a', { data: 5 })));
    expect(status).toMatchObject({ code: 400, reason: 'BadRequest' });
    expect(status.message).toMatch(
      /^ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal number into Go struct field/,
    );
  });

  it('drops unknown fields, unless told to refuse them', () => {
    const body = object('a', { wrong: 1, metadata: { other: 2 } });
    expect(decodeBody(strategy, body)).not.toHaveProperty('wrong');
    expect(decodeBody(strategy, body, { fieldValidation: 'Warn' }).metadata).not.toHaveProperty('other');
    expect(statusOf(() => decodeBody(strategy, body, { fieldValidation: 'Strict' })).message).toContain(
      'strict decoding error: unknown field "metadata.other", unknown field "wrong"',
    );
  });
});

it('warns of unknown fields where it neither refuses nor ignores them', () => {
  const warnings: string[] = [];
  const warn = (warning: string): void => void warnings.push(warning);
  for (const fieldValidation of ['Ignore', 'Warn'] as const) decodeBody(strategy, object('a', { wrong: 1 }), { fieldValidation, warn });
  decodePatched(strategy, object('a'), ['unknown field "x"'], { warn });
  expect(warnings).toEqual(['unknown field "wrong"', 'unknown field "x"']);
});

describe('decodePatched', () => {
  it('calls the patch invalid', () => {
    const { code, message, details } = statusOf(() => decodePatched(strategy, object('a', { data: 5 }), []));
    expect(code).toBe(422);
    expect(message).toMatch(/^ "" is invalid: patch: Invalid value: /);
    expect(details?.causes?.[0]).toMatchObject({ reason: 'FieldValueInvalid', field: 'patch' });
  });

  it('counts what was unknown in the patch itself', () => {
    expect(decodePatched(strategy, object('a'), ['unknown field "x"']).metadata.name).toBe('a');
    expect(statusOf(() => decodePatched(strategy, object('a'), ['unknown field "x"'], { fieldValidation: 'Strict' })).message).toContain(
      'unknown field',
    );
  });
});
