import type { Reason } from 'kube-endpoints/explain';
import { describe, expect, test } from 'vitest';
import { formatReason } from '../../src/report/explanations.ts';

describe('the line of a reason', () => {
  const reason: Reason = { code: 'PodReady', message: 'The pod is ready.', path: 'pod.status' };
  test.each<[Reason, string]>([
    [reason, 'PodReady: The pod is ready (pod.status)'],
    [{ ...reason, since: '1.25' }, 'PodReady: The pod is ready (pod.status, since 1.25)'],
    [{ ...reason, until: '1.24' }, 'PodReady: The pod is ready (pod.status, until 1.24)'],
    [{ ...reason, since: '1.20', until: '1.24' }, 'PodReady: The pod is ready (pod.status, since 1.20, until 1.24)'],
    [{ ...reason, message: 'Of 1.2.3.4 and more' }, 'PodReady: Of 1.2.3.4 and more (pod.status)'],
  ])('formats %j', (explanation, line) => {
    expect(formatReason(explanation)).toBe(line);
  });
});
