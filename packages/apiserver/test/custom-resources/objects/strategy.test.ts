import { describe, expect, it } from 'vitest';
import {
  type CustomResource,
  createCustomResourceStrategy,
  findFinalizerWarnings,
} from '../../../src/custom-resources/objects/strategy.ts';
import type { Schema } from '../../../src/custom-resources/schema/schema.ts';
import type { CheckResult } from '../../../src/registry/index.ts';
import { makeThing, things } from '../support.ts';

const schema: Schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        n: { type: 'integer', maximum: 5 },
        set: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
      },
    },
    status: { type: 'object', properties: { n: { type: 'integer' }, m: { type: 'integer' } } },
  },
};
const createStrategy = (fields: Partial<CustomResource> = {}) =>
  createCustomResourceStrategy({
    resource: things,
    schema,
    hasStatus: true,
    selectableFields: { fields: {} },
    isTerminating: false,
    ...fields,
  });
const systemMetadata = { uid: 'u', generation: 3, creationTimestamp: '2026-01-01T00:00:00Z', resourceVersion: '9' };
const old = makeThing({ spec: { n: 1 }, status: { n: 1 } }, systemMetadata);
const problemsOf = ({ causes = [] }: CheckResult): string[] => causes.map(({ field, message }) => `${field}: ${message}`);

describe('creating a custom object', () => {
  it('sets generation 1 and drops the status if it is a subresource', () => {
    expect(createStrategy().checkCreate(makeThing({ spec: {}, status: { n: 1 } }, { generation: 7 })).object).toEqual(
      makeThing({ spec: {} }, { generation: 1 }),
    );
    expect(createStrategy({ hasStatus: false }).checkCreate(makeThing({ status: { n: 1 } })).object).toMatchObject({ status: { n: 1 } });
  });

  it('is refused if the object violates the schema', () => {
    expect(problemsOf(createStrategy().checkCreate(makeThing({ spec: { n: 6, set: ['a', 'a'] } })))).toEqual([
      'spec.n: Invalid value: 6: spec.n in body should be less than or equal to 5',
      'spec.set[1]: Duplicate value: "a"',
    ]);
    expect(problemsOf(createStrategy().checkCreate({ ...makeThing(), kind: 'Other' }))).toEqual([
      'kind: Invalid value: "Other": must be Thing',
    ]);
    expect(problemsOf(createStrategy({ schema: undefined }).checkCreate(makeThing({ spec: 'anything' })))).toEqual([]);
  });

  it('is refused while the definition is terminating', () => {
    const { admit } = createStrategy({ isTerminating: true });
    expect(() => admit?.(makeThing())).toThrow('create not allowed while custom resource definition is terminating');
    expect(admit?.(makeThing(), old)).toEqual(makeThing());
    expect(createStrategy().admit).toBeUndefined();
  });

  it('reports that rules were not checked if types are wrong', () => {
    const schemaWithRule: Schema = { ...schema, 'x-kubernetes-validations': [{ rule: 'true' }] };
    expect(problemsOf(createStrategy({ schema: schemaWithRule }).checkCreate(makeThing({ spec: { n: 'x' } }))).at(-1)).toContain(
      'some validation rules were not checked',
    );
    expect(problemsOf(createStrategy({ schema: schemaWithRule }).checkCreate(makeThing({ spec: { n: 6 } })))).toHaveLength(1);
  });
});

