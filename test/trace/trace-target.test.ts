import { describe, expect, it } from 'vitest';
import { formatMermaid, formatTrace, TraceError, type TraceObjects, traceTarget } from '../../src/trace/index.ts';
import { fc } from '../support/property.ts';
import { crashingStatus, makeCluster, makePod, makeService, outcomesOf, runTrace, shop } from './shop.ts';

describe('traceTarget', () => {
  it('runs all steps and begins with the verdict', () => {
    const trace = runTrace('web.shop:http', shop, { from: 'pod/frontend-1' });
    expect(trace).toMatchObject({
      target: 'web.shop:http',
      from: 'pod/frontend-1',
      outcome: 'reached',
      verdict: 'web.shop:http reaches 3 endpoints of Service shop/web from pod/frontend-1.',
    });
    expect(trace.steps.map(({ stage }) => stage)).toEqual(['name', 'record', 'service', 'policy', 'endpoints', 'pod', 'readiness']);
    expect(trace).not.toHaveProperty('node');
    expect(runTrace('web', shop, { node: 'n1' }).node).toBe('n1');
  });

  it('uses the same id for an object in every step', () => {
    const trace = runTrace(
      'web',
      makeCluster([makeService('web')], [makePod('web-1', 1), makePod('web-2', 2, { status: crashingStatus })]),
    );
    const ids = (stage: string) =>
      trace.steps
        .filter((step) => step.stage === stage)
        .flatMap(({ chosen, leftOut }) => [chosen, leftOut].map((all) => all.map(({ id }) => id)));
    for (const stage of ['endpoints', 'pod', 'readiness']) expect(ids(stage)).toEqual([['pod/shop/web-1'], ['pod/shop/web-2']]);
  });

  it('works without slices, nodes and namespaces', () => {
    const { services, pods } = shop;
    expect(runTrace('web', { services, pods }).outcome).toBe('reached');
    expect(runTrace('web', { services: [], pods: [] }).outcome).toBe('unreachable');
  });

  it('hides the credentials of a URL', () => {
    const trace = runTrace('http://user:s3cret@web.shop:80/x', shop);
    expect([trace.target, trace.outcome]).toEqual(['http://web.shop:80/x', 'reached']);
    expect(JSON.stringify(trace)).not.toContain('s3cret');
    expect(() => runTrace('http://user:s3cret@web..shop', shop)).toThrow('target "http://web..shop"');
    expect(() => traceTarget({ target: undefined as never }, shop)).toThrow('target: give a name such as "web.shop:http"');
  });

  it('applies the rules of the requested release', () => {
    expect(() => runTrace('web', shop, {}, { version: '1.99' })).toThrow(RangeError);
    expect(() => runTrace('web', shop, {}, { dns: { release: '9.9' } })).toThrow(RangeError);
    const endedPod = makePod('web-2', 2, { spec: { restartPolicy: 'Always' }, status: { phase: 'Failed' } });
    const objects: TraceObjects = { services: [makeService('web')], pods: [makePod('web-1', 1), endedPod] };
    expect(runTrace('web', objects, {}, { version: '1.36' }).verdict).toContain('reaches 1 endpoint ');
    expect(runTrace('web', objects, {}, { version: '1.20' }).verdict).toContain('reaches 2 endpoints ');
  });

  it('does not change its input, and returns plain JSON data', () => {
    const before = structuredClone(shop);
    const trace = runTrace('web', shop, { from: 'frontend-1' });
    expect(shop).toEqual(before);
    expect(JSON.parse(JSON.stringify(trace))).toEqual(trace);
    expect(runTrace('web', shop, { from: 'frontend-1' })).toEqual(trace);
  });
});

describe('traceTarget with any question', () => {
  const hostPart = fc.constantFrom('web', 'shop', 'svc', 'cluster.local', '_http', '_tcp', '*', '10.96.0.10', '10.1.0.1', '[fd00::1]', '');
  const text = fc.oneof(
    fc.array(hostPart, { maxLength: 6 }).map((parts) => parts.join('.')),
    fc.string({ maxLength: 80 }),
    fc.string({ unit: 'binary', maxLength: 80 }),
  );
  const port = fc.constantFrom('', ':http', ':80', ':8080', ':99999', '/UDP', ':80/TCP', '/x');

  it('returns a trace, or throws an error that says what to pass', () => {
    fc.assert(
      fc.property(text, port, fc.constantFrom(undefined, 'pod/frontend-1', 'x'), (host, suffix, from) => {
        try {
          const trace = traceTarget({ target: host + suffix, from, namespace: 'shop' }, shop);
          expect(outcomesOf(trace).split(', ')).toHaveLength(7);
          const isSuccessful = trace.outcome === 'reached' || trace.outcome === 'outside';
          expect(isSuccessful || trace.steps.some(({ outcome }) => outcome === 'error' || outcome === 'warning')).toBe(true);
          expect([formatTrace(trace).length > 7, formatMermaid(trace).startsWith('flowchart')]).toEqual([true, true]);
        } catch (error) {
          expect(error).toBeInstanceOf(TraceError);
          expect((error as Error).message).toMatch(/give/);
        }
      }),
      { numRuns: 300 },
    );
  });
});
