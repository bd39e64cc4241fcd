import { type ApiObject, resources } from 'kube-endpoints/port';
import { describe, expect, it } from 'vitest';
import { composeAdmission, type ReinvocableAdmission, withReinvocation } from '../../src/admission/compose.ts';
import { recordCall, shouldCall } from '../../src/admission/reinvocation.ts';
import type { Admission, AdmissionRequest } from '../../src/registry/index.ts';
import { badRequest } from '../../src/store/index.ts';
import { statusOfRejection } from '../store/support.ts';

const request = (labels: Readonly<Record<string, string>> = {}): AdmissionRequest => ({
  operation: 'CREATE',
  resource: resources.pods,
  key: { namespace: 'shop', name: 'web' },
  object: { metadata: { name: 'web', namespace: 'shop', labels } },
  dryRun: false,
  options: {},
});

const withIncrementedLabel = ({ object }: AdmissionRequest, key: string): ApiObject => {
  const { metadata } = object as ApiObject;
  return { ...object, metadata: { ...metadata, labels: { ...metadata.labels, [key]: String(Number(metadata.labels?.[key] ?? 0) + 1) } } };
};
const createLabelling = (key: string): Admission => ({ mutate: (request) => withIncrementedLabel(request, key) });
const labelsOf = async (admission: Admission, input: AdmissionRequest = request()): Promise<unknown> =>
  (await admission.mutate?.(input))?.metadata.labels;

describe('composed mutation', () => {
  it('calls plugins in order, each with the result of the previous one', async () => {
    const seenLabels: unknown[] = [];
    const recorder: Admission = { mutate: ({ object }) => void seenLabels.push(object?.metadata.labels) };
    const admission = composeAdmission(
      createLabelling('a'),
      recorder,
      { mutate: async (request) => withIncrementedLabel(request, 'b') },
      recorder,
    );
    expect(await labelsOf(admission)).toEqual({ a: '1', b: '1' });
    expect(seenLabels).toEqual([{ a: '1' }, { a: '1', b: '1' }]);
  });

  it('returns undefined synchronously if no mutation changes the object', () => {
    const admission = composeAdmission({ mutate: () => undefined }, { mutate: () => undefined });
    expect(admission.mutate?.(request())).toBeUndefined();
  });

  it('returns undefined if a plugin returns the object of the request', async () => {
    expect(await composeAdmission({ mutate: ({ object }) => object }).mutate?.(request())).toBeUndefined();
  });

  it('calls no plugin after a refusal', async () => {
    let isCalled = false;
    const refuser: Admission = {
      mutate: async () => {
        throw badRequest('no');
      },
    };
    const laterPlugin: Admission = {
      mutate: () => {
        isCalled = true;
        return undefined;
      },
    };
    expect(await statusOfRejection(Promise.resolve(composeAdmission(refuser, laterPlugin).mutate?.(request())))).toMatchObject({
      code: 400,
      message: 'no',
    });
    expect(isCalled).toBe(false);
  });

  it('ignores the returned object for a deletion', async () => {
    const { object: old, ...rest } = request();
    const deletion: AdmissionRequest = { ...rest, operation: 'DELETE', old: old as ApiObject };
    expect(await composeAdmission({ mutate: () => ({ metadata: { namespace: 'other' } }) }).mutate?.(deletion)).toBeUndefined();
  });

  it('refuses to move an object to another namespace', async () => {
    const mover: Admission = { mutate: () => ({ metadata: { name: 'web', namespace: 'other' } }) };
    expect(await statusOfRejection(Promise.resolve(composeAdmission(mover).mutate?.(request())))).toMatchObject({
      code: 400,
      reason: 'BadRequest',
      message: 'the namespace of the provided object does not match the namespace sent on the request',
    });
  });

  it('omits mutate or validate if no plugin has it', () => {
    expect(composeAdmission({ validate: () => undefined })).toHaveProperty('validate');
    expect(composeAdmission({ validate: () => undefined })).not.toHaveProperty('mutate');
    expect(composeAdmission(createLabelling('a'))).not.toHaveProperty('validate');
    expect(composeAdmission()).toEqual({});
  });
});

describe('reinvocation', () => {
  const createReinvocable = (key: string): ReinvocableAdmission => {
    const plugin: ReinvocableAdmission = withReinvocation({
      mutateReinvocably(request, reinvocation) {
        if (!shouldCall(reinvocation, plugin)) return undefined;
        recordCall(reinvocation, plugin, { changed: true, reinvocable: true });
        return withIncrementedLabel(request, key);
      },
    });
    return plugin;
  };

  it('calls a reinvocable plugin again if a later plugin changes the object', async () => {
    expect(await labelsOf(composeAdmission(createReinvocable('a'), createLabelling('b')))).toEqual({ a: '2', b: '1' });
    expect(await labelsOf(composeAdmission(createLabelling('b'), createReinvocable('a')))).toEqual({ a: '1', b: '1' });
    expect(await labelsOf(composeAdmission(createReinvocable('a'), { mutate: () => undefined }))).toEqual({ a: '1' });
  });

  it('calls a reinvocable plugin once if it is not composed', async () => {
    expect(await labelsOf(createReinvocable('a'))).toEqual({ a: '1' });
  });
});

describe('composed validation', () => {
  const createRefuser = (message: string): Admission => ({
    validate() {
      throw badRequest(message);
    },
  });

  it('calls all plugins and reports the first refusal in order', async () => {
    const calledPlugins: string[] = [];
    const slowPlugin: Admission = {
      async validate() {
        calledPlugins.push('slow');
        await new Promise((resolve) => setImmediate(resolve));
        throw badRequest('slow');
      },
    };
    const lastPlugin: Admission = { validate: () => void calledPlugins.push('last') };
    const { validate } = composeAdmission(slowPlugin, createRefuser('fast'), lastPlugin);
    expect(await statusOfRejection(Promise.resolve(validate?.(request())))).toMatchObject({ message: 'slow' });
    expect(calledPlugins).toEqual(['slow', 'last']);
    expect(
      await statusOfRejection(Promise.resolve(composeAdmission(createRefuser('fast'), slowPlugin).validate?.(request()))),
    ).toMatchObject({
      message: 'fast',
    });
  });

  it('returns synchronously if all plugins do', () => {
    expect(composeAdmission({ validate: () => undefined }).validate?.(request())).toBeUndefined();
  });
});