describe('updating a custom object', () => {
  const update = (fields: Record<string, unknown>, metadata = systemMetadata): CheckResult =>
    createStrategy().checkUpdate(makeThing(fields, metadata), old);

  it('increments generation unless only metadata or a status subresource changes', () => {
    expect(update({ spec: { n: 2 }, status: { n: 1 } }).object?.metadata.generation).toBe(4);
    expect(update({ spec: { n: 1 }, status: { n: 2 } }).object).toMatchObject({ status: { n: 1 }, metadata: { generation: 3 } });
    const updateResult = createStrategy({ hasStatus: false }).checkUpdate(
      makeThing({ spec: { n: 1 }, status: { n: 2 } }, systemMetadata),
      old,
    );
    expect(updateResult.object).toMatchObject({ status: { n: 2 }, metadata: { generation: 4 } });
  });

  it('keeps server-managed metadata', () => {
    const { object } = update({ spec: { n: 2 } }, { resourceVersion: '9' } as typeof systemMetadata);
    expect(object?.metadata).toMatchObject({ uid: 'u', creationTimestamp: '2026-01-01T00:00:00Z', generation: 4 });
  });

  it('accepts invalid values that do not change', () => {
    const invalidObject = makeThing({ spec: { n: 9, set: ['a', 'a'] } }, systemMetadata);
    expect(
      createStrategy().checkUpdate({ ...invalidObject, metadata: { ...invalidObject.metadata, labels: { a: 'b' } } }, invalidObject).causes,
    ).toBeUndefined();
    expect(problemsOf(createStrategy().checkUpdate(makeThing({ spec: { n: 8 } }, systemMetadata), invalidObject))).toEqual([
      'spec.n: Invalid value: 8: spec.n in body should be less than or equal to 5',
    ]);
  });

  it('refuses a changed uid', () => {
    expect(problemsOf(update({ spec: {} }, { ...systemMetadata, uid: 'v' }))[0]).toContain(
      'metadata.uid: Invalid value: "v": field is immutable',
    );
  });
});

describe('updating the status of a custom object', () => {
  it('changes only the status', () => {
    const { object } = createStrategy().checkUpdate(
      makeThing({ spec: { n: 2 }, status: { n: 5 }, other: 1 }, { ...systemMetadata, labels: { a: 'b' } }),
      old,
      'status',
    );
    expect(object).toEqual({ ...old, status: { n: 5 } });
  });

  it('is validated against the schema', () => {
    expect(problemsOf(createStrategy().checkUpdate(makeThing({ status: { n: 'x' } }, systemMetadata), old, 'status'))[0]).toContain(
      'status.n: Invalid value: "string"',
    );
  });
});

describe('strategy of custom objects', () => {
  it('has the subresource status if it is enabled', () => {
    expect([createStrategy().subresources, createStrategy({ hasStatus: false }).subresources]).toEqual([['status'], []]);
  });

  it('validates the fields of scale', () => {
    const strategyWithScale = createStrategy({
      schema: undefined,
      scale: { specReplicasPath: '.spec.n', statusReplicasPath: '.status.n', labelSelectorPath: '.status.s' },
    });
    expect(problemsOf(strategyWithScale.checkCreate(makeThing({ spec: { n: -1 } })))).toEqual([
      '.spec.n: Invalid value: -1: should be a non-negative integer',
    ]);
    expect(
      problemsOf(strategyWithScale.checkUpdate(makeThing({ status: { n: -1, s: 5 } }, systemMetadata), old, 'status')).map(
        (line) => line.split(':')[0],
      ),
    ).toEqual(['.status.n', '.status.s']);
  });
});

const advice = 'to avoid accidental conflicts with other finalizer writers';

describe('findFinalizerWarnings', () => {
  it('warns of finalizers without a domain or with invalid names', () => {
    const warnings = findFinalizerWarnings(makeThing({}, { finalizers: ['example.com/x', 'orphan', 'plain', 'with.dot', 'a b', 'plain'] }));
    expect(warnings.filter((warning) => warning.includes('"plain"'))).toEqual([
      `metadata.finalizers: "plain": prefer a domain-qualified finalizer name ${advice}`,
    ]);
    expect(warnings).toContain(`metadata.finalizers: "with.dot": prefer a domain-qualified finalizer name including a path (/) ${advice}`);
    expect(warnings.some((warning) => warning.startsWith('metadata.finalizers: "a b": name part must consist of'))).toBe(true);
    expect(warnings.some((warning) => /example.com|orphan/.test(warning))).toBe(false);
  });

  it('warns only of new finalizers', () => {
    expect(findFinalizerWarnings(makeThing({}, { finalizers: ['plain'] }), makeThing({}, { finalizers: ['plain'] }))).toEqual([]);
    expect(findFinalizerWarnings(makeThing())).toEqual([]);
  });
});
