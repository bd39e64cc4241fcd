import { expect, test } from 'vitest';
import { createWebhookMetrics } from '../../src/webhook/metrics.ts';
import { readMetric } from './support.ts';

const response = { uid: 'u', allowed: true };
const review = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response } as const;

test('metrics count reviews, reviews answered by the failure policy, rejected requests, reloads, resyncs and requested new reviews', async () => {
  const metrics = createWebhookMetrics({ countRequestsInFlight: () => 3, includesProcess: false });
  metrics.reviewed({ review, outcome: 'notConcerned' }, 0.001);
  metrics.policy('late');
  metrics.refused(404);
  metrics.reloaded({ what: 'rules', rules: 4, now: 5_000 });
  metrics.reloaded({ what: 'certificate', expires: 7_000 });
  metrics.reloadFailed('rules');
  metrics.resynced('kicked');
  metrics.renewed('renewed');
  const server = { metrics };
  expect(await readMetric(server, 'reviews_total', { operation: 'other', kind: 'other', allowed: 'true', changed: 'false' })).toBe(1);
  expect(await readMetric(server, 'reviews_in_flight')).toBe(3);
  expect(await readMetric(server, 'policy_answers_total', { reason: 'late' })).toBe(1);
  expect(await readMetric(server, 'refused_requests_total', { code: '404' })).toBe(1);
  expect(await readMetric(server, 'rules_loaded_timestamp_seconds')).toBe(5);
  expect(await readMetric(server, 'certificate_expiration_timestamp_seconds')).toBe(7);
  expect(await readMetric(server, 'reload_errors_total', { what: 'rules' })).toBe(1);
  expect(await readMetric(server, 'reload_errors_total', { what: 'certificate' })).toBe(0);
  expect(await readMetric(server, 'resyncs_total', { outcome: 'kicked' })).toBe(1);
  expect(await readMetric(server, 'renewals_total', { outcome: 'renewed' })).toBe(1);
});
