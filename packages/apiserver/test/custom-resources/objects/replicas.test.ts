import { describe, expect, it } from 'vitest';
import { causesOfReplicas, causesOfSelector, numberAt, textAt, withNumberAt } from '../../../src/custom-resources/objects/replicas.ts';

const object = { spec: { replicas: 3, text: 'x', half: 1.5, list: [], none: null } };

describe('numberAt and textAt', () => {
  it('find what is there', () => {
    expect(numberAt(object, '.spec.replicas')).toEqual({ value: 3 });
    expect(textAt(object, '.spec.text')).toEqual({ value: 'x' });
    expect(numberAt(object, '.spec.nonesuch.deeper')).toEqual({ value: undefined });
    expect(numberAt(object, '.spec.none.deeper')).toEqual({ value: undefined });
  });

  it('say why they do not', () => {
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
  it('makes a copy, with what is missing on the way', () => {
    expect(withNumberAt(object, '.spec.replicas', 5)).toEqual({ spec: { ...object.spec, replicas: 5 } });
    expect(withNumberAt({}, '.spec.a.b', 5)).toEqual({ spec: { a: { b: 5 } } });
    expect(object.spec.replicas).toBe(3);
  });

  it('cannot where something is in the way', () => {
    expect(withNumberAt(object, '.spec.text.n', 5)).toBeUndefined();
  });
});

describe('causesOfReplicas', () => {
  it.each([
    [{ replicas: -1 }, 'Invalid value: -1: should be a non-negative integer'],
    [{ replicas: 2 ** 31 }, 'Invalid value: 2147483648: should be less than or equal to 2147483647'],
    [{ replicas: 'x' }, 'Invalid value: 0: .spec.replicas accessor error: x is of the type string, expected int64'],
  ])('%j', (spec, message) => {
    expect(causesOfReplicas({ spec }, '.spec.replicas')).toEqual([{ reason: 'FieldValueInvalid', field: '.spec.replicas', message }]);
  });

  it('finds nothing where there is none, or one that is fine', () => {
    expect([...causesOfReplicas({}, '.spec.replicas'), ...causesOfReplicas(object, '.spec.replicas')]).toEqual([]);
  });
});

describe('causesOfSelector', () => {
  it('wants a text', () => {
    expect(causesOfSelector(object, '.spec.text')).toEqual([]);
    expect(causesOfSelector(object, '.spec.replicas')[0]?.field).toBe('.spec.replicas');
  });
});
