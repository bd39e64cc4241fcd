import { describe, expect, test } from 'vitest';
import {
  applyJsonPatch,
  applyMergePatch,
  applyStrategicMergePatch,
  builtInKind,
  createFieldElement,
  createFieldManager,
  createFieldSet,
  deducedType,
  type FieldValidation,
  structuralType,
  type TypeRef,
} from '../../src/patch/index.ts';
import { equal, type JsonMap } from '../../src/patch/json.ts';
import { type Answer, answerOf, sortCauses, vectors } from './golden.ts';

interface PatchLine {
  readonly type: string;
  readonly kind: string;
  readonly apiVersion: string;
  readonly object: JsonMap;
  readonly patch: unknown;
  readonly fieldValidation: FieldValidation;
  readonly want: Answer;
}

interface ApplyLine {
  readonly kind: string;
  readonly apiVersion: string;
  readonly object: JsonMap;
  readonly subresource?: string;
  readonly reset?: readonly string[][];
  readonly crdSchema?: JsonMap;
  readonly steps: readonly {
    readonly verb: 'apply' | 'update';
    readonly manager: string;
    readonly force: boolean;
    readonly object: JsonMap;
  }[];
  readonly want: { readonly steps: readonly Answer[] };
}

const typeOf = (apiVersion: string, kind: string): TypeRef => builtInKind(apiVersion, kind)?.type ?? deducedType;

/** Compares in any key order, without a matcher that mishandles `__proto__`. */
function expectSame(got: unknown, want: unknown): void {
  if (!equal(got, want)) {
    expect(JSON.stringify(got, undefined, 1)).toBe(JSON.stringify(want, undefined, 1));
  }
}

describe('patches give the answers of Kubernetes 1.36.3', () => {
  test('for strategic merge patches', () => {
    for (const { apiVersion, kind, object, patch, want } of vectors<PatchLine>('strategic')) {
      const before = JSON.stringify([object, patch]);
      expectSame(
        answerOf(() => ({ value: applyStrategicMergePatch(object, patch, typeOf(apiVersion, kind)) })),
        want,
      );
      expect(JSON.stringify([object, patch])).toBe(before);
    }
  });

  test('for JSON Patches and merge patches', () => {
    for (const { type, object, patch, fieldValidation, want } of vectors<PatchLine>('json')) {
      const before = JSON.stringify([object, patch]);
      const got = answerOf(() => (type === 'json' ? applyJsonPatch : applyMergePatch)(object, patch, fieldValidation));
      expectSame(got, want.value === undefined ? want : { strictErrors: [], ...want });
      expect(JSON.stringify([object, patch])).toBe(before);
    }
  });
});

describe('writes record the managed fields of Kubernetes 1.36.3', () => {
  test.each(vectors<ApplyLine>('apply').map((line, index) => ({ ...line, index })))('in sequence $index of a $kind', (line) => {
    const { apiVersion, kind, subresource, object: empty, crdSchema, reset } = line;
    const type = crdSchema ? structuralType(crdSchema) : typeOf(apiVersion, kind);
    const manager = createFieldManager({
      apiVersion,
      kind,
      empty,
      typeIn: (version) => (version === apiVersion ? type : undefined),
      ...(subresource && { subresource }),
      ...(reset && { resetFields: new Map([[apiVersion, createFieldSet(...reset.map((path) => path.map(createFieldElement)))]]) }),
    });
    let live: JsonMap | undefined;
    for (const [index, { verb, object, ...write }] of line.steps.entries()) {
      const before = JSON.stringify([live, object]);
      const got = answerOf(() => {
        const value = withVectorTimes(manager[verb](live, object, { ...write, now: '2026-11-30T00:00:00Z' }));
        return { value, fields: entriesOf(value).map(({ fieldsV1 }) => JSON.stringify(fieldsV1)) };
      });
      const want = sortCauses(line.want.steps[index] ?? {});
      expectSame(got, want.error ? want : { fields: [], ...want });
      expect(JSON.stringify([live, object])).toBe(before);
      live = (got.value as JsonMap | undefined) ?? live;
    }
  });
});

const entriesOf = ({ metadata }: JsonMap): { time?: string; fieldsV1?: unknown }[] =>
  ((metadata as JsonMap | undefined)?.['managedFields'] as { time?: string; fieldsV1?: unknown }[] | undefined) ?? [];

/** Replaces times set in this step by the time of the vectors. */
function withVectorTimes(object: JsonMap): JsonMap {
  for (const entry of entriesOf(object)) {
    if (entry.time !== undefined && entry.time > '2026') {
      entry.time = '2026-01-01T00:00:00Z';
    }
  }
  return object;
}
