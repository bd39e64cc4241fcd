import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { ReviewResult } from '../admission/review.ts';
import type { PolicyReason } from './options.ts';

/** The metrics of the webhook. No label contains the name of a Service or pod, or an address. */
export interface WebhookMetrics {
  readonly contentType: string;
  /** All metrics in the Prometheus text format. */
  scrape(): Promise<string>;
  /** Counts a review that was answered. */
  reviewed(reviewed: ReviewResult, seconds: number): void;
  /** Counts a review that the failure policy answered. */
  policy(reason: PolicyReason): void;
  /** Counts a rejected request that is not a review. */
  refused(code: number): void;
  /** Counts a successful load of rules or a certificate. */
  reloaded(what: ReloadRecord): void;
  /** Counts a resync of a Service, requested because a hold ended or rules changed. */
  resynced(outcome: string): void;
  /** Counts a new review of an object, requested because rules would change it. */
  renewed(outcome: string): void;
  reloadFailed(what: 'rules' | 'certificate'): void;
}

/** Times are in milliseconds since the epoch. */
export type ReloadRecord =
  | { readonly what: 'rules'; readonly rules: number; readonly now: number }
  | { readonly what: 'certificate'; readonly expires: number };

export interface WebhookMetricsOptions {
  /** The number of requests in progress; called at every scrape. */
  readonly countRequestsInFlight: () => number;
  readonly includesProcess: boolean;
}

export function createWebhookMetrics({ countRequestsInFlight, includesProcess }: WebhookMetricsOptions): WebhookMetrics {
  const registry = new Registry();
  const { reviews, seconds, decisions, policyAnswers, refusedRequests, rules, loadTime, expiry, reloads, failures, resyncs, renewals } =
    createSeries(registry, countRequestsInFlight);
  if (includesProcess) collectDefaultMetrics({ register: registry });
  for (const what of ['rules', 'certificate']) {
    reloads.inc({ what }, 0);
    failures.inc({ what }, 0);
  }
  return {
    contentType: registry.contentType,
    scrape: () => registry.metrics(),
    reviewed({ review: { response }, request, result, outcome }, durationSeconds) {
      const { operation = 'other', kind = 'other' } = request ?? {};
      reviews.inc({ operation, kind, allowed: String(response.allowed), changed: String(outcome === 'changed') });
      seconds.observe({ kind }, durationSeconds);
      for (const { rule, code, audit } of result?.decisions ?? []) decisions.inc({ rule, code, mode: audit ? 'audit' : 'enforce' });
    },
    policy: (reason) => policyAnswers.inc({ reason }),
    refused: (code) => refusedRequests.inc({ code }),
    reloaded(loading) {
      reloads.inc({ what: loading.what });
      if (loading.what === 'certificate') return expiry.set(loading.expires / 1000);
      rules.set(loading.rules);
      loadTime.set(loading.now / 1000);
    },
    resynced: (outcome) => resyncs.inc({ outcome }),
    renewed: (outcome) => renewals.inc({ outcome }),
    reloadFailed: (what) => failures.inc({ what }),
  };
}

/** In seconds: from 0.1 ms to the maximum webhook timeout. */
const buckets = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

interface Series {
  readonly reviews: Counter;
  readonly seconds: Histogram;
  readonly decisions: Counter;
  readonly policyAnswers: Counter;
  readonly refusedRequests: Counter;
  readonly rules: Gauge;
  readonly loadTime: Gauge;
  readonly expiry: Gauge;
  readonly reloads: Counter;
  readonly failures: Counter;
  readonly resyncs: Counter;
  readonly renewals: Counter;
}

function createSeries(registry: Registry, countRequestsInFlight: () => number): Series {
  const family = (name: string, help: string, labelNames: readonly string[] = []) => ({
    name: `kube_endpoints_webhook_${name}`,
    help,
    labelNames: [...labelNames],
    registers: [registry],
  });
  new Gauge({
    ...family('reviews_in_flight', 'Requests in progress.'),
    collect() {
      this.set(countRequestsInFlight());
    },
  });
  return {
    reviews: new Counter(
      family('reviews_total', 'Answered reviews, by operation, kind and result.', ['operation', 'kind', 'allowed', 'changed']),
    ),
    seconds: new Histogram({
      ...family('review_duration_seconds', 'Seconds from the headers of the request to the answer.', ['kind']),
      buckets,
    }),
    decisions: new Counter(family('rule_decisions_total', 'Decisions, by rule, code and mode.', ['rule', 'code', 'mode'])),
    policyAnswers: new Counter(family('policy_answers_total', 'Reviews answered by the failure policy, by reason.', ['reason'])),
    refusedRequests: new Counter(
      family('refused_requests_total', 'Rejected requests that were not reviews, by HTTP status code.', ['code']),
    ),
    rules: new Gauge(family('rules', 'Rules in force.')),
    loadTime: new Gauge(family('rules_loaded_timestamp_seconds', 'Time when the rules were loaded, in seconds since the epoch.')),
    expiry: new Gauge(
      family('certificate_expiration_timestamp_seconds', 'Expiration time of the certificate, in seconds since the epoch.'),
    ),
    reloads: new Counter(family('reloads_total', 'Successful loads of rules and certificates.', ['what'])),
    failures: new Counter(
      family('reload_errors_total', 'Failed reloads of rules and certificates, after which the previous ones stay in force.', ['what']),
    ),
    renewals: new Counter(family('renewals_total', 'New reviews requested for stored objects, by outcome.', ['outcome'])),
    resyncs: new Counter(
      family('resyncs_total', 'Syncs of Services requested because a hold ended or rules changed, by outcome.', ['outcome']),
    ),
  };
}
