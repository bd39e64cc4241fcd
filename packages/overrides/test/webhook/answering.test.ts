import { describe, expect, it, test } from 'vitest';
import { connectTo, endpointsOf, head, readMetric, reviewOf, sendGet, sendRequest, sendReview, serve } from './support.ts';

const review = reviewOf(endpointsOf('10.0.0.1', '10.0.0.2'));
const json = { 'Content-Type': 'application/json' };

describe('the webhook refuses', () => {
  test.each<[string, object, number, object]>([
    ['a review with another method', { method: 'GET' }, 405, { allow: 'POST' }],
    ['a review with another content type', { headers: { 'Content-Type': 'text/plain' }, body: 'x' }, 415, {}],
    ['a review in protobuf', { headers: { 'Content-Type': 'application/vnd.kubernetes.protobuf' }, body: 'x' }, 415, {}],
    ['a compressed review', { headers: { ...json, 'Content-Encoding': 'gzip' }, body: 'x' }, 415, {}],
    ['another path', { path: '/other', body: '{}' }, 404, {}],
    ['a POST to a GET path', { path: '/metrics', body: '{}' }, 405, { allow: 'GET, HEAD' }],
  ])('%s', async (_, options, code, headers) => {
    const target = await serve();
    const reply = await sendRequest(target, options);
    expect(reply).toMatchObject({ code, headers: { ...headers, 'content-type': expect.stringContaining('text/plain') } });
    expect(await readMetric(target.server, 'refused_requests_total', { code: String(code) })).toBe(1);
    expect(await sendReview(target, review)).toMatchObject({ allowed: true });
  });
});

test('the webhook refuses a request with two Host headers, and closes the connection', async () => {
  const target = await serve();
  const client = await connectTo(target);
  client.send(head('POST /mutate', { ...json, host: 'other', 'Content-Length': 2 }, '{}'));
  expect(await client.closed).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n.*Connection: close\r\n.*400 Bad Request\n$/s);
  expect(await readMetric(target.server, 'refused_requests_total', { code: '400' })).toBe(1);
});

describe('the health endpoints', () => {
  it('report health, and readiness of the host', async () => {
    const host = { ready: false };
    const target = await serve({ ready: () => host.ready });
    expect(await sendGet(target, '/healthz')).toMatchObject({ code: 200, body: 'ok\n' });
    expect(await sendGet(target, '/livez')).toMatchObject({ code: 200 });
    expect(await sendGet(target, '/readyz')).toMatchObject({ code: 503, body: 'not ready\n' });
    host.ready = true;
    expect(await sendGet(target, '/readyz?verbose')).toMatchObject({ code: 200 });
    expect(await sendRequest(target, { method: 'HEAD', path: '/readyz', headers: {} })).toMatchObject({ code: 200, body: '' });
    expect(await sendGet(target, '/')).toMatchObject({ code: 404 });
  });

  it('serve metrics', async () => {
    const target = await serve({ processMetrics: true });
    const { body, headers } = await sendGet(target, '/metrics');
    expect(headers['content-type']).toContain('version=0.0.4');
    expect(body).toContain('# TYPE kube_endpoints_webhook_reviews_total counter');
    expect(body).toContain('process_cpu_seconds_total');
    expect(body).toMatch(/kube_endpoints_webhook_certificate_expiration_timestamp_seconds \d{10}/);
  });
});
