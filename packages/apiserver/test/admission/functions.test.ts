import { type ApiObject, resources, type Status } from 'kube-endpoints/port';
import { describe, expect, it } from 'vitest';
import { type AdmissionFunction, composeAdmission, createFunctionAdmission } from '../../src/admission/index.ts';
import type { AdmissionRequest } from '../../src/registry/index.ts';
import { badRequest } from '../../src/store/index.ts';
import { statusOfLate } from '../store/support.ts';

const object: ApiObject = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web', namespace: 'shop' }, spec: { nodeName: '' } };
const creation: AdmissionRequest = {
  operation: 'CREATE',
  resource: resources.pods,
  key: { namespace: 'shop', name: 'web' },
  object,
  dryRun: false,
  options: {},
};
const deletion: AdmissionRequest = {
  operation: 'DELETE',
  resource: resources.pods,
  key: creation.key,
  old: object,
  dryRun: false,
  options: {},
};

const toPods = (more: Partial<AdmissionFunction>): AdmissionFunction => ({ operations: ['*'], resources: ['pods'], ...more });
const mutated = async (request: AdmissionRequest, ...functions: readonly AdmissionFunction[]): Promise<ApiObject | undefined> =>
  createFunctionAdmission(functions).mutate?.(request);
const refusal = (act: AdmissionFunction['mutate'], request: AdmissionRequest = creation): Promise<Status> =>
  statusOfLate(mutated(request, toPods({ name: 'fn', ...(act && { mutate: act }) })));

describe('mutation', () => {
  it('continues with the object that a function returns', async () => {
    const labelled = { ...object, metadata: { ...object.metadata, labels: { a: '1' } } };
    expect(await mutated(creation, toPods({ mutate: () => labelled }))).toEqual(labelled);
    expect(await mutated(creation, toPods({ mutate: async () => labelled }))).toEqual(labelled);
  });

  it('applies a JSON Patch', async () => {
    const patch = [{ op: 'add', path: '/metadata/labels', value: { a: '1' } }];
    expect(await mutated(creation, toPods({ mutate: () => patch }))).toEqual({
      ...object,
      metadata: { ...object.metadata, labels: { a: '1' } },
    });
  });

  it('treats undefined and an equal object as no change', async () => {
    expect(await mutated(creation, toPods({ mutate: () => undefined }))).toBeUndefined();
    expect(await mutated(creation, toPods({ mutate: (request) => structuredClone(request.object) }))).toBeUndefined();
  });

  it('passes each function the result of the ones before', async () => {
    const seen: unknown[] = [];
    const first = toPods({ mutate: () => [{ op: 'add', path: '/spec/nodeName', value: 'n1' }] });
    const second = toPods({ mutate: (request) => void seen.push(request.object?.['spec']) as undefined });
    await mutated(creation, first, second);
    expect(seen).toEqual([{ nodeName: 'n1' }]);
  });

  it('calls functions with IfNeeded again after later changes', async () => {
    const count = (key: string, more: Partial<AdmissionFunction> = {}): AdmissionFunction =>
      toPods({
        ...more,
        mutate: ({ object: seen }) => {
          const labels = seen?.metadata.labels ?? {};
          return {
            ...(seen as ApiObject),
            metadata: { ...(seen as ApiObject).metadata, labels: { ...labels, [key]: `${labels[key] ?? ''}x` } },
          };
        },
      });
    const answer = await mutated(
      creation,
      count('a', { reinvocationPolicy: 'IfNeeded' }),
      count('b'),
      count('c', { reinvocationPolicy: 'IfNeeded' }),
    );
    expect(answer?.metadata.labels).toEqual({ a: 'xx', b: 'x', c: 'x' });
  });

  it('calls only functions with matching rules', async () => {
    const called: string[] = [];
    const noting = (name: string, more: Partial<AdmissionFunction>): AdmissionFunction =>
      toPods({ ...more, mutate: () => void called.push(name) as undefined });
    await mutated(
      creation,
      noting('creates', { operations: ['CREATE'] }),
      noting('updates', { operations: ['UPDATE'] }),
      noting('nodes', { resources: ['nodes'] }),
      noting('group', { apiGroups: ['apps'] }),
      noting('version', { apiVersions: ['v2'] }),
      noting('cluster', { scope: 'Cluster' }),
      noting('namespaced', { scope: 'Namespaced' }),
    );
    expect(called).toEqual(['creates', 'namespaced']);
  });

  it('passes frozen copies to functions', async () => {
    const meddling = toPods({
      name: 'fn',
      mutate: (request) => {
        (request.object as { metadata: { name: string } }).metadata.name = 'other';
        return undefined;
      },
    });
    expect(await statusOfLate(mutated(creation, meddling))).toMatchObject({
      code: 500,
      message: expect.stringContaining('failed calling webhook "fn": Cannot assign to read only property'),
    });
    expect(object.metadata.name).toBe('web');
    expect(Object.isFrozen(object)).toBe(false);
  });
});

