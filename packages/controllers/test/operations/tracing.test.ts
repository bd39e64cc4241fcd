import { type SpanStatus, trace } from '@opentelemetry/api';
import { afterEach, describe, expect, test } from 'vitest';
import { createTracing, isTracingConfigured } from '../../src/operations/index.ts';
import { emptyPlan, plannedSlices, synced, taken } from './happenings.ts';

interface SeenSpan {
  readonly name: string;
  readonly attributes: Record<string, unknown>;
  status?: SpanStatus;
  exceptions: string[];
  ended: number;
}

/** Registers a recording provider, as a host would register an SDK. */
function registerProvider(): SeenSpan[] {
  const seen: SeenSpan[] = [];
  const startSpan = (name: string, { attributes = {} } = {}) => {
    const span: SeenSpan = { name, attributes: { ...attributes }, exceptions: [], ended: 0 };
    seen.push(span);
    return {
      setAttributes: (more: object) => void Object.assign(span.attributes, more),
      setStatus: (status: SpanStatus) => void Object.assign(span, { status }),
      recordException: ({ name, message }: { name: string; message: string }) => void span.exceptions.push(`${name}: ${message}`),
      end: () => void span.ended++,
    };
  };
  trace.setGlobalTracerProvider({ getTracer: () => ({ startSpan }) } as never);
  return seen;
}

afterEach(() => trace.disable());

describe('the span of a sync', () => {
  test('has the plan and the outcome', async () => {
    const seen = registerProvider();
    const { observer: onEvent } = await createTracing();
    onEvent(taken({ waited: 20, length: 4 }));
    onEvent({
      kind: 'planned',
      controller: 'endpoints',
      key: 'shop/web',
      action: 'update',
      reasons: [{ code: 'SubsetsDiffer', message: '' }],
    });
    expect(seen).toMatchObject([{ ended: 0 }]);
    onEvent(synced({ writes: 1 }));
    expect(seen).toEqual([
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
    const seen = registerProvider();
    const { observer: onEvent } = await createTracing();
    onEvent(taken());
    onEvent(synced({ outcome: 'retried', error: new Error('refused'), failures: 1 }));
    expect(seen).toMatchObject([{ status: { code: 2, message: 'refused' }, exceptions: ['Error: refused'], ended: 1 }]);
  });

  test('is separate for each controller, and close() ends it', async () => {
    const seen = registerProvider();
    const { observer: onEvent, close } = await createTracing();
    onEvent(taken());
    onEvent(taken({ queue: 'endpointslices' }));
    onEvent(plannedSlices({ plan: { ...emptyPlan, create: [{} as never] } }));
    onEvent(synced({ controller: 'endpointslices' }));
    expect(seen.map(({ name, ended }) => [name, ended])).toEqual([
      ['sync endpoints', 0],
      ['sync endpointslices', 1],
    ]);
    expect(seen[1]?.attributes).toMatchObject({ 'kube_endpoints.slices.created': 1, 'kube_endpoints.slices.deleted': 0 });
    close();
    expect(seen[0]?.ended).toBe(1);
  });
});

test('without a registered provider, tracing does nothing', async () => {
  const { observer: onEvent } = await createTracing();
  onEvent(taken());
  expect(() => onEvent(synced())).not.toThrow();
});

test('the end of a sync whose start was not seen is ignored', async () => {
  const seen = registerProvider();
  const { observer: onEvent } = await createTracing();
  onEvent(synced());
  onEvent(plannedSlices());
  expect(seen).toEqual([]);
});

describe('traces are enabled', () => {
  test.each<[string, boolean, Readonly<Record<string, string>>]>([
    ['not by themselves', false, {}],
    ['with an exporter', true, { OTEL_TRACES_EXPORTER: 'otlp' }],
    ['not with the exporter none', false, { OTEL_TRACES_EXPORTER: 'none' }],
    ['with a collector', true, { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318' }],
    ['not with the SDK disabled', false, { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318', OTEL_SDK_DISABLED: 'True' }],
    ['not for other things that are set', false, { OTEL_SERVICE_NAME: 'x' }],
  ])('%s', (_, expected, env) => {
    expect(isTracingConfigured(env)).toBe(expected);
  });

  test('if a provider is registered', () => {
    registerProvider();
    expect(isTracingConfigured({})).toBe(true);
  });
});
