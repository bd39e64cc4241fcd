import { createApiServer, createFunctionAdmission } from '@kube-endpoints/apiserver';
import { type ApiObject, resources } from 'kube-endpoints/port';
import { describe, expect, it, onTestFinished, test } from 'vitest';
import { admissionFunctionOf, createOverrides, type OverrideResult } from '../../src/index.ts';
import type { ReviewedRequest } from '../../src/internal.ts';
import { createKeepAliveAgent, endpointsOf, patchIn, readMetric, removalRules, reviewOf, sendReview, serve } from './support.ts';

const review = reviewOf(endpointsOf('10.0.0.1', '10.0.0.2'));
const uid = '705ab4f5-6393-11e8-b7cc-42010a800002';

describe('an admission review', () => {
  it('is answered by the rules', async () => {
    const target = await serve();
    const answer = await sendReview(target, review);
    expect(answer).toMatchObject({ uid, allowed: true, patchType: 'JSONPatch' });
    expect(JSON.stringify(patchIn(answer))).not.toContain('10.0.0.2');
    expect(await sendReview(target, reviewOf(endpointsOf('10.0.0.1')))).toEqual({ uid, allowed: true });
    expect(
      await readMetric(target.server, 'reviews_total', { operation: 'CREATE', kind: 'Endpoints', allowed: 'true', changed: 'true' }),
    ).toBe(1);
    expect(
      await readMetric(target.server, 'reviews_total', { operation: 'CREATE', kind: 'Endpoints', allowed: 'true', changed: 'false' }),
    ).toBe(1);
    expect(await readMetric(target.server, 'rule_decisions_total', { rule: 'two-out', code: 'TakenOut', mode: 'enforce' })).toBe(1);
    expect(await readMetric(target.server, 'review_duration_seconds_count', { kind: 'Endpoints' })).toBe(2);
    expect(await readMetric(target.server, 'rules')).toBe(1);
  });

  it('is answered at /mutate and /validate with any query', async () => {
    const target = await serve();
    for (const path of ['/mutate', '/validate?timeout=30s', '/mutate?timeout=5s&x=1', '/mutate?timeout=soon']) {
      expect(await sendReview(target, review, { path })).toMatchObject({ uid, allowed: true });
    }
  });

  it('may be chunked and have media type parameters', async () => {
    const target = await serve();
    const headers = { 'Content-Type': 'Application/JSON; charset=utf-8', 'Transfer-Encoding': 'chunked' };
    expect(await sendReview(target, review, { headers })).toMatchObject({ uid, allowed: true });
  });

  it('is denied if a rule refuses the write', async () => {
    const refuse = { rules: [{ name: 'no-loopback', action: { refuse: { presets: ['loopback'] as const } } }] };
    const target = await serve({ overrides: createOverrides(refuse) });
    const answer = await sendReview(target, reviewOf(endpointsOf('127.0.0.1')));
    expect(answer).toMatchObject({ uid, allowed: false, status: { message: expect.stringContaining('no-loopback') } });
    expect(await readMetric(target.server, 'reviews_total', { allowed: 'false' })).toBe(1);
  });

  it('is reported to onResult unless it is a dry run', async () => {
    const reportedResults: [ReviewedRequest, OverrideResult][] = [];
    const target = await serve({ onResult: (...args) => void reportedResults.push(args) });
    await sendReview(target, review);
    await sendReview(target, reviewOf(endpointsOf('10.0.0.2'), { dryRun: true }));
    expect(reportedResults).toMatchObject([[{ uid, namespace: 'shop', serviceName: 'web' }, { changed: true }]]);
  });

  it('is answered even if onResult or onEvent throws', async () => {
    const fail = (): never => {
      throw new Error('no');
    };
    const target = await serve({ onResult: fail, onEvent: fail });
    expect(await sendReview(target, review)).toMatchObject({ allowed: true, patchType: 'JSONPatch' });
    expect(await sendReview(target, '{')).toMatchObject({ allowed: true });
  });

  it('shares a kept-alive connection with other reviews', async () => {
    const target = await serve();
    const agent = createKeepAliveAgent();
    const answers = await Promise.all(Array.from({ length: 50 }, () => sendReview(target, review, { agent })));
    expect(answers.every(({ patchType }) => patchType === 'JSONPatch')).toBe(true);
  });
});

test('admissionFunctionOf returns the same patch as the webhook', async () => {
  const overrides = createOverrides(removalRules);
  const now = (): Date => new Date('2026-07-01T12:00:00Z');
  const server = await createApiServer({ admission: [createFunctionAdmission([admissionFunctionOf(overrides, { now })])] });
  onTestFinished(() => server.close());
  await server.client.create(resources.namespaces, { metadata: { name: 'shop' } });
  const object = endpointsOf('10.0.0.1', '10.0.0.2', '10.0.0.3');
  const stored = await server.client.create(resources.endpoints, object as unknown as ApiObject);
  const target = await serve({ overrides });
  const patch = patchIn(await sendReview(target, reviewOf(object)));
  expect(stored['subsets']).toEqual([{ addresses: [{ ip: '10.0.0.1' }, { ip: '10.0.0.3' }], ports: [{ port: 80, protocol: 'TCP' }] }]);
  expect(overrides.apply({ operation: 'CREATE', object, now: now() }).patch).toEqual(patch);
});
