import { describe, expect, it } from 'vitest';
import { ask, get, serve } from './support.ts';

describe('health', () => {
  it('is well, and ready where the host is', async () => {
    const host = { ready: false };
    const target = await serve({ ready: () => host.ready });
    expect(await get(target, '/healthz')).toMatchObject({ code: 200, body: 'ok\n' });
    expect(await get(target, '/livez')).toMatchObject({ code: 200 });
    expect(await get(target, '/readyz')).toMatchObject({ code: 503, body: 'not ready\n' });
    host.ready = true;
    expect(await get(target, '/readyz?verbose')).toMatchObject({ code: 200 });
    expect(await ask(target, { method: 'HEAD', path: '/readyz', headers: {} })).toMatchObject({ code: 200, body: '' });
    expect(await get(target, '/')).toMatchObject({ code: 404 });
  });

  it('has metrics', async () => {
    const target = await serve({ processMetrics: true });
    const { body, headers } = await get(target, '/metrics');
    expect(headers['content-type']).toContain('version=0.0.4');
    expect(body).toContain('# TYPE kube_endpoints_webhook_reviews_total counter');
    expect(body).toContain('process_cpu_seconds_total');
    expect(body).toMatch(/kube_endpoints_webhook_certificate_expiration_timestamp_seconds \d{10}/);
  });
});
