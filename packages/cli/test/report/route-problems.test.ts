import { expect, test } from 'vitest';
import type { RelatedObject, RelatedObjects } from '../../src/input/collection.ts';
import { createDiagnoser } from '../../src/report/diagnoses.ts';
import { findDisruptionNotes } from '../../src/report/disruptions.ts';
import { formatRouteProblem, listRouteProblems } from '../../src/report/route-problems.ts';
import { inventoryOf, plainStyle, pod, scopeOf, service } from '../objects.ts';

const related = (objects: Partial<RelatedObjects>): RelatedObjects => ({ ...inventoryOf({}).related, ...objects });
const object = (value: object): RelatedObject => value as RelatedObject;
const ingress = (namespace: string, name: string): RelatedObject =>
  object({
    kind: 'Ingress',
    apiVersion: 'networking.k8s.io/v1',
    metadata: { namespace, name: 'shop' },
    spec: {
      rules: [
        {
          host: 'shop.example.com',
          http: { paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name, port: { number: 80 } } } }] },
        },
      ],
    },
  });

test('an Ingress with a Service that does not exist is a problem of its namespace', () => {
  const inventory = inventoryOf({
    services: [service('web')],
    related: related({ Ingress: [ingress('shop', 'wbe'), ingress('other', 'x')] }),
  });
  const problems = listRouteProblems(inventory, 'shop', true);
  expect(problems).toStrictEqual([
    {
      code: 'ServiceNotFound',
      object: 'Ingress shop/shop',
      path: 'spec.rules[0].http.paths[0].backend',
      message: expect.stringContaining('names Service shop/wbe, which does not exist'),
      fix: { text: expect.any(String), command: 'kubectl -n shop edit ingress shop' },
    },
  ]);
  expect(listRouteProblems(inventory, undefined, true)).toHaveLength(2);
  const lines = problems.flatMap((problem) => formatRouteProblem(problem, plainStyle));
  expect(lines[0]).toBe('broken Ingress shop/shop');
  expect(lines.at(-1)?.trim()).toBe('kubectl -n shop edit ingress shop');
});

test('an object that an API server refuses is a problem', () => {
  const { spec, ...rest } = ingress('shop', 'web') as RelatedObject & { readonly spec: object };
  const withoutSlash = JSON.parse(JSON.stringify(spec).replace('"path":"/"', '"path":"cart"')) as object;
  const Ingress = [object({ ...rest, spec: withoutSlash })];
  expect(listRouteProblems(inventoryOf({ services: [service('web')], related: related({ Ingress }) }), 'shop', false)).toMatchObject([
    {
      code: 'Invalid',
      object: 'Ingress shop/shop',
      path: 'spec.rules[0].http.paths[0].path',
      message: expect.stringContaining('is "cart", but has to be a path that starts with "/"'),
    },
  ]);
});

test('working routes, and what the objects do not show, are no problems', () => {
  const inventory = inventoryOf({ services: [service('web')], related: related({ Ingress: [ingress('shop', 'web')] }) });
  expect(listRouteProblems(inventory, undefined, false)).toStrictEqual([]);
});

test('a PodDisruptionBudget that allows no eviction of the pods of a Service is a note', () => {
  const budget = (name: string, app: string, disruptionsAllowed: number): RelatedObject =>
    object({
      kind: 'PodDisruptionBudget',
      apiVersion: 'policy/v1',
      metadata: { namespace: 'shop', name },
      spec: { selector: { matchLabels: { app } } },
      status: { disruptionsAllowed },
    });
  const objects = { services: [service('web')], pods: [pod('a', 'web', '10.0.0.1')] };
  const budgets = [budget('blocked', 'web', 0), budget('free', 'web', 1), budget('other', 'db', 0)];
  expect(findDisruptionNotes(service('web'), scopeOf(objects), { related: related({ PodDisruptionBudget: budgets }) })).toStrictEqual([
    'PodDisruptionBudget blocked allows no eviction of these pods now, so draining their nodes waits.',
  ]);
});

test('warnings about a Service that are no evidence are notes, one for each reason', () => {
  const event = (reason: string, message: string, type = 'Warning') => ({
    metadata: { namespace: 'shop', name: 'x' },
    involvedObject: { kind: 'Service', namespace: 'shop', name: 'web' },
    type,
    reason,
    message,
  });
  const events = [event('A', 'first'), event('A', 'second'), event('B', 'other'), event('C', 'fine', 'Normal')];
  const inventory = inventoryOf({ services: [service('web')], pods: [pod('a', 'web', '10.0.0.1')], events });
  const diagnose = createDiagnoser(scopeOf(inventory), inventory, { version: '1.37' }, false);
  expect(diagnose(service('web')).notes).toStrictEqual(['Event A: second', 'Event B: other']);
});
