import { expect, test } from 'vitest';
import { createWebhookMetrics } from '../../src/webhook/metrics.ts';
import { readMetric } from './support.ts';

const response = { uid: 'u', allowed: true };
const review = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response } as const;

test('metrics count reviews, policy answers, refused requests, reloads, resyncs and renewals', async () => {
  const metrics = createWebhookMetrics({ inFlight: () => 3, process: false });
  metrics.reviewed({ review, outcome: 'notConcerned' }, 0.001);
  metrics.policy('late');
  metrics.refused(404);
  metrics.reloaded({ what: 'rules', rules: 4, now: 5_000 });
  metrics.reloaded({ what: 'certificate', expires: 7_000 });
  metrics.reloadFailed('rules');
  metrics.resynced('kicked');
  metrics.renewed('renewed');
  const all = { metrics };
  expect(await readMetric(all, 'reviews_total', { operation: 'other', kind: 'other', allowed: 'true', changed: 'false' })).toBe(1);
  expect(await readMetric(all, 'reviews_in_flight')).toBe(3);
  expect(await readMetric(all, 'policy_answers_total', { reason: 'late' })).toBe(1);
  expect(await readMetric(all, 'refused_requests_total', { code: '404' })).toBe(1);
  expect(await readMetric(all, 'rules_loaded_timestamp_seconds')).toBe(5);
  expect(await readMetric(all, 'certificate_expiration_timestamp_seconds')).toBe(7);
  expect(await readMetric(all, 'reload_errors_total', { what: 'rules' })).toBe(1);
  expect(await readMetric(all, 'reload_errors_total', { what: 'certificate' })).toBe(0);
  expect(await readMetric(all, 'resyncs_total', { outcome: 'kicked' })).toBe(1);
  expect(await readMetric(all, 'renewals_total', { outcome: 'renewed' })).toBe(1);
});
