import { splitMetaNamespaceKey } from 'kube-endpoints/internal/apimachinery';
import type { ControllerName } from '../controllers/index.ts';
import type { EventOf, Observer } from '../host/index.ts';
import { toErrorFields } from './log/entry.ts';

/**
 * The subset of `@opentelemetry/api` that is used here. It is declared here because that package is an optional dependency. The types of
 * both are compatible.
 */
export interface Span {
  setAttributes(attributes: Record<string, string | number | string[]>): unknown;
  setStatus(status: { readonly code: number; readonly message?: string }): unknown;
  recordException(exception: { readonly name: string; readonly message: string }): void;
  end(): void;
}

export interface Tracer {
  startSpan(name: string, options?: { attributes?: Record<string, string | number> }): Span;
}

export interface TracingOptions {
  /** Creates the spans. By default a tracer of the provider registered with `@opentelemetry/api`. */
  readonly tracer?: Tracer;
  /** The version of this package. */
  readonly version?: string;
}

/** One span per sync, from the time a worker takes the key until its work ends. */
export interface Tracing {
  readonly observer: Observer;
  /** Ends the spans of unfinished syncs. */
  close(): void;
}

/** @throws Error with the package to install, if `@opentelemetry/api` is missing */
export async function createTracing({ tracer, version }: TracingOptions = {}): Promise<Tracing> {
  const spans = createSpans(tracer ?? (await loadApi()).trace.getTracer('kube-endpoints', version));
  return {
    observer(event) {
      if (event.kind === 'taken') spans.begin(event);
      else if (event.kind === 'planned') spans.plan(event);
      else if (event.kind === 'synced') spans.end(event);
    },
    close: spans.close,
  };
}

/** Whether tracing is requested: a provider is registered, or the environment variables of OpenTelemetry SDKs are set. */
export function isTracingConfigured(env: Readonly<Record<string, string | undefined>>): boolean {
  if (env['OTEL_SDK_DISABLED']?.toLowerCase() === 'true') return false;
  const registered = Reflect.get(globalThis, Symbol.for('opentelemetry.js.api.1')) as { trace?: unknown } | undefined;
  return registered?.trace !== undefined || exporterVariables.some((name) => env[name] && env[name] !== 'none');
}

const exporterVariables = ['OTEL_TRACES_EXPORTER', 'OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'];

type Api = typeof import('@opentelemetry/api');

async function loadApi(): Promise<Api> {
  try {
    return await import('@opentelemetry/api');
  } catch (cause) {
    throw new Error('traces need the package @opentelemetry/api: npm install @opentelemetry/api, and an SDK that exports them', { cause });
  }
}

/** Only one worker processes a key at a time, so there is one span per key. */
function createSpans(tracer: Tracer) {
  const openSpans = new Map<string, Span>();
  const spanOf = (controller: ControllerName, key: string): Span | undefined => openSpans.get(`${controller} ${key}`);
  return {
    begin({ queue, key, waited, length }: EventOf<'taken'>): void {
      const { namespace, name } = splitMetaNamespaceKey(key);
      const attributes = {
        'k8s.namespace.name': namespace,
        'k8s.service.name': name,
        'kube_endpoints.controller': queue,
        'kube_endpoints.waited': waited / 1000,
        'kube_endpoints.queued': length,
      };
      spanOf(queue, key)?.end();
      openSpans.set(`${queue} ${key}`, tracer.startSpan(`sync ${queue}`, { attributes }));
    },
    plan(planned: EventOf<'planned'>): void {
      spanOf(planned.controller, planned.key)?.setAttributes(createPlanAttributes(planned));
    },
    end({ controller, key, outcome, writes, failures, error }: EventOf<'synced'>): void {
      const span = spanOf(controller, key);
      if (!span) return;
      openSpans.delete(`${controller} ${key}`);
      span.setAttributes({ 'kube_endpoints.outcome': outcome, 'kube_endpoints.writes': writes, 'kube_endpoints.failures': failures });
      if (error !== undefined) recordFailure(span, error);
      span.end();
    },
    close(): void {
      for (const span of openSpans.values()) span.end();
      openSpans.clear();
    },
  };
}

function createPlanAttributes(planned: EventOf<'planned'>): Record<string, string | number | string[]> {
  if (planned.controller === 'endpoints') {
    return { 'kube_endpoints.action': planned.action, 'kube_endpoints.reasons': planned.reasons.map(({ code }) => code) };
  }
  const { create, update, delete: deletions, reasons } = planned.plan;
  return {
    'kube_endpoints.slices.created': create.length,
    'kube_endpoints.slices.updated': update.length,
    'kube_endpoints.slices.deleted': deletions.length,
    'kube_endpoints.reasons': [...new Set(reasons.map(({ code }) => code))],
  };
}

/** `SpanStatusCode.ERROR`; the enum is available only after the package is loaded. */
const errorStatusCode = 2;

function recordFailure(span: Span, error: unknown): void {
  const { error: message = '', reason } = toErrorFields(error);
  span.recordException({ name: reason || 'Error', message });
  span.setStatus({ code: errorStatusCode, message });
}
