import { describe, expect, it } from 'vitest';
import {
  createScaleView,
  numberAt,
  textAt,
  validateReplicas,
  validateSelector,
  withNumberAt,
} from '../../../src/custom-resources/objects/scale.ts';
import { makeThing } from '../support.ts';

const view = createScaleView({ specReplicasPath: '.spec.n', statusReplicasPath: '.status.n', labelSelectorPath: '.status.selector' });
const object = makeThing(
  { spec: { n: 2 }, status: { n: 1, selector: 'a=b' } },
  { uid: 'u', resourceVersion: '7', creationTimestamp: 't', labels: { x: 'y' } },
);

describe('createScaleView', () => {
  it('shows an object as a Scale', () => {
    expect(view.show(object)).toEqual({
      kind: 'Scale',
      apiVersion: 'autoscaling/v1',
      metadata: { name: 'one', namespace: 'default', uid: 'u', resourceVersion: '7', creationTimestamp: 't' },
      spec: { replicas: 2 },
      status: { replicas: 1, selector: 'a=b' },
    });
    expect(view.show(makeThing({ spec: { n: 0 } }))).toMatchObject({ spec: {}, status: { replicas: 0 } });
  });

  it('throws if replicas are missing or fields have the wrong type', () => {
    expect(() => view.show(makeThing())).toThrow('Internal error occurred: the spec replicas field ".spec.n" does not exist');
    expect(() => view.show(makeThing({ spec: { n: 'x' } }))).toThrow('.spec.n accessor error');
    expect(() => view.show(makeThing({ spec: { n: 1 }, status: { selector: 5 } }))).toThrow('.status.selector accessor error');
  });

  it('changes only the replicas when a Scale is written', () => {
    const scale = { ...view.show(object), spec: { replicas: 9 }, status: { replicas: 8 } };
    expect(view.apply(object, scale)).toEqual({ ...object, spec: { n: 9 } });
    expect(view.apply(object, { ...scale, spec: {} })).toEqual({ ...object, spec: { n: 0 } });
  });

  it('requires replicas when a Scale of an object without replicas is written', () => {
    const base = view.base?.(makeThing()) as ReturnType<typeof view.show>;
    expect(view.apply(makeThing(), { ...base, spec: { replicas: 4 } })).toEqual(makeThing({ spec: { n: 4 } }));
    expect(() => view.apply(makeThing(), base)).toThrow('the spec replicas field ".spec.n" cannot be empty');
  });

  it('refuses replicas that are not 32-bit integers', () => {
    for (const [replicas, jsonType] of [
      ['x', 'string'],
      [1.5, 'number 1.5'],
      [2 ** 31, 'number 2147483648'],
      [true, 'bool'],
    ] as const) {
      expect(() => view.apply(object, { ...view.show(object), spec: { replicas } })).toThrow(`json: cannot unmarshal ${jsonType} into Go`);
    }
    expect(() => view.apply(makeThing({ spec: 'x' }), { ...view.show(object) })).toThrow(
      'value cannot be set because .spec.n is not a map',
    );
  });
});

describe('fields of a scale', () => {
  const object = { spec: { replicas: 3, text: 'x', half: 1.5, list: [], none: null } };

  describe('numberAt and textAt', () => {
    it('return the value, or undefined if it is absent', () => {
      expect(numberAt(object, '.spec.replicas')).toEqual({ value: 3 });
      expect(textAt(object, '.spec.text')).toEqual({ value: 'x' });
      expect(numberAt(object, '.spec.nonesuch.deeper')).toEqual({ value: undefined });
      expect(numberAt(object, '.spec.none.deeper')).toEqual({ value: undefined });
    });

    it('report a problem for a value of a different type', () => {
      expect(numberAt(object, '.spec.text').problem).toBe('.spec.text accessor error: x is of the type string, expected int64');
      expect(numberAt(object, '.spec.half').problem).toBe('.spec.half accessor error: 1.5 is of the type float64, expected int64');
      expect(textAt(object, '.spec.replicas').problem).toBe('.spec.replicas accessor error: 3 is of the type int64, expected string');
      expect(textAt(object, '.spec.list').problem).toBe('.spec.list accessor error: [] is of the type []interface {}, expected string');
      expect(textAt(object, '.spec.none').problem).toBe('.spec.none accessor error: <nil> is of the type <nil>, expected string');
      expect(numberAt(object, '.spec.text.deeper').problem).toBe(
        '.spec.text.deeper accessor error: x is of the type string, expected map[string]interface{}',
      );
    });
  });

  describe('withNumberAt', () => {
    it('copies the object and creates missing parents', () => {
      expect(withNumberAt(object, '.spec.replicas', 5)).toEqual({ spec: { ...object.spec, replicas: 5 } });
      expect(withNumberAt({}, '.spec.a.b', 5)).toEqual({ spec: { a: { b: 5 } } });
      expect(object.spec.replicas).toBe(3);
    });

    it('returns undefined if a parent is not an object', () => {
      expect(withNumberAt(object, '.spec.text.n', 5)).toBeUndefined();
    });
  });

  describe('validateReplicas', () => {
    it.each([
      [{ replicas: -1 }, 'Invalid value: -1: should be a non-negative integer'],
      [{ replicas: 2 ** 31 }, 'Invalid value: 2147483648: should be less than or equal to 2147483647'],
      [{ replicas: 'x' }, 'Invalid value: 0: .spec.replicas accessor error: x is of the type string, expected int64'],
    ])('reports the invalid spec %j', (spec, message) => {
      expect(validateReplicas({ spec }, '.spec.replicas')).toEqual([{ reason: 'FieldValueInvalid', field: '.spec.replicas', message }]);
    });

    it('reports nothing for absent or valid replicas', () => {
      expect([...validateReplicas({}, '.spec.replicas'), ...validateReplicas(object, '.spec.replicas')]).toEqual([]);
    });
  });

  describe('validateSelector', () => {
    it('reports a selector that is not a string', () => {
      expect(validateSelector(object, '.spec.text')).toEqual([]);
      expect(validateSelector(object, '.spec.replicas')[0]?.field).toBe('.spec.replicas');
    });
  });
});
