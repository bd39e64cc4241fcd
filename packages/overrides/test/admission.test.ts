import { Buffer } from 'node:buffer';
import { describe, expect, test } from 'vitest';
import { fc } from '../../../test/support/property.ts';
import { createFunctionAdmission } from '../../apiserver/src/admission/functions.ts';
import { applyJsonPatch } from '../../apiserver/src/patch/json-patch.ts';
import { toBase64 } from '../src/admission/review.ts';
import { admissionFunctionOf, createOverrides, type Overrides, reviewAdmission } from '../src/index.ts';
import { reviewAdmissionInFull } from '../src/internal.ts';
import { createEndpoints, createPod, createRules, createSlice, formatReadiness, noon, toPlainJson } from './support.ts';

const keepOut = createOverrides(createRules({ addresses: { pods: ['a'] }, action: { keepOut: {} } }));
const kinds = {
  Endpoints: { group: '', version: 'v1', kind: 'Endpoints' },
  EndpointSlice: { group: 'discovery.k8s.io', version: 'v1', kind: 'EndpointSlice' },
};

const createReview = (request: object = {}, more: object = {}): object => ({
  apiVersion: 'admission.k8s.io/v1',
  kind: 'AdmissionReview',
  request: {
    uid: 'u1',
    kind: kinds.Endpoints,
    operation: 'CREATE',
    namespace: 'shop',
    name: 'web',
    object: createEndpoints('ab'),
    oldObject: null,
    ...request,
  },
  ...more,
});

describe('an admission review', () => {
  test('is answered with a patch', () => {
    const { review, outcome, request } = reviewAdmissionInFull(createReview(), { overrides: keepOut, now: noon });
    const { patch, ...response } = review.response;
    const text = Buffer.from(patch ?? '', 'base64').toString();
    expect(formatReadiness(applyJsonPatch(toPlainJson(createEndpoints('ab')), JSON.parse(text)).value as object)).toBe('b/a');
    expect(response).toEqual({
      uid: 'u1',
      allowed: true,
      patchType: 'JSONPatch',
      warnings: ['rule r0: 10.0.0.1 is shown as not ready'],
      auditAnnotations: { decisions: 'r0:KeptOut=1' },
    });
    expect({ outcome, request }).toEqual({
      outcome: 'changed',
      request: { uid: 'u1', kind: 'Endpoints', operation: 'CREATE', namespace: 'shop', name: 'web', serviceName: 'web', dryRun: false },
    });
  });

  test('of a slice uses the context of its Service', () => {
    const requests: unknown[] = [];
    const overrides = createOverrides(createRules({ addresses: { podLabels: 'app=x' }, action: { keepOut: {} } }));
    const context = (request: unknown) => {
      requests.push(request);
      return { pods: [createPod('b', { labels: { app: 'x' } })] };
    };
    const { outcome } = reviewAdmissionInFull(createReview({ kind: kinds.EndpointSlice, object: createSlice('ab'), dryRun: true }), {
      overrides,
      context,
      now: noon,
    });
    expect(outcome).toBe('changed');
    expect(requests).toEqual([expect.objectContaining({ kind: 'EndpointSlice', serviceName: 'web', name: 'web-1', dryRun: true })]);
  });

  test('is denied with the name of the rule', () => {
    const overrides = createOverrides(createRules({ action: { refuse: { forbidden: ['10.0.0.2'] } } }));
    expect(reviewAdmission(createReview(), { overrides, now: noon }).response).toMatchObject({
      allowed: false,
      status: {
        code: 403,
        reason: 'Forbidden',
        message: 'refused by the rule "r0": 10.0.0.2 may not be an endpoint: it is in a forbidden range',
      },
    });
  });

  test.each<[string, object]>([
    ['a deletion', { operation: 'DELETE', object: null }],
    ['a connection', { operation: 'CONNECT' }],
    ['another kind', { kind: { group: '', version: 'v1', kind: 'Pod' }, object: {} }],
    ['slices of an older version', { kind: { ...kinds.EndpointSlice, version: 'v1beta1' } }],
    ['a subresource', { subResource: 'status' }],
  ])('of %s is allowed without evaluating rules', (_, request) => {
    const { review, outcome } = reviewAdmissionInFull(createReview(request), { overrides: keepOut, now: noon, failurePolicy: 'Fail' });
    expect({ outcome, response: review.response }).toEqual({ outcome: 'notConcerned', response: { uid: 'u1', allowed: true } });
  });

  test.each<[string, unknown, string]>([
    ['undefined', undefined, ''],
    ['text', 'x', ''],
    ['another object', { kind: 'Pod' }, ''],
    ['no request', createReview({}, { request: null }), ''],
    ['no uid', createReview({ uid: '' }), ''],
    ['an unsupported version', createReview({}, { apiVersion: 'admission.k8s.io/v1beta1' }), 'u1'],
    ['no object', createReview({ object: null }), 'u1'],
    ['invalid subsets', createReview({ object: { ...createEndpoints(''), subsets: { length: 1e9 } } }), 'u1'],
    ['invalid addresses', createReview({ object: { ...createEndpoints(''), subsets: [{ addresses: [null] }] } }), 'u1'],
    ['invalid labels', createReview({ object: createEndpoints('', '', { labels: { a: 1 } }) }), 'u1'],
    ['an invalid old object', createReview({ operation: 'UPDATE', oldObject: { subsets: 7 } }), 'u1'],
  ])('that is malformed is answered by the failure policy: %s', (_, reviewBody, uid) => {
    const ignoreResult = reviewAdmissionInFull(reviewBody, { overrides: keepOut, now: noon });
    expect({ outcome: ignoreResult.outcome, response: ignoreResult.review.response }).toEqual({
      outcome: 'malformed',
      response: { uid, allowed: true, warnings: [expect.stringMatching(/^endpoint overrides not applied: /)] },
    });
    const failResponse = reviewAdmission(reviewBody, { overrides: keepOut, now: noon, failurePolicy: 'Fail' }).response;
    expect(failResponse).toMatchObject({ uid, allowed: false, status: { status: 'Failure', code: 400, reason: 'BadRequest' } });
  });

  test('is answered by the failure policy if the context fails', () => {
    const context = () => {
      throw new Error('no cluster');
    };
    const options = { overrides: keepOut, context, now: noon };
    expect(reviewAdmissionInFull(createReview(), options)).toMatchObject({
      outcome: 'failed',
      problem: 'no cluster',
      review: { response: { allowed: true } },
    });
    expect(reviewAdmission(createReview(), { ...options, failurePolicy: 'Fail' }).response).toMatchObject({
      allowed: false,
      status: { code: 500 },
    });
  });
});

