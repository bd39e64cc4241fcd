import { describe, expect, it } from 'vitest';
import { scaleView } from '../../../src/custom-resources/objects/scale.ts';
import { thing } from '../support.ts';

const view = scaleView({ specReplicasPath: '.spec.n', statusReplicasPath: '.status.n', labelSelectorPath: '.status.selector' });
const object = thing(
  { spec: { n: 2 }, status: { n: 1, selector: 'a=b' } },
  { uid: 'u', resourceVersion: '7', creationTimestamp: 't', labels: { x: 'y' } },
);

describe('scaleView', () => {
  it('shows an object as a Scale', () => {
    expect(view.show(object)).toEqual({
      kind: 'Scale',
      apiVersion: 'autoscaling/v1',
      metadata: { name: 'one', namespace: 'default', uid: 'u', resourceVersion: '7', creationTimestamp: 't' },
      spec: { replicas: 2 },
      status: { replicas: 1, selector: 'a=b' },
    });
    expect(view.show(thing({ spec: { n: 0 } }))).toMatchObject({ spec: {}, status: { replicas: 0 } });
  });

  it('cannot show one without replicas, or with something else in their place', () => {
    expect(() => view.show(thing())).toThrow('Internal error occurred: the spec replicas field ".spec.n" does not exist');
    expect(() => view.show(thing({ spec: { n: 'x' } }))).toThrow('.spec.n accessor error');
    expect(() => view.show(thing({ spec: { n: 1 }, status: { selector: 5 } }))).toThrow('.status.selector accessor error');
  });

  it('writes the replicas, and nothing else', () => {
    const scale = { ...view.show(object), spec: { replicas: 9 }, status: { replicas: 8 } };
    expect(view.apply(object, scale)).toEqual({ ...object, spec: { n: 9 } });
    expect(view.apply(object, { ...scale, spec: {} })).toEqual({ ...object, spec: { n: 0 } });
  });

  it('writes to an object without replicas, if it is told a number', () => {
    const base = view.base?.(thing()) as ReturnType<typeof view.show>;
    expect(view.apply(thing(), { ...base, spec: { replicas: 4 } })).toEqual(thing({ spec: { n: 4 } }));
    expect(() => view.apply(thing(), base)).toThrow('the spec replicas field ".spec.n" cannot be empty');
  });

  it('refuses what is no number of 32 bits', () => {
    for (const [replicas, what] of [
      ['x', 'string'],
      [1.5, 'number 1.5'],
      [2 ** 31, 'number 2147483648'],
      [true, 'bool'],
    ] as const) {
      expect(() => view.apply(object, { ...view.show(object), spec: { replicas } })).toThrow(`json: cannot unmarshal ${what} into Go`);
    }
    expect(() => view.apply(thing({ spec: 'x' }), { ...view.show(object) })).toThrow('value cannot be set because .spec.n is not a map');
  });
});
