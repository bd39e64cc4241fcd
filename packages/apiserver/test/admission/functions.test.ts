import { type ApiObject, resources, type Status } from 'kube-endpoints/port';
import { describe, expect, it } from 'vitest';
import { type AdmissionFunction, composeAdmission, createFunctionAdmission } from '../../src/admission/index.ts';
import type { AdmissionRequest } from '../../src/registry/index.ts';
import { badRequest } from '../../src/store/index.ts';
import { statusOfRejection } from '../store/support.ts';

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

const podFunction = (options: Partial<AdmissionFunction>): AdmissionFunction => ({ operations: ['*'], resources: ['pods'], ...options });
const runMutation = async (request: AdmissionRequest, ...functions: readonly AdmissionFunction[]): Promise<ApiObject | undefined> =>
  createFunctionAdmission(functions).mutate?.(request);
const statusOfRefusal = (mutate: AdmissionFunction['mutate'], request: AdmissionRequest = creation): Promise<Status> =>
  statusOfRejection(runMutation(request, podFunction({ name: 'fn', ...(mutate && { mutate }) })));

describe('mutating functions', () => {
  it('continues with the object that a function returns', async () => {
    const labelledObject = { ...object, metadata: { ...object.metadata, labels: { a: '1' } } };
    expect(await runMutation(creation, podFunction({ mutate: () => labelledObject }))).toEqual(labelledObject);
    expect(await runMutation(creation, podFunction({ mutate: async () => labelledObject }))).toEqual(labelledObject);
  });

  it('applies a JSON Patch that a function returns', async () => {
    const patch = [{ op: 'add', path: '/metadata/labels', value: { a: '1' } }];
    expect(await runMutation(creation, podFunction({ mutate: () => patch }))).toEqual({
      ...object,
      metadata: { ...object.metadata, labels: { a: '1' } },
    });
  });

  it('returns undefined if a function returns undefined or an equal object', async () => {
    expect(await runMutation(creation, podFunction({ mutate: () => undefined }))).toBeUndefined();
    expect(await runMutation(creation, podFunction({ mutate: (request) => structuredClone(request.object) }))).toBeUndefined();
  });

  it('passes each function the result of the previous ones', async () => {
    const specs: unknown[] = [];
    const firstFunction = podFunction({ mutate: () => [{ op: 'add', path: '/spec/nodeName', value: 'n1' }] });
    const secondFunction = podFunction({ mutate: (request) => void specs.push(request.object?.['spec']) as undefined });
    await runMutation(creation, firstFunction, secondFunction);
    expect(specs).toEqual([{ nodeName: 'n1' }]);
  });

  it('calls functions with IfNeeded again after later changes', async () => {
    const createCounter = (key: string, options: Partial<AdmissionFunction> = {}): AdmissionFunction =>
      podFunction({
        ...options,
        mutate: ({ object: current }) => {
          const labels = current?.metadata.labels ?? {};
          return {
            ...(current as ApiObject),
            metadata: { ...(current as ApiObject).metadata, labels: { ...labels, [key]: `${labels[key] ?? ''}x` } },
          };
        },
      });
    const answer = await runMutation(
      creation,
      createCounter('a', { reinvocationPolicy: 'IfNeeded' }),
      createCounter('b'),
      createCounter('c', { reinvocationPolicy: 'IfNeeded' }),
    );
    expect(answer?.metadata.labels).toEqual({ a: 'xx', b: 'x', c: 'x' });
  });

  it('calls only functions with matching rules', async () => {
    const calledNames: string[] = [];
    const createRecorder = (name: string, options: Partial<AdmissionFunction>): AdmissionFunction =>
      podFunction({ ...options, mutate: () => void calledNames.push(name) as undefined });
    await runMutation(
      creation,
      createRecorder('creates', { operations: ['CREATE'] }),
      createRecorder('updates', { operations: ['UPDATE'] }),
      createRecorder('nodes', { resources: ['nodes'] }),
      createRecorder('group', { apiGroups: ['apps'] }),
      createRecorder('version', { apiVersions: ['v2'] }),
      createRecorder('cluster', { scope: 'Cluster' }),
      createRecorder('namespaced', { scope: 'Namespaced' }),
    );
    expect(calledNames).toEqual(['creates', 'namespaced']);
  });

  it('passes frozen copies to functions', async () => {
    const modifier = podFunction({
      name: 'fn',
      mutate: (request) => {
        (request.object as { metadata: { name: string } }).metadata.name = 'other';
        return undefined;
      },
    });
    expect(await statusOfRejection(runMutation(creation, modifier))).toMatchObject({
      code: 500,
      message: expect.stringContaining('failed calling webhook "fn": Cannot assign to read only property'),
    });
    expect(object.metadata.name).toBe('web');
    expect(Object.isFrozen(object)).toBe(false);
  });
});

