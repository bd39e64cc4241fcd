import { type SpanStatus, trace } from '@opentelemetry/api';
import { afterEach, describe, expect, test } from 'vitest';
import { createTracing, isTracingConfigured } from '../../src/operations/index.ts';
import { emptyPlan, plannedSlicesEvent, syncedEvent, takenEvent } from './runtime-events.ts';

interface RecordedSpan {
  readonly name: string;
  readonly attributes: Record<string, unknown>;
  status?: SpanStatus;
  exceptions: string[];
  ended: number;
}

/** Registers a recording provider, as a host would register an SDK. */
function registerProvider(): RecordedSpan[] {
  const spans: RecordedSpan[] = [];
  const startSpan = (name: string, { attributes = {} } = {}) => {
    const span: RecordedSpan = { name, attributes: { ...attributes }, exceptions: [], ended: 0 };
    spans.push(span);
    return {
      setAttributes: (attributes: object) => void Object.assign(span.attributes, attributes),
      setStatus: (status: SpanStatus) => void Object.assign(span, { status }),
      recordException: ({ name, message }: { name: string; message: string }) => void span.exceptions.push(`${name}: ${message}`),
      end: () => void span.ended++,
    };
  };
  trace.setGlobalTracerProvider({ getTracer: () => ({ startSpan }) } as never);
  return spans;
}

afterEach(() => trace.disable());

describe('the span of a sync', () => {
  test('has the plan and the outcome', async () => {
    const spans = registerProvider();
    const { observer } = await createTracing();
    observer(takenEvent({ waited: 20, length: 4 }));
    observer({
      kind: 'planned',
      controller: 'endpoints',
      key: 'shop/web',
      action: 'update',
      reasons: [{ code: 'SubsetsDiffer', message: '' }],
    });
    expect(spans).toMatchObject([{ ended: 0 }]);
    observer(syncedEvent({ writes: 1 }));
    expect(spans).toEqual([
      {
        name: 'sync endpoints',
        attributes: {
          'k8s.namespace.name': 'shop',
          'k8s.service.name': 'web',
          'kube_endpoints.controller': 'endpoints',
          'kube_endpoints.waited': 0.02,
          'kube_endpoints.queued': 4,
          'kube_endpoints.action': 'update',
          'kube_endpoints.reasons': ['SubsetsDiffer'],
          'kube_endpoints.outcome': 'success',
          'kube_endpoints.writes': 1,
          'kube_endpoints.failures': 0,
        },
        exceptions: [],
        ended: 1,
      },
    ]);
  });

  test('has the error if the sync failed', async () => {
    const spans = registerProvider();
    const { observer } = await createTracing();
    observer(takenEvent());
    observer(syncedEvent({ outcome: 'retried', error: new Error('refused'), failures: 1 }));
    expect(spans).toMatchObject([{ status: { code: 2, message: 'refused' }, exceptions: ['Error: refused'], ended: 1 }]);
  });

  test('is separate for each controller, and close() ends it', async () => {
    const spans = registerProvider();
    const { observer, close } = await createTracing();
    observer(takenEvent());
    observer(takenEvent({ queue: 'endpointslices' }));
    observer(plannedSlicesEvent({ plan: { ...emptyPlan, create: [{} as never] } }));
    observer(syncedEvent({ controller: 'endpointslices' }));
    expect(spans.map(({ name, ended }) => [name, ended])).toEqual([
      ['sync endpoints', 0],
      ['sync endpointslices', 1],
    ]);
    expect(spans[1]?.attributes).toMatchObject({ 'kube_endpoints.slices.created': 1, 'kube_endpoints.slices.deleted': 0 });
    close();
    expect(spans[0]?.ended).toBe(1);
  });
});

test('without a registered provider, tracing does nothing', async () => {
  const { observer } = await createTracing();
  observer(takenEvent());
  expect(() => observer(syncedEvent())).not.toThrow();
});

test('events of a sync whose start was not reported are ignored', async () => {
  const spans = registerProvider();
  const { observer } = await createTracing();
  observer(syncedEvent());
  observer(plannedSlicesEvent());
  expect(spans).toEqual([]);
});

describe('isTracingConfigured', () => {
  test.each<[string, boolean, Readonly<Record<string, string>>]>([
    ['without variables', false, {}],
    ['with an exporter', true, { OTEL_TRACES_EXPORTER: 'otlp' }],
    ['with the exporter none', false, { OTEL_TRACES_EXPORTER: 'none' }],
    ['with a collector', true, { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318' }],
    ['with the SDK disabled', false, { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318', OTEL_SDK_DISABLED: 'True' }],
    ['with an unrelated variable', false, { OTEL_SERVICE_NAME: 'x' }],
  ])('%s returns %s', (_, expected, env) => {
    expect(isTracingConfigured(env)).toBe(expected);
  });

  test('returns true if a provider is registered', () => {
    registerProvider();
    expect(isTracingConfigured({})).toBe(true);
  });
});
