import { trace } from '@opentelemetry/api';
import { afterEach, describe, expect, test } from 'vitest';
import { syncedEvent, takenEvent } from '../../../controllers/test/operations/runtime-events.ts';
import type { IO } from '../../src/base/io.ts';
import { createObserver, type ObserverOptions } from '../../src/live/observer.ts';

afterEach(() => trace.disable());

async function createTestObserver(
  options: Partial<ObserverOptions> = {},
  { isTTY = false, ...overrides }: { isTTY?: boolean; io?: IO } = {},
) {
  let output = '';
  const write = (text: string): void => {
    output += text;
  };
  const stderr = { isTTY, columns: 80, write };
  const { io = { stderr, env: {}, version: '9.8.7' } as unknown as IO } = overrides;
  const base = {
    dryRun: false,
    once: false,
    logLevel: undefined,
    logFormat: undefined,
    metricsPort: 0,
    workers: 5,
    mirroringConcurrentServiceEndpointSyncs: 5,
    controllers: undefined,
  };
  const settings = { ...base, leaderElectResourceName: 'ours', version: '1.36', ...options };
  const observer = await createObserver(settings, { io, host: 'api', objects: () => ({ pods: 3 }) });
  return { observer, output: () => output };
}

/** A failed call of the cloud. */
const cloudFailure = (key: string) =>
  ({ kind: 'cloud', call: 'ensure', key, outcome: 'failed', milliseconds: 1, error: new Error('why') }) as const;
const droppedSync = syncedEvent({ outcome: 'dropped', error: new Error('why') });

describe('an observed event', () => {
  test('is logged as JSON, from level info on', async () => {
    const { observer, output } = await createTestObserver();
    observer.onEvent(syncedEvent({ writes: 1 }));
    observer.onEvent(syncedEvent());
    expect(JSON.parse(output())).toMatchObject({ level: 'info', msg: 'written' });
    observer.close();
  });

  test('is logged as text on a terminal, above the status line', async () => {
    const { observer, output } = await createTestObserver({}, { isTTY: true });
    observer.onEvent(syncedEvent({ writes: 1 }));
    const [log, line] = output().split('\n');
    expect(log).toMatch(/\d info {2}written controller=endpoints /);
    expect(line).toBe('\r\u001b[Kcaches 0 of 0, 0 queued, 1 sync, 1 write');
    observer.close();
    expect(output().endsWith('\r\u001b[K')).toBe(true);
  });

  test('is not logged but reported at the end with --once, unless a log level is given', async () => {
    const withoutLevel = await createTestObserver({ once: true });
    withoutLevel.observer.onEvent(droppedSync);
    withoutLevel.observer.onEvent({ kind: 'missing', controller: 'service-lb', error: new Error('none') });
    withoutLevel.observer.onEvent(cloudFailure('shop/web'));
    withoutLevel.observer.onEvent({ ...cloudFailure(''), call: 'list' });
    withoutLevel.observer.onEvent({ kind: 'orphan', key: 'shop/gone', uid: 'u1', outcome: 'retried', error: new Error('why') });
    expect(withoutLevel.output()).toBe('');
    expect(withoutLevel.observer.progress.failureMessages).toEqual([
      'endpoints of shop/web: why',
      'service-lb: none',
      'service-lb: load balancers without a Service could not be listed: why',
      'service-lb: the load balancer of shop/gone, which has no Service, could not be deleted: why',
    ]);
    const withLevel = await createTestObserver({ once: true, logLevel: 'error' });
    withLevel.observer.onEvent(droppedSync);
    expect(withLevel.output()).toContain('sync failed too often, dropped');
  });

  test('is buffered while stderr does not drain, and written once it does, even after close', async () => {
    let writeCount = 0;
    const stderr = { isTTY: false, writableNeedDrain: true, write: () => void writeCount++ };
    const io = { stderr, env: {}, version: '9.8.7' } as unknown as IO;
    const { observer } = await createTestObserver({}, { io });
    for (let i = 0; i < 100; i++) observer.onEvent(syncedEvent({ writes: 1 }));
    observer.close();
    expect(writeCount).toBe(0);
    stderr.writableNeedDrain = false;
    while (writeCount === 0) await new Promise(setImmediate);
    expect(writeCount).toBe(1);
  });

  test('is counted in metrics if a metrics port is set', async () => {
    const { observer } = await createTestObserver({ metricsPort: 8080, controllers: ['endpoints'] });
    observer.onEvent(syncedEvent());
    const text = await observer.metrics?.scrape();
    expect(text).toContain('controller_runtime_reconcile_total{controller="endpoints",result="success"} 1');
    expect(text).toContain('kube_endpoints_build_info{version="9.8.7",release="1.36"} 1');
    expect(text).toContain('kube_endpoints_cache_objects{resource="pods"} 3');
    expect((await createTestObserver()).observer.metrics).toBeUndefined();
  });

  test('is traced if a tracer provider is registered', async () => {
    const names: string[] = [];
    const span = { setAttributes: () => undefined, end: () => void names.push('end') };
    const startSpan = (name: string): typeof span => {
      names.push(name);
      return span;
    };
    trace.setGlobalTracerProvider({ getTracer: () => ({ startSpan }) } as never);
    const { observer } = await createTestObserver();
    observer.onEvent(takenEvent());
    observer.close();
    expect(names).toEqual(['sync endpoints', 'end']);
  });
});