describe('refusals', () => {
  it('have the same messages as those of webhooks', async () => {
    expect(await refusal(() => 'not today')).toMatchObject({
      code: 403,
      reason: 'Forbidden',
      message: 'admission webhook "fn" denied the request: not today',
    });
    expect(await refusal(() => ({ allowed: false }))).toMatchObject({
      code: 400,
      message: 'admission webhook "fn" denied the request without explanation',
    });
    expect(await refusal(() => ({ allowed: false, status: { code: 422, reason: 'Invalid' } }))).toMatchObject({
      code: 422,
      message: 'admission webhook "fn" denied the request: Invalid',
    });
  });

  it('may be any ApiError', async () => {
    const act = () => {
      throw badRequest('as it is');
    };
    expect(await refusal(act)).toMatchObject({ code: 400, message: 'as it is' });
  });
});

describe('failures', () => {
  it.each<[string, AdmissionFunction['mutate'], string]>([
    [
      'an error',
      () => {
        throw new Error('it broke');
      },
      'it broke',
    ],
    ['a rejection', () => Promise.reject(new TypeError('it broke late')), 'it broke late'],
    [
      'another name',
      () => ({ ...object, metadata: { name: 'b', namespace: 'shop' } }),
      'its answer is another object: "shop/b" instead of "shop/web"',
    ],
    ['another kind', () => ({ ...object, kind: 'Node' }), 'its answer has another kind: v1 Node instead of v1 Pod'],
    ['no metadata', () => ({}) as ApiObject, 'its answer is not an API object: it has no metadata'],
    ['a cycle', () => cyclic(), 'its answer is not JSON: Converting circular structure to JSON'],
    ['a big integer', () => ({ ...object, spec: 1n }), 'its answer is not JSON: Do not know how to serialize a BigInt'],
  ])('%s is reported as an internal error', async (_name, act, why) => {
    const message = `failed calling webhook "fn": ${why}`;
    expect(await refusal(act)).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: `Internal error occurred: ${message}`,
      reason: 'InternalError',
      details: { causes: [{ message }] },
      code: 500,
    });
  });

  it('include patches that do not apply', async () => {
    expect(await refusal(() => [{ op: 'remove', path: '/spec/nope' }])).toMatchObject({
      code: 500,
      message: "Internal error occurred: error in remove for path: '/spec/nope': Unable to remove nonexistent key: nope: missing value",
    });
  });

  it('include changes to a deleted object', async () => {
    expect(await refusal(() => [{ op: 'remove', path: '/spec' }], deletion)).toMatchObject({
      code: 500,
      message: 'Internal error occurred: admission webhook "fn" attempted to modify the object, which is not supported for this operation',
    });
  });

  it('keep their cause', async () => {
    const cause = new Error('it broke');
    const admission = createFunctionAdmission([toPods({ mutate: () => Promise.reject(cause) })]);
    const error = (await Promise.resolve(admission.mutate?.(creation)).catch((reason: unknown) => reason)) as Error;
    expect((error.cause as Error).cause).toBe(cause);
  });
});

describe('validation', () => {
  it('calls all matching functions and reports the first refusal in order', async () => {
    const called: string[] = [];
    const noting = (
      name: string,
      validate: NonNullable<AdmissionFunction['validate']>,
      more: Partial<AdmissionFunction> = {},
    ): AdmissionFunction =>
      toPods({
        name,
        ...more,
        validate: (request) => {
          called.push(name);
          return validate(request);
        },
      });
    const admission = createFunctionAdmission([
      noting('fine', () => undefined),
      noting('first', async () => 'first says no'),
      noting('second', () => 'second says no'),
      noting('unasked', () => 'never', { operations: ['CONNECT'] }),
    ]);
    const message = 'admission webhook "first" denied the request: first says no';
    expect(await statusOfLate(Promise.resolve(admission.validate?.(creation)))).toMatchObject({ code: 403, message });
    expect(called).toEqual(['fine', 'first', 'second']);
  });

  it('fails if a function returns an object', async () => {
    const admission = createFunctionAdmission([toPods({ name: 'fn', validate: () => ({ ...object }) as never })]);
    expect(await statusOfLate(Promise.resolve(admission.validate?.(creation)))).toMatchObject({
      code: 500,
      message: 'Internal error occurred: failed calling webhook "fn": a function that validates may only refuse',
    });
  });

  it('is synchronous if no rule matches', () => {
    const admission = createFunctionAdmission([{ operations: ['*'], resources: ['nodes'], validate: () => 'no', mutate: () => 'no' }]);
    expect(admission.validate?.(creation)).toBeUndefined();
    expect(admission.mutate?.(creation)).toBeUndefined();
  });
});

it('functions can be composed with other admission', async () => {
  const functions = createFunctionAdmission([toPods({ mutate: () => [{ op: 'add', path: '/spec/a', value: 1 }] })]);
  const answer = await composeAdmission(functions, { mutate: ({ object: seen }) => ({ ...(seen as ApiObject), b: 2 }) }).mutate?.(creation);
  expect(answer).toEqual({ ...object, spec: { nodeName: '', a: 1 }, b: 2 });
});

function cyclic(): ApiObject {
  const made: Record<string, unknown> = { ...object };
  made['spec'] = made;
  return made as unknown as ApiObject;
}
