import { type ApiObject, resources } from 'kube-endpoints/port';
import { describe, expect, it } from 'vitest';
import { composeAdmission, type ReinvocableAdmission, withReinvocation } from '../../src/admission/compose.ts';
import { recordCall, shouldCall } from '../../src/admission/reinvocation.ts';
import type { Admission, AdmissionRequest } from '../../src/registry/index.ts';
import { badRequest } from '../../src/store/index.ts';
import { statusOfLate } from '../store/support.ts';

const request = (labels: Readonly<Record<string, string>> = {}): AdmissionRequest => ({
  operation: 'CREATE',
  resource: resources.pods,
  key: { namespace: 'shop', name: 'web' },
  object: { metadata: { name: 'web', namespace: 'shop', labels } },
  dryRun: false,
  options: {},
});

const labelled = ({ object }: AdmissionRequest, key: string): ApiObject => {
  const { metadata } = object as ApiObject;
  return { ...object, metadata: { ...metadata, labels: { ...metadata.labels, [key]: String(Number(metadata.labels?.[key] ?? 0) + 1) } } };
};
const adding = (key: string): Admission => ({ mutate: (called) => labelled(called, key) });
const labelsOf = async (admission: Admission, called: AdmissionRequest = request()): Promise<unknown> =>
  (await admission.mutate?.(called))?.metadata.labels;

describe('mutation', () => {
  it('runs in order, each on the result of the one before', async () => {
    const seen: unknown[] = [];
    const looking: Admission = { mutate: ({ object }) => void seen.push(object?.metadata.labels) };
    const admission = composeAdmission(adding('a'), looking, { mutate: async (called) => labelled(called, 'b') }, looking);
    expect(await labelsOf(admission)).toEqual({ a: '1', b: '1' });
    expect(seen).toEqual([{ a: '1' }, { a: '1', b: '1' }]);
  });

  it('returns undefined synchronously if no mutation changes the object', () => {
    const admission = composeAdmission({ mutate: () => undefined }, { mutate: () => undefined });
    expect(admission.mutate?.(request())).toBeUndefined();
  });

  it('treats the same object as no change', async () => {
    expect(await composeAdmission({ mutate: ({ object }) => object }).mutate?.(request())).toBeUndefined();
  });

  it('stops at the first refusal', async () => {
    let isCalled = false;
    const refusing: Admission = {
      mutate: async () => {
        throw badRequest('no');
      },
    };
    const after: Admission = {
      mutate: () => {
        isCalled = true;
        return undefined;
      },
    };
    expect(await statusOfLate(Promise.resolve(composeAdmission(refusing, after).mutate?.(request())))).toMatchObject({
      code: 400,
      message: 'no',
    });
    expect(isCalled).toBe(false);
  });

  it('ignores the result for a deletion', async () => {
    const { object: old, ...rest } = request();
    const deletion: AdmissionRequest = { ...rest, operation: 'DELETE', old: old as ApiObject };
    expect(await composeAdmission({ mutate: () => ({ metadata: { namespace: 'other' } }) }).mutate?.(deletion)).toBeUndefined();
  });

  it('refuses to move an object to another namespace', async () => {
    const moving: Admission = { mutate: () => ({ metadata: { name: 'web', namespace: 'other' } }) };
    expect(await statusOfLate(Promise.resolve(composeAdmission(moving).mutate?.(request())))).toMatchObject({
      code: 400,
      reason: 'BadRequest',
      message: 'the namespace of the provided object does not match the namespace sent on the request',
    });
  });

  it('omits mutate or validate if no part has it', () => {
    expect(composeAdmission({ validate: () => undefined })).toHaveProperty('validate');
    expect(composeAdmission({ validate: () => undefined })).not.toHaveProperty('mutate');
    expect(composeAdmission(adding('a'))).not.toHaveProperty('validate');
    expect(composeAdmission()).toEqual({});
  });
});

describe('reinvocation', () => {
  const reinvocable = (key: string): ReinvocableAdmission => {
    const part: ReinvocableAdmission = withReinvocation({
      mutateReinvocably(called, reinvocation) {
        if (!shouldCall(reinvocation, part)) return undefined;
        recordCall(reinvocation, part, { changed: true, reinvocable: true });
        return labelled(called, key);
      },
    });
    return part;
  };

  it('calls a reinvocable part again after later changes', async () => {
    expect(await labelsOf(composeAdmission(reinvocable('a'), adding('b')))).toEqual({ a: '2', b: '1' });
    expect(await labelsOf(composeAdmission(adding('b'), reinvocable('a')))).toEqual({ a: '1', b: '1' });
    expect(await labelsOf(composeAdmission(reinvocable('a'), { mutate: () => undefined }))).toEqual({ a: '1' });
  });

  it('calls a single part once', async () => {
    expect(await labelsOf(reinvocable('a'))).toEqual({ a: '1' });
  });
});

describe('validation', () => {
  const refusing = (message: string): Admission => ({
    validate() {
      throw badRequest(message);
    },
  });

  it('calls all parts and reports the first refusal in order', async () => {
    const called: string[] = [];
    const slow: Admission = {
      async validate() {
        called.push('slow');
        await new Promise((resolve) => setImmediate(resolve));
        throw badRequest('slow');
      },
    };
    const last: Admission = { validate: () => void called.push('last') };
    const { validate } = composeAdmission(slow, refusing('fast'), last);
    expect(await statusOfLate(Promise.resolve(validate?.(request())))).toMatchObject({ message: 'slow' });
    expect(called).toEqual(['slow', 'last']);
    expect(await statusOfLate(Promise.resolve(composeAdmission(refusing('fast'), slow).validate?.(request())))).toMatchObject({
      message: 'fast',
    });
  });

  it('is synchronous if all parts are', () => {
    expect(composeAdmission({ validate: () => undefined }).validate?.(request())).toBeUndefined();
  });
});