describe('reviewAdmission', () => {
  test('never throws for any input', () => {
    const anyValue = fc.anything({ withNullPrototype: true, withDate: true, withBigInt: true, withMap: true });
    const parts = fc.record({
      request: anyValue,
      object: anyValue,
      kind: fc.constantFrom(kinds.Endpoints, kinds.EndpointSlice),
      endpoints: anyValue,
    });
    fc.assert(
      fc.property(parts, anyValue, ({ request, object, kind, endpoints: list }, anyBody) => {
        const bodies = [
          anyBody,
          createReview({}, { request }),
          createReview({ kind, object }),
          createReview({ kind, object: { metadata: {}, endpoints: list, subsets: list } }),
        ];
        for (const each of bodies) expect(reviewAdmission(each, { overrides: keepOut, now: noon }).response.allowed).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  test('limits the number and length of warnings', () => {
    const keepOutRules = Array.from({ length: 30 }, (_, index) => ({
      addresses: { ranges: [`10.0.0.${index % 3}`] },
      action: { keepOut: { as: 'absent' as const } },
    }));
    const ruleList = [...keepOutRules.slice(0, 2), { match: { expression: `service.${'x'.repeat(300)} == 1` }, action: { freeze: {} } }];
    const { warnings = [], auditAnnotations = {} } = reviewAdmission(createReview(), {
      overrides: createOverrides(createRules(...ruleList)),
      now: noon,
    }).response;
    expect(warnings.length).toBe(2);
    expect(Math.max(...warnings.map(({ length }) => length))).toBeLessThanOrEqual(120);
    expect(Object.entries(auditAnnotations).every(([key, value]) => /^[A-Za-z0-9]{1,63}$/.test(key) && value.length <= 1000)).toBe(true);
  });

  test('reports an audit rule only in audit annotations', () => {
    const overrides = createOverrides(createRules({ mode: 'audit', action: { keepOut: {} } }));
    expect(reviewAdmission(createReview(), { overrides, now: noon }).response).toEqual({
      uid: 'u1',
      allowed: true,
      auditAnnotations: { audited: 'r0:KeptOut=2' },
    });
  });

  test('encodes the patch as base64 of UTF-8', () => {
    const object = {
      ...createEndpoints(''),
      subsets: [{ addresses: [{ ip: '10.0.0.1', hostname: 'größe€😀', targetRef: { name: 'a', kind: 'Pod' } }], ports: [{ port: 80 }] }],
    };
    const { patch = '' } = reviewAdmission(createReview({ object }), { overrides: keepOut, now: noon }).response;
    expect(Buffer.from(patch, 'base64').toString()).toContain('größe€😀');
  });
});

describe('admissionFunctionOf', () => {
  const resource = { group: '', version: 'v1', plural: 'endpoints', kind: 'Endpoints', namespaced: true };
  const request = (more: object = {}) =>
    ({
      operation: 'CREATE',
      resource,
      key: { namespace: 'shop', name: 'web' },
      object: createEndpoints('ab'),
      dryRun: false,
      options: {},
      ...more,
    }) as never;

  test('changes objects in the API server and reports results', async () => {
    const reported: unknown[] = [];
    const warned: string[] = [];
    const overridesFunction = admissionFunctionOf(keepOut, {
      now: () => noon,
      onResult: ({ serviceName }, { changed }) => reported.push([serviceName, changed]),
    });
    const admission = createFunctionAdmission([overridesFunction]);
    const changedObject = await admission.mutate?.(request({ warn: (warning: string) => warned.push(warning) }));
    expect(formatReadiness(changedObject ?? {})).toBe('b/a');
    expect(await admission.mutate?.(request({ object: createEndpoints('b'), dryRun: true }))).toBeUndefined();
    expect({ reported, warned }).toEqual({ reported: [['web', true]], warned: ['rule r0: 10.0.0.1 is shown as not ready'] });
  });

  test('refuses writes, and uses the current rules', async () => {
    let currentOverrides: Overrides = keepOut;
    const admission = createFunctionAdmission([admissionFunctionOf(() => currentOverrides, { now: () => noon })]);
    currentOverrides = createOverrides(createRules({ action: { refuse: { forbidden: ['10.0.0.2'] } } }));
    await expect(admission.mutate?.(request())).rejects.toThrow('refused by the rule "r0"');
    expect(await admission.mutate?.(request({ operation: 'DELETE', object: undefined }))).toBeUndefined();
  });
});

test.each(['', 'a', 'ab', 'abc', '[{"op":"add"}]', 'grün', '😀 and "text"', 'line\nbreak', '\u0080', '\u00ff'])(
  'toBase64 encodes %j as base64 of its UTF-8',
  (text) => {
    expect(toBase64(text)).toBe(Buffer.from(text).toString('base64'));
  },
);
