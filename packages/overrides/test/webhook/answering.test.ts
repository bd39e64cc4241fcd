import { describe, expect, test } from 'vitest';
import { ask, endpointsOf, metric, reviewed, reviewOf, serve } from './support.ts';

const review = reviewOf(endpointsOf('10.0.0.1', '10.0.0.2'));
const json = { 'Content-Type': 'application/json' };

describe('what is no review', () => {
  test.each<[string, object, number, object]>([
    ['another method', { method: 'GET' }, 405, { allow: 'POST' }],
    ['another type', { headers: { 'Content-Type': 'text/plain' }, body: 'x' }, 415, {}],
    ['protobuf', { headers: { 'Content-Type': 'application/vnd.kubernetes.protobuf' }, body: 'x' }, 415, {}],
    ['compressed', { headers: { ...json, 'Content-Encoding': 'gzip' }, body: 'x' }, 415, {}],
    ['another path', { path: '/elsewhere', body: '{}' }, 404, {}],
    ['a write of what is read', { path: '/metrics', body: '{}' }, 405, { allow: 'GET, HEAD' }],
  ])('%s', async (_, options, code, headers) => {
    const target = await serve();
    const reply = await ask(target, options);
    expect(reply).toMatchObject({ code, headers: { ...headers, 'content-type': expect.stringContaining('text/plain') } });
    expect(await metric(target.server, 'refused_requests_total', { code: String(code) })).toBe(1);
    expect(await reviewed(target, review)).toMatchObject({ allowed: true });
  });
});
