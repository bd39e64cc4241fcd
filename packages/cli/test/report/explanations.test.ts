import type { Reason } from 'kube-endpoints/explain';
import { describe, expect, test } from 'vitest';
import { formatReason } from '../../src/report/explanations.ts';

describe('the line of a reason', () => {
  const reason: Reason = { code: 'PodReady', message: 'It is so.', path: 'pod.status' };
  test.each<[Reason, string]>([
    [reason, 'PodReady: It is so (pod.status)'],
    [{ ...reason, since: '1.25' }, 'PodReady: It is so (pod.status, since 1.25)'],
    [{ ...reason, until: '1.24' }, 'PodReady: It is so (pod.status, until 1.24)'],
    [{ ...reason, since: '1.20', until: '1.24' }, 'PodReady: It is so (pod.status, since 1.20, until 1.24)'],
    [{ ...reason, message: 'Of 1.2.3.4 and more' }, 'PodReady: Of 1.2.3.4 and more (pod.status)'],
  ])('%j', (one, line) => {
    expect(formatReason(one)).toBe(line);
  });
});
