import type { Selection } from 'kube-endpoints/internal/apimachinery';
import { type Resource, resources } from 'kube-endpoints/port';
import { describe, expect, test } from 'vitest';
import { compilePredicate, parseSelection, type SelectableFields } from '../../../src/store/selectors/selection.ts';
import { nodes, pod, podFields, pods, statusOf } from '../support.ts';

const compileSelection = (selection: Selection, resource: Resource = pods, fields: SelectableFields | undefined = podFields) =>
  compilePredicate(parseSelection(selection), resource, fields);
const refusal = (fieldSelector: string, resource: Resource, fields?: SelectableFields): string | undefined =>
  statusOf(() => compilePredicate(parseSelection({ fieldSelector }), resource, fields)).message;

test('an empty selector matches everything', () => {
  expect(compileSelection({}).matchesAll).toBe(true);
  expect(compileSelection({ labelSelector: ' ', fieldSelector: ',' }).matches(pod('a'))).toBe(true);
});

test.each([
  [{ labelSelector: 'app=web' }, true],
  [{ labelSelector: '!app' }, false],
  [{ fieldSelector: 'metadata.name=a' }, true],
  [{ fieldSelector: 'metadata.name!=a' }, false],
  [{ fieldSelector: 'metadata.namespace=default,metadata.name=a' }, true],
  [{ fieldSelector: 'metadata.namespace=other' }, false],
  [{ fieldSelector: 'spec.nodeName=n1' }, true],
  [{ fieldSelector: 'spec.host=n1' }, true],
  [{ fieldSelector: 'status.phase=' }, true],
  [{ labelSelector: 'app=web', fieldSelector: 'spec.nodeName!=n1' }, false],
])('matches() of the selection %j returns %s for the pod', (selection, expected) => {
  const object = { ...pod('a', { app: 'web' }), spec: { nodeName: 'n1' } };
  expect(compileSelection(selection).matches(object)).toBe(expected);
});

test('a selection exposes the single name and namespace that it requires', () => {
  expect(compileSelection({ fieldSelector: 'metadata.name=a,metadata.namespace=b' })).toMatchObject({ name: 'a', namespace: 'b' });
  expect(compileSelection({ fieldSelector: 'metadata.name!=a' })).not.toHaveProperty('name');
});

describe('an unsupported field', () => {
  test('is refused with the list of metadata fields if the resource has no selectable fields', () => {
    expect(refusal('spec.x=1', resources.endpoints)).toBe(
      '"spec.x" is not a known field selector: only "metadata.name", "metadata.namespace"',
    );
    const selection = parseSelection({ fieldSelector: 'metadata.namespace=' });
    expect(compilePredicate(selection, nodes, undefined).matches({ metadata: { name: 'n' } })).toBe(true);
  });

  test('is refused by name if the resource has selectable fields', () => {
    expect(refusal('spec.x=1', pods, podFields)).toBe('field label not supported: spec.x');
    expect(refusal('constructor=1', pods, podFields)).toBe('field label not supported: constructor');
    expect(refusal('metadata.namespace=a', nodes, { fields: {} })).toBe('field label not supported: metadata.namespace');
    expect(refusal('a=1', pods, { fields: {}, refusal: (field) => `no ${field}` })).toBe('no a');
  });
});

test('parseSelection refuses an invalid selector, label selector first', () => {
  expect(statusOf(() => parseSelection({ labelSelector: 'a b', fieldSelector: 'x' }))).toMatchObject({
    code: 400,
    reason: 'BadRequest',
    message: "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt",
  });
  expect(statusOf(() => parseSelection({ fieldSelector: 'x' })).message).toBe("invalid selector: 'x'; can't understand 'x'");
});