describe('refusals', () => {
  it('have the messages of refusals by webhooks', async () => {
    expect(await statusOfRefusal(() => 'not today')).toMatchObject({
      code: 403,
      reason: 'Forbidden',
      message: 'admission webhook "fn" denied the request: not today',
    });
    expect(await statusOfRefusal(() => ({ allowed: false }))).toMatchObject({
      code: 400,
      message: 'admission webhook "fn" denied the request without explanation',
    });
    expect(await statusOfRefusal(() => ({ allowed: false, status: { code: 422, reason: 'Invalid' } }))).toMatchObject({
      code: 422,
      message: 'admission webhook "fn" denied the request: Invalid',
    });
  });

  it('pass on an ApiError that a function throws', async () => {
    const mutate = () => {
      throw badRequest('as it is');
    };
    expect(await statusOfRefusal(mutate)).toMatchObject({ code: 400, message: 'as it is' });
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
      'an answer with a different name',
      () => ({ ...object, metadata: { name: 'b', namespace: 'shop' } }),
      'its answer is another object: "shop/b" instead of "shop/web"',
    ],
    ['an answer with a different kind', () => ({ ...object, kind: 'Node' }), 'its answer has another kind: v1 Node instead of v1 Pod'],
    ['an answer without metadata', () => ({}) as ApiObject, 'its answer is not an API object: it has no metadata'],
    ['a cyclic answer', () => createCyclicObject(), 'its answer is not JSON: Converting circular structure to JSON'],
  ])('%s is reported as an internal error', async (_name, mutate, reason) => {
    const message = `failed calling webhook "fn": ${reason}`;
    expect(await statusOfRefusal(mutate)).toEqual({
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

  it('reports a patch that cannot be applied as an internal error', async () => {
    expect(await statusOfRefusal(() => [{ op: 'remove', path: '/spec/nope' }])).toMatchObject({
      code: 500,
      message: "Internal error occurred: error in remove for path: '/spec/nope': Unable to remove nonexistent key: nope: missing value",
    });
  });

  it('reports a patch for a deletion as an internal error', async () => {
    expect(await statusOfRefusal(() => [{ op: 'remove', path: '/spec' }], deletion)).toMatchObject({
      code: 500,
      message: 'Internal error occurred: admission webhook "fn" attempted to modify the object, which is not supported for this operation',
    });
  });

  it('keeps the error of the function as the innermost cause', async () => {
    const cause = new Error('it broke');
    const admission = createFunctionAdmission([podFunction({ mutate: () => Promise.reject(cause) })]);
    const error = (await Promise.resolve(admission.mutate?.(creation)).catch((reason: unknown) => reason)) as Error;
    expect((error.cause as Error).cause).toBe(cause);
  });
});

describe('validating functions', () => {
  it('runs all matching functions and reports the first refusal in order', async () => {
    const calledNames: string[] = [];
    const createRecorder = (
      name: string,
      validate: NonNullable<AdmissionFunction['validate']>,
      options: Partial<AdmissionFunction> = {},
    ): AdmissionFunction =>
      podFunction({
        name,
        ...options,
        validate: (request) => {
          calledNames.push(name);
          return validate(request);
        },
      });
    const admission = createFunctionAdmission([
      createRecorder('fine', () => undefined),
      createRecorder('first', async () => 'first says no'),
      createRecorder('second', () => 'second says no'),
      createRecorder('unmatched', () => 'never', { operations: ['CONNECT'] }),
    ]);
    const message = 'admission webhook "first" denied the request: first says no';
    expect(await statusOfRejection(Promise.resolve(admission.validate?.(creation)))).toMatchObject({ code: 403, message });
    expect(calledNames).toEqual(['fine', 'first', 'second']);
  });

  it('fails if a validating function returns an object', async () => {
    const admission = createFunctionAdmission([podFunction({ name: 'fn', validate: () => ({ ...object }) as never })]);
    expect(await statusOfRejection(Promise.resolve(admission.validate?.(creation)))).toMatchObject({
      code: 500,
      message: 'Internal error occurred: failed calling webhook "fn": a function that validates may only refuse',
    });
  });

  it('returns undefined synchronously if no rule matches', () => {
    const admission = createFunctionAdmission([{ operations: ['*'], resources: ['nodes'], validate: () => 'no', mutate: () => 'no' }]);
    expect(admission.validate?.(creation)).toBeUndefined();
    expect(admission.mutate?.(creation)).toBeUndefined();
  });
});

it('functions can be composed with other admission plugins', async () => {
  const functions = createFunctionAdmission([podFunction({ mutate: () => [{ op: 'add', path: '/spec/a', value: 1 }] })]);
  const answer = await composeAdmission(functions, { mutate: ({ object: current }) => ({ ...(current as ApiObject), b: 2 }) }).mutate?.(
    creation,
  );
  expect(answer).toEqual({ ...object, spec: { nodeName: '', a: 1 }, b: 2 });
});

function createCyclicObject(): ApiObject {
  const cyclicObject: Record<string, unknown> = { ...object };
  cyclicObject['spec'] = cyclicObject;
  return cyclicObject as unknown as ApiObject;
}
